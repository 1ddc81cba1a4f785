//! `flowglass presets`.

use crate::failure::Failure;
use crate::output::print;
use scenario::host::host_presets;
use scenario::{paper_presets, presets, versus_presets};
use std::process::ExitCode;

/// Lists the ready-made scenarios, one a line: the name for the command line, and the title. After an empty line come the
/// experiments of the MRC paper, which `flowglass evidence` measures, then RoCE against MRC, and at the end those of a host with VMs.
///
/// # Errors
/// When standard output cannot be written.
pub fn run() -> Result<ExitCode, Failure> {
    let fabrics = presets().iter().map(|p| (p.slug, p.scenario().name));
    let paper = paper_presets().iter().map(|p| (p.slug, p.scenario().name));
    let versus = versus_presets().iter().map(|p| (p.slug, p.scenario().name));
    let hosts = host_presets().iter().map(|p| (p.slug, p.scenario().name));
    let lists = [lines(fabrics), lines(paper), lines(versus), lines(hosts)];
    print(&lists.join("\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn lines(presets: impl Iterator<Item = (&'static str, String)> + Clone) -> String {
    let width = presets.clone().map(|(slug, _)| slug.len()).max().unwrap_or(0);
    presets
        .map(|(slug, name)| format!("{slug:width$}  {name}\n"))
        .collect()
}
