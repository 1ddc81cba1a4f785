//! The host: VMs behind VFP and a GFT SmartNIC, what they do, and what happens to them.
//!
//! A [`HostScenario`] has `"host"` where a fabric's [`Scenario`](crate::Scenario) has `"fabric"`; the version, the units and the
//! rules of defaults are the same. Each field says its unit, its range and where its default comes from: *published* (the
//! AccelNet and VFP papers and what summarises them), *documented* (public documentation and source code), or *our choice*;
//! [`PARAMETERS`] says the same as a table.

mod defaults;
mod events;
mod help;
mod json;
pub mod limits;
mod machine;
mod notes;
mod parameters;
mod policy;
mod presets;
mod tables;
mod traffic;
mod validate;
mod vm;

pub use events::HostEvent;
pub use help::help;
pub use machine::{
    Defences, Guard, GuestEncap, HashKey, Host, Latency, Nic, PathLatency, RateLimit, RateLimitPer,
    Replacement, Servicing, Software, Tcp, Timers,
};
pub use parameters::{PARAMETERS, Parameter, Status};
pub use policy::{Access, Classifier, NsgRule, Policy, RuleDirection, Snat};
pub use presets::{HostPreset, find_host_preset, host_presets};
pub use traffic::{Attempt, From, ReplayFlow, Traffic};
pub use vm::{FlowLimits, Path, Vm};

use crate::quantity::Time;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// One experiment on one host. Same scenario, same seed: same run, bit for bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields)]
pub struct HostScenario {
    /// Schema version; 1.
    pub version: u32,
    /// A short title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What to look for, in plain words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Seed of every random choice in the run.
    #[serde(default, skip_serializing_if = "crate::defaults::is_default")]
    pub seed: u64,
    /// The run ends here.
    pub until: Time,
    /// The machine: NIC, vSwitch, latencies, timers, defences.
    pub host: Host,
    /// The VMs on it, 1 to 64. VM i has the address 10.1.0.(4 + i) and the VFP port i + 1.
    pub vms: Vec<Vm>,
    /// What is sent.
    pub traffic: Vec<Traffic>,
    /// What is done to the host meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<HostEvent>,
}
