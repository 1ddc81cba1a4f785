//! Which of two settings is better.

use crate::report::Metric;
use serde::Serialize;
use std::cmp::Ordering;

/// What a run says of its setting.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// Flows that finished, of all, 0 to 1; 0 where the run could not be built.
    pub finished: f64,
    /// The figure; none where the run does not have it.
    pub value: Option<f64>,
    /// Why the run could not be built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// The figure, and which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// More is better; else less is.
    pub more: bool,
}

impl Goal {
    /// Of a figure: less time, loss and repetition, more goodput.
    pub fn of(metric: Metric) -> Goal {
        Goal {
            more: metric == Metric::Goodput,
        }
    }

    /// Orders two values of the figure, the better one first.
    pub fn order(self, a: f64, b: f64) -> Ordering {
        match self.more {
            true => b.total_cmp(&a),
            false => a.total_cmp(&b),
        }
    }
}

/// What several runs of a setting say together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The mean share of flows that finished.
    pub finished: f64,
    /// The mean of the figure over the runs that have it.
    pub mean: Option<f64>,
}

impl Score {
    /// Of the runs of one setting.
    pub fn of(runs: &[Measured]) -> Score {
        let values: Vec<f64> = runs.iter().filter_map(|run| run.value).collect();
        Score {
            finished: runs.iter().map(|run| run.finished).sum::<f64>() / runs.len().max(1) as f64,
            mean: (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64),
        }
    }

    /// Orders two scores over the same seeds, the better one first. Flows that did not finish come before everything: the
    /// figures of the runs that are left over would make a bad setting look good.
    pub fn order(&self, other: &Score, goal: Goal) -> Ordering {
        let finished = other.finished.total_cmp(&self.finished);
        finished.then_with(|| match (self.mean, other.mean) {
            (Some(a), Some(b)) => goal.order(a, b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(finished: f64, value: impl Into<Option<f64>>) -> Measured {
        Measured {
            finished,
            value: value.into(),
            failed: None,
        }
    }

    #[test]
    fn finishing_comes_first_and_then_the_mean() {
        let less = Goal::of(Metric::FctMax);
        let slow = Score::of(&[run(1.0, 90.0), run(1.0, 110.0)]);
        assert_eq!((slow.finished, slow.mean), (1.0, Some(100.0)));
        // Fast in the run that finished, but half of the other one's flows did not.
        let flaky = Score::of(&[run(1.0, 10.0), run(0.5, None)]);
        assert_eq!((flaky.finished, flaky.mean), (0.75, Some(10.0)));
        assert_eq!(slow.order(&flaky, less), Ordering::Less);
        let faster = Score::of(&[run(1.0, 99.0), run(1.0, 99.0)]);
        assert_eq!(slow.order(&faster, less), Ordering::Greater);
        assert_eq!(slow.order(&faster, Goal::of(Metric::Goodput)), Ordering::Less);
        let nothing = Score::of(&[run(0.0, None)]);
        assert_eq!(flaky.order(&nothing, less), Ordering::Less);
        assert_eq!(nothing.order(&nothing, less), Ordering::Equal);
    }
}
