//! Going back and forth in time comes to the same run as going straight.

use super::tests::{advance, inject, loaded_with, report, scenario};
use super::*;
use std::cell::Cell;
use view::message::{Lane, Report, Timeline};

const US: u64 = 1_000_000;

/// A clock that goes on by so many ms whenever somebody looks: copies are taken on the way then.
fn ticking(ms: f64) -> impl Fn() -> f64 {
    let now = Cell::new(0.0);
    move || {
        now.set(now.get() + ms);
        now.get()
    }
}

fn play(session: &mut Session, target_ps: u64) -> Report {
    let ask = ToWorker::Advance {
        run: 1,
        target_ps,
        budget_ms: f64::INFINITY,
        report: true,
    };
    report(&session.handle(ask, ticking(20.0))).clone()
}

/// Where a seek with a budget led to, and whether that is all the way.
fn seek_for(session: &mut Session, target_ps: u64, budget_ms: f64) -> (Report, bool) {
    let ask = ToWorker::Seek {
        run: 1,
        target_ps,
        budget_ms,
    };
    let answers = session.handle(ask, ticking(20.0));
    let Some(FromWorker::Sought {
        target_ps: asked,
        now_ps,
        reached,
        ..
    }) = answers.last().map(|answer| &answer.message)
    else {
        panic!("no answer to a seek");
    };
    let report = report(&answers);
    assert_eq!((*asked, *now_ps), (target_ps, report.now_ps));
    (report.clone(), *reached)
}

fn seek(session: &mut Session, target_ps: u64) -> Report {
    let (report, reached) = seek_for(session, target_ps, f64::INFINITY);
    assert!(reached);
    report
}

fn timeline(session: &mut Session) -> (Timeline, Vec<u8>) {
    let ask = ToWorker::Timeline { run: 1, qps: vec![0] };
    let mut answers = session.handle(ask, || 0.0);
    match answers.remove(0) {
        Answer {
            message: FromWorker::Timeline(timeline),
            bytes,
        } => (timeline, bytes.unwrap()),
        _ => panic!("no timeline"),
    }
}

fn preset(slug: &str, until_us: u64) -> Scenario {
    let mut scenario = scenario::find_preset(slug).expect("a preset").scenario();
    scenario.until = scenario::Time(scenario.until.0.min(until_us * US));
    scenario
}

fn with_job() -> Scenario {
    let mut scenario = scenario();
    scenario.traffic = serde_json::from_str(
        r#"[{ "kind": "job", "collective": "all_gather", "ranks": 6, "bytes": "600KB", "steps": 4, "compute": "5us" }]"#,
    )
    .unwrap();
    scenario
}

/// Digest and events at some times of a run that goes straight to its end.
fn straight(scenario: &Scenario, times: &[u64]) -> Vec<(u64, u64, u64)> {
    let mut sim = Sim::new(scenario).unwrap();
    times
        .iter()
        .map(|&at| {
            // At time 0 a run has not begun.
            if at > 0 {
                sim.run_until(Time(at));
            }
            (sim.now().ps(), sim.digest(), sim.events())
        })
        .collect()
}

fn figures(report: &Report) -> (u64, u64, u64) {
    (report.now_ps, report.digest, report.events)
}

/// The lanes that come of looks at the whole run, with the width of their bins; and what charts show of them.
fn looked(session: &mut Session) -> (u64, Vec<Vec<f32>>, view::chart::fabric::Queues) {
    let (timeline, bytes) = timeline(session);
    let values = timeline.values(&bytes).unwrap();
    let lane = |lane: Lane| {
        let place = timeline.lanes.iter().position(|other| *other == lane);
        values[place.unwrap_or_else(|| panic!("no lane {lane:?}"))].clone()
    };
    let lanes = [Lane::Queue, Lane::EvsGood, Lane::EvsSkip].map(lane).to_vec();
    let ask = ToWorker::Charts {
        run: 1,
        want: view::chart::fabric::Ask::default(),
    };
    let queues = match &session.handle(ask, || 0.0)[0].message {
        FromWorker::Charts { answer, .. } => answer.queues.clone(),
        _ => panic!("no charts"),
    };
    (timeline.bin_ps, lanes, queues)
}

