//! A data packet's whole life: every transmission of one PSN, hop by hop.

use scenario::LinkName;
use serde::{Deserialize, Serialize};

/// A hop that a transmission has made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hop {
    /// The cable.
    pub link: LinkName,
    /// Who sends on it.
    pub from: String,
    /// Who receives.
    pub to: String,
    /// When the packet was in the queue of the link, in ps.
    pub queued_ps: u64,
    /// For how long of that PFC had the link paused, in ps.
    pub paused_ps: u64,
    /// When its first bit left the queue, in ps.
    pub left_ps: u64,
    /// When its last bit had left, in ps.
    pub sent_ps: u64,
    /// When it was at the far end, the receiving switch's latency included, in ps.
    pub reached_ps: u64,
    /// Bytes on the wire.
    pub bytes: u16,
    /// True where it got its ECN mark.
    pub marked: bool,
    /// True where it was trimmed, in front of this link.
    pub trimmed: bool,
    /// The active uSID with which it crossed the link, and what that names; none where switches choose the way.
    pub usid: Option<(u16, String)>,
}

impl Hop {
    /// How long it waited in the queue, in ps.
    pub const fn wait_ps(&self) -> u64 {
        self.left_ps.saturating_sub(self.queued_ps)
    }
}

/// What became of a transmission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// It is under way.
    UnderWay,
    /// Its payload was placed.
    Placed {
        /// When, in ps.
        at_ps: u64,
    },
    /// It arrived without its payload.
    ArrivedTrimmed {
        /// When, in ps.
        at_ps: u64,
    },
    /// It arrived, but nothing of it was placed: it was placed before, or is refused.
    NotPlaced {
        /// When, in ps.
        at_ps: u64,
    },
    /// It was dropped.
    Dropped {
        /// When, in ps.
        at_ps: u64,
        /// At which cable.
        link: LinkName,
        /// Why.
        reason: String,
    },
}

impl End {
    /// When, if it has come, in ps.
    pub const fn at_ps(&self) -> Option<u64> {
        match self {
            End::UnderWay => None,
            End::Placed { at_ps }
            | End::ArrivedTrimmed { at_ps }
            | End::NotPlaced { at_ps }
            | End::Dropped { at_ps, .. } => Some(*at_ps),
        }
    }

    /// In words.
    pub fn words(&self) -> String {
        match self {
            End::UnderWay => "under way".into(),
            End::Placed { .. } => "placed".into(),
            End::ArrivedTrimmed { .. } => "arrived trimmed".into(),
            End::NotPlaced { .. } => "arrived, not placed".into(),
            End::Dropped { link, reason, .. } => format!("dropped at {link}: {}", reason.replace('_', " ")),
        }
    }
}

/// One transmission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transmission {
    /// When the endpoint handed it to its port, in ps.
    pub sent_ps: u64,
    /// Its EV; RoCE: its UDP source port.
    pub ev: u16,
    /// Its plane.
    pub plane: u32,
    /// The cable that it was handed to.
    pub first: LinkName,
    /// The hops that it has made.
    pub hops: Vec<Hop>,
    /// What became of it.
    pub end: End,
}

/// An answer about the packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// NACK, NAK, SACK or ACK.
    pub name: String,
    /// What it says, in words.
    pub text: String,
    /// When it was sent, in ps.
    pub sent_ps: u64,
    /// When the sender of the data heard it, in ps; none while it is under way, or if it was lost.
    pub heard_ps: Option<u64>,
    /// True when it says that the packet has arrived.
    pub acknowledges: bool,
}

/// A loss that the sender inferred.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inferred {
    /// When, in ps.
    pub at_ps: u64,
    /// How, in words.
    pub text: String,
}

