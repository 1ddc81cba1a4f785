//! Ready-made host scenarios. They are files in `presets/host/`.

use super::HostScenario;

/// A ready-made host scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostPreset {
    /// Its name in links and on the command line; it begins with `host-`.
    pub slug: &'static str,
    /// The scenario as JSON; its `name` and `about` are what people read.
    pub json: &'static str,
}

impl HostPreset {
    /// The scenario.
    pub fn scenario(&self) -> HostScenario {
        HostScenario::from_json(self.json)
            .expect("each preset is read and validated by the tests of this crate")
    }
}

macro_rules! presets {
    ($($name:literal)*) => {
        &[$(HostPreset {
            slug: concat!("host-", $name),
            json: include_str!(concat!("../../presets/host/", $name, ".json")),
        }),*]
    };
}

const PRESETS: &[HostPreset] = presets! {
    "first-packet"
    "latency"
    "throughput"
    "eight-connections"
    "install-race"
    "lazy-reconcile"
    "cps-knee"
    "hero-mini"
    "cache-cliff-l1"
    "cache-cliff-l2"
    "million-flows"
    "syn-flood"
    "syn-flood-limited"
    "syn-flood-hardened"
    "snat-exhaustion"
    "vf-revoke"
    "vf-storm"
    "migration"
    "dpdk-vf-only"
    "rdma-fallback"
    "attack-spoofing"
    "attack-encapsulation"
    "attack-dma"
    "attack-exhaustion"
    "attack-exhaustion-limited"
    "attack-exhaustion-policed"
    "attack-cache-timing"
    "attack-cache-timing-parted"
};

/// All, the one to open with first.
pub fn host_presets() -> &'static [HostPreset] {
    PRESETS
}

/// The preset with this slug.
pub fn find_host_preset(slug: &str) -> Option<&'static HostPreset> {
    PRESETS.iter().find(|preset| preset.slug == slug)
}
