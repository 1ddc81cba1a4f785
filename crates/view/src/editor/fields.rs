//! What an element of the traffic or a fault has for fields, kind by kind.

use super::host_fields::{EVENTS, HOST_TRAFFIC, VMS};
use scenario::{Fabric, LinkName, SwitchName};
use serde_json::{Map, Value, json};

/// A list of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// What is sent.
    Traffic,
    /// What breaks and heals.
    Faults,
    /// Of a host: its VMs, which are all of one kind.
    Vms,
    /// Of a host: what is sent.
    HostTraffic,
    /// Of a host: what is done to it.
    Events,
}

impl List {
    /// Its name in a scenario.
    pub const fn name(self) -> &'static str {
        match self {
            List::Traffic | List::HostTraffic => "traffic",
            List::Faults => "faults",
            List::Vms => "vms",
            List::Events => "events",
        }
    }

    /// One of its elements, for people.
    pub const fn noun(self) -> &'static str {
        match self {
            List::Traffic | List::HostTraffic => "traffic",
            List::Faults => "fault",
            List::Vms => "VM",
            List::Events => "event",
        }
    }

    /// The lists of a host's scenario, or of a fabric's.
    pub const fn of(host: bool) -> &'static [List] {
        if host {
            &[List::Vms, List::HostTraffic, List::Events]
        } else {
            &[List::Traffic, List::Faults]
        }
    }

    /// The kinds of its elements.
    pub const fn kinds(self) -> &'static [Kind] {
        match self {
            List::Traffic => TRAFFIC,
            List::Faults => FAULTS,
            List::Vms => VMS,
            List::HostTraffic => HOST_TRAFFIC,
            List::Events => EVENTS,
        }
    }

    /// The kind of that name.
    pub fn kind(self, name: &str) -> Option<&'static Kind> {
        self.kinds().iter().find(|kind| kind.name == name)
    }

    /// The kind of an element.
    pub(super) fn kind_of(self, element: &Value) -> Option<&'static Kind> {
        match self.kinds() {
            [only] => Some(only),
            _ => self.kind(element.get("kind")?.as_str()?),
        }
    }
}

/// A kind of element.
#[derive(Debug, PartialEq)]
pub struct Kind {
    /// Its name in a scenario.
    pub name: &'static str,
    /// The name for people.
    pub label: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
    /// False where only the text can make one.
    pub can_be_added: bool,
    pub(super) fields: &'static [Field],
}

/// A field of an element.
#[derive(Debug, PartialEq)]
pub(super) struct Field {
    pub name: &'static str,
    pub label: &'static str,
    /// Unit, range, and what it means.
    pub help: &'static str,
    pub input: FieldInput,
    /// What it is where nothing is said; none where something has to be.
    pub default: Option<&'static str>,
}

/// How a field is filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldInput {
    /// A number without a unit.
    Number,
    /// A size.
    Bytes,
    /// A time.
    Time,
    /// A name, or a rate: as it is written.
    Name,
    /// One of several: value in the scenario, name.
    Choice(&'static [(&'static str, &'static str)]),
    /// A list that only the text shows.
    InText,
}

pub(super) const fn needed(
    name: &'static str,
    label: &'static str,
    input: FieldInput,
    help: &'static str,
) -> Field {
    Field {
        name,
        label,
        help,
        input,
        default: None,
    }
}

pub(super) const fn optional(
    name: &'static str,
    label: &'static str,
    input: FieldInput,
    default: &'static str,
    help: &'static str,
) -> Field {
    Field {
        name,
        label,
        help,
        input,
        default: Some(default),
    }
}

pub(super) const YES_NO: FieldInput = FieldInput::Choice(&[("false", "no"), ("true", "yes")]);
const TIERS: FieldInput = FieldInput::Choice(&[("nic", "NIC–T0"), ("t0_t1", "T0–T1"), ("t1_t2", "T1–T2")]);
const DIRECTIONS: FieldInput = FieldInput::Choice(&[
    ("both", "both"),
    ("up", "away from the NICs"),
    ("down", "towards the NICs"),
]);

