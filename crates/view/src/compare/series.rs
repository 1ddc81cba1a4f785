//! Histories of several runs on one axis of time.

use crate::message::{Lane, Timeline};

/// What one run's history comes to in bins that all runs share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strand {
    /// One value a bin, up to where the run has got.
    pub values: Vec<f64>,
}

/// The histories of several runs in bins of one width. Bins of a run become wider as it goes on, so those of one that has ended
/// are finer than the others': the widest of all is the common width. `wanted` says what to add up.
///
/// Returns that width in ps, 0 where there is no history yet, and a strand for each run.
pub fn strands(histories: &[(&Timeline, &[Vec<f32>])], wanted: impl Fn(Lane) -> bool) -> (u64, Vec<Strand>) {
    let width = histories
        .iter()
        .map(|(timeline, _)| timeline.bin_ps)
        .max()
        .unwrap_or(0);
    let strands = histories
        .iter()
        .map(|(timeline, values)| {
            let mut total = vec![0.0; timeline.bins as usize];
            for (_, lane) in timeline
                .lanes
                .iter()
                .zip(*values)
                .filter(|(lane, _)| wanted(**lane))
            {
                for (sum, value) in total.iter_mut().zip(lane) {
                    *sum += f64::from(*value);
                }
            }
            Strand {
                values: widened(&total, timeline.bin_ps, width),
            }
        })
        .collect();
    (width, strands)
}

/// The same of a lane that says how many there are at the end of each bin: a wider bin has what its last one has. A run that has no such
/// lane has no strand.
pub fn levels(histories: &[(&Timeline, &[Vec<f32>])], lane: Lane) -> (u64, Vec<Strand>) {
    let (width, mut strands) = strands(histories, |_| false);
    for ((timeline, values), strand) in histories.iter().zip(&mut strands) {
        let place = timeline.lanes.iter().position(|other| *other == lane);
        let Some(levels) = place.and_then(|place| values.get(place)) else {
            strand.values.clear();
            continue;
        };
        for (number, value) in strand.values.iter_mut().enumerate() {
            let end = (number as u128 + 1) * u128::from(width) / u128::from(timeline.bin_ps.max(1));
            let last = (end.max(1) - 1).min(levels.len().max(1) as u128 - 1) as usize;
            *value = levels.get(last).copied().map_or(0.0, f64::from);
        }
    }
    (width, strands)
}

/// Counts in bins of `from` ps, in bins of `to` ps, which is not less. Each count is spread evenly over its bin.
fn widened(values: &[f64], from: u64, to: u64) -> Vec<f64> {
    if from == 0 || from >= to {
        return values.to_vec();
    }
    let length = (values.len() as u128 * u128::from(from)).div_ceil(u128::from(to)) as usize;
    let mut wide = vec![0.0; length];
    for (number, value) in values.iter().enumerate() {
        let begin = number as u128 * u128::from(from);
        let end = begin + u128::from(from);
        let first = (begin / u128::from(to)) as usize;
        let border = (first as u128 + 1) * u128::from(to);
        let before = (border.min(end) - begin) as f64 / from as f64;
        wide[first] += value * before;
        if border < end {
            wide[first + 1] += value * (1.0 - before);
        }
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline(bin_ps: u64, lanes: &[Lane], bins: u32) -> Timeline {
        Timeline {
            bin_ps,
            bins,
            lanes: lanes.to_vec(),
            ..Timeline::default()
        }
    }

    #[test]
    fn finer_bins_are_added_up_to_the_widest() {
        let coarse = timeline(20, &[Lane::Plane(0), Lane::Drops], 2);
        let fine = timeline(10, &[Lane::Plane(0), Lane::Plane(1), Lane::Drops], 3);
        let coarse_values = [vec![5.0, 6.0], vec![1.0, 0.0]];
        let fine_values = [vec![1.0, 2.0, 3.0], vec![10.0, 20.0, 30.0], vec![7.0, 0.0, 0.0]];
        let all: [(&Timeline, &[Vec<f32>]); 2] = [(&coarse, &coarse_values), (&fine, &fine_values)];
        let (width, goodput) = strands(&all, |lane| matches!(lane, Lane::Plane(_)));
        assert_eq!(width, 20);
        assert_eq!(goodput[0].values, [5.0, 6.0]);
        assert_eq!(goodput[1].values, [33.0, 33.0], "1 + 2 + 10 + 20, and 3 + 30");
        let (_, drops) = strands(&all, |lane| lane == Lane::Drops);
        assert_eq!(drops[1].values, [7.0, 0.0]);
        assert_eq!(strands(&[], |_| true), (0, vec![]));
    }

    #[test]
    fn a_level_is_that_at_the_end_of_the_wider_bin() {
        let coarse = timeline(20, &[Lane::Paused], 2);
        let fine = timeline(10, &[Lane::Drops, Lane::Paused], 3);
        let none = timeline(10, &[Lane::Drops], 3);
        let coarse_values = [vec![5.0, 6.0]];
        let fine_values = [vec![9.0; 3], vec![1.0, 4.0, 3.0]];
        let none_values = [vec![9.0; 3]];
        let all: [(&Timeline, &[Vec<f32>]); 3] = [
            (&coarse, &coarse_values),
            (&fine, &fine_values),
            (&none, &none_values),
        ];
        let (width, paused) = levels(&all, Lane::Paused);
        assert_eq!(width, 20);
        assert_eq!(paused[0].values, [5.0, 6.0]);
        assert_eq!(paused[1].values, [4.0, 3.0]);
        assert!(paused[2].values.is_empty());
    }

    #[test]
    fn a_bin_across_a_border_is_shared_out() {
        // Bins 0–2, 2–4, 4–6 in bins 0–3, 3–6: the middle one is cut in half.
        assert_eq!(widened(&[6.0, 4.0, 8.0], 2, 3), [8.0, 10.0]);
        assert_eq!(widened(&[1.0, 2.0], 5, 5), [1.0, 2.0]);
        assert_eq!(widened(&[], 2, 4), Vec::<f64>::new());
    }
}
