//! `flowglass ledger`.

use crate::args::Ledger as Options;
use crate::failure::Failure;
use crate::json::Sink;
use crate::ledger::{Ledger, text};
use crate::output::print;
use std::process::ExitCode;

/// Computes both sides of the ledger and prints them with everything they follow from.
///
/// # Errors
/// When an input is not known or cannot be used, or the result cannot be written.
pub fn run(options: &Options) -> Result<ExitCode, Failure> {
    let ledger = Ledger::of(&options.set).map_err(|e| Failure::Input(format!("--set: {e}")))?;
    match &options.json {
        None => print(&text::text(&ledger))?,
        Some(out) => {
            let sink = Sink::check(out)?;
            if !matches!(sink, Sink::Stdout) {
                print(&text::text(&ledger))?;
            }
            sink.write_with(|out| {
                serde_json::to_writer_pretty(&mut *out, &ledger)?;
                writeln!(out)
            })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
