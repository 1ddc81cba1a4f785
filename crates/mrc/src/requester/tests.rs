//! The requester by hand, and against a responder over a bad pipe.

use super::*;
use crate::nscc;
use crate::responder::Responder;
use kernel::rng::{below, chance, draw, threshold};

pub(crate) fn config() -> Config {
    Config {
        pmtu: 4096,
        pad: 4,
        padded_pmtu: 4096,
        header: 166,
        sack_size: 182,
        nack_size: 166,
        probe_size: 158,
        probe_reply_size: 178,
        sack_every: 4096,
        mpr: 4096,
        rto: 262_144_000,
        linear_timeouts: 7,
        reorder_window: 16_000_000,
        probe_interval: 100_000_000,
        probes_to_revive: 2,
        balancer: Balancer::Mrc,
        nscc: nscc::Config {
            mtu: 4262.0,
            rate: 0.1,
            base_rtt: 8e6,
            target: 0.75,
            max_window: 1.5,
            qa_gate: 3,
            qa_threshold: f64::INFINITY,
            delay_weight: 0.0125,
            idle_delay: 1e6,
        },
    }
}

struct Changes(Vec<(u16, EvState)>);
impl Observer for Changes {
    fn ev_changed(&mut self, _: u64, _: u32, ev: u16, state: EvState) {
        self.0.push((ev, state));
    }
}

fn requester(bytes: u64) -> Requester {
    Requester::new(&config(), 0, bytes, EvSet::new(8, 32, 1))
}

fn send(requester: &mut Requester, now: u64) -> Packet {
    match requester.poll_transmit(&config(), now, 0xff) {
        Poll::Send(packet) => packet,
        other => panic!("{other:?}"),
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
fn packet_counts() {
    assert_eq!(
        packets_of(2_000_000, 4086),
        Some(490),
        "the peer's 490 packets of 2 MB"
    );
    assert_eq!(packets_of(0, 4096), None);
    assert_eq!(packets_of(1 << 40, 256), None);
    let requester = requester(4097);
    assert_eq!(
        (requester.payload(&config(), 0), requester.payload(&config(), 1)),
        (4096, 1)
    );
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
    let nack = Packet {
        kind: PacketKind::Nack,
        ..sent[2]
    };
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
        kind: PacketKind::Nack,
        flags: flags::TRIMMED_LAST_HOP,
        ..first
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

/// Two endpoints over a pipe that delays, reorders, loses and trims: every byte arrives once.
#[test]
fn every_byte_is_placed_once_over_a_bad_pipe() {
    for seed in 0..30u64 {
        let config = Config {
            sack_every: if seed % 2 == 0 { 4096 } else { 16_384 },
            ..config()
        };
        let bytes = 1 + below(draw(seed, 1), 3_000_000);
        let mut requester = Requester::new(&config, 0, bytes, EvSet::new(4, 16, seed));
        let mut responder = Responder::new(requester.packets());
        let mut watcher = Changes(vec![]);
        // (arrival, number, towards the responder, packet)
        let mut pipe: std::collections::BTreeMap<(u64, u64), (bool, Packet)> = Default::default();
        let (mut now, mut number) = (0u64, 0u64);
        let mut put = |pipe: &mut std::collections::BTreeMap<_, _>, now, forward, mut packet: Packet| {
            number += 1;
            let bits = draw(seed ^ 0x55, number);
            if chance(bits, threshold(0.02)) {
                return;
            }
            if forward && packet.kind == PacketKind::Data && chance(draw(bits, 1), threshold(0.05)) {
                packet.flags |= flags::TRIMMED | flags::CONTROL;
            }
            if chance(draw(bits, 2), threshold(0.1)) {
                packet.flags |= flags::ECN;
            }
            pipe.insert(
                (now + 4_000_000 + below(draw(bits, 3), 9_000_000), number),
                (forward, packet),
            );
        };
        let mut steps = 0;
        while !requester.is_finished() {
            steps += 1;
            assert!(steps < 200_000, "seed {seed} does not end: {requester:?}");
            if let Poll::Send(packet) = requester.poll_transmit(&config, now, 0xff) {
                put(&mut pipe, now, true, packet);
                now += 42_620;
                continue;
            }
            let due = requester.deadline(&config);
            let next = pipe.first_key_value().map(|(k, _)| k.0);
            if next.is_none() || due.is_some_and(|d| Some(d) < next) {
                now = now.max(due.expect("unfinished, nothing under way: there is a deadline"));
                let mut out = Vec::new();
                requester.on_timer(&config, &mut watcher, now, &mut out);
                for probe in out {
                    put(&mut pipe, now, true, probe);
                }
                continue;
            }
            let ((at, _), (forward, packet)) = pipe.pop_first().expect("not empty");
            now = now.max(at);
            match (forward, packet.kind) {
                (true, PacketKind::Data) => {
                    if let Some(reply) = responder.on_data(&config, &packet) {
                        put(&mut pipe, now, false, reply);
                    }
                }
                (true, _) => put(&mut pipe, now, false, responder.on_probe(&config, &packet)),
                (false, PacketKind::Sack) => requester.on_sack(&config, &mut watcher, now, &packet),
                (false, PacketKind::Nack) => requester.on_nack(&config, &mut watcher, now, &packet),
                (false, _) => requester.on_probe_reply(&config, &mut watcher, now, &packet),
            }
        }
        assert_eq!(responder.stats().placed_bytes, bytes, "seed {seed}");
        assert_eq!(responder.stats().placed, u64::from(requester.packets()));
        assert_eq!(responder.cack(), requester.packets());
        assert_eq!(requester.in_flight, 0, "seed {seed}: the books balance");
    }
}
