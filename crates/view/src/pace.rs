//! Keeps simulated time in step with the clock on the wall, and measures how well that works.

/// How long the run may fall behind, in ms of wall-clock time, before the page says so.
const PATIENCE_MS: f64 = 600.0;

/// A pause between two frames that is longer than this counts as this long: a page that comes back from the background
/// does not leap.
const LONGEST_FRAME_MS: f64 = 1000.0;

/// The pace of a run that is being played.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    // Simulated time asked for, in ps; fractions are kept so that slow speeds do not stall.
    target: f64,
    last_ms: Option<f64>,
    behind_ms: f64,
    // Since the run last got on.
    waited_ms: f64,
    achieved: Option<f64>,
}

impl Pace {
    /// A pace that starts at simulated time `now`, in ps.
    pub fn at(now: u64) -> Pace {
        Pace {
            target: now as f64,
            ..Pace::default()
        }
    }

    /// The simulated time in ps that should be reached at wall-clock time `wall_ms`, at `ps_per_s`.
    pub fn next_target(&mut self, wall_ms: f64, ps_per_s: u64) -> u64 {
        let passed = self
            .last_ms
            .map_or(0.0, |last| (wall_ms - last).clamp(0.0, LONGEST_FRAME_MS));
        self.last_ms = Some(wall_ms);
        self.target += passed * ps_per_s as f64 / 1000.0;
        self.target as u64
    }

    /// The simulation reached `now` when `target` was asked for; `took_ms` have passed since the frame before. What
    /// was not reached is not made up for later.
    pub fn reached(&mut self, before: u64, now: u64, target: u64, took_ms: f64) {
        // A very large run stands still for some frames and then leaps: such frames count together.
        self.waited_ms += took_ms;
        if self.waited_ms > 0.0 && (now > before || now >= target) {
            let speed = now.saturating_sub(before) as f64 / self.waited_ms * 1000.0;
            // A moving average over about a third of a second.
            let weight = (self.waited_ms / 300.0).min(1.0);
            self.achieved = Some(self.achieved.map_or(speed, |old| old + (speed - old) * weight));
            self.waited_ms = 0.0;
        }
        if now < target {
            self.target = now as f64;
        }
        // Frames so slow that time was left out are behind as well; a single one may be a page in the background.
        if now < target || took_ms > LONGEST_FRAME_MS {
            self.behind_ms = (self.behind_ms + took_ms.min(PATIENCE_MS / 2.0)).min(2.0 * PATIENCE_MS);
        } else {
            self.behind_ms = (self.behind_ms - took_ms).max(0.0);
        }
    }

    /// True when this machine cannot keep up with the speed that was asked for.
    pub fn is_limited(&self) -> bool {
        self.behind_ms >= PATIENCE_MS
    }

    /// The speed of late, in simulated ps per second.
    pub fn achieved(&self) -> Option<f64> {
        self.achieved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_at_the_speed_asked_for() {
        let mut pace = Pace::at(5_000);
        assert_eq!(
            pace.next_target(1_000.0, 1_000_000),
            5_000,
            "the first frame only starts the clock"
        );
        assert_eq!(pace.next_target(1_016.0, 1_000_000), 21_000);
    }

    #[test]
    fn the_slowest_speed_does_not_stall() {
        let mut pace = Pace::at(0);
        let mut last = 0;
        for frame in 0..=1_000 {
            last = pace.next_target(f64::from(frame) * 0.3, 1_000);
        }
        assert_eq!(
            last, 300,
            "300 ms at 1 ns/s, in frames that are each worth less than a picosecond"
        );
    }

    #[test]
    fn a_long_pause_is_no_leap() {
        let mut pace = Pace::at(0);
        pace.next_target(0.0, 1_000_000);
        assert_eq!(pace.next_target(60_000.0, 1_000_000), 1_000_000);
        pace.reached(0, 1_000_000, 1_000_000, 60_000.0);
        assert!(!pace.is_limited());
    }

    #[test]
    fn frames_without_progress_count_with_the_leap_after_them() {
        let mut pace = Pace::at(0);
        let mut now = 0;
        for frame in 1..=200 {
            let before = now;
            // 700 ns every 50 frames of 20 ms: 700 ns a second.
            if frame % 50 == 0 {
                now += 700_000;
            }
            pace.reached(before, now, u64::MAX, 20.0);
            if frame >= 50 {
                let achieved = pace.achieved().unwrap();
                assert!((achieved - 700_000.0).abs() < 1.0, "frame {frame}: {achieved}");
            }
        }
    }

    #[test]
    fn a_machine_that_is_too_slow_is_noticed_and_owes_nothing() {
        let mut pace = Pace::at(0);
        let mut now = 0;
        for frame in 0..100 {
            let target = pace.next_target(f64::from(frame) * 16.0, 1_000_000_000);
            let before = now;
            now = target.min(now + 1_000_000);
            pace.reached(before, now, target, 16.0);
        }
        assert!(pace.is_limited());
        let achieved = pace.achieved().unwrap();
        assert!((achieved - 62_500_000.0).abs() < 3e6, "{achieved}");
        let target = pace.next_target(1_600.0, 1_000_000);
        assert!(target <= now + 16_000, "no debt is left");
        for frame in 0..100 {
            let target = pace.next_target(1_616.0 + f64::from(frame) * 16.0, 1_000_000);
            pace.reached(now, target, target, 16.0);
            now = target;
        }
        assert!(!pace.is_limited());
    }
}
