use super::*;
use fabric::packet::AGENT;
use sim::Sim;
use std::cell::Cell;
use view::frame::Kind;
use view::inspect::{Detail, EvState, PacketRef};
use view::layout::Row;
use view::message::{Lane, MarkKind, Report};
use view::{Level, Rect};

const SCENARIO: &str = r#"{
    "version": 1, "seed": 7, "until": "700us",
    "fabric": { "planes": 2, "t0_per_plane": 3, "t1_per_plane": 2, "nics_per_t0": 2, "nic_link_rate": "100Gbps" },
    "transport": { "evs": 16, "probe_interval": "10us" },
    "traffic": [ { "kind": "permutation", "shift": 2, "bytes": "1MB" } ],
    "faults": [ { "at": "20us", "kind": "link_loss", "link": "p1/t0.1-t1.0", "rate": 0.01 } ]
}"#;

pub(super) fn scenario() -> Scenario {
    serde_json::from_str(SCENARIO).unwrap()
}

/// A session with the scenario loaded as run 1, and what it said to that.
pub(super) fn loaded() -> (Session, Vec<Answer>) {
    loaded_with(scenario())
}

pub(super) fn loaded_with(scenario: Scenario) -> (Session, Vec<Answer>) {
    let mut session = Session::default();
    let look = Look {
        width: 800.0,
        height: 500.0,
        visible: Rect::new(0.0, 0.0, 800.0, 500.0),
    };
    assert!(session.handle(ToWorker::Look(look), || 0.0).is_empty());
    let load = ToWorker::Load {
        run: 1,
        scenario: Box::new(scenario),
        seekable: true,
        logged: true,
    };
    let answers = session.handle(load, || 0.0);
    (session, answers)
}

pub(super) fn advance(session: &mut Session, target_ps: u64) -> Vec<Answer> {
    let ask = ToWorker::Advance {
        run: 1,
        target_ps,
        budget_ms: 10.0,
        report: true,
    };
    session.handle(ask, || 0.0)
}

pub(super) fn frame(answers: &[Answer]) -> Frame {
    let bytes = answers.iter().find_map(|a| match a.message {
        FromWorker::Frame { run: 1, .. } => a.bytes.as_deref(),
        _ => None,
    });
    let mut frame = Frame::default();
    frame.read(bytes.expect("a frame")).unwrap();
    frame
}

pub(super) fn report(answers: &[Answer]) -> &Report {
    answers
        .iter()
        .find_map(|a| match &a.message {
            FromWorker::Report(report) => Some(&**report),
            _ => None,
        })
        .expect("a report")
}

pub(super) fn inject(session: &mut Session, fault: &str) -> Vec<Answer> {
    let fault = serde_json::from_str(fault).unwrap();
    session.handle(ToWorker::Inject { run: 1, fault }, || 0.0)
}

#[test]
fn a_run_in_slices_ends_as_a_run_at_once() {
    let mut native = Sim::new(&scenario()).unwrap();
    native.run_until(Time::MAX);
    let (mut session, _) = loaded();
    for step in 0..500 {
        advance(&mut session, step * 617_001);
    }
    let answers = advance(&mut session, u64::MAX);
    let report = report(&answers);
    assert!(report.finished && native.is_finished());
    assert_eq!(report.digest, native.digest());
    assert_eq!(report.events, native.events());
    assert_eq!(report.flows_done, 6);
    assert_eq!(frame(&answers).head.flags, view::frame::flags::FINISHED);
}

#[test]
fn a_frame_shows_every_packet_in_flight() {
    let (mut session, _) = loaded();
    for us in 1..40 {
        let answers = advance(&mut session, us * 1_000_000);
        let (frame, report) = (frame(&answers), report(&answers));
        assert_eq!(frame.head.now, us * 1_000_000);
        assert_eq!(frame.packets.len() as u64, report.in_flight, "at {us} µs");
        assert_eq!(
            report.created,
            report.delivered + report.in_flight + report.drops.iter().map(|d| d.1).sum::<u64>()
        );
    }
}

#[test]
fn what_is_out_of_sight_is_not_sent() {
    let (mut session, _) = loaded();
    advance(&mut session, 10_000_000);
    session.handle(
        ToWorker::Look(Look {
            width: 800.0,
            height: 500.0,
            visible: Rect::new(0.0, 0.0, 1.0, 1.0),
        }),
        || 0.0,
    );
    let frame = frame(&advance(&mut session, 10_000_000));
    assert!(frame.packets.is_empty() && !frame.is_capped());
    assert!(
        frame.edges.iter().any(|edge| edge.load > 0),
        "edges are always complete"
    );
}

