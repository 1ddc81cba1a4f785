//! RoCE in a run: published figures, and what follows from the rules by hand (facts 1.3, 7.3, 7.4).

mod common;

use common::{check_books, run_checked, scenario};
use kernel::Time;
use kernel::rng::{below, draw};
use scenario::Scenario;
use sim::observer::Nobody;
use sim::recorder::Notable;
use sim::{Recorder, Sim};

/// One plane of 400 Gb/s with RoCE over hashed routing.
fn roce(t0s: u32, t1s: u32, nics: u32, fabric: &str, transport: &str, rest: &str) -> Scenario {
    scenario(&format!(
        r#""fabric": {{"planes": 1, "t0_per_plane": {t0s}, "t1_per_plane": {t1s}, "nics_per_t0": {nics},
                       "nic_link_rate": "400Gbps", "routing": "ecmp"{fabric}}},
        "transport": {{"protocol": "roce"{transport}}}, {rest}"#
    ))
}

/// Goodput of each QP in Gb/s between two times.
fn rates(sim: &mut Sim, from: Time, to: Time) -> Vec<f64> {
    let placed = |sim: &Sim| -> Vec<u64> { (0..sim.qp_count()).map(|qp| sim.qp(qp).placed_bytes).collect() };
    sim.run_until(from);
    let before = placed(sim);
    sim.run_until(to);
    let ps = (to - from).0 as f64;
    let pairs = before.iter().zip(placed(sim));
    pairs
        .map(|(before, after)| (after - before) as f64 * 8_000.0 / ps)
        .collect()
}

/// Facts 1.3: 4,096 of 4,178 bytes of the wire are payload: 392.1 of 400 Gb/s.
#[test]
fn payload_efficiency_is_4096_of_4178() {
    let one = |bytes: &str| {
        let flow = format!(
            r#""until": "10ms", "traffic": [{{"kind": "flow", "src": 0, "dst": 3, "bytes": "{bytes}"}}]"#
        );
        Sim::new(&roce(2, 2, 2, "", "", &flow)).expect("valid")
    };
    let mut sim = one("10GB");
    let rate = rates(&mut sim, Time::from_us(100), Time::from_us(1_100))[0];
    assert!((rate - 392.15).abs() < 0.2, "{rate} Gb/s");
    check_books(&mut sim);
    // A message of one packet: 82 bytes of headers and gap, 16 of RETH. It is acknowledged by 86 bytes.
    let mut sim = one("1000B");
    run_checked(&mut sim, Time::from_us(1));
    let clos = sim.network().config().clos;
    assert_eq!(sim.network().port(clos.nic_up(0, 0)).tx_bytes, 1_098);
    assert_eq!(sim.network().port(clos.nic_up(0, 3)).tx_bytes, 86);
    let summary = sim.summary();
    let roce = summary.roce.expect("RoCE runs");
    assert_eq!((roce.acks, roce.naks, roce.cnps), (1, 0, 0));
    assert_eq!((summary.finished, summary.packets_created), (1, 2));
}

/// Where switches choose the path, MRC has no outer IPv6 header: 4,096 of 4,222 bytes (facts 1.3: 388 to 390 of 400).
#[test]
fn mrc_without_srv6_has_4096_of_4222() {
    for routing in ["ecmp", "spray", "adaptive"] {
        let scenario = scenario(&format!(
            r#""until": "2ms",
            "fabric": {{"planes": 1, "t0_per_plane": 2, "t1_per_plane": 4, "nics_per_t0": 2, "nic_link_rate": "400Gbps",
                        "routing": "{routing}"}},
            "transport": {{"evs": 32}},
            "traffic": [{{"kind": "flow", "src": 0, "dst": 3, "bytes": "10GB"}}]"#
        ));
        let mut sim = Sim::new(&scenario).expect("valid");
        let rate = rates(&mut sim, Time::from_us(100), Time::from_us(1_100))[0];
        assert!((rate - 388.06).abs() < 0.3, "{routing}: {rate} Gb/s");
        check_books(&mut sim);
        let used = (0..4).filter(|&t1| {
            sim.network()
                .port(sim.network().config().clos.up(0, 0, t1))
                .tx_bytes
                > 0
        });
        assert_eq!(used.count(), 4, "{routing}: 32 EVs, or each packet, over 4 T1s");
        let mut t1s: Vec<u32> = sim.evs(0).map(|ev| ev.t1).collect();
        t1s.sort_unstable();
        t1s.dedup();
        let expected: &[u32] = if routing == "ecmp" { &[0, 1, 2, 3] } else { &[0] };
        assert_eq!(t1s, expected, "{routing}: as far as an EV has a T1");
    }
}

