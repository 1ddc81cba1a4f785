//! Base Transport Header.

use crate::header::header;
use crate::{Bits, Opcode};

/// A packet sequence number: 24 bits, wrapping.
pub type Psn = Bits<24>;

/// A queue pair number: 24 bits.
pub type Qpn = Bits<24>;

/// Queue pair that endpoint requests (port status, EV probes) are sent to.
pub const ENDPOINT_QPN: Qpn = Qpn::wrapping(2);

header! {
    /// The InfiniBand Base Transport Header with MRC's RTX and TS bits.
    ///
    /// SE comes before M as in IBTA; third-party MRC code has them the other way round.
    pub struct Bth("BTH", 12 bytes) {
        [0..8] opcode: Opcode, "What kind of packet this is and which headers follow.";
        [8..9] se: bool, "SE: solicited event, the responder shall wake its application.";
        [9..10] m: bool, "M: migration state.";
        [10..12] pad: Bits<2>, "Zero bytes after the payload that round it up to a multiple of four.";
        [12..16] "tver" = 0, "Transport header version.";
        [16..32] p_key: u16 as hex, "Partition key.";
        [32..40] "reserved" = 0, "Reserved.";
        [40..64] dest_qp: Qpn as hex, "Queue pair that the packet is for.";
        [64..65] a: bool, "A: the requester wants a SACK now.";
        [65..66] "reserved" = 0, "Reserved.";
        [66..67] rtx: bool, "RTX: this packet is a retransmission.";
        [67..68] ts: bool, "TS: a TSETH follows the METH.";
        [68..72] "reserved" = 0, "Reserved.";
        [72..96] psn: Psn, "Packet sequence number; in an endpoint request its low 16 bits are the probe's number.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Header, WireError, WriteOpcode};

    fn sample() -> Bth {
        Bth {
            opcode: Opcode::Write(WriteOpcode::Last),
            se: true,
            m: false,
            pad: Bits::wrapping(3),
            p_key: 0xffff,
            dest_qp: Bits::wrapping(0x01_2345),
            a: true,
            rtx: true,
            ts: false,
            psn: Bits::wrapping(0xab_cdef),
        }
    }

    #[test]
    fn bytes_of_a_header() {
        let mut bytes = [0xff; 12];
        sample().emit(&mut bytes);
        assert_eq!(
            bytes,
            [0xc8, 0xb0, 0xff, 0xff, 0, 1, 0x23, 0x45, 0xa0, 0xab, 0xcd, 0xef]
        );
        assert_eq!(Bth::parse(&bytes), Ok(sample()));
    }

    /// Each flag alone, and where the layout has it: byte and mask.
    #[test]
    fn each_flag_has_its_own_bit() {
        let none = Bth {
            se: false,
            m: false,
            pad: Bits::default(),
            a: false,
            rtx: false,
            ts: false,
            ..sample()
        };
        let bytes = |header: Bth| {
            let mut bytes = [0; 12];
            header.emit(&mut bytes);
            bytes
        };
        for (header, at, mask) in [
            (Bth { se: true, ..none }, 1, 0x80),
            (Bth { m: true, ..none }, 1, 0x40),
            (Bth { a: true, ..none }, 8, 0x80),
            (Bth { rtx: true, ..none }, 8, 0x20),
            (Bth { ts: true, ..none }, 8, 0x10),
        ] {
            let mut expected = bytes(none);
            assert_eq!(expected[at] & mask, 0);
            expected[at] |= mask;
            assert_eq!(bytes(header), expected);
            assert_eq!(Bth::parse(&expected), Ok(header));
        }
    }

    #[test]
    fn each_reserved_bit_is_refused_by_parse_and_ignored_by_read() {
        let mut bytes = [0; 12];
        sample().emit(&mut bytes);
        for field in Bth::FIELDS.iter().filter(|field| field.fixed.is_some()) {
            for bit in field.lo..field.hi {
                let mut changed = bytes;
                changed[bit as usize / 8] ^= 0x80 >> (bit % 8);
                assert!(matches!(
                    Bth::parse(&changed),
                    Err(WireError::Field { header: "BTH", .. })
                ));
                assert_eq!(Bth::read(&changed), Ok(sample()));
            }
        }
    }

    #[test]
    fn unknown_opcode_and_short_bytes_are_named() {
        let error = Bth::parse(&[0x0a; 12]).unwrap_err();
        assert!(
            matches!(
                error,
                WireError::Field {
                    field: "opcode",
                    found: 0x0a,
                    ..
                }
            ),
            "{error}"
        );
        assert_eq!(
            Bth::parse(&[0xca; 11]),
            Err(WireError::Truncated {
                header: "BTH",
                need: 12,
                have: 11
            })
        );
    }
}
