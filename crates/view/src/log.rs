//! What happened in a run, as rows: their kinds, and what the page hears of them.

use crate::filter::Problem;
use crate::inspect::Target;
use scenario::LinkName;
use serde::{Deserialize, Serialize};

/// An enumeration whose values have names that filters use, and names for people.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $value:ident $slug:literal $words:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$each])* $value,)* }

        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$value,)*];

            /// The name in filters.
            pub const fn slug(self) -> &'static str {
                match self { $($name::$value => $slug,)* }
            }

            /// For people.
            pub const fn name(self) -> &'static str {
                match self { $($name::$value => $words,)* }
            }

            /// The one with this name in filters.
            pub fn named(slug: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|value| value.slug() == slug)
            }
        }
    };
}

words! {
    /// What happened.
    Kind {
        /// A fault took effect.
        Fault "fault" "fault",
        /// A repair did.
        Repair "repair" "repair",
        /// A NIC noticed that a port is down.
        PortDown "port_down" "port down",
        /// A NIC noticed that a port is up.
        PortUp "port_up" "port up",
        /// Clustermapper found something bad, or in order.
        Verdict "verdict" "Clustermapper",
        /// Paused links wait for each other.
        Deadlock "deadlock" "deadlock",
        /// A data packet got an ECN mark.
        Mark "mark" "ECN mark",
        /// A data packet was trimmed.
        Trim "trim" "trimmed",
        /// A packet was dropped.
        Drop "drop" "dropped",
        /// PFC stopped data on a link.
        Pause "pause" "PFC pause",
        /// PFC let it go on.
        Resume "resume" "PFC resume",
        /// A data packet's payload was placed.
        Placed "placed" "placed",
        /// Another packet arrived.
        Received "received" "received",
        /// A sender inferred a loss.
        Loss "loss" "loss inferred",
        /// A sender had heard nothing for too long.
        Timeout "timeout" "timeout",
        /// A sender heard a NAK.
        NakHeard "nak_heard" "NAK heard",
        /// A sender slowed down after a CNP.
        Slow "slow" "rate cut",
        /// An EV skips a turn.
        EvSkip "ev_skip" "EV skips",
        /// An EV went out of use.
        EvOut "ev_out" "EV out",
        /// An EV came back.
        EvBack "ev_back" "EV back",
        /// An EV of the reserve took another's place.
        EvSwap "ev_swap" "EV swapped",
        /// A message was complete.
        Message "message" "message done",
        /// A flow was complete.
        Finished "finished" "flow done",
        /// A step of a job was complete.
        Step "step" "step done",
        /// A QP went to ERROR.
        Error "error" "QP in ERROR",
        /// A packet was sent for the first time.
        Sent "sent" "sent",
        /// A data packet was sent again.
        Resent "resent" "sent again",
    }
}

words! {
    /// What a packet is.
    PacketWord {
        /// Data of a message.
        Data "data" "data",
        /// Selective acknowledgement.
        Sack "sack" "SACK",
        /// MRC's negative acknowledgement of one packet.
        Nack "nack" "NACK",
        /// Acknowledgement of messages (MRC) or packets (RoCE).
        Ack "ack" "ACK",
        /// RoCE's negative acknowledgement.
        Nak "nak" "NAK",
        /// Congestion notification.
        Cnp "cnp" "CNP",
        /// Receiver credit.
        Credit "credit" "credit",
        /// EV probe.
        Probe "probe" "EV probe",
        /// Its answer.
        ProbeReply "probe_reply" "answer to an EV probe",
        /// Reliability probe.
        AckProbe "ack_probe" "reliability probe",
        /// Port status.
        PortStatus "port_status" "port status",
        /// Its answer.
        PortStatusReply "port_status_reply" "answer to a port status",
        /// Clustermapper's probe.
        MapperProbe "mapper_probe" "Clustermapper's probe",
        /// PFC's frame.
        PauseFrame "pause_frame" "PFC frame",
    }
}

