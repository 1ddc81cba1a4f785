//! The run itself: what it consists of, and how far it goes.

use crate::build::{self, BuildError, Derived};
use crate::clustermapper::Clustermapper;
use crate::convergence::Cables;
use crate::endpoint::Responder;
use crate::jobs::Progress;
use crate::observer::{Nobody, Observer};
use crate::pfc::Deadlock;
use crate::ports::Ports;
use crate::side::{Conn, Shared, Side};
use fabric::{Clos, Cut, DropReason, Network, Packet};
use kernel::Time;
use scenario::{FaultEvent, Flow, Scenario};
use std::collections::BTreeSet;

/// One run of a scenario, at some point of its time.
#[derive(Clone, Debug)]
pub struct Sim<O: Observer = Nobody> {
    pub(crate) scenario: Scenario,
    pub(crate) flows: Vec<Flow>,
    pub(crate) derived: Derived,
    pub(crate) shared: Shared,
    pub(crate) network: Network,
    // The endpoints of each part of the network.
    pub(crate) sides: Vec<Side>,
    // The scenario's faults spelled out; those that were injected by hand come last.
    pub(crate) fault_events: Vec<FaultEvent>,
    // What is to come from outside the packets' world: when, and what.
    pub(crate) faults: BTreeSet<(Time, Change)>,
    pub(crate) jobs: Vec<Progress>,
    pub(crate) ports: Ports,
    pub(crate) cables: Cables,
    pub(crate) deadlock: Option<Deadlock>,
    pub(crate) mapper: Option<Clustermapper>,
    pub(crate) watcher: O,
    // Everything up to here has happened; at this very time perhaps only in part.
    pub(crate) now: Time,
    // Every line was served up to here.
    pub(crate) settled: Time,
    // See fabric::Common.
    pub(crate) look_ahead: Time,
    pub(crate) narrow_look_ahead: Time,
    pub(crate) finished: bool,
    pub(crate) faults_applied: u64,
    // Events per picosecond in the last window; before the first one, at full load.
    pub(crate) density: f64,
    // The window under way, if it was left before its end.
    pub(crate) open: Option<OpenWindow>,
}

/// A change that comes between two windows. Of one time, faults come first, in the scenario's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    /// Number in `fault_events`.
    Fault(u32),
    /// A NIC has noticed that its port in a plane is up or down, if it still is as it has been since `since`.
    Port { nic: u32, plane: u32, since: Time },
    /// A job is given up.
    Abort(u32),
    /// A round of Clustermapper is over.
    Round,
    /// The ends of a cable see that it failed, or is in order again, if it still is as it has been since `since`.
    Detect { link: u32, since: Time },
    /// Somebody looks whether paused links wait for each other.
    Look,
    /// All switches know of it.
    Converge { link: u32, up: bool },
}

/// A window that is not worked off yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenWindow {
    pub start: Time,
    pub cut: Cut,
    // The number of the switch or NIC with which to go on.
    pub next: u32,
    // Events so far, before it.
    pub events: u64,
}

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
    /// The time came for a NIC to hand out receiver credit.
    Credit {
        /// The NIC.
        nic: u32,
    },
    /// Clustermapper's agent at a NIC sent a probe, or gave one up.
    Agent {
        /// The NIC.
        nic: u32,
    },
    /// Clustermapper judged a round.
    Round,
    /// The fault with this index in the scenario took effect; none where something else changed from outside: a NIC
    /// noticed its port, switches learned of a link, a job was given up.
    Fault {
        /// Index in `scenario.faults`.
        index: Option<usize>,
    },
}

