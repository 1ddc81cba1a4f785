//! TCP tracking, its timers and counters (facts/accelnet.md, section 1.6), at a port that lets everything through.

use crate::support::{ACK, FIN_ACK, RST, SYN, SYN_ACK, packet, port, reply, seconds, send, with};
use gft::{Direction, Headers, TcpFlags};
use kernel::Time;
use vfp::{Counters, DropReason, FlowClass, FlowState, Limits, MidStream, Policy, Port, Verdict};

fn open_port() -> Port {
    port(Policy::default())
}

fn syn() -> Headers {
    packet("tcp 10.0.0.4 50000 10.0.0.5 443")
}

/// Plays packets at these times (in ms) between the VM, which opens, and its peer.
fn play(port: &mut Port, packets: &[(u64, TcpFlags, Direction)]) {
    for &(ms, flags, direction) in packets {
        let headers = match direction {
            Out => with(syn(), flags),
            In => reply(syn(), flags),
        };
        send(port, Time::from_ms(ms), &headers, direction);
    }
}

fn state(port: &Port) -> Option<FlowState> {
    port.flows().next().map(|flow| flow.state)
}

use Direction::{In, Out};

const HANDSHAKE: [(u64, TcpFlags, Direction); 3] = [(0, SYN, Out), (10, SYN_ACK, In), (20, ACK, Out)];

/// Pairs that are left at a time, each looked at.
fn left(port: &mut Port, ms: u64) -> usize {
    port.expire(Time::from_ms(ms), u32::MAX, &mut Vec::new());
    port.pairs()
}

#[test]
fn counters_of_a_whole_connection() {
    let mut port = open_port();
    play(&mut port, &HANDSHAKE);
    play(
        &mut port,
        &[
            (30, FIN_ACK, Out),
            (40, ACK, In),
            (50, FIN_ACK, In),
            (60, ACK, Out),
        ],
    );
    assert_eq!(state(&port), Some(FlowState::TimeWait));
    let expected = Counters {
        tcp_syn_packets: 1,
        tcp_syn_ack_packets: 1,
        tcp_fin_packets: 2,
        tcp_connections_verified: 1,
        tcp_connections_closed_by_fin: 1,
        tcp_connections_time_wait: 1,
        ..Counters::default()
    };
    assert_eq!(*port.counters(), expected);
    // TIME_WAIT lasts 120 s from the last packet at 60 ms.
    assert_eq!((left(&mut port, 120_050), left(&mut port, 120_200)), (1, 0));
    assert_eq!(
        *port.counters(),
        expected,
        "a connection that ended in order has not timed out"
    );
}

/// A half-open connection lives 5 s, and is counted when it grows too old.
#[test]
fn a_half_open_connection_lives_5_s() {
    let mut port = open_port();
    play(&mut port, &HANDSHAKE[..2]);
    assert_eq!((left(&mut port, 5_000), left(&mut port, 5_200)), (1, 0));
    assert_eq!(port.counters().tcp_half_open_timeouts, 1);
    // A naive port keeps it 240 s.
    let mut port = open_port();
    port.settings.timers.half_open = seconds(240);
    play(&mut port, &HANDSHAKE[..1]);
    assert_eq!((left(&mut port, 239_900), left(&mut port, 240_200)), (1, 0));
}

/// An established connection lives 240 s after its last packet, whichever way that went.
#[test]
fn an_established_connection_lives_240_s() {
    let mut port = open_port();
    play(&mut port, &HANDSHAKE);
    play(&mut port, &[(100_000, ACK, In)]);
    assert_eq!((left(&mut port, 339_900), left(&mut port, 340_200)), (1, 0));
    assert_eq!(port.counters().tcp_connections_timed_out, 1);
}

