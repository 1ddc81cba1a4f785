//! Deadlock: a circle of links that wait for each other, found and named; and none without a valley.

mod common;

use common::{Post, Windows, config, run_in_windows};
use fabric::{Clos, Config, DropReason, Network, Packet, Pfc, usid};

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
