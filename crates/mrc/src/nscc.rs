//! NSCC: UET's network-signalled congestion control, one window per QP (UET 1.0 §3.6.13; facts 3.2 to 3.4).
//!
//! Delay is the RTT beyond the base RTT. Arithmetic is in `f64`, of which only the four basic operations are used: they
//! give the same bits natively and in WebAssembly.

/// Parameters: the published ones by the names of the companion API, and those that the text leaves to the implementation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Off: the window stays at its maximum (the API's algorithm NULL).
    pub enabled: bool,
    /// Full packet on the wire, bytes.
    pub mtu: f64,
    /// NIC rate in bytes per ps.
    pub rate: f64,
    /// RTT of one packet on the longest idle path, ps; a smaller sample lowers it.
    pub base_rtt: f64,
    /// Initial and largest window as a multiple of the BDP.
    pub max_window: f64,
    /// The same in bytes; where given, whatever the base RTT is.
    pub max_cwnd: Option<f64>,
    /// Target queueing delay, ps.
    pub target_delay: f64,
    /// Weight of the excess delay in a decrease.
    pub gamma: f64,
    /// A decrease leaves at least this share of the window.
    pub max_md_jump: f64,
    /// Fair increase: bytes × fi / window.
    pub fi: f64,
    /// Fast increase: this share of the bytes received.
    pub fi_scale: f64,
    /// Added once per adjustment period, bytes.
    pub eta: f64,
    /// Proportional increase: bytes × alpha × (target − delay in ps) / window.
    pub alpha: f64,
    /// Quick adapt is on.
    pub quick_adapt: bool,
    /// Quick adapt triggers when less than max window / 2^gate was achieved.
    pub qa_gate: u32,
    /// Where there was less to send than the largest window, quick adapt asks for a share of that (our choice; uet-htsim does not).
    pub qa_of_asked: bool,
    /// Quick adapt also triggers at this delay, ps.
    pub qa_threshold: f64,
    /// The window is adjusted after this many bytes,
    pub adjust_bytes_threshold: f64,
    /// or this long after the last time, ps; the base RTT where not given.
    pub adjust_period_threshold: Option<f64>,
    /// Weight of a new sample in the average delay.
    pub delay_weight: f64,
    /// Delay below which the network counts as idle, ps.
    pub idle_delay: f64,
}

// UET 1.0: the reference network of the scaling factors, 100 Gb/s and 12 µs.
const REFERENCE_BDP: f64 = 150_000.0;
const REFERENCE_RTT_PS: f64 = 12e6;
// htsim's filter weighs outliers less than its ordinary weight allows.
const OUTLIER_WEIGHT: f64 = 0.0125;

impl Config {
    /// The published defaults (facts 3.3) for packets of `mtu` bytes on the wire, a NIC of `rate` bytes per ps, `base_rtt` ps
    /// and the target delay (ps), from which fi, eta and alpha follow. `trimming`: switches trim.
    pub fn published(mtu: f64, rate: f64, base_rtt: f64, target_delay: f64, trimming: bool) -> Config {
        let a = rate * base_rtt / REFERENCE_BDP;
        let b = target_delay / REFERENCE_RTT_PS;
        Config {
            enabled: true,
            mtu,
            rate,
            base_rtt,
            max_window: 1.5,
            max_cwnd: None,
            target_delay,
            gamma: 0.8,
            max_md_jump: 0.5,
            fi: 5.0 * mtu * a,
            fi_scale: 0.25 * a,
            eta: 0.15 * mtu * a,
            alpha: 4.0 * a * b * mtu / target_delay,
            quick_adapt: true,
            qa_gate: 3,
            qa_of_asked: true,
            qa_threshold: if trimming {
                f64::INFINITY
            } else {
                4.0 * target_delay
            },
            adjust_bytes_threshold: 8.0 * mtu,
            adjust_period_threshold: None,
            delay_weight: 0.0125,
            idle_delay: 1e6,
        }
    }

