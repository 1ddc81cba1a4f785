//! From a key to the place of its entry: a hash index of 8 bytes a place.

/// Open addressing with linear probing; a place holds 32 bits of the hash beside the entry's slot, so that entries are looked
/// at only when those agree, and neither growing nor removing has to look at any. At most three places of four are taken.
#[derive(Clone, Debug)]
pub(super) struct Index {
    /// Hash in the upper half, slot plus one in the lower; 0 is a free place. The length is a power of two.
    places: Vec<u64>,
    len: usize,
}

const SMALLEST: usize = 16;

impl Index {
    pub fn new() -> Index {
        Index {
            places: vec![0; SMALLEST],
            len: 0,
        }
    }

    #[inline]
    fn home(&self, hash: u32) -> usize {
        hash as usize & (self.places.len() - 1)
    }

    #[inline]
    fn next(&self, at: usize) -> usize {
        (at + 1) & (self.places.len() - 1)
    }

    /// The place at which there is a slot with this hash that `is_it` takes.
    #[inline]
    fn position(&self, hash: u32, is_it: impl Fn(u32) -> bool) -> Option<usize> {
        let mut at = self.home(hash);
        loop {
            let place = self.places[at];
            if place == 0 {
                return None;
            }
            if (place >> 32) as u32 == hash && is_it(place as u32 - 1) {
                return Some(at);
            }
            at = self.next(at);
        }
    }

    /// The slot with this hash that `is_it` takes.
    #[inline]
    pub fn find(&self, hash: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        self.position(hash, is_it).map(|at| self.places[at] as u32 - 1)
    }

    /// Adds a slot (below `u32::MAX`) that is not in it.
    pub fn insert(&mut self, hash: u32, slot: u32) {
        if (self.len + 1) * 4 > self.places.len() * 3 {
            self.grow();
        }
        self.put(u64::from(hash) << 32 | u64::from(slot + 1));
        self.len += 1;
    }

    fn put(&mut self, place: u64) {
        let mut at = self.home((place >> 32) as u32);
        while self.places[at] != 0 {
            at = self.next(at);
        }
        self.places[at] = place;
    }

    fn grow(&mut self) {
        let larger = vec![0; 2 * self.places.len()];
        for place in std::mem::replace(&mut self.places, larger) {
            if place != 0 {
                self.put(place);
            }
        }
    }

    /// Takes a slot out. Those behind it that would no longer be found move up, so no gravestones are left.
    pub fn remove(&mut self, hash: u32, slot: u32) {
        let Some(mut free) = self.position(hash, |at| at == slot) else {
            return;
        };
        let mask = self.places.len() - 1;
        let mut at = free;
        loop {
            at = self.next(at);
            let place = self.places[at];
            if place == 0 {
                break;
            }
            let home = self.home((place >> 32) as u32);
            // It may move up to the free place only if its search begins there or before.
            if at.wrapping_sub(home) & mask >= at.wrapping_sub(free) & mask {
                self.places[free] = place;
                free = at;
            }
        }
        self.places[free] = 0;
        self.len -= 1;
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Against an ordered map, with hashes so close that searches run into each other and round the end.
        #[test]
        fn it_is_a_map(steps in proptest::collection::vec((any::<bool>(), 0u32..40), 0..400)) {
            let hash = |slot: u32| (slot % 7).wrapping_sub(3);
            let mut index = Index::new();
            let mut model = BTreeMap::new();
            for (add, slot) in steps {
                if add {
                    if model.insert(slot, ()).is_none() {
                        index.insert(hash(slot), slot);
                    }
                } else {
                    model.remove(&slot);
                    index.remove(hash(slot), slot);
                }
                for slot in 0..40 {
                    let found = index.find(hash(slot), |at| at == slot);
                    prop_assert_eq!(found.is_some(), model.contains_key(&slot));
                }
            }
        }
    }

    /// 8 bytes a place and at most three places of four taken: 1,000,000 entries need 2^21 places, 16.8 bytes each.
    #[test]
    fn places_double() {
        let mut index = Index::new();
        for slot in 0..12 {
            index.insert(slot, slot);
        }
        assert_eq!(index.bytes(), 16 * 8);
        index.insert(12, 12);
        assert_eq!(index.bytes(), 32 * 8);
    }
}
