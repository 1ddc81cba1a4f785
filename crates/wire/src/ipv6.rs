//! IPv6, used twice: the outer header carries the SRv6 route, the inner one the NIC's own address.

use crate::Bits;
use crate::dscp::Dscp;
use crate::header::header;
use crate::value::codes;
use std::net::Ipv6Addr;

/// Next header: an IPv6 header, which makes the packet IPv6-in-IPv6 (RFC 2473).
pub const NEXT_HEADER_IPV6: u8 = 41;

/// Next header: UDP.
pub const NEXT_HEADER_UDP: u8 = 17;

header! {
    /// The IPv6 header (RFC 8200 section 3).
    pub struct Ipv6("IPv6", 40 bytes) {
        [0..4] "version" = 6, "IP version.";
        [4..10] dscp: Dscp as dscp, "Differentiated services code point: the traffic class that switches queue by (RFC 2474).";
        [10..12] ecn: Ecn, "Explicit congestion notification: CE is set by a switch whose queue grows (RFC 3168).";
        [12..32] flow_label: Bits<20> as hex, "Flow label; in MRC its low 16 bits are the upper half of the entropy value.";
        [32..48] payload_len: u16, "Bytes after this header.";
        [48..56] next_header: u8 as protocol, "What follows.";
        [56..64] hop_limit: u8, "Hops that are left.";
        [64..192] src: Ipv6Addr, "Source address.";
        [192..320] dst: Ipv6Addr, "Destination address; in an MRC packet's outer header a uSID container that shifts at each hop.";
    }
}

codes! {
    /// The ECN field (RFC 3168 section 5).
    pub enum Ecn(2 bits, expected "an ECN codepoint, 0 to 3") {
        NotEct = 0 "Not-ECT" "The sender does not take part in ECN.";
        Ect1 = 1 "ECT(1)" "ECN-capable transport, codepoint 1.";
        Ect0 = 2 "ECT(0)" "ECN-capable transport, codepoint 0.";
        Ce = 3 "CE" "Congestion experienced: set by a switch.";
    }
}

/// First 96 bits of the NICs' own addresses (our choice: a unique local prefix, RFC 4193).
const NIC_PREFIX: u128 = 0xfd00_6d72_0063_0000_0000_0000 << 32;

/// A NIC's own address, the same on all of its ports (our choice: `fd00:6d72:63::` and the NIC's number).
pub fn nic_address(nic: u32) -> Ipv6Addr {
    Ipv6Addr::from_bits(NIC_PREFIX | u128::from(nic))
}

/// The NIC that has this address, if it is one of [`nic_address`].
pub fn nic_number(address: Ipv6Addr) -> Option<u32> {
    u32::try_from(address.to_bits() ^ NIC_PREFIX).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Header, WireError};

    #[test]
    fn bytes_of_a_header() {
        let header = Ipv6 {
            dscp: Dscp::wrapping(46),
            ecn: Ecn::Ce,
            flow_label: Bits::wrapping(0x3_abcd),
            payload_len: 0x1234,
            next_header: NEXT_HEADER_UDP,
            hop_limit: 64,
            src: nic_address(1),
            dst: nic_address(0xffff_ffff),
        };
        let mut bytes = [0; 40];
        header.emit(&mut bytes);
        assert_eq!(bytes[..8], [0x6b, 0xb3, 0xab, 0xcd, 0x12, 0x34, 17, 64]);
        assert_eq!(
            bytes[8..24],
            [0xfd, 0, 0x6d, 0x72, 0, 0x63, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        );
        assert_eq!(Ipv6::parse(&bytes), Ok(header));
    }

    #[test]
    fn another_version_is_refused() {
        let mut bytes = [0; 40];
        bytes[0] = 0x45;
        let error = Ipv6::parse(&bytes).unwrap_err();
        assert_eq!(
            error,
            WireError::Field {
                header: "IPv6",
                field: "version",
                found: 4,
                expected: "6"
            }
        );
    }

    #[test]
    fn nic_addresses_name_their_nic() {
        assert_eq!(nic_address(0x1_0002).to_string(), "fd00:6d72:63::1:2");
        assert_eq!(nic_number(nic_address(u32::MAX)), Some(u32::MAX));
        assert_eq!(nic_number(Ipv6Addr::LOCALHOST), None);
    }
}
