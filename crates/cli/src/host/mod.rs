//! Parts of the commands that are about hosts with VMs: running one, and what came out.

pub mod results;
pub mod runner;
pub mod summary;
pub mod sweep;
