//! Unified flows: pairs, generations, lazy reconciliation, offload, ageing (facts/accelnet.md, sections 1.5 and 2.5).

use crate::support::{
    ACK, RST, SYN, SYN_ACK, address, dst_port, forwarded, group, layer, packet, port, port_of, reply, rule,
    seconds, send, send_noting, with,
};
use gft::{CopyFlags, Direction, EncapKind, Mac};
use kernel::Time;
use std::collections::BTreeMap;
use vfp::{
    Action, AddressTerm, Condition, DropReason, FlowState, LayerId, Mapping, MappingSpace, Offload,
    OffloadWhen, Policy, Port, SpaceId, Unmapped, Verdict,
};

const SPACE: SpaceId = SpaceId(0);

fn mapping(host: u8) -> Mapping {
    Mapping {
        pa: gft::Address::v4(100, 64, 0, host),
        ca_mac: Mac(0xc0 + u64::from(host)),
        pa_mac: Mac(0xee),
        tni: 5_001,
    }
}

/// Access control that remembers, over encapsulation that does not.
fn stack(unmapped: Unmapped) -> Port {
    let allow = |direction| {
        group(
            "acl",
            direction,
            1,
            vec![rule("web", 1, dst_port(443), 2, Action::Allow)],
        )
    };
    let encap = Action::MapEncap {
        space: SPACE,
        kind: EncapKind::Vxlan,
        src: address("100.64.0.1"),
    };
    let out = vec![rule("encap", 1, Condition::any(), 0, encap)];
    let back = vec![rule("decap", 1, Condition::any(), 0, Action::Decap)];
    let groups = vec![
        group("out", Direction::Out, 1, out),
        group("in", Direction::In, 1, back),
    ];
    port(Policy {
        layers: vec![
            layer(0, true, false, vec![allow(Direction::Out), allow(Direction::In)]),
            layer(1, false, true, groups),
        ],
        spaces: vec![MappingSpace {
            name: "vnet".into(),
            unmapped,
            mappings: BTreeMap::from([(address("10.0.0.5"), mapping(5))]),
        }],
        ..Policy::default()
    })
}

const FIRST: &str = "tcp 10.0.0.4 50000 10.0.0.5 443";

/// The first packet walks the layers, for both ways; all others of the connection are one look-up.
#[test]
fn only_the_first_packet_walks() {
    let mut port = stack(Unmapped::Drop);
    let syn = packet(FIRST);
    let first = send(&mut port, seconds(1), &syn, Direction::Out);
    assert_eq!(
        (first.work.layers, first.work.lookups, first.work.created),
        (4, 1, 2)
    );
    let out = forwarded(&first);
    assert_eq!(
        out.encaps[0].map(|e| (e.dst, e.tni)),
        Some((address("100.64.0.5"), 5_001))
    );
    for (headers, direction) in [
        (reply(out, SYN_ACK), Direction::In),
        (with(syn, ACK), Direction::Out),
    ] {
        let next = send(&mut port, seconds(1), &headers, direction);
        assert_eq!(
            (next.work.layers, next.work.lookups, next.work.created),
            (0, 1, 0)
        );
        assert_eq!(next.flow, first.flow);
    }
    let back = forwarded(&send(&mut port, seconds(1), &reply(out, ACK), Direction::In));
    assert_eq!((back.encaps, back.tuple), ([None, None], syn.tuple.reversed()));
    let flow = port.flow(first.flow.unwrap()).unwrap();
    assert_eq!((flow.forward.packets, flow.answer.unwrap().packets), (2, 2));
    assert_eq!((flow.forward.bytes, flow.state), (200, FlowState::Established));
    assert_eq!((port.pairs(), port.flows().count()), (1, 1));
}

