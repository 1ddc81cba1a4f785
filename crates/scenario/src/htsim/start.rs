//! The unit of `start`, which the files do not say, and the times that follow.

use super::convert::place;
use super::matrix::{Matrix, Start};
use super::text::{FileProblem, FileProblems};
use crate::limits;
use crate::quantity::Time;

/// The unit of `start` in a matrix, which the file does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StartUnit {
    /// Picoseconds if any value is 10⁶ or more, else microseconds.
    #[default]
    Auto,
    /// Microseconds, as uet-htsim reads it.
    Us,
    /// Picoseconds, as csg-htsim reads it.
    Ps,
}

/// At this value `start` is taken for picoseconds: 1 µs in ps, but a whole second in µs.
const PS_FROM: u64 = 1_000_000;
impl Matrix {
    /// What [`StartUnit::Auto`] comes to for this file: [`StartUnit::Us`] or [`StartUnit::Ps`], or nothing if
    /// all flows start at 0, so that the unit does not matter.
    pub fn inferred_start_unit(&self) -> Option<StartUnit> {
        let latest = self.latest_start();
        if latest == Start::default() {
            None
        } else if latest.whole >= PS_FROM {
            Some(StartUnit::Ps)
        } else {
            Some(StartUnit::Us)
        }
    }

    fn latest_start(&self) -> Start {
        self.connections.iter().map(|c| c.start).max().unwrap_or_default()
    }
}

/// Decides the unit and says so, unless it does not matter.
pub(super) fn start_unit(matrix: &Matrix, wanted: StartUnit, notes: &mut Vec<String>) -> StartUnit {
    let Some(inferred) = matrix.inferred_start_unit() else {
        return StartUnit::Us;
    };
    let (unit, why) = match (wanted, inferred) {
        (StartUnit::Us | StartUnit::Ps, _) => (wanted, "as stated".to_owned()),
        (StartUnit::Auto, StartUnit::Ps) => {
            let largest = matrix.latest_start().whole;
            let other = "csg-htsim's unit; state µs if the file is for uet-htsim";
            (
                StartUnit::Ps,
                format!("because the largest is {largest} ({other})"),
            )
        }
        (StartUnit::Auto, _) => {
            let other = "uet-htsim's unit; state ps if the file is for csg-htsim";
            (
                StartUnit::Us,
                format!("because all are below {PS_FROM} ({other})"),
            )
        }
    };
    let name = if unit == StartUnit::Ps {
        "picoseconds"
    } else {
        "microseconds"
    };
    notes.push(format!("{}: `start` is read in {name}, {why}", matrix.file));
    unit
}

/// Every connection's start.
pub(super) fn starts(matrix: &Matrix, unit: StartUnit) -> Result<Vec<Time>, Vec<FileProblem>> {
    let mut problems = FileProblems::new(&matrix.file);
    let mut starts = Vec::with_capacity(matrix.connections.len());
    for c in &matrix.connections {
        let Start { whole, millionths } = c.start;
        let ps = match unit {
            StartUnit::Ps if millionths > 0 => {
                let hint = "the file may count in µs: state that unit";
                problems.add(
                    place(c, c.start_column),
                    "the start is no whole number of picoseconds",
                    hint,
                );
                continue;
            }
            StartUnit::Ps => Some(whole),
            StartUnit::Us | StartUnit::Auto => whole
                .checked_mul(1_000_000)
                .and_then(|ps| ps.checked_add(u64::from(millionths))),
        };
        match ps {
            Some(ps) if Time(ps) <= limits::MAX_TIME => starts.push(Time(ps)),
            _ => {
                let name = if unit == StartUnit::Ps { "ps" } else { "µs" };
                let reason = format!(
                    "the start is {whole} {name}; expected at most {}",
                    limits::MAX_TIME
                );
                problems.add(place(c, c.start_column), reason, "is the unit right?");
            }
        }
    }
    if problems.is_empty() {
        Ok(starts)
    } else {
        Err(problems.into_sorted())
    }
}
