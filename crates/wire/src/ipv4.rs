//! IPv4.

use crate::Bits;
use crate::dscp::Dscp;
use crate::header::header;
use crate::ipv6::Ecn;
use std::net::Ipv4Addr;

/// Protocol number of an IPv4 packet in another packet (RFC 2003).
pub const PROTOCOL_IPV4: u8 = 4;

/// Longest packet in bytes, header included: what the length field can say.
pub const MAX_LEN: usize = 65_535;

header! {
    /// The IPv4 header without options (RFC 791 section 3.1; DSCP and ECN as in RFC 2474 and RFC 3168).
    pub struct Ipv4("IPv4", 20 bytes) {
        [0..4] "version" = 4, "IP version.";
        [4..8] ihl: Bits<4> as words, "Length of the header in units of 4 bytes; 5 without options.";
        [8..14] dscp: Dscp, "Differentiated services code point: the class of service (RFC 2474).";
        [14..16] ecn: Ecn, "Explicit congestion notification (RFC 3168).";
        [16..32] total_len: u16, "Bytes of the packet, this header included.";
        [32..48] identification: u16 as hex, "Names the packet that fragments belong to.";
        [48..49] "reserved" = 0, "Reserved.";
        [49..50] dont_fragment: bool, "DF: the packet must not be fragmented.";
        [50..51] more_fragments: bool, "MF: this is not the packet's last fragment.";
        [51..64] fragment_offset: Bits<13> as eights, "Where the fragment belongs in the packet, in units of 8 bytes.";
        [64..72] ttl: u8, "Time to live: hops that are left.";
        [72..80] protocol: u8 as protocol, "What follows.";
        [80..96] checksum: u16 as hex, "Internet checksum over this header (RFC 1071).";
        [96..128] src: Ipv4Addr, "Source address.";
        [128..160] dst: Ipv4Addr, "Destination address.";
    }
}

/// A NIC's address, the same on all of its ports (our choice: in 10.0.0.0/8, RFC 1918, the NIC's number and one). There are never so
/// many NICs that they would need more than 24 bits.
pub fn nic_address(nic: u32) -> Ipv4Addr {
    Ipv4Addr::from_bits(10 << 24 | Bits::<24>::wrapping(u64::from(nic) + 1).get())
}

impl Ipv4 {
    /// Length of the header with its options, in bytes: 0 to 60, of which less than 20 is wrong.
    pub fn header_len(&self) -> usize {
        self.ihl.get() as usize * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Header, WireError};

    fn sample() -> Ipv4 {
        Ipv4 {
            ihl: Bits::wrapping(5),
            dscp: Bits::wrapping(46),
            ecn: Ecn::Ect0,
            total_len: 0x1234,
            identification: 0xabcd,
            dont_fragment: true,
            more_fragments: false,
            fragment_offset: Bits::wrapping(0x0102),
            ttl: 64,
            protocol: 6,
            checksum: 0x55aa,
            src: Ipv4Addr::new(10, 1, 0, 4),
            dst: Ipv4Addr::new(192, 0, 2, 9),
        }
    }

    /// RFC 791 figure 4. DSCP 46 is 101110, ECT(0) is 10; DF is bit 1 of the flags, so 0x4000 over the offset.
    #[test]
    fn bytes_of_a_header() {
        let mut bytes = [0xff; 20];
        sample().emit(&mut bytes);
        #[rustfmt::skip]
        let expected = [
            0x45, 0b1011_1010, 0x12, 0x34, 0xab, 0xcd, 0x41, 0x02, 64, 6, 0x55, 0xaa, 10, 1, 0, 4, 192, 0, 2, 9,
        ];
        assert_eq!(bytes, expected);
        assert_eq!(Ipv4::parse(&bytes), Ok(sample()));
        assert_eq!(sample().header_len(), 20);
    }

    #[test]
    fn nics_have_addresses_of_their_own() {
        assert_eq!(nic_address(0), Ipv4Addr::new(10, 0, 0, 1));
        assert_eq!(nic_address(131_071), Ipv4Addr::new(10, 2, 0, 0));
    }

    #[test]
    fn another_version_and_the_reserved_bit_are_refused() {
        let mut bytes = [0; 20];
        sample().emit(&mut bytes);
        bytes[0] = 0x65;
        let refused = |field, found, expected| {
            Err(WireError::Field {
                header: "IPv4",
                field,
                found,
                expected,
            })
        };
        assert_eq!(Ipv4::parse(&bytes), refused("version", 6, "4"));
        bytes[0] = 0x45;
        bytes[6] |= 0x80;
        assert_eq!(Ipv4::parse(&bytes), refused("reserved", 1, "0"));
    }
}
