//! The sending side of a QP: what to send next, on which EV, and what the answers mean.

mod ack_probe;
mod credit;
mod loss;
mod messages;
mod probing;
#[cfg(test)]
pub(crate) mod tests;

use self::ack_probe::AckProbe;
use self::loss::{Fate, Record, TICK};
use self::messages::Messages;
use self::probing::Probing;
use crate::config::{Balancer, Config};
use crate::evs::{EvSet, EvState, Feedback, Retired};
use crate::nscc::{Nscc, Unfinished};
use crate::port_status::PortStatus;
use crate::rccc::Credit;
use fabric::packet::{Packet, PacketKind, flags};
use rdma::{PsnBits, QpError, QpState, Stream};
use std::collections::VecDeque;
use wire::NackReason;

/// Hooks for whoever watches a requester.
pub trait Observer {
    /// An EV changed its state.
    fn ev_changed(&mut self, _now: u64, _conn: u32, _ev: u16, _from: EvState, _to: EvState) {}
    /// A backup EV has taken the place of one that went out of use.
    fn ev_swapped(&mut self, _now: u64, _conn: u32, _out: u16, _by: u16) {}
    /// A packet was declared lost without having been trimmed.
    fn loss_inferred(&mut self, _now: u64, _conn: u32, _psn: u32, _ev: u16) {}
    /// A timeout passed, or a receiver that takes nothing counts as one; `in_row` is how many there were without progress.
    fn timed_out(&mut self, _now: u64, _conn: u32, _in_row: u32) {}
    /// The QP went to ERROR.
    fn qp_failed(&mut self, _now: u64, _conn: u32, _why: QpError) {}
}

/// The answer to "what do you send now?"
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Poll {
    /// This packet, into the plane of its EV.
    Send(Packet),
    /// Something, once the port of this plane is free.
    Blocked(u32),
    /// Nothing until an answer arrives or a deadline passes.
    Idle,
}

/// Counts of what a requester did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequesterStats {
    /// Data packets sent, retransmissions included.
    pub sent: u64,
    /// Retransmissions.
    pub retransmissions: u64,
    /// NACKs that led to one.
    pub nacks: u64,
    /// Losses inferred because a later packet was acknowledged.
    pub losses_by_order: u64,
    /// Losses inferred by timeout.
    pub losses_by_timeout: u64,
    /// NACKs for other reasons than a trim.
    pub refusals: u64,
    /// EV probes sent.
    pub probes: u64,
    /// Reliability probes sent.
    pub ack_probes: u64,
}

/// The requester of one QP: RDMA WRITEs, one after the other.
#[derive(Clone, Debug)]
pub struct Requester {
    conn: u32,
    stream: Stream,
    messages: Messages,
    state: QpState,
    // PSNs of the messages that are posted.
    end: u32,
    next_psn: u32,
    // PSNs that may be sent from the lowest unacknowledged one on.
    window: u32,
    acked: PsnBits,
    records: Vec<Record>,
    // Signed: a report may come before the bookkeeping that it corrects.
    in_flight: i64,
    // Wire bytes that the responder has reported, modulo 2^32.
    reported: u32,
    lost: u32,
    // No lost PSN is below this one.
    lost_hint: u32,
    // Oldest PSN that may still be in its first transmission.
    fresh: u32,
    // Retransmissions in flight in order of sending: PSN and send tick.
    resent: VecDeque<(u32, u32)>,
    last_sent: u64,
    // Send time of the latest-sent packet that was acknowledged.
    newest_acked: u64,
    timeouts_in_row: u32,
    last_timeout: u64,
    evs: EvSet,
    probing: Vec<Probing>,
    probe_number: u32,
    ack_probe: AckProbe,
    // Ports of this NIC that are down, as the peer is told; and the peer's.
    ports: PortStatus,
    peer_ports_down: u8,
    cc: Nscc,
    // Receiver credit, where there is such a thing.
    credit: Option<Credit>,
    stats: RequesterStats,
    finished: bool,
}

