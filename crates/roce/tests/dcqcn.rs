//! The reaction point with any parameters that a scenario may have.

use proptest::prelude::*;
use roce::ReactionPoint;
use roce::dcqcn::{Config, Rule};

const LINE_RATE: u64 = 400_000_000_000;
const SECOND: u64 = 1_000_000_000_000;

/// A time up to a second, short ones as often as long ones.
fn times() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0u64), 0u64..10_000_000, 0u64..SECOND]
}

prop_compose! {
    fn configs()(
        paper in any::<bool>(),
        (g, initial_alpha, divisor, least_share) in (0.0..=1.0, 0.0..=1.0, 1.0..32.0, 0.0..=1.0),
        (alpha_period, cut_period, increase_period, cnp_interval) in (times(), times(), times(), times()),
        (min_rate, first_rate) in (1u64..2 * LINE_RATE, prop_oneof![Just(0u64), 1u64..2 * LINE_RATE]),
        (clamp_target, clamp_target_after_timer) in any::<(bool, bool)>(),
        (increase_bytes, fast_recovery) in (0u64..10_000_000, 0u32..32),
        (additive, hyper) in (0u64..LINE_RATE, 0u64..LINE_RATE),
    ) -> Config {
        Config {
            enabled: true,
            rule: if paper { Rule::Paper } else { Rule::Vendor },
            line_rate: LINE_RATE,
            g, initial_alpha, alpha_period, divisor, least_share, min_rate, cut_period, first_rate, clamp_target,
            clamp_target_after_timer, increase_period, increase_bytes, fast_recovery, additive, hyper, cnp_interval,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Cnp,
    Sent(u16),
    Look,
}

fn events() -> impl Strategy<Value = Vec<(u64, Event)>> {
    let event = prop_oneof![
        Just(Event::Cnp),
        (64u16..9_216).prop_map(Event::Sent),
        Just(Event::Look)
    ];
    // Up to 10 ms between two of them, mostly microseconds.
    let wait = prop_oneof![0u64..5_000_000, 0u64..10_000_000_000];
    proptest::collection::vec((wait, event), 1..60)
}

proptest! {
    #[test]
    fn rate_and_alpha_stay_in_bounds_and_only_cnps_slow_down(config in configs(), events in events()) {
        let mut rp = ReactionPoint::new(&config);
        let least = config.min_rate.min(config.line_rate);
        let mut now = 0;
        let mut cnps = 0;
        for (wait, event) in events {
            now += wait;
            rp.advance(&config, now);
            match event {
                Event::Cnp => {
                    rp.on_cnp(&config, now);
                    cnps += 1;
                }
                Event::Sent(size) => {
                    rp.on_sent(&config, now, size);
                    // Not earlier than the line needs, nor later than at the lowest rate, with one packet's credit.
                    let longest = u128::from(size) * 8 * u128::from(SECOND) / u128::from(rp.rate()) + 1;
                    prop_assert!(rp.next_send() <= now || u128::from(rp.next_send() - now) <= longest);
                    // It is sent when it may be.
                    now = now.max(rp.next_send());
                }
                Event::Look => {}
            }
            prop_assert!(cnps > 0 || rp.rate() == LINE_RATE);
            prop_assert!(cnps > 0 || !rp.is_limited());
            prop_assert!(rp.rate() >= least.min(first(&config)) && rp.rate() <= LINE_RATE);
            prop_assert!(rp.target() <= LINE_RATE);
            prop_assert!((0.0..=1.0).contains(&rp.alpha()), "{}", rp.alpha());
        }
    }
}

/// The rate that the first CNP may set; it has a bound of its own.
fn first(config: &Config) -> u64 {
    if config.first_rate == 0 {
        config.line_rate
    } else {
        config.first_rate.min(config.line_rate)
    }
}