/// Fig 20 (facts 7.4): flows that collide on an uplink share it, 391, 196 or 130 of 400 Gb/s each. PFC, no DCQCN.
#[test]
fn flows_that_collide_share_a_link_evenly() {
    for flows in 1..=3u32 {
        let list: Vec<String> = (0..flows)
            .map(|flow| {
                format!(
                    r#"{{"kind": "flow", "src": {flow}, "dst": {}, "bytes": "10GB"}}"#,
                    4 + flow
                )
            })
            .collect();
        let scenario = roce(
            2,
            1,
            4,
            r#", "pfc": {"xoff": "100kB"}"#,
            r#", "roce": {"dcqcn": {"enabled": false}}"#,
            &format!(r#""until": "10ms", "traffic": [{}]"#, list.join(", ")),
        );
        let mut sim = Sim::new(&scenario).expect("valid");
        for rate in rates(&mut sim, Time::from_us(200), Time::from_us(2_200)) {
            let share = 392.15 / f64::from(flows);
            assert!((rate / share - 1.0).abs() < 0.01, "{flows} flows: {rate} Gb/s");
        }
        check_books(&mut sim);
        let summary = sim.summary();
        assert_eq!(summary.drops.len(), 0);
        let pfc = summary.pfc.expect("PFC");
        assert_eq!(pfc.pauses > 0, flows > 1, "{pfc:?}");
        assert_eq!(pfc.deadlock, None);
    }
}

/// Figs 18 and 21 (facts 7.4): DCQCN shares out the last hop of a 7:1 incast, 400 / 7 = 57 Gb/s of the wire each, 56 of them payload.
/// Its published steps are for 40 Gb/s; here they are ten times as large, as for 400.
#[test]
fn an_incast_under_dcqcn_is_shared() {
    let scenario = roce(
        2,
        8,
        8,
        r#", "pfc": {}"#,
        r#", "roce": {"dcqcn": {"rate_ai": "400Mbps", "rate_hai": "500Mbps"}}"#,
        r#""until": "50ms", "traffic": [{"kind": "incast", "dst": 0, "senders": 7, "bytes": "10GB"}]"#,
    );
    let mut sim = Sim::new(&scenario).expect("valid");
    let rates = rates(&mut sim, Time::from_ms(20), Time::from_ms(40));
    check_books(&mut sim);
    let sum: f64 = rates.iter().sum();
    assert!(sum > 0.9 * 392.15, "{sum}: {rates:?}");
    // Rates come close to each other slowly: all rise by the same steps, and only cuts bring them nearer.
    for rate in &rates {
        assert!((45.0..75.0).contains(rate), "{rates:?}");
    }
    let summary = sim.summary();
    assert_eq!(summary.drops.len(), 0);
    assert!(summary.roce.expect("RoCE").cnps > 0);
}

/// Two dead links, and T1s that send by another T0 what they cannot send down: A's detour for T0 2 goes up to B, and B's for T0 3
/// up to A. What waits for the one waits for the other (see `fabric`'s tests for the circle by hand).
#[test]
fn detours_around_two_dead_links_lock_up_and_are_named() {
    let run = |reroute: bool| {
        let flows: Vec<String> = (0..16)
            .map(|flow| {
                format!(
                    r#"{{"kind": "flow", "src": {flow}, "dst": {}, "bytes": "100MB"}}"#,
                    16 + flow
                )
            })
            .collect();
        let scenario = roce(
            4,
            2,
            8,
            &format!(
                r#", "pfc": {{"xoff": "50kB"}}, "local_reroute": {reroute}, "convergence": {{"detect": "10us", "converge": "10ms"}}"#
            ),
            r#", "roce": {"dcqcn": {"enabled": false}}"#,
            &format!(
                r#""until": "5ms", "traffic": [{}],
                   "faults": [{{"at": "5us", "kind": "link_down", "link": "p0/t0.2-t1.0"}},
                              {{"at": "5us", "kind": "link_down", "link": "p0/t0.3-t1.1"}}]"#,
                flows.join(", ")
            ),
        );
        let mut sim = Sim::with_observer(&scenario, Recorder::for_scenario(&scenario)).expect("valid");
        run_checked(&mut sim, Time::from_us(300));
        sim
    };
    let sim = run(true);
    let pfc = sim.summary().pfc.expect("PFC");
    let deadlock = pfc.deadlock.expect("a deadlock");
    // For T0 2 up to T1 0, which sends it by T0 1, up to T1 1; for T0 3 up to T1 1, which sends it by T0 0, up to T1 0.
    let circle = [
        "p0/t0.0-t1.0 up",
        "p0/t0.1-t1.0 down",
        "p0/t0.1-t1.1 up",
        "p0/t0.0-t1.1 down",
    ];
    assert_eq!(deadlock.links, circle);
    let told = sim
        .observer()
        .events()
        .0
        .iter()
        .filter(|(_, what)| matches!(what, Notable::Deadlock { .. }));
    assert_eq!(told.count(), 1);
    assert_eq!(run(false).summary().pfc.expect("PFC").deadlock, None);
}

/// A flow over several QPs is one flow in results; its QPs share its bytes.
#[test]
fn a_flow_of_several_qps_is_one_flow() {
    let scenario = roce(
        2,
        4,
        2,
        "",
        r#", "qps": 4"#,
        r#""until": "10ms", "traffic": [{"kind": "permutation", "shift": 2, "bytes": "1000003B"}]"#,
    );
    let mut sim = Sim::new(&scenario).expect("valid");
    run_checked(&mut sim, Time::from_us(20));
    assert_eq!(sim.qp_count(), 16);
    // 1,000,003 = 4 × 250,000 + 3.
    let shares: Vec<u64> = (0..4).map(|qp| sim.qp(qp).bytes).collect();
    assert_eq!(shares, [250_001, 250_001, 250_001, 250_000]);
    let summary = sim.summary();
    assert_eq!((summary.flows, summary.finished), (4, 4));
    assert_eq!(summary.placed_bytes, 4 * 1_000_003);
    for (flow, result) in sim.flow_results().iter().enumerate() {
        assert_eq!(
            (result.qps, result.bytes, result.placed_bytes),
            (4, 1_000_003, 1_000_003)
        );
        let last = (0..4).map(|qp| sim.qp(4 * flow as u32 + qp).finished_ps.expect("finished"));
        assert_eq!(result.fct_us, last.max().map(|ps| ps as f64 / 1e6));
    }
}

/// A link of the flow's path dies. Its T0 sends by the other T1 once it has detected it; where the far link dies, only once
/// the T0 has been told. Go-back-N then needs a NAK, which is a few microseconds: nothing is placed between.
#[test]
fn tables_follow_a_dead_link_by_the_delays_that_were_given() {
    for (far, outage_us) in [(false, 200), (true, 500)] {
        let scenario = |faults: &str| {
            roce(
                2,
                2,
                1,
                r#", "convergence": {"detect": "200us", "converge": "300us"}"#,
                "",
                &format!(
                    r#""until": "10ms", "traffic": [{{"kind": "flow", "src": 0, "dst": 1, "bytes": "1GB"}}], "faults": [{faults}]"#
                ),
            )
        };
        // Which T1 it goes by.
        let mut sim = Sim::new(&scenario("")).expect("valid");
        sim.run_until(Time::from_us(50));
        let clos = sim.network().config().clos;
        let used: Vec<u32> = (0..2)
            .filter(|&t1| sim.network().port(clos.up(0, 0, t1)).tx_bytes > 0)
            .collect();
        let [t1] = used[..] else { panic!("{used:?}") };
        let link = format!("p0/t0.{}-t1.{t1}", u32::from(far));
        let mut sim = Sim::new(&scenario(&format!(
            r#"{{"at": "100us", "kind": "link_down", "link": "{link}"}}"#
        )))
        .expect("valid");
        let mut placed = Vec::new();
        for us in [
            110,
            100 + outage_us - 1,
            100 + outage_us + 20,
            100 + outage_us + 70,
        ] {
            sim.run_until(Time::from_us(us));
            check_books(&mut sim);
            placed.push(sim.placed_bytes());
        }
        assert_eq!(placed[0], placed[1], "far: {far}");
        // 50 µs at 392 Gb/s.
        let rate = (placed[3] - placed[2]) as f64 * 8.0 / 50e3;
        assert!((rate - 392.1).abs() < 2.0, "{rate} Gb/s");
        assert!(sim.network().port(clos.up(0, 0, 1 - t1)).tx_bytes > 0);
        assert!(sim.summary().roce.expect("RoCE").naks > 0);
        run_checked(&mut sim, Time::from_ms(1));
        assert_eq!(sim.summary().finished, 0, "1 GB takes 20 ms");
    }
}

/// Retries are counted: a QP whose only way is dead goes to ERROR after the first timeout and `retry_count` more.
#[test]
fn a_qp_without_a_way_gives_up_after_its_retries() {
    let scenario = roce(
        1,
        1,
        2,
        "",
        r#", "roce": {"timeout": 2, "retry_count": 3}"#,
        r#""until": "10ms", "traffic": [{"kind": "flow", "src": 0, "dst": 1, "bytes": "1GB"}],
           "faults": [{"at": "50us", "kind": "link_down", "link": "p0/n1", "direction": "down"}]"#,
    );
    let mut sim = Sim::new(&scenario).expect("valid");
    run_checked(&mut sim, Time::from_us(7));
    let view = sim.qp(0);
    assert_eq!(view.error, Some("retries exceeded"));
    assert_eq!(sim.summary().roce.expect("RoCE").timeouts, 4);
    // 4.096 µs × 2^2 four times, from the last progress on: at most a round trip after the link died.
    let failed_us = view.failed_ps.expect("failed") as f64 / 1e6;
    assert!((115.5..125.0).contains(&failed_us), "{failed_us} µs");
}

/// Random fabrics, routings, transports, traffic and faults: whatever happens the books balance, however the run is cut in
/// slices and parts it is the same run, and what is healed finishes.
#[test]
fn random_runs_keep_their_books() {
    for seed in 0..60u64 {
        let body = random_scenario(seed);
        let scenario = scenario(&body);
        let mut sim = Sim::new(&scenario).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{body}"));
        for us in [3, 10, 11, 50, 99, 200, 301] {
            sim.run_until(Time::from_us(us));
            check_books(&mut sim);
        }
        run_checked(&mut sim, Time::from_ms(20));
        let mut parts = Sim::in_parts(&scenario, Nobody, 3).expect("valid");
        let mut turn = 0;
        while !parts.is_finished() {
            turn += 1;
            match turn % 3 {
                0 => parts.run_until(parts.now() + Time(1 + turn * 3_000_017)),
                1 => {
                    parts.run_events(turn, Time::MAX);
                }
                _ => {
                    parts.step();
                }
            }
            if turn < 50 {
                check_books(&mut parts);
            }
        }
        let outcome = |sim: &Sim| (sim.digest(), sim.events(), sim.now(), sim.summary());
        assert_eq!(outcome(&parts), outcome(&sim), "seed {seed}\n{body}");
        let summary = sim.summary();
        assert_eq!(
            summary.finished, summary.flows,
            "seed {seed}: everything healed, so everything finishes\n{body}\n{summary:?}"
        );
    }
}

fn random_scenario(seed: u64) -> String {
    let pick = |n: u64, bound: u64| below(draw(seed, n), bound);
    let of = |n: u64, choices: &[&'static str]| choices[pick(n, choices.len() as u64) as usize];
    let planes = [1, 1, 2, 4][pick(0, 4) as usize];
    let (t0s, t1s, nics) = (1 + pick(1, 4), 1 + pick(2, 5), 2 + pick(3, 4));
    let total = t0s * nics;
    let mut faults = Vec::new();
    for i in 0..pick(4, 6) {
        let plane = pick(10 + i, planes);
        let link = if pick(20 + i, 2) == 0 {
            format!("p{plane}/n{}", pick(30 + i, total))
        } else {
            format!("p{plane}/t0.{}-t1.{}", pick(30 + i, t0s), pick(40 + i, t1s))
        };
        let switch = format!("p{plane}/t1.{}", pick(40 + i, t1s));
        let start = 5 + pick(50 + i, 100);
        let end = start + 1 + pick(60 + i, 200);
        let (down, up) = match pick(70 + i, 3) {
            0 => (
                format!(r#""kind": "link_down", "link": "{link}""#),
                format!(r#""kind": "link_up", "link": "{link}""#),
            ),
            1 => (
                format!(r#""kind": "link_loss", "link": "{link}", "rate": 0.1"#),
                format!(r#""kind": "link_loss", "link": "{link}", "rate": 0"#),
            ),
            _ => (
                format!(r#""kind": "switch_down", "switch": "{switch}""#),
                format!(r#""kind": "switch_up", "switch": "{switch}""#),
            ),
        };
        faults.push(format!(r#"{{"at": "{start}us", {down}}}"#));
        faults.push(format!(r#"{{"at": "{end}us", {up}}}"#));
    }
    format!(
        r#""seed": {seed}, "until": "900ms",
        "fabric": {{"planes": {planes}, "t0_per_plane": {t0s}, "t1_per_plane": {t1s}, "nics_per_t0": {nics},
                    "nic_link_rate": "{rate}Gbps", "switch_latency": "{latency}ns", "routing": "{routing}",
                    "convergence": {{"detect": "{detect}us", "converge": "{converge}us"}}, {queue}{pfc}}},
        "transport": {{"protocol": "roce", "qps": {qps},
                       "roce": {{"recovery": "{recovery}", "timeout": {timeout}{window}, "ack_every": {ack_every},
                                 "dcqcn": {{"enabled": {dcqcn}}}}}}},
        "traffic": [{{"kind": "permutation", "shift": {shift}, "bytes": {bytes}}},
                    {{"kind": "incast", "dst": 0, "senders": {senders}, "bytes": 100000, "start": "20us"}}],
        "faults": [{faults}]"#,
        rate = of(82, &["10", "100", "400"]),
        latency = of(83, &["200", "5000"]),
        routing = of(84, &["ecmp", "spray", "adaptive"]),
        pfc = of(94, &["", r#", "pfc": {"xoff": "50kB"}"#, r#", "pfc": {}"#]),
        detect = pick(85, 60),
        converge = pick(86, 60),
        queue = of(
            87,
            &[
                r#""queue": {"trim_bdp": 4}"#,
                r#""queue": {"trim_bdp": 40, "trim_last_hop_bdp": 40}"#,
                r#""queue": {"trim_bdp": 10, "trim_last_hop_bdp": 10, "ecn_pmax": 0.1}"#
            ]
        ),
        qps = 1 + pick(88, 4),
        recovery = of(89, &["go_back_n", "selective_repeat"]),
        timeout = 7 + pick(90, 4),
        window = of(91, &["", r#", "window": "64KiB""#]),
        ack_every = 1 + pick(92, 8),
        dcqcn = of(93, &["true", "true", "false"]),
        shift = 1 + pick(7, total - 1),
        bytes = 1 + pick(8, 1_000_000),
        senders = 1 + pick(9, total - 1),
        faults = faults.join(", ")
    )
}
