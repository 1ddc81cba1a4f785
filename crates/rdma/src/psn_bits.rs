//! A window of bits over PSNs, kept in a ring of words.

/// One bit per PSN in `[base, base + capacity)`. Bits outside the window read as 0.
#[derive(Clone, Debug)]
pub struct PsnBits {
    words: Vec<u64>,
    base: u32,
}

impl PsnBits {
    /// A window that starts at PSN 0 with `capacity` bits, rounded up to a power of two of at least 64.
    pub fn new(capacity: u32) -> PsnBits {
        PsnBits {
            words: vec![0; (capacity.next_power_of_two().max(64) / 64) as usize],
            base: 0,
        }
    }

    /// The lowest PSN of the window.
    #[inline]
    pub const fn base(&self) -> u32 {
        self.base
    }

    /// How many PSNs the window holds.
    #[inline]
    pub fn capacity(&self) -> u32 {
        self.words.len() as u32 * 64
    }

    #[inline]
    fn slot(&self, psn: u32) -> (usize, u32) {
        ((psn / 64) as usize & (self.words.len() - 1), psn % 64)
    }

    /// Makes the window hold `psn`, which is not below the base.
    #[inline]
    pub fn reserve(&mut self, psn: u32) {
        // The base may lie inside a word: its lower part must not be taken for the window's far end.
        while psn - (self.base & !63) >= self.capacity() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let (old, first) = (self.words.len(), (self.base / 64) as usize);
        let mut words = vec![0; old * 2];
        for i in first..first + old {
            words[i & (old * 2 - 1)] = self.words[i & (old - 1)];
        }
        self.words = words;
    }

    /// The bit of `psn`.
    #[inline]
    pub fn get(&self, psn: u32) -> bool {
        if psn < self.base || psn - (self.base & !63) >= self.capacity() {
            return false;
        }
        let (word, bit) = self.slot(psn);
        self.words[word] >> bit & 1 == 1
    }

    /// Sets the bit of `psn`, for which there is room.
    #[inline]
    pub fn set(&mut self, psn: u32) {
        debug_assert!(psn >= self.base && psn - (self.base & !63) < self.capacity());
        let (word, bit) = self.slot(psn);
        self.words[word] |= 1 << bit;
    }

    /// Forgets all bits; the base stays.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Moves the base up to `to`; bits below it are forgotten.
    #[inline]
    pub fn advance(&mut self, to: u32) {
        debug_assert!(to >= self.base);
        while self.base / 64 < to / 64 {
            let (word, _) = self.slot(self.base);
            self.words[word] = 0;
            self.base = (self.base / 64 + 1) * 64;
        }
        if self.base < to {
            let (word, bit) = self.slot(to);
            self.words[word] &= !0 << bit;
            self.base = to;
        }
    }

    /// The first PSN from the base on whose bit is 0.
    #[inline]
    pub fn first_zero(&self) -> u32 {
        let mut psn = self.base;
        let end = (self.base & !63).saturating_add(self.capacity());
        while psn < end {
            let (word, bit) = self.slot(psn);
            let ones = (self.words[word] >> bit).trailing_ones();
            if ones < 64 - bit {
                return psn + ones;
            }
            psn += 64 - bit;
        }
        end
    }

    /// The 64 bits from `from` on, the lowest first; `from` is not below the base.
    #[inline]
    pub fn extract(&self, from: u32) -> u64 {
        let (word, bit) = self.slot(from);
        let low = if self.holds(from) {
            self.words[word] >> bit
        } else {
            0
        };
        let next = (from & !63).saturating_add(64);
        if bit == 0 || !self.holds(next) {
            return low;
        }
        let (word, _) = self.slot(next);
        low | self.words[word] << (64 - bit)
    }

    #[inline]
    fn holds(&self, psn: u32) -> bool {
        psn - (self.base & !63) < self.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::{below, draw};
    use std::collections::BTreeSet;

    #[test]
    fn agrees_with_a_set() {
        let mut bits = PsnBits::new(64);
        let mut model = BTreeSet::new();
        for step in 0..20_000u64 {
            let psn = bits.base() + below(draw(1, step), 300) as u32;
            match below(draw(2, step), 4_000) {
                3_999 => {
                    bits.clear();
                    model.clear();
                }
                0..1_000 => {
                    let to = bits.first_zero();
                    bits.advance(to);
                    model.retain(|&p| p >= to);
                }
                1_000..2_000 => {
                    let expected = (0..64)
                        .filter(|i| model.contains(&(psn + i)))
                        .fold(0, |w, i| w | 1u64 << i);
                    assert_eq!(bits.extract(psn), expected, "step {step} from {psn}");
                }
                _ => {
                    bits.reserve(psn);
                    bits.set(psn);
                    model.insert(psn);
                }
            }
            let zero = (bits.base()..).find(|p| !model.contains(p));
            assert_eq!(Some(bits.first_zero()), zero, "step {step}");
            assert_eq!(bits.get(psn), model.contains(&psn));
        }
        assert!(bits.base() > 1_000, "the window moved");
    }
}
