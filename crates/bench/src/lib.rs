//! Benchmark cases and one run of one of them, the same code natively and in a Web Worker.
//!
//! Nothing here reads a clock: whoever starts a run times it, natively by the standard library, in the browser by
//! `performance.now()`.

pub mod cases;
pub mod flows;
mod run;
mod shape;
mod web;

pub use cases::{Case, Group, cases};
pub use run::{Outcome, Prepared};
pub use web::{WebFlows, WebRun};
