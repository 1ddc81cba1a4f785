//! The receiving side of a QP: places data, and says what arrived.

mod credit;
mod messages;
mod reverse;

use self::credit::CreditSide;
use self::messages::Arrived;
use self::reverse::Reverse;
use crate::config::Config;
use crate::port_status::{self, PortStatus};
use crate::requester::MPR_UNIT;
use fabric::packet::{Packet, PacketKind, flags};
use rdma::{PsnBits, Stream};
use wire::{NackReason, Syndrome};

/// Counts of what a responder saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResponderStats {
    /// Data packets placed.
    pub placed: u64,
    /// Message bytes placed, each once.
    pub placed_bytes: u64,
    /// Data packets that had been placed before.
    pub duplicates: u64,
    /// Data packets beyond the PSN window, refused.
    pub out_of_window: u64,
    /// Trimmed packets that led to a NACK.
    pub trimmed: u64,
    /// Data packets refused for lack of room.
    pub refused: u64,
    /// Probes for a better way back.
    pub reverse_probes: u64,
}

/// A packet to send back, and the EV by whose way it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The packet. Its `ev` is the one that it speaks of.
    pub packet: Packet,
    /// The EV whose path it takes, in the other direction.
    pub via: u16,
}

/// The responder of one QP.
#[derive(Clone, Debug)]
pub struct Responder {
    stream: Stream,
    received: PsnBits,
    // One beyond the highest PSN received.
    highest: u32,
    // PSNs of all messages.
    end: u32,
    // Wire bytes accepted, modulo 2^32.
    rcvd_bytes: u32,
    unreported: u32,
    arrived: Arrived,
    reverse: Reverse,
    ports: PortStatus,
    // Bit p: the requester's port in plane p is down.
    peer_ports_down: u8,
    // Bit p: the requester is to leave plane p.
    unwelcome: u8,
    penalty: u8,
    // The penalty is over, and no SACK has said so yet.
    restore: bool,
    // Receiver credit, from the first packet on, where there is such a thing.
    credit: Option<Box<CreditSide>>,
    stats: ResponderStats,
}

impl Responder {
    /// A responder for what `stream` says, over `planes` planes and `evs` EVs. `key` decides which ways back it tries.
    pub fn new(stream: Stream, planes: u32, evs: u16, key: u64) -> Responder {
        Responder {
            received: PsnBits::new(64),
            highest: 0,
            end: stream.packets(),
            rcvd_bytes: 0,
            unreported: 0,
            arrived: Arrived::default(),
            reverse: Reverse::new(planes, evs, key),
            ports: PortStatus::default(),
            peer_ports_down: 0,
            unwelcome: 0,
            penalty: 0,
            restore: false,
            credit: None,
            stats: ResponderStats::default(),
            stream,
        }
    }

    /// Counts so far.
    pub fn stats(&self) -> &ResponderStats {
        &self.stats
    }

    /// What it expects.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// True when all messages were placed.
    #[inline]
    pub fn is_complete(&self) -> bool {
        self.received.base() == self.end
    }

    /// The lowest PSN not yet received.
    pub fn cack(&self) -> u32 {
        self.received.base()
    }

    /// Messages placed of which all earlier ones are placed too: what a WRITE with immediate tells the application, in
    /// order (facts 1.1).
    #[inline]
    pub fn delivered(&self) -> u32 {
        self.arrived.delivered
    }

