//! NSCC: UET's network-signalled congestion control, one window per QP (UET 1.0 §3.6.13; facts 3.2 to 3.4).
//!
//! Delay is the RTT beyond the base RTT. Arithmetic is in `f64`, of which only the four basic operations are used: they
//! give the same bits natively and in WebAssembly.

/// Published parameters, and the ones that the text leaves to the implementation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Full packet on the wire, bytes.
    pub mtu: f64,
    /// NIC rate in bytes per ps.
    pub rate: f64,
    /// RTT of one packet on the longest idle path, ps; a smaller sample lowers it.
    pub base_rtt: f64,
    /// Target queueing delay as a multiple of the base RTT: 0.75 with trimming, 1.0 without.
    pub target: f64,
    /// Initial and largest window as a multiple of the BDP: 1.5.
    pub max_window: f64,
    /// Quick adapt triggers when less than max window / 2^gate was achieved: 3.
    pub qa_gate: u32,
    /// Quick adapt also triggers at this delay, as a multiple of the target: 4 without trimming, off with it.
    pub qa_threshold: f64,
    /// Weight of a new sample in the average delay: 0.0125 (htsim's choice).
    pub delay_weight: f64,
    /// Delay below which the network counts as idle, ps: 1 µs (htsim's choice).
    pub idle_delay: f64,
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
    // Derived from the configuration once.
    target: f64,
    alpha: f64,
    fair: f64,
    eta: f64,
    fast_scale: f64,
}

// UET 1.0: the reference network of the scaling factors, 100 Gb/s and 12 µs.
const REFERENCE_BDP: f64 = 150_000.0;
const REFERENCE_RTT_PS: f64 = 12e6;
const GAMMA: f64 = 0.8;
const MAX_MD_JUMP: f64 = 0.5;
const ADJUST_PACKETS: f64 = 8.0;
// htsim's filter weighs outliers less than its ordinary weight allows.
const OUTLIER_WEIGHT: f64 = 0.0125;

