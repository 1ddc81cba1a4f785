//! A radix heap (Ahuja and others, 1990): a bucket for each bit in which a time can first differ from the last one taken.

use super::{Entry, Queue};

/// Monotone: each entry moves to lower buckets only, at most 64 times.
pub struct Radix {
    last: u64,
    // Those of the time `last`, sorted descending: the tie rule needs an order among equals, which a radix heap has not.
    now: Vec<Entry>,
    // By the highest bit that differs from `last`.
    buckets: [Vec<Entry>; 64],
    // One bit per bucket: not empty.
    occupied: u64,
}

impl Default for Radix {
    fn default() -> Radix {
        Radix {
            last: 0,
            now: Vec::new(),
            buckets: [const { Vec::new() }; 64],
            occupied: 0,
        }
    }
}

impl Queue for Radix {
    #[inline]
    fn push(&mut self, entry: Entry) {
        if entry.0 == self.last {
            let at = self.now.partition_point(|other| *other > entry);
            self.now.insert(at, entry);
        } else {
            let bucket = (entry.0 ^ self.last).ilog2() as usize;
            self.buckets[bucket].push(entry);
            self.occupied |= 1 << bucket;
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<Entry> {
        if self.now.is_empty() {
            self.refill()?;
        }
        self.now.pop()
    }
}

impl Radix {
    /// Spreads the lowest bucket over those below it.
    fn refill(&mut self) -> Option<()> {
        if self.occupied == 0 {
            return None;
        }
        let bucket = self.occupied.trailing_zeros() as usize;
        self.occupied &= self.occupied - 1;
        let mut entries = std::mem::take(&mut self.buckets[bucket]);
        self.last = entries.iter().map(|entry| entry.0).min()?;
        for &entry in &entries {
            if entry.0 == self.last {
                self.now.push(entry);
            } else {
                let lower = (entry.0 ^ self.last).ilog2() as usize;
                self.buckets[lower].push(entry);
                self.occupied |= 1 << lower;
            }
        }
        entries.clear();
        // Keeps its memory.
        self.buckets[bucket] = entries;
        self.now.sort_unstable_by(|a, b| b.cmp(a));
        Some(())
    }
}
