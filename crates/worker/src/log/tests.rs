//! The log beside what the run itself counts.

use super::*;
use scenario::Scenario;

/// NICs 1 to 5 send to NIC 0 at once: its port trims.
const INCAST: &str = r#"{
    "version": 1, "seed": 7, "until": "2ms",
    "fabric": { "planes": 2, "t0_per_plane": 3, "t1_per_plane": 2, "nics_per_t0": 2, "nic_link_rate": "100Gbps" },
    "transport": { "evs": 16 },
    "traffic": [ { "kind": "incast", "dst": 0, "senders": 5, "bytes": "200kB" } ],
    "faults": [ { "at": "20us", "kind": "link_loss", "link": "p1/t0.1-t1.0", "rate": 0.05 } ]
}"#;

pub(crate) fn incast() -> Run {
    let scenario: Scenario = serde_json::from_str(INCAST).unwrap();
    Run::new(1, &scenario, false, true).unwrap()
}

fn finish(run: &mut Run, log: &mut Log, slice: u64) {
    while !run.sim.is_finished() {
        run.sim.run_events(slice, kernel::Time::MAX);
        log.take(&mut run.sim);
    }
    log.take_all(&mut run.sim);
}

fn matches(log: &mut Log, run: &Run, filter: &str) -> u64 {
    let ask = log::Ask {
        filter: filter.into(),
        from: 0,
        count: 10,
    };
    let answer = log.answer(run, &ask);
    assert_eq!(answer.problem, None, "{filter}");
    answer.matches
}

#[test]
fn rows_are_as_many_as_the_run_counts() {
    let (mut run, mut log) = (incast(), Log::default());
    finish(&mut run, &mut log, 500);
    let counters = run.sim.network().counters();
    let summary = run.sim.summary();
    let mut count = |filter: &str| matches(&mut log, &run, filter);
    assert!(counters.trims + counters.trims_last_hop > 0 && summary.retransmissions > 0);
    assert_eq!(count("kind == trim"), counters.trims + counters.trims_last_hop);
    assert_eq!(count("resent"), summary.retransmissions);
    assert_eq!(count("drop"), counters.dropped());
    assert_eq!(count("mark"), counters.ecn_marks);
    assert_eq!(count("finished"), 5);
    assert_eq!(count("sent || resent"), counters.created);
    assert_eq!(count("placed || received"), counters.delivered);
    // Each packet of each flow is placed once.
    let packets: u64 = (0..5).map(|qp| u64::from(run.sim.qp(qp).packets)).sum();
    assert_eq!(count("placed"), packets);
    assert_eq!(count("fault"), 1);
    assert_eq!(count("fault && link == p1/t0.1-t1.0"), 1);
    // All rows are about one QP or none.
    let by_qp: u64 = (0..5).map(|qp| count(&format!("qp == {qp}"))).sum();
    assert_eq!(by_qp + count("!qp"), count(""));
}

#[test]
fn rows_come_in_order_and_by_window() {
    let (mut run, mut log) = (incast(), Log::default());
    finish(&mut run, &mut log, 500);
    let all = log.answer(
        &run,
        &log::Ask {
            filter: "placed".into(),
            from: 0,
            count: MAX_ROWS,
        },
    );
    assert!(all.rows.is_sorted_by_key(|row| row.at_ps));
    let part = log.answer(
        &run,
        &log::Ask {
            filter: "placed".into(),
            from: 7,
            count: 3,
        },
    );
    assert_eq!((part.from, &part.rows[..]), (7, &all.rows[7..10]));
    // Beyond the end are the last ones.
    let last = log.answer(
        &run,
        &log::Ask {
            filter: "placed".into(),
            from: u64::MAX,
            count: 3,
        },
    );
    assert_eq!((last.from, last.rows.len()), (last.matches - 3, 3));
    assert_eq!(last.past, last.matches);
    assert_eq!(
        log.file(&run, "placed", Form::Csv).unwrap().lines().count() as u64,
        all.matches + 1
    );
    let json = log.file(&run, "placed", Form::Json).unwrap();
    let rows: Vec<log::Row> = serde_json::from_str(&json).unwrap();
    assert_eq!(rows.len() as u64, all.matches);
    assert_eq!(rows[..10], all.rows[..10]);
}

#[test]
fn slices_and_repetition_change_nothing() {
    let (mut once, mut whole) = (incast(), Log::default());
    finish(&mut once, &mut whole, u64::MAX);
    let (mut run, mut log) = (incast(), Log::default());
    run.sim.run_events(u64::MAX, kernel::Time(40_000_000));
    log.take_all(&mut run.sim);
    // Back to the beginning: what comes again is known.
    let mut again = incast();
    finish(&mut again, &mut log, 100);
    assert_eq!(
        log.file(&again, "", Form::Csv).unwrap(),
        whole.file(&once, "", Form::Csv).unwrap()
    );
    log.forget_after(40_000_000);
    assert_eq!(matches(&mut log, &again, "time > 40us"), 0);
    assert_eq!(
        matches(&mut log, &again, ""),
        matches(&mut whole, &once, "time <= 40us")
    );
}

