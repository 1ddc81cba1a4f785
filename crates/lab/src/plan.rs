//! Which runs a sweep has, and in which order.

use crate::field::with_field;
use crate::subject::Subject;
use scenario::{Problem, Scenario};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Runs of a sweep at most; our choice: rows and report then fit into a few megabytes.
pub const MAX_RUNS: usize = 10_000;

/// A scenario, run with many seeds, and if wanted for several values of one of its fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep<S = Scenario> {
    /// What is run. Its own seed does not matter.
    pub scenario: S,
    /// The seeds.
    pub seeds: Seeds,
    /// The field that is varied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vary: Option<Vary>,
}

/// Seeds in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seeds {
    /// The first.
    pub first: u64,
    /// How many, 1 to [`MAX_RUNS`].
    pub count: u32,
}

impl Seeds {
    /// The last one.
    pub const fn last(self) -> u64 {
        self.first.saturating_add(self.count.saturating_sub(1) as u64)
    }
}

/// A field of the scenario and the values that it takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vary {
    /// Its path, such as `transport.evs` or `traffic[0].bytes`.
    pub path: String,
    /// Its values, as the scenario's JSON has them.
    pub values: Vec<Value>,
}

impl<S: Subject> Sweep<S> {
    /// Checks everything that can be known before the first event.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place in the sweep and what was expected.
    pub fn plan(self) -> Result<Plan<S>, Vec<Problem>> {
        let problem = |field: &str, reason: String| {
            vec![Problem {
                field: field.into(),
                reason,
                hint: String::new(),
            }]
        };
        let Seeds { first, count } = self.seeds;
        if count == 0 || count as usize > MAX_RUNS {
            return Err(problem(
                "seeds.count",
                format!("{count} seeds; expected 1 to {MAX_RUNS}"),
            ));
        }
        if first.checked_add(u64::from(count) - 1).is_none() {
            let reason = format!(
                "{count} seeds from {first} on go beyond {}, the last seed",
                u64::MAX
            );
            return Err(problem("seeds.first", reason));
        }
        let values = self.vary.as_ref().map_or(1, |vary| vary.values.len());
        if values == 0 {
            return Err(problem(
                "vary.values",
                "there are none; expected at least one".into(),
            ));
        }
        let runs = values.saturating_mul(count as usize);
        if runs > MAX_RUNS {
            let reason = format!("{count} seeds for each of {values} values are {runs} runs");
            return Err(problem("sweep", format!("{reason}; expected at most {MAX_RUNS}")));
        }
        self.scenario.check()?;
        let plan = Plan(self);
        for point in 0..plan.points() {
            plan.at(point)?;
        }
        Ok(plan)
    }
}

/// A sweep that can be run: run after run, value by value and for each value seed by seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan<S = Scenario>(Sweep<S>);

impl<S: Subject> Plan<S> {
    /// What was asked for.
    pub fn sweep(&self) -> &Sweep<S> {
        &self.0
    }

    /// Runs in all, 1 to [`MAX_RUNS`].
    pub fn runs(&self) -> usize {
        self.points() * self.0.seeds.count as usize
    }

    /// The seeds.
    pub fn seeds(&self) -> Seeds {
        self.0.seeds
    }

    /// Values of the varied field; 1 where none is varied.
    pub fn points(&self) -> usize {
        self.0.vary.as_ref().map_or(1, |vary| vary.values.len())
    }

    /// A value of the varied field; none where none is varied.
    pub fn value(&self, point: usize) -> Option<&Value> {
        self.0.vary.as_ref()?.values.get(point)
    }

    /// Which value a run has.
    pub fn point_of(&self, run: usize) -> usize {
        run / self.0.seeds.count as usize
    }

    /// The seed of a run.
    pub fn seed_of(&self, run: usize) -> u64 {
        self.0.seeds.first + (run % self.0.seeds.count as usize) as u64
    }

    /// The scenario of a run, seed and all. Made when it is needed: thousands of large ones would not fit into memory.
    ///
    /// # Errors
    /// Only for a run that the plan does not have.
    pub fn scenario_of(&self, run: usize) -> Result<S, Vec<Problem>> {
        let mut scenario = self.at(self.point_of(run))?;
        scenario.set_seed(self.seed_of(run));
        Ok(scenario)
    }

