//! Imports as parts of a host scenario: what comes out is valid there.

use crate::support::{good, good_with, with};
use gft::{Address, Direction, Mac, Protocol, Tuple};
use imports::host::{nsg_rules, replay};
use imports::{Content, Count, Options, RecordedFlow, Traffic};
use scenario::Time;
use scenario::host::{From, HostScenario, NsgRule, RuleDirection};

/// A scenario with these rules or this replay, as its JSON form takes it.
pub fn scenario(nsg: Vec<NsgRule>, flows: Vec<scenario::host::ReplayFlow>) -> HostScenario {
    let text = r#"{ "version": 1, "until": "1s", "host": {}, "vms": [{}], "traffic": [ { "kind": "ping", "vm": 0, "count": 1 } ] }"#;
    let mut scenario = HostScenario::from_json(text).unwrap();
    scenario.vms[0].policy.nsg = Some(nsg);
    if !flows.is_empty() {
        scenario
            .traffic
            .push(scenario::host::Traffic::Replay { vm: 0, flows });
    }
    scenario.validate().unwrap();
    scenario
}

fn flow(tuple: Tuple, direction: Direction, counts: [(u64, u64); 2]) -> RecordedFlow {
    let [forward, backward] = counts.map(|(packets, bytes)| Count { packets, bytes });
    RecordedFlow {
        tuple,
        direction,
        mac: Some(Mac(1)),
        start_ns: 2_000,
        duration_ns: 10_000,
        allowed: true,
        forward,
        backward,
    }
}

fn tuple(protocol: Protocol) -> Tuple {
    Tuple {
        src: Address::v4(203, 0, 113, 9),
        dst: Address::v4(10, 1, 0, 4),
        src_port: 51_000,
        dst_port: 443,
        protocol,
    }
}

fn lines(notes: &[imports::Note]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}

#[test]
fn each_side_is_a_flow() {
    let traffic = Traffic {
        origin_ns: 0,
        flows: vec![flow(tuple(Protocol::UDP), Direction::In, [(3, 301), (2, 3000)])],
    };
    let (flows, notes) = replay(&traffic, Time::s(1));
    assert!(notes.is_empty());
    let [forth, back] = &flows[..] else { panic!() };
    assert_eq!(
        (forth.at, forth.duration, forth.from),
        (Time::us(2), Time::us(10), From::Peer)
    );
    assert_eq!(
        (forth.peer.as_str(), forth.peer_port, forth.vm_port),
        ("203.0.113.9", 51_000, 443)
    );
    // 301 bytes in 3 packets: 101 each, so that none is lost.
    assert_eq!((forth.packets, forth.bytes), (3, 101));
    assert_eq!((back.from, back.packets, back.bytes), (From::Vm, 2, 1500));
    scenario(Vec::new(), flows);
}

#[test]
fn what_a_replay_cannot_do_is_noted() {
    let v6 = Tuple {
        src: Address(1),
        ..tuple(Protocol::UDP)
    };
    let long = RecordedFlow {
        duration_ns: 3_500_000_000,
        ..flow(
            tuple(Protocol::TCP),
            Direction::In,
            [(2_000_000, 2_000_000 * 9_001), (0, 0)],
        )
    };
    let refused = RecordedFlow {
        allowed: false,
        ..flow(tuple(Protocol::TCP), Direction::In, [(0, 0), (0, 0)])
    };
    let traffic = Traffic {
        origin_ns: 0,
        flows: vec![long, refused, flow(v6, Direction::In, [(1, 100), (0, 0)])],
    };
    let (flows, notes) = replay(&traffic, Time::s(1));
    assert_eq!((flows.len(), flows[1].packets, flows[1].bytes), (2, 1, 40));
    assert_eq!((flows[0].packets, flows[0].bytes), (1_000_000, 9_000));
    // 3.500002 s by 4, in whole nanoseconds.
    assert_eq!(flows[0].duration, Time::ns(875_000_000));
    assert_eq!(
        lines(&notes),
        [
            "the traffic: it takes 4 s: times are divided by 4, so that it fits",
            "flow 1 and 1 more: the flow is TCP: it is played as UDP packets",
            "flow 1: the flow has more packets than a replay's can have: 1000000 are sent",
            "flow 1: the mean size of its packets is outside of what a replay's can have: from 28 to 9000 are sent",
            "flow 3: the flow is not used: its peer has an IPv6 address, and replays have IPv4 only",
        ]
    );
    scenario(Vec::new(), flows);
}

