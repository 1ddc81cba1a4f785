//! The reaction point: the rate of one QP.
//!
//! Nothing happens by itself: what timers did since the last look is replayed when somebody looks, so a QP costs no events
//! for α. What is replayed depends on times alone, not on how often somebody looked.

use super::config::{Config, Rule, SHORTEST_PERIOD};

const NEVER: u64 = u64::MAX;

/// Below this α counts as 0, which ends its updates: 2^-30. A cut by it would change 400 Gb/s by less than 1 kb/s.
const NO_ALPHA: f64 = 1.0 / (1u64 << 30) as f64;

/// Rate limiter of one QP. Rates are bits a second, times are picoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct ReactionPoint {
    rate: u64,
    target: u64,
    alpha: f64,
    // When α is updated next, the rate cut, and the rate increased by time.
    alpha_at: u64,
    cut_at: u64,
    increase_at: u64,
    // No cut before this time.
    next_cut: u64,
    // No packet before this time.
    next_send: u64,
    // Since the last increase by bytes, or the last cut.
    bytes: u64,
    // Increases since the last cut.
    by_time: u32,
    by_bytes: u32,
    // The QP has been slowed down and is not back at line rate.
    limited: bool,
    // A CNP came within this period of α.
    heard: bool,
}

impl ReactionPoint {
    /// One that sends at line rate: DCQCN has no slow start (SIGCOMM 2015 §3.1).
    pub fn new(config: &Config) -> ReactionPoint {
        ReactionPoint {
            rate: config.line_rate,
            target: config.line_rate,
            alpha: config.initial_alpha,
            alpha_at: NEVER,
            cut_at: NEVER,
            increase_at: NEVER,
            next_cut: 0,
            next_send: 0,
            bytes: 0,
            by_time: 0,
            by_bytes: 0,
            limited: false,
            heard: false,
        }
    }

    /// The rate (R_C), as of the last look.
    pub fn rate(&self) -> u64 {
        self.rate
    }

    /// The rate that it recovers to (R_T), as of the last look.
    pub fn target(&self) -> u64 {
        self.target
    }

    /// The estimate of congestion (α), as of the last look.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// True while it sends below line rate.
    #[inline]
    pub fn is_limited(&self) -> bool {
        self.limited
    }

    /// Increases since the last cut: by time and by bytes.
    pub fn increases(&self) -> (u32, u32) {
        (self.by_time, self.by_bytes)
    }

    /// When the next packet may be sent, as of the last look; nearer if the rate [increases](Self::increases_at) before.
    #[inline]
    pub fn next_send(&self) -> u64 {
        self.next_send
    }

    /// When the rate increases by time next; `u64::MAX`: it does not.
    #[inline]
    pub fn increases_at(&self) -> u64 {
        self.increase_at
    }

    /// Brings everything up to `now`.
    #[inline]
    pub fn advance(&mut self, config: &Config, now: u64) {
        while self.alpha_at.min(self.cut_at).min(self.increase_at) <= now {
            self.step(config, now);
        }
    }

    /// What comes next, at or before `now`. Of one time: α, the cut, which starts the increase's period anew, the increase.
    fn step(&mut self, config: &Config, now: u64) {
        let at = self.alpha_at.min(self.cut_at).min(self.increase_at);
        if at == self.alpha_at {
            self.update_alpha(config, at, now);
        } else if at == self.cut_at {
            self.cut(config, at);
        } else {
            self.by_time = self.by_time.saturating_add(1);
            self.increase_at = at.saturating_add(config.increase_period.max(SHORTEST_PERIOD));
            self.increase(config, at);
        }
    }

    fn update_alpha(&mut self, config: &Config, at: u64, now: u64) {
        let gain = if self.heard { config.g } else { 0.0 };
        self.alpha = (1.0 - config.g) * self.alpha + gain;
        self.heard = false;
        let period = config.alpha_period.max(SHORTEST_PERIOD);
        self.alpha_at = at.saturating_add(period);
        if self.alpha < NO_ALPHA {
            // Nothing changes any more until a CNP comes.
            self.alpha = 0.0;
            self.alpha_at = at.saturating_add(period.saturating_mul((now - at) / period + 1));
        }
    }