    fn at(&self, point: usize) -> Result<S, Vec<Problem>> {
        let Some(vary) = &self.0.vary else {
            return Ok(self.0.scenario.clone());
        };
        let place = format!("vary.values[{point}]");
        match vary.values.get(point) {
            Some(value) => with_field(&self.0.scenario, &vary.path, value, &place),
            None => Err(vec![Problem {
                field: place,
                reason: format!("does not exist; expected 0 to {}", vary.values.len() - 1),
                hint: String::new(),
            }]),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use serde_json::json;

    pub(crate) fn scenario() -> Scenario {
        Scenario::from_json(
            r#"{ "version": 1, "until": "5ms",
                "fabric": { "planes": 2, "t0_per_plane": 3, "t1_per_plane": 2, "nics_per_t0": 2, "nic_link_rate": "100Gbps" },
                "transport": { "evs": 16 },
                "traffic": [ { "kind": "permutation", "shift": 2, "bytes": "100kB" } ],
                "faults": [ { "at": "2us", "kind": "link_loss", "link": "p1/t0.1-t1.0", "rate": 0.2 } ] }"#,
        )
        .unwrap()
    }

    pub(crate) fn sweep(count: u32) -> Sweep {
        Sweep {
            scenario: scenario(),
            seeds: Seeds { first: 7, count },
            vary: None,
        }
    }

    fn varied(path: &str, values: &[Value], count: u32) -> Sweep {
        Sweep {
            vary: Some(Vary {
                path: path.into(),
                values: values.to_vec(),
            }),
            ..sweep(count)
        }
    }

    #[test]
    fn runs_go_value_by_value_and_seed_by_seed() {
        let plan = varied("transport.evs", &[json!(4), json!(8)], 3).plan().unwrap();
        assert_eq!(plan.runs(), 6);
        let runs: Vec<(u32, u64)> = (0..6)
            .map(|run| plan.scenario_of(run).unwrap())
            .map(|scenario| (scenario.transport.evs, scenario.seed))
            .collect();
        assert_eq!(runs, [(4, 7), (4, 8), (4, 9), (8, 7), (8, 8), (8, 9)]);
        assert!(plan.scenario_of(6).is_err());
    }

    #[test]
    fn a_sweep_survives_json() {
        let sweep = varied("traffic[0].bytes", &[json!("1kB"), json!(2000)], 3);
        let text = serde_json::to_string(&sweep).unwrap();
        assert_eq!(serde_json::from_str::<Sweep>(&text).unwrap(), sweep);
    }

    #[test]
    fn bounds_are_kept() {
        let refusal = |sweep: Sweep| sweep.plan().unwrap_err()[0].to_string();
        assert_eq!(refusal(sweep(0)), "seeds.count: 0 seeds; expected 1 to 10000");
        assert_eq!(
            refusal(sweep(10_001)),
            "seeds.count: 10001 seeds; expected 1 to 10000"
        );
        assert_eq!(
            refusal(varied("transport.evs", &[json!(4), json!(8)], 5_001)),
            "sweep: 5001 seeds for each of 2 values are 10002 runs; expected at most 10000"
        );
        assert_eq!(
            refusal(varied("transport.evs", &[], 1)),
            "vary.values: there are none; expected at least one"
        );
        let mut last = sweep(2);
        last.seeds.first = u64::MAX;
        assert!(
            refusal(last.clone()).starts_with("seeds.first: 2 seeds from 18446744073709551615 on go beyond")
        );
        last.seeds.count = 1;
        assert_eq!(last.plan().unwrap().seed_of(0), u64::MAX);
        let mut bad = sweep(1);
        bad.scenario.fabric.planes = 9;
        assert!(refusal(bad).starts_with("fabric.planes: "));
        assert!(
            refusal(varied("transport.evs", &[json!(4), json!(5)], 1))
                .starts_with("vary.values[1]: transport.evs: ")
        );
    }
}
