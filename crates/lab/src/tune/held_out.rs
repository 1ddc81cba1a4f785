//! The best setting against the default on seeds that the search has not seen.
//!
//! The best of many settings was in part lucky with the seeds that it was chosen by (the winner's curse): its mean over those is
//! too good. New seeds know nothing of the choice. Both settings run with the same ones, so they are compared seed by seed.

use super::score::Goal;
use crate::compare::{Paired, Ratio, Verdict};
use crate::report::Metric;
use crate::row::{Outcome, Row, RunResult};
use crate::stats::Stats;
use serde::{Serialize, Serializer};

/// One figure of both settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Which figure.
    #[serde(serialize_with = "field")]
    pub metric: Metric,
    /// Over the runs of the default that have it.
    pub default: Option<Stats>,
    /// Over those of the best setting.
    pub best: Option<Stats>,
    /// Best less default, over the seeds with which both have it.
    pub difference: Option<Stats>,
    /// Best over default, over those seeds; none where a value is not above 0.
    pub ratio: Option<Ratio>,
}

/// Compares rows of the default with rows of the best setting, seed by seed. A figure that no run has is left out.
pub fn compare(default: &[Row], best: &[Row]) -> Vec<Compared> {
    let compared = |metric: Metric| {
        let value = |row: &Row| row.result().and_then(|run: &RunResult| metric.of(run));
        let stats = |rows: &[Row]| Stats::of(&rows.iter().filter_map(value).collect::<Vec<_>>());
        let paired = paired(metric, default, best);
        Compared {
            metric,
            default: stats(default),
            best: stats(best),
            difference: paired.as_ref().map(|paired| paired.difference),
            ratio: paired.and_then(|paired| paired.ratio),
        }
    };
    let all = Metric::ALL.into_iter().map(compared);
    all.filter(|figure| figure.default.is_some() || figure.best.is_some())
        .collect()
}

/// Whether the best setting is better than the default with seeds that the search has not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HeldOut {
    /// It is: in more of its runs every flow finished, or in as many, and the intervals exclude that there is no difference.
    Better,
    /// It may be as good as the default.
    NotShown,
    /// The default is better.
    Worse,
    /// One seed says nothing about others.
    OneSeed,
}

impl HeldOut {
    /// From the rows of both, by the figure that was to be best.
    pub fn of(metric: Metric, default: &[Row], best: &[Row]) -> HeldOut {
        if default.len() < 2 {
            return HeldOut::OneSeed;
        }
        // Flows that did not finish come before everything, as in the search.
        match complete(best).cmp(&complete(default)) {
            std::cmp::Ordering::Greater => return HeldOut::Better,
            std::cmp::Ordering::Less => return HeldOut::Worse,
            std::cmp::Ordering::Equal => {}
        }
        let more = Goal::of(metric).more;
        match paired(metric, default, best).map(|paired| paired.verdict) {
            Some(Verdict::Higher) if more => HeldOut::Better,
            Some(Verdict::Lower) if !more => HeldOut::Better,
            Some(Verdict::Higher | Verdict::Lower) => HeldOut::Worse,
            Some(Verdict::Same | Verdict::NotShown | Verdict::OneSeed) | None => HeldOut::NotShown,
        }
    }
}

/// A figure of both, seed by seed; none where no seed has it with both.
fn paired(metric: Metric, default: &[Row], best: &[Row]) -> Option<Paired> {
    let value = |row: &Row| row.result().and_then(|run: &RunResult| metric.of(run));
    let values: Vec<[Option<f64>; 2]> = default
        .iter()
        .filter_map(|row| {
            let other = best.iter().find(|other| other.seed == row.seed)?;
            Some([value(row), value(other)])
        })
        .collect();
    Paired::of(metric, &values)
}

/// How many of the rows finished every flow.
pub fn complete(rows: &[Row]) -> usize {
    let finished =
        |row: &&Row| matches!(&row.outcome, Outcome::Done(run) if run.end == crate::row::End::Finished);
    rows.iter().filter(finished).count()
}

