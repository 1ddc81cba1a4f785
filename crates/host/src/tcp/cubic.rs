//! CUBIC congestion control, RFC 9438, in segments of one MSS.

use kernel::Time;

/// The constant C of section 4.1, in segments per second cubed.
const C: f64 = 0.4;
/// The multiplicative decrease factor of section 4.6.
const BETA: f64 = 0.7;
/// The additive increase of the Reno-friendly region until it reaches the window before the loss (section 4.3).
const ALPHA: f64 = 3.0 * (1.0 - BETA) / (1.0 + BETA);
/// The smallest slow start threshold, in segments (RFC 9438, section 4.6).
const LEAST_SSTHRESH: f64 = 2.0;
/// The largest window, in segments, so that no sum leaves what a double holds exactly.
const MOST: f64 = 1e9;

/// The congestion window of one connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cubic {
    cwnd: f64,
    ssthresh: f64,
    w_max: f64,
    // The window just before the last reduction.
    prior: f64,
    w_est: f64,
    k: f64,
    epoch: Option<Time>,
}

impl Cubic {
    /// A new connection with an initial window of `initial` segments (RFC 6928: 10).
    pub fn new(initial: u32) -> Cubic {
        Cubic {
            cwnd: f64::from(initial.max(1)),
            ssthresh: MOST,
            w_max: 0.0,
            prior: 0.0,
            w_est: 0.0,
            k: 0.0,
            epoch: None,
        }
    }

    /// The congestion window in segments.
    pub fn window(&self) -> f64 {
        self.cwnd
    }

    /// The slow start threshold in segments.
    pub fn ssthresh(&self) -> f64 {
        self.ssthresh
    }

    /// Whether the window doubles each round trip.
    pub fn in_slow_start(&self) -> bool {
        self.cwnd < self.ssthresh
    }

    /// `acked` segments were acknowledged at `now`, outside of recovery and with the window in full use; `rtt` is the
    /// smoothed round-trip time.
    pub fn on_ack(&mut self, acked: f64, now: Time, rtt: Time) {
        let mut acked = acked;
        if self.in_slow_start() {
            let step = acked.min(self.ssthresh - self.cwnd);
            self.cwnd = (self.cwnd + step).min(MOST);
            acked -= step;
            if acked <= 0.0 {
                return;
            }
        }
        let start = match self.epoch {
            Some(start) => start,
            None => {
                self.start_epoch(now);
                now
            }
        };
        let t = seconds(now.saturating_sub(start));
        // Section 4.3: what Reno would have by now.
        let alpha = if self.w_est < self.prior { ALPHA } else { 1.0 };
        self.w_est += alpha * acked / self.cwnd;
        if self.w_cubic(t) < self.w_est {
            self.cwnd = self.cwnd.max(self.w_est).min(MOST);
            return;
        }
        // Sections 4.2, 4.4 and 4.5.
        let target = self.w_cubic(t + seconds(rtt)).clamp(self.cwnd, 1.5 * self.cwnd);
        self.cwnd = (self.cwnd + (target - self.cwnd) * acked / self.cwnd).min(MOST);
    }

    /// Packets were lost, at most once per round trip: fast recovery begins. `flight` is what was outstanding, in segments.
    pub fn on_loss(&mut self, flight: f64) {
        self.reduce(flight);
        self.cwnd = self.ssthresh;
    }

    /// The retransmission timer ran out: the window is one segment (section 4.8, RFC 5681).
    pub fn on_timeout(&mut self, flight: f64) {
        self.reduce(flight);
        self.cwnd = 1.0;
    }

    fn reduce(&mut self, flight: f64) {
        self.prior = self.cwnd;
        // Fast convergence, section 4.7.
        self.w_max = if self.cwnd < self.w_max {
            self.cwnd * (1.0 + BETA) / 2.0
        } else {
            self.cwnd
        };
        self.ssthresh = (flight.min(self.cwnd) * BETA).max(LEAST_SSTHRESH);
        self.epoch = None;
    }

    fn start_epoch(&mut self, now: Time) {
        self.epoch = Some(now);
        self.w_est = self.cwnd;
        if self.w_max <= self.cwnd {
            // Slow start has ended without a loss, or above the old window: the curve begins at its plateau.
            self.w_max = self.cwnd;
            self.k = 0.0;
        } else {
            self.k = libm::cbrt((self.w_max - self.cwnd) / C);
        }
    }

    fn w_cubic(&self, t: f64) -> f64 {
        let d = t - self.k;
        C * d * d * d + self.w_max
    }
}

fn seconds(time: Time) -> f64 {
    time.0 as f64 / 1e12
}

#[cfg(test)]
mod tests {
    use super::*;

    const RTT: Time = Time::from_us(100);

    #[test]
    fn slow_start_adds_what_was_acknowledged_up_to_the_threshold() {
        let mut cubic = Cubic::new(10);
        cubic.on_ack(10.0, Time::ZERO, RTT);
        assert_eq!(cubic.window(), 20.0);
        cubic.on_loss(20.0);
        // RFC 9438, section 4.6: 20 × 0.7.
        assert_eq!((cubic.window(), cubic.ssthresh()), (14.0, 14.0));
        assert!(!cubic.in_slow_start());
    }

    /// Section 4.2: K is the time after which the window is W_max again. For a window of 1,000 that falls to 700, K is
    /// cbrt(300 / 0.4) = 9.0856 s, and by then the Reno-friendly estimate has only added ALPHA per round trip.
    #[test]
    fn the_window_is_back_at_its_maximum_after_k() {
        let mut cubic = Cubic::new(1_000);
        cubic.on_loss(1_000.0);
        assert_eq!(cubic.window(), 700.0);
        // One acknowledgment of a whole window each 100 ms.
        let rtt = Time::from_ms(100);
        let mut now = Time::ZERO;
        while now < Time::from_ms(9_086) {
            let window = cubic.window();
            cubic.on_ack(window, now, rtt);
            now += rtt;
        }
        assert!((cubic.window() - 1_000.0).abs() < 2.0, "{}", cubic.window());
    }

    /// Section 4.3: with a short round trip Reno is faster, and CUBIC keeps up with it: ALPHA = 0.9 / 1.7 segments per
    /// round trip. 100 round trips of 100 µs: 52.9 segments more.
    #[test]
    fn with_a_short_round_trip_it_is_reno() {
        let mut cubic = Cubic::new(1_000);
        cubic.on_loss(1_000.0);
        for round in 0..100u64 {
            let window = cubic.window();
            cubic.on_ack(window, Time(RTT.0 * round), RTT);
        }
        assert!((cubic.window() - 752.9).abs() < 0.5, "{}", cubic.window());
    }

    /// Section 4.7: a second loss below the old maximum gives way: W_max = 700 × 1.7 / 2 = 595.
    #[test]
    fn a_second_loss_converges_fast() {
        let mut cubic = Cubic::new(1_000);
        cubic.on_loss(1_000.0);
        cubic.on_loss(700.0);
        assert_eq!(cubic.w_max, 595.0);
    }

    #[test]
    fn a_timeout_leaves_one_segment() {
        let mut cubic = Cubic::new(40);
        cubic.on_timeout(40.0);
        assert_eq!((cubic.window(), cubic.ssthresh()), (1.0, 28.0));
        assert!(cubic.in_slow_start());
        cubic.on_timeout(1.0);
        assert_eq!(cubic.ssthresh(), LEAST_SSTHRESH);
    }
}
