//! One run under observation.

use crate::depths::can_be_looked_at;
use crate::health::tier_faults;
use crate::load::Loads;
use crate::log::Log;
use crate::memory;
use crate::names::ends;
use crate::session::Clock;
use crate::snapshots::{self, Snapshots};
use fabric::DropReason;
use fabric::port::state;
use kernel::Time;
use scenario::{Protocol, Scenario};
use sim::inspect::QpView;
use sim::{BuildError, Recorder, Sim};
use std::collections::BTreeMap;
use view::inspect::QpRow;
use view::inspect::Tally;
use view::message::{Deadlock, Facts, FlowRow, PfcTotals, Report, RoceTotals};
use view::names::cable;
use view::place::LinkPace;

/// Events between two looks at the clock: well below a millisecond.
const SLICE: u64 = 2048;
/// By how much an advance may go over its budget to get to where the run can be looked at.
const PATIENCE_MS: f64 = 100.0;

/// A simulation, and what is needed to show it.
pub struct Run {
    /// Its number.
    pub number: u32,
    /// The simulation.
    pub sim: Sim<Recorder>,
    /// How busy links are.
    pub loads: Loads,
    /// Copies of the simulation along its way.
    pub snapshots: Snapshots,
    /// What happened. What was once furthest counts: going back takes nothing away.
    pub log: Log,
    /// Drops and trims that the page has been told of, by link.
    pub told: Told,
    /// True when a flow has several messages.
    pub has_messages: bool,
    /// Wall-clock time spent simulating, in ms.
    pub busy_ms: f64,
}

/// Drops and trims by link, as they were at the last look.
#[derive(Default)]
pub struct Told {
    /// All of them together.
    pub total: u64,
    /// Drops.
    pub drops: BTreeMap<(u32, DropReason), u64>,
    /// Trims.
    pub trims: BTreeMap<u32, u64>,
}

impl Told {
    /// All of a simulation so far.
    fn of(sim: &Sim<Recorder>) -> Told {
        let network = sim.network();
        let counters = network.counters();
        Told {
            total: counters.drops.iter().sum::<u64>() + counters.trims + counters.trims_last_hop,
            drops: network.drops_at().clone(),
            trims: network.trims_at().clone(),
        }
    }
}

impl Run {
    /// Builds a run; with copies along its way where it is to be `seekable`, with a log where it is to be `logged`.
    pub fn new(number: u32, scenario: &Scenario, seekable: bool, logged: bool) -> Result<Run, BuildError> {
        let before = memory::heap();
        let mut recorder = Recorder::for_scenario(scenario);
        recorder.rows_mut().set_on(logged);
        let mut sim = Sim::with_observer(scenario, recorder)?;
        let links = sim.network().config().clos.links();
        let looks = logged && can_be_looked_at(links, sim.qp_count());
        sim.observer_mut().set_looking(looks);
        let span = Time(sim.derived().base_rtt.ps().max(1));
        let bytes = memory::heap().saturating_sub(before);
        Ok(Run {
            number,
            snapshots: Snapshots::begin(&sim, Some(bytes), seekable),
            loads: Loads::new(links, span),
            log: Log::default(),
            told: Told::default(),
            has_messages: (0..sim.qp_count()).any(|qp| sim.qp(qp).messages > 1),
            busy_ms: 0.0,
            sim,
        })
    }

    /// Simulates up to `target`, or for about `budget_ms` of wall-clock time. True when that did not do.
    pub fn go(&mut self, target: Time, budget_ms: f64, clock: &impl Clock) -> bool {
        let start = clock();
        let mut last = start;
        let mut behind = false;
        while !self.sim.is_finished() && self.sim.now() < target {
            self.sim.play_events(SLICE, target);
            self.log.take(&mut self.sim);
            let now = clock();
            self.busy_ms += now - last;
            self.snapshots.simulated(&self.sim, now - last, clock);
            last = clock();
            let spent = last - start;
            // Half-way there would be nothing new to show: a little patience, but no more.
            if spent >= budget_ms && (!self.sim.is_half_way() || spent >= budget_ms + PATIENCE_MS) {
                behind = !self.sim.is_finished() && self.sim.now() < target;
                break;
            }
        }
        behind
    }

