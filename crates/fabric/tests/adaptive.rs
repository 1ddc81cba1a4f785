//! Adaptive routing: of the ways that lead there, the least loaded just then.

mod common;

use common::{Fault, Outcome, Post, Windows, config, run_in_windows, run_packets};
use fabric::{Clos, Config, DropReason, Hashed, Network, Packet, Pfc, Routing, Scope};
use kernel::rng::{below, draw};

/// Two T0s with four NICs each, and an uplink for each NIC.
const CLOS: Clos = Clos::two_tiers(1, 2, 4, 4);

fn settings(clos: Clos, routing: Routing) -> Config {
    Config {
        routing,
        ..config(clos)
    }
}

/// The packet of a post without a path: the path's number is its entropy.
fn hashed(post: &Post, clos: &Clos) -> Packet {
    Packet {
        usids: Hashed::to(post.plane, post.to, post.path),
        ..post.packet(clos)
    }
}

/// NICs 0, 1, … of T0 0 send 200 packets of 1,000 B each to NICs 4, 5, … of T0 1, each with one entropy, at line rate.
fn pairs(senders: u32) -> Vec<Post> {
    let all = (0..senders).flat_map(|from| (0..200).map(move |i| (from, i)));
    let post = |(from, i)| Post {
        at: 0,
        from,
        to: from + 4,
        plane: 0,
        path: from,
        number: from * 1_000 + i,
        size: 1_000,
        control: false,
    };
    all.map(post).collect()
}

/// When the packets came, each without having waited: a packet takes 80 ns and 500 ns on each of four links, and follows the one
/// before at 80 ns.
fn at_once(outcome: &Outcome) -> bool {
    let due = |r: &common::Received| 4 * 580_000 + 80_000 * u64::from(r.packet.psn % 1_000);
    outcome.received.iter().all(|r| r.at == due(r))
}

#[test]
fn as_many_flows_as_uplinks_never_wait() {
    // Four packets come to T0 0 at the same picosecond, when its four uplinks become free: each finds one that is.
    for parts in [1, 2] {
        let mut network = Network::new(settings(CLOS, Routing::Adaptive), parts);
        let outcome = run_packets(&mut network, &pairs(4), &[], |post| hashed(post, &CLOS));
        assert_eq!(outcome.received.len(), 800);
        assert!(at_once(&outcome));
        for t1 in 0..4 {
            assert_eq!(network.port(CLOS.up(0, 0, t1)).tx_packets, 200);
        }
    }
    // At random, two meet on an uplink soon.
    let mut network = Network::new(settings(CLOS, Routing::Spray), 1);
    let outcome = run_packets(&mut network, &pairs(4), &[], |post| hashed(post, &CLOS));
    assert!(!at_once(&outcome));
}

#[test]
fn an_uplink_that_is_believed_to_be_down_is_none() {
    let up = CLOS.up(0, 0, 2);
    let faults = [
        (1, Fault::LinkDown(up)),
        (1, Fault::Believe(up, false, Scope::Local)),
    ];
    let mut network = Network::new(settings(CLOS, Routing::Adaptive), 1);
    let outcome = run_packets(&mut network, &pairs(3), &faults, |post| hashed(post, &CLOS));
    assert_eq!((outcome.received.len(), outcome.dropped.len()), (600, 0));
    assert!(at_once(&outcome));
    assert_eq!(network.port(up).tx_packets, 0);
    // A switch that does not know drops what it would send there: of each four packets that come at the same time at least one, when
    // the other three have something to send, and that port has not.
    let mut network = Network::new(settings(CLOS, Routing::Adaptive), 1);
    let outcome = run_packets(&mut network, &pairs(4), &faults[..1], |post| hashed(post, &CLOS));
    assert!(outcome.drops(DropReason::LinkDown) >= 200);
    assert_eq!(outcome.received.len() + outcome.dropped.len(), 800);
    assert!(at_once(&outcome));
}

