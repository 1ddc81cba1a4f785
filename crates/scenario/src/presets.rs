//! Ready-made scenarios, each a short story about one mechanism. They are files in `presets/`.

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
    ($($slug:literal)*) => {
        &[$(Preset { slug: $slug, json: include_str!(concat!("../presets/", $slug, ".json")) }),*]
    };
}

const PRESETS: &[Preset] = presets! {
    "link-dies"
    "eight-planes"
    "nic-link"
    "incast"
    "t1-dies"
    "lossy-link"
    "all-to-all"
    "whole-fabric"
};

/// All presets; the first is the one to open with.
pub fn presets() -> &'static [Preset] {
    PRESETS
}
