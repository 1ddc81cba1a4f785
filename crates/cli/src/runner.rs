//! One run from its first event to its end, with progress and a way to stop it.

use crate::failure::Failure;
use crate::progress::Progress;
use kernel::Time;
use scenario::Scenario;
use serde::Serialize;
use sim::observer::Nobody;
use sim::{Observer, Sim};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Events between two looks at the clock and at Ctrl-C: some ten milliseconds.
pub const SLICE: u64 = 50_000;

/// Most threads that one run can be given.
pub const MAX_THREADS: u32 = 64;

/// Cables from which a fabric counts as large.
const LARGE_FABRIC_LINKS: u64 = 8_192;

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Every flow was complete.
    Finished,
    /// The scenario's end came first.
    Until,
    /// Every flow was over, and some had failed.
    Failed,
    /// The user stopped it.
    Interrupted,
}

/// A run that has ended.
pub struct Ended {
    /// The run's state.
    pub sim: Sim,
    /// Why it ended.
    pub end: End,
    /// Real time for building it.
    pub build: Duration,
    /// Real time from the first event to the last.
    pub wall: Duration,
}

/// Builds a run that `watcher` watches, which finds what validation alone does not.
///
/// # Errors
/// When the scenario cannot be run.
pub fn build<O: Observer>(
    scenario: &Scenario,
    source: &str,
    watcher: O,
    threads: u32,
) -> Result<Sim<O>, Failure> {
    Sim::in_parts(scenario, watcher, threads).map_err(|e| Failure::Input(format!("{source}: {e}")))
}

/// Threads for a run where the user does not say: all cores for a fabric that is large enough to gain by it (measured:
/// BENCHMARKS.md), one for a smaller one.
pub fn threads_for(scenario: &Scenario) -> u32 {
    let fabric = &scenario.fabric;
    let links = u64::from(fabric.planes)
        * (fabric.nics() + u64::from(fabric.t0_per_plane) * u64::from(fabric.t1_per_plane));
    if links < LARGE_FABRIC_LINKS {
        return 1;
    }
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(MAX_THREADS as usize) as u32)
}

/// Runs a scenario to its end, or until Ctrl-C. A second Ctrl-C ends the process at once.
///
/// # Errors
/// When the scenario cannot be run.
pub fn run(scenario: &Scenario, source: &str, threads: Option<u32>, quiet: bool) -> Result<Ended, Failure> {
    let began = Instant::now();
    let threads = threads.unwrap_or_else(|| threads_for(scenario));
    let mut sim = build(scenario, source, Nobody, threads)?;
    let build = began.elapsed();

    let stop = stop_on_signal();
    let mut progress = Progress::of(scenario, quiet);
    let began = Instant::now();
    let mut interrupted = false;
    while !sim.is_finished() && !interrupted {
        sim.run_events(SLICE, Time::MAX);
        progress.update(&sim);
        interrupted = stop.load(Ordering::Relaxed);
    }
    let wall = began.elapsed();
    no_more_to_stop(&stop);
    progress.clear();
    sim.settle();

    let flows = u64::from(sim.qp_count());
    let end = if sim.finished_flows() == flows {
        End::Finished
    } else if sim.finished_flows() + sim.failed_flows() == flows {
        End::Failed
    } else if sim.is_finished() {
        End::Until
    } else {
        End::Interrupted
    };
    Ok(Ended {
        sim,
        end,
        build,
        wall,
    })
}

/// What the flag of [`stop_on_signal`] was to stop is over: from now on the first signal ends the process at once, even where
/// results are written to a pipe that nobody reads.
pub fn no_more_to_stop(stop: &AtomicBool) {
    stop.store(true, Ordering::Relaxed);
}

/// A flag that Ctrl-C (or SIGTERM) sets. The second time ends the process at once.
pub fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // If no handler can be set, Ctrl-C ends the process as it always does.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(crate::failure::INTERRUPTED));
        }
    });
    stop
}