const BYTES: Field = needed(
    "bytes",
    "message size",
    FieldInput::Bytes,
    "Bytes of each message, such as 4KiB or 2MB; 1 B or more.",
);
const MESSAGES: Field = optional(
    "messages",
    "messages",
    FieldInput::Number,
    "1",
    "Messages of each flow, posted back to back, 1 to 2^24.",
);
const IMM: Field = optional(
    "imm",
    "with immediate",
    YES_NO,
    "false",
    "Each message is a WRITE with immediate.",
);
const START: Field = optional(
    "start",
    "start",
    FieldInput::Time,
    "0",
    "When it begins, such as 10us; before the run's end.",
);

const TRAFFIC: &[Kind] = &[
    Kind {
        name: "flow",
        label: "One flow",
        help: "One NIC sends to another.",
        can_be_added: true,
        fields: &[
            needed("src", "from NIC", FieldInput::Number, "Sending NIC, from 0."),
            needed(
                "dst",
                "to NIC",
                FieldInput::Number,
                "Receiving NIC, from 0; another than the sender.",
            ),
            BYTES,
            MESSAGES,
            START,
            IMM,
            optional(
                "id",
                "number",
                FieldInput::Number,
                "",
                "The flow's number in results; counted from 1 where left out.",
            ),
        ],
    },
    Kind {
        name: "permutation",
        label: "Permutation",
        help: "Each NIC s sends to NIC (s + shift) mod N.",
        can_be_added: true,
        fields: &[
            needed(
                "shift",
                "shift",
                FieldInput::Number,
                "Distance between sender and receiver, 1 to N − 1.",
            ),
            BYTES,
            MESSAGES,
            START,
            IMM,
        ],
    },
    Kind {
        name: "incast",
        label: "Incast",
        help: "Several NICs, spread evenly, send to one.",
        can_be_added: true,
        fields: &[
            needed("dst", "to NIC", FieldInput::Number, "Receiving NIC, from 0."),
            needed(
                "senders",
                "senders",
                FieldInput::Number,
                "How many NICs send, 1 to N − 1.",
            ),
            BYTES,
            MESSAGES,
            START,
            IMM,
        ],
    },
    Kind {
        name: "all_to_all",
        label: "All to all",
        help: "Every ordered pair among the first NICs.",
        can_be_added: true,
        fields: &[
            needed(
                "nics",
                "NICs",
                FieldInput::Number,
                "How many NICs take part, from NIC 0 on; 2 to N.",
            ),
            BYTES,
            MESSAGES,
            START,
            IMM,
        ],
    },
    Kind {
        name: "job",
        label: "Training job",
        help: "Synchronous steps: all members compute, then carry out a collective.",
        can_be_added: true,
        fields: &[
            needed(
                "collective",
                "collective",
                FieldInput::Choice(&[
                    ("ring_all_reduce", "ring all-reduce"),
                    ("reduce_scatter", "reduce-scatter"),
                    ("all_gather", "all-gather"),
                    ("all_to_all", "all-to-all"),
                    ("send_receive", "send and receive"),
                    ("permutation", "permutation"),
                    ("incast", "incast"),
                ]),
                "What the members do together in each step.",
            ),
            needed(
                "ranks",
                "ranks",
                FieldInput::Number,
                "How many members, 2 to N; even for send and receive.",
            ),
            needed(
                "bytes",
                "bytes a rank",
                FieldInput::Bytes,
                "Size of the collective per rank (NCCL's convention).",
            ),
            optional(
                "steps",
                "steps",
                FieldInput::Number,
                "1",
                "Steps, 1 to 1\u{202f}000\u{202f}000.",
            ),
            optional(
                "compute",
                "computing",
                FieldInput::Time,
                "0",
                "Time that each step computes first, up to 100 s.",
            ),
            START,
            optional(
                "first_rank",
                "first rank",
                FieldInput::Number,
                "0",
                "The first member's rank.",
            ),
            optional(
                "stride",
                "stride",
                FieldInput::Number,
                "1",
                "Distance between the ranks of two members, 1 or more.",
            ),
        ],
    },
    Kind {
        name: "flows",
        label: "List of flows",
        help: "Many flows in compact form: [src, dst, bytes, start in ps, id] each.",
        can_be_added: false,
        fields: &[needed(
            "list",
            "flows",
            FieldInput::InText,
            "One line of the text each.",
        )],
    },
];

