//! Notices.

/// That older ones wait behind those shown.
pub fn older(count: usize) -> String {
    format!("and {}", view::units::things(count as u64, "older notice"))
}

pub const DISMISS: &str = "Dismiss";
