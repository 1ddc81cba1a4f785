//! Bounds of DCQCN's parameters.

use super::{share, within};
use crate::limits;
use crate::problem::Problems;
use crate::quantity::Bytes;
use crate::schema::Dcqcn;

pub(super) fn check_dcqcn(dcqcn: &Dcqcn, problems: &mut Problems) {
    let Dcqcn {
        enabled: _,
        rule: _,
        g,
        initial_alpha,
        alpha_timer,
        rate_decrease_interval,
        divisor,
        min_decrease_factor,
        rate_on_first_cnp,
        min_rate,
        clamp_target_rate: _,
        clamp_after_timer: _,
        increase_timer,
        byte_counter,
        fast_recovery_steps,
        rate_ai,
        rate_hai,
        cnp_interval,
    } = dcqcn;
    let path = |field: &str| format!("transport.roce.dcqcn.{field}");
    for (field, value) in [("g", *g), ("initial_alpha", *initial_alpha)] {
        if !(value > 0.0 && value <= 1.0) {
            let reason = format!("is {value}; expected a number above 0 and up to 1");
            problems.add(|| path(field), reason, "");
        }
    }
    let times = [
        ("alpha_timer", *alpha_timer, limits::DCQCN_TIMER),
        ("increase_timer", *increase_timer, limits::DCQCN_TIMER),
        (
            "rate_decrease_interval",
            *rate_decrease_interval,
            limits::DCQCN_INTERVAL,
        ),
        ("cnp_interval", *cnp_interval, limits::DCQCN_INTERVAL),
    ];
    for (field, time, range) in times {
        within(problems, || path(field), time, &range, "");
    }
    within(
        problems,
        || path("divisor"),
        *divisor,
        &limits::DCQCN_DIVISOR,
        "what alpha is divided by",
    );
    share(
        problems,
        || path("min_decrease_factor"),
        *min_decrease_factor,
        "what one cut leaves of the rate at least",
    );
    let rates = [
        ("rate_on_first_cnp", *rate_on_first_cnp),
        ("min_rate", Some(*min_rate)),
        ("rate_ai", Some(*rate_ai)),
        ("rate_hai", Some(*rate_hai)),
    ];
    for (field, rate) in rates {
        if let Some(rate) = rate {
            within(problems, || path(field), rate, &limits::RATE, "");
        }
    }
    if *byte_counter > Bytes(0) {
        within(
            problems,
            || path("byte_counter"),
            *byte_counter,
            &limits::DCQCN_BYTE_COUNTER,
            "0 turns it off",
        );
    }
    within(
        problems,
        || path("fast_recovery_steps"),
        *fast_recovery_steps,
        &limits::DCQCN_STEPS,
        "",
    );
}
