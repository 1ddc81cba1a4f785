//! Flow keys in 44 bytes: one million of them are kept.

use crate::{Address, Direction, FlowKey, Protocol, Tuple};
use kernel::rng::mix;

/// A [`FlowKey`] without padding: source, destination, ports and TNI; port, protocol and direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedKey {
    pub words: [u64; 5],
    pub rest: u32,
}

/// Without pattern: the first constants of SHA-512, made odd.
const FACTORS: [u64; 6] = [
    0x428a_2f98_d728_ae23,
    0x7137_4491_23ef_65cd,
    0xb5c0_fbcf_ec4d_3b2f,
    0xe9b5_dba5_8189_dbbd,
    0x3956_c25b_f348_b539,
    0x59f1_11f1_b605_d019,
];

impl PackedKey {
    #[inline]
    pub fn new(key: &FlowKey) -> PackedKey {
        let tuple = &key.tuple;
        let ports = u64::from(tuple.src_port) << 48 | u64::from(tuple.dst_port) << 32;
        PackedKey {
            words: [
                (tuple.src.0 >> 64) as u64,
                tuple.src.0 as u64,
                (tuple.dst.0 >> 64) as u64,
                tuple.dst.0 as u64,
                ports | u64::from(key.tni),
            ],
            rest: u32::from(key.port) << 16 | u32::from(tuple.protocol.0) << 8 | key.direction as u32,
        }
    }

    pub fn unpack(&self) -> FlowKey {
        let [src_high, src, dst_high, dst, ports] = self.words;
        let address = |high: u64, low: u64| Address(u128::from(high) << 64 | u128::from(low));
        FlowKey {
            tuple: Tuple {
                src: address(src_high, src),
                dst: address(dst_high, dst),
                src_port: (ports >> 48) as u16,
                dst_port: (ports >> 32) as u16,
                protocol: Protocol((self.rest >> 8) as u8),
            },
            tni: ports as u32,
            port: self.port(),
            direction: if self.rest & 1 == 0 {
                Direction::Out
            } else {
                Direction::In
            },
        }
    }

    /// The virtual port.
    #[inline]
    pub fn port(&self) -> u16 {
        (self.rest >> 16) as u16
    }

    /// Where the index keeps it. Not the Toeplitz hash: that one is linear, and who picks the packets could pile all of them
    /// up at one place. The products are summed, so that they do not wait for each other.
    #[inline]
    pub fn index_hash(&self) -> u32 {
        let sum = self.words.iter().zip(FACTORS).fold(
            u64::from(self.rest).wrapping_mul(FACTORS[5]),
            |sum, (word, factor)| sum.wrapping_add(word.wrapping_mul(factor)),
        );
        (mix(sum) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    /// Keys as they come: a few addresses, ports one after the other. 65,536 of them spread over as many buckets fill
    /// 1 − 1/e = 63.2 % if the hash is as good as chance; sigma is below 0.2 %.
    #[test]
    fn orderly_keys_spread() {
        let mut filled = vec![false; 65_536];
        for number in 0..65_536u32 {
            let key = FlowKey {
                tuple: Tuple {
                    src: Address::from_v4_bits(0x0a00_0000 | number >> 14),
                    dst: Address::from_v4_bits(0x0a00_0100 | number >> 12 & 3),
                    src_port: 1_024 + (number & 0xfff) as u16,
                    dst_port: 443,
                    protocol: Protocol::TCP,
                },
                ..FlowKey::default()
            };
            filled[PackedKey::new(&key).index_hash() as usize % 65_536] = true;
        }
        let share = filled.iter().filter(|&&f| f).count() as f64 / 65_536.0;
        assert!((share - 0.632).abs() < 0.01, "{share}");
    }
}
