//! One clock for several runs. They go from one simulated time to the next together: the clock goes on when the slowest is
//! there, so that none is ever further ahead than a slice, and all are at the same time whenever anything is shown.

use crate::pace::Pace;

/// How long a slice should take while playing, in ms of wall-clock time: a frame or two.
const PLAY_MS: f64 = 25.0;
/// The same while running to the end, where simulating matters more than showing.
const RUSH_MS: f64 = 100.0;
/// The length of the first slice, in ps. Slices become twice as long where they take less time than they may.
const FIRST_PS: f64 = 1e6;

/// The clock of runs that go on together.
#[derive(Clone, Debug)]
pub struct Lockstep {
    pace: Pace,
    // The longest next slice, in ps.
    most: f64,
    slice: Option<Slice>,
    last_ms: Option<f64>,
}

/// A slice that is under way.
#[derive(Clone, Copy, Debug)]
struct Slice {
    before: u64,
    target: u64,
    // Where the speed that was asked for would have led; none while running to the end.
    wanted: Option<u64>,
    began_ms: f64,
}

impl Lockstep {
    /// A clock that starts at simulated time `now`, in ps.
    pub fn at(now: u64) -> Lockstep {
        Lockstep {
            pace: Pace::at(now),
            most: FIRST_PS,
            slice: None,
            last_ms: None,
        }
    }

    /// The same clock after a pause, at simulated time `now`: what is known of the machine stays.
    pub fn resumed(&self, now: u64) -> Lockstep {
        Lockstep {
            most: self.most,
            ..Lockstep::at(now)
        }
    }

    /// Begins a slice at simulated time `now`, at wall-clock time `wall_ms`, at `ps_per_s`; with none, as fast as the runs
    /// can. Returns the simulated time that all are to reach.
    pub fn begin(&mut self, now: u64, wall_ms: f64, ps_per_s: Option<u64>) -> u64 {
        let wanted = ps_per_s.map(|speed| self.pace.next_target(wall_ms, speed).max(now));
        let furthest = now.saturating_add(self.most as u64);
        let target = wanted.map_or(furthest, |wanted| wanted.min(furthest));
        self.slice = Some(Slice {
            before: now,
            target,
            wanted,
            began_ms: wall_ms,
        });
        target
    }

    /// The time that all are to reach, while a slice is under way.
    pub fn target(&self) -> Option<u64> {
        self.slice.map(|slice| slice.target)
    }

    /// All are there, at wall-clock time `wall_ms`.
    pub fn end(&mut self, wall_ms: f64) {
        let Some(slice) = self.slice.take() else {
            return;
        };
        let took = (wall_ms - slice.began_ms).max(0.0);
        let length = (slice.target - slice.before) as f64;
        let allowed = if slice.wanted.is_some() { PLAY_MS } else { RUSH_MS };
        if took > allowed {
            self.most = (length * allowed / took).max(1.0);
        } else if length >= self.most.floor() && took < allowed / 2.0 {
            self.most *= 2.0;
        }
        if let Some(wanted) = slice.wanted {
            let since = self.last_ms.map_or(took, |last| wall_ms - last);
            self.pace.reached(slice.before, slice.target, wanted, since);
        }
        self.last_ms = Some(wall_ms);
    }

    /// True when the slowest cannot keep up with the speed that was asked for.
    pub fn is_limited(&self) -> bool {
        self.pace.is_limited()
    }

    /// The speed of late, in simulated ps per second.
    pub fn achieved(&self) -> Option<f64> {
        self.pace.achieved()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays `slices` of a machine whose slowest run takes `ms_per_us` for a simulated µs. Returns where all are, and when.
    fn play(clock: &mut Lockstep, slices: usize, speed: Option<u64>, ms_per_us: f64) -> (u64, f64) {
        let (mut now, mut wall) = (0, 0.0);
        for _ in 0..slices {
            let target = clock.begin(now, wall, speed);
            assert_eq!(clock.target(), Some(target));
            // The next frame comes after 16 ms at the earliest.
            wall += ((target - now) as f64 / 1e6 * ms_per_us).max(16.0);
            clock.end(wall);
            assert_eq!(clock.target(), None);
            now = target;
        }
        (now, wall)
    }

    #[test]
    fn a_fast_machine_plays_at_the_speed_asked_for() {
        let mut clock = Lockstep::at(0);
        // 20 µs/s on a machine that needs a µs of wall-clock time for each.
        let (now, wall) = play(&mut clock, 500, Some(20_000_000), 0.001);
        let speed = now as f64 / wall * 1000.0;
        assert!((speed - 2e7).abs() < 1e5, "{speed}");
        assert!(!clock.is_limited());
    }

    /// At 1 ms for a µs and 25 ms for a slice, a slice becomes 25 µs at most.
    #[test]
    fn the_slowest_sets_the_pace_and_slices_stay_short() {
        let mut clock = Lockstep::at(0);
        let (now, wall) = play(&mut clock, 400, Some(50_000_000_000), 1.0);
        let speed = now as f64 / wall * 1000.0;
        assert!((0.8e9..=1.0e9).contains(&speed), "{speed}");
        assert!(clock.is_limited());
        assert!(
            clock
                .achieved()
                .is_some_and(|speed| (0.8e9..=1.01e9).contains(&speed))
        );
        let before = now;
        let target = clock.begin(before, wall, Some(50_000_000_000));
        assert!(target - before <= 50_000_000, "{}", target - before);
    }

    #[test]
    fn running_to_the_end_grows_its_slices_until_they_take_long_enough() {
        let mut clock = Lockstep::at(0);
        let (_, wall) = play(&mut clock, 60, None, 0.01);
        let target = clock.begin(0, wall, None);
        // 100 ms are 10 ms of simulated time; they grow by doubling from below a half of that.
        assert!((5_000_000_000..=10_000_000_000).contains(&target), "{target}");
        let resumed = clock.resumed(7).begin(7, 0.0, None);
        assert_eq!(resumed - 7, target, "what is known of the machine stays");
    }
}
