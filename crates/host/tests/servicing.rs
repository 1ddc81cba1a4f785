//! Facts 3: TCP survives servicing with no byte lost; RDMA and a VF-only driver do not.

mod common;

use common::{preset, run, scenario};
use host::{Counters, Loss, MarkKind, Step};
use kernel::Time;

/// Servicing times scaled down fifty times.
const SERVICING: &str = r#""servicing": { "takeover": "2ms", "removal": "22ms", "registration": "9ms" }"#;

/// Two connections of 10 MB at 1 Gb/s, one each way, 80 ms or more, during which `event` happens; every byte arrives.
fn survives(event: &str) -> host::Run {
    let run = run(&scenario(&format!(
        r#""until": "5s", "host": {{ {SERVICING} }}, "vms": [{{ "rate": "1Gbps" }}],
           "traffic": [
             {{ "kind": "stream", "vm": 0, "bytes": "10MB" }},
             {{ "kind": "stream", "vm": 0, "bytes": "10MB", "from": "peer" }} ],
           "events": [{event}]"#
    )));
    for traffic in &run.metrics().traffic {
        assert_eq!(traffic.delivered, 10_000_000, "{event}");
        assert_eq!(traffic.connections[Counters::CLOSED], 1, "{event}");
    }
    run
}

#[test]
fn tcp_survives_the_loss_of_its_vf() {
    let run = survives(r#"{ "kind": "vf_revoke", "at": "5ms", "duration": "20ms" }"#);
    let steps: Vec<(u64, MarkKind)> = run
        .metrics()
        .marks
        .iter()
        .map(|m| (m.at.0 / 1_000_000_000, m.what))
        .collect();
    // Facts 3.3, scaled down: 100 ms, 1.1 s, the outage, 460 ms, 100 ms.
    let at = [5, 7, 29, 49, 58, 60];
    let expected = [
        Step::Signal,
        Step::SwitchedFrom,
        Step::Removed,
        Step::Returned,
        Step::Registered,
        Step::SwitchedTo,
    ];
    assert_eq!(
        steps,
        at.into_iter().zip(expected.map(MarkKind::Vf)).collect::<Vec<_>>()
    );
    let delivered = run.counters().delivered;
    assert!(
        delivered[0] > 0 && delivered[2] > 0,
        "both paths were used: {delivered:?}"
    );
}

#[test]
fn tcp_survives_reconfiguration_and_driver_update() {
    let run = survives(r#"{ "kind": "fpga_reconfig", "at": "5ms", "duration": "20ms" }"#);
    assert!(
        run.metrics()
            .marks
            .iter()
            .any(|m| m.what == MarkKind::TablesCleared)
    );
    // The two connections are put into the NIC once more.
    assert_eq!(run.counters().installed, 8);
    survives(r#"{ "kind": "driver_update", "at": "5ms", "duration": "20ms" }"#);
}

#[test]
fn tcp_survives_a_dead_wire_by_sending_again() {
    let run =
        survives(r#"{ "kind": "fpga_reconfig", "at": "5ms", "duration": "20ms", "wire_outage": "15ms" }"#);
    assert!(run.counters().lost[Loss::NotReady.number()] > 0 && run.counters().retransmissions > 0);
}

#[test]
fn tcp_survives_migration_with_its_flow_state() {
    let run = survives(r#"{ "kind": "migrate", "at": "5ms", "vm": 0, "blackout": "20ms" }"#);
    assert!(
        run.counters().lost[Loss::NotReady.number()] > 0,
        "what came while the VM stood still"
    );
    assert_eq!(run.counters().flows_created, 4, "no flow was made anew");
    assert!(run.counters().reconciled >= 2, "its provider address is another");
}

#[test]
fn without_flow_state_nobody_knows_the_connection() {
    let run = run(&scenario(&format!(
        r#""until": "3s", "host": {{ {SERVICING} }}, "vms": [{{ "rate": "1Gbps" }}],
           "traffic": [{{ "kind": "stream", "vm": 0, "bytes": "10MB" }}],
           "events": [{{ "kind": "migrate", "at": "5ms", "vm": 0, "blackout": "20ms", "carry_state": false }}]"#
    )));
    assert!(run.metrics().traffic[0].delivered < 10_000_000);
    assert!(run.counters().lost[Loss::Vfp(vfp::DropReason::NoConnection).number()] > 0);
}

#[test]
fn tcp_survives_a_storm() {
    survives(
        r#"{ "kind": "vf_storm", "at": "2ms", "vm": 0, "count": 3, "period": "45ms", "duration": "5ms" }"#,
    );
}

/// While the VF is away latency is that of the vSwitch, and before and after that of the hardware.
#[test]
fn latency_moves_with_the_path() {
    let scenario = preset("host-vf-revoke");
    let mut run = host::Run::new(&scenario).unwrap();
    let mut before = host::Histogram::default();
    let mut means = Vec::new();
    for (from, to) in [(0, 95), (130, 420), (440, 590)] {
        run.run_until(Time::from_ms(from));
        let count = run.metrics().traffic[0].one_way.count();
        let sum = |h: &host::Histogram| h.mean().map_or(0, |m| m.0) as f64 * h.count() as f64;
        before.clone_from(&run.metrics().traffic[0].one_way);
        run.run_until(Time::from_ms(to));
        let after = &run.metrics().traffic[0].one_way;
        means.push((sum(after) - sum(&before)) / (after.count() - count) as f64 / 1e6);
    }
    for (mean, expected) in means.iter().zip([17.0, 50.0, 17.0]) {
        assert!((mean - expected).abs() < 0.1 * expected, "{means:?}");
    }
}

/// The same from the time series: the pings' delay by route between its points, over the hardware path before and after, over the
/// synthetic one while the VF is away; and each path has packets only while it is in use.
#[test]
fn the_time_series_tells_latency_by_path() {
    use host::{Delay, Route};
    let run = run(&preset("host-vf-revoke"));
    let metrics = run.metrics();
    assert_eq!(metrics.delays.len(), metrics.points.len());
    assert!(
        metrics.delays.iter().all(|point| point.len() == 3),
        "all packets, and two entries"
    );
    let at = |ms| {
        metrics
            .points
            .iter()
            .position(|point| point.at >= Time::from_ms(ms))
            .unwrap()
    };
    let mean = |route: Route, from: u64, to: u64| {
        let of = |ms| -> &Delay { &metrics.delays[at(ms)][1][route as usize] };
        of(to).mean_since(of(from)).map(|mean| mean.as_us())
    };
    for (route, from, to, expected) in [
        (Route::Hardware, 3, 96, Some(17.0)),
        (Route::Synthetic, 3, 96, None),
        (Route::Hardware, 132, 420, None),
        (Route::Synthetic, 132, 420, Some(50.0)),
        (Route::Hardware, 441, 591, Some(17.0)),
    ] {
        let found = mean(route, from, to);
        let near = match (found, expected) {
            (Some(found), Some(expected)) => f64::abs(found - expected) < 0.1 * expected,
            (found, expected) => found == expected,
        };
        assert!(near, "{route:?} from {from} to {to} ms: {found:?}");
    }
    let all: u64 = metrics.delays.last().unwrap()[0]
        .iter()
        .map(|delay| delay.packets)
        .sum();
    assert_eq!(all, run.counters().all_delivered());
}

/// Facts 3.1: RDMA has no transparent path. The QP is closed when the VF goes, and TCP takes over after the fallback.
#[test]
fn rdma_falls_back_to_tcp() {
    let run = run(&preset("host-rdma-fallback"));
    let qp: Vec<(u64, bool)> = run
        .metrics()
        .marks
        .iter()
        .filter_map(|m| match m.what {
            MarkKind::Qp(open) => Some((m.at.0 / 1_000_000_000, open)),
            _ => None,
        })
        .collect();
    assert_eq!(qp, [(0, true), (124, false)]);
    let rdma = &run.metrics().traffic[0];
    assert_eq!(
        rdma.connections[Counters::OPENED],
        1,
        "the TCP connection instead"
    );
    assert_eq!(
        run.metrics().traffic[1].connections[Counters::BEGUN],
        1,
        "TCP keeps its connection"
    );
}

/// Facts 7, issues 3 and 4: a first packet from outside reaches the guest by the synthetic path.
#[test]
fn drivers_that_poll_the_vf_alone_lose_first_packets() {
    let first = |path: &str| {
        let run = run(&scenario(&format!(
            r#""until": "100ms", "host": {{}}, "vms": [{{ "path": "{path}" }}],
               "traffic": [{{ "kind": "flows", "vm": 0, "flows": 100, "per_second": 20000, "from": "peer" }}]"#
        )));
        run.counters().lost[Loss::UnseenByDriver.number()]
    };
    assert_eq!((first("vf"), first("dpdk_netvsc"), first("synthetic")), (0, 0, 0));
    for path in ["dpdk_vf_only", "dpdk_failsafe"] {
        // 100 flows, and a few packets that came before their flow's entry was active.
        assert!((100..120).contains(&first(path)), "{path}: {}", first(path));
    }
}

/// Documented: incoming SYNs arrive on the synthetic path; a driver on the VF alone gets the one that is sent again.
#[test]
fn a_vf_only_listener_is_reached_by_the_second_syn() {
    let run = run(&scenario(
        r#""until": "1500ms", "host": {}, "vms": [{ "path": "dpdk_vf_only" }],
           "traffic": [{ "kind": "connections", "vm": 0, "per_second": 100, "from": "peer", "stop": "100ms" }]"#,
    ));
    let result = &run.metrics().traffic[0];
    let begun = result.connections[Counters::BEGUN];
    assert!(begun > 3 && result.connections[Counters::OPENED] == begun);
    let least = result.round_trip.least().unwrap();
    assert!(
        least > Time::from_ms(1_000) && least < Time::from_ms(1_001),
        "{least}"
    );
}
