//! SACK: Reliability SACK Header and the congestion control state behind it.

use crate::bth::Psn;
use crate::header::header;
use crate::value::codes;
use crate::{Bits, Ev, Header};

/// Bytes of a SACK after the BTH.
pub const SACK_LEN: usize = Seth::LEN + CcState::LEN;

/// Packets that one step of the `mpr` field stands for.
pub const MPR_UNIT: u32 = 128;

/// Bytes that one step of the `rcvd_bytes` counter stands for.
pub const RCVD_BYTES_UNIT: u64 = 256;

header! {
    /// Reliability SACK Header (MRC specification, tables 7-14 and 7-15).
    ///
    /// The place of `pr` differs between sources: third-party MRC code has it here, UET's like-named flag is
    /// two bits to the left.
    pub struct Seth("SETH", 28 bytes) {
        [0..9] "reserved" = 0, "Reserved (type and next header in UET).";
        [9..11] m: Mark, "M: what the sender should do with the echoed EV.";
        [11..14] "reserved" = 0, "Reserved.";
        [14..15] pr: bool, "pr: this SACK answers a probe request.";
        [15..16] "reserved" = 0, "Reserved.";
        [16..32] ack_psn_offset: i16, "Added to cack_psn gives the PSN that triggered this SACK.";
        [32..64] entropy: Ev, "EV of the packet that triggered this SACK.";
        [64..80] spdcid: u16, "Source connection identifier (UET heritage).";
        [80..96] dpdcid: u16, "Destination connection identifier (UET heritage).";
        [96..104] "reserved" = 0, "Reserved.";
        [104..128] cack_psn: Psn, "Cumulative acknowledgement: everything up to this PSN has arrived.";
        [128..132] cc_type: Bits<4>, "Format of the congestion control state.";
        [132..136] cc_flags: Bits<4>, "Flags of the congestion control state.";
        [136..144] mpr: u8, "Maximum PSN range that the receiver accepts, in units of 128 packets.";
        [144..160] sack_offset: i16, "Added to cack_psn gives the PSN of the bitmap's first bit.";
        [160..224] sack_bitmap: u64 as bits64, "Packets that have arrived; the least significant bit is the base PSN (our choice of bit order).";
    }
}

impl Seth {
    /// The PSN of the packet that triggered this SACK.
    pub const fn ack_psn(&self) -> Psn {
        self.cack_psn.wrapping_add(self.ack_psn_offset as i32)
    }

    /// The PSN that the bitmap's first bit stands for.
    pub const fn bitmap_base(&self) -> Psn {
        self.cack_psn.wrapping_add(self.sack_offset as i32)
    }
}

codes! {
    /// What a SACK says about the path of the packet that triggered it.
    pub enum Mark(2 bits, expected "0 NONE, 1 SKIP_ONCE or 2 ALWAYS_SKIP") {
        None = 0 "NONE" "Nothing.";
        SkipOnce = 1 "SKIP_ONCE" "The packet had been ECN-marked: leave the EV out for one turn.";
        AlwaysSkip = 2 "ALWAYS_SKIP" "Stop using the EV.";
    }
}

header! {
    /// Congestion control state for NSCC (MRC specification, tables 7-12 and 7-13).
    pub struct CcState("CC_STATE", 8 bytes) {
        [0..16] tx_timestamp: u16 as ticks, "Timestamp of the packet that triggered the SACK, echoed; units of 128 ns.";
        [16..17] "reserved" = 0, "Reserved.";
        [17..32] ooo_count: Bits<15>, "Packets that arrived out of order.";
        [32..33] r_c: bool, "r_c: restore the congestion window saved before a penalty.";
        [33..40] rcv_cwnd_pen: Bits<7>, "Receiver's penalty on the congestion window, in 1/128 of the acknowledged bytes.";
        [40..64] rcvd_bytes: Bits<24>, "Bytes received on this connection in units of 256, rounded up, wrapping.";
    }
}

impl CcState {
    /// The `rcvd_bytes` field for a count of bytes.
    pub const fn rcvd_bytes_field(bytes: u64) -> Bits<24> {
        Bits::wrapping(bytes.div_ceil(RCVD_BYTES_UNIT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (Seth, CcState) {
        let seth = Seth {
            m: Mark::SkipOnce,
            pr: true,
            ack_psn_offset: -2,
            entropy: Ev(0xdead_beef),
            spdcid: 0x0102,
            dpdcid: 0x0304,
            cack_psn: Bits::wrapping(1),
            cc_type: Bits::wrapping(2),
            cc_flags: Bits::wrapping(1),
            mpr: 32,
            sack_offset: 1,
            sack_bitmap: 0x8000_0000_0000_0005,
        };
        let cc_state = CcState {
            tx_timestamp: 0x1122,
            ooo_count: Bits::MAX,
            r_c: true,
            rcv_cwnd_pen: Bits::wrapping(1),
            rcvd_bytes: CcState::rcvd_bytes_field(513),
        };
        (seth, cc_state)
    }

    #[test]
    fn bytes_of_a_sack() {
        let (seth, cc_state) = sample();
        let mut bytes = [0xff; SACK_LEN];
        seth.emit(&mut bytes);
        cc_state.emit(&mut bytes[Seth::LEN..]);
        #[rustfmt::skip]
        let expected = [
            0x00, 0x22, 0xff, 0xfe, 0xde, 0xad, 0xbe, 0xef,
            1, 2, 3, 4, 0, 0, 0, 1,
            0x21, 32, 0, 1, 0x80, 0, 0, 0,
            0, 0, 0, 5, 0x11, 0x22, 0x7f, 0xff,
            0x81, 0, 0, 3,
        ];
        assert_eq!(bytes, expected);
        assert_eq!(Seth::parse(&bytes), Ok(seth));
        assert_eq!(CcState::parse(&bytes[Seth::LEN..]), Ok(cc_state));
    }

    /// Bits 6 and 5 of the second byte, and bit 1.
    #[test]
    fn marks_and_pr_have_their_own_bits() {
        let (seth, _) = sample();
        for (m, pr, byte) in [
            (Mark::None, false, 0x00),
            (Mark::SkipOnce, false, 0x20),
            (Mark::AlwaysSkip, false, 0x40),
            (Mark::None, true, 0x02),
        ] {
            let mut bytes = [0xff; Seth::LEN];
            Seth { m, pr, ..seth }.emit(&mut bytes);
            assert_eq!(bytes[..2], [0, byte], "{m} {pr}");
        }
    }

    #[test]
    fn psns_wrap() {
        let (seth, _) = sample();
        assert_eq!(seth.ack_psn(), Bits::MAX);
        assert_eq!(seth.bitmap_base().get(), 2);
    }

    #[test]
    fn the_fourth_mark_has_no_meaning() {
        let mut bytes = [0; Seth::LEN];
        bytes[1] = 0x60;
        let error = Seth::parse(&bytes).unwrap_err().to_string();
        assert_eq!(
            error,
            "SETH: m is 0x3, expected 0 NONE, 1 SKIP_ONCE or 2 ALWAYS_SKIP"
        );
    }
}
