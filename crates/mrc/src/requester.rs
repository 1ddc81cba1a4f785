//! The sending side of a QP: what to send next, on which EV, and what the answers mean.

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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
enum Fate {
    #[default]
    InFlight,
    // Declared lost or NACKed, waits for retransmission.
    Lost,
}

// One packet that was sent and is not yet acknowledged. Eight bytes, since there may be hundreds per QP.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    // Send time in units of 2^TICK ps, wrapping after 17.6 s.
    tick: u32,
    ev: u16,
    fate: Fate,
    // Transmissions so far, saturating.
    tries: u8,
}

// Send records and timeouts need no more than 4 ns.
const TICK: u32 = 12;

#[derive(Clone, Copy, Debug)]
struct Probing {
    ev: u16,
    hits: u8,
    // The probe sent last has not been answered.
    pending: bool,
    number: u32,
    next: u64,
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
            evs,
            probing: Vec::new(),
            probe_number: 0,
            cc: Nscc::new(&config.nscc),
            stats: RequesterStats::default(),
            finished: false,
        }
    }

    /// Reads one field of each of its cache lines, so that the misses overlap with other work. The value means nothing.
    #[inline]
    pub fn touch(&self) -> u32 {
        self.next_psn
            ^ self.acked.base()
            ^ self.in_flight as u32
            ^ self.evs.peek()
            ^ self.cc.cwnd() as u32
            ^ self.stats.sent as u32
            ^ u32::from(self.finished)
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
        self.payload(config, psn).next_multiple_of(config.pad) + config.header
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
        if self.in_flight() + size > self.cc.cwnd() {
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
        if last || self.in_flight() + u64::from(config.pmtu + config.header) > self.cc.cwnd() {
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
            self.timeouts_in_row = 0;
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

    /// Moves a packet from in flight to waiting for retransmission.
    fn give_up(&mut self, config: &Config, psn: u32) {
        self.in_flight -= i64::from(self.size(config, psn));
        self.record(psn).fate = Fate::Lost;
        self.lost += 1;
        self.lost_hint = self.lost_hint.min(psn);
    }

    /// Declares lost what is overdue: by the reorder window, or by timeout where `by_timeout` says so. Packets are looked
    /// at in the order of sending, so each one is looked at once.
    fn infer_losses<O: Observer>(&mut self, config: &Config, watcher: &mut O, now: u64, by_timeout: bool) {
        let rto = self.rto(config);
        let newest = self.newest_acked >> TICK;
        let reorder = (config.reorder_window >> TICK).max(1);
        let overdue = |tick: u32| {
            // Ages relative to now, so that the wrap does not matter.
            let age = u64::from(((now >> TICK) as u32).wrapping_sub(tick));
            if by_timeout {
                age << TICK >= rto
            } else {
                age > reorder + ((now >> TICK) - newest)
            }
        };
        while self.fresh < self.next_psn {
            let psn = self.fresh;
            let record = *self.record(psn);
            let settled = self.acked.get(psn) || record.fate == Fate::Lost || record.tries > 1;
            if !settled {
                if !overdue(record.tick) {
                    break;
                }
                self.lose(config, watcher, now, psn, by_timeout);
            }
            self.fresh += 1;
        }
        while let Some(&(psn, tick)) = self.resent.front() {
            let settled = psn < self.cack() || self.acked.get(psn) || {
                let record = *self.record(psn);
                record.fate == Fate::Lost || record.tick != tick
            };
            if !settled {
                if !overdue(tick) {
                    break;
                }
                self.lose(config, watcher, now, psn, by_timeout);
            }
            self.resent.pop_front();
        }
    }

    fn lose<O: Observer>(&mut self, config: &Config, watcher: &mut O, now: u64, psn: u32, by_timeout: bool) {
        let ev = self.record(psn).ev;
        self.give_up(config, psn);
        let size = u64::from(self.size(config, psn));
        self.cc.on_loss(&config.nscc, size);
        if by_timeout {
            self.stats.losses_by_timeout += 1;
        } else {
            self.stats.losses_by_order += 1;
        }
        watcher.loss_inferred(now, self.conn, psn, ev);
        if config.balancer == Balancer::Mrc && self.evs.lose(ev) {
            watcher.ev_changed(now, self.conn, ev, EvState::AssumedBad);
            let next = now + config.probe_interval;
            self.probing.push(Probing {
                ev,
                hits: 0,
                pending: false,
                number: 0,
                next,
            });
        }
    }

    fn rto(&self, config: &Config) -> u64 {
        // Linear at first, then doubling; 2^10 times the interval at most.
        let doublings = self
            .timeouts_in_row
            .saturating_sub(config.linear_timeouts)
            .min(10);
        config.rto << doublings
    }

    /// When [`on_timer`](Self::on_timer) must be called at the latest, if ever.
    pub fn deadline(&mut self, config: &Config) -> Option<u64> {
        if self.finished {
            return None;
        }
        while self.fresh < self.next_psn {
            let psn = self.fresh;
            if !self.acked.get(psn) && self.record(psn).fate == Fate::InFlight && self.record(psn).tries == 1
            {
                break;
            }
            self.fresh += 1;
        }
        while let Some(&(psn, tick)) = self.resent.front() {
            if psn >= self.cack()
                && !self.acked.get(psn)
                && self.record(psn).tick == tick
                && self.record(psn).fate == Fate::InFlight
            {
                break;
            }
            self.resent.pop_front();
        }
        let fresh = (self.fresh < self.next_psn).then(|| self.record(self.fresh).tick);
        let resent = self.resent.front().map(|&(_, tick)| tick);
        let rto = self.rto(config);
        let timeout = fresh
            .into_iter()
            .chain(resent)
            .map(|tick| self.unwrap_tick(tick) + rto)
            .min();
        let probe = self.probing.iter().map(|p| p.next).min();
        timeout.into_iter().chain(probe).min()
    }

    /// The time of a wrapped tick, rounded up, given that it is not later than what was sent last.
    fn unwrap_tick(&self, tick: u32) -> u64 {
        let reference = self.last_sent >> TICK;
        let age = (reference as u32).wrapping_sub(tick);
        (reference - u64::from(age) + 1) << TICK
    }

    /// A deadline has passed. Probes to send are appended to `out`; afterwards poll for retransmissions.
    pub fn on_timer<O: Observer>(
        &mut self,
        config: &Config,
        watcher: &mut O,
        now: u64,
        out: &mut Vec<Packet>,
    ) {
        if self.finished {
            return;
        }
        let before = self.stats.losses_by_timeout;
        self.infer_losses(config, watcher, now, true);
        if self.stats.losses_by_timeout > before {
            self.timeouts_in_row = self.timeouts_in_row.saturating_add(1);
        }
        for probing in &mut self.probing {
            if probing.next > now {
                continue;
            }
            if probing.pending {
                probing.hits = 0;
            }
            probing.pending = true;
            probing.number = self.probe_number;
            probing.next = now + config.probe_interval;
            out.push(Packet {
                conn: self.conn,
                psn: self.probe_number,
                ev: probing.ev,
                size: config.probe_size,
                sent: now,
                kind: PacketKind::Probe,
                flags: flags::CONTROL,
                ..Packet::default()
            });
            self.probe_number = self.probe_number.wrapping_add(1);
            self.stats.probes += 1;
        }
    }

    /// The answer to an EV probe arrived.
    pub fn on_probe_reply<O: Observer>(
        &mut self,
        config: &Config,
        watcher: &mut O,
        now: u64,
        reply: &Packet,
    ) {
        let Some(at) = self.probing.iter().position(|p| p.ev == reply.ev) else {
            return;
        };
        let probing = &mut self.probing[at];
        if !probing.pending || probing.number != reply.psn {
            return;
        }
        probing.pending = false;
        probing.hits += 1;
        if probing.hits >= config.probes_to_revive {
            self.probing.remove(at);
            self.evs.revive(reply.ev);
            watcher.ev_changed(now, self.conn, reply.ev, EvState::Good);
        }
    }
}

/// Data packets for a message of `bytes` at `pmtu`; `None` where it has no bytes or more than 2^31 packets.
pub fn packets_of(bytes: u64, pmtu: u16) -> Option<u32> {
    let packets = bytes.div_ceil(u64::from(pmtu));
    (1..=1 << 31).contains(&packets).then_some(packets as u32)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::nscc;
    use crate::responder::Responder;
    use kernel::rng::{below, chance, draw, threshold};

    pub(crate) fn config() -> Config {
        Config {
            pmtu: 4096,
            pad: 4,
            header: 166,
            sack_size: 182,
            nack_size: 166,
            probe_size: 158,
            probe_reply_size: 178,
            sack_every: 4096,
            mpr: 4096,
            rto: 262_144_000,
            linear_timeouts: 7,
            reorder_window: 16_000_000,
            probe_interval: 100_000_000,
            probes_to_revive: 2,
            balancer: Balancer::Mrc,
            nscc: nscc::Config {
                mtu: 4262.0,
                rate: 0.1,
                base_rtt: 8e6,
                target: 0.75,
                max_window: 1.5,
                qa_gate: 3,
                qa_threshold: f64::INFINITY,
                delay_weight: 0.0125,
                idle_delay: 1e6,
            },
        }
    }

    struct Changes(Vec<(u16, EvState)>);
    impl Observer for Changes {
        fn ev_changed(&mut self, _: u64, _: u32, ev: u16, state: EvState) {
            self.0.push((ev, state));
        }
    }

    fn requester(bytes: u64) -> Requester {
        Requester::new(&config(), 0, bytes, EvSet::new(8, (0..32).collect(), 1))
    }

    fn send(requester: &mut Requester, now: u64) -> Packet {
        match requester.poll_transmit(&config(), now, 0xff) {
            Poll::Send(packet) => packet,
            other => panic!("{other:?}"),
        }
    }

    /// The SACK that a responder would send for `cack` and one more PSN list.
    fn sack(cack: u32, beyond: &[u32], trigger: &Packet) -> Packet {
        Packet {
            kind: PacketKind::Sack,
            cack,
            bitmap: beyond.iter().fold(0, |w, psn| w | 1 << (psn - cack)),
            rcvd_bytes: (cack + beyond.len() as u32) * 4262,
            psn: trigger.psn,
            ev: trigger.ev,
            sent: trigger.sent,
            ..Packet::default()
        }
    }

    #[test]
    fn packet_counts() {
        assert_eq!(
            packets_of(2_000_000, 4086),
            Some(490),
            "the peer's 490 packets of 2 MB"
        );
        assert_eq!(packets_of(0, 4096), None);
        assert_eq!(packets_of(1 << 40, 256), None);
        let requester = requester(4097);
        assert_eq!(
            (requester.payload(&config(), 0), requester.payload(&config(), 1)),
            (4096, 1)
        );
    }

    #[test]
    fn the_window_stops_it_and_a_sack_goes_on() {
        // 1.5 BDP = 1.5 × 0.1 B/ps × 8 µs = 1,200,000 B = 281 packets.
        let mut requester = requester(10_000_000);
        let mut sent = Vec::new();
        while let Poll::Send(packet) = requester.poll_transmit(&config(), sent.len() as u64, 0xff) {
            sent.push(packet);
        }
        assert_eq!(sent.len(), 281);
        assert!(sent[280].has(flags::ACK_REQUEST), "no room for another packet");
        assert!(!sent[100].has(flags::ACK_REQUEST));
        requester.on_sack(
            &config(),
            &mut Changes(vec![]),
            9_000_000,
            &sack(10, &[], &sent[9]),
        );
        assert_eq!(requester.cack(), 10);
        assert!(matches!(
            requester.poll_transmit(&config(), 9_000_000, 0xff),
            Poll::Send(_)
        ));
    }

    #[test]
    fn a_busy_port_blocks_without_using_up_the_turn() {
        let mut requester = requester(100_000);
        let Poll::Blocked(plane) = requester.poll_transmit(&config(), 0, 0) else {
            panic!("no port is free")
        };
        let packet = send(&mut requester, 0);
        assert_eq!(requester.evs().plane(packet.ev), plane);
    }

    #[test]
    fn a_nack_leads_to_a_retransmission_on_another_ev_before_new_data() {
        let mut requester = requester(10_000_000);
        let mut watcher = Changes(vec![]);
        let sent: Vec<Packet> = (0..5).map(|i| send(&mut requester, i * 50_000)).collect();
        let nack = Packet {
            kind: PacketKind::Nack,
            ..sent[2]
        };
        requester.on_nack(&config(), &mut watcher, 8_000_000, &nack);
        assert_eq!(watcher.0, [(sent[2].ev, EvState::Skip)]);
        let again = send(&mut requester, 8_000_001);
        assert_eq!((again.psn, again.has(flags::RTX)), (2, true));
        assert_ne!(again.ev, sent[2].ev);
        // The same NACK once more is about the first transmission: nothing happens.
        requester.on_nack(&config(), &mut watcher, 8_000_002, &nack);
        assert_eq!(send(&mut requester, 8_000_003).psn, 5);
        assert_eq!(requester.stats().retransmissions, 1);
    }

    #[test]
    fn a_last_hop_trim_leaves_the_ev_alone() {
        let mut requester = requester(10_000_000);
        let mut watcher = Changes(vec![]);
        let first = send(&mut requester, 0);
        let nack = Packet {
            kind: PacketKind::Nack,
            flags: flags::TRIMMED_LAST_HOP,
            ..first
        };
        requester.on_nack(&config(), &mut watcher, 8_000_000, &nack);
        assert_eq!(watcher.0, []);
        assert_eq!(send(&mut requester, 8_000_001).psn, 0);
    }

    #[test]
    fn a_loss_is_inferred_from_later_packets_and_the_ev_probed_back() {
        let config = config();
        let mut requester = requester(10_000_000);
        let mut watcher = Changes(vec![]);
        let lost = send(&mut requester, 0);
        let near = send(&mut requester, 15_000_000);
        requester.on_sack(&config, &mut watcher, 24_000_000, &sack(0, &[1], &near));
        assert_eq!(watcher.0, [], "15 µs later is within the reorder window of 16 µs");
        let late = send(&mut requester, 17_000_000);
        requester.on_sack(&config, &mut watcher, 26_000_000, &sack(0, &[1, 2], &late));
        assert_eq!(watcher.0, [(lost.ev, EvState::AssumedBad)]);
        assert_eq!(send(&mut requester, 26_000_001).psn, 0);
        assert_eq!(requester.stats().losses_by_order, 1);

        let mut probes = Vec::new();
        for round in 1..=2 {
            let due = 26_000_000 + round * 100_000_000;
            assert_eq!(requester.deadline(&config), Some(due), "a probe every 100 µs");
            requester.on_timer(&config, &mut watcher, due, &mut probes);
            let probe = probes.pop().expect("a probe");
            assert_eq!((probe.kind, probe.ev), (PacketKind::Probe, lost.ev));
            requester.on_probe_reply(&config, &mut watcher, due + 8_000_000, &probe);
        }
        assert_eq!(watcher.0[1..], [(lost.ev, EvState::Good)]);
    }

    #[test]
    fn an_unanswered_probe_resets_the_count() {
        let config = config();
        let mut requester = requester(10_000_000);
        let mut watcher = Changes(vec![]);
        send(&mut requester, 0);
        let mut out = Vec::new();
        requester.on_timer(&config, &mut watcher, 262_144_000, &mut out);
        assert_eq!(requester.stats().losses_by_timeout, 1);
        let start = 262_144_000 + 100_000_000;
        requester.on_timer(&config, &mut watcher, start, &mut out);
        requester.on_probe_reply(&config, &mut watcher, start + 1, &out[0]);
        requester.on_timer(&config, &mut watcher, start + 100_000_000, &mut out);
        requester.on_timer(&config, &mut watcher, start + 200_000_000, &mut out);
        requester.on_probe_reply(&config, &mut watcher, start + 200_000_001, &out[2]);
        assert_eq!(
            watcher.0,
            [(out[0].ev, EvState::AssumedBad)],
            "one, none, one is not two in a row"
        );
        requester.on_probe_reply(&config, &mut watcher, start + 200_000_002, &out[2]);
        assert_eq!(watcher.0.len(), 1, "the same answer does not count twice");
    }

    #[test]
    fn timeouts_are_linear_then_double() {
        let config = config();
        let mut requester = requester(4096);
        let mut watcher = Changes(vec![]);
        let (mut now, mut gaps) = (0, Vec::new());
        for _ in 0..10 {
            send(&mut requester, now);
            let mut out = Vec::new();
            loop {
                let due = requester.deadline(&config).expect("a deadline");
                requester.on_timer(&config, &mut watcher, due, &mut out);
                if requester.waiting_retransmissions() > 0 {
                    gaps.push((due - now + config.rto / 2) / config.rto);
                    now = due;
                    break;
                }
            }
        }
        assert_eq!(gaps, [1, 1, 1, 1, 1, 1, 1, 1, 2, 4]);
    }

    /// Two endpoints over a pipe that delays, reorders, loses and trims: every byte arrives once.
    #[test]
    fn every_byte_is_placed_once_over_a_bad_pipe() {
        for seed in 0..30u64 {
            let config = Config {
                sack_every: if seed % 2 == 0 { 4096 } else { 16_384 },
                ..config()
            };
            let bytes = 1 + below(draw(seed, 1), 3_000_000);
            let mut requester = Requester::new(&config, 0, bytes, EvSet::new(4, (0..16).collect(), seed));
            let mut responder = Responder::new(requester.packets());
            let mut watcher = Changes(vec![]);
            // (arrival, number, towards the responder, packet)
            let mut pipe: std::collections::BTreeMap<(u64, u64), (bool, Packet)> = Default::default();
            let (mut now, mut number) = (0u64, 0u64);
            let mut put = |pipe: &mut std::collections::BTreeMap<_, _>, now, forward, mut packet: Packet| {
                number += 1;
                let bits = draw(seed ^ 0x55, number);
                if chance(bits, threshold(0.02)) {
                    return;
                }
                if forward && packet.kind == PacketKind::Data && chance(draw(bits, 1), threshold(0.05)) {
                    packet.flags |= flags::TRIMMED | flags::CONTROL;
                }
                if chance(draw(bits, 2), threshold(0.1)) {
                    packet.flags |= flags::ECN;
                }
                pipe.insert(
                    (now + 4_000_000 + below(draw(bits, 3), 9_000_000), number),
                    (forward, packet),
                );
            };
            let mut steps = 0;
            while !requester.is_finished() {
                steps += 1;
                assert!(steps < 200_000, "seed {seed} does not end: {requester:?}");
                if let Poll::Send(packet) = requester.poll_transmit(&config, now, 0xff) {
                    put(&mut pipe, now, true, packet);
                    now += 42_620;
                    continue;
                }
                let due = requester.deadline(&config);
                let next = pipe.first_key_value().map(|(k, _)| k.0);
                if next.is_none() || due.is_some_and(|d| Some(d) < next) {
                    now = now.max(due.expect("unfinished, nothing under way: there is a deadline"));
                    let mut out = Vec::new();
                    requester.on_timer(&config, &mut watcher, now, &mut out);
                    for probe in out {
                        put(&mut pipe, now, true, probe);
                    }
                    continue;
                }
                let ((at, _), (forward, packet)) = pipe.pop_first().expect("not empty");
                now = now.max(at);
                match (forward, packet.kind) {
                    (true, PacketKind::Data) => {
                        if let Some(reply) = responder.on_data(&config, &packet) {
                            put(&mut pipe, now, false, reply);
                        }
                    }
                    (true, _) => put(&mut pipe, now, false, responder.on_probe(&config, &packet)),
                    (false, PacketKind::Sack) => requester.on_sack(&config, &mut watcher, now, &packet),
                    (false, PacketKind::Nack) => requester.on_nack(&config, &mut watcher, now, &packet),
                    (false, _) => requester.on_probe_reply(&config, &mut watcher, now, &packet),
                }
            }
            assert_eq!(responder.stats().placed_bytes, bytes, "seed {seed}");
            assert_eq!(responder.stats().placed, u64::from(requester.packets()));
            assert_eq!(responder.cack(), requester.packets());
            assert_eq!(requester.in_flight, 0, "seed {seed}: the books balance");
        }
    }
}
