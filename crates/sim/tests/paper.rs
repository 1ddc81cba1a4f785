//! What the MRC paper says and what needs no hidden parameter (facts 1.3, 7.2).

mod common;

use common::{check_books, fabric, scenario};
use fabric::DropReason;
use kernel::Time;
use mrc::EvState;
use scenario::{FaultKind, LinkName};
use sim::{Recorder, Sim};

/// Goodput in Gb/s of everything placed between two times.
fn goodput(sim: &mut Sim<Recorder>, from: Time, to: Time) -> f64 {
    sim.run_until(from);
    let before = sim.summary().placed_bytes;
    sim.run_until(to);
    (sim.summary().placed_bytes - before) as f64 * 8_000.0 / (to - from).0 as f64
}

fn one_flow(evs: u32, t1s: u32) -> Sim<Recorder> {
    let scenario = scenario(&format!(
        r#""until": "100ms", {}, "transport": {{"evs": {evs}}},
        "traffic": [{{"kind": "flow", "src": 0, "dst": 3, "bytes": "10GB"}}]"#,
        fabric(8, 2, t1s, 2)
    ));
    let recorder = Recorder::for_scenario(&scenario);
    Sim::with_observer(&scenario, recorder).expect("valid")
}

#[test]
fn payload_efficiency_is_4096_of_4262() {
    let mut sim = one_flow(128, 16);
    let rate = goodput(&mut sim, Time::from_us(100), Time::from_us(1_100));
    let efficiency = rate / 800.0;
    assert!((efficiency / 0.961 - 1.0).abs() < 0.005, "{rate} Gb/s");
    assert!((efficiency - 4096.0 / 4262.0).abs() < 0.001, "{rate} Gb/s");
}

/// Fig 9 before anything fails: 1,536 Gb/s, both directions together (read off the plot). SACKs of one direction share the
/// ports with data of the other, a plane here and a plane there; that must not hold up the planes that have none.
#[test]
fn both_directions_at_once_lose_only_what_sacks_take() {
    let scenario = scenario(&format!(
        r#""until": "10ms", {}, "transport": {{"sack_every": "16KiB"}},
        "traffic": [{{"kind": "flow", "src": 0, "dst": 3, "bytes": "10GB"}},
                    {{"kind": "flow", "src": 3, "dst": 0, "bytes": "10GB"}}]"#,
        fabric(8, 2, 16, 2)
    ));
    let mut sim = Sim::with_observer(&scenario, Recorder::for_scenario(&scenario)).expect("valid");
    let rate = goodput(&mut sim, Time::from_us(100), Time::from_us(1_100));
    assert!((rate / 1536.0 - 1.0).abs() < 0.02, "{rate} Gb/s");
    // A SACK of 178 B for every fourth packet of 4,262 B, if each plane has its share: 2 × 800 × 4,096 / 4,306.5 = 1,522.
    assert!(rate < 1523.0, "{rate} Gb/s");
}

/// Fig 9a: each NIC–T0 link that goes takes one eighth with it, and each that returns brings it back.
#[test]
fn nic_links_removed_one_at_a_time_give_steps_of_an_eighth() {
    let mut sim = one_flow(128, 16);
    let full = goodput(&mut sim, Time::from_us(100), Time::from_us(600));
    // A while for losses to be found, then half a millisecond of measurement.
    let mut start = Time::from_us(600);
    let mut step = |sim: &mut Sim<Recorder>| {
        start += Time::from_us(1_500);
        goodput(sim, start - Time::from_us(500), start)
    };
    for gone in 1..=7u32 {
        let link = LinkName::Nic {
            plane: gone - 1,
            nic: 0,
        };
        sim.inject(FaultKind::link_down(link))
            .expect("a link of the fabric");
        let rate = step(&mut sim);
        let expected = full * f64::from(8 - gone) / 8.0;
        assert!(
            (rate / expected - 1.0).abs() < 0.01,
            "{gone} links gone: {rate} Gb/s, expected {expected}"
        );
    }
    for back in 1..=7u32 {
        let link = LinkName::Nic {
            plane: back - 1,
            nic: 0,
        };
        sim.inject(FaultKind::link_up(link))
            .expect("a link of the fabric");
        let rate = step(&mut sim);
        let expected = full * f64::from(1 + back) / 8.0;
        assert!(
            (rate / expected - 1.0).abs() < 0.01,
            "{back} links back: {rate} Gb/s, expected {expected}"
        );
    }
    check_books(&mut sim);
}

