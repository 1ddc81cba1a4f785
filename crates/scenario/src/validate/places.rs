//! Whether links, switches, planes and NICs exist in a fabric.

use crate::place::{LinkName, SwitchName};
use crate::schema::Fabric;

/// What is wrong with a plane or a NIC.
pub(super) fn missing(noun: &str, index: u32, count: u64) -> Option<String> {
    (u64::from(index) >= count).then(|| {
        let last = count.saturating_sub(1);
        format!("there is no {noun} {index}; expected 0 to {last}")
    })
}

/// What is wrong with a link.
pub(super) fn missing_link(fabric: &Fabric, link: LinkName) -> Option<String> {
    let plane = |plane| missing("plane", plane, u64::from(fabric.planes));
    match link {
        LinkName::Nic { plane: p, nic } => plane(p).or_else(|| missing("NIC", nic, fabric.nics())),
        LinkName::T0T1 { plane: p, t0, t1 } => plane(p)
            .or_else(|| missing("T0", t0, u64::from(fabric.t0_per_plane)))
            .or_else(|| missing("T1", t1, u64::from(fabric.t1_per_plane)))
            .or_else(|| {
                not_linked(
                    "T0",
                    t0,
                    "T1s",
                    t1,
                    fabric.first_t1_above(t0),
                    fabric.t1_per_pod(),
                )
            }),
        LinkName::T1T2 { plane: p, t1, t2 } => plane(p)
            .or_else(|| missing("T1", t1, u64::from(fabric.t1_per_plane)))
            .or_else(|| missing_t2(fabric, t2))
            .or_else(|| not_linked("T1", t1, "T2s", t2, fabric.first_t2_above(t1), fabric.t2_per_t1())),
    }
}

/// What is wrong with a switch.
pub(super) fn missing_switch(fabric: &Fabric, switch: SwitchName) -> Option<String> {
    let plane = |plane| missing("plane", plane, u64::from(fabric.planes));
    match switch {
        SwitchName::T0 { plane: p, index } => {
            plane(p).or_else(|| missing("T0", index, u64::from(fabric.t0_per_plane)))
        }
        SwitchName::T1 { plane: p, index } => {
            plane(p).or_else(|| missing("T1", index, u64::from(fabric.t1_per_plane)))
        }
        SwitchName::T2 { plane: p, index } => plane(p).or_else(|| missing_t2(fabric, index)),
    }
}

fn missing_t2(fabric: &Fabric, t2: u32) -> Option<String> {
    if fabric.tiers() == 2 {
        return Some("the fabric has two tiers and no T2s".into());
    }
    missing("T2", t2, u64::from(fabric.t2_per_plane))
}

/// The lower switch has links to `count` upper ones from `first` on.
fn not_linked(
    lower_noun: &str,
    lower: u32,
    upper_noun: &str,
    upper: u32,
    first: u32,
    count: u32,
) -> Option<String> {
    let last = first + count.saturating_sub(1);
    (!(first..=last).contains(&upper))
        .then(|| format!("{lower_noun} {lower} has links to the {upper_noun} {first} to {last}"))
}
