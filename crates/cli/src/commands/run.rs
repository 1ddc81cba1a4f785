//! `flowglass run`.

use crate::args::{Input, Run};
use crate::failure::{Failure, INTERRUPTED, UNFINISHED};
use crate::host;
use crate::input::{Given, Loaded};
use crate::json::Sink;
use crate::output::{complain, note, plain, print};
use crate::results::Results;
use crate::runner::{self, End};
use crate::summary;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs a scenario and reports.
///
/// # Errors
/// When the input cannot be run, or the results cannot be written.
pub fn run(options: &Run) -> Result<ExitCode, Failure> {
    let given = options.input.load_any()?;
    if let Some(out) = &options.json {
        refuse_own_input(&options.input, "--json", out)?;
    }
    let sink = options.json.as_deref().map(Sink::check).transpose()?;
    match given {
        Given::Fabric(loaded) => run_fabric(*loaded, options, sink),
        Given::Host(loaded) => run_host(*loaded, options, sink),
    }
}

fn run_host(
    loaded: Loaded<scenario::host::HostScenario>,
    options: &Run,
    sink: Option<Sink>,
) -> Result<ExitCode, Failure> {
    if options.threads.is_some_and(|threads| threads > 1) {
        return Err(Failure::Input(format!(
            "error: --threads: {} is a host, and a host's run has one thread",
            loaded.source
        )));
    }
    if !options.quiet {
        note(&loaded.notes);
    }
    let ended = host::runner::run(&loaded.scenario, &loaded.source, options.quiet)?;
    let results = host::results::Results::of(loaded, &ended);
    let mut outcome = Ok(());
    if !options.quiet {
        let text = host::summary::summary(&results);
        if matches!(sink, Some(Sink::Stdout)) {
            complain(text.trim_end());
        } else {
            outcome = print(&text);
        }
    }
    // A summary that could not be printed is no reason to lose the file, too.
    if let Some(sink) = sink {
        outcome = sink.write_with(|out| results.write(out)).and(outcome);
    }
    outcome?;
    Ok(match ended.interrupted {
        false => ExitCode::SUCCESS,
        true => ExitCode::from(INTERRUPTED),
    })
}

fn run_fabric(loaded: Loaded, options: &Run, sink: Option<Sink>) -> Result<ExitCode, Failure> {
    if !options.quiet {
        note(&loaded.notes);
    }
    let scenario = loaded.scenario.clone();
    let ended = runner::run(&scenario, &loaded.source, options.threads, options.quiet)?;
    let results = Results::of(loaded, &ended);
    let mut outcome = Ok(());
    if !options.quiet {
        let text = summary::summary(&results, &scenario);
        if matches!(sink, Some(Sink::Stdout)) {
            complain(text.trim_end());
        } else {
            outcome = print(&text);
        }
    }
    // A summary that could not be printed is no reason to lose the file, too.
    if let Some(sink) = sink {
        outcome = sink.write(&results).and(outcome);
    }
    if let Some(text) = summary::unfinished(&results, &scenario) {
        complain(&text);
    }
    outcome?;
    Ok(match results.run.end {
        End::Finished => ExitCode::SUCCESS,
        End::Until | End::Failed => ExitCode::from(UNFINISHED),
        End::Interrupted => ExitCode::from(INTERRUPTED),
    })
}

/// The results must not replace a file that the run was read from. `option` is the one that names the file.
pub fn refuse_own_input(input: &Input, option: &str, out: &Path) -> Result<(), Failure> {
    let Ok(target) = fs::canonicalize(out) else {
        return Ok(());
    };
    let scenario = input.scenario.as_ref().map(PathBuf::from);
    for read in [&scenario, &input.matrix, &input.topology].into_iter().flatten() {
        if fs::canonicalize(read).is_ok_and(|read| read == target) {
            return Err(Failure::Input(format!(
                "{option} {}: is the file that the run is read from; expected another one",
                plain(&out.to_string_lossy())
            )));
        }
    }
    Ok(())
}
