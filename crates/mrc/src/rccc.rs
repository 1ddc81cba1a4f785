//! RCCC: UET's receiver credit, beside NSCC (UET 1.0 §3.6.14; uet-htsim's `receiver_cc`). MRC has no such thing.
//!
//! A sender may have sent as many wire bytes as its receiver has allowed. It begins with an allowance of its own, so that
//! nothing waits for a first credit; afterwards the receiving NIC hands out credit among those that need some, in turn and
//! at the pace of its link. So the last hop is asked for no more than it can carry, but for the first window of each sender.
//!
//! From UET and uet-htsim: cumulative credit, the allowance at the start, four packets a grant, turns, a pace just below the
//! line rate (0.99), a sender that may send as long as any credit is left, a trim on the last hop that does not touch
//! NSCC's window.
//!
//! Our choices:
//! - What a sender needs is read from the length of its messages, which RETH carries in every packet; UET has a field for
//!   it (the credit target). What was trimmed is needed again. A sender that runs out of credit and hears nothing says in
//!   its reliability probe what it needs.
//! - The pacer keeps account of what is on its way: credit is handed out only as long as the link will have delivered all
//!   that was allowed before within [`Config::horizon`]. A first window is on this account from its first packet on, and
//!   what of it arrives trimmed is taken off. Without this, credit at the line rate would keep full the queue that the
//!   first windows fill. The headers of trimmed packets stay on it: in a large incast they are a window of their own.
//! - When nothing more is needed, a sender whose stream goes on gets its starting allowance again at once, unpaced.

use std::collections::VecDeque;

/// Settings. Bytes are wire bytes, times ps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// What a sender may send before it has heard anything, bytes.
    pub start: u32,
    /// Bytes of a grant.
    pub grant: u32,
    /// The pace, bytes per ps.
    pub rate: f64,
    /// RTT of a packet on the longest idle path: data arrives that much after the grant for it was sent.
    pub base_rtt: u64,
    /// Credit is handed out when the link will have delivered all of it within this time.
    pub horizon: u64,
    /// Wire bytes of a credit packet.
    pub packet_size: u16,
}

impl Config {
    /// The pace as a share of the link's rate (uet-htsim).
    pub const PACE: f64 = 0.99;
    /// Full packets of a grant (UET 1.0, as uet-htsim quotes it).
    pub const PACKETS_PER_GRANT: u32 = 4;
    /// The horizon in base RTTs (our choice): what lies beyond one is the queue that keeps the link busy.
    pub const HORIZON: f64 = 1.25;

    /// For a NIC of `rate` bytes per ps, packets of `full` wire bytes and windows of `window` bytes.
    pub fn new(rate: f64, base_rtt: u64, full: u16, window: u64, packet_size: u16) -> Config {
        Config {
            start: window.min(1 << 30) as u32,
            grant: Config::PACKETS_PER_GRANT * u32::from(full),
            rate: Config::PACE * rate,
            base_rtt,
            horizon: (Config::HORIZON * base_rtt as f64) as u64,
            packet_size,
        }
    }

    fn time_of(&self, bytes: u64) -> u64 {
        (bytes as f64 / self.rate) as u64
    }
}

/// The sender's side of a QP: bytes allowed and bytes sent, modulo 2^32.
#[derive(Clone, Copy, Debug)]
pub struct Credit {
    allowed: u32,
    sent: u32,
}

impl Credit {
    /// Credit at the start.
    pub fn new(start: u32) -> Credit {
        Credit {
            allowed: start,
            sent: 0,
        }
    }

    /// What is left; below zero after a packet that was larger than what was left.
    #[inline]
    pub fn left(&self) -> i32 {
        self.allowed.wrapping_sub(self.sent) as i32
    }

    /// A packet is sent.
    #[inline]
    pub fn spend(&mut self, bytes: u32) {
        self.sent = self.sent.wrapping_add(bytes);
    }

