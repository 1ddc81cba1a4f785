//! What valid messages and jobs are.

mod common;

use common::judge::{ok, one, problems};
use scenario::{Bytes, Collective, Scenario, Time, Traffic};

/// Every kind of element that has messages.
fn with_messages(bytes: u64, messages: u64) -> Vec<Traffic> {
    let (bytes, imm, start) = (Bytes(bytes), false, Time(0));
    vec![
        Traffic::Flow {
            src: 0,
            dst: 1,
            bytes,
            messages,
            imm,
            start,
            id: None,
        },
        Traffic::Permutation {
            shift: 1,
            bytes,
            messages,
            imm,
            start,
        },
        Traffic::Incast {
            dst: 0,
            senders: 2,
            bytes,
            messages,
            imm,
            start,
        },
        Traffic::AllToAll {
            nics: 3,
            bytes,
            messages,
            imm,
            start,
        },
    ]
}

#[test]
fn messages_are_bounded_in_number_and_bytes() {
    for element in with_messages(1 << 16, 1 << 24) {
        ok(|s| s.traffic = vec![element]);
    }
    for (bytes, messages, reason) in [
        (1, 0, "makes 0 messages of one flow; expected 1 to 16777216"),
        (
            1,
            (1 << 24) + 1,
            "makes 16777217 messages of one flow; expected 1 to 16777216",
        ),
        // 2^40 + 2^16 bytes.
        (
            1 << 16,
            (1 << 24) + 1,
            "makes 16777217 messages of one flow; expected 1 to 16777216",
        ),
        (
            1 << 39,
            3,
            "makes one flow send 3 × 512 GiB; expected at most 1 TiB in all",
        ),
        (
            1 << 40,
            1 << 24,
            "makes one flow send 16777216 × 1 TiB; expected at most 1 TiB in all",
        ),
    ] {
        for element in with_messages(bytes, messages) {
            one(&format!("traffic[0].messages: {reason}"), |s| {
                s.traffic = vec![element]
            });
        }
    }
}

struct Job {
    collective: Collective,
    ranks: u32,
    first_rank: u32,
    stride: u32,
    bytes: u64,
    steps: u32,
    compute: Time,
    start: Time,
}

fn job(change: impl FnOnce(&mut Job)) -> impl FnOnce(&mut Scenario) {
    let mut job = Job {
        collective: Collective::RingAllReduce,
        ranks: 4,
        first_rank: 0,
        stride: 1,
        bytes: 1,
        steps: 1,
        compute: Time(0),
        start: Time(0),
    };
    change(&mut job);
    move |s| {
        s.traffic = vec![Traffic::Job {
            collective: job.collective,
            ranks: job.ranks,
            first_rank: job.first_rank,
            stride: job.stride,
            bytes: Bytes(job.bytes),
            steps: job.steps,
            compute: job.compute,
            start: job.start,
        }]
    }
}

/// `small()` has 16 NICs, so ranks 0 to 15.
#[test]
fn members_of_a_job_exist() {
    ok(job(|j| (j.ranks, j.first_rank, j.stride) = (16, 0, 1)));
    ok(job(|j| (j.ranks, j.first_rank, j.stride) = (4, 3, 4)));
    one(
        "traffic[0].first_rank: makes the last member rank 16; expected at most 15 (first_rank + (ranks − 1) · stride)",
        job(|j| (j.ranks, j.first_rank, j.stride) = (4, 4, 4)),
    );
    one(
        "traffic[0].ranks: is 17; expected 2 to 16 (ranks that take part)",
        job(|j| j.ranks = 17),
    );
    one(
        "traffic[0].ranks: is 1; expected 2 to 16 (ranks that take part)",
        job(|j| j.ranks = 1),
    );
    one(
        "traffic[0].stride: is 0; expected 1 to 4294967295",
        job(|j| j.stride = 0),
    );
    let most = u64::from(u32::MAX);
    one(
        &format!(
            "traffic[0].first_rank: makes the last member rank {}; expected at most 15 (first_rank + (ranks − 1) · stride)",
            most + 3 * most
        ),
        job(|j| (j.first_rank, j.stride) = (u32::MAX, u32::MAX)),
    );
}

#[test]
fn pairs_need_an_even_number() {
    let pairs = |ranks| job(move |j| (j.collective, j.ranks) = (Collective::SendReceive, ranks));
    ok(pairs(6));
    one(
        "traffic[0].ranks: is 5; expected an even number (send_receive pairs them)",
        pairs(5),
    );
    ok(job(|j| (j.collective, j.ranks) = (Collective::Permutation, 5)));
}

#[test]
fn sizes_steps_and_times_of_a_job() {
    one(
        "traffic[0].bytes: is 0 B; expected 1 B to 1 TiB (the size of one message)",
        job(|j| j.bytes = 0),
    );
    one(
        "traffic[0].steps: is 0; expected 1 to 1000000",
        job(|j| j.steps = 0),
    );
    one(
        "traffic[0].steps: is 1000001; expected 1 to 1000000",
        job(|j| (j.collective, j.steps) = (Collective::Incast, 1_000_001)),
    );
    // 2 · 15 messages a step: 559,240 steps are 16,777,200 messages, one more step is above 2^24.
    ok(job(|j| (j.ranks, j.steps) = (16, 559_240)));
    one(
        "traffic[0].steps: makes 16777230 messages of one flow; expected 1 to 16777216",
        job(|j| (j.ranks, j.steps) = (16, 559_241)),
    );
    // 6 messages a step of 2^40 / 4 bytes.
    one(
        "traffic[0].steps: makes one flow send 6 × 256 GiB; expected at most 1 TiB in all",
        job(|j| j.bytes = 1 << 40),
    );
    ok(job(|j| {
        (j.collective, j.bytes) = (Collective::AllGather, 1 << 40)
    }));
    one(
        "traffic[0].compute: is 101 s; expected 0 ps to 100 s",
        job(|j| j.compute = Time::s(101)),
    );
    one(
        "traffic[0].start: is 101 s; expected 0 ps to 100 s",
        job(|j| j.start = Time::s(101)),
    );
}

#[test]
fn flows_of_jobs_count() {
    let all = |ranks| {
        move |s: &mut Scenario| {
            (s.fabric.t0_per_plane, s.fabric.nics_per_t0) = (512, 512);
            job(|j| (j.collective, j.ranks) = (Collective::AllToAll, ranks))(s);
        }
    };
    ok(all(1000)); // 999,000 flows
    one(
        "traffic: makes 1001000 flows in all; expected 1 to 1000000",
        all(1001),
    );
    assert!(
        problems(job(|j| (j.collective, j.ranks) = (Collective::Incast, 1)))
            .iter()
            .any(|p| p.starts_with("traffic: makes 0 flows")),
        "an incast of one"
    );
}
