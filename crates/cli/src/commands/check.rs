//! `flowglass check`.

use crate::args::Input;
use crate::failure::Failure;
use crate::host;
use crate::input::Given;
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
    let (good, notes) = match input.load_any()? {
        Given::Fabric(loaded) => {
            let sim = runner::build(&loaded.scenario, &loaded.source, Nobody, 1)?;
            let flows = counted(sim.qp_count().into(), "flow");
            let nics = counted(loaded.scenario.fabric.nics(), "NIC");
            let source = plain(&loaded.source);
            (format!("{source}: good: {flows} among {nics}\n"), loaded.notes)
        }
        Given::Host(loaded) => {
            host::runner::build(&loaded.scenario, &loaded.source)?;
            let vms = counted(loaded.scenario.vms.len() as u64, "VM");
            let traffic = counted(loaded.scenario.traffic.len() as u64, "kind");
            let source = plain(&loaded.source);
            (
                format!("{source}: good: a host with {vms} and {traffic} of traffic\n"),
                loaded.notes,
            )
        }
    };
    print(&good)?;
    note(&notes);
    Ok(ExitCode::SUCCESS)
}
