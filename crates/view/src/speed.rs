//! The speed of playing: simulated time per second of wall-clock time, on a logarithmic scale in steps 1, 2, 5.

/// The slowest speed, in simulated picoseconds per second: 1 ns/s.
pub const SLOWEST: u64 = 1_000;

/// The number of the fastest step, 1 s/s. Step 0 is [`SLOWEST`].
pub const LAST_STEP: u32 = 27;

/// The speed of a step, in simulated picoseconds per second; steps beyond the last count as the last.
pub const fn of_step(step: u32) -> u64 {
    let step = if step > LAST_STEP { LAST_STEP } else { step };
    let factor = match step % 3 {
        0 => 1,
        1 => 2,
        _ => 5,
    };
    SLOWEST * factor * 10u64.pow(step / 3)
}

/// The fastest step that is not above `ps_per_s`.
pub fn step_at_most(ps_per_s: u64) -> u32 {
    (0..=LAST_STEP)
        .rev()
        .find(|&step| of_step(step) <= ps_per_s)
        .unwrap_or(0)
}

/// The speed at which a run of `until` picoseconds takes about `seconds` to watch, but not so fast that a packet's
/// hop of `hop` picoseconds cannot be followed (a twentieth of a second).
pub fn comfortable(until: u64, hop: u64, seconds: u64) -> u32 {
    step_at_most((until / seconds.max(1)).clamp(SLOWEST, hop.saturating_mul(20).max(SLOWEST)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_runs_from_a_nanosecond_to_a_second_a_second() {
        assert_eq!(of_step(0), 1_000);
        assert_eq!(of_step(LAST_STEP), 1_000_000_000_000);
        assert_eq!(of_step(u32::MAX), 1_000_000_000_000);
        let speeds: Vec<u64> = (0..7).map(of_step).collect();
        assert_eq!(speeds, [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000]);
    }

    #[test]
    fn steps_are_found_again() {
        for step in 0..=LAST_STEP {
            assert_eq!(step_at_most(of_step(step)), step);
            assert_eq!(step_at_most(of_step(step) + 1), step);
        }
        assert_eq!(step_at_most(0), 0);
    }

    #[test]
    fn a_comfortable_speed_ends_in_time_or_lets_a_hop_be_seen() {
        // 1 ms in 50 s is 20 µs/s; a hop of 1 µs allows as much.
        assert_eq!(of_step(comfortable(1_000_000_000, 1_000_000, 50)), 20_000_000);
        // 1 s in 50 s would be 20 ms/s, where a hop lasts 50 µs: slower.
        assert_eq!(of_step(comfortable(1_000_000_000_000, 1_000_000, 50)), 20_000_000);
    }
}
