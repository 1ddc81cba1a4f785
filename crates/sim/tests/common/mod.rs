//! Scenarios and checks that several tests share.
#![allow(dead_code, reason = "each test file uses its own part")]

use kernel::Time;
use kernel::rng::{below, draw};
use scenario::Scenario;
use sim::{Observer, Sim};

/// A scenario from JSON without the version line.
pub fn scenario(body: &str) -> Scenario {
    Scenario::from_json(&format!("{{\"version\": 1, {body}}}")).expect("a valid scenario")
}

/// An MRC fabric: planes of 100 Gb/s, delays at their defaults.
pub fn fabric(planes: u32, t0s: u32, t1s: u32, nics: u32) -> String {
    format!(
        r#""fabric": {{"planes": {planes}, "t0_per_plane": {t0s}, "t1_per_plane": {t1s}, "nics_per_t0": {nics}, "nic_link_rate": "100Gbps"}}"#
    )
}

/// Runs in slices and checks the books after each: every packet is delivered, dropped with a reason or in flight;
/// every message byte is placed once.
pub fn run_checked<O: Observer>(sim: &mut Sim<O>, slice: Time) {
    let mut t = sim.now();
    while !sim.is_finished() {
        t += slice;
        sim.run_until(t);
        check_books(sim);
    }
}

/// The invariants that hold at any time.
pub fn check_books<O: Observer>(sim: &mut Sim<O>) {
    sim.settle();
    match sim.network().audit() {
        Ok(listed) => assert_eq!(sim.summary().packets_in_flight, listed),
        Err(problem) => panic!("at {}: {problem}", sim.now()),
    }
    for qp in 0..sim.qp_count() {
        let view = sim.qp(qp);
        let all = view.bytes * u64::from(view.messages);
        assert!(view.placed_bytes <= all, "{view:?}");
        if view.finished_ps.is_some() {
            assert_eq!(view.placed_bytes, all, "{view:?}");
            assert_eq!((view.completed, view.error), (view.messages, None), "{view:?}");
        }
    }
}

/// Up to five faults by chance, of a link or a T1, each with its end: it is down or, as a link, loses that share of its packets.
pub fn passing_faults(seed: u64, planes: u64, t0s: u64, t1s: u64, nics: u64, loss: &str) -> Vec<String> {
    let pick = |n: u64, bound: u64| below(draw(seed, n), bound);
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
                format!(r#""kind": "link_loss", "link": "{link}", "rate": {loss}"#),
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
    faults
}

/// Runs to the end in slices of uneven length, by numbers of events and by single events in turn, settling after each.
pub fn run_unevenly<O: Observer>(sim: &mut Sim<O>) {
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
}
