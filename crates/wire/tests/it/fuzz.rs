//! A bounded fuzz run: random and mutated bytes. The generator is seeded, so a failure repeats.

use crate::samples::one_of_each;
use std::collections::BTreeMap;
use wire::layout::describe;
use wire::{Frame, WireError, icrc, sizes};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// Neither function panics; accepted bytes are what the frame emits; views cover all bytes, fields lie in them.
fn check(bytes: &[u8]) -> Result<Frame, WireError> {
    let parsed = Frame::parse(bytes);
    if let Ok(frame) = &parsed {
        assert_eq!(frame.emit(), bytes);
    }
    let views = describe(bytes);
    let mut at = 0;
    for view in &views {
        assert_eq!(view.offset, at, "{} of {bytes:02x?}", view.name);
        at += view.len;
        for field in &view.fields {
            assert!(field.bit_offset >= view.offset * 8 && field.bit_offset + field.bit_len <= at * 8);
        }
    }
    assert_eq!(at, bytes.len());
    parsed
}

#[test]
fn random_bytes() {
    let mut random = Random(1);
    for _ in 0..50_000 {
        let bytes: Vec<u8> = (0..random.below(300)).map(|_| random.next() as u8).collect();
        assert!(
            check(&bytes).is_err(),
            "random bytes have no right iCRC: {bytes:02x?}"
        );
    }
}

/// Sets both IPv6 lengths, the UDP length and the iCRC to what the bytes need, so that mutants get past them.
fn repair(bytes: &mut [u8]) {
    let len = bytes.len();
    let srh = if bytes.get(20) == Some(&43) { sizes::SRH } else { 0 };
    if len < 120 + srh {
        return;
    }
    for (at, rest) in [(18, 54), (58 + srh, 94 + srh), (98 + srh, 94 + srh)] {
        bytes[at..at + 2].copy_from_slice(&((len - rest) as u16).to_be_bytes());
    }
    let end = len - icrc::LEN;
    if len != sizes::TRIM_LEN + srh
        && let Ok(crc) = icrc::compute(&bytes[54 + srh..end])
    {
        bytes[end..].copy_from_slice(&crc.to_le_bytes());
    }
}

#[test]
fn mutated_frames() {
    let frames: Vec<Vec<u8>> = one_of_each().iter().map(|(_, frame)| frame.emit()).collect();
    let mut random = Random(2);
    let mut outcomes = BTreeMap::<&str, u32>::new();
    for round in 0..60_000 {
        let mut bytes = frames[random.below(frames.len())].clone();
        // Full-size frames cost most of the time and say little more than their heads.
        if bytes.len() > 300 && round % 16 != 0 {
            bytes.truncate(138 + 4 * random.below(20));
        }
        for _ in 0..=random.below(3) {
            match random.below(8) {
                0 => bytes.truncate(random.below(bytes.len() + 1)),
                1 => bytes.extend((0..random.below(9)).map(|_| random.next() as u8)),
                2 => {
                    let at = random.below(bytes.len() + 1);
                    bytes.insert(at, random.next() as u8);
                }
                _ if bytes.is_empty() => {}
                3 => {
                    bytes.remove(random.below(bytes.len()));
                }
                _ => {
                    let at = random.below(bytes.len());
                    bytes[at] ^= 1 << random.below(8);
                }
            }
        }
        if round % 4 != 0 {
            repair(&mut bytes);
        }
        let outcome = match check(&bytes) {
            Ok(_) => "accepted",
            Err(WireError::Truncated { .. }) => "truncated",
            Err(WireError::Field { .. }) => "field",
            Err(WireError::Length { .. }) => "length",
            Err(WireError::Trailing { .. }) => "trailing",
            Err(WireError::Icrc { .. }) => "icrc",
            Err(WireError::Payload { .. }) => "payload",
            Err(WireError::Differs { .. }) => "differs",
            Err(WireError::OutOfRange { .. }) => "out of range",
        };
        *outcomes.entry(outcome).or_default() += 1;
    }
    // `Differs` is what a tenant's frame can be refused with, not this one.
    assert_eq!(outcomes.len(), 8, "the run reaches every outcome: {outcomes:?}");
    assert!(outcomes["accepted"] > 10_000, "{outcomes:?}");
}
