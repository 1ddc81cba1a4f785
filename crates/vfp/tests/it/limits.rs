//! Flow limits by class and direction, what a VM may send, and the state of the port.

use crate::support::{packet, port, port_with, reply, seconds, send, term};
use gft::{Direction, Encap, EncapKind, Mac, Prefix};
use kernel::Time;
use vfp::{AddressTerm, DropReason, FlowClass, Guard, Limits, Policy, Settings, Verdict};

fn passes(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Forward(_))
}

const FULL: Verdict = Verdict::Drop(DropReason::DroppedResourcesUnifiedFlowMaxFlowsLimit);

/// Three packets of every kind against a limit of 2 in one class and one direction.
#[test]
fn every_class_has_its_limit() {
    let cases = [
        (FlowClass::TotalEntry, [2, 0, 0]),
        (FlowClass::TotalFlow, [2, 0, 0]),
        (FlowClass::TcpFlow, [2, 3, 3]),
        (FlowClass::HalfOpenFlow, [2, 3, 3]),
        (FlowClass::UdpFlow, [3, 2, 3]),
        (FlowClass::OtherFlow, [3, 3, 2]),
    ];
    for (class, expected) in cases {
        for side in [0, 1] {
            let mut settings = Settings::default();
            settings.limits[side] = Limits::default().with(class, 2);
            let mut port = port_with(Policy::default(), settings);
            let through = ["tcp", "udp", "icmp"].map(|kind| {
                let one = |n: &u8| {
                    let headers = packet(&format!("{kind} 10.0.0.4 {n} 10.0.0.5 {n}"));
                    passes(send(&mut port, seconds(1), &headers, Direction::Out).verdict)
                };
                [1, 2, 3].iter().map(one).filter(|&through| through).count()
            });
            assert_eq!(through, expected, "{} side {side}", class.name());
        }
    }
}

/// 500,000 connections and no more (documented); those that exist go on, and one that ends makes room.
#[test]
fn the_default_limit_is_500_000_connections() {
    let mut port = port(Policy::default());
    let udp = |n: u32| {
        let mut headers = packet("udp 10.0.0.4 1 10.0.0.5 2");
        headers.tuple.src_port = (n % 50_000) as u16;
        headers.tuple.dst = gft::Address::v4(10, 1, 0, (n / 50_000) as u8);
        headers
    };
    for n in 0..500_000 {
        assert!(passes(
            send(&mut port, seconds(1), &udp(n), Direction::Out).verdict
        ));
    }
    assert_eq!(
        send(&mut port, seconds(1), &udp(500_000), Direction::Out).verdict,
        FULL
    );
    assert!(passes(
        send(&mut port, seconds(100), &udp(7), Direction::Out).verdict
    ));
    let expired = port.expire(seconds(300), 1_000_000, &mut Vec::new());
    assert_eq!((expired.pairs, port.pairs(), expired.more), (499_999, 1, false));
    assert!(passes(
        send(&mut port, seconds(300), &udp(500_000), Direction::Out).verdict
    ));
    let stats = port.stats().0[0][FlowClass::UdpFlow as usize];
    assert_eq!((stats.count, stats.maximum, stats.created), (2, 500_000, 500_001));
    assert_eq!(stats.creation_rate.maximum(), 500_000);
    assert_eq!(stats.deletion_rate.per_second(seconds(301)), 499_999);
}

/// Expiry does no more than it is told, and says that there is more.
#[test]
fn expiry_is_bounded() {
    let mut port = port(Policy::default());
    for n in 0..10 {
        send(
            &mut port,
            seconds(1),
            &packet(&format!("udp 10.0.0.4 {n} 10.0.0.5 2")),
            Direction::Out,
        );
    }
    assert_eq!(port.next_expiry(), Some(Time::from_ms(241_100)));
    for (left, more) in [(6, true), (2, true), (0, false)] {
        let expired = port.expire(seconds(500), 4, &mut Vec::new());
        assert_eq!((port.pairs(), expired.more), (left, more));
    }
    assert_eq!(port.next_expiry(), None);
}

