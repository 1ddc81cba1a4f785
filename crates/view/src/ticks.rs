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

/// The least end of a time axis, in ps.
const LEAST_END: u64 = 20_000_000;

/// Where the time axis of a run ends, in ps: that of a run that is over where it ended; of one that goes on at a round time
/// with some room after `now` and after the last fault that is planned, but not after the run's end.
pub fn axis_end(now: u64, is_over: bool, until: u64, planned: Option<u64>) -> u64 {
    if is_over {
        return now.max(1);
    }
    let wanted = (now.saturating_add(now / 16))
        .max(planned.map_or(0, |at| at.saturating_add(at / 4)))
        .max(LEAST_END);
    let mut power = 1u64;
    while power <= wanted / 10 {
        power *= 10;
    }
    // Twice the factors 1, 1.5, 2, 3 and so on: never more than a third of the axis is empty.
    [2, 3, 4, 6, 8, 10, 12, 16, 20]
        .into_iter()
        .map(|twice| twice * power / 2)
        .find(|&end| end >= wanted)
        .unwrap_or(wanted)
        .min(until)
        .max(1)
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
    fn a_time_axis_leaves_some_room_and_no_more() {
        const US: u64 = 1_000_000;
        let end = |now, planned| axis_end(now * US, false, 2_000 * US, planned) / US;
        assert_eq!(end(0, None), 20);
        assert_eq!(end(19, None), 30);
        assert_eq!(end(60, None), 80);
        assert_eq!(end(0, Some(120 * US)), 150, "a planned fault is in sight");
        assert_eq!(end(502, None), 600);
        assert_eq!(end(900, None), 1_000);
        assert_eq!(end(1_500, None), 2_000);
        assert_eq!(end(1_990, None), 2_000, "not beyond the end of the run");
        assert_eq!(axis_end(61 * US, true, 2_000 * US, None), 61 * US);
        assert_eq!(axis_end(0, true, 0, None), 1);
        for now in (0..100_000_000_000_000).step_by(777_777_777_777) {
            let end = axis_end(now, false, u64::MAX, None);
            assert!(
                end > now && (now < 20_000_000 || end <= now / 5 * 8),
                "{now}: {end}"
            );
        }
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
