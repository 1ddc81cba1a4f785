//! Packets that are lost or damaged at random: where they are dropped, why, how many, and that parts do not matter.

mod common;

use common::{Outcome, Post, config, everybody_to_everybody, run};
use fabric::packet::flags;
use fabric::{Clos, DropReason, LinkKind, Network, Refusal, usid};

const CLOS: Clos = Clos::two_tiers(2, 3, 3, 2);

/// `count` packets of 1,000 B from NIC 0 to NIC 5 over T1 1 of plane 0.
fn stream(count: u32) -> Vec<Post> {
    let post = |number| Post {
        at: u64::from(number) * 80_000,
        from: 0,
        to: 5,
        plane: 0,
        path: 1,
        number,
        size: 1_000,
        control: false,
    };
    (0..count).map(post).collect()
}

/// The same run in one part and in three.
fn in_parts(posts: &[Post], prepare: impl Fn(&mut Network)) -> Outcome {
    let outcomes = [1, 3].map(|parts| {
        let mut network = Network::new(config(CLOS), parts);
        assert_eq!(network.parts().len(), parts as usize);
        prepare(&mut network);
        run(&mut network, posts)
    });
    assert_eq!(outcomes[0], outcomes[1]);
    let [outcome, _] = outcomes;
    outcome
}

#[test]
fn a_healthy_fabric_loses_nothing() {
    let posts = everybody_to_everybody(&CLOS);
    let outcome = in_parts(&posts, |_| ());
    // 6 NICs with 4 others elsewhere and 6 paths to each, and one at the same T0 with one path a plane; 2 packets.
    assert_eq!((posts.len(), outcome.received.len()), (312, 312));
    assert_eq!(outcome.dropped, []);
}

#[test]
fn damage_on_a_link_is_found_at_its_far_end_and_in_that_direction_only() {
    let up = CLOS.up(1, 2, 0);
    let outcome = in_parts(&everybody_to_everybody(&CLOS), |network| {
        network.link_corrupt(up, 1.0).expect("a link");
    });
    // Both NICs of T0 2 send two packets to each of the four NICs elsewhere by that link.
    assert_eq!(outcome.dropped.len(), 2 * 2 * 4);
    assert!(
        outcome
            .dropped
            .iter()
            .all(|&(_, link, _, reason)| (link, reason) == (up, DropReason::FrameCheck))
    );
    assert_eq!(outcome.received.len(), 312 - 16);
}

#[test]
fn damage_and_loss_come_at_their_rates_and_end() {
    let posts = stream(10_000);
    let [up, down] = [CLOS.up(0, 0, 1), CLOS.down(0, 1, 2)];
    let outcome = in_parts(&posts, |network| {
        network.link_corrupt(up, 0.3).expect("a link");
        network.link_loss(up, 0.5).expect("a link");
        network.kind_loss(LinkKind::Down, 0.2);
    });
    // Half are lost, then 0.3 of the rest damaged: 5,000 (sigma 50) and 1,500 (sigma 36). Of the 3,500 left (sigma 48) 0.2 are
    // lost on the next link: 700 (sigma 26). Five sigma each.
    let lost_at = |at, why| {
        let hits = outcome.dropped.iter().filter(|d| (d.1, d.3) == (at, why));
        hits.count()
    };
    let (lost, damaged) = (
        lost_at(up, DropReason::RandomLoss),
        lost_at(up, DropReason::FrameCheck),
    );
    let later = lost_at(down, DropReason::RandomLoss);
    assert!((4_750..5_250).contains(&lost), "{lost}");
    assert!((1_320..1_680).contains(&damaged), "{damaged}");
    assert!((570..830).contains(&later), "{later}");
    assert_eq!(lost + damaged + later + outcome.received.len(), 10_000);

    // What has ended no longer counts; what has not, does.
    let outcome = in_parts(&posts, |network| {
        network.link_corrupt(up, 0.3).expect("a link");
        network.link_loss(down, 0.5).expect("a link");
        network.kind_loss(LinkKind::Down, 0.2);
        network.link_corrupt(up, 0.0).expect("a link");
        network.kind_loss(LinkKind::Down, 0.0);
        let half = 1 << 31;
        assert_eq!(
            (network.loss_threshold(down), network.damage_threshold(up)),
            (half, 0)
        );
        assert_eq!(network.kind_loss_threshold(LinkKind::Down), 0);
    });
    assert!((4_750..5_250).contains(&outcome.drops(DropReason::RandomLoss)));
    assert_eq!(
        outcome.drops(DropReason::RandomLoss) + outcome.received.len(),
        10_000
    );
}

