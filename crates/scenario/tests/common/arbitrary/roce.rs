//! RoCE's settings.

use super::{factor, time_within};
use proptest::option;
use proptest::prelude::*;
use scenario::{Bytes, Dcqcn, DcqcnRule, Rate, Recovery, Roce, limits};

fn dcqcn() -> impl Strategy<Value = Dcqcn> {
    let rate = || (limits::RATE.start().0..=limits::RATE.end().0).prop_map(Rate);
    let bytes = limits::DCQCN_BYTE_COUNTER.start().0..=limits::DCQCN_BYTE_COUNTER.end().0;
    let times = (
        time_within(limits::DCQCN_TIMER),
        time_within(limits::DCQCN_TIMER),
        time_within(limits::DCQCN_INTERVAL),
        time_within(limits::DCQCN_INTERVAL),
    );
    let rates = (option::of(rate()), rate(), rate(), rate());
    let rest = (
        factor(1.0),
        factor(1.0),
        0.0..=1.0,
        prop_oneof![Just(0), bytes].prop_map(Bytes),
        limits::DCQCN_STEPS,
        any::<[bool; 3]>(),
        prop_oneof![Just(DcqcnRule::Paper), Just(DcqcnRule::Vendor)],
        limits::DCQCN_DIVISOR,
    );
    (times, rates, rest).prop_map(
        |(
            (alpha_timer, increase_timer, rate_decrease_interval, cnp_interval),
            (rate_on_first_cnp, min_rate, rate_ai, rate_hai),
            (
                g,
                initial_alpha,
                min_decrease_factor,
                byte_counter,
                fast_recovery_steps,
                switches,
                rule,
                divisor,
            ),
        )| {
            let [enabled, clamp_target_rate, clamp_after_timer] = switches;
            Dcqcn {
                enabled,
                rule,
                g,
                initial_alpha,
                alpha_timer,
                rate_decrease_interval,
                divisor,
                min_decrease_factor,
                rate_on_first_cnp,
                min_rate,
                clamp_target_rate,
                clamp_after_timer,
                increase_timer,
                byte_counter,
                fast_recovery_steps,
                rate_ai,
                rate_hai,
                cnp_interval,
            }
        },
    )
}

pub fn roce() -> impl Strategy<Value = Roce> {
    let window = limits::ROCE_WINDOW.start().0..=limits::ROCE_WINDOW.end().0;
    let timeouts =
        limits::ROCE_TIMEOUT.prop_flat_map(|t| (Just(t), option::of(t..=*limits::ROCE_TIMEOUT.end())));
    let recovery = prop_oneof![Just(Recovery::GoBackN), Just(Recovery::SelectiveRepeat)];
    prop_oneof![
        Just(Roce::default()),
        (
            (recovery, limits::ROCE_REORDER, limits::ROCE_TRACKED),
            option::of(window.prop_map(Bytes)),
            limits::ROCE_ACK_EVERY,
            timeouts,
            limits::ROCE_RETRY_COUNT,
            dcqcn()
        )
            .prop_map(
                |(
                    (recovery, reorder, tracked),
                    window,
                    ack_every,
                    (timeout, longest_timeout),
                    retry_count,
                    dcqcn,
                )| Roce {
                    recovery,
                    reorder,
                    tracked,
                    window,
                    ack_every,
                    timeout,
                    longest_timeout,
                    retry_count,
                    dcqcn,
                }
            )
    ]
}
