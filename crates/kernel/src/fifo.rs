//! First-in first-out lists, kept by value in chunks of a shared pool.
//!
//! A chunk holds a few items side by side, so that a list is read and written in the order of memory. Chunks that run
//! empty are used again at once, last freed first: what is written next is what was read just now, still in the cache.

use crate::cache::prefetch;

/// No chunk; the end of a list.
const NONE: u32 = u32::MAX;

// A position is a chunk's number and, in the lower three bits, a place in it.
const PLACE_BITS: u32 = 3;
const PLACE_MASK: u32 = (1 << PLACE_BITS) - 1;

/// A list; its items are in a [`Pool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fifo {
    head: u32,
    tail: u32,
}

impl Fifo {
    /// The list with nothing on it.
    pub const EMPTY: Fifo = Fifo {
        head: NONE,
        tail: NONE,
    };

    /// True when nothing is on it.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.head == NONE
    }
}

/// What can be on a list.
pub trait Item: Copy + Default {
    /// A word of it, for reading ahead.
    fn word(&self) -> &u64;
}

// Whole cache lines, and no item across two of them.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Chunk<T, const N: usize> {
    items: [T; N],
    at: [u64; N],
    // The next chunk of the same list, or of the free ones.
    next: u32,
}

/// The chunks of many lists. `N` items fit one chunk, 1 to 8.
#[derive(Clone, Debug)]
pub struct Pool<T, const N: usize> {
    // In blocks, so that nothing is copied, and next to nothing unused, when it grows.
    blocks: Vec<Box<[Chunk<T, N>; BLOCK]>>,
    // Chunks that were in use at some time.
    used: u32,
    free: u32,
}

// Chunks of a block.
const BLOCK: usize = 512;

impl<T: Item, const N: usize> Pool<T, N> {
    /// A pool without chunks.
    pub const fn new() -> Pool<T, N> {
        assert!(0 < N && N <= 1 << PLACE_BITS);
        Pool {
            blocks: Vec::new(),
            used: 0,
            free: NONE,
        }
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.blocks.len() * size_of::<[Chunk<T, N>; BLOCK]>()
    }

    #[inline]
    fn take_chunk(&mut self) -> u32 {
        if self.free == NONE {
            return self.grow();
        }
        let chunk = self.free;
        self.free = self.chunk(chunk).next;
        chunk
    }

    #[inline]
    fn chunk(&self, number: u32) -> &Chunk<T, N> {
        &self.blocks[number as usize / BLOCK][number as usize % BLOCK]
    }

    #[inline]
    fn chunk_mut(&mut self, number: u32) -> &mut Chunk<T, N> {
        &mut self.blocks[number as usize / BLOCK][number as usize % BLOCK]
    }

    #[cold]
    fn grow(&mut self) -> u32 {
        assert!(self.used < NONE >> PLACE_BITS, "fewer than 2^29 chunks");
        if self.used as usize == self.blocks.len() * BLOCK {
            let empty = Chunk {
                items: [T::default(); N],
                at: [0; N],
                next: NONE,
            };
            let block = vec![empty; BLOCK].into_boxed_slice();
            self.blocks.push(
                block
                    .try_into()
                    .unwrap_or_else(|_| unreachable!("it has that length")),
            );
        }
        self.used += 1;
        self.used - 1
    }

    /// Appends an item with its time, which must not be before the one ahead of it.
    #[inline(always)]
    pub fn push(&mut self, list: &mut Fifo, at: u64, item: T) {
        let position = if list.head == NONE {
            list.head = self.take_chunk() << PLACE_BITS;
            list.head
        } else if (list.tail & PLACE_MASK) as usize + 1 < N {
            list.tail + 1
        } else {
            let chunk = self.take_chunk();
            self.chunk_mut(list.tail >> PLACE_BITS).next = chunk;
            chunk << PLACE_BITS
        };
        list.tail = position;
        let chunk = self.chunk_mut(position >> PLACE_BITS);
        let place = (position & PLACE_MASK) as usize;
        chunk.at[place] = at;
        chunk.items[place] = item;
    }

    /// The time of the first item.
    #[inline]
    pub fn front_at(&self, list: Fifo) -> Option<u64> {
        if list.head == NONE {
            return None;
        }
        Some(self.chunk(list.head >> PLACE_BITS).at[(list.head & PLACE_MASK) as usize])
    }

    /// The first item.
    #[inline]
    pub fn front(&self, list: Fifo) -> Option<&T> {
        if list.head == NONE {
            return None;
        }
        Some(&self.chunk(list.head >> PLACE_BITS).items[(list.head & PLACE_MASK) as usize])
    }

    /// The last item, to change it.
    pub fn back_mut(&mut self, list: Fifo) -> Option<&mut T> {
        if list.head == NONE {
            return None;
        }
        Some(&mut self.chunk_mut(list.tail >> PLACE_BITS).items[(list.tail & PLACE_MASK) as usize])
    }

    /// Reads ahead what the next [`pop`](Self::pop)s will touch.
    #[inline]
    pub fn expect_pop(&self, list: Fifo) {
        if list.head != NONE {
            self.read_ahead(list.head >> PLACE_BITS);
        }
    }

