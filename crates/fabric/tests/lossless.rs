//! Lossless switches: headroom, pauses, what they spread to, faults, and that neither parts nor windows matter.

mod common;

use common::{
    Fault, Outcome, Post, Windows, config, everybody_to_everybody, run, run_in_windows, run_with_faults,
};
use fabric::{Clos, Config, DropReason, Network, Packet, Pfc, usid};
use kernel::Time;
use kernel::rng::{below, draw};

/// One T0 with four NICs: the T1 is there because there must be one.
const RACK: Clos = Clos::two_tiers(1, 1, 1, 4);

const PFC: Pfc = Pfc {
    xoff: 10_000,
    xon: 5_000,
    headroom: None,
    largest: 1_000,
    frame: 84,
};

fn lossless(clos: Clos, pfc: Pfc) -> Config {
    Config {
        pfc: Some(pfc),
        ..config(clos)
    }
}

/// `count` data packets of 1,000 B from one NIC to another by path 0 of plane 0, as soon as the line allows.
fn stream(from: u32, to: u32, count: u32) -> impl Iterator<Item = Post> {
    (0..count).map(move |number| Post {
        at: 0,
        from,
        to,
        plane: 0,
        path: 0,
        number: from * 100_000 + number,
        size: 1_000,
        control: false,
    })
}

/// What came to a NIC from another one, in order.
fn came(outcome: &Outcome, from: u32, to: u32) -> Vec<u64> {
    let mine = |r: &&common::Received| r.nic == to && r.packet.psn / 100_000 == from;
    outcome.received.iter().filter(mine).map(|r| r.at).collect()
}

/// The worst case for the port of NIC 0, to the picosecond: NIC 1, to which it sends, is jammed; NICs 2 and 3 fill the link to NIC
/// 0, so that a packet of 1,000 B leaves by it from the very time at which `xoff` is crossed.
///
/// A byte takes 80 ps and a packet 80 ns; let D be the delay of a link, 516.64 ns, in which 6,458 B pass. Packet number k of NIC 0
/// (from 1 on) comes in at D + 80 k ns, and so do those of the others: the link to NIC 0 is busy from D + 80 ns on, and packets
/// begin at D + 80 k. The eleventh packet crosses 10,000 B at D + 880. PAUSE begins at D + 960, takes 6.72 ns for 84 B, and is at
/// NIC 0 at 2 D + 966.72 = 2,000 ns. There the 26th packet begins at that very time. So 26,000 B come, 16,000 of them beyond
/// `xoff`.
fn worst_case(headroom: Option<u32>) -> (Outcome, u32, u64) {
    let mut config = lossless(RACK, Pfc { headroom, ..PFC });
    for class in &mut config.classes {
        class.delay = Time(516_640);
    }
    let mut network = Network::new(config, 1);
    let posts: Vec<Post> = stream(0, 1, 100)
        .chain(stream(2, 0, 8))
        .chain(stream(3, 0, 8))
        .collect();
    let clos = RACK;
    let packets: Vec<(Post, Packet)> = posts.iter().map(|post| (*post, post.packet(&clos))).collect();
    let jam = (1, Fault::Jam(0, 1, true));
    // For 100 packets a NIC needs 8 µs.
    let windows = Windows {
        until: 20_000_000,
        part: 1,
    };
    let outcome = run_in_windows(&mut network, &packets, &[jam], &windows);
    let held = network.held_from(RACK.nic_up(0, 0));
    (outcome, held, network.counters().pauses)
}

#[test]
fn headroom_suffices_to_the_byte() {
    let class = lossless(RACK, PFC).classes[0];
    let mut long = class;
    long.delay = Time(516_640);
    // 1,000 B that cross; 1,000 + 84 + 6,458 B there; 1,000 + 6,458 B back.
    assert_eq!(PFC.derived_headroom(&long, &long), 16_000);
    let (outcome, held, pauses) = worst_case(None);
    assert_eq!((outcome.dropped.as_slice(), held, pauses), (&[][..], 26_000, 1));
    // The NIC was paused when the frame came, T0 1 from the start.
    let [jam, pause] = outcome.paused[..] else {
        panic!("{:?}", outcome.paused)
    };
    assert_eq!(jam, (1, RACK.nic_down(0, 1), true));
    assert_eq!(pause, (2_000_000, RACK.nic_up(0, 0), true));
}

