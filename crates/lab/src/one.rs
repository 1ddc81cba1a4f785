//! One run of a sweep, from its first event to its end.

use crate::advance::advance;
use crate::dip::{self, Dip, GoodputWatch};
use crate::row::{End, PfcResult, Quantiles, RunResult};
use kernel::Time;
use scenario::Scenario;
use sim::summary::CompletionTimes;
use sim::{BuildError, Sim};
use std::ops::ControlFlow;

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What is done of it, 0 to 1: by message bytes or by simulated time, whichever is further, since either ends it.
    pub share: f64,
}

/// Runs a scenario to its end. `go_on` is asked before the first event and after every few thousand; when it breaks,
/// nothing comes out.
///
/// # Errors
/// When the scenario cannot be run.
pub fn run_one(
    scenario: &Scenario,
    mut go_on: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Option<RunResult>, BuildError> {
    let mut sim = Sim::new(scenario)?;
    let flows = scenario.flows();
    let bytes = flows
        .iter()
        .fold(0u64, |sum, flow| sum.saturating_add(flow.bytes));
    let fault = dip::first_fault(scenario, &flows);
    let has_jobs = sim.job_steps().next().is_some();
    let mut watch = fault
        .filter(|_| !has_jobs)
        .and_then(|fault| GoodputWatch::new(fault, &flows, sim.derived().base_rtt));
    drop(flows);
    while !sim.is_finished() {
        let next = watch.as_ref().map_or(Time::MAX, GoodputWatch::next);
        let gone = advance(&mut sim, next, |sim| {
            let placed = sim.placed_bytes() as f64 / bytes.max(1) as f64;
            let time = sim.now().0 as f64 / scenario.until.0.max(1) as f64;
            go_on(Progress {
                share: placed.max(time).min(1.0),
            })
        });
        if gone.is_break() {
            return Ok(None);
        }
        if let Some(watch) = &mut watch {
            watch.look(&sim);
        }
    }
    sim.settle();
    let dip = match has_jobs {
        true => fault.and_then(|fault| dip::of_jobs(&sim, fault)),
        false => watch.and_then(|watch| watch.dip()),
    };
    Ok(Some(result(&sim, dip)))
}

fn result(sim: &Sim, dip: Option<Dip>) -> RunResult {
    let summary = sim.summary();
    let steps = sim.job_steps().flat_map(|(_, steps)| steps);
    let mut step_ps: Vec<u64> = steps.map(|step| step.ended_ps - step.posted_ps).collect();
    step_ps.sort_unstable();
    let links = f64::from(sim.network().config().clos.links());
    let sim_us = sim.now().0 as f64 / 1e6;
    RunResult {
        end: if summary.finished == summary.flows {
            End::Finished
        } else if summary.finished + summary.failed == summary.flows {
            End::Failed
        } else {
            End::Until
        },
        digest: sim.digest(),
        sim_us,
        flows: summary.flows,
        finished: summary.finished,
        fct_us: summary.fct_us.map(Quantiles::from),
        goodput_gbps: summary.goodput_gbps,
        drops: summary.drops.values().sum(),
        trims: summary.trims + summary.trims_last_hop,
        retransmissions: summary.retransmissions,
        packet_hops: sim.network().counters().packet_hops,
        events: sim.events(),
        step_us: CompletionTimes::of(&step_ps).map(Quantiles::from),
        dip,
        pfc: summary.pfc.map(|pfc| PfcResult {
            pauses: pfc.pauses,
            // A run that ends as it begins has paused nothing.
            paused_percent: pfc.paused_us / (links * sim_us).max(f64::MIN_POSITIVE) * 100.0,
            deadlock_us: pfc.deadlock.map(|deadlock| deadlock.at_us),
        }),
        cnps: summary.roce.map(|roce| roce.cnps),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::scenario;

    #[test]
    fn a_run_in_a_sweep_is_the_run_by_itself() {
        let mut alone = Sim::new(&scenario()).unwrap();
        alone.run_until(Time::MAX);
        let mut shares = Vec::new();
        let result = run_one(&scenario(), |progress| {
            shares.push(progress.share);
            ControlFlow::Continue(())
        });
        let result = result.unwrap().expect("nobody stopped it");
        let hops = alone.network().counters().packet_hops;
        assert_eq!((result.digest, result.packet_hops), (alone.digest(), hops));
        assert_eq!((result.end, result.flows, result.finished), (End::Finished, 6, 6));
        assert!(result.drops > 0 && result.retransmissions > 0, "{result:?}");
        assert!(
            shares.is_sorted() && shares[0] == 0.0 && shares.iter().all(|s| *s <= 1.0),
            "{shares:?}"
        );
    }

    /// The preset, run as a sweep does it, and by itself without a pause.
    fn beside_itself(slug: &str) -> (RunResult, Sim) {
        let scenario = scenario::find_preset(slug).expect("there is one").scenario();
        let mut alone = Sim::new(&scenario).unwrap();
        alone.run_until(Time::MAX);
        let result = run_one(&scenario, |_| ControlFlow::Continue(())).unwrap();
        (result.expect("nobody stopped it"), alone)
    }

    #[test]
    fn looking_at_a_dip_changes_nothing() {
        let (result, alone) = beside_itself("t1-dies");
        assert_eq!(
            (result.digest, result.events, result.sim_us),
            (alone.digest(), alone.events(), alone.now().0 as f64 / 1e6)
        );
        // Base RTT 6.62 µs, so bins of 20 µs; from 20 µs to the fault at 100 µs is before, and the bin of 240 µs is a bad one.
        let dip = result
            .dip
            .expect("there is a fault, and traffic on both sides of it");
        let mut looked = Sim::new(alone.scenario()).unwrap();
        let [from, to, bad, end] = [20, 100, 240, 260].map(|at| {
            looked.run_until(Time::from_us(at));
            looked.placed_bytes() as f64
        });
        let level_gbps = (to - from) * 8e-3 / 80.0;
        let bad_gbps = (end - bad) * 8e-3 / 20.0;
        let before = crate::Before::Goodput {
            level_gbps,
            bin_us: 20.0,
        };
        assert_eq!((dip.fault_us, &dip.before), (100.0, &before));
        assert!(bad_gbps < 0.9 * level_gbps, "{bad_gbps} of {level_gbps}");
        let least = (1.0 - bad_gbps / level_gbps) * 100.0;
        assert!(
            (least - 1e-9..least + 5.0).contains(&dip.depth_percent),
            "{dip:?}"
        );
        assert!(dip.lost_us > least / 100.0 * 20.0, "{dip:?}");
    }

    #[test]
    fn a_job_s_dip_is_that_of_its_steps() {
        let (result, alone) = beside_itself("training-step");
        assert_eq!(result.digest, alone.digest());
        let steps = &alone.job_results()[0].step_us;
        let longest = steps.iter().copied().fold(0.0, f64::max);
        let times = result.step_us.expect("there is a job");
        assert_eq!(times.max, longest);
        // The first step is over before the first fault at 1.2 ms, the second is not: 100 µs of computing and 717 µs each.
        let dip = result.dip.expect("there is a fault");
        assert_eq!(dip.before, crate::Before::Steps { step_us: steps[0] });
        assert!((dip.depth_percent - (1.0 - steps[0] / longest) * 100.0).abs() < 1e-9);
        assert_eq!((result.pfc, result.cnps), (None, None));
    }

    #[test]
    fn pauses_and_notifications_are_those_of_the_run() {
        let (result, alone) = beside_itself("roce-dcqcn-incast");
        let summary = alone.summary();
        assert_eq!(result.digest, alone.digest());
        assert_eq!(result.cnps, Some(summary.roce.expect("it is RoCE").cnps));
        let (found, pfc) = (result.pfc.expect("it has PFC"), summary.pfc.expect("it has PFC"));
        assert_eq!((found.pauses, found.deadlock_us), (pfc.pauses, None));
        assert_eq!(result.dip, None, "there is no fault");
    }

    #[test]
    fn a_run_that_is_stopped_has_no_result() {
        assert_eq!(run_one(&scenario(), |_| ControlFlow::Break(())).unwrap(), None);
    }

    #[test]
    fn a_run_that_does_not_finish_says_so() {
        let mut short = scenario();
        short.until = scenario::Time::us(5);
        let result = run_one(&short, |_| ControlFlow::Continue(())).unwrap().unwrap();
        assert_eq!((result.end, result.finished, result.sim_us), (End::Until, 0, 5.0));
        assert_eq!(result.fct_us, None);
    }

    #[test]
    fn what_cannot_be_built_is_an_error() {
        let mut bad = scenario();
        bad.fabric.planes = 0;
        assert!(run_one(&bad, |_| ControlFlow::Continue(())).is_err());
    }
}