    /// The receiver has allowed so many bytes in all. True when that is news: credit packets may overtake each other.
    pub fn allow(&mut self, allowed: u32) -> bool {
        let news = (allowed.wrapping_sub(self.allowed) as i32) > 0;
        if news {
            self.allowed = allowed;
        }
        news
    }

    /// The bytes that have to be allowed in all for `backlog` more to be sent.
    pub fn target(&self, backlog: u32) -> u32 {
        self.sent.wrapping_add(backlog)
    }
}

/// The receiver's side of a QP: bytes needed and bytes allowed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Demand {
    needed: u64,
    allowed: u64,
    // On its NIC's list of those that get credit.
    queued: bool,
}

/// What the pacer has to know of a change at a QP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// Bytes that are on their way without having been handed out by the pacer.
    pub taken: u64,
    /// Bytes that were expected and do not come: they were cut off.
    pub trimmed: u64,
    /// The QP needs credit now, and did not before.
    pub needs: bool,
}

impl Demand {
    /// Nothing needed yet; the sender has its allowance.
    pub fn new(start: u32) -> Demand {
        Demand {
            needed: 0,
            allowed: start.into(),
            queued: false,
        }
    }

    /// `bytes` more will be sent. What is allowed already is on its way.
    pub fn need(&mut self, bytes: u64) -> News {
        let ahead = self.allowed.saturating_sub(self.needed);
        self.needed += bytes;
        News {
            taken: bytes.min(ahead),
            needs: self.queue(),
            ..News::default()
        }
    }

    /// A packet of `bytes` came that was not needed: it took credit from one that is.
    pub fn again(&mut self, bytes: u64) -> News {
        self.needed += bytes;
        News {
            needs: self.queue(),
            ..News::default()
        }
    }

    /// A packet of `bytes` came trimmed to `left` bytes: as much will be sent again.
    pub fn trimmed(&mut self, bytes: u64, left: u64) -> News {
        News {
            trimmed: bytes.saturating_sub(left),
            ..self.need(bytes)
        }
    }

    /// The sender asks for `target` bytes to be allowed in all (modulo 2^32).
    pub fn ask(&mut self, target: u32) -> News {
        let more = target.wrapping_sub(self.needed as u32) as i32;
        self.need(u64::try_from(more).unwrap_or(0))
    }

    fn queue(&mut self) -> bool {
        let needs = self.needed > self.allowed && !self.queued;
        self.queued |= needs;
        needs
    }

    /// Hands out a grant, at most what is needed. Returns its bytes.
    pub fn grant(&mut self, config: &Config) -> u64 {
        let bytes = self.needed.saturating_sub(self.allowed).min(config.grant.into());
        self.allowed += bytes;
        self.queued = self.needed > self.allowed;
        bytes
    }

    /// Gives a sender whose stream goes on for `rest` bytes beyond what is needed its starting allowance again, when an
    /// eighth of it or more is used up. True when something was given.
    pub fn top_up(&mut self, config: &Config, rest: u64) -> bool {
        if self.needed > self.allowed {
            return false;
        }
        let (ahead, full) = (self.allowed - self.needed, rest.min(config.start.into()));
        // An eighth: with less left the sender might run dry before the credit packet comes.
        let given = ahead < full && ahead < u64::from(config.start - config.start / 8);
        if given {
            self.allowed = self.needed + full;
        }
        given
    }

    /// True while it waits for its turn at the pacer.
    pub fn is_queued(&self) -> bool {
        self.queued
    }

    /// Bytes allowed in all, as a credit packet carries it.
    pub fn allowed(&self) -> u32 {
        self.allowed as u32
    }
}

/// What one NIC hands out, to whom and when.
#[derive(Clone, Debug, Default)]
pub struct Pacer {
    // QPs that need credit, in turn; each is here once.
    waiting: VecDeque<u32>,
    // When the link will have delivered all that was allowed.
    delivered: u64,
}

