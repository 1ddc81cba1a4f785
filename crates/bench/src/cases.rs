//! What is measured. Every case is a permutation: NIC s sends 2 MB to NIC (s + N/2) mod N.

use scenario::htsim::{Options, parse_matrix, parse_topology, to_scenario};
use scenario::{Balancer, Model, Scenario};
use serde::Serialize;
use std::fmt::Write;

/// Message size of each flow, in bytes.
const BYTES: u32 = 2_000_000;

/// One benchmark case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Case {
    /// Its name on the command line and in tables.
    pub name: &'static str,
    /// NICs in the fabric.
    pub nics: u32,
    /// The fabric in a few words.
    pub fabric: &'static str,
    /// File name of the same connection matrix in `tests/peer/results.csv`, where the peer simulator ran it.
    pub peer_matrix: Option<&'static str>,
    #[serde(skip)]
    shape: Shape,
}

/// How the fabric is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// One plane of 400 Gb/s links and uet-htsim's model: `hosts_per_t0` NICs and as many T1 switches for each T0.
    Htsim { hosts_per_t0: u32 },
    /// Eight planes of 100 Gb/s links and MRC: `radix` NICs for each T0, and as many T1 switches in each plane.
    Mrc { radix: u32 },
}

/// The cases, in the order of the tables.
pub const CASES: [Case; 5] = [
    Case {
        name: "perm128",
        nics: 128,
        fabric: "htsim's model, 1 plane × 8 T0 × 16 T1, 400 Gb/s",
        peer_matrix: Some("perm_shift64_n128_2000000.cm"),
        shape: Shape::Htsim { hosts_per_t0: 16 },
    },
    Case {
        name: "perm1024",
        nics: 1_024,
        fabric: "htsim's model, 1 plane × 32 T0 × 32 T1, 400 Gb/s",
        peer_matrix: Some("perm_shift512_n1024_2000000.cm"),
        shape: Shape::Htsim { hosts_per_t0: 32 },
    },
    Case {
        name: "perm8192",
        nics: 8_192,
        fabric: "htsim's model, 1 plane × 128 T0 × 64 T1, 400 Gb/s",
        peer_matrix: None,
        shape: Shape::Htsim { hosts_per_t0: 64 },
    },
    Case {
        name: "mrc128",
        nics: 128,
        fabric: "MRC, 8 planes × 16 T0 × 8 T1, 100 Gb/s, 128 EVs",
        peer_matrix: None,
        shape: Shape::Mrc { radix: 8 },
    },
    Case {
        name: "mrc1024",
        nics: 1_024,
        fabric: "MRC, 8 planes × 32 T0 × 32 T1, 100 Gb/s, 128 EVs",
        peer_matrix: None,
        shape: Shape::Mrc { radix: 32 },
    },
];

impl Case {
    /// The case of that name.
    pub fn named(name: &str) -> Option<&'static Case> {
        CASES.iter().find(|case| case.name == name)
    }

    /// What it simulates.
    pub fn scenario(&self) -> Scenario {
        match self.shape {
            Shape::Htsim { hosts_per_t0 } => self.imported(hosts_per_t0),
            Shape::Mrc { radix } => self.mrc(radix),
        }
    }

    /// By way of the files that users of htsim have, so that the model's settings are those of every import.
    fn imported(&self, hosts_per_t0: u32) -> Scenario {
        let nics = self.nics;
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

    fn mrc(&self, radix: u32) -> Scenario {
        let json = format!(
            r#"{{"version": 1, "until": "1s",
            "fabric": {{"planes": 8, "t0_per_plane": {}, "t1_per_plane": {radix}, "nics_per_t0": {radix},
                        "nic_link_rate": "100Gbps"}},
            "traffic": [{{"kind": "permutation", "shift": {}, "bytes": {BYTES}}}]}}"#,
            self.nics / radix,
            self.nics / 2,
        );
        Scenario::from_json(&json).expect("a valid scenario")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_case_has_the_fabric_that_it_names() {
        for case in CASES {
            let scenario = case.scenario();
            assert_eq!(scenario.validate(), Ok(()), "{}", case.name);
            assert_eq!(scenario.fabric.nics(), u64::from(case.nics), "{}", case.name);
            let fabric = &scenario.fabric;
            let size = format!("{} T0 × {} T1", fabric.t0_per_plane, fabric.t1_per_plane);
            assert!(case.fabric.contains(&size), "{}: {size}", case.name);
            let flows = scenario.flows();
            assert_eq!(flows.len(), case.nics as usize);
            assert!(flows.iter().all(|flow| flow.bytes == u64::from(BYTES)));
            assert!(
                flows
                    .iter()
                    .all(|flow| flow.src.abs_diff(flow.dst) == case.nics / 2)
            );
            assert_eq!(Case::named(case.name), Some(&case));
        }
        assert_eq!(Case::named("perm"), None);
    }

    #[test]
    fn the_peers_cases_are_the_peers_files() {
        let files = [
            (
                "perm128",
                include_str!("../../../tests/peer/perm_shift64_n128_2000000.cm"),
                include_str!("../../../tests/peer/ls_n128_400g.topo"),
            ),
            (
                "perm1024",
                include_str!("../../../tests/peer/perm_shift512_n1024_2000000.cm"),
                include_str!("../../../tests/peer/ls_n1024_400g.topo"),
            ),
        ];
        for (name, matrix, topology) in files {
            let matrix = parse_matrix("matrix", matrix).unwrap();
            let topology = parse_topology("topology", topology).unwrap();
            let options = Options {
                model: Model::Htsim,
                ..Options::default()
            };
            let (from_files, _) = to_scenario(&matrix, &topology, &options).unwrap();
            assert_eq!(Case::named(name).unwrap().scenario(), from_files, "{name}");
        }
    }
}
