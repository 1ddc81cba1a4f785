//! Properties over random policies: classifiers agree, and compiled entries do what the layers do.

use crate::support::{layer, port, reply, seconds, send, with};
use gft::{
    Address, Direction, Encap, EncapKind, Headers, Mac, Prefix, Protocol, TcpFlags, Transposition, Tuple,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use vfp::{
    Action, AddressRange, AddressTerm, Backend, ClassifierChoice, ClassifierKind, Condition, Distribution,
    End, Field, Frontend, Group, GroupOutcome, Mapping, MappingSpace, Policy, PoolId, PoolSpec, Port,
    PortRange, Rule, RuleFlags, SpaceId, TagId, Unmapped, Verdict,
};

/// Few addresses, so that rules overlap and packets meet them.
fn address() -> impl Strategy<Value = Address> {
    prop_oneof![
        8 => (0u8..4, 0u8..4).prop_map(|(c, d)| Address::v4(10, 0, c, d)),
        1 => (0u128..4).prop_map(|low| Address(0xfd00 << 112 | low)),
    ]
}

fn term() -> impl Strategy<Value = AddressTerm> {
    prop_oneof![
        4 => (address(), 118u8..=128).prop_map(|(a, len)| Prefix::new(a, len).into()),
        1 => Just(Prefix::ANY_V4.into()),
        2 => (address(), address()).prop_map(|(a, b)| {
            AddressTerm::Range(AddressRange { first: a.min(b), last: a.max(b) })
        }),
        1 => (0u32..3).prop_map(|tag| AddressTerm::Tag(TagId(tag))),
    ]
}

fn port_number() -> impl Strategy<Value = u16> {
    prop_oneof![4 => 0u16..12, 1 => Just(u16::MAX)]
}

fn port_range() -> impl Strategy<Value = PortRange> {
    prop_oneof![
        3 => port_number().prop_map(PortRange::one),
        2 => (port_number(), port_number()).prop_map(|(a, b)| PortRange { first: a.min(b), last: a.max(b) }),
        1 => Just(PortRange::ALL),
    ]
}

fn protocol() -> impl Strategy<Value = Protocol> {
    prop_oneof![3 => Just(Protocol::TCP), 2 => Just(Protocol::UDP), 1 => Just(Protocol::ICMP)]
}

fn list<T: std::fmt::Debug>(of: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
    proptest::collection::vec(of, 0..3)
}

fn condition() -> impl Strategy<Value = Condition> {
    (
        list(protocol()),
        list(term()),
        list(term()),
        list(port_range()),
        list(port_range()),
    )
        .prop_map(|(protocols, src, dst, src_ports, dst_ports)| Condition {
            protocols,
            src,
            dst,
            src_ports,
            dst_ports,
            ..Condition::any()
        })
}

fn tags() -> BTreeMap<TagId, Vec<AddressRange>> {
    let range = |a: Address, b: Address| AddressRange { first: a, last: b };
    BTreeMap::from([
        (TagId(0), Vec::new()),
        (
            TagId(1),
            vec![range(Address::v4(10, 0, 1, 0), Address::v4(10, 0, 1, 3))],
        ),
        (
            TagId(2),
            vec![
                range(Address::v4(10, 0, 3, 2), Address::v4(10, 0, 3, 9)),
                range(Address::v4(10, 0, 0, 1), Address::v4(10, 0, 0, 1)),
                range(Address::v4(10, 0, 3, 0), Address::v4(10, 0, 3, 2)),
            ],
        ),
    ])
}

fn packet() -> impl Strategy<Value = Headers> {
    (address(), address(), port_number(), port_number(), protocol()).prop_map(
        |(src, dst, src_port, dst_port, protocol)| Headers {
            src_mac: Mac(1),
            dst_mac: Mac(2),
            tuple: Tuple {
                src,
                dst,
                src_port,
                dst_port,
                protocol,
            },
            ttl: 64,
            flags: if protocol == Protocol::TCP {
                TcpFlags::SYN
            } else {
                TcpFlags::default()
            },
            ..Headers::default()
        },
    )
}

const FIELDS: [Field; 4] = Field::ALL;

fn kinds() -> Vec<ClassifierChoice> {
    let of = |field| {
        [
            ClassifierKind::Hash(field),
            ClassifierKind::IntervalTree(field),
            ClassifierKind::Trie(field),
        ]
    };
    FIELDS
        .into_iter()
        .flat_map(of)
        .map(ClassifierChoice::Fixed)
        .chain([ClassifierChoice::Auto])
        .collect()
}

/// The rule that a packet meets in one group, and the steps it took.
fn found(
    rules: &[(Condition, u32)],
    choice: ClassifierChoice,
    packets: &[Headers],
) -> Vec<(Option<usize>, u32)> {
    let rules = rules.iter().enumerate().map(|(at, (condition, priority))| Rule {
        name: format!("{at}"),
        priority: *priority,
        condition: condition.clone(),
        flags: RuleFlags::NONE,
        action: Action::Allow,
    });
    let group = Group {
        name: "g".into(),
        direction: Direction::Out,
        priority: 1,
        condition: None,
        classifier: choice,
        rules: rules.collect(),
    };
    let port = port(Policy {
        layers: vec![layer(0, false, true, vec![group])],
        tags: tags(),
        ..Policy::default()
    });
    let one = |headers: &Headers| {
        let walk = port.process_tuple(headers, Direction::Out).walk;
        let step = &walk.layers[0].groups[0];
        let rule = match step.outcome {
            GroupOutcome::Matched { rule, .. } => Some(rule),
            _ => None,
        };
        (rule, step.steps)
    };
    packets.iter().map(one).collect()
}

/// The rule by the definition: of those that match, the lowest priority, then the earliest.
fn defined(rules: &[(Condition, u32)], headers: &Headers) -> Option<usize> {
    let contains = |terms: &[AddressTerm], address: Address| {
        terms.is_empty()
            || terms.iter().any(|term| match term {
                AddressTerm::Prefix(prefix) => prefix.contains(address),
                AddressTerm::Range(range) => range.contains(address),
                AddressTerm::Tag(tag) => tags()[tag].iter().any(|range| range.contains(address)),
            })
    };
    let tuple = headers.tuple;
    let ported = tuple.protocol != Protocol::ICMP;
    // Ranges that make up all ports ask for nothing, however they are written.
    let ports = |ranges: &[PortRange], port: u16| {
        let all = |ranges: &[PortRange]| (0..=u16::MAX).all(|port| ranges.iter().any(|r| r.contains(port)));
        ranges.is_empty() || ranges.iter().any(|r| r.contains(port)) && (ported || all(ranges))
    };
    let matching = rules.iter().enumerate().filter(|(_, (condition, _))| {
        (condition.protocols.is_empty() || condition.protocols.contains(&tuple.protocol))
            && contains(&condition.src, tuple.src)
            && contains(&condition.dst, tuple.dst)
            && ports(&condition.src_ports, tuple.src_port)
            && ports(&condition.dst_ports, tuple.dst_port)
    });
    matching
        .min_by_key(|&(at, &(_, priority))| (priority, at))
        .map(|(at, _)| at)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Every classifier, by every field, and the one that is chosen, gives the rule that the definition gives.
    #[test]
    fn classifiers_agree(
        rules in proptest::collection::vec((condition(), 0u32..20), 0..40),
        packets in proptest::collection::vec(packet(), 1..12),
    ) {
        let expected: Vec<Option<usize>> = packets.iter().map(|headers| defined(&rules, headers)).collect();
        let list = found(&rules, ClassifierChoice::Fixed(ClassifierKind::List), &packets);
        for ((rule, steps), expected) in list.iter().zip(&expected) {
            prop_assert_eq!(rule, expected);
            prop_assert!(*steps as usize <= rules.len());
        }
        for choice in kinds() {
            let rules: Vec<Option<usize>> =
                found(&rules, choice, &packets).into_iter().map(|(rule, _)| rule).collect();
            prop_assert_eq!(&rules, &expected, "{:?}", choice);
        }
    }
}

fn action() -> impl Strategy<Value = (Action, bool)> {
    let some = |address: Address| proptest::option::of(Just(address));
    prop_oneof![
        6 => any::<bool>().prop_map(|stateful| (Action::Allow, stateful)),
        1 => Just((Action::Block, false)),
        2 => (some(Address::v4(20, 0, 0, 1)), some(Address::v4(10, 0, 2, 2)), proptest::option::of(0u16..12), any::<bool>())
            .prop_map(|(src, dst, dst_port, stateful)| {
                (Action::Nat { src, dst, src_port: None, dst_port }, stateful)
            }),
        1 => Just((Action::DynNat { pool: PoolId(0) }, true)),
        1 => Just((
            Action::LbNat {
                backends: (0..3).map(|d| Backend { dip: Address::v4(10, 0, 1, d), up: d != 1 }).collect(),
                distribution: Distribution::Default,
                port: Some(9),
            },
            true,
        )),
        2 => any::<bool>().prop_map(|stateful| (
            Action::MapEncap { space: SpaceId(0), kind: EncapKind::Vxlan, src: Address::v4(100, 64, 0, 1) },
            stateful,
        )),
        1 => any::<bool>().prop_map(|stateful| (Action::Decap, stateful)),
        1 => Just((Action::PaRoute { next_hop: Mac(0xee) }, false)),
        1 => (0u8..64).prop_map(|dscp| (Action::Mark { dscp }, false)),
        1 => Just((Action::Meter { class: 3 }, false)),
        1 => Just((
            Action::Transpose(Transposition { dst_mac: Some(Mac(0xdd)), ttl_decrement: 1, ..Transposition::default() }),
            true,
        )),
    ]
}

fn rule() -> impl Strategy<Value = Rule> {
    (condition(), action(), 0u32..20, any::<bool>()).prop_map(
        |(condition, (action, stateful), priority, last)| {
            let mut flags = RuleFlags::NONE;
            if stateful {
                flags = flags.with(RuleFlags::STATEFUL);
            }
            if last {
                flags = flags.with(RuleFlags::TERMINATING);
            }
            Rule {
                name: "r".into(),
                priority,
                condition,
                flags,
                action,
            }
        },
    )
}

fn direction() -> impl Strategy<Value = Direction> {
    any::<bool>().prop_map(|out| if out { Direction::Out } else { Direction::In })
}

fn policy() -> impl Strategy<Value = Policy> {
    let group = (
        direction(),
        0u32..4,
        proptest::option::weighted(0.2, condition()),
        proptest::collection::vec(rule(), 0..12),
    )
        .prop_map(|(direction, priority, condition, rules)| Group {
            name: "g".into(),
            direction,
            priority,
            condition,
            classifier: ClassifierChoice::Auto,
            rules,
        });
    let layers = proptest::collection::vec(proptest::collection::vec(group, 0..4), 1..5);
    layers.prop_map(|layers| {
        let layers = layers
            .into_iter()
            .zip(0..)
            .map(|(groups, id)| layer(id, true, id != 1, groups));
        let mapping = |host| Mapping {
            pa: Address::v4(100, 64, 0, host),
            ca_mac: Mac(u64::from(host)),
            pa_mac: Mac(0xff),
            tni: 5_001,
        };
        let mappings =
            (0..4).flat_map(|c| (0..3).map(move |d| (Address::v4(10, 0, c, d), mapping(c * 4 + d))));
        Policy {
            layers: layers.collect(),
            tags: tags(),
            spaces: vec![MappingSpace {
                name: "s".into(),
                unmapped: Unmapped::Drop,
                mappings: mappings.collect(),
            }],
            pools: vec![PoolSpec {
                name: "p".into(),
                frontends: vec![Frontend {
                    address: Address::v4(20, 0, 0, 9),
                    first_port: 1_024,
                    last_port: 1_032,
                    reserved: Vec::new(),
                }],
            }],
        }
    })
}

fn wrapped(headers: Headers, direction: Direction, wrap: bool) -> Headers {
    let mut headers = headers;
    if wrap && direction == Direction::In {
        headers.encaps[0] = Some(Encap {
            kind: EncapKind::Vxlan,
            src: Address::v4(100, 64, 0, 9),
            dst: Address::v4(100, 64, 0, 1),
            tni: 5_001,
            dst_mac: Mac(0xee),
        });
    }
    headers
}

/// What a port without unified flows does with a packet: it walks the layers every time.
fn layer_by_layer(port: &mut Port, headers: &Headers, direction: Direction) -> Verdict {
    port.settings.unified_flows = false;
    let verdict = send(port, seconds(2), headers, direction).verdict;
    port.settings.unified_flows = true;
    verdict
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// For every packet of a flow, either way, the compiled entry does what the walk through the layers does; the steps of an
    /// inspection add up to it; and it stays so after the policy has changed.
    #[test]
    fn entries_do_what_the_layers_do(
        policies in (policy(), policy()),
        flows in proptest::collection::vec((packet(), direction(), any::<bool>()), 1..8),
    ) {
        let (first, second) = policies;
        let mut port = port(first);
        for (headers, direction, wrap) in flows {
            let headers = wrapped(headers, direction, wrap);
            let inspection = port.process_tuple(&headers, direction);
            // Steps compose: each layer's own work, one after the other, is the whole.
            let mut composed = Transposition::default();
            let mut at = headers;
            for step in &inspection.walk.layers {
                prop_assert_eq!(step.before, at);
                composed = composed.then(&step.transposition).unwrap();
                prop_assert_eq!(step.composed, composed);
                at = step.transposition.apply(&at).unwrap();
                prop_assert_eq!(step.after, at);
            }
            let answer = send(&mut port, seconds(1), &headers, direction);
            match (inspection.walk.end, answer.verdict) {
                (End::Forward, Verdict::Forward(after)) => {
                    prop_assert_eq!(after, inspection.walk.after);
                    prop_assert_eq!(inspection.walk.transposition.apply(&headers), Ok(after));
                }
                (End::Drop { reason, .. }, Verdict::Drop(dropped)) => prop_assert_eq!(reason, dropped),
                other => prop_assert!(false, "{:?}", other),
            }
            let Verdict::Forward(mut after) = answer.verdict else { continue };
            // Later packets have other flags, and answers come back to what was sent last: from the flow's entries as from the
            // layers, and again after the policy has changed and the flow is reconciled.
            let later = with(headers, if headers.flags == TcpFlags::SYN { TcpFlags::ACK } else { headers.flags });
            for _ in 0..2 {
                let agree = |port: &mut Port, headers: &Headers, direction| {
                    port.flow_of(&headers.key(1, direction))?;
                    let by_layers = layer_by_layer(&mut port.clone(), headers, direction);
                    Some((by_layers, send(port, seconds(2), headers, direction).verdict))
                };
                if let Some((by_layers, by_entry)) = agree(&mut port, &later, direction) {
                    prop_assert_eq!(by_layers, by_entry);
                    let Verdict::Forward(now) = by_entry else { break };
                    after = now;
                }
                if let Some((by_layers, by_entry)) =
                    agree(&mut port, &reply(after, later.flags), direction.reversed())
                {
                    prop_assert_eq!(by_layers, by_entry);
                }
                port.change_policy(|policy| *policy = second.clone()).unwrap();
            }
        }
    }

    /// When all flows are gone, all that they held is: SNAT ports, shared transpositions, counts of every class.
    #[test]
    fn nothing_is_left_behind(
        policies in (policy(), policy()),
        flows in proptest::collection::vec((packet(), direction()), 1..40),
    ) {
        let (first, second) = policies;
        let mut port = port(first);
        for round in 1..3 {
            for (headers, direction) in &flows {
                let answer = send(&mut port, seconds(round), headers, *direction);
                if let Verdict::Forward(after) = answer.verdict {
                    let flags = TcpFlags(headers.flags.0 | TcpFlags::ACK.0);
                    send(&mut port, seconds(round), &reply(after, flags), direction.reversed());
                }
            }
            port.change_policy(|policy| *policy = second.clone()).unwrap();
        }
        port.expire(seconds(10_000), u32::MAX, &mut Vec::new());
        prop_assert_eq!((port.pairs(), port.snat_ports(), port.transpositions()), (0, 0, 0));
        for class in port.stats().0.iter().flatten() {
            prop_assert_eq!(class.count, 0);
        }
    }
}