/// A VM has moved. Nothing happens to its peers' flows until their next packet; that one is reconciled, once for both ways,
/// and the hardware's entries are replaced.
#[test]
fn a_change_is_reconciled_lazily_and_once() {
    let mut port = stack(Unmapped::Drop);
    let syn = packet(FIRST);
    let (first, _) = send_noting(&mut port, seconds(1), &syn, Direction::Out);
    let before = port.generation();
    assert_eq!(port.resolve(SPACE, address("10.0.0.5"), mapping(6)), Ok(0));
    assert_eq!(port.generation(), before + 1);
    let flow = port.flow(first.flow.unwrap()).unwrap();
    assert!(flow.stale && flow.generation == before);

    let (next, offloads) = send_noting(&mut port, seconds(2), &with(syn, ACK), Direction::Out);
    assert_eq!((next.work.reconciled, next.work.created), (1, 0));
    assert_eq!(
        forwarded(&next).encaps[0].map(|e| e.dst),
        Some(address("100.64.0.6"))
    );
    let [Offload::Update { handle, flows }] = &offloads[..] else {
        panic!("{offloads:?}");
    };
    assert_eq!(Some(*handle), first.flow);
    assert!(flows.iter().flatten().all(|flow| flow.generation == before + 1));
    let (last, offloads) = send_noting(&mut port, seconds(2), &with(syn, ACK), Direction::Out);
    assert_eq!((last.work.reconciled, offloads.len()), (0, 0));
    assert_eq!(port.counters().number_of_flow_resimulated, 1);
}

/// It may be an answer that comes first. The pair is reconciled from its first packet, so access control still knows it.
#[test]
fn an_answer_reconciles_too() {
    let mut port = stack(Unmapped::Drop);
    let syn = packet(FIRST);
    let out = forwarded(&send(&mut port, seconds(1), &syn, Direction::Out));
    port.invalidate();
    let answer = send(&mut port, seconds(1), &reply(out, SYN_ACK), Direction::In);
    assert_eq!(answer.work.reconciled, 1);
    assert_eq!(forwarded(&answer).tuple, syn.tuple.reversed());
    let next = send(&mut port, seconds(1), &with(syn, ACK), Direction::Out);
    assert_eq!(next.work.reconciled, 0);
}

/// The network identifier changes: answers come with another key, and the old one is unknown.
#[test]
fn the_key_of_the_answers_may_change() {
    let mut port = stack(Unmapped::Drop);
    let syn = packet(FIRST);
    let old = forwarded(&send(&mut port, seconds(1), &syn, Direction::Out));
    let moved = Mapping {
        tni: 6_002,
        ..mapping(5)
    };
    port.resolve(SPACE, address("10.0.0.5"), moved).unwrap();
    let new = forwarded(&send(&mut port, seconds(1), &with(syn, ACK), Direction::Out));
    assert_eq!(new.encaps[0].map(|e| e.tni), Some(6_002));
    let answer = send(&mut port, seconds(1), &reply(new, ACK), Direction::In);
    assert!(matches!(answer.verdict, Verdict::Forward(_)));
    let answer = send(&mut port, seconds(1), &reply(old, ACK), Direction::In);
    assert_eq!(answer.verdict, Verdict::Drop(DropReason::DroppedNoRuleMatch));
}

/// What a stateless layer does not let through any more is cut with its next packet, and leaves the hardware.
#[test]
fn a_stateless_layer_cuts_a_flow() {
    let mut port = stack(Unmapped::Drop);
    let syn = packet(FIRST);
    let first = send(&mut port, seconds(1), &syn, Direction::Out);
    assert!(port.forget(SPACE, address("10.0.0.5")));
    assert!(!port.forget(SPACE, address("10.0.0.5")));
    let (next, offloads) = send_noting(&mut port, seconds(1), &with(syn, ACK), Direction::Out);
    assert_eq!(next.verdict, Verdict::Drop(DropReason::NoMapping));
    assert_eq!(
        offloads,
        [Offload::Remove {
            handle: first.flow.unwrap()
        }]
    );
    assert_eq!((port.pairs(), next.work.removed), (0, 2));
}

