//! The results of a sweep over a host, as a value and for people; `docs/results-json.md` says what each field means.

use super::results::Source;
use crate::input::Loaded;
use crate::output::plain;
use crate::sweep::results::{Machine, Outline, Results};
use crate::sweep::summary::with_tables;
use lab::host::{Figure, HostPoint, HostReport, HostRow};
use lab::{Plan, Stats};
use scenario::host::HostScenario;
use std::fmt::Write as _;
use std::time::Duration;

/// Everything that `--json` writes.
pub type HostResults = Results<Source, HostPoint, HostRow>;

impl HostResults {
    /// The results of a sweep: as many rows as were over when it ended.
    pub fn of_host(
        plan: &Plan<HostScenario>,
        loaded: Loaded<HostScenario>,
        rows: Vec<HostRow>,
        jobs: usize,
        wall: Duration,
    ) -> HostResults {
        let report = HostReport::of(plan, &rows);
        let counts = [report.runs(), report.done(), report.failed()];
        let mut scenario = loaded.scenario;
        scenario.seed = plan.seeds().first;
        Results {
            sweep: Outline::of(plan, rows.len(), counts),
            scenario: Source::of(&scenario, loaded.source),
            machine: Machine::of(jobs, wall),
            notes: loaded.notes,
            points: report.points,
            rows,
        }
    }
}

/// The whole summary: several lines, each with its end.
pub fn summary(results: &HostResults) -> String {
    let Source { name, source, .. } = &results.scenario;
    with_tables(results, [name, source], table)
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
