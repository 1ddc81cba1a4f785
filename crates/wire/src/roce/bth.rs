//! RoCEv2's Base Transport Header.

use super::RoceOpcode;
use crate::header::header;
use crate::{Bits, Psn, Qpn};

header! {
    /// The Base Transport Header of RoCEv2 (IBTA, chapter 9; FECN and BECN: annex A17).
    pub struct RoceBth("BTH", 12 bytes) {
        [0..8] opcode: RoceOpcode, "What kind of packet this is and which headers follow.";
        [8..9] se: bool, "SE: solicited event, the responder shall wake its application.";
        [9..10] m: bool, "M: migration state.";
        [10..12] pad: Bits<2>, "Zero bytes after the payload that round it up to a multiple of four.";
        [12..16] "tver" = 0, "Transport header version.";
        [16..32] p_key: u16 as hex, "Partition key.";
        [32..33] fecn: bool, "FECN: forward explicit congestion notification.";
        [33..34] becn: bool, "BECN: backward explicit congestion notification; set in a CNP.";
        [34..40] "reserved" = 0, "Reserved.";
        [40..64] dest_qp: Qpn as hex, "Queue pair that the packet is for.";
        [64..65] a: bool, "A: the requester wants an acknowledgement.";
        [65..72] "reserved" = 0, "Reserved.";
        [72..96] psn: Psn, "Packet sequence number; of an ACK the last one acknowledged, of a NAK the one expected.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    /// IBTA: opcode; SE, M, pad 2, version 4; partition; FECN, BECN, 6 reserved; QP; A, 7 reserved; PSN.
    #[test]
    fn bytes_of_a_header() {
        let header = RoceBth {
            opcode: RoceOpcode::WriteLast,
            se: true,
            m: true,
            pad: Bits::wrapping(1),
            p_key: 0x8001,
            fecn: false,
            becn: true,
            dest_qp: Bits::wrapping(0x01_2345),
            a: true,
            psn: Bits::wrapping(0xab_cdef),
        };
        let mut bytes = [0; 12];
        header.emit(&mut bytes);
        let expected = [
            0x08, 0xd0, 0x80, 0x01, 0x40, 1, 0x23, 0x45, 0x80, 0xab, 0xcd, 0xef,
        ];
        assert_eq!(bytes, expected);
        assert_eq!(RoceBth::parse(&bytes), Ok(header));
        bytes[4] |= 0x80;
        assert_eq!(RoceBth::parse(&bytes), Ok(RoceBth { fecn: true, ..header }));
    }
}
