//! The internet checksum of IPv4, TCP, UDP and ICMP.

use std::net::{Ipv4Addr, Ipv6Addr};

/// The internet checksum (RFC 1071): the ones' complement of the ones' complement sum of all 16-bit words. The parts follow
/// each other; all but the last have an even length, and an odd byte at the end counts as if a zero followed.
///
/// Over bytes that hold a right checksum the result is 0, and over bytes with zero in its place it is the checksum.
pub fn internet(parts: &[&[u8]]) -> u16 {
    let mut sum = 0u64;
    for part in parts {
        let (pairs, odd) = part.as_chunks::<2>();
        sum += pairs
            .iter()
            .map(|&pair| u64::from(u16::from_be_bytes(pair)))
            .sum::<u64>();
        sum += odd.first().map_or(0, |&byte| u64::from(byte) << 8);
    }
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !(sum as u16)
}

/// The addresses that the checksum of what an IP packet carries covers as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addresses {
    /// Source and destination of an IPv4 packet.
    V4(Ipv4Addr, Ipv4Addr),
    /// Source and destination of an IPv6 packet.
    V6(Ipv6Addr, Ipv6Addr),
}

impl Addresses {
    /// The checksum of a TCP segment, UDP datagram or ICMPv6 message behind its pseudo header (RFC 9293 section 3.1,
    /// RFC 768, RFC 8200 section 8.1). ICMP over IPv4 has none: use [`internet`]. See there for what a result of 0 means.
    pub fn transport(&self, protocol: u8, segment: &[u8]) -> u16 {
        let len = (segment.len() as u32).to_be_bytes();
        match self {
            Addresses::V4(src, dst) => {
                let tail = [0, protocol, len[2], len[3]];
                internet(&[&src.octets(), &dst.octets(), &tail, segment])
            }
            Addresses::V6(src, dst) => {
                let tail = [0, 0, 0, protocol];
                internet(&[&src.octets(), &dst.octets(), &len, &tail, segment])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// RFC 1071 section 3: the sum of 00 01 f2 03 f4 f5 f6 f7 is 0xddf2 (2ddf0 folded), whose complement is the checksum.
    #[test]
    fn the_rfcs_example() {
        let bytes = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7];
        assert_eq!(internet(&[&bytes]), !0xddf2);
        assert_eq!(internet(&[&bytes[..2], &[], &bytes[2..]]), !0xddf2);
    }

    /// An odd byte is the upper half of its word: 0x0102 + 0x0300 = 0x0402.
    #[test]
    fn an_odd_byte_counts_as_the_upper_half() {
        assert_eq!(internet(&[&[1, 2, 3]]), !0x0402);
        assert_eq!(internet(&[]), 0xffff);
    }

    /// By hand, over IPv4 10.0.0.1 > 10.0.0.2: 0a00 + 0001 + 0a00 + 0002 + 0011 (17) + 000a (length) = 141e; the datagram
    /// 1234 > 0035, length 10, checksum 0, "AB": 1234 + 0035 + 000a + 0000 + 4142 = 53b5; together 67d3, complement 982c.
    #[test]
    fn a_udp_datagram_by_hand() {
        let datagram = [0x12, 0x34, 0, 0x35, 0, 10, 0, 0, 0x41, 0x42];
        let v4 = Addresses::V4(Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2));
        assert_eq!(v4.transport(17, &datagram), 0x982c);
        // Over IPv6 ::1 > ::2 the addresses add 3, the length 10 and the protocol 17: 53b5 + 1e = 53d3.
        let v6 = Addresses::V6(Ipv6Addr::from_bits(1), Ipv6Addr::from_bits(2));
        assert_eq!(v6.transport(17, &datagram), !0x53d3);
    }

    proptest! {
        #[test]
        fn a_checksum_in_its_place_gives_zero(mut bytes in prop::collection::vec(any::<u8>(), 2..200)) {
            bytes[..2].fill(0);
            let sum = internet(&[&bytes]);
            bytes[..2].copy_from_slice(&sum.to_be_bytes());
            prop_assert_eq!(internet(&[&bytes]), 0);
        }
    }
}
