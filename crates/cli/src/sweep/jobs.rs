//! How many runs go on at the same time.

use crate::failure::Failure;
use crate::memory;
use crate::output::plain;
use host::Run;
use lab::Plan;
use scenario::Scenario;
use scenario::host::{HostScenario, Traffic};
use sim::Sim;
use std::thread;

/// A run's memory while it goes on, as a multiple of what it has at its start: our choice. Packets come to fabric, QPs
/// and their EVs; with 131,072 NICs that send at once it grew to three times the start.
const GROWTH: u64 = 4;
/// The least memory that a run is counted with; our choice.
const LEAST: u64 = 8 << 20;

/// Runs at a time, and a note where memory decides.
#[derive(Debug, PartialEq, Eq)]
pub struct Jobs {
    /// At least one.
    pub count: usize,
    /// Why there are fewer than asked for.
    pub note: Option<String>,
}

/// Builds the plan's largest run, which finds what validation alone does not, and decides by its size.
///
/// # Errors
/// When that run cannot be built.
pub fn decide(plan: &Plan, asked: Option<usize>, source: &str) -> Result<Jobs, Failure> {
    let largest = largest(plan)?;
    by_size(plan.runs(), asked, || {
        Sim::new(&largest).map_err(|e| Failure::Input(format!("{}: {e}", plain(source))))
    })
}

/// The same for several scenarios, each with where it came from, whose runs take turns. Each is built once.
///
/// # Errors
/// When one cannot be built.
pub fn decide_all<'a>(
    runs: usize,
    asked: Option<usize>,
    scenarios: impl IntoIterator<Item = (&'a Scenario, &'a str)>,
) -> Result<Jobs, Failure> {
    let mut fewest = None;
    for (scenario, source) in scenarios {
        let jobs = by_size(runs, asked, || {
            Sim::new(scenario).map_err(|e| Failure::Input(format!("{}: {e}", plain(source))))
        })?;
        if fewest
            .as_ref()
            .is_none_or(|found: &Jobs| jobs.count < found.count)
        {
            fewest = Some(jobs);
        }
    }
    fewest.ok_or_else(|| Failure::Input("error: there is no scenario; expected at least one".into()))
}

/// The same for hosts.
///
/// # Errors
/// When that run cannot be built.
pub fn decide_host(plan: &Plan<HostScenario>, asked: Option<usize>, source: &str) -> Result<Jobs, Failure> {
    let largest = largest_host(plan)?;
    by_size(plan.runs(), asked, || {
        Run::new(&largest).map_err(|e| Failure::Input(format!("{}: {e}", plain(source))))
    })
}

/// Decides by the memory that `build` takes.
fn by_size<T>(
    runs: usize,
    asked: Option<usize>,
    build: impl FnOnce() -> Result<T, Failure>,
) -> Result<Jobs, Failure> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let wanted = asked.unwrap_or(cores).min(runs);
    let before = memory::resident_bytes();
    let built = build()?;
    let grown = memory::resident_bytes().zip(before);
    let each = grown.map(|(after, before)| after.saturating_sub(before).max(LEAST) * GROWTH);
    drop(built);
    Ok(limit(wanted, each, memory::available_bytes()))
}

fn limit(wanted: usize, each: Option<u64>, free: Option<u64>) -> Jobs {
    let (Some(each), Some(free)) = (each, free) else {
        return Jobs {
            count: wanted,
            note: None,
        };
    };
    let fit = usize::try_from(free / each.max(1)).unwrap_or(usize::MAX).max(1);
    let note = (fit < wanted).then(|| {
        format!(
            "{fit} runs at a time instead of {wanted}: each may need {} MiB, and {} MiB of memory are free",
            each >> 20,
            free >> 20
        )
    });
    Jobs {
        count: wanted.min(fit),
        note,
    }
}

/// The scenario that will need the most memory, judged by its links and its EVs.
fn largest(plan: &Plan) -> Result<Scenario, Failure> {
    let mut largest = None;
    let first_runs = (0..plan.runs()).step_by(plan.seeds().count as usize);
    for run in first_runs {
        let scenario = plan.scenario_of(run).map_err(Failure::input)?;
        let fabric = &scenario.fabric;
        let ports = u64::from(fabric.nics_per_t0) + u64::from(fabric.t1_per_plane);
        let links = u64::from(fabric.planes) * u64::from(fabric.t0_per_plane) * ports * 2;
        let size = links + scenario.flows().len() as u64 * u64::from(scenario.transport.evs);
        if largest.as_ref().is_none_or(|(most, _)| size > *most) {
            largest = Some((size, scenario));
        }
    }
    largest
        .map(|(_, scenario)| scenario)
        .ok_or_else(|| Failure::Input("error: the sweep has no run; expected at least one".into()))
}

/// The scenario that will need the most memory, judged by the flows that it begins with and the NIC's table.
fn largest_host(plan: &Plan<HostScenario>) -> Result<HostScenario, Failure> {
    let mut largest = None;
    for run in (0..plan.runs()).step_by(plan.seeds().count as usize) {
        let scenario = plan.scenario_of(run).map_err(Failure::input)?;
        let flows = scenario.traffic.iter().map(|traffic| match traffic {
            Traffic::Flows { flows, .. } => u64::from(*flows),
            Traffic::Replay { flows, .. } => flows.len() as u64,
            _ => 0,
        });
        let size = flows.sum::<u64>() + u64::from(scenario.host.nic.l2_entries);
        if largest.as_ref().is_none_or(|(most, _)| size > *most) {
            largest = Some((size, scenario));
        }
    }
    largest
        .map(|(_, scenario)| scenario)
        .ok_or_else(|| Failure::Input("error: the sweep has no run; expected at least one".into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::{Seeds, Sweep, Vary};

    #[test]
    fn memory_limits_the_jobs_but_leaves_one() {
        let jobs = |wanted, each: u64, free: u64| limit(wanted, Some(each << 20), Some(free << 20));
        assert_eq!(jobs(8, 100, 10_000).count, 8);
        let few = jobs(8, 100, 350);
        assert_eq!(few.count, 3);
        assert_eq!(
            few.note.as_deref(),
            Some("3 runs at a time instead of 8: each may need 100 MiB, and 350 MiB of memory are free")
        );
        assert_eq!(jobs(8, 100, 10).count, 1);
        assert_eq!(jobs(1, 100, 10).note, None);
        assert_eq!(limit(8, None, Some(1)).count, 8);
    }

    #[test]
    fn the_largest_value_is_the_one_that_is_measured() {
        let sweep = Sweep {
            scenario: scenario::presets()[0].scenario(),
            seeds: Seeds { first: 1, count: 3 },
            vary: Some(Vary {
                path: "transport.evs".into(),
                values: vec![8.into(), 64.into(), 16.into()],
            }),
        };
        let Ok(plan) = sweep.plan() else {
            panic!("a preset with other EVs is valid");
        };
        assert_eq!(largest(&plan).expect("there is one").transport.evs, 64);
    }
}