/// Fig 9c: T0–T1 links lost among many change nothing that one sees.
#[test]
fn a_few_t0_t1_links_among_many_do_not_matter() {
    let mut sim = one_flow(128, 32);
    let full = goodput(&mut sim, Time::from_us(100), Time::from_us(600));
    for (i, t1) in [3u32, 9, 17, 30].into_iter().enumerate() {
        let link = LinkName::T0T1 {
            plane: i as u32,
            t0: 0,
            t1,
        };
        sim.inject(FaultKind::link_down(link))
            .expect("a link of the fabric");
        let from = sim.now();
        let rate = goodput(&mut sim, from, from + Time::from_us(500));
        assert!(
            (rate / full - 1.0).abs() < 0.01,
            "{rate} of {full} Gb/s after {} links",
            i + 1
        );
    }
}

/// The EV over a dead link is out within tens of µs (paper §2.1), and back after probes once the link is.
#[test]
fn evs_over_a_dead_link_go_and_return() {
    let mut sim = one_flow(128, 16);
    sim.run_until(Time::from_us(100));
    let link = LinkName::T0T1 {
        plane: 2,
        t0: 0,
        t1: 5,
    };
    let over_link: Vec<u16> = sim
        .evs(0)
        .filter(|e| e.plane == 2 && e.t1 == 5)
        .map(|e| e.ev)
        .collect();
    assert_eq!(over_link.len(), 1, "16 EVs over 16 T1s: one through each");
    sim.inject(FaultKind::link_down(link))
        .expect("a link of the fabric");
    sim.run_until(Time::from_us(160));
    let bad = |sim: &Sim<Recorder>| -> Vec<u16> {
        sim.evs(0)
            .filter(|e| e.state == EvState::AssumedBad)
            .map(|e| e.ev)
            .collect()
    };
    assert_eq!(bad(&sim), over_link, "60 µs after the failure");
    let lost = sim.network().counters().drops[DropReason::LinkDown as usize];
    assert!(lost > 0);
    sim.run_until(Time::from_us(1_000));
    assert_eq!(bad(&sim), over_link, "probes do not succeed over a dead link");
    sim.inject(FaultKind::link_up(link))
        .expect("a link of the fabric");
    sim.run_until(Time::from_us(1_300));
    assert_eq!(bad(&sim), [] as [u16; 0], "two probes at 100 µs");
    check_books(&mut sim);
}

/// Fig 11 in small: a dead T1 costs a dip, then nothing.
#[test]
fn a_dead_t1_is_routed_around() {
    let mut sim = one_flow(128, 16);
    let full = goodput(&mut sim, Time::from_us(100), Time::from_us(600));
    let switch = scenario::SwitchName::T1 { plane: 0, index: 3 };
    sim.inject(FaultKind::SwitchDown { switch })
        .expect("a switch of the fabric");
    let rate = goodput(&mut sim, Time::from_us(700), Time::from_us(1_200));
    assert!((rate / full - 1.0).abs() < 0.01, "{rate} of {full} Gb/s");
    assert!(sim.network().counters().drops[DropReason::SwitchDead as usize] > 0);
}

/// ECN is off on the last hop (paper §2.3): an incast trims and marks nothing there.
#[test]
fn an_incast_trims_at_the_last_hop_and_moves_no_ev() {
    let scenario = scenario(&format!(
        r#""until": "20ms", {}, "traffic": [{{"kind": "incast", "dst": 0, "senders": 7, "bytes": "2MB"}}]"#,
        fabric(4, 8, 8, 1)
    ));
    let mut sim = Sim::with_observer(&scenario, Recorder::for_scenario(&scenario)).expect("valid");
    sim.run_until(Time::MAX);
    let summary = sim.summary();
    assert_eq!(summary.finished, 7);
    assert!(summary.trims_last_hop > 0 && summary.trims == 0, "{summary:?}");
    assert_eq!(summary.drops.len(), 0, "{summary:?}");
    assert_eq!(summary.losses_by_order + summary.losses_by_timeout, 0);
    // 7 × 2 MB at 4 × 100 Gb/s and 96.1 % take 291 µs at the least.
    let last = summary.fct_us.expect("finished").max;
    assert!((291.0..400.0).contains(&last), "{last} µs");
}

/// The default preset shows what its text says: EVs go when the link dies and are all back before the run ends.
#[test]
fn the_default_preset_loses_its_evs_and_gets_them_back() {
    let scenario = scenario::presets()[0].scenario();
    let mut sim = Sim::new(&scenario).expect("valid");
    let bad = |sim: &Sim| -> usize {
        (0..sim.qp_count())
            .map(|qp| sim.evs(qp).filter(|e| e.state == EvState::AssumedBad).count())
            .sum()
    };
    sim.run_until(Time::from_us(200));
    assert!(bad(&sim) > 0);
    sim.run_until(Time::from_us(450));
    assert_eq!(bad(&sim), 0, "150 µs after the repair");
    assert!(!sim.is_finished());
}
