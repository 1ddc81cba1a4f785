//! What is broken is what is named.

mod world;

use mapper::{Config, Element, Topology};
use proptest::prelude::*;
use world::{World, config, elements, topologies};

const INTERVAL: u64 = 1_000_000_000;
const CONFIG: Config = Config {
    interval: INTERVAL,
    t1_probes: None,
    window: 16,
    threshold: 0.25,
};
/// Two planes of four racks with eight NICs, four T1s.
const RACKS: Topology = Topology {
    planes: 2,
    pods: 1,
    t0s: 4,
    t1s: 4,
    t2s: 0,
    nics_per_t0: 8,
    rails: 1,
};
/// Three pods of two racks with four NICs and two T1s, four T2s.
const PODS: Topology = Topology {
    planes: 2,
    pods: 3,
    t0s: 6,
    t1s: 6,
    t2s: 4,
    nics_per_t0: 4,
    rails: 1,
};

fn world(topology: Topology) -> World {
    World::new(topology, CONFIG, 1)
}

/// What is blamed when this element alone is dead. A switch with one cable downwards cannot be told from it.
fn blamed(topology: &Topology, broken: Element) -> Element {
    match broken {
        Element::T0 { plane, t0 } if topology.nics_per_t0 == 1 => Element::NicT0 { plane, nic: t0 },
        Element::T1 { plane, t1 } if topology.t0s == topology.pods => Element::T0T1 {
            plane,
            t1,
            t0: t1 / (topology.t1s / topology.pods),
        },
        Element::T2 { plane, t2 } if topology.pods == 1 => Element::T1T2 {
            plane,
            t2,
            t1: t2 / (topology.t2s / topology.t1s),
        },
        _ => broken,
    }
}

/// Five probes lost make a cable bad. It fails 300 µs into a round; what its probes do then is in the comments.
#[test]
fn a_dead_link_by_hand() {
    let mut world = world(Topology {
        planes: 1,
        t0s: 2,
        t1s: 1,
        nics_per_t0: 1,
        ..RACKS
    });
    world.run_until(10 * INTERVAL + 300_000_000);
    let broken = Element::T0T1 {
        plane: 0,
        t1: 0,
        t0: 1,
    };
    world.lose(broken, 1.0);
    // NIC 1 has two probes a round, at 0.25 and 0.75 ms: a quarter for it being the second of two NICs. The second is the
    // T1 probe. It is lost in rounds 10 to 14, and round 14 is known at 16 ms.
    let changes = world.run_until(30 * INTERVAL);
    let [(at, change)] = changes[..] else {
        panic!("{changes:?}")
    };
    assert_eq!((change.element, change.bad, change.round), (broken, true, 14));
    assert_eq!(at, 16 * INTERVAL);
    assert!(at - 10_300_000_000 <= world.plan.slowest_verdict());
    // It heals at 30 ms: rounds 10 to 29 are lost. It is fine with one loss among 16, so after round 44, known at 46 ms.
    world.heal(broken);
    let changes = world.run_until(60 * INTERVAL);
    let [(at, change)] = changes[..] else {
        panic!("{changes:?}")
    };
    assert_eq!((change.element, change.bad, change.round), (broken, false, 44));
    assert_eq!(at, 46 * INTERVAL);
}

#[test]
fn four_of_sixteen_are_not_more_than_a_quarter() {
    let mut world = world(RACKS);
    let broken = Element::T0T1 {
        plane: 1,
        t1: 2,
        t0: 3,
    };
    world.run_until(10 * INTERVAL);
    world.lose(broken, 1.0);
    world.run_until(14 * INTERVAL);
    world.heal(broken);
    assert_eq!(world.run_until(60 * INTERVAL), []);
}

#[test]
fn a_lossy_plane_of_one_nic_is_its_link() {
    let mut world = world(RACKS);
    let broken = Element::NicT0 { plane: 1, nic: 9 };
    world.lose(broken, 0.4);
    // There and back 64 % are lost.
    let changes = world.run_until(300 * INTERVAL);
    assert!(!changes.is_empty());
    assert!(
        changes.iter().all(|(_, change)| change.element == broken),
        "{changes:?}"
    );
    assert_eq!(world.bad(), [broken]);
}

