//! Scenarios and checks that several tests share.
#![allow(dead_code, reason = "each test file uses its own part")]

use kernel::Time;
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
