//! Faults, and whether the places that they name exist.

use super::within;
use crate::limits;
use crate::place::{LinkName, SwitchName};
use crate::problem::Problems;
use crate::quantity::Time;
use crate::schema::{Fabric, Fault, FaultKind};

/// `fabric`: where the names have to exist, if it is sound.
pub(super) fn check_faults(faults: &[Fault], fabric: Option<&Fabric>, problems: &mut Problems) {
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
        match &fault.what {
            FaultKind::LinkDown { link } | FaultKind::LinkUp { link } => {
                check_link(problems, *link, fabric, path);
            }
            FaultKind::LinkLoss { link, rate } => {
                check_link(problems, *link, fabric, path);
                if !(0.0..=1.0).contains(rate) {
                    let reason = format!("is {rate}; expected 0 to 1");
                    problems.add(|| path("rate"), reason, "the probability that a packet is lost");
                }
            }
            FaultKind::SwitchDown { switch } | FaultKind::SwitchUp { switch } => {
                check_switch(problems, *switch, fabric, path);
            }
        }
    }
}

/// The first index that is too large, as "plane 4 of 0 to 3".
fn outside(parts: &[(&str, u32, u64)]) -> Option<String> {
    let &(what, index, count) = parts
        .iter()
        .find(|&&(_, index, count)| u64::from(index) >= count)?;
    Some(format!(
        "there is no {what} {index}; expected 0 to {}",
        count.saturating_sub(1)
    ))
}

fn check_link(
    problems: &mut Problems,
    link: LinkName,
    fabric: Option<&Fabric>,
    path: impl Fn(&str) -> String,
) {
    let Some(fabric) = fabric else { return };
    let planes = u64::from(fabric.planes);
    let missing = match link {
        LinkName::Nic { plane, nic } => outside(&[("plane", plane, planes), ("NIC", nic, fabric.nics())]),
        LinkName::T0T1 { plane, t0, t1 } => outside(&[
            ("plane", plane, planes),
            ("T0", t0, u64::from(fabric.t0_per_plane)),
            ("T1", t1, u64::from(fabric.t1_per_plane)),
        ]),
    };
    if let Some(reason) = missing {
        problems.add(|| path("link"), format!("is {link}, but {reason}"), "");
    }
}

fn check_switch(
    problems: &mut Problems,
    switch: SwitchName,
    fabric: Option<&Fabric>,
    path: impl Fn(&str) -> String,
) {
    let Some(fabric) = fabric else { return };
    let planes = u64::from(fabric.planes);
    let missing = match switch {
        SwitchName::T0 { plane, index } => outside(&[
            ("plane", plane, planes),
            ("T0", index, u64::from(fabric.t0_per_plane)),
        ]),
        SwitchName::T1 { plane, index } => outside(&[
            ("plane", plane, planes),
            ("T1", index, u64::from(fabric.t1_per_plane)),
        ]),
    };
    if let Some(reason) = missing {
        problems.add(|| path("switch"), format!("is {switch}, but {reason}"), "");
    }
}
