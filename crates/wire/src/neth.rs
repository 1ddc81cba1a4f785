//! NACK: Reliability NACK Header.

use crate::bth::Psn;
use crate::header::header;
use crate::value::codes;
use crate::{Bits, Ev};

header! {
    /// Reliability NACK Header (MRC specification, tables 7-16 and 7-17).
    pub struct Neth("NETH", 20 bytes) {
        [0..16] "reserved" = 0, "Reserved.";
        [16..24] nack_reason: NackReason, "Why the packet was not accepted.";
        [24..32] vendor: u8 as hex, "Free for the vendor.";
        [32..64] entropy: Ev, "EV of the packet that was not accepted.";
        [64..80] spdcid: u16, "Source connection identifier (UET heritage).";
        [80..96] dpdcid: u16, "Destination connection identifier (UET heritage).";
        [96..104] "reserved" = 0, "Reserved.";
        [104..128] nack_psn: Psn, "PSN of the packet that was not accepted.";
        [128..132] "cc_type" = 2, "Format of the congestion control state.";
        [132..136] cc_flags: Bits<4>, "Flags of the congestion control state.";
        [136..144] "reserved" = 0, "Reserved.";
        [144..160] tx_timestamp: u16 as ticks, "Timestamp of the packet, echoed; units of 128 ns.";
    }
}

codes! {
    /// Why a packet was not accepted; the codes are those of UET.
    pub enum NackReason(8 bits, expected "a NACK reason: 0x01, 0x02, 0x06, 0x07, 0x0a, 0x0b or 0x19") {
        Trimmed = 0x01 "TRIMMED" "A switch trimmed it.";
        TrimmedLastHop = 0x02 "TRIMMED_LASTHOP" "The last switch before the receiver trimmed it.";
        NoBitmap = 0x06 "NO_BITMAP" "The receiver has no room to record its arrival.";
        NoPacketBuffer = 0x07 "NO_PKT_BUFFER" "The receiver has no room for it.";
        NoResource = 0x0a "NO_RESOURCE" "The receiver lacks another resource.";
        PsnOutOfWindow = 0x0b "PSN_OOR_WINDOW" "Its PSN is outside the receive window.";
        UnexpectedEvent = 0x19 "UNEXP_EVENT" "Something else happened.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    #[test]
    fn bytes_of_a_header() {
        let header = Neth {
            nack_reason: NackReason::PsnOutOfWindow,
            vendor: 0x77,
            entropy: Ev(0x0102_0304),
            spdcid: 5,
            dpdcid: 6,
            nack_psn: Bits::wrapping(0xab_cdef),
            cc_flags: Bits::wrapping(1),
            tx_timestamp: 0x1122,
        };
        let mut bytes = [0xff; 20];
        header.emit(&mut bytes);
        #[rustfmt::skip]
        let expected = [
            0, 0, 0x0b, 0x77, 1, 2, 3, 4, 0, 5, 0, 6,
            0, 0xab, 0xcd, 0xef, 0x21, 0, 0x11, 0x22,
        ];
        assert_eq!(bytes, expected);
        assert_eq!(Neth::parse(&bytes), Ok(header));
    }

    /// The codes of the specification's table, which are UET's too; every other one is refused.
    #[test]
    fn each_reason_has_its_code() {
        use NackReason::*;
        let reasons = [
            (0x01, Trimmed),
            (0x02, TrimmedLastHop),
            (0x06, NoBitmap),
            (0x07, NoPacketBuffer),
            (0x0a, NoResource),
            (0x0b, PsnOutOfWindow),
            (0x19, UnexpectedEvent),
        ];
        let mut bytes = [0; 20];
        bytes[16] = 0x20;
        for code in 0..=u8::MAX {
            bytes[2] = code;
            let reason = reasons.iter().find(|(known, _)| *known == code);
            assert_eq!(
                Neth::parse(&bytes).ok().map(|header| header.nack_reason),
                reason.map(|&(_, reason)| reason),
                "{code:#x}"
            );
        }
    }
}
