//! `flowglass convert`.

use crate::args::Input;
use crate::failure::Failure;
use crate::output::{note, print};
use std::process::ExitCode;

/// Prints the input as scenario JSON on standard output, and notes on standard error.
///
/// # Errors
/// When the input is no scenario.
pub fn run(input: &Input) -> Result<ExitCode, Failure> {
    let loaded = input.load()?;
    print(&format!("{}\n", loaded.scenario.to_json_pretty()))?;
    note(&loaded.notes);
    Ok(ExitCode::SUCCESS)
}