    /// The simulation was put to another time: what is told of it is counted from here.
    pub fn moved(&mut self) {
        self.sim.settle();
        self.loads.restart(self.sim.network(), self.sim.now());
        self.told = Told::of(&self.sim);
    }

    /// Shows the run as it was where it was furthest, if that is later than now.
    pub fn at_its_furthest<T>(&mut self, look: impl FnOnce(&mut Run) -> T) -> T {
        let swap = |run: &mut Run| {
            if let Some(front) = run.snapshots.front_mut() {
                std::mem::swap(front, &mut run.sim);
            }
        };
        swap(self);
        let seen = look(self);
        swap(self);
        seen
    }

    /// Asks the log, which asks the run for names.
    pub fn with_log<T>(&mut self, look: impl FnOnce(&mut Log, &Run) -> T) -> T {
        let mut log = std::mem::take(&mut self.log);
        log.take_all(&mut self.sim);
        let seen = look(&mut log, self);
        self.log = log;
        seen
    }

    /// Begins anew at time 0, with the faults by hand to come. What it was gives its memory back first.
    ///
    /// # Errors
    /// When it cannot be built.
    pub fn anew(mut self) -> Result<Run, BuildError> {
        let (number, busy_ms) = (self.number, self.busy_ms);
        let scenario = self.sim.scenario().clone();
        let given = self.snapshots.given(&scenario);
        let (seekable, logged) = (self.snapshots.are_wanted(), self.sim.observer().rows().is_on());
        let log = std::mem::take(&mut self.log);
        drop(self);
        let mut run = Run::new(number, &given, seekable, logged)?;
        run.busy_ms = busy_ms;
        run.log = log;
        snapshots::plan(&mut run.sim, &scenario);
        Ok(run)
    }

    /// True where the endpoints are RoCE's.
    pub fn is_roce(&self) -> bool {
        self.sim.scenario().transport.protocol == Protocol::Roce
    }

    /// What does not change during the run.
    pub fn facts(&self) -> Facts {
        let config = self.sim.network().config();
        let derived = self.sim.derived();
        Facts {
            paces: config.classes.map(|class| LinkPace {
                delay_ns: class.delay.ps() as f64 / 1e3,
                byte_ns: 8e9 / class.rate_bps as f64,
            }),
            flows: self.sim.qp_count(),
            jobs: self.sim.job_steps().count() as u32,
            messages: self.qps().map(|qp| u64::from(qp.messages)).sum(),
            bytes: self
                .qps()
                .map(|qp| qp.bytes * u64::from(qp.messages))
                .fold(0, u64::saturating_add),
            base_rtt_ps: derived.base_rtt.ps(),
            nic_bdp: derived.nic_bdp,
            rto_ps: derived.rto.ps(),
            reorder_window_ps: derived.reorder_window.ps(),
            full_packet: derived.full_packet,
            begins_anew: self.snapshots.is_too_large(),
        }
    }