/// A layer that is gone does nothing any more, and what it remembered is forgotten.
#[test]
fn what_a_removed_layer_knew_is_forgotten() {
    let nat = Action::Nat {
        src: Some(address("20.0.0.1")),
        dst: None,
        src_port: None,
        dst_port: None,
    };
    let rules = vec![rule("nat", 1, Condition::any(), 2, nat)];
    let mut port = port_of(vec![layer(
        0,
        true,
        true,
        vec![group("g", Direction::Out, 1, rules)],
    )]);
    let headers = packet("udp 10.0.0.4 1 10.0.0.5 53");
    let out = forwarded(&send(&mut port, seconds(1), &headers, Direction::Out));
    assert_eq!(out.tuple.src, address("20.0.0.1"));
    // Another rule in the layer that remembers: the flow keeps its address.
    let other = group(
        "g",
        Direction::Out,
        1,
        vec![rule("none", 1, Condition::any(), 2, Action::Allow)],
    );
    port.replace_group(LayerId(0), other).unwrap();
    let out = forwarded(&send(&mut port, seconds(1), &headers, Direction::Out));
    assert_eq!(out.tuple.src, address("20.0.0.1"));
    port.change_policy(|policy| policy.layers.clear()).unwrap();
    let out = forwarded(&send(&mut port, seconds(1), &headers, Direction::Out));
    assert_eq!(out, headers);
}

/// A layer that has become stateless asks its rules again, of flows that it knew as well.
#[test]
fn a_layer_that_is_stateless_now_remembers_nothing() {
    let allow = vec![rule("allow", 1, Condition::any(), 2, Action::Allow)];
    let mut port = port_of(vec![layer(
        0,
        true,
        false,
        vec![group("g", Direction::Out, 1, allow)],
    )]);
    let headers = packet("udp 10.0.0.4 1 10.0.0.5 53");
    send(&mut port, seconds(1), &headers, Direction::Out);
    port.replace_layer(layer(0, true, false, Vec::new())).unwrap();
    let answer = send(&mut port, seconds(1), &headers, Direction::Out);
    assert!(
        matches!(answer.verdict, Verdict::Forward(_)),
        "stateful: it keeps the flow"
    );
    port.replace_layer(layer(0, false, false, Vec::new())).unwrap();
    let answer = send(&mut port, seconds(1), &headers, Direction::Out);
    assert_eq!(answer.verdict, Verdict::Drop(DropReason::DroppedNoRuleMatch));
}

/// A stateful encapsulation comes off the answers without a rule; one that a stateful rule took off is not put on the answers,
/// which go straight to the client.
#[test]
fn stateful_encapsulation_and_decapsulation() {
    let encap = gft::Encap {
        kind: EncapKind::IpInIp,
        src: address("100.64.0.1"),
        dst: address("100.64.0.2"),
        tni: 0,
        dst_mac: Mac(0xee),
    };
    let stack = |direction, action| {
        let rules = vec![rule("r", 1, Condition::any(), 2, action)];
        port_of(vec![layer(0, true, true, vec![group("g", direction, 1, rules)])])
    };
    let question = packet("udp 10.0.0.4 1 10.0.0.5 53");
    let mut port = stack(Direction::Out, Action::RouteEncap(encap));
    let out = forwarded(&send(&mut port, seconds(1), &question, Direction::Out));
    assert_eq!(out.encaps, [Some(encap), None]);
    let back = forwarded(&send(
        &mut port,
        seconds(1),
        &reply(out, question.flags),
        Direction::In,
    ));
    assert_eq!((back.encaps, back.tuple), ([None; 2], question.tuple.reversed()));

    let mut port = stack(Direction::In, Action::Decap);
    let mut inbound = question;
    inbound.encaps[0] = Some(encap);
    let inside = forwarded(&send(&mut port, seconds(1), &inbound, Direction::In));
    assert_eq!(inside.encaps, [None; 2]);
    let out = forwarded(&send(
        &mut port,
        seconds(1),
        &reply(inside, question.flags),
        Direction::Out,
    ));
    assert_eq!((out.encaps, out.tuple), ([None; 2], question.tuple.reversed()));
}

