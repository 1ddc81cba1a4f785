//! Bounds of the fabric.

use super::{factor, share, within};
use crate::limits;
use crate::problem::Problems;
use crate::schema::{Fabric, Queue, Tier};

/// Says whether planes, pods, switches, NICs and links are within bounds, so that places in it can be checked.
pub(super) fn check_shape(fabric: &Fabric, problems: &mut Problems) -> bool {
    let counts = [
        ("fabric.planes", fabric.planes, limits::PLANES),
        ("fabric.pods", fabric.pods, limits::PODS),
        ("fabric.t0_per_plane", fabric.t0_per_plane, limits::RADIX),
        ("fabric.t1_per_plane", fabric.t1_per_plane, limits::RADIX),
        ("fabric.t2_per_plane", fabric.t2_per_plane, limits::T2_PER_PLANE),
        ("fabric.nics_per_t0", fabric.nics_per_t0, limits::RADIX),
        ("fabric.rails", fabric.rails, limits::RAILS),
    ];
    let mut sound = true;
    for (field, value, range) in counts {
        sound &= within(problems, || field.into(), value, &range, "");
    }
    sound && check_tiers(fabric, problems) && check_size(fabric, problems)
}

/// Says whether pods, tiers and rails come out even.
fn check_tiers(fabric: &Fabric, problems: &mut Problems) -> bool {
    if fabric.tiers() == 2 && fabric.pods > 1 {
        let reason = format!(
            "is {}, but there are no T2s to join pods; expected 1",
            fabric.pods
        );
        problems.add(|| "fabric.pods".into(), reason, "set t2_per_plane");
        return false;
    }
    let pods = ("pods", fabric.pods);
    let multiples = [
        ("fabric.t0_per_plane", fabric.t0_per_plane, pods),
        (
            "fabric.t0_per_plane",
            fabric.t0_per_plane,
            ("rails", fabric.rails),
        ),
        ("fabric.t1_per_plane", fabric.t1_per_plane, pods),
    ];
    let mut sound = true;
    for (field, value, of) in multiples {
        sound &= check_multiple(problems, field, value, of);
    }
    let t1s = ("T1s of a pod", fabric.t1_per_pod());
    sound && check_multiple(problems, "fabric.t2_per_plane", fabric.t2_per_plane, t1s)
}

fn check_multiple(problems: &mut Problems, field: &str, value: u32, (noun, of): (&str, u32)) -> bool {
    let sound = value.is_multiple_of(of);
    if !sound {
        let reason = format!("is {value}, which is no multiple of the {of} {noun}");
        problems.add(|| field.into(), reason, "");
    }
    sound
}

/// Says whether there are neither too many NICs nor too many links.
fn check_size(fabric: &Fabric, problems: &mut Problems) -> bool {
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
    let per_plane: u64 = [Tier::Nic, Tier::T0T1, Tier::T1T2]
        .into_iter()
        .map(|tier| fabric.links_per_plane(tier))
        .sum();
    let directed = 2 * per_plane * u64::from(fabric.planes);
    if directed > limits::MAX_DIRECTED_LINKS {
        let reason = format!(
            "makes {directed} directed links in all; expected at most {}",
            limits::MAX_DIRECTED_LINKS
        );
        problems.add(
            || "fabric".into(),
            reason,
            if fabric.tiers() == 2 {
                "use fewer planes, T0s or T1s"
            } else {
                "use fewer planes, T0s, T1s or T2s"
            },
        );
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
    let trunks = [
        ("fabric.t1_link_rate", fabric.t1_link_rate),
        ("fabric.t2_link_rate", fabric.t2_link_rate),
    ];
    for (field, rate) in trunks {
        if let Some(rate) = rate {
            within(problems, || field.into(), rate, &limits::RATE, "");
        }
    }
    let delays = [
        ("fabric.nic_link_delay", fabric.nic_link_delay, limits::LINK_DELAY),
        ("fabric.t1_link_delay", fabric.t1_link_delay, limits::LINK_DELAY),
        ("fabric.t2_link_delay", fabric.t2_link_delay, limits::LINK_DELAY),
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
        ecn_pmax,
        ecn_last_hop: _,
        trim_bdp,
        trim_last_hop_bdp,
        control_bdp,
        trimming: _,
        control_weight,
    } = *queue;
    let max = limits::MAX_QUEUE_BDP;
    let ecn_min_is_sound = factor(problems, "fabric.queue.ecn_min_bdp", ecn_min_bdp, max);
    let ecn_max_is_sound = factor(problems, "fabric.queue.ecn_max_bdp", ecn_max_bdp, max);
    if ecn_min_is_sound && ecn_max_is_sound && ecn_min_bdp > ecn_max_bdp {
        let reason = format!("is {ecn_min_bdp}, above ecn_max_bdp ({ecn_max_bdp})");
        problems.add(
            || "fabric.queue.ecn_min_bdp".into(),
            reason,
            "marking starts at ecn_min_bdp and is certain above ecn_max_bdp",
        );
    }
    share(
        problems,
        || "fabric.queue.ecn_pmax".into(),
        ecn_pmax,
        "the probability of a mark at ecn_max_bdp",
    );
    factor(problems, "fabric.queue.trim_bdp", trim_bdp, max);
    factor(problems, "fabric.queue.trim_last_hop_bdp", trim_last_hop_bdp, max);
    factor(problems, "fabric.queue.control_bdp", control_bdp, max);
    if let Some(weight) = control_weight
        && !(weight > 0.0 && weight <= limits::MAX_CONTROL_WEIGHT)
    {
        let reason = format!(
            "is {weight}; expected a number above 0 and up to {}",
            limits::MAX_CONTROL_WEIGHT
        );
        let hint = "a share of the line; leave it out for strict priority";
        problems.add(|| "fabric.queue.control_weight".into(), reason, hint);
    }
}
