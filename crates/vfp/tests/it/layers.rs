//! Semantics of layers, groups and rules, line by line of facts/accelnet.md, sections 1.2 to 1.4.

use crate::support::{
    ACK, address, dst_port, forwarded, group, layer, packet, port, port_of, reply, rule, seconds, send, term,
    with,
};
use gft::{Direction, Encap, EncapKind, Mac, Protocol, Transposition};
use vfp::{
    Action, Condition, DropReason, End, Group, GroupOutcome, Layer, LayerDecision, LayerId, Policy,
    PortRange, Rule, Verdict,
};

const TERMINATING: u32 = 1;
const STATEFUL: u32 = 2;
const NON_SYN_ONLY: u32 = 4;
const SYN_ONLY: u32 = 16;

fn mark(priority: u32, dscp: u8, flags: u32) -> Rule {
    rule(
        &format!("mark {dscp}"),
        priority,
        Condition::any(),
        flags,
        Action::Mark { dscp },
    )
}

fn out_and_in(rules: &[Rule]) -> Vec<Group> {
    [Direction::Out, Direction::In]
        .map(|way| group("g", way, 1, rules.to_vec()))
        .to_vec()
}

/// The verdict for one SYN to port 443 that goes out through these layers.
fn verdict(layers: Vec<Layer>) -> Verdict {
    let mut port = port_of(layers);
    send(
        &mut port,
        seconds(1),
        &packet("tcp 10.0.0.4 50000 10.0.0.5 443"),
        Direction::Out,
    )
    .verdict
}

fn passes(layers: Vec<Layer>) -> bool {
    matches!(verdict(layers), Verdict::Forward(_))
}

/// Outbound packets cross layers in order, inbound packets in the opposite order: the last to mark wins.
#[test]
fn inbound_crosses_the_layers_in_the_opposite_order() {
    let layers = vec![
        layer(0, false, true, out_and_in(&[mark(1, 10, 0)])),
        layer(1, false, true, out_and_in(&[mark(1, 20, 0)])),
    ];
    let mut port = port_of(layers);
    let headers = packet("udp 10.0.0.4 50000 10.0.0.5 53");
    for (direction, ids, dscp) in [(Direction::Out, [0, 1], 20), (Direction::In, [1, 0], 10)] {
        let inspection = port.process_tuple(&headers, direction);
        let crossed: Vec<u8> = inspection.walk.layers.iter().map(|step| step.layer.0).collect();
        assert_eq!(crossed, ids);
        let answer = send(&mut port, seconds(1), &headers, direction);
        assert_eq!(forwarded(&answer).dscp, dscp);
    }
}

/// A NAT layer bounds two address spaces: the layer above it knows the DIP only, the one below the VIP only.
#[test]
fn layers_bound_address_spaces() {
    let seen = |id, src: &str| {
        let condition = Condition {
            src: vec![term(src)],
            ..Condition::any()
        };
        let rules = vec![rule("own", 1, condition, 0, Action::Allow)];
        layer(id, false, false, vec![group("out", Direction::Out, 1, rules)])
    };
    let nat = rule(
        "nat",
        1,
        Condition::any(),
        STATEFUL,
        Action::Nat {
            src: Some(address("20.0.0.1")),
            dst: None,
            src_port: None,
            dst_port: None,
        },
    );
    let nat = || {
        layer(
            1,
            true,
            true,
            vec![group("out", Direction::Out, 1, vec![nat.clone()])],
        )
    };
    assert!(passes(vec![seen(0, "10.0.0.4"), nat(), seen(2, "20.0.0.1")]));
    assert!(!passes(vec![seen(0, "20.0.0.1"), nat(), seen(2, "20.0.0.1")]));
    assert!(!passes(vec![seen(0, "10.0.0.4"), nat(), seen(2, "10.0.0.4")]));
}

