//! One clock for several runs. They go from one simulated time to the next together: the clock goes on when the slowest is
//! there, so that none is ever further ahead than a slice, and all are at the same time whenever anything is shown.

use crate::pace::Pace;

/// Turns that the slowest run should need for a slice at most. A turn is one request to a worker, which ends when the time is used
/// up that it may take before it shows something. Turns and not wall-clock time decide, because a slice takes some time on a busy
/// machine however little there is to simulate.
const TURNS: u32 = 2;
/// The length of the first slice, in ps. Slices become twice as long where one turn suffices.
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

    /// All are there, at wall-clock time `wall_ms`; the slowest needed so many turns.
    pub fn end(&mut self, wall_ms: f64, turns: u32) {
        let Some(slice) = self.slice.take() else {
            return;
        };
        let took = (wall_ms - slice.began_ms).max(0.0);
        let length = (slice.target - slice.before) as f64;
        if turns > TURNS {
            self.most = (length * f64::from(TURNS) / f64::from(turns)).max(1.0);
        } else if turns < TURNS && length >= self.most.floor() {
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

    /// Plays `slices` of a machine whose slowest run takes `ms_per_us` for a simulated µs, in turns of 12 ms; whatever there is to
    /// simulate, a slice takes `at_least_ms`. Returns where all are, and when.
    fn play(
        clock: &mut Lockstep,
        slices: usize,
        speed: Option<u64>,
        (ms_per_us, at_least_ms): (f64, f64),
    ) -> (u64, f64) {
        let (mut now, mut wall) = (0, 0.0);
        for _ in 0..slices {
            let target = clock.begin(now, wall, speed);
            assert_eq!(clock.target(), Some(target));
            let busy = (target - now) as f64 / 1e6 * ms_per_us;
            wall += busy.max(at_least_ms);
            clock.end(wall, (busy / 12.0).ceil().max(1.0) as u32);
            assert_eq!(clock.target(), None);
            now = target;
        }
        (now, wall)
    }

    #[test]
    fn a_fast_machine_plays_at_the_speed_asked_for() {
        // 20 µs/s, with a frame every 16 ms, and on a machine so busy that there are 10 a second.
        for at_least_ms in [16.0, 100.0] {
            let mut clock = Lockstep::at(0);
            let (now, wall) = play(&mut clock, 500, Some(20_000_000), (0.001, at_least_ms));
            let speed = now as f64 / wall * 1000.0;
            assert!((speed - 2e7).abs() < 3e5, "{speed}");
            assert!(!clock.is_limited());
        }
    }

    /// At 1 ms for a µs, two turns of 12 ms are 24 µs.
    #[test]
    fn the_slowest_sets_the_pace_and_slices_stay_short() {
        let mut clock = Lockstep::at(0);
        let (now, wall) = play(&mut clock, 400, Some(50_000_000_000), (1.0, 16.0));
        let speed = now as f64 / wall * 1000.0;
        assert!((0.7e9..=1.0e9).contains(&speed), "{speed}");
        assert!(clock.is_limited());
        let target = clock.begin(now, wall, Some(50_000_000_000));
        assert!(
            (6_000_000..=24_000_000).contains(&(target - now)),
            "{}",
            target - now
        );
    }

    #[test]
    fn running_to_the_end_grows_its_slices_until_they_take_long_enough() {
        let mut clock = Lockstep::at(0);
        let (_, wall) = play(&mut clock, 60, None, (0.01, 16.0));
        let target = clock.begin(0, wall, None);
        // Two turns are 2.4 ms of simulated time; slices grow by doubling from below a half of that.
        assert!((1_200_000_000..=2_400_000_000).contains(&target), "{target}");
        let resumed = clock.resumed(7).begin(7, 0.0, None);
        assert_eq!(resumed - 7, target, "what is known of the machine stays");
    }
}