const AT: Field = needed("at", "at", FieldInput::Time, "When, such as 120us.");
const LINK: Field = needed(
    "link",
    "link",
    FieldInput::Name,
    "p0/n17 is NIC 17's link in plane 0; p0/t0.3-t1.2 that between T0 3 and T1 2.",
);
const DIRECTION: Field = optional(
    "direction",
    "direction",
    DIRECTIONS,
    "both",
    "Which of the link's directions.",
);
const RATE: Field = needed(
    "rate",
    "probability",
    FieldInput::Number,
    "For each packet, 0 to 1; 0 ends it.",
);
const SWITCH: Field = needed(
    "switch",
    "switch",
    FieldInput::Name,
    "p0/t1.2 is T1 2 of plane 0.",
);
const TIER: Field = needed("tier", "tier", TIERS, "Which links.");
const NIC: Field = needed("nic", "NIC", FieldInput::Number, "Which NIC, from 0.");
const FOR: Field = needed("duration", "for", FieldInput::Time, "For how long, above 0.");
const FOR_OR_GOOD: Field = optional(
    "duration",
    "for",
    FieldInput::Time,
    "",
    "For how long, above 0; for good where left out.",
);

const FAULTS: &[Kind] = &[
    Kind {
        name: "link_down",
        label: "Link down",
        help: "A link stops; what is queued for it or on it is lost.",
        can_be_added: true,
        fields: &[AT, LINK, DIRECTION],
    },
    Kind {
        name: "link_up",
        label: "Link up",
        help: "The link works again.",
        can_be_added: true,
        fields: &[AT, LINK, DIRECTION],
    },
    Kind {
        name: "link_loss",
        label: "Link loses packets",
        help: "Each packet crossing the link may be lost.",
        can_be_added: true,
        fields: &[AT, LINK, RATE, DIRECTION],
    },
    Kind {
        name: "link_corrupt",
        label: "Link damages packets",
        help: "Each packet crossing the link may be damaged; the frame check at the far end drops it.",
        can_be_added: true,
        fields: &[AT, LINK, RATE, DIRECTION],
    },
    Kind {
        name: "link_flap",
        label: "Link flaps",
        help: "The link goes down and up again and again, and stays up in the end.",
        can_be_added: true,
        fields: &[
            AT,
            LINK,
            needed(
                "down",
                "down for",
                FieldInput::Time,
                "How long it is down each time, 1 µs to 100 s.",
            ),
            needed(
                "up",
                "up for",
                FieldInput::Time,
                "How long it is up in between, 1 µs to 100 s.",
            ),
            needed(
                "until",
                "until",
                FieldInput::Time,
                "When it ends, after it began.",
            ),
            optional(
                "random",
                "at random",
                YES_NO,
                "true",
                "Yes: the times are means of an exponential distribution. No: they are exact.",
            ),
        ],
    },
    Kind {
        name: "links_down",
        label: "Several links down",
        help: "Links of one tier, chosen by the seed, go down one after the other.",
        can_be_added: true,
        fields: &[
            AT,
            TIER,
            needed(
                "count",
                "how many",
                FieldInput::Number,
                "How many links, 1 or more.",
            ),
            optional(
                "plane",
                "plane",
                FieldInput::Number,
                "",
                "Those of this plane; of all planes where left out.",
            ),
            optional(
                "spacing",
                "one every",
                FieldInput::Time,
                "0",
                "Time from one to the next, up to 100 s.",
            ),
            FOR_OR_GOOD,
        ],
    },
    Kind {
        name: "tier_loss",
        label: "Tier loses packets",
        help: "Each packet crossing a link of the tier may be lost.",
        can_be_added: true,
        fields: &[AT, TIER, RATE, DIRECTION],
    },
    Kind {
        name: "switch_down",
        label: "Switch dead",
        help: "A switch stops forwarding; its links stay up in the eyes of its neighbours.",
        can_be_added: true,
        fields: &[AT, SWITCH],
    },
    Kind {
        name: "switch_up",
        label: "Switch back",
        help: "The switch forwards again.",
        can_be_added: true,
        fields: &[AT, SWITCH],
    },
    Kind {
        name: "switch_reboot",
        label: "Switch reboots",
        help: "All links of the switch are down for a while, which its neighbours see.",
        can_be_added: true,
        fields: &[AT, SWITCH, FOR],
    },
    Kind {
        name: "switch_corrupt",
        label: "Switch damages packets",
        help: "The switch damages payloads and computes the frame check anew: only the receiving NIC's iCRC finds it.",
        can_be_added: true,
        fields: &[AT, SWITCH, RATE],
    },
    Kind {
        name: "nic_port_down",
        label: "NIC port down",
        help: "One port of a NIC is down, and with it the link to its T0.",
        can_be_added: true,
        fields: &[
            AT,
            NIC,
            needed("plane", "plane", FieldInput::Number, "The port's plane, from 0."),
            FOR_OR_GOOD,
        ],
    },
    Kind {
        name: "nic_flap",
        label: "NIC flaps",
        help: "All ports of a NIC are down for a while: its transceiver flaps.",
        can_be_added: true,
        fields: &[AT, NIC, FOR],
    },
    Kind {
        name: "nic_refuses",
        label: "NIC refuses packets",
        help: "The receiving NIC refuses data packets, and says so by a NACK.",
        can_be_added: true,
        fields: &[
            AT,
            NIC,
            RATE,
            needed(
                "reason",
                "reason",
                FieldInput::Choice(&[
                    ("no_bitmap", "NO_BITMAP"),
                    ("no_pkt_buffer", "NO_PKT_BUFFER"),
                    ("no_resource", "NO_RESOURCE"),
                ]),
                "The NACK's reason.",
            ),
        ],
    },
    Kind {
        name: "nic_penalty",
        label: "NIC reports a penalty",
        help: "NSCC shrinks the window by penalty / 128 of the bytes received.",
        can_be_added: true,
        fields: &[
            AT,
            NIC,
            needed("penalty", "penalty", FieldInput::Number, "0 to 127; 0 ends it."),
        ],
    },
];

