//! Jobs become flows: who sends what to whom, and what it waits for. S is the size, n the number of members.

mod common;

use common::{arbitrary, small};
use proptest::prelude::*;
use scenario::{Bytes, Collective, Flow, Job, Scenario, Time, Traffic, Work};

fn job(collective: Collective, ranks: u32, bytes: u64) -> Traffic {
    Traffic::Job {
        collective,
        ranks,
        first_rank: 0,
        stride: 1,
        bytes: Bytes(bytes),
        steps: 1,
        compute: Time(0),
        start: Time(0),
    }
}

fn with(traffic: Vec<Traffic>) -> Scenario {
    let s = Scenario { traffic, ..small() };
    assert_eq!(s.validate(), Ok(()));
    s
}

fn pairs(flows: &[Flow]) -> Vec<(u32, u32)> {
    flows.iter().map(|f| (f.src, f.dst)).collect()
}

/// (bytes of a message, messages in all, messages a step) of each flow, which are all the same.
fn messages(flows: &[Flow]) -> (u64, u64, u32) {
    let of = |f: &Flow| (f.bytes, f.messages, f.work.expect("a job's").per_step);
    assert!(flows.iter().all(|f| of(f) == of(&flows[0])));
    of(&flows[0])
}

/// A ring all-reduce sends n − 1 chunks around to reduce and n − 1 to gather, each of ⌈10/4⌉ = 3 bytes.
#[test]
fn a_ring_all_reduce_goes_round_twice() {
    let flows = with(vec![job(Collective::RingAllReduce, 4, 10)]).flows();
    assert_eq!(pairs(&flows), [(0, 1), (1, 2), (2, 3), (3, 0)]);
    assert_eq!(messages(&flows), (3, 6, 6));
    let after: Vec<_> = flows.iter().map(|f| f.work.unwrap().after).collect();
    assert_eq!(
        after,
        [Some(3), Some(0), Some(1), Some(2)],
        "the flow that ends where this one begins"
    );
}

#[test]
fn its_halves_go_round_once() {
    for half in [Collective::ReduceScatter, Collective::AllGather] {
        let flows = with(vec![job(half, 4, 12)]).flows();
        assert_eq!(pairs(&flows), [(0, 1), (1, 2), (2, 3), (3, 0)]);
        assert_eq!(messages(&flows), (3, 3, 3));
    }
}

#[test]
fn two_members_are_a_ring_too() {
    let flows = with(vec![job(Collective::RingAllReduce, 2, 8)]).flows();
    assert_eq!(pairs(&flows), [(0, 1), (1, 0)]);
    assert_eq!(messages(&flows), (4, 2, 2));
    assert_eq!(flows[0].work.unwrap().after, Some(1));
}

#[test]
fn an_all_to_all_sends_each_other_member_its_share() {
    let flows = with(vec![job(Collective::AllToAll, 3, 10)]).flows();
    assert_eq!(pairs(&flows), [(0, 1), (1, 2), (2, 0), (0, 2), (1, 0), (2, 1)]);
    assert_eq!(messages(&flows), (4, 1, 1), "⌈10/3⌉");
    assert!(flows.iter().all(|f| f.work.unwrap().after.is_none()));
}

#[test]
fn the_others_send_the_whole_size() {
    for (collective, ranks, expected) in [
        (Collective::SendReceive, 4, vec![(0, 1), (2, 3)]),
        (Collective::Permutation, 4, vec![(0, 2), (1, 3), (2, 0), (3, 1)]),
        // ⌊3/2⌋ = 1.
        (Collective::Permutation, 3, vec![(0, 1), (1, 2), (2, 0)]),
        (Collective::Incast, 4, vec![(1, 0), (2, 0), (3, 0)]),
    ] {
        let flows = with(vec![job(collective, ranks, 10)]).flows();
        assert_eq!(pairs(&flows), expected, "{collective:?} of {ranks}");
        assert_eq!(messages(&flows), (10, 1, 1));
        assert!(flows.iter().all(|f| f.work.unwrap().after.is_none() && !f.imm));
    }
}

