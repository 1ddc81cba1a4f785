//! The run itself: the event loop.

use crate::build::{self, BuildError, Derived};
use crate::nic::Nic;
use crate::observer::{Nobody, Observer};
use fabric::{Arrival, Clos, LinkKind, Network, Packet, PacketKind, WARM};
use kernel::{EventQueue, Time};
use mrc::{Requester, Responder};
use scenario::{Flow, Scenario};

/// One flow: a QP pair with its message.
#[derive(Clone, Debug)]
pub(crate) struct Conn {
    pub src: u32,
    pub dst: u32,
    pub requester: Requester,
    pub responder: Responder,
    // On its NIC's list of those that may send.
    pub ready: bool,
    pub started: bool,
    // The time of the timer event that counts; earlier ones that fire are ignored.
    pub timer: Time,
    pub finished_at: Option<Time>,
}

/// One run of a scenario, at some point of its time.
#[derive(Clone, Debug)]
pub struct Sim<O: Observer = Nobody> {
    pub(crate) scenario: Scenario,
    pub(crate) flows: Vec<Flow>,
    pub(crate) derived: Derived,
    pub(crate) clos: Clos,
    pub(crate) mrc: mrc::Config,
    pub(crate) queue: EventQueue,
    pub(crate) network: Network,
    pub(crate) nics: Vec<Nic>,
    pub(crate) conns: Vec<Conn>,
    pub(crate) watcher: O,
    pub(crate) plane_mask: u8,
    pub(crate) unfinished: usize,
    now: Time,
    finished: bool,
    events: u64,
    ties: u64,
    probes: Vec<Packet>,
    // Room for looking ahead.
    ahead: Vec<u32>,
    due: Vec<(u32, Option<u32>)>,
}

// Fabrics from this size on do not fit the caches, and reading ahead pays (measured: BENCHMARKS.md).
const WARM_FROM_LINKS: u32 = 2_048;

/// What one event did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepEvent {
    /// When.
    pub at: Time,
    /// What.
    pub kind: StepKind,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepKind {
    /// A packet came to the end of a directed link.
    Arrival {
        /// The link.
        link: u32,
        /// What became of it.
        outcome: Arrival,
    },
    /// A connection's timer.
    Timer {
        /// The connection.
        conn: u32,
    },
    /// A message was posted.
    Start {
        /// The connection.
        conn: u32,
    },
    /// The fault with this index in the scenario took effect.
    Fault {
        /// Index in `scenario.faults`.
        index: usize,
    },
}

impl Sim<Nobody> {
    /// Builds a run that nobody watches.
    ///
    /// # Errors
    /// When the scenario is not valid; every wrong field is named.
    pub fn new(scenario: &Scenario) -> Result<Sim<Nobody>, BuildError> {
        Sim::with_observer(scenario, Nobody)
    }
}

impl<O: Observer> Sim<O> {
    /// Builds a run that `watcher` watches.
    ///
    /// # Errors
    /// When the scenario is not valid; every wrong field is named.
    pub fn with_observer(scenario: &Scenario, watcher: O) -> Result<Sim<O>, BuildError> {
        let parts = build::parts(scenario)?;
        let clos = parts.fabric.clos;
        let flows = scenario.flows();
        let mut queue = EventQueue::new(scenario.seed, parts.shape);
        let mut conns = Vec::with_capacity(flows.len());
        for (index, flow) in flows.iter().enumerate() {
            if mrc::requester::packets_of(flow.bytes, parts.mrc.pmtu).is_none() {
                let pmtu = u64::from(parts.mrc.pmtu);
                return Err(BuildError::TooManyPackets {
                    id: flow.id,
                    bytes: flow.bytes,
                    pmtu,
                });
            }
            let conn = index as u32;
            let evs = build::evs(scenario, &clos, conn);
            let requester = Requester::new(&parts.mrc, conn, flow.bytes, evs);
            queue.push(Time(flow.start_ps), clos.links() + 2 * conn + 1);
            conns.push(Conn {
                src: flow.src,
                dst: flow.dst,
                responder: Responder::new(requester.packets()),
                requester,
                ready: false,
                started: false,
                timer: Time::MAX,
                finished_at: None,
            });
        }
        let mut sim = Sim {
            scenario: scenario.clone(),
            derived: parts.derived,
            plane_mask: (0xffu16 >> (8 - clos.planes)) as u8,
            nics: vec![Nic::default(); clos.nics() as usize],
            network: Network::new(parts.fabric),
            mrc: parts.mrc,
            unfinished: conns.len(),
            clos,
            queue,
            flows,
            conns,
            watcher,
            now: Time::ZERO,
            finished: false,
            events: 0,
            ties: 0,
            probes: Vec::new(),
            ahead: Vec::new(),
            due: Vec::new(),
        };
        sim.schedule_faults();
        Ok(sim)
    }