fn stages(rules: &[Option<(Action, u32)>]) -> Vec<Layer> {
    let groups = rules.iter().zip(1..).map(|(one, priority)| {
        let rules = one
            .iter()
            .map(|(action, flags)| rule(action.name(), 1, dst_port(443), *flags, action.clone()));
        group(
            &format!("stage {priority}"),
            Direction::Out,
            priority,
            rules.collect(),
        )
    });
    vec![layer(0, true, false, groups.collect())]
}

/// Section 1.4: the four kinds of access control rules over two stages. `None` is a stage without a match.
#[test]
fn soft_and_hard_allow_and_deny() {
    let allow = || Some((Action::Allow, 0));
    let hard_allow = || Some((Action::Allow, TERMINATING));
    let soft_deny = || Some((Action::Block, 0));
    let deny = || Some((Action::Block, TERMINATING));
    let cases = [
        ([hard_allow(), deny()], true, "allow terminating stops all stages"),
        ([allow(), deny()], false, "allow non-terminating continues"),
        ([allow(), soft_deny()], false, "and the last match wins"),
        ([allow(), None], true, "a stage without a match changes nothing"),
        (
            [soft_deny(), allow()],
            true,
            "a later stage overrides a soft deny",
        ),
        ([soft_deny(), hard_allow()], true, "by either kind of allow"),
        ([soft_deny(), None], false, "nobody overrides it"),
        ([deny(), hard_allow()], false, "deny terminating is final"),
        ([None, allow()], true, "the second stage alone"),
        ([None, None], false, "no match at all is deny"),
    ];
    for (rules, through, why) in cases {
        assert_eq!(passes(stages(&rules)), through, "{why}");
    }
    assert_eq!(
        verdict(stages(&[None, None])),
        Verdict::Drop(DropReason::DroppedNoRuleMatch)
    );
    assert_eq!(
        verdict(stages(&[soft_deny()])),
        Verdict::Drop(DropReason::DroppedAcl)
    );
}

/// Groups are processed by their priority, whatever their order in the list; among equals the list decides.
#[test]
fn groups_are_processed_in_sequence() {
    let groups = |first: u32, second: u32| {
        let out = |name: &str, priority, dscp| group(name, Direction::Out, priority, vec![mark(1, dscp, 0)]);
        vec![layer(
            0,
            false,
            true,
            vec![out("a", first, 10), out("b", second, 20)],
        )]
    };
    let dscp = |layers| match verdict(layers) {
        Verdict::Forward(headers) => headers.dscp,
        other => panic!("{other:?}"),
    };
    assert_eq!(dscp(groups(1, 2)), 20);
    assert_eq!(dscp(groups(2, 1)), 10);
    assert_eq!(dscp(groups(1, 1)), 20);
}

