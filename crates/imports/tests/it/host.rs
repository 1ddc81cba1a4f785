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
    let (rules, notes) = nsg_rules(&groups, &Options::default()).unwrap();
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
    let (rules, _) = nsg_rules(&groups, &Options::default()).unwrap();
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
    let (rules, notes) = nsg_rules(&groups, &Options::default()).unwrap();
    assert!(rules.is_empty());
    assert_eq!(
        lines(&notes),
        [
            "rule allow-https: the rule is not used: ESP: a scenario's packets are TCP, UDP and ICMP, which the rule does not match"
        ]
    );
    let options = Options {
        tags: [("Big".to_owned(), vec!["20.0.0.0/8".parse().unwrap(); 5_001])].into(),
        ..Options::default()
    };
    let big = with(crate::nsg::FLAT, "\"Internet\"", "\"Big\"");
    let Content::SecurityGroups(groups) = good_with(&big, &options).content else {
        panic!()
    };
    // Two destinations: 10,002 rules.
    let problems = nsg_rules(&groups, &options).unwrap_err();
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0]
            .to_string()
            .starts_with("rule allow-https: with it the rules"),
        "{}",
        problems[0]
    );
    assert!(
        problems[0].reason.contains("are more than 10000"),
        "{}",
        problems[0]
    );
    let (rules, notes) = nsg_rules(&groups, &Options::default()).unwrap();
    assert!(rules.is_empty());
    assert_eq!(
        lines(&notes),
        [
            "rule allow-https: the addresses of \"Big\" are not known: it stands for no address",
            "rule allow-https: the rule is not used: none of its tags stands for an address, so it matches nothing",
        ]
    );
}

/// A group as the command line prints it, with these rules: name, priority, direction, access, source, destination port.
fn group(attached: &str, rules: &[(&str, u16, &str, &str, &str, &str)]) -> String {
    let rules: Vec<String> = rules
        .iter()
        .map(|(name, priority, direction, access, source, port)| {
            format!(
                r#"{{ "name": "{name}", "priority": {priority}, "direction": "{direction}", "access": "{access}", "protocol": "Tcp",
                    "sourceAddressPrefix": "{source}", "sourcePortRange": "*", "destinationAddressPrefix": "*", "destinationPortRange": "{port}" }}"#
            )
        })
        .collect();
    format!(
        r#"{{ "name": "{attached}", "{attached}": [ {{ "id": "x" }} ], "securityRules": [ {} ] }}"#,
        rules.join(",")
    )
}

fn whole(texts: &[&str], options: &Options) -> Result<(HostScenario, Vec<String>), Vec<String>> {
    let files: Vec<(&str, &[u8])> = texts.iter().map(|text| ("f", text.as_bytes())).collect();
    let read = imports::files::read(&files, options).map_err(|error| vec![error.to_string()])?;
    imports::host::scenario(&read.inputs, &read.options)
        .map(|(scenario, notes)| (scenario, lines(&notes)))
        .map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

/// What becomes of a packet of a connection in this scenario.
fn passes_in(scenario: &HostScenario, source: &str, port: u16) -> bool {
    let address: Address = source.parse().unwrap();
    let rules = scenario.vms[0].policy.nsg.as_ref().unwrap();
    let mut inbound: Vec<&NsgRule> = rules
        .iter()
        .filter(|rule| rule.direction == RuleDirection::Inbound)
        .collect();
    inbound.sort_by_key(|rule| rule.priority);
    let first = inbound.iter().find(|rule| {
        let source = rule.source == "*" || rule.source.parse::<gft::Prefix>().unwrap().contains(address);
        let (first, last) = rule.destination_port_range();
        source && (first..=last).contains(&port)
    });
    first.is_some_and(|rule| rule.access == scenario::host::Access::Allow)
}

/// A group of the documented size, 1,000 rules and 4,000 prefixes, fits with its default rules, and the last of its rules that
/// deny is still before the one that allows.
#[test]
fn the_largest_group_that_azure_has_fits() {
    let prefixes: Vec<String> = (0..4_000u32)
        .map(|i| format!("\"20.{}.{}.0/24\"", i / 250, i % 250))
        .collect();
    let rules: Vec<String> = (0..1_000u32)
        .map(|i| {
            let own = prefixes[4 * i as usize..4 * i as usize + 4].join(",");
            let access = if i == 999 { "Allow" } else { "Deny" };
            let own = if i == 999 { "\"20.0.0.0/8\"".to_owned() } else { own };
            format!(
                r#"{{ "name": "r{i}", "priority": {}, "direction": "Inbound", "access": "{access}", "protocol": "*",
                    "sourceAddressPrefixes": [{own}], "sourcePortRange": "*", "destinationAddressPrefix": "*", "destinationPortRange": "*" }}"#,
                100 + i
            )
        })
        .collect();
    let text = format!(
        r#"{{ "name": "large", "securityRules": [ {} ] }}"#,
        rules.join(",")
    );
    let (scenario, _) = whole(&[&text], &Options::default()).unwrap();
    // Rule 998 has the prefixes 3992 to 3995: 20.15.242.0/24 to 20.15.245.0/24.
    assert!(!passes_in(&scenario, "20.15.245.9", 80));
    assert!(passes_in(&scenario, "20.15.246.9", 80));
    assert!(passes_in(&scenario, "10.9.9.9", 80), "AllowVnetInBound");
}

