//! Ready-made scenarios: short stories about one mechanism each, of MRC and of what it is compared with, and the
//! experiments of the MRC paper. They are files in `presets/`, `presets/paper/` and `presets/versus/`.

use crate::schema::Scenario;

/// A ready-made scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name in links and on the command line.
    pub slug: &'static str,
    /// The scenario as JSON; its `name` and `about` are what people read.
    pub json: &'static str,
}

impl Preset {
    /// The scenario.
    pub fn scenario(&self) -> Scenario {
        Scenario::from_json(self.json).expect("each preset is read and validated by the tests of this crate")
    }
}

macro_rules! presets {
    ($before:literal, $folder:literal: $($name:literal)*) => {
        &[$(Preset {
            slug: concat!($before, $name),
            json: include_str!(concat!("../presets/", $folder, $name, ".json")),
        }),*]
    };
}

const PRESETS: &[Preset] = presets! { "", "":
    "link-dies"
    "eight-planes"
    "nic-link"
    "incast"
    "t1-dies"
    "three-tiers"
    "lossy-link"
    "flapping-link"
    "switch-corrupts"
    "nic-port"
    "nic-optic"
    "lossy-nic-link"
    "clustermapper"
    "uneven-plane"
    "slow-receiver"
    "training-step"
    "all-to-all"
    "roce-pfc-incast"
    "roce-dcqcn-incast"
    "roce-ecmp-collisions"
    "roce-allreduce"
    "roce-t1-dies"
    "pfc-deadlock"
    "whole-fabric"
};

const PAPER: &[Preset] = presets! { "paper-", "paper/":
    "fig-4"
    "fig-6"
    "fig-8"
    "latency"
    "bandwidth"
    "fig-9a"
    "fig-9c"
    "fig-10"
    "fig-11"
    "fig-12"
    "fig-14"
    "fig-16"
    "fig-16-roce"
    "fig-17"
    "fig-17-roce"
    "fig-18"
    "fig-18-roce"
    "fig-19"
    "fig-20"
    "fig-20-roce"
};

const VERSUS: &[Preset] = presets! { "", "versus/":
    "ladder-1-roce"
    "ladder-2-qps"
    "ladder-3-selective-repeat"
    "ladder-4-switch-spraying"
    "ladder-5-nscc"
    "ladder-6-sender-spraying"
    "ladder-7-ecn-steering"
    "ladder-8-pfc-off"
    "ladder-9-trimming"
    "ladder-10-srv6"
    "ladder-11-planes"
    "scale-roce"
    "scale-mrc"
    "scale-mrc-planes"
};

/// The stories; the first is the one to open with.
pub fn presets() -> &'static [Preset] {
    PRESETS
}

/// The experiments of the MRC paper (arXiv:2605.04333), in the order of its figures.
pub fn paper_presets() -> &'static [Preset] {
    PAPER
}

/// RoCE and MRC under the same traffic and failures: a ladder from the one to the other, and both at scale.
pub fn versus_presets() -> &'static [Preset] {
    VERSUS
}

/// The preset with this slug, in whichever list it is.
pub fn find_preset(slug: &str) -> Option<&'static Preset> {
    PRESETS
        .iter()
        .chain(PAPER)
        .chain(VERSUS)
        .find(|preset| preset.slug == slug)
}
