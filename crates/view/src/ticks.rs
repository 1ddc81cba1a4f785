//! Where an axis has its marks.

/// Marks at round distances (1, 2 or 5 times a power of ten) from `low` to `high`, at most `most` of them (2 to 100).
/// Empty when the range is empty or not finite.
pub fn ticks(low: f64, high: f64, most: usize) -> Vec<f64> {
    let span = high - low;
    if !span.is_finite() || span <= 0.0 {
        return Vec::new();
    }
    let step = step(span, most);
    let first = (low / step).ceil();
    let last = (high / step * (1.0 + 1e-12)).floor();
    let count = (last - first).max(-1.0) as usize + 1;
    (0..count).map(|i| (first + i as f64) * step).collect()
}

/// The distance between two marks.
pub fn step(span: f64, most: usize) -> f64 {
    let most = most.clamp(2, 100) as f64;
    let rough = span / most;
    let mut power = 1.0;
    while power > rough {
        power /= 10.0;
    }
    while power * 10.0 <= rough {
        power *= 10.0;
    }
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|&step| (span / step * (1.0 + 1e-9)).floor() + 1.0 <= most)
        .unwrap_or(10.0 * power)
}

/// The least number with one or two figures not below `value`, of a list that leaves at most a third of an axis empty:
/// the end of an axis that starts at 0.
pub fn round_up(value: f64) -> f64 {
    const ROUND: [f64; 9] = [1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.5];
    if !value.is_finite() || value <= 0.0 {
        return 1.0;
    }
    let mut power = 1.0;
    while power > value {
        power /= 10.0;
    }
    while power * 10.0 <= value {
        power *= 10.0;
    }
    ROUND
        .into_iter()
        .map(|factor| factor * power)
        .find(|&round| round >= value * (1.0 - 1e-12))
        .unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_not_too_many() {
        assert_eq!(ticks(0.0, 10.0, 6), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(3.0, 17.0, 4), [5.0, 10.0, 15.0]);
        assert_eq!(ticks(0.0, 1.0, 3), [0.0, 0.5, 1.0]);
        for (low, high, most) in [
            (0.0, 7.3e9, 8),
            (12.0, 12.7, 5),
            (-3.0, 400.0, 10),
            (0.0, 1e-7, 2),
        ] {
            let marks = ticks(low, high, most);
            assert!(!marks.is_empty() && marks.len() <= most, "{marks:?}");
            assert!(marks.iter().all(|&m| m >= low - 1e-9 && m <= high * (1.0 + 1e-9)));
        }
    }

    #[test]
    fn an_empty_range_has_no_marks() {
        assert!(ticks(1.0, 1.0, 5).is_empty());
        assert!(ticks(2.0, 1.0, 5).is_empty());
        assert!(ticks(0.0, f64::INFINITY, 5).is_empty());
        assert!(ticks(f64::NAN, 1.0, 5).is_empty());
    }

    #[test]
    fn axis_ends_are_round() {
        assert_eq!(round_up(0.0), 1.0);
        assert_eq!(round_up(731.0), 750.0);
        assert_eq!(round_up(400.0), 400.0);
        assert_eq!(round_up(8.1), 10.0);
        for i in 1..1000 {
            let value = f64::from(i);
            assert!(round_up(value) >= value && round_up(value) <= value * 1.5);
        }
        assert_eq!(round_up(0.16), 0.2);
        assert_eq!(round_up(1.0), 1.0);
    }
}
