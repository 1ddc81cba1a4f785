//! The fabric's settings as plain numbers, ready for the loop.

use crate::clos::{Clos, LinkKind};
use crate::pfc::Pfc;
use crate::routing::Routing;
use kernel::Time;

/// All packets, as [`LinkClass::ecn_pmax`] counts them.
pub const WHOLE: u32 = 1 << 16;

/// Settings shared by all directed links of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkClass {
    /// Rate in bits per second.
    pub rate_bps: u64,
    /// From the end of serialisation to the far end's decision: propagation, and the switch's latency where the far
    /// end is a switch.
    pub delay: Time,
    /// Data queue length in bytes from which ECN marking starts; `u32::MAX` turns it off.
    pub ecn_min: u32,
    /// Length above which every packet is marked.
    pub ecn_max: u32,
    /// The share of packets, as a part of 65,536, that are marked at a length of just `ecn_max`: from `ecn_min` on it rises
    /// to this in proportion to the length (DCQCN's P_max, SIGCOMM'15, where it is 1 %; [`WHOLE`] goes up to all of them).
    pub ecn_pmax: u32,
    /// A data packet that would make the data queue longer than this is trimmed, or dropped without trimming.
    pub data_limit: u32,
    /// A control packet that would make the control queue longer than this is dropped.
    pub control_limit: u32,
    /// The share of the line, as a part of 65,536 and below it, that the control class gets while packets of both classes wait; 0
    /// gives it strict priority.
    pub control_weight: u32,
    // Serialisation time of one byte in ps × 2^16, rounded to nearest.
    ps_per_byte_q16: u64,
}

impl LinkClass {
    /// A class with the given rate (1 Mb/s to 3.2 Tb/s) and delay, and queues without limits or marks.
    pub fn new(rate_bps: u64, delay: Time) -> LinkClass {
        let ps_per_byte_q16 =
            ((8_000_000_000_000u128 << 16) + u128::from(rate_bps) / 2) / u128::from(rate_bps);
        LinkClass {
            rate_bps,
            delay,
            ecn_min: u32::MAX,
            ecn_max: u32::MAX,
            ecn_pmax: WHOLE,
            data_limit: u32::MAX,
            control_limit: u32::MAX,
            control_weight: 0,
            ps_per_byte_q16: ps_per_byte_q16 as u64,
        }
    }

    /// Serialisation time of `bytes`; exact where one byte takes a whole number of 2^-16 ps.
    #[inline]
    pub const fn serialise(&self, bytes: u16) -> Time {
        Time((bytes as u64 * self.ps_per_byte_q16 + 0x8000) >> 16)
    }

    /// The most bytes that can be sent in `time` by packets of 64 B or more, each of which takes a whole number of ps.
    pub(crate) const fn most_in(&self, time: Time) -> u64 {
        // Where a byte takes no whole number of ps, a packet may end half a picosecond early: 2^-7 ps for each of its bytes.
        let is_exact = self.ps_per_byte_q16 & 0xffff == 0;
        let per_byte = self.ps_per_byte_q16 - if is_exact { 0 } else { 1 << 9 };
        ((time.0 as u128) << 16).div_ceil(per_byte as u128) as u64
    }
}

/// Everything that decides how the fabric behaves.
#[derive(Clone, Debug)]
pub struct Config {
    /// Dimensions.
    pub clos: Clos,
    /// By [`LinkKind`].
    pub classes: [LinkClass; LinkKind::COUNT],
    /// How switches choose among equal ways.
    pub routing: Routing,
    /// A T1 that has no way to a packet's T0 sends it by another T0 of its pod, which sends it up again. That is what breaks the
    /// order of up before down, and makes a deadlock of paused links possible (Tagger, CoNEXT 2017).
    pub local_reroute: bool,
    /// Packet trimming; off means tail drop.
    pub trimming: bool,
    /// When a data packet meets a full queue, a coin decides whether it or the packet at the tail is trimmed (htsim's
    /// rule); otherwise the arriving one.
    pub trim_coin: bool,
    /// Wire bytes of a trimmed packet.
    pub trimmed_size: u16,
    /// Lossless data by priority flow control; none: data queues trim or drop.
    pub pfc: Option<Pfc>,
    /// Seed of marking, losses and coins.
    pub seed: u64,
}

impl Config {
    /// The class of links of `kind`.
    #[inline]
    pub const fn class(&self, kind: LinkKind) -> &LinkClass {
        &self.classes[kind as usize]
    }
}

/// Settings for this crate's tests: 100 Gb/s links, where a byte takes 80 ps, and wires of 500 ns.
#[cfg(test)]
pub(crate) fn for_tests(clos: Clos) -> Config {
    Config {
        clos,
        classes: [LinkClass::new(100_000_000_000, Time(500_000)); LinkKind::COUNT],
        routing: Routing::Source,
        local_reroute: false,
        trimming: true,
        trim_coin: false,
        trimmed_size: 64,
        pfc: None,
        seed: 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serialisation_times_are_exact() {
        // One byte is 10 ps at 800 Gb/s, 80 ps at 100 Gb/s (design), 2.5 ps at 3.2 Tb/s.
        assert_eq!(
            LinkClass::new(800_000_000_000, Time(1)).serialise(4262),
            Time(42_620)
        );
        assert_eq!(
            LinkClass::new(100_000_000_000, Time(1)).serialise(4262),
            Time(340_960)
        );
        assert_eq!(LinkClass::new(3_200_000_000_000, Time(1)).serialise(3), Time(8));
        assert_eq!(
            LinkClass::new(400_000_000_000, Time(1)).serialise(4150),
            Time(83_000)
        );
    }
}
