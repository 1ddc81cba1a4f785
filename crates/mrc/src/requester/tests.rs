//! The requester by hand. Against a responder: see `crates/mrc/tests/pipe.rs`.

use super::*;
use crate::nscc;
use wire::Syndrome;

/// No message acknowledgements, no reliability probes, no ways back of one's own: what each test needs it turns on.
pub(crate) fn config() -> Config {
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
        reorder_window: 16_000_000,
        ack_probe_after: 0,
        probe_interval: 100_000_000,
        probes_to_revive: 2,
        ev_floor: 0,
        message_acks: false,
        max_immediate: 16,
        reverse_evs: false,
        balancer: Balancer::Mrc,
        nscc: nscc::Config::published(4262.0, 0.1, 8e6, 6e6, true),
        rccc: None,
    }
}

struct Changes(Vec<(u16, EvState)>);
impl Observer for Changes {
    fn ev_changed(&mut self, _: u64, _: u32, ev: u16, from: EvState, to: EvState) {
        assert_ne!(from, to);
        self.0.push((ev, to));
    }
}

fn requester(bytes: u64) -> Requester {
    posted(
        &config(),
        Stream::one(bytes, 4096).expect("fits"),
        EvSet::new(8, 32, 0, 0, 1),
    )
}

fn posted(config: &Config, stream: Stream, evs: EvSet) -> Requester {
    let mut requester = Requester::new(config, 0, stream, evs);
    assert!(requester.post(0, stream.messages) && !requester.post(0, stream.messages));
    requester
}

fn send(requester: &mut Requester, now: u64) -> Packet {
    match requester.poll_transmit(&config(), now, 0xff) {
        Poll::Send(packet) => packet,
        other => panic!("{other:?}"),
    }
}

fn nack(packet: &Packet, reason: NackReason) -> Packet {
    Packet {
        kind: PacketKind::Nack,
        reason: reason.code(),
        ..*packet
    }
}

/// The SACK that a responder would send for `cack` and one more PSN list.
fn sack(cack: u32, beyond: &[u32], trigger: &Packet) -> Packet {
    Packet {
        kind: PacketKind::Sack,
        cack,
        bitmap: beyond.iter().fold(0, |w, psn| w | 1 << (psn - cack)),
        rcvd_bytes: (cack + beyond.len() as u32) * 4262,
        psn: trigger.psn,
        ev: trigger.ev,
        sent: trigger.sent,
        ..Packet::default()
    }
}

#[test]
fn the_window_stops_it_and_a_sack_goes_on() {
    // 1.5 BDP = 1.5 × 0.1 B/ps × 8 µs = 1,200,000 B = 281 packets.
    let mut requester = requester(10_000_000);
    let mut sent = Vec::new();
    while let Poll::Send(packet) = requester.poll_transmit(&config(), sent.len() as u64, 0xff) {
        sent.push(packet);
    }
    assert_eq!(sent.len(), 281);
    assert!(sent[280].has(flags::ACK_REQUEST), "no room for another packet");
    assert!(!sent[100].has(flags::ACK_REQUEST));
    requester.on_sack(
        &config(),
        &mut Changes(vec![]),
        9_000_000,
        &sack(10, &[], &sent[9]),
    );
    assert_eq!(requester.cack(), 10);
    assert!(matches!(
        requester.poll_transmit(&config(), 9_000_000, 0xff),
        Poll::Send(_)
    ));
}

#[test]
fn a_busy_port_blocks_without_using_up_the_turn() {
    let mut requester = requester(100_000);
    let Poll::Blocked(plane) = requester.poll_transmit(&config(), 0, 0) else {
        panic!("no port is free")
    };
    let packet = send(&mut requester, 0);
    assert_eq!(requester.evs().plane(packet.ev), plane);
}

#[test]
fn a_nack_leads_to_a_retransmission_on_another_ev_before_new_data() {
    let mut requester = requester(10_000_000);
    let mut watcher = Changes(vec![]);
    let sent: Vec<Packet> = (0..5).map(|i| send(&mut requester, i * 50_000)).collect();
    let nack = nack(&sent[2], NackReason::Trimmed);
    requester.on_nack(&config(), &mut watcher, 8_000_000, &nack);
    assert_eq!(watcher.0, [(sent[2].ev, EvState::Skip)]);
    let again = send(&mut requester, 8_000_001);
    assert_eq!((again.psn, again.has(flags::RTX)), (2, true));
    assert_ne!(again.ev, sent[2].ev);
    // The same NACK once more is about the first transmission: nothing happens.
    requester.on_nack(&config(), &mut watcher, 8_000_002, &nack);
    assert_eq!(send(&mut requester, 8_000_003).psn, 5);
    assert_eq!(requester.stats().retransmissions, 1);
}