/// Each kind of element, losing half of what passes it, so that nothing is lost by all at once.
#[test]
fn what_loses_half_is_found_too() {
    let topologies = [RACKS, PODS];
    for (topology, broken) in [
        (0, Element::NicT0 { plane: 0, nic: 31 }),
        (0, Element::T0 { plane: 0, t0: 2 }),
        (
            0,
            Element::T0T1 {
                plane: 1,
                t1: 3,
                t0: 0,
            },
        ),
        (0, Element::T1 { plane: 1, t1: 0 }),
        (1, Element::T1 { plane: 0, t1: 5 }),
        (
            1,
            Element::T1T2 {
                plane: 1,
                t2: 2,
                t1: 3,
            },
        ),
        (1, Element::T2 { plane: 1, t2: 0 }),
    ] {
        let mut world = world(topologies[topology]);
        world.lose(broken, 0.5);
        world.run_until(100 * INTERVAL);
        let mut rounds = 0;
        for _ in 0..200 {
            world.run_rounds(1);
            rounds += u32::from(world.bad() == [broken]);
        }
        // A switch that is passed once loses half, so now and then its cables' losses are few or uneven by chance.
        assert!(rounds >= 180, "{broken:?} alone in {rounds} of 200 rounds");
    }
}

/// Every cable loses a little: nobody is accused. Of a T1 probe, which passes four times a cable, 1.2 % are lost, and five of
/// 16 with a probability of 10⁻⁶; where more is lost, a longer window serves.
#[test]
fn a_little_loss_everywhere_is_no_verdict() {
    for (topology, window, loss) in [
        (RACKS, 16, 0.003),
        (PODS, 16, 0.002),
        (RACKS, 64, 0.01),
        (PODS, 64, 0.01),
    ] {
        let mut world = World::new(topology, Config { window, ..CONFIG }, 1);
        lose_a_little(&mut world, &topology, loss);
        assert_eq!(world.run_until(500 * INTERVAL), []);
    }
}

fn lose_a_little(world: &mut World, topology: &Topology, share: f64) {
    for cable in elements(topology) {
        if matches!(
            cable,
            Element::NicT0 { .. } | Element::T0T1 { .. } | Element::T1T2 { .. }
        ) {
            world.lose(cable, share);
        }
    }
}

/// … and what is really broken is found all the same.
#[test]
fn a_dead_element_stands_out_from_a_little_loss() {
    for broken in [
        Element::NicT0 { plane: 0, nic: 3 },
        Element::T0 { plane: 1, t0: 1 },
        Element::T0T1 {
            plane: 0,
            t1: 1,
            t0: 1,
        },
        Element::T1 { plane: 1, t1: 2 },
        Element::T1T2 {
            plane: 0,
            t2: 3,
            t1: 5,
        },
        Element::T2 { plane: 1, t2: 1 },
    ] {
        let mut world = world(PODS);
        lose_a_little(&mut world, &PODS, 0.002);
        world.run_until(50 * INTERVAL);
        world.lose(broken, 1.0);
        world.run_until(120 * INTERVAL);
        assert_eq!(world.bad(), [broken]);
    }
}

/// A T1 behind a dead rack is judged by the racks that see it, and the rack's own links are left as they were.
#[test]
fn what_is_behind_a_dead_t0_keeps_its_verdict() {
    let mut world = world(RACKS);
    let link = Element::T0T1 {
        plane: 0,
        t1: 1,
        t0: 2,
    };
    let t0 = Element::T0 { plane: 0, t0: 2 };
    world.lose(link, 1.0);
    world.run_until(20 * INTERVAL);
    assert_eq!(world.bad(), [link]);
    world.lose(t0, 1.0);
    world.heal(link);
    world.run_until(60 * INTERVAL);
    assert_eq!(
        world.bad(),
        [t0, link],
        "nobody can see that the link is in order"
    );
    world.heal(t0);
    world.run_until(100 * INTERVAL);
    assert_eq!(world.bad(), []);
}

#[test]
fn all_links_of_a_switch_are_the_switch() {
    let mut world = world(RACKS);
    for nic in 8..16 {
        world.lose(Element::NicT0 { plane: 1, nic }, 1.0);
    }
    world.run_until(40 * INTERVAL);
    assert_eq!(world.bad(), [Element::T0 { plane: 1, t0: 1 }]);
    // One that works proves that the switch does.
    world.heal(Element::NicT0 { plane: 1, nic: 12 });
    world.run_until(80 * INTERVAL);
    let others: Vec<_> = (8..16)
        .filter(|&nic| nic != 12)
        .map(|nic| Element::NicT0 { plane: 1, nic })
        .collect();
    assert_eq!(world.bad(), others);
}

