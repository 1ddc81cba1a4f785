//! REPS, recycled entropy packet spraying (Bonato et al., arXiv 2407.21625): what one plane remembers.
//!
//! An EV whose acknowledgement bears no mark is kept, and used for one more packet; where none is kept, any is drawn.
//! After a loss the cache freezes for a while: it draws no more, but goes round the EVs that it knows to have worked, used
//! or not. Then it forgets all of them and explores.
//!
//! Sizes and times are uet-htsim's defaults. That each plane has a cache of its own is our choice: an EV names a path in
//! one plane only.

use super::Feedback;

/// EVs that are kept.
const SIZE: usize = 8;
/// How long a loss freezes the cache: 10 ms, in ps.
const FREEZE: u64 = 10_000_000_000;
/// Packets that explore after that.
const EXPLORE: u8 = 16;

/// The cache of one plane.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    // A ring.
    kept: [u16; SIZE],
    // Where the next one is put; the oldest is there once the ring is full.
    head: usize,
    // Places that hold an EV.
    filled: usize,
    // EVs not used since they came: the latest ones.
    fresh: usize,
    // Where a frozen cache goes on reading.
    again: usize,
    // Packets that are still to explore.
    explore: u8,
    frozen_until: Option<u64>,
}

impl Cache {
    /// What became of a packet with this EV.
    pub fn feed(&mut self, now: u64, ev: u16, feedback: Feedback) {
        if feedback == Feedback::Lost && self.frozen_until.is_none() && self.explore == 0 {
            self.frozen_until = Some(now + FREEZE);
        }
        if self.frozen_until.is_some_and(|until| now > until) {
            *self = Cache {
                explore: EXPLORE,
                ..Cache::default()
            };
        }
        if feedback == Feedback::Clear {
            self.kept[self.head] = ev;
            self.head = (self.head + 1) % SIZE;
            self.filled = (self.filled + 1).min(SIZE);
            self.fresh = (self.fresh + 1).min(SIZE);
        }
    }

    /// The EV for the next packet; none where any is to be drawn. Kept ones that are no longer usable are passed over.
    pub fn next(&mut self, usable: impl Fn(u16) -> bool) -> Option<u16> {
        if self.explore > 0 {
            self.explore -= 1;
            return None;
        }
        while self.fresh > 0 {
            let ev = self.kept[(self.head + SIZE - self.fresh) % SIZE];
            self.fresh -= 1;
            if usable(ev) {
                return Some(ev);
            }
        }
        self.frozen_until?;
        for _ in 0..self.filled {
            let ev = self.kept[self.again % self.filled];
            self.again = (self.again + 1) % self.filled;
            if usable(ev) {
                return Some(ev);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(_: u16) -> bool {
        true
    }

    fn clear(cache: &mut Cache, evs: &[u16]) {
        for &ev in evs {
            cache.feed(0, ev, Feedback::Clear);
        }
    }

    #[test]
    fn an_unmarked_ev_is_used_once_more_and_a_marked_one_is_not() {
        let mut cache = Cache::default();
        assert_eq!(cache.next(all), None, "nothing is known: explore");
        clear(&mut cache, &[3, 7]);
        cache.feed(0, 4, Feedback::Marked);
        cache.feed(0, 5, Feedback::Trimmed);
        assert_eq!((cache.next(all), cache.next(all)), (Some(3), Some(7)));
        assert_eq!(cache.next(all), None);
    }

    #[test]
    fn eight_are_kept_and_the_oldest_makes_room() {
        let mut cache = Cache::default();
        clear(&mut cache, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let used: Vec<u16> = core::iter::from_fn(|| cache.next(all)).collect();
        assert_eq!(used, [2, 3, 4, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn a_loss_freezes_and_what_worked_is_used_again_and_again() {
        let mut cache = Cache::default();
        clear(&mut cache, &[1, 2, 3]);
        assert_eq!(cache.next(all), Some(1));
        cache.feed(1_000, 9, Feedback::Lost);
        // First those that are fresh, then round and round.
        let used: Vec<u16> = (0..8).filter_map(|_| cache.next(all)).collect();
        assert_eq!(used, [2, 3, 1, 2, 3, 1, 2, 3]);
        // What comes through while it is frozen is fresh again.
        cache.feed(2_000, 6, Feedback::Clear);
        assert_eq!(cache.next(all), Some(6));
        // EV 2 has been denied meanwhile. The ring is 1, 2, 3, 6, and was read up to 3 of the old ring.
        let used: Vec<u16> = (0..4).filter_map(|_| cache.next(|ev| ev != 2)).collect();
        assert_eq!(used, [1, 3, 6, 1]);
    }

    #[test]
    fn after_ten_milliseconds_it_forgets_and_explores_sixteen_packets() {
        let mut cache = Cache::default();
        clear(&mut cache, &[1]);
        cache.feed(5, 9, Feedback::Lost);
        // A second loss does not prolong it.
        cache.feed(1_000_000, 9, Feedback::Lost);
        cache.feed(5 + FREEZE, 2, Feedback::Marked);
        assert_eq!(
            (cache.next(all), cache.next(all)),
            (Some(1), Some(1)),
            "still frozen"
        );
        cache.feed(6 + FREEZE, 3, Feedback::Clear);
        for _ in 0..16 {
            // A loss while exploring does not freeze again.
            cache.feed(7 + FREEZE, 9, Feedback::Lost);
            assert_eq!(cache.next(all), None);
        }
        assert_eq!(cache.next(all), Some(3));
        assert_eq!(cache.next(all), None);
    }
}
