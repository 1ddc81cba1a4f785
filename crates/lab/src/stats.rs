//! What a list of measured values has in common.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Statistics of one figure over the runs of a sweep, in the figure's unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// How many values there were.
    pub n: usize,
    /// Least.
    pub min: f64,
    /// Median; of an even number of values the mean of the middle two.
    pub median: f64,
    /// Greatest.
    pub max: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Half the width of the 95 % confidence interval of the mean: mean ± this. None for a single value.
    ///
    /// t(0.975; n − 1) · s / √n with s² = Σ(x − mean)² / (n − 1): Student's interval for independent values that are
    /// roughly normal. Seeds make runs independent; of few and skewed values the interval is a rough guide.
    pub ci95: Option<f64>,
}

impl Stats {
    /// Statistics of `values`; none when there are none or one is not finite. The order of the values does not matter.
    pub fn of(values: &[f64]) -> Option<Stats> {
        if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        // Summing in order of size makes the last bit independent of the order of the values, too.
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let n = sorted.len();
        let mean = sorted.iter().sum::<f64>() / n as f64;
        Some(Stats {
            n,
            min: sorted[0],
            median: f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]),
            max: sorted[n - 1],
            mean,
            ci95: half_width(&sorted, mean),
        })
    }
}

/// Half the width of the 95 % confidence interval of the mean.
fn half_width(values: &[f64], mean: f64) -> Option<f64> {
    let freedom = values.len().checked_sub(2)? as f64 + 1.0;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let t = StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(0.975);
    Some(t * (squares / freedom / values.len() as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 5e-4 * expected.abs().max(1.0),
            "{found} is not {expected}"
        );
    }

    #[test]
    fn by_hand() {
        // Mean 5, squares 9+1+1+1+0+0+4+16 = 32, s² = 32/7; t(0.975; 7) = 2.36462 (any table of Student's t);
        // 2.36462 · √(32/7/8) = 1.78748.
        let stats = Stats::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!(
            (stats.n, stats.min, stats.median, stats.max, stats.mean),
            (8, 2.0, 4.5, 9.0, 5.0)
        );
        close(stats.ci95.unwrap(), 1.787_48);
        // Mean 2, s² = 2, t(0.975; 1) = 12.7062; 12.7062 · √(2/2) = 12.7062.
        close(Stats::of(&[1.0, 3.0]).unwrap().ci95.unwrap(), 12.7062);
    }

    #[test]
    fn students_t_is_that_of_the_tables() {
        // For n values with s = √n the half width is t itself.
        for (freedom, t) in [
            (2, 4.302_65),
            (4, 2.776_45),
            (9, 2.262_16),
            (30, 2.042_27),
            (120, 1.979_93),
        ] {
            let n = freedom + 1;
            // Values ±a around 0, and one 0 if n is odd: squares 2·(n/2)·a² = freedom · n.
            let a = (f64::from(freedom * n) / f64::from(n / 2 * 2)).sqrt();
            let values: Vec<f64> = (0..n)
                .map(|i| match (i == n - 1 && n % 2 == 1, i % 2) {
                    (true, _) => 0.0,
                    (false, 0) => a,
                    (false, _) => -a,
                })
                .collect();
            close(Stats::of(&values).unwrap().ci95.unwrap(), t);
        }
    }

    #[test]
    fn one_value_has_no_interval_and_equal_values_have_an_empty_one() {
        let one = Stats::of(&[7.5]).unwrap();
        assert_eq!((one.median, one.mean, one.ci95), (7.5, 7.5, None));
        assert_eq!(Stats::of(&[3.0; 5]).unwrap().ci95, Some(0.0));
        assert_eq!(Stats::of(&[]), None);
        assert_eq!(Stats::of(&[1.0, f64::NAN]), None);
    }

    #[test]
    fn the_order_does_not_matter_to_the_last_bit() {
        let values: Vec<f64> = (0..97).map(|i| f64::from(i * 37 % 97) * 0.1 + 1e9).collect();
        let mut turned = values.clone();
        turned.reverse();
        turned.rotate_left(31);
        assert_eq!(Stats::of(&values), Stats::of(&turned));
    }
}
