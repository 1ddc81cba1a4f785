//! What is under way, what is overdue, and when to look again.

use super::{Observer, Requester};
use crate::config::{Balancer, Config};
use crate::evs::Feedback;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Fate {
    #[default]
    InFlight,
    // Declared lost or NACKed, waits for retransmission.
    Lost,
}

// One packet that was sent and is not yet acknowledged. Eight bytes, since there may be hundreds per QP.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Record {
    // Send time in units of 2^TICK ps, wrapping after 70 s: four times the longest timeout.
    pub(super) tick: u32,
    pub(super) ev: u16,
    pub(super) fate: Fate,
    // Transmissions so far, saturating.
    pub(super) tries: u8,
}

// Send records and timeouts need no more than 16 ns.
pub(super) const TICK: u32 = 14;

impl Requester {
    /// Moves a packet from in flight to waiting for retransmission.
    pub(super) fn give_up(&mut self, config: &Config, psn: u32) {
        self.in_flight -= i64::from(self.size(config, psn));
        self.record(psn).fate = Fate::Lost;
        self.lost += 1;
        self.lost_hint = self.lost_hint.min(psn);
    }

    /// Declares one packet lost that is under way.
    pub(super) fn lose_one<O: Observer>(&mut self, config: &Config, watcher: &mut O, now: u64, psn: u32) {
        self.lose(config, watcher, now, psn, false);
    }

    /// True for a packet under way that a probe sent at `before` should have overtaken.
    pub(super) fn is_overtaken(&mut self, config: &Config, psn: u32, before: u64, now: u64) -> bool {
        let record = *self.record(psn);
        let age = u64::from(((now >> TICK) as u32).wrapping_sub(record.tick)) << TICK;
        // Ages are of whole ticks.
        let overtaken = age + (1 << TICK) > now - before + config.ack_probe_after;
        !self.acked.get(psn) && record.fate == Fate::InFlight && overtaken
    }

    /// Declares lost what is overdue: by the reorder window, or by timeout where `by_timeout` says so. Packets are looked
    /// at in the order of sending, so each one is looked at once.
    pub(super) fn infer_losses<O: Observer>(
        &mut self,
        config: &Config,
        watcher: &mut O,
        now: u64,
        by_timeout: bool,
    ) {
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
        while let Some((psn, tick)) = self.oldest_fresh() {
            if !overdue(tick) {
                break;
            }
            self.lose(config, watcher, now, psn, by_timeout);
        }
        while let Some((psn, tick)) = self.oldest_resent() {
            if !overdue(tick) {
                break;
            }
            self.lose(config, watcher, now, psn, by_timeout);
        }
    }

    /// The first transmission that was sent first of those that are under way: PSN and send tick.
    #[inline]
    fn oldest_fresh(&mut self) -> Option<(u32, u32)> {
        while self.fresh < self.next_psn {
            let psn = self.fresh;
            let record = *self.record(psn);
            if !self.acked.get(psn) && record.fate == Fate::InFlight && record.tries == 1 {
                return Some((psn, record.tick));
            }
            self.fresh += 1;
        }
        None
    }

    /// The retransmission that was sent first of those that are under way.
    #[inline]
    fn oldest_resent(&mut self) -> Option<(u32, u32)> {
        while let Some(&(psn, tick)) = self.resent.front() {
            if psn >= self.cack() && !self.acked.get(psn) {
                let record = *self.record(psn);
                if record.fate == Fate::InFlight && record.tick == tick {
                    return Some((psn, tick));
                }
            }
            self.resent.pop_front();
        }
        None
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
        if config.balancer == Balancer::Mrc {
            self.retire(config, watcher, now, ev);
        } else {
            self.feed(watcher, now, ev, Feedback::Lost);
        }
    }

    /// The timeout in force.
    pub(super) fn rto(&self, config: &Config) -> u64 {
        config.timeout(self.timeouts_in_row)
    }

    /// When [`on_timer`](Self::on_timer) must be called at the latest, if ever.
    pub fn deadline(&mut self, config: &Config) -> Option<u64> {
        if self.finished {
            return None;
        }
        let fresh = self.oldest_fresh().map(|(_, tick)| tick);
        let resent = self.oldest_resent().map(|(_, tick)| tick);
        let rto = self.rto(config);
        let timeout = fresh
            .into_iter()
            .chain(resent)
            .map(|tick| self.unwrap_tick(tick) + rto)
            .min();
        let probe = self.probing.iter().map(|p| p.next).min();
        let ack_probe = self.ack_probe_due(config);
        [timeout, probe, ack_probe, self.ports.deadline()]
            .into_iter()
            .flatten()
            .min()
    }

    /// The time of a wrapped tick, rounded up, given that it is not later than what was sent last.
    fn unwrap_tick(&self, tick: u32) -> u64 {
        let reference = self.last_sent >> TICK;
        let age = (reference as u32).wrapping_sub(tick);
        (reference - u64::from(age) + 1) << TICK
    }
}
