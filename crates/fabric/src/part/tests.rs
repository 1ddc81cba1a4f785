//! One port at work.

use super::*;
use crate::{Clos, Config, PacketKind, config};

struct Nobody;
impl Observer for Nobody {}

const CLOS: Clos = Clos::two_tiers(1, 2, 2, 2);

fn common(change: impl FnOnce(&mut Config)) -> Common {
    let mut config = config::for_tests(CLOS);
    change(&mut config);
    Common::new(config, 1)
}

fn data(psn: u32, size: u16) -> Data {
    Data {
        psn,
        size,
        ..Data::default()
    }
}

fn control(psn: u32, size: u16) -> Control {
    Control::from(&Packet {
        psn,
        size,
        kind: PacketKind::Sack,
        flags: flags::CONTROL,
        ..Packet::default()
    })
}

/// The port of T0 0 to T1 0, and where it leads.
fn uplink(common: &Common) -> (Part, Port, Line<'_>) {
    let part = Part::new(common, 0);
    let line = Line {
        link: CLOS.up(0, 0, 0),
        class: common.config.class(LinkKind::Up),
        far: Far {
            part: 0,
            port: CLOS.down(0, 0, 0),
            place: part.span.t1_place(0, 0),
        },
    };
    (part, Port::new(LinkKind::Up), line)
}

