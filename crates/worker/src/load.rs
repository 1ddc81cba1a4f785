//! How busy each link was of late.

use fabric::Network;
use kernel::Time;

/// Links that are noted together.
const BLOCK: usize = 4096;
/// Blocks that are noted at most in one go: a frame has to be ready within milliseconds, and the largest fabrics have
/// millions of links. What is left over comes next time.
const BLOCKS_AT_ONCE: usize = 64;

/// Bytes sent on every link, noted twice: load is what was sent since the older note.
#[derive(Clone, Debug)]
pub struct Loads {
    span: Time,
    // By block: when its older and its newer note were taken.
    taken: Vec<(Time, Time)>,
    older: Vec<u64>,
    newer: Vec<u64>,
    next: usize,
}

impl Loads {
    /// Measures over `span` to twice as long, in very large fabrics longer; from the start of the run at first.
    pub fn new(links: u32, span: Time) -> Loads {
        let links = links as usize;
        Loads {
            span,
            taken: vec![(Time::ZERO, Time::ZERO); links.div_ceil(BLOCK)],
            older: vec![0; links],
            newer: vec![0; links],
            next: 0,
        }
    }

    /// The span that is measured over at least.
    pub fn span(&self) -> Time {
        self.span
    }

    /// From now on measures what is sent after `now`: the network was put to another time. Its ports are settled.
    pub fn restart(&mut self, network: &Network, now: Time) {
        self.taken.fill((now, now));
        for (link, sent) in (0..).zip(&mut self.newer) {
            *sent = network.port(link).tx_bytes;
        }
        self.older.copy_from_slice(&self.newer);
    }

    /// To be called at each look at the network, whose ports are settled. `effort` says how many times the usual number of
    /// links may be noted.
    pub fn note(&mut self, network: &Network, now: Time, effort: u32) {
        for _ in 0..self.taken.len().min(BLOCKS_AT_ONCE * effort as usize) {
            self.note_block(self.next, network, now);
            self.next = (self.next + 1) % self.taken.len();
        }
    }

    fn note_block(&mut self, block: usize, network: &Network, now: Time) {
        let (older, newer) = &mut self.taken[block];
        if now.saturating_sub(*newer) < self.span {
            return;
        }
        *older = std::mem::replace(newer, now);
        let links = block * BLOCK..self.newer.len().min((block + 1) * BLOCK);
        self.older[links.clone()].copy_from_slice(&self.newer[links.clone()]);
        for link in links {
            self.newer[link] = network.port(link as u32).tx_bytes;
        }
    }

    /// The span that a link's load is measured over at `now`.
    pub fn window(&self, link: u32, now: Time) -> Time {
        now.saturating_sub(self.taken[link as usize / BLOCK].0)
    }

    /// Share of a link's rate that was used, 0 to 1.
    pub fn of(&self, network: &Network, link: u32, now: Time) -> f64 {
        let window = self.window(link, now).ps();
        let port = network.port(link);
        let sent = port.tx_bytes - self.older[link as usize];
        if window == 0 || sent == 0 {
            return 0.0;
        }
        let bits = sent as f64 * 8e12;
        let rate = network.config().class(port.kind).rate_bps as f64;
        // A packet counts from the moment its first bit leaves, so a short window may hold more than fits.
        (bits / rate / window as f64).min(1.0)
    }
}
