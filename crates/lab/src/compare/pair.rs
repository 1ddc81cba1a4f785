//! One figure of two scenarios, compared seed by seed.

use crate::report::Metric;
use crate::stats::Stats;
use serde::{Serialize, Serializer};
use statrs::distribution::{Binomial, DiscreteCDF};

/// One figure of two scenarios, over the seeds with which both have it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Paired {
    /// The figure.
    #[serde(serialize_with = "by_field")]
    pub metric: Metric,
    /// Seeds with which both have it: at least one.
    pub n: usize,
    /// Seeds with which only one has it, and which are left out.
    pub left_out: usize,
    /// The first scenario's values.
    pub first: Stats,
    /// The other's.
    pub other: Stats,
    /// Statistics of the differences, seed by seed: the other's value less the first's. Its interval is Student's.
    pub difference: Stats,
    /// The other's value by the first's; none unless all values are above 0.
    pub ratio: Option<Ratio>,
    /// Seeds with which the other's value is the higher one.
    pub higher: usize,
    /// Seeds with which it is the lower one.
    pub lower: usize,
    /// Seeds with which both are equal.
    pub equal: usize,
    /// Sign test, two-sided and exact: how likely so uneven a split of `higher` and `lower`, or a more uneven one, would be if both
    /// were equally likely. None where all are equal.
    pub sign_p: Option<f64>,
    /// What the intervals say.
    pub verdict: Verdict,
}

/// The ratio of two values, seed by seed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// Geometric mean: e to the mean of the logarithms of the ratios.
    pub mean: f64,
    /// The bounds of its 95 % confidence interval: e to those of Student's interval of that mean of logarithms. None for a single
    /// seed. The ratio of the scenarios turned around has the reciprocal mean and bounds.
    pub ci95: Option<[f64; 2]>,
}

/// What the 95 % confidence intervals say of the other scenario against the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// With every seed both have the same value.
    Same,
    /// The other's is higher: the interval of the difference is above 0, and that of the ratio, where there is one, above 1.
    Higher,
    /// The other's is lower, likewise.
    Lower,
    /// One of the intervals has room for no difference.
    NotShown,
    /// There is a single seed, and so no interval.
    OneSeed,
}

fn by_field<S: Serializer>(metric: &Metric, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(metric.field())
}

impl Paired {
    /// Compares the values of a figure, `[first, other]` for each seed, in any order. None where no seed has both.
    pub fn of(metric: Metric, values: &[[Option<f64>; 2]]) -> Option<Paired> {
        let pairs: Vec<[f64; 2]> = values
            .iter()
            .filter_map(|&[first, other]| Some([first?, other?]))
            .collect();
        let half = |values: &[Option<f64>; 2]| values[0].is_some() != values[1].is_some();
        let side = |side: usize| Stats::of(&pairs.iter().map(|pair| pair[side]).collect::<Vec<_>>());
        let differences: Vec<f64> = pairs.iter().map(|[first, other]| other - first).collect();
        let count = |is: fn(f64) -> bool| differences.iter().filter(|&&d| is(d)).count();
        let (higher, lower) = (count(|d| d > 0.0), count(|d| d < 0.0));
        let difference = Stats::of(&differences)?;
        let ratio = Ratio::of(&pairs);
        Some(Paired {
            metric,
            n: pairs.len(),
            left_out: values.iter().filter(|values| half(values)).count(),
            first: side(0)?,
            other: side(1)?,
            difference,
            ratio,
            higher,
            lower,
            equal: pairs.len() - higher - lower,
            sign_p: sign_test(higher, lower),
            verdict: if higher + lower == 0 {
                Verdict::Same
            } else {
                verdict(&difference, ratio.as_ref())
            },
        })
    }
}

fn verdict(difference: &Stats, ratio: Option<&Ratio>) -> Verdict {
    let Some(half) = difference.ci95 else {
        return Verdict::OneSeed;
    };
    let [low, high] = ratio.and_then(|ratio| ratio.ci95).unwrap_or([1.0; 2]);
    let without = ratio.is_none();
    if difference.mean - half > 0.0 && (without || low > 1.0) {
        Verdict::Higher
    } else if difference.mean + half < 0.0 && (without || high < 1.0) {
        Verdict::Lower
    } else {
        Verdict::NotShown
    }
}

impl Ratio {
    fn of(pairs: &[[f64; 2]]) -> Option<Ratio> {
        if pairs.iter().flatten().any(|&value| value <= 0.0) {
            return None;
        }
        let logs: Vec<f64> = pairs
            .iter()
            .map(|[first, other]| libm::log(*other) - libm::log(*first))
            .collect();
        let logs = Stats::of(&logs)?;
        Some(Ratio {
            mean: libm::exp(logs.mean),
            ci95: logs
                .ci95
                .map(|half| [logs.mean - half, logs.mean + half].map(libm::exp)),
        })
    }
}

