//! What a run counts.

use crate::attack::AttackResult;
use crate::histogram::Histogram;
use crate::loss::LOSSES;
use crate::netvsc::Step;
use crate::tcp::Failure;
use kernel::Time;
use std::collections::BTreeMap;

/// Everything that is counted from the beginning of the run on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets that somebody handed over: guests, peers, the SmartNIC's own answers.
    pub created: u64,
    /// Packets that arrived at a guest or a peer, by [`Route`](crate::Route).
    pub delivered: [u64; 3],
    /// SYNs that the SmartNIC answered itself instead of passing them on.
    pub challenged: u64,
    /// Packets lost, by [`Loss`](crate::Loss).
    pub lost: [u64; LOSSES],
    /// Payload bytes that arrived, from the VMs and to them, by route.
    pub payload: [[u64; 3]; 2],
    /// Exceptions because no entry was at hand, an older policy, an entry not activated yet.
    pub exceptions: [u64; 3],
    /// Copies of SYN, FIN and RST that VFP got.
    pub copies: u64,
    /// Copies that found the queue full.
    pub copies_lost: u64,
    /// Entries put into the NIC.
    pub installed: u64,
    /// Entries that the NIC did not take: table or command queue full.
    pub refused: u64,
    /// Entries taken out.
    pub removed: u64,
    /// Flows that VFP created: two for each connection.
    pub flows_created: u64,
    /// Pairs of flows reconciled with a changed policy.
    pub reconciled: u64,
    /// SYNs of floods.
    pub flood_syns: u64,
    /// SYNs that a guest's listener ignored as its backlog was full.
    pub backlog_overflows: u64,
    /// TCP connections begun, open, closed in order, failed by [`Failure`].
    pub connections: [u64; 6],
    /// TCP connections that were not begun, as [`MOST_CONNECTIONS`](crate::MOST_CONNECTIONS) were open or opening.
    pub not_begun: u64,
    /// Segments that were sent again.
    pub retransmissions: u64,
    /// Work of all cores, in ps.
    pub busy: u64,
    /// Work of the cores that serve exceptions, in ps.
    pub exception_busy: u64,
}

impl Counters {
    /// Connections begun.
    pub const BEGUN: usize = 0;
    /// Connections that were opened.
    pub const OPENED: usize = 1;
    /// Connections closed in order.
    pub const CLOSED: usize = 2;

    /// Where a failure is counted in `connections`.
    pub const fn failed(why: Failure) -> usize {
        match why {
            Failure::Reset => 3,
            Failure::NoAnswer => 4,
            Failure::TimedOut => 5,
        }
    }

    /// Packets lost, for whatever reason.
    pub fn all_lost(&self) -> u64 {
        self.lost.iter().sum()
    }

    /// Packets that arrived, over whatever route.
    pub fn all_delivered(&self) -> u64 {
        self.delivered.iter().sum()
    }
}

/// How things stood at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gauges {
    /// Flows in VFP's tables.
    pub flows: u32,
    /// Half-open flows among them, one direction counted.
    pub half_open: u32,
    /// Entries in the NIC.
    pub entries: u32,
    /// Of these: in the cache on the chip.
    pub l1: u32,
    /// Of these: in the card's DRAM.
    pub l2: u32,
    /// Packets that wait for the cores that serve exceptions.
    pub exception_queue: u32,
    /// Packets that wait for all cores.
    pub queues: u32,
    /// TCP connections between guests and peers.
    pub connections: u32,
    /// VMs whose data path is the VF.
    pub on_vf: u32,
    /// SNAT ports in use.
    pub snat_ports: u32,
}

/// One point of the time series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// When.
    pub at: Time,
    /// What had been counted by then.
    pub counters: Counters,
    /// How things stood.
    pub gauges: Gauges,
    /// Hits of the NIC's caches by level, and lookups that found no level.
    pub lookups: [u64; 4],
}

/// Packets that arrived, and how long they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delay {
    /// How many.
    pub packets: u64,
    /// Sum of their one-way times, in ps.
    pub sum: u64,
}

impl Delay {
    pub(crate) fn of(times: &Histogram) -> Delay {
        Delay {
            packets: times.count(),
            sum: u64::try_from(times.sum()).unwrap_or(u64::MAX),
        }
    }

    /// The mean one-way time of the packets that are here and not in `before`; none where there are none.
    pub fn mean_since(&self, before: &Delay) -> Option<Time> {
        let packets = self.packets.checked_sub(before.packets).filter(|&n| n > 0)?;
        Some(Time(self.sum.saturating_sub(before.sum) / packets))
    }
}

