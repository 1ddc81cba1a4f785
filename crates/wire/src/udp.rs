//! UDP, which carries RoCEv2, MRC, VXLAN and tenants' datagrams.

use crate::header::header;

/// UDP destination port of RoCEv2, used for MRC too (the MRC text is not public on this; the port follows
/// from its RoCEv2 heritage and makes dissectors find the BTH).
pub const ROCE_PORT: u16 = 4791;

header! {
    /// The UDP header (RFC 768).
    pub struct Udp("UDP", 8 bytes) {
        [0..16] src_port: u16, "Source port; in MRC the lower half of the entropy value.";
        [16..32] dst_port: u16, "Destination port; 4791 is RoCEv2, 4789 VXLAN.";
        [32..48] length: u16, "Bytes of this header and what follows it.";
        [48..64] checksum: u16 as hex, "Internet checksum over pseudo header and datagram. Zero: left out, as RoCEv2 and VXLAN do (RFC 6936 permits that over IPv6).";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    #[test]
    fn bytes_of_a_header() {
        let header = Udp {
            src_port: 0xc123,
            dst_port: ROCE_PORT,
            length: 60,
            checksum: 0,
        };
        let mut bytes = [0xff; 8];
        header.emit(&mut bytes);
        assert_eq!(bytes, [0xc1, 0x23, 0x12, 0xb7, 0, 60, 0, 0]);
        assert_eq!(Udp::parse(&bytes), Ok(header));
    }
}
