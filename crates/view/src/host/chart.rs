//! Series of points: fewer of them, and where a curve turns.

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
