//! Faults: bounds, and whether the places that they name exist.

use super::places::{check_link, check_nic, check_plane, check_switch, check_tier};
use super::{share, within};
use crate::limits;
use crate::problem::Problems;
use crate::quantity::Time;
use crate::schema::{Fabric, FaultKind, Scenario, Tier};

/// `fabric`: where the names have to exist, if it is sound.
pub(super) fn check_faults(scenario: &Scenario, fabric: Option<&Fabric>, problems: &mut Problems) {
    let faults = &scenario.faults;
    if faults.len() > limits::MAX_FAULTS {
        let reason = format!(
            "has {} elements; expected at most {}",
            faults.len(),
            limits::MAX_FAULTS
        );
        problems.add(|| "faults".into(), reason, "");
    }
    for (i, fault) in faults.iter().enumerate() {
        let path = |field: &str| format!("faults[{i}].{field}");
        within(
            problems,
            || path("at"),
            fault.at,
            &(Time(0)..=limits::MAX_TIME),
            "",
        );
        check_fault(problems, fault.at, &fault.what, fabric, &path);
    }
    if fabric.is_some() {
        let most = limits::MAX_FAULT_EVENTS;
        if scenario.fault_event_count() > most {
            let reason = format!("make more than {most} events in all");
            let hint = "flaps, reboots and links_down make many; use fewer, or longer times";
            problems.add(|| "faults".into(), reason, hint);
        }
    }
}

fn check_fault(
    problems: &mut Problems,
    at: Time,
    what: &FaultKind,
    fabric: Option<&Fabric>,
    path: &impl Fn(&str) -> String,
) {
    let of_a_packet = "the probability that a packet is lost";
    match *what {
        FaultKind::LinkDown { link, direction: _ } | FaultKind::LinkUp { link, direction: _ } => {
            check_link(problems, link, fabric, path);
        }
        FaultKind::LinkLoss {
            link,
            direction: _,
            rate,
        } => {
            check_link(problems, link, fabric, path);
            share(problems, || path("rate"), rate, of_a_packet);
        }
        FaultKind::LinkCorrupt {
            link,
            direction: _,
            rate,
        } => {
            check_link(problems, link, fabric, path);
            share(
                problems,
                || path("rate"),
                rate,
                "the probability that a packet is damaged",
            );
        }
        FaultKind::LinkFlap {
            link,
            down,
            up,
            random: _,
            until,
        } => {
            check_link(problems, link, fabric, path);
            within(problems, || path("down"), down, &limits::FLAP_TIME, "");
            within(problems, || path("up"), up, &limits::FLAP_TIME, "");
            if until <= at {
                let reason = format!("is {until}, not after at ({at})");
                problems.add(|| path("until"), reason, "when the flapping ends");
            } else {
                within(
                    problems,
                    || path("until"),
                    until,
                    &(Time(0)..=limits::MAX_TIME),
                    "",
                );
            }
        }
        FaultKind::LinksDown {
            tier,
            plane,
            count,
            spacing,
            duration,
        } => {
            check_tier(problems, tier, fabric, path);
            if let Some(plane) = plane {
                check_plane(problems, plane, fabric, path);
            }
            check_count(problems, tier, plane, count, fabric, path);
            check_spacing(problems, at, count, spacing, path);
            check_duration(problems, duration, path);
        }
        FaultKind::TierLoss {
            tier,
            direction: _,
            rate,
        } => {
            check_tier(problems, tier, fabric, path);
            share(problems, || path("rate"), rate, of_a_packet);
        }
        FaultKind::SwitchDown { switch } | FaultKind::SwitchUp { switch } => {
            check_switch(problems, switch, fabric, path);
        }
        FaultKind::SwitchReboot { switch, duration } => {
            check_switch(problems, switch, fabric, path);
            check_duration(problems, Some(duration), path);
        }
        FaultKind::SwitchCorrupt { switch, rate } => {
            check_switch(problems, switch, fabric, path);
            share(
                problems,
                || path("rate"),
                rate,
                "the probability that a payload is damaged",
            );
        }
        FaultKind::NicPortDown { nic, plane, duration } => {
            check_nic(problems, nic, fabric, path);
            check_plane(problems, plane, fabric, path);
            check_duration(problems, duration, path);
        }
        FaultKind::NicFlap { nic, duration } => {
            check_nic(problems, nic, fabric, path);
            check_duration(problems, Some(duration), path);
        }
        FaultKind::NicRefuses { nic, rate, reason: _ } => {
            check_nic(problems, nic, fabric, path);
            share(
                problems,
                || path("rate"),
                rate,
                "the probability that a packet is refused",
            );
        }
        FaultKind::NicPenalty { nic, penalty } => {
            check_nic(problems, nic, fabric, path);
            within(
                problems,
                || path("penalty"),
                penalty,
                &limits::PENALTY,
                "0 ends it",
            );
        }
    }
}

/// How many links go down: no more than there are.
fn check_count(
    problems: &mut Problems,
    tier: Tier,
    plane: Option<u32>,
    count: u32,
    fabric: Option<&Fabric>,
    path: &impl Fn(&str) -> String,
) {
    let planes = |fabric: &Fabric| {
        if plane.is_some() {
            1
        } else {
            u64::from(fabric.planes)
        }
    };
    let most = fabric.map_or(u64::MAX, |fabric| fabric.links_per_plane(tier) * planes(fabric));
    // A tier that is not there has been reported.
    if most > 0 {
        within(
            problems,
            || path("count"),
            u64::from(count),
            &(1..=most),
            "links of the tier",
        );
    }
}

fn check_duration(problems: &mut Problems, duration: Option<Time>, path: &impl Fn(&str) -> String) {
    if let Some(duration) = duration {
        within(
            problems,
            || path("duration"),
            duration,
            &limits::FAULT_DURATION,
            "how long it lasts",
        );
    }
}

/// The last link has to go down within a scenario's time.
fn check_spacing(
    problems: &mut Problems,
    at: Time,
    count: u32,
    spacing: Time,
    path: &impl Fn(&str) -> String,
) {
    let steps = u64::from(count.saturating_sub(1));
    let last = Time(at.0.saturating_add(spacing.0.saturating_mul(steps)));
    if at <= limits::MAX_TIME && last > limits::MAX_TIME {
        let reason = format!(
            "is {spacing}, so that the last link goes down at {last}; expected {} at most",
            limits::MAX_TIME
        );
        problems.add(|| path("spacing"), reason, "");
    }
}