/// A new element of a kind, with what it needs for this fabric. `at` is the time of a fault, as a scenario has it.
pub(super) fn fresh(kind: &Kind, fabric: &Fabric, at: &str) -> Value {
    let last = fabric.nics().saturating_sub(1);
    let mut fields = Map::new();
    fields.insert("kind".into(), kind.name.into());
    for field in kind.fields.iter().filter(|field| field.default.is_none()) {
        let value = match field.name {
            "at" => json!(at),
            "dst" if kind.name == "flow" => json!(last),
            "src" | "dst" | "nic" | "plane" => json!(0),
            "shift" => json!((fabric.nics() / 2).max(1)),
            "senders" => json!(last.min(8)),
            "nics" | "ranks" => json!(fabric.nics().min(8) & !1),
            "bytes" => json!("1MB"),
            "link" => json!(LinkName::T0T1 {
                plane: 0,
                t0: 0,
                t1: 0
            }),
            "switch" => json!(SwitchName::T1 { plane: 0, index: 0 }),
            "rate" => json!(0.01),
            "penalty" => json!(64),
            "count" => json!(1),
            "until" => json!(later(at)),
            "down" | "duration" => json!("20us"),
            "up" => json!("50us"),
            "list" => json!([]),
            _ => match field.input {
                FieldInput::Choice(list) if field.name == "tier" => json!(list[1].0),
                FieldInput::Choice(list) => json!(list[0].0),
                _ => Value::Null,
            },
        };
        fields.insert(field.name.into(), value);
    }
    Value::Object(fields)
}

/// A while after a time: long enough for a link to flap a few times.
fn later(at: &str) -> scenario::Time {
    let at: scenario::Time = at.parse().unwrap_or_default();
    scenario::Time(at.0.saturating_add(scenario::Time::us(300).0))
}
