//! `flowglass presets`.

use crate::failure::Failure;
use crate::output::print;
use scenario::{Preset, paper_presets, presets};
use std::process::ExitCode;

/// Lists the ready-made scenarios, one a line: the name for the command line, and the title. After an empty line come the
/// experiments of the MRC paper, which `flowglass evidence` measures.
///
/// # Errors
/// When standard output cannot be written.
pub fn run() -> Result<ExitCode, Failure> {
    print(&format!("{}\n{}", lines(presets()), lines(paper_presets())))?;
    Ok(ExitCode::SUCCESS)
}

fn lines(presets: &[Preset]) -> String {
    let width = presets.iter().map(|p| p.slug.len()).max().unwrap_or(0);
    presets
        .iter()
        .map(|p| format!("{:width$}  {}\n", p.slug, p.scenario().name))
        .collect()
}
