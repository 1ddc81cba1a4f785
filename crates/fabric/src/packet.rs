//! A packet in flight: header values in one cache line. Bytes are made elsewhere, on demand.

/// No packet; the end of a list.
pub const NONE: u32 = u32::MAX;

/// What a packet is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PacketKind {
    /// RDMA WRITE data; trimmed when [`flags::TRIMMED`] is set.
    #[default]
    Data,
    /// Selective acknowledgement.
    Sack,
    /// Negative acknowledgement of one trimmed packet.
    Nack,
    /// EV probe.
    Probe,
    /// Answer to an EV probe.
    ProbeReply,
}

/// Bits of [`Packet::flags`].
pub mod flags {
    /// ECN congestion experienced. On a SACK or probe reply: the echo of it.
    pub const ECN: u8 = 1;
    /// The payload was cut off by a full queue.
    pub const TRIMMED: u8 = 2;
    /// It was cut off on the last hop to the NIC.
    pub const TRIMMED_LAST_HOP: u8 = 4;
    /// A retransmission. On a SACK: the packet that triggered it was one.
    pub const RTX: u8 = 8;
    /// The sender asks for an immediate SACK.
    pub const ACK_REQUEST: u8 = 16;
    /// Travels in the control class: strict priority, never trimmed, never marked.
    pub const CONTROL: u8 = 32;
    /// Left a port whose link was down: lost at the far end.
    pub const DOOMED: u8 = 64;
}

/// A packet's header values. Which fields mean something depends on [`kind`](Packet::kind).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Packet {
    /// The next packet of the list that this one is on, or [`NONE`].
    pub next: u32,
    /// The connection (QP pair) it belongs to.
    pub conn: u32,
    /// When it arrives at the far end of the wire it is on, in ps.
    pub at: u64,
    /// The uSIDs still to visit, the next one in the upper 16 bits; 0 ends the list.
    pub usids: u64,
    /// When the endpoint sent it, in ps; on a SACK, NACK or probe reply: when the packet it answers was sent.
    pub sent: u64,
    /// Data, NACK: its PSN. SACK: the PSN that triggered it. Probes: the probe's number.
    pub psn: u32,
    /// SACK: cumulative acknowledgement, the lowest PSN not yet received.
    pub cack: u32,
    /// SACK: bit i says that PSN `cack` + `sack_offset` + i was received.
    pub bitmap: u64,
    /// SACK: wire bytes of the data packets accepted so far, each counted once, modulo 2^32.
    pub rcvd_bytes: u32,
    /// Index of the EV in its QP's set; on an answer: the EV that is echoed.
    pub ev: u16,
    /// Bytes on the wire, including preamble and gap where the model counts them.
    pub size: u16,
    /// Data: message bytes carried; kept after trimming, as the RETH's DMA length would be.
    pub payload: u16,
    /// SACK: distance from `cack` to the bitmap's lowest bit.
    pub sack_offset: u16,
    /// What it is.
    pub kind: PacketKind,
    /// See [`flags`].
    pub flags: u8,
}

impl Packet {
    /// True when all bits of `mask` are set.
    #[inline]
    pub const fn has(&self, mask: u8) -> bool {
        self.flags & mask == mask
    }

    /// True for packets of the control class.
    #[inline]
    pub const fn is_control(&self) -> bool {
        self.has(flags::CONTROL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_cache_line() {
        assert_eq!(size_of::<Packet>(), 64);
    }
}
