//! A hierarchical timing wheel (Varghese and Lauck, 1987): wheels of 256 slots, each slot of a wheel as long as a whole
//! turn of the wheel below it.

use super::{Entry, Queue};

/// Length of the lowest wheel's slots: 2^10 ps.
const SLOT_LOG2: u32 = 10;
/// Slots of a wheel: 2^8.
const WHEEL_LOG2: u32 = 8;
const SLOTS: usize = 1 << WHEEL_LOG2;
/// Wheels, enough for any time.
const WHEELS: usize = 7;

/// Exact: the slot that is being emptied is sorted.
pub struct Wheel {
    // The number of the slot that is in `current`.
    now: u64,
    // Sorted descending.
    current: Vec<Entry>,
    slots: Vec<Vec<Entry>>,
    occupied: [[u64; SLOTS / 64]; WHEELS],
}

impl Default for Wheel {
    fn default() -> Wheel {
        Wheel {
            now: 0,
            current: Vec::new(),
            slots: vec![Vec::new(); WHEELS * SLOTS],
            occupied: [[0; SLOTS / 64]; WHEELS],
        }
    }
}

impl Queue for Wheel {
    #[inline]
    fn push(&mut self, entry: Entry) {
        let slot = entry.0 >> SLOT_LOG2;
        if slot == self.now {
            let at = self.current.partition_point(|other| *other > entry);
            self.current.insert(at, entry);
        } else {
            self.place(slot, entry);
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<Entry> {
        while self.current.is_empty() {
            self.turn()?;
        }
        self.current.pop()
    }
}

impl Wheel {
    /// Into the wheel of the highest digit, to the base 256, in which the slot's number differs from the present one's.
    #[inline]
    fn place(&mut self, slot: u64, entry: Entry) {
        let wheel = (slot ^ self.now).ilog2() / WHEEL_LOG2;
        let digit = (slot >> (wheel * WHEEL_LOG2)) as usize % SLOTS;
        self.slots[wheel as usize * SLOTS + digit].push(entry);
        self.occupied[wheel as usize][digit / 64] |= 1 << (digit % 64);
    }

    /// Opens the next slot of the lowest wheel that has any.
    fn turn(&mut self) -> Option<()> {
        let (wheel, digit) = (0..WHEELS).find_map(|wheel| Some((wheel, self.first(wheel)?)))?;
        self.occupied[wheel][digit / 64] &= !(1 << (digit % 64));
        let at = wheel * SLOTS + digit;
        let mut entries = std::mem::take(&mut self.slots[at]);
        if wheel == 0 {
            self.now = self.now & !(SLOTS as u64 - 1) | digit as u64;
            std::mem::swap(&mut self.current, &mut entries);
        } else {
            // The first moment of that slot; its entries go down.
            let shift = wheel as u32 * WHEEL_LOG2;
            self.now = (self.now >> shift & !(SLOTS as u64 - 1) | digit as u64) << shift;
            for &entry in &entries {
                let slot = entry.0 >> SLOT_LOG2;
                if slot == self.now {
                    self.current.push(entry);
                } else {
                    self.place(slot, entry);
                }
            }
            entries.clear();
        }
        // Keeps its memory.
        self.slots[at] = entries;
        self.current.sort_unstable_by(|a, b| b.cmp(a));
        Some(())
    }

    /// The lowest occupied digit of a wheel. Digits before the present one are empty: they would be in the past.
    fn first(&self, wheel: usize) -> Option<usize> {
        self.occupied[wheel]
            .iter()
            .enumerate()
            .find(|(_, word)| **word != 0)
            .map(|(index, word)| index * 64 + word.trailing_zeros() as usize)
    }
}
