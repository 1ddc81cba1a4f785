//! What the page is told of faults: by clicks, as states, as marks, and as recoveries.

use super::tests::{advance, frame, inject, loaded, loaded_with, report, scenario};
use super::*;
use sim::Sim;
use view::frame::{Ailing, ailment, state};
use view::inspect::Detail;
use view::message::{Mark, MarkKind, Timeline};

const US: u64 = 1_000_000;

fn toggle(session: &mut Session, target: Target) -> Vec<Answer> {
    session.handle(ToWorker::Toggle { run: 1, target }, || 0.0)
}

/// The kinds of the run's faults, the last ones.
fn last_faults(answers: &[Answer], count: usize) -> Vec<String> {
    let FromWorker::Faults { faults, refused, .. } = &answers[0].message else {
        panic!("no faults");
    };
    assert_eq!(*refused, None);
    let names = faults[faults.len() - count..].iter();
    names.map(|fault| fault.what.name().to_owned()).collect()
}

fn watch(session: &mut Session, target: Target) {
    let target = Some(target);
    session.handle(ToWorker::Watch { target }, || 0.0);
}

fn timeline(session: &mut Session) -> Timeline {
    let answers = session.handle(
        ToWorker::Timeline {
            run: 1,
            qps: Vec::new(),
        },
        || 0.0,
    );
    let FromWorker::Timeline(timeline) = &answers[0].message else {
        panic!("no timeline");
    };
    timeline.clone()
}

fn link(name: &str) -> Target {
    Target::Link(name.parse().unwrap())
}

/// A scenario whose flows take long enough to recover.
fn long() -> Scenario {
    let mut long = scenario();
    let json = r#"[{ "kind": "permutation", "shift": 2, "bytes": "20MB" }]"#;
    long.traffic = serde_json::from_str(json).unwrap();
    long.until = "5ms".parse().unwrap();
    long.faults.clear();
    long
}

#[test]
fn two_clicks_at_once_break_and_heal() {
    let (mut session, _) = loaded();
    advance(&mut session, 5 * US);
    // Nothing is shown in between, so the page could not tell what the second click has to do.
    let first = toggle(&mut session, link("p0/t0.0-t1.1"));
    let second = toggle(&mut session, link("p0/t0.0-t1.1"));
    assert_eq!(last_faults(&first, 1), ["link_down"]);
    assert_eq!(last_faults(&second, 2), ["link_down", "link_up"]);
    let third = toggle(&mut session, Target::Switch("p1/t1.0".parse().unwrap()));
    let fourth = toggle(&mut session, Target::Switch("p1/t1.0".parse().unwrap()));
    assert_eq!(last_faults(&third, 1), ["switch_down"]);
    assert_eq!(last_faults(&fourth, 1), ["switch_up"]);
}

#[test]
fn one_click_heals_all_that_is_wrong() {
    let (mut session, _) = loaded();
    advance(&mut session, 5 * US);
    for fault in [
        r#"{ "kind": "link_down", "link": "p0/t0.0-t1.1", "direction": "down" }"#,
        r#"{ "kind": "link_loss", "link": "p0/t0.0-t1.1", "rate": 0.1 }"#,
        r#"{ "kind": "link_corrupt", "link": "p0/t0.0-t1.1", "direction": "up", "rate": 0.1 }"#,
    ] {
        inject(&mut session, fault);
    }
    let answers = toggle(&mut session, link("p0/t0.0-t1.1"));
    assert_eq!(
        last_faults(&answers, 3),
        ["link_up", "link_loss", "link_corrupt"],
        "at once"
    );
    let whole = frame(&answers).edges.iter().all(|edge| edge.state == 0);
    assert!(whole, "nothing is wrong any more");
}

