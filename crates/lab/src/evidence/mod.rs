//! The MRC paper's numbers beside ours: a registry of experiments, what runs them, and the page of documentation that comes
//! of it.
//!
//! The paper is Araujo et al., "Resilient AI Supercomputer Networking using MRC and SRv6", arXiv:2605.04333.

mod experiment;
mod figures;
mod markdown;
mod number;
mod results;
mod run;
mod runner;
mod verdict;
mod watch;

pub use experiment::{Accept, Case, Experiment, Known, Measure, Row, Work};
pub use figures::experiments;
pub use markdown::markdown;
pub use results::{Evidence, ExperimentResult, RowResult};
pub use run::{Run, Stopped};
pub use runner::{run_experiments, runs};
pub use verdict::Verdict;
pub use watch::{EvChange, Watch};
