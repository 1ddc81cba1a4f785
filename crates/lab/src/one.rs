//! One run of a sweep, from its first event to its end.

use crate::row::{End, Fct, RunResult};
use kernel::Time;
use scenario::Scenario;
use sim::{BuildError, Sim};
use std::ops::ControlFlow;

/// Events between two looks at the clock and at Cancel: some milliseconds.
const SLICE: u64 = 16_384;

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
    drop(flows);
    while !sim.is_finished() {
        let placed = sim.placed_bytes() as f64 / bytes.max(1) as f64;
        let time = sim.now().0 as f64 / scenario.until.0.max(1) as f64;
        let progress = Progress {
            share: placed.max(time).min(1.0),
        };
        if go_on(progress).is_break() {
            return Ok(None);
        }
        sim.run_events(SLICE, Time::MAX);
    }
    sim.settle();
    Ok(Some(result(&sim)))
}

fn result(sim: &Sim) -> RunResult {
    let summary = sim.summary();
    RunResult {
        end: if summary.finished == summary.flows {
            End::Finished
        } else if summary.finished + summary.failed == summary.flows {
            End::Failed
        } else {
            End::Until
        },
        digest: sim.digest(),
        sim_us: sim.now().0 as f64 / 1e6,
        flows: summary.flows,
        finished: summary.finished,
        fct_us: summary.fct_us.map(|t| Fct {
            p50: t.p50,
            p99: t.p99,
            max: t.max,
        }),
        goodput_gbps: summary.goodput_gbps,
        drops: summary.drops.values().sum(),
        trims: summary.trims + summary.trims_last_hop,
        retransmissions: summary.retransmissions,
        packet_hops: sim.network().counters().packet_hops,
        events: sim.events(),
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