/// Something that happened to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// When.
    pub at: Time,
    /// To which VM; none: to all.
    pub vm: Option<u32>,
    /// What.
    pub what: MarkKind,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A step of taking a VF away or giving it back.
    Vf(Step),
    /// A policy was replaced; the port's generation since.
    Policy(u32),
    /// The FPGA began to be loaded, or the NIC driver to be replaced: its tables are empty.
    TablesCleared,
    /// The wire is dead, or works again.
    Wire(bool),
    /// The VM stands still, or goes on.
    Paused(bool),
    /// An RDMA QP was opened or closed.
    Qp(bool),
}

/// How one connection of a traffic of connections went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionResult {
    /// When it began.
    pub begun: Time,
    /// When it was open for its client; none if it never was.
    pub opened: Option<Time>,
    /// When it was over.
    pub over: Time,
    /// Why it failed, if it did.
    pub failure: Option<Failure>,
}

/// Results that are kept one by one; our choice.
pub const MAX_RESULTS: usize = 10_000;
/// Entries of the traffic whose delays are in the time series; our choice, so that a long list does not fill the memory.
pub const MAX_DELAYS: usize = 16;
/// Marks that are kept; our choice.
pub const MAX_MARKS: usize = 10_000;

/// What came of one entry of the scenario's traffic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrafficResult {
    /// One-way times of its packets with payload, both ways.
    pub one_way: Histogram,
    /// The same by [`Route`](crate::Route).
    pub by_route: [Histogram; 3],
    /// From question to answer (pings), or from the first SYN to the connection being open for its client.
    pub round_trip: Histogram,
    /// Payload bytes that arrived in order.
    pub delivered: u64,
    /// Packets sent.
    pub packets: u64,
    /// Packets of it lost.
    pub lost: u64,
    /// Packets of it that arrived over the VF, matched in hardware.
    pub in_hardware: u64,
    /// Packets of it that arrived.
    pub arrived: u64,
    /// Begun, opened, closed in order, failed by reason, as in [`Counters`].
    pub connections: [u64; 6],
    /// The first of its connections that are over.
    pub results: Vec<ConnectionResult>,
    /// When its last payload arrived.
    pub last: Time,
    /// When its first payload arrived.
    pub first: Option<Time>,
}

impl TrafficResult {
    /// Mean goodput from the first payload that arrived to the last, in bit/s; none of fewer than two arrivals.
    pub fn goodput(&self) -> Option<f64> {
        let span = self.last.saturating_sub(self.first?).0;
        (span > 0).then(|| self.delivered as f64 * 8.0 * 1e12 / span as f64)
    }
}

/// All that was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// Totals.
    pub counters: Counters,
    /// The time series.
    pub points: Vec<Point>,
    /// At each point what had arrived by then and how long it took, by [`Route`](crate::Route): of all packets, then of the packets
    /// with payload of each entry of the traffic, the first [`MAX_DELAYS`].
    pub delays: Vec<Vec<[Delay; 3]>>,
    /// What happened to the host.
    pub marks: Vec<Mark>,
    /// One-way times of all packets that arrived, by [`Route`](crate::Route).
    pub one_way: [Histogram; 3],
    /// Time that exceptions waited for a core.
    pub exception_wait: Histogram,
    /// By entry of the scenario's traffic.
    pub traffic: Vec<TrafficResult>,
    /// What came of attacks, by index of their entry.
    pub attacks: BTreeMap<u32, AttackResult>,
}

impl Metrics {
    /// A point of the time series; of one time the last one stays.
    pub(crate) fn sample(&mut self, point: Point) {
        let delays = |times: &[Histogram; 3]| [0, 1, 2].map(|route| Delay::of(&times[route]));
        let traffic = self.traffic.iter().take(MAX_DELAYS);
        let all = std::iter::once(delays(&self.one_way))
            .chain(traffic.map(|result| delays(&result.by_route)))
            .collect();
        if self.points.last().is_some_and(|last| last.at == point.at) {
            self.points.pop();
            self.delays.pop();
        }
        self.points.push(point);
        self.delays.push(all);
    }

    pub(crate) fn mark(&mut self, at: Time, vm: Option<u32>, what: MarkKind) {
        if self.marks.len() < MAX_MARKS {
            self.marks.push(Mark { at, vm, what });
        }
    }
}
