//! TCP.

mod options;

pub(crate) use options::list;
pub use options::{TcpOptions, Timestamps};

use crate::Bits;
use crate::header::header;

/// Protocol number (next header) of TCP.
pub const PROTOCOL_TCP: u8 = 6;

header! {
    /// The TCP header without options (RFC 9293 section 3.1; CWR and ECE of RFC 3168).
    pub struct Tcp("TCP", 20 bytes) {
        [0..16] src_port: u16, "Source port.";
        [16..32] dst_port: u16, "Destination port.";
        [32..64] seq: u32, "Sequence number of the first byte of data (of the SYN where there is one).";
        [64..96] ack_number: u32, "The next sequence number that the sender of this segment expects; meant if ACK is set.";
        [96..100] data_offset: Bits<4> as words, "Length of the header in units of 4 bytes; 5 without options.";
        [100..104] "reserved" = 0, "Reserved.";
        [104..105] cwr: bool, "Congestion window reduced.";
        [105..106] ece: bool, "ECN echo.";
        [106..107] urg: bool, "The urgent pointer is meant.";
        [107..108] ack: bool, "The acknowledgment number is meant.";
        [108..109] psh: bool, "Push: data is to be handed up now.";
        [109..110] rst: bool, "Reset: the connection is aborted.";
        [110..111] syn: bool, "Synchronise sequence numbers: a connection is opened.";
        [111..112] fin: bool, "Finish: the sender has no more data.";
        [112..128] window: u16, "Bytes that the sender of this segment is ready to take, to be shifted by its window scale.";
        [128..144] checksum: u16 as hex, "Internet checksum over pseudo header and segment (RFC 1071).";
        [144..160] urgent_pointer: u16, "Where urgent data ends; meant if URG is set.";
    }
}

/// Bits of the flags, as the header's 14th byte has them.
pub(crate) const FLAG_NAMES: [(u8, &str); 8] = [
    (0x02, "SYN"),
    (0x01, "FIN"),
    (0x04, "RST"),
    (0x08, "PSH"),
    (0x10, "ACK"),
    (0x20, "URG"),
    (0x40, "ECE"),
    (0x80, "CWR"),
];

impl Tcp {
    /// Length of the header with its options, in bytes: 0 to 60, of which less than 20 is wrong.
    pub fn header_len(&self) -> usize {
        self.data_offset.get() as usize * 4
    }

    /// The flags as the header's 14th byte has them: FIN 1, SYN 2, RST 4, PSH 8, ACK 16, URG 32, ECE 64, CWR 128.
    pub fn flags(&self) -> u8 {
        [
            self.fin, self.syn, self.rst, self.psh, self.ack, self.urg, self.ece, self.cwr,
        ]
        .into_iter()
        .enumerate()
        .fold(0, |flags, (bit, set)| flags | u8::from(set) << bit)
    }

    /// The header with these [`flags`](Self::flags).
    #[must_use]
    pub fn with_flags(self, flags: u8) -> Tcp {
        let set = |bit: u8| flags >> bit & 1 == 1;
        Tcp {
            fin: set(0),
            syn: set(1),
            rst: set(2),
            psh: set(3),
            ack: set(4),
            urg: set(5),
            ece: set(6),
            cwr: set(7),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    fn sample() -> Tcp {
        Tcp {
            src_port: 50_000,
            dst_port: 443,
            seq: 0x0102_0304,
            ack_number: 0x0506_0708,
            data_offset: Bits::wrapping(8),
            cwr: false,
            ece: false,
            urg: false,
            ack: false,
            psh: false,
            rst: false,
            syn: false,
            fin: false,
            window: 0xfa00,
            checksum: 0xbeef,
            urgent_pointer: 0,
        }
    }

    /// RFC 9293 figure 1: offset 8 in the upper half of byte 12, then the flags CWR ECE URG ACK PSH RST SYN FIN.
    #[test]
    fn bytes_of_a_header() {
        let header = sample().with_flags(0x12);
        assert!(header.syn && header.ack && !header.fin);
        let mut bytes = [0xff; 20];
        header.emit(&mut bytes);
        #[rustfmt::skip]
        let expected = [
            0xc3, 0x50, 0x01, 0xbb, 1, 2, 3, 4, 5, 6, 7, 8, 0x80, 0x12, 0xfa, 0x00, 0xbe, 0xef, 0, 0,
        ];
        assert_eq!(bytes, expected);
        assert_eq!(Tcp::parse(&bytes), Ok(header));
        assert_eq!(header.header_len(), 32);
    }

    #[test]
    fn flags_are_the_bits_of_one_byte() {
        for flags in 0..=255 {
            let header = sample().with_flags(flags);
            assert_eq!(header.flags(), flags);
            let mut bytes = [0; 20];
            header.emit(&mut bytes);
            assert_eq!(bytes[13], flags);
        }
    }
}