    /// The published target delay (facts 3.3): 0.75 of the base RTT with trimming, all of it without.
    pub fn published_target(base_rtt: f64, trimming: bool) -> f64 {
        if trimming { 0.75 * base_rtt } else { base_rtt }
    }

    /// The largest window at a base RTT, in bytes.
    fn largest_window(&self, base_rtt: f64) -> f64 {
        self.max_cwnd
            .unwrap_or(self.max_window * (self.rate * base_rtt))
            .max(self.mtu)
    }
}

/// What a sender has not brought to its end, in wire bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Sent, and not heard of since.
    pub in_flight: u64,
    /// To be sent, for the first time or again.
    pub waiting: u64,
}

/// The controller's state.
#[derive(Clone, Debug)]
pub struct Nscc {
    cwnd: f64,
    max_window: f64,
    base_rtt: f64,
    avg_delay: f64,
    inc: f64,
    // Bytes received since the window was last adjusted.
    received: f64,
    // Bytes received at an idle network.
    idle_bytes: f64,
    fast: bool,
    last_adjust: u64,
    last_decrease: u64,
    achieved: f64,
    qa_end: u64,
    qa_armed: bool,
    ignore: f64,
    ignored: f64,
    // The window before the receiver's penalties; 0 when there were none.
    before_penalty: f64,
}

impl Nscc {
    /// A controller at its largest window: a QP starts at line rate.
    pub fn new(config: &Config) -> Nscc {
        let max_window = config.largest_window(config.base_rtt);
        Nscc {
            cwnd: max_window,
            max_window,
            base_rtt: config.base_rtt,
            avg_delay: 0.0,
            inc: 0.0,
            received: 0.0,
            idle_bytes: 0.0,
            fast: false,
            last_adjust: 0,
            last_decrease: 0,
            achieved: 0.0,
            qa_end: 0,
            qa_armed: false,
            ignore: 0.0,
            ignored: 0.0,
            before_penalty: 0.0,
        }
    }

    /// The window in bytes.
    #[inline]
    pub fn cwnd(&self) -> u64 {
        self.cwnd as u64
    }

    /// True when `bytes` in flight are within the window.
    #[inline]
    pub fn allows(&self, bytes: u64) -> bool {
        bytes as f64 <= self.cwnd
    }

    /// Average queueing delay in ps.
    pub fn avg_delay(&self) -> f64 {
        self.avg_delay
    }

    /// A SACK reports `bytes` newly received. `rtt` is the triggering packet's, `ecn` its mark.
    pub fn on_sack(
        &mut self,
        config: &Config,
        now: u64,
        bytes: u64,
        rtt: u64,
        ecn: bool,
        unfinished: Unfinished,
    ) {
        if !config.enabled {
            return;
        }
        let bytes = bytes as f64;
        self.achieved += bytes;
        self.received += bytes;
        self.ignored += bytes;
        let rtt = rtt as f64;
        if rtt < self.base_rtt {
            self.base_rtt = rtt;
            self.max_window = config.largest_window(rtt);
        }
        let delay = rtt - self.base_rtt;
        self.average(config, delay, ecn);
        if self.quick_adapt(config, now, false, ecn, delay, unfinished) {
            return;
        }
        match (ecn, delay >= config.target_delay) {
            (false, true) => {
                self.fast = false;
                self.inc += config.fi * bytes;
            }
            (false, false) => self.increase(config, bytes, delay),
            (true, true) => self.decrease(config, now),
            // Congested path, short queue elsewhere: leave it to path switching.
            (true, false) => {}
        }
        self.bound(config);
        let period = config.adjust_period_threshold.unwrap_or(self.base_rtt);
        let period = now.saturating_sub(self.last_adjust) as f64 > period;
        if self.received > config.adjust_bytes_threshold || period {
            self.cwnd += self.inc / self.cwnd;
            if period {
                self.cwnd += config.eta;
                self.last_adjust = now;
            }
            self.inc = 0.0;
            self.received = 0.0;
        }
        self.bound(config);
    }

