//! What the page is told for its charts.

use super::tests::{advance, inject, loaded_with, report};
use super::*;
use view::chart::fabric::{Answer as Charts, Ask};
use view::chart::links::{Hop, LinksAsk, Measure};
use view::message::{Lane, Timeline};

const US: u64 = 1_000_000;

/// Five NICs of three racks send 500,000 B each to NIC 0.
const INCAST: &str = r#"{
    "version": 1, "seed": 3, "until": "4ms",
    "fabric": { "planes": 2, "t0_per_plane": 3, "t1_per_plane": 2, "nics_per_t0": 3, "nic_link_rate": "100Gbps" },
    "traffic": [ { "kind": "incast", "dst": 0, "senders": 5, "bytes": 500000 } ]
}"#;

fn incast() -> Session {
    loaded_with(serde_json::from_str(INCAST).unwrap()).0
}

fn charts(session: &mut Session, links: LinksAsk) -> Charts {
    let ask = ToWorker::Charts {
        run: 1,
        want: Ask { links },
    };
    match &session.handle(ask, || 0.0)[..] {
        [
            Answer {
                message: FromWorker::Charts { run: 1, answer },
                ..
            },
        ] => (**answer).clone(),
        _ => panic!("one answer"),
    }
}

fn timeline(session: &mut Session) -> (Timeline, Vec<Vec<f32>>) {
    let ask = ToWorker::Timeline { run: 1, qps: vec![] };
    let answers = session.handle(ask, || 0.0);
    let FromWorker::Timeline(timeline) = &answers[0].message else {
        panic!("a timeline");
    };
    let values = timeline.values(answers[0].bytes.as_deref().unwrap()).unwrap();
    (timeline.clone(), values)
}

#[test]
fn an_incast_is_in_one_column_of_the_matrix_and_in_the_queue_of_the_last_hop() {
    let mut session = incast();
    for us in 1..=60 {
        advance(&mut session, us * US);
    }
    let ask = |hop, measure| LinksAsk {
        hop,
        plane: 1,
        measure,
    };
    let answer = charts(&mut session, ask(Hop::NicDown, Measure::Queue));
    assert_eq!(answer.now_ps, 60 * US);
    // Nine NICs, each for itself: what was placed is all of NIC 0.
    assert_eq!((answer.traffic.nics.count(), answer.traffic.nics.each), (9, 1));
    let to = |nic: usize| answer.traffic.bytes.iter().skip(nic).step_by(9).sum::<u64>();
    assert!(to(0) > 0);
    assert_eq!((1..9).map(to).sum::<u64>(), 0);
    // Five senders for one link: the queue of that link is the deepest, and no other last hop has one.
    assert_eq!(answer.links.values.len(), 9);
    assert!(answer.links.values[0] > 10_000.0, "{:?}", answer.links.values);
    // SACKs to the senders are small.
    assert!(answer.links.values[1..].iter().all(|&bytes| bytes < 1_000.0));
    let deepest = |hop: Hop| {
        let found = answer.queues.deepest.iter().find(|(other, _)| *other == hop);
        found.unwrap().1.iter().copied().max().unwrap()
    };
    assert!(answer.queues.are_kept && answer.queues.times.len() > 40);
    assert!(deepest(Hop::NicDown) > 10_000);
    assert!(deepest(Hop::NicDown) > deepest(Hop::Down));
    // The last hop is what limits everything: it is busy nearly all the time.
    let busy = charts(&mut session, ask(Hop::NicDown, Measure::Load)).links;
    assert!(busy.values[0] > 0.8 && busy.values[0] <= 1.0, "{:?}", busy.values);
    assert!(
        charts(&mut session, ask(Hop::NicDown, Measure::Lately))
            .links
            .values[0]
            > 0.9
    );
    // Its control packets go the other way, so it is not idle either, but far from busy.
    let up = charts(&mut session, ask(Hop::NicUp, Measure::Load)).links;
    assert!(up.values[0] > 0.0 && up.values[0] < 0.2, "{:?}", up.values);
}

#[test]
fn completion_times_are_those_of_the_flows() {
    let mut session = incast();
    assert_eq!(charts(&mut session, LinksAsk::default()).fct.count(), 0);
    let answers = advance(&mut session, u64::MAX);
    let [p50, _, slowest] = report(&answers).fct_ps.unwrap();
    let answer = charts(&mut session, LinksAsk::default());
    assert_eq!((answer.fct.count(), answer.fct.of), (5, 5));
    // The summary counts in microseconds.
    let near = |a: Option<u64>, b: u64| a.is_some_and(|a| a.abs_diff(b) < 1_000);
    assert!(near(answer.fct.quantile(1.0), slowest) && near(answer.fct.quantile(0.5), p50));
    assert_eq!(answer.delays.count(), 0, "no QP is under way");
    assert_eq!(answer.traffic.bytes.iter().sum::<u64>(), 5 * 500_000);
}

