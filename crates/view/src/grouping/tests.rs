use super::*;

fn clos(planes: u32, t0s: u32, t1s: u32, nics_per_t0: u32) -> Clos {
    Clos {
        planes,
        t0s,
        t1s,
        nics_per_t0,
        pods: 1,
        t2s: 0,
    }
}

#[test]
fn small_fabrics_are_drawn_as_they_are() {
    let grouping = Grouping::new(clos(8, 8, 8, 16));
    assert!(!grouping.is_grouped());
    for link in 0..grouping.real().links() {
        assert_eq!(grouping.edge(link), link);
        assert_eq!(grouping.links(link), [link]);
    }
}

#[test]
fn each_link_of_a_large_fabric_is_in_exactly_one_bundle() {
    for real in [
        clos(2, 37, 11, 64),
        clos(8, 32, 32, 32),
        clos(1, 3, 2048, 5),
        clos(1, 2, 2, 2048),
    ] {
        for level in [(0, 0, 0), (1, 0, 0), (2, 3, 1), (1, 9, 4), (255, 255, 255)] {
            let (t1, t0, nic) = level;
            let grouping = Grouping::at(real, Level { t1, t0, nic, t2: 0 });
            let mut seen = vec![0u32; real.links() as usize];
            for edge in 0..grouping.shown().links() {
                let links = grouping.links(edge);
                assert!(!links.is_empty(), "{real:?}: edge {edge} stands for nothing");
                assert_eq!(links.len() as u32, grouping.link_count(edge));
                for link in links {
                    assert_eq!(grouping.edge(link), edge);
                    seen[link as usize] += 1;
                }
            }
            assert!(seen.iter().all(|&n| n == 1), "{real:?} {level:?}");
        }
    }
}

/// Fabrics of three tiers: T1s per pod, T2s per T1, T0s per pod, and pods.
fn three_tiers(planes: u32, pods: u32, t0s: u32, t1s: u32, t2s: u32, nics_per_t0: u32) -> Clos {
    Clos {
        planes,
        t0s: pods * t0s,
        t1s: pods * t1s,
        nics_per_t0,
        pods,
        t2s: t1s * t2s,
    }
}

#[test]
fn of_three_tiers_each_link_is_in_exactly_one_bundle_and_no_bundle_is_empty() {
    let small = three_tiers(1, 2, 4, 2, 2, 4);
    assert!(!Grouping::new(small).is_grouped());
    for real in [
        small,
        three_tiers(2, 8, 32, 16, 4, 16),
        // Numbers that nothing divides evenly.
        three_tiers(1, 12, 7, 3, 5, 40),
        three_tiers(1, 13, 9, 11, 3, 20),
        three_tiers(1, 3, 40, 37, 2, 9),
        three_tiers(1, 1, 64, 64, 2, 8),
    ] {
        for (t2, t1, t0, nic) in [
            (0, 0, 0, 0),
            (1, 0, 2, 0),
            (9, 0, 0, 0),
            (0, 1, 9, 1),
            (2, 2, 1, 0),
            (1, 3, 3, 9),
            (255, 255, 255, 255),
        ] {
            let grouping = Grouping::at(real, Level { t1, t0, nic, t2 });
            let mut seen = vec![0u32; real.links() as usize];
            for edge in 0..grouping.shown().links() {
                let links = grouping.links(edge);
                assert!(!links.is_empty(), "{real:?}: edge {edge} stands for nothing");
                assert_eq!(links.len() as u32, grouping.link_count(edge));
                for link in links {
                    assert_eq!(grouping.edge(link), edge);
                    seen[link as usize] += 1;
                }
            }
            assert!(seen.iter().all(|&n| n == 1), "{real:?} {t2} {t1} {t0} {nic}");
        }
        let all = Level::from_bits(u32::MAX);
        assert!(!Grouping::at(real, all).is_grouped(), "all of it can be opened");
    }
}

#[test]
fn the_papers_three_tiers_are_drawn_as_eight_pods_and_open_row_by_row() {
    // 64 pods of 32 T0s with 32 NICs each and 32 T1s; 1,024 T2s.
    let real = three_tiers(1, 64, 32, 32, 32, 32);
    let shown = |level| *Grouping::at(real, level).shown();
    assert_eq!(shown(Level::default()), three_tiers(1, 8, 2, 1, 8, 1));
    let home = Grouping::new(real);
    assert_eq!(home.t1s(1), 256..512, "eight pods of 32");
    assert_eq!(home.t0s(3), 384..512, "the other half of the same pods");
    // A T0 has 32 uplinks; each T2 has a link to each of these eight pods.
    assert_eq!(home.link_count(home.shown().up(0, 3, 1)), 128 * 32);
    assert_eq!(home.link_count(home.shown().core_up(0, 1, 2)), 8 * 128);
    let each_pod = Level {
        t1: 3,
        ..Level::default()
    };
    assert_eq!(shown(each_pod), three_tiers(1, 64, 1, 1, 8, 1));
    let halves = Level {
        t1: 4,
        ..Level::default()
    };
    assert_eq!(shown(halves), three_tiers(1, 64, 1, 2, 4, 1));
    let t2s = Level {
        t2: 7,
        ..Level::default()
    };
    assert_eq!(shown(t2s).t2s, 1024, "T2s may stand alone while T1s do not");
}

#[test]
fn opening_splits_groups_and_mixes_none() {
    let real = clos(2, 37, 300, 64);
    let coarse = Grouping::new(real);
    let open = |t1, t0, nic| Grouping::at(real, Level { t1, t0, nic, t2: 0 });
    let finer = open(1, 1, 0);
    assert_eq!((finer.shown().t0s, finer.shown().t1s), (32, 16));
    for t0 in 1..37 {
        assert!(coarse.t0(t0 - 1) == coarse.t0(t0) || finer.t0(t0 - 1) != finer.t0(t0));
    }
    assert!(coarse.is_grouped() && finer.is_grouped());
    assert_eq!(finer.shown().nics_per_t0, 1, "NICs open after the T0s");
    assert_eq!(open(9, 9, 2).shown().nics_per_t0, 4);
    assert!(!open(9, 9, 9).is_grouped());
    let level = Level {
        t1: 3,
        t0: 2,
        nic: 1,
        t2: 4,
    };
    assert_eq!(Level::from_bits(level.bits()), level);
}

#[test]
fn the_largest_fabric_does_not_overflow() {
    let grouping = Grouping::new(clos(8, 2048, 2048, 2048));
    assert!(grouping.is_grouped());
    assert_eq!(grouping.shown().nics(), 16);
}

#[test]
fn groups_differ_by_one_at_most() {
    let grouping = Grouping::new(clos(8, 37, 300, 64));
    let sizes: Vec<usize> = (0..16).map(|g| grouping.t0s(g).len()).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 37);
    assert!(sizes.iter().all(|&s| s == 2 || s == 3));
}