#[test]
fn a_last_hop_trim_leaves_the_ev_alone() {
    let mut requester = requester(10_000_000);
    let mut watcher = Changes(vec![]);
    let first = send(&mut requester, 0);
    let nack = Packet {
        flags: 0,
        ..nack(&first, NackReason::TrimmedLastHop)
    };
    requester.on_nack(&config(), &mut watcher, 8_000_000, &nack);
    assert_eq!(watcher.0, []);
    assert_eq!(send(&mut requester, 8_000_001).psn, 0);
}

#[test]
fn a_loss_is_inferred_from_later_packets_and_the_ev_probed_back() {
    let config = config();
    let mut requester = requester(10_000_000);
    let mut watcher = Changes(vec![]);
    let lost = send(&mut requester, 0);
    let near = send(&mut requester, 15_000_000);
    requester.on_sack(&config, &mut watcher, 24_000_000, &sack(0, &[1], &near));
    assert_eq!(watcher.0, [], "15 µs later is within the reorder window of 16 µs");
    let late = send(&mut requester, 17_000_000);
    requester.on_sack(&config, &mut watcher, 26_000_000, &sack(0, &[1, 2], &late));
    assert_eq!(watcher.0, [(lost.ev, EvState::AssumedBad)]);
    assert_eq!(send(&mut requester, 26_000_001).psn, 0);
    assert_eq!(requester.stats().losses_by_order, 1);

    let mut probes = Vec::new();
    for round in 1..=2 {
        let due = 26_000_000 + round * 100_000_000;
        assert_eq!(requester.deadline(&config), Some(due), "a probe every 100 µs");
        requester.on_timer(&config, &mut watcher, due, &mut probes);
        let probe = probes.pop().expect("a probe");
        assert_eq!((probe.kind, probe.ev), (PacketKind::Probe, lost.ev));
        requester.on_probe_reply(&config, &mut watcher, due + 8_000_000, &probe);
    }
    assert_eq!(watcher.0[1..], [(lost.ev, EvState::Good)]);
}

#[test]
fn an_unanswered_probe_resets_the_count() {
    let config = config();
    let mut requester = requester(10_000_000);
    let mut watcher = Changes(vec![]);
    send(&mut requester, 0);
    let mut out = Vec::new();
    requester.on_timer(&config, &mut watcher, 262_144_000, &mut out);
    assert_eq!(requester.stats().losses_by_timeout, 1);
    let start = 262_144_000 + 100_000_000;
    requester.on_timer(&config, &mut watcher, start, &mut out);
    requester.on_probe_reply(&config, &mut watcher, start + 1, &out[0]);
    requester.on_timer(&config, &mut watcher, start + 100_000_000, &mut out);
    // The second probe stays unanswered; the third follows an interval later.
    let third = start + 200_000_000;
    assert_eq!(requester.deadline(&config), Some(third));
    requester.on_timer(&config, &mut watcher, third, &mut out);
    requester.on_probe_reply(&config, &mut watcher, third + 1, &out[1]);
    requester.on_probe_reply(&config, &mut watcher, third + 2, &out[2]);
    assert_eq!(
        watcher.0,
        [(out[0].ev, EvState::AssumedBad)],
        "one, none, one is not two in a row"
    );
    requester.on_probe_reply(&config, &mut watcher, third + 3, &out[2]);
    assert_eq!(watcher.0.len(), 1, "the same answer does not count twice");
}

/// Our choice: 16 misses double the interval, 32 double it again, and an answer in the plane ends that.
#[test]
fn a_dead_path_is_asked_more_rarely_until_its_plane_is_back() {
    let config = config();
    let mut requester = requester(10_000_000);
    let mut watcher = Changes(vec![]);
    // Two packets in plane p, eight packets apart.
    let sent: Vec<Packet> = (0..9).map(|_| send(&mut requester, 0)).collect();
    assert_eq!(sent[0].ev % 8, sent[8].ev % 8);
    let mut out = Vec::new();
    requester.on_timer(&config, &mut watcher, 262_144_000, &mut out);
    let mut times = Vec::new();
    while times.len() < 60 {
        let due = requester.deadline(&config).expect("a deadline");
        out.clear();
        requester.on_timer(&config, &mut watcher, due, &mut out);
        times.extend(out.iter().filter(|probe| probe.ev == sent[0].ev).map(|_| due));
    }
    let gaps: Vec<u64> = times
        .windows(2)
        .map(|pair| (pair[1] - pair[0]) / 100_000_000)
        .collect();
    assert_eq!(gaps[..16], [1; 16]);
    assert_eq!(gaps[16..32], [2; 16]);
    assert_eq!(gaps[32..], [4; 27]);
    // The other EV of the plane answers twice.
    let mut hits = 0;
    while hits < 2 {
        let due = requester.deadline(&config).expect("a deadline");
        out.clear();
        requester.on_timer(&config, &mut watcher, due, &mut out);
        for probe in out.iter().filter(|probe| probe.ev == sent[8].ev) {
            requester.on_probe_reply(&config, &mut watcher, due + 8_000_000, probe);
            hits += 1;
        }
    }
    let revived = requester.deadline(&config).expect("a deadline");
    let mut soon = Vec::new();
    let mut now = revived;
    while now < revived + 100_000_000 {
        out.clear();
        requester.on_timer(&config, &mut watcher, now, &mut out);
        soon.extend(out.iter().map(|probe| probe.ev));
        now = requester.deadline(&config).expect("a deadline");
    }
    assert!(soon.contains(&sent[0].ev), "asked within an interval");
}

