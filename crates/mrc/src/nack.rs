//! Why a responder refuses a packet, and what a message acknowledgement says.

/// Reasons of a NACK (facts 1.4; the codes are UET's too).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum NackReason {
    /// A switch cut the payload off.
    Trimmed = 0x01,
    /// The last switch before the NIC did.
    TrimmedLastHop = 0x02,
    /// The responder cannot note that the packet came.
    NoBitmap = 0x06,
    /// It has no buffer for the packet.
    NoPacketBuffer = 0x07,
    /// It lacks another resource.
    NoResource = 0x0a,
    /// The PSN is beyond its window.
    PsnOutOfWindow = 0x0b,
    /// The packet makes no sense to it.
    UnexpectedEvent = 0x19,
}

impl NackReason {
    /// Every reason, by ascending code.
    pub const ALL: [NackReason; 7] = [
        NackReason::Trimmed,
        NackReason::TrimmedLastHop,
        NackReason::NoBitmap,
        NackReason::NoPacketBuffer,
        NackReason::NoResource,
        NackReason::PsnOutOfWindow,
        NackReason::UnexpectedEvent,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The reason with this number.
    pub fn from_code(code: u8) -> Option<NackReason> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }
}

/// What an ACK (AETH) says of messages. The public record gives the header, not how MRC uses it; the meanings are our choice.
pub mod syndrome {
    /// The message with this MSN is complete. IBTA's ACK without credits (MRC has none).
    pub const MESSAGE: u8 = 0x1f;
    /// It is, and so are all before it.
    pub const UP_TO: u8 = 0x00;
    /// NAK: more WRITEs with immediate are under way than were agreed. IBTA's NAK bits with the first free code.
    pub const TOO_MANY_IMMEDIATE: u8 = 0x65;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back() {
        for reason in NackReason::ALL {
            assert_eq!(NackReason::from_code(reason.code()), Some(reason));
        }
        assert_eq!(NackReason::from_code(0), None);
        assert_eq!(NackReason::from_code(0x0b), Some(NackReason::PsnOutOfWindow));
    }
}
