//! Values derived by hand from SIGCOMM 2015 §3.1: equations 1 (cut), 2 (α), 3 (fast recovery), 4 (additive increase), and from
//! the vendors' descriptions of their parameters.

use super::*;
use kernel::rng::{below, draw};

const US: u64 = 1_000_000;
const GBPS: u64 = 1_000_000_000;

fn paper() -> Config {
    Config::sigcomm15(40 * GBPS)
}

fn after_cnps<const N: usize>(config: &Config, times: [u64; N]) -> ReactionPoint {
    let mut rp = ReactionPoint::new(config);
    times.into_iter().for_each(|at| rp.on_cnp(config, at));
    rp
}

/// The rates after each of `count` increases by time, one period apart, from `start` on.
fn increases(rp: &mut ReactionPoint, config: &Config, start: u64, count: u64) -> Vec<u64> {
    let rates = (1..=count).map(|i| {
        rp.advance(config, start + i * config.increase_period);
        rp.rate()
    });
    rates.collect()
}

#[test]
fn starts_at_line_rate_and_is_cut_by_half_of_alpha() {
    let config = paper();
    let mut rp = ReactionPoint::new(&config);
    assert_eq!((rp.rate(), rp.alpha(), rp.is_limited()), (40 * GBPS, 1.0, false));
    // Equation 1: R_T = R_C = 40; R_C = 40 × (1 − 1/2) = 20; α = (1 − g) × 1 + g = 1.
    rp.on_cnp(&config, 0);
    assert_eq!((rp.rate(), rp.target(), rp.alpha()), (20 * GBPS, 40 * GBPS, 1.0));
    // Again, 50 µs later.
    rp.on_cnp(&config, 50 * US);
    assert_eq!((rp.rate(), rp.target()), (10 * GBPS, 20 * GBPS));
}

#[test]
fn alpha_falls_with_each_period_without_a_cnp() {
    let config = paper();
    let mut rp = after_cnps(&config, [0]);
    // Equation 2: α = (1 − g) α each 55 µs: 255/256, its square.
    rp.advance(&config, 55 * US - 1);
    assert_eq!(rp.alpha(), 1.0);
    rp.advance(&config, 55 * US);
    assert_eq!(rp.alpha(), 0.99609375);
    rp.advance(&config, 110 * US);
    assert_eq!(rp.alpha(), 0.9922027587890625);
}

#[test]
fn a_cut_uses_alpha_as_it_was_and_then_raises_it() {
    let config = paper();
    let mut rp = after_cnps(&config, [0]);
    // At 55 µs α is 255/256 and the rate (20 + 40) / 2 = 30. At 60 µs: 30 × (1 − 255/512) = 15.05859375;
    // α = (255/256)² + 1/256.
    rp.on_cnp(&config, 60 * US);
    assert_eq!((rp.rate(), rp.target()), (15_058_593_750, 30 * GBPS));
    assert_eq!(rp.alpha(), 0.9961090087890625);
    // The period of α starts anew with a CNP: 60 + 55.
    rp.advance(&config, 115 * US - 1);
    assert_eq!(rp.alpha(), 0.9961090087890625);
    rp.advance(&config, 115 * US);
    assert!(rp.alpha() < 0.9961);
}

#[test]
fn fast_recovery_halves_the_distance_five_times_then_the_target_rises() {
    let config = paper();
    let mut rp = after_cnps(&config, [0, 50 * US]);
    // From 10 to 20 Gb/s (equation 3), F = 5 times; then R_T = 20 + 0.04 and R_C = (19.6875 + 20.04) / 2 (equation 4).
    let rates = increases(&mut rp, &config, 50 * US, 6);
    let kbps = [
        15_000_000, 17_500_000, 18_750_000, 19_375_000, 19_687_500, 19_863_750,
    ];
    assert_eq!(rates, kbps.map(|rate| rate * 1_000));
    assert_eq!(rp.target(), 20_040_000_000);
}