/// With fewer T1 probes than there are links it takes as many times longer.
#[test]
fn fewer_probes_find_it_later() {
    // The 2 NICs of a rack have 2 planes × 4 T1s = 8 links to look after: with a probe each that takes four rounds.
    let topology = Topology {
        nics_per_t0: 2,
        ..RACKS
    };
    let mut world = World::new(
        topology,
        Config {
            t1_probes: Some(1),
            ..CONFIG
        },
        1,
    );
    let broken = Element::T0T1 {
        plane: 0,
        t1: 3,
        t0: 1,
    };
    world.lose(broken, 1.0);
    // The fifth loss is in round 16 to 19, and known two rounds later.
    let changes = world.run_until(60 * INTERVAL);
    let [(at, change)] = changes[..] else {
        panic!("{changes:?}")
    };
    assert_eq!((change.element, change.bad), (broken, true));
    assert!((18 * INTERVAL..=22 * INTERVAL).contains(&at), "{at}");
}

/// Windows and thresholds.
fn windows() -> impl Strategy<Value = (u32, f64)> {
    prop_oneof![
        Just((16, 0.25)),
        Just((4, 0.5)),
        Just((64, 0.1)),
        Just((2, 0.0)),
        Just((9, 0.7))
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// One dead element, at any moment: it alone is ever named, in time, and it is in order again after it heals.
    #[test]
    fn a_single_failure(
        topology in topologies(), which in any::<prop::sample::Index>(), at in 0..3 * INTERVAL,
        (window, threshold) in windows(),
    ) {
        let mut world = World::new(topology, config(INTERVAL, window, threshold), 1);
        let all = elements(&topology);
        let broken = *which.get(&all);
        let expected = blamed(&topology, broken);
        prop_assert_eq!(world.run_until(at), []);
        world.lose(broken, 1.0);
        let changes = world.run_rounds(u64::from(window) + 10);
        prop_assert_eq!(changes.len(), 1, "{:?}", changes);
        let (known, change) = changes[0];
        prop_assert_eq!((change.element, change.bad), (expected, true));
        prop_assert!(known - at <= world.plan.slowest_verdict());
        world.heal(broken);
        let changes = world.run_rounds(u64::from(window) + 10);
        prop_assert_eq!(changes.len(), 1, "{:?}", changes);
        prop_assert_eq!((changes[0].1.element, changes[0].1.bad), (expected, false));
    }

    /// Several dead elements, one after the other: whatever is named is broken, or no probe gets through it, so that no round
    /// trip could clear it; and every lost probe is explained by something that is named on its way. Of cables to which
    /// most of their probers are cut off below, neither is asked: they keep their verdict.
    #[test]
    fn several_failures(
        topology in topologies(), which in prop::collection::vec(any::<prop::sample::Index>(), 2..4),
        gaps in prop::collection::vec(0..4 * INTERVAL, 4),
        (window, threshold) in windows().prop_filter("a window of two shows too little", |w| w.0 > 2),
    ) {
        let mut world = World::new(topology, config(INTERVAL, window, threshold), 1);
        let all = elements(&topology);
        for (index, gap) in which.iter().zip(gaps) {
            world.run_until(world.now() + gap);
            world.lose(*index.get(&all), 1.0);
        }
        world.run_rounds(u64::from(window) + 60);
        let bad = world.bad();
        for element in &bad {
            prop_assert!(
                world.losing.contains_key(element) || !world.passed.contains(element),
                "{:?} for {:?}", bad, world.losing
            );
        }
        for way in &world.lost_ways {
            prop_assert!(
                way.iter().any(|&element| bad.contains(&element) || world.is_dark(element)),
                "{:?} for {:?}: {:?}", bad, world.losing, way
            );
        }
    }

    /// In which order losses are reported, and whether at once or in time, changes nothing.
    #[test]
    fn the_order_of_reports_is_of_no_consequence(topology in topologies(), seed in any::<u64>()) {
        let run = |shuffle: bool| {
            let mut world = World::new(topology, CONFIG, seed);
            for element in elements(&topology) {
                world.lose(element, 0.1);
            }
            world.shuffle = shuffle;
            world.run_until(40 * INTERVAL)
        };
        prop_assert_eq!(run(false), run(true));
    }
}
