//! What is wrong with a setting.

/// A setting that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{what} is {value}; expected {expected}")]
pub struct Problem {
    /// The setting.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
    /// What was expected.
    pub expected: &'static str,
}
