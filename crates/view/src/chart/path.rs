//! From points to the paths of SVG.

use super::Shape;
use std::fmt::Write;

/// The path of a line through points that are places in a picture already, the vertical ones counted from its top. `floor` is where
/// bins stand on. Points that share a column of pixels are drawn as their first, least, greatest and last value.
pub fn path(shape: Shape, points: &[(f64, f64)], floor: f64) -> String {
    let mut path = String::new();
    // Points drawn since the last gap, and the last of them.
    let mut together = 0;
    let mut last = (0.0, 0.0);
    let end = std::iter::once((0.0, f64::NAN));
    for (x, y) in thinned(shape, points).into_iter().chain(end) {
        if !y.is_finite() {
            if together > 0 && shape == Shape::Bins {
                let _ = write!(path, "V{floor:.1}");
            } else if together == 1 {
                // A point between two gaps is a short stroke.
                path += "h1";
            }
            together = 0;
            continue;
        }
        // Writing to a string cannot fail.
        let _ = match (shape, together) {
            (Shape::Bins, 0) => write!(path, "M{x:.1} {floor:.1}V{y:.1}"),
            (_, 0) => write!(path, "M{x:.1} {y:.1}"),
            (Shape::Joined, _) => write!(path, "L{x:.1} {y:.1}"),
            // What does not change needs no corner.
            (_, _) if y == last.1 => write!(path, "H{x:.1}"),
            (_, _) => write!(path, "H{x:.1}V{y:.1}"),
        };
        last = (x, y);
        together += 1;
    }
    path
}

/// No more points than a picture's columns can show, four to each.
fn thinned(shape: Shape, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let width = match (points.first(), points.last()) {
        (Some(first), Some(last)) => (last.0 - first.0).abs(),
        _ => 0.0,
    };
    if points.len() as f64 <= 4.0 * width.max(64.0) {
        return points.to_vec();
    }
    let mut few: Vec<(f64, f64)> = Vec::new();
    for column in points.chunk_by(|a, b| a.0.floor() == b.0.floor() && a.1.is_nan() == b.1.is_nan()) {
        let (first, last) = (column[0], column[column.len() - 1]);
        if column.len() <= 4 {
            few.extend_from_slice(column);
            continue;
        }
        few.push(first);
        if first.1.is_finite() && shape != Shape::Bins {
            let by_height = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
            let ends = [column.iter().min_by(by_height), column.iter().max_by(by_height)];
            few.extend(ends.into_iter().flatten().map(|&(_, y)| (first.0, y)));
        }
        few.push(last);
    }
    few
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_goes_from_point_to_point() {
        let points = [(0.0, 10.0), (5.0, 20.0), (9.0, 20.0)];
        assert_eq!(path(Shape::Joined, &points, 50.0), "M0.0 10.0L5.0 20.0L9.0 20.0");
        assert_eq!(path(Shape::Steps, &points, 50.0), "M0.0 10.0H5.0V20.0H9.0");
        assert_eq!(
            path(Shape::Bins, &points, 50.0),
            "M0.0 50.0V10.0H5.0V20.0H9.0V50.0"
        );
        assert_eq!(path(Shape::Joined, &[], 0.0), "");
    }

    #[test]
    fn what_is_no_number_is_a_gap() {
        let gap = f64::NAN;
        let points = [
            (0.0, 1.0),
            (1.0, 1.0),
            (2.0, gap),
            (3.0, 4.0),
            (4.0, gap),
            (5.0, gap),
        ];
        assert_eq!(path(Shape::Joined, &points, 9.0), "M0.0 1.0L1.0 1.0M3.0 4.0h1");
    }

    proptest! {
        #[test]
        fn huge_data_is_thinned_and_keeps_its_extremes(values in prop::collection::vec(0.0..1e3f64, 1000..5000)) {
            let count = values.len() as f64;
            let points: Vec<(f64, f64)> = values.iter().enumerate().map(|(n, &y)| (n as f64 / count * 200.0, y)).collect();
            let few = thinned(Shape::Joined, &points);
            prop_assert!(few.len() <= 4 * 201);
            let most = |points: &[(f64, f64)]| points.iter().map(|p| p.1).fold(0.0, f64::max);
            prop_assert_eq!(most(&few), most(&points));
            prop_assert_eq!((few[0], few[few.len() - 1]), (points[0], points[points.len() - 1]));
        }
    }
}
