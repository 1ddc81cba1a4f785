//! Both sides of the ledger: what a SmartNIC in each host returns, what it costs, how often it breaks, and what else could carry
//! the same policy.
//!
//! Nothing here is simulated. Each result follows from inputs that anyone can change, by formulas that stand in the documentation
//! of the function that computes it. Two inputs are published (the price of a core and the power of the card); the others are
//! documented elsewhere or our choice, and say so ([`Status`]).
//!
//! ```
//! use ledger::{Inputs, Statement};
//!
//! let statement = Statement::of(&Inputs::default())?;
//! assert!(statement.net_low < statement.net_high);
//! # Ok::<(), ledger::InputError>(())
//! ```

mod alternatives;
mod breakeven;
mod cost;
mod input;
mod reliability;

pub use alternatives::{Alternative, Change, Engine, Performance, Workload, WorkloadError, alternatives};
pub use breakeven::{BreakEven, FrontierPoint, frontier};
pub use cost::Statement;
pub use input::{INPUTS, Input, InputError, Inputs, Status};
pub use reliability::{COMPONENTS, Component, Failures};
