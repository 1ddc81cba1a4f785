//! Sets of stream positions: what was received out of order, and what was selectively acknowledged.

/// Disjoint, ascending, half-open ranges. At most 1,024; what would need more is left out, which for both users
/// only means that something is sent once more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<(u64, u64)>);

/// Holes that are remembered; our choice.
pub const MAX_RANGES: usize = 1_024;

impl Ranges {
    /// Adds `[start, end)`. Returns how many positions are new.
    pub fn insert(&mut self, start: u64, end: u64) -> u64 {
        if start >= end {
            return 0;
        }
        let first = self.0.partition_point(|&(_, e)| e < start);
        let after = first + self.0[first..].partition_point(|&(s, _)| s <= end);
        if first == after {
            if self.0.len() >= MAX_RANGES {
                return 0;
            }
            self.0.insert(first, (start, end));
            return end - start;
        }
        let old: u64 = self.0[first..after].iter().map(|&(s, e)| e - s).sum();
        let merged = (start.min(self.0[first].0), end.max(self.0[after - 1].1));
        self.0[first] = merged;
        self.0.drain(first + 1..after);
        merged.1 - merged.0 - old
    }

    /// Forgets everything before `position`.
    pub fn forget_before(&mut self, position: u64) {
        let gone = self.0.partition_point(|&(_, e)| e <= position);
        self.0.drain(..gone);
        if let Some(first) = self.0.first_mut() {
            first.0 = first.0.max(position);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The ranges, ascending.
    pub fn as_slice(&self) -> &[(u64, u64)] {
        &self.0
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Positions in all ranges.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|&(s, e)| e - s).sum()
    }

    /// Positions in `[from, to)` that are in no range.
    pub fn missing(&self, from: u64, to: u64) -> u64 {
        if from >= to {
            return 0;
        }
        let held: u64 = self
            .0
            .iter()
            .map(|&(s, e)| e.min(to).saturating_sub(s.max(from)))
            .sum();
        to - from - held
    }

    /// The first stretch at or after `from` and before `to` that is in no range.
    pub fn next_hole(&self, from: u64, to: u64) -> Option<(u64, u64)> {
        let mut at = from;
        for &(s, e) in &self.0 {
            if e <= at {
                continue;
            }
            if s > at {
                break;
            }
            at = e;
        }
        if at >= to {
            return None;
        }
        let end = self.0.iter().find(|r| r.0 > at).map_or(to, |r| r.0.min(to));
        Some((at, end))
    }

    /// The highest position below which something is missing that `bytes` received positions lie above; RFC 6675's IsLost
    /// holds for everything missing below it. 0 when nothing is lost.
    pub fn lost_below(&self, bytes: u64) -> u64 {
        let mut above = 0;
        for &(s, e) in self.0.iter().rev() {
            above += e - s;
            if above >= bytes {
                return s;
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ranges: &[(u64, u64)]) -> Ranges {
        let mut all = Ranges::default();
        for &(s, e) in ranges {
            all.insert(s, e);
        }
        all
    }

    #[test]
    fn ranges_merge_and_count_what_is_new() {
        let mut set = of(&[(10, 20), (30, 40)]);
        assert_eq!(set.insert(20, 30), 10);
        assert_eq!(set.as_slice(), &[(10, 40)]);
        assert_eq!(set.insert(15, 35), 0);
        assert_eq!(set.insert(5, 50), 15);
        assert_eq!((set.as_slice(), set.total()), (&[(5, 50)][..], 45));
        assert_eq!(set.insert(7, 7), 0);
    }

    #[test]
    fn what_is_acknowledged_is_forgotten() {
        let mut set = of(&[(10, 20), (30, 40)]);
        set.forget_before(35);
        assert_eq!(set.as_slice(), &[(35, 40)]);
        set.forget_before(40);
        assert!(set.is_empty());
    }

    #[test]
    fn holes_and_losses() {
        let set = of(&[(10, 20), (30, 40)]);
        assert_eq!(set.next_hole(0, 100), Some((0, 10)));
        assert_eq!(set.next_hole(10, 100), Some((20, 30)));
        assert_eq!(set.next_hole(25, 100), Some((25, 30)));
        assert_eq!(set.next_hole(35, 100), Some((40, 100)));
        assert_eq!(set.next_hole(10, 20), None);
        assert_eq!(set.missing(0, 50), 30);
        // 10 above 30, 20 above 10.
        assert_eq!(
            (set.lost_below(10), set.lost_below(11), set.lost_below(21)),
            (30, 10, 0)
        );
    }

    #[test]
    fn their_number_is_bounded() {
        let mut set = Ranges::default();
        for i in 0..2 * MAX_RANGES as u64 {
            set.insert(3 * i, 3 * i + 1);
        }
        assert_eq!(set.as_slice().len(), MAX_RANGES);
    }
}
