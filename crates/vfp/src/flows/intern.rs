//! Values that many flows share are stored once.

use super::index::Index;
use crate::hash::BuildFolding;
use std::hash::{BuildHasher, Hash};

/// Counted values by number. Numbers of values that nobody uses any more are given again.
#[derive(Clone, Debug)]
pub(crate) struct Interner<T> {
    values: Vec<Value<T>>,
    free: Vec<u32>,
    index: Index,
}

#[derive(Clone, Copy, Debug)]
struct Value<T> {
    value: T,
    hash: u64,
    users: u32,
}

impl<T> Default for Interner<T> {
    fn default() -> Interner<T> {
        Interner {
            values: Vec::new(),
            free: Vec::new(),
            index: Index::default(),
        }
    }
}

impl<T: Copy + Eq + Hash> Interner<T> {
    /// The number of a value, which has one user more.
    pub(super) fn take(&mut self, value: T) -> u32 {
        let hash = BuildFolding.hash_one(value);
        if let Some(number) = self.index.find(hash, |n| self.values[n as usize].value == value) {
            self.values[number as usize].users += 1;
            return number;
        }
        let value = Value {
            value,
            hash,
            users: 1,
        };
        let number = match self.free.pop() {
            Some(number) => {
                self.values[number as usize] = value;
                number
            }
            None => {
                self.values.push(value);
                (self.values.len() - 1) as u32
            }
        };
        self.index.insert(hash, number);
        number
    }

    /// One user less.
    pub(super) fn release(&mut self, number: u32) {
        let value = &mut self.values[number as usize];
        value.users -= 1;
        if value.users == 0 {
            self.index.remove(value.hash, number);
            self.free.push(number);
        }
    }

    pub(super) fn get(&self, number: u32) -> T {
        self.values[number as usize].value
    }

    /// Values in use.
    pub(super) const fn len(&self) -> usize {
        self.values.len() - self.free.len()
    }

    pub(super) const fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<Value<T>>() + self.free.capacity() * 4 + self.index.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_stored_once_and_its_number_given_again() {
        let mut interner = Interner::default();
        let numbers = ["a", "b", "a"].map(|value| interner.take(value));
        assert_eq!((numbers, interner.len()), ([0, 1, 0], 2));
        interner.release(0);
        assert_eq!(interner.get(0), "a");
        interner.release(0);
        assert_eq!((interner.take("c"), interner.len()), (0, 2));
        assert_eq!(interner.take("a"), 2);
    }
}
