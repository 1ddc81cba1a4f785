//! Requester and responder over a pipe that delays, reorders, loses, marks, trims and refuses: every message is placed once
//! and told once, or the QP is in ERROR. With each balancer, and with and without receiver credit.

use fabric::packet::{Packet, PacketKind, flags};
use kernel::rng::{below, chance, draw, threshold};
use mrc::{Balancer, Config, EvSet, NackReason, Poll, QpState, Requester, Responder, Stream, nscc, rccc};
use std::collections::BTreeMap;

struct Nobody;
impl mrc::Observer for Nobody {}

fn config(seed: u64) -> Config {
    let bit = |n: u32| seed >> n & 1 == 1;
    Config {
        pmtu: 4096,
        pad: 4,
        padded_pmtu: 4096,
        header: 166,
        sack_size: 182,
        nack_size: 166,
        ack_size: 150,
        ack_probe_size: 162,
        probe_size: 158,
        probe_reply_size: 178,
        sack_every: if bit(0) { 4096 } else { 16_384 },
        mpr: if bit(1) { 4096 } else { 128 },
        rto: 262_144_000,
        linear_retries: 7,
        exponential_retries: 8,
        reorder_window: if bit(2) { 16_000_000 } else { 0 },
        ack_probe_after: if bit(3) { 16_000_000 } else { 0 },
        probe_interval: 100_000_000,
        probes_to_revive: 2,
        ev_floor: 4,
        message_acks: !bit(4),
        max_immediate: 3,
        reverse_evs: bit(5),
        balancer: [
            Balancer::Mrc,
            Balancer::Oblivious,
            Balancer::Reps,
            Balancer::Bitmap,
            Balancer::Mixed,
        ][seed as usize % 5],
        nscc: nscc::Config::published(4262.0, 0.1, 8e6, 6e6, true),
        // Ten packets at the start: most of the data has to wait for credit.
        rccc: bit(6).then(|| rccc::Config::new(0.1, 8_000_000, 4262, 42_620, 150)),
    }
}

/// What is under way: by time of arrival and number, towards the responder or back.
struct Pipe {
    seed: u64,
    number: u64,
    loss: f64,
    packets: BTreeMap<(u64, u64), (bool, Packet)>,
}

impl Pipe {
    fn put(&mut self, now: u64, forward: bool, mut packet: Packet) {
        self.number += 1;
        let bits = draw(self.seed ^ 0x55, self.number);
        if chance(bits, threshold(self.loss)) {
            return;
        }
        if packet.kind == PacketKind::Data && chance(draw(bits, 1), threshold(0.05)) {
            packet.flags |= flags::TRIMMED | flags::CONTROL;
        }
        if packet.kind == PacketKind::Data && chance(draw(bits, 2), threshold(0.1)) {
            packet.flags |= flags::ECN;
        }
        let at = now + 4_000_000 + below(draw(bits, 3), 9_000_000);
        self.packets.insert((at, self.number), (forward, packet));
    }
}

struct Outcome {
    state: QpState,
    delivered: u32,
}

