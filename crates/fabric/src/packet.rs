//! A packet in flight: header values. Bytes are made elsewhere, on demand.

use kernel::fifo::Item;
use kernel::rng::draw;

/// What a packet is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PacketKind {
    /// RDMA WRITE data; trimmed when [`flags::TRIMMED`] is set.
    #[default]
    Data,
    /// Selective acknowledgement.
    Sack,
    /// Negative acknowledgement of one packet.
    Nack,
    /// EV probe.
    Probe,
    /// Answer to an EV probe.
    ProbeReply,
    /// Acknowledgement with an AETH: of a message (MRC), or of packets, NAKs among them (RoCE).
    Ack,
    /// Reliability probe: asks for a SACK.
    AckProbe,
    /// Port status update.
    PortStatus,
    /// Answer to one.
    PortStatusReply,
    /// Clustermapper's probe of a switch, from a NIC there and back to itself.
    MapperProbe,
    /// Congestion notification packet of RoCEv2: data of the connection arrived marked.
    Cnp,
    /// Priority flow control (IEEE 802.1Qbb): from one end of a link to the other, which stops or goes on sending data.
    Pause,
    /// Receiver credit (UET's RCCC).
    Credit,
}

/// In [`Packet::conn`]: the packet belongs to no connection but to Clustermapper's agent at a NIC, whose number is in the other
/// bits; of a PAUSE frame, which belongs to a link, those are 0.
pub const AGENT: u32 = 1 << 31;

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
    /// On a SACK: it answers a reliability probe (pr).
    pub const PROBE_RESPONSE: u8 = TRIMMED;
    /// On a SACK or a probe reply: stop using the EV until it is healthy again (ALWAYS_SKIP).
    pub const ALWAYS_SKIP: u8 = TRIMMED_LAST_HOP;
    /// On a SACK: the receiver's penalty is over, the window may be restored (r_c).
    pub const RESTORE_CWND: u8 = ACK_REQUEST;
    /// On an endpoint request or its answer: the responder of the connection asks (or asked).
    pub const FROM_RESPONDER: u8 = RTX;
    /// Travels in the control class: strict priority, never trimmed, never marked.
    pub const CONTROL: u8 = 32;
    /// Left a port whose link was down: lost at the far end.
    pub const DOOMED: u8 = 64;
    /// A switch damaged it after its frame check sequence was verified, and sent it with a right one: only the NIC's check of
    /// the invariant CRC (iCRC) finds out.
    pub const CORRUPT: u8 = 128;
}

/// A packet's header values. Which fields mean something depends on [`kind`](Packet::kind).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packet {
    /// The uSIDs still to visit, the next one in the upper 16 bits; 0 ends the list.
    pub usids: u64,
    /// When the endpoint sent it, in ps; on a SACK, NACK or probe reply: when the packet it answers was sent.
    pub sent: u64,
    /// SACK: bit i says that PSN `cack` + `sack_offset` + i was received. Port status: bit p says that the sender's port in
    /// plane p is down. Clustermapper's probe: the uSIDs that it set out with. NAK of RoCE with selective repeat: the PSN that arrived
    /// out of order.
    pub bitmap: u64,
    /// The connection (QP pair) it belongs to, or an [`AGENT`].
    pub conn: u32,
    /// Data, NACK: its PSN. SACK: the PSN that triggered it. ACK: the MSN (MRC) or the last PSN that it acknowledges (RoCE), NAK
    /// of RoCE: the PSN expected. PAUSE frame: for how long, in pause quanta; 0 says to go on. Everything else: the request's
    /// number.
    pub psn: u32,
    /// SACK: cumulative acknowledgement, the lowest PSN not yet received. Reliability probe with receiver credit: PSNs posted.
    pub cack: u32,
    /// SACK: wire bytes of the data packets accepted so far, each counted once, modulo 2^32. Credit: wire bytes allowed so far.
    /// Reliability probe with receiver credit: wire bytes that have to be allowed.
    pub rcvd_bytes: u32,
    /// Index of the EV in its QP's set; on an answer: the EV that is echoed.
    pub ev: u16,
    /// Bytes on the wire, including preamble and gap where the model counts them.
    pub size: u16,
    /// Data: message bytes carried; kept after trimming, as the RETH's DMA length would be.
    pub payload: u16,
    /// SACK: distance from `cack` to the bitmap's lowest bit.
    pub sack_offset: u16,
    /// NACK: the reason's code. ACK: the syndrome.
    pub reason: u8,
    /// SACK: the responder's PSN window in units of 128 PSNs (MPR); 0 says nothing.
    pub mpr: u8,
    /// SACK: the receiver's penalty, 0 to 127 (rcv_cwnd_pen).
    pub penalty: u8,
    /// What it is.
    pub kind: PacketKind,
    /// See [`flags`].
    pub flags: u8,
}

