//! Packets for which switches find the way: everybody is reached, shares are fair, and failures cost what they must and no more.

mod common;

use common::{Fault, Outcome, Post, config, everybody_to_everybody, run_packets};
use fabric::{Clos, DropReason, Hashed, LinkKind, Network, Packet, Routing, Scope, Top, usid};
use kernel::rng::{below, draw};
use std::collections::BTreeSet;

const TWO: Clos = Clos::two_tiers(2, 4, 4, 3);

// Three pods of two T0s and two T1s; each T1 is linked to two T2s.
const THREE: Clos = Clos {
    planes: 2,
    t0s: 6,
    t1s: 6,
    nics_per_t0: 2,
    pods: 3,
    t2s: 4,
};

fn settings(clos: Clos, routing: Routing) -> fabric::Config {
    fabric::Config {
        routing,
        ..config(clos)
    }
}

/// The packet of a post without a path: the path's number is its entropy.
fn hashed(clos: &Clos) -> impl Fn(&Post) -> Packet + use<> {
    let clos = *clos;
    move |post| Packet {
        usids: Hashed::to(post.plane, post.to, post.path),
        ..post.packet(&clos)
    }
}

fn run(network: &mut Network, posts: &[Post], faults: &[(u64, Fault)]) -> Outcome {
    let clos = network.config().clos;
    run_packets(network, posts, faults, hashed(&clos))
}

/// `flows` packets of 1,000 B from each of some NICs to each of others, of another entropy each.
fn flows(plane: u32, from: &[u32], to: &[u32], flows: u32) -> Vec<Post> {
    let pairs = from.iter().flat_map(|&from| to.iter().map(move |&to| (from, to)));
    let all = pairs.flat_map(|(from, to)| (0..flows).map(move |entropy| (from, to, entropy)));
    let all = all.enumerate().map(|(number, (from, to, path))| Post {
        at: 0,
        from,
        to,
        plane,
        path,
        number: number as u32,
        size: 1_000,
        control: false,
    });
    all.collect()
}

fn along(network: &Network, post: &Post) -> Vec<u32> {
    network.links_along(post.from, Hashed::to(post.plane, post.to, post.path))
}

#[test]
fn everybody_is_reached_by_the_shortest_way() {
    for clos in [TWO, THREE] {
        for routing in [Routing::Ecmp, Routing::Spray] {
            let posts = everybody_to_everybody(&clos);
            let outcomes = [1, 2, 4].map(|parts| {
                let mut network = Network::new(settings(clos, routing), parts);
                let outcome = run(&mut network, &posts, &[]);
                // As many crossings as the shortest ways have: 2, 4 and 6 links.
                let links = posts.iter().map(|post| match clos.top(post.from, post.to) {
                    Top::T0 => 2,
                    Top::T1 => 4,
                    Top::T2 => 6,
                });
                assert_eq!(network.counters().packet_hops, links.sum::<u64>());
                outcome
            });
            assert_eq!(outcomes[0], outcomes[1], "{routing:?}");
            assert_eq!(outcomes[0], outcomes[2], "{routing:?}");
            assert_eq!(outcomes[0].dropped, []);
            assert_eq!(outcomes[0].received.len(), posts.len());
            for received in &outcomes[0].received {
                let post = posts[received.packet.psn as usize];
                assert_eq!(
                    (received.nic, received.link),
                    (post.to, clos.nic_down(post.plane, post.to))
                );
                assert_eq!(received.packet.usids, Hashed::to(post.plane, post.to, post.path));
            }
        }
    }
}

#[test]
fn a_packet_takes_the_links_that_are_foretold() {
    for (clos, to) in [(TWO, 11), (THREE, 11)] {
        for entropy in 0..20 {
            let post = flows(1, &[0], &[to], entropy + 1)[entropy as usize];
            let mut network = Network::new(settings(clos, Routing::Ecmp), 2);
            let foretold = along(&network, &post);
            run(&mut network, &[post], &[]);
            for link in 0..clos.links() {
                let expected = u64::from(foretold.contains(&link)) * 1_000;
                assert_eq!(network.port(link).tx_bytes, expected, "{:?}", clos.describe(link));
            }
            // Where each packet is drawn for, nothing is known from the T0 on.
            let network = Network::new(settings(clos, Routing::Spray), 2);
            assert_eq!(along(&network, &post), foretold[..1]);
        }
    }
}