#[test]
fn loss_on_a_tier_concerns_all_its_links_in_one_direction() {
    let outcome = in_parts(&everybody_to_everybody(&CLOS), |network| {
        network.kind_loss(LinkKind::Up, 1.0);
    });
    // All but the packets between the two NICs of a T0: 3 racks, 2 senders, 2 planes, 2 packets.
    assert_eq!(outcome.received.len(), 3 * 2 * 2 * 2);
    assert_eq!(outcome.drops(DropReason::RandomLoss), 312 - 24);
    let is_up = |link| CLOS.describe(link).kind == LinkKind::Up;
    assert!(outcome.dropped.iter().all(|&(_, link, ..)| is_up(link)));
}

#[test]
fn what_a_switch_damages_goes_on_to_the_nic() {
    let t1 = usid::usid(1, usid::T1, 2);
    let posts = everybody_to_everybody(&CLOS);
    let outcome = in_parts(&posts, |network| {
        network.switch_corrupt(t1, 1.0).expect("a switch");
        assert_eq!(network.switch_damage_threshold(t1), 1 << 32);
    });
    // Six NICs send to four in other racks by that T1, data and control alike.
    assert_eq!(outcome.drops(DropReason::Icrc), 6 * 4 * 2);
    assert_eq!(outcome.received.len(), 312 - 48);
    for &(_, link, number, _) in &outcome.dropped {
        let post = posts[number as usize];
        assert_eq!((post.plane, post.path), (1, 2));
        assert_eq!(link, CLOS.nic_down(1, post.to));
    }
    let healed = in_parts(&posts, |network| {
        network.switch_corrupt(t1, 1.0).expect("a switch");
        network.switch_corrupt(t1, 0.0).expect("a switch");
    });
    assert_eq!(healed.received.len(), 312);
}

#[test]
fn a_switch_damages_its_share() {
    let outcome = in_parts(&stream(10_000), |network| {
        network
            .switch_corrupt(usid::usid(0, usid::T0, 0), 0.1)
            .expect("a switch");
    });
    // 1,000, sigma 30.
    let damaged = outcome.drops(DropReason::Icrc);
    assert!((850..1_150).contains(&damaged), "{damaged}");
    assert_eq!(damaged + outcome.received.len(), 10_000);
}

#[test]
fn what_is_trimmed_may_be_damaged_too() {
    let mut settings = config(CLOS);
    settings.classes[LinkKind::NicDown as usize].data_limit = 3_000;
    let posts: Vec<Post> = (0..4)
        .flat_map(|from| {
            stream(100).into_iter().map(move |post| Post {
                from,
                path: from % CLOS.t1s,
                number: post.number + 100 * from,
                ..post
            })
        })
        .collect();
    let trimmed = |damages: bool| {
        let mut network = Network::new(settings.clone(), 1);
        if damages {
            network
                .switch_corrupt(usid::usid(0, usid::T0, 2), 1.0)
                .expect("a switch");
        }
        let outcome = run(&mut network, &posts);
        (outcome, network.counters().trims_last_hop)
    };
    let (healthy, trims) = trimmed(false);
    assert!(trims > 100, "{trims}");
    assert_eq!(
        healthy
            .received
            .iter()
            .filter(|r| r.packet.has(flags::TRIMMED))
            .count() as u64,
        trims
    );
    let (damaged, the_same) = trimmed(true);
    assert_eq!((the_same, damaged.received.len()), (trims, 0));
    assert_eq!(damaged.drops(DropReason::Icrc), 400);
}

#[test]
fn what_is_not_there_is_refused() {
    let mut network = Network::new(config(CLOS), 1);
    assert_eq!(network.link_corrupt(CLOS.links(), 0.1), Err(Refusal::NoSuchLink));
    assert_eq!(
        network.switch_corrupt(usid::usid(2, usid::T0, 0), 0.1),
        Err(Refusal::NoSuchSwitch)
    );
}
