//! The registry of questions that neither paper answers: RoCE and MRC on the same fabric, with the same traffic, failures and
//! seeds.
//!
//! A row's quantity is `system: figure`; the page makes a table of systems by figures of them.

mod answers;
mod ladder;
mod scale;
mod steps;

pub(crate) use answers::answer;

use super::experiment::Experiment;

/// Every experiment.
pub fn experiments() -> Vec<Experiment> {
    let mut all = vec![ladder::ladder()];
    all.extend(scale::all());
    all
}

/// What stands below an experiment's figures.
pub(crate) fn below(id: &str) -> Option<String> {
    (id == "ladder").then(ladder::needs)
}

/// A row's quantity.
fn quantity(system: &str, figure: &str) -> String {
    format!("{system}: {figure}")
}

/// System and figure of a row's quantity.
pub(crate) fn parts(quantity: &str) -> Option<(&str, &str)> {
    quantity.split_once(": ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::experiment::{Work, measured_presets};
    use crate::evidence::runner::scenario_of;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn each_experiment_asks_the_same_of_each_system() {
        for experiment in experiments() {
            let mut figures: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for case in &experiment.cases {
                let Work::Simulate { preset, changes, .. } = &case.work else {
                    panic!("{}: nothing but simulations", experiment.id)
                };
                scenario_of(preset, changes).unwrap_or_else(|error| panic!("{}: {error}", experiment.id));
                for row in &case.rows {
                    let (system, figure) = parts(&row.quantity).unwrap();
                    figures.entry(system).or_default().push(figure);
                }
            }
            let asked: BTreeSet<Vec<&str>> = figures.into_values().collect();
            assert_eq!(asked.len(), 1, "{}", experiment.id);
        }
    }

    #[test]
    fn each_preset_of_the_comparison_is_measured() {
        let presets: BTreeSet<&str> = scenario::versus_presets()
            .iter()
            .map(|preset| preset.slug)
            .collect();
        assert_eq!(measured_presets(&experiments()), presets);
    }
}
