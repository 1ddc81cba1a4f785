//! What is measured, in groups: rates, the whole fabric, and three ways to grow.

use crate::shape::Shape;
use scenario::Scenario;
use serde::Serialize;

/// What a case is measured for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// Packet-hops per second.
    Rate,
    /// 131,072 NICs: time to build, time to run, memory.
    Scale,
    /// Time per packet-hop against the number of NICs.
    Hosts,
    /// The same against the share of NICs that send.
    Load,
    /// The same against the depth of the queues.
    Depth,
}

/// One benchmark case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Case {
    /// Its name on the command line and in tables.
    pub name: String,
    /// What it is for.
    pub group: Group,
    /// Where it is on its chart's horizontal axis: number of NICs, percent of NICs that send, or the trimming threshold in
    /// BDPs, by its group.
    pub at: f64,
    /// NICs in the fabric.
    pub nics: u32,
    /// The fabric in a few words.
    pub fabric: String,
    /// How often a process builds and runs it, where once is too short to be timed or to get warm; its times are means over
    /// these.
    pub repeats: u32,
    /// File name of the same connection matrix in `tests/peer/results.csv`, where the peer simulator ran it.
    pub peer_matrix: Option<&'static str>,
    #[serde(skip)]
    shape: Shape,
}

/// From so many NICs on one run is long enough.
const LARGE: u32 = 8_192;

/// NICs in the cases that differ in load or depth.
const GROWN: u32 = 1_024;

/// Runs in a row of a warm case: about a second.
const WARM_REPEATS: u32 = 40;

/// The cases, in the order of the tables.
pub fn cases() -> Vec<Case> {
    let case = |group, name: String, at: f64, shape: Shape, peer_matrix| Case {
        name,
        group,
        at,
        nics: shape.nics(),
        fabric: shape.words(),
        repeats: if group == Group::Hosts {
            (LARGE / shape.nics()).max(1)
        } else {
            1
        },
        peer_matrix,
        shape,
    };
    let mut cases = Vec::new();
    for (nics, matrix) in [
        (128, Some("perm_shift64_n128_2000000.cm")),
        (1_024, Some("perm_shift512_n1024_2000000.cm")),
        (8_192, None),
    ] {
        let shape = Shape::Htsim { nics };
        cases.push(case(
            Group::Rate,
            format!("perm{nics}"),
            f64::from(nics),
            shape,
            matrix,
        ));
    }
    for nics in [128, 1_024] {
        let bytes = 2_000_000;
        let shape = Shape::Mrc { nics, bytes };
        cases.push(case(
            Group::Rate,
            format!("mrc{nics}"),
            f64::from(nics),
            shape,
            None,
        ));
    }
    // The shortest ones again, in processes that stay: the code compiled, the memory there.
    for short in ["perm128", "mrc128"] {
        let case = cases.iter().find(|case| case.name == short).cloned();
        cases.extend(case.map(|case| Case {
            name: format!("{short}-warm"),
            repeats: WARM_REPEATS,
            ..case
        }));
    }
    for (name, t1_dies) in [("fabric", false), ("fabric-t1-dies", true)] {
        let shape = Shape::Whole { t1_dies };
        cases.push(case(
            Group::Scale,
            name.into(),
            f64::from(shape.nics()),
            shape,
            None,
        ));
    }
    for nics in [128, 1_024, 8_192, 32_768] {
        let bytes = 64 << 10;
        let shape = Shape::Mrc { nics, bytes };
        cases.push(case(
            Group::Hosts,
            format!("hosts{nics}"),
            f64::from(nics),
            shape,
            None,
        ));
    }
    for percent in [10, 25, 50, 75, 100] {
        let shape = Shape::Share { nics: GROWN, percent };
        cases.push(case(
            Group::Load,
            format!("load{percent}"),
            f64::from(percent),
            shape,
            None,
        ));
    }
    for quarters in [1, 2, 4, 8, 16, 32, 64] {
        let shape = Shape::Incasts {
            nics: GROWN,
            quarters,
        };
        let bdp = f64::from(quarters) / 4.0;
        cases.push(case(Group::Depth, format!("depth{bdp}"), bdp, shape, None));
    }
    cases
}

impl Case {
    /// The case of that name.
    pub fn named(name: &str) -> Option<Case> {
        cases().into_iter().find(|case| case.name == name)
    }

    /// What it simulates.
    pub fn scenario(&self) -> Scenario {
        self.shape.scenario()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::Model;
    use scenario::htsim::{Options, parse_matrix, parse_topology, to_scenario};
    use std::collections::BTreeSet;

    #[test]
    fn each_case_has_the_fabric_that_it_names() {
        let cases = cases();
        let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names.len(), cases.len());
        for case in &cases {
            let scenario = case.scenario();
            assert_eq!(scenario.validate(), Ok(()), "{}", case.name);
            assert_eq!(scenario.fabric.nics(), u64::from(case.nics), "{}", case.name);
            let fabric = &scenario.fabric;
            let size = format!("{} T0 × {} T1", fabric.t0_per_plane, fabric.t1_per_plane);
            assert!(case.fabric.contains(&size), "{}: {size}", case.name);
            assert_eq!(Case::named(&case.name).as_ref(), Some(case));
        }
        assert_eq!(Case::named("perm"), None);
    }

    #[test]
    fn permutations_have_one_flow_a_nic_and_the_others_what_they_say() {
        for case in cases() {
            let scenario = case.scenario();
            let flows = scenario.flows();
            let rack = |nic: u32| nic / scenario.fabric.nics_per_t0;
            assert!(
                flows.iter().all(|flow| rack(flow.src) != rack(flow.dst)),
                "{}",
                case.name
            );
            let expected = match case.group {
                Group::Rate | Group::Scale | Group::Hosts => case.nics as usize,
                Group::Load => (f64::from(case.nics) * case.at / 100.0) as usize,
                // 64 receivers with 15 senders each.
                Group::Depth => 960,
            };
            assert_eq!(flows.len(), expected, "{}", case.name);
            let receivers: BTreeSet<u32> = flows.iter().map(|flow| flow.dst).collect();
            let each = if case.group == Group::Depth { 15 } else { 1 };
            assert_eq!(receivers.len() * each, flows.len(), "{}", case.name);
        }
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