/// With a packet the deadline holds to the picosecond: at it the flow is gone, before it it lives.
#[test]
fn a_packet_finds_no_flow_that_is_too_old() {
    for (late, created) in [(0, 0), (1, 2)] {
        let mut port = open_port();
        play(&mut port, &HANDSHAKE);
        let at = Time(Time::from_ms(20).ps() + seconds(240).ps() - 1 + late);
        let answer = send(&mut port, at, &with(syn(), ACK), Out);
        assert_eq!(answer.work.created, created);
    }
}

/// A reset from either side cuts the time to live to 5 s.
#[test]
fn a_reset_cuts_the_time_to_live() {
    for (flags, direction) in [(RST, Out), (RST.with(ACK), In)] {
        let mut port = open_port();
        play(&mut port, &HANDSHAKE);
        play(&mut port, &[(1_000, flags, direction)]);
        assert_eq!(state(&port), Some(FlowState::Closed));
        let counters = port.counters();
        assert_eq!(
            (
                counters.tcp_connections_reset,
                counters.tcp_connections_reset_half_ttl
            ),
            (1, 1)
        );
        assert_eq!(counters.tcp_rst_packets, 1);
        assert_eq!((left(&mut port, 6_000), left(&mut port, 6_200)), (1, 0));
    }
}

/// A SYN on a connection that is over opens another one: from TIME_WAIT and after a reset, from either side.
#[test]
fn a_syn_opens_a_connection_where_one_is_over() {
    let mut port = open_port();
    play(&mut port, &HANDSHAKE);
    play(&mut port, &[(30, RST, Out)]);
    let answer = send(&mut port, seconds(1), &syn(), Out);
    assert_eq!((answer.work.removed, answer.work.created), (2, 2));
    assert_eq!(state(&port), Some(FlowState::SynSent));
    play(&mut port, &[(1_001, RST.with(ACK), In)]);
    let answer = send(&mut port, seconds(2), &reply(syn(), SYN), In);
    assert_eq!((answer.work.created, port.pairs()), (2, 1));
    assert_eq!(
        port.flows().next().map(|flow| flow.forward.key.direction),
        Some(In)
    );
}

/// A SYN on an established connection: its opener has forgotten it.
#[test]
fn a_syn_on_an_established_connection_resets_it() {
    let mut port = open_port();
    play(&mut port, &HANDSHAKE);
    play(&mut port, &[(1_000, SYN, Out)]);
    assert_eq!(state(&port), Some(FlowState::SynSent));
    assert_eq!(port.counters().tcp_connections_reset_by_syn, 1);
    assert_eq!(port.stats().0[0][FlowClass::HalfOpenFlow as usize].count, 1);
    assert_eq!((left(&mut port, 6_000), left(&mut port, 6_200)), (1, 0));
}

/// FIN_WAIT lives 120 s; when both have closed and the last acknowledgment is missing, 5 s.
#[test]
fn closing_connections_live_shorter() {
    let mut port = open_port();
    play(&mut port, &HANDSHAKE);
    play(&mut port, &[(1_000, FIN_ACK, In)]);
    assert_eq!((left(&mut port, 121_000), left(&mut port, 121_200)), (1, 0));
    let mut port = open_port();
    play(&mut port, &HANDSHAKE);
    play(&mut port, &[(1_000, FIN_ACK, In), (1_000, FIN_ACK, Out)]);
    assert_eq!(state(&port), Some(FlowState::LastAck));
    assert_eq!((left(&mut port, 6_000), left(&mut port, 6_200)), (1, 0));
}

/// Flows without TCP state live 240 s.
#[test]
fn other_flows_are_transient() {
    let mut port = open_port();
    for text in ["udp 10.0.0.4 1 10.0.0.5 2", "icmp 10.0.0.4 1 10.0.0.5 1"] {
        send(&mut port, Time::ZERO, &packet(text), Out);
    }
    assert!(port.flows().all(|flow| flow.state == FlowState::Untracked));
    assert_eq!((left(&mut port, 240_000), left(&mut port, 240_200)), (2, 0));
    assert_eq!(port.counters().transient_flow_timeouts, 2);
}