/// The two-sided p of the sign test; none where there is nothing to test.
fn sign_test(higher: usize, lower: usize) -> Option<f64> {
    let all = (higher + lower) as u64;
    if all == 0 {
        return None;
    }
    let tail = Binomial::new(0.5, all).ok()?.cdf(higher.min(lower) as u64);
    Some((2.0 * tail).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 1e-4 * expected.abs().max(1.0),
            "{found} is not {expected}"
        );
    }

    fn paired(values: &[[f64; 2]]) -> Paired {
        let values: Vec<_> = values.iter().map(|pair| pair.map(Some)).collect();
        Paired::of(Metric::FctP99, &values).expect("there are values")
    }

    #[test]
    fn differences_are_taken_seed_by_seed() {
        // Differences 1, 2, 3: mean 2, s = 1, t(0.975; 2) = 4.30265, half width 4.30265 / √3 = 2.48414.
        let pair = paired(&[[10.0, 11.0], [50.0, 52.0], [90.0, 93.0]]);
        assert_eq!((pair.n, pair.difference.mean), (3, 2.0));
        close(pair.difference.ci95.unwrap(), 2.484_14);
        assert_eq!((pair.first.mean, pair.other.mean), (50.0, 52.0));
        assert_eq!((pair.higher, pair.lower, pair.equal), (3, 0, 0));
        // 2 − 2.48 is below 0: nothing is shown, although the other is higher each time.
        assert_eq!(pair.verdict, Verdict::NotShown);
        // 2 · (1/2)³.
        close(pair.sign_p.unwrap(), 0.25);
    }

    #[test]
    fn a_ratio_is_taken_over_logarithms() {
        // Ratios 2, 4, 8: logarithms 1, 2, 3 times ln 2; geometric mean 4, bounds 4 · 2^(±2.48414) = 4 · 5.59502^(±1).
        let pair = paired(&[[1.0, 2.0], [1.0, 4.0], [1.0, 8.0]]);
        let ratio = pair.ratio.unwrap();
        close(ratio.mean, 4.0);
        let [low, high] = ratio.ci95.unwrap();
        close(low, 4.0 / 5.595_02);
        close(high, 4.0 * 5.595_02);
    }

    #[test]
    fn sides_turned_around_are_reciprocal() {
        let values = [[1.0, 3.0], [2.0, 5.0], [4.0, 7.0], [3.0, 8.0]];
        let (pair, turned) = (paired(&values), paired(&values.map(|[a, b]| [b, a])));
        let (ratio, back) = (pair.ratio.unwrap(), turned.ratio.unwrap());
        close(ratio.mean * back.mean, 1.0);
        let ([low, high], [back_low, back_high]) = (ratio.ci95.unwrap(), back.ci95.unwrap());
        close(low * back_high, 1.0);
        close(high * back_low, 1.0);
        assert_eq!(pair.difference.mean, -turned.difference.mean);
        assert_eq!((pair.verdict, turned.verdict), (Verdict::Higher, Verdict::Lower));
        assert_eq!((pair.higher, turned.lower), (4, 4));
        assert_eq!(pair.sign_p, turned.sign_p);
    }

    #[test]
    fn the_order_of_seeds_does_not_matter() {
        let values: Vec<[f64; 2]> = (1..40)
            .map(|i| [f64::from(i) * 0.1, f64::from(i * 7 % 40) * 0.3 + 0.7])
            .collect();
        let mut turned = values.clone();
        turned.rotate_left(13);
        turned.reverse();
        assert_eq!(paired(&values), paired(&turned));
    }

    #[test]
    fn equal_values_are_the_same() {
        let pair = paired(&[[3.0, 3.0], [5.0, 5.0]]);
        assert_eq!((pair.verdict, pair.equal, pair.sign_p), (Verdict::Same, 2, None));
        assert_eq!(pair.difference.ci95, Some(0.0));
        let ratio = pair.ratio.unwrap();
        assert_eq!((ratio.mean, ratio.ci95), (1.0, Some([1.0, 1.0])));
    }

    #[test]
    fn without_an_interval_nothing_is_shown() {
        let pair = paired(&[[3.0, 30.0]]);
        assert_eq!((pair.verdict, pair.difference.ci95), (Verdict::OneSeed, None));
        assert_eq!(pair.ratio.unwrap().ci95, None);
    }

    #[test]
    fn zeros_have_differences_and_no_ratio() {
        let pair = paired(&[[0.0, 5.0], [0.0, 6.0], [0.0, 7.0], [0.0, 6.0]]);
        assert_eq!((pair.ratio, pair.verdict), (None, Verdict::Higher));
        // 2 · (1/2)⁴.
        close(pair.sign_p.unwrap(), 0.125);
    }

    #[test]
    fn both_intervals_have_to_exclude_no_difference() {
        // Ratios 1.01, 1.01, 3: of the logarithms 0.00995, 0.00995, 1.0986 the half width is 1.56. Differences 1, 1, 1: width 0.
        let pair = paired(&[[100.0, 101.0], [100.0, 101.0], [0.5, 1.5]]);
        close(pair.difference.ci95.unwrap(), 0.0);
        assert!(pair.ratio.unwrap().ci95.unwrap()[0] < 1.0);
        assert_eq!(pair.verdict, Verdict::NotShown);
    }

    #[test]
    fn what_only_one_has_is_left_out_and_counted() {
        let values = [
            [Some(1.0), Some(2.0)],
            [None, Some(9.0)],
            [Some(9.0), None],
            [None, None],
            [Some(2.0), Some(3.0)],
        ];
        let pair = Paired::of(Metric::FctMax, &values).unwrap();
        assert_eq!((pair.n, pair.left_out, pair.difference.mean), (2, 2, 1.0));
        assert_eq!(Paired::of(Metric::FctMax, &values[1..4]), None);
    }

    #[test]
    fn the_sign_test_is_exact() {
        // 10 to 0: 2 / 1024. 8 to 2: 2 · (1 + 10 + 45) / 1024. 5 to 5: more than 1 is 1.
        close(sign_test(10, 0).unwrap(), 2.0 / 1_024.0);
        close(sign_test(2, 8).unwrap(), 112.0 / 1_024.0);
        assert_eq!(sign_test(5, 5), Some(1.0));
        assert_eq!(sign_test(0, 0), None);
        assert_eq!(sign_test(0, 5_000), Some(0.0).filter(|p| *p >= 0.0));
    }
}
