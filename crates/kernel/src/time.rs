//! Simulated time.

use core::fmt;
use core::ops::{Add, AddAssign, Sub};

/// An instant or a span of simulated time, in picoseconds. One byte takes 10 ps at 800 Gb/s and 80 ps at
/// 100 Gb/s, so serialisation times are exact. The range is 213 days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub u64);

impl Time {
    /// The start of every run.
    pub const ZERO: Time = Time(0);
    /// Later than every event.
    pub const MAX: Time = Time(u64::MAX);

    /// `ns` nanoseconds.
    pub const fn from_ns(ns: u64) -> Time {
        Time(ns * 1_000)
    }

    /// `us` microseconds.
    pub const fn from_us(us: u64) -> Time {
        Time(us * 1_000_000)
    }

    /// `ms` milliseconds.
    pub const fn from_ms(ms: u64) -> Time {
        Time(ms * 1_000_000_000)
    }

    /// Picoseconds.
    pub const fn ps(self) -> u64 {
        self.0
    }

    /// Microseconds, for people.
    pub fn as_us(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// Zero where `earlier` is in fact later.
    pub const fn saturating_sub(self, earlier: Time) -> Time {
        Time(self.0.saturating_sub(earlier.0))
    }

    /// `Time::MAX` where the sum would overflow.
    pub const fn saturating_add(self, span: Time) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl Add for Time {
    type Output = Time;
    fn add(self, span: Time) -> Time {
        Time(self.0 + span.0)
    }
}

impl AddAssign for Time {
    fn add_assign(&mut self, span: Time) {
        self.0 += span.0;
    }
}

impl Sub for Time {
    type Output = Time;
    fn sub(self, earlier: Time) -> Time {
        Time(self.0 - earlier.0)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ps @ 0..1_000 => write!(f, "{ps} ps"),
            ps @ 1_000..1_000_000 => write!(f, "{} ns", ps as f64 / 1e3),
            ps @ 1_000_000..1_000_000_000 => write!(f, "{} µs", ps as f64 / 1e6),
            ps => write!(f, "{} ms", ps as f64 / 1e9),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_display() {
        assert_eq!(Time::from_us(12), Time(12_000_000));
        assert_eq!(Time(999).to_string(), "999 ps");
        assert_eq!(Time(83_200).to_string(), "83.2 ns");
        assert_eq!(Time::from_us(12).to_string(), "12 µs");
        assert_eq!(Time::from_ms(3).to_string(), "3 ms");
    }

    #[test]
    fn saturation() {
        assert_eq!(Time(1).saturating_sub(Time(2)), Time::ZERO);
        assert_eq!(Time::MAX.saturating_add(Time(1)), Time::MAX);
    }
}
