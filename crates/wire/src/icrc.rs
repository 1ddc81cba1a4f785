//! The invariant CRC that ends a RoCEv2 packet.

use crate::ipv6::NEXT_HEADER_UDP;
use crate::{Bth, Header, Ipv6, Udp, WireError};

/// Length of the iCRC in bytes.
pub const LEN: usize = 4;

/// IPv4's shortest and longest header in bytes (RFC 791).
const IPV4: std::ops::RangeInclusive<usize> = 20..=60;

/// The iCRC of a RoCEv2 packet over IPv6 or IPv4: CRC-32 over eight bytes of ones in place of the missing LRH
/// and the packet from its IP header to the last byte before the iCRC, with all bits set in the fields that
/// may change on the way (IBTA, annex A17). These are the traffic class, flow label and hop limit of IPv6 or
/// the type of service, time to live and checksum of IPv4, the UDP checksum, and the BTH's fifth byte.
///
/// The length fields count the iCRC although `packet` ends before it. In an SRv6 packet the CRC covers the
/// inner packet alone (the outer destination changes at each hop; our reading). It is sent least significant
/// byte first: use [`u32::to_le_bytes`].
///
/// # Errors
/// If the packet is not IPv6 or IPv4 with UDP directly behind it, or ends before its BTH does.
pub fn compute(packet: &[u8]) -> Result<u32, WireError> {
    let version = packet.first().map_or(0, |byte| byte >> 4);
    let mut masked = [0; *IPV4.end() + Udp::LEN + Bth::LEN];
    let ip_len = match version {
        4 => usize::from(packet[0] & 0xf) * 4,
        6 => Ipv6::LEN,
        _ => return Err(refused("version", version.into(), "4 or 6")),
    };
    let headers = ip_len + Udp::LEN + Bth::LEN;
    if packet.len() < headers {
        return Err(WireError::Truncated {
            header: "RoCEv2 packet",
            need: headers,
            have: packet.len(),
        });
    }
    let (front, rest) = packet.split_at(headers);
    let masked = &mut masked[..headers];
    masked.copy_from_slice(front);
    let protocol = match version {
        4 if !IPV4.contains(&ip_len) => return Err(refused("ihl", ip_len as u128 / 4, "5 to 15")),
        4 => {
            masked[1] = 0xff;
            masked[8] = 0xff;
            masked[10..12].fill(0xff);
            masked[9]
        }
        _ => {
            masked[0] |= 0x0f;
            masked[1..4].fill(0xff);
            masked[7] = 0xff;
            masked[6]
        }
    };
    if protocol != NEXT_HEADER_UDP {
        return Err(refused("protocol", protocol.into(), "17 (UDP)"));
    }
    masked[ip_len + 6..ip_len + 8].fill(0xff);
    masked[ip_len + Udp::LEN + 4] = 0xff;

    let mut crc = crc32fast::Hasher::new();
    crc.update(&[0xff; 8]);
    crc.update(masked);
    crc.update(rest);
    Ok(crc.finalize())
}

fn refused(field: &'static str, found: u128, expected: &'static str) -> WireError {
    WireError::Field {
        header: "RoCEv2 packet",
        field,
        found,
        expected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hex: &str) -> Vec<u8> {
        let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
        digits
            .chunks(2)
            .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect()
    }

    /// Splits a packet into what the iCRC covers and the iCRC, and compares.
    fn check(hex: &str) {
        let packet = bytes(hex);
        let (covered, icrc) = packet.split_at(packet.len() - LEN);
        assert_eq!(compute(covered).unwrap().to_le_bytes(), icrc);
    }

    /// A CNP that a ConnectX-4 Lx sent; the capture is part of Scapy's tests (test/contrib/roce.uts).
    #[test]
    fn cnp_from_hardware() {
        check(
            "45c2003c718c400040119161 0a001101 0a001201 000012b700280000 8100ffff 40000118 00000000
             00000000000000000000000000000000 82fd002a",
        );
    }

    /// The UC SEND ONLY packet of Scapy's tests (test/contrib/roce.uts), with its iCRC 0x78f353f3.
    #[test]
    fn uc_send_from_scapy() {
        check(
            "4501004004784000 4011b4d5c0a80007c0a80007 c00012b7002caca2 2460ffff000000d300cf1710
             4630818be28935d90e9a95505401be885e500000 78f353f3",
        );
    }

    /// An IPv6 packet with MRC's opcode 0xca, built by Scapy 2.8.0 (`scapy.contrib.roce`):
    /// IPv6(fd00::1 > fd00::2, tc 0x12, fl 0x3abcd)/UDP(0xc123 > 4791)/BTH/METH/RETH/16 bytes.
    #[test]
    fn write_only_over_ipv6_from_scapy() {
        check(
            "6123abcd003c1140 fd000000000000000000000000000001 fd000000000000000000000000000002
             c12312b7003c0000 ca00ffff0001234500abcdef 00070009 00007f00000010000000123400000010
             000102030405060708090a0b0c0d0e0f f02e2d2a",
        );
    }

    #[test]
    fn mutable_fields_do_not_matter_and_all_others_do() {
        let packet = bytes(
            "6123abcd003c1140 fd000000000000000000000000000001 fd000000000000000000000000000002
             c12312b7003c0000 ca00ffff0001234500abcdef 00070009",
        );
        let original = compute(&packet).unwrap();
        for bit in 0..packet.len() * 8 {
            let mut changed = packet.clone();
            changed[bit / 8] ^= 0x80 >> (bit % 8);
            let mutable = (4..32).contains(&bit)
                || (7 * 8..8 * 8).contains(&bit)
                || (46 * 8..48 * 8).contains(&bit)
                || (52 * 8..53 * 8).contains(&bit);
            assert_eq!(compute(&changed) == Ok(original), mutable, "bit {bit}");
        }
    }

    #[test]
    fn what_is_no_rocev2_packet_is_named() {
        let text = |packet: &[u8]| compute(packet).unwrap_err().to_string();
        assert_eq!(text(&[]), "RoCEv2 packet: version is 0x0, expected 4 or 6");
        assert_eq!(text(&[0x60; 59]), "RoCEv2 packet needs 60 bytes, but 59 are left");
        assert_eq!(
            text(&[0x60; 60]),
            "RoCEv2 packet: protocol is 0x60, expected 17 (UDP)"
        );
        assert_eq!(text(&[0x42; 60]), "RoCEv2 packet: ihl is 0x2, expected 5 to 15");
    }
}
