//! A hash index from hashes to numbers: open addressing, one word a slot, no key.

/// Linear probing. A slot holds the hash's upper half and the number + 1, so that a search reads keys only where 32 bits
/// of the hash agree, and growing reads none. Removal shifts back what follows (Knuth, vol. 3, 6.4, algorithm R), so there
/// are no tombstones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// A power of two of them; empty until the first insertion.
    slots: Vec<u64>,
    len: usize,
}

const fn slot(hash: u64, id: u32) -> u64 {
    hash >> 32 << 32 | (id + 1) as u64
}

const fn id(slot: u64) -> u32 {
    slot as u32 - 1
}

impl Index {
    /// Where a search for a hash begins.
    fn home(&self, tag: u64) -> usize {
        (tag >> 32) as usize & (self.slots.len() - 1)
    }

    fn next(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }

    /// The number with this hash of which `is` is true.
    pub(crate) fn find(&self, hash: u64, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mut at = self.home(hash);
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if slot >> 32 == hash >> 32 && is(id(slot)) {
                return Some(id(slot));
            }
            at = self.next(at);
        }
    }

    /// Adds a number, below `u32::MAX`, that is not there yet.
    pub(crate) fn insert(&mut self, hash: u64, number: u32) {
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            let bigger = (self.slots.len() * 2).max(16);
            let old = std::mem::replace(&mut self.slots, vec![0; bigger]);
            for slot in old.into_iter().filter(|&slot| slot != 0) {
                self.place(slot);
            }
        }
        self.place(slot(hash, number));
        self.len += 1;
    }

    fn place(&mut self, slot: u64) {
        let mut at = self.home(slot);
        while self.slots[at] != 0 {
            at = self.next(at);
        }
        self.slots[at] = slot;
    }

    /// Takes a number out; false when it is not there.
    pub(crate) fn remove(&mut self, hash: u64, number: u32) -> bool {
        if self.slots.is_empty() {
            return false;
        }
        let wanted = slot(hash, number);
        let mut hole = self.home(hash);
        while self.slots[hole] != wanted {
            if self.slots[hole] == 0 {
                return false;
            }
            hole = self.next(hole);
        }
        let mut at = hole;
        loop {
            at = self.next(at);
            let slot = self.slots[at];
            if slot == 0 {
                break;
            }
            // What lies here may fill the hole unless its search begins behind the hole.
            let from_home = at.wrapping_sub(self.home(slot)) & (self.slots.len() - 1);
            let from_hole = at.wrapping_sub(hole) & (self.slots.len() - 1);
            if from_home >= from_hole {
                self.slots[hole] = slot;
                hole = at;
            }
        }
        self.slots[hole] = 0;
        self.len -= 1;
        true
    }

    /// Bytes that the slots take.
    pub(crate) const fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Against a map, with few hashes so that runs collide and wrap around the end.
        #[test]
        fn it_holds_what_a_map_holds(steps in proptest::collection::vec((any::<bool>(), 0u32..40, 0u64..6), 0..400)) {
            let mut index = Index::default();
            let mut map = BTreeMap::new();
            for (add, number, home) in steps {
                // Hashes whose search begins at the last slots of any table size, or at the first.
                let hash = (home.wrapping_sub(3) << 32) | u64::from(number);
                if add && !map.contains_key(&number) {
                    map.insert(number, hash);
                    index.insert(hash, number);
                } else if let Some(hash) = map.remove(&number) {
                    prop_assert!(index.remove(hash, number));
                    prop_assert!(!index.remove(hash, number));
                }
                prop_assert_eq!(index.len, map.len());
                for (&number, &hash) in &map {
                    prop_assert_eq!(index.find(hash, |n| n == number), Some(number));
                }
                prop_assert_eq!(index.find(hash, |n| n == 99), None);
            }
        }
    }
}
