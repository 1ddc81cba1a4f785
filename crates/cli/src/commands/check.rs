//! `flowglass check`.

use crate::args::Input;
use crate::failure::Failure;
use crate::output::{plain, print};
use crate::runner;
use std::process::ExitCode;

/// Does everything that a run does before its first event, and says so.
///
/// # Errors
/// When the input cannot be run.
pub fn run(input: &Input) -> Result<ExitCode, Failure> {
    let loaded = input.load()?;
    let sim = runner::build(&loaded.scenario, &loaded.source)?;
    let (flows, nics) = (sim.qp_count(), loaded.scenario.fabric.nics());
    let mut text = format!(
        "{}: good: {flows} flows among {nics} NICs\n",
        plain(&loaded.source)
    );
    for note in &loaded.notes {
        text += &format!("note: {}\n", plain(note));
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
