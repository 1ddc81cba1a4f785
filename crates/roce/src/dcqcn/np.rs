//! The notification point: when a CNP is sent.

/// Paces the CNPs of one QP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotificationPoint {
    // No CNP before this time.
    quiet_until: u64,
}

impl NotificationPoint {
    /// A marked packet arrived at `now`: says whether a CNP is due, at most one in `interval` (SIGCOMM 2015 §3.1, NP
    /// algorithm). A mark within the interval is told with the first marked packet after it: the paper would tell it at the
    /// interval's end, for which the responder would need a timer (our choice).
    pub fn on_mark(&mut self, now: u64, interval: u64) -> bool {
        let due = now >= self.quiet_until;
        if due {
            self.quiet_until = now.saturating_add(interval);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_one_cnp_in_50_us() {
        // SIGCOMM 2015 §3.1: the first mark is told at once, then none for N = 50 µs.
        let interval = 50_000_000;
        let mut np = NotificationPoint::default();
        let marks = [0, 1, 49_999_999, 50_000_000, 60_000_000, 130_000_000];
        let told: Vec<bool> = marks.map(|now| np.on_mark(now, interval)).to_vec();
        assert_eq!(told, [true, false, false, true, false, true]);
    }
}
