//! `flowglass import`.

use crate::args::Import;
use crate::failure::Failure;
use crate::json::Sink;
use crate::output::{note, plain};
use crate::text_file;
use imports::{Content, Imported};
use std::collections::BTreeMap;
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
    let files = options.files.iter().map(|file| {
        let bytes = text_file::read_bytes(file, imports::MAX_BYTES)?;
        Ok((plain(&file.to_string_lossy()), bytes))
    });
    let files = files.collect::<Result<Vec<_>, Failure>>()?;
    let read = |name: &str, bytes: &[u8], how: &imports::Options| {
        imports::import(bytes, how)
            .map_err(|e| Failure::input(e.to_string().lines().map(|line| format!("{name}: {line}"))))
    };
    let mut inputs = Vec::new();
    let mut tags = BTreeMap::new();
    for (name, bytes) in &files {
        let imported = read(name, bytes, &how)?;
        if let Content::ServiceTags(own) = &imported.content {
            tags.extend(own.clone());
        }
        inputs.push((name.clone(), imported));
    }
    if !tags.is_empty() {
        // What the command line says comes before what a file says.
        tags.extend(how.tags);
        how.tags = tags;
        for ((name, imported), (_, bytes)) in inputs.iter_mut().zip(&files) {
            if matches!(imported.content, Content::SecurityGroups(_)) {
                *imported = read(name, bytes, &how)?;
            }
        }
    }
    let of_file = |(name, imported): &(String, Imported)| -> Vec<String> {
        let notes = imported.notes.iter();
        notes.map(|note| format!("{name}: {note}")).collect()
    };
    let mut notes: Vec<String> = inputs.iter().flat_map(of_file).collect();
    let (scenario, more) = imports::host::scenario(&inputs, &how).map_err(Failure::input)?;
    notes.extend(more.iter().map(ToString::to_string));
    note(&notes);
    sink.write_with(|out| writeln!(out, "{}", scenario.to_json_pretty()))?;
    Ok(ExitCode::SUCCESS)
}
