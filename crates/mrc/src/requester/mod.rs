//! The sending side of a QP: what to send next, on which EV, and what the answers mean.

mod loss;
mod probing;
#[cfg(test)]
pub(crate) mod tests;

use self::loss::{Fate, Record, TICK};
use self::probing::Probing;
use crate::config::{Balancer, Config};
use crate::evs::{EvSet, EvState};
use crate::nscc::Nscc;
use crate::psn_bits::PsnBits;
use fabric::packet::{Packet, PacketKind, flags};
use std::collections::VecDeque;

/// Hooks for whoever watches a requester.
pub trait Observer {
    /// An EV changed its state.
    fn ev_changed(&mut self, _now: u64, _conn: u32, _ev: u16, _state: EvState) {}
    /// A packet was declared lost without having been trimmed.
    fn loss_inferred(&mut self, _now: u64, _conn: u32, _psn: u32, _ev: u16) {}
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
    /// EV probes sent.
    pub probes: u64,
}

/// The requester of one QP: one RDMA WRITE.
#[derive(Clone, Debug)]
pub struct Requester {
    conn: u32,
    bytes: u64,
    // PSNs of the message.
    end: u32,
    next_psn: u32,
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
    cc: Nscc,
    stats: RequesterStats,
    finished: bool,
}

impl Requester {
    /// A requester for connection `conn` that will write `bytes` (at least 1) over the given EVs.
    pub fn new(config: &Config, conn: u32, bytes: u64, evs: EvSet) -> Requester {
        let end = packets_of(bytes, config.pmtu).expect("message size was validated");
        Requester {
            conn,
            bytes,
            end,
            next_psn: 0,
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
            evs,
            probing: Vec::new(),
            probe_number: 0,
            cc: Nscc::new(&config.nscc),
            stats: RequesterStats::default(),
            finished: false,
        }
    }

    /// True when every packet has been acknowledged.
    #[inline]
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Message bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Data packets of the message.
    pub fn packets(&self) -> u32 {
        self.end
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

    /// True while the deadline can move to an earlier time: EVs are being probed, or the timeout has been backed off.
    #[inline]
    pub fn may_be_due_earlier(&self) -> bool {
        !self.probing.is_empty() || self.timeouts_in_row > 0
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

    /// Payload of a PSN: PMTU, or the rest in the last one.
    #[inline]
    pub fn payload(&self, config: &Config, psn: u32) -> u16 {
        if psn + 1 == self.end {
            (self.bytes - u64::from(self.end - 1) * u64::from(config.pmtu)) as u16
        } else {
            config.pmtu
        }
    }

    #[inline]
    fn size(&self, config: &Config, psn: u32) -> u16 {
        let payload = self.payload(config, psn);
        // Nearly all packets are full: no division for those.
        let padded = if payload == config.pmtu {
            config.padded_pmtu
        } else {
            payload.next_multiple_of(config.pad)
        };
        padded + config.header
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
        } else if self.next_psn < self.end && self.next_psn - self.cack() < config.mpr {
            self.next_psn
        } else {
            return Poll::Idle;
        };
        let size = u64::from(self.size(config, psn));
        if !self.cc.allows(self.in_flight() + size) {
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
        self.in_flight += i64::from(size);
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
        if last
            || !self
                .cc
                .allows(self.in_flight() + u64::from(config.pmtu + config.header))
        {
            bits |= flags::ACK_REQUEST;
        }
        Packet {
            conn: self.conn,
            psn,
            ev,
            size,
            payload: self.payload(config, psn),
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
        self.newest_acked = self.newest_acked.max(sack.sent);
        let ecn = sack.has(flags::ECN);
        if ecn && config.balancer == Balancer::Mrc && self.evs.penalise(sack.ev) {
            watcher.ev_changed(now, self.conn, sack.ev, EvState::Skip);
        }
        self.cc.on_sack(
            &config.nscc,
            now,
            u64::from(newly),
            now - sack.sent,
            ecn,
            self.in_flight(),
        );
        if self.cack() == self.end {
            self.finished = true;
            self.probing.clear();
            return;
        }
        if config.reorder_window > 0 {
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

    /// A NACK arrived: the packet was trimmed.
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
        self.stats.nacks += 1;
        self.give_up(config, psn);
        let size = u64::from(self.size(config, psn));
        self.cc.on_trim(&config.nscc, now, size, self.in_flight());
        // Receiver-side incast is not the path's fault; a mark on the way is.
        let path_at_fault = !nack.has(flags::TRIMMED_LAST_HOP) || nack.has(flags::ECN);
        if path_at_fault && config.balancer == Balancer::Mrc && self.evs.penalise(nack.ev) {
            watcher.ev_changed(now, self.conn, nack.ev, EvState::Skip);
        }
    }
}

/// Data packets for a message of `bytes` at `pmtu`; `None` where it has no bytes or more than 2^31 packets.
pub fn packets_of(bytes: u64, pmtu: u16) -> Option<u32> {
    let packets = bytes.div_ceil(u64::from(pmtu));
    (1..=1 << 31).contains(&packets).then_some(packets as u32)
}