/// The life so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Life {
    /// The QP.
    pub qp: u32,
    /// The PSN.
    pub psn: u32,
    /// True where the protocol is RoCE: a transmission's EV is its UDP source port.
    pub is_roce: bool,
    /// Up to when the run was repeated to find it, in ps.
    pub upto_ps: u64,
    /// Up to when it has to be, in ps.
    pub now_ps: u64,
    /// In order of time.
    pub transmissions: Vec<Transmission>,
    /// In order of time.
    pub signals: Vec<Signal>,
    /// In order of time.
    pub inferred: Vec<Inferred>,
    /// Why it cannot be told.
    pub problem: Option<String>,
}

impl Life {
    /// True when the repetition has come to now.
    pub const fn is_whole(&self) -> bool {
        self.upto_ps >= self.now_ps || self.problem.is_some()
    }

    /// The first and the last time that it speaks of, which is the present while a transmission is under way; at least 1 ps apart.
    pub fn span(&self) -> (u64, u64) {
        let start = self.transmissions.first().map_or(0, |first| first.sent_ps);
        let of_transmission = |one: &Transmission| {
            let hop = one.hops.last().map_or(one.sent_ps, |hop| hop.reached_ps);
            one.end.at_ps().unwrap_or(self.upto_ps).max(hop)
        };
        let signals = self
            .signals
            .iter()
            .map(|signal| signal.heard_ps.unwrap_or(signal.sent_ps));
        let end = self
            .transmissions
            .iter()
            .map(of_transmission)
            .chain(signals)
            .chain(self.inferred.iter().map(|inferred| inferred.at_ps))
            .max();
        (start, end.unwrap_or(start).max(start + 1))
    }

    /// What became of it, in a sentence.
    pub fn verdict(&self) -> String {
        use crate::units::span;
        let Some(first) = self.transmissions.first() else {
            return "not sent yet".into();
        };
        let since = |at: u64| span(at.saturating_sub(first.sent_ps) as f64);
        let times = match self.transmissions.len() {
            1 => "sent once".to_owned(),
            2 => "sent twice".to_owned(),
            many => format!("sent {many} times"),
        };
        let placed = self.transmissions.iter().find_map(|one| match one.end {
            End::Placed { at_ps } => Some(at_ps),
            _ => None,
        });
        let acknowledged = self
            .signals
            .iter()
            .filter(|signal| signal.acknowledges)
            .find_map(|signal| signal.heard_ps);
        match (placed, acknowledged) {
            (Some(placed), Some(heard)) => format!(
                "{times}, placed after {}, acknowledged after {}",
                since(placed),
                since(heard)
            ),
            (Some(placed), None) => format!("{times}, placed after {}, not acknowledged yet", since(placed)),
            (None, _) => format!("{times}, not placed yet"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(sent_ps: u64, end: End) -> Transmission {
        Transmission {
            sent_ps,
            ev: 0,
            plane: 0,
            first: "p0/n3".parse().unwrap(),
            hops: Vec::new(),
            end,
        }
    }

    #[test]
    fn a_packet_under_way_has_a_life_up_to_now() {
        let life = Life {
            upto_ps: 7_000,
            now_ps: 7_000,
            transmissions: vec![sent(1_000, End::UnderWay)],
            ..Life::default()
        };
        assert_eq!(life.span(), (1_000, 7_000));
    }

    #[test]
    fn a_verdict_counts_and_measures_from_the_first_transmission() {
        let mut life = Life::default();
        assert_eq!(life.verdict(), "not sent yet");
        life.transmissions
            .push(sent(1_000, End::ArrivedTrimmed { at_ps: 3_000 }));
        assert_eq!(life.verdict(), "sent once, not placed yet");
        life.transmissions.push(sent(5_000, End::Placed { at_ps: 9_000 }));
        assert_eq!(
            life.verdict(),
            "sent twice, placed after 8 ns, not acknowledged yet"
        );
        life.signals.push(Signal {
            name: "SACK".into(),
            text: String::new(),
            sent_ps: 9_000,
            heard_ps: Some(12_000),
            acknowledges: true,
        });
        assert_eq!(
            life.verdict(),
            "sent twice, placed after 8 ns, acknowledged after 11 ns"
        );
        assert_eq!(life.span(), (1_000, 12_000));
    }
}