#[test]
fn a_packet_less_of_headroom_loses_a_packet() {
    let (outcome, held, _) = worst_case(Some(15_000));
    assert_eq!(held, 25_000);
    // The 26th, at D + 26 · 80 ns.
    let lost = (2_596_640, RACK.nic_up(0, 0), 25, DropReason::Headroom);
    assert_eq!(outcome.dropped, [lost]);
    // A byte less is as bad.
    assert_eq!(worst_case(Some(15_999)).0.dropped, [lost]);
}

#[test]
fn a_pause_stops_data_and_a_resume_lets_it_go_on() {
    // NICs 0 and 1 send 40 packets each to NIC 2, which can take half of that.
    let posts: Vec<Post> = stream(0, 2, 40).chain(stream(1, 2, 40)).collect();
    let pfc = Pfc { xon: 10_000, ..PFC };
    let mut network = Network::new(lossless(RACK, pfc), 1);
    let outcome = run(&mut network, &posts);
    assert_eq!((outcome.dropped.len(), outcome.received.len()), (0, 80));
    // Pairs come in at 580 + 80 i ns (i from 0), and the T0 sends from 580 ns on a packet each 80 ns. When pair i has come, 2 i + 2
    // came in and i have left: i + 2 are there, and one of each two that leave is of NIC 0, or so. Each port holds more than
    // 10,000 B when there are more than 20 or 21, at pair 19 or 20: then the first PAUSE goes, and arrives 6.72 + 500 ns later.
    let (at, link, is_paused) = outcome.paused[0];
    assert!(is_paused && [RACK.nic_up(0, 0), RACK.nic_up(0, 1)].contains(&link));
    let pair = (at - 506_720 - 580_000) / 80_000;
    assert_eq!((at - 506_720 - 580_000) % 80_000, 0);
    assert!((19..=20).contains(&pair), "{pair}");
    // The link to NIC 2 is never idle, since with RESUME some 20 packets are left, and the next one comes in 6.72 + 80 + 2 · 500 ns
    // later, or 80 more: 80 packets, and the first one starts at 580 ns.
    assert_eq!(
        outcome.received.last().map(|r| r.at),
        Some(580_000 + 80 * 80_000 + 500_000)
    );
    assert!(outcome.paused.iter().any(|&(_, _, is_paused)| !is_paused));
    // What a link was told last is to go on.
    let end = Time(outcome.received[79].at);
    for nic in [0, 1] {
        let told = outcome
            .paused
            .iter()
            .rfind(|pause| pause.1 == RACK.nic_up(0, nic));
        assert_eq!(told.map(|pause| pause.2), Some(false));
        let times = outcome
            .paused
            .iter()
            .filter(|pause| pause.1 == RACK.nic_up(0, nic));
        let paused = times.fold(0, |sum: u64, &(at, _, on)| {
            if on {
                sum.wrapping_sub(at)
            } else {
                sum.wrapping_add(at)
            }
        });
        let (total, frames) = (
            network.pauses_on(RACK.nic_up(0, nic), end).0,
            network.pauses_on(RACK.nic_down(0, nic), end).1,
        );
        assert_eq!(total, paused);
        assert!(frames > 0 && total > 0);
    }
}

#[test]
fn a_jammed_nic_stops_its_link_for_data_only_until_it_is_repaired() {
    let mut posts: Vec<Post> = stream(0, 1, 20).collect();
    posts.push(Post {
        at: 5_000_000,
        from: 2,
        number: 7,
        size: 150,
        control: true,
        ..posts[0]
    });
    let mut network = Network::new(lossless(RACK, PFC), 1);
    let faults = [(1, Fault::Jam(0, 1, true)), (9_000_000, Fault::Jam(0, 1, false))];
    let outcome = run_with_faults(&mut network, &posts, &faults);
    // 150 B take 12 ns twice, and two links.
    let control = outcome.received.iter().find(|r| r.packet.is_control());
    assert_eq!(control.map(|r| r.at), Some(5_000_000 + 2 * (12_000 + 500_000)));
    let data = outcome.received.iter().filter(|r| !r.packet.is_control());
    let expected = (1..=20).map(|i| 9_000_000 + i * 80_000 + 500_000);
    assert!(data.map(|r| r.at).eq(expected));
    assert_eq!(outcome.dropped, []);
    assert_eq!(
        network.pauses_on(RACK.nic_down(0, 1), Time(20_000_000)),
        (8_999_999, 0)
    );
}

