//! One cache level: which flows are at hand there.

use crate::config::{CacheShape, Replacement};
use kernel::rng::{below, draw};

/// A set-associative cache of entry slots. The set follows from the lower bits of the Toeplitz hash; a direct-mapped cache has
/// sets of one.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    /// Set after set; slot plus one, 0 where nothing is. With LRU and hints the first of a set was used last.
    places: Vec<u32>,
    ways: usize,
    set_mask: u32,
    replacement: Replacement,
    /// CLOCK: where each set's hand stands.
    hands: Vec<u8>,
    /// CLOCK: used since the hand passed; one bit a way, one word a set.
    used: Vec<u16>,
    /// Random: key and how many were drawn.
    key: u64,
    draws: u64,
    taken: u32,
}

/// Moves one that is in the set to its front and keeps the order of the others. There is no branch on what is where: that
/// could not be foreseen, and the set is seldom in the processor's cache.
#[inline]
fn move_to_front(set: &mut [u32], place: u32) {
    let mut before = place;
    let mut found = false;
    for way in set {
        let here = *way;
        *way = if found { here } else { before };
        found |= here == place;
        before = here;
    }
}

/// What became of one that should come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    /// There was a free way.
    Free,
    /// It took this slot's place.
    Replaced(u32),
    /// All in its set have a higher hint: it stays out.
    Refused,
}

impl Cache {
    pub fn new(shape: &CacheShape, seed: u64) -> Cache {
        let sets = shape.sets();
        let clock = if shape.replacement == Replacement::Clock {
            sets as usize
        } else {
            0
        };
        Cache {
            places: vec![0; shape.entries as usize],
            ways: usize::from(shape.ways),
            set_mask: sets - 1,
            replacement: shape.replacement,
            hands: vec![0; clock],
            used: vec![0; clock],
            key: seed,
            draws: 0,
            taken: 0,
        }
    }

    #[inline]
    fn first_of_set(&self, hash: u32) -> usize {
        (hash & self.set_mask) as usize * self.ways
    }

    #[inline]
    fn set(&mut self, hash: u32) -> &mut [u32] {
        let first = self.first_of_set(hash);
        &mut self.places[first..first + self.ways]
    }

    /// Whether the slot is here.
    #[inline]
    pub fn has(&self, hash: u32, slot: u32) -> bool {
        let first = self.first_of_set(hash);
        self.places[first..first + self.ways].contains(&(slot + 1))
    }

    /// Remembers that a slot that is here was used.
    #[inline]
    pub fn used(&mut self, hash: u32, slot: u32) {
        match self.replacement {
            Replacement::Lru | Replacement::Hint => move_to_front(self.set(hash), slot + 1),
            Replacement::Clock => {
                if let Some(way) = self.set(hash).iter().position(|&place| place == slot + 1) {
                    self.used[(hash & self.set_mask) as usize] |= 1 << way;
                }
            }
            Replacement::Direct | Replacement::Random => {}
        }
    }

    /// Brings a slot in that is not here. `hint_of` says the cache hint of a slot.
    pub fn admit(&mut self, hash: u32, slot: u32, hint_of: impl Fn(u32) -> u8) -> Admission {
        let free = self.set(hash).iter().position(|&place| place == 0);
        let way = match free {
            Some(way) => way,
            None => match self.victim(hash, slot, hint_of) {
                Some(way) => way,
                None => return Admission::Refused,
            },
        };
        let recency = matches!(self.replacement, Replacement::Lru | Replacement::Hint);
        if self.replacement == Replacement::Clock {
            // One that has just come in counts as used: else it would be the next to go.
            self.used[(hash & self.set_mask) as usize] |= 1 << way;
        }
        let set = self.set(hash);
        let before = std::mem::replace(&mut set[way], slot + 1);
        if recency {
            move_to_front(set, slot + 1);
        }
        match before {
            0 => {
                self.taken += 1;
                Admission::Free
            }
            place => Admission::Replaced(place - 1),
        }
    }

