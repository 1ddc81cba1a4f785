//! What becomes of a row: by rule, never by hand.

use crate::evidence::experiment::{Accept, Row};
use crate::stats::Stats;
use serde::Serialize;

/// Whether ours agrees with the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The mean of ours lies where the row's rule says.
    Match,
    /// It does not, or what the row asks for did not happen in each run.
    Differs,
    /// There is a value of ours, and no rule by which to judge it.
    NotComparable,
    /// There is none of ours yet.
    NotSimulated,
    /// A run failed.
    Failed,
}

impl Verdict {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Verdict; 5] = [
        Verdict::Match,
        Verdict::Differs,
        Verdict::NotComparable,
        Verdict::NotSimulated,
        Verdict::Failed,
    ];

    /// The words for tables.
    pub const fn words(self) -> &'static str {
        match self {
            Verdict::Match => "match",
            Verdict::Differs => "**differs**",
            Verdict::NotComparable => "not comparable",
            Verdict::NotSimulated => "not simulated",
            Verdict::Failed => "**failed**",
        }
    }
}

/// The verdict on a row whose values have these statistics; without any, what the row asks for did not happen.
pub fn judge(row: &Row, stats: Option<&Stats>) -> Verdict {
    match (&row.accept, stats) {
        (Accept::NotComparable, _) => Verdict::NotComparable,
        (Accept::Between { low, high, .. }, Some(stats)) if (*low..=*high).contains(&stats.mean) => {
            Verdict::Match
        }
        (Accept::Between { .. }, _) => Verdict::Differs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::experiment::Known;

    fn of(values: &[f64], row: Row) -> Verdict {
        judge(&row, Stats::of(values).as_ref())
    }

    #[test]
    fn the_mean_decides_and_both_ends_belong_to_the_range() {
        let row = || Row::number("x", "Gb/s", 100.0, Known::Printed).within(2.0);
        assert_eq!(of(&[97.0, 99.0], row()), Verdict::Match, "a mean of 98");
        assert_eq!(of(&[102.0], row()), Verdict::Match);
        assert_eq!(of(&[97.9], row()), Verdict::Differs);
        assert_eq!(of(&[102.1], row()), Verdict::Differs);
    }

    #[test]
    fn bounds_are_open_on_the_other_side() {
        let row = Row::statement("x", "", "no effect", Known::Printed);
        assert_eq!(of(&[1e9], row.clone().at_least(0.98)), Verdict::Match);
        assert_eq!(of(&[0.97], row.clone().at_least(0.98)), Verdict::Differs);
        assert_eq!(of(&[-5.0], row.clone().at_most(1.0)), Verdict::Match);
        assert_eq!(of(&[1.5], row.at_most(1.0)), Verdict::Differs);
    }

    #[test]
    fn what_did_not_happen_in_each_run_differs() {
        let row = Row::statement("x", "µs", "tens of µs", Known::Printed);
        assert_eq!(
            of(&[20.0, f64::INFINITY], row.clone().at_most(100.0)),
            Verdict::Differs
        );
        assert_eq!(of(&[f64::NAN], row.clone().at_least(0.0)), Verdict::Differs);
        assert_eq!(of(&[20.0], row), Verdict::NotComparable);
    }
}