fn field<S: Serializer>(metric: &Metric, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(metric.field())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::tests::done;

    fn of(figures: &[Compared], metric: Metric) -> Compared {
        *figures
            .iter()
            .find(|figure| figure.metric == metric)
            .expect("there is one")
    }

    fn close(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 1e-4 * expected.abs(),
            "{found} is not {expected}"
        );
    }

    #[test]
    fn seeds_are_compared_one_by_one() {
        // The longest completion time of `done(_, n)` is 3 n: 12, 24 and 36 against 6, 6 and 18, in another order.
        let default = [done(1, 4), done(2, 8), done(3, 12)];
        let best = [done(3, 6), done(1, 2), done(2, 2)];
        let figure = of(&compare(&default, &best), Metric::FctMax);
        assert_eq!(
            (figure.default.unwrap().mean, figure.best.unwrap().mean),
            (24.0, 10.0)
        );
        // Differences −6, −18, −18: mean −14, s² = (64 + 16 + 16) / 2 = 48, t(0.975; 2) = 4.30265: 4.30265 · √(48/3) = 17.2106.
        let difference = figure.difference.unwrap();
        assert_eq!(difference.mean, -14.0);
        close(difference.ci95.unwrap(), 17.2106);
        // Ratios 1/2, 1/4, 1/2: logarithms −ln 2, −2 ln 2, −ln 2, mean −4/3 ln 2: 2^(−4/3) = 0.39685.
        // s² = (1/9 + 4/9 + 1/9) / 2 · ln² 2 = ln² 2 / 3; half 4.30265 · ln 2 / 3 = 0.99413 and so a factor of 2.70237.
        let ratio = figure.ratio.unwrap();
        close(ratio.mean, 0.396_850);
        let [low, high] = ratio.ci95.unwrap();
        close(low, 0.396_850 / 2.702_37);
        close(high, 0.396_850 * 2.702_37);
    }

    #[test]
    fn better_is_said_only_where_it_is_shown() {
        let rows = |longest: &[u32]| -> Vec<Row> {
            let seeds = 1..;
            seeds.zip(longest).map(|(seed, n)| done(seed, *n)).collect()
        };
        let verdict = |a: &[u32], b: &[u32]| HeldOut::of(Metric::FctMax, &rows(a), &rows(b));
        // Differences −30, −33, −27 (three times those of n): mean −30, half 4.30265 · 3 / √3 = 7.45.
        assert_eq!(verdict(&[20, 21, 22], &[10, 10, 13]), HeldOut::Better);
        assert_eq!(verdict(&[10, 10, 13], &[20, 21, 22]), HeldOut::Worse);
        // Differences 3, −3, 3: mean 1, half 8.6.
        assert_eq!(verdict(&[10, 11, 10], &[11, 10, 11]), HeldOut::NotShown);
        assert_eq!(verdict(&[10, 10], &[10, 10]), HeldOut::NotShown);
        assert_eq!(verdict(&[20], &[10]), HeldOut::OneSeed);
        // Of goodput more is better.
        let goodput = |a: &[u32], b: &[u32]| HeldOut::of(Metric::Goodput, &rows(a), &rows(b));
        assert_eq!(goodput(&[10, 10, 13], &[20, 21, 22]), HeldOut::Better);
        // A run that failed is worse than one that took long.
        let mut failing = rows(&[10, 10, 10]);
        failing[1] = crate::row::tests::failed(2, "no memory");
        assert_eq!(
            HeldOut::of(Metric::FctMax, &rows(&[50, 50, 50]), &failing),
            HeldOut::Worse
        );
        assert_eq!(
            HeldOut::of(Metric::FctMax, &failing, &rows(&[50, 50, 50])),
            HeldOut::Better
        );
    }

    #[test]
    fn what_cannot_be_divided_has_a_difference_only() {
        let figure = of(&compare(&[done(1, 4)], &[done(1, 2)]), Metric::Trims);
        assert_eq!((figure.difference.unwrap().mean, figure.ratio), (0.0, None));
        // 5 retransmissions in both: a ratio of 1, and of one seed no interval.
        let figure = of(&compare(&[done(1, 4)], &[done(1, 2)]), Metric::Retransmissions);
        assert_eq!(
            figure.ratio,
            Some(Ratio {
                mean: 1.0,
                ci95: None
            })
        );
    }

    #[test]
    fn a_run_that_failed_has_no_partner() {
        let rows = [done(1, 4), crate::row::tests::failed(2, "no memory")];
        let figure = of(&compare(&rows, &[done(1, 2), done(2, 2)]), Metric::FctMax);
        assert_eq!((figure.best.unwrap().n, figure.difference.unwrap().n), (2, 1));
        assert_eq!(complete(&rows), 1);
    }
}
