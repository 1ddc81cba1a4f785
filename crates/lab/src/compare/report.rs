//! What came out of a comparison, or of as much of it as has been run.

use super::pair::Paired;
use super::words;
use super::{Comparison, letter};
use crate::report::{Metric, PointReport};
use crate::row::{Row, RunResult};
use serde::Serialize;
use std::collections::BTreeMap;

/// What came out of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CompareReport {
    /// Each scenario by itself.
    pub scenarios: Vec<SideReport>,
    /// Each scenario but the first against the first.
    pub pairs: Vec<PairReport>,
}

/// One scenario of a comparison by itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideReport {
    /// Its letter: A is the first.
    pub letter: char,
    /// Its statistics.
    #[serde(flatten)]
    pub point: PointReport,
    /// Runs that came to a deadlock of paused links.
    pub deadlocks: usize,
    /// Runs whose dip is known and was not seen to come back.
    pub not_back: usize,
}

/// A scenario against the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairReport {
    /// The letters: the first, and the other.
    pub letters: [char; 2],
    /// What is to be known before figures are read: runs that did not finish, dips that did not come back, bins of another width.
    pub remarks: Vec<String>,
    /// The figures that both have with some seed.
    pub metrics: Vec<Paired>,
    /// For each figure a sentence.
    pub sentences: Vec<String>,
}

impl CompareReport {
    /// Gathers rows of a comparison, in whatever order they come, and compares these figures.
    pub fn of<'a>(
        comparison: &Comparison,
        metrics: &[Metric],
        rows: impl IntoIterator<Item = &'a Row>,
    ) -> CompareReport {
        let count = comparison.sides().len();
        let mut of_side: Vec<Vec<&Row>> = vec![Vec::new(); count];
        for row in rows {
            if row.run < comparison.runs() {
                of_side[comparison.side_of(row.run)].push(row);
            }
        }
        let seeds = comparison.seeds().count as usize;
        let scenarios: Vec<SideReport> = of_side
            .iter()
            .enumerate()
            .map(|(side, rows)| SideReport::of(side, seeds, rows))
            .collect();
        let pairs = (1..count).map(|other| {
            let sides = [&scenarios[0], &scenarios[other]];
            PairReport::of(sides, metrics, [&of_side[0], &of_side[other]])
        });
        CompareReport {
            pairs: pairs.collect(),
            scenarios,
        }
    }
}

impl SideReport {
    fn of(side: usize, seeds: usize, rows: &[&Row]) -> SideReport {
        let runs = || rows.iter().filter_map(|row| row.result());
        let deadlocked = |run: &RunResult| run.pfc.is_some_and(|pfc| pfc.deadlock_us.is_some());
        let not_back = |run: &RunResult| run.dip.as_ref().is_some_and(|dip| dip.recovery_us.is_none());
        SideReport {
            letter: letter(side),
            point: PointReport::of(None, seeds, rows),
            deadlocks: runs().filter(|run| deadlocked(run)).count(),
            not_back: runs().filter(|run| not_back(run)).count(),
        }
    }
}

impl PairReport {
    fn of(sides: [&SideReport; 2], metrics: &[Metric], rows: [&[&Row]; 2]) -> PairReport {
        let mut of_seed: BTreeMap<u64, [Option<&RunResult>; 2]> = BTreeMap::new();
        for (side, rows) in rows.into_iter().enumerate() {
            for row in rows {
                of_seed.entry(row.seed).or_default()[side] = row.result();
            }
        }
        let paired = |&metric: &Metric| {
            let values: Vec<[Option<f64>; 2]> = of_seed
                .values()
                .filter(|runs| runs.iter().all(Option::is_some))
                .map(|runs| runs.map(|run| metric.of(run?)))
                .collect();
            Paired::of(metric, &values)
        };
        let letters = sides.map(|side| side.letter);
        let compared: Vec<Paired> = metrics.iter().filter_map(paired).collect();
        PairReport {
            letters,
            remarks: words::remarks(sides, metrics, of_seed.values()),
            sentences: compared
                .iter()
                .map(|paired| words::sentence(letters, paired))
                .collect(),
            metrics: compared,
        }
    }
}
