use super::HostSession;
use super::{facts, look};
use crate::session::Answer;
use scenario::host::{HostScenario, find_host_preset};
use view::host::curve::{Curve, CurvePoint};
use view::host::dots::{self, Kind, Place};
use view::host::grid::Cell;
use view::host::losses::{self, LossPlace};
use view::host::message::{Ask, Charts, Detail, Report, Target, Tell, Verdict};
use view::host::servicing::{Act, with_event};
use view::host::tuple::Fields;
use view::message::FromWorker;

fn preset(slug: &str) -> HostScenario {
    find_host_preset(slug).unwrap().scenario()
}

/// A session with a run of a scenario.
fn loaded(scenario: HostScenario) -> HostSession {
    let mut session = HostSession::default();
    let ask = Ask::Load {
        run: 1,
        scenario: Box::new(scenario),
    };
    let answers = tells(session.handle(ask, || 0.0));
    assert!(matches!(answers[0], Tell::Loaded { run: 1, .. }), "{answers:?}");
    session
}

fn tells(answers: Vec<Answer>) -> Vec<Tell> {
    answers
        .into_iter()
        .map(|answer| match answer.message {
            FromWorker::Host { host } => host.open().unwrap(),
            other => panic!("{other:?}"),
        })
        .collect()
}

/// Simulates to a time, as often as it takes.
fn advance(session: &mut HostSession, target_ps: u64) -> Report {
    let ask = Ask::Advance {
        run: 1,
        target_ps,
        budget_ms: 1.0,
        report: true,
    };
    report(tells(session.handle(ask, || 0.0)))
}

fn report(tells: Vec<Tell>) -> Report {
    tells
        .into_iter()
        .find_map(|tell| match tell {
            Tell::Report(report) => Some(*report),
            _ => None,
        })
        .expect("a report was asked for")
}

