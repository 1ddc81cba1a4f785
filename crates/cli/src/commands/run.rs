//! `flowglass run`.

use crate::args::Run;
use crate::failure::{Failure, INTERRUPTED, UNFINISHED};
use crate::json::Sink;
use crate::output::{complain, note, print};
use crate::results::Results;
use crate::runner::{self, End};
use crate::summary;
use std::process::ExitCode;

/// Runs a scenario and reports.
///
/// # Errors
/// When the input cannot be run, or the results cannot be written.
pub fn run(options: &Run) -> Result<ExitCode, Failure> {
    let loaded = options.input.load()?;
    let sink = options.json.as_deref().map(Sink::check).transpose()?;
    if !options.quiet {
        note(&loaded.notes);
    }
    let scenario = loaded.scenario.clone();
    let ended = runner::run(&scenario, &loaded.source, options.quiet)?;
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
        End::Until => ExitCode::from(UNFINISHED),
        End::Interrupted => ExitCode::from(INTERRUPTED),
    })
}
