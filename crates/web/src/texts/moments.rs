//! Notable moments.

pub const TIME: &str = "time";
pub const EVENT: &str = "event";
pub const WHAT: &str = "what";
pub const FROM_A_FAULT_TO_THE_LAST: &str = "From a fault to the last data packet that was sent into it";
pub const AVOIDED_IN: &str = "avoided in";
pub const NOTHING_NOTABLE_HAS_HAPPENED_YET: &str = "Nothing notable has happened yet.";

/// So many more than there is room for.
pub fn not_listed(more: &str) -> String {
    format!("{more} more events than can be listed.")
}
