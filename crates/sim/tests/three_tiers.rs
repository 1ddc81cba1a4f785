//! Runs over three tiers of switches.

mod common;

use common::{check_books, run_checked, scenario};
use fabric::{LinkKind, PacketKind, path};
use kernel::Time;
use sim::Sim;
use sim::observer::Nobody;

// Three pods of two T0s and two T1s; each T1 is linked to two T2s.
const FABRIC: &str = r#""fabric": {"planes": 2, "pods": 3, "t0_per_plane": 6, "t1_per_plane": 6, "t2_per_plane": 4, "nics_per_t0": 3,
    "nic_link_rate": "100Gbps"}"#;

#[test]
fn the_base_rtt_is_that_of_six_links() {
    let sim = Sim::new(&scenario(&format!(
        r#""until": "1ms", {FABRIC}, "traffic": [{{"kind": "permutation", "shift": 6, "bytes": 1}}]"#
    )))
    .expect("valid");
    // Links of 500 ns at 100 Gb/s, where a byte takes 80 ps: a full packet and its SACK cross six each, five times into a switch.
    let fabric = sim.network().config();
    let into_switches = fabric.class(LinkKind::Up).delay.0 - 500_000;
    let sack = wire::sizes::wire(wire::sizes::SACK_L3) as u64;
    let bytes = u64::from(sim.derived().full_packet) + sack;
    assert_eq!(
        sim.derived().base_rtt.0,
        12 * 500_000 + 10 * into_switches + 6 * 80 * bytes
    );
}

#[test]
fn a_run_between_pods_is_the_same_on_any_number_of_threads() {
    let body = format!(
        r#""seed": 3, "until": "20ms", {FABRIC}, "transport": {{"evs": 16}},
        "traffic": [{{"kind": "permutation", "shift": 6, "bytes": "500kB"}},
                    {{"kind": "incast", "dst": 1, "senders": 12, "bytes": "100kB", "start": "10us"}}],
        "faults": [{{"at": "12us", "kind": "link_down", "link": "p0/t1.0-t2.1"}},
                   {{"at": "15us", "kind": "switch_down", "switch": "p1/t2.3"}},
                   {{"at": "40us", "kind": "switch_up", "switch": "p1/t2.3"}},
                   {{"at": "60us", "kind": "link_up", "link": "p0/t1.0-t2.1"}}]"#
    );
    let mut sim = Sim::new(&scenario(&body)).expect("valid");
    run_checked(&mut sim, Time::from_us(7));
    let summary = sim.summary();
    assert_eq!(summary.finished, 18 + 12);
    assert!(summary.drops["link_down"] > 0 && summary.drops["switch_dead"] > 0);
    for threads in [2, 3, 4] {
        let mut parts = Sim::in_parts(&scenario(&body), Nobody, threads).expect("valid");
        while !parts.is_finished() {
            parts.run_until(parts.now() + Time(3_333_337));
            parts.step();
        }
        check_books(&mut parts);
        assert_eq!(parts.digest(), sim.digest(), "on {threads} threads");
    }
}

/// Every packet is where its path says, and its address has the uSIDs that it has still to visit.
#[test]
fn addresses_shrink_along_the_path() {
    let mut sim = Sim::new(&scenario(&format!(
        r#""until": "1ms", {FABRIC}, "transport": {{"evs": 8}},
        "traffic": [{{"kind": "permutation", "shift": 6, "bytes": "100kB"}}]"#
    )))
    .expect("valid");
    let (mut seen, mut kinds) = (0, [0; LinkKind::COUNT]);
    while !sim.is_finished() {
        sim.run_until(sim.now() + Time::from_ns(700));
        sim.settle();
        let clos = sim.network().config().clos;
        for link in 0..clos.links() {
            let kind = clos.describe(link).kind;
            sim.packets_on(link, |_, packet, _| {
                let links = sim.path_of(link, packet);
                let hop = links.iter().position(|&l| l == link).expect("on its path");
                let left = path::expand(&clos, packet.usids);
                // A NIC sends all six; each switch takes one off.
                assert_eq!(left.iter().filter(|&&usid| usid != 0).count(), links.len() - hop);
                if let Some(frame) = sim.frame(link, packet) {
                    let bits = frame.outer.dst.to_bits();
                    let shown: Vec<u16> = (0..6).map(|i| (bits >> (80 - 16 * i)) as u16).collect();
                    assert_eq!(shown, left);
                }
                kinds[kind as usize] += 1;
                seen += u32::from(packet.kind == PacketKind::Data);
            });
        }
    }
    assert!(seen > 500 && kinds.iter().all(|&n| n > 50), "{seen} {kinds:?}");
}
