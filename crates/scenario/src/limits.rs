//! The bounds of a valid scenario. They keep every run within what one browser tab can hold, and every sum
//! within 64 bits; all are our choice.

use crate::quantity::{Bytes, Rate, Time};
use std::ops::RangeInclusive;

/// Parallel planes.
pub const PLANES: RangeInclusive<u32> = 1..=8;
/// T0 switches per plane, T1 switches per plane, NICs per T0.
pub const RADIX: RangeInclusive<u32> = 1..=2048;
/// NICs in all; twice the 131,072 of the MRC paper's largest fabric.
pub const NICS: RangeInclusive<u64> = 2..=262_144;
/// Directed links in all.
pub const MAX_DIRECTED_LINKS: u64 = 20_000_000;
/// Rate of a link: 1 Mb/s to 3.2 Tb/s.
pub const RATE: RangeInclusive<Rate> = Rate(1_000_000)..=Rate(3_200_000_000_000);
/// One-way delay of a link; never 0, so that an effect is always later than its cause.
pub const LINK_DELAY: RangeInclusive<Time> = Time::ns(1)..=Time::ms(10);
/// Time in a switch.
pub const SWITCH_LATENCY: RangeInclusive<Time> = Time(0)..=Time::ms(10);
/// Largest queue threshold in BDPs; the smallest is above 0.
pub const MAX_QUEUE_BDP: f64 = 1000.0;
/// Payload of a full packet.
pub const PMTU: RangeInclusive<Bytes> = Bytes(256)..=Bytes(9216);
/// Entropy values per QP.
pub const EVS: RangeInclusive<u32> = 1..=512;
/// Bytes between two SACKs.
pub const SACK_EVERY: RangeInclusive<Bytes> = Bytes(1)..=Bytes(16 << 20);
/// Retransmission timeout; at most the companion API's longest, 1.024 µs × 2^24 (OCP companion repository).
pub const RTO: RangeInclusive<Time> = Time::us(1)..=Time(1_024_000 << 24);
/// Probe interval; shorter ones would fill a run with timers.
pub const PROBE_INTERVAL: RangeInclusive<Time> = Time::us(1)..=MAX_TIME;
/// Reorder window; 0 turns it off.
pub const REORDER_WINDOW: RangeInclusive<Time> = Time(0)..=MAX_TIME;
/// Successful probes in a row that revive an EV.
pub const PROBES_TO_REVIVE: RangeInclusive<u32> = 1..=16;
/// Largest window in BDPs; the smallest is above 0.
pub const MAX_WINDOW_BDP: f64 = 100.0;
/// Flows in all.
pub const FLOWS: RangeInclusive<u64> = 1..=1_000_000;
/// Message size of a flow.
pub const FLOW_BYTES: RangeInclusive<Bytes> = Bytes(1)..=Bytes(1 << 40);
/// Faults in all.
pub const MAX_FAULTS: usize = 10_000;
/// Latest time anywhere in a scenario.
pub const MAX_TIME: Time = Time::s(100);
/// Characters of `name`.
pub const MAX_NAME_CHARS: usize = 200;
/// Characters of `about`.
pub const MAX_ABOUT_CHARS: usize = 4_000;
/// Bytes of a scenario or an imported file as text.
pub const MAX_TEXT_BYTES: usize = 64 << 20;
/// Problems that are listed one by one.
pub const MAX_PROBLEMS: usize = 100;
