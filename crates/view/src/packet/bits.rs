//! The bits of a field among those of a frame, as a line and as numbers.

use std::fmt::Write;
use std::ops::Range;
use wire::layout::{FieldView, HeaderView};

/// Bits that a line has at most; a longer field is told by its bytes.
pub const LONGEST_LINE: usize = 64;

/// A run of bits of a frame, counted from its start, the most significant bit of each byte first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// The first one.
    pub offset: usize,
    /// How many.
    pub len: usize,
}

impl Bits {
    /// Those of a field.
    pub const fn of(field: &FieldView) -> Bits {
        Bits {
            offset: field.bit_offset,
            len: field.bit_len,
        }
    }

    /// Those of a whole header.
    pub const fn of_header(header: &HeaderView) -> Bits {
        Bits {
            offset: header.offset * 8,
            len: header.len * 8,
        }
    }

    /// One past the last one.
    pub const fn end(self) -> usize {
        self.offset + self.len
    }

    /// The bytes that it touches.
    pub const fn bytes(self) -> Range<usize> {
        self.offset / 8..self.end().div_ceil(8)
    }

    /// Which bits of the byte at `at` are among them.
    pub fn mask(self, at: usize) -> u8 {
        let from = self.offset.clamp(at * 8, at * 8 + 8) - at * 8;
        let to = self.end().clamp(at * 8, at * 8 + 8) - at * 8;
        // In 16 bits, so that shifting by 8 is no overflow.
        ((0xff_u16 >> from) & !(0xff_u16 >> to)) as u8
    }

    /// True when it begins and ends where bytes do.
    pub const fn is_aligned(self) -> bool {
        self.offset.is_multiple_of(8) && self.len.is_multiple_of(8)
    }

    /// True when a bit is among them.
    pub const fn has(self, bit: usize) -> bool {
        self.offset <= bit && bit < self.end()
    }
}

/// The value of up to 64 bits; none of more, or where the frame ends before.
pub fn value(bytes: &[u8], bits: Bits) -> Option<u64> {
    let touched = bytes.get(bits.bytes())?;
    if bits.len > LONGEST_LINE {
        return None;
    }
    // Up to nine bytes.
    let all = touched
        .iter()
        .fold(0u128, |all, &byte| all << 8 | u128::from(byte));
    let behind = bits.bytes().end * 8 - bits.end();
    let mask = (1u128 << bits.len) - 1;
    Some((all >> behind & mask) as u64)
}

/// The bytes that a field touches, bit by bit: its own as digits, the others as dots, in groups of four. None for a field that is
/// longer than [`LONGEST_LINE`] or empty.
pub fn line(bytes: &[u8], bits: Bits) -> Option<String> {
    if bits.len == 0 || bits.len > LONGEST_LINE {
        return None;
    }
    let touched = bytes.get(bits.bytes())?;
    let mut text = String::with_capacity(touched.len() * 10);
    for (at, &byte) in bits.bytes().zip(touched) {
        let mask = bits.mask(at);
        for bit in 0..8 {
            if bit % 4 == 0 && !text.is_empty() {
                text.push(' ');
            }
            let one = 0x80 >> bit;
            text.push(match (mask & one != 0, byte & one != 0) {
                (false, _) => '.',
                (true, true) => '1',
                (true, false) => '0',
            });
        }
    }
    Some(text)
}

/// A field for the clipboard: its bytes in hexadecimal where it has whole bytes, otherwise its value.
pub fn hex(bytes: &[u8], bits: Bits) -> Option<String> {
    if !bits.is_aligned() {
        return value(bytes, bits).map(|value| format!("0x{value:x}"));
    }
    let touched = bytes.get(bits.bytes())?;
    let mut text = String::with_capacity(touched.len() * 2);
    for byte in touched {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: &[u8] = &[0x61, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01];

    const fn bits(offset: usize, len: usize) -> Bits {
        Bits { offset, len }
    }

    /// The first four bytes of an IPv6 header, RFC 8200 section 3: version 4 bits, DSCP 6 (RFC 2474), ECN 2 (RFC 3168), flow label 20.
    #[test]
    fn a_line_has_digits_where_the_field_is_and_dots_elsewhere() {
        let seen = |offset, len| line(BYTES, bits(offset, len)).unwrap();
        assert_eq!(seen(0, 4), "0110 ....");
        assert_eq!(seen(4, 6), ".... 0001 00.. ....");
        assert_eq!(seen(10, 2), "..10 ....");
        assert_eq!(seen(12, 20), ".... 0011 0100 0101 0110 0111");
        assert_eq!(line(BYTES, bits(0, 72)), None, "too long for a line");
        assert_eq!(line(BYTES, bits(68, 8)), None, "not there");
        assert_eq!(line(BYTES, bits(8, 0)), None, "nothing");
    }

    #[test]
    fn a_mask_has_the_bits_of_its_byte() {
        let field = bits(4, 6);
        assert_eq!([0, 1, 2].map(|at| field.mask(at)), [0x0f, 0xc0, 0]);
        assert_eq!([0, 1, 2].map(|at| bits(8, 8).mask(at)), [0, 0xff, 0]);
        assert_eq!(field.bytes(), 0..2);
        let set: usize = (0..BYTES.len())
            .map(|at| field.mask(at).count_ones() as usize)
            .sum();
        assert_eq!(set, field.len);
    }

    #[test]
    fn values_and_hexadecimal() {
        assert_eq!(value(BYTES, bits(4, 6)), Some(4));
        assert_eq!(value(BYTES, bits(12, 20)), Some(0x3_4567));
        assert_eq!(
            value(BYTES, bits(4, 64)),
            Some(0x1234_5678_9abc_def0),
            "nine bytes"
        );
        assert_eq!(value(BYTES, bits(0, 65)), None);
        assert_eq!(hex(BYTES, bits(12, 20)).unwrap(), "0x34567");
        assert_eq!(hex(BYTES, bits(16, 24)).unwrap(), "456789");
        assert_eq!(hex(BYTES, bits(0, 72)).unwrap(), "6123456789abcdef01");
    }
}