#[test]
fn frequent_kinds_push_out_none_of_the_rare_ones() {
    let (mut run, mut log) = (incast(), Log::default());
    finish(&mut run, &mut log, u64::MAX);
    let faults = matches(&mut log, &run, "fault");
    let before = matches(&mut log, &run, "sent && data");
    let row = Row {
        at: run.sim.now().ps(),
        ..*log.rings[0].front().unwrap()
    };
    // As if as many more packets had been sent as there is room for.
    for _ in 0..ROOM[0] {
        log.keep(row);
    }
    assert_eq!(matches(&mut log, &run, "fault"), faults);
    let out: u64 = log.left_out.iter().map(|(_, count)| count).sum();
    assert!(out >= before, "{out} of {before}");
    assert_eq!(log.rings[0].len(), ROOM[0]);
}

#[test]
fn a_filter_that_is_none_has_no_rows_but_a_reason() {
    let (run, mut log) = (incast(), Log::default());
    let answer = log.answer(
        &run,
        &log::Ask {
            filter: "qp = 3".into(),
            from: 0,
            count: 10,
        },
    );
    assert_eq!(answer.problem.map(|problem| problem.column), Some(3));
    assert!(answer.rows.is_empty());
}

/// Nothing gets to NIC 0 any more: every timeout in a row has a row, and old filters call it `rto`.
#[test]
fn mrcs_timeouts_have_rows() {
    let cut = INCAST.replace(
        r#"{ "at": "20us", "kind": "link_loss", "link": "p1/t0.1-t1.0", "rate": 0.05 }"#,
        r#"{ "at": "20us", "kind": "link_loss", "link": "p0/n0", "rate": 1.0 },
           { "at": "20us", "kind": "link_loss", "link": "p1/n0", "rate": 1.0 }"#,
    );
    let scenario: Scenario = serde_json::from_str(&cut).unwrap();
    let (mut run, mut log) = (Run::new(1, &scenario, false, true).unwrap(), Log::default());
    finish(&mut run, &mut log, 500);
    let mut all = 0;
    for qp in 0..5 {
        let timeouts = u64::from(run.sim.qp(qp).timeouts_in_row);
        assert!(timeouts > 1, "QP {qp} waits for what does not come");
        assert_eq!(
            matches(&mut log, &run, &format!("timeout && qp == {qp}")),
            timeouts
        );
        all += timeouts;
    }
    assert_eq!(matches(&mut log, &run, "timeout"), all);
    assert_eq!(
        matches(&mut log, &run, "rto"),
        all,
        "filters that were kept still find them"
    );
    let lost: u64 = (0..5).map(|qp| run.sim.qp(qp).losses).sum();
    assert_eq!(matches(&mut log, &run, "loss"), lost);
}

/// A ring of three, four steps; however often the log is taken, and where.
#[test]
fn steps_of_jobs_have_rows() {
    let job = r#"[ { "kind": "job", "collective": "all_gather", "ranks": 3, "bytes": "300KB", "steps": 4, "compute": "5us" } ]"#;
    let mut scenario: Scenario = serde_json::from_str(INCAST).unwrap();
    scenario.traffic = serde_json::from_str(job).unwrap();
    scenario.faults.clear();
    for slice in [100, 5_000] {
        let (mut run, mut log) = (Run::new(1, &scenario, false, true).unwrap(), Log::default());
        while !run.sim.is_finished() {
            run.sim.run_events(slice, kernel::Time::MAX);
            log.take_all(&mut run.sim);
        }
        log.take_all(&mut run.sim);
        assert_eq!(matches(&mut log, &run, "step && job == 0"), 4);
        assert_eq!(matches(&mut log, &run, "job == 1"), 0);
        let ask = log::Ask {
            filter: "step".into(),
            from: 0,
            count: 10,
        };
        let rows = log.answer(&run, &ask).rows;
        let (_, steps) = run.sim.job_steps().next().expect("a job");
        for (row, step) in rows.iter().zip(steps) {
            assert_eq!(row.at_ps, step.ended_ps);
            assert_eq!((row.qp, row.link), (None, None), "{}", row.text);
        }
        assert!(
            rows[1].text.starts_with("step 2 of job 0 is complete, "),
            "{}",
            rows[1].text
        );
    }
}