#[test]
fn only_links_and_switches_of_the_fabric_are_broken_by_a_click_and_not_after_the_end() {
    let (mut session, _) = loaded();
    let refused = |answers: &[Answer]| match &answers[0].message {
        FromWorker::Faults { refused, .. } => refused.clone().expect("refused"),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        refused(&toggle(&mut session, link("p9/n0"))),
        "there is no link p9/n0"
    );
    assert!(refused(&toggle(&mut session, Target::Nic(1))).contains("only a link or a switch"));
    advance(&mut session, u64::MAX);
    assert!(refused(&toggle(&mut session, link("p0/n0"))).contains("the run is finished"));
}

#[test]
fn each_fault_has_a_state_of_its_own_in_its_own_direction() {
    let (mut session, _) = loaded();
    advance(&mut session, 5 * US);
    for fault in [
        r#"{ "kind": "link_corrupt", "link": "p0/t0.0-t1.1", "direction": "up", "rate": 0.1 }"#,
        r#"{ "kind": "link_down", "link": "p0/t0.1-t1.1", "direction": "down" }"#,
        r#"{ "kind": "link_flap", "link": "p0/n3", "down": "1us", "up": "2us", "random": false, "until": "500us" }"#,
        r#"{ "kind": "tier_loss", "tier": "t0_t1", "direction": "up", "rate": 0.001 }"#,
        r#"{ "kind": "switch_corrupt", "switch": "p1/t0.2", "rate": 0.5 }"#,
        r#"{ "kind": "nic_refuses", "nic": 4, "rate": 0.1, "reason": "no_resource" }"#,
        r#"{ "kind": "nic_penalty", "nic": 4, "penalty": 9 }"#,
    ] {
        inject(&mut session, fault);
    }
    let flaps = state::FLAPPING;
    let answers = advance(&mut session, 5 * US + US / 2);
    let seen = frame(&answers);
    let clos = fabric::Clos::two_tiers(2, 3, 2, 2);
    let bits = |link: u32| seen.edge(link).expect("drawn").state;
    assert_eq!(bits(clos.up(0, 0, 1)), state::CORRUPT);
    assert_eq!(bits(clos.down(0, 1, 0)), 0);
    assert_eq!(bits(clos.up(0, 1, 1)), 0);
    assert_eq!(bits(clos.down(0, 1, 1)), state::DOWN | state::ALL_DOWN);
    assert_eq!(bits(clos.nic_up(0, 3)), flaps | state::DOWN | state::ALL_DOWN);
    let faulty = seen.edges.iter().filter(|edge| edge.state != 0).count();
    assert_eq!(faulty, 4, "what a whole tier loses is drawn at no link");
    assert_eq!(report(&answers).tier_faults, ["T0–T1 links lose 0.1 % upward"]);
    let ails = |plane, tier, what, index| Ailing {
        plane,
        tier,
        what,
        index,
    };
    assert_eq!(
        seen.ailing,
        [
            ails(0, Ailing::NIC, ailment::REFUSES | ailment::PENALTY, 4),
            ails(1, 0, ailment::CORRUPT, 2)
        ]
    );
    let answers = advance(&mut session, 7 * US);
    assert_eq!(
        frame(&answers).edge(clos.nic_up(0, 3)).expect("drawn").state,
        flaps,
        "up just now"
    );
    inject(
        &mut session,
        r#"{ "kind": "nic_penalty", "nic": 4, "penalty": 0 }"#,
    );
    watch(&mut session, Target::Nic(4));
    let answers = advance(&mut session, 7 * US + 1);
    let Some(Detail::Nic(nic)) = &report(&answers).detail else {
        panic!("no NIC");
    };
    assert_eq!(nic.refuses, Some((0.1, "NO_RESOURCE".into())));
    assert_eq!(nic.penalty, 0);
}

