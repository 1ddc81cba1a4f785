//! What an experiment consists of: what is run or computed, what is measured, and what the paper says.

use crate::evidence::host_run::HostRun;
use crate::evidence::run::{Run, Stopped};
use serde::Serialize;
use serde_json::Value;

/// One figure or statement of the paper, and how it is repeated.
pub struct Experiment {
    /// Its name on the command line, such as `fig9a`.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Where the paper has it.
    pub source: &'static str,
    /// What is smaller or faster than in the paper and by what rule, and which value is our choice.
    pub scaling: &'static str,
    /// How the values come about.
    pub measured: &'static str,
    /// Its parts.
    pub cases: Vec<Case>,
}

/// A part of an experiment: one scenario, or one computation, and the rows that come of it.
pub struct Case {
    /// What is done.
    pub work: Work,
    /// What it yields, in the order in which [`Work`] gives the values.
    pub rows: Vec<Row>,
    /// It takes so little that every test run can repeat it.
    pub quick: bool,
}

/// How the values of a case are found.
pub enum Work {
    /// A preset, with other values in some of its fields, is run for each seed.
    Simulate {
        /// The preset's slug.
        preset: &'static str,
        /// Fields that differ from the preset's, by path.
        changes: Vec<(&'static str, Value)>,
        /// Runs it as far as needed and yields a value for each row; one that is not finite says that what the row asks for
        /// did not happen.
        measure: Measure,
    },
    /// The same for a preset of a host.
    Host {
        /// The preset's slug.
        preset: &'static str,
        /// Fields that differ from the preset's, by path.
        changes: Vec<(&'static str, Value)>,
        /// As above.
        measure: HostMeasure,
    },
    /// They come from something that is no run of a scenario and depends on a seed.
    Seeded(Box<dyn Fn(u64) -> Result<Vec<f64>, Stopped> + Send + Sync>),
    /// They follow from a formula or from the topology; no seed is involved.
    Compute(fn() -> Vec<f64>),
    /// There are none yet; says why.
    NotSimulated(&'static str),
    /// There can be none: the paper's number is something that its authors put in, or saw happen; says which.
    Input(&'static str),
}

/// Takes a run to where it has to go, and reads the values of a case's rows.
pub type Measure = Box<dyn Fn(&mut Run) -> Result<Vec<f64>, Stopped> + Send + Sync>;

/// The same for a host.
pub type HostMeasure = Box<dyn Fn(&mut HostRun) -> Result<Vec<f64>, Stopped> + Send + Sync>;

/// One number of the paper's.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
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
    /// Which values of ours agree with it.
    pub accept: Accept,
    /// Why ours differs. Without it a difference is an error of this table.
    pub reason: &'static str,
}

/// How well a number of the paper's is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Known {
    /// It is printed in the paper.
    Printed,
    /// It was read off a plot.
    Plot,
    /// It follows from what is printed.
    Derived,
    /// It is printed in a summary of the paper.
    Summary,
    /// It stands in other public documents.
    Documented,
    /// No number is published; ours answers the question.
    Question,
}

impl Known {
    /// The word for tables.
    pub const fn word(self) -> &'static str {
        match self {
            Known::Printed => "printed",
            Known::Plot => "plot",
            Known::Derived => "derived",
            Known::Summary => "summary",
            Known::Documented => "documented",
            Known::Question => "not published",
        }
    }
}

/// Which of our values agree with the paper's.
#[derive(Clone, Debug, PartialEq)]
pub enum Accept {
    /// Those from `low` to `high`, both included.
    Between {
        /// The least.
        low: f64,
        /// The greatest.
        high: f64,
        /// The rule in words.
        rule: String,
    },
    /// None can be said to agree or not; the row's reason says why. Ours is shown all the same.
    NotComparable,
}

impl Row {
    /// A number of the paper's, so far without a rule.
    pub fn number(quantity: impl Into<String>, unit: &'static str, value: f64, known: Known) -> Row {
        Row {
            quantity: quantity.into(),
            unit,
            paper: crate::number::plain(value),
            value: Some(value),
            known,
            accept: Accept::NotComparable,
            reason: "",
        }
    }

    /// A statement of the paper's that is no single number.
    pub fn statement(quantity: impl Into<String>, unit: &'static str, paper: &str, known: Known) -> Row {
        Row {
            quantity: quantity.into(),
            unit,
            paper: paper.into(),
            value: None,
            known,
            accept: Accept::NotComparable,
            reason: "",
        }
    }

    /// Ours agrees when it is within this many percent of the paper's number.
    pub fn within(self, percent: f64) -> Row {
        let value = self.value.unwrap_or(f64::NAN);
        let by = value.abs() * percent / 100.0;
        self.between(value - by, value + by, format!("± {percent} %"))
    }

    /// Ours agrees when it is within this distance of the paper's number.
    pub fn within_absolute(self, by: f64, why: &str) -> Row {
        let value = self.value.unwrap_or(f64::NAN);
        let rule = format!("± {} ({why})", crate::number::plain(by));
        self.between(value - by, value + by, rule)
    }

    /// Ours agrees from this value on.
    pub fn at_least(self, low: f64) -> Row {
        let rule = format!("≥ {}", crate::number::plain(low));
        self.between(low, f64::INFINITY, rule)
    }

    /// Ours agrees up to this value.
    pub fn at_most(self, high: f64) -> Row {
        let rule = format!("≤ {}", crate::number::plain(high));
        self.between(f64::NEG_INFINITY, high, rule)
    }

    /// Ours agrees when it is this value, to the last bit.
    pub fn exactly(self) -> Row {
        let value = self.value.unwrap_or(f64::NAN);
        self.between(value, value, "exactly".into())
    }

    /// Ours agrees from `low` to `high`; the rule says why these.
    pub fn from_to(self, low: f64, high: f64, why: &str) -> Row {
        let plain = crate::number::plain;
        let rule = format!("{} to {} ({why})", plain(low), plain(high));
        self.between(low, high, rule)
    }

    /// A question to which no answer is published.
    pub fn question(quantity: impl Into<String>, unit: &'static str) -> Row {
        Row::statement(quantity, unit, "–", Known::Question).because("no number is published")
    }

    /// Why ours differs, or why it cannot be compared.
    pub fn because(mut self, reason: &'static str) -> Row {
        self.reason = reason;
        self
    }

    fn between(mut self, low: f64, high: f64, rule: String) -> Row {
        self.accept = Accept::Between { low, high, rule };
        self
    }
}

/// The slugs of the fabrics' presets that experiments run.
#[cfg(test)]
pub(crate) fn measured_presets(experiments: &[Experiment]) -> std::collections::BTreeSet<&'static str> {
    experiments
        .iter()
        .flat_map(|experiment| &experiment.cases)
        .filter_map(|case| match case.work {
            Work::Simulate { preset, .. } => Some(preset),
            _ => None,
        })
        .collect()
}
