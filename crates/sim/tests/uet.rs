//! UET's balancers and receiver credit in whole runs.

mod common;

use common::{run_checked, scenario};
use kernel::Time;
use sim::observer::Nobody;
use sim::{Recorder, Sim, Summary};

/// Scenarios that make the balancers choose and the receivers hand out credit: marks, trims, losses, a dead switch, messages
/// one after the other, senders that start late.
const RUNS: [(&str, &str); 4] = [
    (
        "REPS while a switch dies",
        r#""seed": 7, "until": "20ms",
        "fabric": {"planes": 2, "t0_per_plane": 4, "t1_per_plane": 4, "nics_per_t0": 4, "nic_link_rate": "100Gbps"},
        "transport": {"evs": 32, "balancer": "reps"},
        "traffic": [{"kind": "permutation", "shift": 5, "bytes": "3MB"}],
        "faults": [{"at": "50us", "kind": "switch_down", "switch": "p1/t1.2"},
                   {"at": "400us", "kind": "switch_up", "switch": "p1/t1.2"}]"#,
    ),
    (
        "bitmap with a lossy link",
        r#""seed": 8, "until": "20ms",
        "fabric": {"planes": 4, "t0_per_plane": 3, "t1_per_plane": 4, "nics_per_t0": 4, "nic_link_rate": "100Gbps"},
        "transport": {"evs": 48, "balancer": "bitmap"},
        "traffic": [{"kind": "all_to_all", "nics": 8, "bytes": "300kB"}],
        "faults": [{"at": "5us", "kind": "link_loss", "link": "p1/t0.0-t1.2", "rate": 0.2}]"#,
    ),
    (
        "an incast with receiver credit under mixed",
        r#""seed": 9, "until": "20ms",
        "fabric": {"planes": 2, "t0_per_plane": 3, "t1_per_plane": 3, "nics_per_t0": 4, "nic_link_rate": "200Gbps"},
        "transport": {"evs": 32, "balancer": "mixed", "rccc": true},
        "traffic": [{"kind": "incast", "dst": 1, "senders": 9, "bytes": "900kB"},
                    {"kind": "all_to_all", "nics": 6, "bytes": "30KiB", "start": "13us"}],
        "faults": [{"at": "1us", "kind": "link_loss", "link": "p0/n1", "rate": 0.05}]"#,
    ),
    (
        "receiver credit under htsim's model",
        r#""seed": 10, "until": "20ms", "model": "htsim",
        "fabric": {"planes": 1, "t0_per_plane": 4, "t1_per_plane": 8, "nics_per_t0": 8, "nic_link_rate": "400Gbps",
                   "nic_link_delay": "1us", "t1_link_delay": "1us", "switch_latency": "0",
                   "queue": {"trim_last_hop_bdp": 1.0}},
        "transport": {"pmtu": 4086, "evs": 64, "balancer": "reps", "sack_every": 16384, "rccc": true,
                      "rto": "65300ns", "reorder_window": "0"},
        "traffic": [{"kind": "incast", "dst": 3, "senders": 12, "bytes": "1MB"}]"#,
    ),
];

#[test]
fn every_flow_finishes_and_the_books_balance() {
    for (name, body) in RUNS {
        let mut sim = Sim::new(&scenario(body)).expect(name);
        run_checked(&mut sim, Time::from_us(11));
        let summary = sim.summary();
        assert_eq!(summary.finished, summary.flows, "{name}");
    }
}

#[test]
fn slices_steps_threads_and_observers_change_nothing() {
    for (name, body) in RUNS {
        let scenario = scenario(body);
        let mut whole = Sim::new(&scenario).expect(name);
        whole.run_until(Time::MAX);
        let mut sim = Sim::with_observer(&scenario, Recorder::for_scenario(&scenario)).expect(name);
        let mut turn = 0u64;
        while !sim.is_finished() {
            turn += 1;
            match turn % 3 {
                0 => sim.run_until(sim.now() + Time(1 + turn * 997_331)),
                1 => {
                    sim.run_events(turn, Time::MAX);
                }
                _ => {
                    sim.step();
                }
            }
            sim.settle();
        }
        assert_eq!(
            (sim.digest(), sim.events()),
            (whole.digest(), whole.events()),
            "{name}"
        );
        for threads in [2, 3] {
            let mut parts = Sim::in_parts(&scenario, Nobody, threads).expect(name);
            parts.run_until(Time::MAX);
            assert_eq!(parts.digest(), whole.digest(), "{name} on {threads} threads");
        }
    }
}

/// An incast of 2 MB from each of 12 senders over 2 × 200 Gb/s, none of them in the receiver's rack.
fn incast(rccc: bool, until: &str) -> Summary {
    let body = format!(
        r#""seed": 3, "until": "{until}",
        "fabric": {{"planes": 2, "t0_per_plane": 4, "t1_per_plane": 8, "nics_per_t0": 8, "nic_link_rate": "200Gbps"}},
        "transport": {{"evs": 64, "rccc": {rccc}}},
        "traffic": [{{"kind": "flow", "src": 8, "dst": 0, "bytes": "2MB"}}, {{"kind": "flow", "src": 9, "dst": 0, "bytes": "2MB"}},
                    {{"kind": "flow", "src": 10, "dst": 0, "bytes": "2MB"}}, {{"kind": "flow", "src": 11, "dst": 0, "bytes": "2MB"}},
                    {{"kind": "flow", "src": 16, "dst": 0, "bytes": "2MB"}}, {{"kind": "flow", "src": 17, "dst": 0, "bytes": "2MB"}},
                    {{"kind": "flow", "src": 18, "dst": 0, "bytes": "2MB"}}, {{"kind": "flow", "src": 19, "dst": 0, "bytes": "2MB"}},
                    {{"kind": "flow", "src": 24, "dst": 0, "bytes": "2MB"}}, {{"kind": "flow", "src": 25, "dst": 0, "bytes": "2MB"}},
                    {{"kind": "flow", "src": 26, "dst": 0, "bytes": "2MB"}}, {{"kind": "flow", "src": 27, "dst": 0, "bytes": "2MB"}}]"#
    );
    let mut sim = Sim::new(&scenario(&body)).expect("valid");
    sim.run_until(Time::MAX);
    sim.summary()
}

#[test]
fn with_receiver_credit_the_last_hop_trims_first_windows_only() {
    let (all, first) = (incast(true, "20ms"), incast(true, "30us"));
    assert_eq!(all.finished, 12);
    assert!(first.trims_last_hop > 0, "twelve first windows meet");
    assert_eq!(
        all.trims_last_hop, first.trims_last_hop,
        "none after three base RTTs"
    );
    let (without, early) = (incast(false, "20ms"), incast(false, "30us"));
    assert!(without.trims_last_hop > early.trims_last_hop);
}