    /// Proportional increase; after a whole window without delay, fast increase until there is some.
    fn increase(&mut self, config: &Config, bytes: f64, delay: f64) {
        if delay < config.idle_delay {
            self.idle_bytes += bytes;
            if self.idle_bytes > self.cwnd || self.fast {
                self.fast = true;
                self.cwnd += bytes * config.fi_scale;
                return;
            }
        } else {
            self.idle_bytes = 0.0;
        }
        self.fast = false;
        self.inc += config.alpha * bytes * (config.target_delay - delay);
    }

    /// Multiplicative decrease, at most once per base RTT.
    fn decrease(&mut self, config: &Config, now: u64) {
        self.fast = false;
        self.idle_bytes = 0.0;
        if self.avg_delay > config.target_delay
            && now.saturating_sub(self.last_decrease) as f64 > self.base_rtt
        {
            let cut = 1.0 - config.gamma * (self.avg_delay - config.target_delay) / self.avg_delay;
            self.cwnd = (self.cwnd * cut.max(config.max_md_jump)).max(config.mtu);
            self.last_decrease = now;
        }
    }

    /// Sets the window to what got through, when that is far less than the window promised.
    fn quick_adapt(
        &mut self,
        config: &Config,
        now: u64,
        loss: bool,
        ecn: bool,
        delay: f64,
        unfinished: Unfinished,
    ) -> bool {
        if !config.quick_adapt {
            return false;
        }
        let mut done = false;
        if self.ignored < self.ignore && ecn {
            done = true;
        } else if now > self.qa_end {
            // Of what the sender did not have, nothing can have come through. At a message's end a few packets are left, and a
            // trim of one of them is no reason to begin the next message with a window of no more.
            let asked = if config.qa_of_asked {
                self.achieved + unfinished.in_flight.saturating_add(unfinished.waiting) as f64
            } else {
                f64::INFINITY
            };
            let gate = self.max_window.min(asked) / f64::from(1u32 << config.qa_gate);
            let cause = self.qa_armed || loss || delay > config.qa_threshold;
            if self.qa_end != 0 && cause && self.achieved < gate {
                self.cwnd = self.achieved.max(config.mtu);
                self.ignore = unfinished.in_flight as f64;
                self.ignored = 0.0;
                self.qa_armed = false;
                done = true;
            }
            self.achieved = 0.0;
            self.qa_end = now + (self.base_rtt + config.target_delay) as u64;
        }
        if done {
            self.inc = 0.0;
            self.received = 0.0;
        }
        done
    }

    /// The sender had nothing in flight, and now has something to send. What was achieved since quick adapt last looked
    /// says nothing of the network, nor does a trim from before (our choice: else the first SACK after a pause would set the
    /// window to its own bytes).
    pub fn on_resume(&mut self) {
        self.qa_end = 0;
        self.qa_armed = false;
    }

    /// A packet of `bytes` was trimmed.
    pub fn on_trim(&mut self, config: &Config, now: u64, bytes: u64, unfinished: Unfinished) {
        if !config.enabled {
            return;
        }
        self.ignored += bytes as f64;
        // A trim means a full queue: about one base RTT of delay.
        let delay = self.base_rtt;
        self.average(config, delay, true);
        self.qa_armed = true;
        if !self.quick_adapt(config, now, true, true, 0.0, unfinished) {
            self.cwnd -= bytes as f64;
            self.bound(config);
        }
    }

    /// A packet of `bytes` was lost without trim.
    pub fn on_loss(&mut self, config: &Config, bytes: u64) {
        if config.enabled {
            self.cwnd = (self.cwnd - bytes as f64).max(config.mtu);
        }
    }

