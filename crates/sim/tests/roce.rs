//! RoCE in a run: published figures, and what follows from the rules by hand (facts 1.3, 7.3, 7.4).

mod common;

use common::{check_books, run_checked, scenario};
use kernel::Time;
use scenario::{FaultKind, LinkName, Scenario};
use sim::Sim;
use sim::observer::Nobody;

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
    let after = placed(sim);
    let ps = (to - from).0 as f64;
    before.iter().zip(after).map(|(before, after)| (after - before) as f64 * 8_000.0 / ps).collect()
}

/// Facts 1.3: 4,096 of 4,178 bytes of the wire are payload: 392.1 of 400 Gb/s.
#[test]
fn payload_efficiency_is_4096_of_4178() {
    let scenario = roce(2, 2, 2, "", "", r#""until": "10ms", "traffic": [{"kind": "flow", "src": 0, "dst": 3, "bytes": "10GB"}]"#);
    let mut sim = Sim::new(&scenario).expect("valid");
    let rate = rates(&mut sim, Time::from_us(100), Time::from_us(1_100))[0];
    assert!((rate - 392.15).abs() < 0.2, "{rate} Gb/s");
    check_books(&mut sim);
    // One packet of 1,000 B each: 1,000 of 1,000 + 82 + 16 (RETH).
    let scenario = roce(2, 2, 2, "", "",
        r#""until": "10ms", "traffic": [{"kind": "flow", "src": 0, "dst": 3, "bytes": "1000B"}]"#);
    let mut sim = Sim::new(&scenario).expect("valid");
    run_checked(&mut sim, Time::from_us(1));
    let fabric = sim.network().config().clos;
    assert_eq!(sim.network().port(fabric.nic_up(0, 0)).tx_bytes, 1_098);
    // The receiver sends one ACK of 86 B.
    assert_eq!(sim.network().port(fabric.nic_up(0, 3)).tx_bytes, 86);
}