/// A path that answers more slowly than the probe interval still comes back (facts 2.2: probes that succeed revive).
#[test]
fn a_slow_path_has_one_probe_under_way_and_revives() {
    let mut config = config();
    config.nscc.base_rtt = 150e6;
    let mut requester = requester(10_000_000);
    let mut watcher = Changes(vec![]);
    send(&mut requester, 0);
    let (mut now, mut out) = (262_144_000, Vec::new());
    requester.on_timer(&config, &mut watcher, now, &mut out);
    for _ in 0..2 {
        now = requester.deadline(&config).expect("a probe is due");
        out.clear();
        requester.on_timer(&config, &mut watcher, now, &mut out);
        assert_eq!(out.len(), 1);
        let probe = out[0];
        let give_up = requester.deadline(&config).expect("until it is given up");
        assert!(give_up >= now + 600_000_000, "four base RTTs, not one interval");
        now += 150_000_000;
        requester.on_probe_reply(&config, &mut watcher, now, &probe);
    }
    assert_eq!(watcher.0.last().map(|c| c.1), Some(EvState::Good));
}

/// A burst that is lost whole times out packet by packet, which is one timeout and not one for each.
#[test]
fn a_lost_burst_counts_as_one_timeout() {
    let config = config();
    let mut requester = requester(10_000_000);
    let mut watcher = Changes(vec![]);
    for i in 0..100 {
        send(&mut requester, i * 42_620);
    }
    let mut out = Vec::new();
    while requester.stats().losses_by_timeout < 100 {
        let due = requester.deadline(&config).expect("a deadline");
        requester.on_timer(&config, &mut watcher, due, &mut out);
    }
    let now = 300_000_000;
    send(&mut requester, now);
    let due = requester.deadline(&config).expect("a deadline");
    let probes = out.len();
    assert!(
        due <= now + config.rto + (1 << 14),
        "the interval has not grown: {due}, {probes} probes"
    );
}

/// Time stands still for nobody: with the longest timeout a deadline still leads to the timeout it announces.
#[test]
fn the_longest_timeout_expires() {
    let config = Config {
        rto: 20_000_000_000_000,
        probe_interval: 90_000_000_000_000,
        ..config()
    };
    let mut requester = requester(4096);
    let mut watcher = Changes(vec![]);
    send(&mut requester, 7);
    let due = requester.deadline(&config).expect("a deadline");
    assert!(
        (17_179_869_184_000..17_179_900_000_000).contains(&due),
        "1.024 µs × 2^24, not {due} ps"
    );
    requester.on_timer(&config, &mut watcher, due, &mut Vec::new());
    assert_eq!(requester.stats().losses_by_timeout, 1);
}

#[test]
fn timeouts_are_linear_then_double() {
    let config = config();
    let mut requester = requester(4096);
    let mut watcher = Changes(vec![]);
    let (mut now, mut gaps) = (0, Vec::new());
    for _ in 0..10 {
        send(&mut requester, now);
        let mut out = Vec::new();
        loop {
            let due = requester.deadline(&config).expect("a deadline");
            requester.on_timer(&config, &mut watcher, due, &mut out);
            if requester.waiting_retransmissions() > 0 {
                gaps.push((due - now + config.rto / 2) / config.rto);
                now = due;
                break;
            }
        }
    }
    assert_eq!(gaps, [1, 1, 1, 1, 1, 1, 1, 1, 2, 4]);
}

#[test]
fn a_mark_takes_a_turn_and_always_skip_takes_the_ev() {
    let config = config();
    let mut requester = requester(10_000_000);
    let mut watcher = Changes(vec![]);
    let sent: Vec<Packet> = (0..3).map(|i| send(&mut requester, i * 50_000)).collect();
    let marked = Packet {
        flags: flags::ECN,
        ..sack(1, &[], &sent[0])
    };
    requester.on_sack(&config, &mut watcher, 8_000_000, &marked);
    let bad = Packet {
        flags: flags::ALWAYS_SKIP,
        ..sack(2, &[], &sent[1])
    };
    requester.on_sack(&config, &mut watcher, 8_100_000, &bad);
    assert_eq!(
        watcher.0,
        [(sent[0].ev, EvState::Skip), (sent[1].ev, EvState::AssumedBad)]
    );
    // While the responder says so in its probe answers, the EV stays out.
    let mut out = Vec::new();
    let mut now = 8_100_000;
    for _ in 0..3 {
        now += 100_000_000;
        requester.on_timer(&config, &mut watcher, now, &mut out);
        let probe = *out
            .iter()
            .rev()
            .find(|p| p.kind == PacketKind::Probe)
            .expect("a probe");
        let reply = Packet {
            flags: flags::CONTROL | flags::ALWAYS_SKIP,
            ..probe
        };
        requester.on_probe_reply(&config, &mut watcher, now + 8_000_000, &reply);
    }
    assert_eq!(requester.evs().state(sent[1].ev), EvState::AssumedBad);
}

