//! `flowglass presets`.

use crate::failure::Failure;
use crate::output::print;
use scenario::presets;
use std::process::ExitCode;

/// Lists the ready-made scenarios, one a line: the name for the command line, and the title.
///
/// # Errors
/// When standard output cannot be written.
pub fn run() -> Result<ExitCode, Failure> {
    let width = presets().iter().map(|p| p.slug.len()).max().unwrap_or(0);
    let lines: String = presets()
        .iter()
        .map(|p| format!("{:width$}  {}\n", p.slug, p.scenario().name))
        .collect();
    print(&lines)?;
    Ok(ExitCode::SUCCESS)
}
