//! Deadlock: a circle of links that wait for each other, found and named; and none without a valley.

mod common;

use common::{Fault, Post, Windows, config, run_in_windows};
use fabric::{Clos, Config, DropReason, Hashed, Network, Packet, Pfc, Routing, Scope, usid};

/// Two T0s with three NICs each, two T1s.
const CLOS: Clos = Clos::two_tiers(1, 2, 2, 3);

/// The uSIDs of switches, in order.
fn container(switches: [(u16, u32); 4]) -> u64 {
    let usids = switches.map(|(tier, index)| u64::from(usid::usid(0, tier, index)));
    usids.iter().fold(0, |container, usid| container << 16 | usid)
}

/// All NICs send 300 packets of 1,000 B by a path with a valley: up to a T1, down to the other T0, and up again to the other T1, where
/// it ends for want of room in a plain container. Those of T0 0 begin with T1 0, those of T0 1 with T1 `second`.
fn valleys(second: u32) -> Vec<(Post, Packet)> {
    let mut packets = Vec::new();
    for (from, number) in (0..CLOS.nics()).flat_map(|from| (0..300).map(move |i| (from, from * 1_000 + i))) {
        let post = Post {
            at: 0,
            from,
            to: from,
            plane: 0,
            path: 0,
            number,
            size: 1_000,
            control: false,
        };
        let t0 = from / CLOS.nics_per_t0;
        let t1 = if t0 == 0 { 0 } else { second };
        let over = [
            (usid::T0, t0),
            (usid::T1, t1),
            (usid::T0, 1 - t0),
            (usid::T1, 1 - t1),
        ];
        let packet = Packet {
            usids: container(over),
            psn: number,
            size: 1_000,
            ..Packet::default()
        };
        packets.push((post, packet));
    }
    packets
}

fn lossless() -> Config {
    Config {
        pfc: Some(Pfc {
            xoff: 10_000,
            xon: 5_000,
            headroom: None,
            largest: 1_000,
            frame: 84,
        }),
        ..config(CLOS)
    }
}

#[test]
fn two_valleys_that_close_a_circle_lock_up() {
    let windows = |until| Windows { until, part: 1 };
    let run = |parts, until| {
        let mut network = Network::new(lossless(), parts);
        let outcome = run_in_windows(&mut network, &valleys(1), &[], &windows(until));
        (network, outcome)
    };
    let (network, outcome) = run(1, 1_000_000_000);
    // From T0 0 by T1 0 down to T0 1, and from there by T1 1 down to T0 0.
    let circle = [
        CLOS.up(0, 0, 0),
        CLOS.down(0, 0, 1),
        CLOS.up(0, 1, 1),
        CLOS.down(0, 1, 0),
    ];
    let mut found = network.deadlock().expect("a deadlock");
    assert_eq!(found[0], *circle.iter().min().expect("four"));
    let first = found.iter().position(|&link| link == circle[0]);
    found.rotate_left(first.expect("among them"));
    assert_eq!(found, circle);
    // Nothing was lost but what came to the end of its path, and nothing moves any more.
    assert_eq!(outcome.drops(DropReason::NoRoute), outcome.dropped.len());
    assert!(outcome.dropped.len() < 1_800 && network.in_flight() > 0);
    let (_, later) = run(2, 2_000_000_000);
    assert_eq!(later, outcome);
}

#[test]
fn the_same_load_without_a_circle_does_not() {
    // Both go up to T1 0 first: down from it to either T0, and up from there to T1 1, where it ends. Nothing waits for what went up
    // first.
    let windows = Windows {
        until: 1_000_000_000,
        part: 1,
    };
    let mut network = Network::new(lossless(), 1);
    let outcome = run_in_windows(&mut network, &valleys(0), &[], &windows);
    assert!(network.counters().pauses > 0);
    assert_eq!(network.deadlock(), None);
    assert_eq!(
        (outcome.drops(DropReason::NoRoute), network.in_flight()),
        (1_800, 0)
    );
}

/// Four T0s with four NICs each, two T1s.
const FOUR: Clos = Clos::two_tiers(1, 4, 2, 4);

/// The link from T1 0 to T0 0 and that from T1 1 to T0 1 are down, and their switches know, but nobody else; the NICs of T0 2 and T0 3 send
/// 500 packets each to those of T0 0 and T0 1.
fn two_links_down(local_reroute: bool) -> (Network, common::Outcome) {
    let mut config = lossless();
    config.clos = FOUR;
    (config.routing, config.local_reroute) = (Routing::Ecmp, local_reroute);
    let mut network = Network::new(config, 1);
    let all = (8..16).flat_map(|from| (0..500).map(move |i| (from, i)));
    let packet = |(from, i)| {
        let post = Post {
            at: 1_000,
            from,
            to: (from + i) % 8,
            plane: 0,
            path: 0,
            number: from * 1_000 + i,
            size: 1_000,
            control: false,
        };
        let packet = Packet {
            usids: Hashed::to(0, post.to, post.number),
            ..post.packet(&FOUR)
        };
        (post, packet)
    };
    let packets: Vec<(Post, Packet)> = all.map(packet).collect();
    let down = [FOUR.down(0, 0, 0), FOUR.down(0, 1, 1)];
    let faults = down.map(|link| [Fault::LinkDown(link), Fault::Believe(link, false, Scope::Local)]);
    let faults: Vec<(u64, Fault)> = faults.into_iter().flatten().map(|fault| (1_001, fault)).collect();
    let windows = Windows {
        until: 1_000_000_000,
        part: 1,
    };
    let outcome = run_in_windows(&mut network, &packets, &faults, &windows);
    (network, outcome)
}

#[test]
fn detours_around_two_dead_links_lock_up() {
    // What T0 3 sends to T0 0 by T1 0 goes down to T0 2 there, up to T1 1, and down to T0 0. What T0 2 sends to T0 1 by T1 1 goes down to T0 3
    // there, up to T1 0, and down to T0 1. So each of four links carries what waits for the next one: from T1 0 to T0 2, to T1 1, to
    // T0 3, to T1 0. With T0 2 and T0 3 the other way round it is the same.
    let (network, outcome) = two_links_down(true);
    let circle = |a, b| {
        [
            FOUR.down(0, 0, a),
            FOUR.up(0, a, 1),
            FOUR.down(0, 1, b),
            FOUR.up(0, b, 0),
        ]
    };
    let mut found = network.deadlock().expect("a deadlock");
    let first = found
        .iter()
        .position(|&link| link == FOUR.down(0, 0, 2) || link == FOUR.down(0, 0, 3));
    found.rotate_left(first.expect("among them"));
    assert!(
        [circle(2, 3), circle(3, 2)].iter().any(|circle| found == circle),
        "{found:?}"
    );
    assert!(network.in_flight() > 0);
    assert_eq!(outcome.drops(DropReason::Headroom), 0);
    // Without detours what the two T1s cannot send down is lost, and the rest arrives.
    let (network, outcome) = two_links_down(false);
    assert_eq!((network.deadlock(), network.in_flight()), (None, 0));
    assert_eq!(outcome.drops(DropReason::NoRoute), outcome.dropped.len());
    assert_eq!(outcome.received.len() + outcome.dropped.len(), 4_000);
}
