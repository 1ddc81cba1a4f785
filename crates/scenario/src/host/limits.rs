//! The bounds of a valid host scenario; all are our choice, so that a run fits into a browser tab.

use crate::quantity::{Bytes, Rate, Time};
use std::ops::RangeInclusive;

/// VMs of a host.
pub const VMS: RangeInclusive<usize> = 1..=64;
/// Entries of the traffic list.
pub const MAX_TRAFFIC: usize = 1_000;
/// Entries of the list of events.
pub const MAX_EVENTS: usize = 1_000;
/// Rate of the link and of a vNIC.
pub const RATE: RangeInclusive<Rate> = Rate(1_000_000)..=Rate(3_200_000_000_000);
/// Bytes that wait for the link.
pub const LINK_BUFFER: RangeInclusive<Bytes> = Bytes(16 << 10)..=Bytes(1 << 30);
/// Entries of L1.
pub const L1_ENTRIES: RangeInclusive<u32> = 1..=65_536;
/// Entries of L2.
pub const L2_ENTRIES: RangeInclusive<u32> = 1..=1 << 22;
/// Parts of L1.
pub const L1_PARTITIONS: RangeInclusive<u32> = 1..=64;
/// Ways of either.
pub const WAYS: RangeInclusive<u32> = 1..=16;
/// A memory access.
pub const ACCESS: RangeInclusive<Time> = Time(0)..=Time::us(100);
/// Memory accesses per second.
pub const ACCESSES: RangeInclusive<u64> = 1_000..=1_000_000_000_000;
/// Installing an entry.
pub const INSTALL: RangeInclusive<Time> = Time(0)..=Time::s(1);
/// vSwitch cores.
pub const CORES: RangeInclusive<u32> = 1..=64;
/// Packets that wait for a core.
pub const QUEUE: RangeInclusive<u32> = 1..=65_536;
/// What an operation costs a core.
pub const COST: RangeInclusive<Time> = Time(0)..=Time::ms(10);
/// Mean of a path's latency.
pub const LATENCY: RangeInclusive<Time> = Time::us(1)..=Time::ms(10);
/// Largest 99th percentile as a multiple of the mean. From 1 + 3.6 on the fixed part would be negative.
pub const MAX_P99: u64 = 3;
/// Largest 99.9th percentile as a multiple of the 99th.
pub const MAX_P999: u64 = 10;
/// TCP's segment size.
pub const MSS: RangeInclusive<u32> = 536..=8_960;
/// TCP's receive window.
pub const WINDOW: RangeInclusive<Bytes> = Bytes(4 << 10)..=Bytes(1 << 30);
/// TCP's initial window.
pub const INITIAL_WINDOW: RangeInclusive<u32> = 1..=100;
/// TCP's least retransmission timeout.
pub const MIN_RTO: RangeInclusive<Time> = Time::ms(1)..=Time::s(10);
/// TCP's delayed acknowledgment.
pub const DELAYED_ACK: RangeInclusive<Time> = Time(0)..=Time::ms(500);
/// SYNs sent again.
pub const SYN_RETRIES: RangeInclusive<u32> = 0..=16;
/// Other segments sent again.
pub const RETRIES: RangeInclusive<u32> = 1..=30;
/// A listener's half-open connections.
pub const BACKLOG: RangeInclusive<u32> = 1..=1_000_000;
/// How long they are kept.
pub const BACKLOG_TIMEOUT: RangeInclusive<Time> = Time::ms(1)..=MAX_TIME;
/// VFP's timers.
pub const TTL: RangeInclusive<Time> = Time::ms(1)..=Time::s(100_000);
/// Flow limits.
pub const FLOW_LIMIT: RangeInclusive<u32> = 1..=4_000_000;
/// A policer's burst.
pub const BURST: RangeInclusive<u32> = 1..=1_000_000;
/// Rules that match nothing.
pub const FILLER: RangeInclusive<u32> = 0..=10_000;
/// NSG rules (documented: 1,000 of an NSG, with 4,000 prefixes and ports; a rule here has one of each, so there may be more).
pub const MAX_NSG_RULES: usize = 10_000;
/// Their priorities (documented: up to 4,096; there are more, so our choice, below those of Azure's default rules).
pub const NSG_PRIORITY: RangeInclusive<u16> = 100..=64_999;
/// SNAT ports (documented: 64,000 for an address, in blocks of 8).
pub const SNAT_PORTS: RangeInclusive<u16> = 8..=64_000;
/// Pings.
pub const PINGS: RangeInclusive<u32> = 1..=10_000_000;
/// Connections of a bulk transfer.
pub const STREAMS: RangeInclusive<u32> = 1..=1_000;
/// Bytes of a bulk transfer or a message of RDMA.
pub const TRANSFER: RangeInclusive<Bytes> = Bytes(1)..=Bytes(1 << 40);
/// Connections or SYNs per second.
pub const MAX_CONNECTION_RATE: f64 = 1e7;
/// UDP packets per second.
pub const MAX_PACKET_RATE: f64 = 1e8;
/// Bytes of a request or a response.
pub const MAX_MESSAGE: u32 = 1 << 30;
/// Peers of a traffic of connections.
pub const PEERS: RangeInclusive<u32> = 1..=65_536;
/// Sources of a flood.
pub const SOURCES: RangeInclusive<u32> = 1..=1 << 24;
/// UDP flows at a time.
pub const FLOWS: RangeInclusive<u32> = 1..=2_000_000;
/// IP bytes of a UDP packet.
pub const PACKET: RangeInclusive<u32> = 28..=9_000;
/// Largest exponent of Zipf's law.
pub const MAX_SKEW: f64 = 3.0;
/// What an attack tries per second.
pub const MAX_ATTACK_RATE: f64 = 1e7;
/// Recorded flows.
pub const MAX_REPLAY: usize = 100_000;
/// Packets of a recorded flow.
pub const REPLAY_PACKETS: RangeInclusive<u32> = 1..=1_000_000;
/// How long something is away.
pub const AWAY: RangeInclusive<Time> = Time::ms(1)..=MAX_TIME;
/// A step of servicing.
pub const STEP: RangeInclusive<Time> = Time(0)..=Time::s(100);
/// Removals of a storm.
pub const STORM: RangeInclusive<u32> = 1..=10_000;
/// Points of a time series at most: `until` over `sample`.
pub const MAX_SAMPLES: u64 = 10_000;
/// Latest time anywhere.
pub const MAX_TIME: Time = Time::s(1_000);