    /// The way whose slot has to go, in a full set.
    fn victim(&mut self, hash: u32, slot: u32, hint_of: impl Fn(u32) -> u8) -> Option<usize> {
        let ways = self.ways;
        match self.replacement {
            Replacement::Direct | Replacement::Lru => Some(ways - 1),
            Replacement::Clock => {
                let set = (hash & self.set_mask) as usize;
                loop {
                    let way = self.hands[set];
                    self.hands[set] = (way + 1) % ways as u8;
                    if self.used[set] & 1 << way == 0 {
                        return Some(usize::from(way));
                    }
                    self.used[set] &= !(1 << way);
                }
            }
            Replacement::Random => {
                let bits = draw(self.key, self.draws);
                self.draws += 1;
                Some(below(bits, ways as u64) as usize)
            }
            Replacement::Hint => {
                // The lowest hint goes, of equal ones the one unused for longest, which stands last.
                let set = self.set(hash);
                let (way, lowest) = set
                    .iter()
                    .map(|&place| hint_of(place - 1))
                    .enumerate()
                    .rev()
                    .min_by_key(|&(_, hint)| hint)?;
                (lowest <= hint_of(slot)).then_some(way)
            }
        }
    }

    /// Takes the slot out if it is here.
    pub fn remove(&mut self, hash: u32, slot: u32) {
        let recency = matches!(self.replacement, Replacement::Lru | Replacement::Hint);
        let ways = self.ways;
        let set = self.set(hash);
        let Some(way) = set.iter().position(|&place| place == slot + 1) else {
            return;
        };
        set[way] = 0;
        if recency {
            // Free ways stand last: what is before them keeps its order.
            set.copy_within(way + 1.., way);
            set[ways - 1] = 0;
        }
        self.taken -= 1;
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.places.fill(0);
        self.hands.fill(0);
        self.used.fill(0);
        self.taken = 0;
    }

    /// How many flows are here.
    pub fn taken(&self) -> u32 {
        self.taken
    }

    /// The slots here, set after set, `None` where a way is free.
    pub fn slots(&self) -> impl ExactSizeIterator<Item = Option<u32>> + '_ {
        self.places.iter().map(|&place| place.checked_sub(1))
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<u32>()
            + self.hands.capacity()
            + self.used.capacity() * size_of::<u16>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cache(ways: u8, replacement: Replacement) -> Cache {
        let shape = CacheShape {
            entries: u32::from(ways),
            ways,
            replacement,
        };
        Cache::new(&shape, 1)
    }

    fn even(_: u32) -> u8 {
        0
    }

    fn inside(cache: &Cache) -> Vec<u32> {
        let mut slots: Vec<u32> = cache.slots().flatten().collect();
        slots.sort_unstable();
        slots
    }

    #[test]
    fn a_direct_mapped_set_holds_who_came_last() {
        let mut cache = Cache::new(
            &CacheShape {
                entries: 4,
                ways: 1,
                replacement: Replacement::Direct,
            },
            0,
        );
        // Hashes 1 and 5 fall into the same of four sets, 2 into another.
        assert_eq!(cache.admit(1, 10, even), Admission::Free);
        assert_eq!(cache.admit(2, 20, even), Admission::Free);
        assert_eq!(cache.admit(5, 11, even), Admission::Replaced(10));
        assert_eq!(
            cache.slots().collect::<Vec<_>>(),
            [None, Some(11), Some(20), None]
        );
        assert!(cache.has(5, 11) && !cache.has(1, 10));
    }

    #[test]
    fn lru_lets_go_what_was_unused_for_longest() {
        let mut cache = cache(3, Replacement::Lru);
        for slot in [1, 2, 3] {
            cache.admit(0, slot, even);
        }
        cache.used(0, 1);
        assert_eq!(cache.admit(0, 4, even), Admission::Replaced(2));
        assert_eq!(cache.admit(0, 5, even), Admission::Replaced(3));
        assert_eq!(cache.admit(0, 6, even), Admission::Replaced(1));
        cache.remove(0, 5);
        assert_eq!(cache.admit(0, 7, even), Admission::Free);
        assert_eq!(cache.admit(0, 8, even), Admission::Replaced(4));
    }

