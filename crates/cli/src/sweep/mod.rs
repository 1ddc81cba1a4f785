//! Parts of `flowglass sweep`: how many runs at a time, the progress of all, and what came out.

pub mod jobs;
pub mod progress;
pub mod results;
pub mod sinks;
pub mod summary;
