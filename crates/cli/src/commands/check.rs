//! `flowglass check`.

use crate::args::Input;
use crate::failure::Failure;
use crate::output::{note, plain, print};
use crate::runner;
use crate::summary::counted;
use sim::observer::Nobody;
use std::process::ExitCode;

/// Does everything that a run does before its first event, and says so.
///
/// # Errors
/// When the input cannot be run.
pub fn run(input: &Input) -> Result<ExitCode, Failure> {
    let loaded = input.load()?;
    let sim = runner::build(&loaded.scenario, &loaded.source, Nobody, 1)?;
    let nics = loaded.scenario.fabric.nics();
    print(&format!(
        "{}: good: {} among {}\n",
        plain(&loaded.source),
        counted(sim.qp_count().into(), "flow"),
        counted(nics, "NIC")
    ))?;
    note(&loaded.notes);
    Ok(ExitCode::SUCCESS)
}
