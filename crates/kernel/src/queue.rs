//! The event queue: a wheel of buckets for the near future, a heap for the far one.
//!
//! Order is total and does not depend on the order of insertion: time first, then [`TieRule`].

use crate::tie::TieRule;
use crate::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How the near future is divided: 2^`buckets_log2` buckets of 2^`width_log2` ps. Any shape gives the same order;
/// a good one holds a handful of events per bucket and spans the longest link delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueShape {
    /// Log2 of a bucket's width in picoseconds, 0 to 40.
    pub width_log2: u32,
    /// Log2 of the number of buckets, 6 to 24.
    pub buckets_log2: u32,
}

impl QueueShape {
    /// A shape for about `per_us` events per simulated microsecond, each at most `horizon` ahead
    /// (later ones are correct too, only slower).
    pub fn for_load(per_us: u64, horizon: Time) -> QueueShape {
        const EVENTS_PER_BUCKET: u64 = 16;
        let width_ps = (1_000_000 * EVENTS_PER_BUCKET / per_us.max(1)).clamp(1, 1 << 20);
        let width_log2 = width_ps.ilog2();
        let buckets = (horizon.0 >> width_log2).max(1);
        QueueShape {
            width_log2,
            buckets_log2: (buckets.ilog2() + 1).clamp(6, 18),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    time: u64,
    // See TieRule::key; the object in the lower half.
    key: u64,
}

/// A queue of `(time, object)`; what the object number means is the owner's business.
#[derive(Clone, Debug)]
pub struct EventQueue {
    ties: TieRule,
    width_log2: u32,
    mask: u64,
    // Number of the bucket whose events are in `current`; 0 before any was opened, so that whatever is pushed before
    // the first event is taken is sorted once.
    cursor: u64,
    // Sorted descending: the next event is the last.
    current: Vec<Entry>,
    buckets: Vec<Vec<Entry>>,
    // One bit per bucket: not empty.
    occupied: Vec<u64>,
    in_buckets: usize,
    far: BinaryHeap<Reverse<Entry>>,
}

impl EventQueue {
    /// An empty queue; `seed` decides ties.
    pub fn new(seed: u64, shape: QueueShape) -> EventQueue {
        let count = 1usize << shape.buckets_log2.clamp(6, 24);
        EventQueue {
            ties: TieRule::new(seed),
            width_log2: shape.width_log2.min(40),
            mask: count as u64 - 1,
            cursor: 0,
            current: Vec::new(),
            buckets: vec![Vec::new(); count],
            occupied: vec![0; count / 64],
            in_buckets: 0,
            far: BinaryHeap::new(),
        }
    }

    /// Events waiting.
    pub fn len(&self) -> usize {
        self.current.len() + self.in_buckets + self.far.len()
    }

    /// True when no event waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Schedules `object` at `time`, which must not be before the last event that was taken.
    #[inline]
    pub fn push(&mut self, time: Time, object: u32) {
        self.insert(Entry {
            time: time.0,
            key: self.ties.key(time, object),
        });
    }

    // Counted from 1, so that the cursor can stand before the first.
    #[inline]
    fn bucket_of(&self, entry: Entry) -> u64 {
        (entry.time >> self.width_log2) + 1
    }

    #[inline]
    fn insert(&mut self, entry: Entry) {
        let bucket = self.bucket_of(entry);
        if bucket <= self.cursor {
            let at = self.current.partition_point(|e| *e > entry);
            self.current.insert(at, entry);
        } else if bucket - self.cursor <= self.mask {
            let slot = (bucket & self.mask) as usize;
            self.buckets[slot].push(entry);
            self.occupied[slot / 64] |= 1 << (slot % 64);
            self.in_buckets += 1;
        } else {
            self.far.push(Reverse(entry));
        }
    }

    /// Time and tie key (see [`TieRule::key`]) of the next event.
    #[inline]
    pub fn peek_key(&mut self) -> Option<(Time, u64)> {
        if self.current.is_empty() && !self.advance() {
            return None;
        }
        self.current.last().map(|e| (Time(e.time), e.key))
    }

    /// Takes the next event if its time is at most `limit`.
    #[inline]
    pub fn pop_until(&mut self, limit: Time) -> Option<(Time, u32)> {
        let (time, key) = self.peek_key().filter(|&(time, _)| time <= limit)?;
        self.current.pop();
        Some((time, key as u32))
    }

    /// Takes the next event.
    #[inline]
    pub fn pop(&mut self) -> Option<(Time, u32)> {
        self.pop_until(Time::MAX)
    }

    /// Moves the cursor to the next bucket that has events and sorts it. False when nothing waits.
    #[cold]
    fn advance(&mut self) -> bool {
        debug_assert!(self.current.is_empty());
        let near = self.next_occupied();
        let far = self.far.peek().map(|Reverse(e)| self.bucket_of(*e));
        let Some(bucket) = near.into_iter().chain(far).min() else {
            return false;
        };
        self.cursor = bucket;
        if near == Some(bucket) {
            let slot = (bucket & self.mask) as usize;
            core::mem::swap(&mut self.current, &mut self.buckets[slot]);
            self.occupied[slot / 64] &= !(1 << (slot % 64));
            self.in_buckets -= self.current.len();
        }
        while let Some(Reverse(entry)) = self.far.peek() {
            if self.bucket_of(*entry) > bucket {
                break;
            }
            self.current.push(*entry);
            self.far.pop();
        }
        self.current.sort_unstable_by(|a, b| b.cmp(a));
        true
    }

    /// The lowest bucket number after the cursor that has events.
    fn next_occupied(&self) -> Option<u64> {
        if self.in_buckets == 0 {
            return None;
        }
        let start = (self.cursor + 1) & self.mask;
        let words = self.occupied.len();
        let first = (start / 64) as usize;
        // The first word once more at the end: its low bits are the farthest slots.
        for step in 0..=words {
            let index = (first + step) % words;
            let mut word = self.occupied[index];
            if step == 0 {
                word &= !0 << (start % 64);
            }
            if word != 0 {
                let slot = index as u64 * 64 + u64::from(word.trailing_zeros());
                let ahead = slot.wrapping_sub(start) & self.mask;
                return Some(self.cursor + 1 + ahead);
            }
        }
        unreachable!("in_buckets counts an event that no bucket holds")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{below, draw};

    const SHAPES: [QueueShape; 3] = [
        QueueShape {
            width_log2: 5,
            buckets_log2: 6,
        },
        QueueShape {
            width_log2: 10,
            buckets_log2: 12,
        },
        QueueShape {
            width_log2: 15,
            buckets_log2: 8,
        },
    ];

    /// Push and pop with the delays of a fabric; returns what came out.
    fn churn(shape: QueueShape, reverse: bool) -> Vec<(Time, u32)> {
        let mut queue = EventQueue::new(1, shape);
        let mut first: Vec<u32> = (0..500).collect();
        if reverse {
            first.reverse();
        }
        for object in first {
            queue.push(Time(u64::from(object) / 7 * 83_200), object);
        }
        let mut out = Vec::new();
        while let Some((now, object)) = queue.pop() {
            out.push((now, object));
            if out.len() < 20_000 {
                let spans = [83_200, 1_280, 1_000_000, 0, 100_000_000];
                let bits = draw(u64::from(object), now.0);
                queue.push(now + Time(spans[below(bits, 5) as usize]), object);
            }
        }
        out
    }

    #[test]
    fn order_is_total_and_independent_of_shape_and_insertion() {
        let reference = churn(SHAPES[0], false);
        assert!(reference.windows(2).all(|w| w[0].0 <= w[1].0));
        assert_eq!(reference.len(), 20_000 + 499);
        for shape in SHAPES {
            assert!(churn(shape, true) == reference, "{shape:?}");
        }
    }

    #[test]
    fn ties_favour_nobody() {
        let mut low_first = 0;
        for time in 0..1_000 {
            let mut queue = EventQueue::new(9, SHAPES[1]);
            queue.push(Time(time * 1_000), 3);
            queue.push(Time(time * 1_000), 4);
            low_first += u32::from(queue.pop().map(|e| e.1) == Some(3));
        }
        // Fair coin, 1,000 throws: sigma is 16, so 80 is five of them.
        assert!((420..580).contains(&low_first), "{low_first}");
    }

    #[test]
    fn pop_until_leaves_later_events() {
        let mut queue = EventQueue::new(1, SHAPES[0]);
        queue.push(Time(10), 1);
        queue.push(Time::from_ms(70), 2);
        assert_eq!(queue.pop_until(Time(9)), None);
        assert_eq!(queue.pop_until(Time(10)), Some((Time(10), 1)));
        assert_eq!(queue.pop_until(Time::from_ms(69)), None);
        queue.push(Time::from_ms(69), 3);
        assert_eq!(queue.peek_key().map(|(time, _)| time), Some(Time::from_ms(69)));
        assert_eq!(queue.pop(), Some((Time::from_ms(69), 3)));
        assert_eq!(queue.pop(), Some((Time::from_ms(70), 2)));
        assert!(queue.is_empty());
    }

    #[test]
    fn shape_follows_load() {
        let small = QueueShape::for_load(1_000, Time::from_us(2));
        let large = QueueShape::for_load(400_000, Time::from_us(2));
        assert!(small.width_log2 > large.width_log2);
        assert!(large.buckets_log2 <= 18);
    }
}