    fn qps(&self) -> impl Iterator<Item = QpView> + '_ {
        (0..self.sim.qp_count()).map(|qp| self.sim.qp(qp))
    }

    /// Figures so far, without details of a selection.
    pub fn report(&self) -> Report {
        let summary = self.sim.summary();
        let counters = self.sim.network().counters();
        let in_ps = |us: f64| (us * 1e6).round() as u64;
        Report {
            run: self.number,
            now_ps: self.sim.now().ps(),
            finished: self.sim.is_finished(),
            digest: self.sim.digest(),
            flows_done: summary.finished as u32,
            flows_failed: summary.failed as u32,
            created: counters.created,
            delivered: counters.delivered,
            in_flight: summary.packets_in_flight,
            drops: summary
                .drops
                .iter()
                .map(|(&reason, &count)| (reason.to_owned(), count))
                .collect(),
            probes_dropped: self.sim.observer().probes_dropped(),
            trims: counters.trims,
            trims_last_hop: counters.trims_last_hop,
            ecn_marks: counters.ecn_marks,
            retransmissions: summary.retransmissions,
            packet_hops: counters.packet_hops,
            events: self.sim.events(),
            placed_bytes: summary.placed_bytes,
            losses: summary.losses_by_order + summary.losses_by_timeout,
            refusals: summary.refusals,
            probes: summary.probes,
            ack_probes: summary.ack_probes,
            roce: summary.roce.as_ref().map(|roce| RoceTotals {
                acks: roce.acks,
                naks: roce.naks,
                cnps: roce.cnps,
                timeouts: roce.timeouts,
                out_of_order: roce.out_of_order,
            }),
            pfc: summary
                .pfc
                .as_ref()
                .map(|pfc| self.pfc(pfc.pauses, in_ps(pfc.paused_us))),
            tier_faults: tier_faults(self.sim.network()),
            fct_ps: summary.fct_us.map(|fct| [fct.p50, fct.p99, fct.max].map(in_ps)),
            busy_ms: self.busy_ms,
            memory_bytes: memory::bytes(),
            detail: None,
        }
    }

    /// What priority flow control did so far.
    fn pfc(&self, pauses: u64, paused_ps: u64) -> PfcTotals {
        let network = self.sim.network();
        let clos = &network.config().clos;
        let is_paused = |&link: &u32| network.port(link).is(state::PAUSED);
        PfcTotals {
            pauses,
            paused_ps,
            paused_now: (0..clos.links()).filter(is_paused).count() as u32,
            deadlock: self.sim.deadlock().map(|deadlock| Deadlock {
                at_ps: deadlock.at_ps,
                circle: deadlock
                    .links
                    .iter()
                    .map(|&link| {
                        let (from, to) = ends(clos, link);
                        (cable(clos, link), from, to)
                    })
                    .collect(),
            }),
        }
    }

    /// The row of a QP in a list.
    pub fn qp_row(&self, qp: u32) -> QpRow {
        let view = self.sim.qp(qp);
        QpRow {
            qp,
            flow: view.id,
            src: view.src,
            dst: view.dst,
            bytes: view.bytes * u64::from(view.messages),
            placed: view.placed_bytes,
        }
    }

    /// Every flow's result.
    pub fn flows(&self) -> Vec<FlowRow> {
        (0..self.sim.qp_count())
            .map(|qp| {
                let view = self.sim.qp(qp);
                FlowRow {
                    qp: self.qp_row(qp),
                    start_ps: view.start_ps,
                    fct_ps: view.finished_ps.map(|end| end - view.start_ps),
                    retransmissions: view.retransmissions,
                }
            })
            .collect()
    }

    /// Drops on a set of links, by reason.
    pub fn drops(&self, links: impl Iterator<Item = u32>) -> Tally {
        let drops_at = self.sim.network().drops_at();
        let mut sums = [0u64; DropReason::ALL.len()];
        for link in links {
            for (&(_, reason), &count) in
                drops_at.range((link, DropReason::LinkDown)..(link + 1, DropReason::LinkDown))
            {
                sums[reason as usize] += count;
            }
        }
        DropReason::ALL
            .into_iter()
            .zip(sums)
            .filter(|&(_, count)| count > 0)
            .map(|(reason, count)| (reason.name().to_owned(), count))
            .collect()
    }

    /// Trims in front of a set of links.
    pub fn trims(&self, links: impl Iterator<Item = u32>) -> u64 {
        let trims_at = self.sim.network().trims_at();
        links.filter_map(|link| trims_at.get(&link)).sum()
    }
}
