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
            let mut pair = PairReport::of(sides, metrics, [&of_side[0], &of_side[other]]);
            if metrics.iter().any(|metric| metric.is_of_dip()) {
                let faults =
                    [0, other].map(|side| (letter(side), &comparison.sides()[side].sweep().scenario));
                pair.remarks.extend(words::faults(faults));
            }
            pair
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
        let not_back = |run: &RunResult| run.dip.as_ref().is_some_and(|dip| dip.recovery_us.is_none());
        SideReport {
            letter: letter(side),
            point: PointReport::of(None, seeds, rows),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dip::Before;
    use crate::plan::Seeds;
    use crate::plan::tests::scenario;
    use crate::row::tests::{done, eventful, failed};
    use crate::row::{End, Outcome};

    /// Two seeds of two scenarios.
    fn comparison() -> Comparison {
        Comparison::of(vec![scenario(); 2], Seeds { first: 5, count: 2 }).unwrap()
    }

    /// The rows in the order of the comparison, each with its number and seed.
    fn report(metrics: &[Metric], mut rows: Vec<Row>) -> CompareReport {
        let comparison = comparison();
        for (run, row) in rows.iter_mut().enumerate() {
            (row.run, row.seed) = (run, comparison.seed_of(run));
        }
        CompareReport::of(&comparison, metrics, &rows)
    }

    fn bins(bin_us: f64) -> Before {
        Before::Goodput {
            level_gbps: 100.0,
            bin_us,
        }
    }

    #[test]
    fn values_are_paired_by_seed() {
        // The longest completion time of `done(_, n)` is 3 n: 3 and 6 with A, 12 and 27 with B.
        let report = report(
            &[Metric::FctMax],
            vec![done(0, 1), done(0, 4), done(0, 2), done(0, 9)],
        );
        let paired = &report.pairs[0].metrics[0];
        assert_eq!(
            (paired.n, paired.difference.min, paired.difference.max),
            (2, 9.0, 21.0)
        );
        assert_eq!(report.pairs[0].remarks, [""; 0]);
        assert_eq!(report.pairs[0].sentences.len(), 1);
    }

    #[test]
    fn what_is_to_be_known_first_is_said() {
        let mut late = done(0, 4);
        if let Outcome::Done(run) = &mut late.outcome {
            run.end = End::Until;
        }
        let rows = vec![
            eventful(0, bins(20.0)),
            eventful(0, bins(50.0)),
            failed(0, "x"),
            late,
        ];
        let found = report(&Metric::ALL, rows.clone());
        assert_eq!(
            (found.scenarios[0].point.deadlocks, found.scenarios[0].not_back),
            (1, 1)
        );
        assert_eq!(
            found.pairs[0].remarks,
            [
                "A could not be run with 1 seed",
                "A came to a deadlock of paused links with 1 of 1 seeds",
                "A's dip was not seen to come back with any seed",
                "B finished every flow with 1 of 2 seeds only: completion and step times are those of these",
                "B came to a deadlock of paused links with 1 of 2 seeds",
                "B's dip was not seen to come back with 1 of 2 seeds: its recovery is that of the others",
                "dips are seen in bins of 20 µs with A and of 50 µs with B: narrower bins show deeper dips",
            ]
        );
        // Where no dip is compared, nothing is said of them.
        assert_eq!(report(&[Metric::Drops], rows).pairs[0].remarks.len(), 4);
    }

    #[test]
    fn a_dip_that_only_one_has_is_said() {
        let rows = vec![
            eventful(0, bins(20.0)),
            done(0, 1),
            eventful(0, bins(20.0)),
            done(0, 1),
        ];
        let found = report(&[Metric::DipDepth], rows);
        let last = found.pairs[0].remarks.last().expect("there are some");
        assert_eq!(
            last,
            "B's dip is not known: it has no fault, or no steady traffic on both sides of it"
        );
        assert!(found.pairs[0].metrics.is_empty());
    }
}
