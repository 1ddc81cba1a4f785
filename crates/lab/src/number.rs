//! Numbers as tables and sentences show them.

/// Significant digits that a mean is shown with at most.
const MOST_DIGITS: usize = 5;

/// As few digits as give the number back, without an exponent.
#[cfg(not(target_arch = "wasm32"))]
pub fn plain(value: f64) -> String {
    format!("{value}")
}

/// Rounded to so many significant digits, without an exponent. Digits before the point are all shown.
pub fn significant(value: f64, digits: usize) -> String {
    format!("{value:.*}", decimals(value, digits))
}

/// A mean, and half the width of its interval with two significant digits, both to the same place after the point; the mean
/// has five significant digits at most. Without an interval it has four.
pub fn with_interval(mean: f64, half_width: Option<f64>) -> String {
    let Some(half) = half_width else {
        return significant(mean, 4);
    };
    let places = decimals(half, 2).min(decimals(mean, MOST_DIGITS));
    let half_text = format!("{half:.places$}");
    // Nothing is left of it at this precision.
    if half_text.bytes().all(|b| matches!(b, b'0' | b'.')) {
        return format!("{} ± 0", significant(mean, 4));
    }
    format!("{mean:.places$} ± {half_text}")
}

/// Digits after the point that `digits` significant ones of `value` need.
fn decimals(value: f64, digits: usize) -> usize {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    // The exponent of the value as it will be written: 9.96 with two digits is 10.
    let scientific = format!("{:.*e}", digits.saturating_sub(1), value.abs());
    let exponent: i64 = scientific
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0);
    usize::try_from(digits as i64 - 1 - exponent).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_that_count() {
        assert_eq!(significant(768.8421, 4), "768.8");
        assert_eq!(significant(0.012345, 3), "0.0123");
        assert_eq!(significant(1.0, 3), "1.00");
        assert_eq!(significant(98_765.4, 3), "98765", "digits before the point stay");
        assert_eq!(significant(9.996, 3), "10.0");
        assert_eq!(significant(-2.5, 2), "-2.5");
        assert_eq!(significant(0.0, 3), "0");
        assert_eq!((plain(16.0), plain(0.988)), ("16".into(), "0.988".into()));
    }

    #[test]
    fn the_interval_decides_how_exact_the_mean_is() {
        assert_eq!(with_interval(768.8421, Some(0.1234)), "768.84 ± 0.12");
        assert_eq!(with_interval(768.8421, Some(12.34)), "769 ± 12");
        assert_eq!(with_interval(24.1, Some(3.04)), "24.1 ± 3.0");
        assert_eq!(with_interval(0.998_977, Some(0.000_02)), "0.99898 ± 0.00002");
    }

    #[test]
    fn what_is_too_small_to_be_seen_is_zero() {
        assert_eq!(with_interval(384.421, Some(0.000_04)), "384.4 ± 0");
        assert_eq!(with_interval(16.0, Some(0.0)), "16.00 ± 0");
        assert_eq!(with_interval(0.0, Some(0.0)), "0 ± 0");
        assert_eq!(with_interval(96.109_8, None), "96.11");
    }
}
