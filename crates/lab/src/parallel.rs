//! All runs of a sweep on this machine's cores.

use crate::one::run_one;
use crate::plan::Plan;
use crate::row::{Outcome, Row};
use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge, ParallelIterator};
use scenario::{Problem, Scenario};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// A whole run, in the unit in which progress is summed up.
const WHOLE: u64 = 1 << 20;

/// How far a sweep is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overall {
    /// Runs that are over, failed ones included.
    pub done: usize,
    /// What is done of all runs together, 0 to 1.
    pub share: f64,
}

/// Runs a sweep with `jobs` runs at a time (at least one), until all are over or `stop` is true. Returns the rows of
/// those that are over, in the order of the plan. `watch` is called by every thread, some hundred times a second.
///
/// # Errors
/// When the threads cannot be started; says why.
pub fn run_all(
    plan: &Plan,
    jobs: usize,
    stop: &AtomicBool,
    watch: impl Fn(Overall) + Sync,
) -> Result<Vec<Row>, String> {
    in_parallel(plan.runs(), jobs, watch, |run, tell| row(plan, run, stop, tell))
}

/// Does `runs` runs, `jobs` at a time (at least one), and returns what they yield in their order. `one` does one, tells how
/// far it is (0 to 1), and returns none when it was stopped.
///
/// # Errors
/// When the threads cannot be started; says why.
pub(crate) fn in_parallel<R: Send>(
    runs: usize,
    jobs: usize,
    watch: impl Fn(Overall) + Sync,
    one: impl Fn(usize, &mut dyn FnMut(f64)) -> Option<R> + Sync,
) -> Result<Vec<R>, String> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(jobs.max(1))
        .build()
        .map_err(|error| format!("{jobs} threads cannot be started: {error}"))?;
    let board = Board {
        runs,
        done: AtomicUsize::new(0),
        sum: AtomicU64::new(0),
    };
    // A bridge hands the runs out in their order, so that what is there after Cancel are the first ones.
    let mut rows: Vec<(usize, R)> = pool.install(|| {
        (0..runs)
            .par_bridge()
            .filter_map(|run| {
                let mut told = 0;
                let mut tell = |share: f64| {
                    let now = (share * WHOLE as f64) as u64;
                    board.sum.fetch_add(now.saturating_sub(told), Ordering::Relaxed);
                    told = told.max(now);
                    watch(board.overall());
                };
                let result = one(run, &mut tell)?;
                board.done.fetch_add(1, Ordering::Relaxed);
                tell(1.0);
                Some((run, result))
            })
            .collect()
    });
    rows.sort_unstable_by_key(|(run, _)| *run);
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// The progress of all threads together.
struct Board {
    runs: usize,
    done: AtomicUsize,
    sum: AtomicU64,
}

impl Board {
    fn overall(&self) -> Overall {
        Overall {
            done: self.done.load(Ordering::Relaxed),
            share: self.sum.load(Ordering::Relaxed) as f64 / (WHOLE * self.runs as u64) as f64,
        }
    }
}

/// One run; none when it was stopped.
fn row(plan: &Plan, run: usize, stop: &AtomicBool, tell: &mut dyn FnMut(f64)) -> Option<Row> {
    Some(Row {
        run,
        value: plan.value(plan.point_of(run)).cloned(),
        seed: plan.seed_of(run),
        outcome: outcome(|| plan.scenario_of(run), stop, tell)?,
    })
}

/// What comes of running a scenario; none when it was stopped. The scenario is made no sooner than that.
pub(crate) fn outcome(
    scenario: impl FnOnce() -> Result<Scenario, Vec<Problem>>,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(f64),
) -> Option<Outcome> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let ran = match scenario() {
        Err(problems) => Err(problems
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("; ")),
        Ok(scenario) => run_one(&scenario, |progress| {
            tell(progress.share);
            match stop.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
        .map_err(|error| error.to_string()),
    };
    match ran {
        Ok(result) => Some(Outcome::Done(Box::new(result?))),
        Err(failed) => Some(Outcome::Failed { failed }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Vary;
    use crate::plan::tests::sweep;
    use serde_json::json;
    use std::sync::Mutex;

    fn plan(seeds: u32) -> Plan {
        let mut sweep = sweep(seeds);
        sweep.vary = Some(Vary {
            path: "traffic[0].bytes".into(),
            values: vec![json!("30kB"), json!("90kB")],
        });
        sweep.plan().unwrap()
    }

    #[test]
    fn the_number_of_jobs_does_not_matter() {
        let plan = plan(5);
        let never = AtomicBool::new(false);
        let seen = Mutex::new(Vec::new());
        let one = run_all(&plan, 1, &never, |overall| seen.lock().unwrap().push(overall)).unwrap();
        let four = run_all(&plan, 4, &never, |_| {}).unwrap();
        assert_eq!(
            serde_json::to_string(&one).unwrap(),
            serde_json::to_string(&four).unwrap()
        );
        let order: Vec<(usize, u64)> = four.iter().map(|row| (row.run, row.seed)).collect();
        assert_eq!(order[..6], [(0, 7), (1, 8), (2, 9), (3, 10), (4, 11), (5, 7)]);
        assert_eq!(four[5].value, Some(json!("90kB")));
        let digests: std::collections::BTreeSet<u64> =
            four.iter().filter_map(|row| Some(row.result()?.digest)).collect();
        assert_eq!(digests.len(), 10, "each run is another one");
        let seen = seen.into_inner().unwrap();
        assert!(seen.iter().map(|overall| overall.share).is_sorted());
        assert_eq!(seen.last(), Some(&Overall { done: 10, share: 1.0 }));
    }

    #[test]
    fn what_is_over_when_the_sweep_is_stopped_stays() {
        let plan = plan(50);
        let stop = AtomicBool::new(false);
        let rows = run_all(&plan, 2, &stop, |overall| {
            stop.fetch_or(overall.done >= 3, Ordering::Relaxed);
        })
        .unwrap();
        // The other thread may just have finished a run, too.
        assert!((3..=4).contains(&rows.len()), "{}", rows.len());
        let whole = run_all(&plan, 2, &AtomicBool::new(false), |_| {}).unwrap();
        for row in &rows {
            assert_eq!(*row, whole[row.run]);
        }
    }

    #[test]
    fn a_run_that_cannot_be_built_fails_alone() {
        // 2^40 B at the least PMTU are more PSNs than a run can count, which validation alone does not find.
        let mut sweep = sweep(1);
        sweep.scenario.transport.pmtu = scenario::Bytes(256);
        sweep.vary = Some(Vary {
            path: "traffic[0].bytes".into(),
            values: vec![json!(1u64 << 40), json!("30kB")],
        });
        let rows = run_all(&sweep.plan().unwrap(), 1, &AtomicBool::new(false), |_| {}).unwrap();
        let Outcome::Failed { failed } = &rows[0].outcome else {
            panic!("{:?}", rows[0]);
        };
        assert!(failed.contains("more than 2^31 packets"), "{failed}");
        assert!(rows[1].result().is_some());
    }
}