impl Requester {
    /// A requester for connection `conn` that will write what `stream` says, message by message as they are
    /// [posted](Self::post), over the given EVs.
    pub fn new(config: &Config, conn: u32, stream: Stream, evs: EvSet) -> Requester {
        Requester {
            conn,
            stream,
            messages: Messages::default(),
            state: QpState::Rts,
            end: 0,
            next_psn: 0,
            window: config.mpr,
            acked: PsnBits::new(64),
            records: vec![Record::default(); 64],
            in_flight: 0,
            reported: 0,
            lost: 0,
            lost_hint: 0,
            fresh: 0,
            resent: VecDeque::new(),
            last_sent: 0,
            newest_acked: 0,
            timeouts_in_row: 0,
            last_timeout: 0,
            evs: evs.under(config.balancer),
            probing: Vec::new(),
            probe_number: 0,
            ack_probe: AckProbe::default(),
            ports: PortStatus::default(),
            peer_ports_down: 0,
            cc: Nscc::new(&config.nscc),
            credit: config.rccc.map(|rccc| Credit::new(rccc.start)),
            stats: RequesterStats::default(),
            finished: false,
        }
    }

    /// True when every message is complete, or the QP is in ERROR.
    #[inline]
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// What it writes.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// RTS or ERROR.
    pub fn state(&self) -> QpState {
        self.state
    }

    /// Data packets of all messages.
    pub fn packets(&self) -> u32 {
        self.stream.packets()
    }

    /// The lowest PSN not yet acknowledged.
    pub fn cack(&self) -> u32 {
        self.acked.base()
    }

    /// The PSN of the next new packet.
    pub fn next_psn(&self) -> u32 {
        self.next_psn
    }

    /// Wire bytes sent and neither reported received nor declared lost.
    #[inline]
    pub fn in_flight(&self) -> u64 {
        self.in_flight.max(0) as u64
    }

    /// Packets waiting for retransmission.
    pub fn waiting_retransmissions(&self) -> u32 {
        self.lost
    }

    /// Timeouts in a row so far.
    pub fn timeouts_in_row(&self) -> u32 {
        self.timeouts_in_row
    }

    /// True while the deadline can move to an earlier time: probes are under way, a port status update waits, or the timeout
    /// has been backed off.
    #[inline]
    pub fn may_be_due_earlier(&self) -> bool {
        !self.probing.is_empty()
            || self.lost > 0
            || !self.resent.is_empty()
            || self.timeouts_in_row > 0
            || self.ack_probe.is_pending()
            || self.ports.deadline().is_some()
            || !self.has_credit()
    }

    /// The congestion controller.
    pub fn cc(&self) -> &Nscc {
        &self.cc
    }

    /// The EVs and their states.
    pub fn evs(&self) -> &EvSet {
        &self.evs
    }

    /// Counts so far.
    pub fn stats(&self) -> &RequesterStats {
        &self.stats
    }

    /// The window has room for another full packet.
    #[inline]
    fn has_room(&self, config: &Config) -> bool {
        self.cc
            .allows(self.in_flight() + u64::from(config.pmtu + config.header))
    }

    #[inline]
    fn unfinished(&self, config: &Config) -> Unfinished {
        let packets = u64::from(self.lost) + u64::from(self.end - self.next_psn);
        Unfinished {
            in_flight: self.in_flight(),
            waiting: packets * u64::from(config.pmtu + config.header),
        }
    }

    #[inline]
    fn size(&self, config: &Config, psn: u32) -> u16 {
        config.data_size(self.stream.payload(psn))
    }

    #[inline]
    fn record(&mut self, psn: u32) -> &mut Record {
        let mask = self.records.len() - 1;
        &mut self.records[psn as usize & mask]
    }