/// What is on its way to the far end: arrival time, PSN and whether it is marked, data and control together in order.
fn on_the_way(part: &Part, line: &Line<'_>) -> Vec<(u64, u32, bool)> {
    let far = &part.ports[line.far.port as usize];
    let data = part.data.iter(far.data_in);
    let control = part.control.iter(far.control_in);
    let mut all: Vec<_> = data
        .map(|(at, p)| (at, p.psn, p.flags & flags::ECN != 0))
        .chain(control.map(|(at, p)| (at, p.psn, p.flags & flags::ECN != 0)))
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn control_goes_first_but_does_not_interrupt() {
    let common = common(|_| ());
    let (mut part, mut port, line) = uplink(&common);
    for psn in 0..3 {
        part.enqueue_data(&common, &mut Nobody, &mut port, &line, data(psn, 1000), 0);
    }
    part.enqueue_control(&mut Nobody, &mut port, &line, control(3, 100), 0);
    assert_eq!((port.data_bytes, port.control_bytes), (3000, 100));
    part.serve(&common, &mut port, &line, 1_000_000);
    // 1,000 B take 80 ns and 100 B take 8 ns at 100 Gb/s; the wire adds 500 ns.
    let expected = [(580_000, 0), (588_000, 3), (668_000, 1), (748_000, 2)];
    let sent: Vec<(u64, u32)> = on_the_way(&part, &line)
        .iter()
        .map(|&(at, psn, _)| (at, psn))
        .collect();
    assert_eq!(sent, expected);
    assert_eq!((port.data_bytes, port.control_bytes), (0, 0));
    assert!(!port.is(state::BUSY));
    assert_eq!((port.tx_packets, port.tx_bytes), (4, 3100));
    // The far end knows from when on there is something to do.
    assert_eq!(part.due[line.far.place as usize], 580_000);
}

#[test]
fn serving_often_or_once_gives_the_same() {
    let common = common(|config| {
        config.classes[LinkKind::Up as usize].ecn_min = 10_000;
        config.classes[LinkKind::Up as usize].ecn_max = 60_000;
    });
    let run = |steps: &mut dyn Iterator<Item = u64>| {
        let (mut part, mut port, line) = uplink(&common);
        for psn in 0..20 {
            part.enqueue_data(&common, &mut Nobody, &mut port, &line, data(psn, 4150), 0);
        }
        for to in steps {
            part.serve(&common, &mut port, &line, to);
        }
        (part.counters.ecn_marks, on_the_way(&part, &line))
    };
    let once = run(&mut [50_000_000].into_iter());
    assert_eq!(run(&mut (0..=50_000).map(|i| i * 1_000)), once);
    // With 19 packets behind it (78,850 B) the first is surely marked, the last ones (≤ 10,000 B left) never.
    assert!(once.1[0].2 && !once.1[18].2 && !once.1[19].2, "{once:?}");
    assert_eq!(once.0, once.1.iter().filter(|p| p.2).count() as u64);
}

#[test]
fn a_full_queue_trims_what_arrives_and_counts_it() {
    let common = common(|config| config.classes[LinkKind::Up as usize].data_limit = 2_500);
    let (mut part, mut port, line) = uplink(&common);
    for psn in 0..3 {
        part.enqueue_data(&common, &mut Nobody, &mut port, &line, data(psn, 1000), 0);
    }
    assert_eq!((part.counters.trims, part.counters.trims_last_hop), (1, 0));
    assert_eq!((port.data_bytes, port.control_bytes), (2_000, 64));
    part.serve(&common, &mut port, &line, 1_000_000);
    // The third one, trimmed to 64 B (5.12 ns), overtakes the second.
    let sent: Vec<u32> = on_the_way(&part, &line).iter().map(|&(_, psn, _)| psn).collect();
    assert_eq!(sent, [0, 2, 1]);
}

#[test]
fn without_trimming_a_full_queue_drops() {
    let common = common(|config| {
        config.classes[LinkKind::Up as usize].data_limit = 2_500;
        config.trimming = false;
    });
    let (mut part, mut port, line) = uplink(&common);
    for psn in 0..3 {
        part.enqueue_data(&common, &mut Nobody, &mut port, &line, data(psn, 1000), 0);
    }
    assert_eq!(part.counters.drops[DropReason::QueueFull as usize], 1);
    assert_eq!(part.dropped, [(line.link, DropReason::QueueFull)]);
    assert_eq!(port.data_bytes, 2_000);
}

#[test]
fn windows_are_as_long_as_the_shortest_link_to_a_switch() {
    let mut delays = [7, 1, 9, 8];
    let look_ahead = |delays: [u64; 4], t0s: u32| {
        let common = common(|config| {
            config.clos.t0s = t0s;
            for (class, delay) in config.classes.iter_mut().zip(delays) {
                class.delay = Time(delay * 1_000);
            }
        });
        (common.look_ahead().0, common.narrow_look_ahead().0)
    };
    // By LinkKind: NIC to T0, T0 to NIC, T0 to T1, T1 to T0.
    assert_eq!(look_ahead(delays, 2), (7_000, 1_000));
    delays[2] = 3;
    assert_eq!(look_ahead(delays, 2), (3_000, 1_000));
    assert_eq!(look_ahead(delays, 1), (7_000, 1_000), "no T1 is crossed");
}

#[test]
fn marks_rise_to_pmax_and_are_certain_above() {
    let mut class = LinkClass::new(100_000_000_000, Time(1));
    // DCQCN's published K_min, K_max and P_max (SIGCOMM'15): 5 KB, 200 KB, 1 %.
    (class.ecn_min, class.ecn_max, class.ecn_pmax) = (5_000, 200_000, WHOLE / 100);
    let mut port = Port::new(LinkKind::Up);
    let mut marks = |bytes: u32| {
        port.data_bytes = bytes;
        let all = (0..1_000_000).filter(|&packet| {
            port.tx_packets = packet;
            marked(&port, &class, 7)
        });
        all.count()
    };
    // A million packets each: at K_max 1 % (655 / 65,536), sigma 99.5; halfway 0.5 %, sigma 70.5; five of them.
    let at_max = marks(200_000);
    assert!((9_497..=10_492).contains(&at_max), "{at_max}");
    let halfway = marks(102_500);
    assert!((4_644..=5_350).contains(&halfway), "{halfway}");
    assert_eq!((marks(5_001), marks(200_001)), (0, 1_000_000));
}
