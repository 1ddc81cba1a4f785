//! Bounds of NSCC's parameters.

use super::{share, within};
use crate::limits;
use crate::problem::Problems;
use crate::schema::Nscc;

pub(super) fn check_nscc(nscc: &Nscc, problems: &mut Problems) {
    let Nscc {
        enabled: _,
        disable_qa: _,
        target_delay,
        base_rtt,
        max_cwnd,
        gamma,
        max_md_jump,
        fi,
        fi_scale,
        eta,
        alpha,
        qa_gate,
        qa_threshold,
        adjust_bytes_threshold,
        adjust_period_threshold,
        delay_weight,
        idle_delay,
    } = nscc;
    let path = |field: &str| format!("transport.nscc.{field}");
    let derived = "leave it out for a derived one";
    let times = [
        ("target_delay", target_delay, limits::NSCC_TIME),
        ("base_rtt", base_rtt, limits::NSCC_TIME),
        ("qa_threshold", qa_threshold, limits::NSCC_QA_THRESHOLD),
        (
            "adjust_period_threshold",
            adjust_period_threshold,
            limits::NSCC_TIME,
        ),
    ];
    for (field, time, range) in times {
        if let Some(time) = *time {
            within(problems, || path(field), time, &range, derived);
        }
    }
    let sizes = [
        ("max_cwnd", max_cwnd, limits::NSCC_MAX_CWND),
        (
            "adjust_bytes_threshold",
            adjust_bytes_threshold,
            limits::NSCC_ADJUST_BYTES,
        ),
    ];
    for (field, bytes, range) in sizes {
        if let Some(bytes) = *bytes {
            within(problems, || path(field), bytes, &range, derived);
        }
    }
    let increases = [("fi", fi), ("fi_scale", fi_scale), ("eta", eta), ("alpha", alpha)];
    for (field, value) in increases {
        if let Some(value) = *value {
            within(
                problems,
                || path(field),
                value,
                &(0.0..=limits::MAX_NSCC_INCREASE),
                derived,
            );
        }
    }
    share(problems, || path("gamma"), *gamma, "");
    share(
        problems,
        || path("max_md_jump"),
        *max_md_jump,
        "what one decrease leaves of the window at least",
    );
    within(problems, || path("qa_gate"), *qa_gate, &limits::NSCC_QA_GATE, "");
    if !(*delay_weight > 0.0 && *delay_weight <= 1.0) {
        let reason = format!("is {delay_weight}; expected a number above 0 and up to 1");
        problems.add(|| path("delay_weight"), reason, "the weight of a new sample");
    }
    within(
        problems,
        || path("idle_delay"),
        *idle_delay,
        &limits::NSCC_IDLE_DELAY,
        "",
    );
}
