//! Clustermapper with real traffic: it names what is bad and nothing else, its policies do what they say, it costs what was
//! computed, and none of it depends on threads or slices.

mod common;

use common::{fabric, run_checked, scenario};
use fabric::{DropReason, LinkKind, Packet, PacketKind};
use kernel::Time;
use mapper::{Config, Load, Plan, Topology};
use mrc::EvState;
use scenario::Scenario;
use sim::clustermapper::Place;
use sim::observer::{Nobody, Observer};
use sim::{Sim, Verdict};

/// The interval of most tests: three base RTTs of [`SMALL`].
const INTERVAL_US: u64 = 20;
/// Two planes of four T0s with four NICs each, and four T1s.
const SMALL: [u32; 4] = [2, 4, 4, 4];
/// Nothing to do until the run is nearly over.
const IDLE: &str = r#"{"kind": "flow", "src": 0, "dst": 5, "bytes": 1, "start": "2900us"}"#;

fn small() -> String {
    let [planes, t0s, t1s, nics] = SMALL;
    fabric(planes, t0s, t1s, nics)
}

/// A run over the small fabric.
fn build(seed: u64, settings: &str, traffic: &str, faults: &str) -> Sim {
    Sim::new(&scenario(&body(seed, settings, traffic, faults))).expect("valid")
}

fn body(seed: u64, settings: &str, traffic: &str, faults: &str) -> String {
    format!(
        r#""seed": {seed}, "until": "3ms", {}, "transport": {{"evs": 32}},
        "clustermapper": {{"interval": "{INTERVAL_US}us"{settings}}}, "traffic": [{traffic}], "faults": [{faults}]"#,
        small()
    )
}

fn named(verdicts: &[Verdict]) -> Vec<(String, bool)> {
    let name = |verdict: &Verdict| (verdict.place.to_string(), verdict.bad);
    verdicts.iter().map(name).collect()
}

