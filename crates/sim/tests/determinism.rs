//! The same scenario and seed give the same run, however it is sliced and whoever watches.

mod common;
mod golden;

use common::{run_unevenly, scenario};
use kernel::Time;
use scenario::{FaultKind, LinkName};
use sim::observer::Nobody;
use sim::{Recorder, Sim};

#[test]
fn golden_digests() {
    for (name, body, digest) in golden::RUNS {
        let mut sim = Sim::new(&scenario(body)).expect(name);
        sim.run_until(Time::MAX);
        assert_eq!(format!("{:016x}", sim.digest()), digest, "{name}");
    }
}

#[test]
fn slices_views_and_observers_change_nothing() {
    for (name, body, digest) in golden::RUNS {
        let scenario = scenario(body);
        let mut whole = Sim::new(&scenario).expect(name);
        whole.run_until(Time::MAX);
        let mut sim = Sim::with_observer(&scenario, Recorder::for_scenario(&scenario)).expect(name);
        run_unevenly(&mut sim);
        assert_eq!(sim.events(), whole.events(), "{name}");
        assert_eq!(format!("{:016x}", sim.digest()), digest, "{name}");
    }
}

/// The goldens again, cut into parts that work side by side; in slices too, so that packets are between parts when it pauses.
#[test]
fn any_number_of_threads_gives_the_same_run() {
    for (name, body, digest) in golden::RUNS {
        for threads in [2, 3, 8] {
            let mut sim = Sim::in_parts(&scenario(body), Nobody, threads).expect(name);
            let mut turn = 0;
            while !sim.is_finished() {
                turn += 1;
                if turn % 50 == 0 {
                    sim.step();
                } else {
                    sim.run_until(sim.now() + Time(1 + turn * 1_997_331));
                }
                sim.settle();
                sim.network()
                    .audit()
                    .unwrap_or_else(|problem| panic!("{name}: {problem}"));
            }
            assert_eq!(
                format!("{:016x}", sim.digest()),
                digest,
                "{name} on {threads} threads"
            );
        }
    }
}

#[test]
fn looking_changes_no_digest_at_any_time() {
    for (name, body, _) in golden::RUNS {
        let mut sim = Sim::new(&scenario(body)).expect(name);
        for step in 1..150u64 {
            sim.run_until(Time(step * 700_001));
            let before = sim.digest();
            sim.settle();
            assert_eq!(sim.digest(), before, "{name} at {}", sim.now());
        }
    }
}

#[test]
fn a_clone_goes_the_same_way() {
    let (name, body, digest) = golden::RUNS[0];
    let mut sim = Sim::new(&scenario(body)).expect(name);
    sim.run_until(Time::from_us(70));
    let mut copy = sim.clone();
    sim.run_until(Time::MAX);
    copy.run_until(Time::MAX);
    assert_eq!(copy.digest(), sim.digest());
    assert_eq!(format!("{:016x}", sim.digest()), digest);
}

#[test]
fn another_seed_gives_another_run() {
    let (name, body, _) = golden::RUNS[0];
    let mut scenario = scenario(body);
    let mut digests = std::collections::BTreeSet::new();
    for seed in 0..5 {
        scenario.seed = seed;
        let mut sim = Sim::new(&scenario).expect(name);
        sim.run_until(Time::MAX);
        digests.insert(sim.digest());
    }
    assert_eq!(digests.len(), 5);
}

/// A repair of what is not broken ends a window and does nothing else. Timeouts are shorter than windows here, so timers are
/// set and fire within one, between packets that leave.
#[test]
fn faults_without_effect_change_nothing() {
    let mut scenario = scenario(
        r#""seed": 2, "until": "1ms",
        "fabric": {"planes": 4, "t0_per_plane": 1, "t1_per_plane": 5, "nics_per_t0": 3, "nic_link_rate": "7Gbps",
                   "nic_link_delay": "500ns", "switch_latency": "5us"},
        "transport": {"evs": 8, "pmtu": "1000B", "sack_every": "16MiB", "rto": "1us", "exponential_retries": 25, "reorder_window": "1ps",
                      "probes_to_revive": 16},
        "traffic": [{"kind": "flow", "src": 0, "dst": 1, "bytes": "100B", "start": "48306234ps"},
                    {"kind": "flow", "src": 0, "dst": 1, "bytes": "100B", "start": "0"},
                    {"kind": "all_to_all", "nics": 2, "bytes": "500kB", "start": "0"}],
        "faults": [{"at": "3297983ps", "kind": "link_down", "link": "p0/n1"}]"#,
    );
    let mut sim = Sim::new(&scenario).expect("valid");
    sim.run_until(Time::MAX);
    let link = LinkName::Nic { plane: 1, nic: 0 };
    for i in 0..300 {
        scenario.faults.push(scenario::Fault {
            at: scenario::Time(1 + i * 3_300_007),
            what: FaultKind::link_up(link),
        });
    }
    let mut often = Sim::new(&scenario).expect("valid");
    often.run_until(Time::MAX);
    assert_eq!(often.digest(), sim.digest());
    assert!(sim.summary().losses_by_timeout > 100, "{:?}", sim.summary());
}