impl Packet {
    /// True for what goes from a connection's requester to its responder; of no meaning for what belongs to an agent.
    pub const fn is_to_responder(&self) -> bool {
        let from_responder = self.has(flags::FROM_RESPONDER);
        match self.kind {
            PacketKind::Data | PacketKind::AckProbe => true,
            PacketKind::Sack | PacketKind::Nack | PacketKind::Ack | PacketKind::Cnp => false,
            PacketKind::Probe | PacketKind::PortStatus => !from_responder,
            PacketKind::ProbeReply | PacketKind::PortStatusReply => from_responder,
            PacketKind::MapperProbe | PacketKind::Credit | PacketKind::Pause => false,
        }
    }

    /// The NIC of the agent that it belongs to; none where it belongs to a connection.
    #[inline]
    pub const fn agent(&self) -> Option<u32> {
        if self.conn & AGENT == 0 {
            return None;
        }
        Some(self.conn ^ AGENT)
    }

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

    /// A number that stays with a packet from NIC to NIC, marked or trimmed. Two packets that are under way at the same
    /// time share one by chance only (once in 2^32).
    pub fn identity(&self) -> u32 {
        let what = u64::from(self.conn) << 32 | u64::from(self.psn);
        (draw(what, self.sent << 4 | self.kind as u64) >> 32) as u32
    }
}

/// A whole data packet as the fabric keeps it: two to a cache line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Data {
    pub usids: u64,
    pub sent: u64,
    pub conn: u32,
    pub psn: u32,
    pub ev: u16,
    pub payload: u16,
    pub size: u16,
    pub flags: u8,
}

/// A packet of the control class as the fabric keeps it: one cache line with the list's own fields.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Control {
    pub usids: u64,
    pub sent: u64,
    pub bitmap: u64,
    pub conn: u32,
    pub psn: u32,
    pub cack: u32,
    pub rcvd_bytes: u32,
    pub ev: u16,
    pub size: u16,
    // A SACK's offset; of anything else the payload.
    extra: u16,
    pub kind: PacketKind,
    pub flags: u8,
}

impl Item for Data {
    #[inline]
    fn word(&self) -> &u64 {
        &self.usids
    }
}

impl Item for Control {
    #[inline]
    fn word(&self) -> &u64 {
        &self.usids
    }
}

impl From<&Packet> for Data {
    #[inline]
    fn from(p: &Packet) -> Data {
        debug_assert!(p.kind == PacketKind::Data && !p.is_control());
        Data {
            usids: p.usids,
            sent: p.sent,
            conn: p.conn,
            psn: p.psn,
            ev: p.ev,
            payload: p.payload,
            size: p.size,
            flags: p.flags,
        }
    }
}

impl From<&Data> for Packet {
    #[inline]
    fn from(d: &Data) -> Packet {
        Packet {
            usids: d.usids,
            sent: d.sent,
            conn: d.conn,
            psn: d.psn,
            ev: d.ev,
            payload: d.payload,
            size: d.size,
            flags: d.flags,
            kind: PacketKind::Data,
            ..Packet::default()
        }
    }
}

impl From<&Packet> for Control {
    #[inline]
    fn from(p: &Packet) -> Control {
        let (psn, cack) = match p.kind {
            PacketKind::Sack => {
                // As on the wire: relative to the cumulative PSN, in 16 bits. Further away it is held at the limit.
                let away = i64::from(p.psn) - i64::from(p.cack);
                let away = away.clamp(i64::from(i16::MIN), i64::from(i16::MAX)) as u16;
                let rest = u32::from(p.mpr) << 16 | u32::from(p.penalty) << 24;
                (u32::from(away) | rest, p.cack)
            }
            PacketKind::Nack | PacketKind::Ack => (p.psn, u32::from(p.reason)),
            _ => (p.psn, p.cack),
        };
        Control {
            usids: p.usids,
            sent: p.sent,
            bitmap: p.bitmap,
            conn: p.conn,
            psn,
            cack,
            rcvd_bytes: p.rcvd_bytes,
            ev: p.ev,
            size: p.size,
            extra: if p.kind == PacketKind::Sack {
                p.sack_offset
            } else {
                p.payload
            },
            kind: p.kind,
            flags: p.flags,
        }
    }
}