/// What would be denied must not pass because the addresses of the rule that denies are not known.
#[test]
fn no_rule_allows_behind_one_that_denies_and_is_lost() {
    let text = group(
        "networkInterfaces",
        &[
            ("keep-out", 100, "Inbound", "Deny", "Storage", "*"),
            ("web", 200, "Inbound", "Allow", "*", "443"),
        ],
    );
    let problems = whole(&[&text], &Options::default()).unwrap_err();
    assert_eq!(
        problems,
        [
            "rule keep-out: it denies, and the addresses of \"Storage\" are not known, so that \"web\" behind it would let through what it denies; expected the tag's addresses, given or in a list of service tags"
        ]
    );
    let tags =
        r#"{ "values": [ { "name": "Storage", "properties": { "addressPrefixes": ["20.38.98.0/24"] } } ] }"#;
    let (scenario, _) = whole(&[&text, tags], &Options::default()).unwrap();
    assert!(!passes_in(&scenario, "20.38.98.7", 443) && passes_in(&scenario, "20.38.99.7", 443));
}

/// Inbound the subnet's group and the network interface's must both allow (facts/accelnet.md section 6.1), also in a scenario,
/// whose VM has one list. By hand: 443 only from 198.51.100.0/24, and 22 from nowhere.
#[test]
fn both_groups_must_allow() {
    let subnet = group(
        "subnets",
        &[
            ("not-this", 100, "Inbound", "Deny", "198.51.100.9", "*"),
            ("from-there", 200, "Inbound", "Allow", "198.51.100.0/24", "*"),
            ("ssh", 300, "Inbound", "Allow", "*", "22"),
        ],
    );
    let interface = group(
        "networkInterfaces",
        &[
            ("no-ssh", 100, "Inbound", "Deny", "*", "22"),
            ("web", 200, "Inbound", "Allow", "*", "443"),
        ],
    );
    for texts in [[&*subnet, &*interface], [&*interface, &*subnet]] {
        let (scenario, notes) = whole(&texts, &Options::default()).unwrap();
        for (source, port, passes) in [
            ("198.51.100.7", 443, true),
            ("198.51.100.9", 443, false),
            ("198.51.101.7", 443, false),
            ("198.51.100.7", 22, false),
            ("198.51.101.7", 22, false),
            ("198.51.100.7", 80, false),
            // Both have AllowVnetInBound.
            ("10.9.9.9", 80, true),
            ("10.9.9.9", 22, false),
        ] {
            assert_eq!(passes_in(&scenario, source, port), passes, "{source} {port}");
        }
        assert!(
            notes.iter().any(|note| note.contains("both must allow")),
            "{notes:#?}"
        );
    }
}

