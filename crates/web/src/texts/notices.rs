//! Notices.

/// That older ones wait behind those shown.
pub fn older(count: usize) -> String {
    format!("and {}", view::units::things(count as u64, "older notice"))
}

pub const DISMISS: &str = "Dismiss";

/// The run cannot be built.
pub const CANNOT_BE_RUN: &str = "This scenario cannot be run";
/// What stands after `#` is no link that can be read.
pub const BAD_LINK: &str = "This link cannot be opened";
/// Another worker has taken over.
pub const STARTED_AGAIN: &str = "The simulation stopped and was started again";
/// The link's time is after the run's end.
pub const NOT_IN_THE_RUN: &str = "This time is not in the run";
/// Something cannot be broken or healed.
pub const CANNOT_BE_BROKEN: &str = "That cannot be broken or healed";
/// Titles of what is said of one run: another one makes them old.
pub const OF_THE_RUN: [&str; 5] = [
    CANNOT_BE_RUN,
    STARTED_AGAIN,
    NOT_IN_THE_RUN,
    CANNOT_BE_BROKEN,
    super::sharing::BOOKMARKS_LEFT_OUT,
];
