//! All runs of a sweep over a host on this machine's cores.

use super::{HostRow, run_host};
use crate::parallel::{Overall, in_parallel};
use crate::plan::Plan;
use scenario::host::HostScenario;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs a sweep with `jobs` runs at a time (at least one), until all are over or `stop` is true. Returns the rows of those that
/// are over, in the order of the plan. `watch` is called by every thread, some hundred times a second.
///
/// # Errors
/// When the threads cannot be started; says why.
pub fn run_all_hosts(
    plan: &Plan<HostScenario>,
    jobs: usize,
    stop: &AtomicBool,
    watch: impl Fn(Overall) + Sync,
) -> Result<Vec<HostRow>, String> {
    in_parallel(plan.runs(), jobs, watch, |run, tell| row(plan, run, stop, tell))
}

/// One run; none when it was stopped.
fn row(
    plan: &Plan<HostScenario>,
    run: usize,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(f64),
) -> Option<HostRow> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let result = match plan.scenario_of(run) {
        Err(problems) => Err(problems
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("; ")),
        Ok(scenario) => run_host(&scenario, |share| {
            tell(share);
            match stop.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
        .map_err(|error| error.to_string())
        .transpose()?,
    };
    Some(HostRow {
        run,
        value: plan.value(plan.point_of(run)).cloned(),
        seed: plan.seed_of(run),
        result,
    })
}