/// Every kind of failure that loses all packets is found within (5 + 2) intervals, by whom it concerns, and nothing else is
/// accused: five lost probes of 16 are more than a quarter, the interval under way may have had its probe, and the last one's
/// is known an interval after it (crates/mapper).
#[test]
fn what_is_dead_is_named_in_time() {
    let cases = [
        (
            r#""kind": "link_down", "link": "p1/t0.0-t1.2""#,
            &["p1/t0.0-t1.2"][..],
        ),
        (
            r#""kind": "link_loss", "link": "p1/t0.0-t1.2", "direction": "up", "rate": 1"#,
            &["p1/t0.0-t1.2"],
        ),
        (
            r#""kind": "link_corrupt", "link": "p1/t0.0-t1.2", "direction": "down", "rate": 1"#,
            &["p1/t0.0-t1.2"],
        ),
        (r#""kind": "nic_port_down", "nic": 5, "plane": 0"#, &["p0/n5"]),
        (
            r#""kind": "nic_flap", "nic": 5, "duration": "1ms""#,
            &["p0/n5", "p1/n5"],
        ),
        (r#""kind": "switch_down", "switch": "p0/t0.2""#, &["p0/t0.2"]),
        (r#""kind": "switch_down", "switch": "p1/t1.3""#, &["p1/t1.3"]),
        (
            r#""kind": "switch_reboot", "switch": "p1/t1.3", "duration": "1ms""#,
            &["p1/t1.3"],
        ),
        (
            r#""kind": "switch_corrupt", "switch": "p1/t1.3", "rate": 1"#,
            &["p1/t1.3"],
        ),
    ];
    for (fault, places) in cases {
        for at in [500, 511] {
            let mut sim = build(1, "", IDLE, &format!(r#"{{"at": "{at}us", {fault}}}"#));
            sim.run_until(Time::from_us(at + 7 * INTERVAL_US));
            let expected: Vec<_> = places.iter().map(|place| (place.to_string(), true)).collect();
            assert_eq!(named(sim.verdicts()), expected, "{fault} at {at} µs");
            // Whatever is repaired later is found in order later, and still nothing else is accused.
            sim.run_until(Time::MAX);
            let later = &named(sim.verdicts())[places.len()..];
            let again: Vec<_> = places.iter().map(|place| (place.to_string(), false)).collect();
            assert_eq!(
                later,
                if fault.contains("1ms") { &again[..] } else { &[] },
                "{fault}"
            );
        }
    }
}

/// Two planes of two pods: in each two T0s with three NICs each and two T1s, each of which is linked to two of four T2s.
const THREE_TIERS: &str = r#""fabric": {"planes": 2, "pods": 2, "t0_per_plane": 4, "t1_per_plane": 4, "t2_per_plane": 4,
    "nics_per_t0": 3, "nic_link_rate": "100Gbps"}"#;

/// The same with T2s. Each of their links is probed by the agents of its pod.
#[test]
fn what_is_dead_above_t1s_is_named_in_time() {
    for (fault, places) in [
        (
            r#""kind": "link_down", "link": "p1/t1.1-t2.2""#,
            &["p1/t1.1-t2.2"][..],
        ),
        (r#""kind": "switch_down", "switch": "p0/t2.3""#, &["p0/t2.3"]),
        (r#""kind": "switch_down", "switch": "p0/t1.2""#, &["p0/t1.2"]),
        (
            r#""kind": "switch_reboot", "switch": "p0/t2.0", "duration": "1ms""#,
            &["p0/t2.0"],
        ),
        (
            r#""kind": "link_down", "link": "p1/t0.3-t1.2""#,
            &["p1/t0.3-t1.2"],
        ),
    ] {
        let mut sim = Sim::new(&scenario(&format!(
            r#""until": "3ms", {THREE_TIERS}, "transport": {{"evs": 16}},
            "clustermapper": {{"interval": "25us"}}, "traffic": [{IDLE}],
            "faults": [{{"at": "511us", {fault}}}]"#
        )))
        .expect("valid");
        sim.run_until(Time::from_us(511 + 7 * 25));
        let expected: Vec<_> = places.iter().map(|place| (place.to_string(), true)).collect();
        assert_eq!(named(sim.verdicts()), expected, "{fault}");
        sim.run_until(Time::MAX);
        let bad = sim.verdicts().iter().filter(|verdict| verdict.bad);
        assert_eq!(bad.count(), places.len(), "{fault}");
    }
}

/// 30 % each way are 51 % of the probes. Of 16 fewer than five are lost in one case of 30, so three windows, 48 intervals, miss
/// the link once in 30,000 runs; and the first five cannot be lost and known in less than six intervals.
#[test]
fn a_silently_lossy_link_is_named_with_and_without_workload() {
    let fault = r#"{"at": "500us", "kind": "link_loss", "link": "p1/t0.0-t1.2", "rate": 0.3}"#;
    let busy = r#"{"kind": "permutation", "shift": 5, "bytes": "100MB"}"#;
    for (traffic, seeds) in [(IDLE, 0..12), (busy, 0..2)] {
        for seed in seeds {
            let mut sim = build(seed, "", traffic, fault);
            sim.run_until(Time::from_us(500 + 50 * INTERVAL_US));
            assert_eq!(
                named(sim.verdicts()),
                [("p1/t0.0-t1.2".into(), true)],
                "seed {seed}"
            );
            let after = sim.verdicts()[0].at_ps / 1_000_000 - 500;
            assert!(after >= 6 * INTERVAL_US, "seed {seed}: {after} µs");
        }
    }
}

/// A busy fabric alone makes nobody look bad: probes go first.
#[test]
fn nothing_is_accused_without_a_fault() {
    let busy = r#"{"kind": "permutation", "shift": 5, "bytes": "20MB"},
                  {"kind": "incast", "dst": 0, "senders": 12, "bytes": "2MB"}"#;
    let mut sim = build(3, "", busy, "");
    sim.run_until(Time::MAX);
    let summary = sim.summary();
    assert!(summary.trims_last_hop > 0, "{summary:?}");
    let mapper = summary.mapper.expect("it is on");
    assert_eq!((mapper.lost, mapper.verdicts, mapper.bad), (0, 0, 0));
}

/// When data packets came to the far end of a cable, or were lost on it.
struct Cable {
    links: [u32; 2],
    data: Vec<u64>,
}

impl Cable {
    fn note(&mut self, now: Time, link: u32, packet: &Packet) {
        if packet.kind == PacketKind::Data && self.links.contains(&link) {
            self.data.push(now.0);
        }
    }
}

impl fabric::network::Observer for Cable {
    fn crossed(&mut self, now: Time, link: u32, packet: &Packet) {
        self.note(now, link, packet);
    }
    fn dropped(&mut self, now: Time, link: u32, packet: &Packet, _: DropReason) {
        self.note(now, link, packet);
    }
}
impl mrc::Observer for Cable {}
impl roce::Observer for Cable {}
impl Observer for Cable {}

/// With the denylist exactly the EVs over a bad link are DENIED, from the verdict to the next one, and no data goes there.
#[test]
fn the_denylist_takes_exactly_the_evs_over_a_bad_link_out_and_puts_them_back() {
    let busy = r#"{"kind": "permutation", "shift": 5, "bytes": "60MB"}, {"kind": "flow", "src": 0, "dst": 1, "bytes": "2MB"}"#;
    let faults = r#"{"at": "200us", "kind": "link_loss", "link": "p1/t0.0-t1.2", "rate": 0.3},
                    {"at": "900us", "kind": "link_loss", "link": "p1/t0.0-t1.2", "rate": 0}"#;
    let scenario = scenario(&body(5, r#", "denylist": true"#, busy, faults));
    let clos = Sim::new(&scenario).expect("valid").network().config().clos;
    let links = [clos.up(1, 0, 2), clos.down(1, 2, 0)];
    let cable = Cable {
        links,
        data: Vec::new(),
    };
    let mut sim = Sim::with_observer(&scenario, cable).expect("valid");
    let mut denied_at = [0, 0];
    for us in (0..2_600).step_by(20) {
        sim.run_until(Time::from_us(us));
        let is_listed = sim.verdicts().last().is_some_and(|verdict| verdict.bad);
        for conn in 0..sim.qp_count() {
            let view = sim.qp(conn);
            let t0s = [view.src / 4, view.dst / 4];
            for ev in sim.evs(conn) {
                let is_over = ev.plane == 1 && ev.t1 == 2 && t0s[0] != t0s[1] && t0s.contains(&0);
                let is_denied = ev.state == EvState::Denied;
                assert_eq!(is_denied, is_listed && is_over, "{ev:?} of {view:?} at {us} µs");
                denied_at[0] = denied_at[0].max(u64::from(is_denied));
            }
        }
    }
    sim.run_until(Time::MAX);
    assert_eq!(
        named(sim.verdicts()),
        [("p1/t0.0-t1.2".into(), true), ("p1/t0.0-t1.2".into(), false)]
    );
    assert_eq!(denied_at[0], 1, "some EVs were denied");
    let [from, to] = [0, 1].map(|i| sim.verdicts()[i].at_ps);
    // What was on its way has arrived, or waited in full queues, two base RTTs later.
    let settled = from + 2 * sim.derived().base_rtt.0;
    let seen = &sim.observer().data;
    assert!(!seen.iter().any(|at| (settled..to).contains(at)));
    assert!(seen.iter().any(|&at| at < from) && seen.iter().any(|&at| at > to));
}

/// The same between pods: the ways by the T2 whose link is bad, whichever end sends.
#[test]
fn the_denylist_knows_ways_by_t2s() {
    let mut sim = Sim::new(&scenario(&format!(
        r#""seed": 2, "until": "3ms", {THREE_TIERS}, "transport": {{"evs": 16}},
        "clustermapper": {{"interval": "25us", "denylist": true}},
        "traffic": [{{"kind": "permutation", "shift": 4, "bytes": "40MB"}}],
        "faults": [{{"at": "100us", "kind": "link_loss", "link": "p1/t1.1-t2.2", "rate": 0.5}}]"#
    )))
    .expect("valid");
    sim.run_until(Time::from_us(1_000));
    assert_eq!(named(sim.verdicts()), [("p1/t1.1-t2.2".into(), true)]);
    let (mut denied, mut within) = (0, 0);
    for conn in 0..sim.qp_count() {
        let view = sim.qp(conn);
        let is_between_pods = (view.src < 6) != (view.dst < 6);
        for ev in sim.evs(conn) {
            // Between pods `t1` is the number of the T2.
            let expected = is_between_pods && ev.plane == 1 && ev.t1 == 2;
            assert_eq!(ev.state == EvState::Denied, expected, "{ev:?} of {view:?}");
            denied += u32::from(expected);
            within += u32::from(!is_between_pods);
        }
    }
    assert!(denied > 0 && within > 0);
}

/// Goodput of one flow of 4 × 100 Gb/s from 4 ms to 8 ms in Gb/s, and data packets sent again meanwhile. From 1 ms on NIC 0's
/// port in plane 1 loses one packet in twenty each way.
fn with_a_lossy_port(degraded_planes: bool, src: u32, dst: u32) -> (f64, u64) {
    let mut sim = Sim::new(&scenario(&format!(
        r#""until": "8ms", {}, "transport": {{"evs": 64}},
        "clustermapper": {{"interval": "{INTERVAL_US}us", "degraded_planes": {degraded_planes}, "window": 64, "threshold": 0.05}},
        "traffic": [{{"kind": "flow", "src": {src}, "dst": {dst}, "bytes": "1GB"}}],
        "faults": [{{"at": "1ms", "kind": "link_loss", "link": "p1/n0", "rate": 0.05}}]"#,
        fabric(4, 2, 4, 4)
    )))
    .expect("valid");
    sim.run_until(Time::from_ms(4));
    assert_eq!(named(sim.verdicts()), [("p1/n0".into(), true)]);
    let before = (sim.placed_bytes(), sim.summary().retransmissions);
    sim.run_until(Time::MAX);
    assert_eq!(named(sim.verdicts()), [("p1/n0".into(), true)]);
    let placed = sim.placed_bytes() - before.0;
    (
        placed as f64 * 8.0 / 4e6,
        sim.summary().retransmissions - before.1,
    )
}

/// MRC cannot tell which end of a lossy NIC–T0 link is bad, so it goes on with the plane: its packets are a quarter, one in
/// twenty of them is lost and sent again, and planes are kept equal, so at most 1 − 0.05/4 of what the lines carry arrives
/// (4,096 of 4,262 bytes); some less, since EVs are out of use until they are probed. Without the plane it is three quarters, and
/// nothing is lost any more. (MRC paper §4; facts 2.6.)
#[test]
fn a_lossy_port_is_left_by_its_own_qps_and_by_those_of_its_peers() {
    let full = 400.0 * 4_096.0 / 4_262.0;
    for (src, dst) in [(0, 5), (5, 0)] {
        let (without, again) = with_a_lossy_port(false, src, dst);
        let most = full * (1.0 - 0.05 / 4.0);
        assert!((most * 0.97..most).contains(&without), "{without} of {most}");
        assert!(again > 300, "{again}");
        let (with, again) = with_a_lossy_port(true, src, dst);
        let expected = full * 0.75;
        assert!((with / expected - 1.0).abs() < 0.002, "{with}, not {expected}");
        assert_eq!(again, 0);
    }
}

/// Bytes of Clustermapper's probes that crossed links, by kind of link.
struct Probes {
    clos: fabric::Clos,
    bytes: [u64; LinkKind::COUNT],
}

impl fabric::network::Observer for Probes {
    fn crossed(&mut self, _: Time, link: u32, packet: &Packet) {
        assert!(packet.kind == PacketKind::MapperProbe && packet.agent().is_some());
        self.bytes[self.clos.describe(link).kind as usize] += u64::from(packet.size);
    }
}
impl mrc::Observer for Probes {}
impl roce::Observer for Probes {}
impl Observer for Probes {}

/// What is measured on the lines is what `mapper::Load` computes from the schedule, with no workload at all.
#[test]
fn probes_cost_what_was_computed() {
    let scenario = scenario(&body(1, "", IDLE, ""));
    let clos = Sim::new(&scenario).expect("valid").network().config().clos;
    let watcher = Probes {
        clos,
        bytes: [0; LinkKind::COUNT],
    };
    let mut sim = Sim::with_observer(&scenario, watcher).expect("valid");
    // 140 rounds, but for the first picosecond of the next one.
    let rounds = 140;
    sim.run_until(Time(rounds * INTERVAL_US * 1_000_000 - 1));
    let [planes, t0s, t1s, nics_per_t0] = SMALL;
    let topology = Topology {
        planes,
        pods: 1,
        t0s,
        t1s,
        t2s: 0,
        nics_per_t0,
        rails: 1,
    };
    let config = Config {
        interval: INTERVAL_US * 1_000_000,
        t1_probes: None,
        window: 16,
        threshold: 0.25,
    };
    let load = Load::of(&Plan::new(topology, config).expect("valid"));
    // By hand: of eight cables above a rack of four NICs two each, and one T0 probe for each of two planes, every 20 µs.
    assert_eq!((load.t1_probes, load.t0_probes, load.nodes), (100e3, 100e3, 16.0));
    let seconds = (rounds * INTERVAL_US) as f64 / 1e6;
    let mapper = sim.mapper_summary().expect("it is on");
    assert_eq!(mapper.probes as f64, (load.of_fabric() * seconds).round());
    // 120 bytes from the outer IPv6 header on, 18 for Ethernet, 20 for preamble and gap.
    assert_eq!(mapper.probe_bytes, 158);
    let bits = |kind: LinkKind| sim.observer().bytes[kind as usize] as f64 * 8.0 / seconds / load.nodes;
    let of_node = load.bits_of_node(mapper.probe_bytes.into());
    for kind in [LinkKind::NicUp, LinkKind::NicDown] {
        assert!(
            (bits(kind) / of_node - 1.0).abs() < 0.003,
            "{kind:?}: {} of {of_node}",
            bits(kind)
        );
    }
    // Half of them are T1 probes.
    for kind in [LinkKind::Up, LinkKind::Down] {
        assert!(
            (bits(kind) / of_node - 0.5).abs() < 0.003,
            "{kind:?}: {} of {of_node}",
            bits(kind)
        );
    }
}

/// Faults of all tiers, so that verdicts come and go while QPs work.
const TROUBLE: &str = r#"
    {"at": "100us", "kind": "link_loss", "link": "p1/t0.0-t1.2", "rate": 0.6},
    {"at": "150us", "kind": "switch_reboot", "switch": "p0/t1.1", "duration": "200us"},
    {"at": "200us", "kind": "link_loss", "link": "p0/n9", "rate": 0.4},
    {"at": "700us", "kind": "link_loss", "link": "p1/t0.0-t1.2", "rate": 0},
    {"at": "700us", "kind": "link_loss", "link": "p0/n9", "rate": 0}"#;
const BUSY: &str = r#"{"kind": "permutation", "shift": 5, "bytes": "20MB"},
    {"kind": "job", "collective": "ring_all_reduce", "ranks": 8, "bytes": "2MB", "steps": 3}"#;

#[test]
fn any_number_of_threads_and_any_slices_give_the_same_run() {
    let two_tiers = scenario(&body(11, r#", "denylist": true"#, BUSY, TROUBLE));
    let three_tiers = scenario(&format!(
        r#""seed": 12, "until": "3ms", {THREE_TIERS}, "transport": {{"evs": 16}},
        "clustermapper": {{"interval": "25us", "denylist": true}},
        "traffic": [{{"kind": "permutation", "shift": 7, "bytes": "20MB"}}],
        "faults": [{{"at": "100us", "kind": "link_loss", "link": "p1/t1.1-t2.2", "rate": 0.6}},
                   {{"at": "150us", "kind": "switch_reboot", "switch": "p0/t2.1", "duration": "300us"}},
                   {{"at": "200us", "kind": "link_loss", "link": "p0/n9", "rate": 0.4}}]"#
    ));
    for scenario in [two_tiers, three_tiers] {
        same_on_threads_and_in_slices(&scenario);
    }
}

fn same_on_threads_and_in_slices(scenario: &Scenario) {
    let outcome = |sim: &Sim| {
        let counts = (sim.digest(), sim.events(), sim.now());
        (counts, sim.verdicts().to_vec(), sim.summary())
    };
    let mut whole = Sim::new(scenario).expect("valid");
    whole.run_until(Time::MAX);
    let places: Vec<Place> = whole.verdicts().iter().map(|verdict| verdict.place).collect();
    assert!(places.len() >= 4, "{places:?}");
    for threads in 1..=4 {
        let mut sim = Sim::in_parts(scenario, Nobody, threads).expect("valid");
        let mut turn = 0u64;
        while !sim.is_finished() {
            turn += 1;
            match turn % 40 {
                0 => {
                    sim.step();
                }
                1 => {
                    sim.run_events(turn * 10, Time::MAX);
                }
                _ => sim.run_until(sim.now() + Time(1 + turn * 97_331)),
            }
            if turn.is_multiple_of(10) {
                sim.settle();
            }
        }
        assert_eq!(outcome(&sim), outcome(&whole), "{threads} threads");
    }
}

#[test]
fn the_books_balance() {
    for seed in 0..4 {
        let scenario = scenario(&body(seed, r#", "denylist": true"#, BUSY, TROUBLE));
        let mut sim = Sim::in_parts(&scenario, Nobody, 1 + seed as u32 % 3).expect("valid");
        run_checked(&mut sim, Time::from_us(25));
        let summary = sim.summary();
        assert_eq!(summary.finished, summary.flows, "seed {seed}: {summary:?}");
    }
}

/// Agents have one timer for each probe, and one more for each that is lost; a round is judged two intervals after it began.
#[test]
fn a_run_ends_with_its_flows_and_events_have_names() {
    let flow = r#"{"kind": "flow", "src": 0, "dst": 5, "bytes": "2MB"}"#;
    let mut sim = build(1, "", flow, "");
    let (mut agents, mut rounds) = (0, 0);
    while let Some(event) = sim.step() {
        match event.kind {
            sim::StepKind::Agent { nic } => {
                assert!(nic < 16);
                agents += 1;
            }
            sim::StepKind::Round => rounds += 1,
            _ => {}
        }
    }
    let mapper = sim.mapper_summary().expect("it is on");
    let intervals = sim.now().0 / 1_000_000 / INTERVAL_US;
    assert_eq!(sim.summary().finished, 1);
    assert!((4..10).contains(&intervals), "the flow is over: {}", sim.now());
    assert_eq!((agents, rounds), (mapper.probes, intervals - 1));
}

/// A probe that is under way for an interval is lost, so intervals below the time that a probe may take are refused.
#[test]
fn an_interval_that_is_too_short_is_refused() {
    let scenario = |interval: &str| {
        scenario(&format!(
            r#""until": "1ms", {}, "clustermapper": {{"interval": "{interval}"}}, "traffic": [{IDLE}]"#,
            small()
        ))
    };
    let error = Sim::new(&scenario("13us"))
        .map(|_| ())
        .expect_err("too short")
        .to_string();
    assert_eq!(
        error,
        "clustermapper.interval: is 13 µs; expected at least twice the RTT by way of the highest tier, 13.2416 µs \
         (a probe that is not back within an interval counts as lost)"
    );
    assert!(Sim::new(&scenario("14us")).is_ok());
}
