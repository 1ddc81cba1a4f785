use super::*;
use crate::{Clos, config};

fn limits_with(change: impl FnOnce(&mut Config)) -> [Limits; LinkKind::COUNT] {
    let mut config = config::for_tests(Clos::two_tiers(1, 2, 2, 2));
    config.pfc = Some(Pfc {
        xoff: 100_000,
        xon: 150_000,
        headroom: None,
        largest: 4_000,
        frame: 84,
    });
    change(&mut config);
    limits(&config)
}

#[test]
fn headroom_follows_the_links_of_the_cable() {
    // 100 Gb/s and 500 ns each way: 3 packets, a frame, and 2 times 6,250 B.
    let all = limits_with(|_| ());
    assert!(
        all.iter()
            .all(|limits| limits.most == 100_000 + 3 * 4_000 + 84 + 12_500)
    );
    // Going on is never later than pausing.
    assert!(all.iter().all(|limits| limits.xon == 100_000));
    // To a T0 from a NIC over 1 µs, and back over 500 ns: 12,500 and 6,250 B.
    let all = limits_with(|config| config.classes[LinkKind::NicUp as usize].delay = Time(1_000_000));
    assert_eq!(all[LinkKind::NicDown as usize].most, 100_000 + 12_084 + 18_750);
    // Four times the rate, in both directions: 25,000 B each way.
    let all = limits_with(|config| {
        for kind in [LinkKind::Up, LinkKind::Down] {
            config.classes[kind as usize] = LinkClass::new(400_000_000_000, Time(500_000));
        }
    });
    assert_eq!(all[LinkKind::Up as usize].most, 100_000 + 12_084 + 50_000);
    // What is given counts, and a switch of 4 ports never holds more than 4 GiB.
    let all = limits_with(|config| config.pfc.as_mut().expect("given").headroom = Some(1));
    assert_eq!(all[0].most, 100_001);
    let all = limits_with(|config| config.pfc.as_mut().expect("given").xoff = 1 << 31);
    assert_eq!(all[0].most, u32::MAX / 4);
    assert_eq!(all[0].xoff, u32::MAX / 4 - (12_084 + 12_500));
    let all = limits_with(|config| config.pfc.as_mut().expect("given").headroom = Some(u32::MAX));
    assert_eq!((all[0].most, all[0].xoff, all[0].xon), (u32::MAX / 4, 0, 0));
}

#[test]
fn headroom_is_rounded_up_where_a_byte_takes_no_whole_number_of_picoseconds() {
    // At 56 Gb/s a byte takes 142.857 ps, and a packet of 64 B 9,143 ps, which is 9,142.857 rounded. Packets of 67 B take 9,571
    // (9,571.43): in 957,100 ps a hundred of them end, 6,700 B, where the rate alone would allow 6,699.7.
    let class = LinkClass::new(56_000_000_000, Time(1));
    assert_eq!(class.serialise(67), Time(9_571));
    assert!((6_700..6_710).contains(&class.most_in(Time(957_100))));
    // 80 ps are exact.
    let class = LinkClass::new(100_000_000_000, Time(1));
    assert_eq!(
        (class.most_in(Time(80_000)), class.most_in(Time(80_001))),
        (1_000, 1_001)
    );
}

#[test]
fn a_nic_holds_a_packet_while_it_is_paused() {
    struct Nobody;
    impl Observer for Nobody {}
    let mut config = config::for_tests(Clos::two_tiers(1, 2, 2, 2));
    config.pfc = Some(Pfc {
        xoff: 10_000,
        xon: 5_000,
        headroom: None,
        largest: 1_000,
        frame: 84,
    });
    let mut network = Network::new(config, 1);
    let (common, parts) = network.split();
    let part = &mut parts[0];
    let frame = |quanta| Packet {
        kind: PacketKind::Pause,
        flags: flags::CONTROL,
        psn: quanta,
        ..Packet::default()
    };
    let data = Packet {
        size: 1_000,
        ..Packet::default()
    };
    part.pause_nic(common, &mut Nobody, 0, 1, &frame(QUANTA), Time(1_000));
    assert!(part.nic_port(0, 1).is(state::PAUSED));
    part.send_data(common, 0, 1, &data, 2_000);
    part.serve_nic(common, 0, 1, 3_000);
    let port = part.nic_port(0, 1);
    assert!(port.has_data_waiting() && !port.is(state::BUSY));
    // 1,000 B take 80 ns.
    part.pause_nic(common, &mut Nobody, 0, 1, &frame(0), Time(4_000));
    let port = part.nic_port(0, 1);
    assert!(!port.is(state::PAUSED) && port.is(state::BUSY));
    assert_eq!(port.free_at, 84_000);
    let link = network.config().clos.nic_up(0, 1);
    assert_eq!(network.pauses_on(link, Time(9_000)), (3_000, 0));
    assert_eq!(network.paused_since(link), None);
}
