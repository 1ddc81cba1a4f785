//! Steps of a job that are measured around a failure.

use crate::evidence::run::{Run, Stopped, mean};
use kernel::Time;

/// Steps of the first job that are over, in µs each.
pub(super) fn steps(run: &Run) -> Vec<f64> {
    run.sim()
        .job_results()
        .into_iter()
        .next()
        .map(|job| job.step_us)
        .unwrap_or_default()
}

/// Goes on until so many steps are over, looking at times `each` apart. False when the run ends before.
pub(super) fn until_steps(run: &mut Run, wanted: usize, each: Time) -> Result<bool, Stopped> {
    run.until(each, |run| steps(run).len() >= wanted)
}

/// Goes on until so many message bytes are placed.
pub(super) fn until_placed(run: &mut Run, bytes: u64, each: Time) -> Result<bool, Stopped> {
    run.until(each, |run| run.sim().placed_bytes() >= bytes)
}

/// The mean of some steps; not a number where one of them never ended.
pub(super) fn mean_of(steps: &[f64], which: std::ops::Range<usize>) -> f64 {
    steps.get(which).map_or(f64::NAN, mean)
}