#[test]
fn a_dead_links_recovery_can_be_read_from_its_mark() {
    let (mut session, _) = loaded_with(long());
    advance(&mut session, 30 * US);
    inject(&mut session, r#"{ "kind": "link_down", "link": "p0/t0.0-t1.1" }"#);
    watch(&mut session, Target::Fault(0));
    let answers = advance(&mut session, 300 * US);
    let Some(Detail::Fault(fault)) = &report(&answers).detail else {
        panic!("no fault");
    };
    let [seen] = &fault.occurrences[..] else {
        panic!("one occurrence: {:?}", fault.occurrences);
    };
    assert_eq!((fault.index, fault.count, seen.at_ps), (0, 1, 30 * US + 1));
    // Packets on the link are lost at once. A loss is inferred once a packet sent a reorder window (three base RTTs here)
    // later has been acknowledged, which is another RTT later. Then the EV goes, and nothing more is sent into the link.
    let facts = session.run.as_ref().unwrap().facts();
    let (rtt, window) = (facts.base_rtt_ps, facts.reorder_window_ps);
    let after = |ps: u64| ps - seen.at_ps;
    assert_eq!(seen.drops.first_ps, seen.at_ps);
    assert!(after(seen.inferred.first_ps) > window - rtt, "{seen:?}");
    assert!(after(seen.inferred.first_ps) < window + 3 * rtt, "{seen:?}");
    assert_eq!(
        seen.out.first_ps, seen.inferred.first_ps,
        "an EV goes with its first loss"
    );
    assert!(
        seen.sent.last_ps <= seen.out.last_ps,
        "no EV is used after it went out"
    );
    // With two T1s half of the reserve crosses the link too: an EV that stands in may have to be found out in its turn.
    assert!(after(seen.sent.last_ps) < 3 * (window + 3 * rtt), "{seen:?}");
    // NICs 0 and 1 send over it, each with 8 EVs in plane 0, of which half cross the link.
    assert!(seen.out.count >= 8 && seen.swapped >= 2, "{seen:?}");
    assert_eq!(seen.back.count, 0);

    let timeline = timeline(&mut session);
    let mark = |kind: MarkKind| -> &Mark {
        let found = timeline.marks.iter().find(|mark| mark.kind == kind);
        found.unwrap_or_else(|| panic!("no {kind:?} in {:?}", timeline.marks))
    };
    let broke = mark(MarkKind::Broke);
    assert_eq!(
        (broke.at_ps, broke.text.as_str()),
        (30 * US + 1, "p0/t0.0-t1.1 down")
    );
    assert_eq!(broke.target, Some(Target::Fault(0)));
    let inferred = mark(MarkKind::Inferred);
    assert_eq!(inferred.at_ps, seen.inferred.first_ps);
    assert_eq!(inferred.target, Some(Target::Fault(0)));
    assert!(mark(MarkKind::EvsLost).text.contains("ASSUMED_BAD"));
    assert!(mark(MarkKind::Swapped).text.contains("from the reserve"));
    assert_eq!(timeline.exposures.len(), 1);
    assert_eq!(timeline.exposures[0].last_ps, seen.sent.last_ps);
    assert!(timeline.marks.is_sorted_by_key(|mark| mark.at_ps));
}

#[test]
fn what_belongs_to_one_fault_is_one_mark() {
    let (mut session, _) = loaded_with(long());
    advance(&mut session, 10 * US);
    inject(
        &mut session,
        r#"{ "kind": "switch_reboot", "switch": "p0/t1.1", "duration": "20us" }"#,
    );
    advance(&mut session, 50 * US);
    let timeline = timeline(&mut session);
    let of = |kind: MarkKind| -> Vec<&str> {
        let marks = timeline.marks.iter().filter(|mark| mark.kind == kind);
        marks.map(|mark| mark.text.as_str()).collect()
    };
    // A T1 has links to three T0s.
    assert_eq!(of(MarkKind::Broke), ["p0/t1.1 reboots: 3 links down"]);
    assert_eq!(of(MarkKind::Healed), ["p0/t1.1 reboots: 3 links up"]);
}

#[test]
fn a_nic_that_notices_its_port_has_a_mark() {
    let mut scenario = long();
    scenario.transport.port_detect = "40us".parse().unwrap();
    let (mut session, _) = loaded_with(scenario);
    advance(&mut session, 10 * US);
    inject(
        &mut session,
        r#"{ "kind": "nic_port_down", "nic": 1, "plane": 1, "duration": "100us" }"#,
    );
    watch(&mut session, Target::Fault(0));
    let answers = advance(&mut session, 60 * US);
    let Some(Detail::Fault(fault)) = &report(&answers).detail else {
        panic!("no fault");
    };
    assert_eq!(fault.occurrences[0].noticed.first_ps, 50 * US + 1, "40 µs later");
    advance(&mut session, 160 * US);
    let timeline = timeline(&mut session);
    let ports: Vec<(u64, &str)> = timeline
        .marks
        .iter()
        .filter(|mark| mark.kind == MarkKind::Port)
        .map(|mark| (mark.at_ps, mark.text.as_str()))
        .collect();
    assert_eq!(
        ports,
        [
            (50 * US + 1, "NIC 1 notices that its port of plane 1 is down"),
            (150 * US + 1, "NIC 1 notices that its port of plane 1 is up"),
        ]
    );
}

#[test]
fn a_random_flap_by_hand_repeats_from_the_shared_scenario() {
    let mut scenario = long();
    scenario.faults = serde_json::from_str(
        r#"[{ "at": "200us", "kind": "link_loss", "link": "p1/t0.1-t1.0", "rate": 0.01 }]"#,
    )
    .unwrap();
    let (mut session, _) = loaded_with(scenario.clone());
    advance(&mut session, 20 * US);
    // It comes before the planned fault, but its random times depend on its place in the list.
    let answers = inject(
        &mut session,
        r#"{ "kind": "link_flap", "link": "p0/t0.0-t1.1", "down": "5us", "up": "9us", "until": "400us" }"#,
    );
    let FromWorker::Faults { faults, .. } = &answers[0].message else {
        panic!("no faults");
    };
    scenario.faults.clone_from(faults);
    let end = advance(&mut session, u64::MAX);
    let mut again = Sim::new(&scenario).unwrap();
    again.run_until(Time::MAX);
    assert_eq!(report(&end).digest, again.digest());
}

#[test]
fn a_qp_says_when_it_retries_and_why_it_failed() {
    let mut scenario = long();
    (
        scenario.transport.linear_retries,
        scenario.transport.exponential_retries,
    ) = (1, 1);
    scenario.transport.rto = Some("100us".parse().unwrap());
    let (mut session, _) = loaded_with(scenario);
    advance(&mut session, 10 * US);
    inject(
        &mut session,
        r#"{ "kind": "nic_flap", "nic": 2, "duration": "4ms" }"#,
    );
    watch(&mut session, Target::Qp(0));
    let qp = |answers: &[Answer]| match &report(answers).detail {
        Some(Detail::Qp(qp)) => qp.clone(),
        other => panic!("{other:?}"),
    };
    let before = qp(&advance(&mut session, 11 * US));
    assert_eq!((before.timeouts, before.most_timeouts), (0, Some(3)));
    assert_eq!(before.next_timeout(), "retry 1 of 2 after 100 µs without news");
    assert_eq!((before.messages, before.posted, before.completed), (1, 1, 0));
    let after = qp(&advance(&mut session, 3_000 * US));
    assert_eq!(after.state, "ERROR");
    let (why, at) = after.error.expect("failed");
    assert_eq!(why, "retries exceeded");
    // The first timeout and one retry wait 100 µs each, the second retry 200 µs.
    assert!((400 * US..600 * US).contains(&at), "{at}");
    let timeline = timeline(&mut session);
    let failed = timeline
        .marks
        .iter()
        .find(|mark| mark.kind == MarkKind::Failed)
        .expect("marked");
    assert!(
        failed.text.contains("in ERROR: retries exceeded"),
        "{}",
        failed.text
    );
}
