//! The receiving side of a QP: places data, and says what arrived.

use crate::config::Config;
use crate::psn_bits::PsnBits;
use fabric::packet::{Packet, PacketKind, flags};

/// Counts of what a responder saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResponderStats {
    /// Data packets placed.
    pub placed: u64,
    /// Message bytes placed, each once.
    pub placed_bytes: u64,
    /// Data packets that had been placed before.
    pub duplicates: u64,
    /// Data packets beyond the PSN window, dropped.
    pub out_of_window: u64,
    /// Trimmed packets that led to a NACK.
    pub trimmed: u64,
}

/// The responder of one QP.
#[derive(Clone, Debug)]
pub struct Responder {
    received: PsnBits,
    // One beyond the highest PSN received.
    highest: u32,
    // PSNs of the message.
    end: u32,
    // Wire bytes accepted, modulo 2^32.
    rcvd_bytes: u32,
    unreported: u32,
    stats: ResponderStats,
}

impl Responder {
    /// A responder that expects `packets` data packets.
    pub fn new(packets: u32) -> Responder {
        Responder {
            received: PsnBits::new(64),
            highest: 0,
            end: packets,
            rcvd_bytes: 0,
            unreported: 0,
            stats: ResponderStats::default(),
        }
    }

    /// Counts so far.
    pub fn stats(&self) -> &ResponderStats {
        &self.stats
    }

    /// True when the whole message was placed.
    #[inline]
    pub fn is_complete(&self) -> bool {
        self.received.base() == self.end
    }

    /// The lowest PSN not yet received.
    pub fn cack(&self) -> u32 {
        self.received.base()
    }

    /// A data packet arrived, whole or trimmed. Returns the answer, if one is due.
    pub fn on_data(&mut self, config: &Config, packet: &Packet) -> Option<Packet> {
        let psn = packet.psn;
        let window_end = self.cack().saturating_add(config.mpr);
        if psn >= window_end || psn >= self.end {
            self.stats.out_of_window += 1;
            return None;
        }
        if psn < self.cack() || self.received.get(psn) {
            self.stats.duplicates += 1;
            return Some(self.sack(config, packet));
        }
        if packet.has(flags::TRIMMED) {
            self.stats.trimmed += 1;
            return Some(Packet {
                kind: PacketKind::Nack,
                size: config.nack_size,
                flags: flags::CONTROL | packet.flags & (flags::ECN | flags::TRIMMED_LAST_HOP | flags::RTX),
                ..answer(packet)
            });
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

        let holes_closed = had_holes && self.highest == self.cack();
        let urgent = packet.flags & (flags::ECN | flags::RTX | flags::ACK_REQUEST) != 0;
        let finished = self.cack() == self.end;
        (urgent || holes_closed || finished || self.unreported >= config.sack_every)
            .then(|| self.sack(config, packet))
    }

    /// An EV probe arrived: send it back.
    pub fn on_probe(&self, config: &Config, packet: &Packet) -> Packet {
        Packet {
            kind: PacketKind::ProbeReply,
            size: config.probe_reply_size,
            flags: flags::CONTROL | packet.flags & flags::ECN,
            ..answer(packet)
        }
    }

    /// A SACK whose bitmap covers the newest PSNs, or those from the triggering one on when that is older.
    fn sack(&mut self, config: &Config, trigger: &Packet) -> Packet {
        self.unreported = 0;
        let cack = self.cack();
        let newest = self.highest.saturating_sub(64).max(cack);
        let base = if trigger.psn >= cack {
            newest.min(trigger.psn)
        } else {
            newest
        };
        Packet {
            kind: PacketKind::Sack,
            size: config.sack_size,
            flags: flags::CONTROL | trigger.flags & (flags::ECN | flags::RTX),
            cack,
            sack_offset: (base - cack) as u16,
            bitmap: self.received.extract(base),
            rcvd_bytes: self.rcvd_bytes,
            ..answer(trigger)
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

    fn lazy() -> Config {
        Config {
            sack_every: 4 * 4262,
            ..config()
        }
    }

    #[test]
    fn sacks_come_by_bytes() {
        let (config, mut responder) = (lazy(), Responder::new(100));
        for psn in 0..3 {
            assert_eq!(responder.on_data(&config, &data(psn, 0)), None);
        }
        let sack = responder
            .on_data(&config, &data(3, 0))
            .expect("the fourth packet fills the threshold");
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
            let mut responder = Responder::new(100);
            let sack = responder.on_data(&config, &data(0, flag)).expect("a SACK");
            assert_eq!(sack.has(flags::ECN), flag == flags::ECN, "ECN is echoed");
        }
        let mut responder = Responder::new(1);
        assert!(
            responder.on_data(&config, &data(0, 0)).is_some(),
            "the last packet"
        );
    }

    #[test]
    fn holes_show_in_the_bitmap_and_closing_them_is_reported() {
        let (config, mut responder) = (lazy(), Responder::new(100));
        assert_eq!(responder.on_data(&config, &data(0, 0)), None);
        assert_eq!(responder.on_data(&config, &data(2, 0)), None);
        let sack = responder.on_data(&config, &data(3, flags::ECN)).expect("a SACK");
        // PSN 1 is missing: base 1, bits 1 and 2 say 2 and 3.
        assert_eq!((sack.cack, sack.sack_offset, sack.bitmap), (1, 0, 0b110));
        let sack = responder.on_data(&config, &data(1, 0)).expect("the hole closed");
        assert_eq!((sack.cack, sack.bitmap), (4, 0));
    }

    #[test]
    fn the_bitmap_follows_the_newest_and_shows_an_old_trigger() {
        let (config, mut responder) = (config(), Responder::new(1000));
        responder.on_data(&config, &data(200, 0));
        let sack = responder.on_data(&config, &data(210, 0)).expect("a SACK");
        assert_eq!((sack.cack, sack.sack_offset), (0, 211 - 64));
        assert_eq!(sack.bitmap, 1 << 63 | 1 << 53, "210 and 200");
        let sack = responder.on_data(&config, &data(5, flags::RTX)).expect("a SACK");
        assert_eq!(
            (sack.sack_offset, sack.bitmap & 1),
            (5, 1),
            "the retransmission itself"
        );
    }

    #[test]
    fn duplicates_are_answered_and_never_placed_twice() {
        let (config, mut responder) = (lazy(), Responder::new(100));
        responder.on_data(&config, &data(0, 0));
        let sack = responder.on_data(&config, &data(0, 0)).expect("at once");
        assert_eq!(sack.rcvd_bytes, 4262);
        assert_eq!(responder.stats().placed_bytes, 4096);
        assert_eq!(responder.stats().duplicates, 1);
    }

    #[test]
    fn trimmed_packets_are_nacked_with_the_place_of_the_trim() {
        let (config, mut responder) = (lazy(), Responder::new(100));
        let trimmed = data(9, flags::TRIMMED | flags::CONTROL | flags::TRIMMED_LAST_HOP);
        let nack = responder.on_data(&config, &trimmed).expect("a NACK");
        assert_eq!((nack.kind, nack.psn, nack.ev), (PacketKind::Nack, 9, 7));
        assert!(nack.has(flags::TRIMMED_LAST_HOP) && nack.is_control());
        assert_eq!(responder.stats().placed, 0);
        assert_eq!(
            responder.on_data(&config, &data(5000, 0)),
            None,
            "beyond the window"
        );
        assert_eq!(responder.stats().out_of_window, 1);
    }
}