#[test]
fn bytes_increase_as_time_does_and_both_together_more() {
    // Powers of two, so that every halving is exact: line rate 2^35, twice cut: R_C = 2^33, R_T = 2^34.
    let config = Config {
        line_rate: 1 << 35,
        additive: 1 << 26,
        hyper: 1 << 28,
        increase_bytes: 1000,
        ..paper()
    };
    let mut rp = after_cnps(&config, [0, 1]);
    assert_eq!((rp.rate(), rp.target()), (1 << 33, 1 << 34));
    for _ in 0..5 {
        rp.on_sent(&config, 2, 1000);
    }
    assert_eq!(
        (rp.target() - rp.rate(), rp.target()),
        (1 << 28, 1 << 34),
        "fast recovery"
    );
    rp.on_sent(&config, 2, 999);
    assert_eq!(rp.target(), 1 << 34, "one byte is missing");
    rp.on_sent(&config, 2, 1);
    // The sixth by bytes: additive. d = R_T − R_C = (2^28 + 2^26) / 2.
    assert_eq!(rp.target(), (1 << 34) + (1 << 26));
    assert_eq!(rp.target() - rp.rate(), 167_772_160);
    // Five by time: one counter alone is beyond F, so additive; d = (d + 2^26) / 2 each: 70,254,592 in the end.
    increases(&mut rp, &config, 1, 5);
    assert_eq!(rp.target(), (1 << 34) + 6 * (1 << 26));
    assert_eq!(rp.target() - rp.rate(), 70_254_592);
    // The sixth by time: both are beyond F, so hyper; d = (70,254,592 + 2^28) / 2.
    rp.advance(&config, 1 + 6 * config.increase_period);
    assert_eq!(rp.target(), (1 << 34) + 6 * (1 << 26) + (1 << 28));
    assert_eq!(rp.rate(), 17_681_612_800);
}

#[test]
fn a_cut_starts_recovery_anew() {
    let config = Config {
        increase_bytes: 1000,
        ..paper()
    };
    let mut rp = after_cnps(&config, [0]);
    rp.on_sent(&config, 1, 900);
    rp.on_cnp(&config, 54 * US);
    // The 900 B and the 54 µs count no more: nothing rises before 1,000 B or 55 µs after the cut.
    rp.on_sent(&config, 54 * US, 100);
    rp.advance(&config, 109 * US - 1);
    assert_eq!(rp.rate(), 10 * GBPS);
    rp.advance(&config, 109 * US);
    assert_eq!(rp.rate(), 15 * GBPS);
}

#[test]
fn the_target_never_exceeds_line_rate_and_the_limiter_ends_there() {
    let config = paper();
    let mut rp = after_cnps(&config, [0]);
    // From 20 to 40 Gb/s: each increase halves what is missing, 20e9 / 2^35 < 1: 35 increases.
    increases(&mut rp, &config, 0, 34);
    assert!(rp.is_limited() && rp.target() == 40 * GBPS);
    rp.advance(&config, 36 * config.increase_period);
    assert_eq!((rp.rate(), rp.is_limited()), (40 * GBPS, false));
    assert_eq!(rp.increases_at(), u64::MAX);
    // By the paper α goes on falling, by the vendors the limiter and its α are gone.
    let before = rp.alpha();
    rp.advance(&config, 40 * config.increase_period);
    assert!(rp.alpha() < before);
}

#[test]
fn idle_for_an_hour_costs_nothing() {
    let config = Config::nvidia(100 * GBPS);
    let mut rp = after_cnps(&config, [0]);
    rp.advance(&config, 3_600_000_000 * US);
    assert_eq!((rp.rate(), rp.is_limited()), (100 * GBPS, false));
    let config = paper();
    let mut rp = after_cnps(&config, [0]);
    rp.advance(&config, 3_600_000_000 * US);
    assert_eq!(rp.alpha(), 0.0);
}

#[test]
fn vendors_update_alpha_each_period_and_cut_once_in_four_us() {
    let config = Config::nvidia(100 * GBPS);
    let mut rp = ReactionPoint::new(&config);
    // The first CNP: α = 1023/1024, the cut to 1 − α × 2^-(11-10); the target stays: nothing had been increased.
    rp.on_cnp(&config, 0);
    assert_eq!((rp.rate(), rp.target()), (50_048_828_125, 100 * GBPS));
    // The next at 1 µs: a cut is due at 4 µs only. α by then: × 1019/1024 each, and + 5/1024 at 2 µs, as the CNP came before:
    // 0.984489 (by exact fractions), so the rate is 50,048,828,125 × (1 − α / 2) = 25,412,568,925.26.
    rp.on_cnp(&config, US);
    rp.advance(&config, 4 * US - 1);
    assert_eq!(rp.rate(), 50_048_828_125);
    rp.advance(&config, 4 * US);
    assert!(
        (rp.alpha() - 0.984_488_952_996_243_5).abs() < 1e-12,
        "{}",
        rp.alpha()
    );
    assert_eq!((rp.rate(), rp.target()), (25_412_568_925, 100 * GBPS));
}

