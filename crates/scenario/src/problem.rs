//! What is wrong with a scenario, and where.

use crate::limits::MAX_PROBLEMS;
use std::fmt;

/// One thing that is wrong with a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The JSON path of the field, such as `fabric.planes` or `traffic[3].dst`. Empty in the last of a
    /// list that was cut after [`MAX_PROBLEMS`]: its reason then says how many more there are.
    pub field: String,
    /// The value given and what was expected.
    pub reason: String,
    /// What to do about it; may be empty.
    pub hint: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.reason)?;
        if !self.hint.is_empty() {
            write!(f, " ({})", self.hint)?;
        }
        Ok(())
    }
}

/// Problems as they are found; keeps the first [`MAX_PROBLEMS`] and counts the rest.
#[derive(Default)]
pub(crate) struct Problems {
    listed: Vec<Problem>,
    more: usize,
}

impl Problems {
    pub(crate) fn add(&mut self, field: impl FnOnce() -> String, reason: String, hint: impl Into<String>) {
        if self.listed.len() < MAX_PROBLEMS {
            self.listed.push(Problem {
                field: field(),
                reason,
                hint: hint.into(),
            });
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn into_result(mut self) -> Result<(), Vec<Problem>> {
        if self.listed.is_empty() {
            return Ok(());
        }
        if self.more > 0 {
            self.listed.push(Problem {
                field: String::new(),
                reason: format!("{} more problems are not listed", self.more),
                hint: String::new(),
            });
        }
        Err(self.listed)
    }
}
