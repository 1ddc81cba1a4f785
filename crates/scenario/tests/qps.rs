//! Flows spread over several QPs: who carries what, under which id, and what it waits for.

mod common;

use common::small;
use scenario::{Bytes, Collective, Flow, Scenario, Time, Traffic};

fn with(qps: u32, traffic: Vec<Traffic>) -> Scenario {
    let mut s = Scenario { traffic, ..small() };
    s.transport.qps = qps;
    assert_eq!(s.validate(), Ok(()));
    s
}

fn flow(src: u32, bytes: u64, id: Option<u64>) -> Traffic {
    Traffic::Flow {
        src,
        dst: src + 1,
        bytes: Bytes(bytes),
        messages: 3,
        imm: true,
        start: Time(7),
        id,
    }
}

fn job(collective: Collective, ranks: u32, bytes: u64) -> Traffic {
    Traffic::Job {
        collective,
        ranks,
        first_rank: 0,
        stride: 1,
        bytes: Bytes(bytes),
        steps: 2,
        compute: Time(0),
        start: Time(0),
    }
}

fn names(flows: &[Flow]) -> Vec<(u64, u32, u64)> {
    flows.iter().map(|f| (f.id, f.qp, f.bytes)).collect()
}

/// 10 = 3 + 3 + 2 + 2.
#[test]
fn the_first_ones_carry_what_is_left_over() {
    let flows = with(4, vec![flow(0, 10, None)]).flows();
    assert_eq!(names(&flows), [(1, 0, 3), (1, 1, 3), (1, 2, 2), (1, 3, 2)]);
    for f in &flows {
        assert_eq!((f.src, f.dst, f.messages, f.imm, f.start_ps), (0, 1, 3, true, 7));
    }
}

#[test]
fn a_flow_has_no_more_qps_than_a_message_has_bytes() {
    let list = Traffic::Flows {
        list: vec![(4, 5, 2, 0, 9), (5, 6, 1, 0, 8)],
    };
    let flows = with(64, vec![flow(0, 3, None), list]).flows();
    assert_eq!(
        names(&flows),
        [(1, 0, 1), (1, 1, 1), (1, 2, 1), (9, 0, 1), (9, 1, 1), (8, 0, 1)]
    );
}

#[test]
fn all_qps_of_a_flow_have_its_id() {
    let flows = with(2, vec![flow(0, 4, None), flow(2, 4, Some(2)), flow(4, 4, None)]).flows();
    let ids: Vec<u64> = flows.iter().map(|f| f.id).collect();
    assert_eq!(ids, [1, 1, 2, 2, 3, 3]);
}

/// A chunk of ⌈8/3⌉ = 3 bytes on 2 QPs: 2 + 1. Flow i has the QPs 2i and 2i + 1, and waits for flow i − 1.
#[test]
fn each_qp_of_a_ring_waits_for_its_namesake() {
    let s = with(2, vec![flow(0, 1, None), job(Collective::AllGather, 3, 8)]);
    let flows = s.flows();
    let ring = &flows[1..];
    assert_eq!(
        names(ring),
        [(2, 0, 2), (2, 1, 1), (3, 0, 2), (3, 1, 1), (4, 0, 2), (4, 1, 1)]
    );
    let after: Vec<u32> = ring.iter().map(|f| f.work.unwrap().after.unwrap()).collect();
    assert_eq!(after, [5, 6, 1, 2, 3, 4]);
    for f in ring {
        let before = &flows[f.work.unwrap().after.unwrap() as usize];
        assert_eq!((before.dst, before.qp), (f.src, f.qp));
        assert_eq!((f.messages, f.work.unwrap().per_step), (4, 2), "2 steps of n − 1");
    }
    let [job] = s.jobs()[..] else { panic!("one job") };
    assert_eq!((job.first_flow, job.flows), (1, 6));
}

/// 16 · 3 QPs of the permutation, and 4 · 3 flows of the all-to-all with ⌈9/4⌉ = 3 bytes and so 3 QPs each.
#[test]
fn every_kind_of_traffic_is_spread() {
    let s = with(
        3,
        vec![
            Traffic::Permutation {
                shift: 4,
                bytes: Bytes(100),
                messages: 1,
                imm: false,
                start: Time(0),
            },
            job(Collective::AllToAll, 4, 9),
            Traffic::Incast {
                dst: 0,
                senders: 2,
                bytes: Bytes(100),
                messages: 1,
                imm: false,
                start: Time(0),
            },
        ],
    );
    let flows = s.flows();
    assert_eq!(flows.len(), 16 * 3 + 12 * 3 + 2 * 3);
    assert_eq!((s.jobs()[0].first_flow, s.jobs()[0].flows), (48, 36));
    let sent: u64 = flows.iter().map(|f| f.bytes).sum();
    assert_eq!(sent, 1600 + 12 * 3 + 200, "nothing is lost by sharing");
}

#[test]
fn senseless_numbers_do_no_harm() {
    for qps in [0, 65, u32::MAX] {
        let mut s = small();
        s.transport.qps = qps;
        assert!(s.validate().is_err());
        assert!(s.flows().len() >= 16 && s.flows().len() <= 16 * 64);
    }
    let mut s = small();
    s.transport.qps = 64;
    s.traffic = vec![
        flow(0, u64::MAX, None),
        job(Collective::AllToAll, u32::MAX, u64::MAX),
    ];
    let flows = s.flows();
    assert_eq!(flows.len(), 1_000_000);
    let of_jobs: u64 = s.jobs().iter().map(|job| u64::from(job.flows)).sum();
    assert_eq!(of_jobs, 1_000_000 - 64);
}