    /// What to send at `now`, given the planes whose port is free (bit p for plane p).
    #[inline]
    pub fn poll_transmit(&mut self, config: &Config, now: u64, free_planes: u8) -> Poll {
        if self.finished {
            return Poll::Idle;
        }
        let retransmit = self.lost > 0;
        let psn = if retransmit {
            self.oldest_lost()
        } else if self.next_psn < self.end && self.may_begin(config, self.next_psn) {
            self.next_psn
        } else {
            return Poll::Idle;
        };
        if psn - self.cack() >= self.window {
            return Poll::Idle;
        }
        let size = u64::from(self.size(config, psn));
        if !self.cc.allows(self.in_flight() + size) || !self.has_credit() {
            return Poll::Idle;
        }
        let plane = self.evs.next_plane();
        if free_planes >> plane & 1 == 0 {
            return Poll::Blocked(plane);
        }
        let ev = self.evs.take();
        Poll::Send(self.transmit(config, now, psn, ev, retransmit))
    }

    fn transmit(&mut self, config: &Config, now: u64, psn: u32, ev: u16, retransmit: bool) -> Packet {
        let size = self.size(config, psn);
        let tick = (now >> TICK) as u32;
        self.last_sent = now;
        self.ack_probe.sent(now);
        self.in_flight += i64::from(size);
        self.spend_credit(size);
        self.stats.sent += 1;
        let mut bits = 0;
        if retransmit {
            self.lost -= 1;
            self.lost_hint = psn + 1;
            self.stats.retransmissions += 1;
            self.resent.push_back((psn, tick));
            let record = self.record(psn);
            *record = Record {
                tick,
                ev,
                fate: Fate::InFlight,
                tries: record.tries.saturating_add(1),
            };
            bits |= flags::RTX;
        } else {
            if psn - self.cack() >= self.records.len() as u32 {
                self.grow();
            }
            self.next_psn += 1;
            *self.record(psn) = Record {
                tick,
                ev,
                fate: Fate::InFlight,
                tries: 1,
            };
        }
        let last = self.next_psn == self.end && self.lost == 0;
        let small = self.cc.cwnd() < u64::from(config.sack_every);
        if last || small || !self.has_room(config) || !self.has_credit() {
            bits |= flags::ACK_REQUEST;
        }
        Packet {
            conn: self.conn,
            psn,
            ev,
            size,
            payload: self.stream.payload(psn),
            sent: now,
            kind: PacketKind::Data,
            flags: bits,
            ..Packet::default()
        }
    }

    #[cold]
    fn grow(&mut self) {
        let old = self.records.len();
        let mut records = vec![Record::default(); old * 2];
        for psn in self.cack()..self.next_psn {
            records[psn as usize & (old * 2 - 1)] = self.records[psn as usize & (old - 1)];
        }
        self.records = records;
    }

    fn oldest_lost(&mut self) -> u32 {
        let mut psn = self.lost_hint.max(self.cack());
        while self.acked.get(psn) || self.record(psn).fate != Fate::Lost {
            psn += 1;
        }
        self.lost_hint = psn;
        psn
    }