    /// A CNP arrived.
    pub fn on_cnp(&mut self, config: &Config, now: u64) {
        self.advance(config, now);
        if !self.limited {
            self.limited = true;
            self.increase_at = now.saturating_add(config.increase_period.max(SHORTEST_PERIOD));
            if config.rule == Rule::Vendor {
                self.alpha = config.initial_alpha;
                self.alpha_at = now.saturating_add(config.alpha_period.max(SHORTEST_PERIOD));
            }
            if config.first_rate > 0 {
                self.target = config.first_rate.min(config.line_rate);
                self.set_rate(self.target, now);
                self.next_cut = now.saturating_add(config.cut_period);
                return;
            }
        } else if config.rule == Rule::Vendor {
            self.heard = true;
        }
        if self.cut_at == NEVER {
            self.cut_at = now.max(self.next_cut);
        }
        self.advance(config, now);
    }

    fn cut(&mut self, config: &Config, at: u64) {
        let increased = self.by_bytes > 0 || config.clamp_target_after_timer && self.by_time > 0;
        if config.clamp_target || increased {
            self.target = self.rate;
        }
        let before = self.rate as f64;
        let share = (1.0 - self.alpha / config.divisor).max(config.least_share);
        let rate = ((before * share) as u64).max(config.min_rate);
        self.by_time = 0;
        self.by_bytes = 0;
        self.bytes = 0;
        self.cut_at = NEVER;
        self.next_cut = at.saturating_add(config.cut_period);
        self.increase_at = at.saturating_add(config.increase_period.max(SHORTEST_PERIOD));
        if config.rule == Rule::Paper {
            self.alpha = (1.0 - config.g) * self.alpha + config.g;
            self.alpha_at = at.saturating_add(config.alpha_period.max(SHORTEST_PERIOD));
        }
        self.set_rate(rate.min(self.rate), at);
    }

    /// One increase, already counted.
    fn increase(&mut self, config: &Config, at: u64) {
        let (most, least) = (self.by_time.max(self.by_bytes), self.by_time.min(self.by_bytes));
        if most > config.fast_recovery {
            let step = if least > config.fast_recovery {
                config.hyper
            } else {
                config.additive
            };
            self.target = self.target.saturating_add(step).min(config.line_rate);
        }
        // Rounded up, so that the target is reached.
        let rate = (self.rate + self.target).div_ceil(2);
        self.set_rate(rate, at);
        // With a cut still to come the limiter stays.
        if rate >= config.line_rate && self.cut_at == NEVER {
            self.limited = false;
            self.increase_at = NEVER;
            self.by_time = 0;
            self.by_bytes = 0;
            self.bytes = 0;
            if config.rule == Rule::Vendor {
                self.alpha_at = NEVER;
            }
        }
    }

    /// The rest of the wait for the next packet shrinks or grows with the rate.
    fn set_rate(&mut self, rate: u64, at: u64) {
        if self.next_send > at {
            let rest = u128::from(self.next_send - at) * u128::from(self.rate);
            let rest = rest.div_ceil(u128::from(rate.max(1)));
            self.next_send = at.saturating_add(u64::try_from(rest).unwrap_or(NEVER));
        }
        self.rate = rate;
    }

    /// A packet of `size` bytes on the wire is sent at `now`, the time of the last look.
    #[inline]
    pub fn on_sent(&mut self, config: &Config, now: u64, size: u16) {
        if self.limited {
            self.pace(config, now, size);
        }
    }

    fn pace(&mut self, config: &Config, now: u64, size: u16) {
        self.bytes += u64::from(size);
        if config.increase_bytes > 0 && self.bytes >= config.increase_bytes {
            self.bytes = 0;
            self.by_bytes = self.by_bytes.saturating_add(1);
            self.increase(config, now);
            if !self.limited {
                return;
            }
        }
        let wait = (u64::from(size) * 8 * 1_000_000_000_000).div_ceil(self.rate.max(1));
        // One that the port held up for less than its own time does not delay the next one: the rate is kept on average.
        self.next_send = self.next_send.max(now.saturating_sub(wait)).saturating_add(wait);
    }
}

#[cfg(test)]
mod tests;
