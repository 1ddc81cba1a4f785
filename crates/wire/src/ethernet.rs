//! Ethernet II.

use crate::header::header;
use crate::{Bits, Usid, Value};
use std::fmt;

/// Ethertype of IPv4 (RFC 894).
pub const ETHERTYPE_IPV4: u16 = 0x0800;

/// Ethertype of IPv6.
pub const ETHERTYPE_IPV6: u16 = 0x86dd;

/// Length of the frame check sequence that follows each frame on the wire (IEEE 802.3).
pub const FCS_LEN: usize = 4;

header! {
    /// The Ethernet II header (IEEE 802.3).
    pub struct Ethernet("Ethernet", 14 bytes) {
        [0..48] dst: Mac, "MAC address of the next hop.";
        [48..96] src: Mac, "MAC address of the port that sent the frame.";
        [96..112] ethertype: u16 as ethertype, "What follows.";
    }
}

/// A MAC address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mac(pub [u8; 6]);

impl Mac {
    /// The address of a NIC's port in a plane (our choice: locally administered, 02, 00, plane, NIC in 24 bits).
    pub const fn nic(plane: u8, nic: Bits<24>) -> Mac {
        let [_, a, b, c] = nic.get().to_be_bytes();
        Mac([0x02, 0x00, plane, a, b, c])
    }

    /// The address of a switch (our choice: locally administered, 02, 01, 00, 00, then the switch's uSID).
    pub const fn switch(usid: Usid) -> Mac {
        let [a, b] = usid.raw().to_be_bytes();
        Mac([0x02, 0x01, 0x00, 0x00, a, b])
    }
}

impl fmt::Display for Mac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}

impl Value for Mac {
    const BITS: u32 = 48;
    const EXPECTED: &'static str = "a MAC address";
    fn to_raw(self) -> u128 {
        self.0.iter().fold(0, |acc, &byte| acc << 8 | u128::from(byte))
    }
    fn from_raw(raw: u128) -> Option<Self> {
        let bytes = raw.to_be_bytes();
        Some(Mac(std::array::from_fn(|i| bytes[10 + i])))
    }
    fn show(raw: u128) -> String {
        Self::from_raw(raw).map_or_else(String::new, |mac| mac.to_string())
    }
}

/// The frame check sequence of a frame's bytes (header to last byte before the FCS), as it goes on the wire
/// (IEEE 802.3 clause 3.2.9).
pub fn fcs(frame: &[u8]) -> [u8; FCS_LEN] {
    crc32fast::hash(frame).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Header, Tier};

    #[test]
    fn bytes_of_a_header() {
        let header = Ethernet {
            dst: Mac::switch(Usid::new(3, Tier::T1, 17).unwrap()),
            src: Mac::nic(3, Bits::wrapping(0x01_0203)),
            ethertype: ETHERTYPE_IPV6,
        };
        let mut bytes = [0; 14];
        header.emit(&mut bytes);
        assert_eq!(bytes, [2, 1, 0, 0, 0x70, 0x11, 2, 0, 3, 1, 2, 3, 0x86, 0xdd]);
        assert_eq!(Ethernet::parse(&bytes), Ok(header));
        assert_eq!(header.src.to_string(), "02:00:03:01:02:03");
    }

    /// The residue 0x2144df1c of a frame with its FCS is the standard's own check (IEEE 802.3, 3.2.9).
    #[test]
    fn fcs_leaves_the_standard_residue() {
        let mut frame = b"any frame at all".to_vec();
        frame.extend(fcs(&frame));
        assert_eq!(crc32fast::hash(&frame), 0x2144_df1c);
    }
}