fn tuple(session: &mut HostSession, line: &str) -> Verdict {
    let tuple = Fields::of_line(line).unwrap().tuple(0).unwrap();
    let ask = Ask::Tuple {
        run: 1,
        tuple: tuple.clone(),
    };
    match tells(session.handle(ask, || 0.0)).remove(0) {
        Tell::Tuple {
            tuple: asked, answer, ..
        } => {
            assert_eq!(asked, tuple);
            *answer
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn going_back_and_on_again_is_the_same_run() {
    let mut session = loaded(preset("host-vf-revoke"));
    let ms = 1_000_000_000;
    // A clock that says 100 ms more at each look: a copy is taken at each look but a few.
    let looks = std::cell::Cell::new(0.0);
    let clock = || {
        looks.set(looks.get() + 100.0);
        looks.get()
    };
    let clocked = |session: &mut HostSession, target_ps| {
        let ask = Ask::Advance {
            run: 1,
            target_ps,
            budget_ms: f64::INFINITY,
            report: true,
        };
        report(tells(session.handle(ask, clock)))
    };
    let at_50 = clocked(&mut session, 50 * ms);
    let at_90 = clocked(&mut session, 90 * ms);
    assert_ne!(at_50.digest, at_90.digest);
    let seek = |session: &mut HostSession, target_ps| {
        let ask = Ask::Seek {
            run: 1,
            target_ps,
            budget_ms: 0.0,
        };
        report(tells(session.handle(ask, || 0.0)))
    };
    let back = seek(&mut session, 50 * ms);
    assert!(
        back.now_ps <= 50 * ms && back.now_ps > 0,
        "a copy was taken on the way: {}",
        back.now_ps
    );
    // With time for it, a seek is the whole way.
    let ask = Ask::Seek {
        run: 1,
        target_ps: 70 * ms,
        budget_ms: f64::INFINITY,
    };
    assert_eq!(report(tells(session.handle(ask, || 0.0))).now_ps, 70 * ms);
    seek(&mut session, 50 * ms);
    let again = advance(&mut session, 50 * ms);
    assert_eq!((again.now_ps, again.digest), (50 * ms, at_50.digest));
    // Forwards the run goes on by itself, and at once to where it was furthest.
    assert_eq!(seek(&mut session, 51 * ms).now_ps, 50 * ms);
    let front = seek(&mut session, 95 * ms);
    assert_eq!((front.now_ps, front.digest), (90 * ms, at_90.digest));
    assert_eq!(seek(&mut session, 0).now_ps, 0);
    assert_eq!(advance(&mut session, 90 * ms).digest, at_90.digest);
}

/// One event back and on again is the same state; at time 0 there is nothing before.
#[test]
fn going_back_by_one_event_undoes_the_last_one() {
    let mut session = loaded(preset("host-first-packet"));
    advance(&mut session, 300_000_000);
    let ask = |session: &mut HostSession, ask| report(tells(session.handle(ask, || 0.0)));
    let mut seen = vec![ask(&mut session, Ask::Step { run: 1 })];
    for _ in 0..20 {
        seen.push(ask(&mut session, Ask::Step { run: 1 }));
    }
    for before in seen.iter().rev().skip(1) {
        let back = ask(&mut session, Ask::StepBack { run: 1 });
        assert_eq!(
            (back.events, back.now_ps, back.digest),
            (before.events, before.now_ps, before.digest)
        );
    }
    let mut session = loaded(preset("host-first-packet"));
    for _ in 0..3 {
        let start = ask(&mut session, Ask::StepBack { run: 1 });
        assert_eq!((start.events, start.now_ps), (0, 0));
    }
}

/// However little room there is, the copies keep to it, and the run is the same.
#[test]
fn copies_keep_to_their_budget() {
    let mut session = loaded(preset("host-vf-revoke"));
    session.snapshots.set_budget(2 << 20);
    let looks = std::cell::Cell::new(0.0);
    let ask = Ask::Advance {
        run: 1,
        target_ps: 400_000_000_000,
        budget_ms: f64::INFINITY,
        report: true,
    };
    let clock = || {
        looks.set(looks.get() + 30.0);
        looks.get()
    };
    let end = report(tells(session.handle(ask, clock)));
    let (copies, bytes) = session.snapshots.measure();
    assert!(copies >= 1 && bytes <= 2 << 20, "{copies} copies, {bytes} B");
    session.handle(
        Ask::Seek {
            run: 1,
            target_ps: 5_000_000_000,
            budget_ms: 0.0,
        },
        || 0.0,
    );
    assert_eq!(advance(&mut session, 400_000_000_000).digest, end.digest);
}

#[test]
fn a_first_packet_is_an_exception_and_is_seen_on_its_way() {
    let mut session = loaded(preset("host-first-packet"));
    let mut places = Vec::new();
    for _ in 0..40 {
        let answers = session.handle(Ask::Step { run: 1 }, || 0.0);
        let bytes = answers[0].bytes.clone().unwrap();
        places.extend(
            dots::read(&bytes)
                .unwrap()
                .iter()
                .map(|dot| (dot.kind, dot.place)),
        );
    }
    for seen in [
        (Kind::Syn, Place::GuestToNic),
        (Kind::Syn, Place::Pipeline),
        (Kind::Syn, Place::Core),
        (Kind::Syn, Place::ToNetwork),
        (Kind::Copy, Place::Pipeline),
    ] {
        assert!(places.contains(&seen), "{seen:?} in {places:?}");
    }
    let end = advance(&mut session, u64::MAX);
    assert!(end.finished);
    assert_eq!(end.exceptions[0], 1, "one flow, one miss");
}

#[test]
fn a_tuple_is_walked_through_every_layer_without_a_packet() {
    let mut session = loaded(preset("host-first-packet"));
    let before = advance(&mut session, 0).digest;
    let found = tuple(&mut session, "6 10.1.0.4 50000 10.1.128.0 443 out 1");
    assert_eq!(found.word, "Forward", "{found:?}");
    assert!(found.layers.len() >= 4, "{found:?}");
    // What leaves the VNET's layers is wrapped: the composition ends with a push.
    assert!(
        found.composed.iter().any(|[_, action, _]| action == "Push"),
        "{found:?}"
    );
    assert_eq!(found.entries.len(), 2, "the flow and the answers to it");
    assert!(found.core_ps > 0);
    // The VM has 10.1.0.4; with another source the port does not look at the packet.
    let spoofed = tuple(&mut session, "6 10.9.9.9 50000 10.1.128.0 443 out 1");
    assert_eq!(spoofed.word, "Drop", "{spoofed:?}");
    assert_eq!(
        spoofed.why,
        "dropped by the port's guard before any layer, as the source address is not the VM's (DropIPv4Spoofing)"
    );
    // So there is no walk, no entry and no work.
    assert!(spoofed.layers.is_empty() && spoofed.composed.is_empty() && spoofed.after.is_empty());
    assert!(spoofed.entries.is_empty() && spoofed.answer.is_empty() && spoofed.work.is_empty());
    assert_eq!(spoofed.core_ps, 0);
    // What comes from a peer in the VNET is wrapped as the VM's own packets to it are, and unwrapped here.
    let inbound = tuple(&mut session, "6 10.1.128.0 50000 10.1.0.4 443 in 1");
    assert_eq!(inbound.word, "Forward", "{inbound:?}");
    assert!(
        inbound.composed.iter().any(|[_, action, _]| action == "Pop"),
        "{inbound:?}"
    );
    assert_eq!(advance(&mut session, 0).digest, before, "nothing has happened");
}

#[test]
fn a_packet_that_is_watched_is_not_taken_for_another_with_its_number() {
    let mut session = loaded(preset("host-first-packet"));
    let first = |answers: Vec<Answer>| dots::read(answers[0].bytes.as_ref()?)?.first().map(|dot| dot.id);
    let id = (0..5)
        .find_map(|_| first(session.handle(Ask::Step { run: 1 }, || 0.0)))
        .unwrap();
    let target = Some(Target::Packet { id });
    session.handle(Ask::Watch { target }, || 0.0);
    let is_gone = |report: &Report| report.detail == Some(Detail::PacketGone);
    assert!(!is_gone(&advance(&mut session, 0)));
    let mut used_again = false;
    let mut gone = false;
    for step in 1..500 {
        let report = advance(&mut session, step * 1_000_000);
        gone |= is_gone(&report);
        assert!(!gone || is_gone(&report), "it does not come back");
        let run = session.run.as_ref().unwrap();
        used_again |= gone && run.packets().any(|(number, _)| number == id);
    }
    assert!(gone && used_again);
}

#[test]
fn tables_have_a_cell_for_each_way() {
    let mut session = loaded(preset("host-first-packet"));
    advance(&mut session, u64::MAX);
    let answers = session.handle(Ask::Tables { run: 1 }, || 0.0);
    let bytes = answers[0].bytes.clone().unwrap();
    let Tell::Tables(tables) = tells(answers).remove(0) else {
        panic!("no tables");
    };
    assert_eq!(tables.l1, 2_048);
    let cells: Vec<Cell> = bytes[..2_048]
        .iter()
        .map(|&byte| Cell::of(byte).unwrap())
        .collect();
    let activated = cells
        .iter()
        .filter(|cell| matches!(cell, Cell::Activated(_)))
        .count();
    assert_eq!(activated as u32, tables.states[0]);
    assert_eq!(tables.states[0], tables.resident[0]);
    // 2^20 ways in 2,048 buckets are 512 each: a bucket with one is not nothing.
    assert_eq!((tables.l2_per_bucket, bytes.len()), (512, 4_096));
    let taken = bytes[2_048..].iter().filter(|&&byte| byte > 0).count() as u32;
    assert!(taken > 0 && taken <= tables.resident[1]);
}

#[test]
fn flows_and_layers_have_details() {
    let mut session = loaded(preset("host-first-packet"));
    advance(&mut session, 2_000_000_000);
    let flows = tells(session.handle(Ask::Flows { run: 1, vm: 0 }, || 0.0)).remove(0);
    let Tell::Flows { rows, pairs: 1, .. } = flows else {
        panic!("{flows:?}");
    };
    assert!(rows[0].entry.starts_with("Activated"), "{rows:?}");
    for (target, expected) in [
        (
            Target::Flow {
                vm: 0,
                handle: rows[0].handle,
            },
            "Flow",
        ),
        (
            Target::Flow {
                vm: 0,
                handle: u32::MAX,
            },
            "FlowGone",
        ),
        (Target::Layer { vm: 0, layer: 0 }, "Layer"),
        (Target::Vm { vm: 0 }, "Vm"),
        (Target::Nic, "Nic"),
        (Target::Packet { id: u32::MAX }, "PacketGone"),
    ] {
        session.handle(Ask::Watch { target: Some(target) }, || 0.0);
        let detail = advance(&mut session, 0).detail.unwrap();
        let name = format!("{detail:?}");
        let name = name.split(['(', ' ']).next().unwrap();
        assert_eq!(name, expected, "{detail:?}");
        if let Detail::Flow(flow) = detail {
            assert_eq!(flow.ways.len(), 2);
        }
    }
}

/// The first packet of the only flow walks the layers, outbound, and nothing else does.
#[test]
fn a_layer_tells_which_rules_matched() {
    let mut session = loaded(preset("host-first-packet"));
    advance(&mut session, u64::MAX);
    let (mut outbound, mut inbound) = (0, 0);
    for layer in 0..32 {
        let target = Target::Layer { vm: 0, layer };
        session.handle(Ask::Watch { target: Some(target) }, || 0.0);
        let Some(Detail::Layer { groups, .. }) = advance(&mut session, 0).detail else {
            break;
        };
        for group in groups {
            let matches: u64 = group.rules.iter().map(|rule| rule.matches).sum();
            assert!(matches <= 1, "{group:?}");
            if group.direction == "out" {
                outbound += matches;
            } else {
                inbound += matches;
            }
        }
    }
    assert!(outbound > 0, "some rule decided");
    assert_eq!(inbound, 0);
}

#[test]
fn a_report_tells_what_attacks_came_to() {
    let mut session = loaded(preset("host-attack-spoofing"));
    let report = advance(&mut session, u64::MAX);
    let of: Vec<_> = report
        .attacks
        .iter()
        .map(|attack| {
            (
                attack.title.as_str(),
                attack.stopped[0].0.as_str(),
                attack.through,
            )
        })
        .collect();
    assert_eq!(
        of,
        [
            ("Another VM's source address, VM 0", "DropIPv4Spoofing", 0),
            ("Another VM's source MAC address, VM 0", "VfMacSpoofing", 0),
            ("Another VM's source address, VM 1", "DropIPv4Spoofing", 0),
            ("Another VM's source MAC address, VM 1", "MacSpoofing", 0),
        ]
    );
}

#[test]
fn charts_have_a_value_for_each_time() {
    let mut session = loaded(preset("host-first-packet"));
    advance(&mut session, u64::MAX);
    let charts = charts(&mut session, None);
    assert!(charts.times.len() > 100);
    for series in charts
        .rates
        .iter()
        .chain([&charts.exceptions, &charts.load, &charts.flows])
    {
        assert_eq!(series.len(), charts.times.len());
    }
    // Some dozens of packets in hardware: enough for a median, too few for a 99th percentile.
    assert!((2..100).contains(&charts.measured[0]), "{:?}", charts.measured);
    let [mean, p50, p99, p999] = charts.latency[0].unwrap();
    assert!(mean.unwrap() > 0 && p50.unwrap() > 0);
    assert_eq!((p99, p999), (None, None));
    assert_eq!(charts.cdf[0].last().unwrap().1, 1.0);
}

fn charts(session: &mut HostSession, traffic: Option<u32>) -> Charts {
    match tells(session.handle(Ask::Charts { run: 1, traffic }, || 0.0)).remove(0) {
        Tell::Charts(charts) => *charts,
        other => panic!("{other:?}"),
    }
}

/// The preset's pings go over the VF (published mean: 17 µs), over the vSwitch while the FPGA is loaded (50 µs), and over the VF again;
/// the FPGA is loaded from 124 to 424 ms, and the VF's registration takes 9 ms.
#[test]
fn latency_of_pings_moves_from_path_to_path_and_back() {
    let mut session = loaded(preset("host-vf-revoke"));
    while !advance(&mut session, u64::MAX).finished {}
    let pings = charts(&mut session, Some(0));
    assert_eq!(pings.traffic, Some(0));
    // The flow climbs back into the NIC by one exception, when the VF is there again.
    assert_eq!(pings.measured[1], 1);
    let ms = 1_000_000_000;
    for (at, hardware, synthetic) in [(60, Some(17), None), (300, None, Some(50)), (500, Some(17), None)] {
        let point = pings.times.iter().position(|&time| time >= at * ms).unwrap();
        for (route, expected) in [(0, hardware), (2, synthetic)] {
            let found = pings.delays[route][point].map(|ps| (ps as f64 / 1e6 / 5.0).round() as u64 * 5);
            let expected = expected.map(|us: u64| (us as f64 / 5.0).round() as u64 * 5);
            assert_eq!(
                found, expected,
                "route {route} at {at} ms: {:?}",
                pings.delays[route][point]
            );
        }
    }
    let [mean, ..] = pings.latency[0].unwrap();
    assert!((16_000_000..19_000_000).contains(&mean.unwrap()), "{mean:?}");
    // Beside them, the other entry's bulk data; of an entry that is not there it is all packets.
    let bulk = charts(&mut session, Some(1));
    assert_ne!(bulk.measured, pings.measured);
    let all = charts(&mut session, Some(99));
    assert_eq!(
        (all.traffic, all.measured),
        (None, session.run.as_ref().unwrap().counters().delivered)
    );
    assert_eq!(all.delays[0].len(), all.times.len());
}

/// What was handed over has arrived, was lost, was answered by the SmartNIC itself, or is under way.
#[test]
fn packets_add_up() {
    for slug in ["host-syn-flood-hardened", "host-syn-flood", "host-first-packet"] {
        let mut session = loaded(preset(slug));
        for ms in [1, 30] {
            let report = advance(&mut session, ms * 1_000_000_000);
            let lost: u64 = report.lost.iter().map(|(_, count)| count).sum();
            let arrived: u64 = report.delivered.iter().sum();
            let sum = arrived + lost + report.challenged + report.under_way;
            assert_eq!(sum, report.created, "{slug} at {ms} ms: {report:?}");
        }
        let challenged = advance(&mut session, 30_000_000_000).challenged;
        assert_eq!(challenged > 0, slug == "host-syn-flood-hardened", "{slug}");
    }
}

fn facts_of(detail: &Option<Detail>) -> std::collections::BTreeMap<&str, &str> {
    match detail {
        Some(Detail::Packet { facts, .. }) => facts
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect(),
        other => panic!("{other:?}"),
    }
}

/// The first packet of a flow: before the core has it, the walk that it would get; afterwards, when its flow exists, the walk that it
/// got, layer by layer, and not that of a packet whose flow is known.
#[test]
fn a_packet_shows_the_walk_that_it_got() {
    let mut session = loaded(preset("host-first-packet"));
    let first = |answers: Vec<Answer>| dots::read(answers[0].bytes.as_ref()?)?.first().copied();
    let dot = (0..5)
        .find_map(|_| first(session.handle(Ask::Step { run: 1 }, || 0.0)))
        .unwrap();
    assert_eq!(dot.kind, Kind::Syn);
    let target = Some(Target::Packet { id: dot.id });
    session.handle(Ask::Watch { target }, || 0.0);
    let mut seen = Vec::new();
    for _ in 0..40 {
        let detail = report(tells(session.handle(Ask::Step { run: 1 }, || 0.0))).detail;
        let Some(Detail::Packet { walk, walked, .. }) = &detail else {
            break;
        };
        let walk = walk.as_ref().expect("a first packet has a walk all its way");
        assert_eq!(walk.known, None, "its flow did not exist");
        assert!(walk.layers.len() >= 4 && walk.entries.len() == 2, "{walk:?}");
        let facts = facts_of(&detail);
        seen.push((
            *walked,
            facts["Where"].to_owned(),
            facts["Way"].to_owned(),
            walk.layers.clone(),
        ));
    }
    let places: Vec<(bool, &str, &str)> = seen
        .iter()
        .map(|(walked, place, way, _)| (*walked, place.as_str(), way.as_str()))
        .collect();
    for expected in [
        (false, "in the FPGA's pipeline, towards the vSwitch", "exception"),
        (true, "served by a core: VFP", "exception"),
        (
            true,
            "from the vSwitch through the SmartNIC to the wire, outbound",
            "exception",
        ),
    ] {
        assert!(places.contains(&expected), "{expected:?} in {places:?}");
    }
    assert!(
        seen.windows(2).all(|pair| pair[0].3 == pair[1].3),
        "the walk is the same all the way"
    );
}

/// The preset puts two entries of each of 24,576 flows into a table of 16,384 before the run begins; in the run nothing has been pushed
/// out at time 0.
#[test]
fn evictions_and_memory_are_of_the_run() {
    let mut scenario = preset("host-cache-cliff-l2");
    scenario.until = scenario::Time::ms(1);
    let mut session = loaded(scenario);
    let answers = tells(session.handle(Ask::Tables { run: 1 }, || 0.0));
    let Tell::Tables(tables) = &answers[0] else {
        panic!("{answers:?}");
    };
    assert!(
        session.filled.l2_evictions >= 2 * 24_576 - 16_384,
        "the table was filled before"
    );
    assert_eq!(tables.evictions, [0, 0]);
    // An entry holds at least its key (two IPv6 addresses), a pair at least two.
    let [nic, vfp] = tables.memory;
    assert!(nic > 32 * u64::from(tables.resident[2]), "{tables:?}");
    assert!(vfp > 32 * tables.unified[0], "{tables:?}");
    session.handle(
        Ask::Watch {
            target: Some(Target::Nic),
        },
        || 0.0,
    );
    let Some(Detail::Nic { counters, .. }) = advance(&mut session, 0).detail else {
        panic!("no NIC");
    };
    assert!(
        !counters.iter().any(|(name, _)| name.ends_with("evictions")),
        "{counters:?}"
    );
}

/// A stateful ACL lets go on what it has let through; a VM that moves without its flow state has its flows cut (no byte in the last
/// half of the run, as in the evidence's row of live migration without flow state).
#[test]
fn a_rule_spares_established_flows_and_lost_state_does_not() {
    let ms = 1_000_000_000;
    let bytes_after = |act: Act| {
        let mut scenario = preset("host-vf-revoke");
        scenario.events.clear();
        scenario.until = scenario::Time::ms(400);
        let scenario = with_event(&scenario, act, 1, 50 * ms).unwrap();
        let mut session = loaded(scenario);
        let payload = |session: &HostSession| session.run.as_ref().unwrap().metrics().traffic[1].delivered;
        while advance(&mut session, 200 * ms).now_ps < 200 * ms {}
        let half = payload(&session);
        while !advance(&mut session, u64::MAX).finished {}
        let port = session.run.as_ref().unwrap().port(1).unwrap();
        (half, payload(&session) - half, port.generation())
    };
    let (half, after, generation) = bytes_after(Act::Deny);
    assert!(half > 0 && after > half / 2 && generation > 0, "{half} {after}");
    let (half, after, _) = bytes_after(Act::MigrateBare);
    assert_eq!(after, 0, "{half} before");
}

fn point(curve: Curve, scenario: HostScenario, value: f64) -> Result<CurvePoint, String> {
    let ask = Ask::Curve {
        scenario: Box::new(scenario),
        curve,
        value,
    };
    match tells(HostSession::default().handle(ask, || 0.0)).remove(0) {
        Tell::Curve { point } => point,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_point_of_a_curve_is_a_run_of_its_own_and_needs_its_traffic() {
    let mut scenario = preset("host-cps-knee");
    scenario.until = scenario::Time::ms(20);
    // 2,000 a second for 20 ms are 40; a Poisson process has 40 ± 6.3, and all find room.
    let opened = point(Curve::Connections, scenario, 2_000.0).unwrap();
    assert!((1_000.0..3_000.0).contains(&opened.y), "{opened:?}");
    assert!(point(Curve::Connections, preset("host-latency"), 1.0).is_err());
    assert!(point(Curve::Flows, preset("host-latency"), 1.0).is_err());
}

/// The honest connections' share of the exception path: some 15,000 to 20,000 of 100,500 packets a second. The card's DRAM: 25
/// million look-ups per second, whatever is offered; of 1,024 flows most are found on the chip, and all 45 million arrive.
#[test]
fn curves_of_floods_and_of_flows() {
    let flooded = point(Curve::Flood, preset("host-syn-flood"), 100_000.0).unwrap();
    assert!((0.05..0.3).contains(&flooded.y), "{flooded:?}");
    let calm = point(Curve::Flood, preset("host-syn-flood"), 1_000.0).unwrap();
    assert!(calm.y > 0.95, "{calm:?}");
    let cliff = |flows| {
        point(Curve::Flows, preset("host-cache-cliff-l1"), flows)
            .unwrap()
            .y
    };
    let (few, many) = (cliff(1_024.0), cliff(65_536.0));
    assert!((40e6..46e6).contains(&few), "{few}");
    assert!((22e6..28e6).contains(&many), "{many}");
}

#[test]
fn what_cannot_be_run_is_refused_with_reasons() {
    let mut scenario = preset("host-first-packet");
    scenario.vms.clear();
    let ask = Ask::Load {
        run: 9,
        scenario: Box::new(scenario),
    };
    let answers = tells(HostSession::default().handle(ask, || 0.0));
    assert!(matches!(&answers[0], Tell::Refused { run: 9, problems } if !problems.is_empty()));
}

/// The FIRST packet's SYN is walked out through every layer by a core: its frame and its report tell of the layers and of the rules
/// that decide in them while the core serves it.
#[test]
fn a_packet_on_a_core_tells_of_its_layers_and_rules() {
    let mut session = loaded(preset("host-first-packet"));
    let layers = facts(session.run.as_ref().unwrap()).layers[0].len();
    let mut seen = None;
    for _ in 0..200 {
        let tells = tells(session.handle(Ask::Step { run: 1 }, || 0.0));
        let run = session.run.as_ref().unwrap();
        let on_core = run
            .packets()
            .find(|(_, packet)| matches!(packet.place, host::Place::Core(_)) && !packet.copy);
        if let Some((id, packet)) = on_core {
            seen = Some((look::dot(run, id, packet), report(tells)));
            break;
        }
    }
    let (dot, report) = seen.expect("the SYN is an exception");
    assert_eq!(usize::from(dot.layers), layers);
    let walking = report
        .walking
        .iter()
        .find(|walking| walking.id == dot.id)
        .unwrap();
    assert_eq!(walking.rules.len(), layers);
    assert!(walking.rules.iter().all(|rule| !rule.is_empty()), "{walking:?}");
}

/// A flood fills the queue of the exception core: its losses stand before that core, and all losses have a place.
#[test]
fn losses_have_their_place() {
    let mut session = loaded(preset("host-syn-flood"));
    let report = advance(&mut session, 250_000_000_000);
    assert!(
        losses::at(&report.lost_at, LossPlace::Queue) > 0,
        "{:?}",
        report.lost_at
    );
    let placed: u64 = LossPlace::ALL
        .map(|place| losses::at(&report.lost_at, place))
        .iter()
        .sum();
    let lost: u64 = report.lost.iter().map(|(_, count)| count).sum();
    assert_eq!(placed, lost);
}