impl Nscc {
    /// A controller at its largest window: a QP starts at line rate.
    pub fn new(config: &Config) -> Nscc {
        let bdp = config.rate * config.base_rtt;
        let target = config.target * config.base_rtt;
        let a = bdp / REFERENCE_BDP;
        let b = target / REFERENCE_RTT_PS;
        let max_window = (config.max_window * bdp).max(config.mtu);
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
            target,
            alpha: 4.0 * a * b * config.mtu / target,
            fair: 5.0 * config.mtu * a,
            eta: 0.15 * config.mtu * a,
            fast_scale: 0.25 * a,
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

    /// A SACK reports `bytes` newly received. `rtt` is the triggering packet's, `ecn` its mark, `in_flight` what is still out.
    pub fn on_sack(&mut self, config: &Config, now: u64, bytes: u64, rtt: u64, ecn: bool, in_flight: u64) {
        let bytes = bytes as f64;
        self.achieved += bytes;
        self.received += bytes;
        self.ignored += bytes;
        let rtt = rtt as f64;
        if rtt < self.base_rtt {
            self.base_rtt = rtt;
            self.max_window = (config.max_window * config.rate * rtt).max(config.mtu);
        }
        let delay = rtt - self.base_rtt;
        self.average(config, delay, ecn);
        if self.quick_adapt(config, now, false, ecn, delay, in_flight) {
            return;
        }
        match (ecn, delay >= self.target) {
            (false, true) => {
                self.fast = false;
                self.inc += self.fair * bytes;
            }
            (false, false) => self.increase(config, bytes, delay),
            (true, true) => self.decrease(config, now),
            // Congested path, short queue elsewhere: leave it to path switching.
            (true, false) => {}
        }
        self.bound(config);
        let period = now.saturating_sub(self.last_adjust) as f64 > self.base_rtt;
        if self.received > ADJUST_PACKETS * config.mtu || period {
            self.cwnd += self.inc / self.cwnd;
            if period {
                self.cwnd += self.eta;
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
                self.cwnd += bytes * self.fast_scale;
                return;
            }
        } else {
            self.idle_bytes = 0.0;
        }
        self.fast = false;
        self.inc += self.alpha * bytes * (self.target - delay);
    }

    /// Multiplicative decrease, at most once per base RTT.
    fn decrease(&mut self, config: &Config, now: u64) {
        self.fast = false;
        self.idle_bytes = 0.0;
        if self.avg_delay > self.target && now.saturating_sub(self.last_decrease) as f64 > self.base_rtt {
            let cut = 1.0 - GAMMA * (self.avg_delay - self.target) / self.avg_delay;
            self.cwnd = (self.cwnd * cut.max(MAX_MD_JUMP)).max(config.mtu);
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
        in_flight: u64,
    ) -> bool {
        let mut done = false;
        if self.ignored < self.ignore && ecn {
            done = true;
        } else if now > self.qa_end {
            let gate = self.max_window / f64::from(1u32 << config.qa_gate);
            let cause = self.qa_armed || loss || delay > config.qa_threshold * self.target;
            if self.qa_end != 0 && cause && self.achieved < gate {
                self.cwnd = self.achieved.max(config.mtu);
                self.ignore = in_flight as f64;
                self.ignored = 0.0;
                self.qa_armed = false;
                done = true;
            }
            self.achieved = 0.0;
            self.qa_end = now + (self.base_rtt + self.target) as u64;
        }
        if done {
            self.inc = 0.0;
            self.received = 0.0;
        }
        done
    }

    /// A packet of `bytes` was trimmed.
    pub fn on_trim(&mut self, config: &Config, now: u64, bytes: u64, in_flight: u64) {
        self.ignored += bytes as f64;
        // A trim means a full queue: about one base RTT of delay.
        let delay = self.base_rtt;
        self.average(config, delay, true);
        self.qa_armed = true;
        if !self.quick_adapt(config, now, true, true, 0.0, in_flight) {
            self.cwnd -= bytes as f64;
            self.bound(config);
        }
    }

    /// A packet of `bytes` was lost without trim.
    pub fn on_loss(&mut self, config: &Config, bytes: u64) {
        self.cwnd = (self.cwnd - bytes as f64).max(config.mtu);
    }

    fn average(&mut self, config: &Config, delay: f64, ecn: bool) {
        // Without a mark a long delay is not this path's queue: count a quarter of the base RTT (htsim's rule).
        let (sample, weight) = if !ecn && delay > self.target {
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
        Config {
            mtu: 4150.0,
            rate: 0.05,
            base_rtt: 8_337_000.0,
            target: 0.75,
            max_window: 1.5,
            qa_gate: 3,
            qa_threshold: f64::INFINITY,
            delay_weight: 0.0125,
            idle_delay: 1e6,
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
        cc.on_sack(&config, 2, 4150, 9_000_000, true, 100_000);
        assert_eq!(cc.cwnd(), 300_000);
    }

    #[test]
    fn decrease_is_proportional_to_the_excess_and_once_per_rtt() {
        let config = config();
        let mut cc = Nscc::new(&config);
        cc.avg_delay = 2.0 * cc.target;
        cc.qa_end = u64::MAX;
        let before = cc.cwnd;
        let now = 20_000_000;
        cc.last_adjust = now;
        let rtt = (8_337_000.0 + 2.0 * cc.target) as u64;
        cc.on_sack(&config, now, 4150, rtt, true, 400_000);
        // Average = twice the target: cut by gamma / 2 = 0.4.
        assert!((cc.cwnd / before - 0.6).abs() < 1e-3, "{}", cc.cwnd / before);
        let after = cc.cwnd;
        cc.on_sack(&config, now + 1_000_000, 4150, rtt, true, 400_000);
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
            0,
        );
        // alpha = 4·a·b·MTU/target with a = BDP/150,000 and b = target/12 µs.
        let alpha = 4.0 * (416_850.0 / 150_000.0) * 4150.0 / 12e6;
        let expected = 200_000.0 + alpha * bytes * (0.75 * 8_337_000.0 - delay) / 200_000.0;
        assert!((cc.cwnd - expected).abs() < 1.0, "{} {expected}", cc.cwnd);
    }

    #[test]
    fn quick_adapt_sets_the_window_to_what_arrived() {
        let config = config();
        let mut cc = Nscc::new(&config);
        cc.on_sack(&config, 1, 4150, 8_337_000, false, 0);
        let later = cc.qa_end + 1;
        cc.achieved = 20_000.0;
        cc.on_trim(&config, later, 4150, 500_000);
        assert_eq!(cc.cwnd(), 20_000);
        // Marked feedback for what was in flight then is ignored.
        cc.on_sack(&config, later + 1, 4150, 30_000_000, true, 400_000);
        assert_eq!(cc.cwnd(), 20_000);
    }

    #[test]
    fn trims_and_losses_take_a_packet_and_stop_at_one() {
        let config = config();
        let mut cc = Nscc::new(&config);
        cc.qa_end = u64::MAX;
        let before = cc.cwnd;
        cc.on_trim(&config, 5, 4150, 0);
        cc.on_loss(&config, 4150);
        assert_eq!(cc.cwnd, before - 8300.0);
        for _ in 0..1000 {
            cc.on_loss(&config, 4150);
        }
        assert_eq!(cc.cwnd(), 4150);
    }
}
