//! Receiver credit in an incast: senders at line rate, one queue in front of the receiver, which trims what is too much.

use fabric::packet::{Packet, PacketKind, flags};
use mrc::{Balancer, Config, EvSet, Poll, Requester, Responder, Stream, nscc, rccc};
use std::collections::BTreeMap;

struct Nobody;
impl mrc::Observer for Nobody {}

/// 400 Gb/s, ps for a byte.
const PS_PER_BYTE: u64 = 20;
const RATE: f64 = 0.05;
/// One way, without serialisation.
const DELAY: u64 = 4_000_000;
const BASE_RTT: u64 = 8_170_000;
const FULL: u64 = 4_262;
/// The queue trims beyond 1.5 BDP, as the default model does on the last hop.
const LIMIT: u64 = (1.5 * RATE * BASE_RTT as f64) as u64;

fn config(credit: bool) -> Config {
    let nscc = nscc::Config::published(
        FULL as f64,
        RATE,
        BASE_RTT as f64,
        nscc::Config::published_target(BASE_RTT as f64, true),
        true,
    );
    let window = (1.5 * RATE * BASE_RTT as f64) as u64;
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
        sack_every: 4096,
        mpr: 4096,
        rto: 262_144_000,
        linear_retries: 7,
        exponential_retries: 8,
        reorder_window: 3 * BASE_RTT,
        ack_probe_after: 3 * BASE_RTT,
        probe_interval: 100_000_000,
        probes_to_revive: 2,
        ev_floor: 0,
        message_acks: false,
        max_immediate: 16,
        reverse_evs: false,
        balancer: Balancer::Oblivious,
        nscc,
        rccc: credit.then(|| rccc::Config::new(RATE, BASE_RTT, FULL as u16, window, 150)),
    }
}

#[derive(Clone, Copy)]
enum What {
    /// A sender's line is free.
    Line,
    /// At the queue.
    Queue(Packet),
    /// At the receiver.
    Data(Packet),
    /// Back at the sender.
    Back(Packet),
    /// The pacer's time.
    Grant,
    Timer,
}

struct Outcome {
    /// When the last flow was complete, ps.
    end: u64,
    /// Trimmed packets that were sent so long after the start that their sender had heard of the first window.
    late_trims: u64,
    trims: u64,
    credits: u64,
    longest_queue_late: u64,
}

