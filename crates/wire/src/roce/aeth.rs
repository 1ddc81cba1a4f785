//! RoCEv2's ACK Extended Transport Header, and what selective repeat adds to it.

use crate::header::header;
use crate::{Bits, Psn, Value};
use std::fmt;

header! {
    /// Acknowledges packets (IBTA, AETH).
    pub struct RoceAeth("AETH", 4 bytes) {
        [0..8] syndrome: RoceSyndrome, "ACK with a credit count, RNR NAK with a time, or NAK with a code.";
        [8..32] msn: Bits<24>, "Message sequence number: messages that the responder has completed.";
    }
}

header! {
    /// What a NAK of selective repeat has behind its AETH: what arrived out of order (Mittal et al., "Revisiting Network Support for
    /// RDMA", SIGCOMM 2018, section 3.1). The form is our choice; no standard has one.
    pub struct SackPsn("SACK", 4 bytes) {
        [0..8] "reserved" = 0, "Reserved.";
        [8..32] psn: Psn, "PSN of the packet that arrived out of order.";
    }
}

/// The syndrome of an AETH (IBTA, table of AETH syndromes). Bit 7 is 0; bits 6 and 5 are 00 for ACK, 01 for RNR NAK and 11 for
/// NAK; the other five are what they carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoceSyndrome {
    /// 0x00 to 0x1f: positive; end-to-end credits, of which all ones says that there are none.
    Ack(Bits<5>),
    /// 0x20 to 0x3f: the receiver is not ready; how long to wait, by IBTA's table.
    RnrNak(Bits<5>),
    /// 0x60 to 0x64: negative.
    Nak(NakCode),
}

/// Why a packet was not accepted (IBTA, table of NAK codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum NakCode {
    /// A PSN is missing.
    PsnSequenceError = 0,
    /// The responder does not know what is asked.
    InvalidRequest = 1,
    /// The memory may not be touched.
    RemoteAccessError = 2,
    /// The responder cannot go on.
    RemoteOperationalError = 3,
    /// The EE context is wrong; not of RC.
    InvalidRdRequest = 4,
}

impl NakCode {
    const ALL: [NakCode; 5] = [
        NakCode::PsnSequenceError,
        NakCode::InvalidRequest,
        NakCode::RemoteAccessError,
        NakCode::RemoteOperationalError,
        NakCode::InvalidRdRequest,
    ];

    const fn name(self) -> &'static str {
        match self {
            NakCode::PsnSequenceError => "PSN sequence error",
            NakCode::InvalidRequest => "invalid request",
            NakCode::RemoteAccessError => "remote access error",
            NakCode::RemoteOperationalError => "remote operational error",
            NakCode::InvalidRdRequest => "invalid RD request",
        }
    }
}

impl RoceSyndrome {
    /// An ACK without end-to-end credits.
    pub const ACK: RoceSyndrome = RoceSyndrome::Ack(Bits::MAX);

    /// The byte on the wire.
    pub const fn code(self) -> u8 {
        match self {
            RoceSyndrome::Ack(credits) => credits.get() as u8,
            RoceSyndrome::RnrNak(timer) => 0b001_00000 | timer.get() as u8,
            RoceSyndrome::Nak(code) => 0b011_00000 | code as u8,
        }
    }

    /// The syndrome of a byte; none where IBTA gives it no meaning.
    pub fn from_code(byte: u8) -> Option<RoceSyndrome> {
        let low = Bits::wrapping(byte.into());
        match byte >> 5 {
            0b000 => Some(RoceSyndrome::Ack(low)),
            0b001 => Some(RoceSyndrome::RnrNak(low)),
            0b011 => {
                let code = NakCode::ALL.get(low.get() as usize)?;
                Some(RoceSyndrome::Nak(*code))
            }
            _ => None,
        }
    }
}

impl fmt::Display for RoceSyndrome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RoceSyndrome::Ack(Bits::<5>::MAX) => f.write_str("ACK, no credits"),
            RoceSyndrome::Ack(credits) => write!(f, "ACK, credit code {credits}"),
            RoceSyndrome::RnrNak(timer) => write!(f, "RNR NAK, timer code {timer}"),
            RoceSyndrome::Nak(code) => write!(f, "NAK, {}", code.name()),
        }
    }
}

impl Value for RoceSyndrome {
    const BITS: u32 = 8;
    const EXPECTED: &'static str = "0x00 to 0x1f ACK, 0x20 to 0x3f RNR NAK or 0x60 to 0x64 NAK";
    fn to_raw(self) -> u128 {
        self.code().into()
    }
    fn from_raw(raw: u128) -> Option<Self> {
        u8::try_from(raw).ok().and_then(Self::from_code)
    }
    fn show(raw: u128) -> String {
        match Self::from_raw(raw) {
            Some(syndrome) => format!("{raw:#04x} {syndrome}"),
            None => format!("{raw:#04x} unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    /// IBTA: 0x1f is an ACK without credits, 0x60 a NAK for a PSN sequence error.
    #[test]
    fn bytes_and_names() {
        let nak = RoceSyndrome::Nak(NakCode::PsnSequenceError);
        assert_eq!((RoceSyndrome::ACK.code(), nak.code()), (0x1f, 0x60));
        let header = RoceAeth {
            syndrome: nak,
            msn: Bits::wrapping(0x01_0203),
        };
        let mut bytes = [0; 4];
        header.emit(&mut bytes);
        assert_eq!(bytes, [0x60, 1, 2, 3]);
        assert_eq!(RoceAeth::parse(&bytes), Ok(header));
        assert_eq!(RoceSyndrome::show(0x60), "0x60 NAK, PSN sequence error");
        assert_eq!(RoceSyndrome::show(0x1f), "0x1f ACK, no credits");
        assert_eq!(RoceSyndrome::show(0x2e), "0x2e RNR NAK, timer code 14");
    }

    #[test]
    fn each_byte_means_itself_or_nothing() {
        let known: Vec<u8> = (0..=255)
            .filter(|&byte| RoceSyndrome::from_code(byte).is_some())
            .collect();
        let expected: Vec<u8> = (0..0x40).chain(0x60..0x65).collect();
        assert_eq!(known, expected);
        for byte in known {
            assert_eq!(RoceSyndrome::from_code(byte).map(RoceSyndrome::code), Some(byte));
        }
        let refused = RoceAeth::parse(&[0x80, 0, 0, 0]).unwrap_err().to_string();
        assert_eq!(
            refused,
            "AETH: syndrome is 0x80, expected 0x00 to 0x1f ACK, 0x20 to 0x3f RNR NAK or 0x60 to 0x64 NAK"
        );
    }
}
