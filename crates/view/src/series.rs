//! Series over time, and how they become lines of so many pixels.

use crate::Extent;
use std::fmt::Write;

/// Values over time in bins of equal width; the last bin may be incomplete.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Width of a bin in ps.
    pub bin_ps: u64,
    /// One value a bin.
    pub bins: Vec<f32>,
}

impl Series {
    /// The value at time `ps`; 0 beyond the end.
    pub fn at(&self, ps: u64) -> f32 {
        let bin = ps.checked_div(self.bin_ps).unwrap_or(0);
        usize::try_from(bin)
            .ok()
            .and_then(|bin| self.bins.get(bin))
            .copied()
            .unwrap_or(0.0)
    }

    /// The largest value.
    pub fn max(&self) -> f32 {
        self.bins.iter().copied().fold(0.0, f32::max)
    }

    /// At most `points` values: neighbouring bins together, by their mean. Returns how many bins each value covers.
    pub fn condensed(&self, points: usize) -> (usize, Vec<f32>) {
        let each = self.bins.len().div_ceil(points.max(1)).max(1);
        let means = self
            .bins
            .chunks(each)
            .map(|chunk| chunk.iter().sum::<f32>() / chunk.len() as f32)
            .collect();
        (each, means)
    }
}

/// Width of the box that an [`area`] is drawn in.
pub const AREA_WIDTH: f64 = 1000.0;
/// Its height.
pub const AREA_HEIGHT: f64 = 100.0;

/// A path of steps under an extent of time, each value as wide as its bin of `bin_ps`; `most` is as high as the box.
pub fn area(values: &[f64], bin_ps: u64, most: f64, extent: Extent) -> String {
    let bin_ps = bin_ps.max(1);
    let first = ((extent.from / bin_ps) as usize).min(values.len());
    let last = ((extent.to / bin_ps) as usize + 1).min(values.len());
    let x = |bin: usize| (extent.share(bin as u64 * bin_ps) * AREA_WIDTH).clamp(0.0, AREA_WIDTH);
    let start = x(first);
    let mut path = format!("M{start:.2} {AREA_HEIGHT}");
    let mut height = f64::NAN;
    for (bin, &value) in values.iter().enumerate().take(last).skip(first) {
        let y = ((1.0 - value / most.max(f64::MIN_POSITIVE)) * AREA_HEIGHT).clamp(0.0, AREA_HEIGHT);
        if y != height {
            // Writing to a string cannot fail.
            let _ = write!(path, "H{:.2}V{y:.1}", x(bin));
            height = y;
        }
    }
    let _ = write!(path, "H{:.2}V{AREA_HEIGHT}Z", x(last));
    path
}

/// Complete bins that a current rate is the mean of. A bin counts whole packets, so a single one can show more than
/// a link carries.
const RECENT_BINS: usize = 8;

/// The mean of the last complete bins, of which `bins` has one more at its end that is not; `None` before there are any.
pub fn recent<T: Copy + Into<f64>>(bins: &[T]) -> Option<f64> {
    let complete = &bins[..bins.len().checked_sub(1)?];
    let last = &complete[complete.len().saturating_sub(RECENT_BINS)..];
    let sum: f64 = last.iter().map(|&value| value.into()).sum();
    (!last.is_empty()).then(|| sum / last.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn condensing_keeps_the_sum_and_the_length() {
        let series = Series {
            bin_ps: 10,
            bins: (0..1000).map(|i| i as f32).collect(),
        };
        let (each, values) = series.condensed(300);
        assert_eq!((each, values.len()), (4, 250));
        assert_eq!(values[1], 5.5);
        let total: f32 = values.iter().map(|v| v * 4.0).sum();
        assert_eq!(total, series.bins.iter().sum::<f32>());
        assert_eq!(series.condensed(5000), (1, series.bins.clone()));
        assert_eq!(Series::default().condensed(10), (1, vec![]));
    }

    #[test]
    fn an_area_steps_from_bin_to_bin() {
        let whole = |bins: u64| Extent::whole(bins * 10);
        assert_eq!(area(&[], 10, 1.0, whole(1)), "M0.00 100H0.00V100Z");
        assert_eq!(
            area(&[2.0, 2.0, 4.0], 10, 4.0, whole(4)),
            "M0.00 100H0.00V50.0H500.00V0.0H750.00V100Z"
        );
        assert_eq!(
            area(&[1.0], 10, 0.0, whole(1)),
            "M0.00 100H0.00V0.0H1000.00V100Z",
            "beyond the scale is its top"
        );
        // The second half of the second bin and the first half of the third.
        let part = Extent { from: 15, to: 25 };
        assert_eq!(
            area(&[9.0, 2.0, 4.0, 7.0], 10, 4.0, part),
            "M0.00 100H0.00V50.0H500.00V0.0H1000.00V100Z"
        );
    }

    #[test]
    fn the_current_value_is_the_mean_of_complete_bins() {
        assert_eq!(recent::<f32>(&[]), None);
        assert_eq!(recent(&[7.0]), None);
        assert_eq!(recent(&[7.0, 100.0]), Some(7.0));
        let bins: Vec<f32> = (0..21).map(|i| i as f32).collect();
        assert_eq!(recent(&bins), Some(15.5), "12 to 19");
    }

    #[test]
    fn values_are_found_by_time() {
        let series = Series {
            bin_ps: 10,
            bins: vec![1.0, 5.0, 3.0],
        };
        assert_eq!(
            (series.at(0), series.at(19), series.at(29), series.at(30)),
            (1.0, 5.0, 3.0, 0.0)
        );
        assert_eq!(Series::default().at(5), 0.0);
        assert_eq!(series.max(), 5.0);
    }
}
