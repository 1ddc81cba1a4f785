//! Whether planes, NICs, links, switches and tiers exist in a fabric. Nothing is said about one that is not sound.

use crate::place::{LinkName, SwitchName};
use crate::problem::Problems;
use crate::schema::{Fabric, Tier};

pub(super) fn check_link(
    problems: &mut Problems,
    link: LinkName,
    fabric: Option<&Fabric>,
    path: &impl Fn(&str) -> String,
) {
    if let Some(reason) = fabric.and_then(|fabric| missing_link(fabric, link)) {
        problems.add(|| path("link"), format!("is {link}, but {reason}"), "");
    }
}

pub(super) fn check_switch(
    problems: &mut Problems,
    switch: SwitchName,
    fabric: Option<&Fabric>,
    path: &impl Fn(&str) -> String,
) {
    if let Some(reason) = fabric.and_then(|fabric| missing_switch(fabric, switch)) {
        problems.add(|| path("switch"), format!("is {switch}, but {reason}"), "");
    }
}

pub(super) fn check_plane(
    problems: &mut Problems,
    plane: u32,
    fabric: Option<&Fabric>,
    path: &impl Fn(&str) -> String,
) {
    if let Some(reason) = fabric.and_then(|fabric| missing_plane(fabric, plane)) {
        problems.add(|| path("plane"), format!("is {plane}, but {reason}"), "");
    }
}

pub(super) fn check_nic(
    problems: &mut Problems,
    nic: u32,
    fabric: Option<&Fabric>,
    path: &impl Fn(&str) -> String,
) {
    if let Some(reason) = fabric.and_then(|fabric| missing("NIC", nic, fabric.nics())) {
        problems.add(|| path("nic"), format!("is {nic}, but {reason}"), "");
    }
}

pub(super) fn check_tier(
    problems: &mut Problems,
    tier: Tier,
    fabric: Option<&Fabric>,
    path: &impl Fn(&str) -> String,
) {
    if tier == Tier::T1T2 && fabric.is_some_and(|fabric| fabric.tiers() == 2) {
        problems.add(|| path("tier"), format!("is t1_t2, but {TWO_TIERS}"), "");
    }
}

const TWO_TIERS: &str = "the fabric has two tiers and no T2s";

fn missing(noun: &str, index: u32, count: u64) -> Option<String> {
    (u64::from(index) >= count).then(|| {
        let last = count.saturating_sub(1);
        format!("there is no {noun} {index}; expected 0 to {last}")
    })
}

fn missing_plane(fabric: &Fabric, plane: u32) -> Option<String> {
    missing("plane", plane, u64::from(fabric.planes))
}

fn missing_t0(fabric: &Fabric, t0: u32) -> Option<String> {
    missing("T0", t0, u64::from(fabric.t0_per_plane))
}

fn missing_t1(fabric: &Fabric, t1: u32) -> Option<String> {
    missing("T1", t1, u64::from(fabric.t1_per_plane))
}

fn missing_t2(fabric: &Fabric, t2: u32) -> Option<String> {
    if fabric.tiers() == 2 {
        return Some(TWO_TIERS.into());
    }
    missing("T2", t2, u64::from(fabric.t2_per_plane))
}

fn missing_switch(fabric: &Fabric, switch: SwitchName) -> Option<String> {
    let (plane, index, missing): (_, _, fn(&Fabric, u32) -> Option<String>) = match switch {
        SwitchName::T0 { plane, index } => (plane, index, missing_t0),
        SwitchName::T1 { plane, index } => (plane, index, missing_t1),
        SwitchName::T2 { plane, index } => (plane, index, missing_t2),
    };
    missing_plane(fabric, plane).or_else(|| missing(fabric, index))
}

fn missing_link(fabric: &Fabric, link: LinkName) -> Option<String> {
    match link {
        LinkName::Nic { plane, nic } => {
            missing_plane(fabric, plane).or_else(|| missing("NIC", nic, fabric.nics()))
        }
        LinkName::T0T1 { plane, t0, t1 } => missing_plane(fabric, plane)
            .or_else(|| missing_t0(fabric, t0))
            .or_else(|| missing_t1(fabric, t1))
            .or_else(|| {
                let first = fabric.first_t1_above(t0);
                (!linked(t1, first, fabric.t1_per_pod()))
                    .then(|| links_to("T0", t0, "T1s", first, fabric.t1_per_pod()))
            }),
        LinkName::T1T2 { plane, t1, t2 } => missing_plane(fabric, plane)
            .or_else(|| missing_t1(fabric, t1))
            .or_else(|| missing_t2(fabric, t2))
            .or_else(|| {
                let first = fabric.first_t2_above(t1);
                (!linked(t2, first, fabric.t2_per_t1()))
                    .then(|| links_to("T1", t1, "T2s", first, fabric.t2_per_t1()))
            }),
    }
}

/// A lower switch has links to `count` upper ones from `first` on.
fn linked(upper: u32, first: u32, count: u32) -> bool {
    (first..first + count).contains(&upper)
}

fn links_to(noun: &str, lower: u32, upper_noun: &str, first: u32, count: u32) -> String {
    let last = first + count.saturating_sub(1);
    format!("{noun} {lower} has links to the {upper_noun} {first} to {last} of the plane")
}