    /// A SACK that reports `bytes` carries the receiver's penalty, 0 to 127: the window shrinks by penalty/128 of them.
    /// With `restore` the penalty is over, and the window is again what it was before.
    pub fn on_penalty(&mut self, config: &Config, bytes: u64, penalty: u8, restore: bool) {
        if !config.enabled {
            return;
        }
        if penalty > 0 {
            if self.before_penalty == 0.0 {
                self.before_penalty = self.cwnd;
            }
            self.cwnd -= ((u64::from(penalty) * bytes) >> 7) as f64;
        } else if restore && self.before_penalty > 0.0 {
            self.cwnd = self.cwnd.max(self.before_penalty);
            self.before_penalty = 0.0;
        }
        self.bound(config);
    }

    fn average(&mut self, config: &Config, delay: f64, ecn: bool) {
        // Without a mark a long delay is not this path's queue: count a quarter of the base RTT (htsim's rule).
        let (sample, weight) = if !ecn && delay > config.target_delay {
            (0.25 * self.base_rtt, config.delay_weight)
        } else if delay > 5.0 * self.base_rtt {
            (delay, OUTLIER_WEIGHT)
        } else {
            (delay, config.delay_weight)
        };
        self.avg_delay = weight * sample + (1.0 - weight) * self.avg_delay;
    }