#[test]
fn each_nack_reason_has_its_consequence() {
    // Facts 1.4 and 3.4; where the record is silent (6, 7, 10, 11) our choice, as the module says.
    use NackReason::*;
    let config = config();
    for (reason, resent, path_blamed, window_shrinks) in [
        (Trimmed, true, true, true),
        (TrimmedLastHop, true, false, true),
        (NoBitmap, true, false, true),
        (NoPacketBuffer, true, false, true),
        (NoResource, true, false, true),
        (PsnOutOfWindow, true, false, false),
        (UnexpectedEvent, false, false, false),
    ] {
        let mut requester = requester(10_000_000);
        let mut watcher = Changes(vec![]);
        let first = send(&mut requester, 0);
        let before = requester.cc().cwnd();
        requester.on_nack(&config, &mut watcher, 8_000_000, &nack(&first, reason));
        assert_eq!(requester.waiting_retransmissions() == 1, resent, "{reason:?}");
        assert_eq!(!watcher.0.is_empty(), path_blamed, "{reason:?}");
        assert_eq!(requester.cc().cwnd() < before, window_shrinks, "{reason:?}");
        let failed = reason == UnexpectedEvent;
        let expected = if failed {
            QpState::Error(QpError::UnexpectedEvent)
        } else {
            QpState::Rts
        };
        assert_eq!(requester.state(), expected);
        assert_eq!(requester.is_finished(), failed);
    }
    // A mark on a packet that was trimmed on the last hop does blame the path.
    let mut requester = requester(10_000_000);
    let mut watcher = Changes(vec![]);
    let first = send(&mut requester, 0);
    let marked = Packet {
        flags: flags::ECN,
        ..nack(&first, TrimmedLastHop)
    };
    requester.on_nack(&config, &mut watcher, 8_000_000, &marked);
    assert_eq!(watcher.0, [(first.ev, EvState::Skip)]);
    // A code that nobody knows is no news.
    let second = send(&mut requester, 8_000_001);
    requester.on_nack(
        &config,
        &mut watcher,
        9_000_000,
        &Packet {
            reason: 0x55,
            ..nack(&second, Trimmed)
        },
    );
    assert_eq!(requester.waiting_retransmissions(), 0);
}

#[test]
fn a_loss_swaps_in_a_backup_and_the_floor_holds() {
    let config = config();
    // One plane, 2 active EVs, 1 backup, never fewer than 2.
    let mut requester = posted(
        &config,
        Stream::one(1 << 20, 4096).expect("fits"),
        EvSet::new(1, 2, 1, 2, 1),
    );
    let mut watcher = Changes(vec![]);
    let first = send(&mut requester, 0);
    let second = send(&mut requester, 100_000);
    let late = send(&mut requester, 40_000_000);
    requester.on_sack(&config, &mut watcher, 48_000_000, &sack(0, &[2], &late));
    assert_eq!(watcher.0[0], (first.ev, EvState::AssumedBad));
    assert!(requester.evs().is_active(2), "the backup has the place");
    assert_eq!(
        watcher.0[1],
        (second.ev, EvState::Skip),
        "at the floor an EV loses a turn only"
    );
}

#[test]
fn the_qp_fails_when_retries_end() {
    // 7 linear and 8 exponential retries (facts 1.7): the sixteenth timeout is the end.
    let config = config();
    let mut requester = requester(4096);
    let mut watcher = Changes(vec![]);
    let mut out = Vec::new();
    let mut now = 0;
    let mut sent = 0;
    while !requester.is_finished() {
        if let Poll::Send(_) = requester.poll_transmit(&config, now, 0xff) {
            sent += 1;
        }
        now = requester.deadline(&config).expect("a deadline");
        requester.on_timer(&config, &mut watcher, now, &mut out);
    }
    assert_eq!(sent, 1 + 7 + 8);
    assert_eq!(requester.state(), QpState::Error(QpError::RetriesExceeded));
    // 8 × 262 µs, then 2, 4, … 256 of them: 518 in all.
    let expected = (8 + 510) * 262_144_000u64;
    assert!(
        (now as i64 - expected as i64).abs() <= 16 << 14,
        "{now} {expected}"
    );
    assert_eq!(requester.poll_transmit(&config, now, 0xff), Poll::Idle);
    assert_eq!(requester.deadline(&config), None);
}

