//! Traffic patterns become flows.

mod common;

use common::{arbitrary, data, small};
use proptest::prelude::*;
use scenario::{Bytes, Flow, Scenario, Time, Traffic};
use std::collections::BTreeSet;

fn with(traffic: Vec<Traffic>) -> Scenario {
    Scenario { traffic, ..small() }
}

fn pairs(s: &Scenario) -> Vec<(u32, u32)> {
    s.flows().iter().map(|f| (f.src, f.dst)).collect()
}

#[test]
fn a_permutation_goes_by_sender() {
    let s = with(vec![Traffic::Permutation {
        shift: 15,
        bytes: Bytes(5),
        messages: 1,
        imm: false,
        start: Time(9),
    }]);
    let flows = s.flows();
    assert_eq!(flows.len(), 16);
    assert_eq!(
        flows[0],
        Flow {
            id: 1,
            qp: 0,
            src: 0,
            dst: 15,
            bytes: 5,
            messages: 1,
            start_ps: 9,
            imm: false,
            work: None,
        }
    );
    assert_eq!(
        flows[1],
        Flow {
            id: 2,
            qp: 0,
            src: 1,
            dst: 0,
            bytes: 5,
            messages: 1,
            start_ps: 9,
            imm: false,
            work: None,
        }
    );
    assert_eq!(
        flows[15],
        Flow {
            id: 16,
            qp: 0,
            src: 15,
            dst: 14,
            bytes: 5,
            messages: 1,
            start_ps: 9,
            imm: false,
            work: None,
        }
    );
}

/// The connection matrices of the peer simulator: k senders 1 + ⌊i·(N−1)/k⌋ to host 0.
#[test]
fn an_incast_to_nic_0_is_that_of_the_peer_s_matrix() {
    for (file, senders) in [
        ("incast_8to1_n128_2000000.cm", 8),
        ("incast_32to1_n128_1000000.cm", 32),
    ] {
        let matrix = scenario::htsim::parse_matrix(file, &data(file)).unwrap();
        let mut s = with(vec![Traffic::Incast {
            dst: 0,
            senders,
            bytes: Bytes(1),
            messages: 1,
            imm: false,
            start: Time(0),
        }]);
        (s.fabric.t0_per_plane, s.fabric.nics_per_t0) = (8, 16);
        let expected: Vec<_> = matrix.connections.iter().map(|c| (c.src, c.dst)).collect();
        assert_eq!(pairs(&s), expected, "{file}");
    }
}

#[test]
fn an_incast_elsewhere_is_the_same_seen_from_there() {
    let s = with(vec![Traffic::Incast {
        dst: 14,
        senders: 3,
        bytes: Bytes(1),
        messages: 1,
        imm: false,
        start: Time(0),
    }]);
    // 14 + 1 + 0, + 5, + 10, mod 16.
    assert_eq!(pairs(&s), [(15, 14), (4, 14), (9, 14)]);
    let all = with(vec![Traffic::Incast {
        dst: 5,
        senders: 15,
        bytes: Bytes(1),
        messages: 1,
        imm: false,
        start: Time(0),
    }]);
    let senders: BTreeSet<u32> = all.flows().iter().map(|f| f.src).collect();
    assert_eq!(senders.len(), 15);
    assert!(!senders.contains(&5));
}

#[test]
fn an_all_to_all_is_that_of_the_peer_s_matrix() {
    let file = "a2a_64_n128_131072.cm";
    let matrix = scenario::htsim::parse_matrix(file, &data(file)).unwrap();
    let mut s = with(vec![Traffic::AllToAll {
        nics: 64,
        bytes: Bytes(131_072),
        messages: 1,
        imm: false,
        start: Time(0),
    }]);
    (s.fabric.t0_per_plane, s.fabric.nics_per_t0) = (8, 16);
    let expected: Vec<_> = matrix
        .connections
        .iter()
        .map(|c| (c.id.unwrap(), c.src, c.dst, c.bytes))
        .collect();
    let flows: Vec<_> = s.flows().iter().map(|f| (f.id, f.src, f.dst, f.bytes)).collect();
    assert_eq!(flows, expected);
}

#[test]
fn numbers_from_1_leave_out_those_that_are_taken() {
    let flow = |id| Traffic::Flow {
        src: 0,
        dst: 1,
        bytes: Bytes(1),
        messages: 1,
        imm: false,
        start: Time(0),
        id,
    };
    let list = Traffic::Flows {
        list: vec![(0, 1, 1, 0, 3), (1, 0, 1, 0, 4)],
    };
    let s = with(vec![
        flow(None),
        flow(Some(2)),
        flow(None),
        list,
        flow(None),
        flow(Some(1_000_000_007)),
    ]);
    let ids: Vec<u64> = s.flows().iter().map(|f| f.id).collect();
    assert_eq!(ids, [1, 2, 5, 3, 4, 6, 1_000_000_007]);
}

#[test]
fn invalid_scenarios_do_no_harm() {
    let huge = u32::MAX;
    let mut s = with(vec![
        Traffic::AllToAll {
            nics: huge,
            bytes: Bytes(1),
            messages: 1,
            imm: false,
            start: Time(0),
        },
        Traffic::Incast {
            dst: huge,
            senders: huge,
            bytes: Bytes(1),
            messages: 1,
            imm: false,
            start: Time(0),
        },
    ]);
    assert_eq!(s.flows().len(), 1_000_000);
    (s.fabric.t0_per_plane, s.fabric.nics_per_t0) = (huge, huge);
    s.traffic.reverse();
    assert_eq!(s.flows().len(), 1_000_000);
    s.fabric.nics_per_t0 = 0;
    s.traffic = vec![
        Traffic::Permutation {
            shift: 1,
            bytes: Bytes(1),
            messages: 1,
            imm: false,
            start: Time(0),
        },
        Traffic::Incast {
            dst: 3,
            senders: 2,
            bytes: Bytes(1),
            messages: 1,
            imm: false,
            start: Time(0),
        },
        Traffic::Incast {
            dst: 3,
            senders: 0,
            bytes: Bytes(1),
            messages: 1,
            imm: false,
            start: Time(0),
        },
        Traffic::AllToAll {
            nics: 0,
            bytes: Bytes(1),
            messages: 1,
            imm: false,
            start: Time(0),
        },
    ];
    assert_eq!(s.flows().len(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn flows_of_a_valid_scenario_are_sound(s in arbitrary::scenario()) {
        let flows = s.flows();
        let nics = s.fabric.nics();
        let names: BTreeSet<(u64, u32)> = flows.iter().map(|f| (f.id, f.qp)).collect();
        prop_assert_eq!(names.len(), flows.len(), "no QP has the id and number of another");
        prop_assert!(flows.iter().all(|f| f.id > 0 && f.bytes > 0));
        for pair in flows.windows(2).filter(|pair| pair[1].qp > 0) {
            let [before, f] = pair else { unreachable!("windows of two") };
            prop_assert_eq!((f.id, f.src, f.dst, f.qp), (before.id, before.src, before.dst, before.qp + 1));
            prop_assert!(before.bytes - f.bytes <= 1, "shares are even, the first ones larger");
        }
        for f in &flows {
            prop_assert!(f.src != f.dst && u64::from(f.src) < nics && u64::from(f.dst) < nics);
        }
        prop_assert_eq!(&s.flows(), &flows, "the same every time");
    }
}
