//! One run of a host from its first event to its end, with progress and a way to stop it.

use crate::failure::Failure;
use crate::output::plain;
use crate::runner::{SLICE, no_more_to_stop, stop_on_signal};
use crate::sweep::progress::Progress;
use host::{BuildError, Run};
use kernel::Time;
use lab::Overall;
use scenario::host::HostScenario;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A run that has ended.
pub struct Ended {
    /// The run's state.
    pub run: Run,
    /// Whether the user stopped it.
    pub interrupted: bool,
    /// Real time for building it.
    pub build: Duration,
    /// Real time from the first event to the last.
    pub wall: Duration,
}

/// Builds a run, which finds what validation alone does not. Ctrl-C ends it.
///
/// # Errors
/// When the scenario cannot be run, and when it was interrupted.
pub fn build(scenario: &HostScenario, source: &str) -> Result<Run, Failure> {
    let stop = stop_on_signal();
    let run = build_until(scenario, source, &stop);
    no_more_to_stop(&stop);
    run
}

/// The same under a flag that is set already.
fn build_until(scenario: &HostScenario, source: &str, stop: &AtomicBool) -> Result<Run, Failure> {
    Run::new_unless(scenario, &mut || stop.load(Ordering::Relaxed)).map_err(|e| {
        let text = format!("{}: {e}", plain(source));
        match e {
            BuildError::Stopped => Failure::Interrupted(text),
            _ => Failure::Input(text),
        }
    })
}

/// Runs a scenario to its end, or until Ctrl-C. A second Ctrl-C ends the process at once.
///
/// # Errors
/// When the scenario cannot be run.
pub fn run(scenario: &HostScenario, source: &str, quiet: bool) -> Result<Ended, Failure> {
    let began = Instant::now();
    let stop = stop_on_signal();
    let mut run = build_until(scenario, source, &stop)?;
    let build = began.elapsed();
    let progress = Progress::new(quiet, 1);
    let began = Instant::now();
    let mut interrupted = false;
    while !run.is_finished() && !interrupted {
        run.run_events(SLICE, Time::MAX);
        progress.update(Overall {
            done: 0,
            share: (run.now().0 as f64 / scenario.until.0.max(1) as f64).min(1.0),
        });
        interrupted = stop.load(Ordering::Relaxed);
    }
    let wall = began.elapsed();
    no_more_to_stop(&stop);
    progress.clear();
    Ok(Ended {
        interrupted: interrupted && !run.is_finished(),
        run,
        build,
        wall,
    })
}