/// Bounds of a binomial count: five standard deviations to both sides of its mean.
fn is_fair(count: usize, of: usize, ways: usize) -> bool {
    let (n, p) = (of as f64, 1.0 / ways as f64);
    (count as f64 - n * p).abs() < 5.0 * (n * p * (1.0 - p)).sqrt()
}

#[test]
fn a_hash_shares_out_evenly_at_each_tier() {
    let network = Network::new(settings(THREE, Routing::Ecmp), 1);
    let paths: Vec<Vec<u32>> = flows(0, &[0], &[11], 8_000)
        .iter()
        .map(|post| along(&network, post))
        .collect();
    for t1 in 0..2 {
        let by_t1: Vec<&Vec<u32>> = paths
            .iter()
            .filter(|path| path[1] == THREE.up(0, 0, t1))
            .collect();
        assert!(is_fair(by_t1.len(), paths.len(), 2), "{}", by_t1.len());
        // The T1 does not repeat the choice of the T0.
        for t2 in THREE.t2s_above(t1) {
            let link = THREE.core_up(0, t1, t2);
            let by_t2 = by_t1.iter().filter(|path| path[2] == link).count();
            assert!(is_fair(by_t2, by_t1.len(), 2), "{by_t2} of {}", by_t1.len());
        }
    }
    // Nor does another T0 choose the same, or the same T0 for another destination, or under another seed.
    let chosen = |network: &Network, from: u32, to: u32| -> Vec<u32> {
        let posts = flows(0, &[from], &[to], 8_000);
        let links = posts.iter().map(|post| along(network, post)[1]);
        links.map(|link| THREE.describe(link).upper % 2).collect()
    };
    let first = chosen(&network, 0, 11);
    let reseeded = Network::new(
        fabric::Config {
            seed: 4,
            ..settings(THREE, Routing::Ecmp)
        },
        1,
    );
    for other in [
        chosen(&network, 2, 11),
        chosen(&network, 0, 10),
        chosen(&reseeded, 0, 11),
    ] {
        let same = first.iter().zip(&other).filter(|(a, b)| a == b).count();
        assert!(is_fair(same, 8_000, 2), "{same}");
    }
    assert_eq!(
        chosen(&network, 0, 11),
        chosen(&network, 1, 11),
        "the same switch and flow"
    );
}

#[test]
fn spraying_shares_out_one_flow() {
    let mut posts = flows(0, &[0], &[11], 4_000);
    posts.iter_mut().for_each(|post| post.path = 7);
    let mut network = Network::new(settings(THREE, Routing::Spray), 1);
    let outcome = run(&mut network, &posts, &[]);
    assert_eq!(outcome.received.len(), 4_000);
    let packets = |link| network.port(link).tx_packets as usize;
    for t1 in 0..2 {
        let by_t1 = packets(THREE.up(0, 0, t1));
        assert!(is_fair(by_t1, 4_000, 2), "{by_t1}");
        for t2 in THREE.t2s_above(t1) {
            let by_t2 = packets(THREE.core_up(0, t1, t2));
            assert!(is_fair(by_t2, by_t1, 2), "{by_t2} of {by_t1}");
        }
    }
}

/// Both directions of the cable between T0 3 and T1 1 of plane 0, and the flows from T0 0 and 1 to T0 3 and back.
fn broken_cable() -> ([u32; 2], Vec<Post>) {
    let cable = [TWO.up(0, 3, 1), TWO.down(0, 1, 3)];
    let mut posts = flows(0, &[0, 3], &[9, 10], 100);
    for post in flows(0, &[9], &[0, 3], 100) {
        let number = posts.len() as u32;
        posts.push(Post { number, ..post });
    }
    (cable, posts)
}

