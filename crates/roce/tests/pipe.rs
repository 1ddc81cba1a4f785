//! Requester and responder over a pipe that delays, reorders, loses, duplicates and marks: every byte is placed once, or the QP
//! is in ERROR after its retries; and whatever arrives, nothing panics.

use fabric::packet::{Packet, PacketKind, flags};
use kernel::rng::{below, chance, draw, threshold};
use proptest::prelude::*;
use roce::{Config, Poll, QpError, QpState, Recovery, Requester, Responder, Sizes, Stream, dcqcn};
use std::collections::BTreeMap;

struct Nobody;
impl roce::Observer for Nobody {}

const LINE_RATE: u64 = 400_000_000_000;
/// 400 Gb/s: 20 ps a byte.
const PS_PER_BYTE: u64 = 20;
/// One way.
const DELAY: u64 = 4_000_000;

/// What the pipe does to packets, in both directions.
#[derive(Clone, Copy, Debug)]
struct Pipe {
    seed: u64,
    loss: f64,
    duplicates: f64,
    marks: f64,
    /// Packets overtake each other by up to this, ps.
    jitter: u64,
}

/// Packets under way by time of arrival and number: towards the responder, or back.
#[derive(Default)]
struct Packets {
    number: u64,
    waiting: BTreeMap<(u64, u64), (bool, Packet)>,
}

impl Packets {
    fn put(&mut self, pipe: &Pipe, now: u64, forward: bool, mut packet: Packet) {
        self.number += 1;
        let bits = draw(pipe.seed, self.number);
        let happens = |what: u64, p: f64| chance(draw(bits, what), threshold(p));
        if happens(0, pipe.loss) {
            return;
        }
        if packet.kind == PacketKind::Data && happens(1, pipe.marks) {
            packet.flags |= flags::ECN;
        }
        let copies = 1 + u64::from(happens(2, pipe.duplicates));
        for copy in 0..copies {
            let at = now + DELAY + below(draw(bits, 3 + copy), pipe.jitter + 1);
            self.waiting
                .insert((at, self.number << 1 | copy), (forward, packet));
        }
    }
}

struct Outcome {
    requester: Requester,
    responder: Responder,
}

/// Runs one QP to its end.
fn run(config: &Config, stream: Stream, pipe: &Pipe) -> Outcome {
    let mut requester = Requester::new(config, 3, stream, 0xc123);
    let mut responder = Responder::new(config, stream);
    let mut packets = Packets::default();
    // The port is busy, or the requester's pace lets it send nothing, before `free_at`.
    let (mut now, mut free_at, mut sending) = (0u64, 0u64, true);
    requester.post(0, stream.messages.div_ceil(2));
    for _ in 0..2_000_000 {
        if requester.completed() == requester.posted() {
            sending |= requester.post(now, stream.messages);
        }
        if requester.is_finished() {
            return Outcome { requester, responder };
        }
        if sending && now >= free_at {
            match requester.poll_transmit(config, now) {
                Poll::Send(packet) => {
                    assert_eq!(packet.payload, stream.payload(packet.psn));
                    packets.put(pipe, now, true, packet);
                    free_at = now + u64::from(packet.size) * PS_PER_BYTE;
                }
                Poll::Wait(at) => {
                    assert!(at > now);
                    free_at = at;
                }
                Poll::Idle => sending = false,
            }
        }
        let due = requester.deadline(config).unwrap_or(u64::MAX);
        let port = if sending { free_at } else { u64::MAX };
        let arrival = packets
            .waiting
            .first_key_value()
            .map_or(u64::MAX, |(key, _)| key.0);
        let next = due.min(port).min(arrival);
        assert_ne!(next, u64::MAX, "nothing under way and no deadline: {requester:?}");
        now = now.max(next);
        if next == port {
            continue;
        }
        if !sending {
            (sending, free_at) = (true, free_at.max(now));
        }
        if next != arrival {
            requester.on_timer(config, &mut Nobody, now);
            continue;
        }
        let (_, (forward, packet)) = packets.waiting.pop_first().expect("there is one");
        if forward {
            for reply in responder.on_data(config, now, &packet) {
                packets.put(pipe, now, false, reply);
            }
            if config.recovery == Recovery::GoBackN {
                assert_eq!(
                    responder.stats().placed,
                    u64::from(responder.cack()),
                    "in order only"
                );
            }
        } else if packet.kind == PacketKind::Cnp {
            requester.on_cnp(config, &mut Nobody, now, &packet);
        } else {
            requester.on_ack(config, &mut Nobody, now, &packet);
        }
        assert!(
            requester.cack() <= responder.cack(),
            "acknowledged and not placed"
        );
    }
    panic!("it does not end: {requester:?}");
}