/// Rules for SYN only belong to the first packet of a connection: a reconciliation asks them as for it, whichever packet
/// comes.
#[test]
fn a_reconciliation_asks_as_for_the_first_packet() {
    let mark = |priority, flags, dscp| rule("mark", priority, Condition::any(), flags, Action::Mark { dscp });
    let rules = vec![mark(1, 16, 10), mark(2, 4, 20)];
    let mut port = port_of(vec![layer(
        0,
        false,
        true,
        vec![group("g", Direction::Out, 1, rules)],
    )]);
    let syn = packet(FIRST);
    send(&mut port, seconds(1), &syn, Direction::Out);
    for _ in 0..2 {
        let next = send(&mut port, seconds(1), &with(syn, ACK), Direction::Out);
        assert_eq!(forwarded(&next).dscp, 10);
        port.invalidate();
    }
    assert_eq!(port.counters().number_of_flow_resimulated, 1);
    assert_eq!(
        port.process_tuple(&with(syn, ACK), Direction::Out)
            .walk
            .after
            .dscp,
        10
    );
}

/// The two ways of clearing: what layers know stays, or goes too.
#[test]
fn clearing_the_unified_flows_or_all() {
    let mut port = stack(Unmapped::Drop);
    let syn = packet(FIRST);
    send(&mut port, seconds(1), &syn, Direction::Out);
    let closed = group("acl", Direction::Out, 1, Vec::new());
    port.replace_group(LayerId(0), closed).unwrap();
    port.invalidate();
    let answer = send(&mut port, seconds(1), &with(syn, ACK), Direction::Out);
    assert!(matches!(answer.verdict, Verdict::Forward(_)));
    let mut offloads = Vec::new();
    let work = port.clear_flows(seconds(1), &mut offloads);
    assert_eq!((work.removed, offloads.len(), port.pairs()), (2, 1, 0));
    let answer = send(&mut port, seconds(1), &with(syn, ACK), Direction::Out);
    assert_eq!(answer.verdict, Verdict::Drop(DropReason::DroppedNoRuleMatch));
}

/// Section 2.5: a SYN is two entries for the hardware, with copies of what TCP tracking needs; UDP needs none.
#[test]
fn the_first_packet_offloads_a_pair() {
    let mut port = stack(Unmapped::Drop);
    let syn = packet(FIRST);
    let (first, offloads) = send_noting(&mut port, seconds(1), &syn, Direction::Out);
    let [
        Offload::Install {
            handle,
            flows: [Some(forward), Some(back)],
        },
    ] = &offloads[..]
    else {
        panic!("{offloads:?}");
    };
    assert_eq!((Some(*handle), first.work.offload_commands), (first.flow, 2));
    assert_eq!(forward.key, syn.key(1, Direction::Out));
    assert_eq!((back.key.tuple, back.key.tni), (syn.tuple.reversed(), 5_001));
    assert_eq!(back.key.direction, Direction::In);
    assert!(forward.copy.has(CopyFlags::WHEN_TCP_FLAG_SET) && back.copy.has(CopyFlags::AFTER_TCP_FIN));
    assert_eq!((forward.handle, forward.generation), (*handle, port.generation()));
    assert_eq!(forward.transposition.apply(&syn), Ok(forwarded(&first)));
    let (_, offloads) = send_noting(&mut port, seconds(1), &with(syn, ACK), Direction::Out);
    assert_eq!(offloads, []);

    let (_, offloads) = send_noting(
        &mut port,
        seconds(1),
        &packet("udp 10.0.0.4 1 10.0.0.5 443"),
        Direction::Out,
    );
    let [Offload::Install { flows, .. }] = &offloads[..] else {
        panic!("{offloads:?}");
    };
    assert!(flows.iter().flatten().all(|flow| flow.copy == CopyFlags::NONE));
}

