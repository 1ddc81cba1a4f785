//! Jobs: synchronous steps, with times derived by hand.

mod common;

use common::{check_books, fabric, run_checked, scenario};
use kernel::Time;
use sim::Sim;

/// Wire bytes of a data packet beyond its payload: 14 + 40 + 40 + 8 + 12 + 4 + 4 + 16 + 4 + 4 + 20 (facts 1.3).
const HEADER: f64 = 166.0;

/// A ring over NICs of one rack with nothing else on the fabric: each round is one chunk over two links.
#[test]
fn a_rings_step_is_as_many_rounds_as_it_has_to_be() {
    let n = 4u32;
    let mut sim = Sim::new(&scenario(&format!(
        r#""until": "10ms", {}, "transport": {{"evs": 1, "reverse_evs": false}},
        "traffic": [{{"kind": "job", "collective": "ring_all_reduce", "ranks": {n}, "bytes": "16KiB", "steps": 2,
                     "compute": "50us"}}]"#,
        fabric(1, 1, 1, n)
    )))
    .expect("valid");
    run_checked(&mut sim, Time::from_us(7));
    let jobs: Vec<_> = sim.job_steps().map(|(_, steps)| steps.to_vec()).collect();
    let steps = &jobs[0];
    assert_eq!(steps.len(), 2);
    assert_eq!((steps[0].began_ps, steps[0].posted_ps), (0, 50_000_000));
    // A chunk of 16 KiB / 4 is one packet of 4,262 B: 340.96 ns on each of two links of 500 ns, and 200 ns in the switch.
    let round = 2 * 340_960 + 2 * 500_000 + 200_000;
    // The next round's packet leaves when the last one is there and its SACK and ACK (178 and 146 B) are on the line.
    let answers = (178 + 146) * 80;
    // The very last is acknowledged: on both links the ACK waits for the longer SACK.
    let last = 2 * 178 * 80 + 146 * 80 + 2 * 500_000 + 200_000;
    let rounds = u64::from(2 * (n - 1));
    let expected = rounds * round + (rounds - 1) * answers + last;
    for step in steps {
        let took = step.ended_ps - step.posted_ps;
        assert_eq!(took, expected);
    }
    // The barrier costs one base RTT, then the second step computes.
    assert_eq!(steps[1].began_ps, steps[0].ended_ps + sim.derived().base_rtt.0);
    assert_eq!(steps[1].posted_ps, steps[1].began_ps + 50_000_000);
    // 2 steps × 6 rounds × 4 members × 4 KiB.
    assert_eq!(sim.placed_bytes(), 2 * 6 * 4 * 4096);
    assert_eq!(sim.finished_flows(), 4);
}

#[test]
fn the_host_takes_its_time_before_and_after() {
    let body = |latency: &str| {
        format!(
            r#""until": "10ms", {}, "transport": {{"evs": 1, "host_latency": "{latency}", "reverse_evs": false}},
            "traffic": [{{"kind": "job", "collective": "reduce_scatter", "ranks": 3, "bytes": "12KiB"}}]"#,
            fabric(1, 1, 1, 3)
        )
    };
    let step = |latency: &str| {
        let mut sim = Sim::new(&scenario(&body(latency))).expect("valid");
        run_checked(&mut sim, Time::from_us(3));
        let (_, steps) = sim.job_steps().next().expect("a job");
        steps[0].ended_ps - steps[0].posted_ps
    };
    // Two rounds: posting, seeing the chunk and posting the next, seeing the end. Meanwhile SACK and ACK (178 and 146 B) of
    // the first chunk have left, which the second waits for otherwise.
    assert_eq!(step("2us"), step("0") + 4 * 2_000_000 - (178 + 146) * 80);
}

/// A chunk of a ring has come when all QPs have delivered their shares: four of 4 KiB each leave one after the other, so a round
/// takes five times a packet on a link and not two, whatever the number of QPs.
#[test]
fn a_ring_waits_for_all_qps_of_the_hop_before() {
    let n = 4u32;
    let step = |qps: u32| {
        let mut sim = Sim::new(&scenario(&format!(
            r#""until": "10ms", {}, "transport": {{"evs": 1, "qps": {qps}, "host_latency": "2us", "reverse_evs": false}},
            "traffic": [{{"kind": "job", "collective": "ring_all_reduce", "ranks": {n}, "bytes": "64KiB"}}]"#,
            fabric(1, 1, 1, n)
        )))
        .expect("valid");
        run_checked(&mut sim, Time::from_us(7));
        let (_, steps) = sim.job_steps().next().expect("a job");
        (steps[0].ended_ps - steps[0].posted_ps, sim.derived().base_rtt.0)
    };
    // 4,262 B take 340.96 ns; two links of 500 ns, 200 ns in the switch; 2 µs to post and 2 µs to see it.
    let round = 5 * 340_960 + 2 * 500_000 + 200_000 + 2 * 2_000_000;
    let rounds = u64::from(2 * (n - 1));
    for qps in [1, 4] {
        let (took, rtt) = step(qps);
        assert!(
            (rounds * round..rounds * round + rtt).contains(&took),
            "{qps} QPs: {took} ps, expected {} and the last answer",
            rounds * round
        );
    }
}

