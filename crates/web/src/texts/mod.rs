//! The page's English, a module a view.
//!
//! A text is a constant; a sentence with values in it is a function of these values, already in words. So the compiler knows of each that
//! it is there, an unused one is a warning, nothing is parsed or looked up while the page runs, and whoever translates the page has the
//! modules of this folder, `view/src/keys/table.rs` and `view/src/story/list` before them. What the worker says in words (events, faults,
//! refusals) is made in `view` and `worker`, beside the values that it is about.
//!
//! Views that are not here yet are listed in `tests.rs`, where the list can only become shorter.

pub mod charts;
pub mod counters;
pub mod facts;
pub mod fault_lane;
pub mod faults;
pub mod flows;
pub mod header;
pub mod help;
pub mod importer;
pub mod jobs;
pub mod legend;
pub mod moments;
pub mod notices;
pub mod packet;
pub mod paper;
pub mod playing;
pub mod sharing;
pub mod sweep;

#[cfg(test)]
mod tests;