#[test]
fn the_target_is_lowered_only_after_an_increase_unless_clamped() {
    let vendor = Config::nvidia(100 * GBPS);
    let second = 301 * US;
    let target = |config: &Config| after_cnps(config, [0, second]).target();
    // At 300 µs the rate rose to (50.048828125 + 100) / 2.
    assert_eq!(target(&vendor), 75_024_414_063);
    let by_bytes_only = Config {
        clamp_target_after_timer: false,
        ..vendor.clone()
    };
    assert_eq!(target(&by_bytes_only), 100 * GBPS);
    let always = Config {
        clamp_target: true,
        ..by_bytes_only
    };
    assert_eq!(target(&always), 75_024_414_063);
}

#[test]
fn bounds_of_a_cut() {
    let least = Config {
        least_share: 0.75,
        ..paper()
    };
    assert_eq!(after_cnps(&least, [0]).rate(), 30 * GBPS);
    let slowest = Config {
        min_rate: 25 * GBPS,
        ..paper()
    };
    assert_eq!(after_cnps(&slowest, [0, 1, 2]).rate(), 25 * GBPS);
    // rpg_gd 10: the cut is to 1 − α; what is left is bounded by half.
    let steep = Config {
        divisor: 1.0,
        initial_alpha: 0.25,
        ..paper()
    };
    assert_eq!(after_cnps(&steep, [0]).rate(), 30 * GBPS);
}

#[test]
fn the_first_cnp_may_set_a_rate() {
    let config = Config {
        first_rate: 85 * GBPS,
        ..Config::nvidia(100 * GBPS)
    };
    let rp = after_cnps(&config, [0]);
    assert_eq!((rp.rate(), rp.target()), (85 * GBPS, 85 * GBPS));
    assert!(after_cnps(&config, [0, 10 * US]).rate() < 85 * GBPS);
}

#[test]
fn packets_are_spaced_by_the_rate_and_a_change_moves_the_next() {
    let config = paper();
    let mut rp = after_cnps(&config, [0]);
    rp.on_sent(&config, 0, 4178);
    // 4,178 B × 8 / 20 Gb/s = 1.6712 µs.
    assert_eq!(rp.next_send(), 1_671_200);
    // A CNP after half of it: what is left takes twice as long.
    rp.on_cnp(&config, 835_600);
    assert_eq!(rp.next_send(), 835_600 + 2 * 835_600);
    // A packet that the port delayed by 1 µs does not delay the one after it (10 Gb/s: 3.3424 µs).
    let due = rp.next_send();
    rp.on_sent(&config, due + US, 4178);
    assert_eq!(rp.next_send(), due + 3_342_400);
    // One that came much later starts anew, with no more than one packet at once.
    rp.on_sent(&config, due + 50 * US, 4178);
    assert_eq!(rp.next_send(), due + 50 * US);
}

#[test]
fn how_often_one_looks_changes_nothing() {
    for seed in 0..50 {
        let config = match seed % 3 {
            0 => paper(),
            1 => Config::nvidia(100 * GBPS),
            _ => Config::amd(400 * GBPS),
        };
        let (mut often, mut seldom) = (ReactionPoint::new(&config), ReactionPoint::new(&config));
        let mut now = 0;
        for step in 0..2_000 {
            now += below(draw(seed, 2 * step), 3 * US);
            often.advance(&config, now);
            match below(draw(seed, 2 * step + 1), 40) {
                0 => {
                    often.on_cnp(&config, now);
                    seldom.on_cnp(&config, now);
                }
                1..10 => {
                    seldom.advance(&config, now);
                    often.on_sent(&config, now, 4178);
                    seldom.on_sent(&config, now, 4178);
                }
                _ => {}
            }
        }
        seldom.advance(&config, now);
        assert_eq!(often, seldom, "seed {seed}");
        assert!((config.min_rate..=config.line_rate).contains(&often.rate()));
    }
}

#[test]
fn a_cut_that_is_still_to_come_keeps_the_limiter() {
    let config = Config {
        cut_period: 100 * US,
        increase_bytes: 1000,
        ..Config::nvidia(100 * GBPS)
    };
    // The second CNP may cut at 100 µs only; by then bytes have brought the rate back.
    let mut rp = after_cnps(&config, [0, US]);
    for _ in 0..40 {
        rp.on_sent(&config, 2 * US, 1000);
    }
    assert_eq!((rp.rate(), rp.is_limited()), (100 * GBPS, true));
    rp.advance(&config, 100 * US);
    // By then α has fallen for 100 periods, and risen once: (1019/1024)^100 + 0.003 = 0.615; the cut is to 69 %.
    assert!(rp.rate() < 70 * GBPS && rp.is_limited());
    let cut = rp.rate();
    rp.advance(&config, 100 * US + config.increase_period);
    assert!(rp.rate() > cut);
}