#[test]
fn a_receiver_that_takes_nothing_is_given_up_like_a_silent_one() {
    let config = config();
    let mut requester = requester(4096);
    let mut watcher = Changes(vec![]);
    let mut now = 0;
    while requester.state() == QpState::Rts {
        let packet = send(&mut requester, now);
        now += 8_000_000;
        requester.on_nack(&config, &mut watcher, now, &nack(&packet, NackReason::NoResource));
        now += 1;
    }
    assert_eq!(requester.state(), QpState::Error(QpError::RetriesExceeded));
    // 7 linear and 8 doubling intervals after the first refusal: 7 + (2 + 4 + … + 256) = 517 of 262 µs.
    let expected = 517 * 262_144_000u64;
    assert!(now.abs_diff(expected) < 20 * 8_000_000, "{now} {expected}");
}

#[test]
fn a_lost_tail_is_found_by_a_reliability_probe() {
    let config = Config {
        ack_probe_after: 16_000_000,
        ..config()
    };
    let mut requester = requester(3 * 4096);
    let mut watcher = Changes(vec![]);
    let sent: Vec<Packet> = (0..3).map(|i| send(&mut requester, i * 50_000)).collect();
    requester.on_sack(&config, &mut watcher, 8_000_000, &sack(1, &[], &sent[0]));
    let due = requester.deadline(&config).expect("a deadline");
    assert_eq!(due, 24_000_000, "16 µs after the last news");
    let mut out = Vec::new();
    requester.on_timer(&config, &mut watcher, due, &mut out);
    let probe = out[0];
    assert_eq!((probe.kind, out.len()), (PacketKind::AckProbe, 1));
    let answer = Packet {
        flags: flags::CONTROL | flags::PROBE_RESPONSE,
        ..sack(1, &[], &probe)
    };
    requester.on_sack(&config, &mut watcher, 32_000_000, &answer);
    assert_eq!(requester.waiting_retransmissions(), 2);
    assert_eq!(requester.stats().losses_by_order, 2);
    let bad: Vec<u16> = watcher.0.iter().map(|change| change.0).collect();
    assert_eq!(bad, [sent[1].ev, sent[2].ev]);
    // 32 µs after the start, not 262.
    assert_eq!(send(&mut requester, 32_000_001).psn, 1);
}

#[test]
fn an_unanswered_reliability_probe_is_repeated_over_other_evs_until_the_timeout() {
    let config = Config {
        ack_probe_after: 16_000_000,
        ..config()
    };
    let mut requester = requester(2 * 4096);
    let mut watcher = Changes(vec![]);
    let sent = [send(&mut requester, 0), send(&mut requester, 50_000)];
    requester.on_sack(&config, &mut watcher, 8_000_000, &sack(1, &[], &sent[0]));
    // The news, 16 µs of silence, then 16, 32, 64 and 128 µs: the timeout of 262 µs has its packet sent again before a sixth.
    let mut evs = vec![];
    for micros in [24, 40, 72, 136] {
        let due = requester.deadline(&config).expect("a deadline");
        assert_eq!(due, micros * 1_000_000);
        let mut out = vec![];
        requester.on_timer(&config, &mut watcher, due, &mut out);
        assert_eq!((out[0].kind, out.len()), (PacketKind::AckProbe, 1));
        evs.push(out[0].ev);
    }
    evs.dedup();
    assert_eq!(evs.len(), 4);
    assert_eq!(requester.timeouts_in_row(), 0);
    let due = requester.deadline(&config).expect("a deadline");
    assert!(
        (262_000_000..262_300_000).contains(&due),
        "{due}: the packet's own timeout"
    );
    requester.on_timer(&config, &mut watcher, due, &mut vec![]);
    assert_eq!(
        (requester.timeouts_in_row(), requester.waiting_retransmissions()),
        (1, 1)
    );
}

/// A base RTT of 60 ns: the window is 1.5 × 0.1 B/ps × 60,000 ps = 9,000 B, which is two packets.
fn narrow() -> Config {
    Config {
        sack_every: 16_384,
        ack_probe_after: 16_000_000,
        nscc: nscc::Config::published(4262.0, 0.1, 6e4, 4.5e4, true),
        ..config()
    }
}

/// UET: a requester whose window is smaller than what the responder waits for asks with every packet.
#[test]
fn a_window_below_the_sack_threshold_asks_with_each_packet() {
    let config = narrow();
    let stream = Stream::one(10 * 4096, 4096).expect("fits");
    let mut requester = posted(&config, stream, EvSet::new(8, 32, 0, 0, 1));
    let Poll::Send(first) = requester.poll_transmit(&config, 0, 0xff) else {
        panic!("the window is open")
    };
    assert!(first.has(flags::ACK_REQUEST), "there is room for one more");
}

