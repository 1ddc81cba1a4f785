//! Selective repeat: which packets are missing at the responder (IRN §3.1).

use rdma::PsnBits;

/// What is known of the packets from the lowest unacknowledged one on.
#[derive(Clone, Debug)]
pub(super) struct Missing {
    arrived: PsnBits,
    // Sent again since it was found missing.
    resent: PsnBits,
    // One beyond the highest PSN that is known to have arrived.
    top: u32,
    // After a timeout: everything below counts as missing that has not arrived.
    given_up: u32,
    // Nothing below is missing and not yet sent again.
    hint: u32,
}

impl Default for Missing {
    fn default() -> Missing {
        Missing {
            arrived: PsnBits::new(64),
            resent: PsnBits::new(64),
            top: 0,
            given_up: 0,
            hint: 0,
        }
    }
}

impl Missing {
    /// The lowest missing PSN that has not been sent again. A packet is missing when one `reorder` PSNs higher has arrived (IRN:
    /// any higher one). Sent again and lost again, it is found by timeout only, as in IRN.
    pub fn lowest(&mut self, cack: u32, reorder: u32) -> Option<u32> {
        let end = self.given_up.max(self.top.saturating_sub(reorder.max(1)));
        let mut psn = self.hint.max(cack);
        while psn < end && (self.arrived.get(psn) || self.resent.get(psn)) {
            psn += 1;
        }
        self.hint = psn;
        (psn < end).then_some(psn)
    }

    /// A missing packet is sent again.
    pub fn note_sent(&mut self, psn: u32) {
        self.resent.reserve(psn);
        self.resent.set(psn);
    }

    /// A packet arrived out of order. Says whether that is news.
    pub fn note_arrived(&mut self, psn: u32) -> bool {
        if self.arrived.get(psn) {
            return false;
        }
        self.arrived.reserve(psn);
        self.arrived.set(psn);
        self.top = self.top.max(psn + 1);
        true
    }

    /// All below `cack` has arrived.
    pub fn forget_below(&mut self, cack: u32) {
        self.arrived.advance(cack);
        self.resent.advance(cack);
    }

    /// A timeout: what was sent so far, up to `highest`, and has not arrived is missing, once more where it was sent again.
    pub fn give_up_below(&mut self, highest: u32, cack: u32) {
        self.given_up = highest;
        self.resent.clear();
        self.hint = cack;
    }
}