/// A fault made by hand is recorded so that a run of the recorded scenario repeats it exactly, through a link too.
#[test]
fn faults_by_hand_replay_from_the_link() {
    let (name, body, _) = golden::RUNS[0];
    let mut sim = Sim::new(&scenario(body)).expect(name);
    let link = LinkName::T0T1 {
        plane: 1,
        t0: 1,
        t1: 2,
    };
    sim.run_until(Time::from_us(33));
    sim.inject(FaultKind::link_down(link))
        .expect("a link of the fabric");
    sim.run_until(Time(61_234_567));
    sim.step();
    sim.inject(FaultKind::link_up(link))
        .expect("a link of the fabric");
    sim.run_until(Time::MAX);

    let shared = scenario::link::encode(sim.scenario()).expect("a link");
    let again = scenario::link::decode(&shared).expect("the same scenario");
    assert_eq!(&again, sim.scenario());
    let mut replay = Sim::new(&again).expect("valid");
    replay.run_until(Time::MAX);
    assert_eq!(replay.digest(), sim.digest());
    assert!(sim.summary().drops.contains_key("link_down"));
}

/// A copy that learns of the faults injected after it was taken does the same; one that forgets them does what a run without them
/// does. What has begun cannot be forgotten.
#[test]
fn a_copy_learns_of_later_faults() {
    let (name, body, _) = golden::RUNS[0];
    let mut sim = Sim::new(&scenario(body)).expect(name);
    sim.run_until(Time::from_us(20));
    let copy = sim.clone();
    let first = sim.scenario().faults.len();
    let link = LinkName::T0T1 {
        plane: 1,
        t0: 1,
        t1: 2,
    };
    sim.run_until(Time::from_us(33));
    sim.inject(FaultKind::link_down(link))
        .expect("a link of the fabric");
    sim.run_until(Time::from_us(61));
    sim.inject(FaultKind::link_up(link))
        .expect("a link of the fabric");
    let added = sim.scenario().faults[first..].to_vec();
    sim.run_until(Time::MAX);

    let mut again = copy.clone();
    again.replan_faults(first, &added).expect("they are to come");
    assert_eq!(again.scenario(), sim.scenario());
    let mut forgetful = again.clone();
    forgetful.replan_faults(first, &[]).expect("they are to come");
    again.run_until(Time::from_us(40));
    again
        .replan_faults(first, &[])
        .expect_err("the link is down already");
    again
        .replan_faults(first + 2, &added[..1])
        .expect_err("33 µs are over");
    again
        .replan_faults(first + 3, &[])
        .expect_err("there are only two more");
    again.run_until(Time::MAX);
    assert_eq!(again.digest(), sim.digest());

    let mut straight = copy;
    straight.run_until(Time::MAX);
    forgetful.run_until(Time::MAX);
    assert_eq!(forgetful.scenario(), straight.scenario());
    assert_eq!(forgetful.digest(), straight.digest());
    assert_ne!(forgetful.digest(), sim.digest());
}

#[test]
fn impossible_faults_are_refused_and_leave_no_trace() {
    let (name, body, _) = golden::RUNS[0];
    let mut sim = Sim::new(&scenario(body)).expect(name);
    let before = sim.scenario().clone();
    let link = LinkName::T0T1 {
        plane: 9,
        t0: 0,
        t1: 0,
    };
    let error = sim
        .inject(FaultKind::link_down(link))
        .expect_err("there is no plane 9");
    assert!(error.contains("plane"), "{error}");
    let link = LinkName::Nic { plane: 0, nic: 0 };
    sim.inject(FaultKind::link_loss(link, 1.5))
        .expect_err("1.5 is no probability");
    assert_eq!(sim.scenario(), &before);
    sim.run_until(Time::MAX);
    sim.inject(FaultKind::link_down(link))
        .expect_err("the run is over");
}
