//! All runs of a comparison on this machine's cores.

use super::{Comparison, letter};
use crate::parallel::{Overall, in_parallel, outcome};
use crate::row::Row;
use serde_json::Value;
use std::sync::atomic::AtomicBool;

/// Runs a comparison with `jobs` runs at a time (at least one), until all are over or `stop` is true. Returns the rows of those
/// that are over, in the order of the comparison; their `value` is the scenario's letter. `watch` is called by every thread, some
/// hundred times a second.
///
/// # Errors
/// When the threads cannot be started; says why.
pub fn run_comparison(
    comparison: &Comparison,
    jobs: usize,
    stop: &AtomicBool,
    watch: impl Fn(Overall) + Sync,
) -> Result<Vec<Row>, String> {
    in_parallel(comparison.runs(), jobs, watch, |run, tell| {
        Some(Row {
            run,
            value: Some(Value::from(letter(comparison.side_of(run)).to_string())),
            seed: comparison.seed_of(run),
            outcome: outcome(|| comparison.scenario_of(run), stop, tell)?,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Metric;
    use crate::compare::CompareReport;
    use crate::plan::Seeds;
    use crate::plan::tests::scenario;
    use std::sync::atomic::Ordering;

    fn comparison(evs: u32) -> Comparison {
        let mut other = scenario();
        other.transport.evs = evs;
        let seeds = Seeds { first: 7, count: 4 };
        Comparison::of(vec![scenario(), other], seeds).unwrap()
    }

    #[test]
    fn the_number_of_jobs_and_the_order_of_rows_do_not_matter() {
        let comparison = comparison(4);
        let never = AtomicBool::new(false);
        let one = run_comparison(&comparison, 1, &never, |_| {}).unwrap();
        let mut three = run_comparison(&comparison, 3, &never, |_| {}).unwrap();
        assert_eq!(one, three);
        assert_eq!(one[3].value, Some("B".into()));
        let report = CompareReport::of(&comparison, &Metric::ALL, &one);
        three.reverse();
        assert_eq!(CompareReport::of(&comparison, &Metric::ALL, &three), report);
        assert_eq!(report.scenarios[1].point.done, 4);
    }

    #[test]
    fn a_scenario_against_itself_shows_no_difference() {
        let comparison = comparison(scenario().transport.evs);
        let rows = run_comparison(&comparison, 2, &AtomicBool::new(false), |_| {}).unwrap();
        let report = CompareReport::of(&comparison, &Metric::ALL, &rows);
        for paired in &report.pairs[0].metrics {
            assert_eq!((paired.n, paired.equal), (4, 4), "{paired:?}");
            assert_eq!(paired.verdict, crate::compare::Verdict::Same);
            assert_eq!((paired.difference.mean, paired.difference.ci95), (0.0, Some(0.0)));
        }
    }

    #[test]
    fn what_is_over_when_it_is_stopped_is_pairs() {
        let comparison = comparison(4);
        let stop = AtomicBool::new(false);
        let rows = run_comparison(&comparison, 1, &stop, |overall| {
            stop.fetch_or(overall.done >= 4, Ordering::Relaxed);
        });
        let seeds: Vec<u64> = rows.unwrap().iter().map(|row| row.seed).collect();
        assert_eq!(seeds, [7, 7, 8, 8]);
    }
}
