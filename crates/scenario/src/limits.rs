//! The bounds of a valid scenario. They keep every run within what one browser tab can hold, and every sum
//! within 64 bits; all are our choice.

use crate::quantity::{Bytes, Rate, Time};
use std::ops::RangeInclusive;

/// Parallel planes.
pub const PLANES: RangeInclusive<u32> = 1..=8;
/// T0 switches per plane, T1 switches per plane, NICs per T0.
pub const RADIX: RangeInclusive<u32> = 1..=2048;
/// T2 switches per plane; 0 means two tiers. A T2's index is counted from 1 in its uSID, since 0 ends the address.
pub const T2_PER_PLANE: RangeInclusive<u32> = 0..=2047;
/// Pods of a plane.
pub const PODS: RangeInclusive<u32> = 1..=2048;
/// NICs of a node.
pub const RAILS: RangeInclusive<u32> = 1..=16;
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
/// Largest share of the control class; the smallest is above 0. UEC v1.0.3: at most 50 %.
pub const MAX_CONTROL_WEIGHT: f64 = 0.5;
/// Times of a routing protocol.
pub const CONVERGENCE_TIME: RangeInclusive<Time> = Time(0)..=MAX_TIME;
/// PFC's largest threshold and headroom.
pub const MAX_PFC: Bytes = Bytes(1 << 30);
/// QPs of a flow.
pub const QPS: RangeInclusive<u32> = 1..=64;
/// Payload of a full packet.
pub const PMTU: RangeInclusive<Bytes> = Bytes(256)..=Bytes(9216);
/// Entropy values per QP.
pub const EVS: RangeInclusive<u32> = 1..=512;
/// Entropy values per QP, in use and in reserve.
pub const MAX_ALL_EVS: u32 = 1024;
/// Maximum PSN range; a power of two. API: a multiple of 128 that fits 8 bits in units of 128.
pub const MPR: RangeInclusive<u32> = 128..=16_384;
/// WRITEs with immediate in flight per QP.
pub const MAX_WIMM: RangeInclusive<u32> = 1..=1024;
/// Bytes between two SACKs.
pub const SACK_EVERY: RangeInclusive<Bytes> = Bytes(1)..=Bytes(16 << 20);
/// Retransmission timeout; at most the companion API's longest, 1.024 µs × 2^24 (OCP companion repository).
pub const RTO: RangeInclusive<Time> = Time::us(1)..=Time(1_024_000 << 24);
/// Timeouts with the same wait (OCP companion API).
pub const LINEAR_RETRIES: RangeInclusive<u32> = 0..=7;
/// Timeouts with a doubled wait (OCP companion API); the last value means for ever.
pub const EXPONENTIAL_RETRIES: RangeInclusive<u32> = 0..=25;
/// Time without news after which a requester asks for a SACK; besides 0, which turns it off.
pub const RELIABILITY_PROBE: RangeInclusive<Time> = Time::us(1)..=MAX_TIME;
/// Times of a port failure: until it is noticed, and until it is dealt with.
pub const PORT_TIME: RangeInclusive<Time> = Time(0)..=MAX_TIME;
/// Latency in NIC and host.
pub const HOST_LATENCY: RangeInclusive<Time> = Time(0)..=Time::ms(10);
/// NSCC's times, but for the threshold of quick adapt.
pub const NSCC_TIME: RangeInclusive<Time> = Time::ns(1)..=Time::s(1);
/// Delay at which quick adapt sets in.
pub const NSCC_QA_THRESHOLD: RangeInclusive<Time> = Time::ns(1)..=MAX_TIME;
/// Delay at which the network counts as idle.
pub const NSCC_IDLE_DELAY: RangeInclusive<Time> = Time(0)..=Time::s(1);
/// NSCC's largest window.
pub const NSCC_MAX_CWND: RangeInclusive<Bytes> = Bytes(256)..=Bytes(1 << 40);
/// Bytes after which NSCC adjusts its window.
pub const NSCC_ADJUST_BYTES: RangeInclusive<Bytes> = Bytes(1)..=Bytes(1 << 40);
/// NSCC's shift of the window for quick adapt.
pub const NSCC_QA_GATE: RangeInclusive<u32> = 0..=16;
/// Largest of NSCC's increase parameters; the smallest is 0.
pub const MAX_NSCC_INCREASE: f64 = 1e12;
/// RoCE's window of bytes.
pub const ROCE_WINDOW: RangeInclusive<Bytes> = Bytes(256)..=Bytes(1 << 40);
/// PSNs by which packets of RoCE may overtake each other.
pub const ROCE_REORDER: RangeInclusive<u32> = 1..=1024;
/// Packets that a receiver of RoCE keeps track of; far from the half of all PSNs that there can be in flight.
pub const ROCE_TRACKED: RangeInclusive<u32> = 1..=65_536;
/// Packets that RoCE acknowledges at once.
pub const ROCE_ACK_EVERY: RangeInclusive<u32> = 1..=1024;
/// Exponent of RoCE's timeout: 5 bits (IBTA).
pub const ROCE_TIMEOUT: RangeInclusive<u32> = 0..=31;
/// RoCE's retries: 3 bits (IBTA).
pub const ROCE_RETRY_COUNT: RangeInclusive<u32> = 0..=7;
/// DCQCN's timers; shorter ones would fill a run with timers.
pub const DCQCN_TIMER: RangeInclusive<Time> = Time::us(1)..=Time::s(1);
/// Least times between two events of DCQCN.
pub const DCQCN_INTERVAL: RangeInclusive<Time> = Time(0)..=Time::s(1);
/// What alpha is divided by for a cut: at least 1 (NVIDIA's `rpg_gd`, 10 or 11, stands for 1 or 2).
pub const DCQCN_DIVISOR: RangeInclusive<f64> = 1.0..=32.0;
/// DCQCN's byte counter; besides 0, which turns it off.
pub const DCQCN_BYTE_COUNTER: RangeInclusive<Bytes> = Bytes(1 << 10)..=Bytes(1 << 40);
/// DCQCN's steps of fast recovery: 5 bits (NVIDIA's `rpg_threshold`).
pub const DCQCN_STEPS: RangeInclusive<u32> = 1..=31;
/// Time between two rounds of Clustermapper's probes; shorter ones would fill a run with probes.
pub const MAPPER_INTERVAL: RangeInclusive<Time> = Time::us(10)..=MAX_TIME;
/// T1 probes of an agent in an interval: at most one for each T1 of the largest fabric.
pub const MAPPER_T1_PROBES: RangeInclusive<u32> = 0..=16_384;
/// Probes that a link is judged by.
pub const MAPPER_WINDOW: RangeInclusive<u32> = 2..=64;
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
/// Messages of a flow. MSNs have 24 bits in an ACK (AETH).
pub const MESSAGES: RangeInclusive<u64> = 1..=1 << 24;
/// Steps of a job.
pub const STEPS: RangeInclusive<u32> = 1..=1_000_000;
/// Faults in all.
pub const MAX_FAULTS: usize = 10_000;
/// Events that the faults make in all.
pub const MAX_FAULT_EVENTS: usize = 1_000_000;
/// Lengths of a flap.
pub const FLAP_TIME: RangeInclusive<Time> = Time::us(1)..=MAX_TIME;
/// How long something is broken.
pub const FAULT_DURATION: RangeInclusive<Time> = Time(1)..=MAX_TIME;
/// Receiver penalty: 7 bits in a SACK.
pub const PENALTY: RangeInclusive<u32> = 0..=127;
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
