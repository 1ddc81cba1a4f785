//! The retransmission timeout, RFC 6298.

use kernel::Time;

/// Smoothed round-trip time and what the timer is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rtt {
    srtt: Option<Time>,
    rttvar: Time,
    rto: Time,
    backoff: u32,
    min: Time,
}

/// RFC 6298, section 2.1: before the first sample.
const INITIAL_RTO: Time = Time::from_ms(1_000);
/// RFC 6298, section 2.5 allows a limit of at least 60 s.
const MAX_RTO: Time = Time::from_ms(60_000);

impl Rtt {
    /// No sample yet. `min`: the least timeout (RFC 6298: 1 s; Linux: 200 ms).
    pub fn new(min: Time) -> Rtt {
        Rtt {
            srtt: None,
            rttvar: Time::ZERO,
            rto: INITIAL_RTO,
            backoff: 0,
            min,
        }
    }

    /// A round trip was measured on a segment that was sent once (Karn's rule).
    pub fn sample(&mut self, rtt: Time) {
        let srtt = match self.srtt {
            None => {
                self.rttvar = Time(rtt.0 / 2);
                rtt
            }
            Some(srtt) => {
                let off = srtt.0.abs_diff(rtt.0);
                self.rttvar = Time(self.rttvar.0 - self.rttvar.0 / 4 + off / 4);
                Time(srtt.0 - srtt.0 / 8 + rtt.0 / 8)
            }
        };
        self.srtt = Some(srtt);
        self.backoff = 0;
        self.rto = Time(srtt.0.saturating_add(self.rttvar.0.saturating_mul(4)))
            .max(self.min)
            .min(MAX_RTO);
    }

    /// The smoothed round-trip time.
    pub fn smoothed(&self) -> Option<Time> {
        self.srtt
    }

    /// What the timer is set to now.
    pub fn timeout(&self) -> Time {
        Time(self.rto.0.saturating_mul(1 << self.backoff)).min(MAX_RTO)
    }

    /// The timer ran out (section 5.5).
    pub fn back_off(&mut self) {
        self.backoff = (self.backoff + 1).min(16);
    }

    /// New data was acknowledged: the next timer is the plain one.
    pub fn progress(&mut self) {
        self.backoff = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_and_timeouts_by_hand() {
        let mut rtt = Rtt::new(Time::from_ms(200));
        assert_eq!(rtt.timeout(), Time::from_ms(1_000));
        rtt.sample(Time::from_ms(100));
        // SRTT 100, RTTVAR 50: 100 + 4 × 50.
        assert_eq!(rtt.timeout(), Time::from_ms(300));
        rtt.sample(Time::from_ms(200));
        // RTTVAR 3/4 × 50 + 1/4 × 100 = 62.5; SRTT 7/8 × 100 + 1/8 × 200 = 112.5; 112.5 + 250 = 362.5.
        assert_eq!(rtt.timeout(), Time::from_us(362_500));
        rtt.back_off();
        rtt.back_off();
        assert_eq!(rtt.timeout(), Time::from_us(1_450_000));
        rtt.progress();
        assert_eq!(rtt.timeout(), Time::from_us(362_500));
    }

    #[test]
    fn the_timeout_has_two_ends() {
        let mut rtt = Rtt::new(Time::from_ms(200));
        rtt.sample(Time::from_us(40));
        assert_eq!(rtt.timeout(), Time::from_ms(200));
        for _ in 0..100 {
            rtt.back_off();
        }
        assert_eq!(rtt.timeout(), Time::from_ms(60_000));
    }
}
