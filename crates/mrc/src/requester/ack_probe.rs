//! Reliability probes: a requester that waits and hears nothing asks for the responder's view (PETH; facts 1.7).
//!
//! A packet that is lost at the end of a burst has no successor whose acknowledgement would tell. The probe takes the
//! successor's place without using a PSN. It travels in the control class and overtakes data, so it speaks
//! only of packets that were sent that much earlier as it waited (our choice; the public record names the probe, not its timer).

use super::{Observer, Requester};
use crate::config::Config;
use fabric::packet::{Packet, PacketKind, flags};

/// When the last packet was sent and the last news came, and the probes under way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AckProbe {
    // The later of the last transmission and the last news.
    quiet_since: u64,
    // When the first of the probes under way was sent; 0 without one.
    pending: u64,
    // When the latest was sent, and how many came before it.
    asked: u64,
    repeats: u32,
    number: u32,
}

impl AckProbe {
    #[inline]
    pub(super) fn sent(&mut self, now: u64) {
        self.quiet_since = now;
    }

    #[inline]
    pub(super) fn heard(&mut self, now: u64) {
        self.quiet_since = now;
        self.pending = 0;
    }

    #[inline]
    pub(super) fn is_pending(&self) -> bool {
        self.pending > 0
    }

    /// Probes without an answer count as a timeout.
    pub(super) fn is_overdue(&self, config: &Config, tries: u32, now: u64) -> bool {
        self.pending > 0 && now >= self.pending + config.timeout(tries)
    }

    fn ask(&mut self, now: u64, overdue: bool) {
        let first = self.pending == 0 || overdue;
        self.repeats = if first { 0 } else { self.repeats + 1 };
        self.asked = now.max(1);
        if first {
            self.pending = self.asked;
        }
        self.number = self.number.wrapping_add(1);
    }
}

impl Requester {
    /// When the next probe is due.
    #[inline]
    pub(super) fn ack_probe_due(&self, config: &Config) -> Option<u64> {
        // A lost ACK or lost credit can only be asked for.
        let starved = self.is_starved(config);
        let after = match config.ack_probe_after {
            0 if self.cack() == self.next_psn || starved => config.rto,
            0 => return None,
            after => after,
        };
        // What is to be sent again, and has room in the window, will bring news by itself.
        let goes_on = self.lost > 0 && self.has_room(config) && self.has_credit();
        if goes_on || !self.is_waiting() && !starved {
            return None;
        }
        let probe = &self.ack_probe;
        // After fruitless ones ever more slowly, like everything that is tried again.
        Some(if probe.pending > 0 {
            // A probe or its answer may have met what is broken: the next one goes over another EV.
            let again = after << (probe.repeats + self.timeouts_in_row).min(16);
            (probe.asked + again).min(probe.pending + self.rto(config))
        } else {
            probe.quiet_since + (after << self.timeouts_in_row.min(16))
        })
    }

    /// Sends a probe if one is due; `overdue` ends the patience with those under way.
    pub(super) fn probe_for_sack(&mut self, config: &Config, now: u64, overdue: bool, out: &mut Vec<Packet>) {
        if self.ack_probe_due(config).is_none_or(|due| due > now && !overdue) {
            return;
        }
        self.ack_probe.ask(now, overdue);
        self.stats.ack_probes += 1;
        out.push(Packet {
            conn: self.conn,
            psn: self.ack_probe.number,
            ev: self.evs.take(),
            size: config.ack_probe_size,
            sent: now,
            kind: PacketKind::AckProbe,
            flags: flags::CONTROL,
            ..self.credit_request(config)
        });
    }

    /// The answer to a probe arrived: what it shows as missing, and was sent long before the probe, is lost.
    pub(super) fn infer_from_probe<O: Observer>(
        &mut self,
        config: &Config,
        watcher: &mut O,
        now: u64,
        sack: &Packet,
        progress: bool,
    ) {
        let start = sack.cack + u32::from(sack.sack_offset);
        let before = self.lost;
        for psn in start.max(self.cack())..start.saturating_add(64).min(self.next_psn) {
            if self.is_overtaken(config, psn, sack.sent, now) {
                self.lose_one(config, watcher, now, psn);
            }
        }
        // The answer brings nothing: packets are lost again, or the ACK that it should go with is missing.
        let expected = self.lost > before || self.cack() == self.next_psn;
        if !progress && expected && !self.is_starved(config) {
            self.note_timeout(config, watcher, now);
        }
    }
}
