//! Histograms: how many values are in each of some bins.

use super::{Sample, Scale};

/// Bins at most.
const MOST_BINS: usize = 40;
/// And at least, where there are several values.
const LEAST_BINS: usize = 8;

/// The bins of a sample: where each begins and how many values are in it, and at last the end. They are equally wide along `scale`, and
/// there are about as many as the square root of the number of values.
pub fn histogram(sample: &Sample, scale: &Scale) -> Vec<(f64, f64)> {
    let bins = ((sample.count() as f64).sqrt().ceil() as usize).clamp(LEAST_BINS, MOST_BINS);
    let mut counts = vec![0u64; bins];
    for (value, count) in sample.weighted() {
        // A value at the very end belongs to the last bin.
        let bin = (scale.share(value) * bins as f64) as usize;
        counts[bin.min(bins - 1)] += count;
    }
    let edge = |bin: usize| scale.value(bin as f64 / bins as f64);
    let mut points: Vec<(f64, f64)> = counts
        .iter()
        .enumerate()
        .map(|(bin, &count)| (edge(bin), count as f64))
        .collect();
    points.push((edge(bins), counts[bins - 1] as f64));
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_are_counted_in_bins() {
        let sample = Sample::new([1, 2, 3, 79, 80], 5);
        let points = histogram(&sample, &Scale::linear(0.0, 80.0));
        assert_eq!(points.len(), 9);
        assert_eq!(points[0], (0.0, 3.0));
        assert_eq!(points[7], (70.0, 2.0));
        assert_eq!(points[8], (80.0, 2.0));
    }

    #[test]
    fn bins_follow_a_logarithmic_scale() {
        let sample = Sample::new([10, 11, 11_000], 3);
        let points = histogram(&sample, &Scale::logarithmic(10.0, 100_000.0));
        assert_eq!(points[0].1, 2.0);
        assert!((points[2].0 - 100.0).abs() < 1e-6, "two bins a decade");
        assert_eq!(points[6].1, 1.0);
    }

    proptest! {
        #[test]
        fn every_value_is_in_one_bin(values in prop::collection::vec(1u64..1_000_000, 1..3000), log: bool) {
            let scale = if log { Scale::logarithmic(1.0, 1e6) } else { Scale::linear(0.0, 1e6) };
            let count = values.len() as f64;
            let points = histogram(&Sample::new(values, 0), &scale);
            prop_assert_eq!(points[..points.len() - 1].iter().map(|(_, count)| count).sum::<f64>(), count);
            prop_assert!(points.windows(2).all(|pair| pair[0].0 < pair[1].0));
        }
    }
}
