//! Ready-made scenarios: short stories about one mechanism each, of MRC and of what it is compared with, and the
//! experiments of the MRC paper. They are files in `presets/` and `presets/paper/`.

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

/// The stories; the first is the one to open with.
pub fn presets() -> &'static [Preset] {
    PRESETS
}

/// The experiments of the MRC paper (arXiv:2605.04333), in the order of its figures.
pub fn paper_presets() -> &'static [Preset] {
    PAPER
}

/// The preset with this slug, whichever of the two it is.
pub fn find_preset(slug: &str) -> Option<&'static Preset> {
    PRESETS.iter().chain(PAPER).find(|preset| preset.slug == slug)
}
