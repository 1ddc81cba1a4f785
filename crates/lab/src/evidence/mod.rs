//! Papers' numbers beside ours: a registry of experiments for each of two papers, one of questions that neither answers
//! ([`Paper::Versus`]), what runs them, and the page of documentation that comes of it.
//!
//! The papers are [`Paper::Mrc`], Araujo et al., "Resilient AI Supercomputer Networking using MRC and SRv6", arXiv:2605.04333, and
//! [`Paper::Accelnet`], Firestone et al., "Azure Accelerated Networking: SmartNICs in the Public Cloud", NSDI 2018.

mod accelnet;
mod experiment;
mod figures;
mod fingerprint;
mod host_run;
mod keep;
mod markdown;
mod matrix;
mod paper;
mod results;
mod run;
mod runner;
mod verdict;
mod versus;
mod watch;

pub use experiment::{Accept, Case, Experiment, HostMeasure, Known, Measure, Row, Work};
pub use host_run::HostRun;
pub use keep::{KEPT_HEAD, Keep, Kept, Taken, taken};
pub use markdown::markdown;
pub use paper::Paper;
pub use results::{Evidence, ExperimentResult, RowResult};
pub use run::{Run, Stopped};
pub use runner::run_experiments;
pub use verdict::Verdict;
pub use watch::{EvChange, Watch};
