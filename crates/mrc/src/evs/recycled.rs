//! EVs that came through unmarked and wait to be used once more: the better half of uet-htsim's `mixed` balancer.

use std::collections::VecDeque;

/// The EVs of one plane that wait, the oldest first.
#[derive(Clone, Debug)]
pub(super) struct Recycled {
    waiting: VecDeque<u16>,
    most: usize,
}

impl Recycled {
    /// No more than `most` wait: the oldest makes room. The peer has no such limit; it is ours, and as many EVs as there are
    /// say all that there is to say.
    pub fn new(most: u16) -> Recycled {
        Recycled {
            waiting: VecDeque::new(),
            most: most.into(),
        }
    }

    pub fn add(&mut self, ev: u16) {
        if self.waiting.len() == self.most {
            self.waiting.pop_front();
        }
        self.waiting.push_back(ev);
    }

    /// The oldest that is usable. What is not, is dropped.
    pub fn next(&mut self, usable: impl Fn(u16) -> bool) -> Option<u16> {
        core::iter::from_fn(|| self.waiting.pop_front()).find(|&ev| usable(ev))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_used_once_in_the_order_of_coming() {
        let mut recycled = Recycled::new(3);
        for ev in [5, 6, 5, 9] {
            recycled.add(ev);
        }
        // The first 5 made room for 9.
        assert_eq!(recycled.next(|ev| ev != 6), Some(5));
        assert_eq!(recycled.next(|_| true), Some(9));
        assert_eq!(recycled.next(|_| true), None);
    }
}