/// With 2 rails and 4 NICs a T0, rank 2·node + rail has NIC 4·(2·⌊node/4⌋ + rail) + node mod 4.
#[test]
fn members_are_ranks_and_ranks_are_nics() {
    let mut s = small();
    s.fabric.rails = 2;
    s.traffic = vec![Traffic::Job {
        collective: Collective::RingAllReduce,
        ranks: 4,
        first_rank: 1,
        stride: 3,
        bytes: Bytes(8),
        steps: 5,
        compute: Time::us(3),
        start: Time::us(2),
    }];
    assert_eq!(s.validate(), Ok(()));
    // Rank 1: node 0, rail 1. Rank 4: node 2, rail 0. Rank 7: node 3, rail 1. Rank 10: node 5, rail 0.
    let flows = s.flows();
    assert_eq!(pairs(&flows), [(4, 2), (2, 7), (7, 9), (9, 4)]);
    assert_eq!(messages(&flows), (2, 30, 6), "5 steps");
    assert!(flows.iter().all(|f| f.start_ps == 2_000_000));
}

#[test]
fn jobs_and_other_flows_are_counted_together() {
    let single = Traffic::Flow {
        src: 3,
        dst: 4,
        bytes: Bytes(1),
        messages: 7,
        imm: true,
        start: Time(0),
        id: Some(2),
    };
    let s = with(vec![
        job(Collective::Incast, 3, 5),
        single,
        job(Collective::ReduceScatter, 3, 6),
    ]);
    let flows = s.flows();
    let ids: Vec<u64> = flows.iter().map(|f| f.id).collect();
    assert_eq!(ids, [1, 3, 2, 4, 5, 6]);
    assert_eq!((flows[2].messages, flows[2].imm, flows[2].work), (7, true, None));
    let work = |job, per_step, after| Some(Work { job, per_step, after });
    assert_eq!(flows[1].work, work(0, 1, None));
    assert_eq!(
        flows[3].work,
        work(1, 2, Some(5)),
        "indices are those of all flows"
    );
    assert_eq!(flows[4].work, work(1, 2, Some(3)));
    let job = |collective, ranks, bytes, first_flow, flows| Job {
        collective,
        ranks,
        bytes,
        steps: 1,
        compute_ps: 0,
        start_ps: 0,
        first_flow,
        flows,
    };
    assert_eq!(
        s.jobs(),
        [
            job(Collective::Incast, 3, 5, 0, 2),
            job(Collective::ReduceScatter, 3, 6, 3, 3)
        ]
    );
}

#[test]
fn senseless_jobs_do_no_harm() {
    let collectives = [
        Collective::RingAllReduce,
        Collective::ReduceScatter,
        Collective::AllGather,
        Collective::AllToAll,
        Collective::SendReceive,
        Collective::Permutation,
        Collective::Incast,
    ];
    for collective in collectives {
        for ranks in [0, 1, u32::MAX] {
            let mut s = small();
            s.traffic = vec![
                Traffic::Job {
                    collective,
                    ranks,
                    first_rank: u32::MAX,
                    stride: u32::MAX,
                    bytes: Bytes(u64::MAX),
                    steps: u32::MAX,
                    compute: Time(u64::MAX),
                    start: Time(u64::MAX),
                },
                job(collective, 4, 1),
            ];
            assert!(s.validate().is_err());
            let flows = s.flows();
            assert!(flows.len() <= 1_000_000);
            let of_jobs: u64 = s.jobs().iter().map(|job| u64::from(job.flows)).sum();
            assert_eq!(of_jobs, flows.len() as u64);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn jobs_of_a_valid_scenario_are_sound(s in arbitrary::scenario()) {
        let (flows, jobs) = (s.flows(), s.jobs());
        let mut seen = 0;
        for (number, job) in (0..).zip(&jobs) {
            let range = job.first_flow as usize..(job.first_flow + job.flows) as usize;
            for flow in &flows[range.clone()] {
                let work = flow.work.expect("a job's flow");
                prop_assert_eq!(work.job, number);
                prop_assert_eq!(flow.messages, u64::from(work.per_step) * u64::from(job.steps));
                prop_assert_eq!(flow.start_ps, job.start_ps);
                prop_assert!(flow.bytes >= 1 && flow.bytes <= job.bytes);
                if let Some(after) = work.after {
                    prop_assert!(range.contains(&(after as usize)));
                    prop_assert_eq!(flows[after as usize].dst, flow.src);
                }
                prop_assert_eq!(work.after.is_some(), job.collective.is_ring());
            }
            seen += range.len();
        }
        prop_assert_eq!(seen, flows.iter().filter(|f| f.work.is_some()).count());
    }
}
