//! One run of a scenario: assembles kernel, fabric and endpoints; steps, injects faults, and says what happened.
//!
//! The whole run is a value: [`Sim`] is plain data and `Clone`.

mod build;
pub mod clustermapper;
mod convergence;
mod denylist;
mod digest;
mod endpoint;
mod faults;
pub mod frame;
pub mod inspect;
pub mod jobs;
pub mod life;
mod nic;
pub mod observer;
pub mod pfc;
mod ports;
pub mod recorder;
mod run;
mod side;
mod sizes;
pub mod summary;
mod window;

pub use build::{BuildError, Derived};
pub use clustermapper::Verdict;
pub use observer::Observer;
pub use recorder::Recorder;
pub use run::{Arrival, Sim, StepEvent, StepKind};
pub use summary::Summary;
