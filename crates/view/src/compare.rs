//! Runs side by side: one clock for all, what they have in common on one axis, and what differs in the end.

mod counterpart;
mod differences;
mod lockstep;
mod results;
mod series;

pub use counterpart::{Counterpart, counterparts};
pub use differences::{Difference, Differences, differences};
pub use lockstep::Lockstep;
pub use results::{Figure, Outcome, figures};
pub use series::{Steps, Strand, cumulative, strands};

/// The letter of a run, by its number from 0.
pub fn letter(number: usize) -> char {
    char::from(b'A' + (number.min(25) as u8))
}