/// The slowest transfer decides, and the work of all collectives is what the convention says.
#[test]
fn each_collective_moves_what_it_should() {
    for (collective, ranks, flows, bytes) in [
        // 2(n − 1) chunks of S / n from each.
        ("ring_all_reduce", 6u64, 6u64, 6 * 10 * 8_000),
        ("reduce_scatter", 6, 6, 6 * 5 * 8_000),
        ("all_gather", 6, 6, 6 * 5 * 8_000),
        ("all_to_all", 6, 30, 30 * 8_000),
        ("send_receive", 6, 3, 3 * 48_000),
        ("permutation", 6, 6, 6 * 48_000),
        ("incast", 6, 5, 5 * 48_000),
    ] {
        let mut sim = Sim::new(&scenario(&format!(
            r#""until": "10ms", {}, "transport": {{"evs": 16}},
            "traffic": [{{"kind": "job", "collective": "{collective}", "ranks": {ranks}, "bytes": 48000, "steps": 3,
                         "compute": "5us"}}]"#,
            fabric(4, 3, 4, 2)
        )))
        .expect("valid");
        run_checked(&mut sim, Time::from_us(11));
        let summary = sim.summary();
        assert_eq!((summary.flows, summary.finished), (flows, flows), "{collective}");
        assert_eq!(summary.placed_bytes, 3 * bytes, "{collective}");
        let results = sim.job_results();
        assert_eq!((results[0].step_us.len(), results[0].failed_us), (3, None));
        assert!(
            sim.is_finished() && sim.now() < Time::from_ms(10),
            "ends with the last step"
        );
        let last = sim.job_steps().next().expect("a job").1[2].ended_ps;
        assert_eq!(sim.now().0, last, "{collective}");
    }
}

/// Facts 7.3: bus bandwidth of a large all-reduce approaches payload efficiency × line rate.
#[test]
fn a_large_ring_fills_the_line() {
    let mut sim = Sim::new(&scenario(&format!(
        r#""until": "100ms", {}, "transport": {{"evs": 64}},
        "traffic": [{{"kind": "job", "collective": "ring_all_reduce", "ranks": 8, "bytes": "64MB", "stride": 2}}]"#,
        fabric(4, 4, 8, 4)
    )))
    .expect("valid");
    sim.run_until(Time::MAX);
    let job = &sim.job_results()[0];
    let bus = job.bus_gbps(job.step_us[0]);
    let line = 400.0 * 4096.0 / (4096.0 + HEADER);
    assert!((0.93..=1.0).contains(&(bus / line)), "{bus} of {line} Gb/s");
}

/// A job whose QP fails is given up, by all.
#[test]
fn a_failed_qp_takes_its_job_with_it() {
    let body = format!(
        r#""until": "50ms", {}, "transport": {{"evs": 16, "rto": "50us", "linear_retries": 2, "exponential_retries": 2}},
        "traffic": [{{"kind": "job", "collective": "ring_all_reduce", "ranks": 4, "bytes": "1MB", "steps": 100}},
                    {{"kind": "flow", "src": 4, "dst": 5, "bytes": "2MB"}}],
        "faults": [{{"at": "100us", "kind": "nic_flap", "nic": 1, "duration": "40ms"}}]"#,
        fabric(4, 2, 4, 4)
    );
    let mut digests = Vec::new();
    for threads in [1, 2] {
        let mut sim = Sim::in_parts(&scenario(&body), sim::observer::Nobody, threads).expect("valid");
        run_checked(&mut sim, Time::from_us(50 * u64::from(threads)));
        let job = &sim.job_results()[0];
        let failed = job.failed_us.expect("NIC 1 is gone");
        // 50 µs × (1 + 2 + 2 + 4) of timeouts at the least, after 100 µs.
        assert!((400.0..3_000.0).contains(&failed), "{failed} µs");
        assert_eq!((sim.failed_flows(), sim.finished_flows()), (4, 1));
        assert!(job.step_us.len() < 100);
        let errors: Vec<_> = sim.flow_results().iter().map(|flow| flow.error).collect();
        assert!(errors.contains(&Some("retries exceeded")) && errors.contains(&Some("its job was given up")));
        assert_eq!(errors[4], None);
        assert!(
            sim.now() < Time::from_ms(10),
            "nothing is left to wait for: {}",
            sim.now()
        );
        check_books(&mut sim);
        digests.push((sim.digest(), sim.now()));
    }
    assert_eq!(digests[0], digests[1]);
}
