//! Receiver credit at the sender ([`crate::rccc`]).

use super::Requester;
use crate::config::Config;
use fabric::packet::Packet;

impl Requester {
    /// True where credit is left, or where there is no such thing.
    #[inline]
    pub(super) fn has_credit(&self) -> bool {
        self.credit.is_none_or(|credit| credit.left() > 0)
    }

    #[inline]
    pub(super) fn spend_credit(&mut self, size: u16) {
        if let Some(credit) = &mut self.credit {
            credit.spend(size.into());
        }
    }

    /// There is something to send that credit alone holds back.
    #[inline]
    pub(super) fn is_starved(&self, config: &Config) -> bool {
        !self.has_credit()
            && (self.lost > 0 || self.next_psn < self.end && self.may_begin(config, self.next_psn))
    }

    /// What a reliability probe says of credit: the PSNs posted so far (in `cack`), and what has to be allowed in all for them and
    /// for what was lost (in `rcvd_bytes`).
    pub(super) fn credit_request(&self, config: &Config) -> Packet {
        let Some(credit) = &self.credit else {
            return Packet::default();
        };
        let packets = u64::from(self.end - self.next_psn + self.lost);
        // The last packet of a message may be short: a little too much is asked for.
        let backlog = packets * u64::from(config.data_size(config.pmtu));
        Packet {
            cack: self.end,
            rcvd_bytes: credit.target(backlog.min(1 << 30) as u32),
            ..Packet::default()
        }
    }

    /// A credit packet arrived.
    pub fn on_credit(&mut self, now: u64, packet: &Packet) {
        let Some(credit) = &mut self.credit else { return };
        if !self.finished && credit.allow(packet.rcvd_bytes) {
            self.ack_probe.heard(now);
        }
    }
}
