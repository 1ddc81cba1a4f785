//! What follows from a fabric's counts: tiers, links and ranks.

mod common;

use common::{arbitrary, small, three_tiers};
use proptest::prelude::*;
use scenario::{Fabric, Rate, Tier};

/// MRC paper §2.2, Fig 2a: 64 pods of 32 T0s and 32 T1s with 32 NICs a T0, and 1024 T2s.
fn paper() -> Fabric {
    Fabric {
        planes: 1,
        pods: 64,
        t0_per_plane: 2048,
        t1_per_plane: 2048,
        t2_per_plane: 1024,
        nics_per_t0: 32,
        nic_link_rate: Rate::gbps(800),
        ..three_tiers().fabric
    }
}

#[test]
fn two_tiers_are_one_pod() {
    let f = small().fabric;
    assert_eq!(
        (f.tiers(), f.t0_per_pod(), f.t1_per_pod(), f.t2_per_t1()),
        (2, 4, 2, 0)
    );
    let links = [Tier::Nic, Tier::T0T1, Tier::T1T2].map(|tier| f.links_per_plane(tier));
    assert_eq!(links, [16, 8, 0], "16 NICs, 4 T0s × 2 T1s");
}

#[test]
fn the_paper_s_three_tiers_have_full_bisection() {
    let mut s = small();
    s.fabric = paper();
    assert_eq!(s.validate(), Ok(()));
    let f = &s.fabric;
    assert_eq!((f.tiers(), f.nics()), (3, 65_536));
    // A T1 has 32 links down to the T0s of its pod and 32 up.
    assert_eq!((f.t0_per_pod(), f.t1_per_pod(), f.t2_per_t1()), (32, 32, 32));
    let links = [Tier::Nic, Tier::T0T1, Tier::T1T2].map(|tier| f.links_per_plane(tier));
    assert_eq!(links, [65_536; 3]);
}

#[test]
fn rates_are_passed_upwards() {
    let mut f = three_tiers().fabric;
    assert_eq!((f.t1_rate(), f.t2_rate()), (Rate::gbps(100), Rate::gbps(100)));
    f.t1_link_rate = Some(Rate::gbps(200));
    assert_eq!(f.t2_rate(), Rate::gbps(200));
    f.t2_link_rate = Some(Rate::gbps(400));
    assert_eq!((f.t1_rate(), f.t2_rate()), (Rate::gbps(200), Rate::gbps(400)));
}

/// 2 rails, 4 NICs a T0: nodes 0 to 3 share T0s 0 and 1, nodes 4 to 7 share T0s 2 and 3. Node n's first NIC has place
/// n mod 4 on the first T0 of the two, its second one the same place on the second.
#[test]
fn ranks_go_through_the_nics_of_a_node_first() {
    let mut f = small().fabric;
    f.rails = 2;
    let nics: Vec<u32> = (0..16).map(|rank| f.nic_of_rank(rank)).collect();
    assert_eq!(nics, [0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15]);
    for (rank, &nic) in (0..).zip(&nics) {
        assert_eq!(f.rank_of_nic(nic), rank);
    }
}

#[test]
fn with_one_rail_the_rank_is_the_nic() {
    let f = paper();
    for rank in [0, 1, 31, 32, 65_535] {
        assert_eq!((f.nic_of_rank(rank), f.rank_of_nic(rank)), (rank, rank));
    }
}

/// No value makes it divide by zero or overflow.
#[test]
fn senseless_fabrics_do_no_harm() {
    for value in [0, 1, 3, u32::MAX] {
        let f = Fabric {
            planes: value,
            pods: value,
            t0_per_plane: value,
            t1_per_plane: u32::MAX,
            t2_per_plane: value,
            nics_per_t0: value,
            rails: value,
            ..small().fabric
        };
        for rank in [0, 1, u32::MAX] {
            f.nic_of_rank(rank);
            f.rank_of_nic(rank);
        }
        let tiers = [Tier::Nic, Tier::T0T1, Tier::T1T2];
        for tier in tiers {
            f.links_per_plane(tier);
        }
        assert!(f.t0_per_pod() <= value && f.t2_per_t1() <= value);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn every_nic_has_one_rank_and_every_node_one_nic_a_rail(s in arbitrary::scenario()) {
        let f = &s.fabric;
        let nics = f.nics() as u32;
        let mut seen = vec![false; nics as usize];
        for rank in 0..nics {
            let nic = f.nic_of_rank(rank);
            prop_assert!(!std::mem::replace(&mut seen[nic as usize], true), "NIC {} twice", nic);
            prop_assert_eq!(f.rank_of_nic(nic), rank);
            prop_assert_eq!(nic / f.nics_per_t0 % f.rails, rank % f.rails, "the T0's rail");
        }
    }
}
