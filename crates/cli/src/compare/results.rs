//! The results of a comparison as a value; `docs/results-json.md` says what each field means.

use crate::input::Loaded;
use crate::json::{list, part};
use crate::results::About;
use crate::sweep::results::{Machine, SweepEnd};
use lab::compare::{CompareReport, Comparison, Difference, PairReport, SideReport, differences, warnings};
use lab::{Metric, Row, Seeds};
use scenario::{Scenario, link};
use serde::Serialize;
use std::io::{self, Write};

/// Version of this form; it grows when a field changes its meaning or goes away.
const FORMAT: u32 = 1;
/// What the source of a preset begins with.
const PRESET: &str = "preset:";

/// Everything that `--json` writes.
pub struct Results {
    /// The comparison itself.
    pub comparison: Outline,
    /// What depends on the machine; nothing else does.
    pub machine: Machine,
    /// Why the comparison is not one of like with like.
    pub warnings: Vec<String>,
    /// The scenarios, each by itself.
    pub scenarios: Vec<Side>,
    /// The fields in which they differ.
    pub differences: Vec<Difference>,
    /// Each scenario but the first against the first.
    pub pairs: Vec<PairReport>,
    /// The runs that are over, in the order of the comparison.
    pub rows: Vec<Row>,
}

/// The comparison itself.
#[derive(Debug, Serialize)]
pub struct Outline {
    /// Why it ended.
    pub end: SweepEnd,
    /// Runs in all.
    pub runs: usize,
    /// Runs that ran to their end.
    pub done: usize,
    /// Those in which every flow finished.
    pub complete: usize,
    /// Runs that failed.
    pub failed: usize,
    /// The seeds of each scenario.
    pub seeds: Seeds,
    /// Fields in which the scenarios differ that are not listed.
    pub more_differences: u64,
    /// The link that opens the scenarios side by side; none where they are too many or too large for one.
    pub link: Option<String>,
    /// Version of Flowglass.
    pub version: &'static str,
}

/// A scenario by itself.
#[derive(Debug, Serialize)]
pub struct Side {
    /// What it is, with the first seed.
    #[serde(flatten)]
    pub about: About,
    /// What came out.
    #[serde(flatten)]
    pub report: SideReport,
}

impl Results {
    /// The results of a comparison: as many rows as were over when it ended.
    pub fn of(
        comparison: &Comparison,
        metrics: &[Metric],
        loaded: Vec<Loaded>,
        rows: Vec<Row>,
        machine: Machine,
    ) -> Results {
        let first = comparison.seeds().first;
        let (sources, scenarios): (Vec<String>, Vec<Scenario>) = loaded
            .into_iter()
            .map(|mut loaded| {
                loaded.scenario.seed = first;
                (loaded.source, loaded.scenario)
            })
            .unzip();
        let CompareReport {
            scenarios: sides,
            pairs,
        } = CompareReport::of(comparison, metrics, &rows);
        let differing = differences(&scenarios);
        let sum = |count: fn(&SideReport) -> usize| sides.iter().map(count).sum();
        let outline = Outline {
            end: match rows.len() == comparison.runs() {
                true => SweepEnd::Finished,
                false => SweepEnd::Cancelled,
            },
            runs: comparison.runs(),
            done: sum(|side| side.point.done),
            complete: sum(|side| side.point.complete),
            failed: sum(|side| side.point.failed),
            seeds: comparison.seeds(),
            more_differences: differing.more,
            link: link_of(&scenarios, &sources, first),
            version: env!("CARGO_PKG_VERSION"),
        };
        let warnings = warnings(&scenarios);
        let about = scenarios.iter().zip(sources).zip(sides);
        Results {
            comparison: outline,
            machine,
            warnings,
            scenarios: about
                .map(|((scenario, source), report)| Side {
                    about: About::of(scenario, source),
                    report,
                })
                .collect(),
            differences: differing.fields,
            pairs,
            rows,
        }
    }

    /// Writes them as JSON: one line for each part, each scenario, field, pair and run.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{{")?;
        part(out, "format", &FORMAT)?;
        part(out, "comparison", &self.comparison)?;
        part(out, "machine", &self.machine)?;
        part(out, "warnings", &self.warnings)?;
        list(out, "scenarios", &self.scenarios)?;
        writeln!(out, ",")?;
        list(out, "differences", &self.differences)?;
        writeln!(out, ",")?;
        list(out, "pairs", &self.pairs)?;
        writeln!(out, ",")?;
        list(out, "runs", &self.rows)?;
        writeln!(out, "}}")
    }
}

/// The link that opens the scenarios side by side: of presets their names.
fn link_of(scenarios: &[Scenario], sources: &[String], seed: u64) -> Option<String> {
    let packed = link::encode_compare(scenarios).ok()?;
    let slugs: Option<Vec<&str>> = sources.iter().map(|source| source.strip_prefix(PRESET)).collect();
    Some(match slugs {
        Some(slugs) => format!("#{}&seed={seed}", link::compare_presets(&slugs)),
        None => format!("#{packed}"),
    })
}