#[test]
fn the_least_loaded_is_taken_and_draws_are_fair_among_equals() {
    // Single packets, one each 2 µs, so that all uplinks are idle: 4,000 draws among four, 1,000 each (sigma 27; five of them).
    let posts: Vec<Post> = (0..4_000)
        .map(|i| Post {
            at: u64::from(i) * 2_000_000,
            number: i,
            ..pairs(1)[0]
        })
        .collect();
    let mut network = Network::new(settings(CLOS, Routing::Adaptive), 1);
    run_packets(&mut network, &posts, &[], |post| hashed(post, &CLOS));
    let sent: Vec<u32> = (0..4)
        .map(|t1| network.port(CLOS.up(0, 0, t1)).tx_packets)
        .collect();
    assert!(sent.iter().all(|&n| (863..=1_137).contains(&n)), "{sent:?}");

    // NIC 0 fills uplink 1 by a path of its own, from 0.58 µs on. What NIC 1 sends 10 µs later, at half its rate, takes another one.
    let mut packets: Vec<(Post, Packet)> = Vec::new();
    for post in pairs(1) {
        let post = Post { path: 1, ..post };
        packets.push((post, post.packet(&CLOS)));
    }
    for i in 0..50 {
        let post = Post {
            at: 10_040_000 + u64::from(i) * 80_000,
            from: 1,
            to: 5,
            number: 1_000 + i,
            ..pairs(1)[0]
        };
        packets.push((post, hashed(&post, &CLOS)));
    }
    let mut network = Network::new(settings(CLOS, Routing::Adaptive), 1);
    run_in_windows(&mut network, &packets, &[], &Windows::default());
    let sent: Vec<u32> = (0..4)
        .map(|t1| network.port(CLOS.up(0, 0, t1)).tx_packets)
        .collect();
    assert_eq!((sent[1], sent.iter().sum::<u32>()), (200, 250));
}

// Three pods of two T0s and two T1s; each T1 is linked to two T2s.
const THREE_TIERS: Clos = Clos {
    planes: 2,
    t0s: 6,
    t1s: 6,
    nics_per_t0: 2,
    pods: 3,
    t2s: 4,
};

#[test]
fn neither_parts_nor_windows_matter_with_or_without_flow_control() {
    let posts: Vec<Post> = (0..6_000)
        .map(|number| {
            let draw = |what, bound| below(draw(number, what), bound) as u32;
            let (from, to) = (draw(0, 12), draw(1, 11));
            Post {
                at: u64::from(draw(2, 10_000_000)),
                from,
                // Not to itself; a half to two NICs.
                to: (from + 1 + to % if number % 2 == 0 { 11 } else { 2 }) % 12,
                plane: draw(3, 2),
                path: draw(4, 1 << 20),
                number: number as u32,
                size: 64 + draw(5, 937) as u16,
                control: number % 10 == 0,
            }
        })
        .collect();
    let packets: Vec<(Post, Packet)> = posts
        .iter()
        .map(|post| (*post, hashed(post, &THREE_TIERS)))
        .collect();
    let pfc = Pfc {
        xoff: 3_000,
        xon: 1_000,
        headroom: None,
        largest: 1_000,
        frame: 84,
    };
    for pfc in [None, Some(pfc)] {
        let mut config = settings(THREE_TIERS, Routing::Adaptive);
        config.pfc = pfc;
        let outcomes = [(1, 1), (3, 1), (1, 3)].map(|(parts, part)| {
            let mut network = Network::new(config.clone(), parts);
            let windows = Windows {
                part,
                ..Windows::default()
            };
            let outcome = run_in_windows(&mut network, &packets, &[], &windows);
            assert_eq!(network.counters().pauses > 0, pfc.is_some());
            outcome
        });
        assert_eq!(outcomes[0].received.len(), 6_000);
        assert_eq!(outcomes[0], outcomes[1]);
        assert_eq!(outcomes[0], outcomes[2]);
    }
}