    fn bound(&mut self, config: &Config) {
        self.cwnd = self.cwnd.clamp(config.mtu, self.max_window);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 400 Gb/s and 8.337 µs: the peer's two-tier case, BDP 416,850 B.
    fn config() -> Config {
        let base_rtt = 8_337_000.0;
        Config::published(
            4150.0,
            0.05,
            base_rtt,
            Config::published_target(base_rtt, true),
            true,
        )
    }

    /// So many bytes in flight, and always more to send.
    fn out(in_flight: u64) -> Unfinished {
        Unfinished {
            in_flight,
            waiting: u64::MAX,
        }
    }

    #[test]
    fn starts_at_one_and_a_half_bdp() {
        assert_eq!(Nscc::new(&config()).cwnd(), 625_275);
    }

    #[test]
    fn a_mark_without_delay_changes_nothing() {
        let config = config();
        let mut cc = Nscc::new(&config);
        cc.cwnd = 300_000.0;
        cc.last_adjust = 1;
        cc.on_sack(&config, 2, 4150, 9_000_000, true, out(100_000));
        assert_eq!(cc.cwnd(), 300_000);
    }

    #[test]
    fn decrease_is_proportional_to_the_excess_and_once_per_rtt() {
        let config = config();
        let mut cc = Nscc::new(&config);
        cc.avg_delay = 2.0 * config.target_delay;
        cc.qa_end = u64::MAX;
        let before = cc.cwnd;
        let now = 20_000_000;
        cc.last_adjust = now;
        let rtt = (8_337_000.0 + 2.0 * config.target_delay) as u64;
        cc.on_sack(&config, now, 4150, rtt, true, out(400_000));
        // Average = twice the target: cut by gamma / 2 = 0.4.
        assert!((cc.cwnd / before - 0.6).abs() < 1e-3, "{}", cc.cwnd / before);
        let after = cc.cwnd;
        cc.on_sack(&config, now + 1_000_000, 4150, rtt, true, out(400_000));
        assert_eq!(cc.cwnd, after, "a second mark within one base RTT");
    }

    #[test]
    fn proportional_increase_follows_the_formula() {
        let config = config();
        let mut cc = Nscc::new(&config);
        cc.cwnd = 200_000.0;
        cc.qa_end = u64::MAX;
        cc.last_adjust = 1_000_000;
        let delay = 3_000_000.0;
        let bytes = 9.0 * 4150.0;
        cc.on_sack(
            &config,
            1_000_001,
            bytes as u64,
            (8_337_000.0 + delay) as u64,
            false,
            out(0),
        );
        // alpha = 4·a·b·MTU/target with a = BDP/150,000 and b = target/12 µs.
        let alpha = 4.0 * (416_850.0 / 150_000.0) * 4150.0 / 12e6;
        let expected = 200_000.0 + alpha * bytes * (0.75 * 8_337_000.0 - delay) / 200_000.0;
        assert!((cc.cwnd - expected).abs() < 1.0, "{} {expected}", cc.cwnd);
    }

    #[test]
    fn a_pause_of_the_sender_is_no_congestion() {
        let config = config();
        let mut cc = Nscc::new(&config);
        cc.on_sack(&config, 1, 4150, 8_337_000, false, out(0));
        // A trim at the end of a message, within quick adapt's period: one packet less, and armed.
        cc.on_trim(&config, 2, 4150, out(0));
        assert_eq!(cc.cwnd(), 625_275 - 4150);
        cc.on_resume();
        // A second later the next message's first SACK, with a mark but no delay: the window stays.
        let later = 1_000_000_000_000;
        cc.last_adjust = later;
        cc.on_sack(&config, later, 4150, 8_337_000, true, out(400_000));
        assert_eq!(cc.cwnd(), 625_275 - 4150);
        // From there on quick adapt looks again, a base RTT and a target delay later: one packet came
        // through, and one was trimmed.
        let period = (1.75 * 8_337_000.0) as u64;
        cc.on_sack(&config, later + period - 1, 4150, 8_337_000, true, out(400_000));
        cc.on_trim(&config, later + period + 1, 4150, out(400_000));
        assert_eq!(cc.cwnd(), 4150);
    }

    #[test]
    fn the_last_packets_of_a_message_are_no_congestion() {
        let config = config();
        let tail = Unfinished {
            in_flight: 4150,
            waiting: 2 * 4150,
        };
        let after = |config: &Config, achieved: f64| {
            let mut cc = Nscc::new(config);
            cc.qa_end = 1;
            cc.achieved = achieved;
            cc.on_trim(config, 2, 4150, tail);
            cc.cwnd()
        };
        // Two of five packets came through, more than an eighth: the trim costs its packet. A window's eighth are 78,159 B.
        assert_eq!(after(&config, 2.0 * 4150.0), 625_275 - 4150);
        // None came through.
        assert_eq!(after(&config, 0.0), 4150);
        // uet-htsim does not ask what there was to send.
        let peer = Config {
            qa_of_asked: false,
            ..config
        };
        assert_eq!(after(&peer, 2.0 * 4150.0), 2 * 4150);
    }

    #[test]
    fn quick_adapt_sets_the_window_to_what_arrived() {
        let config = config();
        let mut cc = Nscc::new(&config);
        cc.on_sack(&config, 1, 4150, 8_337_000, false, out(0));
        let later = cc.qa_end + 1;
        cc.achieved = 20_000.0;
        cc.on_trim(&config, later, 4150, out(500_000));
        assert_eq!(cc.cwnd(), 20_000);
        // Marked feedback for what was in flight then is ignored.
        cc.on_sack(&config, later + 1, 4150, 30_000_000, true, out(400_000));
        assert_eq!(cc.cwnd(), 20_000);
    }

    #[test]
    fn trims_and_losses_take_a_packet_and_stop_at_one() {
        let config = config();
        let mut cc = Nscc::new(&config);
        cc.qa_end = u64::MAX;
        let before = cc.cwnd;
        cc.on_trim(&config, 5, 4150, out(0));
        cc.on_loss(&config, 4150);
        assert_eq!(cc.cwnd, before - 8300.0);
        for _ in 0..1000 {
            cc.on_loss(&config, 4150);
        }
        assert_eq!(cc.cwnd(), 4150);
    }

    #[test]
    fn published_parameters() {
        // Facts 3.3 with BDP = 0.05 B/ps × 8.337 µs = 416,850 B: a = BDP / 150,000 B = 2.779.
        let config = config();
        let a = 2.779;
        assert_eq!(config.target_delay, 0.75 * 8_337_000.0);
        for (value, expected) in [
            (config.fi, 5.0 * 4150.0 * a),
            (config.eta, 0.15 * 4150.0 * a),
            (config.fi_scale, 0.25 * a),
            // 4·a·b·MTU / target with b = target / 12 µs.
            (config.alpha, 4.0 * a * 4150.0 / 12e6),
            (config.adjust_bytes_threshold, 33_200.0),
        ] {
            assert!((value / expected - 1.0).abs() < 1e-9, "{value} {expected}");
        }
        assert_eq!((config.gamma, config.max_md_jump, config.qa_gate), (0.8, 0.5, 3));
        assert_eq!(config.qa_threshold, f64::INFINITY, "with trimming");
        let without = Config::published(4150.0, 0.05, 8e6, Config::published_target(8e6, false), false);
        assert_eq!(
            (without.target_delay, without.qa_threshold),
            (8e6, 32e6),
            "4 × target"
        );
    }

    #[test]
    fn fair_increase_at_and_above_the_target() {
        // No mark, delay at the target: inc = fi × bytes; applied after more than 8 MTU: cwnd += inc / cwnd.
        let config = config();
        let mut cc = Nscc::new(&config);
        cc.cwnd = 200_000.0;
        cc.qa_end = u64::MAX;
        cc.last_adjust = 1_000_000;
        let rtt = (8_337_000.0 + config.target_delay) as u64 + 1;
        cc.on_sack(&config, 1_000_001, 9 * 4150, rtt, false, out(0));
        let expected = 200_000.0 + config.fi * 9.0 * 4150.0 / 200_000.0;
        assert!((cc.cwnd - expected).abs() < 1e-6, "{} {expected}", cc.cwnd);
    }

    #[test]
    fn eta_is_added_once_per_adjustment_period() {
        let config = config();
        let mut cc = Nscc::new(&config);
        cc.cwnd = 200_000.0;
        cc.qa_end = u64::MAX;
        // A mark without delay brings nothing by itself (facts 3.2); the period has passed.
        cc.on_sack(&config, 9_000_000, 4150, 8_400_000, true, out(0));
        assert!((cc.cwnd - (200_000.0 + config.eta)).abs() < 1e-6, "{}", cc.cwnd);
        cc.on_sack(&config, 9_000_001, 4150, 8_400_000, true, out(0));
        assert!(
            (cc.cwnd - (200_000.0 + config.eta)).abs() < 1e-6,
            "not again within the period"
        );
        let short = Config {
            adjust_period_threshold: Some(1.0),
            ..config
        };
        cc.on_sack(&short, 9_000_003, 4150, 8_400_000, true, out(0));
        assert!((cc.cwnd - (200_000.0 + 2.0 * config.eta)).abs() < 1e-6);
    }

    #[test]
    fn fast_increase_after_a_window_without_delay_until_there_is_some() {
        let config = config();
        let mut cc = Nscc::new(&config);
        cc.cwnd = 100_000.0;
        cc.qa_end = u64::MAX;
        cc.last_adjust = u64::MAX;
        // 25 × 4,150 B = 103,750 B: the 25th SACK goes beyond a whole window at zero delay.
        for _ in 0..24 {
            cc.on_sack(&config, 10, 4150, 8_337_000, false, out(0));
        }
        assert!(!cc.fast);
        let before = cc.cwnd;
        // Proportional increases have moved the window a little; the next ones are fast.
        while !cc.fast {
            cc.on_sack(&config, 10, 4150, 8_337_000, false, out(0));
        }
        let fast = cc.cwnd;
        assert!(fast > before);
        cc.on_sack(&config, 10, 4150, 8_337_000, false, out(0));
        assert!((cc.cwnd - fast - 4150.0 * config.fi_scale).abs() < 1e-6 || cc.cwnd == cc.max_window);
        cc.on_sack(&config, 10, 4150, 10_337_000, false, out(0));
        assert!(!cc.fast, "2 µs of delay end it");
    }

    #[test]
    fn a_decrease_never_takes_more_than_the_jump_and_stops_at_one_packet() {
        let config = config();
        let mut cc = Nscc::new(&config);
        cc.qa_end = u64::MAX;
        cc.last_adjust = 20_000_000;
        // An average of 100 targets: 1 − 0.8 × 99/100 = 0.208, held at 0.5.
        cc.avg_delay = 100.0 * config.target_delay;
        let before = cc.cwnd;
        let rtt = (8_337_000.0 + 4.0 * config.target_delay) as u64;
        cc.on_sack(&config, 20_000_000, 4150, rtt, true, out(0));
        assert_eq!(cc.cwnd, before * 0.5);
        cc.cwnd = 5_000.0;
        cc.avg_delay = 100.0 * config.target_delay;
        cc.on_sack(&config, 40_000_000, 4150, rtt, true, out(0));
        assert!(
            cc.cwnd >= 4150.0 && cc.cwnd < 4150.0 + config.eta + 1.0,
            "{}",
            cc.cwnd
        );
    }

    #[test]
    fn quick_adapt_needs_a_cause_and_a_small_catch() {
        let config = config();
        let gate = 625_275.0 / 8.0;
        for (achieved, armed, expected) in [
            (gate - 1.0, true, true),
            (gate + 1.0, true, false),
            (100.0, false, false),
        ] {
            let mut cc = Nscc::new(&config);
            (cc.qa_end, cc.achieved, cc.qa_armed) = (1, achieved, armed);
            assert_eq!(cc.quick_adapt(&config, 2, false, false, 0.0, out(0)), expected);
        }
        let off = Config {
            quick_adapt: false,
            ..config
        };
        let mut cc = Nscc::new(&off);
        (cc.qa_end, cc.achieved, cc.qa_armed) = (1, 0.0, true);
        assert!(!cc.quick_adapt(&off, 2, true, true, 0.0, out(0)), "disable_qa");
        // Without trimming a delay of more than 4 targets is a cause, too.
        let untrimmed = Config {
            qa_threshold: 4.0 * config.target_delay,
            ..config
        };
        let mut cc = Nscc::new(&untrimmed);
        (cc.qa_end, cc.achieved) = (1, 50_000.0);
        assert!(cc.quick_adapt(&untrimmed, 2, false, false, 4.1 * config.target_delay, out(0)));
        assert_eq!(cc.cwnd(), 50_000);
    }

    #[test]
    fn a_smaller_rtt_lowers_base_and_window() {
        let config = config();
        let mut cc = Nscc::new(&config);
        cc.on_sack(&config, 1, 4150, 4_000_000, false, out(0));
        // 1.5 × 0.05 B/ps × 4 µs = 300,000 B.
        assert_eq!(cc.cwnd(), 300_000);
        let fixed = Config {
            max_cwnd: Some(500_000.0),
            ..config
        };
        let mut cc = Nscc::new(&fixed);
        cc.on_sack(&fixed, 1, 4150, 4_000_000, false, out(0));
        assert_eq!(cc.cwnd(), 500_000, "max_cwnd is in bytes");
    }

    #[test]
    fn a_penalty_takes_its_share_and_the_flag_restores() {
        // Facts 3.4: cwnd −= (p × bytes) >> 7.
        let config = config();
        let mut cc = Nscc::new(&config);
        let before = cc.cwnd;
        cc.on_penalty(&config, 12_800, 64, false);
        assert_eq!(cc.cwnd, before - 6_400.0);
        cc.on_penalty(&config, 12_800, 127, false);
        assert_eq!(cc.cwnd, before - 6_400.0 - 12_700.0);
        cc.on_penalty(&config, 12_800, 0, true);
        assert_eq!(cc.cwnd, before);
        cc.cwnd = 100_000.0;
        cc.on_penalty(&config, 12_800, 0, true);
        assert_eq!(cc.cwnd, 100_000.0, "nothing to restore");
    }

    #[test]
    fn without_congestion_control_the_window_stays() {
        let config = Config {
            enabled: false,
            ..config()
        };
        let mut cc = Nscc::new(&config);
        cc.on_loss(&config, 4150);
        cc.on_trim(&config, 10, 4150, out(0));
        cc.on_penalty(&config, 4150, 127, false);
        cc.on_sack(&config, 20, 4150, 80_000_000, true, out(0));
        assert_eq!(cc.cwnd(), 625_275);
    }
}
