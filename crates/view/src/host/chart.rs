//! Lines of charts: from values to the paths of SVG.

/// An axis from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Its beginning.
    pub low: f64,
    /// Its end.
    pub high: f64,
    /// Whether equal ratios are equally far apart. Both ends have to be above 0 then.
    pub log: bool,
}

impl Axis {
    /// A linear axis.
    pub fn linear(low: f64, high: f64) -> Axis {
        let high = if high > low { high } else { low + 1.0 };
        Axis {
            low,
            high,
            log: false,
        }
    }

    /// A logarithmic axis.
    pub fn logarithmic(low: f64, high: f64) -> Axis {
        let low = low.max(f64::MIN_POSITIVE);
        let high = if high > low { high } else { low * 10.0 };
        Axis { low, high, log: true }
    }

    /// Where a value is, from 0 to 1; beyond the ends at the ends.
    pub fn share(&self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    /// Where the axis has its marks: round values, at most `most` of a linear axis; powers of ten of a logarithmic one.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        if !self.log {
            return crate::ticks::ticks(self.low, self.high, most);
        }
        let (first, last) = (self.low.log10().ceil() as i32, self.high.log10().floor() as i32);
        (first..=last.min(first + 30))
            .map(|power| 10f64.powi(power))
            .collect()
    }
}

/// The path of a line through points, in a box of `width` × `height` with the origin at the lower left. A value that is no number is a
/// gap; a point between two gaps is a short stroke.
pub fn line(
    points: impl IntoIterator<Item = (f64, f64)>,
    x: Axis,
    y: Axis,
    width: f64,
    height: f64,
) -> String {
    let mut path = String::new();
    // Points drawn since the last gap.
    let mut together = 0;
    let end = std::iter::once((0.0, f64::NAN));
    for (at, value) in points.into_iter().chain(end) {
        if !value.is_finite() {
            if together == 1 {
                path += "h1";
            }
            together = 0;
            continue;
        }
        let command = if together == 0 { 'M' } else { 'L' };
        together += 1;
        path += &format!(
            "{command}{:.1} {:.1}",
            x.share(at) * width,
            (1.0 - y.share(value)) * height
        );
    }
    path
}

/// At most `most` points of a series, the last one among them.
pub fn thinned<T: Copy>(points: &[T], most: usize) -> Vec<T> {
    let step = points.len().div_ceil(most.max(1)).max(1);
    let mut few: Vec<T> = points.iter().copied().step_by(step).collect();
    if let Some(&last) = points.last()
        && !(points.len() - 1).is_multiple_of(step)
    {
        few.push(last);
    }
    few
}

/// Where a curve that goes along with the diagonal at first falls behind it: the first x at which y is below 95 % of x.
pub fn knee(points: &[(f64, f64)]) -> Option<f64> {
    points.iter().find(|(x, y)| *y < 0.95 * x).map(|&(x, _)| x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_find_their_places() {
        let (x, y) = (Axis::linear(0.0, 10.0), Axis::logarithmic(1.0, 100.0));
        assert_eq!(
            line([(0.0, 1.0), (5.0, 10.0), (20.0, 1e9)], x, y, 100.0, 50.0),
            "M0.0 50.0L50.0 25.0L100.0 0.0"
        );
        assert_eq!(line([], x, y, 1.0, 1.0), "");
        let gaps = [
            (0.0, 1.0),
            (1.0, 1.0),
            (2.0, f64::NAN),
            (5.0, 1.0),
            (6.0, f64::NAN),
        ];
        assert_eq!(line(gaps, x, y, 100.0, 50.0), "M0.0 50.0L10.0 50.0M50.0 50.0h1");
        assert_eq!(Axis::linear(3.0, 3.0).share(3.0), 0.0);
        assert_eq!(y.share(-1.0), 0.0);
        assert_eq!(y.ticks(5), [1.0, 10.0, 100.0]);
    }

    #[test]
    fn thinning_keeps_the_ends() {
        let points: Vec<u32> = (0..10).collect();
        assert_eq!(thinned(&points, 4), [0, 3, 6, 9]);
        assert_eq!(thinned(&points, 3), [0, 4, 8, 9]);
        assert_eq!(thinned(&points, 100), points);
        assert!(thinned(&[0u32; 0], 3).is_empty());
    }

    #[test]
    fn the_knee_is_where_the_curve_leaves_the_diagonal() {
        assert_eq!(knee(&[(10.0, 10.0), (20.0, 19.5), (30.0, 22.0)]), Some(30.0));
        assert_eq!(knee(&[(10.0, 9.6)]), None);
    }
}
