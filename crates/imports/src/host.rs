//! Imports as parts of a host scenario, which a link can hold.
//!
//! The scenario's schema is plainer than what can be imported, so some of it changes on the way; each change is a [`Note`].

mod replay;
mod rules;
mod whole;

pub use replay::replay;
pub use rules::nsg_rules;
pub use whole::scenario;

use crate::report::{Note, Report};

/// The notes of a report that has no problems.
fn notes(report: Report) -> Vec<Note> {
    report.finish().unwrap_or_default()
}
