//! Fabrics of three tiers in motion: all paths, the same for any number of parts, with full queues and with faults.

mod common;

use common::{Fault, Outcome, Post, config, everybody_to_everybody, run, run_with_faults};
use fabric::{Clos, DropReason, LinkKind, Network, Top, usid};
use kernel::Time;
use kernel::rng::{below, draw};

// Three pods of two T0s and two T1s; each T1 is linked to two T2s.
const CLOS: Clos = Clos {
    planes: 2,
    t0s: 6,
    t1s: 6,
    nics_per_t0: 2,
    pods: 3,
    t2s: 4,
};

/// The same run in one part and in as many as can be, up to four.
fn in_parts(clos: Clos, run: impl Fn(&mut Network) -> Outcome) -> Outcome {
    let mut first = None;
    for parts in [1, 2, 3, 4] {
        let mut network = Network::new(config(clos), parts);
        let outcome = run(&mut network);
        match &first {
            None => first = Some(outcome),
            Some(first) => assert_eq!(*first, outcome, "in {} parts", network.parts().len()),
        }
    }
    first.expect("ran four times")
}

#[test]
fn every_packet_arrives_by_its_path_after_the_time_that_it_takes() {
    let posts = everybody_to_everybody(&CLOS);
    let outcome = in_parts(CLOS, |network| run(network, &posts));
    // 12 NICs; each has 1 neighbour at its T0, 2 more in its pod and 8 elsewhere, with 1, 2 and 4 paths in each of two planes;
    // two packets each.
    assert_eq!(posts.len(), 12 * (1 + 2 * 2 + 8 * 4) * 2 * 2);
    assert_eq!(outcome.dropped, []);
    assert_eq!(outcome.received.len(), posts.len());
    for received in &outcome.received {
        let post = posts[received.packet.psn as usize];
        assert_eq!(
            (received.nic, received.link),
            (post.to, CLOS.nic_down(post.plane, post.to))
        );
        // Each link takes 500 ns and 80 ps for each byte, at the least.
        let hops = match CLOS.top(post.from, post.to) {
            Top::T0 => 2,
            Top::T1 => 4,
            Top::T2 => 6,
        };
        assert!(received.at >= hops * (500_000 + 80 * u64::from(post.size)));
    }
}

#[test]
fn one_packet_alone_takes_six_links() {
    let post = Post {
        at: 7,
        from: 0,
        to: 11,
        plane: 1,
        path: 3,
        number: 0,
        size: 1_000,
        control: false,
    };
    let outcome = in_parts(CLOS, |network| {
        let outcome = run(network, &[post]);
        let crossed = CLOS.links_along(0, fabric::Way::between(&CLOS, 0, 11).usids(1, 3));
        for link in 0..CLOS.links() {
            let expected = u64::from(crossed.contains(&link)) * 1_000;
            assert_eq!(network.port(link).tx_bytes, expected, "{:?}", CLOS.describe(link));
        }
        outcome
    });
    assert_eq!(outcome.received[0].at, 7 + 6 * (500_000 + 80_000));
}

#[test]
fn queues_to_and_from_a_t2_trim() {
    // The four NICs of pod 0 send to one of pod 1 and one of pod 2 by turns, all by T2 0 of plane 0: two links, one from each T0,
    // come together in the one from T1 0 to that T2.
    let posts: Vec<Post> = (0..200u32)
        .flat_map(|i| {
            (0..4).map(move |from| Post {
                at: 0,
                from,
                to: [5, 9][(i % 2) as usize],
                plane: 0,
                path: 0,
                number: i * 4 + from,
                size: 1_000,
                control: false,
            })
        })
        .collect();
    let mut settings = config(CLOS);
    settings.classes[LinkKind::CoreUp as usize].data_limit = 20_000;
    for parts in [1, 4] {
        let mut network = Network::new(settings.clone(), parts);
        let outcome = run(&mut network, &posts);
        assert_eq!(outcome.received.len(), 800, "trimmed packets arrive");
        let (trims, bottleneck) = (network.counters().trims, CLOS.core_up(0, 0, 0));
        assert!(trims > 300, "{trims}");
        assert_eq!(
            network.trims_at().iter().collect::<Vec<_>>(),
            [(&bottleneck, &trims)]
        );
    }
}

#[test]
fn a_dead_t2_takes_its_paths_with_it_and_no_others() {
    let t2 = usid::usid(1, usid::T2, 2);
    let posts = everybody_to_everybody(&CLOS);
    let outcome = in_parts(CLOS, |network| {
        run_with_faults(network, &posts, &[(0, Fault::SwitchDown(t2))])
    });
    // 12 NICs to 8 others in other pods each, one path, two packets.
    assert_eq!(outcome.drops(DropReason::SwitchDead), 12 * 8 * 2);
    assert_eq!(outcome.received.len(), posts.len() - 12 * 8 * 2);
}

