//! The list of what breaks and heals, and how many faults were made by hand.

use view::units;

pub const FAULTS: &str = "Faults";
pub const BY_HAND: &str = "by hand";
pub const UNDO: &str = "Undo";
pub const NOTHING_BREAKS_YET: &str =
    "Nothing breaks yet. Break something on the stage, or plan a fault here.";

/// How many were made by hand.
pub fn by_hand(count: usize) -> String {
    format!("{} by hand", units::things(count as u64, "fault"))
}

/// What the button beside it does; `fault` and `at` are in words.
pub fn take_back(fault: &str, at: &str) -> String {
    format!(
        "Take the last of them back ({fault}, at {at}): the run is simulated again without it up to now, and waits there"
    )
}

/// Not all are listed.
pub fn and_more(count: u64) -> String {
    format!("and {} more", units::count(count))
}

/// What the cross beside a fault does.
pub fn remove(fault: &str) -> String {
    format!("Remove {fault}, and begin again")
}