#[test]
fn a_link_that_is_down_costs_the_flows_on_it_until_switches_know() {
    let (cable, posts) = broken_cable();
    let whole = Network::new(settings(TWO, Routing::Ecmp), 1);
    let hit: BTreeSet<u32> = posts
        .iter()
        .filter(|post| along(&whole, post).iter().any(|link| cable.contains(link)))
        .map(|post| post.number)
        .collect();
    assert!(is_fair(hit.len(), posts.len(), 4), "{}", hit.len());
    let away = |posts: &[Post], hit: &BTreeSet<u32>| -> Vec<u32> {
        let rest = posts.iter().filter(|post| !hit.contains(&post.number));
        rest.map(|post| post.number).collect()
    };
    let down = cable.map(|link| (0, Fault::LinkDown(link)));
    let local = cable.map(|link| (0, Fault::Believe(link, false, Scope::Local)));
    let all = cable.map(|link| (0, Fault::Believe(link, false, Scope::Everywhere)));
    let run =
        |faults: &[(u64, Fault)]| run(&mut Network::new(settings(TWO, Routing::Ecmp), 1), &posts, faults);

    // Nobody knows: exactly the flows that hash onto it are lost, in it.
    let outcome = run(&down);
    assert_eq!(outcome.numbers(), away(&posts, &hit));
    assert_eq!(outcome.drops(DropReason::LinkDown), hit.len());

    // Its two ends know: T0 3 sends by the others; T1 1 has no way for what T0s 0 and 1 send it.
    let outcome = run(&[down, local].concat());
    let to_t0: BTreeSet<u32> = hit
        .iter()
        .copied()
        .filter(|&number| posts[number as usize].to >= 9)
        .collect();
    assert_eq!(outcome.numbers(), away(&posts, &to_t0));
    assert_eq!(outcome.drops(DropReason::NoRoute), to_t0.len());
    assert_eq!(outcome.dropped.len(), to_t0.len());

    // All know: nothing is lost.
    let outcome = run(&[down, local, all].concat());
    assert_eq!((outcome.received.len(), outcome.dropped.len()), (posts.len(), 0));
}

#[test]
fn flows_beside_the_failure_stay_where_they_are() {
    let (cable, posts) = broken_cable();
    let whole = Network::new(settings(TWO, Routing::Ecmp), 1);
    let mut broken = Network::new(settings(TWO, Routing::Ecmp), 1);
    for scope in [Scope::Local, Scope::Everywhere] {
        broken.believe(cable[0], false, scope).expect("a link");
    }
    let mut used = BTreeSet::new();
    for post in &posts {
        let (before, after) = (along(&whole, post), along(&broken, post));
        if before.iter().any(|link| cable.contains(link)) {
            assert_eq!(after.len(), 4);
            used.insert((after[1], after[2]));
        } else {
            assert_eq!(before, after);
        }
    }
    // Those that moved use all three T1s that are left, from T0s 0, 1 and 3 (of 200 flows each about 50 moved).
    assert_eq!(
        used.iter().filter(|(up, _)| TWO.describe(*up).lower == 3).count(),
        6
    );
    assert_eq!(
        used.iter().filter(|(up, _)| TWO.describe(*up).lower == 0).count(),
        3
    );
    for scope in [Scope::Local, Scope::Everywhere] {
        broken.believe(cable[0], true, scope).expect("a link");
    }
    assert!(
        posts
            .iter()
            .all(|post| along(&whole, post) == along(&broken, post))
    );
}

#[test]
fn a_switch_that_dies_is_avoided_when_all_know() {
    let t2 = usid::usid(0, usid::T2, 1);
    let posts = flows(0, &[0, 3], &[4, 11], 200);
    let run = |faults: &[(u64, Fault)]| {
        run(
            &mut Network::new(settings(THREE, Routing::Ecmp), 1),
            &posts,
            faults,
        )
    };
    // T2 1 is one of four, all of which lead from pod 0 to pods 1 and 2.
    let outcome = run(&[(0, Fault::SwitchDown(t2))]);
    let lost = outcome.drops(DropReason::SwitchDead);
    assert!(is_fair(lost, posts.len(), 4), "{lost}");
    assert_eq!(outcome.received.len(), posts.len() - lost);
    // Its neighbours are the T1s below it: when they know, all know.
    let cables = THREE.links_from(t2).expect("a switch").into_iter();
    let known = cables.map(|link| (0, Fault::Believe(link, false, Scope::Local)));
    let known: Vec<(u64, Fault)> = known.chain([(0, Fault::SwitchDown(t2))]).collect();
    assert_eq!(run(&known).dropped, []);
}

