//! All agents together cover every cable, whatever the fabric.

mod world;

use mapper::{Element, Plan, Target};
use proptest::prelude::*;
use std::collections::BTreeMap;
use world::{config, topologies};

const INTERVAL: u64 = 1_000_000_000;

/// Lets every agent run for `rounds` rounds; says how often each cable was probed in the last one, and when probes were sent.
fn probes_of_last_round(plan: &Plan, rounds: u64) -> (BTreeMap<Element, u32>, Vec<u64>) {
    let topology = plan.topology();
    let mut seen = BTreeMap::new();
    let mut times = Vec::new();
    for nic in 0..topology.nics() {
        let mut agent = mapper::Agent::new(plan, nic);
        while agent.deadline(plan) < rounds * INTERVAL {
            let now = agent.deadline(plan);
            let (mut probes, mut losses) = (Vec::new(), Vec::new());
            agent.on_timer(plan, now, &mut probes, &mut losses);
            assert!(losses.is_empty());
            for probe in probes {
                assert_eq!(agent.on_reply(now + 1, probe.number), Some(1));
                if now >= (rounds - 1) * INTERVAL {
                    let cable = *world::way(topology, nic, &probe).iter().rfind(is_cable).unwrap();
                    *seen.entry(cable).or_insert(0) += 1;
                    times.push(now);
                    if let Target::T2(t2) = probe.target {
                        assert!(t2 < topology.t2s);
                    }
                }
            }
        }
    }
    (seen, times)
}

fn is_cable(element: &&Element) -> bool {
    matches!(
        element,
        Element::NicT0 { .. } | Element::T0T1 { .. } | Element::T1T2 { .. }
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every NIC–T0, T0–T1 and T1–T2 cable is probed exactly once an interval; that there are as many as the fabric has
    /// shows that none is missing.
    #[test]
    fn every_cable_once_an_interval(topology in topologies(), rounds in 1u64..6) {
        let plan = Plan::new(topology, config(INTERVAL, 16, 0.25)).unwrap();
        let (seen, mut times) = probes_of_last_round(&plan, rounds);
        prop_assert!(seen.values().all(|&n| n == 1), "{:?}", seen);
        let cables = topology.nic_links() + topology.t0_t1_links() + topology.t1_t2_links();
        prop_assert_eq!(seen.len() as u64, cables);
        // Evenly: in any tenth of the interval there is no more than a tenth of the probes and one for each NIC, whose
        // numbers of probes differ.
        times.sort_unstable();
        for tenth in 0..10 {
            let begin = (rounds - 1) * INTERVAL + tenth * INTERVAL / 10;
            let n = times.iter().filter(|&&at| (begin..begin + INTERVAL / 10).contains(&at)).count() as u32;
            prop_assert!(n <= (cables as u32).div_ceil(10) + topology.nics(), "{} of {}", n, cables);
        }
    }
}