fn all_is_there(outcome: &Outcome, stream: &Stream) {
    let Outcome { requester, responder } = outcome;
    assert_eq!(requester.state(), QpState::Rts);
    assert_eq!(
        (requester.completed(), responder.delivered()),
        (stream.messages, stream.messages)
    );
    assert!(responder.is_complete());
    assert_eq!(responder.stats().placed, u64::from(stream.packets()));
    assert_eq!(
        responder.stats().placed_bytes,
        stream.bytes * u64::from(stream.messages)
    );
}

fn recovery() -> impl Strategy<Value = Recovery> {
    prop_oneof![
        Just(Recovery::GoBackN),
        (1u32..20, 1u32..300).prop_map(|(reorder, window)| Recovery::SelectiveRepeat { reorder, window }),
    ]
}

fn congestion_control() -> impl Strategy<Value = dcqcn::Config> {
    let off = dcqcn::Config {
        enabled: false,
        ..dcqcn::Config::sigcomm15(LINE_RATE)
    };
    prop_oneof![
        Just(off),
        Just(dcqcn::Config::sigcomm15(LINE_RATE)),
        Just(dcqcn::Config::nvidia(LINE_RATE)),
        Just(dcqcn::Config::amd(LINE_RATE)),
    ]
}

prop_compose! {
    fn configs()(
        recovery in recovery(),
        dcqcn in congestion_control(),
        window in proptest::option::of(1u64..400_000),
        ack_every in 1u32..40,
        timeout in 20u64..300,
        longest_timeout in 0u64..1_000,
        retry_count in 0u32..8,
    ) -> Config {
        Config {
            pmtu: 4096,
            sizes: Sizes::IPV4,
            recovery,
            window,
            ack_every,
            timeout: timeout * 1_000_000,
            longest_timeout: longest_timeout * 1_000_000,
            retry_count,
            dcqcn,
        }
    }
}

