//! `flowglass import`.

use crate::args::Import;
use crate::failure::Failure;
use crate::json::Sink;
use crate::output::{note, plain};
use crate::text_file;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// Reads policies and traffic and writes a host scenario. What is not used, or not as it stands there, is said on standard
/// error.
///
/// # Errors
/// When a file cannot be read or used, or the scenario cannot be written.
pub fn run(options: &Import) -> Result<ExitCode, Failure> {
    let out = options.out.as_deref().unwrap_or(Path::new("-"));
    if let Ok(target) = fs::canonicalize(out)
        && options
            .files
            .iter()
            .any(|file| fs::canonicalize(file).is_ok_and(|read| read == target))
    {
        return Err(Failure::Input(format!(
            "--out {}: is a file that is imported; expected another one",
            plain(&out.to_string_lossy())
        )));
    }
    let sink = Sink::check(out)?;
    let mut how = imports::Options {
        vm: options.vm_addresses.clone(),
        tags: options.tags.iter().cloned().collect(),
        ..imports::Options::default()
    };
    if !options.vnet.is_empty() {
        how.vnet.clone_from(&options.vnet);
    }
    let mut inputs = Vec::new();
    let mut notes = Vec::new();
    for file in &options.files {
        let name = plain(&file.to_string_lossy());
        let bytes = text_file::read_bytes(file, imports::MAX_BYTES)?;
        let imported = imports::import(&bytes, &how)
            .map_err(|e| Failure::input(e.to_string().lines().map(|line| format!("{name}: {line}"))))?;
        notes.extend(imported.notes.iter().map(|note| format!("{name}: {note}")));
        inputs.push((name, imported));
    }
    let (scenario, more) = imports::host_scenario(&inputs, &how).map_err(Failure::input)?;
    notes.extend(more.iter().map(ToString::to_string));
    note(&notes);
    sink.write_with(|out| writeln!(out, "{}", scenario.to_json_pretty()))?;
    Ok(ExitCode::SUCCESS)
}