#[test]
fn marks_over_time_are_the_marks_that_the_fabric_counts() {
    let mut session = incast();
    let answers = advance(&mut session, u64::MAX);
    let marks = report(&answers).ecn_marks;
    assert!(marks > 0);
    let (timeline, values) = timeline(&mut session);
    let lane = timeline
        .lanes
        .iter()
        .position(|lane| *lane == Lane::Marks)
        .unwrap();
    // A packet that was trimmed or lost after it got its mark does not arrive with it.
    let counted = values[lane].iter().sum::<f32>() as u64;
    assert!(counted > 0 && counted <= marks, "{counted} of {marks}");
}

#[test]
fn what_is_asked_of_another_fabric_is_answered_for_this_one() {
    let mut session = incast();
    let odd = LinksAsk {
        hop: Hop::CoreUp,
        plane: 7,
        measure: Measure::Drops,
    };
    let links = charts(&mut session, odd).links;
    assert_eq!((links.of.hop, links.of.plane), (Hop::Up, 1));
    assert_eq!(
        (links.rows.count(), links.columns.count(), links.values.len()),
        (3, 2, 6)
    );
}

#[test]
fn drops_and_probes_are_those_of_the_fault() {
    let mut session = incast();
    advance(&mut session, 30 * US);
    inject(&mut session, r#"{ "kind": "link_down", "link": "p1/t0.1-t1.0" }"#);
    let answers = advance(&mut session, u64::MAX);
    let all: u64 = report(&answers).drops.iter().map(|(_, count)| count).sum();
    let probes = report(&answers).probes_dropped;
    assert!(probes > 0 && probes < all, "{probes} of {all}");
    assert_eq!(report(&answers).packets_dropped(), all, "probes included");
    let (timeline, values) = timeline(&mut session);
    let lane = timeline
        .lanes
        .iter()
        .position(|&lane| lane == Lane::Drops)
        .unwrap();
    assert_eq!(
        values[lane].iter().sum::<f32>() as u64,
        all,
        "the lane counts the same"
    );
    let of = |session: &mut Session, hop| {
        let links = charts(
            session,
            LinksAsk {
                hop,
                plane: 1,
                measure: Measure::Drops,
            },
        )
        .links;
        (links.values[2], links.values.iter().sum::<f64>())
    };
    let (up, up_all) = of(&mut session, Hop::Up);
    assert!(up > 0.0);
    assert_eq!(up, up_all, "no other T0 lost anything on its way up");
    let (down, down_all) = of(&mut session, Hop::Down);
    assert_eq!(up_all + down_all, all as f64);
    assert_eq!(down, down_all);
}

#[test]
fn a_run_without_a_log_has_no_rows() {
    let mut session = Session::default();
    let load = ToWorker::Load {
        run: 1,
        scenario: Box::new(serde_json::from_str(INCAST).unwrap()),
        seekable: false,
        logged: false,
    };
    session.handle(load, || 0.0);
    let logged = report(&advance(&mut incast(), u64::MAX)).digest;
    assert_eq!(
        report(&advance(&mut session, u64::MAX)).digest,
        logged,
        "the run is the same"
    );
    let ask = ToWorker::Events {
        run: 1,
        want: view::log::Ask::default(),
    };
    let FromWorker::Events { answer, .. } = &session.handle(ask, || 0.0)[0].message else {
        panic!("an answer");
    };
    assert_eq!(answer.kept, 0);
}

#[test]
fn lanes_come_to_what_the_counters_say_at_any_time() {
    let mut session = incast();
    let mut again = 0;
    for us in 1..=200 {
        // Times that are no multiple of a bin or a window.
        let answers = advance(&mut session, us * 1_003_007);
        let report = report(&answers);
        let (timeline, values) = timeline(&mut session);
        let of = |wanted: Lane| {
            let lane = timeline.lanes.iter().position(|&lane| lane == wanted);
            values[lane.unwrap()].iter().sum::<f32>() as u64
        };
        let lanes = (of(Lane::Retransmissions), of(Lane::Trims), of(Lane::Drops));
        let counters = (
            report.retransmissions,
            report.trims + report.trims_last_hop,
            report.packets_dropped(),
        );
        assert_eq!(lanes, counters, "at {} ps", report.now_ps);
        again = report.retransmissions;
    }
    assert!(again > 0);
}
