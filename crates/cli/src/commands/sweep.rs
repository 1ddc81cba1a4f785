//! `flowglass sweep`.

use super::run::refuse_own_input;
use crate::args::{SeedRange, Sweep};
use crate::failure::{Failure, INTERRUPTED, UNFINISHED};
use crate::host::sweep as of_host;
use crate::input::{Given, Loaded};
use crate::output::{complain, note, plain};
use crate::runner;
use crate::sweep::jobs::{self, Jobs};
use crate::sweep::progress::Progress;
use crate::sweep::results::{Outline, Results, SweepEnd};
use crate::sweep::sinks::Sinks;
use crate::sweep::summary;
use lab::{Plan, Seeds, Subject, Vary};
use scenario::Problem;
use scenario::host::HostScenario;
use std::process::ExitCode;
use std::time::Instant;

/// Runs a scenario with many seeds and reports.
///
/// # Errors
/// When the input cannot be run, or the results cannot be written.
pub fn run(options: &Sweep) -> Result<ExitCode, Failure> {
    let given = options.input.load_any()?;
    for (name, out) in [("--json", &options.json), ("--csv", &options.csv)] {
        if let Some(out) = out {
            refuse_own_input(&options.input, name, out)?;
        }
    }
    let sinks = Sinks::check(options.json.as_deref(), options.csv.as_deref())?;
    match given {
        Given::Fabric(loaded) => run_fabric(*loaded, options, sinks),
        Given::Host(loaded) => run_host(*loaded, options, sinks),
    }
}

fn plan<S: Subject>(scenario: &S, seed: u64, options: &Sweep) -> Result<Plan<S>, Failure> {
    let sweep = lab::Sweep {
        scenario: scenario.clone(),
        seeds: seeds(options, seed)?,
        vary: options.vary.clone(),
    };
    sweep.plan().map_err(|problems| {
        let problems = problems.into_iter();
        Failure::input(problems.map(|found| as_typed(found, options.vary.as_ref())))
    })
}

fn run_host(loaded: Loaded<HostScenario>, options: &Sweep, sinks: Sinks) -> Result<ExitCode, Failure> {
    let plan = plan(&loaded.scenario, loaded.scenario.seed, options)?;
    let Jobs { count, note: fewer } = jobs::decide_host(&plan, options.jobs, &loaded.source)?;
    if !options.quiet {
        note(&loaded.notes);
        note(fewer.as_slice());
    }
    let stop = runner::stop_on_signal();
    let progress = Progress::new(options.quiet, plan.runs());
    let began = Instant::now();
    let rows = lab::host::run_all_hosts(&plan, count, &stop, |overall| progress.update(overall));
    let wall = began.elapsed();
    runner::no_more_to_stop(&stop);
    progress.clear();
    let rows = rows.map_err(|e| Failure::Io(format!("error: {e}")))?;
    let results = of_host::HostResults::of_host(&plan, loaded, rows, count, wall);

    let text = (!options.quiet).then(|| of_host::summary(&results));
    let outcome = sinks.write(
        text.as_deref(),
        |out| results.write(out),
        || lab::host::csv(&results.rows),
    );
    for row in &results.rows {
        if let Err(why) = &row.result {
            complain(&format!(
                "error: run {}, seed {}: failed: {}",
                row.run,
                row.seed,
                plain(why)
            ));
        }
    }
    outcome?;
    Ok(match results.sweep.end {
        SweepEnd::Cancelled => {
            complain(&format!(
                "error: cancelled after {} of {} runs",
                results.rows.len(),
                results.sweep.runs
            ));
            ExitCode::from(INTERRUPTED)
        }
        SweepEnd::Finished if results.sweep.failed > 0 => ExitCode::from(UNFINISHED),
        SweepEnd::Finished => ExitCode::SUCCESS,
    })
}

fn run_fabric(loaded: Loaded, options: &Sweep, sinks: Sinks) -> Result<ExitCode, Failure> {
    let plan = plan(&loaded.scenario, loaded.scenario.seed, options)?;
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

    let text = (!options.quiet).then(|| summary::summary(&results));
    let outcome = sinks.write(
        text.as_deref(),
        |out| results.write(out),
        || lab::csv(&results.rows),
    );
    let Outline { end, runs, .. } = results.sweep;
    if let Some(text) = summary::trouble(&results.rows, end, runs) {
        complain(&text);
    }
    outcome?;
    Ok(match results.sweep.end {
        SweepEnd::Cancelled => ExitCode::from(INTERRUPTED),
        SweepEnd::Finished if results.sweep.complete < Some(results.sweep.runs) => ExitCode::from(UNFINISHED),
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
