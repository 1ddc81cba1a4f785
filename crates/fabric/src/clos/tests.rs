use super::*;
use crate::path::Way;
use std::collections::BTreeSet;

const TWO: Clos = Clos::two_tiers(3, 4, 5, 6);

// Three pods of two T0s and two T1s; each T1 is linked to three T2s.
const THREE: Clos = Clos {
    planes: 2,
    t0s: 6,
    t1s: 6,
    nics_per_t0: 2,
    pods: 3,
    t2s: 6,
};

#[test]
fn numbers_are_dense_and_invertible() {
    for clos in [TWO, THREE] {
        let mut counts = [0; LinkKind::COUNT];
        for link in 0..clos.links() {
            let end = clos.describe(link);
            let number = match end.kind {
                LinkKind::NicUp => clos.nic_up(end.plane, end.lower),
                LinkKind::NicDown => clos.nic_down(end.plane, end.lower),
                LinkKind::Up => clos.up(end.plane, end.lower, end.upper),
                LinkKind::Down => clos.down(end.plane, end.upper, end.lower),
                LinkKind::CoreUp => clos.core_up(end.plane, end.lower, end.upper),
                LinkKind::CoreDown => clos.core_down(end.plane, end.upper, end.lower),
            };
            assert_eq!(number, link);
            assert_eq!(clos.reverse(clos.reverse(link)), link);
            let back = clos.describe(clos.reverse(link));
            assert_eq!(
                (back.plane, back.lower, back.upper),
                (end.plane, end.lower, end.upper)
            );
            assert_ne!(back.kind.is_upward(), end.kind.is_upward());
            counts[end.kind as usize] += 1;
        }
        for kind in LinkKind::ALL {
            let links: Vec<u32> = clos.links_of_kind(kind).collect();
            assert_eq!(links.len(), counts[kind as usize]);
            assert!(links.is_sorted() && links.iter().all(|&link| clos.describe(link).kind == kind));
        }
    }
}

#[test]
fn the_papers_dimensions() {
    // MRC paper, comparison of an 800G fabric with three tiers and one with eight planes (facts 5).
    let planes = Clos::two_tiers(8, 512, 256, 256);
    assert_eq!(planes.nics(), 131_072);
    assert_eq!(planes.links() / 2, 8 * (131_072 + 512 * 256));
    let pods = Clos {
        planes: 1,
        t0s: 64 * 32,
        t1s: 64 * 32,
        nics_per_t0: 32,
        pods: 64,
        t2s: 1_024,
    };
    assert_eq!((pods.nics(), pods.tiers()), (65_536, 3));
    // Each tier has as many links as there are NICs: no oversubscription.
    assert_eq!(pods.links() / 2, 3 * 65_536);
    assert_eq!(
        (pods.t0s_per_pod(), pods.t1s_per_pod(), pods.t2s_per_t1()),
        (32, 32, 32)
    );
}

#[test]
fn three_tiers_are_wired_as_described() {
    // The second T1 of the last pod, T1 5, has the T2s 3, 4, 5; the first one of the middle pod, T1 2, has 0, 1, 2.
    assert_eq!((THREE.t2s_above(5), THREE.t2s_above(2)), (3..6, 0..3));
    assert_eq!((THREE.t0s_below(5), THREE.t0s_below(2)), (4..6, 2..4));
    assert_eq!((THREE.t1s_above(5), THREE.t1s_above(2)), (4..6, 2..4));
    assert!(THREE.t1s_below(2).eq([0, 2, 4]) && THREE.t1s_below(3).eq([1, 3, 5]));
    for upper in 0..7 {
        for lower in 0..7 {
            let there = upper < 6 && lower < 6;
            assert_eq!(
                THREE.has_trunk(lower, upper),
                there && THREE.t1s_above(lower).contains(&upper)
            );
            assert_eq!(
                THREE.has_core_trunk(lower, upper),
                there && THREE.t2s_above(lower).contains(&upper)
            );
        }
    }
}