impl Pacer {
    /// Something has changed at QP `conn`.
    pub fn note(&mut self, config: &Config, now: u64, conn: u32, news: News) {
        if news.taken > 0 {
            self.delivered = self.delivered.max(now) + config.time_of(news.taken);
        }
        self.delivered = self.delivered.saturating_sub(config.time_of(news.trimmed));
        if news.needs {
            self.waiting.push_back(conn);
        }
    }

    /// When the next grant is due; none without a QP that waits.
    pub fn due(&self, config: &Config) -> Option<u64> {
        (!self.waiting.is_empty()).then(|| self.delivered.saturating_sub(config.horizon))
    }

    /// The QP whose turn it is at `now`, if a grant is due.
    pub fn next(&mut self, config: &Config, now: u64) -> Option<u32> {
        if self.due(config)? > now {
            return None;
        }
        self.waiting.pop_front()
    }

    /// QP `conn` was granted `bytes`; it waits again when it needs more.
    pub fn granted(&mut self, config: &Config, now: u64, conn: u32, bytes: u64, more: bool) {
        self.delivered = self.delivered.max(now + config.base_rtt) + config.time_of(bytes);
        if more {
            self.waiting.push_back(conn);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.1 B/ps (800 Gb/s) without the margin, 4,000 B packets, a base RTT of 8 µs: a grant is 16,000 B or 160 ns; the
    /// horizon is 10 µs.
    fn config() -> Config {
        Config {
            rate: 0.1,
            ..Config::new(0.1, 8_000_000, 4_000, 1_000_000, 100)
        }
    }

    #[test]
    fn values_follow_from_link_and_packets() {
        let config = Config::new(0.1, 8_000_000, 4_262, 1_200_000, 150);
        assert_eq!((config.start, config.grant), (1_200_000, 4 * 4_262));
        assert!((config.rate - 0.099).abs() < 1e-12);
        assert_eq!(config.horizon, 10_000_000);
    }

    #[test]
    fn a_sender_may_overdraw_by_a_packet_and_counts_wrap() {
        let mut credit = Credit::new(6_000);
        credit.spend(4_000);
        assert_eq!(credit.left(), 2_000);
        credit.spend(4_000);
        assert_eq!(credit.left(), -2_000);
        assert!(credit.allow(12_000) && !credit.allow(9_000), "older news");
        assert_eq!((credit.left(), credit.target(20_000)), (4_000, 28_000));
        let mut late = Credit {
            allowed: u32::MAX - 1_000,
            sent: u32::MAX - 3_000,
        };
        late.spend(4_000);
        assert_eq!(late.left(), -2_000);
        assert!(late.allow(5_000) && late.left() == 4_001);
    }

    #[test]
    fn what_was_allowed_at_the_start_is_taken_and_the_rest_is_needed() {
        let mut demand = Demand::new(1_000_000);
        let news = demand.need(600_000);
        assert_eq!((news.taken, news.needs), (600_000, false));
        // Of 600,000 B more 400,000 B are allowed already.
        let news = demand.need(600_000);
        assert_eq!((news.taken, news.needs), (400_000, true));
        assert!(!demand.need(1).needs, "it waits already");
        assert_eq!(demand.grant(&config()), 16_000);
        assert_eq!(demand.allowed(), 1_016_000);
        assert!(demand.is_queued());
        while demand.is_queued() {
            demand.grant(&config());
        }
        assert_eq!(demand.allowed(), 1_200_001, "no more than is needed");
    }

    #[test]
    fn a_trimmed_packet_is_needed_again_and_a_sender_can_ask() {
        let mut demand = Demand::new(10_000);
        demand.need(10_000);
        let news = demand.trimmed(4_000, 100);
        assert_eq!((news.taken, news.trimmed, news.needs), (0, 3_900, true));
        assert_eq!(demand.grant(&config()), 4_000);
        // It has sent 14,000 B so far, of which 4,000 were lost on the way, and a message of 8,000 more was posted.
        assert!(demand.ask(26_000).needs);
        assert_eq!(demand.grant(&config()), 12_000);
        assert!(!demand.ask(26_000).needs && !demand.ask(25_000).needs, "old news");
    }

    #[test]
    fn a_stream_that_goes_on_gets_its_allowance_again() {
        let config = config();
        let mut demand = Demand::new(1_000_000);
        demand.need(100_000);
        assert!(!demand.top_up(&config, 5_000_000), "900,000 B are left");
        demand.need(300_000);
        assert!(
            demand.top_up(&config, 5_000_000),
            "600,000 B are less than 875,000 B"
        );
        assert_eq!(demand.allowed(), 1_400_000);
        demand.need(900_000);
        // 100,000 B are left, and the stream has 50,000 B more.
        assert!(!demand.top_up(&config, 50_000));
        assert!(demand.top_up(&config, 150_000));
        assert_eq!(demand.allowed(), 1_450_000);
        demand.need(1_000_000);
        assert!(
            !demand.top_up(&config, 5_000_000),
            "what is needed comes first, and is paced"
        );
    }

    #[test]
    fn grants_go_in_turn_at_the_pace_of_the_link() {
        let config = config();
        let mut pacer = Pacer::default();
        let mut demands = [Demand::new(0), Demand::new(0)];
        assert_eq!(pacer.due(&config), None);
        for (conn, demand) in (0..).zip(&mut demands) {
            pacer.note(&config, 1_000, conn, demand.need(32_000));
        }
        // A grant's data comes 8 µs later and takes 160 ns: 2 µs before the horizon, 12 more grants fit (1.92 µs), and the
        // 14th waits.
        let mut order = Vec::new();
        let mut now = 1_000;
        while let Some(due) = pacer.due(&config) {
            now = now.max(due);
            let conn = pacer.next(&config, now).expect("it is due");
            let demand = &mut demands[conn as usize];
            let bytes = demand.grant(&config);
            pacer.granted(&config, now, conn, bytes, demand.is_queued());
            order.push((conn, now));
        }
        assert_eq!(order, [(0, 1_000), (1, 1_000), (0, 1_000), (1, 1_000)]);
        // From the horizon on the pace is one grant in 160 ns.
        let mut demand = Demand::new(0);
        pacer.note(&config, 1_000, 7, demand.need(10_000_000));
        let mut times = Vec::new();
        for _ in 0..20 {
            now = now.max(pacer.due(&config).expect("it waits"));
            assert_eq!(pacer.next(&config, now), Some(7));
            let bytes = demand.grant(&config);
            pacer.granted(&config, now, 7, bytes, demand.is_queued());
            times.push(now);
        }
        // Delivered at 1,000 + 8,000,000 + 4 × 160,000 before; 8,641,000 + n × 160,000 − 10,000,000 is beyond 1,000 from n = 9 on.
        assert_eq!(times[8], 1_000);
        assert_eq!(times[9], 8_641_000 + 9 * 160_000 - 10_000_000);
        assert!(times[9..].windows(2).all(|pair| pair[1] - pair[0] == 160_000));
    }

    #[test]
    fn first_windows_are_delivered_before_anything_is_granted_but_for_what_was_trimmed() {
        let config = config();
        let mut pacer = Pacer::default();
        // Eight senders with a window of 1,000,000 B each: 80 µs at this rate.
        let mut demands = vec![Demand::new(config.start); 8];
        for (conn, demand) in (0..).zip(&mut demands) {
            pacer.note(&config, 0, conn, demand.need(2_000_000));
        }
        assert_eq!(pacer.due(&config), Some(80_000_000 - 10_000_000));
        assert_eq!(pacer.next(&config, 69_999_999), None);
        // 7,000,000 B of them were trimmed: 10 µs are left, just what the horizon allows.
        for demand in &mut demands[1..] {
            pacer.note(&config, 5_000, 0, demand.trimmed(1_000_000, 0));
        }
        assert_eq!(pacer.due(&config), Some(0));
    }
}