    /// The hand begins at the first way; who has been used gets a second chance (Corbató 1968).
    #[test]
    fn clock_gives_a_second_chance() {
        let mut cache = cache(3, Replacement::Clock);
        for slot in [1, 2, 3] {
            cache.admit(0, slot, even);
        }
        // All count as used: the hand clears all three and takes the first, then stands on the second.
        assert_eq!(cache.admit(0, 4, even), Admission::Replaced(1));
        cache.used(0, 2);
        // 2 was used: its bit is cleared; 3 was not.
        assert_eq!(cache.admit(0, 5, even), Admission::Replaced(3));
        // The hand stands on 4, used since it came in; then 2, whose bit is clear.
        assert_eq!(cache.admit(0, 6, even), Admission::Replaced(2));
    }

    #[test]
    fn hints_outrank_recency() {
        // Slots below 10 have hint 0, below 20 hint 1, else 2.
        let hint = |slot: u32| (slot / 10).min(2) as u8;
        let mut cache = cache(3, Replacement::Hint);
        for slot in [20, 1, 10] {
            cache.admit(0, slot, hint);
        }
        cache.used(0, 1);
        assert_eq!(
            cache.admit(0, 2, hint),
            Admission::Replaced(1),
            "lowest, though used last"
        );
        assert_eq!(cache.admit(0, 11, hint), Admission::Replaced(2));
        assert_eq!(cache.admit(0, 3, hint), Admission::Refused);
        assert_eq!(
            cache.admit(0, 12, hint),
            Admission::Replaced(10),
            "of equal hints the older"
        );
        assert_eq!(inside(&cache), [11, 12, 20]);
    }

    /// 30,000 victims among three ways: each has its third, sigma is 82, so 410 is five of them.
    #[test]
    fn random_is_fair_and_repeats() {
        let run = || {
            let mut cache = cache(3, Replacement::Random);
            let mut ways = [0u32; 3];
            for slot in 0..30_003 {
                let before: Vec<_> = cache.slots().collect();
                if let Admission::Replaced(gone) = cache.admit(0, slot, even) {
                    let way = before.iter().position(|&s| s == Some(gone)).unwrap();
                    ways[way] += 1;
                }
            }
            ways
        };
        let ways = run();
        assert_eq!(ways.iter().sum::<u32>(), 30_000);
        assert!(ways.iter().all(|&n| (9_590..10_410).contains(&n)), "{ways:?}");
        assert_eq!(ways, run());
    }

    fn any_replacement() -> impl Strategy<Value = Replacement> {
        prop_oneof![
            Just(Replacement::Lru),
            Just(Replacement::Clock),
            Just(Replacement::Random),
            Just(Replacement::Hint),
        ]
    }

    proptest! {
        /// Whatever happens: no slot is in two places, each is in its own set, and the count is right.
        #[test]
        fn a_slot_has_one_place(
            replacement in any_replacement(),
            ways in 1u8..=16,
            steps in proptest::collection::vec((0u8..3, 0u32..64), 0..300),
        ) {
            let shape = CacheShape { entries: 4 * u32::from(ways), ways, replacement };
            let mut cache = Cache::new(&shape, 3);
            let hash = |slot: u32| slot.wrapping_mul(0x9e37_79b9) >> 7;
            for (step, slot) in steps {
                let known = cache.has(hash(slot), slot);
                match step {
                    0 if !known => {
                        let refused = cache.admit(hash(slot), slot, |s| (s % 3) as u8) == Admission::Refused;
                        prop_assert_eq!(cache.has(hash(slot), slot), !refused);
                    }
                    1 if known => cache.used(hash(slot), slot),
                    1 => {}
                    _ => {
                        cache.remove(hash(slot), slot);
                        prop_assert!(!cache.has(hash(slot), slot));
                    }
                }
                let mut all: Vec<u32> = Vec::new();
                for (place, slot) in cache.slots().enumerate() {
                    if let Some(slot) = slot {
                        prop_assert_eq!(place / usize::from(ways), (hash(slot) & 3) as usize);
                        all.push(slot);
                    }
                }
                prop_assert_eq!(all.len(), cache.taken() as usize);
                all.sort_unstable();
                all.dedup();
                prop_assert_eq!(all.len(), cache.taken() as usize);
            }
        }
    }
}
