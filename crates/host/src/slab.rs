//! Values with numbers that are used again.

use std::ops::{Index, IndexMut};

/// Values by number. A number is free again once its value was taken out; the last one freed is used first.
#[derive(Clone, Debug)]
pub(crate) struct Slab<T> {
    items: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Slab<T> {
        Slab {
            items: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> Slab<T> {
    /// Puts a value in; its number.
    pub fn insert(&mut self, value: T) -> u32 {
        match self.free.pop() {
            Some(at) => {
                self.items[at as usize] = Some(value);
                at
            }
            None => {
                self.items.push(Some(value));
                self.items.len() as u32 - 1
            }
        }
    }

    /// Takes a value out. Its number must be in use.
    pub fn remove(&mut self, at: u32) -> T {
        let value = self.items[at as usize].take();
        self.free.push(at);
        value.expect("the number is in use")
    }

    /// The value, if the number is in use.
    pub fn get(&self, at: u32) -> Option<&T> {
        self.items.get(at as usize)?.as_ref()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len() - self.free.len()
    }

    /// All, by number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..)
            .zip(&self.items)
            .filter_map(|(at, item)| Some((at, item.as_ref()?)))
    }
}

impl<T> Index<u32> for Slab<T> {
    type Output = T;
    fn index(&self, at: u32) -> &T {
        self.items[at as usize].as_ref().expect("the number is in use")
    }
}

impl<T> IndexMut<u32> for Slab<T> {
    fn index_mut(&mut self, at: u32) -> &mut T {
        self.items[at as usize].as_mut().expect("the number is in use")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_used_again() {
        let mut slab = Slab::default();
        assert_eq!((slab.insert('a'), slab.insert('b')), (0, 1));
        assert_eq!(slab.remove(0), 'a');
        assert_eq!((slab.get(0), slab.len()), (None, 1));
        assert_eq!(slab.insert('c'), 0);
        slab[0] = 'd';
        assert_eq!(slab.iter().collect::<Vec<_>>(), [(0, &'d'), (1, &'b')]);
    }
}
