//! Floods, limits, caches, policy changes.

mod common;

use common::{preset, run, scenario};
use host::{Counters, Loss, Run};
use vfp::DropReason;

/// Opened connections of the honest clients while the flood lasts, and how many began.
fn honest(run: &Run) -> (u64, u64) {
    let honest = &run.metrics().traffic[0];
    (
        honest.connections[Counters::OPENED],
        honest.connections[Counters::BEGUN],
    )
}

/// Facts 2.4: the exception path is saturated by a flood long before the table is full. About 15,000 of 100,000 SYNs per second
/// get through, honest ones as any other.
#[test]
fn a_flood_takes_the_exception_path() {
    let run = run(&preset("host-syn-flood"));
    let (opened, begun) = honest(&run);
    assert!(opened * 2 < begun, "{opened} of {begun}");
    assert!(run.counters().lost[Loss::Resources.number()] > 40_000);
    assert!(run.gauges().half_open > 5_000 && run.gauges().entries < 200_000);
}

/// A limit on half-open flows spares the cores, not the honest: they are refused as the others are.
#[test]
fn a_half_open_limit_protects_the_host_alone() {
    let run = run(&preset("host-syn-flood-limited"));
    let (opened, begun) = honest(&run);
    assert!(opened * 2 < begun, "{opened} of {begun}");
    let limit = Loss::Vfp(DropReason::DroppedResourcesUnifiedFlowMaxFlowsLimit).number();
    assert!(run.counters().lost[limit] > run.counters().lost[Loss::Resources.number()]);
    assert!(run.gauges().half_open <= 500);
    assert!(run.core_load()[0] < 0.9, "{:?}", run.core_load());
}

#[test]
fn cookies_in_the_nic_protect_the_service() {
    let run = run(&preset("host-syn-flood-hardened"));
    let (opened, begun) = honest(&run);
    assert_eq!(opened, begun);
    assert_eq!(run.counters().all_lost(), 0);
    assert_eq!(
        run.counters().exceptions[0],
        begun,
        "one for each honest connection"
    );
    assert!(run.core_load()[0] < 0.1);
}

/// A policer for each source stops few sources, and is no use against many.
#[test]
fn a_policer_by_source_needs_few_sources() {
    let opened = |sources: u32| {
        let mut scenario = preset("host-syn-flood");
        scenario.until = scenario::Time::ms(500);
        scenario.host.defences.syn_rate_limit = Some(scenario::host::RateLimit {
            per_second: 100.0,
            burst: 50,
            per: scenario::host::RateLimitPer::Source,
        });
        for traffic in &mut scenario.traffic {
            match traffic {
                scenario::host::Traffic::SynFlood { sources: s, .. } => *s = sources,
                scenario::host::Traffic::Connections { per_second, .. } => *per_second = 50.0,
                _ => {}
            }
        }
        let run = run(&scenario);
        let (opened, begun) = honest(&run);
        opened as f64 / begun as f64
    };
    assert_eq!(opened(16), 1.0);
    assert!(opened(1 << 24) < 0.7);
}

/// Facts 1.5: flows are not cut by a change; each is reconciled once, with its next packet. After it a new flow that the rule
/// denies is dropped, while the old one goes on (facts 6.1: new rules affect new connections).
#[test]
fn a_policy_change_is_lazy() {
    let run = run(&scenario(
        r#""until": "400ms", "host": {}, "vms": [{ "policy": { "nsg": [
             { "name": "in", "priority": 100, "direction": "inbound", "access": "allow" } ] } }],
           "traffic": [
             { "kind": "flows", "vm": 0, "flows": 100, "per_second": 20000, "from": "peer", "warm": true },
             { "kind": "connections", "vm": 0, "per_second": 100, "from": "peer", "start": "200ms", "stop": "300ms" } ],
           "events": [{ "kind": "policy_change", "at": "100ms", "vm": 0, "add": [
             { "name": "deny", "priority": 101, "direction": "outbound", "access": "deny" } ] }]"#,
    ));
    assert_eq!(run.counters().reconciled, 100);
    assert!(run.counters().exceptions[1] >= 100);
    assert_eq!(
        run.counters().all_lost(),
        0,
        "inbound flows and their answers stay"
    );
}

