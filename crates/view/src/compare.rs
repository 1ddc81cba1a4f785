//! Runs side by side: one clock for all, what they have in common on one axis, and what differs in the end.

mod counterpart;
mod lockstep;
mod results;
mod series;

pub use counterpart::{Counterpart, counterparts};
pub use lockstep::Lockstep;
pub use results::{Figure, Outcome, figures};
pub use series::{Strand, levels, strands};