    /// A SACK arrived.
    pub fn on_sack<O: Observer>(&mut self, config: &Config, watcher: &mut O, now: u64, sack: &Packet) {
        if self.finished || sack.cack > self.next_psn {
            return;
        }
        self.ack_probe.heard(now);
        if sack.mpr > 0 {
            self.window = config.mpr.min(u32::from(sack.mpr) * MPR_UNIT);
        }
        // Reports may overtake each other: only one that is newer than all before moves the count.
        let newly = sack.rcvd_bytes.wrapping_sub(self.reported);
        let newly = if newly < 1 << 31 { newly } else { 0 };
        self.reported = self.reported.wrapping_add(newly);
        self.in_flight -= i64::from(newly);
        if newly > 0 {
            self.timeouts_in_row = 0;
        }

        let before = self.cack();
        // A SACK that was overtaken may start below what is known by now.
        let start = sack.cack + u32::from(sack.sack_offset);
        let base = start.max(before);
        if base - start < 64 {
            self.acked.reserve(base.saturating_add(63));
            let mut fresh = sack.bitmap >> (base - start) & !self.acked.extract(base);
            while fresh != 0 {
                let psn = base + fresh.trailing_zeros();
                fresh &= fresh - 1;
                if psn < self.next_psn {
                    self.acknowledge(config, psn);
                }
            }
        }
        if sack.cack > before {
            for psn in before..sack.cack {
                if !self.acked.get(psn) {
                    self.acknowledge(config, psn);
                }
            }
            self.acked.advance(sack.cack);
            self.fresh = self.fresh.max(sack.cack);
        }
        if newly > 0 && (sack.penalty > 0 || sack.has(flags::RESTORE_CWND)) {
            let restore = sack.has(flags::RESTORE_CWND);
            self.cc
                .on_penalty(&config.nscc, u64::from(newly), sack.penalty, restore);
        }
        if sack.has(flags::PROBE_RESPONSE) {
            // It speaks of no data packet's path or delay.
            self.complete_by_sack(config);
            if !self.finished {
                self.infer_from_probe(config, watcher, now, sack, newly > 0);
            }
            return;
        }
        self.newest_acked = self.newest_acked.max(sack.sent);
        let ecn = sack.has(flags::ECN);
        if config.balancer == Balancer::Mrc {
            if sack.has(flags::ALWAYS_SKIP) {
                self.retire(config, watcher, now, sack.ev);
            } else if ecn {
                self.penalise(watcher, now, sack.ev);
            }
        } else {
            let feedback = if ecn { Feedback::Marked } else { Feedback::Clear };
            self.feed(watcher, now, sack.ev, feedback);
        }
        self.cc.on_sack(
            &config.nscc,
            now,
            u64::from(newly),
            now - sack.sent,
            ecn,
            self.unfinished(config),
        );
        self.complete_by_sack(config);
        if !self.finished && config.reorder_window > 0 {
            self.infer_losses(config, watcher, now, false);
        }
    }

    /// A PSN was received. A packet that had been given up and was not yet sent again counts as in flight no more,
    /// so what the responder's byte count took away for it is put back.
    fn acknowledge(&mut self, config: &Config, psn: u32) {
        if self.record(psn).fate == Fate::Lost {
            self.lost -= 1;
            self.in_flight += i64::from(self.size(config, psn));
            self.record(psn).fate = Fate::InFlight;
        }
        self.acked.reserve(psn);
        self.acked.set(psn);
    }

    /// A NACK arrived: the packet was trimmed, or the responder could not take it.
    pub fn on_nack<O: Observer>(&mut self, config: &Config, watcher: &mut O, now: u64, nack: &Packet) {
        let psn = nack.psn;
        if self.finished || psn < self.cack() || psn >= self.next_psn || self.acked.get(psn) {
            return;
        }
        let record = *self.record(psn);
        // A NACK for an earlier transmission says nothing about the one that is under way.
        if record.fate != Fate::InFlight || record.tick != (nack.sent >> TICK) as u32 {
            return;
        }
        let Some(reason) = NackReason::from_code(nack.reason) else {
            return;
        };
        self.ack_probe.heard(now);
        match reason {
            NackReason::UnexpectedEvent => return self.fail(watcher, now, QpError::UnexpectedEvent),
            NackReason::Trimmed | NackReason::TrimmedLastHop => self.stats.nacks += 1,
            NackReason::PsnOutOfWindow => self.stats.refusals += 1,
            NackReason::NoBitmap | NackReason::NoPacketBuffer | NackReason::NoResource => {
                self.stats.refusals += 1;
                // A receiver that takes nothing is tried no longer than one that is silent.
                self.note_timeout(config, watcher, now);
                if config.gives_up(self.timeouts_in_row) {
                    return self.fail(watcher, now, QpError::RetriesExceeded);
                }
            }
        }
        self.give_up(config, psn);
        // Beyond the window: the responder has room once the window moves on, and the sender's own rule waits for that. A full
        // queue on the last hop is the business of receiver credit, where there is such a thing (facts 3.4).
        let by_credit = reason == NackReason::TrimmedLastHop && config.rccc.is_some();
        if reason != NackReason::PsnOutOfWindow && !by_credit {
            let size = u64::from(self.size(config, psn));
            let unfinished = self.unfinished(config);
            self.cc.on_trim(&config.nscc, now, size, unfinished);
        }
        // A full queue at the receiver, or a receiver without room, is not the path's fault; a mark on the way is.
        let feedback = match (reason, nack.has(flags::ECN)) {
            (NackReason::Trimmed, _) => Feedback::Trimmed,
            (_, true) => Feedback::Marked,
            (_, false) => Feedback::Clear,
        };
        if config.balancer != Balancer::Mrc {
            self.feed(watcher, now, nack.ev, feedback);
        } else if feedback != Feedback::Clear {
            self.penalise(watcher, now, nack.ev);
        }
    }

