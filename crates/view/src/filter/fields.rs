//! The fields.

/// A field whose values are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// When it happened, in ps.
    Time,
    /// The QP.
    Qp,
    /// The flow's number in results.
    Flow,
    /// The PSN, or the number of a probe or message.
    Psn,
    /// The EV.
    Ev,
    /// The NIC that sends the QP's data.
    Src,
    /// The NIC that receives it.
    Dst,
    /// The NIC where it happened.
    Nic,
    /// The plane.
    Plane,
    /// Bytes on the wire.
    Bytes,
    /// A job, as the Jobs panel numbers it.
    Job,
}

/// A field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A number.
    Number(Number),
    /// What happened, or to what kind of packet.
    Kind,
    /// What the packet is.
    Packet,
    /// The cable.
    Link,
    /// The switches at its ends.
    Switch,
    /// Why something was dropped or refused.
    Reason,
    /// All of it in words.
    Text,
}

/// What is true of a row's packet or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// It has an ECN mark, or echoes one.
    Ecn,
    /// Its payload was cut off.
    Trimmed,
    /// It was sent before.
    Retransmission,
    /// It travels in the control class.
    Control,
}

/// What is said of a field in help: its name, an example, and what it is.
pub const HELP: &[(&str, &str, &str)] = &[
    (
        "time",
        "time >= 120us",
        "when it happened; with a unit: ps, ns, us, ms, s",
    ),
    (
        "kind",
        "kind in {trim, drop}",
        "what happened, or to which packet",
    ),
    ("packet", "packet == sack", "what the packet is"),
    ("qp", "qp == 3", "number of the QP"),
    ("flow", "flow == 1", "number of the flow in the results"),
    (
        "psn",
        "psn in {100..199}",
        "PSN, or the number of a probe or message",
    ),
    ("ev", "ev == 7", "entropy value"),
    ("src", "src == 0", "NIC that sends the QP's data"),
    ("dst", "dst != 4", "NIC that receives the QP's data"),
    ("nic", "nic == 2", "NIC at which it happened"),
    ("plane", "plane == 2", "plane"),
    ("link", "link == p0/t0.0-t1.1", "cable, as the page names it"),
    ("switch", "switch == p0/t1.1", "switch at either end of the cable"),
    ("bytes", "bytes > 1KiB", "bytes on the wire"),
    ("job", "job == 0", "number of the job whose step was complete"),
    ("reason", "reason == queue_full", "why it was dropped or refused"),
    ("text", "text contains \"T1\"", "the row in words"),
    ("ecn", "ecn", "the packet has an ECN mark, or echoes one"),
    ("trimmed", "trimmed", "the packet's payload was cut off"),
    (
        "retransmission",
        "retransmission",
        "the data packet was sent before",
    ),
    ("control", "!control", "the packet travels in the control class"),
];

impl Field {
    const ALL: [Field; 17] = [
        Field::Number(Number::Time),
        Field::Number(Number::Qp),
        Field::Number(Number::Flow),
        Field::Number(Number::Psn),
        Field::Number(Number::Ev),
        Field::Number(Number::Src),
        Field::Number(Number::Dst),
        Field::Number(Number::Nic),
        Field::Number(Number::Plane),
        Field::Number(Number::Bytes),
        Field::Number(Number::Job),
        Field::Kind,
        Field::Packet,
        Field::Link,
        Field::Switch,
        Field::Reason,
        Field::Text,
    ];

    /// The field of that name.
    pub fn named(name: &str) -> Option<Field> {
        Field::ALL.into_iter().find(|field| field.name() == name)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Field::Number(Number::Time) => "time",
            Field::Number(Number::Qp) => "qp",
            Field::Number(Number::Flow) => "flow",
            Field::Number(Number::Psn) => "psn",
            Field::Number(Number::Ev) => "ev",
            Field::Number(Number::Src) => "src",
            Field::Number(Number::Dst) => "dst",
            Field::Number(Number::Nic) => "nic",
            Field::Number(Number::Plane) => "plane",
            Field::Number(Number::Bytes) => "bytes",
            Field::Number(Number::Job) => "job",
            Field::Kind => "kind",
            Field::Packet => "packet",
            Field::Link => "link",
            Field::Switch => "switch",
            Field::Reason => "reason",
            Field::Text => "text",
        }
    }
}

impl Flag {
    const ALL: [Flag; 4] = [Flag::Ecn, Flag::Trimmed, Flag::Retransmission, Flag::Control];

    /// The flag of that name.
    pub fn named(name: &str) -> Option<Flag> {
        Flag::ALL.into_iter().find(|flag| flag.name() == name)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Flag::Ecn => "ecn",
            Flag::Trimmed => "trimmed",
            Flag::Retransmission => "retransmission",
            Flag::Control => "control",
        }
    }
}
