//! Who chooses a packet's path, and how the switches' tables follow failures.

use crate::defaults;
use crate::quantity::Time;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// Who chooses a packet's path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Routing {
    /// The sender, by SRv6 micro-segments (published: MRC).
    #[default]
    Source,
    /// Each switch, by a hash of addresses and entropy: all packets of one EV or of one RoCE QP take one path.
    Ecmp,
    /// Each switch, anew for each packet, at random among the equally short ways.
    Spray,
    /// Each switch, anew for each packet, the least loaded of the equally short ways.
    Adaptive,
}

impl Routing {
    /// As JSON spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Ecmp => "ecmp",
            Self::Spray => "spray",
            Self::Adaptive => "adaptive",
        }
    }
}

/// How fast the switches' tables follow a failure and a repair. Both times are our choice within what RFC 7938 §7 tells
/// of BGP in large data centres: a link's failure is seen within milliseconds, and routes converge within less than a
/// second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Convergence {
    /// Time that a switch needs to see that a link of its own is down or up, up to 100 s. From then on it does not use, or
    /// uses again, that link.
    #[serde(skip_serializing_if = "defaults::is_detect")]
    pub detect: Time,
    /// Time from there until the tables of all other switches follow, up to 100 s.
    #[serde(skip_serializing_if = "defaults::is_converge")]
    pub converge: Time,
}