/// The run is looked at at the same times, however it is gone through: with pauses, back, event by event, and past a fault by hand.
#[test]
fn looks_are_those_of_the_straight_run() {
    let (mut straight, _) = loaded_with(scenario());
    play(&mut straight, 30 * US);
    let half = looked(&mut straight);
    assert_eq!(
        half.1[0].len(),
        29,
        "bins of 1.048576 us, the one under way included"
    );
    assert!(half.1[0].iter().any(|&bytes| bytes > 10_000.0));
    // 6 QPs of 16 EVs, of which none that is out of use is GOOD or at SKIP.
    assert!(
        half.1[1]
            .iter()
            .zip(&half.1[2])
            .all(|(good, skip)| good + skip <= 96.0)
    );

    let (mut session, _) = loaded_with(scenario());
    for stop in 1..40 {
        play(&mut session, stop * 700_003);
        looked(&mut session);
    }
    play(&mut session, 30 * US);
    assert_eq!(looked(&mut session), half, "with pauses");
    seek(&mut session, 9 * US);
    assert_eq!(looked(&mut session), half, "what is known of later times");
    for _ in 0..600 {
        session.handle(ToWorker::Step { run: 1 }, || 0.0);
    }
    session.handle(ToWorker::StepBack { run: 1 }, || 0.0);
    let stepped = session.run.as_ref().unwrap().sim.now().ps();
    assert!(stepped > 11 * US, "over the end of a bin at least: {stepped} ps");
    seek(&mut session, 30 * US);
    assert_eq!(looked(&mut session), half, "after single steps");

    // Another future is that of the scenario with its fault.
    seek(&mut session, 10 * US);
    inject(&mut session, r#"{ "kind": "link_down", "link": "p1/t0.1-t1.0" }"#);
    play(&mut session, 32 * US);
    let faulty = session.run.as_ref().unwrap().sim.scenario().clone();
    assert_eq!(faulty.faults.len(), 2);
    let (mut straight, _) = loaded_with(faulty);
    play(&mut straight, 32 * US);
    let broken = looked(&mut straight);
    assert_eq!(looked(&mut session), broken, "with a fault by hand");
    play(&mut session, u64::MAX);
    seek(&mut session, 5 * US);
    seek(&mut session, u64::MAX);
    play(&mut straight, u64::MAX);
    assert_eq!(looked(&mut session), looked(&mut straight), "to the end");
}

#[test]
fn going_back_and_forth_is_the_straight_run() {
    let scenarios = [
        ("MRC", scenario()),
        ("RoCE and PFC", preset("pfc-deadlock", 600)),
        ("Clustermapper", preset("clustermapper", 120)),
        ("jobs", with_job()),
    ];
    for (name, scenario) in scenarios {
        let mut whole = Sim::new(&scenario).unwrap();
        whole.run_until(Time::MAX);
        let end = whole.now().ps();
        let times: Vec<u64> = (0..=10)
            .map(|tenth| end / 10 * tenth + 12_345 * u64::from(tenth > 0))
            .collect();
        let expected = straight(&scenario, &times);
        let (mut session, _) = loaded_with(scenario);
        assert_eq!(figures(&play(&mut session, times[6])), expected[6], "{name}");
        for place in [2, 4, 3, 0, 1, 6, 5, 8, 7, 9, 2] {
            let seen = seek(&mut session, times[place]);
            assert_eq!(figures(&seen), expected[place], "{name}, at {place} tenths");
        }
        let copies = session.run.as_ref().unwrap().snapshots.measure().0;
        assert!(copies >= 2, "{name}: {copies} copies");
        let last = play(&mut session, u64::MAX);
        assert!(last.finished);
        assert_eq!(
            (last.digest, last.events),
            (whole.digest(), whole.events()),
            "{name}"
        );
        // Back from the end, and there once more.
        assert_eq!(figures(&seek(&mut session, times[3])), expected[3], "{name}");
        let last = seek(&mut session, u64::MAX);
        assert_eq!((last.finished, last.digest), (true, whole.digest()), "{name}");
    }
}

#[test]
fn faults_by_hand_happen_again_after_going_back() {
    let (mut session, _) = loaded_with(scenario());
    play(&mut session, 30 * US);
    inject(&mut session, r#"{ "kind": "link_down", "link": "p0/t0.0-t1.1" }"#);
    play(&mut session, 60 * US);
    inject(&mut session, r#"{ "kind": "link_up", "link": "p0/t0.0-t1.1" }"#);
    let end = play(&mut session, u64::MAX);
    let changed = session.run.as_ref().unwrap().sim.scenario().clone();
    assert_eq!(changed.faults.len(), 3);
    let times = [10, 29, 31, 50, 80].map(|us| us * US);
    let expected = straight(&changed, &times);
    for place in [4, 0, 3, 1, 2] {
        let seen = seek(&mut session, times[place]);
        assert_eq!(figures(&seen), expected[place], "at {} µs", times[place] / US);
        let faults = &session.run.as_ref().unwrap().sim.scenario().faults;
        assert_eq!(*faults, changed.faults, "those to come are planned");
    }
    assert_eq!(play(&mut session, u64::MAX).digest, end.digest);
}

#[test]
fn another_fault_after_going_back_makes_another_future() {
    let (mut session, _) = loaded_with(scenario());
    play(&mut session, 30 * US);
    inject(&mut session, r#"{ "kind": "link_down", "link": "p0/t0.0-t1.1" }"#);
    play(&mut session, 60 * US);
    inject(&mut session, r#"{ "kind": "link_up", "link": "p0/t0.0-t1.1" }"#);
    play(&mut session, 90 * US);
    seek(&mut session, 45 * US);
    // What is refused forgets nothing.
    let told = |answers: &[Answer]| match &answers[0].message {
        FromWorker::Faults {
            refused, forgotten, ..
        } => (refused.is_some(), *forgotten),
        _ => panic!("no faults"),
    };
    let answers = inject(&mut session, r#"{ "kind": "link_down", "link": "p0/t0.9-t1.1" }"#);
    assert_eq!(told(&answers), (true, 0));
    assert_eq!(timeline(&mut session).0.known_ps, 90 * US);
    // The link is healed no longer, as that was to come.
    let answers = inject(&mut session, r#"{ "kind": "link_down", "link": "p1/t0.0-t1.0" }"#);
    assert_eq!(told(&answers), (false, 1));
    let changed = session.run.as_ref().unwrap().sim.scenario().clone();
    let at: Vec<u64> = changed.faults.iter().map(|fault| fault.at.0).collect();
    assert_eq!(at, [20 * US, 30 * US + 1, 45 * US + 1]);
    let (timeline, _) = timeline(&mut session);
    assert_eq!(timeline.known_ps, timeline.now_ps);
    let mut native = Sim::new(&changed).unwrap();
    native.run_until(Time::MAX);
    assert_eq!(play(&mut session, u64::MAX).digest, native.digest());
    // Back to before all of it, and there again.
    seek(&mut session, 5 * US);
    assert_eq!(play(&mut session, u64::MAX).digest, native.digest());
}

#[test]
fn a_step_back_takes_one_event_back() {
    let (mut session, _) = loaded_with(scenario());
    let mut last = play(&mut session, 40 * US);
    let start = last.events;
    let mut before = Vec::new();
    for back in 1..=40 {
        before.push((last.events, last.digest));
        let answers = session.handle(ToWorker::StepBack { run: 1 }, || 0.0);
        let now = report(&answers).clone();
        assert_eq!(now.events, start - back);
        assert!(now.now_ps <= last.now_ps);
        last = now;
    }
    while let Some((events, digest)) = before.pop() {
        let answers = session.handle(ToWorker::Step { run: 1 }, || 0.0);
        let now = report(&answers);
        assert_eq!((now.events, now.digest), (events, digest));
    }
    // Before the first event there is none.
    seek(&mut session, 0);
    let answers = session.handle(ToWorker::StepBack { run: 1 }, || 0.0);
    assert_eq!((report(&answers).events, report(&answers).now_ps), (0, 0));
}

#[test]
fn the_timeline_keeps_what_is_known() {
    let (mut session, _) = loaded_with(scenario());
    play(&mut session, 40 * US);
    let (far, values) = timeline(&mut session);
    assert_eq!((far.now_ps, far.known_ps), (40 * US, 40 * US));
    let then = seek(&mut session, 15 * US);
    let (near, same) = timeline(&mut session);
    assert_eq!((near.now_ps, near.known_ps), (15 * US, 40 * US));
    assert_eq!(
        (&near.marks, &near.lanes, &same),
        (&far.marks, &far.lanes, &values)
    );
    // What the counters say is of now.
    assert!(then.placed_bytes > 0 && then.placed_bytes < far_bytes(&far, &values));
    // Until it is later than ever before.
    play(&mut session, 45 * US);
    let (on, _) = timeline(&mut session);
    assert_eq!((on.now_ps, on.known_ps), (45 * US, 45 * US));
    // Where the end is known, it stays so.
    let last = play(&mut session, u64::MAX).now_ps;
    seek(&mut session, 15 * US);
    let (whole, _) = timeline(&mut session);
    assert_eq!(
        (whole.known_ps, whole.known_to_the_end, on.known_to_the_end),
        (last, true, false)
    );
}

/// Message bytes placed, by the lanes of the planes.
fn far_bytes(timeline: &Timeline, values: &[u8]) -> u64 {
    let values = timeline.values(values).unwrap();
    let planes = timeline.lanes.iter().zip(values);
    planes
        .filter(|(lane, _)| matches!(lane, Lane::Plane(_)))
        .map(|(_, bins)| bins.iter().map(|&bytes| bytes as u64).sum::<u64>())
        .sum()
}

#[test]
fn copies_stay_within_their_budget() {
    // What a copy takes is measured, and other tests allocate meanwhile: so nothing is said about how many copies that makes.
    for budget in [4 << 20, 0] {
        let (mut session, _) = loaded_with(scenario());
        session.run.as_mut().unwrap().snapshots.set_budget(budget);
        play(&mut session, 40 * US);
        let (count, bytes) = session.run.as_ref().unwrap().snapshots.measure();
        assert!(count == 1 || bytes <= budget, "{count} copies of {bytes} B");
        let run = session.run.as_ref().unwrap();
        // Nothing fits into no room, and a run of a few KiB into MiBs.
        assert_eq!(run.facts().begins_anew, budget == 0);
        let expected = straight(&scenario(), &[25 * US]);
        assert_eq!(figures(&seek(&mut session, 25 * US)), expected[0]);
    }
}

#[test]
fn a_run_that_is_not_copied_begins_anew() {
    let mut session = Session::default();
    let load = ToWorker::Load {
        run: 1,
        scenario: Box::new(scenario()),
        seekable: false,
        logged: true,
    };
    session.handle(load, || 0.0);
    play(&mut session, 30 * US);
    inject(&mut session, r#"{ "kind": "link_down", "link": "p0/t0.0-t1.1" }"#);
    play(&mut session, 90 * US);
    assert_eq!(session.run.as_ref().unwrap().snapshots.measure(), (0, 0));
    let changed = session.run.as_ref().unwrap().sim.scenario().clone();
    assert_eq!(
        figures(&seek(&mut session, 50 * US)),
        straight(&changed, &[50 * US])[0]
    );
}

#[test]
fn a_long_seek_goes_in_slices() {
    let (mut session, _) = loaded_with(scenario());
    let mut now = 0;
    let mut slices = 0;
    loop {
        let (report, reached) = seek_for(&mut session, 45 * US, 1.0);
        assert!(report.now_ps > now || reached);
        now = report.now_ps;
        slices += 1;
        if reached {
            break;
        }
    }
    assert!(slices > 1 && now == 45 * US);
    assert_eq!(
        advance(&mut session, 0).len(),
        2,
        "a frame and a report of the same moment"
    );
}

/// Less than a base RTT after time 0, the moment that the loads of links are of begins with the run.
#[test]
fn a_long_seek_back_to_the_beginning_ends() {
    // Many NICs: one slice does not come so far.
    let (mut session, _) = loaded_with(preset("t1-dies", 45));
    play(&mut session, 45 * US);
    let target = session.run.as_ref().unwrap().sim.derived().base_rtt.ps() - 1;
    let mut slices = 1;
    while !seek_for(&mut session, target, 1.0).1 {
        slices += 1;
        assert!(slices < 1_000, "each slice begins anew");
    }
    assert!(slices > 1, "it took more than one");
}