/// Runs one QP to its end and checks the books.
fn run(seed: u64, loss: f64) -> Outcome {
    let config = config(seed);
    let bytes = 1 + below(draw(seed, 1), 400_000);
    let messages = 1 + below(draw(seed, 2), 6) as u32;
    let stream = Stream::new(bytes, messages, draw(seed, 3) & 1 == 1, 4096).expect("fits");
    let mut requester = Requester::new(&config, 0, stream, EvSet::new(4, 16, 4, config.ev_floor, seed));
    let mut responder = Responder::new(stream, 4, 20, seed);
    let mut pacer = rccc::Pacer::default();
    let mut pipe = Pipe {
        seed,
        number: 0,
        loss,
        packets: BTreeMap::new(),
    };
    let (mut now, mut out, mut steps) = (0u64, Vec::new(), 0);
    requester.post(now, 1 + messages / 2);
    while !requester.is_finished() {
        steps += 1;
        assert!(steps < 200_000, "seed {seed} does not end: {requester:?}");
        if requester.completed() >= requester.posted().min(1 + messages / 2) {
            requester.post(now, messages);
        }
        if let Poll::Send(packet) = requester.poll_transmit(&config, now, 0xff) {
            pipe.put(now, true, packet);
            now += 42_620;
            continue;
        }
        let due = requester.deadline(&config);
        let next = pipe.packets.first_key_value().map(|(k, _)| k.0);
        if let Some(rccc) = &config.rccc
            && let Some(granting) = pacer.due(rccc)
            && next.is_none_or(|next| granting <= next)
            && due.is_none_or(|due| granting <= due)
        {
            now = now.max(granting);
            let conn = pacer.next(rccc, now).expect("it is due");
            let (bytes, reply, more) = responder.grant(&config, conn).expect("there is credit");
            pacer.granted(rccc, now, conn, bytes, more);
            pipe.put(now, false, reply.packet);
            continue;
        }
        if next.is_none() || due.is_some_and(|d| Some(d) < next) {
            now = now.max(due.unwrap_or_else(|| panic!("seed {seed}: nothing under way and no deadline")));
            let mut requests = Vec::new();
            requester.on_timer(&config, &mut Nobody, now, &mut requests);
            requests
                .into_iter()
                .for_each(|request| pipe.put(now, true, request));
            continue;
        }
        let ((at, _), (forward, packet)) = pipe.packets.pop_first().expect("not empty");
        now = now.max(at);
        if forward {
            match packet.kind {
                PacketKind::Data
                    if chance(draw(seed ^ 0x77, at), threshold(0.01)) && !packet.has(flags::TRIMMED) =>
                {
                    out.push(responder.refuse(&config, &packet, NackReason::NoPacketBuffer));
                }
                PacketKind::Data => {
                    out.extend(responder.on_data(&config, now, &packet));
                    responder.more(&config, now, &packet, &mut out);
                }
                PacketKind::AckProbe => responder.on_ack_probe(&config, now, &packet, &mut out),
                PacketKind::Probe => out.push(responder.on_probe(&config, &packet)),
                PacketKind::ProbeReply => responder.on_probe_reply(&packet),
                other => panic!("{other:?} towards the responder"),
            }
            if let Some((news, reply)) = responder.credit_news(&config, 0) {
                pacer.note(config.rccc.as_ref().expect("on"), now, 0, news);
                out.extend(reply);
            }
            out.drain(..).for_each(|reply| pipe.put(now, false, reply.packet));
        } else {
            match packet.kind {
                PacketKind::Sack => requester.on_sack(&config, &mut Nobody, now, &packet),
                PacketKind::Nack => requester.on_nack(&config, &mut Nobody, now, &packet),
                PacketKind::Ack => requester.on_ack(&mut Nobody, now, &packet),
                PacketKind::ProbeReply => requester.on_probe_reply(&config, &mut Nobody, now, &packet),
                PacketKind::Credit => requester.on_credit(now, &packet),
                PacketKind::Probe => {
                    let reply = Packet {
                        kind: PacketKind::ProbeReply,
                        ..packet
                    };
                    pipe.put(now, true, reply);
                }
                other => panic!("{other:?} towards the requester"),
            }
        }
    }
    let placed = responder.stats();
    assert_eq!(placed.placed_bytes, {
        // Each PSN below the cumulative one once, and some beyond it.
        let whole: u64 = (0..responder.cack())
            .map(|psn| u64::from(stream.payload(psn)))
            .sum();
        assert!(placed.placed_bytes >= whole);
        placed.placed_bytes
    });
    assert!(
        placed.placed_bytes <= bytes * u64::from(messages),
        "seed {seed}: a byte was placed twice"
    );
    if requester.state() == QpState::Rts {
        assert_eq!(placed.placed_bytes, bytes * u64::from(messages), "seed {seed}");
        assert_eq!(placed.placed, u64::from(stream.packets()));
        assert_eq!(
            (responder.cack(), responder.delivered()),
            (stream.packets(), messages)
        );
        assert_eq!(requester.completed(), messages);
        // Without credit a packet that is thought lost may have to wait until the message's ACK shows that it was not.
        assert!(requester.waiting_retransmissions() == 0 || config.rccc.is_some());
    }
    Outcome {
        state: requester.state(),
        delivered: responder.delivered(),
    }
}

#[test]
fn everything_is_placed_once_over_a_bad_pipe() {
    for seed in 0..400 {
        let outcome = run(seed, 0.02);
        assert_eq!(outcome.state, QpState::Rts, "seed {seed}");
    }
}

#[test]
fn over_a_very_bad_pipe_too() {
    for seed in 1_000..1_100 {
        let outcome = run(seed, 0.3);
        assert_eq!(outcome.state, QpState::Rts, "seed {seed}");
    }
}

#[test]
fn over_a_dead_pipe_the_qp_says_why() {
    for seed in 0..64 {
        let outcome = run(seed, 1.0);
        assert_eq!(outcome.state, QpState::Error(mrc::QpError::RetriesExceeded));
        assert_eq!(outcome.delivered, 0);
    }
}
