//! Distributions: of how many values how many are not greater than each.

use super::histogram::histogram;
use super::{Axis, Body, Chart, Line, Quantity, Shape};
use serde::{Deserialize, Serialize};

/// Values that a sample tells apart at most.
pub const MOST_POINTS: usize = 2048;
/// Of these the greatest ones, which tails are about, one by one.
const TAIL: usize = 512;

/// Values as far as a picture can show them: up to [`MOST_POINTS`] as they are, more in groups of equally many, each with its greatest
/// value, and the [`TAIL`] greatest as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Values in order, each greater than the one before.
    pub values: Vec<u64>,
    /// How many of all are not greater than each.
    pub up_to: Vec<u64>,
    /// How many there will be in the end; what is missing keeps a distribution below 1.
    pub of: u64,
}

impl Sample {
    /// Of all these values, of which there will be `of` in the end.
    pub fn new(values: impl IntoIterator<Item = u64>, of: u64) -> Sample {
        let mut sorted: Vec<u64> = values.into_iter().collect();
        sorted.sort_unstable();
        let count = sorted.len();
        let each = if count <= MOST_POINTS {
            1
        } else {
            count.div_ceil(MOST_POINTS - TAIL - 2)
        };
        let mut sample = Sample {
            of: of.max(count as u64),
            ..Sample::default()
        };
        for (number, &value) in sorted.iter().enumerate() {
            let is_told = (number + 1).is_multiple_of(each) || number + TAIL >= count || number == 0;
            if sorted.get(number + 1) == Some(&value) || !is_told {
                continue;
            }
            sample.values.push(value);
            sample.up_to.push(number as u64 + 1);
        }
        sample
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        self.up_to.last().copied().unwrap_or(0)
    }

    /// The least value that at least a share `q` of those that are there do not exceed.
    pub fn quantile(&self, q: f64) -> Option<u64> {
        let rank = (q * self.count() as f64).ceil().max(1.0) as u64;
        let place = self.up_to.partition_point(|&up_to| up_to < rank);
        self.values.get(place).copied()
    }

    /// Values with the number of those that each stands for.
    pub fn weighted(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        let before = std::iter::once(0).chain(self.up_to.iter().copied());
        self.values
            .iter()
            .zip(&self.up_to)
            .zip(before)
            .map(|((&value, &up_to), before)| (value as f64, up_to - before))
    }

    /// The share of all that is not greater than each value, beginning with none at 0 and reaching to `end`.
    fn rising(&self, end: f64) -> Vec<(f64, f64)> {
        let all = self.of.max(1) as f64;
        let mut points = vec![(0.0, 0.0)];
        let told = self.values.iter().zip(&self.up_to);
        points.extend(told.map(|(&value, &up_to)| (value as f64, up_to as f64 / all)));
        let last = points[points.len() - 1].1;
        points.push((end, last));
        points
    }

    /// The share of all that is greater than each value; what is not there yet counts as greater.
    fn falling(&self, end: f64) -> Vec<(f64, f64)> {
        let mut points = self.rising(end);
        for (_, share) in &mut points {
            *share = 1.0 - *share;
        }
        // On a logarithmic axis nothing has no place: the line ends where the last value is.
        if self.count() == self.of {
            points.pop();
            if let Some((_, share)) = points.last_mut() {
                *share = f64::NAN;
            }
            if let (Some(&value), [.., before, _]) = (self.values.last(), &points[..]) {
                let before = before.1;
                let last = points.len() - 1;
                points[last] = (value as f64, before);
            }
        }
        points
    }
}

/// How a distribution is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The share that is not greater.
    #[default]
    Cdf,
    /// The share that is greater, on a logarithmic axis: its tail.
    Ccdf,
    /// How many are in each of some bins.
    Histogram,
}

