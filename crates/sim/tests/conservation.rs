//! Conservation in every preset and in many random scenarios with faults.

mod common;

use common::{check_books, fabric, passing_faults, run_checked, scenario};
use kernel::Time;
use kernel::rng::{below, draw};
use sim::Sim;
use sim::observer::Nobody;

#[test]
fn every_preset_keeps_its_books() {
    for preset in scenario::presets() {
        let scenario = preset.scenario();
        // The whole fabric would take minutes, and its fault is that of `t1-dies`.
        if scenario.fabric.nics() > 1_024 {
            continue;
        }
        let mut sim = Sim::new(&scenario).expect(preset.slug);
        run_checked(&mut sim, Time::from_us(20));
    }
}

#[test]
fn htsim_model_keeps_its_books() {
    let mut sim = Sim::new(&scenario(
        r#""until": "5ms", "model": "htsim",
        "fabric": {"planes": 1, "t0_per_plane": 4, "t1_per_plane": 4, "nics_per_t0": 8, "nic_link_rate": "400Gbps",
                   "nic_link_delay": "1us", "t1_link_delay": "1us", "switch_latency": "0"},
        "transport": {"pmtu": 4086, "evs": 64, "sack_every": 16384},
        "traffic": [{"kind": "incast", "dst": 0, "senders": 20, "bytes": 300000}]"#,
    ))
    .expect("valid");
    run_checked(&mut sim, Time::from_us(5));
    let summary = sim.summary();
    assert_eq!(summary.finished, 20);
    assert!(summary.trims_last_hop > 0, "an incast of 20 trims: {summary:?}");
}

/// Most of an incast is trimmed at once, so trimmed packets and data compete for the last hop.
#[test]
fn a_weight_for_control_keeps_the_books_and_makes_control_wait() {
    let run = |weight: &str, threads: u32| {
        let body = format!(
            r#""seed": 4, "until": "20ms",
            "fabric": {{"planes": 2, "t0_per_plane": 4, "t1_per_plane": 4, "nics_per_t0": 8, "nic_link_rate": "100Gbps",
                        "queue": {{"trim_last_hop_bdp": 0.5{weight}}}}},
            "transport": {{"evs": 16}},
            "traffic": [{{"kind": "incast", "dst": 0, "senders": 24, "bytes": 500000}}]"#
        );
        let mut sim = Sim::in_parts(&scenario(&body), Nobody, threads).expect("valid");
        let (last_hop, mut longest) = (sim.network().config().clos.nic_down(0, 0), 0);
        while !sim.is_finished() {
            sim.run_until(sim.now() + Time::from_us(1));
            check_books(&mut sim);
            longest = longest.max(sim.network().port(last_hop).control_bytes);
        }
        assert_eq!(sim.summary().finished, 24);
        (sim.digest(), longest)
    };
    let (strict, weighted) = (run("", 1), run(r#", "control_weight": 0.25"#, 1));
    assert!(weighted.1 > 2 * strict.1, "{strict:?} {weighted:?}");
    assert_eq!(run(r#", "control_weight": 0.25"#, 3), weighted);
}

/// Random fabrics, traffic and faults: whatever happens, the books balance, and what is still alive finishes.
#[test]
fn random_faults_keep_the_books() {
    for seed in 0..40u64 {
        let pick = |n: u64, bound: u64| below(draw(seed, n), bound);
        let planes = [1, 2, 4, 8][pick(0, 4) as usize];
        let (t0s, t1s, nics) = (1 + pick(1, 4), 1 + pick(2, 5), 2 + pick(3, 4));
        let total = t0s * nics;
        let faults = passing_faults(seed, planes, t0s, t1s, nics, "0.3");
        let trimming = pick(5, 2) == 0;
        // Slow lines, and windows of several packets.
        let (rate, latency) = (
            [10, 100][pick(82, 2) as usize],
            [200, 5_000][pick(83, 2) as usize],
        );
        // Timeouts shorter than many a queue: timers that fire while packets are still on the line.
        let rto = match pick(80, 2) {
            0 => String::new(),
            // So short that without end retries are needed.
            _ => format!(
                r#", "rto": "{}ns", "exponential_retries": 25"#,
                1_000 + 500 * pick(81, 30)
            ),
        };
        let body = format!(
            r#""seed": {seed}, "until": "500ms",
            "fabric": {{"planes": {planes}, "t0_per_plane": {t0s}, "t1_per_plane": {t1s}, "nics_per_t0": {nics},
                        "nic_link_rate": "{rate}Gbps", "switch_latency": "{latency}ns", "queue": {{"trimming": {trimming}}}}},
            "transport": {{"evs": {}{rto}}},
            "traffic": [{{"kind": "permutation", "shift": {}, "bytes": {}}},
                        {{"kind": "incast", "dst": 0, "senders": {}, "bytes": 200000, "start": "20us"}}],
            "faults": [{}]"#,
            planes * (1 + pick(6, 8)),
            1 + pick(7, total - 1),
            1 + pick(8, 2_000_000),
            1 + pick(9, total - 1),
            faults.join(", ")
        );
        let mut sim = Sim::new(&scenario(&body)).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{body}"));
        for us in [3, 10, 11, 50, 99, 200, 301] {
            sim.run_until(Time::from_us(us));
            check_books(&mut sim);
        }
        run_checked(&mut sim, Time::from_ms(100));
        // The same in parts, and in other slices.
        let mut parts = Sim::in_parts(&scenario(&body), Nobody, 3).expect("valid");
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
        let outcome = |sim: &Sim| (sim.digest(), sim.events(), sim.now());
        assert_eq!(outcome(&parts), outcome(&sim), "seed {seed}\n{body}");
        let summary = sim.summary();
        assert_eq!(
            summary.finished, summary.flows,
            "seed {seed}: everything healed, so everything finishes\n{body}"
        );
    }
}

#[test]
fn the_fabrics_edges() {
    // One T0 (no T1 crossed), one NIC per T0, one byte, one EV.
    for (planes, t0s, t1s, nics) in [(1, 1, 1, 2), (8, 2, 1, 1), (3, 5, 7, 1)] {
        let body = format!(
            r#""until": "10ms", {}, "transport": {{"evs": {planes}}},
            "traffic": [{{"kind": "permutation", "shift": 1, "bytes": 1}}]"#,
            fabric(planes, t0s, t1s, nics)
        );
        let mut sim = Sim::new(&scenario(&body)).expect("valid");
        run_checked(&mut sim, Time::from_us(1));
        assert_eq!(sim.summary().finished, u64::from(t0s * nics));
    }
}