    /// Another balancer than MRC's learns what became of a packet.
    fn feed<O: Observer>(&mut self, watcher: &mut O, now: u64, ev: u16, feedback: Feedback) {
        if self.evs.feed(now, ev, feedback) {
            watcher.ev_changed(now, self.conn, ev, EvState::Good, EvState::Skip);
        }
    }

    /// An EV loses its next turn.
    fn penalise<O: Observer>(&mut self, watcher: &mut O, now: u64, ev: u16) {
        if self.evs.penalise(ev) {
            watcher.ev_changed(now, self.conn, ev, EvState::Good, EvState::Skip);
        }
    }

    /// An EV goes out of use until probes succeed.
    fn retire<O: Observer>(&mut self, config: &Config, watcher: &mut O, now: u64, ev: u16) {
        let before = self.evs.state(ev);
        match self.evs.lose(ev) {
            Retired::Already => {}
            // It stays in rotation, but loses a turn.
            Retired::Floor => self.penalise(watcher, now, ev),
            Retired::Out(successor) => {
                watcher.ev_changed(now, self.conn, ev, before, EvState::AssumedBad);
                if let Some(by) = successor {
                    watcher.ev_swapped(now, self.conn, ev, by);
                }
                self.probing.push(Probing::new(ev, now + config.probe_interval));
            }
        }
    }

    /// A controller puts an EV out of use, or lets it be used again.
    pub fn set_denied<O: Observer>(&mut self, watcher: &mut O, now: u64, ev: u16, denied: bool) {
        let before = self.evs.state(ev);
        let retired = denied.then(|| self.evs.deny(ev));
        if !denied {
            self.evs.allow(ev);
        }
        let after = self.evs.state(ev);
        if after != before {
            watcher.ev_changed(now, self.conn, ev, before, after);
        }
        if let Some(Retired::Out(Some(by))) = retired {
            watcher.ev_swapped(now, self.conn, ev, by);
        }
    }

    /// Ports of this NIC are down (bit p: that in plane p). With `tell`, the peer is told.
    pub fn set_ports_down(&mut self, now: u64, mask: u8, tell: bool) {
        if tell && !self.finished {
            self.ports.set(now, mask);
        }
        self.evs.set_planes_down(mask | self.peer_ports_down);
    }

    /// A port status update from the peer. Returns the answer.
    pub fn on_port_status(&mut self, config: &Config, update: &Packet) -> Packet {
        self.peer_ports_down = update.bitmap as u8;
        self.evs.set_planes_down(self.ports.mask() | self.peer_ports_down);
        crate::port_status::reply(config, update)
    }

    /// The peer has answered one.
    pub fn on_port_status_reply(&mut self, reply: &Packet) {
        self.ports.on_reply(reply);
    }

    /// The job that the QP belongs to is given up.
    pub fn abort<O: Observer>(&mut self, watcher: &mut O, now: u64) {
        self.fail(watcher, now, QpError::JobAborted);
    }

    fn fail<O: Observer>(&mut self, watcher: &mut O, now: u64, why: QpError) {
        self.state = QpState::Error(why);
        self.finished = true;
        self.probing.clear();
        watcher.qp_failed(now, self.conn, why);
    }
}

/// PSNs that one unit of the SACK's mpr field stands for (facts 1.4).
pub const MPR_UNIT: u32 = 128;
