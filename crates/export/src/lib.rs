//! The fabric's static SRv6 configuration as files: SONiC CONFIG_DB JSON, and Linux `ip` lines.
//!
//! In an MRC fabric a switch needs its own uSID and one route to each neighbour's, set once and never changed (MRC paper
//! §2.3). Both follow from the topology, so the files are computed from [`fabric::Clos`], the same that the simulator
//! forwards by. What is a standard's and what is our choice: `docs/srv6-export.md`.

mod address;
pub mod linux;
mod plan;
pub mod size;
pub mod sonic;

pub use address::locator_prefix;
pub use plan::{Ev, Nic, Plan, PlanError, Port, Switch};
