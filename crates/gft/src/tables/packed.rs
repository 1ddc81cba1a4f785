//! Flow keys in 44 bytes: one million of them are kept.

use crate::{Address, Direction, FlowKey, Protocol, Tuple};
use kernel::rng::mix;

/// A [`FlowKey`] without padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedKey([u32; 11]);

fn quarters(address: Address) -> [u32; 4] {
    std::array::from_fn(|i| (address.0 >> (96 - 32 * i)) as u32)
}

fn whole(quarters: &[u32]) -> Address {
    Address(
        quarters
            .iter()
            .fold(0, |bits, &quarter| bits << 32 | u128::from(quarter)),
    )
}

impl PackedKey {
    #[inline]
    pub fn new(key: &FlowKey) -> PackedKey {
        let [a, b, c, d] = quarters(key.tuple.src);
        let [e, f, g, h] = quarters(key.tuple.dst);
        let ports = u32::from(key.tuple.src_port) << 16 | u32::from(key.tuple.dst_port);
        let rest = u32::from(key.port) << 16 | u32::from(key.tuple.protocol.0) << 8 | key.direction as u32;
        PackedKey([a, b, c, d, e, f, g, h, ports, key.tni, rest])
    }

    pub fn unpack(&self) -> FlowKey {
        let [.., ports, tni, rest] = self.0;
        FlowKey {
            tuple: Tuple {
                src: whole(&self.0[..4]),
                dst: whole(&self.0[4..8]),
                src_port: (ports >> 16) as u16,
                dst_port: ports as u16,
                protocol: Protocol((rest >> 8) as u8),
            },
            tni,
            port: self.port(),
            direction: if rest & 1 == 0 {
                Direction::Out
            } else {
                Direction::In
            },
        }
    }

    /// The virtual port.
    #[inline]
    pub fn port(&self) -> u16 {
        (self.0[10] >> 16) as u16
    }

    /// Where the index keeps it. Not the Toeplitz hash: that one is linear, and who picks the packets could pile all of them
    /// up at one place.
    #[inline]
    pub fn index_hash(&self) -> u32 {
        let two = |i: usize| u64::from(self.0[i]) << 32 | u64::from(self.0[i + 1]);
        let odd = 0x9e37_79b9_7f4a_7c15;
        // IPv4 addresses differ in their last quarter alone: one round for the halves that are always the same.
        let upper = two(0) ^ two(4).rotate_left(31);
        let lower = mix(two(2) ^ upper.wrapping_mul(odd));
        let lower = mix(lower.wrapping_add(two(6)));
        let last = u64::from(self.0[10]).wrapping_mul(odd);
        (mix(lower ^ two(8) ^ last) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_key_takes_44_bytes() {
        assert_eq!(size_of::<PackedKey>(), 44);
    }

    proptest! {
        #[test]
        fn packing_loses_nothing(src: u128, dst: u128, src_port: u16, dst_port: u16, protocol: u8, tni: u32, port: u16,
                                 inbound: bool) {
            let key = FlowKey {
                tuple: Tuple { src: Address(src), dst: Address(dst), src_port, dst_port, protocol: Protocol(protocol) },
                tni,
                port,
                direction: if inbound { Direction::In } else { Direction::Out },
            };
            let packed = PackedKey::new(&key);
            prop_assert_eq!(packed.unpack(), key);
            prop_assert_eq!(packed.port(), port);
        }
    }
}