/// Two packets are on the way; one is trimmed, which makes the window one packet smaller, and nobody reports the other.
#[test]
fn a_requester_without_room_for_a_retransmission_asks_how_things_are() {
    let config = narrow();
    let stream = Stream::one(10 * 4096, 4096).expect("fits");
    let mut requester = posted(&config, stream, EvSet::new(8, 32, 0, 0, 1));
    let mut watcher = Changes(vec![]);
    let mut send = |now| match requester.poll_transmit(&config, now, 0xff) {
        Poll::Send(packet) => packet,
        other => panic!("{other:?}"),
    };
    let sent = [send(0), send(50_000)];
    let trimmed = nack(&sent[1], NackReason::TrimmedLastHop);
    requester.on_nack(&config, &mut watcher, 200_000, &trimmed);
    assert_eq!(requester.waiting_retransmissions(), 1);
    assert!(
        requester.may_be_due_earlier(),
        "the timer that was set is the timeout's"
    );
    assert_eq!(requester.poll_transmit(&config, 200_000, 0xff), Poll::Idle);
    assert_eq!(
        requester.deadline(&config),
        Some(16_200_000),
        "16 µs after the NACK"
    );
    let mut out = Vec::new();
    requester.on_timer(&config, &mut watcher, 16_200_000, &mut out);
    assert_eq!(out[0].kind, PacketKind::AckProbe);
}

#[test]
fn a_probe_says_nothing_of_what_was_sent_shortly_before() {
    let config = Config {
        ack_probe_after: 16_000_000,
        ..config()
    };
    let mut requester = requester(3 * 4096);
    let mut watcher = Changes(vec![]);
    send(&mut requester, 0);
    let mut out = Vec::new();
    requester.on_timer(&config, &mut watcher, 16_000_000, &mut out);
    let young = send(&mut requester, 16_000_001);
    let answer = Packet {
        flags: flags::CONTROL | flags::PROBE_RESPONSE,
        ..sack(0, &[], &out[0])
    };
    requester.on_sack(&config, &mut watcher, 24_000_000, &answer);
    assert_eq!(requester.waiting_retransmissions(), 1);
    assert_eq!(watcher.0.len(), 1);
    assert_ne!(watcher.0[0].0, young.ev);
}

#[test]
fn messages_complete_by_ack_in_any_order() {
    let config = Config {
        message_acks: true,
        ack_probe_after: 16_000_000,
        ..config()
    };
    let stream = Stream::new(8192, 2, false, 4096).expect("fits");
    let mut requester = posted(&config, stream, EvSet::new(8, 32, 0, 0, 1));
    let mut watcher = Changes(vec![]);
    let sent: Vec<Packet> = (0..4).map(|i| send(&mut requester, i * 50_000)).collect();
    requester.on_sack(&config, &mut watcher, 8_000_000, &sack(4, &[], &sent[3]));
    assert!(
        !requester.is_finished(),
        "placed is not complete: the ACK says that"
    );
    let ack = |message, syndrome: Syndrome| Packet {
        kind: PacketKind::Ack,
        psn: message,
        reason: syndrome.code(),
        ..Packet::default()
    };
    requester.on_ack(&mut watcher, 8_100_000, &ack(1, Syndrome::Ack));
    assert_eq!((requester.completed(), requester.is_finished()), (1, false));
    // The other ACK is lost: a probe brings it again.
    let due = requester.deadline(&config).expect("a deadline");
    assert_eq!(due, 24_100_000);
    let mut out = Vec::new();
    requester.on_timer(&config, &mut watcher, due, &mut out);
    assert_eq!(out[0].kind, PacketKind::AckProbe);
    requester.on_ack(&mut watcher, 32_000_000, &ack(1, Syndrome::UpTo));
    assert!(requester.is_finished());
}

#[test]
fn writes_with_immediate_are_held_back_at_the_limit() {
    let config = Config {
        message_acks: true,
        max_immediate: 2,
        ..config()
    };
    let stream = Stream::new(8192, 5, true, 4096).expect("fits");
    let mut requester = posted(&config, stream, EvSet::new(8, 32, 0, 0, 1));
    let mut watcher = Changes(vec![]);
    for psn in 0..4 {
        assert_eq!(send(&mut requester, psn * 50_000).psn, psn as u32);
    }
    assert_eq!(
        requester.poll_transmit(&config, 200_000, 0xff),
        Poll::Idle,
        "two are under way"
    );
    let ack = Packet {
        kind: PacketKind::Ack,
        psn: 0,
        reason: Syndrome::UpTo.code(),
        ..Packet::default()
    };
    requester.on_ack(&mut watcher, 8_000_000, &ack);
    assert_eq!(send(&mut requester, 8_000_001).psn, 4);
    let nak = Packet {
        reason: Syndrome::TooManyImmediates.code(),
        ..ack
    };
    requester.on_ack(&mut watcher, 9_000_000, &nak);
    assert_eq!(requester.state(), QpState::Error(QpError::TooManyImmediate));
}