/// One group of several is chosen by its name.
#[test]
fn a_group_is_chosen() {
    let list = format!(
        "[ {}, {} ]",
        group("networkInterfaces", &[("a", 100, "Inbound", "Allow", "*", "80")]),
        group("subnets", &[("b", 100, "Inbound", "Allow", "*", "443")])
    );
    let chosen = |name: &str| Options {
        nsg: Some(name.into()),
        ..Options::default()
    };
    let (scenario, _) = whole(&[&list], &chosen("Subnets")).unwrap();
    assert!(passes_in(&scenario, "8.8.8.8", 443) && !passes_in(&scenario, "8.8.8.8", 80));
    assert_eq!(
        whole(&[&list], &chosen("none")).unwrap_err(),
        ["there is no security group \"none\", expected one of: networkInterfaces, subnets"]
    );
}

/// Every number that a scenario cannot have, and every tag that nothing names, is said.
#[test]
fn what_changes_on_the_way_is_noted() {
    let dash = |bw: &str, flows: &str, qos: &str| {
        format!(
            r#"{{ "DASH_QOS_TABLE:q": {{"bw": "{bw}", "cps": "1", "flows": "{flows}"}}, "DASH_VNET_TABLE:v": {{"vni": 1}},
                "DASH_ENI_TABLE:e": {{"mac_address": "00-0d-3a-00-00-01", "vnet": "v", "qos": "{qos}"}} }}"#
        )
    };
    let (scenario, notes) = whole(&[&dash("0", "0", "q")], &Options::default()).unwrap();
    // Documented in docs/host-scenario.md: from 1 Mb/s, and two flows at least.
    assert_eq!(scenario.vms[0].rate, Some(scenario::Rate(1_000_000)));
    assert_eq!(scenario.vms[0].limits.total, 2);
    for expected in [
        "f: ENI e: its bandwidth of 0 kbit/s is none that a scenario's VM can have: ",
        "f: ENI e: its limit of 0 connections is none that a scenario's VM can have: 1 are taken",
    ] {
        assert!(
            notes.iter().any(|note| note.starts_with(expected)),
            "{expected} {notes:#?}"
        );
    }
    let balancer = with(crate::balancer::PUBLIC, "2048", "1029");
    let (scenario, notes) = whole(&[&balancer], &Options::default()).unwrap();
    assert_eq!(scenario.vms[0].policy.snat.map(|snat| snat.ports), Some(1_024));
    let expected = "it gives a VM 1029 ports: ports come in blocks of 8, 64000 at most: 1024 are taken";
    assert!(notes.iter().any(|note| note.ends_with(expected)), "{notes:#?}");

    let options = Options {
        tags: [
            ("Storge".to_owned(), vec!["20.0.0.0/8".parse().unwrap()]),
            ("Internet".to_owned(), vec!["8.0.0.0/8".parse().unwrap()]),
        ]
        .into(),
        ..Options::default()
    };
    let read = imports::files::read(&[("f", crate::nsg::FLAT.as_bytes())], &options).unwrap();
    assert_eq!(
        lines(&read.notes),
        [
            "the tag Internet: what is given for it is not used: what it stands for follows from the address spaces of the virtual network",
            "the tag Storge: what is given for it is not used: no rule, frontend or backend pool names it",
        ]
    );
}

/// An import of nothing is no scenario.
#[test]
fn nothing_is_no_scenario() {
    let tags =
        r#"{ "values": [ { "name": "Storage", "properties": { "addressPrefixes": ["20.38.98.0/24"] } } ] }"#;
    for text in [r#"{ "records": [] }"#, tags] {
        let problems = whole(&[text], &Options::default()).unwrap_err();
        assert!(
            problems[0].starts_with("there is nothing in it that a host scenario can have; expected"),
            "{problems:?}"
        );
    }
}

/// Notes that say nothing about packets come behind those that do.
#[test]
fn what_matters_is_told_first() {
    let text = with(
        crate::nsg::FLAT,
        "\"name\": \"web-nsg\",",
        "\"name\": \"web-nsg\", \"etag\": \"x\", \"colour\": 1,",
    );
    let notes = good(&text).notes;
    let of = |piece: &str| notes.iter().position(|note| note.what.contains(piece)).unwrap();
    assert!(of("colour") < of("etag"), "{:#?}", lines(&notes));
    assert!(notes[of("etag")].minor && !notes[of("colour")].minor);
}
