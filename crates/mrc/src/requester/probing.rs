//! Timers and EV probes: EVs that are ASSUMED_BAD are tested in the background until they work again.

use super::{Observer, Requester};
use crate::config::Config;
use crate::evs::EvState;
use fabric::packet::{Packet, PacketKind, flags};

#[derive(Clone, Copy, Debug)]
pub(super) struct Probing {
    pub(super) ev: u16,
    pub(super) hits: u8,
    // The probe sent last has not been answered.
    pub(super) pending: bool,
    pub(super) number: u32,
    pub(super) next: u64,
}

impl Requester {
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
