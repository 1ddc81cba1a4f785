//! What is under way, what is overdue, and when to look again.

use super::{Observer, Requester};
use crate::config::{Balancer, Config};
use crate::evs::EvState;
use crate::requester::probing::Probing;

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

// Longest timeout of the companion API: 1.024 µs × 2^24 (facts 1.7).
const LONGEST_TIMEOUT: u64 = 1_024_000 << 24;

impl Requester {
    /// Moves a packet from in flight to waiting for retransmission.
    pub(super) fn give_up(&mut self, config: &Config, psn: u32) {
        self.in_flight -= i64::from(self.size(config, psn));
        self.record(psn).fate = Fate::Lost;
        self.lost += 1;
        self.lost_hint = self.lost_hint.min(psn);
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
            self.probing.push(Probing::new(ev, next));
        }
    }

    /// The timeout in force: linear at first, then doubling.
    pub(super) fn rto(&self, config: &Config) -> u64 {
        let doublings = self
            .timeouts_in_row
            .saturating_sub(config.linear_timeouts)
            .min(25);
        config.rto.saturating_mul(1 << doublings).min(LONGEST_TIMEOUT)
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
}
