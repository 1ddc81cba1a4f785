//! The messages of a QP: how bytes, packets and message numbers belong together.
//!
//! All WRITEs of one QP have the same size (our choice: every traffic pattern is made of such QPs), so a PSN says by
//! itself to which message a packet belongs and which part of it it carries. On the wire opcodes and RETH say the same: in MRC
//! with METH and RETH in every packet (facts 1.2 and 1.4), in RoCE with a RETH in a message's first one.

/// Where in its message a packet is: what the opcode says (IBTA: First, Middle, Last, Only).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The first of several.
    First,
    /// Neither the first nor the last.
    Middle,
    /// The last of several.
    Last,
    /// The whole message.
    Only,
}

/// PSNs that a QP may use in one run; beyond 24 bits the wire's PSN wraps.
pub const MAX_PACKETS: u64 = 1 << 31;

/// What a QP carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Bytes of each message, at least 1.
    pub bytes: u64,
    /// Messages in all, at least 1.
    pub messages: u32,
    /// They are WRITEs with immediate data.
    pub immediate: bool,
    /// Packets of each message.
    per_message: u32,
    pmtu: u16,
    last_payload: u16,
}

impl Stream {
    /// `messages` WRITEs of `bytes` each at `pmtu`; `None` where there is nothing to send, or more than
    /// [`MAX_PACKETS`] packets.
    pub fn new(bytes: u64, messages: u32, immediate: bool, pmtu: u16) -> Option<Stream> {
        let per_message = bytes.div_ceil(u64::from(pmtu));
        let all = per_message.checked_mul(u64::from(messages))?;
        (1..=MAX_PACKETS).contains(&all).then(|| Stream {
            bytes,
            messages,
            immediate,
            per_message: per_message as u32,
            pmtu,
            last_payload: (bytes - (per_message - 1) * u64::from(pmtu)) as u16,
        })
    }

    /// One WRITE of `bytes`.
    pub fn one(bytes: u64, pmtu: u16) -> Option<Stream> {
        Stream::new(bytes, 1, false, pmtu)
    }

    /// Packets of each message.
    #[inline]
    pub const fn per_message(&self) -> u32 {
        self.per_message
    }

    /// Packets in all.
    #[inline]
    pub const fn packets(&self) -> u32 {
        self.per_message * self.messages
    }

    /// The message that a PSN belongs to, counted from 0.
    #[inline]
    pub const fn message(&self, psn: u32) -> u32 {
        // Most QPs carry one message: no division for those.
        if self.messages == 1 {
            0
        } else {
            psn / self.per_message
        }
    }

    /// The place of a PSN within its message, in packets.
    #[inline]
    pub const fn within(&self, psn: u32) -> u32 {
        if self.messages == 1 {
            psn
        } else {
            psn % self.per_message
        }
    }

    /// Where in its message a PSN is.
    #[inline]
    pub const fn part(&self, psn: u32) -> Part {
        let within = self.within(psn);
        match (within == 0, within + 1 == self.per_message) {
            (true, true) => Part::Only,
            (true, false) => Part::First,
            (false, true) => Part::Last,
            (false, false) => Part::Middle,
        }
    }

    /// Message bytes that a PSN carries: the PMTU, or the rest in a message's last packet.
    #[inline]
    pub const fn payload(&self, psn: u32) -> u16 {
        if self.within(psn) + 1 == self.per_message {
            self.last_payload
        } else {
            self.pmtu
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_and_payloads() {
        assert_eq!(
            Stream::one(2_000_000, 4086).expect("fits").packets(),
            490,
            "the peer's 490 packets of 2 MB"
        );
        assert_eq!(Stream::one(0, 4096), None);
        assert_eq!(Stream::one(1 << 40, 256), None);
        assert_eq!(Stream::new(1, 0, false, 4096), None);
        let stream = Stream::new(8_193, 3, false, 4096).expect("fits");
        assert_eq!((stream.per_message(), stream.packets()), (3, 9));
        // 8,193 = 2 × 4,096 + 1.
        let payloads: Vec<u16> = (0..9).map(|psn| stream.payload(psn)).collect();
        assert_eq!(payloads, [4096, 4096, 1, 4096, 4096, 1, 4096, 4096, 1]);
        assert_eq!((stream.message(5), stream.within(5)), (1, 2));
        let parts: Vec<Part> = (3..6).map(|psn| stream.part(psn)).collect();
        assert_eq!(parts, [Part::First, Part::Middle, Part::Last]);
        assert_eq!(Stream::one(4096, 4096).map(|one| one.part(0)), Some(Part::Only));
        let one = Stream::one(8_193, 4096).expect("fits");
        assert_eq!((one.message(2), one.within(2), one.payload(2)), (0, 2, 1));
    }
}