#[test]
fn a_fault_by_hand_is_seen_at_once_and_repeated_by_its_scenario() {
    let (mut session, _) = loaded();
    advance(&mut session, 15_000_000);
    let answers = inject(&mut session, r#"{ "kind": "link_down", "link": "p0/t0.0-t1.1" }"#);
    let FromWorker::Faults { faults, refused, .. } = &answers[0].message else {
        panic!("no faults");
    };
    assert_eq!((faults.len(), refused), (2, &None));
    assert_eq!(
        faults[1].at.0, 15_000_001,
        "last, although it comes before the other: a fault's place in the list decides its random choices"
    );
    let down = frame(&answers)
        .edges
        .iter()
        .filter(|e| e.state & view::frame::state::ALL_DOWN != 0)
        .count();
    assert_eq!(down, 2, "both directions");
    let faults = faults.clone();
    let end = advance(&mut session, u64::MAX);
    let mut again = Sim::new(&Scenario { faults, ..scenario() }).unwrap();
    again.run_until(Time(u64::MAX));
    assert_eq!(report(&end).digest, again.digest());
}

#[test]
fn a_fault_that_makes_no_sense_is_refused_and_changes_nothing() {
    let (mut session, _) = loaded();
    advance(&mut session, 5_000_000);
    let answers = inject(&mut session, r#"{ "kind": "link_down", "link": "p9/n0" }"#);
    let FromWorker::Faults { faults, refused, .. } = &answers[0].message else {
        panic!("no faults");
    };
    assert_eq!(faults.len(), 1);
    assert!(
        refused
            .as_deref()
            .is_some_and(|why| why.contains("p9/n0") || why.contains("plane")),
        "{refused:?}"
    );
    assert_eq!(frame(&answers).head.now, 5_000_000);
}

#[test]
fn evs_react_to_a_dead_link_and_come_back() {
    let long = SCENARIO.replace("1MB", "20MB").replace("700us", "5ms");
    let (mut session, _) = loaded_with(serde_json::from_str(&long).unwrap());
    session.handle(
        ToWorker::Watch {
            target: Some(Target::Qp(0)),
        },
        || 0.0,
    );
    let bad = |answers: &[Answer]| match &report(answers).detail {
        Some(Detail::Qp(qp)) => qp.evs.iter().filter(|ev| ev.state == EvState::AssumedBad).count(),
        other => panic!("{other:?}"),
    };
    assert_eq!(bad(&advance(&mut session, 10_000_000)), 0);
    inject(&mut session, r#"{ "kind": "link_down", "link": "p0/t0.0-t1.1" }"#);
    assert!(bad(&advance(&mut session, 60_000_000)) > 0);
    inject(&mut session, r#"{ "kind": "link_up", "link": "p0/t0.0-t1.1" }"#);
    let back = (70..800).find(|us| bad(&advance(&mut session, us * 1_000_000)) == 0);
    assert!(
        back.is_some(),
        "probes bring every EV back while the message is still on its way"
    );
}

#[test]
fn a_packet_is_followed_until_it_is_gone() {
    let (mut session, _) = loaded();
    let seen = PacketRef::from(&frame(&advance(&mut session, 3_000_000)).packets[0]);
    session.handle(
        ToWorker::Watch {
            target: Some(Target::Packet(seen)),
        },
        || 0.0,
    );
    let answers = advance(&mut session, 3_000_000);
    let Some(Detail::Packet(packet)) = &report(&answers).detail else {
        panic!("no packet");
    };
    let hop = packet.hop as usize;
    assert!(hop >= 1 && hop < packet.path.len());
    let left = &packet.path[hop].usids;
    assert_eq!(left.len(), packet.path.len() - hop, "one uSID a hop left");
    let answers = advance(&mut session, 30_000_000);
    assert_eq!(
        report(&answers).detail,
        Some(Detail::PacketGone),
        "it has arrived by now"
    );
}

#[test]
fn clustermappers_probes_are_shown_and_its_verdicts_are_marks() {
    let long = SCENARIO.replace("1MB", "20MB").replace("700us", "5ms");
    let long = long.replace("0.01", "1.0");
    let mapped = long.replace(
        "\"traffic\"",
        "\"clustermapper\": { \"interval\": \"20us\" }, \"traffic\"",
    );
    let (mut session, _) = loaded_with(serde_json::from_str(&mapped).unwrap());
    let mut found = None;
    for target_ps in (1..100).map(|step| step * 100_000) {
        let frame = frame(&advance(&mut session, target_ps));
        found = frame
            .packets
            .iter()
            .find(|packet| packet.conn & AGENT != 0)
            .copied();
        if found.is_some() {
            break;
        }
    }
    let probe = found.expect("every 20 µs there are more than a hundred");
    assert_eq!(probe.kind, Kind::MapperProbe);
    let nic = probe.conn ^ AGENT;
    assert_eq!(probe.owner(), format!("Clustermapper, NIC {nic}"));
    let seen = PacketRef::from(&probe);
    let inspect = |session: &mut Session, seen, now| {
        let target = Some(Target::Packet(seen));
        session.handle(ToWorker::Watch { target }, || 0.0);
        report(&advance(session, now)).detail.clone()
    };
    let now = 100_000;
    let Some(Detail::Packet(packet)) = inspect(&mut session, seen, now) else {
        panic!("no packet");
    };
    assert!(
        packet.title.ends_with(&format!("of NIC {nic}")),
        "{}",
        packet.title
    );
    assert_eq!(packet.qp, None);
    assert_eq!(packet.path[0].node, packet.path.last().expect("a path").node);
    let stranger = PacketRef {
        conn: AGENT | 1_000_000,
        ..seen
    };
    assert_eq!(inspect(&mut session, stranger, now), Some(Detail::PacketGone));

    advance(&mut session, 400_000_000);
    let answers = session.handle(
        ToWorker::Timeline {
            run: 1,
            qps: Vec::new(),
        },
        || 0.0,
    );
    let marks = answers.iter().find_map(|answer| match &answer.message {
        FromWorker::Timeline(timeline) => Some(&timeline.marks),
        _ => None,
    });
    let verdict = marks
        .expect("a timeline")
        .iter()
        .find(|mark| mark.kind == MarkKind::Verdict)
        .expect("a verdict");
    assert_eq!(verdict.text, "Clustermapper finds p1/t0.1-t1.0 bad");
}

#[test]
fn a_packet_that_does_not_fit_its_number_is_not_shown() {
    let (mut session, _) = loaded();
    let packet = frame(&advance(&mut session, 3_000_000)).packets[0];
    let seen = PacketRef::from(&packet);
    for stranger in [
        PacketRef {
            conn: seen.conn + 1,
            ..seen
        },
        PacketRef {
            kind: Kind::Nack,
            ..seen
        },
        PacketRef {
            handle: u32::MAX,
            ..seen
        },
    ] {
        session.handle(
            ToWorker::Watch {
                target: Some(Target::Packet(stranger)),
            },
            || 0.0,
        );
        let answers = advance(&mut session, 3_000_000);
        assert_eq!(report(&answers).detail, Some(Detail::PacketGone), "{stranger:?}");
    }
}

#[test]
fn everything_on_the_stage_can_be_inspected() {
    let (mut session, _) = loaded();
    advance(&mut session, 25_000_000);
    for target in [
        Target::Link("p1/t0.1-t1.0".parse().unwrap()),
        Target::Link("p0/n5".parse().unwrap()),
        Target::Switch("p1/t1.1".parse().unwrap()),
        Target::Nic(3),
        Target::Qp(5),
        Target::Bundle {
            level: Level::default(),
            edge: 0,
        },
        Target::Group {
            level: Level::default(),
            plane: 1,
            row: Row::T1 as u8,
            index: 1,
        },
    ] {
        session.handle(
            ToWorker::Watch {
                target: Some(target.clone()),
            },
            || 0.0,
        );
        assert!(
            report(&advance(&mut session, 25_000_000)).detail.is_some(),
            "{target:?}"
        );
    }
    for stranger in [
        Target::Link("p2/n0".parse().unwrap()),
        Target::Switch("p0/t1.2".parse().unwrap()),
        Target::Nic(6),
        Target::Qp(6),
        Target::Bundle {
            level: Level::default(),
            edge: u32::MAX,
        },
        Target::Group {
            level: Level::default(),
            plane: 0,
            row: Row::T2 as u8,
            index: 0,
        },
        Target::Group {
            level: Level::default(),
            plane: 0,
            row: Row::ALL.len() as u8,
            index: 0,
        },
    ] {
        session.handle(
            ToWorker::Watch {
                target: Some(stranger.clone()),
            },
            || 0.0,
        );
        assert_eq!(
            report(&advance(&mut session, 25_000_000)).detail,
            None,
            "{stranger:?}"
        );
    }
}

#[test]
fn the_clock_on_the_wall_ends_an_advance() {
    let (mut session, _) = loaded();
    let now = Cell::new(0.0);
    let ask = ToWorker::Advance {
        run: 1,
        target_ps: u64::MAX,
        budget_ms: 3.5,
        report: false,
    };
    let answers = session.handle(ask, || now.replace(now.get() + 1.0));
    assert_eq!(frame(&answers).head.flags, view::frame::flags::BEHIND);
    assert!(frame(&answers).head.now > 0);
}

#[test]
fn steps_are_described() {
    let (mut session, _) = loaded();
    let mut texts = Vec::new();
    for _ in 0..40 {
        let answers = session.handle(ToWorker::Step { run: 1 }, || 0.0);
        let FromWorker::Stepped { text, .. } = &answers[0].message else {
            panic!("no step");
        };
        texts.push(text.clone());
    }
    assert!(
        texts[0].starts_with("NIC ") && texts[0].contains("posts flow"),
        "{texts:?}"
    );
    assert!(
        texts.iter().any(|text| text.contains("forwards a packet")),
        "{texts:?}"
    );
}

#[test]
fn the_timeline_adds_up() {
    let (mut session, _) = loaded();
    let answers = advance(&mut session, u64::MAX);
    let placed = report(&answers).placed_bytes as f32;
    let answers = session.handle(ToWorker::Timeline { run: 1, qps: vec![2] }, || 0.0);
    let FromWorker::Timeline(timeline) = &answers[0].message else {
        panic!("no timeline");
    };
    let values = timeline.values(answers[0].bytes.as_deref().unwrap()).unwrap();
    let sum = |wanted: Lane| -> f32 {
        let lane = timeline.lanes.iter().position(|lane| *lane == wanted).unwrap();
        values[lane].iter().sum()
    };
    assert_eq!(sum(Lane::Plane(0)) + sum(Lane::Plane(1)), placed);
    assert_eq!(sum(Lane::Qp(2)), 1_000_000.0);
    assert!(
        timeline
            .marks
            .iter()
            .any(|mark| mark.text.contains("p1/t0.1-t1.0 loses 1 %")),
        "{:?}",
        timeline.marks
    );
    assert!(timeline.marks.is_sorted_by_key(|mark| mark.at_ps));
}

#[test]
fn a_bad_scenario_is_refused_with_its_fields() {
    let mut session = Session::default();
    let mut bad = scenario();
    bad.fabric.planes = 0;
    let answers = session.handle(
        ToWorker::Load {
            run: 4,
            scenario: Box::new(bad),
            seekable: true,
            logged: true,
        },
        || 0.0,
    );
    let [
        Answer {
            message: FromWorker::Refused { run: 4, problems },
            ..
        },
    ] = &answers[..]
    else {
        panic!("not refused");
    };
    assert!(
        problems.iter().any(|p| p.contains("fabric.planes")),
        "{problems:?}"
    );
}

#[test]
fn messages_about_another_run_are_ignored() {
    let (mut session, _) = loaded();
    assert!(session.handle(ToWorker::Step { run: 2 }, || 0.0).is_empty());
    assert!(session.handle(ToWorker::Flows { run: 0 }, || 0.0).is_empty());
}

#[test]
fn loading_answers_with_facts_and_the_first_frame() {
    let (_, answers) = loaded();
    let FromWorker::Loaded { run: 1, facts } = &answers[0].message else {
        panic!("not loaded");
    };
    assert_eq!((facts.flows, facts.bytes), (6, 6_000_000));
    assert!(
        facts
            .paces
            .iter()
            .all(|pace| pace.delay_ns > 0.0 && (pace.byte_ns - 0.08).abs() < 1e-9)
    );
    assert_eq!(frame(&answers).head.now, 0);
    assert_eq!(report(&answers).now_ps, 0);
}
