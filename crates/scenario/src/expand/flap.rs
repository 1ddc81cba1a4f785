//! The times at which a flapping link goes down and up.

use crate::quantity::Time;
use kernel::rng::draw;

/// The lengths of a flap's phases.
pub(super) enum Lengths {
    /// Exactly the given ones.
    Exact,
    /// Exponentially distributed about the given means, from this key's draws.
    Exponential(u64),
}

/// The times at which the link changes: down at `at`, up, down, …; the last one is up, at `until` at the latest. Each is
/// later than the one before. None where `until` is not after `at`.
pub(super) fn changes(
    at: Time,
    down: Time,
    up: Time,
    until: Time,
    lengths: Lengths,
) -> impl Iterator<Item = Time> {
    let mut draws = 0;
    let mut length = move |mean: Time| match lengths {
        Lengths::Exact => mean.0,
        Lengths::Exponential(key) => exponential(mean.0, || {
            let bits = draw(key, draws);
            draws += 1;
            bits
        }),
    };
    // When the next change is, and whether it is for the worse.
    let mut next = (at < until).then_some((at, true));
    std::iter::from_fn(move || {
        let (now, goes_down) = next?;
        let then = Time(
            now.0
                .saturating_add(length(if goes_down { down } else { up }).max(1)),
        );
        next = if then < until {
            Some((then, !goes_down))
        } else {
            goes_down.then_some((until, false))
        };
        Some(now)
    })
}

/// An exponentially distributed number with this mean, rounded down, by von Neumann's method of comparisons (1951): it
/// needs nothing but integers, so that every machine gets the same.
///
/// A uniform u₁ is followed by others as long as each is below the one before. If so many are, u₁ included, that their
/// number is odd, u₁ is the fraction of the result; else the whole part grows by one, and it starts again.
fn exponential(mean: u64, mut uniform: impl FnMut() -> u64) -> u64 {
    let mut whole = 0u64;
    loop {
        let first = uniform();
        let (mut last, mut odd) = (first, true);
        loop {
            let u = uniform();
            if u >= last {
                break;
            }
            (last, odd) = (u, !odd);
        }
        if odd {
            let fraction = (u128::from(mean) * u128::from(first)) >> 64;
            return whole.saturating_mul(mean).saturating_add(fraction as u64);
        }
        whole += 1;
    }
}