/// The counters by their public names, drops included.
#[test]
fn counters_have_public_names() {
    let mut port = port(Policy::default());
    port.settings.blocked = true;
    send(
        &mut port,
        seconds(1),
        &packet("udp 10.0.0.4 1 10.0.0.5 2"),
        Direction::Out,
    );
    let named: Vec<_> = port.counters().named().filter(|&(_, count)| count > 0).collect();
    assert_eq!(named, [("DropBlocked", 1)]);
    let names: Vec<_> = port.counters().named().map(|(name, _)| name).collect();
    for name in [
        "TcpHalfOpenTimeouts",
        "NumberOfFlowResimulated",
        "DroppedAcl",
        "DropIPv4Spoofing",
    ] {
        assert!(names.contains(&name), "{name}");
    }
}

/// A VM may send with its own addresses only; what comes in must belong to one of its networks.
#[test]
fn the_guard() {
    let prefix = |text| match term(text) {
        AddressTerm::Prefix(prefix) => prefix,
        other => panic!("{other:?}"),
    };
    let guard = Guard {
        mac: Some(Mac(0xa)),
        addresses: vec![prefix("10.0.0.4"), Prefix::new("fd00::".parse().unwrap(), 64)],
        tnis: vec![5_001],
        forbidden: vec![prefix("100.64.0.0/10")],
    };
    let settings = Settings {
        guard,
        ..Settings::default()
    };
    let mut port = port_with(Policy::default(), settings);
    let mut verdict = |headers, direction| send(&mut port, seconds(1), &headers, direction).verdict;
    let own = packet("udp 10.0.0.4 1 10.0.0.5 2");
    assert!(passes(verdict(own, Direction::Out)));
    assert!(passes(verdict(packet("udp fd00::9 1 fd00::5 2"), Direction::Out)));
    let spoofed = packet("udp 10.0.0.9 1 10.0.0.5 2");
    assert_eq!(
        verdict(spoofed, Direction::Out),
        Verdict::Drop(DropReason::DropIPv4Spoofing)
    );
    let mut foreign = own;
    foreign.src_mac = Mac(0xf);
    assert_eq!(
        verdict(foreign, Direction::Out),
        Verdict::Drop(DropReason::MacSpoofing)
    );
    let provider = packet("udp 10.0.0.4 1 100.64.0.2 4789");
    assert_eq!(
        verdict(provider, Direction::Out),
        Verdict::Drop(DropReason::DroppedAcl)
    );
    let mut inbound = reply(own, own.flags);
    let encap = |tni| Encap {
        kind: EncapKind::Vxlan,
        src: gft::Address::v4(100, 64, 0, 2),
        dst: gft::Address::v4(100, 64, 0, 1),
        tni,
        dst_mac: Mac(1),
    };
    // The VM's own tenant's, too: encapsulations are put on here.
    let mut wrapped = own;
    wrapped.encaps[0] = Some(encap(5_001));
    assert_eq!(
        verdict(wrapped, Direction::Out),
        Verdict::Drop(DropReason::VirtualSubnetId)
    );
    inbound.encaps[0] = Some(encap(5_001));
    assert!(passes(verdict(inbound, Direction::In)));
    inbound.encaps[0] = Some(encap(5_002));
    assert_eq!(
        verdict(inbound, Direction::In),
        Verdict::Drop(DropReason::VirtualSubnetId)
    );
}

/// A blocked port and one that is not enabled drop everything, known flows too.
#[test]
fn blocked_and_disabled() {
    let mut port = port(Policy::default());
    let headers = packet("udp 10.0.0.4 1 10.0.0.5 2");
    send(&mut port, seconds(1), &headers, Direction::Out);
    port.settings.blocked = true;
    assert_eq!(
        send(&mut port, seconds(1), &headers, Direction::Out).verdict,
        Verdict::Drop(DropReason::DropBlocked)
    );
    port.settings.enabled = false;
    assert_eq!(
        send(&mut port, seconds(1), &headers, Direction::Out).verdict,
        Verdict::Drop(DropReason::NicDisabled)
    );
    (port.settings.enabled, port.settings.blocked) = (true, false);
    assert!(passes(
        send(&mut port, seconds(1), &headers, Direction::Out).verdict
    ));
    assert_eq!(port.pairs(), 1);
}
