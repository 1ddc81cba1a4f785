//! The Toeplitz hash of receive side scaling (RSS), by which the flow caches choose a set.

use crate::{Address, FlowKey};

/// Bytes of an RSS key.
pub const RSS_KEY_BYTES: usize = 40;

/// The key that the public RSS documentation uses to verify an implementation ("Verifying the RSS hash calculation").
pub const RSS_KEY: [u8; RSS_KEY_BYTES] = [
    0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0,
    0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42,
    0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
];

/// A key that is drawn from a seed: one that who sends the packets does not know. (Toeplitz is linear: who can observe enough
/// collisions can solve for the key. A secret key hides which flows collide, not that some do.)
pub fn secret_key(seed: u64) -> [u8; RSS_KEY_BYTES] {
    let mut key = [0; RSS_KEY_BYTES];
    for (counter, bytes) in (0..).zip(key.chunks_exact_mut(8)) {
        bytes.copy_from_slice(&kernel::rng::draw(seed, counter).to_be_bytes());
    }
    key
}

/// The longest input: two IPv6 addresses, two ports, and the eight bytes that a flow key has beyond them.
const MAX_INPUT: usize = 44;

/// The hash under one key, with its tables: what each half of a byte adds, wherever it stands.
#[derive(Clone, Debug)]
pub struct Toeplitz {
    nibbles: Vec<[u32; 16]>,
}

impl Toeplitz {
    /// The hash under this key. Input beyond the 36 bytes that RSS has takes the key from its start again (our choice: RSS
    /// defines none).
    pub fn new(key: &[u8; RSS_KEY_BYTES]) -> Toeplitz {
        let bit = |at: usize| u32::from(key[at / 8 % RSS_KEY_BYTES] >> (7 - at % 8) & 1);
        let window = |at: usize| (at..at + 32).fold(0, |bits, at| bits << 1 | bit(at));
        let nibbles = (0..2 * MAX_INPUT)
            .map(|place| {
                let adds: [u32; 4] = std::array::from_fn(|i| window(4 * place + i));
                std::array::from_fn(|nibble| {
                    (0..4)
                        .filter(|i| nibble & (8 >> i) != 0)
                        .fold(0, |sum, i| sum ^ adds[i])
                })
            })
            .collect();
        Toeplitz { nibbles }
    }

    /// The hash of these bytes, in the order of the packet. What is beyond 44 bytes is not looked at.
    pub fn hash(&self, input: &[u8]) -> u32 {
        input
            .iter()
            .zip(self.nibbles.chunks_exact(2))
            .fold(0, |sum, (&byte, tables)| {
                sum ^ tables[0][usize::from(byte >> 4)] ^ tables[1][usize::from(byte & 15)]
            })
    }

    /// The hash of a flow key: the RSS input (source and destination address, source and destination port), followed by TNI,
    /// port, protocol and direction, so that neighbours with the same addresses part (our choice: the public record says
    /// "Toeplitz" and no more).
    pub fn hash_key(&self, key: &FlowKey) -> u32 {
        let mut input = [0; MAX_INPUT];
        let mut len = 0;
        let mut put = |bytes: &[u8]| {
            input[len..len + bytes.len()].copy_from_slice(bytes);
            len += bytes.len();
        };
        let tuple = &key.tuple;
        let v4 = |address: Address| address.v4_bits().map(u32::to_be_bytes);
        if let (Some(src), Some(dst)) = (v4(tuple.src), v4(tuple.dst)) {
            put(&src);
            put(&dst);
        } else {
            put(&tuple.src.0.to_be_bytes());
            put(&tuple.dst.0.to_be_bytes());
        }
        put(&tuple.src_port.to_be_bytes());
        put(&tuple.dst_port.to_be_bytes());
        put(&key.tni.to_be_bytes());
        put(&key.port.to_be_bytes());
        put(&[tuple.protocol.0, key.direction as u8]);
        self.hash(&input[..len])
    }
}

impl Default for Toeplitz {
    fn default() -> Toeplitz {
        Toeplitz::new(&RSS_KEY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Direction, Protocol, Tuple};
    use std::net::IpAddr;

    /// Source, destination, ports, the hash of the addresses, and of addresses and ports: the table of "Verifying the RSS
    /// hash calculation" in the Windows driver documentation.
    const VECTORS: [(&str, &str, u16, u16, u32, u32); 8] = [
        (
            "66.9.149.187",
            "161.142.100.80",
            2794,
            1766,
            0x323e_8fc2,
            0x51cc_c178,
        ),
        (
            "199.92.111.2",
            "65.69.140.83",
            14230,
            4739,
            0xd718_262a,
            0xc626_b0ea,
        ),
        (
            "24.19.198.95",
            "12.22.207.184",
            12898,
            38024,
            0xd2d0_a5de,
            0x5c2b_394a,
        ),
        (
            "38.27.205.30",
            "209.142.163.6",
            48228,
            2217,
            0x8298_9176,
            0xafc7_327f,
        ),
        (
            "153.39.163.191",
            "202.188.127.2",
            44251,
            1303,
            0x5d18_09c5,
            0x10e8_28a2,
        ),
        (
            "3ffe:2501:200:1fff::7",
            "3ffe:2501:200:3::1",
            2794,
            1766,
            0x2cc1_8cd5,
            0x4020_7d3d,
        ),
        (
            "3ffe:501:8::260:97ff:fe40:efab",
            "ff02::1",
            14230,
            4739,
            0x0f0c_461c,
            0xdde5_1bbf,
        ),
        (
            "3ffe:1900:4545:3:200:f8ff:fe21:67cf",
            "fe80::200:f8ff:fe21:67cf",
            44251,
            38024,
            0x4b61_e985,
            0x02d1_feef,
        ),
    ];

    fn bytes(address: &str) -> Vec<u8> {
        match address.parse().unwrap() {
            IpAddr::V4(v4) => v4.octets().to_vec(),
            IpAddr::V6(v6) => v6.octets().to_vec(),
        }
    }

    #[test]
    fn hashes_are_those_of_the_windows_documentation() {
        let toeplitz = Toeplitz::default();
        for (src, dst, src_port, dst_port, addresses, all) in VECTORS {
            let mut input = [bytes(src), bytes(dst)].concat();
            assert_eq!(toeplitz.hash(&input), addresses, "{src} to {dst}");
            input.extend(src_port.to_be_bytes());
            input.extend(dst_port.to_be_bytes());
            assert_eq!(toeplitz.hash(&input), all, "{src} to {dst}, ports too");
        }
    }

    /// The hash is linear over exclusive or, so what the key has beyond RSS can be told apart: nothing beyond is the RSS hash,
    /// and the lowest bit of the direction is bit 159 of an IPv4 input: the 32 bits of the key from there.
    #[test]
    fn a_flow_key_adds_to_the_rss_hash() {
        let toeplitz = Toeplitz::default();
        let (src, dst, src_port, dst_port, _, rss) = VECTORS[0];
        let mut key = FlowKey {
            tuple: Tuple {
                src: src.parse().unwrap(),
                dst: dst.parse().unwrap(),
                src_port,
                dst_port,
                protocol: Protocol(0),
            },
            ..FlowKey::default()
        };
        assert_eq!(toeplitz.hash_key(&key), rss);
        key.direction = Direction::In;
        // Bytes 19 to 23 of the key are cb ae 7b 30 b4; from the last bit of the first on.
        let from_bit_159 = (0x1_ae7b_30b4_u64 >> 1) as u32;
        assert_eq!(toeplitz.hash_key(&key), rss ^ from_bit_159);
    }
}
