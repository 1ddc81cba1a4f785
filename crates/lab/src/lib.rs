//! Many independent runs: a [`Sweep`] says which, [`run_one`] runs one of them, and a [`Report`] says what they have
//! in common.
//!
//! Each run is a simulation of its own, so any number of threads or Web Workers may share the work: rows come out in
//! the order of the plan, whatever finished first, and nothing in them depends on who computed them.

mod advance;
pub mod compare;
mod dip;
#[cfg(not(target_arch = "wasm32"))]
pub mod evidence;
mod field;
pub mod host;
pub mod number;
mod one;
#[cfg(not(target_arch = "wasm32"))]
mod parallel;
mod plan;
mod report;
mod row;
mod stats;
mod subject;
#[cfg(not(target_arch = "wasm32"))]
pub mod tune;

pub use dip::{Before, Dip};
pub use one::{Progress, run_one};
#[cfg(not(target_arch = "wasm32"))]
pub use parallel::{Overall, run_all};
pub use plan::{MAX_RUNS, Plan, Seeds, Sweep, Vary};
pub use report::{Metric, PointReport, Report};
pub use row::{End, Outcome, PfcResult, Quantiles, Row, RunResult, csv};
pub use stats::Stats;
pub use subject::Subject;