/// All uSIDs that the plan has for a fabric, and some that it does not have.
fn usids(clos: &Clos) -> Vec<u16> {
    let tiers = [usid::T0, usid::T1, usid::T2, usid::NIC];
    let fields = (0..=clos.planes).flat_map(|plane| tiers.map(|tier| (plane, tier)));
    fields
        .flat_map(|(plane, tier)| (0..8).map(move |index| usid::usid(plane, tier, index)))
        .chain([0])
        .collect()
}

#[test]
fn the_tables_have_each_link_once() {
    for clos in [TWO, THREE] {
        let (mut seen, usids) = (BTreeSet::new(), usids(&clos));
        for &own in &usids {
            let Some(mut links) = clos.links_from(own) else {
                continue;
            };
            let mut routes: Vec<u32> = usids.iter().filter_map(|&next| clos.route(own, next)).collect();
            routes.sort_unstable();
            links.sort_unstable();
            assert_eq!(routes, links, "{own:#06x}");
            seen.extend(links);
        }
        let from_nics = clos.planes * clos.nics();
        assert_eq!(seen.len() as u32, clos.links() - from_nics);
    }
}

#[test]
fn every_path_reaches_its_destination() {
    for clos in [TWO, THREE] {
        for (src, dst) in (0..clos.nics()).flat_map(|src| (0..clos.nics()).map(move |dst| (src, dst))) {
            let way = Way::between(&clos, src, dst);
            let mut seen = BTreeSet::new();
            for plane in 0..clos.planes {
                for path in 0..clos.paths(src, dst) {
                    let links = clos.links_along(src, way.usids(plane, path));
                    let ends: Vec<LinkEnd> = links.iter().map(|&link| clos.describe(link)).collect();
                    assert!(ends.iter().all(|end| end.plane == plane));
                    let hops = match clos.top(src, dst) {
                        Top::T0 => 2,
                        Top::T1 => 4,
                        Top::T2 => 6,
                    };
                    assert_eq!(links.len(), hops);
                    let ups = ends.iter().take_while(|end| end.kind.is_upward()).count();
                    assert_eq!(ups, hops / 2);
                    assert_eq!(ends[hops - 1].kind, LinkKind::NicDown);
                    assert_eq!(ends[hops - 1].lower, dst);
                    // The switch where it turns round.
                    let turn = clos.turn(src, dst, plane, path);
                    assert_eq!(usid::index(turn), ends[ups - 1].upper);
                    let down = clos.links_from(turn).expect("a switch");
                    assert!(down.contains(&links[ups]));
                    seen.insert(links);
                }
            }
            assert_eq!(
                seen.len() as u32,
                clos.planes * clos.paths(src, dst),
                "no path twice"
            );
        }
    }
}

#[test]
fn pods_decide_how_many_paths_there_are() {
    // In THREE a pod has four NICs.
    assert_eq!(
        [THREE.paths(0, 1), THREE.paths(0, 2), THREE.paths(0, 4)],
        [1, 2, 6]
    );
    assert_eq!([TWO.paths(0, 5), TWO.paths(0, 23)], [1, 5]);
}

#[test]
fn no_route_to_strangers() {
    let t0 = usid::usid(0, usid::T0, 1);
    assert_eq!(TWO.route(t0, usid::usid(1, usid::T1, 0)), None, "another plane");
    assert_eq!(TWO.route(t0, usid::usid(0, usid::T1, 5)), None, "no such T1");
    assert_eq!(
        TWO.route(t0, usid::usid(0, usid::T0, 2)),
        None,
        "T0s are not neighbours"
    );
    assert_eq!(TWO.route(t0, 0), None, "end of the container");
    let t1 = usid::usid(0, usid::T1, 1);
    assert_eq!(TWO.route(t1, usid::usid(0, usid::T2, 0)), None, "no T2s");
    assert_eq!(
        THREE.route(t0, usid::usid(0, usid::T1, 2)),
        None,
        "a T1 of another pod"
    );
    assert_eq!(
        THREE.route(t1, usid::usid(0, usid::T2, 0)),
        None,
        "a T2 of the other T1s"
    );
    assert_eq!(
        THREE.links_from(usid::usid(0, usid::T2, 6)),
        None,
        "there are six T2s"
    );
}