#[test]
fn the_peers_window_is_obeyed() {
    let config = config();
    let mut requester = requester(10_000_000);
    let mut watcher = Changes(vec![]);
    let sent: Vec<Packet> = (0..10).map(|i| send(&mut requester, i * 50_000)).collect();
    // One unit: 128 PSNs from the lowest unacknowledged one on.
    let narrow = Packet {
        mpr: 1,
        ..sack(10, &[], &sent[9])
    };
    requester.on_sack(&config, &mut watcher, 8_000_000, &narrow);
    let mut psn = 0;
    while let Poll::Send(packet) = requester.poll_transmit(&config, 8_000_001, 0xff) {
        psn = packet.psn;
    }
    assert_eq!(psn, 10 + 127);
}

#[test]
fn ports_that_are_down_are_left_and_the_peer_is_told() {
    let config = config();
    let mut requester = requester(10_000_000);
    let mut watcher = Changes(vec![]);
    requester.set_ports_down(1_000, 0b0000_0101, true);
    let planes: Vec<u32> = (0..60)
        .map(|_| send(&mut requester, 1_000))
        .map(|p| u32::from(p.ev) % 8)
        .collect();
    assert!(!planes.contains(&0) && !planes.contains(&2));
    for plane in [1, 3, 4, 5, 6, 7] {
        assert_eq!(planes.iter().filter(|&&p| p == plane).count(), 10);
    }
    let mut out = Vec::new();
    assert_eq!(requester.deadline(&config), Some(1_000));
    requester.on_timer(&config, &mut watcher, 1_000, &mut out);
    assert_eq!((out[0].kind, out[0].bitmap), (PacketKind::PortStatus, 0b101));
    requester.on_port_status_reply(&out[0]);
    // The peer's ports count as well, and are told apart from one's own.
    let update = Packet {
        kind: PacketKind::PortStatus,
        bitmap: 0b1000,
        ..Packet::default()
    };
    let answer = requester.on_port_status(&config, &update);
    assert_eq!(answer.kind, PacketKind::PortStatusReply);
    assert_eq!(requester.evs().planes_down(), 0b1101);
    requester.set_ports_down(2_000, 0, true);
    assert_eq!(requester.evs().planes_down(), 0b1000);
}

#[test]
fn a_controller_denies_and_allows() {
    let mut requester = requester(10_000_000);
    let mut watcher = Changes(vec![]);
    requester.set_denied(&mut watcher, 5, 3, true);
    requester.set_denied(&mut watcher, 6, 3, true);
    assert!((0..64).all(|_| send(&mut requester, 7).ev != 3));
    requester.set_denied(&mut watcher, 8, 3, false);
    assert_eq!(watcher.0, [(3, EvState::Denied), (3, EvState::Good)]);
}

fn under(balancer: Balancer) -> (Config, Requester) {
    let config = Config { balancer, ..config() };
    let stream = Stream::one(10_000_000, 4096).expect("fits");
    let requester = posted(&config, stream, EvSet::new(1, 32, 0, 0, 1));
    (config, requester)
}

#[test]
fn the_bitmap_balancer_learns_of_marks_trims_and_losses_and_probes_nothing() {
    let (config, mut requester) = under(Balancer::Bitmap);
    let mut watcher = Changes(vec![]);
    let sent: Vec<Packet> = (0..5).map(|i| send(&mut requester, i * 50_000)).collect();
    let late = send(&mut requester, 40_000_000);
    requester.on_nack(
        &config,
        &mut watcher,
        41_000_000,
        &nack(&sent[0], NackReason::Trimmed),
    );
    let last_hop = nack(&sent[1], NackReason::TrimmedLastHop);
    requester.on_nack(&config, &mut watcher, 41_000_000, &last_hop);
    let marked = Packet {
        flags: flags::ECN,
        ..sack(0, &[2, 3], &sent[2])
    };
    requester.on_sack(&config, &mut watcher, 42_000_000, &marked);
    assert_eq!(
        watcher.0,
        [(sent[0].ev, EvState::Skip), (sent[2].ev, EvState::Skip)],
        "a trim on the last hop blames no path"
    );
    // Packet 4 is overtaken by one that was sent 40 µs later.
    requester.on_sack(&config, &mut watcher, 48_000_000, &sack(0, &[2, 3, 5], &late));
    assert_eq!(watcher.0[2..], [(sent[4].ev, EvState::Skip)]);
    let mut out = Vec::new();
    requester.on_timer(&config, &mut watcher, 200_000_000, &mut out);
    assert!(out.is_empty(), "no probes: {out:?}");
}

