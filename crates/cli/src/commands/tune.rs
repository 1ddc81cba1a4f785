//! `flowglass tune`.

use super::run::refuse_own_input;
use crate::args::SeedRange;
use crate::failure::{Failure, INTERRUPTED, UNFINISHED};
use crate::json::Sink;
use crate::output::{complain, note, plain, print};
use crate::runner;
use crate::sweep::jobs::{self, Jobs};
use crate::sweep::progress::Progress;
use crate::sweep::results::Machine;
use crate::tune::args::Tune;
use crate::tune::results::{Results, csv};
use crate::tune::summary::summary;
use lab::tune::held_out::complete;
use lab::{Seeds, Sweep};
use scenario::Scenario;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Searches the best setting for a workload and reports.
///
/// # Errors
/// When the input cannot be run, or the results cannot be written.
pub fn run(options: &Tune) -> Result<ExitCode, Failure> {
    let loaded = options.input.load()?;
    let sinks = Sinks::check(options)?;
    let wrong = |why: String| Failure::Input(format!("{}: {}", plain(&loaded.source), plain(&why)));
    let tune = lab::tune::Tune {
        space: lab::tune::Tune::space_of(&loaded.scenario, &options.vary).map_err(wrong)?,
        scenario: loaded.scenario.clone(),
        metric: options.metric,
        budget: options.budget,
        seeds: seeds(options, loaded.scenario.seed)?,
        check_seeds: options.check_seeds,
    };
    tune.check().map_err(wrong)?;
    let sweep = Sweep {
        scenario: largest(&tune),
        seeds: Seeds {
            count: tune.runs().min(lab::MAX_RUNS) as u32,
            // Only how many runs there are decides.
            first: 0,
        },
        vary: None,
    };
    let plan = sweep.plan().map_err(Failure::input)?;
    let Jobs { count, note: fewer } = jobs::decide(&plan, options.jobs, &loaded.source)?;
    if !options.quiet {
        note(&loaded.notes);
        note(fewer.as_slice());
    }

    let stop = runner::stop_on_signal();
    let progress = Progress::new(options.quiet, tune.runs());
    let began = Instant::now();
    let tuned = tune.run(count, &stop, |overall| progress.update(overall));
    let wall = began.elapsed();
    runner::no_more_to_stop(&stop);
    progress.clear();
    let tuned = tuned.map_err(|e| Failure::Io(format!("error: {e}")))?;
    let results = Results::of(tune, tuned, loaded, Machine::of(count, wall), command());
    report(options, &results, sinks)
}

fn report(options: &Tune, results: &Results, sinks: Sinks) -> Result<ExitCode, Failure> {
    let mut outcome = Ok(());
    if !options.quiet {
        let text = summary(results);
        if sinks.all().any(|sink| matches!(sink, Sink::Stdout)) {
            complain(text.trim_end());
        } else {
            outcome = print(&text);
        }
    }
    // What could not be written in one place is no reason to lose the others.
    if let Some(sink) = &sinks.json {
        outcome = sink.write_with(|out| results.write(out)).and(outcome);
    }
    if let Some(sink) = &sinks.csv {
        let csv = csv(&results.tune, &results.tuned);
        outcome = sink.write_with(|out| out.write_all(csv.as_bytes())).and(outcome);
    }
    if let (Some(sink), Some(best)) = (&sinks.out, &results.best) {
        let json = best.to_json_pretty();
        outcome = sink.write_with(|out| writeln!(out, "{json}")).and(outcome);
    }
    outcome?;
    let tuned = &results.tuned;
    if tuned.stopped {
        let spent = tuned.found.spent();
        complain(&format!(
            "error: cancelled after {spent} of {} runs of the search",
            results.tune.budget
        ));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let best = tuned.best.map(|best| &tuned.found.candidates[best].runs);
    let finished = best.is_some_and(|runs| runs.iter().all(|run| run.finished >= 1.0));
    let [_, held_out] = &tuned.held_out;
    if !finished || complete(held_out) < held_out.len() {
        complain("error: with the best setting, too, some flow did not finish in some run");
        return Ok(ExitCode::from(UNFINISHED));
    }
    Ok(ExitCode::SUCCESS)
}

/// The scenario that needs the most memory, by which the runs at a time are decided: with as many QPs, or EVs, as it may have.
fn largest(tune: &lab::tune::Tune) -> Scenario {
    let levels: Vec<usize> = (tune.space.parameters.iter())
        .map(|parameter| match parameter.path.as_str() {
            "transport.qps" | "transport.evs" if parameter.ordered => parameter.levels.len() - 1,
            _ => parameter.own,
        })
        .collect();
    let largest = tune.space.scenario(&tune.scenario, &levels).ok();
    largest
        .filter(|scenario| scenario.validate().is_ok())
        .unwrap_or_else(|| tune.scenario.clone())
}

/// Where the results go.
struct Sinks {
    json: Option<Sink>,
    csv: Option<Sink>,
    out: Option<Sink>,
}

impl Sinks {
    /// Makes sure that they can be written, each in a place of its own.
    fn check(options: &Tune) -> Result<Sinks, Failure> {
        let places = [
            ("--json", &options.json),
            ("--csv", &options.csv),
            ("--out", &options.out),
        ];
        for (at, (name, place)) in places.iter().enumerate() {
            let Some(place) = place else { continue };
            refuse_own_input(&options.input, name, place)?;
            if let Some((other, _)) = places[..at]
                .iter()
                .find(|(_, other)| other.as_ref() == Some(place))
            {
                return Err(Failure::Input(format!(
                    "error: {other} and {name} name the same place; expected two"
                )));
            }
        }
        let check = |place: &Option<PathBuf>| place.as_deref().map(Sink::check).transpose();
        Ok(Sinks {
            json: check(&options.json)?,
            csv: check(&options.csv)?,
            out: check(&options.out)?,
        })
    }

    fn all(&self) -> impl Iterator<Item = &Sink> {
        [&self.json, &self.csv, &self.out].into_iter().flatten()
    }
}

fn seeds(options: &Tune, first: u64) -> Result<Seeds, Failure> {
    match options.seeds {
        SeedRange::Count(count) => Ok(Seeds { first, count }),
        SeedRange::Range(seeds) if options.input.seed.is_none() => Ok(seeds),
        SeedRange::Range(_) => Err(Failure::Input(
            "error: --seed says where the seeds begin, and so does --seeds A..B; expected one of them".into(),
        )),
    }
}

/// The command line, so that it can be given again.
fn command() -> String {
    let words = std::env::args_os()
        .skip(1)
        .map(|word| quoted(&word.to_string_lossy()));
    ["flowglass".into()]
        .into_iter()
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "-_./=,:@+".contains(c);
    match !word.is_empty() && word.chars().all(harmless) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_them() {
        assert_eq!(quoted("transport.qps=1,4"), "transport.qps=1,4");
        assert_eq!(
            quoted("traffic[0].bytes=1kB..1MB:log"),
            "'traffic[0].bytes=1kB..1MB:log'"
        );
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