#[test]
fn a_core_link_that_is_down_is_down_in_one_direction() {
    let link = CLOS.core_down(0, 3, 5);
    let posts = everybody_to_everybody(&CLOS);
    let outcome = in_parts(CLOS, |network| {
        run_with_faults(network, &posts, &[(0, Fault::LinkDown(link))])
    });
    // T1 5 is the second one of pod 2, whose four NICs get two packets from eight others each by T2 3.
    assert_eq!(outcome.drops(DropReason::LinkDown), 4 * 8 * 2);
    assert_eq!(outcome.received.len(), posts.len() - 64);
}

/// Random fabrics, packets and faults: the books balance after each window, and the number of parts does not matter.
#[test]
fn random_runs_are_the_same_in_any_number_of_parts() {
    for seed in 0..60u64 {
        let pick = |n: u64, bound: u64| below(draw(seed, n), bound);
        let (pods, t0s, t1s, k) = (1 + pick(1, 4), 1 + pick(2, 3), 1 + pick(3, 3), 1 + pick(4, 3));
        let clos = Clos {
            planes: 1 + pick(0, 3) as u32,
            t0s: (pods * t0s) as u32,
            t1s: (pods * t1s) as u32,
            nics_per_t0: 1 + pick(5, 3) as u32,
            pods: pods as u32,
            t2s: (t1s * k) as u32,
        };
        let nics = u64::from(clos.nics());
        let posts: Vec<Post> = (0..400u64)
            .map(|i| {
                let pick = |n: u64, bound: u64| below(draw(seed, 1_000 + 10 * i + n), bound);
                let (from, to) = (pick(0, nics) as u32, pick(1, nics) as u32);
                Post {
                    at: pick(2, 30_000_000),
                    from,
                    to,
                    plane: pick(3, u64::from(clos.planes)) as u32,
                    path: pick(4, u64::from(clos.paths(from, to))) as u32,
                    number: i as u32,
                    size: 200 + pick(5, 4_000) as u16,
                    control: pick(6, 4) == 0,
                }
            })
            .collect();
        let mut faults = Vec::new();
        for i in 0..pick(6, 6) {
            let pick = |n: u64, bound: u64| below(draw(seed, 100 + 10 * i + n), bound);
            let link = pick(0, u64::from(clos.links())) as u32;
            let plane = pick(1, u64::from(clos.planes)) as u32;
            let (tier, count) =
                [(usid::T0, clos.t0s), (usid::T1, clos.t1s), (usid::T2, clos.t2s)][pick(2, 3) as usize];
            let switch = usid::usid(plane, tier, pick(3, u64::from(count)) as u32);
            let from = pick(4, 20_000_000);
            let to = from + pick(5, 20_000_000);
            let (breaks, heals) = match pick(6, 3) {
                0 => (Fault::LinkDown(link), Fault::LinkUp(link)),
                1 => (Fault::SwitchDown(switch), Fault::SwitchUp(switch)),
                _ => (Fault::LinkLoss(link, 0.3), Fault::LinkLoss(link, 0.0)),
            };
            faults.extend([(from, breaks), (to, heals)]);
        }
        faults.sort_by_key(|&(at, _)| at);
        let mut settings = config(clos);
        for (i, class) in settings.classes.iter_mut().enumerate() {
            class.data_limit = 6_000 + 3_000 * pick(10 + i as u64, 4) as u32;
            class.control_limit = 4_000;
            class.control_weight = [0, 1 << 14][pick(30 + i as u64, 2) as usize];
            class.ecn_min = 2_000;
            class.ecn_max = 8_000;
            class.delay = Time(100_000 + 50_000 * pick(20 + i as u64, 8));
        }
        settings.trimming = pick(7, 3) > 0;
        settings.seed = seed;
        let outcomes = [1, 2, 3, 7].map(|parts| {
            let mut network = Network::new(settings.clone(), parts);
            let outcome = run_with_faults(&mut network, &posts, &faults);
            (outcome, network.counters())
        });
        for other in &outcomes[1..] {
            assert_eq!(*other, outcomes[0], "seed {seed}, {clos:?}");
        }
        let (outcome, counters) = &outcomes[0];
        assert_eq!(outcome.received.len() + outcome.dropped.len(), 400);
        assert_eq!(counters.created, 400);
        for received in &outcome.received {
            assert_eq!(posts[received.packet.psn as usize].to, received.nic);
        }
        assert_eq!(outcome.drops(DropReason::NoRoute), 0, "seed {seed}, {clos:?}");
    }
}
