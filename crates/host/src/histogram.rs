//! Counts of times with a bounded relative error, after HdrHistogram (Tene): linear within each power of two.

use kernel::Time;

/// Buckets of each power of two: no value is off by more than 1/128.
const PER_OCTAVE_LOG2: u32 = 6;
const PER_OCTAVE: u64 = 1 << PER_OCTAVE_LOG2;
/// Values are counted in units of 2^10 ps, about a nanosecond.
const UNIT_LOG2: u32 = 10;
/// Up to 2^44 units, 5 hours.
const BUCKETS: usize = ((44 - PER_OCTAVE_LOG2 as usize) + 1) * PER_OCTAVE as usize;

/// Times, counted.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Histogram {
    // Grows up to the highest bucket in use.
    counts: Vec<u64>,
    count: u64,
    sum: u128,
    least: u64,
    most: u64,
}

fn bucket(time: Time) -> usize {
    let units = time.0 >> UNIT_LOG2;
    if units < PER_OCTAVE {
        return units as usize;
    }
    let octave = units.ilog2() - PER_OCTAVE_LOG2;
    let within = (units >> octave) - PER_OCTAVE;
    ((u64::from(octave) + 1) * PER_OCTAVE + within).min(BUCKETS as u64 - 1) as usize
}

/// The least rank from 1 to `count` whose share of all is at least `q`.
fn rank(q: f64, count: u64) -> u64 {
    let share = |rank: u64| rank as f64 / count as f64;
    let rank = ((q.clamp(0.0, 1.0) * count as f64).ceil() as u64).clamp(1, count);
    // The product may be a rounding error above a whole number: 0.07 · 100 is 7.000000000000001.
    if rank > 1 && share(rank - 1) >= q {
        rank - 1
    } else {
        rank
    }
}

/// The middle of a bucket, in ps.
fn middle(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    let (octave, within) = (bucket / PER_OCTAVE, bucket % PER_OCTAVE);
    let (units, width) = match octave.checked_sub(1) {
        None => (within, 1),
        Some(octave) => ((PER_OCTAVE + within) << octave, 1 << octave),
    };
    (units << UNIT_LOG2) + (width << UNIT_LOG2) / 2
}