impl From<&Control> for Packet {
    #[inline]
    fn from(c: &Control) -> Packet {
        let is_sack = c.kind == PacketKind::Sack;
        let has_reason = matches!(c.kind, PacketKind::Nack | PacketKind::Ack);
        // One literal: copies from one to another cost more than they look.
        Packet {
            usids: c.usids,
            sent: c.sent,
            bitmap: c.bitmap,
            conn: c.conn,
            psn: if is_sack {
                c.cack.wrapping_add_signed(i32::from(c.psn as u16 as i16))
            } else {
                c.psn
            },
            cack: if has_reason { 0 } else { c.cack },
            rcvd_bytes: c.rcvd_bytes,
            ev: c.ev,
            size: c.size,
            payload: if is_sack { 0 } else { c.extra },
            sack_offset: if is_sack { c.extra } else { 0 },
            reason: if has_reason { c.cack as u8 } else { 0 },
            mpr: if is_sack { (c.psn >> 16) as u8 } else { 0 },
            penalty: if is_sack { (c.psn >> 24) as u8 } else { 0 },
            kind: c.kind,
            flags: c.flags,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!((size_of::<Data>(), size_of::<Control>()), (32, 48));
    }

    #[test]
    fn what_is_kept_comes_back() {
        let data = Packet {
            usids: 1,
            sent: 2,
            conn: 3,
            psn: 4,
            ev: 5,
            payload: 6,
            size: 7,
            flags: flags::RTX,
            ..Packet::default()
        };
        assert_eq!(Packet::from(&Data::from(&data)), data);
        let trimmed = Packet {
            flags: flags::CONTROL | flags::TRIMMED,
            ..data
        };
        assert_eq!(Packet::from(&Control::from(&trimmed)), trimmed);
        let sack = Packet {
            kind: PacketKind::Sack,
            cack: 8,
            bitmap: 9,
            rcvd_bytes: 10,
            sack_offset: 11,
            payload: 0,
            mpr: 32,
            penalty: 127,
            ..trimmed
        };
        assert_eq!(Packet::from(&Control::from(&sack)), sack);
        let late = Packet {
            psn: 4,
            cack: 4_000,
            ..sack
        };
        assert_eq!(Packet::from(&Control::from(&late)), late);
        let too_late = Packet {
            psn: 4,
            cack: 40_000,
            ..sack
        };
        assert_eq!(Packet::from(&Control::from(&too_late)).psn, 40_000 - 32_768);
        for kind in [PacketKind::Nack, PacketKind::Ack] {
            let packet = Packet {
                kind,
                reason: 0x19,
                ..trimmed
            };
            assert_eq!(Packet::from(&Control::from(&packet)), packet);
        }
        let probe = Packet {
            kind: PacketKind::MapperProbe,
            conn: AGENT | 131_071,
            bitmap: 12,
            payload: 0,
            ..trimmed
        };
        assert_eq!(Packet::from(&Control::from(&probe)), probe);
        assert_eq!((probe.agent(), trimmed.agent()), (Some(131_071), None));
        let nak = Packet {
            kind: PacketKind::Ack,
            bitmap: 9,
            reason: 0x60,
            ..trimmed
        };
        assert_eq!(Packet::from(&Control::from(&nak)), nak);
        let cnp = Packet {
            kind: PacketKind::Cnp,
            ..trimmed
        };
        assert_eq!(Packet::from(&Control::from(&cnp)), cnp);
        assert!(!cnp.is_to_responder());
    }

    #[test]
    fn an_identity_survives_marks_and_trims() {
        let packet = Packet {
            conn: 3,
            psn: 4,
            sent: 5,
            ..Packet::default()
        };
        let trimmed = Packet {
            flags: flags::CONTROL | flags::TRIMMED | flags::ECN,
            size: 64,
            usids: 9,
            ..packet
        };
        assert_eq!(packet.identity(), trimmed.identity());
        assert_ne!(packet.identity(), Packet { psn: 5, ..packet }.identity());
        let sack = Packet {
            kind: PacketKind::Sack,
            ..packet
        };
        assert_ne!(packet.identity(), sack.identity());
    }
}
