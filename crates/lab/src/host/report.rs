//! What the runs of a sweep over a host have in common, for each value of the varied field.

use super::{Figure, HostResult, HostRow};
use crate::plan::Plan;
use crate::row::plain;
use crate::stats::Stats;
use scenario::host::HostScenario;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// The runs of one value of the varied field; of all runs where none is varied.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HostPoint {
    /// The value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Runs in the plan.
    pub runs: usize,
    /// Runs that ran to their end.
    pub done: usize,
    /// Runs that failed.
    pub failed: usize,
    /// Statistics over the runs that have the figure; none where no run has it.
    #[serde(serialize_with = "by_field")]
    pub figures: Vec<(Figure, Option<Stats>)>,
}

impl HostPoint {
    /// The value as text without quotes.
    pub fn value_text(&self) -> Option<String> {
        self.value.as_ref().map(plain)
    }

    /// Statistics of a figure.
    pub fn stats(&self, figure: Figure) -> Option<Stats> {
        self.figures.iter().find(|(found, _)| *found == figure)?.1
    }
}

fn by_field<S: Serializer>(figures: &[(Figure, Option<Stats>)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(figures.iter().map(|(figure, stats)| (figure.field(), stats)))
}

/// The report on a sweep, or on as much of it as has been run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct HostReport {
    /// Value by value, in the order of the plan.
    pub points: Vec<HostPoint>,
}

impl HostReport {
    /// Gathers rows of a plan, in whatever order they come.
    pub fn of(plan: &Plan<HostScenario>, rows: &[HostRow]) -> HostReport {
        let point = |point: usize| {
            let rows = rows.iter().filter(|row| plan.point_of(row.run) == point);
            let (mut done, mut failed) = (Vec::<&HostResult>::new(), 0);
            for row in rows {
                match &row.result {
                    Ok(result) => done.push(result),
                    Err(_) => failed += 1,
                }
            }
            let stats = |at: usize| {
                let values: Vec<f64> = done.iter().filter_map(|result| result.figures[at]).collect();
                Stats::of(&values)
            };
            HostPoint {
                value: plan.value(point).cloned(),
                runs: plan.seeds().count as usize,
                done: done.len(),
                failed,
                figures: (0..)
                    .zip(Figure::ALL)
                    .map(|(at, figure)| (figure, stats(at)))
                    .collect(),
            }
        };
        HostReport {
            points: (0..plan.points()).map(point).collect(),
        }
    }

    /// Runs in the plan.
    pub fn runs(&self) -> usize {
        self.points.iter().map(|point| point.runs).sum()
    }

    /// Runs that ran to their end.
    pub fn done(&self) -> usize {
        self.points.iter().map(|point| point.done).sum()
    }

    /// Runs that failed.
    pub fn failed(&self) -> usize {
        self.points.iter().map(|point| point.failed).sum()
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use crate::host::run_all_hosts;
    use crate::{Seeds, Sweep, Vary};
    use std::sync::atomic::AtomicBool;

    fn plan(path: &str, values: &[Value]) -> Result<Plan<HostScenario>, String> {
        let sweep = Sweep {
            scenario: scenario::host::find_host_preset("host-first-packet")
                .unwrap()
                .scenario(),
            seeds: Seeds { first: 1, count: 3 },
            vary: Some(Vary {
                path: path.into(),
                values: values.to_vec(),
            }),
        };
        sweep.plan().map_err(|problems| problems[0].to_string())
    }

    #[test]
    fn the_number_of_jobs_does_not_matter_and_points_are_values() {
        let plan = plan("traffic[0].count", &[5.into(), 10.into()]).unwrap();
        let run = |jobs| run_all_hosts(&plan, jobs, &AtomicBool::new(false), |_| {}).unwrap();
        let rows = run(1);
        assert_eq!(rows, run(3));
        let report = HostReport::of(&plan, &rows);
        assert_eq!((report.runs(), report.done(), report.failed()), (6, 6, 0));
        // 4 bytes each way: 40 and 80 bytes in 5 ms.
        let goodput = report
            .points
            .iter()
            .map(|point| point.stats(Figure::Goodput).unwrap());
        let found: Vec<(usize, f64)> = goodput.map(|stats| (stats.n, stats.mean)).collect();
        assert_eq!(
            found,
            [(3, 40.0 * 8.0 / 5e-3 / 1e9), (3, 80.0 * 8.0 / 5e-3 / 1e9)]
        );
        let mean = report.points[1].stats(Figure::HardwareMean).unwrap();
        assert!(mean.ci95.unwrap() > 0.0, "seeds differ");
    }

    #[test]
    fn what_cannot_be_varied_is_named() {
        let refusal = |path: &str, value: Value| plan(path, &[value]).unwrap_err();
        assert!(refusal("host.nic.l1_ways", 17.into()).starts_with("vary.values[0]: host.nic.l1_ways: "));
        assert!(refusal("host.nic.ways", 2.into()).contains("unknown field `ways`"));
        assert!(refusal("seed", 2.into()).contains("seed is what the seeds of a sweep vary"));
        assert!(refusal("", 2.into()).contains("for example host.nic.l1_ways"));
    }
}
