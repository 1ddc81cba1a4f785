//! The results of a sweep as a value; `docs/results-json.md` says what each field means.

use crate::input::Loaded;
use crate::json::{list, part};
use crate::memory;
use crate::results::About;
use lab::{Plan, PointReport, Report, Row, Seeds, Subject, Vary};
use scenario::Scenario;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;

/// Version of this form; it grows when a field changes its meaning or goes away.
const FORMAT: u32 = 1;

/// Why a sweep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SweepEnd {
    /// Every run is over.
    Finished,
    /// The user stopped it; the runs that were over stay.
    Cancelled,
}

/// Everything that `--json` writes: of a fabric, unless the types say otherwise.
pub struct Results<A = About, P = PointReport, R = Row> {
    /// The sweep itself.
    pub sweep: Outline,
    /// What was run, with the first seed.
    pub scenario: A,
    /// What depends on the machine; nothing else does.
    pub machine: Machine,
    /// How the input was understood.
    pub notes: Vec<String>,
    /// Statistics, value by value.
    pub points: Vec<P>,
    /// The runs that are over, in the order of the plan.
    pub rows: Vec<R>,
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
    /// Those in which every flow finished; hosts have no such thing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<usize>,
    /// Runs that failed.
    pub failed: usize,
    /// The seeds.
    pub seeds: Seeds,
    /// The varied field.
    pub vary: Option<Vary>,
    /// Version of Flowglass.
    pub version: &'static str,
}

/// What depends on the machine.
#[derive(Debug, Serialize)]
pub struct Machine {
    /// Runs at a time.
    pub jobs: usize,
    /// Real time for all runs, s.
    pub wall_s: f64,
    /// Largest resident size of the process, where known.
    pub peak_memory_bytes: Option<u64>,
}

impl Outline {
    /// A plan of which `over` runs are over, `done` of them to their end.
    pub fn of<S: Subject>(plan: &Plan<S>, over: usize, [runs, done, failed]: [usize; 3]) -> Outline {
        Outline {
            end: match over == plan.runs() {
                true => SweepEnd::Finished,
                false => SweepEnd::Cancelled,
            },
            runs,
            done,
            complete: None,
            failed,
            seeds: plan.seeds(),
            vary: plan.sweep().vary.clone(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

impl Machine {
    /// `jobs` runs at a time, which took `wall` in all.
    pub fn of(jobs: usize, wall: Duration) -> Machine {
        Machine {
            jobs,
            wall_s: wall.as_secs_f64(),
            peak_memory_bytes: memory::peak_bytes(),
        }
    }
}

impl Results {
    /// The results of a sweep: as many rows as were over when it ended.
    pub fn of(plan: &Plan<Scenario>, loaded: Loaded, rows: Vec<Row>, jobs: usize, wall: Duration) -> Results {
        let report = Report::of(plan, &rows);
        let counts = [report.runs(), report.done(), report.failed()];
        let mut scenario = loaded.scenario;
        scenario.seed = plan.seeds().first;
        Results {
            sweep: Outline {
                complete: Some(report.complete()),
                ..Outline::of(plan, rows.len(), counts)
            },
            scenario: About::of(&scenario, loaded.source),
            machine: Machine::of(jobs, wall),
            notes: loaded.notes,
            points: report.points,
            rows,
        }
    }
}

impl<A: Serialize, P: Serialize, R: Serialize> Results<A, P, R> {
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
        list(out, "points", &self.points)?;
        writeln!(out, ",")?;
        list(out, "runs", &self.rows)?;
        writeln!(out, "}}")
    }
}
