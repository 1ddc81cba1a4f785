//! What the AccelNet paper measured (facts 4), and what follows from the published sizes (facts 2.4, 2.5).

mod common;

use common::{preset, run, scenario};
use host::Route;
use kernel::Time;

fn near(found: f64, expected: f64, share: f64) {
    assert!(
        (found / expected - 1.0).abs() <= share,
        "{found} is not {expected}"
    );
}

fn us(time: Option<Time>) -> f64 {
    time.expect("something was measured").as_us()
}

/// Facts 4: 17, 25 and 80 µs over the VF, 50, 100 and 300 µs without: mean, P99, P99.9 of one way.
#[test]
fn latencies_of_both_paths() {
    let run = run(&preset("host-latency"));
    for (i, [mean, p99, p999]) in [(0, [17.0, 25.0, 80.0]), (1, [50.0, 100.0, 300.0])] {
        let one_way = &run.metrics().traffic[i].one_way;
        near(us(one_way.mean()), mean, 0.01);
        near(us(one_way.quantile(0.99)), p99, 0.03);
        // 36 of 36,000 lie beyond: one sigma is a sixth of an e-fold, 24 and 87 µs.
        near(us(one_way.quantile(0.999)), p999, 0.15);
    }
}

/// Facts 4: 31 Gb/s on one connection of a VM with 32 Gb/s, 5 Gb/s without. 32 · 1,460 / 1,500 = 31.15.
#[test]
fn throughput_of_one_connection() {
    let run = run(&preset("host-throughput"));
    let traffic = &run.metrics().traffic;
    near(traffic[0].goodput().unwrap() / 1e9, 31.15, 0.005);
    near(traffic[1].goodput().unwrap() / 1e9, 5.0, 0.01);
    assert_eq!(run.counters().all_lost(), 0);
    // "0 % host CPU": the first packet and one copy are all that a core sees of the accelerated connection.
    assert_eq!(
        (traffic[0].arrived - traffic[0].in_hardware, run.counters().copies),
        (1, 1)
    );
    assert!(
        run.core_load().iter().any(|&load| load > 0.99),
        "the other one fills a core"
    );
}

/// Facts 2.5: SYN by software; SYN-ACK and both FINs are copied; two entries are put in. What follows a FIN is copied as well, so
/// that the end of the connection is seen: one acknowledgment.
#[test]
fn what_software_sees_of_a_connection() {
    let run = run(&scenario(
        r#""until": "5ms", "host": {}, "vms": [{}],
           "traffic": [{ "kind": "ping", "vm": 0, "count": 20 }]"#,
    ));
    let counters = run.counters();
    assert_eq!(
        (counters.exceptions, counters.installed, counters.flows_created),
        ([1, 0, 0], 2, 2)
    );
    assert_eq!(counters.copies, 4);
    assert_eq!(counters.delivered[Route::Exception as usize], 1);
    let ping = &run.metrics().traffic[0];
    assert_eq!(
        (ping.delivered, ping.round_trip.count(), ping.connections[2]),
        (160, 20, 1)
    );
}

/// Facts 2.4: S(1 − (1 − 1/S)^N)/N of uniform traffic over N flows hits a direct-mapped L1 of S = 2,048.
#[test]
fn l1_hit_rates() {
    for (flows, expected) in [(4_096, 0.432), (8_192, 0.245), (10_000, 0.203)] {
        let run = run(&scenario(&format!(
            r#""until": "100ms", "seed": 3, "host": {{}}, "vms": [{{ "policy": {{ "filler_rules": 0 }} }}],
               "traffic": [{{ "kind": "flows", "vm": 0, "flows": {flows}, "per_second": 2000000, "warm": true }}]"#
        )));
        let statistics = run.nic().tables().statistics();
        let hit = statistics.l1_cache_hits as f64 / statistics.packets as f64;
        assert!((hit - expected).abs() < 0.01, "{flows} flows: {hit}");
        assert_eq!(statistics.exceptions(), 0);
    }
}

/// Facts 2.4: of 2^20 places 8-way and 750,000 entries 4.3 % find no place; here 2^14 places and as many entries in proportion,
/// half of them for answers.
#[test]
fn l2_residency() {
    let run = run(&scenario(
        r#""until": "1us", "host": { "nic": { "l2_entries": 16384 } }, "vms": [{ "policy": { "filler_rules": 0 } }],
           "traffic": [{ "kind": "flows", "vm": 0, "flows": 5859, "per_second": 1, "warm": true }]"#,
    ));
    let gauges = run.gauges();
    let out = 1.0 - f64::from(gauges.l2) / f64::from(gauges.entries);
    assert_eq!(gauges.entries, 11_718);
    assert!((out - 0.043).abs() < 0.01, "{out}");
}

/// Facts 1.8, our reading: about 15,000 connections per second through one core. Offered less, all are served; offered more, no
/// more than that.
#[test]
fn connections_per_second_have_a_knee() {
    let served = |offered: f64| {
        let mut scenario = preset("host-cps-knee");
        if let scenario::host::Traffic::Connections { per_second, .. } = &mut scenario.traffic[0] {
            *per_second = offered;
        }
        let run = run(&scenario);
        let closed = |i: usize| run.metrics().points[i].counters.connections[2];
        let (half, end) = (run.metrics().points.len() / 2, run.metrics().points.len() - 1);
        (closed(end) - closed(half)) as f64 / 0.25
    };
    near(served(10_000.0), 10_000.0, 0.04);
    near(served(25_000.0), 15_000.0, 0.08);
}