impl Histogram {
    /// Counts a time.
    pub fn add(&mut self, time: Time) {
        let at = bucket(time);
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] += 1;
        self.least = if self.count == 0 {
            time.0
        } else {
            self.least.min(time.0)
        };
        self.most = self.most.max(time.0);
        self.count += 1;
        self.sum += u128::from(time.0);
    }

    /// How many were counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean, which is exact; none of none.
    pub fn mean(&self) -> Option<Time> {
        (self.count > 0).then(|| Time((self.sum / u128::from(self.count)) as u64))
    }

    /// The shortest.
    pub fn least(&self) -> Option<Time> {
        (self.count > 0).then_some(Time(self.least))
    }

    /// The longest.
    pub fn most(&self) -> Option<Time> {
        (self.count > 0).then_some(Time(self.most))
    }

    /// Their sum, which is exact, in ps.
    pub fn sum(&self) -> u128 {
        self.sum
    }

    /// The least of the times counted that at least the share `q` (0 to 1) of all do not exceed, off by at most 1/128: by rank ⌈q n⌉
    /// of n in order of size (the "inverse of the empirical distribution", type 1 of Hyndman and Fan, 1996). The first and the last
    /// rank are exact: of fewer than 100 times the 99th percentile is the longest.
    pub fn quantile(&self, q: f64) -> Option<Time> {
        if self.count == 0 {
            return None;
        }
        let rank = rank(q, self.count);
        if rank == 1 {
            return self.least();
        }
        if rank == self.count {
            return self.most();
        }
        let mut seen = 0;
        for (at, &count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= rank {
                return Some(Time(middle(at).clamp(self.least, self.most)));
            }
        }
        self.most()
    }

    /// The cumulative distribution: times and the share of all up to them, one point for each bucket in use.
    pub fn cumulative(&self) -> Vec<(Time, f64)> {
        let mut seen = 0;
        let mut points = Vec::new();
        for (at, &count) in self.counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
            seen += count;
            points.push((Time(middle(at)), seen as f64 / self.count as f64));
        }
        points
    }

    /// The same times counted once more, here.
    pub fn merge(&mut self, other: &Histogram) {
        if other.count == 0 {
            return;
        }
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (here, there) in self.counts.iter_mut().zip(&other.counts) {
            *here += there;
        }
        self.least = if self.count == 0 {
            other.least
        } else {
            self.least.min(other.least)
        };
        self.most = self.most.max(other.most);
        self.count += other.count;
        self.sum += other.sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_off_by_less_than_one_percent() {
        let mut histogram = Histogram::default();
        for us in 1..=1_000 {
            histogram.add(Time::from_us(us));
        }
        for (q, us) in [(0.001, 1.0), (0.5, 500.0), (0.99, 990.0), (1.0, 1_000.0)] {
            let found = histogram.quantile(q).unwrap().as_us();
            assert!((found / us - 1.0).abs() < 0.01, "{q}: {found}");
        }
        assert_eq!(histogram.mean(), Some(Time(500_500_000)));
        assert_eq!(
            (histogram.least(), histogram.most(), histogram.count()),
            (Some(Time::from_us(1)), Some(Time::from_us(1_000)), 1_000)
        );
        let points = histogram.cumulative();
        assert!(points.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        assert_eq!(points.last().unwrap().1, 1.0);
    }

    /// Ranks by hand: ⌈q n⌉ of 1 ms, 2 ms, … n ms.
    #[test]
    fn quantiles_of_few_times() {
        for (count, q, ms) in [
            (1, 0.0, 1),
            (1, 0.5, 1),
            (1, 0.99, 1),
            // ⌈1⌉ and ⌈1.02⌉, ⌈1.98⌉, ⌈1.998⌉ of two.
            (2, 0.5, 1),
            (2, 0.51, 2),
            (2, 0.99, 2),
            (2, 0.999, 2),
            // ⌈1⌉, ⌈2⌉, ⌈3.96⌉ of four.
            (4, 0.25, 1),
            (4, 0.5, 2),
            (4, 0.99, 4),
            (4, 1.0, 4),
            // Of a hundred one is above the 99th percentile, and none above the 99.9th.
            (100, 0.01, 1),
            (100, 0.99, 99),
            (100, 0.991, 100),
            (100, 0.999, 100),
        ] {
            let mut histogram = Histogram::default();
            for ms in 1..=count {
                histogram.add(Time::from_ms(ms));
            }
            let found = histogram.quantile(q).unwrap();
            let exact = ms == 1 || ms == count;
            let off = found.0.abs_diff(Time::from_ms(ms).0);
            assert!(
                off <= if exact { 0 } else { Time::from_ms(ms).0 / 128 },
                "{q} of {count}: {found}"
            );
        }
        assert_eq!(rank(0.07, 100), 7);
        assert_eq!(rank(f64::NAN, 5), 1);
    }

    #[test]
    fn every_bucket_holds_what_it_says() {
        for bits in 0..63 {
            for time in [1u64 << bits, (1 << bits) + (1 << bits) / 3] {
                let found = middle(bucket(Time(time)));
                if time < 1 << 53 {
                    assert!(found.abs_diff(time) <= time / 100 + 1_024, "{time}: {found}");
                }
            }
        }
        assert!(bucket(Time::MAX) < BUCKETS);
    }

    #[test]
    fn merging_is_counting_all() {
        let (mut a, mut b, mut all) = (Histogram::default(), Histogram::default(), Histogram::default());
        for us in 1..=100 {
            if us % 3 == 0 { &mut a } else { &mut b }.add(Time::from_us(us));
            all.add(Time::from_us(us));
        }
        a.merge(&b);
        a.merge(&Histogram::default());
        assert_eq!(a, all);
        assert_eq!(Histogram::default().quantile(0.5), None);
    }
}