    /// A data packet arrived, whole or trimmed. Returns the packet layer's answer, if one is due; see
    /// [`has_more`](Self::has_more) for the rest.
    pub fn on_data(&mut self, config: &Config, now: u64, packet: &Packet) -> Option<Reply> {
        let psn = packet.psn;
        if config.reverse_evs {
            self.reverse.on_data(config, now, packet.ev);
        }
        if psn >= self.end {
            return Some(self.nack(config, packet, NackReason::UnexpectedEvent));
        }
        if config.rccc.is_some() {
            self.note_demand(config, packet);
        }
        if psn >= self.cack().saturating_add(config.mpr) {
            self.stats.out_of_window += 1;
            return Some(self.nack(config, packet, NackReason::PsnOutOfWindow));
        }
        if psn < self.cack() || self.received.get(psn) {
            self.stats.duplicates += 1;
            if config.reverse_evs {
                self.reverse.on_doubt(config, now, packet.ev);
            }
            return Some(self.sack(config, packet));
        }
        if packet.has(flags::TRIMMED) {
            self.stats.trimmed += 1;
            let reason = if packet.has(flags::TRIMMED_LAST_HOP) {
                NackReason::TrimmedLastHop
            } else {
                NackReason::Trimmed
            };
            return Some(self.nack(config, packet, reason));
        }
        if self.stream.immediate
            && self.stream.message(psn) >= self.arrived.delivered.saturating_add(config.max_immediate)
        {
            let packet = message_ack(
                config,
                packet,
                self.stream.message(psn),
                Syndrome::TooManyImmediates,
            );
            return Some(self.reply(config, packet));
        }
        let had_holes = self.highest > self.cack();
        self.received.reserve(psn);
        self.received.set(psn);
        self.highest = self.highest.max(psn + 1);
        let next = self.received.first_zero();
        self.received.advance(next);
        self.stats.placed += 1;
        self.stats.placed_bytes += u64::from(packet.payload);
        self.rcvd_bytes = self.rcvd_bytes.wrapping_add(u32::from(packet.size));
        // A short packet counts as 1,024 B (facts 1.7; that headers count too is our choice, and the peer's).
        self.unreported += u32::from(packet.size.max(1024));
        self.arrived
            .on_placed(&self.stream, psn, next, config.message_acks);

        let holes_closed = had_holes && self.highest == self.cack();
        let urgent = packet.flags & (flags::ECN | flags::RTX | flags::ACK_REQUEST) != 0;
        let finished = self.cack() == self.end;
        (urgent || holes_closed || finished || self.unreported >= config.sack_every)
            .then(|| self.sack(config, packet))
    }

    /// The receiving NIC has no room for a data packet that arrived whole.
    pub fn refuse(&mut self, config: &Config, packet: &Packet, reason: NackReason) -> Reply {
        self.stats.refused += 1;
        if config.rccc.is_some() {
            self.note_refused(config, packet);
        }
        self.nack(config, packet, reason)
    }

    /// True when message acknowledgements or probes wait to be [taken](Self::more).
    #[inline]
    pub fn has_more(&self) -> bool {
        self.arrived.has_acks() || self.reverse.is_due()
    }

    /// Message acknowledgements and probes that are due at `now`, after `trigger` arrived.
    pub fn more(&mut self, config: &Config, now: u64, trigger: &Packet, out: &mut Vec<Reply>) {
        while let Some((message, syndrome)) = self.arrived.take_ack(&self.stream) {
            let packet = message_ack(config, trigger, message, syndrome);
            out.push(self.reply(config, packet));
        }
        out.extend(self.reverse_probe(config, now, trigger.conn));
    }

    /// The probe for a way back that is due.
    fn reverse_probe(&mut self, config: &Config, now: u64, conn: u32) -> Option<Reply> {
        let ev = self.reverse.take_probe(self.planes_down())?;
        self.stats.reverse_probes += 1;
        let packet = Packet {
            kind: PacketKind::Probe,
            size: config.probe_size,
            flags: flags::CONTROL | flags::FROM_RESPONDER,
            conn,
            psn: self.reverse.number(),
            ev,
            sent: now,
            ..Packet::default()
        };
        Some(Reply { packet, via: ev })
    }

    /// A probe for a way back was answered.
    pub fn on_probe_reply(&mut self, reply: &Packet) {
        self.reverse.on_reply(reply);
    }

    /// An EV probe arrived: send it back.
    pub fn on_probe(&mut self, config: &Config, packet: &Packet) -> Reply {
        let leave = if self.is_unwelcome(packet.ev) {
            flags::ALWAYS_SKIP
        } else {
            0
        };
        self.reply(
            config,
            Packet {
                kind: PacketKind::ProbeReply,
                size: config.probe_reply_size,
                flags: flags::CONTROL | packet.flags & flags::ECN | leave,
                ..answer(packet)
            },
        )
    }

