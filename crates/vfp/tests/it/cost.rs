//! What things cost in countable operations and in memory.

use crate::support::{group, layer, packet, port, port_of, rule, seconds, send};
use gft::{Address, Direction, FlowKey, Headers, Prefix, Protocol};
use vfp::{Action, ClassifierChoice, ClassifierKind, Condition, Field, Group, Policy, PortRange};

/// 1,000 rules: the nth takes TCP from the /24 number n to port 1000 + n mod 500.
fn rules() -> Group {
    let of = |n: u32| {
        let condition = Condition {
            protocols: vec![Protocol::TCP],
            src: vec![Prefix::new(subnet(n), 96 + 24).into()],
            dst_ports: vec![PortRange::one(service(n))],
            ..Condition::any()
        };
        rule("r", n, condition, 0, Action::Allow)
    };
    group("g", Direction::Out, 1, (0..1_000).map(of).collect())
}

fn subnet(n: u32) -> Address {
    Address::v4(10, (n / 250) as u8, (n % 250) as u8, 0)
}

fn service(n: u32) -> u16 {
    (1_000 + n % 500) as u16
}

/// Steps in sum and at most for one packet to each of the rules, and the classifier that was used.
fn steps(classifier: ClassifierChoice) -> (u32, u32, ClassifierKind) {
    let group = Group {
        classifier,
        ..rules()
    };
    let port = port_of(vec![layer(0, false, true, vec![group])]);
    let mut used = ClassifierKind::List;
    let each: Vec<u32> = (0..1_000)
        .map(|n| {
            let mut headers = packet("tcp 10.0.0.9 1 10.9.9.9 1");
            headers.tuple.src = Address(subnet(n).0 + 9);
            headers.tuple.dst_port = service(n);
            let step = &port.process_tuple(&headers, Direction::Out).walk.layers[0].groups[0];
            used = step.classifier;
            step.steps
        })
        .collect();
    (each.iter().sum(), each.into_iter().max().unwrap(), used)
}

/// By hand: in a list the nth rule is found after n. In the hash table every port has two rules, so the first takes a probe
/// and a rule, the second one rule more. A balanced tree or trie of 1,000 has 10 levels.
#[test]
fn steps_on_a_thousand_rules() {
    use ClassifierKind::{Hash, IntervalTree, List, Trie};
    let of = |kind| steps(ClassifierChoice::Fixed(kind));
    assert_eq!(of(List), (500_500, 1_000, List));
    assert_eq!(of(Hash(Field::DstPort)), (2_500, 3, Hash(Field::DstPort)));
    // No rule asks for a source port: a probe for nothing, then the list.
    assert_eq!(of(Hash(Field::SrcPort)), (501_500, 1_001, Hash(Field::SrcPort)));
    let (sum, most, _) = of(Trie(Field::Src));
    assert!(sum <= 14_000 && most <= 14, "trie: {sum}, {most}");
    let (sum, most, _) = of(IntervalTree(Field::Src));
    assert!(sum <= 20_000 && most <= 22, "interval tree: {sum}, {most}");
    assert_eq!(steps(ClassifierChoice::Auto), of(Hash(Field::DstPort)));
}

/// One million flows take less than 128 bytes each, with keys for IPv6, counters, TCP state and timers. A map of keys and
/// numbers alone would take more: it has 2^21 places for them, as 2^20 filled to seven eighths are too few.
#[test]
fn memory_of_a_million_flows() {
    let mut port = port(Policy::default());
    for n in 0..500_000u32 {
        let mut headers: Headers = packet("tcp 10.0.0.4 1 10.0.0.5 443");
        headers.tuple.src_port = (n % 50_000) as u16;
        headers.tuple.dst = Address::v4(10, 1, 0, (n / 50_000) as u8);
        send(&mut port, seconds(1), &headers, Direction::Out);
    }
    let memory = port.memory();
    assert_eq!(memory.flows, 1_000_000);
    assert!(memory.total() < 128 * memory.flows, "{memory:?}");
    assert!(memory.total() < (1 << 21) * size_of::<(FlowKey, u32)>());
}