#[test]
fn a_flow_log_becomes_a_replay() {
    let traffic = good(crate::flow_log::VNET).traffic;
    let (flows, _) = replay(&traffic, Time::s(1_000));
    assert_eq!(flows.len(), 3, "two sides of one flow, and a refused one");
    scenario(Vec::new(), flows);
}

/// Two destinations are two rules; the Internet is written out, so its private gaps stay gaps.
#[test]
fn rules_are_written_out() {
    let text = with(crate::nsg::FLAT, "\"Internet\"", "\"192.0.2.0/24\"");
    let Content::SecurityGroups(groups) = good(&text).content else {
        panic!()
    };
    let (rules, notes) = nsg_rules(&groups, &Options::default());
    let [first, second] = &rules[..] else { panic!() };
    assert_eq!((first.priority, second.priority), (100, 101));
    assert_eq!(
        (first.source.as_str(), first.destination.as_str()),
        ("192.0.2.0/24", "10.1.0.4/32")
    );
    assert_eq!(second.destination, "10.1.0.5/32");
    assert_eq!(
        (
            first.protocol.as_str(),
            first.destination_ports.as_str(),
            first.source_ports.as_str()
        ),
        ("tcp", "443", "*")
    );
    assert_eq!(first.direction, RuleDirection::Inbound);
    assert_eq!(
        lines(&notes),
        [
            "rule allow-https: rules are written out with one prefix and one range of ports on each side: priorities are given anew, in the same order"
        ]
    );
    scenario(rules, Vec::new());

    let Content::SecurityGroups(groups) = good(crate::nsg::FLAT).content else {
        panic!()
    };
    let (rules, _) = nsg_rules(&groups, &Options::default());
    let covers = |text: &str| {
        let address: Address = text.parse().unwrap();
        rules
            .iter()
            .any(|rule| rule.source.parse::<gft::Prefix>().unwrap().contains(address))
    };
    assert!(covers("8.8.8.8") && covers("11.0.0.1") && covers("223.255.255.255"));
    assert!(!covers("10.0.0.1") && !covers("172.31.0.1") && !covers("192.168.0.1") && !covers("127.0.0.1"));
    scenario(rules, Vec::new());
}

#[test]
fn rules_that_do_not_fit_are_noted() {
    let esp = with(crate::nsg::FLAT, "\"Tcp\"", "\"Esp\"");
    let Content::SecurityGroups(groups) = good(&esp).content else {
        panic!()
    };
    let (rules, notes) = nsg_rules(&groups, &Options::default());
    assert!(rules.is_empty());
    assert_eq!(
        lines(&notes),
        [
            "rule allow-https: the rule is not used: ESP: a scenario's rules are about TCP, UDP, ICMP or everything"
        ]
    );
    let options = Options {
        tags: [("Big".to_owned(), vec!["20.0.0.0/8".parse().unwrap(); 501])].into(),
        ..Options::default()
    };
    let big = with(crate::nsg::FLAT, "\"Internet\"", "\"Big\"");
    let Content::SecurityGroups(groups) = good_with(&big, &options).content else {
        panic!()
    };
    let (rules, notes) = nsg_rules(&groups, &options);
    assert!(rules.is_empty());
    assert_eq!(
        lines(&notes),
        [
            "rule allow-https: the rule is not used: written out it is 1002 rules: a scenario's VM has at most 1000"
        ]
    );
    let (rules, notes) = nsg_rules(&groups, &Options::default());
    assert!(rules.is_empty());
    assert_eq!(
        lines(&notes),
        [
            "rule allow-https: the addresses of \"Big\" are not known: it stands for no address",
            "rule allow-https: the rule is not used: none of its tags stands for an address, so it matches nothing",
        ]
    );
}