    /// A reliability probe arrived: says what is there, and which messages are complete. Answers may have been lost on the ways
    /// back, so another way is probed.
    pub fn on_ack_probe(&mut self, config: &Config, now: u64, packet: &Packet, out: &mut Vec<Reply>) {
        if config.reverse_evs {
            self.reverse.on_doubt(config, now, packet.ev);
        }
        if config.rccc.is_some() {
            out.extend(self.note_request(config, packet));
        }
        let cack = self.cack();
        out.push(self.reply(
            config,
            Packet {
                kind: PacketKind::Sack,
                flags: flags::CONTROL | flags::PROBE_RESPONSE,
                psn: cack,
                cack,
                bitmap: self.received.extract(cack),
                ..self.sack_of(config, packet)
            },
        ));
        if config.message_acks && self.arrived.delivered > 0 {
            let ack = message_ack(config, packet, self.arrived.delivered - 1, Syndrome::UpTo);
            out.push(self.reply(config, ack));
        }
        out.extend(self.reverse_probe(config, now, packet.conn));
    }

    /// Ports of this NIC are down (bit p: that in plane p). With `tell`, the requester is told.
    pub fn set_ports_down(&mut self, now: u64, mask: u8, tell: bool) {
        self.reverse.set_ports_down(mask);
        if tell {
            self.ports.set(now, mask);
        }
    }

    /// A port status update from the requester. Returns the answer.
    pub fn on_port_status(&mut self, config: &Config, update: &Packet) -> Packet {
        self.peer_ports_down = update.bitmap as u8;
        port_status::reply(config, update)
    }

    /// The requester has answered one.
    pub fn on_port_status_reply(&mut self, reply: &Packet) {
        self.ports.on_reply(reply);
    }

    /// When [`on_timer`](Self::on_timer) has something to send.
    pub fn deadline(&self) -> Option<u64> {
        self.ports.deadline()
    }

    /// A deadline has passed: the port status update to send.
    pub fn on_timer(&mut self, config: &Config, now: u64, conn: u32) -> Option<Packet> {
        self.ports.poll(config, now, conn, true)
    }

    /// The way by which a packet that speaks of no EV goes back.
    pub fn any_way(&mut self, config: &Config, number: u32) -> u16 {
        self.way_in(config, self.reverse.numbered(number))
    }

    /// A controller puts an EV out of use as a way back, or lets it be used again.
    pub fn set_denied(&mut self, ev: u16, denied: bool) {
        self.reverse.set_denied(ev, denied);
    }

    /// The requester is to leave these planes (bit p: plane p).
    pub fn set_unwelcome(&mut self, planes: u8) {
        self.unwelcome = planes;
    }

    /// The receiver's penalty from now on, 0 to 127; 0 ends it.
    pub fn set_penalty(&mut self, penalty: u8) {
        self.restore = self.penalty > 0 && penalty == 0;
        self.penalty = penalty.min(127);
    }

    fn is_unwelcome(&self, ev: u16) -> bool {
        self.unwelcome != 0 && self.unwelcome >> self.reverse.plane(ev) & 1 == 1
    }

    fn planes_down(&self) -> u8 {
        self.peer_ports_down | self.reverse.ports_down()
    }

    fn nack(&mut self, config: &Config, packet: &Packet, reason: NackReason) -> Reply {
        self.reply(
            config,
            Packet {
                kind: PacketKind::Nack,
                size: config.nack_size,
                flags: flags::CONTROL | packet.flags & (flags::ECN | flags::RTX),
                reason: reason.code(),
                ..answer(packet)
            },
        )
    }

    /// A SACK whose bitmap covers the newest PSNs, or those from the triggering one on when that is older.
    fn sack(&mut self, config: &Config, trigger: &Packet) -> Reply {
        self.unreported = 0;
        let cack = self.cack();
        let newest = self.highest.saturating_sub(64).max(cack);
        let base = if trigger.psn >= cack {
            newest.min(trigger.psn)
        } else {
            newest
        };
        let leave = if self.is_unwelcome(trigger.ev) {
            flags::ALWAYS_SKIP
        } else {
            0
        };
        let restore = if core::mem::take(&mut self.restore) {
            flags::RESTORE_CWND
        } else {
            0
        };
        let packet = Packet {
            flags: flags::CONTROL | trigger.flags & (flags::ECN | flags::RTX) | leave | restore,
            cack,
            sack_offset: (base - cack) as u16,
            bitmap: self.received.extract(base),
            ..self.sack_of(config, trigger)
        };
        self.reply(config, packet)
    }

