//! VXLAN: an Ethernet frame of a tenant in a UDP datagram.

use crate::Bits;
use crate::header::header;

/// UDP destination port of VXLAN (RFC 7348 section 5).
pub const VXLAN_PORT: u16 = 4789;

header! {
    /// The VXLAN header (RFC 7348 section 5).
    pub struct Vxlan("VXLAN", 8 bytes) {
        [0..4] "reserved" = 0, "Reserved.";
        [4..5] "i" = 1, "I: the network identifier is meant; always set.";
        [5..8] "reserved" = 0, "Reserved.";
        [8..32] "reserved" = 0, "Reserved.";
        [32..56] vni: Bits<24>, "VXLAN network identifier: the tenant's virtual network.";
        [56..64] "reserved" = 0, "Reserved.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    /// RFC 7348 figure 1: the flags are R R R R I R R R.
    #[test]
    fn bytes_of_a_header() {
        let header = Vxlan {
            vni: Bits::wrapping(0x01_0203),
        };
        let mut bytes = [0xff; 8];
        header.emit(&mut bytes);
        assert_eq!(bytes, [0x08, 0, 0, 0, 1, 2, 3, 0]);
        assert_eq!(Vxlan::parse(&bytes), Ok(header));
        bytes[0] = 0;
        assert_eq!(
            Vxlan::parse(&bytes).unwrap_err().to_string(),
            "VXLAN: i is 0x0, expected 1"
        );
    }
}
