//! `flowglass process-tuples`.

use crate::args::ProcessTuples;
use crate::failure::Failure;
use crate::json::{Sink, list, part};
use crate::output::{note, plain, print};
use crate::tuple::answer::Answer;
use crate::tuple::parse::parse;
use crate::tuple::source::Source;
use crate::tuple::text::text;
use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;

/// Version of the form that `--json` writes; it grows when a field changes its meaning or goes away.
const FORMAT: u32 = 1;

/// Says what would become of packets, layer by layer, without sending any.
///
/// # Errors
/// When the input has no policy, a tuple is wrong, or the answers cannot be written.
pub fn run(options: &ProcessTuples) -> Result<ExitCode, Failure> {
    // What stands before the first packet and is a file is one.
    let is_file = |argument: &&String| Path::new(argument.as_str()).is_file();
    let files: Vec<&OsStr> = options
        .tuples
        .iter()
        .take_while(is_file)
        .map(OsStr::new)
        .collect();
    let tuples = options.tuples.get(files.len()..).unwrap_or_default();
    if tuples.is_empty() {
        return Err(Failure::Input(
            "error: there is no packet; expected one such as 'tcp 203.0.113.9 51000 10.1.0.4 443 in'".into(),
        ));
    }
    let described: Vec<_> = tuples
        .iter()
        .map(|line| parse(line).map_err(|why| format!("error: tuple {:?}: {why}", plain(line))))
        .collect();
    if described.iter().any(Result::is_err) {
        return Err(Failure::input(described.into_iter().filter_map(Result::err)));
    }
    let sink = options.json.as_deref().map(Sink::check).transpose()?;
    let source = Source::read(&options.source, &files, &options.how, options.at)?;
    let Some(port) = source.port(options.vm) else {
        return Err(Failure::Input(format!(
            "error: --vm {}: {} has {}; expected 0 to {}",
            options.vm,
            plain(&source.name),
            source.count(),
            source.count().saturating_sub(1)
        )));
    };
    let answers: Vec<Answer> = described
        .iter()
        .flatten()
        .map(|described| Answer::of(port, described, source.software()))
        .collect();
    note(&source.notes);
    if !matches!(sink, Some(Sink::Stdout)) {
        let name = source.port_name(options.vm);
        let texts: Vec<String> = answers.iter().map(|answer| text(&name, answer)).collect();
        print(&texts.join("\n"))?;
    }
    if let Some(sink) = sink {
        sink.write_with(|out| {
            writeln!(out, "{{")?;
            part(out, "format", &FORMAT)?;
            part(out, "source", &source.name)?;
            part(out, "port", &source.port_name(options.vm))?;
            part(out, "notes", &source.notes)?;
            list(out, "packets", &answers)?;
            writeln!(out, "}}")
        })?;
    }
    Ok(ExitCode::SUCCESS)
}
