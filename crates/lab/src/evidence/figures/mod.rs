//! The registry: the paper's figures, in its order.

mod bandwidth;
mod cluster_d;
mod collectives;
mod latency;
mod link_loss;
mod paths;
mod production;
mod roce;
mod switch_loss;
mod topology;

use crate::evidence::experiment::Experiment;

/// Every experiment, in the order of the paper.
pub fn experiments() -> Vec<Experiment> {
    [
        topology::all(),
        production::all(),
        latency::all(),
        bandwidth::all(),
        link_loss::all(),
        switch_loss::all(),
        paths::all(),
        collectives::all(),
        cluster_d::all(),
        roce::all(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::experiment::{Accept, Work, measured_presets};
    use crate::evidence::runner::scenario_of;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_fit_a_command_line() {
        let all = experiments();
        let ids: BTreeSet<&str> = all.iter().map(|experiment| experiment.id).collect();
        assert_eq!(ids.len(), all.len());
        assert!(ids.iter().all(|id| {
            id.bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        }));
    }

    /// Everything that can be known without running anything.
    #[test]
    fn each_experiment_is_complete() {
        for experiment in experiments() {
            let id = experiment.id;
            assert!(
                !experiment.title.is_empty() && !experiment.source.is_empty(),
                "{id}"
            );
            assert!(!experiment.cases.is_empty(), "{id}");
            for case in &experiment.cases {
                assert!(!case.rows.is_empty(), "{id}");
                if let Work::Simulate { preset, changes, .. } = &case.work {
                    scenario_of(preset, changes).unwrap_or_else(|error| panic!("{id}: {error}"));
                    assert!(
                        !experiment.scaling.is_empty() && !experiment.measured.is_empty(),
                        "{id}"
                    );
                }
                let judged = matches!(case.work, Work::Simulate { .. } | Work::Compute(_));
                for row in &case.rows {
                    assert!(!row.paper.is_empty(), "{id}: {}", row.quantity);
                    let explained = row.accept != Accept::NotComparable || !row.reason.is_empty();
                    assert!(!judged || explained, "{id}: {}", row.quantity);
                }
            }
        }
    }

    /// No preset of the paper's that nothing is measured with.
    #[test]
    fn each_paper_preset_is_measured() {
        let presets: BTreeSet<&str> = scenario::paper_presets()
            .iter()
            .map(|preset| preset.slug)
            .collect();
        assert_eq!(measured_presets(&experiments()), presets);
    }
}