#[test]
fn a_local_detour_saves_what_a_t1_cannot_deliver() {
    let (cable, _) = broken_cable();
    let posts = flows(0, &[0], &[9], 200);
    let settings = fabric::Config {
        local_reroute: true,
        ..settings(TWO, Routing::Ecmp)
    };
    let mut network = Network::new(settings.clone(), 1);
    network.believe(cable[1], false, Scope::Local).expect("a link");
    let mut detours = 0;
    for post in &posts {
        let links = along(&network, post);
        if links[1] == TWO.up(0, 0, 1) {
            detours += 1;
            // Down to T0 1 or 2, up to another T1, down to T0 3.
            let (valley, turn) = (TWO.describe(links[2]).lower, TWO.describe(links[3]).upper);
            assert!(valley == 1 || valley == 2);
            assert_ne!(turn, 1);
            let expected = [
                TWO.nic_up(0, 0),
                TWO.up(0, 0, 1),
                TWO.down(0, 1, valley),
                TWO.up(0, valley, turn),
                TWO.down(0, turn, 3),
                TWO.nic_down(0, 9),
            ];
            assert_eq!(links, expected);
        } else {
            assert_eq!(links.len(), 4);
        }
    }
    assert!(is_fair(detours, 200, 4), "{detours}");
    let faults = cable.map(|link| {
        [
            (0, Fault::LinkDown(link)),
            (0, Fault::Believe(link, false, Scope::Local)),
        ]
    });
    let outcome = run(&mut Network::new(settings, 1), &posts, &faults.concat());
    assert_eq!((outcome.received.len(), outcome.dropped.len()), (200, 0));
}

#[test]
fn a_packet_that_nobody_can_deliver_gives_up() {
    // No T1 has its link to T0 3, and no T0 knows: each sends the packet down to be sent up again, three times.
    let settings = fabric::Config {
        local_reroute: true,
        ..settings(TWO, Routing::Spray)
    };
    let faults: Vec<(u64, Fault)> = (0..4)
        .map(|t1| (0, Fault::Believe(TWO.down(0, t1, 3), false, Scope::Local)))
        .collect();
    let posts = flows(0, &[0], &[9], 50);
    let mut network = Network::new(settings, 1);
    let outcome = run(&mut network, &posts, &faults);
    assert_eq!(outcome.drops(DropReason::HopLimit), 50);
    // To the T0, up, and down and up for each bounce.
    assert_eq!(network.counters().packet_hops, 50 * (2 + 3 * 2));
}

/// The cables (their upward links) that are out, and whether there is a way up and down without them.
fn is_connected(clos: &Clos, out: &BTreeSet<u32>, plane: u32, from: u32, to: u32) -> bool {
    let (a, b) = (clos.t0_of(from), clos.t0_of(to));
    let trunk = |t0: u32, t1: u32| !out.contains(&clos.up(plane, t0, t1));
    let core = |t1: u32, t2: u32| !out.contains(&clos.core_up(plane, t1, t2));
    match clos.top(from, to) {
        Top::T0 => true,
        Top::T1 => clos.t1s_above(a).any(|t1| trunk(a, t1) && trunk(b, t1)),
        Top::T2 => (0..clos.t2s).any(|t2| {
            let t1s: Vec<u32> = clos.t1s_below(t2).collect();
            let (up, down) = (t1s[clos.pod_of_t0(a) as usize], t1s[clos.pod_of_t0(b) as usize]);
            trunk(a, up) && core(up, t2) && core(down, t2) && trunk(b, down)
        }),
    }
}

