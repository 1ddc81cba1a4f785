//! What a vNIC, a host and its builder hold, and what becomes of more.

#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::{preset, run, scenario};
use host::{BuildError, Loss, Run};
use scenario::host::Traffic;
use std::collections::BTreeSet;
use vfp::DropReason;

/// 1,500 bytes take 12 µs at 1 Gb/s. 10,000 packets come in 10 ms; 833 leave, and 1,024 are in the ring.
#[test]
fn a_vnic_above_its_rate_loses_what_its_ring_does_not_hold() {
    for from in ["vm", "peer"] {
        let run = run(&scenario(&format!(
            r#""until": "10ms", "host": {{}}, "vms": [{{ "rate": "1Gbps" }}],
            "traffic": [{{ "kind": "flows", "vm": 0, "flows": 10, "per_second": 1000000, "bytes": 1500, "from": "{from}" }}]"#
        )));
        let counters = run.counters();
        let taken = counters.created - counters.lost[Loss::TxRingFull.number()];
        assert!(counters.created >= 10_000, "{from}: {}", counters.created);
        assert!((1_856..=1_858).contains(&taken), "{from}: {taken}");
    }
}

/// A ring of four, and a burst that is above the rate for 1 ms of ten: 4 wait, and 20 leave in 10 µs steps.
#[test]
fn the_ring_is_a_field_of_the_vm() {
    let lost = |ring: u32| {
        let run = run(&scenario(&format!(
            r#""until": "50ms", "host": {{}}, "vms": [{{ "rate": "1Gbps", "tx_ring": {ring} }}],
            "traffic": [{{ "kind": "flows", "vm": 0, "flows": 1, "per_second": 160000, "bytes": 1250, "stop": "1ms" }}]"#
        )));
        run.counters().lost[Loss::TxRingFull.number()]
    };
    // 160 come in 1 ms, one every 6.25 µs; 100 leave in that time, and 4 or 60 are left.
    assert!((55..=57).contains(&lost(4)), "{}", lost(4));
    assert_eq!(lost(64), 0);
}

/// The guest's TCP waits instead: it loses nothing here, and keeps its 16 KiB of a ring with 1,024 · 1,500 bytes of others: 1.1 %
/// of the rate.
#[test]
fn tcp_beside_an_overloaded_ring_waits_and_is_not_shut_out() {
    let run = run(&scenario(
        r#""until": "500ms", "host": {}, "vms": [{ "rate": "1Gbps" }],
        "traffic": [{ "kind": "flows", "vm": 0, "flows": 10, "per_second": 200000, "bytes": 1500 }, { "kind": "stream", "vm": 0 }]"#,
    ));
    let tcp = &run.metrics().traffic[1];
    assert_eq!((tcp.lost, run.counters().retransmissions), (0, 0));
    let share = tcp.delivered as f64 * 8.0 / 0.5 / 1e9;
    assert!((0.005..0.013).contains(&share), "{share}");
    let lost = run.metrics().traffic[0].lost;
    assert_eq!(lost, run.counters().lost[Loss::TxRingFull.number()]);
    assert!(lost > 50_000, "of 100,000 some 41,000 have room: {lost}");
}

/// A port may be used again towards another destination: 2,000 connections at a time to four peers are 500 to each.
#[test]
fn snat_ports_suffice_with_four_peers() {
    let mut four = preset("host-snat-exhaustion");
    let Traffic::Connections { peers, .. } = &mut four.traffic[0] else {
        panic!("the preset's traffic is connections");
    };
    *peers = 4;
    let run = run(&four);
    assert_eq!(
        run.counters().lost[Loss::Vfp(DropReason::SnatPortsExhausted).number()],
        0
    );
    assert_eq!(run.counters().all_lost(), 0);
}

/// The first connections go to all peers in turn, each from the first port; a second traffic has ports of its own.
#[test]
fn peers_take_turns_from_the_first_connection_on() {
    let run = run(&scenario(
        r#""until": "20ms", "host": {}, "vms": [{}],
        "traffic": [{ "kind": "connections", "vm": 0, "per_second": 2000, "peers": 4, "hold": "1s" },
                    { "kind": "connections", "vm": 0, "per_second": 2000, "peers": 3, "hold": "1s" }]"#,
    ));
    let tuples: Vec<gft::Tuple> = run.connections().map(|conn| conn.tuple).collect();
    assert_eq!(
        tuples.iter().collect::<BTreeSet<_>>().len(),
        tuples.len(),
        "no two are the same"
    );
    let first = |traffic: u32, count: usize| {
        let own = run
            .connections()
            .filter(|conn| conn.traffic == traffic)
            .take(count);
        own.map(|conn| (conn.tuple.dst.to_string(), conn.tuple.src_port))
            .collect::<Vec<_>>()
    };
    let at = |peer: u32, port| (format!("10.1.128.{peer}"), port);
    assert_eq!(
        first(0, 5),
        [
            at(0, 1_024),
            at(1, 1_024),
            at(2, 1_024),
            at(3, 1_024),
            at(0, 1_026)
        ]
    );
    assert_eq!(
        first(1, 4),
        [at(0, 1_025), at(1, 1_025), at(2, 1_025), at(0, 1_027)]
    );
}

/// VFP has no copy of a handshake's last segment over the VF: what is established counts as half-open until the NIC reports its
/// counters. Of 100 connections per second and a limit of 10, one report every 10 ms lets all in, and one a second ten; through
/// the vSwitch VFP sees every segment.
#[test]
fn half_open_over_the_vf_lasts_to_the_next_report() {
    let opened = |period: &str, path: &str| {
        let run = run(&scenario(&format!(
            r#""until": "900ms", "host": {{ "nic": {{ "counter_period": "{period}" }} }},
            "vms": [{{ "path": "{path}", "limits": {{ "half_open": 10 }} }}],
            "traffic": [{{ "kind": "connections", "vm": 0, "per_second": 100, "from": "peer", "hold": "5s", "stop": "890ms" }}]"#
        )));
        let [begun, opened, ..] = run.counters().connections;
        assert!(begun > 60, "{begun}");
        (opened, begun)
    };
    let (all, begun) = opened("10ms", "vf");
    assert_eq!(all, begun);
    let (all, begun) = opened("1s", "synthetic");
    assert_eq!(all, begun);
    assert_eq!(opened("1s", "vf").0, 10);
}

/// The builder asks before each VM and each 1,024 flows.
#[test]
fn building_can_be_stopped() {
    let scenario = scenario(
        r#""until": "1ms", "host": {}, "vms": [{}, {}],
        "traffic": [{ "kind": "flows", "vm": 1, "flows": 10000, "per_second": 1, "warm": true }]"#,
    );
    let build = |after: u32| {
        let mut asked = 0;
        let run = Run::new_unless(&scenario, &mut || {
            asked += 1;
            asked > after
        });
        (run.err(), asked)
    };
    assert_eq!(build(u32::MAX), (None, 2 + 10));
    for after in [0, 1, 5, 11] {
        assert_eq!(build(after), (Some(BuildError::Stopped), after + 1));
    }
}
