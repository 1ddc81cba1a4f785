//! What the runs of a sweep have in common, for each value of the varied field.

use crate::plan::Plan;
use crate::row::{End, Quantiles, Row, RunResult, plain};
use crate::stats::Stats;
use scenario::{Protocol, Scenario, Traffic};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::str::FromStr;

/// A figure that is compared over runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Median completion time of a run's flows.
    FctP50,
    /// 99th percentile of them.
    FctP99,
    /// The longest of them.
    FctMax,
    /// Goodput of all flows together.
    Goodput,
    /// Packets dropped.
    Drops,
    /// Data packets trimmed.
    Trims,
    /// Data packets sent again.
    Retransmissions,
    /// Median time of the steps of a run's jobs.
    StepP50,
    /// 99th percentile of them.
    StepP99,
    /// The longest of them.
    StepMax,
    /// How deep the first fault's dip is.
    DipDepth,
    /// What is missing in it.
    DipLost,
    /// How long it takes to come back.
    DipRecovery,
    /// PAUSE frames sent.
    Pauses,
    /// Share of the run that a link is paused.
    Paused,
    /// Congestion notifications sent.
    Cnps,
}

impl Metric {
    /// All of them, in the order shown.
    pub const ALL: [Metric; 16] = [
        Metric::FctP50,
        Metric::FctP99,
        Metric::FctMax,
        Metric::Goodput,
        Metric::Drops,
        Metric::Trims,
        Metric::Retransmissions,
        Metric::StepP50,
        Metric::StepP99,
        Metric::StepMax,
        Metric::DipDepth,
        Metric::DipLost,
        Metric::DipRecovery,
        Metric::Pauses,
        Metric::Paused,
        Metric::Cnps,
    ];

    /// True for what only some scenarios have: steps, a fault, pauses, congestion notifications.
    pub const fn is_special(self) -> bool {
        !matches!(
            self,
            Metric::FctP50
                | Metric::FctP99
                | Metric::FctMax
                | Metric::Goodput
                | Metric::Drops
                | Metric::Trims
                | Metric::Retransmissions
        )
    }

    /// True for what a fault does.
    pub const fn is_of_dip(self) -> bool {
        matches!(self, Metric::DipDepth | Metric::DipLost | Metric::DipRecovery)
    }

