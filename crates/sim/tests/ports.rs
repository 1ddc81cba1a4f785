//! NIC ports that fail: noticed late, left, told to the peers; and a transceiver that takes all of them.

mod common;

use common::{fabric, run_checked, scenario};
use fabric::port::state;
use kernel::Time;
use sim::Sim;

fn body(extra: &str, duration: &str) -> String {
    format!(
        r#""until": "20ms", {}, "transport": {{"evs": 32, "port_detect": "200us", "port_remap": "100us"{extra}}},
        "traffic": [{{"kind": "flow", "src": 0, "dst": 5, "bytes": "200MB"}},
                    {{"kind": "flow", "src": 6, "dst": 0, "bytes": "200MB"}}],
        "faults": [{{"at": "100us", "kind": "nic_port_down", "nic": 0, "plane": 2, "duration": "{duration}"}}]"#,
        fabric(4, 2, 8, 4)
    )
}

#[test]
fn a_nic_leaves_its_dead_port_and_tells_its_peers() {
    let mut sim = Sim::new(&scenario(&body("", "2ms"))).expect("valid");
    sim.run_until(Time::from_us(395));
    assert_eq!(
        (sim.qp(0).planes_down, sim.qp(1).planes_down),
        (0, 0),
        "not noticed yet"
    );
    // 100 + 200 + 100 µs, and the message to the peer of the second flow.
    sim.run_until(Time::from_us(410));
    assert_eq!((sim.qp(0).planes_down, sim.qp(1).planes_down), (0b100, 0b100));
    // Up again at 2.1 ms, noticed 300 µs later.
    sim.run_until(Time::from_us(2_395));
    assert_eq!((sim.qp(0).planes_down, sim.qp(1).planes_down), (0b100, 0b100));
    sim.run_until(Time::from_us(2_410));
    assert_eq!((sim.qp(0).planes_down, sim.qp(1).planes_down), (0, 0));
}

#[test]
fn peers_that_are_not_told_find_out_by_losses() {
    let mut sim = Sim::new(&scenario(&body(r#", "port_status": "off""#, "2ms"))).expect("valid");
    sim.run_until(Time::from_us(500));
    assert_eq!((sim.qp(0).planes_down, sim.qp(1).planes_down), (0b100, 0));
    let bad = |qp| {
        sim.evs(qp)
            .filter(|ev| ev.state != mrc::EvState::Good && ev.plane == 2)
            .count()
    };
    assert!(bad(1) >= 8, "all eight active EVs of plane 2 are out of use");
}

#[test]
fn a_flap_that_is_over_before_it_is_noticed_is_not_noticed() {
    let mut sim = Sim::new(&scenario(&body("", "150us"))).expect("valid");
    for t in (100..1_000).step_by(20) {
        sim.run_until(Time::from_us(t));
        assert_eq!(sim.qp(0).planes_down, 0, "at {t} µs");
    }
}

/// With the port gone three planes of four are left, and the flows go on at three quarters.
#[test]
fn the_other_planes_carry_on() {
    let mut sim = Sim::new(&scenario(&body("", "10ms"))).expect("valid");
    sim.run_until(Time::from_us(1_000));
    let before = sim.placed_bytes();
    sim.run_until(Time::from_us(2_000));
    let gbps = (sim.placed_bytes() - before) as f64 * 8.0 / 1e6;
    // Two flows, three planes, 96.1 % of 100 Gb/s each; SACKs of the other direction take up to 4.3 %.
    let full = 2.0 * 3.0 * 100.0 * 4096.0 / 4262.0;
    assert!((0.93 * full..=full).contains(&gbps), "{gbps} of {full} Gb/s");
    let port = sim.network().port(sim.network().config().clos.nic_up(2, 0));
    assert!(port.is(state::DOWN));
}

/// Facts 5: when the transceiver goes, all ports go, and QPs fail once their retries end; a short flap they survive.
#[test]
fn a_transceiver_flap_is_survived_or_not_by_its_length() {
    for (duration, survives) in [("1ms", true), ("200ms", false)] {
        let mut sim = Sim::new(&scenario(&format!(
            r#""until": "1s", {}, "transport": {{"evs": 32}},
            "traffic": [{{"kind": "flow", "src": 0, "dst": 5, "bytes": "20MB"}},
                        {{"kind": "flow", "src": 1, "dst": 6, "bytes": "20MB"}}],
            "faults": [{{"at": "100us", "kind": "nic_flap", "nic": 0, "duration": "{duration}"}}]"#,
            fabric(4, 2, 8, 4)
        )))
        .expect("valid");
        run_checked(&mut sim, Time::from_ms(1));
        let results = sim.flow_results();
        assert_eq!(
            results[0].error.is_none(),
            survives,
            "{duration}: {:?}",
            results[0]
        );
        assert_eq!(results[1].error, None, "the neighbour does not care");
        assert_eq!(sim.finished_flows() + sim.failed_flows(), 2);
    }
}
