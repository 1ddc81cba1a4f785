//! How busy each link was of late.

use fabric::Network;
use kernel::Time;

/// Bytes sent on every link, looked at twice: load is what was sent since the older look.
#[derive(Clone, Debug)]
pub struct Loads {
    span: Time,
    older: Look,
    newer: Look,
}

#[derive(Clone, Debug)]
struct Look {
    at: Time,
    sent: Vec<u64>,
}

impl Loads {
    /// Measures over `span` to twice as long; from the start of the run at first.
    pub fn new(links: u32, span: Time) -> Loads {
        let start = Look {
            at: Time::ZERO,
            sent: vec![0; links as usize],
        };
        Loads {
            span,
            older: start.clone(),
            newer: start,
        }
    }

    /// To be called at each look at the network, whose ports are settled.
    pub fn note(&mut self, network: &Network, now: Time) {
        if now.saturating_sub(self.newer.at) < self.span {
            return;
        }
        std::mem::swap(&mut self.older, &mut self.newer);
        self.newer.at = now;
        for (link, sent) in self.newer.sent.iter_mut().enumerate() {
            *sent = network.port(link as u32).tx_bytes;
        }
    }

    /// The span that loads are measured over at `now`.
    pub fn window(&self, now: Time) -> Time {
        now.saturating_sub(self.older.at)
    }

    /// Share of a link's rate that was used, 0 to 1.
    pub fn of(&self, network: &Network, link: u32, now: Time) -> f64 {
        let window = self.window(now).ps();
        if window == 0 {
            return 0.0;
        }
        let port = network.port(link);
        let bits = (port.tx_bytes - self.older.sent[link as usize]) as f64 * 8e12;
        let rate = network.config().class(port.kind).rate_bps as f64;
        // A packet counts from the moment its first bit leaves, so a short window may hold more than fits.
        (bits / rate / window as f64).min(1.0)
    }
}