    /// The first event number of the faults.
    pub(crate) fn fault_base(&self) -> u32 {
        self.clos.links() + 2 * self.conns.len() as u32
    }

    /// The simulated time up to which everything has happened.
    pub fn now(&self) -> Time {
        self.now
    }

    /// True when every flow is complete or the scenario's end has come.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The scenario, including faults that were injected by hand.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Values that follow from the scenario.
    pub fn derived(&self) -> &Derived {
        &self.derived
    }

    /// The fabric. [`settle`](Self::settle) first to see it as of now.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Who watches.
    pub fn observer(&self) -> &O {
        &self.watcher
    }

    /// Who watches, to change what it keeps.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.watcher
    }

    /// Events processed so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Events that had the same time as the one before, so that the tie rule decided.
    pub fn ties(&self) -> u64 {
        self.ties
    }

    /// Processes every event up to and including `t`, or until the run ends. Afterwards [`now`](Self::now) is `t`, or
    /// the time of the end.
    pub fn run_until(&mut self, t: Time) {
        self.run_events(u64::MAX, t);
    }

    /// Processes at most `max` events, none later than `t`. Returns how many it processed.
    pub fn run_events(&mut self, max: u64, t: Time) -> u64 {
        let end = Time(self.scenario.until.0);
        let limit = t.min(end);
        let mut done = 0;
        let mut warmed = 0;
        while done < max && !self.finished {
            if warmed == 0 && self.clos.links() >= WARM_FROM_LINKS {
                warmed = self.warm();
            }
            warmed = warmed.saturating_sub(1);
            let Some((at, object)) = self.queue.pop_until(limit) else {
                self.now = self.now.max(limit);
                self.finished = limit == end;
                break;
            };
            self.process(at, object);
            done += 1;
        }
        done
    }

    /// Reads ahead what the next events need; returns for how many.
    fn warm(&mut self) -> usize {
        let links = self.clos.links();
        let upcoming = self.queue.upcoming();
        let count = upcoming.len().min(WARM);
        self.ahead.clear();
        self.ahead
            .extend(upcoming.take(count).filter(|&object| object < links));
        self.network.warm(&self.ahead, &mut self.due);
        let mut seen = 0;
        for &(conn, nic) in &self.due {
            let Some(nic) = nic else { continue };
            let conn = &self.conns[conn as usize];
            seen ^=
                conn.src ^ conn.responder.cack() ^ conn.requester.touch() ^ self.nics[nic as usize].touch();
        }
        core::hint::black_box(seen);
        count
    }

    /// Processes one event and describes it; none when the run is finished.
    pub fn step(&mut self) -> Option<StepEvent> {
        if self.finished {
            return None;
        }
        let end = Time(self.scenario.until.0);
        let Some((at, object)) = self.queue.pop_until(end) else {
            self.now = end;
            self.finished = true;
            return None;
        };
        Some(StepEvent {
            at,
            kind: self.process(at, object),
        })
    }

    /// Brings every port up to now, so that lists, lengths and positions can be read. Changes nothing that a run's
    /// outcome depends on.
    pub fn settle(&mut self) {
        for nic in 0..self.nics.len() as u32 {
            self.settle_nic(nic, self.now);
        }
        for link in 0..self.clos.links() {
            if self.network.port(link).kind != LinkKind::NicUp {
                self.network.settle(link, self.now);
            }
        }
    }

    #[inline]
    fn process(&mut self, at: Time, object: u32) -> StepKind {
        debug_assert!(at >= self.now);
        self.events += 1;
        self.ties += u64::from(at == self.now);
        self.now = at;
        let links = self.clos.links();
        if object < links {
            return StepKind::Arrival {
                link: object,
                outcome: self.arrival(object, at),
            };
        }
        let other = object - links;
        if object >= self.fault_base() {
            let index = (object - self.fault_base()) as usize;
            self.apply_fault(index, at);
            return StepKind::Fault { index };
        }
        let conn = other / 2;
        if other % 2 == 1 {
            self.conns[conn as usize].started = true;
            self.settle_nic(self.conns[conn as usize].src, at);
            self.wake(conn, at);
            StepKind::Start { conn }
        } else {
            self.timer(conn, at);
            StepKind::Timer { conn }
        }
    }

    #[inline]
    fn arrival(&mut self, link: u32, now: Time) -> Arrival {
        if self.network.port(link).kind == LinkKind::NicUp {
            // The NIC's number is the link's place in its plane.
            self.settle_nic(link % self.clos.links_per_plane(), now);
        }
        let outcome = self.network.arrive(&mut self.queue, &mut self.watcher, link, now);
        if let Arrival::Nic(nic, packet) = outcome {
            self.receive(nic, &packet, now);
        }
        outcome
    }

    /// A NIC received a packet.
    #[inline]
    fn receive(&mut self, nic: u32, packet: &Packet, now: Time) {
        self.settle_nic(nic, now);
        let index = packet.conn;
        let conn = &mut self.conns[index as usize];
        match packet.kind {
            PacketKind::Data => {
                let before = conn.responder.stats().placed_bytes;
                let reply = conn.responder.on_data(&self.mrc, packet);
                let placed = conn.responder.stats().placed_bytes - before;
                let (from, to) = (conn.dst, conn.src);
                if placed > 0 {
                    let plane = conn.requester.evs().plane(packet.ev);
                    self.watcher.placed(now, index, plane, placed as u32);
                }
                if let Some(reply) = reply {
                    self.send_control(from, to, reply, now);
                }
            }
            PacketKind::Probe => {
                let reply = conn.responder.on_probe(&self.mrc, packet);
                let (from, to) = (conn.dst, conn.src);
                self.send_control(from, to, reply, now);
            }
            PacketKind::Sack => {
                let rearm = conn.requester.may_be_due_earlier();
                conn.requester
                    .on_sack(&self.mrc, &mut self.watcher, now.0, packet);
                if conn.requester.is_finished() {
                    self.complete(index, now);
                } else {
                    self.answered(index, now, rearm);
                }
            }
            PacketKind::Nack => {
                conn.requester
                    .on_nack(&self.mrc, &mut self.watcher, now.0, packet);
                self.answered(index, now, false);
            }
            PacketKind::ProbeReply => {
                conn.requester
                    .on_probe_reply(&self.mrc, &mut self.watcher, now.0, packet);
                self.answered(index, now, true);
            }
        }
    }

    /// A requester learned something: it may send again, and its deadline may be nearer.
    #[inline]
    fn answered(&mut self, index: u32, now: Time, rearm: bool) {
        if rearm || self.conns[index as usize].requester.may_be_due_earlier() {
            self.rearm(index);
        }
        self.wake(index, now);
    }

    fn complete(&mut self, index: u32, now: Time) {
        let conn = &mut self.conns[index as usize];
        if conn.finished_at.is_some() {
            return;
        }
        conn.finished_at = Some(now);
        self.watcher.finished(now, index);
        self.unfinished -= 1;
        self.finished = self.unfinished == 0;
        // The NIC drops it from its list when it is asked next.
        self.wake(index, now);
    }

    fn timer(&mut self, index: u32, now: Time) {
        let conn = &mut self.conns[index as usize];
        if conn.timer != now {
            return;
        }
        conn.timer = Time::MAX;
        let src = conn.src;
        self.settle_nic(src, now);
        let conn = &mut self.conns[index as usize];
        let Some(due) = conn.requester.deadline(&self.mrc) else {
            return;
        };
        if due <= now.0 {
            let mut probes = core::mem::take(&mut self.probes);
            conn.requester
                .on_timer(&self.mrc, &mut self.watcher, now.0, &mut probes);
            let dst = conn.dst;
            for probe in probes.drain(..) {
                self.send_control(src, dst, probe, now);
            }
            self.probes = probes;
        }
        self.rearm(index);
        self.wake(index, now);
    }

    /// Makes sure that a connection with something under way has a timer.
    #[inline]
    pub(crate) fn arm(&mut self, index: u32) {
        let conn = &self.conns[index as usize];
        if conn.timer == Time::MAX || conn.requester.may_be_due_earlier() {
            self.rearm(index);
        }
    }

    /// Sets a connection's timer when none is set or the deadline is nearer. A timer that is too early only looks again.
    fn rearm(&mut self, index: u32) {
        let conn = &mut self.conns[index as usize];
        let Some(due) = conn.requester.deadline(&self.mrc) else {
            return;
        };
        let due = Time(due).max(self.now);
        if due < conn.timer {
            conn.timer = due;
            self.queue.push(due, self.clos.links() + 2 * index);
        }
    }

    /// A NIC's port changed under it: the NIC looks again, and goes on sending.
    pub(crate) fn after_port_fault(&mut self, link: u32, now: Time) {
        let end = self.clos.describe(link);
        if end.kind == LinkKind::NicUp {
            self.note_port(end.lower, end.plane, link);
            self.pull(end.lower, now);
        }
    }
}