/// Random fabrics with random cables and switches out, known to all: who is connected is reached, and nobody else.
#[test]
fn after_convergence_all_that_are_connected_are_reached() {
    let (mut cut, mut delivered) = (0, 0);
    for seed in 0..40u64 {
        let pick = |n: u64, bound: u64| below(draw(seed, n), bound) as u32;
        let (pods, k) = ([1, 2, 3][pick(0, 3) as usize], 1 + pick(1, 3));
        let (t0s, t1s) = (1 + pick(2, 3), 1 + pick(3, 3));
        let clos = Clos {
            planes: 1 + pick(4, 2),
            t0s: pods * t0s,
            t1s: pods * t1s,
            nics_per_t0: 1,
            pods,
            t2s: if pods > 1 { t1s * k } else { 0 },
        };
        let (mut faults, mut out) = (Vec::new(), BTreeSet::new());
        let mut believe = |link: u32, faults: &mut Vec<(u64, Fault)>| {
            let scopes = [Scope::Local, Scope::Everywhere];
            faults.extend(scopes.map(|scope| (0, Fault::Believe(link, false, scope))));
            let is_up = clos.describe(link).kind.is_upward();
            out.insert(if is_up { link } else { clos.reverse(link) });
        };
        for link in 0..clos.links() {
            let kind = clos.describe(link).kind;
            if !matches!(kind, LinkKind::NicUp | LinkKind::NicDown) && pick(1_000 + u64::from(link), 8) == 0 {
                faults.push((0, Fault::LinkDown(link)));
                believe(link, &mut faults);
            }
        }
        if pods > 1 && pick(5, 2) == 0 {
            let t1 = usid::usid(0, usid::T1, pick(6, u64::from(clos.t1s)));
            faults.push((0, Fault::SwitchDown(t1)));
            for link in clos.links_from(t1).expect("a switch") {
                believe(link, &mut faults);
            }
        }
        let posts = everybody_to_everybody(&clos);
        for routing in [Routing::Ecmp, Routing::Spray] {
            let mut network = Network::new(settings(clos, routing), 1 + pick(7, 3));
            let outcome = run(&mut network, &posts, &faults);
            let connected = posts
                .iter()
                .filter(|post| is_connected(&clos, &out, post.plane, post.from, post.to))
                .map(|post| post.number);
            assert_eq!(
                outcome.numbers(),
                connected.collect::<Vec<_>>(),
                "seed {seed}, {clos:?}"
            );
            assert_eq!(outcome.drops(DropReason::NoRoute), outcome.dropped.len());
            cut += outcome.dropped.len();
            delivered += outcome.received.len();
        }
    }
    assert!(cut > 500 && delivered > 5_000, "{cut} and {delivered}");
}

/// Whatever switches believe, right or wrong: the same in any number of parts, and no packet goes for ever.
#[test]
fn random_beliefs_lead_to_an_end() {
    let mut bounced = 0;
    for seed in 0..40u64 {
        let pick = |n: u64, bound: u64| below(draw(seed, n), bound);
        let clos = [TWO, THREE][pick(0, 2) as usize];
        let mut faults: Vec<(u64, Fault)> = (0..60)
            .map(|i| {
                let pick = |n: u64, bound: u64| below(draw(seed, 100 + 10 * i + n), bound);
                let scope = [Scope::Local, Scope::Everywhere][pick(0, 2) as usize];
                let (at, up) = (pick(1, 10_000_000), pick(2, 3) == 0);
                let link = pick(3, u64::from(clos.links())) as u32;
                let t1 = usid::usid(pick(4, 2) as u32, usid::T1, pick(5, 4) as u32);
                match pick(6, 8) {
                    0 => (at, Fault::SwitchDown(t1)),
                    1 => (at, Fault::LinkDown(link)),
                    _ => (at, Fault::Believe(link, up, scope)),
                }
            })
            .collect();
        faults.sort_by_key(|&(at, _)| at);
        let settings = fabric::Config {
            local_reroute: true,
            seed,
            ..settings(clos, [Routing::Ecmp, Routing::Spray][pick(1, 2) as usize])
        };
        let posts = everybody_to_everybody(&clos);
        let outcomes = [1, 2, 4].map(|parts| {
            let mut network = Network::new(settings.clone(), parts);
            let outcome = run(&mut network, &posts, &faults);
            (outcome, network.counters())
        });
        assert_eq!(outcomes[0], outcomes[1], "seed {seed}");
        assert_eq!(outcomes[0], outcomes[2], "seed {seed}");
        let (outcome, counters) = &outcomes[0];
        assert_eq!(outcome.received.len() + outcome.dropped.len(), posts.len());
        for received in &outcome.received {
            let path = Hashed::of(received.packet.usids).expect("hashed");
            assert_eq!(path.dst, received.nic);
            bounced += u32::from(path.bounces > 0);
        }
        // To the T2 and back, and two links more for each bounce.
        assert!(counters.packet_hops <= posts.len() as u64 * (6 + 3 * 2));
    }
    assert!(bounced > 100, "{bounced}");
}