    /// The name in files; ends in the unit unless it is a count.
    pub const fn field(self) -> &'static str {
        match self {
            Metric::FctP50 => "fct_p50_us",
            Metric::FctP99 => "fct_p99_us",
            Metric::FctMax => "fct_max_us",
            Metric::Goodput => "goodput_gbps",
            Metric::Drops => "drops",
            Metric::Trims => "trims",
            Metric::Retransmissions => "retransmissions",
            Metric::StepP50 => "step_p50_us",
            Metric::StepP99 => "step_p99_us",
            Metric::StepMax => "step_max_us",
            Metric::DipDepth => "dip_depth_percent",
            Metric::DipLost => "dip_lost_us",
            Metric::DipRecovery => "dip_recovery_us",
            Metric::Pauses => "pauses",
            Metric::Paused => "paused_percent",
            Metric::Cnps => "cnps",
        }
    }

    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Metric::FctP50 => "FCT p50",
            Metric::FctP99 => "FCT p99",
            Metric::FctMax => "FCT max",
            Metric::Goodput => "Goodput",
            Metric::Drops => "Drops",
            Metric::Trims => "Trims",
            Metric::Retransmissions => "Retransmissions",
            Metric::StepP50 => "Step p50",
            Metric::StepP99 => "Step p99",
            Metric::StepMax => "Step max",
            Metric::DipDepth => "Dip depth",
            Metric::DipLost => "Dip loss",
            Metric::DipRecovery => "Dip recovery",
            Metric::Pauses => "Pauses",
            Metric::Paused => "Links paused",
            Metric::Cnps => "CNPs",
        }
    }

    /// The unit; empty for counts.
    pub const fn unit(self) -> &'static str {
        match self {
            Metric::FctP50
            | Metric::FctP99
            | Metric::FctMax
            | Metric::StepP50
            | Metric::StepP99
            | Metric::StepMax
            | Metric::DipLost
            | Metric::DipRecovery => "µs",
            Metric::Goodput => "Gb/s",
            Metric::DipDepth | Metric::Paused => "%",
            Metric::Drops | Metric::Trims | Metric::Retransmissions | Metric::Pauses | Metric::Cnps => "",
        }
    }

    /// Why no run of a scenario can have the figure; none where it may.
    pub fn impossible_in(self, scenario: &Scenario) -> Option<&'static str> {
        let has_job = || {
            scenario
                .traffic
                .iter()
                .any(|traffic| matches!(traffic, Traffic::Job { .. }))
        };
        let (possible, why) = match self {
            Metric::StepP50 | Metric::StepP99 | Metric::StepMax => (has_job(), "its traffic has no job"),
            Metric::DipDepth | Metric::DipLost | Metric::DipRecovery => (
                crate::dip::first_fault(scenario, &scenario.flows()).is_some(),
                "none of its faults breaks something after its first flow has begun",
            ),
            Metric::Pauses | Metric::Paused => (scenario.fabric.pfc.is_some(), "it has no fabric.pfc"),
            Metric::Cnps => (
                scenario.transport.protocol == Protocol::Roce,
                "its transport.protocol is not \"roce\"",
            ),
            Metric::FctP50
            | Metric::FctP99
            | Metric::FctMax
            | Metric::Goodput
            | Metric::Drops
            | Metric::Trims
            | Metric::Retransmissions => return None,
        };
        (!possible).then_some(why)
    }

    /// The names of the figures that runs of a scenario may have.
    pub fn possible_in(scenario: &Scenario) -> Vec<&'static str> {
        let possible = Metric::ALL
            .into_iter()
            .filter(|metric| metric.impossible_in(scenario).is_none());
        possible.map(Metric::field).collect()
    }

    /// The figure of a run. Completion and step times count only where every flow finished: those of what did finish alone
    /// would make the worst runs look good.
    pub fn of(self, run: &RunResult) -> Option<f64> {
        let whole = |times: Option<Quantiles>| times.filter(|_| run.end == End::Finished);
        let dip = run.dip.as_ref();
        match self {
            Metric::FctP50 => whole(run.fct_us).map(|t| t.p50),
            Metric::FctP99 => whole(run.fct_us).map(|t| t.p99),
            Metric::FctMax => whole(run.fct_us).map(|t| t.max),
            Metric::Goodput => Some(run.goodput_gbps),
            Metric::Drops => Some(run.drops as f64),
            Metric::Trims => Some(run.trims as f64),
            Metric::Retransmissions => Some(run.retransmissions as f64),
            Metric::StepP50 => whole(run.step_us).map(|t| t.p50),
            Metric::StepP99 => whole(run.step_us).map(|t| t.p99),
            Metric::StepMax => whole(run.step_us).map(|t| t.max),
            Metric::DipDepth => dip.map(|dip| dip.depth_percent),
            Metric::DipLost => dip.map(|dip| dip.lost_us),
            Metric::DipRecovery => dip.and_then(|dip| dip.recovery_us),
            Metric::Pauses => run.pfc.map(|pfc| pfc.pauses as f64),
            Metric::Paused => run.pfc.map(|pfc| pfc.paused_percent),
            Metric::Cnps => run.cnps.map(|cnps| cnps as f64),
        }
    }
}

impl FromStr for Metric {
    type Err = String;

    fn from_str(name: &str) -> Result<Metric, String> {
        let found = Metric::ALL.into_iter().find(|metric| metric.field() == name);
        let known = || Metric::ALL.map(Metric::field).join(", ");
        found.ok_or_else(|| format!("unknown figure; known are {}", known()))
    }
}

/// The runs of one value of the varied field; of all runs where none is varied.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointReport {
    /// The value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Runs in the plan.
    pub runs: usize,
    /// Runs that ran to their end.
    pub done: usize,
    /// Those in which every flow finished.
    pub complete: usize,
    /// Runs that failed.
    pub failed: usize,
    /// Runs that came to a deadlock of paused links.
    pub deadlocks: usize,
    /// Statistics over the runs that ran to their end; none where no run has the figure.
    #[serde(serialize_with = "by_field")]
    pub metrics: Vec<(Metric, Option<Stats>)>,
}

