//! Notices.

pub const DISMISS: &str = "Dismiss";