/// NICs 0 and 1 at T0 0, 2 to 5 at T0 1, one T1.
const PAIR: Clos = Clos::two_tiers(1, 2, 1, 4);

/// NIC 0 (the victim) sends to NIC 4 and NIC 1 to NIC 5, both over the one uplink of their T0; NICs 6 and 7, at NIC 5's T0, send to NIC
/// 5 as well. Returns how many packets came from NICs 0, 1, 6 and 7 within 800 µs, which is 10,000 times a packet's.
fn incast(pfc: Option<Pfc>) -> ([usize; 4], Network, Outcome) {
    let mut config = lossless(PAIR, PFC);
    config.pfc = pfc;
    let mut network = Network::new(config, 1);
    let flows = [(0, 4), (1, 5), (6, 5), (7, 5)];
    let posts = flows.iter().flat_map(|&(from, to)| stream(from, to, 10_000));
    let packets: Vec<(Post, Packet)> = posts.map(|post| (post, post.packet(&PAIR))).collect();
    let windows = Windows {
        until: 800_000_000,
        part: 1,
    };
    let outcome = run_in_windows(&mut network, &packets, &[], &windows);
    (
        flows.map(|(from, to)| came(&outcome, from, to).len()),
        network,
        outcome,
    )
}

#[test]
fn a_victim_waits_behind_an_incast_that_it_is_no_part_of() {
    // Without flow control the victim has half of its uplink, of which nothing else is asked: 5,000 packets, less those under way
    // over four links in 2 µs and 0.32 µs.
    let ([victim, ..], _, outcome) = incast(None);
    assert_eq!(outcome.dropped, []);
    assert!((4_960..=5_000).contains(&victim), "{victim}");
    // With it, the link from the T1 is paused for the incast's sake, and so are the uplink before it and both NICs. On the uplink the
    // victim's packets and those of NIC 1 take turns, so it gets no more than that: of three that send to NIC 5 at most a third.
    let ([victim, first, second, third], network, outcome) = incast(Some(PFC));
    assert_eq!(outcome.dropped, []);
    assert!((9_970..=10_000).contains(&(first + second + third)));
    assert!(
        first <= 3_334 && victim.abs_diff(first) <= 40,
        "{victim}, {first}"
    );
    let paused = |link| network.pauses_on(link, Time(800_000_000)).0;
    for link in [
        PAIR.down(0, 0, 1),
        PAIR.up(0, 0, 0),
        PAIR.nic_up(0, 0),
        PAIR.nic_up(0, 1),
    ] {
        assert!(paused(link) > 80_000_000, "{link}: {}", paused(link));
    }
    // Nothing is in the way of what goes to NIC 4.
    assert_eq!(paused(PAIR.nic_down(0, 4)), 0);
    assert_eq!(network.port(PAIR.nic_down(0, 4)).data_bytes / 1_000, 0);
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

/// Random traffic: bursts of 1 to 40 packets of 64 to 1,000 B, many of them to the same few NICs; every tenth packet is control.
fn bursts(clos: &Clos, seed: u64, count: u64) -> Vec<Post> {
    let mut posts = Vec::new();
    for burst in 0..count {
        let draw = |what: u64, bound: u64| below(draw(seed << 32 | burst, what), bound) as u32;
        let nics = u64::from(clos.nics());
        let (from, mut to) = (draw(0, nics), draw(1, if burst % 2 == 0 { 2 } else { nics }));
        if from == to {
            to = (to + 1) % clos.nics();
        }
        let (at, plane) = (u64::from(draw(2, 20_000_000)), draw(3, u64::from(clos.planes)));
        let path = draw(4, u64::from(clos.paths(from, to)));
        for i in 0..1 + draw(5, 40) {
            posts.push(Post {
                at,
                from,
                to,
                plane,
                path,
                number: posts.len() as u32,
                size: 64 + draw(6 + u64::from(i), 937) as u16,
                control: i % 10 == 9,
            });
        }
    }
    posts
}

/// The same run in parts and with shorter windows.
fn whatever_the_parts(config: &Config, posts: &[Post], faults: &[(u64, Fault)]) -> (Outcome, Network) {
    let packets: Vec<(Post, Packet)> = posts
        .iter()
        .map(|post| (*post, post.packet(&config.clos)))
        .collect();
    let mut first: Option<(Outcome, Network)> = None;
    for (parts, part) in [(1, 1), (3, 1), (1, 3), (2, 7)] {
        let mut network = Network::new(config.clone(), parts);
        let windows = Windows {
            part,
            ..Windows::default()
        };
        let outcome = run_in_windows(&mut network, &packets, faults, &windows);
        match &first {
            None => first = Some((outcome, network)),
            Some((first, _)) => assert_eq!(*first, outcome, "{parts} parts, windows of 1/{part}"),
        }
    }
    first.expect("ran")
}

#[test]
fn nothing_is_ever_lost_and_a_tree_never_locks_up() {
    for (seed, clos) in [
        (1, Clos::two_tiers(2, 3, 3, 4)),
        (2, THREE_TIERS),
        (3, RACK),
        (4, THREE_TIERS),
    ] {
        // Little room, so that there are many pauses.
        let pfc = Pfc {
            xoff: 3_000,
            xon: if seed % 2 == 0 { 3_000 } else { 0 },
            ..PFC
        };
        let posts = bursts(&clos, seed, 400);
        let (outcome, network) = whatever_the_parts(&lossless(clos, pfc), &posts, &[]);
        assert_eq!(outcome.dropped, []);
        assert_eq!(outcome.received.len(), posts.len());
        let counters = network.counters();
        assert!(counters.pauses > 100, "{}", counters.pauses);
        // Each PAUSE was followed by a RESUME; both were created and delivered.
        assert_eq!(counters.created, posts.len() as u64 + 2 * counters.pauses);
        assert_eq!(counters.delivered, counters.created);
        assert_eq!(network.deadlock(), None);
        for link in 0..clos.links() {
            assert_eq!((network.held_from(link), network.port(link).data_bytes), (0, 0));
        }
    }
}

#[test]
fn without_headroom_there_are_losses() {
    let pfc = Pfc {
        xoff: 3_000,
        headroom: Some(1_000),
        ..PFC
    };
    let posts = bursts(&THREE_TIERS, 5, 400);
    let (outcome, network) = whatever_the_parts(&lossless(THREE_TIERS, pfc), &posts, &[]);
    let lost = outcome.drops(DropReason::Headroom);
    assert!(lost > 0);
    assert_eq!(outcome.received.len() + lost, posts.len());
    assert_eq!(
        network.counters().drops[DropReason::Headroom as usize],
        lost as u64
    );
}

#[test]
fn links_and_switches_fail_and_come_back_without_a_pause_that_stays() {
    let clos = THREE_TIERS;
    let t1 = usid::usid(0, usid::T1, 0);
    let t0 = usid::usid(1, usid::T0, 0);
    let faults = [
        (2_000_000, Fault::LinkDown(clos.down(0, 1, 0))),
        (2_000_000, Fault::LinkDown(clos.up(0, 0, 1))),
        (3_000_000, Fault::LinkDown(clos.nic_up(1, 0))),
        (4_000_000, Fault::SwitchDown(t1)),
        (5_000_000, Fault::LinkLoss(clos.nic_down(0, 0), 0.3)),
        (6_000_000, Fault::Jam(0, 1, true)),
        (7_000_000, Fault::SwitchDown(t0)),
        (9_000_000, Fault::LinkUp(clos.down(0, 1, 0))),
        (9_000_000, Fault::LinkUp(clos.nic_up(1, 0))),
        (10_000_000, Fault::SwitchUp(t1)),
        (11_000_000, Fault::LinkUp(clos.up(0, 0, 1))),
        (12_000_000, Fault::SwitchUp(t0)),
        (14_000_000, Fault::Jam(0, 1, false)),
    ];
    let pfc = Pfc {
        xoff: 3_000,
        xon: 1_000,
        ..PFC
    };
    let posts = bursts(&clos, 6, 600);
    let (outcome, network) = whatever_the_parts(&lossless(clos, pfc), &posts, &faults);
    assert_eq!(outcome.received.len() + outcome.dropped.len(), posts.len());
    for reason in [
        DropReason::LinkDown,
        DropReason::SwitchDead,
        DropReason::RandomLoss,
    ] {
        assert!(outcome.drops(reason) > 0, "{}", reason.name());
    }
    for link in 0..clos.links() {
        let last = outcome.paused.iter().rfind(|pause| pause.1 == link);
        assert!(
            last.is_none_or(|&(_, _, is_paused)| !is_paused),
            "{link} stays paused"
        );
        assert_eq!(network.held_from(link), 0);
    }
}

#[test]
fn a_fabric_without_queues_that_fill_does_the_same_either_way() {
    // With limits that are never reached, what the two ways of working off a switch do must agree to the last bit.
    let pfc = Pfc {
        xoff: 1 << 30,
        xon: 0,
        ..PFC
    };
    for clos in [RACK, Clos::two_tiers(2, 3, 3, 4), THREE_TIERS] {
        for posts in [everybody_to_everybody(&clos), bursts(&clos, 7, 200)] {
            let mut config = config(clos);
            for class in &mut config.classes {
                (class.ecn_min, class.ecn_max) = (2_000, 20_000);
            }
            let usual = run(&mut Network::new(config.clone(), 1), &posts);
            config.pfc = Some(pfc);
            assert_eq!(run(&mut Network::new(config, 1), &posts), usual);
        }
    }
}

/// When data was paused on a link, or went on.
fn pauses(outcome: &Outcome, link: u32) -> Vec<(u64, bool)> {
    let mine = outcome.paused.iter().filter(|pause| pause.1 == link);
    mine.map(|&(at, _, is_paused)| (at, is_paused)).collect()
}

#[test]
fn a_pause_ends_with_the_link_that_it_came_by_and_is_told_again() {
    // NIC 0 sends to NIC 1, which is jammed, and is paused: the eleventh packet comes in at 580 + 800 ns, PAUSE takes 6.72 + 500.
    let posts: Vec<Post> = stream(0, 1, 200).collect();
    let back = RACK.nic_down(0, 0);
    let faults = [
        (1, Fault::Jam(0, 1, true)),
        (5_000_000, Fault::LinkDown(back)),
        (8_000_000, Fault::LinkUp(back)),
        (20_000_000, Fault::Jam(0, 1, false)),
    ];
    let mut network = Network::new(lossless(RACK, PFC), 1);
    let outcome = run_with_faults(&mut network, &posts, &faults);
    // It goes on when nothing can be heard any more. Packets come in again at 5,580 + 80 i ns; the first one that does so when the
    // link is back, at 8,060, makes the T0 say it again, though there is no room for it.
    let told = pauses(&outcome, RACK.nic_up(0, 0));
    let first = 580_000 + 800_000 + 506_720;
    assert_eq!(
        told[..3],
        [(first, true), (5_000_000, false), (8_060_000 + 506_720, true)]
    );
    // In between 36 packets began to leave, from 5,000 to 7,800 and on to 8,560 ns: 45 of them. The first 24 had left before. There was
    // room for 10,000 B and the headroom, 15,584 B.
    let sent_before = 1 + first / 80_000;
    let sent_in_between = 1 + (8_566_720 - 5_000_000) / 80_000;
    assert_eq!((sent_before, sent_in_between), (24, 45));
    assert_eq!(outcome.drops(DropReason::Headroom) as u64, 24 + 45 - 25);
    assert_eq!(outcome.received.len() + outcome.dropped.len(), 200);
}

#[test]
fn a_pause_ends_with_the_switch_that_asked_for_it_and_a_new_one_is_told_again() {
    // NIC 0 sends to NIC 4, which is jammed. T0 1 pauses T1 0, that pauses T0 0, and that NIC 0.
    let posts: Vec<Post> = stream(0, 4, 400).collect();
    let t1 = usid::usid(0, usid::T1, 0);
    let faults = [
        (1, Fault::Jam(0, 4, true)),
        (20_000_000, Fault::SwitchDown(t1)),
        (20_500_000, Fault::SwitchUp(t1)),
        (60_000_000, Fault::Jam(0, 4, false)),
    ];
    let mut network = Network::new(lossless(PAIR, PFC), 1);
    let outcome = run_with_faults(&mut network, &posts, &faults);
    let [up, down] = [PAIR.up(0, 0, 0), PAIR.down(0, 0, 1)];
    // Both links at the T1 go on at once, but for what it had it has lost.
    for link in [up, down] {
        let told = pauses(&outcome, link);
        assert!(told[0].1 && told[1] == (20_000_000, false), "{told:?}");
    }
    // T0 0 sends a packet at once, which is at the T1 at 20,580 ns, when it is back, and at T0 1 at 21,160: that says it again.
    assert_eq!(pauses(&outcome, down)[2], (21_160_000 + 506_720, true));
    // Before the T1 heard that, packets began to leave at 20,580 + 80 i ns up to 21,666.72: 14 of them. T0 1 had 11 that made it speak the
    // first time and 13 that began to leave in the 580 + 506.72 ns until the T1 heard: of 25,584 B there was room for one.
    assert_eq!(outcome.drops(DropReason::Headroom), 13);
    assert_eq!(outcome.received.len() + outcome.dropped.len(), 400);
}

/// Three T0s with two NICs each, one T1.
const STAR: Clos = Clos::two_tiers(1, 3, 1, 2);

#[test]
fn a_dead_switch_says_nothing() {
    // NICs 0 and 1 send to T0 1 and T0 2 over the T1, and NICs 2 and 4 to NICs 5 and 3, so that both links down have a queue.
    let pfc = Pfc {
        xoff: 1_500,
        xon: 0,
        ..PFC
    };
    let flows = [(0, 2), (1, 4), (2, 5), (4, 3)];
    let posts = flows.iter().flat_map(|&(from, to)| stream(from, to, 100));
    let packets: Vec<(Post, Packet)> = posts.map(|post| (post, post.packet(&STAR))).collect();
    for i in 0..200 {
        let death = 3_000_000 + 7_001 * i;
        // Half of them come back at once, while what had begun to leave is still under way.
        let again = death + if i % 2 == 0 { 100_000 } else { 50_000_000 };
        let t1 = usid::usid(0, usid::T1, 0);
        let faults = [(death, Fault::SwitchDown(t1)), (again, Fault::SwitchUp(t1))];
        let mut network = Network::new(lossless(STAR, pfc), 1);
        let windows = Windows {
            until: 1_000_000_000,
            part: 1,
        };
        let outcome = run_in_windows(&mut network, &packets, &faults, &windows);
        assert_eq!(outcome.received.len() + outcome.dropped.len(), 400, "{death}");
        for t0 in 0..3 {
            let told = pauses(&outcome, STAR.up(0, t0, 0));
            let late = told
                .iter()
                .filter(|&&(at, on)| on && (death..again).contains(&at));
            assert_eq!(late.count(), 0, "{death}");
            assert!(told.last().is_none_or(|&(_, on)| !on), "{death}");
        }
    }
}

#[test]
fn a_weight_for_data_does_not_hold_up_control_while_data_is_paused() {
    let mut config = lossless(RACK, PFC);
    // A quarter of the line for control.
    config
        .classes
        .iter_mut()
        .for_each(|class| class.control_weight = 1 << 14);
    let mut posts: Vec<Post> = stream(0, 1, 5).collect();
    for number in 0..40 {
        posts.push(Post {
            at: 5_000_000,
            from: 2 + number % 2,
            number,
            size: 150,
            control: true,
            ..posts[0]
        });
    }
    let mut network = Network::new(config, 1);
    let faults = [(1, Fault::Jam(0, 1, true)), (9_000_000, Fault::Jam(0, 1, false))];
    let outcome = run_with_faults(&mut network, &posts, &faults);
    let control = outcome.received.iter().filter(|r| r.packet.is_control());
    // Two come in at a time, and they leave one after the other: 12 ns each.
    let expected = (2..=41).map(|i| 5_000_000 + i * 12_000 + 2 * 500_000);
    assert!(control.map(|r| r.at).eq(expected));
}

#[test]
fn a_packet_that_turns_back_waits_for_the_pause_that_it_causes() {
    // From NIC 0 up to the T1 and back by the same cable, to NIC 1. Each switch says to pause as soon as it holds the packet.
    let pfc = Pfc {
        xoff: 500,
        xon: 0,
        ..PFC
    };
    let way = [(usid::T0, 0), (usid::T1, 0), (usid::T0, 0), (usid::NIC, 1)];
    let usids = way.map(|(tier, index)| u64::from(usid::usid(0, tier, index)));
    let post = Post {
        to: 1,
        ..stream(0, 1, 1).next().expect("one")
    };
    let packet = Packet {
        usids: usids.iter().fold(0, |container, usid| container << 16 | usid),
        ..post.packet(&PAIR)
    };
    let mut network = Network::new(lossless(PAIR, pfc), 1);
    let outcome = run_in_windows(&mut network, &[(post, packet)], &[], &Windows::default());
    // Four links, and 84 B before it on the third.
    let times: Vec<u64> = outcome.received.iter().map(|r| r.at).collect();
    assert_eq!(times, [4 * 580_000 + 6_720]);
    assert_eq!((network.counters().pauses, outcome.dropped.len()), (3, 0));
}
