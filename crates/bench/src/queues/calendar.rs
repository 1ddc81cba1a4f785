//! A calendar queue (Brown, 1988): days in a circle, each with the events of that day in every year.

use super::{Entry, Queue};

/// The fewest days.
const MIN_DAYS: usize = 16;
/// Entries that the length of a day is taken from.
const SAMPLE: usize = 25;

/// The number of days follows the number of entries, the length of a day the distance between the next ones.
pub struct Calendar {
    // Each sorted descending.
    days: Vec<Vec<Entry>>,
    // In ps.
    length: u64,
    entries: usize,
    // The day from which on to look, counted from time 0.
    today: u64,
}

impl Default for Calendar {
    fn default() -> Calendar {
        Calendar {
            days: vec![Vec::new(); MIN_DAYS],
            length: 1,
            entries: 0,
            today: 0,
        }
    }
}

impl Queue for Calendar {
    #[inline]
    fn push(&mut self, entry: Entry) {
        self.insert(entry);
        self.entries += 1;
        // One that comes before the others, while those are far ahead.
        self.today = self.today.min(entry.0 / self.length);
        if self.entries > 2 * self.days.len() {
            self.resize(2 * self.days.len());
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<Entry> {
        let entry = self.next()?;
        self.entries -= 1;
        if self.entries < self.days.len() / 2 && self.days.len() > MIN_DAYS {
            self.resize(self.days.len() / 2);
        }
        Some(entry)
    }
}

impl Calendar {
    #[inline]
    fn insert(&mut self, entry: Entry) {
        let count = self.days.len() as u64;
        let day = &mut self.days[(entry.0 / self.length % count) as usize];
        let at = day.partition_point(|other| *other > entry);
        day.insert(at, entry);
    }

    /// Takes the next entry: that of the first day of this year that has one, or the lowest of all years.
    #[inline]
    fn next(&mut self) -> Option<Entry> {
        let count = self.days.len() as u64;
        for day in self.today..self.today + count {
            let entries = &mut self.days[(day % count) as usize];
            if entries.last().is_some_and(|entry| entry.0 / self.length == day) {
                self.today = day;
                return entries.pop();
            }
        }
        let earliest = self.days.iter().filter_map(|day| day.last()).min()?;
        self.today = earliest.0 / self.length;
        self.days[(self.today % count) as usize].pop()
    }

    /// Lays all entries out anew. A day becomes three times as long as the next entries are apart, those left out that are
    /// more than twice the mean apart (Brown's rule).
    fn resize(&mut self, count: usize) {
        let mut entries: Vec<Entry> = self.days.drain(..).flatten().collect();
        entries.sort_unstable();
        let gaps: Vec<u64> = entries
            .windows(2)
            .take(SAMPLE)
            .map(|pair| pair[1].0 - pair[0].0)
            .collect();
        let mean = |gaps: &[u64]| gaps.iter().sum::<u64>() / gaps.len().max(1) as u64;
        let bound = 2 * mean(&gaps);
        let usual: Vec<u64> = gaps.into_iter().filter(|&gap| gap <= bound).collect();
        self.length = (3 * mean(&usual)).max(1);
        self.days = vec![Vec::new(); count];
        self.today = entries.first().map_or(0, |first| first.0 / self.length);
        for entry in entries {
            self.insert(entry);
        }
    }
}
