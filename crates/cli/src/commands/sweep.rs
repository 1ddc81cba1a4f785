//! `flowglass sweep`.

use super::run::refuse_own_input;
use crate::args::{SeedRange, Sweep};
use crate::failure::{Failure, INTERRUPTED, UNFINISHED};
use crate::json::Sink;
use crate::output::{complain, note, plain, print};
use crate::runner;
use crate::sweep::jobs::{self, Jobs};
use crate::sweep::progress::Progress;
use crate::sweep::results::{Results, SweepEnd};
use crate::sweep::summary;
use lab::{Seeds, Vary};
use scenario::Problem;
use std::process::ExitCode;
use std::time::Instant;

/// Runs a scenario with many seeds and reports.
///
/// # Errors
/// When the input cannot be run, or the results cannot be written.
pub fn run(options: &Sweep) -> Result<ExitCode, Failure> {
    let loaded = options.input.load()?;
    for (name, out) in [("--json", &options.json), ("--csv", &options.csv)] {
        if let Some(out) = out {
            refuse_own_input(&options.input, name, out)?;
        }
    }
    if options.json.is_some() && options.json == options.csv {
        return Err(Failure::Input(
            "error: --json and --csv name the same place; expected two".into(),
        ));
    }
    let json = options.json.as_deref().map(Sink::check).transpose()?;
    let csv = options.csv.as_deref().map(Sink::check).transpose()?;

    let sweep = lab::Sweep {
        scenario: loaded.scenario.clone(),
        seeds: seeds(options, loaded.scenario.seed)?,
        vary: options.vary.clone(),
    };
    let plan = sweep.plan().map_err(|problems| {
        let problems = problems.into_iter();
        Failure::input(problems.map(|found| as_typed(found, options.vary.as_ref())))
    })?;
    let Jobs { count, note: fewer } = jobs::decide(&plan, options.jobs, &loaded.source)?;
    if !options.quiet {
        note(&loaded.notes);
        // Not among those of the results, which do not depend on the machine.
        note(fewer.as_slice());
    }

    let stop = runner::stop_on_signal();
    let progress = Progress::new(options.quiet, plan.runs());
    let began = Instant::now();
    let rows = lab::run_all(&plan, count, &stop, |overall| progress.update(overall));
    let wall = began.elapsed();
    runner::no_more_to_stop(&stop);
    progress.clear();
    let rows = rows.map_err(|e| Failure::Io(format!("error: {e}")))?;
    let results = Results::of(&plan, loaded, rows, count, wall);

    let mut outcome = Ok(());
    if !options.quiet {
        let text = summary::summary(&results);
        if [&json, &csv]
            .iter()
            .any(|sink| matches!(sink, Some(Sink::Stdout)))
        {
            complain(text.trim_end());
        } else {
            outcome = print(&text);
        }
    }
    // What could not be written in one place is no reason to lose the others.
    if let Some(sink) = json {
        outcome = sink.write_with(|out| results.write(out)).and(outcome);
    }
    if let Some(sink) = csv {
        outcome = sink
            .write_with(|out| out.write_all(lab::csv(&results.rows).as_bytes()))
            .and(outcome);
    }
    if let Some(text) = summary::trouble(&results) {
        complain(&text);
    }
    outcome?;
    Ok(match results.sweep.end {
        SweepEnd::Cancelled => ExitCode::from(INTERRUPTED),
        SweepEnd::Finished if results.sweep.complete < results.sweep.runs => ExitCode::from(UNFINISHED),
        SweepEnd::Finished => ExitCode::SUCCESS,
    })
}

/// The same about the option that it came from.
fn as_typed(mut found: Problem, vary: Option<&Vary>) -> Problem {
    let Some(vary) = vary else {
        return found;
    };
    let index = |field: &str| {
        field
            .strip_prefix("vary.values[")?
            .strip_suffix(']')?
            .parse()
            .ok()
    };
    if let Some(value) = index(&found.field).and_then(|index: usize| vary.values.get(index)) {
        let value = value.as_str().map_or_else(|| value.to_string(), plain);
        found.field = format!("--vary {}={value}", plain(&vary.path));
    } else if found.field.starts_with("vary.") {
        found.field = "--vary".into();
    }
    found
}

fn seeds(options: &Sweep, first: u64) -> Result<Seeds, Failure> {
    match options.seeds {
        SeedRange::Count(count) => Ok(Seeds { first, count }),
        SeedRange::Range(seeds) if options.input.seed.is_none() => Ok(seeds),
        SeedRange::Range(_) => Err(Failure::Input(
            "error: --seed says where the seeds begin, and so does --seeds A..B; expected one of them".into(),
        )),
    }
}
