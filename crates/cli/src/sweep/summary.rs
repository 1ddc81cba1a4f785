//! The results of a sweep for people.

use super::results::{Machine, Results, SweepEnd};
use crate::output::plain;
use crate::results::About;
use crate::summary::{count, counted, seeds};
use lab::{End, Metric, Outcome, PointReport, Row, Stats};
use std::fmt::Write;

/// How many of the runs were made, how fast and how many at a time: a line with its end.
pub fn progress(end: SweepEnd, done: usize, runs: usize, machine: &Machine) -> String {
    format!(
        "  {:10}{} of {} runs in {:.3} s, {} at a time\n",
        match end {
            SweepEnd::Finished => "done",
            SweepEnd::Cancelled => "CANCELLED",
        },
        count(done as u64),
        count(runs as u64),
        machine.wall_s,
        machine.jobs
    )
}

/// Runs that went wrong and are listed one by one.
const SHOWN: usize = 5;

/// The whole summary: several lines, each with its end.
pub fn summary(results: &Results) -> String {
    let About { name, source, .. } = &results.scenario;
    with_tables(results, [name, source], table)
}

/// What every sweep says of itself, and a `table` for each value of the varied field. `title` is the scenario's name and source.
pub fn with_tables<A, P, R>(
    results: &Results<A, P, R>,
    title: [&str; 2],
    table: impl Fn(&mut String, Option<&str>, &P),
) -> String {
    let Results { sweep, machine, .. } = results;
    let mut text = String::new();
    let [name, source] = title;
    let title = if name.is_empty() { source } else { name };
    let _ = writeln!(text, "{}", plain(title));
    let values = match &sweep.vary {
        Some(vary) => format!(
            ", {} of {}",
            counted(vary.values.len() as u64, "value"),
            plain(&vary.path)
        ),
        None => String::new(),
    };
    let _ = writeln!(
        text,
        "  sweep     {}: {}{values}",
        counted(sweep.runs as u64, "run"),
        seeds(sweep.seeds)
    );
    text += &progress(sweep.end, sweep.done, sweep.runs, machine);
    for point in &results.points {
        text += "\n";
        table(
            &mut text,
            sweep.vary.as_ref().map(|vary| vary.path.as_str()),
            point,
        );
    }
    text
}

/// The statistics of one value of the varied field.
fn table(text: &mut String, path: Option<&str>, point: &PointReport) {
    if let (Some(path), Some(value)) = (path, point.value_text()) {
        let _ = writeln!(text, "  {} = {}", plain(path), plain(&value));
    }
    let _ = writeln!(
        text,
        "  every flow finished in {} of {} runs",
        point.complete, point.done
    );
    if point.deadlocks > 0 {
        let _ = writeln!(
            text,
            "  {} of {} runs came to a deadlock of paused links",
            point.deadlocks, point.done
        );
    }
    let _ = writeln!(
        text,
        "  {:18}{:>14}{:>14}{:>14}{:>28}{:>7}",
        "", "median", "min", "max", "mean ± 95 % CI", "runs"
    );
    for metric in Metric::ALL {
        let Some(Stats {
            n,
            min,
            median,
            max,
            mean,
            ci95,
        }) = point.stats(metric)
        else {
            continue;
        };
        let label = format!("{} {}", metric.name(), metric.unit());
        let [median, min, max] = [median, min, max].map(|value| figure(metric, value));
        let mean = match ci95 {
            Some(half) => format!("{mean:.3} ± {half:.3}"),
            None => format!("{mean:.3}"),
        };
        let _ = writeln!(text, "  {label:18}{median:>14}{min:>14}{max:>14}{mean:>28}{n:>7}");
    }
}

/// Counts are whole, except for a median between two of them.
fn figure(metric: Metric, value: f64) -> String {
    match metric.unit() {
        "" => value.to_string(),
        _ => format!("{value:.3}"),
    }
}

/// What went wrong in the runs that are over, of so many, for standard error; nothing when all went well.
pub fn trouble(rows: &[Row], end: SweepEnd, runs: usize) -> Option<String> {
    let wrong: Vec<String> = rows.iter().filter_map(complaint).collect();
    let mut text = String::new();
    if end == SweepEnd::Cancelled {
        let _ = writeln!(text, "error: cancelled after {} of {runs} runs", rows.len());
    }
    if !wrong.is_empty() {
        let _ = writeln!(
            text,
            "error: {} of {} runs did not finish every flow",
            wrong.len(),
            rows.len()
        );
        for line in wrong.iter().take(SHOWN) {
            let _ = writeln!(text, "  {line}");
        }
        if wrong.len() > SHOWN {
            let _ = writeln!(text, "  and {} more", wrong.len() - SHOWN);
        }
    }
    (!text.is_empty()).then(|| text.trim_end().to_owned())
}

fn complaint(row: &Row) -> Option<String> {
    let why = match &row.outcome {
        Outcome::Failed { failed } => format!("failed: {}", plain(failed)),
        Outcome::Done(run) if run.end == End::Finished => return None,
        Outcome::Done(run) => format!(
            "{} of {} flows did not finish",
            run.flows - run.finished,
            run.flows
        ),
    };
    let value = match &row.value {
        Some(value) => format!(" with {}", plain(&value.to_string())),
        None => String::new(),
    };
    Some(format!("run {}, seed {}{value}: {why}", row.run, row.seed))
}
