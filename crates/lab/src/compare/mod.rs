//! Comparisons: two or more scenarios, each run with the same seeds, and every figure compared seed by seed.
//!
//! `docs/compare.md` has the statistics for readers.

mod diff;
mod fair;
mod pair;
mod report;
#[cfg(not(target_arch = "wasm32"))]
mod run;
mod words;

pub use diff::{Difference, Differences, MAX_DIFFERENCES, differences};
pub use fair::warnings;
pub use pair::{Paired, Ratio, Verdict};
pub use report::{CompareReport, PairReport, SideReport};
#[cfg(not(target_arch = "wasm32"))]
pub use run::run_comparison;
pub use words::letter;

use crate::plan::{MAX_RUNS, Plan, Seeds, Sweep};
use scenario::{Problem, Scenario};

/// Scenarios of a comparison at most; our choice: a table of more has no room on a screen.
pub const MAX_SIDES: usize = 8;

/// Scenarios that can be run with the same seeds: run after run, seed by seed and for each seed side by side. So what is over
/// when it is cancelled is whole pairs, but for the last ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    sides: Vec<Plan>,
    seeds: Seeds,
}

impl Comparison {
    /// Checks everything that can be known before the first event.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place and what was expected; what is wrong with a scenario begins with its letter.
    pub fn of(scenarios: Vec<Scenario>, seeds: Seeds) -> Result<Comparison, Vec<Problem>> {
        let problem = |field: &str, reason: String| {
            vec![Problem {
                field: field.into(),
                reason,
                hint: String::new(),
            }]
        };
        let count = scenarios.len();
        if !(2..=MAX_SIDES).contains(&count) {
            let reason = format!("{count} scenarios; expected 2 to {MAX_SIDES}");
            return Err(problem("scenarios", reason));
        }
        let runs = count.saturating_mul(seeds.count as usize);
        if runs > MAX_RUNS {
            let reason = format!(
                "{} seeds for each of {count} scenarios are {runs} runs",
                seeds.count
            );
            return Err(problem("seeds", format!("{reason}; expected at most {MAX_RUNS}")));
        }
        let plan_of = |(side, scenario)| {
            let sweep = Sweep {
                scenario,
                seeds,
                vary: None,
            };
            sweep.plan().map_err(|problems| in_side(side, problems))
        };
        let sides = scenarios.into_iter().enumerate().map(plan_of);
        Ok(Comparison {
            sides: sides.collect::<Result<Vec<_>, _>>()?,
            seeds,
        })
    }

    /// The scenarios, each as a sweep over the seeds.
    pub fn sides(&self) -> &[Plan] {
        &self.sides
    }

    /// The seeds.
    pub fn seeds(&self) -> Seeds {
        self.seeds
    }

    /// Runs in all, 2 to [`MAX_RUNS`].
    pub fn runs(&self) -> usize {
        self.sides.len() * self.seeds.count as usize
    }

    /// Which scenario a run is of.
    pub fn side_of(&self, run: usize) -> usize {
        run % self.sides.len()
    }

    /// The seed of a run.
    pub fn seed_of(&self, run: usize) -> u64 {
        self.sides[self.side_of(run)].seed_of(run / self.sides.len())
    }

    /// The scenario of a run, seed and all.
    ///
    /// # Errors
    /// As [`Plan::scenario_of`].
    pub fn scenario_of(&self, run: usize) -> Result<Scenario, Vec<Problem>> {
        self.sides[self.side_of(run)].scenario_of(run / self.sides.len())
    }
}

/// Problems of one of several scenarios; those of the seeds are everybody's.
fn in_side(side: usize, problems: Vec<Problem>) -> Vec<Problem> {
    let of_side = |mut problem: Problem| {
        if !problem.field.starts_with("seeds") {
            problem.field = format!("{}: {}", letter(side), problem.field);
        }
        problem
    };
    problems.into_iter().map(of_side).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::scenario;

    const SEEDS: Seeds = Seeds { first: 7, count: 3 };

    fn with_evs(evs: u32) -> Scenario {
        let mut changed = scenario();
        changed.transport.evs = evs;
        changed
    }

    #[test]
    fn runs_go_seed_by_seed_and_side_by_side() {
        let comparison = Comparison::of(vec![with_evs(4), with_evs(8)], SEEDS).unwrap();
        let runs: Vec<(u32, u64)> = (0..comparison.runs())
            .map(|run| comparison.scenario_of(run).unwrap())
            .map(|scenario| (scenario.transport.evs, scenario.seed))
            .collect();
        assert_eq!(runs, [(4, 7), (8, 7), (4, 8), (8, 8), (4, 9), (8, 9)]);
        assert_eq!((comparison.side_of(3), comparison.seed_of(3)), (1, 8));
    }

    #[test]
    fn bounds_are_kept_and_a_bad_scenario_is_named() {
        let refusal = |scenarios: Vec<Scenario>, count| {
            let found = Comparison::of(scenarios, Seeds { first: 1, count });
            found.unwrap_err()[0].to_string()
        };
        assert_eq!(
            refusal(vec![scenario()], 1),
            "scenarios: 1 scenarios; expected 2 to 8"
        );
        assert_eq!(
            refusal(vec![scenario(); 9], 1),
            "scenarios: 9 scenarios; expected 2 to 8"
        );
        assert_eq!(
            refusal(vec![scenario(); 2], 0),
            "seeds.count: 0 seeds; expected 1 to 10000"
        );
        assert_eq!(
            refusal(vec![scenario(); 2], 5_001),
            "seeds: 5001 seeds for each of 2 scenarios are 10002 runs; expected at most 10000"
        );
        let bad = with_evs(0);
        let text = refusal(vec![scenario(), bad], 1);
        assert!(text.starts_with("B: transport.evs: "), "{text}");
    }
}
