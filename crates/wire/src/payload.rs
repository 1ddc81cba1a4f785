//! Payload bytes. The simulator moves no data, so a payload is a length whose bytes are a fixed pattern.

use crate::{Bits, WireError};

/// A payload: this many bytes, of which byte i is i modulo 256 (our choice).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Payload(u16);

impl Payload {
    /// The longest payload in bytes; beyond any PMTU in use, and well within IPv6's length field.
    pub const MAX: usize = 9216;

    /// A payload of `len` bytes.
    ///
    /// # Errors
    /// [`WireError::OutOfRange`] above [`Payload::MAX`].
    pub fn new(len: usize) -> Result<Payload, WireError> {
        if len > Self::MAX {
            let value = len as u64;
            return Err(WireError::OutOfRange {
                what: "payload length",
                value,
                expected: "0 to 9216 bytes",
            });
        }
        Ok(Payload(len as u16))
    }

    /// Length in bytes.
    pub const fn len(self) -> usize {
        self.0 as usize
    }

    /// Whether there are no bytes.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Zero bytes that follow to reach a multiple of four (IBTA's pad count).
    pub const fn pad(self) -> Bits<2> {
        Bits::wrapping((self.0 as u64).wrapping_neg())
    }

    /// Fills `out` with the pattern.
    pub(crate) fn fill(out: &mut [u8]) {
        for (i, byte) in out.iter_mut().enumerate() {
            *byte = i as u8;
        }
    }

    /// The payload that `bytes` are.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Payload, WireError> {
        for (offset, &found) in bytes.iter().enumerate() {
            if found != offset as u8 {
                return Err(WireError::Payload {
                    offset,
                    found,
                    expected: offset as u8,
                });
            }
        }
        Payload::new(bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_reaches_a_multiple_of_four() {
        for len in 0..=Payload::MAX {
            let payload = Payload::new(len).unwrap();
            assert_eq!((payload.len() + payload.pad().get() as usize) % 4, 0);
        }
        assert!(Payload::new(Payload::MAX + 1).is_err());
    }

    #[test]
    fn other_bytes_are_refused() {
        let mut bytes = [0; 300];
        Payload::fill(&mut bytes);
        assert_eq!(Payload::parse(&bytes), Payload::new(300));
        bytes[257] = 0;
        assert_eq!(
            Payload::parse(&bytes),
            Err(WireError::Payload {
                offset: 257,
                found: 0,
                expected: 1
            })
        );
    }
}