#[test]
fn reps_sends_again_by_what_was_acknowledged_without_a_mark() {
    let (config, mut requester) = under(Balancer::Reps);
    let mut watcher = Changes(vec![]);
    let sent: Vec<Packet> = (0..4).map(|i| send(&mut requester, i * 50_000)).collect();
    requester.on_sack(&config, &mut watcher, 8_000_000, &sack(1, &[], &sent[0]));
    let marked = Packet {
        flags: flags::ECN,
        ..sack(2, &[], &sent[1])
    };
    requester.on_sack(&config, &mut watcher, 8_100_000, &marked);
    // A full queue at the receiver says nothing against the path.
    let last_hop = nack(&sent[2], NackReason::TrimmedLastHop);
    requester.on_nack(&config, &mut watcher, 8_200_000, &last_hop);
    requester.on_nack(
        &config,
        &mut watcher,
        8_300_000,
        &nack(&sent[3], NackReason::Trimmed),
    );
    assert_eq!(send(&mut requester, 8_400_000).ev, sent[0].ev);
    assert_eq!(send(&mut requester, 8_500_000).ev, sent[2].ev);
    assert!(watcher.0.is_empty(), "its EVs have no states");
}

/// Three packets of credit, beside a window of 281.
fn on_credit() -> (Config, Requester) {
    let config = Config {
        ack_probe_after: 16_000_000,
        rccc: Some(crate::rccc::Config::new(0.1, 8_000_000, 4262, 3 * 4262, 150)),
        ..config()
    };
    let stream = Stream::one(10 * 4096, 4096).expect("fits");
    let requester = posted(&config, stream, EvSet::new(8, 32, 0, 0, 1));
    (config, requester)
}

#[test]
fn a_sender_stops_when_credit_ends_and_goes_on_with_more() {
    let (config, mut requester) = on_credit();
    let sent: Vec<Packet> = (0..3).map(|i| send(&mut requester, i * 50_000)).collect();
    assert_eq!(
        requester.poll_transmit(&config, 150_000, 0xff),
        Poll::Idle,
        "no credit is left"
    );
    assert!(!sent[1].has(flags::ACK_REQUEST) && sent[2].has(flags::ACK_REQUEST));
    let credit = |allowed| Packet {
        kind: PacketKind::Credit,
        rcvd_bytes: allowed,
        ..Packet::default()
    };
    requester.on_credit(8_000_000, &credit(3 * 4262 + 1));
    assert_eq!(
        send(&mut requester, 8_000_000).psn,
        3,
        "as long as any credit is left"
    );
    assert_eq!(requester.poll_transmit(&config, 8_050_000, 0xff), Poll::Idle);
    requester.on_credit(8_100_000, &credit(4 * 4262));
    assert_eq!(requester.poll_transmit(&config, 8_100_000, 0xff), Poll::Idle);
}

#[test]
fn a_starved_sender_says_what_it_needs() {
    let (config, mut requester) = on_credit();
    let mut watcher = Changes(vec![]);
    let sent: Vec<Packet> = (0..3).map(|i| send(&mut requester, i * 50_000)).collect();
    requester.on_sack(&config, &mut watcher, 8_000_000, &sack(3, &[], &sent[2]));
    assert!(
        requester.may_be_due_earlier(),
        "nothing is in flight, and no other timer runs"
    );
    let mut out = Vec::new();
    for probe in 1..=40u64 {
        // 16 µs after the last news; answers that bring no credit do not count as timeouts.
        let due = requester.deadline(&config).expect("a deadline");
        assert_eq!(due, 8_000_000 + probe * 16_000_000 + (probe - 1) * 8_000_000);
        requester.on_timer(&config, &mut watcher, due, &mut out);
        let asked = out.pop().expect("a probe");
        // Ten PSNs are posted; three were sent, and seven more make ten packets in all.
        assert_eq!(
            (asked.kind, asked.cack, asked.rcvd_bytes),
            (PacketKind::AckProbe, 10, 10 * 4262)
        );
        let answer = Packet {
            flags: flags::CONTROL | flags::PROBE_RESPONSE,
            ..sack(3, &[], &asked)
        };
        requester.on_sack(&config, &mut watcher, due + 8_000_000, &answer);
    }
    assert_eq!(requester.state(), QpState::Rts);
}

#[test]
fn with_receiver_credit_a_trim_on_the_last_hop_leaves_the_window_alone() {
    let (config, mut requester) = on_credit();
    let mut watcher = Changes(vec![]);
    let sent: Vec<Packet> = (0..2).map(|i| send(&mut requester, i * 50_000)).collect();
    let window = requester.cc().cwnd();
    let last_hop = nack(&sent[0], NackReason::TrimmedLastHop);
    requester.on_nack(&config, &mut watcher, 8_000_000, &last_hop);
    assert_eq!(
        (requester.cc().cwnd(), requester.waiting_retransmissions()),
        (window, 1)
    );
    requester.on_nack(
        &config,
        &mut watcher,
        8_000_000,
        &nack(&sent[1], NackReason::Trimmed),
    );
    assert_eq!(
        requester.cc().cwnd(),
        window - 4262,
        "one on the way is congestion"
    );
}
