//! What can be taken back and done again.

use std::collections::VecDeque;

/// States that are kept at most.
const MAX_STATES: usize = 200;
/// Bytes that they have at most, all together; the present one is kept whatever its size.
const MAX_BYTES: usize = 32 << 20;

struct Entry<T> {
    state: T,
    /// What led to it, in a few words.
    by: String,
    bytes: usize,
}

/// A line of states, one of them the present one.
pub(super) struct History<T> {
    entries: VecDeque<Entry<T>>,
    present: usize,
    bytes: usize,
}

impl<T> Default for History<T> {
    fn default() -> Self {
        History {
            entries: VecDeque::new(),
            present: 0,
            bytes: 0,
        }
    }
}

impl<T> History<T> {
    /// Another state is the present one. What was taken back is gone then, and the oldest ones where there are too many.
    pub fn push(&mut self, state: T, by: impl Into<String>, bytes: usize) {
        while self.entries.len() > self.present + 1 {
            self.bytes -= self.entries.pop_back().map_or(0, |entry| entry.bytes);
        }
        self.bytes += bytes;
        self.entries.push_back(Entry {
            state,
            by: by.into(),
            bytes,
        });
        while self.entries.len() > 1 && (self.entries.len() > MAX_STATES || self.bytes > MAX_BYTES) {
            self.bytes -= self.entries.pop_front().map_or(0, |entry| entry.bytes);
        }
        self.present = self.entries.len() - 1;
    }

    /// What would be taken back.
    pub fn last(&self) -> Option<&str> {
        (self.present > 0).then(|| self.entries[self.present].by.as_str())
    }

    /// What would be done again.
    pub fn next(&self) -> Option<&str> {
        self.entries.get(self.present + 1).map(|entry| entry.by.as_str())
    }

    /// Takes back: the state before.
    pub fn undo(&mut self) -> Option<&T> {
        self.present = self.present.checked_sub(1)?;
        self.entries.get(self.present).map(|entry| &entry.state)
    }

    /// Does again: the state after.
    pub fn redo(&mut self) -> Option<&T> {
        let state = self.entries.get(self.present + 1).map(|entry| &entry.state)?;
        self.present += 1;
        Some(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_both_ways_until_something_else_is_done() {
        let mut history = History::default();
        assert!(history.undo().is_none() && history.redo().is_none() && history.last().is_none());
        for state in 0..4 {
            history.push(state, format!("to {state}"), 1);
        }
        assert_eq!((history.last(), history.next()), (Some("to 3"), None));
        assert_eq!(history.undo(), Some(&2));
        assert_eq!(history.undo(), Some(&1));
        assert_eq!((history.last(), history.next()), (Some("to 1"), Some("to 2")));
        assert_eq!(history.redo(), Some(&2));
        history.push(9, "to 9", 1);
        assert_eq!(history.redo(), None);
        assert_eq!(history.undo(), Some(&2));
        assert_eq!(history.undo(), Some(&1));
        assert_eq!(history.undo(), Some(&0));
        assert_eq!(history.undo(), None);
        assert_eq!(history.redo(), Some(&1));
    }

    #[test]
    fn is_bounded_by_number_and_by_size() {
        let mut history = History::default();
        for state in 0..1_000 {
            history.push(state, "", 1);
        }
        let mut steps = 0;
        while history.undo().is_some() {
            steps += 1;
        }
        assert_eq!(steps, MAX_STATES - 1);
        let mut large = History::default();
        for state in 0..5 {
            large.push(state, "", MAX_BYTES / 2);
        }
        assert_eq!(large.undo(), Some(&3));
        assert_eq!(large.undo(), None);
        large.push(7, "", 2 * MAX_BYTES);
        assert_eq!(large.undo(), None, "the present one stays");
        assert_eq!(large.bytes, 2 * MAX_BYTES);
    }
}