    /// Reads ahead the chunk that comes `after` so many others (1 or more), which should have been read by now.
    #[inline]
    pub fn expect_later(&self, list: Fifo, after: usize) {
        if list.head == NONE {
            return;
        }
        let (mut chunk, last) = (list.head >> PLACE_BITS, list.tail >> PLACE_BITS);
        for _ in 0..after {
            if chunk == last {
                return;
            }
            chunk = self.chunk(chunk).next;
        }
        self.read_ahead(chunk);
    }

    /// Reads ahead what the next [`push`](Self::push) will touch.
    #[inline]
    pub fn expect_push(&self, list: Fifo) {
        if list.head != NONE {
            let chunk = self.chunk(list.tail >> PLACE_BITS);
            prefetch(&chunk.at[0]);
            prefetch(chunk.items[(list.tail & PLACE_MASK) as usize].word());
        }
    }

    #[inline]
    fn read_ahead(&self, chunk: u32) {
        let chunk = self.chunk(chunk);
        prefetch(&chunk.at[0]);
        for item in chunk.items.iter().step_by(2) {
            prefetch(item.word());
        }
    }

    /// Takes the first item.
    #[inline]
    pub fn pop(&mut self, list: &mut Fifo) -> Option<T> {
        self.pop_if(list, |_| true).ok().map(|(_, item)| item)
    }

    /// Takes the first item, and its time, if `wanted` says so of the time.
    ///
    /// # Errors
    /// The time of the item that is left, `u64::MAX` when there is none.
    #[inline]
    pub fn pop_if(&mut self, list: &mut Fifo, wanted: impl FnOnce(u64) -> bool) -> Result<(u64, T), u64> {
        let head = list.head;
        if head == NONE {
            return Err(u64::MAX);
        }
        let (number, place) = (head >> PLACE_BITS, (head & PLACE_MASK) as usize);
        let free = self.free;
        let chunk = self.chunk_mut(number);
        let at = chunk.at[place];
        if !wanted(at) {
            return Err(at);
        }
        let item = chunk.items[place];
        if head == list.tail {
            *list = Fifo::EMPTY;
        } else if place + 1 < N {
            list.head = head + 1;
            return Ok((at, item));
        } else {
            list.head = chunk.next << PLACE_BITS;
        }
        chunk.next = free;
        self.free = number;
        Ok((at, item))
    }

    /// The items in order, each with its time.
    pub fn iter(&self, list: Fifo) -> impl Iterator<Item = (u64, &T)> {
        let mut next = list.head;
        core::iter::from_fn(move || {
            let position = next;
            if position == NONE {
                return None;
            }
            let chunk = self.chunk(position >> PLACE_BITS);
            let place = (position & PLACE_MASK) as usize;
            next = if position == list.tail {
                NONE
            } else if place + 1 < N {
                position + 1
            } else {
                chunk.next << PLACE_BITS
            };
            Some((chunk.at[place], &chunk.items[place]))
        })
    }
}

impl<T: Item, const N: usize> Default for Pool<T, N> {
    fn default() -> Self {
        Pool::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{below, draw};
    use std::collections::VecDeque;

    impl Item for u64 {
        fn word(&self) -> &u64 {
            self
        }
    }

    fn agrees_with_a_deque<const N: usize>() {
        let mut pool = Pool::<u64, N>::new();
        let mut lists = [Fifo::EMPTY; 5];
        let mut models: [VecDeque<(u64, u64)>; 5] = Default::default();
        for step in 0..20_000u64 {
            let which = below(draw(1, step), 5) as usize;
            let (list, model) = (&mut lists[which], &mut models[which]);
            // Growing and shrinking by turns.
            if below(draw(2, step), 16) < 7 + (step / 1_000) % 3 {
                pool.push(list, step, step * 7);
                model.push_back((step, step * 7));
            } else {
                assert_eq!(pool.front_at(*list), model.front().map(|&(at, _)| at));
                assert_eq!(pool.pop(list), model.pop_front().map(|(_, item)| item));
            }
            assert_eq!(list.is_empty(), model.is_empty());
            assert!(
                pool.iter(*list)
                    .map(|(at, &item)| (at, item))
                    .eq(model.iter().copied())
            );
        }
        let peak = pool.used;
        for list in &mut lists {
            while pool.pop(list).is_some() {}
        }
        let mut list = Fifo::EMPTY;
        for i in 0..u64::from(peak) * N as u64 {
            pool.push(&mut list, i, i);
        }
        assert_eq!(pool.used, peak, "freed chunks are used again");
    }

    #[test]
    fn lists_agree_with_a_model() {
        agrees_with_a_deque::<1>();
        agrees_with_a_deque::<6>();
        agrees_with_a_deque::<8>();
    }

    #[test]
    fn the_last_item_can_be_changed_in_place() {
        let mut pool = Pool::<u64, 6>::new();
        let mut list = Fifo::EMPTY;
        assert_eq!(pool.back_mut(list), None);
        for i in 0..8 {
            pool.push(&mut list, 0, i);
        }
        *pool.back_mut(list).expect("not empty") = 77;
        let items: Vec<u64> = pool.iter(list).map(|(_, &item)| item).collect();
        assert_eq!(items, [0, 1, 2, 3, 4, 5, 6, 77]);
    }
}