/// A row as the page shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// When, in ps.
    pub at_ps: u64,
    /// What happened.
    pub kind: Kind,
    /// What the packet is, if it is about one.
    pub packet: Option<PacketWord>,
    /// The QP.
    pub qp: Option<u32>,
    /// The flow's number in results.
    pub flow: Option<u64>,
    /// The PSN, or the number of a probe or message.
    pub psn: Option<u32>,
    /// The EV.
    pub ev: Option<u16>,
    /// The cable.
    pub link: Option<LinkName>,
    /// The plane.
    pub plane: Option<u32>,
    /// Bytes on the wire.
    pub bytes: Option<u64>,
    /// In words.
    pub text: String,
    /// What a click selects.
    pub target: Option<Target>,
}

/// Rows that are asked for at a time at most.
pub const MAX_ROWS: u32 = 500;

/// Which rows the page wants.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// The filter; empty for all rows.
    pub filter: String,
    /// The first row wanted, by its place among those that match; beyond the end: the last rows.
    pub from: u64,
    /// How many, at most [`MAX_ROWS`].
    pub count: u32,
}

/// Rows that match.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The filter that they match.
    pub filter: String,
    /// Why it is none; there are no rows then.
    pub problem: Option<Problem>,
    /// The place of the first one among those that match.
    pub from: u64,
    /// The rows.
    pub rows: Vec<Row>,
    /// How many match.
    pub matches: u64,
    /// How many are kept.
    pub kept: u64,
    /// Rows that made room for later ones of their kind, by kind.
    pub left_out: Vec<(Kind, u64)>,
    /// How many of those that match are not later than now.
    pub past: u64,
}

/// Forms of export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Comma-separated values (RFC 4180) with a line of headings.
    Csv,
    /// An array of objects, one to a line.
    Json,
}

/// The headings of [`csv_line`]'s columns; times are in ps.
pub const CSV_HEAD: &str = "time_ps,kind,packet,qp,flow,psn,ev,link,plane,bytes,text\r\n";

/// A row as a line of comma-separated values.
pub fn csv_line(row: &Row) -> String {
    fn cell<T: ToString>(value: Option<T>) -> String {
        value.map(|value| value.to_string()).unwrap_or_default()
    }
    format!(
        "{},{},{},{},{},{},{},{},{},{},\"{}\"\r\n",
        row.at_ps,
        row.kind.slug(),
        row.packet.map_or("", PacketWord::slug),
        cell(row.qp),
        cell(row.flow),
        cell(row.psn),
        cell(row.ev),
        cell(row.link),
        cell(row.plane),
        cell(row.bytes),
        row.text.replace('"', "\"\"")
    )
}

/// A row as a JSON object on one line; what it has not is left out. Times are in ps.
///
/// # Errors
///
/// When a value has no JSON form, which no row has.
pub fn json_line(row: &Row) -> serde_json::Result<String> {
    let mut whole = serde_json::to_value(row)?;
    if let Some(fields) = whole.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    serde_json::to_string(&whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_found_by_name() {
        for &kind in Kind::ALL {
            assert_eq!(Kind::named(kind.slug()), Some(kind));
            assert_eq!(PacketWord::named(kind.slug()), None, "one word, one meaning");
        }
        for &packet in PacketWord::ALL {
            assert_eq!(PacketWord::named(packet.slug()), Some(packet));
        }
    }

    #[test]
    fn a_line_has_every_column_and_doubles_quotes() {
        let row = Row {
            at_ps: 5,
            kind: Kind::Trim,
            packet: Some(PacketWord::Data),
            qp: Some(3),
            flow: None,
            psn: Some(9),
            ev: None,
            link: Some("p0/t0.3-t1.2".parse().unwrap()),
            plane: Some(0),
            bytes: Some(64),
            text: "say \"T1\", then".into(),
            target: None,
        };
        assert_eq!(
            csv_line(&row),
            "5,trim,data,3,,9,,p0/t0.3-t1.2,0,64,\"say \"\"T1\"\", then\"\r\n"
        );
        assert_eq!(CSV_HEAD.matches(',').count(), 10);
        let json = json_line(&row).unwrap();
        assert_eq!(serde_json::from_str::<Row>(&json).unwrap(), row);
        assert!(!json.contains("null"), "{json}");
    }
}