impl PointReport {
    /// Gathers the rows of one value, of which the plan has `runs`.
    pub(crate) fn of(value: Option<Value>, runs: usize, rows: &[&Row]) -> PointReport {
        let done: Vec<&RunResult> = rows.iter().filter_map(|row| row.result()).collect();
        let metrics = Metric::ALL.map(|metric| {
            let values: Vec<f64> = done.iter().filter_map(|run| metric.of(run)).collect();
            (metric, Stats::of(&values))
        });
        PointReport {
            value,
            runs,
            done: done.len(),
            complete: done.iter().filter(|run| run.end == End::Finished).count(),
            failed: rows.len() - done.len(),
            deadlocks: done.iter().filter(|run| run.deadlocked()).count(),
            metrics: metrics.to_vec(),
        }
    }

    /// The value as text without quotes.
    pub fn value_text(&self) -> Option<String> {
        self.value.as_ref().map(plain)
    }

    /// Statistics of a figure.
    pub fn stats(&self, metric: Metric) -> Option<Stats> {
        self.metrics.iter().find(|(found, _)| *found == metric)?.1
    }
}

fn by_field<S: Serializer>(metrics: &[(Metric, Option<Stats>)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(metrics.iter().map(|(metric, stats)| (metric.field(), stats)))
}

/// The report on a sweep, or on as much of it as has been run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Report {
    /// Value by value, in the order of the plan.
    pub points: Vec<PointReport>,
}

impl Report {
    /// Gathers rows of a plan, in whatever order they come.
    pub fn of<'a>(plan: &Plan, rows: impl IntoIterator<Item = &'a Row>) -> Report {
        let mut of_point: Vec<Vec<&Row>> = vec![Vec::new(); plan.points()];
        for row in rows {
            if let Some(list) = of_point.get_mut(plan.point_of(row.run)) {
                list.push(row);
            }
        }
        let seeds = plan.seeds().count as usize;
        let points = of_point
            .iter()
            .enumerate()
            .map(|(point, rows)| PointReport::of(plan.value(point).cloned(), seeds, rows))
            .collect();
        Report { points }
    }

    /// Runs in the plan.
    pub fn runs(&self) -> usize {
        self.points.iter().map(|point| point.runs).sum()
    }

    /// Runs that ran to their end.
    pub fn done(&self) -> usize {
        self.points.iter().map(|point| point.done).sum()
    }

    /// Those in which every flow finished.
    pub fn complete(&self) -> usize {
        self.points.iter().map(|point| point.complete).sum()
    }

    /// Runs that failed.
    pub fn failed(&self) -> usize {
        self.points.iter().map(|point| point.failed).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::sweep;
    use crate::row::Outcome;
    use crate::row::tests::{done, failed};

    #[test]
    fn the_order_of_the_rows_does_not_matter() {
        let plan = sweep(5).plan().unwrap();
        let rows = [done(0, 9), done(1, 2), failed(2, "x"), done(3, 4), done(4, 1)];
        let report = Report::of(&plan, &rows);
        assert_eq!(Report::of(&plan, rows.iter().rev()), report);
        let point = &report.points[0];
        assert_eq!(
            (point.runs, point.done, point.complete, point.failed),
            (5, 4, 4, 1)
        );
        let stats = point.stats(Metric::FctP99).unwrap();
        assert_eq!(
            (stats.n, stats.min, stats.median, stats.max, stats.mean),
            (4, 2.0, 6.0, 18.0, 8.0)
        );
    }

    #[test]
    fn completion_times_of_unfinished_runs_do_not_count() {
        let plan = sweep(2).plan().unwrap();
        let mut rows = [done(0, 9), done(1, 2)];
        if let Outcome::Done(result) = &mut rows[1].outcome {
            (result.end, result.finished) = (End::Until, 1);
        }
        let point = &Report::of(&plan, &rows).points[0];
        assert_eq!((point.done, point.complete), (2, 1));
        assert_eq!(point.stats(Metric::FctP50).unwrap().n, 1);
        assert_eq!(point.stats(Metric::Goodput).unwrap().n, 2);
    }

    #[test]
    fn figures_are_found_by_their_name_in_files() {
        for metric in Metric::ALL {
            assert_eq!(metric.field().parse(), Ok(metric));
        }
        let refused = "speed".parse::<Metric>().unwrap_err();
        assert!(
            refused.starts_with("unknown figure; known are fct_p50_us, fct_p99_us, "),
            "{refused}"
        );
    }

    #[test]
    fn what_no_run_knows_is_null() {
        let report = Report::of(&sweep(1).plan().unwrap(), &[]);
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json[0]["done"], 0);
        assert!(json[0]["metrics"]["fct_p50_us"].is_null());
        assert!(json[0].get("value").is_none());
    }
}