    /// What all SACKs say.
    fn sack_of(&self, config: &Config, trigger: &Packet) -> Packet {
        Packet {
            kind: PacketKind::Sack,
            size: config.sack_size,
            rcvd_bytes: self.rcvd_bytes,
            mpr: (config.mpr / MPR_UNIT).min(255) as u8,
            penalty: self.penalty,
            ..answer(trigger)
        }
    }

    /// Sends a packet back in the plane of the EV that it speaks of, if that can be.
    #[inline]
    fn reply(&mut self, config: &Config, packet: Packet) -> Reply {
        Reply {
            via: self.way_in(config, packet.ev),
            packet,
        }
    }

    /// The way back for what `ev` brought (see [`Reverse::way`]).
    #[inline]
    fn way_in(&mut self, config: &Config, ev: u16) -> u16 {
        let down = self.planes_down();
        if config.reverse_evs || down != 0 {
            self.reverse.way(ev, down, config.reverse_evs)
        } else {
            ev
        }
    }
}

/// What every answer takes over from the packet that it answers.
fn answer(packet: &Packet) -> Packet {
    Packet {
        conn: packet.conn,
        psn: packet.psn,
        ev: packet.ev,
        sent: packet.sent,
        ..Packet::default()
    }
}

/// An ACK of the message layer.
fn message_ack(config: &Config, trigger: &Packet, message: u32, syndrome: Syndrome) -> Packet {
    Packet {
        kind: PacketKind::Ack,
        size: config.ack_size,
        flags: flags::CONTROL,
        psn: message,
        reason: syndrome.code(),
        ..answer(trigger)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requester::tests::config;

    fn data(psn: u32, flags: u8) -> Packet {
        Packet {
            psn,
            payload: 4096,
            size: 4262,
            sent: 1000 + u64::from(psn),
            ev: 7,
            flags,
            ..Packet::default()
        }
    }

    fn responder(packets: u32) -> Responder {
        let stream = Stream::one(u64::from(packets) * 4096, 4096).expect("fits");
        Responder::new(stream, 4, 32, 1)
    }

    fn on_data(responder: &mut Responder, config: &Config, packet: Packet) -> Option<Packet> {
        responder.on_data(config, 0, &packet).map(|reply| {
            assert_eq!(reply.via, packet.ev, "back by the way that it came");
            reply.packet
        })
    }

    fn lazy() -> Config {
        Config {
            sack_every: 4 * 4262,
            ..config()
        }
    }

    #[test]
    fn sacks_come_by_bytes() {
        let (config, mut responder) = (lazy(), responder(100));
        for psn in 0..3 {
            assert_eq!(on_data(&mut responder, &config, data(psn, 0)), None);
        }
        let sack =
            on_data(&mut responder, &config, data(3, 0)).expect("the fourth packet fills the threshold");
        assert_eq!(
            (sack.kind, sack.cack, sack.bitmap, sack.rcvd_bytes),
            (PacketKind::Sack, 4, 0, 4 * 4262)
        );
        assert_eq!(
            (sack.ev, sack.sent, sack.psn),
            (7, 1003, 3),
            "the trigger is echoed"
        );
    }

    #[test]
    fn marks_requests_retransmissions_and_the_end_are_answered_at_once() {
        let config = lazy();
        for flag in [flags::ECN, flags::RTX, flags::ACK_REQUEST] {
            let mut responder = responder(100);
            let sack = on_data(&mut responder, &config, data(0, flag)).expect("a SACK");
            assert_eq!(sack.has(flags::ECN), flag == flags::ECN, "ECN is echoed");
        }
        let mut responder = responder(1);
        assert!(
            on_data(&mut responder, &config, data(0, 0)).is_some(),
            "the last packet"
        );
    }

    #[test]
    fn holes_show_in_the_bitmap_and_closing_them_is_reported() {
        let (config, mut responder) = (lazy(), responder(100));
        assert_eq!(on_data(&mut responder, &config, data(0, 0)), None);
        assert_eq!(on_data(&mut responder, &config, data(2, 0)), None);
        let sack = on_data(&mut responder, &config, data(3, flags::ECN)).expect("a SACK");
        // PSN 1 is missing: base 1, bits 1 and 2 say 2 and 3.
        assert_eq!((sack.cack, sack.sack_offset, sack.bitmap), (1, 0, 0b110));
        let sack = on_data(&mut responder, &config, data(1, 0)).expect("the hole closed");
        assert_eq!((sack.cack, sack.bitmap), (4, 0));
    }

    #[test]
    fn the_bitmap_follows_the_newest_and_shows_an_old_trigger() {
        let (config, mut responder) = (config(), responder(1000));
        on_data(&mut responder, &config, data(200, 0));
        let sack = on_data(&mut responder, &config, data(210, 0)).expect("a SACK");
        assert_eq!((sack.cack, sack.sack_offset), (0, 211 - 64));
        assert_eq!(sack.bitmap, 1 << 63 | 1 << 53, "210 and 200");
        let sack = on_data(&mut responder, &config, data(5, flags::RTX)).expect("a SACK");
        assert_eq!(
            (sack.sack_offset, sack.bitmap & 1),
            (5, 1),
            "the retransmission itself"
        );
    }

    #[test]
    fn duplicates_are_answered_and_never_placed_twice() {
        let (config, mut responder) = (lazy(), responder(100));
        on_data(&mut responder, &config, data(0, 0));
        let sack = on_data(&mut responder, &config, data(0, 0)).expect("at once");
        assert_eq!(sack.rcvd_bytes, 4262);
        assert_eq!(responder.stats().placed_bytes, 4096);
        assert_eq!(responder.stats().duplicates, 1);
    }

    #[test]
    fn trimmed_packets_are_nacked_with_the_place_of_the_trim() {
        let (config, mut responder) = (lazy(), responder(100));
        let trimmed = data(9, flags::TRIMMED | flags::CONTROL | flags::TRIMMED_LAST_HOP);
        let nack = on_data(&mut responder, &config, trimmed).expect("a NACK");
        assert_eq!((nack.kind, nack.psn, nack.ev), (PacketKind::Nack, 9, 7));
        assert_eq!(
            NackReason::from_code(nack.reason),
            Some(NackReason::TrimmedLastHop)
        );
        assert!(nack.is_control());
        let trimmed = data(8, flags::TRIMMED | flags::CONTROL);
        let nack = on_data(&mut responder, &config, trimmed).expect("a NACK");
        assert_eq!(NackReason::from_code(nack.reason), Some(NackReason::Trimmed));
        assert_eq!(responder.stats().placed, 0);
    }

    #[test]
    fn what_cannot_be_taken_is_refused_with_the_reason() {
        let (config, mut responder) = (lazy(), responder(5_000));
        // The window: [cack, cack + MPR) with MPR 4,096.
        assert_eq!(on_data(&mut responder, &config, data(4_095, 0)), None);
        let nack = on_data(&mut responder, &config, data(4_096, 0)).expect("a NACK");
        assert_eq!(
            NackReason::from_code(nack.reason),
            Some(NackReason::PsnOutOfWindow)
        );
        assert_eq!(responder.stats().out_of_window, 1);
        let nack = on_data(&mut responder, &config, data(5_000, 0)).expect("a NACK");
        assert_eq!(
            NackReason::from_code(nack.reason),
            Some(NackReason::UnexpectedEvent)
        );
        for reason in [
            NackReason::NoBitmap,
            NackReason::NoPacketBuffer,
            NackReason::NoResource,
        ] {
            let nack = responder.refuse(&config, &data(7, 0), reason).packet;
            assert_eq!(
                (nack.kind, nack.psn, nack.reason),
                (PacketKind::Nack, 7, reason.code())
            );
        }
        assert_eq!(responder.stats().placed, 1);
    }

    #[test]
    fn messages_are_acknowledged_when_they_are_whole() {
        let config = Config {
            message_acks: true,
            ..lazy()
        };
        let stream = Stream::new(8192, 2, false, 4096).expect("fits");
        let mut responder = Responder::new(stream, 4, 32, 1);
        let mut out = Vec::new();
        for psn in [2, 0, 3] {
            responder.on_data(&config, 0, &data(psn, 0));
        }
        assert!(responder.has_more());
        responder.more(&config, 0, &data(3, 0), &mut out);
        let ack = out.pop().expect("an ACK").packet;
        assert_eq!(
            (ack.kind, ack.psn, ack.reason),
            (PacketKind::Ack, 1, Syndrome::Ack.code())
        );
        assert!(out.is_empty() && !responder.has_more());
        responder.on_data(&config, 0, &data(1, 0));
        responder.more(&config, 0, &data(1, 0), &mut out);
        assert_eq!(out.pop().expect("an ACK").packet.psn, 0);
        assert!(responder.is_complete());
    }

    #[test]
    fn a_reliability_probe_is_answered_with_the_lowest_gap_and_the_last_message() {
        let config = Config {
            message_acks: true,
            ..lazy()
        };
        let stream = Stream::new(8192, 300, false, 4096).expect("fits");
        let mut responder = Responder::new(stream, 4, 32, 1);
        for psn in [0, 1, 2, 4, 200] {
            responder.on_data(&config, 0, &data(psn, 0));
        }
        let mut out = Vec::new();
        let probe = Packet {
            kind: PacketKind::AckProbe,
            sent: 77,
            ..Packet::default()
        };
        responder.on_ack_probe(&config, 0, &probe, &mut out);
        let sack = out[0].packet;
        assert_eq!((sack.cack, sack.sack_offset, sack.bitmap), (3, 0, 0b10));
        assert!(sack.has(flags::PROBE_RESPONSE) && sack.sent == 77);
        let ack = out[1].packet;
        assert_eq!(
            (ack.psn, ack.reason),
            (0, Syndrome::UpTo.code()),
            "message 0 is whole"
        );
    }

    /// A requester that asks may have missed answers because the ways back are dead: one of them is probed each time.
    #[test]
    fn a_reliability_probe_lets_a_way_back_be_probed() {
        let config = Config {
            reverse_evs: true,
            ..lazy()
        };
        let mut responder = responder(100);
        let probe = Packet {
            kind: PacketKind::AckProbe,
            ..Packet::default()
        };
        let mut out = Vec::new();
        responder.on_ack_probe(&config, 0, &probe, &mut out);
        assert_eq!(out.last().map(|reply| reply.packet.kind), Some(PacketKind::Probe));
        out.clear();
        responder.on_ack_probe(&config, 1_000, &probe, &mut out);
        assert_eq!(out.len(), 1, "no more than one in a base RTT");
    }

    #[test]
    fn too_many_immediates_are_refused() {
        let config = Config {
            message_acks: true,
            max_immediate: 2,
            ..lazy()
        };
        let stream = Stream::new(4096, 9, true, 4096).expect("fits");
        let mut responder = Responder::new(stream, 4, 32, 1);
        assert_eq!(responder.on_data(&config, 0, &data(1, 0)), None);
        let nak = responder.on_data(&config, 0, &data(2, 0)).expect("a NAK").packet;
        assert_eq!(
            (nak.kind, nak.reason),
            (PacketKind::Ack, Syndrome::TooManyImmediates.code())
        );
        assert_eq!(responder.stats().placed, 1);
    }

    #[test]
    fn an_unwelcome_plane_is_told_and_a_penalty_reported() {
        let (config, mut responder) = (config(), responder(100));
        // EV 7 belongs to plane 3.
        responder.set_unwelcome(0b1000);
        responder.set_penalty(40);
        let sack = on_data(&mut responder, &config, data(0, 0)).expect("a SACK");
        assert!(sack.has(flags::ALWAYS_SKIP) && sack.penalty == 40);
        assert!(
            responder
                .on_probe(&config, &data(0, 0))
                .packet
                .has(flags::ALWAYS_SKIP)
        );
        responder.set_unwelcome(0);
        responder.set_penalty(0);
        let sack = on_data(&mut responder, &config, data(1, 0)).expect("a SACK");
        assert!(!sack.has(flags::ALWAYS_SKIP) && sack.has(flags::RESTORE_CWND) && sack.penalty == 0);
        let sack = on_data(&mut responder, &config, data(2, 0)).expect("a SACK");
        assert!(!sack.has(flags::RESTORE_CWND), "said once");
        assert_eq!(sack.mpr, 32, "4,096 PSNs in units of 128");
    }

    #[test]
    fn answers_avoid_ports_that_are_down() {
        let (config, mut responder) = (config(), responder(100));
        responder.set_ports_down(5, 0b1000, true);
        let reply = responder.on_data(&config, 0, &data(0, 0)).expect("a SACK");
        assert_eq!((reply.packet.ev, reply.via % 4), (7, 0), "plane 3 has no port");
        let update = responder.on_timer(&config, 5, 9).expect("the requester is told");
        assert!(!update.is_to_responder() && update.bitmap == 0b1000);
        let peer = Packet {
            kind: PacketKind::PortStatus,
            bitmap: 0b0001,
            ..Packet::default()
        };
        responder.on_port_status(&config, &peer);
        let reply = responder.on_data(&config, 0, &data(1, 0)).expect("a SACK");
        assert_eq!(reply.via % 4, 1, "nor can the requester hear in plane 0");
    }

    fn with_credit() -> Config {
        Config {
            rccc: Some(crate::rccc::Config::new(0.1, 8_000_000, 4262, 3 * 4262, 150)),
            ..lazy()
        }
    }

    #[test]
    fn a_message_of_which_something_arrives_needs_credit_for_all_of_it() {
        let config = with_credit();
        let mut responder = responder(10);
        assert_eq!(responder.credit_news(&config, 5), None, "nothing has arrived");
        responder.on_data(&config, 0, &data(0, 0));
        let (news, reply) = responder.credit_news(&config, 5).expect("there is credit");
        // Three packets are allowed from the start, and are on their way; seven need credit.
        assert_eq!((news.taken, news.trimmed, news.needs), (3 * 4262, 0, true));
        assert_eq!(reply, None, "that is for the pacer");
        let (bytes, reply, more) = responder.grant(&config, 5).expect("there is credit");
        assert_eq!((bytes, more), (4 * 4262, true));
        let packet = reply.packet;
        assert_eq!(
            (packet.kind, packet.conn, packet.rcvd_bytes, packet.size),
            (PacketKind::Credit, 5, 7 * 4262, 150)
        );
        assert!(packet.is_control());
        // One comes trimmed to 128 B: four packets are needed after all, and 4,262 − 128 B of what was expected do not come.
        let trimmed = Packet {
            size: 128,
            ..data(1, flags::TRIMMED | flags::CONTROL)
        };
        responder.on_data(&config, 0, &trimmed);
        let (news, _) = responder.credit_news(&config, 5).expect("there is credit");
        assert_eq!(
            (news.taken, news.trimmed, news.needs),
            (0, 4134, false),
            "it waits already"
        );
        let (bytes, _, more) = responder.grant(&config, 5).expect("there is credit");
        assert_eq!((bytes, more), (4 * 4262, false));
        // What comes twice took credit from something else.
        responder.on_data(&config, 0, &data(0, flags::RTX));
        assert!(
            responder
                .credit_news(&config, 5)
                .expect("there is credit")
                .0
                .needs
        );
    }

    #[test]
    fn a_sender_that_asks_is_told_what_is_allowed_and_gets_more() {
        let config = with_credit();
        let stream = Stream::new(2 * 4096, 5, false, 4096).expect("fits");
        let mut responder = Responder::new(stream, 4, 32, 1);
        // Ten PSNs are posted; five packets were sent, two of them lost: 12 in all.
        let probe = Packet {
            kind: PacketKind::AckProbe,
            cack: 10,
            rcvd_bytes: 12 * 4262,
            ..Packet::default()
        };
        let mut out = Vec::new();
        responder.on_ack_probe(&config, 0, &probe, &mut out);
        assert_eq!(
            (out[0].packet.kind, out[0].packet.rcvd_bytes),
            (PacketKind::Credit, 3 * 4262)
        );
        assert_eq!(out[1].packet.kind, PacketKind::Sack);
        let (news, _) = responder.credit_news(&config, 0).expect("there is credit");
        assert!(news.needs);
        let mut granted = 0;
        while let Some((bytes, _, more)) = responder.grant(&config, 0) {
            granted += bytes;
            if !more {
                break;
            }
        }
        assert_eq!(granted, 9 * 4262);
    }

    #[test]
    fn a_stream_that_goes_on_keeps_its_starting_allowance() {
        let config = with_credit();
        let stream = Stream::new(4096, 5, false, 4096).expect("fits");
        let mut responder = Responder::new(stream, 4, 32, 1);
        responder.on_data(&config, 0, &data(0, 0));
        let (news, reply) = responder.credit_news(&config, 0).expect("there is credit");
        assert_eq!((news.taken, news.needs), (4262, false));
        assert_eq!(reply.expect("a credit packet").packet.rcvd_bytes, 4 * 4262);
        for psn in 1..5 {
            responder.on_data(&config, 0, &data(psn, 0));
        }
        let (_, reply) = responder.credit_news(&config, 0).expect("there is credit");
        assert_eq!(reply, None, "no more than the stream has");
    }
}
