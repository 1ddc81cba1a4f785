//! `flowglass convert`.

use crate::args::Input;
use crate::failure::Failure;
use crate::input::Given;
use crate::output::{note, print};
use std::process::ExitCode;

/// Prints the input as scenario JSON on standard output, and notes on standard error.
///
/// # Errors
/// When the input is no scenario.
pub fn run(input: &Input) -> Result<ExitCode, Failure> {
    let (json, notes) = match input.load_any()? {
        Given::Fabric(loaded) => (loaded.scenario.to_json_pretty(), loaded.notes),
        Given::Host(loaded) => (loaded.scenario.to_json_pretty(), loaded.notes),
    };
    print(&format!("{json}\n"))?;
    note(&notes);
    Ok(ExitCode::SUCCESS)
}
