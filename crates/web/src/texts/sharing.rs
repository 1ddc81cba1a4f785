//! The dialog for giving away what is on the page; links that are opened.

use view::units::things;

pub fn with_bookmarks(count: usize) -> String {
    format!("With {} of the timeline", things(count as u64, "bookmark"))
}

/// Some bookmarks of a link are left out.
pub const BOOKMARKS_LEFT_OUT: &str = "Not all bookmarks of the link are shown";

/// Those that are after the end of the run.
pub fn late_bookmarks(count: usize, until: &str) -> String {
    let are = if count == 1 { "is" } else { "are" };
    format!(
        "{} {are} after the end of the run, {until}.",
        things(count as u64, "bookmark")
    )
}

/// Those that there is no room for: a scenario can have `most`.
pub fn surplus_bookmarks(count: usize, most: usize) -> String {
    let find = if count == 1 { "finds" } else { "find" };
    format!(
        "{} {find} no room beside your own: a scenario can have {most} of them.",
        things(count as u64, "bookmark")
    )
}