/// A TCP packet that opens nothing and belongs to nothing: picked up as established, or dropped.
#[test]
fn connections_are_picked_up_in_the_middle_or_not() {
    let mut port = open_port();
    play(&mut port, &[(0, ACK, Out)]);
    assert_eq!(state(&port), Some(FlowState::Established));
    assert_eq!(port.counters().non_syn_stateful, 1);
    let mut port = open_port();
    port.settings.mid_stream = MidStream::Drop;
    let answer = send(&mut port, Time::ZERO, &with(syn(), ACK), Out);
    assert_eq!(answer.verdict, Verdict::Drop(DropReason::NoConnection));
    assert_eq!((port.counters().non_syn_stateful, port.pairs()), (1, 0));
    assert_eq!(port.counters().dropped(DropReason::NoConnection), 1);
}

/// A reset that belongs to nothing passes and leaves nothing.
#[test]
fn a_stray_reset_leaves_no_flow() {
    let mut port = open_port();
    let answer = send(&mut port, Time::ZERO, &with(syn(), RST), Out);
    assert!(matches!(answer.verdict, Verdict::Forward(_)));
    assert_eq!((answer.flow, port.pairs()), (None, 0));
}

/// Tracking can be turned off: TCP is a flow like any other.
#[test]
fn tracking_can_be_turned_off() {
    let mut port = open_port();
    port.settings.tcp_tracking = false;
    play(&mut port, &HANDSHAKE);
    assert_eq!(state(&port), Some(FlowState::Untracked));
    play(&mut port, &[(30, RST, Out)]);
    assert_eq!(
        (state(&port), port.counters().non_syn_stateful),
        (Some(FlowState::Untracked), 0)
    );
}

/// Half-open flows have a limit of their own. At it, SYNs are dropped and established connections go on; each handshake
/// completed and each half-open flow too old makes room for one.
#[test]
fn half_open_flows_have_their_own_limit() {
    let mut port = open_port();
    port.settings.limits = [Limits::default().with(FlowClass::HalfOpenFlow, 3); 2];
    let flood = |n: u32| packet(&format!("tcp 8.8.8.8 {} 10.0.0.4 80", 1_000 + n));
    play(&mut port, &HANDSHAKE);
    let dropped = Verdict::Drop(DropReason::DroppedResourcesUnifiedFlowMaxFlowsLimit);
    for n in 0..5 {
        let answer = send(&mut port, seconds(1), &flood(n), In);
        assert_eq!(answer.verdict == dropped, n >= 3, "{n}");
        assert!(n < 3 || answer.work.layers == 0, "a full table costs no walk");
    }
    let half_open = |port: &Port| {
        let stats = port.stats().0[1][FlowClass::HalfOpenFlow as usize];
        (stats.count, stats.maximum, stats.created)
    };
    assert_eq!(half_open(&port), (3, 3, 4));
    assert_eq!(
        port.counters()
            .dropped(DropReason::DroppedResourcesUnifiedFlowMaxFlowsLimit),
        2
    );
    let answer = send(&mut port, seconds(1), &with(syn(), ACK), Out);
    assert!(
        matches!(answer.verdict, Verdict::Forward(_)),
        "established connections go on"
    );
    // One completes its handshake.
    send(&mut port, seconds(2), &reply(flood(0), SYN_ACK), Out);
    send(&mut port, seconds(2), &with(flood(0), ACK), In);
    assert_eq!(half_open(&port).0, 2);
    assert!(matches!(
        send(&mut port, seconds(2), &flood(9), In).verdict,
        Verdict::Forward(_)
    ));
    // The two that nobody has answered are too old 5 s after their SYN.
    port.expire(Time::from_ms(6_200), u32::MAX, &mut Vec::new());
    assert_eq!(
        (half_open(&port).0, port.counters().tcp_half_open_timeouts),
        (1, 2)
    );
}
