//! The VLAN tag.

use crate::Bits;
use crate::header::header;

/// Ethertype of a customer VLAN tag (IEEE 802.1Q, C-TAG).
pub const ETHERTYPE_VLAN: u16 = 0x8100;

/// Ethertype of a service VLAN tag (IEEE 802.1Q, S-TAG).
pub const ETHERTYPE_SERVICE_VLAN: u16 = 0x88a8;

header! {
    /// What follows the ethertype 0x8100 (IEEE 802.1Q clause 9.6): the tag's control information and the next ethertype.
    pub struct Vlan("VLAN", 4 bytes) {
        [0..3] pcp: Bits<3>, "Priority code point.";
        [3..4] dei: bool, "Drop eligible indicator.";
        [4..16] vid: Bits<12>, "VLAN identifier; 0 stands for priority without a VLAN.";
        [16..32] ethertype: u16 as ethertype, "What follows.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    /// Priority 5 is 101, then the bit DEI, then 0x123.
    #[test]
    fn bytes_of_a_header() {
        let header = Vlan {
            pcp: Bits::wrapping(5),
            dei: true,
            vid: Bits::wrapping(0x123),
            ethertype: 0x0800,
        };
        let mut bytes = [0xff; 4];
        header.emit(&mut bytes);
        assert_eq!(bytes, [0b1011_0001, 0x23, 0x08, 0x00]);
        assert_eq!(Vlan::parse(&bytes), Ok(header));
    }
}