/// The other times to offload: never, and when the handshake is complete.
#[test]
fn offload_can_wait_for_the_handshake() {
    let commands = |when| {
        let mut port = stack(Unmapped::Drop);
        port.settings.offload = when;
        let syn = packet(FIRST);
        let (first, one) = send_noting(&mut port, seconds(1), &syn, Direction::Out);
        let (_, two) = send_noting(
            &mut port,
            seconds(1),
            &reply(forwarded(&first), SYN_ACK),
            Direction::In,
        );
        let (_, three) = send_noting(&mut port, seconds(1), &with(syn, ACK), Direction::Out);
        [one.len(), two.len(), three.len()]
    };
    assert_eq!(commands(OffloadWhen::FirstPacket), [1, 0, 0]);
    assert_eq!(commands(OffloadWhen::HandshakeComplete), [0, 0, 1]);
    assert_eq!(commands(OffloadWhen::Never), [0, 0, 0]);
}

/// The hardware has lost a flow, or is another: it is told again.
#[test]
fn the_hardware_can_be_told_again() {
    let mut port = stack(Unmapped::Drop);
    let syn = packet(FIRST);
    let (first, told) = send_noting(&mut port, seconds(1), &syn, Direction::Out);
    let mut again = Vec::new();
    assert!(port.reinstall(first.flow.unwrap(), &mut again));
    assert_eq!(again, told);
    port.forget_offloads();
    assert!(!port.reinstall(first.flow.unwrap(), &mut again));
    let (_, later) = send_noting(&mut port, seconds(1), &with(syn, ACK), Direction::Out);
    assert_eq!(later, told);
}

/// The hardware forwards by itself: copies move the TCP state, reports the counters and the age.
#[test]
fn software_follows_what_the_hardware_does() {
    let mut port = stack(Unmapped::Drop);
    let syn = packet(FIRST);
    let first = send(&mut port, seconds(1), &syn, Direction::Out);
    let handle = first.flow.unwrap();
    let state = |port: &Port| port.flow(handle).unwrap().state;
    let work = port.observe(seconds(2), &reply(forwarded(&first), SYN_ACK), Direction::In);
    assert_eq!(
        (work.lookups, work.layers, state(&port)),
        (1, 0, FlowState::SynRcvd)
    );
    // Nobody copies the last acknowledgment of the handshake; the counters of the forward flow tell of it.
    port.counted(handle, Direction::In, 1, 60, seconds(2));
    assert_eq!(state(&port), FlowState::SynRcvd);
    port.counted(handle, Direction::Out, 10, 15_000, seconds(3));
    assert_eq!(state(&port), FlowState::Established);
    let flow = port.flow(handle).unwrap();
    assert_eq!(
        (flow.forward.packets, flow.forward.bytes, flow.last_seen),
        (11, 15_100, seconds(3))
    );
    assert_eq!(flow.answer.map(|answer| answer.packets), Some(1));
    assert_eq!(port.counters().tcp_connections_verified, 1);
    // It lives 240 s from then on, not from the last packet that software has seen.
    let mut offloads = Vec::new();
    assert_eq!(
        port.expire(Time(seconds(243).ps() - 1), 100, &mut offloads).pairs,
        0
    );
    assert_eq!(port.expire(seconds(244), 100, &mut offloads).pairs, 1);
    assert_eq!(offloads, [Offload::Remove { handle }]);
}

