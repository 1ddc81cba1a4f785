//! The field of a packet by which a classifier sorts its rules.

use super::matcher::{Addresses, Matcher};
use crate::policy::PortRange;
use gft::Tuple;
use std::fmt;

/// A field that rules can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// Innermost source address.
    Src,
    /// Innermost destination address.
    Dst,
    /// Source port.
    SrcPort,
    /// Destination port.
    DstPort,
}

impl Field {
    /// All of them.
    pub const ALL: [Field; 4] = [Field::Dst, Field::Src, Field::DstPort, Field::SrcPort];

    /// Bits of a value: ports lie in the uppermost 16 of 128, so that a trie starts at their first bit.
    const PORT_SHIFT: u32 = 112;

    /// The packet's value.
    pub(super) fn of(self, tuple: &Tuple) -> u128 {
        match self {
            Field::Src => tuple.src.0,
            Field::Dst => tuple.dst.0,
            Field::SrcPort => u128::from(tuple.src_port) << Field::PORT_SHIFT,
            Field::DstPort => u128::from(tuple.dst_port) << Field::PORT_SHIFT,
        }
    }

    /// The values that a rule takes, in order and apart; `None` when it takes all.
    pub(super) fn ranges(self, matcher: &Matcher) -> Option<Vec<(u128, u128)>> {
        let addresses = |addresses: &Addresses| match addresses {
            Addresses::Any => None,
            Addresses::In(ranges) => Some(ranges.iter().map(|r| (r.first.0, r.last.0)).collect()),
        };
        let ports = |ports: &[PortRange]| {
            let shifted = |r: &PortRange| {
                let up = |port: u16| u128::from(port) << Field::PORT_SHIFT;
                (up(r.first), up(r.last) | ((1 << Field::PORT_SHIFT) - 1))
            };
            (!ports.is_empty()).then(|| ports.iter().map(shifted).collect())
        };
        match self {
            Field::Src => addresses(&matcher.src),
            Field::Dst => addresses(&matcher.dst),
            Field::SrcPort => ports(&matcher.src_ports),
            Field::DstPort => ports(&matcher.dst_ports),
        }
    }

    /// Whether a range holds one value only.
    pub(super) const fn is_exact(self, (first, last): (u128, u128)) -> bool {
        match self {
            Field::Src | Field::Dst => first == last,
            Field::SrcPort | Field::DstPort => first >> Field::PORT_SHIFT == last >> Field::PORT_SHIFT,
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::Src => "source address",
            Field::Dst => "destination address",
            Field::SrcPort => "source port",
            Field::DstPort => "destination port",
        })
    }
}
