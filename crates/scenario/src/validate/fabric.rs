//! Bounds of the fabric.

use super::{factor, within};
use crate::limits;
use crate::problem::Problems;
use crate::schema::{Fabric, Queue};

/// Says whether planes, switches, NICs and links are within bounds, so that places in it can be checked.
pub(super) fn check_shape(fabric: &Fabric, problems: &mut Problems) -> bool {
    let counts = [
        ("fabric.planes", fabric.planes, limits::PLANES),
        ("fabric.t0_per_plane", fabric.t0_per_plane, limits::RADIX),
        ("fabric.t1_per_plane", fabric.t1_per_plane, limits::RADIX),
        ("fabric.nics_per_t0", fabric.nics_per_t0, limits::RADIX),
    ];
    let mut sound = true;
    for (field, value, range) in counts {
        sound &= within(problems, || field.into(), value, &range, "");
    }
    if !sound {
        return false;
    }
    let nics = fabric.nics();
    if !limits::NICS.contains(&nics) {
        let reason = format!(
            "makes {nics} NICs ({} T0 × {} NICs); expected {} to {}",
            fabric.t0_per_plane,
            fabric.nics_per_t0,
            limits::NICS.start(),
            limits::NICS.end()
        );
        problems.add(
            || "fabric.nics_per_t0".into(),
            reason,
            "change t0_per_plane or nics_per_t0",
        );
        return false;
    }
    let per_plane = nics + u64::from(fabric.t0_per_plane) * u64::from(fabric.t1_per_plane);
    let directed = 2 * per_plane * u64::from(fabric.planes);
    if directed > limits::MAX_DIRECTED_LINKS {
        let reason = format!(
            "makes {directed} directed links in all; expected at most {}",
            limits::MAX_DIRECTED_LINKS
        );
        problems.add(|| "fabric".into(), reason, "use fewer planes, T0s or T1s");
        return false;
    }
    true
}

/// Rates and times.
pub(super) fn check_links(fabric: &Fabric, problems: &mut Problems) {
    within(
        problems,
        || "fabric.nic_link_rate".into(),
        fabric.nic_link_rate,
        &limits::RATE,
        "",
    );
    if let Some(rate) = fabric.t1_link_rate {
        within(problems, || "fabric.t1_link_rate".into(), rate, &limits::RATE, "");
    }
    let delays = [
        ("fabric.nic_link_delay", fabric.nic_link_delay, limits::LINK_DELAY),
        ("fabric.t1_link_delay", fabric.t1_link_delay, limits::LINK_DELAY),
        (
            "fabric.switch_latency",
            fabric.switch_latency,
            limits::SWITCH_LATENCY,
        ),
    ];
    for (field, value, range) in delays {
        within(problems, || field.into(), value, &range, "");
    }
}

/// Queue thresholds.
pub(super) fn check_queue(queue: &Queue, problems: &mut Problems) {
    let Queue {
        ecn_min_bdp,
        ecn_max_bdp,
        trim_bdp,
        trim_last_hop_bdp,
        control_bdp,
        trimming: _,
    } = *queue;
    let max = limits::MAX_QUEUE_BDP;
    let ecn_min_is_sound = factor(problems, "fabric.queue.ecn_min_bdp", ecn_min_bdp, max);
    let ecn_max_is_sound = factor(problems, "fabric.queue.ecn_max_bdp", ecn_max_bdp, max);
    if ecn_min_is_sound && ecn_max_is_sound && ecn_min_bdp > ecn_max_bdp {
        let reason = format!("is {ecn_min_bdp}, above ecn_max_bdp ({ecn_max_bdp})");
        problems.add(
            || "fabric.queue.ecn_min_bdp".into(),
            reason,
            "marking starts at ecn_min_bdp and is certain from ecn_max_bdp on",
        );
    }
    factor(problems, "fabric.queue.trim_bdp", trim_bdp, max);
    factor(problems, "fabric.queue.trim_last_hop_bdp", trim_last_hop_bdp, max);
    factor(problems, "fabric.queue.control_bdp", control_bdp, max);
}
