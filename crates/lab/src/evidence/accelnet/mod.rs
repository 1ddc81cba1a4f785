//! The registry for AccelNet: what the paper and its surroundings say, and the questions that they leave open.

mod answers;
mod caches;
mod costs;
mod latency;
mod servicing;
mod stress;
mod throughput;

pub(crate) use answers::answer;

use super::experiment::{Case, Experiment, HostMeasure, Row, Work};
use serde_json::Value;

/// Every experiment, in the order of the paper, open questions last.
pub fn experiments() -> Vec<Experiment> {
    [
        latency::all(),
        throughput::all(),
        caches::all(),
        stress::all(),
        servicing::all(),
        costs::all(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A preset of a host, with other values in some fields.
fn host(
    preset: &'static str,
    changes: Vec<(&'static str, Value)>,
    quick: bool,
    rows: Vec<Row>,
    measure: HostMeasure,
) -> Case {
    Case {
        work: Work::Host {
            preset,
            changes,
            measure,
        },
        rows,
        quick,
    }
}

/// A part of a whole; not a number where there is no whole, so that the row says that it did not happen.
fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::experiment::Accept;
    use crate::evidence::runner::host_scenario_of;
    use std::collections::BTreeSet;

    /// Everything that can be known without running anything.
    #[test]
    fn each_experiment_is_complete() {
        let all = experiments();
        let ids: BTreeSet<&str> = all.iter().map(|experiment| experiment.id).collect();
        assert_eq!(ids.len(), all.len());
        for experiment in all {
            let id = experiment.id;
            assert!(
                !experiment.title.is_empty() && !experiment.source.is_empty(),
                "{id}"
            );
            for case in &experiment.cases {
                assert!(!case.rows.is_empty(), "{id}");
                if let Work::Host { preset, changes, .. } = &case.work {
                    host_scenario_of(preset, changes).unwrap_or_else(|error| panic!("{id}: {error}"));
                    assert!(!experiment.measured.is_empty(), "{id}");
                }
                for row in &case.rows {
                    if let (Accept::Between { low, high, .. }, Some(value)) = (&row.accept, row.value)
                        && value != 0.0
                    {
                        let nothing_agrees = *low <= 0.0 && 0.0 <= *high;
                        assert!(!nothing_agrees || value < 1e-4, "{id}: {} takes 0", row.quantity);
                    }
                    assert!(!row.paper.is_empty(), "{id}: {}", row.quantity);
                    let given = matches!(case.work, Work::NotSimulated(_) | Work::Input(_));
                    let explained = row.accept != Accept::NotComparable || !row.reason.is_empty();
                    assert!(given || explained, "{id}: {}", row.quantity);
                }
            }
        }
    }
}
