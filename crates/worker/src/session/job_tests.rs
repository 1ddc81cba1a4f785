//! What the page is told of jobs and messages.

use super::tests::{advance, loaded_with, report, scenario};
use super::*;
use view::jobs::Job;
use view::message::{Lane, MarkKind};

fn with_traffic(json: &str) -> Scenario {
    let mut scenario = scenario();
    scenario.traffic = serde_json::from_str(json).unwrap();
    scenario.faults.clear();
    scenario
}

fn jobs(session: &mut Session) -> Vec<Job> {
    let answers = session.handle(ToWorker::Jobs { run: 1 }, || 0.0);
    let FromWorker::Jobs { jobs, count, .. } = &answers[0].message else {
        panic!("no jobs");
    };
    assert_eq!(*count as usize, jobs.len());
    jobs.clone()
}

#[test]
fn a_jobs_steps_are_told_with_their_times() {
    let (mut session, answers) = loaded_with(with_traffic(
        r#"[{ "kind": "job", "collective": "all_gather", "ranks": 3, "bytes": "300KB", "steps": 4, "compute": "5us" }]"#,
    ));
    let FromWorker::Loaded { facts, .. } = &answers[0].message else {
        panic!("not loaded");
    };
    // A ring of three: two messages a step on each of three QPs.
    assert_eq!((facts.jobs, facts.flows, facts.messages), (1, 3, 24));
    advance(&mut session, 2_000_000);
    let [job] = &jobs(&mut session)[..] else {
        panic!("one job");
    };
    assert_eq!((job.done, job.under_way), (0, Some((0, 5_000_000))));
    assert_eq!(job.state(2_000_000), "step 1 of 4: computes for 2 µs");
    let answers = advance(&mut session, u64::MAX);
    assert_eq!(report(&answers).flows_done, 3);
    let [job] = &jobs(&mut session)[..] else {
        panic!("one job");
    };
    assert_eq!((job.done, job.latest.len(), job.under_way), (4, 4, None));
    let rtt = facts.base_rtt_ps;
    for (step, next) in job.latest.iter().zip(&job.latest[1..]) {
        assert_eq!(step.posted_ps, step.began_ps + 5_000_000);
        assert_eq!(next.began_ps, step.ended_ps + rtt, "a barrier of one base RTT");
    }
    // 300 KB × (n − 1) / n at 200 Gb/s of line take 8 µs; two hops of the ring one after the other add their RTTs.
    let bus = job.bus_rate(job.latest[0].time_ps());
    assert!(bus > 50e9 && bus < 200e9, "{bus}");

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
    let lanes: Vec<_> = timeline.jobs.iter().map(Vec::len).collect();
    assert_eq!(lanes, [4]);
    let values = timeline.values(answers[0].bytes.as_deref().unwrap()).unwrap();
    let lane = timeline.lanes.iter().position(|lane| *lane == Lane::Messages);
    let complete: f32 = values[lane.expect("there are several messages")].iter().sum();
    assert_eq!(complete, 24.0);
    let steps = timeline
        .marks
        .iter()
        .filter(|mark| mark.kind == MarkKind::Step)
        .count();
    assert!((1..=4).contains(&steps), "near ones are one mark");
}

#[test]
fn where_each_flow_is_one_message_there_is_no_lane_of_them() {
    let (mut session, _) = loaded_with(scenario());
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
    assert!(!timeline.lanes.contains(&Lane::Messages) && timeline.jobs.is_empty());
    assert_eq!(jobs(&mut session), []);
}