/// What a packet's arrival at the far end of a link led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It reached this NIC; the packet is out of the fabric.
    Nic(u32, Packet),
    /// A switch queued it for this link.
    Forwarded(u32),
    /// It was dropped.
    Dropped(DropReason),
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
        Sim::in_parts(scenario, watcher, 1)
    }

    /// Builds a run that uses `threads` processor cores, as far as the fabric can be cut into as many parts and `watcher`
    /// can be [forked](Observer::fork). What comes out is the same for any number.
    ///
    /// # Errors
    /// When the scenario is not valid; every wrong field is named.
    pub fn in_parts(scenario: &Scenario, watcher: O, threads: u32) -> Result<Sim<O>, BuildError> {
        let parts = build::parts(scenario)?;
        let flows = scenario.flows();
        for flow in &flows {
            let messages = u32::try_from(flow.messages).unwrap_or(u32::MAX);
            if rdma::Stream::new(flow.bytes, messages, flow.imm, parts.settings.mrc.pmtu).is_none() {
                return Err(BuildError::TooManyPackets {
                    id: flow.id,
                    bytes: flow.bytes,
                    messages: flow.messages,
                    pmtu: u64::from(parts.settings.mrc.pmtu),
                });
            }
        }
        let density = build::busiest(&parts.fabric, parts.derived.full_packet);
        let network = Network::new(parts.fabric, if watcher.fork().is_some() { threads } else { 1 });
        let jobs: Vec<Progress> = scenario
            .jobs()
            .into_iter()
            .map(|job| {
                let work = flows[job.first_flow as usize].work;
                Progress::new(job, work.map_or(1, |work| work.per_step))
            })
            .collect();
        let (shared, sides) =
            crate::side::assemble(scenario, &flows, &jobs, parts.settings, network.common());
        let mut sim = Sim {
            scenario: scenario.clone(),
            derived: parts.derived,
            look_ahead: network.common().look_ahead(),
            narrow_look_ahead: network.common().narrow_look_ahead(),
            network,
            shared,
            sides,
            flows,
            fault_events: scenario.fault_events(),
            faults: BTreeSet::new(),
            jobs,
            ports: Ports::default(),
            cables: Cables::default(),
            deadlock: None,
            mapper: Clustermapper::new(scenario),
            watcher,
            now: Time::ZERO,
            settled: Time::ZERO,
            finished: false,
            faults_applied: 0,
            density,
            open: None,
        };
        sim.schedule_faults();
        sim.schedule_round();
        sim.schedule_look(Time::ZERO);
        Ok(sim)
    }

    pub(crate) fn clos(&self) -> &Clos {
        &self.network.config().clos
    }

    /// The simulated time up to which everything has happened.
    pub fn now(&self) -> Time {
        self.now
    }

    /// True when every flow is complete or has failed, or the scenario's end has come.
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

    /// Message bytes placed so far, all flows.
    pub fn placed_bytes(&self) -> u64 {
        self.sides.iter().map(|side| side.placed_bytes).sum()
    }

    /// QPs whose messages are not all placed.
    pub fn unplaced_qps(&self) -> u64 {
        self.sides.iter().map(|side| side.unplaced as u64).sum()
    }

    /// Flows whose messages are all complete.
    pub fn finished_flows(&self) -> u64 {
        let others: usize = self.sides.iter().map(|side| side.unfinished + side.failed).sum();
        (self.flows.len() - others) as u64
    }

    /// Flows whose QP is in ERROR, or whose job was given up.
    pub fn failed_flows(&self) -> u64 {
        self.sides.iter().map(|side| side.failed as u64).sum()
    }

    /// Events processed so far: arrivals at the end of a link, timers, posted messages and faults.
    pub fn events(&self) -> u64 {
        let sides: u64 = self.sides.iter().map(|side| side.events).sum();
        self.network.arrivals() + sides + self.faults_applied
    }

    /// The connection's two ends.
    pub(crate) fn conn(&self, conn: u32) -> &Conn {
        &self.shared.conns[conn as usize]
    }

    pub(crate) fn sender(&self, conn: u32) -> &crate::side::Sender {
        let ends = self.conn(conn);
        let part = self.part_of_nic(ends.src);
        &self.sides[part].senders[ends.sender as usize]
    }

    pub(crate) fn receiver(&self, conn: u32) -> &Responder {
        let ends = self.conn(conn);
        let part = self.part_of_nic(ends.dst);
        &self.sides[part].receivers[ends.receiver as usize].responder
    }

    pub(crate) fn part_of_nic(&self, nic: u32) -> usize {
        self.network.common().part_of_rack(self.clos().t0_of(nic))
    }

    /// The number of the path that an EV of a connection names (see [`fabric::Way::usids`]): with two tiers that of its T1.
    pub(crate) fn t1_of(&self, conn: u32, ev: u16) -> u32 {
        self.shared.t1(conn, ev)
    }
}