/// In a group only the best priority counts, and among equals the earlier rule.
#[test]
fn in_a_group_the_lowest_number_counts() {
    let one = |rules: &[Rule]| {
        let layers = vec![layer(
            0,
            false,
            true,
            vec![group("g", Direction::Out, 1, rules.to_vec())],
        )];
        match verdict(layers) {
            Verdict::Forward(headers) => headers.dscp,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(one(&[mark(200, 20, 0), mark(100, 10, 0), mark(300, 30, 0)]), 10);
    assert_eq!(one(&[mark(100, 20, 0), mark(100, 10, 0)]), 20);
    // A rule that does not match gives way however low its number is.
    let other = rule("other", 1, dst_port(80), 0, Action::Mark { dscp: 40 });
    assert_eq!(one(&[other, mark(100, 10, 0)]), 10);
}

#[test]
fn a_group_has_a_direction_and_may_have_a_condition() {
    let udp_only = Group {
        condition: Some(Condition {
            protocols: vec![Protocol::UDP],
            ..Condition::any()
        }),
        ..group("udp", Direction::Out, 1, vec![mark(1, 10, 0)])
    };
    let mut port = port_of(vec![layer(0, false, true, vec![udp_only])]);
    let steps = |text: &str, direction, port: &vfp::Port| {
        let walk = port.process_tuple(&packet(text), direction).walk;
        let [step] = &walk.layers[..] else {
            panic!("one layer expected");
        };
        (
            step.groups.iter().map(|g| g.outcome.clone()).collect::<Vec<_>>(),
            step.decision,
        )
    };
    let allowed = LayerDecision::Default { allow: true };
    let (groups, decision) = steps("tcp 10.0.0.4 1 10.0.0.5 2", Direction::Out, &port);
    assert_eq!(
        (&groups[..], decision),
        (&[GroupOutcome::ConditionNotMet][..], allowed)
    );
    let (groups, decision) = steps("udp 10.0.0.5 2 10.0.0.4 1", Direction::In, &port);
    assert_eq!((groups.len(), decision), (0, allowed));
    let (groups, decision) = steps("udp 10.0.0.4 1 10.0.0.5 2", Direction::Out, &port);
    assert!(matches!(
        groups[0],
        GroupOutcome::Matched {
            rule: 0,
            priority: 1,
            ..
        }
    ));
    assert_eq!(decision, LayerDecision::Rule { group: 0 });
    let answer = send(
        &mut port,
        seconds(1),
        &packet("udp 10.0.0.4 1 10.0.0.5 2"),
        Direction::Out,
    );
    assert_eq!(forwarded(&answer).dscp, 10);
}

/// A terminating match is shown with the groups that it kept from being asked.
#[test]
fn groups_after_a_terminating_match_are_not_reached() {
    let layers = stages(&[Some((Action::Allow, TERMINATING)), Some((Action::Block, 0))]);
    let inspection = port_of(layers).process_tuple(&packet("tcp 10.0.0.4 1 10.0.0.5 443"), Direction::Out);
    let outcomes: Vec<_> = inspection.walk.layers[0]
        .groups
        .iter()
        .map(|g| &g.outcome)
        .collect();
    assert!(matches!(
        outcomes[0],
        GroupOutcome::Matched {
            terminating: true,
            action: "allow",
            ..
        }
    ));
    assert_eq!(outcomes[1], &GroupOutcome::NotReached);
}

/// Flags 16 and 4: only SYN, only what is no SYN.
#[test]
fn rules_for_syn_and_for_all_but_syn() {
    let groups = vec![group(
        "g",
        Direction::Out,
        1,
        vec![mark(1, 10, SYN_ONLY), mark(2, 20, NON_SYN_ONLY), mark(3, 30, 0)],
    )];
    let port = port_of(vec![layer(0, false, true, groups)]);
    let dscp = |headers| port.process_tuple(&headers, Direction::Out).walk.after.dscp;
    let syn = packet("tcp 10.0.0.4 1 10.0.0.5 443");
    assert_eq!(dscp(syn), 10);
    assert_eq!(dscp(with(syn, ACK)), 20);
    assert_eq!(dscp(with(syn, crate::support::SYN_ACK)), 20);
    assert_eq!(dscp(packet("udp 10.0.0.4 1 10.0.0.5 443")), 20);
}

fn vxlan(tni: u32) -> Encap {
    Encap {
        kind: EncapKind::Vxlan,
        src: address("100.64.0.2"),
        dst: address("100.64.0.1"),
        tni,
        dst_mac: Mac(0xcc),
    }
}

/// Conditions on MAC addresses and on the tenant network identifier of the outermost encapsulation.
#[test]
fn conditions_on_mac_and_tni() {
    let layer_with = |condition| {
        let rules = vec![rule("r", 1, condition, 0, Action::Allow)];
        vec![layer(0, false, false, vec![group("g", Direction::In, 1, rules)])]
    };
    let tni = |first, last| Condition {
        tni: Some((first, last)),
        ..Condition::any()
    };
    let src_mac = |mac| Condition {
        src_mac: Some(Mac(mac)),
        ..Condition::any()
    };
    let dst_mac = |mac| Condition {
        dst_mac: Some(Mac(mac)),
        ..Condition::any()
    };
    let plain = packet("udp 10.0.0.5 1 10.0.0.4 2");
    let mut wrapped = plain;
    wrapped.encaps[0] = Some(vxlan(5_001));
    let cases = [
        (tni(5_001, 5_001), wrapped, true),
        (tni(5_000, 5_002), wrapped, true),
        (tni(5_002, 9_000), wrapped, false),
        (tni(0, 9_000), plain, false),
        (src_mac(0xa), plain, true),
        (src_mac(0xb), plain, false),
        (dst_mac(0xb), plain, true),
        (dst_mac(0xa), plain, false),
    ];
    for (condition, headers, through) in cases {
        let end = port_of(layer_with(condition.clone()))
            .process_tuple(&headers, Direction::In)
            .walk
            .end;
        assert_eq!(end == End::Forward, through, "{condition:?}");
    }
}

/// Terms of one field are joined by or, fields by and.
#[test]
fn terms_are_joined_by_or_and_fields_by_and() {
    let condition = Condition {
        protocols: vec![Protocol::TCP, Protocol::UDP],
        dst_ports: vec![PortRange::one(53), PortRange::one(443)],
        ..Condition::any()
    };
    let rules = vec![rule("r", 1, condition, 0, Action::Allow)];
    let port = port_of(vec![layer(
        0,
        false,
        false,
        vec![group("g", Direction::Out, 1, rules)],
    )]);
    for (text, through) in [
        ("tcp 10.0.0.4 1 10.0.0.5 443", true),
        ("udp 10.0.0.4 1 10.0.0.5 53", true),
        ("udp 10.0.0.4 1 10.0.0.5 54", false),
        ("icmp 10.0.0.4 53 10.0.0.5 53", false),
    ] {
        let end = port.process_tuple(&packet(text), Direction::Out).walk.end;
        assert_eq!(end == End::Forward, through, "{text}");
    }
}

/// A stateless allow says nothing about answers, a stateful one lets them through.
#[test]
fn stateless_rules_are_asked_for_answers_too() {
    let stack = |flags| {
        let rules = vec![rule("r", 1, Condition::any(), flags, Action::Allow)];
        port_of(vec![layer(
            0,
            true,
            false,
            vec![group("g", Direction::Out, 1, rules)],
        )])
    };
    let question = packet("udp 10.0.0.4 1 10.0.0.5 53");
    let back = reply(question, question.flags);
    for (flags, through) in [(0, false), (STATEFUL, true)] {
        let mut port = stack(flags);
        let inspection = port.process_tuple(&question, Direction::Out);
        assert_eq!(inspection.entries.unwrap()[1].is_some(), through);
        send(&mut port, seconds(1), &question, Direction::Out);
        let answer = send(&mut port, seconds(1), &back, Direction::In);
        assert_eq!(matches!(answer.verdict, Verdict::Forward(_)), through);
    }
}

/// NAT in one layer, encapsulation in the next, the next hop in the third: each step and the one transposition.
#[test]
fn the_transposition_is_composed_step_by_step() {
    let nat = Action::Nat {
        src: Some(address("20.0.0.1")),
        dst: None,
        src_port: Some(1_024),
        dst_port: None,
    };
    let out = |id, action, flags| {
        let rules = vec![rule("r", 1, Condition::any(), flags, action)];
        layer(id, true, true, vec![group("g", Direction::Out, 1, rules)])
    };
    let layers = vec![
        out(0, nat, STATEFUL),
        out(1, Action::RouteEncap(vxlan(7)), 0),
        out(2, Action::PaRoute { next_hop: Mac(0xdd) }, 0),
    ];
    let inspection = port_of(layers).process_tuple(&packet("udp 10.0.0.4 50000 10.0.0.5 53"), Direction::Out);
    let routed = Encap {
        dst_mac: Mac(0xdd),
        ..vxlan(7)
    };
    let steps = &inspection.walk.layers;
    assert_eq!(steps[0].composed.push, [None, None]);
    assert_eq!(steps[1].composed.push, [Some(vxlan(7)), None]);
    assert_eq!(
        (steps[2].transposition.pop, steps[2].transposition.push),
        (1, [Some(routed), None])
    );
    let whole = Transposition {
        push: [Some(routed), None],
        src: Some(address("20.0.0.1")),
        src_port: Some(1_024),
        ..Transposition::default()
    };
    assert_eq!(inspection.walk.transposition, whole);
    assert_eq!(steps[2].after, inspection.walk.after);
    assert_eq!(
        inspection.walk.after.tuple.to_string(),
        "UDP 20.0.0.1 port 1024 to 10.0.0.5 port 53"
    );
}

/// Taking off what is not there, and putting on a third encapsulation: the packet is dropped where that happens.
#[test]
fn what_does_not_fit_the_headers_is_dropped() {
    let out = |id, action| {
        let rules = vec![rule("r", 1, Condition::any(), 0, action)];
        layer(id, false, true, vec![group("g", Direction::Out, 1, rules)])
    };
    let drop_at = |layers| {
        port_of(layers)
            .process_tuple(&packet("udp 10.0.0.4 1 10.0.0.5 2"), Direction::Out)
            .walk
            .end
    };
    let at = |id| End::Drop {
        layer: Some(LayerId(id)),
        reason: DropReason::InvalidConfig,
    };
    assert_eq!(drop_at(vec![out(0, Action::Allow), out(1, Action::Decap)]), at(1));
    let wrap = || Action::RouteEncap(vxlan(7));
    assert_eq!(
        drop_at(vec![out(0, wrap()), out(1, wrap()), out(2, wrap())]),
        at(2)
    );
    assert_eq!(
        drop_at(vec![out(0, wrap()), out(1, Action::Decap), out(2, Action::Allow)]),
        End::Forward
    );
}

/// An ICMP echo to an address that the platform answers for goes back, wrapped as it came; TCP to it passes on.
#[test]
fn pings_are_answered() {
    let rules = vec![rule("pong", 1, Condition::any(), 0, Action::PingResponse)];
    let mut port = port_of(vec![layer(
        0,
        false,
        true,
        vec![group("g", Direction::In, 1, rules)],
    )]);
    let mut ping = packet("icmp 10.0.0.5 9 10.0.0.4 9");
    ping.encaps[0] = Some(vxlan(7));
    let answer = send(&mut port, seconds(1), &ping, Direction::In);
    let Verdict::Reply(pong) = answer.verdict else {
        panic!("{answer:?}");
    };
    assert_eq!(pong.tuple, ping.tuple.reversed());
    assert_eq!(
        pong.encaps[0].map(|e| (e.src, e.dst)),
        Some((address("100.64.0.1"), address("100.64.0.2")))
    );
    assert_eq!((answer.flow, port.pairs()), (None, 0), "it is not cached");
    let answer = send(
        &mut port,
        seconds(1),
        &packet("tcp 10.0.0.5 9 10.0.0.4 9"),
        Direction::In,
    );
    assert!(matches!(answer.verdict, Verdict::Forward(_)));
}

/// Each packet and byte counts under the class of the last metering rule, in its own direction.
#[test]
fn metering_counts_both_ways() {
    let meter = |class| vec![rule("m", 1, Condition::any(), 0, Action::Meter { class })];
    let groups = vec![
        group("out", Direction::Out, 1, meter(7)),
        group("in", Direction::In, 1, meter(8)),
    ];
    let mut port = port_of(vec![layer(0, false, true, groups)]);
    let question = packet("udp 10.0.0.4 1 10.0.0.5 53");
    for _ in 0..3 {
        send(&mut port, seconds(1), &question, Direction::Out);
    }
    send(
        &mut port,
        seconds(1),
        &reply(question, question.flags),
        Direction::In,
    );
    let count = |class: u16, side: usize| {
        let count = port.meters()[&class][side];
        (count.packets, count.bytes)
    };
    assert_eq!([count(7, 0), count(7, 1)], [(3, 300), (0, 0)]);
    assert_eq!([count(8, 0), count(8, 1)], [(0, 0), (1, 100)]);
}

/// The normal path notes the very walk that an inspection shows, and none when the flow is known.
#[test]
fn a_packet_can_note_its_walk() {
    let mut port = port(Policy {
        layers: vec![
            layer(0, true, true, out_and_in(&[mark(1, 10, STATEFUL)])),
            layer(1, false, true, out_and_in(&[mark(1, 20, 0)])),
        ],
        ..Policy::default()
    });
    let headers = packet("udp 10.0.0.4 1 10.0.0.5 53");
    let inspection = port.process_tuple(&headers, Direction::Out);
    let (answer, steps) = port.process_with_walk(seconds(1), &headers, Direction::Out, 100, &mut Vec::new());
    assert_eq!(steps, inspection.walk.layers);
    assert_eq!(forwarded(&answer), inspection.walk.after);
    assert_eq!(answer.work.layers, inspection.work.layers);
    let (_, steps) = port.process_with_walk(seconds(1), &headers, Direction::Out, 100, &mut Vec::new());
    assert_eq!(steps, []);
    let again = port.process_tuple(&headers, Direction::Out);
    assert_eq!(again.walk.layers[0].decision, LayerDecision::Remembered);
    assert_eq!(again.existing.map(|flow| flow.forward.packets), Some(2));
}

/// A packet that is told by its tuple has the VM's MAC address on the way out and is in the VNET's encapsulation, turned round, on
/// the way in; so the guard of the port refuses neither. What it refuses has no answer and no entries.
#[test]
fn a_tuple_becomes_a_packet_as_the_vm_or_its_peer_sends_it() {
    let vm = Mac(0x0022_4800_0004);
    let wrap = rule("wrap", 1, Condition::any(), 0, Action::RouteEncap(vxlan(7)));
    let unwrap = rule("unwrap", 1, Condition::any(), 0, Action::Decap);
    let policy = Policy {
        layers: vec![layer(
            0,
            false,
            true,
            vec![
                group("out", Direction::Out, 1, vec![wrap]),
                group("in", Direction::In, 1, vec![unwrap]),
            ],
        )],
        ..Policy::default()
    };
    let settings = vfp::Settings {
        guard: vfp::Guard {
            mac: Some(vm),
            tnis: vec![7],
            ..vfp::Guard::default()
        },
        ..vfp::Settings::default()
    };
    let port = vfp::Port::new(1, 1, settings, vfp::CompiledPolicy::new(policy).unwrap());
    let tuple = packet("udp 10.0.0.4 1 10.0.0.5 2").tuple;
    let none = gft::TcpFlags::default();

    let out = port.headers_of(tuple, none, Direction::Out);
    assert_eq!((out.src_mac, out.encaps), (vm, [None; 2]));
    let inbound = port.headers_of(tuple.reversed(), none, Direction::In);
    let turned = Encap {
        src: vxlan(7).dst,
        dst: vxlan(7).src,
        ..vxlan(7)
    };
    assert_eq!((inbound.dst_mac, inbound.encaps), (vm, [Some(turned), None]));
    for (headers, direction) in [(&out, Direction::Out), (&inbound, Direction::In)] {
        let inspection = port.process_tuple(headers, direction);
        assert_eq!((inspection.refused, inspection.walk.end), (None, End::Forward));
        assert!(inspection.answer.is_some() && inspection.entries.is_some());
    }
    let spoofed = gft::Headers {
        src_mac: Mac(1),
        ..out
    };
    let inspection = port.process_tuple(&spoofed, Direction::Out);
    assert_eq!(inspection.refused, Some(DropReason::MacSpoofing));
    assert_eq!((inspection.answer, inspection.entries), (None, None));
}
