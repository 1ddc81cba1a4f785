use super::*;

// Two pods of three T0s and two T1s; each T1 is linked to two T2s.
const CLOS: Clos = Clos {
    planes: 8,
    t0s: 6,
    t1s: 4,
    nics_per_t0: 5,
    pods: 2,
    t2s: 4,
};

// The largest indices that there are.
const LARGEST: Clos = Clos {
    planes: 8,
    t0s: 2_048,
    t1s: 178,
    nics_per_t0: 2_048,
    pods: 2,
    t2s: 2_047,
};

#[test]
fn a_plain_container_is_as_on_the_wire() {
    // From NIC 3 (T0 0) to NIC 14 (T0 2, downlink 4) by the second T1 of the pod, in plane 6. Plane 6 is 0xc000; tiers are T0
    // 0x0800, T1 0x1000, downlink 0x1800.
    let container = Way::between(&CLOS, 3, 14).usids(6, 1);
    assert_eq!(container, 0xc800_d001_c802_d804);
    assert_eq!(expand(&CLOS, container), [0xc800, 0xd001, 0xc802, 0xd804, 0, 0]);
    // Between NICs of one T0 it is shorter, whatever path is asked for.
    let container = Way::between(&CLOS, 3, 4).usids(1, 2);
    assert_eq!(container, 0x2800_3804_0000_0000);
}

#[test]
fn a_folded_container_stands_for_six() {
    // From NIC 7 (T0 1, pod 0) to NIC 28 (T0 5, pod 1, downlink 3) by T2 3, which is linked to the second T1 of each pod: T1 1
    // and T1 3. In plane 5, 0xa000; a T2's tier is 0 and its index counted from 1.
    let container = Way::between(&CLOS, 7, 28).usids(5, 3);
    assert_eq!(
        expand(&CLOS, container),
        [0xa801, 0xb001, 0xa004, 0xb003, 0xa805, 0xb803]
    );
}

/// Shift and forward takes the first uSID off, to the end.
fn comes_to_its_end(clos: &Clos, container: u64) {
    let (all, mut rest) = (expand(clos, container), container);
    for i in 0..LONGEST {
        let mut left = [0; LONGEST];
        left[..LONGEST - i].copy_from_slice(&all[i..]);
        assert_eq!(expand(clos, rest), left);
        rest = advance(rest);
    }
    assert_eq!(rest, 0);
}

#[test]
fn each_hop_consumes_one() {
    for clos in [CLOS, LARGEST] {
        let last = clos.nics() - 1;
        for (src, dst) in [
            (0, last),
            (last, 0),
            (last, last - 1),
            (last / 3, last - 2_000 % last),
        ] {
            let paths = clos.paths(src, dst);
            for (plane, path) in [(0, 0), (7, 0), (0, paths - 1), (7, paths - 1)] {
                comes_to_its_end(&clos, Way::between(&clos, src, dst).usids(plane, path));
            }
        }
    }
}

#[test]
fn the_largest_indices_fit() {
    let last = LARGEST.nics() - 1;
    let container = Way::between(&LARGEST, 0, last).usids(7, 2_046);
    // 89 T1s a pod, 23 T2s each: T2 2046 is the last one of the last T1 of each pod, T1 88 and T1 177.
    let expected = [
        usid::usid(7, usid::T0, 0),
        usid::usid(7, usid::T1, 88),
        usid::usid(7, usid::T2, 2_046),
        usid::usid(7, usid::T1, 177),
        usid::usid(7, usid::T0, 2_047),
        usid::usid(7, usid::NIC, 2_047),
    ];
    assert_eq!(expand(&LARGEST, container), expected);
}

#[test]
fn plain_and_folded_are_told_apart() {
    for plane in 0..8 {
        for tier in [usid::T0, usid::T1, usid::NIC] {
            for index in [0, 1, 2_047] {
                let container = pack([usid::usid(plane, tier, index), 0, 0, 0]);
                assert_eq!(Folded::of(container), None);
            }
        }
        let folded = Way::between(&CLOS, 0, 29).usids(plane, 0);
        assert!(Folded::of(folded).is_some());
    }
    assert_eq!(Folded::of(0), None);
}

#[test]
fn round_trips_come_back_to_the_nic() {
    let links = |top: Top, path: u32| {
        let container = Way::round_trip(&CLOS, 17, top).usids(2, path);
        comes_to_its_end(&CLOS, container);
        CLOS.links_along(17, container)
    };
    // NIC 17 is at T0 3, the first one of pod 1, whose T1s are 2 and 3.
    let (up, down) = (CLOS.nic_up(2, 17), CLOS.nic_down(2, 17));
    assert_eq!(links(Top::T0, 0), [up, down]);
    let via_t1 = [up, CLOS.up(2, 3, 3), CLOS.down(2, 3, 3), down];
    assert_eq!(links(Top::T1, 1), via_t1);
    let via_t2 = [
        up,
        CLOS.up(2, 3, 2),
        CLOS.core_up(2, 2, 1),
        CLOS.core_down(2, 1, 2),
        CLOS.down(2, 2, 3),
        down,
    ];
    assert_eq!(links(Top::T2, 1), via_t2);
}