impl View {
    /// All of them.
    pub const ALL: [View; 3] = [View::Cdf, View::Ccdf, View::Histogram];

    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            View::Cdf => "CDF",
            View::Ccdf => "CCDF",
            View::Histogram => "Histogram",
        }
    }

    /// Puts distributions into a chart of times; `things` is what is counted. `log` says that the axis of times is logarithmic, which bins of a
    /// histogram follow.
    pub fn chart(
        self,
        chart: Chart,
        title: &str,
        things: &str,
        samples: &[(String, &'static str, &Sample)],
        log: bool,
    ) -> Chart {
        let x = Axis {
            log,
            ..Axis::new(title, Quantity::Time).switchable()
        };
        let times = samples
            .iter()
            .flat_map(|(_, _, sample)| sample.values.iter().map(|&value| value as f64));
        let scale = x.scale(times);
        let x = if samples.iter().all(|(_, _, sample)| sample.values.is_empty()) {
            x
        } else {
            x.between(scale.low, scale.high)
        };
        let shape = match self {
            View::Histogram => Shape::Bins,
            View::Cdf | View::Ccdf => Shape::Steps,
        };
        let lines = samples
            .iter()
            .filter(|(_, _, sample)| !sample.values.is_empty())
            .map(|(name, ink, sample)| Line {
                name: name.clone(),
                ink,
                shape,
                points: match self {
                    View::Cdf => sample.rising(scale.high),
                    View::Ccdf => sample.falling(scale.high),
                    View::Histogram => histogram(sample, &scale),
                },
            });
        let y = match self {
            View::Cdf => Axis::new(format!("Share of {things}"), Quantity::Share).between(0.0, 1.0),
            View::Ccdf => Axis {
                log: true,
                ..Axis::new(format!("Share of {things} above"), Quantity::Share).switchable()
            },
            View::Histogram => Axis::new(capital(things), Quantity::Count).switchable(),
        };
        Chart {
            x,
            y,
            body: Body::Lines(lines.collect()),
            ..chart
        }
    }
}

fn capital(text: &str) -> String {
    let mut signs = text.chars();
    signs
        .next()
        .map(|first| first.to_uppercase().chain(signs).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_distribution_rises_to_the_share_that_is_complete() {
        let sample = Sample::new([30, 10, 20, 20], 5);
        assert_eq!(
            (sample.values.as_slice(), sample.up_to.as_slice()),
            (&[10, 20, 30][..], &[1, 3, 4][..])
        );
        assert_eq!(
            sample.rising(40.0),
            [(0.0, 0.0), (10.0, 0.2), (20.0, 0.6), (30.0, 0.8), (40.0, 0.8)]
        );
        assert_eq!(
            [0.0, 0.25, 0.5, 0.75, 1.0].map(|q| sample.quantile(q)),
            [10, 10, 20, 20, 30].map(Some)
        );
        assert_eq!(Sample::new([], 3).quantile(0.5), None);
    }

    #[test]
    fn its_complement_ends_at_the_last_value() {
        let all = Sample::new([10, 20], 2);
        assert_eq!(all.falling(50.0), [(0.0, 1.0), (10.0, 0.5), (20.0, 0.5)]);
        let part = Sample::new([10, 20], 4);
        assert_eq!(
            part.falling(50.0),
            [(0.0, 1.0), (10.0, 0.75), (20.0, 0.5), (50.0, 0.5)]
        );
        let one = Sample::new([10], 1);
        assert_eq!(one.falling(50.0), [(0.0, 1.0), (10.0, 1.0)]);
        assert_eq!(Sample::new([], 2).falling(50.0), [(0.0, 1.0), (50.0, 1.0)]);
    }

    proptest! {
        #[test]
        fn a_sample_is_small_and_exact_where_it_tells(values in prop::collection::vec(0u64..1_000_000, 1..9000)) {
            let sample = Sample::new(values.iter().copied(), 0);
            prop_assert!(sample.values.len() <= MOST_POINTS);
            prop_assert_eq!(sample.count(), values.len() as u64);
            prop_assert_eq!(sample.weighted().map(|(_, count)| count).sum::<u64>(), values.len() as u64);
            prop_assert_eq!(sample.values.first(), values.iter().min());
            prop_assert_eq!(sample.values.last(), values.iter().max());
            for (value, up_to) in sample.values.iter().zip(&sample.up_to).step_by(97) {
                prop_assert_eq!(values.iter().filter(|other| *other <= value).count() as u64, *up_to);
            }
        }
    }
}
