//! Scenarios of cases.

use scenario::htsim::{Options, parse_matrix, parse_topology, to_scenario};
use scenario::{Balancer, Model, Scenario};
use std::fmt::Write;

/// Message size of each flow where a shape does not say another, in bytes.
const BYTES: u32 = 2_000_000;

/// Receivers, and senders for each of them and itself, of [`Shape::Incasts`].
const GROUPS: u32 = 64;

/// How fabric and traffic are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One plane of 400 Gb/s links and uet-htsim's model; NIC s sends 2 MB to NIC (s + N/2) mod N.
    Htsim { nics: u32 },
    /// Eight planes of 100 Gb/s links and MRC; the same permutation with so many bytes.
    Mrc { nics: u32, bytes: u32 },
    /// The preset `whole-fabric`, with or without its fault.
    Whole { t1_dies: bool },
    /// As `Mrc`, but so many percent of the NICs send, spread evenly.
    Share { nics: u32, percent: u32 },
    /// As `Mrc`, but 64 incasts at a time; thresholds of the queues that many times a quarter of their defaults.
    Incasts { nics: u32, quarters: u32 },
}

/// T0s in a plane, T1s in a plane, NICs for each T0: as many uplinks as downlinks, racks as large as the paper's at
/// the paper's size.
const fn clos(nics: u32) -> [u32; 3] {
    match nics {
        128 => [16, 8, 8],
        1_024 => [32, 32, 32],
        8_192 => [128, 64, 64],
        32_768 => [256, 128, 128],
        _ => [512, 256, 256],
    }
}

impl Shape {
    /// NICs in its fabric.
    pub const fn nics(&self) -> u32 {
        match *self {
            Shape::Htsim { nics }
            | Shape::Mrc { nics, .. }
            | Shape::Share { nics, .. }
            | Shape::Incasts { nics, .. } => nics,
            Shape::Whole { .. } => 131_072,
        }
    }

    /// In a few words.
    pub fn words(&self) -> String {
        let [t0s, t1s, _] = clos(self.nics());
        let eight = format!("8 planes × {t0s} T0 × {t1s} T1, 100 Gb/s");
        match *self {
            Shape::Htsim { nics } => {
                let per_t0 = hosts_per_t0(nics);
                format!(
                    "htsim's model, 1 plane × {} T0 × {per_t0} T1, 400 Gb/s; 2 MB each",
                    nics / per_t0
                )
            }
            Shape::Mrc { bytes, .. } if bytes == BYTES => format!("MRC, {eight}; 2 MB each"),
            Shape::Mrc { bytes, .. } => format!("MRC, {eight}; {} KiB each", bytes >> 10),
            Shape::Whole { t1_dies: false } => format!("MRC, {eight}; 64 KiB each"),
            Shape::Whole { t1_dies: true } => format!("MRC, {eight}; 64 KiB each, a T1 dies"),
            Shape::Share { percent, .. } => format!("MRC, {eight}; 2 MB each from {percent} % of the NICs"),
            Shape::Incasts { quarters, .. } => format!(
                "MRC, {eight}; {GROUPS} incasts of 15, queues of {} BDP",
                f64::from(quarters) / 4.0
            ),
        }
    }

    /// As a scenario.
    pub fn scenario(&self) -> Scenario {
        match *self {
            Shape::Htsim { nics } => imported(nics),
            Shape::Mrc { nics, bytes } => {
                let shift = nics / 2;
                mrc(
                    nics,
                    "{}",
                    &format!(r#"{{"kind": "permutation", "shift": {shift}, "bytes": {bytes}}}"#),
                )
            }
            Shape::Whole { t1_dies } => {
                let preset = scenario::presets()
                    .iter()
                    .find(|preset| preset.slug == "whole-fabric");
                let mut scenario = preset.expect("a preset of that name").scenario();
                if !t1_dies {
                    scenario.faults.clear();
                }
                scenario
            }
            Shape::Share { nics, percent } => {
                let sends = |nic: u32| (nic + 1) * percent / 100 > nic * percent / 100;
                let flows = (0..nics).filter(|&nic| sends(nic));
                mrc(
                    nics,
                    "{}",
                    &list(flows.map(|src| (src, (src + nics / 2) % nics, BYTES))),
                )
            }
            Shape::Incasts { nics, quarters } => {
                // Members of a group are in racks of their own.
                let senders = (GROUPS..nics).map(|src| (src, src % GROUPS, BYTES / 4));
                let of = |factor: f64| factor * f64::from(quarters) / 4.0;
                let queue = format!(
                    r#"{{"ecn_min_bdp": {}, "ecn_max_bdp": {}, "trim_bdp": {}, "trim_last_hop_bdp": {}}}"#,
                    of(0.2),
                    of(0.8),
                    of(1.0),
                    of(1.5)
                );
                mrc(nics, &queue, &list(senders))
            }
        }
    }
}

/// Flows from, to, and how many bytes.
fn list(flows: impl Iterator<Item = (u32, u32, u32)>) -> String {
    let flow =
        |(src, dst, bytes)| format!(r#"{{"kind": "flow", "src": {src}, "dst": {dst}, "bytes": {bytes}}}"#);
    flows.map(flow).collect::<Vec<_>>().join(",")
}

fn mrc(nics: u32, queue: &str, traffic: &str) -> Scenario {
    let [t0s, t1s, per_t0] = clos(nics);
    let json = format!(
        r#"{{"version": 1, "until": "1s",
        "fabric": {{"planes": 8, "t0_per_plane": {t0s}, "t1_per_plane": {t1s}, "nics_per_t0": {per_t0},
                    "nic_link_rate": "100Gbps", "queue": {queue}}},
        "traffic": [{traffic}]}}"#
    );
    Scenario::from_json(&json).expect("a valid scenario")
}

const fn hosts_per_t0(nics: u32) -> u32 {
    match nics {
        128 => 16,
        1_024 => 32,
        _ => 64,
    }
}

/// By way of the files that users of htsim have, so that the model's settings are those of every import.
fn imported(nics: u32) -> Scenario {
    let hosts_per_t0 = hosts_per_t0(nics);
    let mut matrix = format!("Nodes {nics}\nConnections {nics}\n");
    for src in 0..nics {
        let (dst, id) = ((src + nics / 2) % nics, src + 1);
        // Writing to a string does not fail.
        let _ = writeln!(matrix, "{src}->{dst} id {id} start 0 size {BYTES}");
    }
    let topology = format!(
        "Nodes {nics}\nTiers 2\nPodsize {nics}\n\
         Tier 0\nDownlink_speed_Gbps 400\nRadix_Down {hosts_per_t0}\nRadix_Up {hosts_per_t0}\n\
         Oversubscribed 1\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 0\n\
         Tier 1\nDownlink_speed_Gbps 400\nRadix_Down {}\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 0\n",
        nics / hosts_per_t0
    );
    let matrix = parse_matrix("matrix", &matrix).expect("a well-formed matrix");
    let topology = parse_topology("topology", &topology).expect("a well-formed topology");
    let options = Options {
        model: Model::Htsim,
        balancer: Balancer::Mrc,
        ..Options::default()
    };
    let (scenario, _) = to_scenario(&matrix, &topology, &options).expect("a matrix for this topology");
    scenario
}
