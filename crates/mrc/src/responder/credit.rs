//! Receiver credit at the responder of one QP ([`crate::rccc`]). Whose turn it is, and when, its NIC's pacer decides.

use super::{Reply, Responder};
use crate::config::Config;
use crate::rccc::{self, Demand, News};
use fabric::packet::{Packet, PacketKind, flags};

/// What the sender may send and needs to send, and what the pacer has not heard of yet.
#[derive(Clone, Debug)]
pub(super) struct CreditSide {
    demand: Demand,
    // Messages of which something has been heard.
    begun: u32,
    news: News,
    // Credit packets so far.
    number: u32,
}

impl CreditSide {
    fn new(config: &rccc::Config) -> CreditSide {
        CreditSide {
            demand: Demand::new(config.start),
            begun: 0,
            news: News::default(),
            number: 0,
        }
    }

    fn hear(&mut self, news: News) {
        self.news.taken += news.taken;
        self.news.trimmed += news.trimmed;
        self.news.needs |= news.needs;
    }
}

impl Responder {
    fn credit_side(&mut self, rccc: &rccc::Config) -> &mut CreditSide {
        self.credit.get_or_insert_with(|| Box::new(CreditSide::new(rccc)))
    }

    /// Wire bytes of so many messages.
    fn wire_bytes(&self, config: &Config, messages: u32) -> u64 {
        let packets = self.stream.per_message();
        let last = config.data_size(self.stream.payload(packets - 1));
        let full = config.data_size(config.pmtu);
        u64::from(messages) * (u64::from(packets - 1) * u64::from(full) + u64::from(last))
    }

    /// Messages up to `end` have begun.
    fn note_begun(&mut self, config: &Config, rccc: &rccc::Config, end: u32) {
        let begun = self.credit_side(rccc).begun;
        if end > begun {
            let bytes = self.wire_bytes(config, end - begun);
            let side = self.credit_side(rccc);
            side.begun = end;
            let news = side.demand.need(bytes);
            side.hear(news);
        }
    }

    /// A data packet arrived, and has not been placed yet.
    pub(super) fn note_demand(&mut self, config: &Config, packet: &Packet) {
        let Some(rccc) = &config.rccc else { return };
        self.note_begun(config, rccc, self.stream.message(packet.psn) + 1);
        let known = packet.psn < self.cack() || self.received.get(packet.psn);
        let beyond = packet.psn >= self.cack().saturating_add(config.mpr);
        let (size, left) = (
            u64::from(config.data_size(packet.payload)),
            u64::from(packet.size),
        );
        let side = self.credit_side(rccc);
        let news = match (known, packet.has(flags::TRIMMED)) {
            // It took credit that something else needs.
            (true, false) => side.demand.again(size),
            (true, true) => News {
                trimmed: size.saturating_sub(left),
                ..side.demand.again(size)
            },
            (false, true) => side.demand.trimmed(size, left),
            (false, false) if beyond => side.demand.need(size),
            (false, false) => return,
        };
        side.hear(news);
    }

    /// A data packet that came whole was refused.
    pub(super) fn note_refused(&mut self, config: &Config, packet: &Packet) {
        let Some(rccc) = &config.rccc else { return };
        if packet.psn < self.end {
            self.note_begun(config, rccc, self.stream.message(packet.psn) + 1);
            let side = self.credit_side(rccc);
            let news = side.demand.need(config.data_size(packet.payload).into());
            side.hear(news);
        }
    }

    /// A reliability probe says what the sender needs (see `Requester::credit_request`). What is allowed is said again: the last
    /// credit packet may have been lost.
    pub(super) fn note_request(&mut self, config: &Config, probe: &Packet) -> Option<Reply> {
        let rccc = config.rccc.as_ref()?;
        if (1..=self.end).contains(&probe.cack) {
            self.note_begun(config, rccc, self.stream.message(probe.cack - 1) + 1);
        }
        let side = self.credit_side(rccc);
        let news = side.demand.ask(probe.rcvd_bytes);
        side.hear(news);
        Some(self.credit_packet(config, rccc, probe.conn))
    }

    /// What has changed since the last call, for the pacer of this NIC; and a credit packet that is due without it, because
    /// the stream goes on.
    pub fn credit_news(&mut self, config: &Config, conn: u32) -> Option<(News, Option<Reply>)> {
        let rccc = config.rccc.as_ref()?;
        let news = core::mem::take(&mut self.credit.as_mut()?.news);
        let reply = self
            .top_up(config, rccc)
            .then(|| self.credit_packet(config, rccc, conn));
        Some((news, reply))
    }

    /// The pacer's turn has come to this QP. Returns the bytes granted, the credit packet, and whether more is needed.
    pub fn grant(&mut self, config: &Config, conn: u32) -> Option<(u64, Reply, bool)> {
        let rccc = config.rccc.as_ref()?;
        let side = self.credit.as_mut()?;
        let bytes = side.demand.grant(rccc);
        let more = side.demand.is_queued();
        self.top_up(config, rccc);
        Some((bytes, self.credit_packet(config, rccc, conn), more))
    }

    fn top_up(&mut self, config: &Config, rccc: &rccc::Config) -> bool {
        let begun = self.credit_side(rccc).begun;
        if begun == self.stream.messages {
            return false;
        }
        let rest = self.wire_bytes(config, self.stream.messages - begun);
        self.credit_side(rccc).demand.top_up(rccc, rest)
    }

    fn credit_packet(&mut self, config: &Config, rccc: &rccc::Config, conn: u32) -> Reply {
        let side = self.credit_side(rccc);
        side.number = side.number.wrapping_add(1);
        let (number, allowed) = (side.number, side.demand.allowed());
        let via = self.any_way(config, number);
        let packet = Packet {
            kind: PacketKind::Credit,
            size: rccc.packet_size,
            flags: flags::CONTROL,
            conn,
            psn: number,
            ev: via,
            rcvd_bytes: allowed,
            ..Packet::default()
        };
        Reply { packet, via }
    }
}