prop_compose! {
    fn streams()(bytes in 1u64..400_000, messages in 1u32..6, immediate: bool) -> Stream {
        Stream::new(bytes, messages, immediate, 4096).expect("fits")
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_pipe_in_order_needs_nothing_twice(config in configs(), stream in streams(), seed: u64, marks in 0.0..0.3) {
        let pipe = Pipe { seed, loss: 0.0, duplicates: 0.0, marks, jitter: 0 };
        let outcome = run(&config, stream, &pipe);
        all_is_there(&outcome, &stream);
        prop_assert_eq!(outcome.requester.stats().sent, u64::from(stream.packets()));
        prop_assert_eq!(outcome.responder.stats().naks, 0);
        prop_assert_eq!(outcome.requester.stats().cnps, outcome.responder.stats().cnps);
    }

    #[test]
    fn whatever_the_pipe_does_every_byte_is_placed_once_or_the_qp_fails(
        config in configs(),
        stream in streams(),
        seed: u64,
        loss in 0.0..0.25,
        duplicates in 0.0..0.2,
        marks in 0.0..0.3,
        jitter in prop_oneof![Just(0u64), 1u64..20_000_000],
    ) {
        let pipe = Pipe { seed, loss, duplicates, marks, jitter };
        let outcome = run(&config, stream, &pipe);
        match outcome.requester.state() {
            QpState::Rts => all_is_there(&outcome, &stream),
            QpState::Error(why) => {
                prop_assert_eq!(why, QpError::RetriesExceeded);
                prop_assert_eq!(outcome.requester.timeouts_in_row(), config.retry_count + 1);
                prop_assert!(outcome.responder.stats().placed <= u64::from(stream.packets()));
            }
        }
    }

    #[test]
    fn selective_repeat_bears_reordering_within_its_tolerance(packets in 1u64..300, seed: u64, jitter in 0u64..1_000_000) {
        // At 400 Gb/s a full packet takes 4,178 × 20 = 83,560 ps: one sent twelve later starts 1.003 µs later, and cannot
        // overtake by less than 1 µs.
        let config = Config {
            recovery: Recovery::SelectiveRepeat { reorder: 12, window: 600 },
            ..lossy(1)
        };
        let stream = Stream::one(packets * 4096, 4096).expect("fits");
        let pipe = Pipe { seed, loss: 0.0, duplicates: 0.0, marks: 0.0, jitter };
        let outcome = run(&config, stream, &pipe);
        all_is_there(&outcome, &stream);
        prop_assert_eq!(outcome.requester.stats().retransmissions, 0);
    }

    #[test]
    fn nothing_that_arrives_makes_it_panic(
        config in configs(),
        stream in streams(),
        packets in proptest::collection::vec(any_packet(), 1..200),
    ) {
        let mut requester = Requester::new(&config, 3, stream, 0xc123);
        let mut responder = Responder::new(&config, stream);
        requester.post(0, stream.messages);
        let mut now = 0;
        for (wait, packet) in packets {
            now += wait;
            for _ in 0..3 {
                if let Poll::Send(packet) = requester.poll_transmit(&config, now) {
                    prop_assert!(packet.psn < stream.packets());
                }
            }
            match packet.kind {
                PacketKind::Data => drop(responder.on_data(&config, now, &packet)),
                PacketKind::Cnp => requester.on_cnp(&config, &mut Nobody, now, &packet),
                _ => requester.on_ack(&config, &mut Nobody, now, &packet),
            }
            if requester.deadline(&config).is_some_and(|due| due <= now) {
                requester.on_timer(&config, &mut Nobody, now);
            }
            prop_assert!(requester.cack() <= requester.next_psn() && requester.next_psn() <= stream.packets());
            prop_assert!(requester.completed() <= stream.messages);
            prop_assert!(responder.stats().placed <= u64::from(stream.packets()));
            prop_assert!(responder.stats().placed_bytes <= stream.bytes * u64::from(stream.messages));
        }
    }
}

prop_compose! {
    /// PSNs and codes mostly such as occur, and sometimes any; and the time before it, ps.
    fn any_packet()(
        wait in 0u64..200_000_000,
        kind in prop_oneof![Just(PacketKind::Data), Just(PacketKind::Ack), Just(PacketKind::Cnp)],
        psn in prop_oneof![0u32..120, any::<u32>()],
        bitmap in prop_oneof![0u64..120, any::<u64>()],
        reason in prop_oneof![Just(roce::aeth::ACK), Just(roce::aeth::NAK_PSN_SEQUENCE), any::<u8>()],
        bits: u8,
        payload: u16,
    ) -> (u64, Packet) {
        (wait, Packet { conn: 3, kind, psn, bitmap, reason, flags: bits, payload, ..Packet::default() })
    }
}

/// An endpoint without DCQCN.
fn lossy(ack_every: u32) -> Config {
    Config {
        pmtu: 4096,
        sizes: Sizes::IPV4,
        recovery: Recovery::GoBackN,
        window: None,
        ack_every,
        timeout: 100_000_000,
        longest_timeout: 0,
        retry_count: 7,
        dcqcn: dcqcn::Config {
            enabled: false,
            ..dcqcn::Config::sigcomm15(LINE_RATE)
        },
    }
}

#[test]
fn selective_repeat_sends_far_less_again_than_go_back_n() {
    // 4 MB at 400 Gb/s over an RTT of 8 µs with 1 % loss: 1,024 packets, so about 10 losses. Go-back-N sends again what was
    // under way, 8 µs × 400 Gb/s / 4,178 B = 96 packets or more for each loss; selective repeat the lost ones alone.
    let stream = Stream::one(4 << 20, 4096).expect("fits");
    let again = |recovery| {
        let config = Config { recovery, ..lossy(4) };
        let outcomes = (0..20).map(|seed| {
            let pipe = Pipe {
                seed,
                loss: 0.01,
                duplicates: 0.0,
                marks: 0.0,
                jitter: 0,
            };
            let outcome = run(&config, stream, &pipe);
            all_is_there(&outcome, &stream);
            outcome.requester.stats().retransmissions
        });
        outcomes.sum::<u64>() / 20
    };
    let go_back = again(Recovery::GoBackN);
    let selective = again(Recovery::SelectiveRepeat {
        reorder: 1,
        window: 400,
    });
    assert!(go_back > 10 * 96 / 2, "{go_back}");
    assert!((5..40).contains(&selective), "{selective}");
}