/// The hardware lets a SYN through by the entries of a connection that is over: software follows it into the next one.
#[test]
fn the_hardware_may_open_the_next_connection() {
    for (direction, state) in [
        (Direction::Out, FlowState::SynSent),
        (Direction::In, FlowState::Established),
    ] {
        let mut port = stack(Unmapped::Drop);
        let syn = packet(FIRST);
        let first = send(&mut port, seconds(1), &syn, Direction::Out);
        let out = forwarded(&first);
        port.observe(seconds(2), &reply(out, RST), Direction::In);
        let flow = |port: &Port| port.flow(first.flow.unwrap()).unwrap();
        assert_eq!(flow(&port).state, FlowState::Closed);
        let next = match direction {
            Direction::Out => syn,
            Direction::In => reply(out, SYN),
        };
        port.observe(seconds(3), &next, direction);
        assert_eq!(flow(&port).state, state);
        let ttl = state.ttl(&port.settings.timers);
        assert_eq!(flow(&port).deadline, Time(seconds(3).ps() + ttl.ps()));
    }
}

/// A report that comes late does not count for the flow that has the place now.
#[test]
fn late_reports_meet_nobody() {
    let mut port = stack(Unmapped::Drop);
    let old = send(&mut port, seconds(1), &packet(FIRST), Direction::Out)
        .flow
        .unwrap();
    port.clear_flows(seconds(1), &mut Vec::new());
    let new = send(&mut port, seconds(1), &packet(FIRST), Direction::Out)
        .flow
        .unwrap();
    assert_ne!(old, new);
    port.counted(old, Direction::Out, 10, 15_000, seconds(1));
    assert_eq!(
        (port.flow(old), port.flow(new).unwrap().forward.packets),
        (None, 1)
    );
}

/// Without a mapping a packet waits, within limits; it comes again when the address is resolved, or is given up.
#[test]
fn packets_wait_for_a_mapping() {
    let mut port = stack(Unmapped::Pending);
    port.settings.max_pending_entries = 2;
    port.settings.max_pending_packets = 4;
    let to = |host: u8| packet(&format!("tcp 10.0.0.4 50000 10.0.0.{host} 443"));
    let pending = |host: u8| Verdict::Pending {
        space: SPACE,
        ca: gft::Address::v4(10, 0, 0, host),
    };
    let full = Verdict::Drop(DropReason::Resources);
    let mut verdict = |host, at| send(&mut port, seconds(at), &to(host), Direction::Out).verdict;
    assert_eq!(
        [verdict(6, 1), verdict(6, 1), verdict(7, 2)],
        [pending(6), pending(6), pending(7)]
    );
    assert_eq!(
        [verdict(8, 2), verdict(7, 2), verdict(7, 2)],
        [full, pending(7), full]
    );
    assert_eq!((port.pending(), port.pairs()), ((2, 4), 0));
    // It was not known before, so no flow has to be reconciled.
    let before = port.generation();
    assert_eq!(port.resolve(SPACE, address("10.0.0.6"), mapping(6)), Ok(2));
    assert_eq!(port.generation(), before);
    assert!(matches!(
        send(&mut port, seconds(3), &to(6), Direction::Out).verdict,
        Verdict::Forward(_)
    ));
    // The other is given up 5 s after its first packet.
    assert_eq!(port.next_expiry(), Some(seconds(7)));
    assert_eq!(
        port.expire(Time(seconds(7).ps() - 1), 9, &mut Vec::new())
            .given_up,
        []
    );
    let given_up = port.expire(seconds(7), 9, &mut Vec::new()).given_up;
    assert_eq!(given_up, [(SPACE, address("10.0.0.7"), 2)]);
    assert_eq!(port.pending(), (0, 0));
}

/// A mapping that is gone for a while does not end a flow.
#[test]
fn a_flow_waits_for_its_mapping_too() {
    let mut port = stack(Unmapped::Pending);
    let syn = packet(FIRST);
    send(&mut port, seconds(1), &syn, Direction::Out);
    port.forget(SPACE, address("10.0.0.5"));
    let waits = send(&mut port, seconds(2), &with(syn, ACK), Direction::Out);
    assert!(matches!(waits.verdict, Verdict::Pending { .. }));
    port.resolve(SPACE, address("10.0.0.5"), mapping(9)).unwrap();
    let goes = send(&mut port, seconds(3), &with(syn, ACK), Direction::Out);
    assert_eq!(
        forwarded(&goes).encaps[0].map(|e| e.dst),
        Some(address("100.64.0.9"))
    );
    assert_eq!(port.pairs(), 1);
}