/// `senders` flows of `messages` × `bytes` to one receiver.
fn run(senders: usize, bytes: u64, messages: u32, credit: bool) -> Outcome {
    let config = config(credit);
    let stream = Stream::new(bytes, messages, false, 4096).expect("fits");
    let mut requesters: Vec<Requester> = (0..senders as u32)
        .map(|conn| Requester::new(&config, conn, stream, EvSet::new(1, 64, 0, 0, conn.into())))
        .collect();
    let mut responders: Vec<Responder> = (0..senders)
        .map(|conn| Responder::new(stream, 1, 64, conn as u64))
        .collect();
    let mut pacer = rccc::Pacer::default();
    let (mut events, mut number) = (BTreeMap::new(), 0u64);
    let mut push = |events: &mut BTreeMap<(u64, u64), (usize, What)>, at: u64, conn: usize, what: What| {
        number += 1;
        events.insert((at, number), (conn, what));
    };
    let mut line_free = vec![0u64; senders];
    let mut queue_free = 0u64;
    let mut outcome = Outcome {
        end: 0,
        late_trims: 0,
        trims: 0,
        credits: 0,
        longest_queue_late: 0,
    };
    for (conn, requester) in requesters.iter_mut().enumerate() {
        requester.post(0, messages);
        push(&mut events, conn as u64, conn, What::Line);
    }
    let mut steps = 0;
    while requesters.iter().any(|requester| !requester.is_finished()) {
        steps += 1;
        assert!(steps < 5_000_000, "it does not end");
        let Some(((now, _), (conn, what))) = events.pop_first() else {
            panic!("nothing happens any more")
        };
        match what {
            What::Queue(mut packet) => {
                let waiting = queue_free.saturating_sub(now) / PS_PER_BYTE;
                let late = packet.sent > 3 * BASE_RTT;
                if packet.kind == PacketKind::Data && waiting > LIMIT {
                    packet.flags |= flags::TRIMMED | flags::TRIMMED_LAST_HOP | flags::CONTROL;
                    packet.size = 128;
                    outcome.trims += 1;
                    outcome.late_trims += u64::from(late);
                    // Goes first, and takes its time of the line's.
                    queue_free = queue_free.max(now) + 128 * PS_PER_BYTE;
                    push(&mut events, now + DELAY / 2, conn, What::Data(packet));
                } else {
                    if late {
                        outcome.longest_queue_late = outcome.longest_queue_late.max(waiting);
                    }
                    queue_free = queue_free.max(now) + u64::from(packet.size) * PS_PER_BYTE;
                    push(&mut events, queue_free + DELAY / 2, conn, What::Data(packet));
                }
            }
            What::Data(packet) => {
                let responder = &mut responders[conn];
                let mut replies = Vec::new();
                if packet.kind == PacketKind::AckProbe {
                    responder.on_ack_probe(&config, now, &packet, &mut replies);
                } else {
                    replies.extend(responder.on_data(&config, now, &packet));
                }
                if let Some((news, reply)) = responder.credit_news(&config, conn as u32) {
                    let rccc = config.rccc.as_ref().expect("on");
                    pacer.note(rccc, now, conn as u32, news);
                    replies.extend(reply);
                    if let Some(due) = pacer.due(rccc) {
                        push(&mut events, due.max(now), conn, What::Grant);
                    }
                }
                for reply in replies {
                    push(&mut events, now + DELAY, conn, What::Back(reply.packet));
                }
            }
            What::Grant => {
                let rccc = config.rccc.as_ref().expect("on");
                if let Some(conn) = pacer.next(rccc, now) {
                    let granted = responders[conn as usize].grant(&config, conn);
                    let (bytes, reply, more) = granted.expect("there is credit");
                    pacer.granted(rccc, now, conn, bytes, more);
                    outcome.credits += 1;
                    push(&mut events, now + DELAY, conn as usize, What::Back(reply.packet));
                    if let Some(due) = pacer.due(rccc) {
                        push(&mut events, due.max(now), conn as usize, What::Grant);
                    }
                }
            }
            What::Back(packet) => {
                let requester = &mut requesters[conn];
                match packet.kind {
                    PacketKind::Sack => requester.on_sack(&config, &mut Nobody, now, &packet),
                    PacketKind::Nack => requester.on_nack(&config, &mut Nobody, now, &packet),
                    PacketKind::Credit => requester.on_credit(now, &packet),
                    other => panic!("{other:?} towards the requester"),
                }
                if requester.is_finished() {
                    outcome.end = now;
                } else if let Some(due) = requester.deadline(&config) {
                    push(&mut events, due.max(now), conn, What::Timer);
                }
                push(&mut events, now.max(line_free[conn]), conn, What::Line);
            }
            What::Timer => {
                let mut requests = Vec::new();
                if requesters[conn].deadline(&config).is_some_and(|due| due <= now) {
                    requesters[conn].on_timer(&config, &mut Nobody, now, &mut requests);
                }
                for request in requests {
                    push(&mut events, now + DELAY, conn, What::Data(request));
                }
                push(&mut events, now.max(line_free[conn]), conn, What::Line);
            }
            What::Line if now < line_free[conn] => {}
            What::Line => {
                if let Poll::Send(packet) = requesters[conn].poll_transmit(&config, now, 1) {
                    line_free[conn] = now + u64::from(packet.size) * PS_PER_BYTE;
                    push(
                        &mut events,
                        line_free[conn] + DELAY / 2,
                        conn,
                        What::Queue(packet),
                    );
                    push(&mut events, line_free[conn], conn, What::Line);
                }
            }
        }
    }
    assert!(responders.iter().all(Responder::is_complete));
    outcome
}

/// Time of `bytes` of messages from all senders over the receiver's link, each packet once.
fn ideal(senders: u64, bytes: u64) -> u64 {
    senders * bytes.div_ceil(4096) * FULL * PS_PER_BYTE + BASE_RTT
}

#[test]
fn after_the_first_window_nothing_is_trimmed_on_the_last_hop() {
    for senders in [2, 8, 32] {
        let with = run(senders, 2_000_000, 1, true);
        assert_eq!(with.late_trims, 0, "{senders} senders");
        // At most a quarter of the BDP beyond what is on the way, and what 32 senders send at the same moment.
        let queue = (0.25 * RATE * BASE_RTT as f64) as u64 + 40 * FULL;
        assert!(with.longest_queue_late <= queue, "{} B", with.longest_queue_late);
        // The link is kept busy: beyond the ideal time there are the margin of 1 % and little else.
        let (end, ideal) = (with.end as f64, ideal(senders as u64, 2_000_000) as f64);
        assert!(end < 1.04 * ideal, "{senders} senders: {end} {ideal}");
        assert!(with.credits > 0);
    }
}

#[test]
fn without_credit_an_incast_is_trimmed_again_and_again() {
    let without = run(32, 2_000_000, 1, false);
    assert!(without.late_trims > 100, "{}", without.late_trims);
    assert_eq!(without.credits, 0);
}

#[test]
fn one_sender_alone_is_not_held_up() {
    for (bytes, messages) in [(8_000_000, 1), (500_000, 16), (20_000, 50)] {
        let with = run(1, bytes, messages, true);
        let without = run(1, bytes, messages, false);
        assert_eq!((with.trims, without.trims), (0, 0));
        let (with, without) = (with.end as f64, without.end as f64);
        assert!(with < 1.02 * without, "{messages} × {bytes} B: {with} {without}");
    }
}
