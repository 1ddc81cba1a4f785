//! Transpositions, each kept once: what a million flows do to their headers is often the same.

use super::index::Index;
use crate::Transposition;
use kernel::rng::mix;
use std::hash::{Hash, Hasher};

/// Transpositions with how many entries use each.
#[derive(Clone, Debug)]
pub(super) struct Actions {
    all: Vec<(Transposition, u32)>,
    free: Vec<u32>,
    index: Index,
}

/// Mixes what it gets. Where the index looks depends on it, what it finds does not.
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(value.into());
    }

    fn write_u16(&mut self, value: u16) {
        self.write_u64(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = mix(self.0.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ value);
    }

    fn write_u128(&mut self, value: u128) {
        self.write_u64(value as u64);
        self.write_u64((value >> 64) as u64);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.write_u64(value as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

fn hash(transposition: &Transposition) -> u32 {
    let mut mixer = Mixer(0);
    transposition.hash(&mut mixer);
    (mixer.finish() >> 32) as u32
}

impl Actions {
    pub fn new() -> Actions {
        Actions {
            all: Vec::new(),
            free: Vec::new(),
            index: Index::new(),
        }
    }

    /// The number of this transposition, which has one user more now.
    pub fn add(&mut self, transposition: &Transposition) -> u32 {
        let hash = hash(transposition);
        let known = self
            .index
            .find(hash, |at| self.all[at as usize].0 == *transposition);
        if let Some(at) = known {
            self.all[at as usize].1 += 1;
            return at;
        }
        let at = self.free.pop().unwrap_or(self.all.len() as u32);
        match self.all.get_mut(at as usize) {
            Some(place) => *place = (*transposition, 1),
            None => self.all.push((*transposition, 1)),
        }
        self.index.insert(hash, at);
        at
    }

    /// One user less; with the last the transposition goes.
    pub fn release(&mut self, at: u32) {
        let (transposition, users) = &mut self.all[at as usize];
        *users -= 1;
        if *users == 0 {
            self.index.remove(hash(transposition), at);
            self.free.push(at);
        }
    }

    #[inline]
    pub fn get(&self, at: u32) -> &Transposition {
        &self.all[at as usize].0
    }

    /// How many different ones there are.
    pub fn len(&self) -> usize {
        self.all.len() - self.free.len()
    }

    pub fn clear(&mut self) {
        *self = Actions::new();
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<(Transposition, u32)>()
            + self.free.capacity() * size_of::<u32>()
            + self.index.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ones_are_kept_once() {
        let pop = |pop| Transposition {
            pop,
            ..Transposition::default()
        };
        let mut actions = Actions::new();
        let one = actions.add(&pop(1));
        let two = actions.add(&pop(2));
        assert_eq!(actions.add(&pop(1)), one);
        assert_ne!(one, two);
        actions.release(one);
        assert_eq!((actions.len(), *actions.get(one)), (2, pop(1)));
        actions.release(one);
        assert_eq!(actions.len(), 1);
        assert_eq!(actions.add(&pop(3)), one, "a free number is used again");
        assert_eq!((*actions.get(one), *actions.get(two)), (pop(3), pop(2)));
    }
}
