//! `flowglass compare`.

use super::card::refuse_own_input;
use crate::args::SeedRange;
use crate::compare::args::Compare;
use crate::compare::results::Results;
use crate::compare::text;
use crate::failure::{Failure, INTERRUPTED, UNFINISHED};
use crate::input::{Loaded, compared};
use crate::output::{complain, note};
use crate::runner;
use crate::sweep::jobs::{self, Jobs};
use crate::sweep::progress::Progress;
use crate::sweep::results::{Machine, SweepEnd};
use crate::sweep::sinks::Sinks;
use crate::sweep::summary::trouble;
use lab::compare::{Comparison, letter, run_comparison};
use lab::{Metric, Seeds};
use scenario::Scenario;
use std::process::ExitCode;
use std::time::Instant;

/// Runs scenarios with the same seeds and says what differs.
///
/// # Errors
/// When the input cannot be run, or the results cannot be written.
pub fn run(options: &Compare) -> Result<ExitCode, Failure> {
    let loaded = compared(&options.scenarios)?;
    for (name, out) in [("--json", &options.json), ("--csv", &options.csv)] {
        if let Some(out) = out {
            refuse_own_input(&options.scenarios, name, out)?;
        }
    }
    let sinks = Sinks::check(options.json.as_deref(), options.csv.as_deref())?;
    let metrics = match options.metrics.as_slice() {
        [] => Metric::ALL.to_vec(),
        // In their usual order, and each once.
        wanted => Metric::ALL
            .into_iter()
            .filter(|metric| wanted.contains(metric))
            .collect(),
    };
    let scenarios: Vec<Scenario> = loaded.iter().map(|loaded| loaded.scenario.clone()).collect();
    refuse_impossible(&options.metrics, &scenarios)?;
    let seeds = seeds(options, &loaded)?;
    let comparison = Comparison::of(scenarios, seeds).map_err(Failure::input)?;
    let sources = loaded
        .iter()
        .map(|loaded| (&loaded.scenario, loaded.source.as_str()));
    let Jobs { count, note: fewer } = jobs::decide_all(comparison.runs(), options.jobs, sources)?;
    if !options.quiet {
        // Not among those of the results, which do not depend on the machine.
        note(fewer.as_slice());
    }

    let stop = runner::stop_on_signal();
    let progress = Progress::new(options.quiet, comparison.runs());
    let began = Instant::now();
    let rows = run_comparison(&comparison, count, &stop, |overall| progress.update(overall));
    let wall = began.elapsed();
    runner::no_more_to_stop(&stop);
    progress.clear();
    let rows = rows.map_err(|e| Failure::Io(format!("error: {e}")))?;
    let results = Results::of(&comparison, &metrics, loaded, rows, Machine::of(count, wall));

    let text = (!options.quiet).then(|| text::summary(&results));
    let outcome = sinks.write(
        text.as_deref(),
        |out| results.write(out),
        || lab::csv(&results.rows),
    );
    let outline = &results.comparison;
    if let Some(text) = trouble(&results.rows, outline.end, outline.runs) {
        complain(&text);
    }
    outcome?;
    Ok(match outline.end {
        SweepEnd::Cancelled => ExitCode::from(INTERRUPTED),
        SweepEnd::Finished if outline.complete < outline.runs => ExitCode::from(UNFINISHED),
        SweepEnd::Finished => ExitCode::SUCCESS,
    })
}

/// Refuses a figure that no two of the scenarios can have.
fn refuse_impossible(metrics: &[Metric], scenarios: &[Scenario]) -> Result<(), Failure> {
    let Some((first, others)) = scenarios.split_first() else {
        return Ok(());
    };
    let in_pair = |metric: Metric| {
        metric.impossible_in(first).is_none()
            && others.iter().any(|other| metric.impossible_in(other).is_none())
    };
    if let Some(metric) = metrics.iter().find(|metric| !in_pair(**metric)) {
        let lacking: Vec<String> = (scenarios.iter().enumerate())
            .filter_map(|(side, scenario)| {
                Some(format!("of {} {}", letter(side), metric.impossible_in(scenario)?))
            })
            .collect();
        let possible = Metric::ALL.into_iter().filter(|metric| in_pair(*metric));
        let possible: Vec<&str> = possible.map(Metric::field).collect();
        return Err(Failure::Input(format!(
            "error: --metric {}: A and another scenario must have it, and {}; expected one of {}",
            metric.field(),
            lacking.join(", "),
            possible.join(", ")
        )));
    }
    Ok(())
}

fn seeds(options: &Compare, loaded: &[Loaded]) -> Result<Seeds, Failure> {
    let own = loaded.first().map_or(0, |loaded| loaded.scenario.seed);
    match options.seeds {
        SeedRange::Count(count) => Ok(Seeds {
            first: options.first_seed.unwrap_or(own),
            count,
        }),
        SeedRange::Range(seeds) if options.first_seed.is_none() => Ok(seeds),
        SeedRange::Range(_) => Err(Failure::Input(
            "error: --first-seed says where the seeds begin, and so does --seeds A..B; expected one of them"
                .into(),
        )),
    }
}
