//! GRE, and NVGRE in it.

use crate::Bits;
use crate::header::header;

/// Protocol number of GRE.
pub const PROTOCOL_GRE: u8 = 47;

/// GRE's protocol type for an Ethernet frame (transparent Ethernet bridging, RFC 7637 section 3.2).
pub const PROTOCOL_TYPE_ETHERNET: u16 = 0x6558;

header! {
    /// The GRE header without its optional fields (RFC 2784 section 2.1, RFC 2890 section 2).
    pub struct Gre("GRE", 4 bytes) {
        [0..1] checksum_present: bool, "C: a checksum follows.";
        [1..2] "reserved" = 0, "Reserved.";
        [2..3] key_present: bool, "K: a key follows; always in NVGRE.";
        [3..4] sequence_present: bool, "S: a sequence number follows; never in NVGRE.";
        [4..13] "reserved" = 0, "Reserved.";
        [13..16] "version" = 0, "Version.";
        [16..32] protocol_type: u16 as ethertype, "What follows; 0x6558 is an Ethernet frame.";
    }
}

header! {
    /// GRE's checksum field (RFC 2784 section 2.1).
    pub struct GreChecksum("GRE checksum", 4 bytes) {
        [0..16] checksum: u16 as hex, "Internet checksum over GRE header and payload.";
        [16..32] "reserved" = 0, "Reserved.";
    }
}

header! {
    /// GRE's key field (RFC 2890 section 2).
    pub struct GreKey("GRE key", 4 bytes) {
        [0..32] key: u32, "Names the flow or tenant.";
    }
}

header! {
    /// GRE's key field as NVGRE uses it (RFC 7637 section 3.2).
    pub struct NvgreKey("NVGRE", 4 bytes) {
        [0..24] vsid: Bits<24>, "Virtual subnet identifier: the tenant's virtual network.";
        [24..32] flow_id: u8 as hex, "Spreads flows over equal paths.";
    }
}

header! {
    /// GRE's sequence number field (RFC 2890 section 2).
    pub struct GreSequence("GRE sequence", 4 bytes) {
        [0..32] sequence: u32, "Sequence number.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    /// RFC 7637 figure 2: C 0, K 1, S 0, then protocol type 0x6558, VSID and FlowID.
    #[test]
    fn bytes_of_nvgre() {
        let gre = Gre {
            checksum_present: false,
            key_present: true,
            sequence_present: false,
            protocol_type: PROTOCOL_TYPE_ETHERNET,
        };
        let key = NvgreKey {
            vsid: Bits::wrapping(0x01_0203),
            flow_id: 0x44,
        };
        let mut bytes = [0xff; 8];
        gre.emit(&mut bytes);
        key.emit(&mut bytes[4..]);
        assert_eq!(bytes, [0x20, 0, 0x65, 0x58, 1, 2, 3, 0x44]);
        assert_eq!(Gre::parse(&bytes), Ok(gre));
        assert_eq!(NvgreKey::parse(&bytes[4..]), Ok(key));
        bytes[1] = 1;
        assert_eq!(
            Gre::parse(&bytes).unwrap_err().to_string(),
            "GRE: version is 0x1, expected 0"
        );
    }

    /// RFC 2890 section 2: checksum, key and sequence number follow each other, each where its bit says so.
    #[test]
    fn bytes_of_the_optional_fields() {
        let mut bytes = [0xff; 12];
        GreChecksum { checksum: 0x0102 }.emit(&mut bytes);
        GreKey { key: 0x0304_0506 }.emit(&mut bytes[4..]);
        GreSequence { sequence: 7 }.emit(&mut bytes[8..]);
        assert_eq!(bytes, [1, 2, 0, 0, 3, 4, 5, 6, 0, 0, 0, 7]);
        assert_eq!(GreKey::parse(&bytes[4..]).map(|key| key.key), Ok(0x0304_0506));
    }
}