/// Without unified flows every packet walks, with the same result, and nothing is offloaded.
#[test]
fn unified_flows_can_be_turned_off() {
    let mut port = stack(Unmapped::Drop);
    port.settings.unified_flows = false;
    let syn = packet(FIRST);
    let (first, offloads) = send_noting(&mut port, seconds(1), &syn, Direction::Out);
    assert_eq!(offloads, []);
    let second = send(&mut port, seconds(1), &with(syn, ACK), Direction::Out);
    assert_eq!(second.work.layers, 2);
    assert_eq!(forwarded(&second).encaps, forwarded(&first).encaps);
    let back = send(
        &mut port,
        seconds(1),
        &reply(forwarded(&first), ACK),
        Direction::In,
    );
    assert_eq!(
        (back.work.layers, forwarded(&back).tuple),
        (2, syn.tuple.reversed())
    );
}

/// A change that is wrong is refused as a whole, with its place.
#[test]
fn a_wrong_change_leaves_all_as_it_was() {
    let mut port = stack(Unmapped::Drop);
    let before = port.generation();
    let wrong = Condition {
        dst: vec![AddressTerm::Tag(vfp::TagId(9))],
        ..Condition::any()
    };
    let error = port
        .replace_group(
            LayerId(0),
            group(
                "acl",
                Direction::Out,
                1,
                vec![rule("r", 1, wrong, 2, Action::Allow)],
            ),
        )
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "layer layer 0, group acl, rule r: tag 9 is not defined"
    );
    let error = port
        .replace_group(LayerId(9), group("acl", Direction::Out, 1, Vec::new()))
        .unwrap_err();
    assert_eq!(error.to_string(), "group acl: there is no layer with id 9");
    let error = port
        .resolve(SpaceId(3), address("10.0.0.9"), mapping(1))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "mapping of 10.0.0.9: there is no mapping space 3"
    );
    assert_eq!(port.generation(), before);
    assert!(matches!(
        send(&mut port, seconds(1), &packet(FIRST), Direction::Out).verdict,
        Verdict::Forward(_)
    ));
}

/// A port in a snapshot goes its own way.
#[test]
fn a_clone_is_a_snapshot() {
    let mut port = stack(Unmapped::Drop);
    send(&mut port, seconds(1), &packet(FIRST), Direction::Out);
    let mut copy = port.clone();
    copy.clear_flows(seconds(1), &mut Vec::new());
    copy.resolve(SPACE, address("10.0.0.5"), mapping(9)).unwrap();
    assert_eq!((port.pairs(), copy.pairs()), (1, 0));
    assert!(!port.flows().next().unwrap().stale);
    let next = send(&mut port, seconds(1), &with(packet(FIRST), ACK), Direction::Out);
    assert_eq!(
        forwarded(&next).encaps[0].map(|e| e.dst),
        Some(address("100.64.0.5"))
    );
}

/// Flows that share what is done to them share its memory, whatever their ports.
#[test]
fn transpositions_are_shared() {
    let mut port = stack(Unmapped::Drop);
    for src_port in 1_024..2_024 {
        send(
            &mut port,
            seconds(1),
            &packet(&format!("tcp 10.0.0.4 {src_port} 10.0.0.5 443")),
            Direction::Out,
        );
    }
    // Encapsulation towards 10.0.0.5's host, decapsulation of the answers.
    assert_eq!(
        (port.pairs(), port.transpositions(), port.memory().flows),
        (1_000, 2, 2_000)
    );
}
