//! `flowglass import`.

use crate::args::Import;
use crate::failure::Failure;
use crate::json::Sink;
use crate::output::{note, plain};
use crate::text_file;
use imports::Imported;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// What standard input is called in messages.
const STDIN: &str = "<stdin>";

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
    let imported = read(&options.files, &options.how.options())?;
    let mut notes = imported.notes;
    let (scenario, more) =
        imports::host::scenario(&imported.inputs, &imported.options).map_err(Failure::input)?;
    notes.extend(more.into_iter().map(|note| (note.minor, note.to_string())));
    // What says nothing about packets comes last.
    notes.sort_by_key(|(minor, _)| *minor);
    note(&notes.into_iter().map(|(_, note)| note).collect::<Vec<_>>());
    sink.write_with(|out| writeln!(out, "{}", scenario.to_json_pretty()))?;
    Ok(ExitCode::SUCCESS)
}

/// Files that were read.
pub struct Read {
    /// Each with its name.
    pub inputs: Vec<(String, Imported)>,
    /// With the tags of the files.
    pub options: imports::Options,
    /// Each with whether it says nothing about packets.
    pub notes: Vec<(bool, String)>,
}

/// Reads files in the import's formats; `-` is standard input.
///
/// # Errors
/// When a file cannot be read, or something in it is wrong.
pub fn read(files: &[impl AsRef<Path>], options: &imports::Options) -> Result<Read, Failure> {
    let mut contents = Vec::new();
    for file in files.iter().map(AsRef::as_ref) {
        let name = plain(&file.to_string_lossy());
        if file != Path::new("-") {
            contents.push((name, text_file::read_bytes(file, imports::MAX_BYTES)?));
            continue;
        }
        if contents.iter().any(|(name, _)| name == STDIN) {
            return Err(Failure::Input(
                "error: -: is there twice; standard input can be read once".into(),
            ));
        }
        contents.push((STDIN.into(), text_file::read_stdin_bytes(imports::MAX_BYTES)?));
    }
    let files: Vec<(&str, &[u8])> = contents
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    let read = imports::files::read(&files, options)
        .map_err(|error| Failure::input(error.to_string().lines().map(str::to_owned)))?;
    let general = read.notes.iter().map(|note| (note.minor, note.to_string()));
    let of_file = read.inputs.iter().flat_map(|(name, imported)| {
        let notes = imported.notes.iter();
        notes.map(move |note| (note.minor, format!("{name}: {note}")))
    });
    let mut notes: Vec<(bool, String)> = general.chain(of_file).collect();
    notes.sort_by_key(|(minor, _)| *minor);
    Ok(Read {
        notes,
        inputs: read.inputs,
        options: read.options,
    })
}
