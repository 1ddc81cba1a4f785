//! The stories, in the order in which they are offered.

mod failures;
mod hosts;
mod hosts_under_load;
mod incast;
mod rivals;
mod scale;

use super::{Claim, Figure, HostFigure, Panel, Step, Story};

/// All stories; the first is the one to open with.
pub fn stories() -> &'static [Story] {
    &STORIES
}

static STORIES: [Story; 13] = [
    failures::LINK_DIES,
    failures::T1_STOPS,
    incast::TRIM_OR_DROP,
    incast::VICTIM,
    failures::NIC_OPTIC,
    rivals::ROCE_AND_MRC,
    scale::TRAINING,
    scale::WHOLE_FABRIC,
    hosts::FIRST_PACKET,
    hosts::LAZY,
    hosts_under_load::SYN_FLOOD,
    hosts_under_load::FULL_CACHE,
    hosts::VF_REVOKE,
];

/// A step that others are written after.
const STEP: Step = Step {
    title: "",
    text: "",
    run: 0,
    at_ps: 0,
    selects: "QP 0",
    zoom: 1.0,
    panel: Panel::Timeline,
    claims: &[],
};

const US: u64 = 1_000_000;
const MS: u64 = 1_000 * US;

const fn claim(said: &'static str, figure: Figure) -> Claim {
    Claim { said, figure }
}

const fn of_host(said: &'static str, figure: HostFigure) -> Claim {
    claim(said, Figure::Host(figure))
}
