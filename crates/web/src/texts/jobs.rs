//! The steps of jobs.

pub const TIME_FROM_POSTING_TO_THE_COMPLETION: &str = "Time: from posting to the completion of a step's slowest transfer. Bus bandwidth: what each NIC's line carries, by NCCL's convention, so that it compares with the line rate.";
pub const CSV: &str = "CSV";
pub const STEP: &str = "step";
pub const WHEN_IT_BEGAN_TO_COMMUNICATE: &str = "When it began to communicate";
pub const POSTED: &str = "posted";
pub const TIME: &str = "time";
pub const BUS: &str = "bus";
pub const OF_THE_SLOWEST: &str = "of the slowest";

/// Jobs that there is no room for.
pub fn more_jobs(left: usize) -> String {
    format!("and {left} more jobs")
}

/// Steps that are over and all of them; the median's time and rate; the shortest and the longest time.
pub fn steps_complete(
    [done, steps]: [&str; 2],
    [median, rate]: [&str; 2],
    [fastest, slowest]: [&str; 2],
) -> String {
    format!(
        "{done} of {steps} steps complete; median {median}, {rate} bus; fastest {fastest}, slowest {slowest}"
    )
}

/// Only these are listed.
pub fn latest(listed: usize, done: &str) -> String {
    format!("The latest {listed} of {done}.")
}

/// No step is over.
pub fn none_complete(steps: &str) -> String {
    format!("None of {steps} steps is complete yet.")
}
