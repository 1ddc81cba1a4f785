//! Load balancing and source NAT (facts/accelnet.md, sections 1.2 and 6.4).

use crate::support::{
    ACK, RST, SYN_ACK, address, dst_port, forwarded, group, layer, packet, port, port_of, reply, rule,
    seconds, send, with,
};
use gft::{Direction, Headers};
use vfp::{
    Action, Backend, Condition, Distribution, DropReason, Frontend, Policy, PoolId, PoolSpec, Port, Verdict,
};

fn snat(frontends: Vec<Frontend>) -> Port {
    let rules = vec![rule(
        "snat",
        1,
        Condition::any(),
        2,
        Action::DynNat { pool: PoolId(0) },
    )];
    port(Policy {
        layers: vec![layer(0, true, true, vec![group("out", Direction::Out, 1, rules)])],
        pools: vec![PoolSpec {
            name: "outbound".into(),
            frontends,
        }],
        ..Policy::default()
    })
}

fn frontend(last: u8, first_port: u16, last_port: u16) -> Frontend {
    Frontend {
        address: gft::Address::v4(20, 0, 0, last),
        first_port,
        last_port,
        reserved: Vec::new(),
    }
}

fn tcp(src_port: u16, host: u8) -> Headers {
    packet(&format!("tcp 10.0.0.4 {src_port} 8.8.8.{host} 443"))
}

/// A connection gets an address and a port, its answers find back, and all its packets have the same.
#[test]
fn a_connection_keeps_its_port() {
    let mut port = snat(vec![frontend(1, 1_024, 2_047)]);
    let out = forwarded(&send(&mut port, seconds(1), &tcp(50_000, 8), Direction::Out));
    assert_eq!(
        out.tuple.to_string(),
        "TCP 20.0.0.1 port 1024 to 8.8.8.8 port 443"
    );
    let back = forwarded(&send(&mut port, seconds(1), &reply(out, SYN_ACK), Direction::In));
    assert_eq!(back.tuple, tcp(50_000, 8).tuple.reversed());
    let next = forwarded(&send(
        &mut port,
        seconds(1),
        &with(tcp(50_000, 8), ACK),
        Direction::Out,
    ));
    assert_eq!(next.tuple, out.tuple);
    let other = forwarded(&send(&mut port, seconds(1), &tcp(50_001, 8), Direction::Out));
    assert_eq!(other.tuple.src_port, 1_025);
    let elsewhere = forwarded(&send(&mut port, seconds(1), &tcp(50_002, 9), Direction::Out));
    assert_eq!(
        elsewhere.tuple.src_port, 1_024,
        "the port is reusable towards another destination"
    );
    assert_eq!(port.snat_ports(), 3);
}

/// With no port left the packet is dropped; a port comes back when its connection is forgotten, not when it closes.
#[test]
fn ports_run_out_and_come_back() {
    let mut port = snat(vec![frontend(1, 1_024, 1_025), frontend(2, 3_000, 3_000)]);
    let mut open = |src_port, at| send(&mut port, seconds(at), &tcp(src_port, 8), Direction::Out).verdict;
    let source = |verdict| match verdict {
        Verdict::Forward(headers) => (headers.tuple.src.to_string(), headers.tuple.src_port),
        other => panic!("{other:?}"),
    };
    assert_eq!(source(open(1, 1)), ("20.0.0.1".into(), 1_024));
    assert_eq!(source(open(2, 1)), ("20.0.0.1".into(), 1_025));
    assert_eq!(
        source(open(3, 1)),
        ("20.0.0.2".into(), 3_000),
        "the next frontend when one is used up"
    );
    let exhausted = Verdict::Drop(DropReason::SnatPortsExhausted);
    assert_eq!(open(4, 1), exhausted);
    send(&mut port, seconds(2), &with(tcp(2, 8), RST), Direction::Out);
    let refused = send(&mut port, seconds(2), &tcp(4, 8), Direction::Out);
    assert_eq!((refused.verdict, refused.flow), (exhausted, None));
    assert_eq!(port.counters().dropped(DropReason::SnatPortsExhausted), 2);
    // Half-open flows are forgotten 5 s after their SYN, at 6 s; the one that was reset at 7 s.
    port.expire(seconds(8), u32::MAX, &mut Vec::new());
    assert_eq!((port.pairs(), port.snat_ports()), (0, 0));
    let again = send(&mut port, seconds(8), &tcp(4, 8), Direction::Out);
    assert_eq!(forwarded(&again).tuple.src_port, 1_024);
}

/// An inspection takes no port.
#[test]
fn an_inspection_takes_no_port() {
    let port = snat(vec![frontend(1, 1_024, 1_024)]);
    for _ in 0..3 {
        let walk = port.process_tuple(&tcp(1, 8), Direction::Out).walk;
        assert_eq!(walk.after.tuple.src_port, 1_024);
    }
    assert_eq!(port.snat_ports(), 0);
}

/// A policy change neither frees the ports of flows that exist nor takes them twice.
#[test]
fn a_reconciled_flow_keeps_its_port() {
    let mut port = snat(vec![frontend(1, 1_024, 1_030)]);
    let before = forwarded(&send(&mut port, seconds(1), &tcp(1, 8), Direction::Out));
    port.change_policy(|policy| policy.pools[0].frontends = vec![frontend(9, 5_000, 5_001)])
        .unwrap();
    let after = send(&mut port, seconds(1), &with(tcp(1, 8), ACK), Direction::Out);
    assert_eq!(
        (after.work.reconciled, forwarded(&after).tuple),
        (1, before.tuple)
    );
    assert_eq!(port.snat_ports(), 1);
    let new = forwarded(&send(&mut port, seconds(1), &tcp(2, 8), Direction::Out));
    assert_eq!((new.tuple.src, new.tuple.src_port), (address("20.0.0.9"), 5_000));
}

