//! A slab: values with stable `u32` handles and no allocation once it has grown.

/// A pool of `T` with `u32` handles. Freed handles are used again, last freed first.
#[derive(Clone, Debug, Default)]
pub struct Slab<T> {
    items: Vec<T>,
    free: Vec<u32>,
}

impl<T: Copy> Slab<T> {
    /// An empty slab.
    pub const fn new() -> Slab<T> {
        Slab {
            items: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Stores `value` and returns its handle.
    #[inline]
    pub fn insert(&mut self, value: T) -> u32 {
        if let Some(handle) = self.free.pop() {
            self.items[handle as usize] = value;
            handle
        } else {
            let handle = u32::try_from(self.items.len()).expect("a slab holds at most 2^32 values");
            self.items.push(value);
            handle
        }
    }

    /// Gives the handle back. The caller must not use it again.
    #[inline]
    pub fn remove(&mut self, handle: u32) -> T {
        self.free.push(handle);
        self.items[handle as usize]
    }

    /// How many values are stored now.
    pub fn len(&self) -> usize {
        self.items.len() - self.free.len()
    }

    /// True when nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many values were stored at the same time at most.
    pub fn peak(&self) -> usize {
        self.items.len()
    }
}

impl<T> core::ops::Index<u32> for Slab<T> {
    type Output = T;
    #[inline]
    fn index(&self, handle: u32) -> &T {
        &self.items[handle as usize]
    }
}

impl<T> core::ops::IndexMut<u32> for Slab<T> {
    #[inline]
    fn index_mut(&mut self, handle: u32) -> &mut T {
        &mut self.items[handle as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_stable_and_reused() {
        let mut slab = Slab::new();
        let a = slab.insert(10);
        let b = slab.insert(20);
        assert_eq!(slab.remove(a), 10);
        assert_eq!(slab[b], 20);
        assert_eq!(slab.insert(30), a);
        assert_eq!((slab.len(), slab.peak()), (2, 2));
    }
}
