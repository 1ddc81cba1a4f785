//! Numbers that explain themselves.

pub const WHAT_IS_THIS: &str = "What is this?";
pub const UNIT: &str = "Unit: ";
pub const SOURCE: &str = "Source: ";
