//! A sweep over seeds: its form, its progress, its plot.

pub const CANCEL: &str = "Cancel";
pub const SAVED_AS_A_FILE: &str = "Saved as a file";
pub const COPY_AS_CSV: &str = "Copy as CSV";
pub const RUNS_THIS_SCENARIO_ONCE_WITH_EACH: &str =
    "Runs this scenario once with each seed, on every core, beside the run that you watch.";
pub const THIS_SCENARIO: &str = "this scenario";
pub const RUNS_OF_THE_SWEEP: &str = "Runs of the sweep";
pub const STATISTICS_OF_ALL_RUNS: &str = "Statistics of all runs";
pub const RUNS: &str = "Runs";
pub const FROM_SEED: &str = "from seed";
pub const THE_FIRST_SEED_THE_OTHERS_FOLLOW: &str = "The first seed; the others follow it";
pub const RUN_SWEEP: &str = "Run sweep";
pub const NO_RUN_HAS_COMPLETED_EVERY_FLOW: &str = "No run has completed every flow yet.";
pub const COMPLETION_TIMES_A_DOT_A_RUN: &str = "Completion times, a dot a run; ";
pub const MEDIAN: &str = "median";
pub const MEAN_95_CI: &str = "mean, 95 % CI";

/// It goes on, but not all of it.
pub const WAITING: &str = ", waiting for a worker that does not answer";

/// What is left of it: `eta` is a time in words.
pub fn about_to_go(eta: &str) -> String {
    format!(", about {eta} to go")
}

/// How far it is.
pub fn runs_of(over: usize, runs: usize, rest: &str) -> String {
    format!("{over} of {runs} runs{rest}")
}

/// It was stopped.
pub fn cancelled(over: usize, runs: usize) -> String {
    format!("Cancelled: {over} of {runs} runs")
}

/// It is over, and so are all flows.
pub fn all_complete(runs: usize, took: &str) -> String {
    format!("{runs} runs, every flow complete, in {took}")
}

/// Follows [`some_complete`].
pub fn and_failed(failed: usize) -> String {
    format!(", {failed} failed")
}

/// It is over; some runs have flows that are not.
pub fn some_complete(runs: usize, complete: usize, rest: &str) -> String {
    format!("{runs} runs: every flow complete in {complete}{rest}")
}

/// What is swept.
pub fn seeds_of(first: u64, last: u64, scenario: &str) -> String {
    format!(" · seeds {first} to {last} of {scenario}")
}

/// What a worker does follows.
pub fn worker(number: usize) -> String {
    format!("Worker {number}: ")
}

/// Name of a worker's bar.
pub fn run_of_worker(number: usize) -> String {
    format!("Run of worker {number}")
}

/// What may be typed for the number of runs.
pub fn how_many_seeds(most: u32) -> String {
    format!("How many seeds, 1 to {most}")
}

/// What was typed for it is none.
pub fn no_number_of_runs(typed: &str, most: u32) -> String {
    format!("{typed:?} is no number of runs; expected 1 to {most}")
}

/// What was typed for the first seed is none.
pub fn no_seed(typed: &str) -> String {
    format!(
        "{typed:?} is no seed; expected a whole number from 0 to {}",
        u64::MAX
    )
}

/// Seeds end before the last run has one.
pub fn too_many_seeds(count: u32, first: u64) -> String {
    format!(
        "{count} seeds from {first} on go beyond {}, the last seed",
        u64::MAX
    )
}

/// The plot for those who do not see it.
pub fn completion_times(medians: &str) -> String {
    format!("Completion times over runs, medians: {medians}")
}

/// What a dot is, and what a click on it does.
pub fn watch_seed(seed: u64, metric: &str, value: &str) -> String {
    format!("Seed {seed}: {metric} {value}; click to watch this run")
}
