//! What came out of a run of the evidence, as values.

use crate::evidence::experiment::{Accept, Known};
use crate::evidence::paper::Paper;
use crate::evidence::verdict::Verdict;
use crate::stats::Stats;
use serde::Serialize;

/// The whole table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// Whose numbers.
    pub paper: Paper,
    /// The first seed.
    pub first_seed: u64,
    /// Seeds that each simulated row was run with.
    pub seeds: u32,
    /// Experiments in the order of the registry.
    pub experiments: Vec<ExperimentResult>,
}

/// What came out of one experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExperimentResult {
    /// Its name on the command line.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Where the paper has it.
    pub source: &'static str,
    /// By what rule it is scaled.
    pub scaling: &'static str,
    /// How the values come about.
    pub measured: &'static str,
    /// Slugs of the presets that were run, in order, each once.
    pub presets: Vec<&'static str>,
    /// What the rows say in a sentence, where a question asks for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Its rows.
    pub rows: Vec<RowResult>,
}

/// What came out of one row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowResult {
    /// What it is.
    pub quantity: String,
    /// Its unit; empty for ratios and counts.
    pub unit: &'static str,
    /// The paper's figure as it is to be read.
    pub paper: String,
    /// The same as a number, where it is one.
    pub value: Option<f64>,
    /// How well it is known.
    pub known: Known,
    /// Statistics of ours; none where there is none, or where it did not happen in each run.
    pub ours: Option<Stats>,
    /// The mean of ours by the paper's number.
    pub ratio: Option<f64>,
    /// The rule of the verdict; empty where nothing is compared.
    pub rule: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is not a match.
    pub reason: String,
}

impl Evidence {
    /// How many rows have a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows().filter(|(_, row)| row.verdict == verdict).count()
    }

    /// Every row, with the name of its experiment.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, &RowResult)> {
        self.experiments
            .iter()
            .flat_map(|experiment| experiment.rows.iter().map(|row| (experiment.id, row)))
    }

    /// What must not stay in a published table, one line each: differences without a reason, and runs that failed.
    pub fn faults(&self) -> Vec<String> {
        self.rows()
            .filter_map(|(id, row)| match row.verdict {
                Verdict::Failed => Some(format!("{id}: {}: a run failed: {}", row.quantity, row.reason)),
                Verdict::Differs if row.reason.is_empty() => Some(format!(
                    "{id}: {}: differs from the paper, and no reason is given",
                    row.quantity
                )),
                _ => None,
            })
            .collect()
    }
}

/// The rule of a row in words; empty where nothing is compared.
pub(crate) fn rule(accept: &Accept) -> String {
    match accept {
        Accept::Between { rule, .. } => rule.clone(),
        Accept::NotComparable => String::new(),
    }
}
