//! A line with a buffer in front of it, without an event for each packet.

use kernel::Time;

const BITS: u64 = 8;
const PS_PER_S: u128 = 1_000_000_000_000;

/// First come, first served at a rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    rate: u64,
    free: Time,
}

impl Line {
    /// A line of `rate` bit/s, above 0.
    pub fn new(rate: u64) -> Line {
        Line {
            rate,
            free: Time::ZERO,
        }
    }

    /// How long `bytes` take on it.
    pub fn span(&self, bytes: u64) -> Time {
        Time((u128::from(bytes * BITS) * PS_PER_S / u128::from(self.rate.max(1))) as u64)
    }

    /// Bytes that wait or are being sent at `now`.
    pub fn backlog(&self, now: Time) -> u64 {
        self.within(self.free.saturating_sub(now))
    }

    /// Bytes that it sends in `time`.
    pub fn within(&self, time: Time) -> u64 {
        (u128::from(time.0) * u128::from(self.rate) / PS_PER_S) as u64 / BITS
    }

    /// Puts `bytes` behind what is there; when its last bit has left.
    pub fn send(&mut self, now: Time, bytes: u32) -> Time {
        self.free = self.free.max(now) + self.span(u64::from(bytes));
        self.free
    }

    /// When no more than `bytes` wait.
    pub fn when_below(&self, bytes: u64) -> Time {
        self.free.saturating_sub(self.span(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,250 bytes are 10,000 bits: 1 µs at 10 Gb/s.
    #[test]
    fn one_after_the_other() {
        let mut line = Line::new(10_000_000_000);
        let us = Time::from_us;
        assert_eq!(line.send(us(5), 1_250), us(6));
        assert_eq!(line.send(us(5), 2_500), us(8));
        assert_eq!((line.backlog(us(6)), line.backlog(us(9))), (2_500, 0));
        assert_eq!(line.when_below(1_250), us(7));
        assert_eq!(line.send(us(20), 1_250), us(21));
    }
}