/// A flow that a changed policy translates, or does not any more, takes a port or gives it back.
#[test]
fn a_reconciled_flow_takes_or_gives_back_a_port() {
    let mut port = snat(vec![frontend(1, 1_024, 1_030)]);
    let snat_layer = port.policy().source().layers[0].clone();
    send(&mut port, seconds(1), &tcp(1, 8), Direction::Out);
    port.change_policy(|policy| policy.layers.clear()).unwrap();
    assert_eq!(port.snat_ports(), 1, "until the next packet");
    let plain = forwarded(&send(
        &mut port,
        seconds(1),
        &with(tcp(1, 8), ACK),
        Direction::Out,
    ));
    assert_eq!((plain.tuple, port.snat_ports()), (tcp(1, 8).tuple, 0));
    port.replace_layer(snat_layer).unwrap();
    let again = forwarded(&send(
        &mut port,
        seconds(1),
        &with(tcp(1, 8), ACK),
        Direction::Out,
    ));
    assert_eq!((again.tuple.src_port, port.snat_ports()), (1_024, 1));
    let other = forwarded(&send(&mut port, seconds(1), &tcp(2, 8), Direction::Out));
    assert_eq!(
        (other.tuple.src_port, port.snat_ports()),
        (1_025, 2),
        "no port is given twice"
    );
}

fn balancer(up: &[bool], distribution: Distribution) -> Port {
    let backends = up.iter().zip(10..).map(|(&up, host)| Backend {
        dip: gft::Address::v4(10, 0, 1, host),
        up,
    });
    let action = Action::LbNat {
        backends: backends.collect(),
        distribution,
        port: Some(8_443),
    };
    let rules = vec![rule("lb", 1, dst_port(443), 2, action)];
    port_of(vec![layer(
        0,
        true,
        true,
        vec![group("lb", Direction::Out, 1, rules)],
    )])
}

fn to_vip(src_port: u16) -> Headers {
    packet(&format!("tcp 10.0.0.4 {src_port} 10.0.9.9 443"))
}

fn backend(port: &mut Port, headers: &Headers) -> String {
    forwarded(&send(port, seconds(1), headers, Direction::Out))
        .tuple
        .dst
        .to_string()
}

/// VIP to DIP and port; the answer comes from the VIP.
#[test]
fn a_vip_becomes_a_backend_and_the_answer_the_vip() {
    let mut port = balancer(&[true], Distribution::Default);
    let out = forwarded(&send(&mut port, seconds(1), &to_vip(50_000), Direction::Out));
    assert_eq!(
        out.tuple.to_string(),
        "TCP 10.0.0.4 port 50000 to 10.0.1.10 port 8443"
    );
    let back = forwarded(&send(&mut port, seconds(1), &reply(out, SYN_ACK), Direction::In));
    assert_eq!(
        back.tuple.to_string(),
        "TCP 10.0.9.9 port 443 to 10.0.0.4 port 50000"
    );
}

/// By default all five fields choose, so one client's connections are spread; each of three backends gets a third, give or
/// take. By source address a client stays with one backend.
#[test]
fn distributions() {
    let count = |distribution| {
        let mut port = balancer(&[true; 3], distribution);
        let mut counts = std::collections::BTreeMap::new();
        for src_port in 1_024..4_024 {
            *counts.entry(backend(&mut port, &to_vip(src_port))).or_insert(0) += 1;
        }
        counts.into_values().collect::<Vec<u32>>()
    };
    let spread = count(Distribution::Default);
    // A share of 1/3 of 3,000 has a standard deviation of 25.8; five of them are 129.
    assert!(
        spread.len() == 3 && spread.iter().all(|share| share.abs_diff(1_000) < 129),
        "{spread:?}"
    );
    assert_eq!(count(Distribution::SourceIp), [3_000]);
    assert_eq!(count(Distribution::SourceIpProtocol), [3_000]);
}

/// When a backend goes down, its flows stay where they are, and of new flows only those move that it would have had.
#[test]
fn a_backend_that_is_down_gets_no_new_flows() {
    let mut all = balancer(&[true; 3], Distribution::Default);
    let mut without = balancer(&[true, false, true], Distribution::Default);
    let mut moved = 0;
    for src_port in 1_024..1_324 {
        let (before, after) = (
            backend(&mut all, &to_vip(src_port)),
            backend(&mut without, &to_vip(src_port)),
        );
        assert_ne!(after, "10.0.1.11");
        assert!(
            before == after || before == "10.0.1.11",
            "{src_port}: {before} became {after}"
        );
        moved += u32::from(before != after);
    }
    assert!(moved > 0);
    // The flows of the first port keep their backend through a change that takes it down.
    let old: Vec<String> = (1_024..1_124)
        .map(|p| backend(&mut all, &with(to_vip(p), ACK)))
        .collect();
    let down = balancer(&[true, false, true], Distribution::Default);
    let layer = down.policy().source().layers[0].clone();
    all.replace_layer(layer).unwrap();
    let new: Vec<String> = (1_024..1_124)
        .map(|p| backend(&mut all, &with(to_vip(p), ACK)))
        .collect();
    assert_eq!(old, new);
    assert!(old.contains(&"10.0.1.11".to_owned()));
}

#[test]
fn without_a_backend_the_packet_is_dropped() {
    let mut port = balancer(&[false, false], Distribution::Default);
    let answer = send(&mut port, seconds(1), &to_vip(1), Direction::Out);
    assert_eq!(answer.verdict, Verdict::Drop(DropReason::NoBackend));
}
