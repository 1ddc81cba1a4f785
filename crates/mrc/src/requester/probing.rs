//! Timers and EV probes: EVs that are ASSUMED_BAD are tested in the background until they work again.

use super::{Observer, QpError, Requester};
use crate::config::Config;
use fabric::packet::{Packet, PacketKind, flags};

/// The probing of one EV. At most one probe is under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probing {
    ev: u16,
    hits: u8,
    // Probes in a row without an answer.
    misses: u32,
    // The probe sent last has not been answered.
    pending: bool,
    number: u32,
    sent: u64,
    // When the next probe is due, or the one under way counts as lost.
    pub(super) next: u64,
}

impl Probing {
    pub(super) fn new(ev: u16, next: u64) -> Probing {
        Probing {
            ev,
            hits: 0,
            misses: 0,
            pending: false,
            number: 0,
            sent: 0,
            next,
        }
    }
}

// After so many probes in a row without an answer the time between them doubles, and after as many again once more.
const MISSES_TO_SLOW_DOWN: u32 = 16;
const MOST_DOUBLINGS: u32 = 2;

impl Requester {
    /// Nothing came in time. Packets that were sent together time out one after the other: that is one timeout.
    pub(super) fn note_timeout<O: Observer>(&mut self, config: &Config, watcher: &mut O, now: u64) {
        let rto = self.rto(config);
        if self.timeouts_in_row == 0 || now >= self.last_timeout.saturating_add(rto) {
            self.timeouts_in_row = self.timeouts_in_row.saturating_add(1);
            self.last_timeout = now;
            watcher.timed_out(now, self.conn, self.timeouts_in_row);
        }
    }

    /// A deadline has passed. Requests to send (probes, port status) are appended to `out`; afterwards poll for
    /// retransmissions.
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
        let overdue = self.ack_probe.is_overdue(config, self.timeouts_in_row, now);
        if self.stats.losses_by_timeout > before || overdue {
            self.note_timeout(config, watcher, now);
        }
        if config.gives_up(self.timeouts_in_row) {
            return self.fail(watcher, now, QpError::RetriesExceeded);
        }
        self.probe_for_sack(config, now, overdue, out);
        if let Some(update) = self.ports.poll(config, now, self.conn, false) {
            let ev = self.evs.take();
            out.push(Packet { ev, ..update });
        }
        for probing in &mut self.probing {
            if probing.next > now {
                continue;
            }
            if probing.pending {
                probing.hits = 0;
                probing.misses = probing.misses.saturating_add(1);
            }
            probing.pending = true;
            probing.number = self.probe_number;
            probing.sent = now;
            // Our choice: a probe travels in the control class, so an answer that takes four base RTTs is not coming.
            let patience = config.probe_interval.max(4 * config.nscc.base_rtt as u64);
            // Our choice: a path that stays dead is asked more rarely.
            probing.next = now + (patience << (probing.misses / MISSES_TO_SLOW_DOWN).min(MOST_DOUBLINGS));
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
        probing.misses = 0;
        probing.next = (probing.sent + config.probe_interval).max(now);
        if reply.has(flags::ALWAYS_SKIP) {
            probing.hits = 0;
            return;
        }
        probing.hits += 1;
        if probing.hits >= config.probes_to_revive {
            self.probing.remove(at);
            self.hurry(config, reply.ev, now);
            let before = self.evs.state(reply.ev);
            self.evs.revive(reply.ev, reply.has(flags::ECN));
            let after = self.evs.state(reply.ev);
            if after != before {
                watcher.ev_changed(now, self.conn, reply.ev, before, after);
            }
        }
    }

    /// An EV is back: the others of its plane may be, too, and are asked at the full rate again (our choice).
    fn hurry(&mut self, config: &Config, ev: u16, now: u64) {
        let plane = self.evs.plane(ev);
        for probing in &mut self.probing {
            if self.evs.plane(probing.ev) == plane && probing.misses >= MISSES_TO_SLOW_DOWN {
                probing.misses = 0;
                probing.next = probing.next.min(now + config.probe_interval);
            }
        }
    }
}
