//! Integers of odd widths, and reading and writing them at any bit position.

use std::fmt;

/// An unsigned integer of exactly `N` bits, 1 to 32: a field that is narrower than a Rust integer.
///
/// A value can never exceed its field, so emitting a header cannot lose bits.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits<const N: u32>(u32);

impl<const N: u32> Bits<N> {
    /// The largest value, 2^N − 1.
    pub const MAX: Self = {
        assert!(1 <= N && N <= 32);
        Bits(u32::MAX >> (32 - N))
    };

    /// `value`, or `None` if it needs more than `N` bits.
    pub const fn new(value: u32) -> Option<Self> {
        if value <= Self::MAX.0 {
            Some(Bits(value))
        } else {
            None
        }
    }

    /// `value` modulo 2^N: for counters that wrap, such as PSNs.
    pub const fn wrapping(value: u64) -> Self {
        Bits(value as u32 & Self::MAX.0)
    }

    /// The value.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// `self + delta` modulo 2^N.
    pub const fn wrapping_add(self, delta: i32) -> Self {
        Self::wrapping(self.0.wrapping_add_signed(delta) as u64)
    }
}

impl<const N: u32> fmt::Debug for Bits<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const N: u32> fmt::Display for Bits<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Bits `lo..hi` of `bytes`, counted from the first byte's most significant bit (network order).
///
/// The bits must lie in `bytes` and touch at most 16 of them; the header tables are checked for that when
/// they are compiled.
pub(crate) fn get(bytes: &[u8], lo: u32, hi: u32) -> u128 {
    let touched = &bytes[lo as usize / 8..(hi as usize).div_ceil(8)];
    let whole = touched
        .iter()
        .fold(0, |acc: u128, &byte| acc << 8 | u128::from(byte));
    whole >> slack(hi) & ones(hi - lo)
}

/// Sets bits `lo..hi` of `bytes` to the low bits of `value` and leaves the others as they are.
pub(crate) fn put(bytes: &mut [u8], lo: u32, hi: u32, value: u128) {
    let touched = &mut bytes[lo as usize / 8..(hi as usize).div_ceil(8)];
    let mut mask = ones(hi - lo) << slack(hi);
    let mut value = value << slack(hi) & mask;
    for byte in touched.iter_mut().rev() {
        *byte = *byte & !(mask as u8) | value as u8;
        mask >>= 8;
        value >>= 8;
    }
}

/// Bits of the last touched byte that lie after bit `hi`.
fn slack(hi: u32) -> u32 {
    hi.wrapping_neg() % 8
}

fn ones(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn odd_fields_lie_where_network_order_puts_them() {
        let bytes = [0b1010_0101, 0b1100_0011, 0xff, 0x00];
        assert_eq!(get(&bytes, 0, 1), 1);
        assert_eq!(get(&bytes, 1, 4), 0b010);
        assert_eq!(get(&bytes, 4, 12), 0b0101_1100);
        assert_eq!(get(&bytes, 0, 32), 0xa5c3_ff00);
    }

    #[test]
    fn bounds_of_bits() {
        assert_eq!(Bits::<24>::MAX.get(), 0xff_ffff);
        assert_eq!(Bits::<24>::new(0x100_0000), None);
        assert_eq!(Bits::<32>::new(u32::MAX), Some(Bits::<32>::MAX));
        assert_eq!(Bits::<24>::MAX.wrapping_add(2).get(), 1);
        assert_eq!(Bits::<24>::wrapping(0).wrapping_add(-1), Bits::MAX);
    }

    proptest! {
        #[test]
        fn put_then_get_and_nothing_else_moves(
            before in any::<[u8; 20]>(), lo in 0u32..32, width in 1u32..=96, value in any::<u128>(),
        ) {
            let hi = lo + width;
            let mut after = before;
            put(&mut after, lo, hi, value);
            prop_assert_eq!(get(&after, lo, hi), value & ones(width));
            put(&mut after, lo, hi, get(&before, lo, hi));
            prop_assert_eq!(after, before);
        }
    }
}
