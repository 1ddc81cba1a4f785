//! The results of a sweep over a host, as a value and for people; `docs/results-json.md` says what each field means.

use super::results::Source;
use crate::input::Loaded;
use crate::json::{list, part};
use crate::memory;
use crate::output::plain;
use crate::summary::count;
use crate::sweep::results::{Machine, SweepEnd};
use lab::host::{Figure, HostPoint, HostReport, HostRow};
use lab::{Plan, Seeds, Stats, Vary};
use scenario::host::HostScenario;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

/// Version of the form that `--json` writes; it grows when a field changes its meaning or goes away.
const FORMAT: u32 = 1;

/// Everything that `--json` writes.
pub struct Results {
    /// The sweep itself.
    pub sweep: Outline,
    /// What was run, with the first seed.
    pub scenario: Source,
    /// What depends on the machine; nothing else does.
    pub machine: Machine,
    /// How the input was understood.
    pub notes: Vec<String>,
    /// Statistics, value by value.
    pub report: HostReport,
    /// The runs that are over, in the order of the plan.
    pub rows: Vec<HostRow>,
}

/// The sweep itself.
#[derive(Debug, Serialize)]
pub struct Outline {
    /// Why it ended.
    pub end: SweepEnd,
    /// Runs in the plan.
    pub runs: usize,
    /// Runs that ran to their end.
    pub done: usize,
    /// Runs that failed.
    pub failed: usize,
    /// The seeds.
    pub seeds: Seeds,
    /// The varied field.
    pub vary: Option<Vary>,
    /// Version of Flowglass.
    pub version: &'static str,
}

impl Results {
    /// The results of a sweep: as many rows as were over when it ended.
    pub fn of(
        plan: &Plan<HostScenario>,
        loaded: Loaded<HostScenario>,
        rows: Vec<HostRow>,
        jobs: usize,
        wall: Duration,
    ) -> Results {
        let report = HostReport::of(plan, &rows);
        let mut scenario = loaded.scenario;
        scenario.seed = plan.seeds().first;
        Results {
            sweep: Outline {
                end: match rows.len() == plan.runs() {
                    true => SweepEnd::Finished,
                    false => SweepEnd::Cancelled,
                },
                runs: report.runs(),
                done: report.done(),
                failed: report.failed(),
                seeds: plan.seeds(),
                vary: plan.sweep().vary.clone(),
                version: env!("CARGO_PKG_VERSION"),
            },
            scenario: Source::of(&scenario, loaded.source),
            machine: Machine {
                jobs,
                wall_s: wall.as_secs_f64(),
                peak_memory_bytes: memory::peak_bytes(),
            },
            notes: loaded.notes,
            report,
            rows,
        }
    }

    /// Writes them as JSON: one line for each part, each value's statistics and each run.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{{")?;
        part(out, "format", &FORMAT)?;
        part(out, "sweep", &self.sweep)?;
        part(out, "scenario", &self.scenario)?;
        part(out, "machine", &self.machine)?;
        part(out, "notes", &self.notes)?;
        list(out, "points", &self.report.points)?;
        writeln!(out, ",")?;
        list(out, "runs", &self.rows)?;
        writeln!(out, "}}")
    }
}

/// The whole summary: several lines, each with its end.
pub fn summary(results: &Results) -> String {
    let Results { sweep, scenario, .. } = results;
    let mut text = String::new();
    let title = match scenario.name.is_empty() {
        true => &scenario.source,
        false => &scenario.name,
    };
    let _ = writeln!(text, "{}", plain(title));
    let values = match &sweep.vary {
        Some(vary) => format!(", {} values of {}", vary.values.len(), plain(&vary.path)),
        None => String::new(),
    };
    let _ = writeln!(
        text,
        "  sweep     {} runs: seeds {} to {}{values}",
        count(sweep.runs as u64),
        sweep.seeds.first,
        sweep.seeds.last()
    );
    let _ = writeln!(
        text,
        "  {:10}{} of {} runs in {:.3} s, {} at a time",
        match sweep.end {
            SweepEnd::Finished => "done",
            SweepEnd::Cancelled => "CANCELLED",
        },
        count(sweep.done as u64),
        count(sweep.runs as u64),
        results.machine.wall_s,
        results.machine.jobs
    );
    for point in &results.report.points {
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
fn table(text: &mut String, path: Option<&str>, point: &HostPoint) {
    if let (Some(path), Some(value)) = (path, point.value_text()) {
        let _ = writeln!(text, "  {} = {}", plain(path), plain(&value));
    }
    let _ = writeln!(
        text,
        "  {:20}{:>14}{:>14}{:>14}{:>28}{:>7}",
        "", "median", "min", "max", "mean ± 95 % CI", "runs"
    );
    for figure in Figure::ALL {
        let Some(Stats {
            n,
            min,
            median,
            max,
            mean,
            ci95,
        }) = point.stats(figure)
        else {
            continue;
        };
        let label = format!("{} {}", figure.name(), figure.unit());
        let [median, min, max] = [median, min, max].map(decimals);
        let mean = match ci95 {
            Some(half) => format!("{} ± {}", decimals(mean), decimals(half)),
            None => decimals(mean),
        };
        let _ = writeln!(text, "  {label:20}{median:>14}{min:>14}{max:>14}{mean:>28}{n:>7}");
    }
}

/// Three decimals, and four where a share needs them.
fn decimals(value: f64) -> String {
    match value.abs() < 1.0 {
        true => format!("{value:.4}"),
        false => format!("{value:.3}"),
    }
}