#[test]
fn a_denied_connection_fails() {
    let run = run(&scenario(
        r#""until": "300ms", "host": {}, "vms": [{ "policy": { "nsg": [] } }],
           "traffic": [
             { "kind": "connections", "vm": 0, "per_second": 200, "from": "peer", "internet": true },
             { "kind": "connections", "vm": 0, "per_second": 200, "from": "vm", "internet": true } ]"#,
    ));
    // DenyAllInBound and AllowInternetOutBound of the default rules.
    let [inbound, outbound] = [0, 1].map(|i| run.metrics().traffic[i].connections);
    assert_eq!(inbound[Counters::OPENED], 0);
    assert!(
        inbound[Counters::BEGUN] > 30 && run.counters().lost[Loss::Vfp(DropReason::DroppedAcl).number()] > 30
    );
    assert!(outbound[Counters::OPENED] > 30);
}

/// Documented: 1,024 ports; the 1,025th connection at a time to one destination finds none.
#[test]
fn snat_ports_run_out() {
    let run = run(&preset("host-snat-exhaustion"));
    assert!(run.counters().lost[Loss::Vfp(DropReason::SnatPortsExhausted).number()] > 500);
    let most = run.metrics().points.iter().map(|p| p.gauges.snat_ports).max();
    assert_eq!(most, Some(1_024));
}

/// DASH: after the run the connection table must drain to zero.
#[test]
fn the_table_drains_to_zero() {
    let run = run(&preset("host-hero-mini"));
    let gauges = run.gauges();
    assert_eq!(
        (
            gauges.flows,
            gauges.entries,
            gauges.l1,
            gauges.l2,
            gauges.half_open
        ),
        (0, 0, 0, 0, 0)
    );
    assert_eq!(run.counters().all_lost(), 0, "no drops are accepted");
    let hero = &run.metrics().traffic[0];
    assert_eq!(
        hero.connections[Counters::BEGUN],
        hero.connections[Counters::CLOSED]
    );
    assert_eq!(
        hero.packets,
        6 * hero.connections[Counters::BEGUN],
        "SYN, SYN-ACK, ACK, FIN, FIN-ACK and ACK"
    );
}

#[test]
fn past_the_table_the_exception_path_decides() {
    let run = run(&preset("host-cache-cliff-l2"));
    let arrived = run.metrics().traffic[0].arrived as f64 / run.metrics().traffic[0].packets as f64;
    assert!(arrived < 0.6, "{arrived}");
    assert!(run.core_load()[0] > 0.99);
}

/// Between the two phases of an installation packets are exceptions; then they are matched.
#[test]
fn the_race_behind_the_first_packet() {
    let run = run(&preset("host-install-race"));
    let counters = run.counters();
    assert!(
        counters.exceptions[0] > 10 && counters.exceptions[2] > 10,
        "{:?}",
        counters.exceptions
    );
    assert_eq!((counters.installed, counters.flows_created), (2, 2));
    assert!(counters.delivered[0] > 100);
}

/// 64 Gb/s for a link of 40: what does not fit is dropped, and CUBIC finds the rate of its own bottleneck: 5 Gb/s through a core, and the
/// other VM's 32 Gb/s.
#[test]
fn bulk_from_outside_finds_its_rate() {
    let run = run(&scenario(
        r#""until": "300ms", "seed": 2, "host": {}, "vms": [{ "path": "synthetic" }, {}],
           "traffic": [{ "kind": "stream", "vm": 0, "from": "peer" },
                       { "kind": "stream", "vm": 1, "from": "peer", "connections": 4 }]"#,
    ));
    assert!(run.counters().lost[Loss::QoS.number()] > 0);
    let goodput = |i: usize| run.metrics().traffic[i].goodput().unwrap() / 1e9;
    assert!(
        (goodput(0) - 5.0).abs() < 0.25 && (goodput(1) - 31.15).abs() < 0.5,
        "{} {}",
        goodput(0),
        goodput(1)
    );
}

/// The queue of a core is bounded, and what does not fit has a reason.
#[test]
fn queues_are_bounded() {
    let run = run(&scenario(
        r#""until": "20ms", "host": { "software": { "queue": 16 } }, "vms": [{ "path": "synthetic" }],
           "traffic": [{ "kind": "flows", "vm": 0, "flows": 1, "per_second": 2000000 }]"#,
    ));
    assert!(run.gauges().queues <= 16);
    let lost = run.counters().lost[Loss::Resources.number()];
    // 1.2 µs and 64 bytes: about 820,000 of 2,000,000 per second.
    let share = lost as f64 / run.counters().created as f64;
    assert!((share - 0.59).abs() < 0.03, "{share}");
}
