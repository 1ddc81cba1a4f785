use super::*;
use crate::dcqcn;
use crate::sizes::Sizes;

pub(crate) struct Nobody;
impl Observer for Nobody {}

/// Go-back-N without congestion control, 400 Gb/s.
pub(crate) fn config() -> Config {
    Config {
        pmtu: 4096,
        sizes: Sizes::IPV4,
        recovery: Recovery::GoBackN,
        window: None,
        ack_every: 4,
        timeout: 1_000_000_000,
        longest_timeout: 0,
        retry_count: 7,
        dcqcn: dcqcn::Config {
            enabled: false,
            ..dcqcn::Config::sigcomm15(400_000_000_000)
        },
    }
}

/// A QP of `messages` messages of `bytes`, all posted.
fn posted(config: &Config, bytes: u64, messages: u32) -> Requester {
    let stream = Stream::new(bytes, messages, false, config.pmtu).expect("fits");
    let mut requester = Requester::new(config, 7, stream, 0xc001);
    assert!(requester.post(0, messages));
    requester
}

fn send(requester: &mut Requester, config: &Config, now: u64) -> Packet {
    match requester.poll_transmit(config, now) {
        Poll::Send(packet) => packet,
        other => panic!("{other:?} instead of a packet"),
    }
}

#[test]
fn a_message_goes_out_in_order_and_asks_at_its_end() {
    let config = config();
    let mut requester = posted(&config, 10_000, 2);
    let packets: Vec<Packet> = (0..6).map(|_| send(&mut requester, &config, 5)).collect();
    assert_eq!(requester.poll_transmit(&config, 5), Poll::Idle);
    let psns: Vec<u32> = packets.iter().map(|p| p.psn).collect();
    assert_eq!(psns, [0, 1, 2, 3, 4, 5]);
    // First has a RETH (16 B), Middle and Last have none; 10,000 = 2 × 4,096 + 1,808; 82 B of headers (sizes).
    let sizes: Vec<u16> = packets.iter().map(|p| p.size).collect();
    assert_eq!(sizes, [4194, 4178, 1890, 4194, 4178, 1890]);
    let asks: Vec<bool> = packets.iter().map(|p| p.has(flags::ACK_REQUEST)).collect();
    assert_eq!(
        asks,
        [false, false, true, false, false, true],
        "last packets of messages"
    );
    assert!(packets.iter().all(|p| p.ev == 0xc001 && p.conn == 7));
}

fn answer(reason: u8, psn: u32) -> Packet {
    Packet {
        kind: PacketKind::Ack,
        conn: 7,
        reason,
        psn,
        ..Packet::default()
    }
}

fn ack(psn: u32) -> Packet {
    answer(aeth::ACK, psn)
}

fn nak(psn: u32) -> Packet {
    answer(aeth::NAK_PSN_SEQUENCE, psn)
}

#[test]
fn acks_are_cumulative_and_complete_messages() {
    let config = config();
    let mut requester = posted(&config, 10_000, 2);
    for _ in 0..6 {
        send(&mut requester, &config, 0);
    }
    // An ACK's PSN is the last one that it covers (IBTA 9.7.5.1): 3 says that 0 to 3 have arrived.
    requester.on_ack(&config, &mut Nobody, 1, &ack(3));
    assert_eq!((requester.cack(), requester.completed()), (4, 1));
    requester.on_ack(&config, &mut Nobody, 1, &ack(2));
    assert_eq!(requester.cack(), 4, "an ACK that was overtaken");
    requester.on_ack(&config, &mut Nobody, 1, &ack(6));
    assert_eq!(requester.cack(), 4, "what was never sent is not acknowledged");
    requester.on_ack(&config, &mut Nobody, 1, &ack(5));
    assert!(requester.is_finished());
    assert_eq!((requester.completed(), requester.deadline(&config)), (2, None));
}

#[test]
fn a_nak_sends_everything_from_its_psn_again() {
    let config = config();
    let mut requester = posted(&config, 10_000, 2);
    for _ in 0..5 {
        send(&mut requester, &config, 0);
    }
    requester.on_ack(&config, &mut Nobody, 1, &nak(2));
    assert_eq!((requester.cack(), requester.next_psn()), (2, 2));
    let again: Vec<(u32, bool)> = (0..4)
        .map(|_| send(&mut requester, &config, 2))
        .map(|p| (p.psn, p.has(flags::RTX)))
        .collect();
    assert_eq!(again, [(2, true), (3, true), (4, true), (5, false)]);
    assert_eq!(requester.stats().retransmissions, 3);
}

fn psns(requester: &mut Requester, config: &Config, now: u64) -> Vec<u32> {
    let mut psns = Vec::new();
    while let Poll::Send(packet) = requester.poll_transmit(config, now) {
        psns.push(packet.psn);
    }
    psns
}

#[test]
fn it_asks_with_every_fourth_packet() {
    let config = config();
    let mut requester = posted(&config, 10 * 4096, 1);
    let asks: Vec<bool> = (0..10)
        .map(|_| send(&mut requester, &config, 0).has(flags::ACK_REQUEST))
        .collect();
    let expected: Vec<bool> = (0..10).map(|psn| [3, 7, 9].contains(&psn)).collect();
    assert_eq!(asks, expected);
}

#[test]
fn sizes_with_immediate_data_and_pad() {
    let config = config();
    let stream = Stream::new(4097, 2, true, 4096).expect("fits");
    let mut requester = Requester::new(&config, 0, stream, 0);
    requester.post(0, 2);
    // First: 4,096 + 82 + RETH 16; Last: 1 B filled up to 4, + 82 + ImmDt 4.
    let sizes: Vec<u16> = (0..4).map(|_| send(&mut requester, &config, 0).size).collect();
    assert_eq!(sizes, [4194, 90, 4194, 90]);
}

#[test]
fn the_window_holds_new_packets_back_and_what_fills_it_asks() {
    let config = Config {
        // Three full packets of 4,178 B and a bit.
        window: Some(3 * 4178 + 4177),
        ack_every: 100,
        ..config()
    };
    let mut requester = posted(&config, 10 * 4096, 1);
    let sent: Vec<Packet> = (0..3).map(|_| send(&mut requester, &config, 0)).collect();
    assert_eq!(requester.poll_transmit(&config, 0), Poll::Idle);
    assert_eq!(requester.in_flight(&config), 3 * 4178);
    let asks: Vec<bool> = sent.iter().map(|p| p.has(flags::ACK_REQUEST)).collect();
    assert_eq!(asks, [false, false, true]);
    requester.on_ack(&config, &mut Nobody, 1, &ack(1));
    assert_eq!(psns(&mut requester, &config, 1), [3, 4]);
    // However small the window: one packet may be under way.
    let tiny = Config {
        window: Some(1),
        ..config
    };
    let mut requester = posted(&tiny, 10 * 4096, 1);
    assert!(send(&mut requester, &tiny, 0).has(flags::ACK_REQUEST));
    assert_eq!(requester.poll_transmit(&tiny, 0), Poll::Idle);
}

#[test]
fn a_short_last_packet_counts_with_its_own_size() {
    let config = Config {
        window: Some(2 * (4178 + 182)),
        ..config()
    };
    // Messages of a full packet and 100 B: 4,178 + 182 B on the wire (RETH not counted).
    let mut requester = posted(&config, 4196, 3);
    assert_eq!(psns(&mut requester, &config, 0), [0, 1, 2, 3]);
    assert_eq!(requester.in_flight(&config), 2 * (4178 + 182));
}

#[test]
fn the_timer_runs_from_the_first_question_and_anew_with_progress() {
    let config = config();
    let mut requester = posted(&config, 8 * 4096, 1);
    for now in 0..3 {
        send(&mut requester, &config, now);
    }
    assert_eq!(requester.deadline(&config), None, "no answer is expected yet");
    for now in 3..8 {
        send(&mut requester, &config, now);
    }
    assert_eq!(requester.deadline(&config), Some(3 + config.timeout));
    requester.on_ack(&config, &mut Nobody, 500, &ack(3));
    assert_eq!(
        requester.deadline(&config),
        Some(500 + config.timeout),
        "7 was asked for too"
    );
    requester.on_ack(&config, &mut Nobody, 600, &ack(3));
    assert_eq!(
        requester.deadline(&config),
        Some(500 + config.timeout),
        "no progress"
    );
    requester.on_timer(&config, &mut Nobody, 499 + config.timeout);
    assert_eq!(requester.stats().timeouts, 0, "too early");
    requester.on_timer(&config, &mut Nobody, 500 + config.timeout);
    assert_eq!((requester.stats().timeouts, requester.timeouts_in_row()), (1, 1));
    assert_eq!(psns(&mut requester, &config, 501 + config.timeout), [4, 5, 6, 7]);
    requester.on_ack(&config, &mut Nobody, 502 + config.timeout, &ack(4));
    assert_eq!(requester.timeouts_in_row(), 0);
}

#[test]
fn after_retry_count_timeouts_one_more_ends_in_error() {
    let config = Config {
        retry_count: 2,
        ..config()
    };
    let mut requester = posted(&config, 100, 1);
    let mut sent = 0;
    while !requester.is_finished() {
        let now = requester.deadline(&config).unwrap_or(0);
        requester.on_timer(&config, &mut Nobody, now);
        sent += psns(&mut requester, &config, now).len();
    }
    // Sent, and twice again; the third timeout is one too many.
    assert_eq!((sent, requester.stats().timeouts), (3, 3));
    assert_eq!(requester.state(), QpState::Error(QpError::RetriesExceeded));
    assert_eq!(requester.poll_transmit(&config, u64::MAX), Poll::Idle);
    assert_eq!(requester.deadline(&config), None);
}

#[test]
fn without_a_timeout_it_waits_for_ever() {
    let config = Config {
        timeout: 0,
        ..config()
    };
    let mut requester = posted(&config, 100, 1);
    send(&mut requester, &config, 0);
    assert_eq!(requester.deadline(&config), None);
}

#[test]
fn naks_without_progress_use_up_retries() {
    let config = Config {
        retry_count: 1,
        ..config()
    };
    let mut requester = posted(&config, 8 * 4096, 1);
    for _ in 0..4 {
        send(&mut requester, &config, 0);
    }
    requester.on_ack(&config, &mut Nobody, 1, &nak(2));
    assert_eq!(requester.timeouts_in_row(), 0, "it acknowledged 0 and 1");
    requester.on_ack(&config, &mut Nobody, 1, &nak(2));
    assert_eq!(requester.stats().naks, 1, "nothing has been sent since");
    requester.on_ack(&config, &mut Nobody, 1, &nak(1));
    assert_eq!(
        (requester.cack(), requester.next_psn()),
        (2, 2),
        "one that was overtaken"
    );
    for retries in 1..=2 {
        send(&mut requester, &config, 2);
        requester.on_ack(&config, &mut Nobody, 3, &nak(2));
        assert_eq!(requester.timeouts_in_row(), retries);
    }
    assert_eq!(requester.state(), QpState::Error(QpError::RetriesExceeded));
}

#[test]
fn a_go_back_skips_what_is_acknowledged_meanwhile() {
    let config = config();
    let mut requester = posted(&config, 8 * 4096, 1);
    psns(&mut requester, &config, 0);
    requester.on_timer(&config, &mut Nobody, config.timeout);
    assert_eq!(send(&mut requester, &config, config.timeout).psn, 0);
    // The answer was only late.
    requester.on_ack(&config, &mut Nobody, config.timeout + 1, &ack(6));
    assert_eq!(psns(&mut requester, &config, config.timeout + 2), [7]);
}

fn selective(reorder: u32) -> Config {
    Config {
        recovery: Recovery::SelectiveRepeat { reorder, window: 16 },
        ..config()
    }
}

fn sack(expected: u32, arrived: u32) -> Packet {
    Packet {
        bitmap: u64::from(arrived),
        ..nak(expected)
    }
}

#[test]
fn selective_repeat_sends_only_what_is_missing() {
    let config = selective(1);
    let mut requester = posted(&config, 12 * 4096, 1);
    for _ in 0..6 {
        send(&mut requester, &config, 0);
    }
    // 1 and 3 are lost.
    requester.on_ack(&config, &mut Nobody, 1, &sack(1, 2));
    requester.on_ack(&config, &mut Nobody, 1, &sack(1, 4));
    let again = send(&mut requester, &config, 2);
    assert_eq!((again.psn, again.flags), (1, flags::RTX | flags::ACK_REQUEST));
    // Then what is new (IRN: when nothing is missing any more): up to 12, within the window.
    assert_eq!(psns(&mut requester, &config, 2), [3, 6, 7, 8, 9, 10, 11]);
    assert_eq!(requester.stats().retransmissions, 2);
    requester.on_ack(&config, &mut Nobody, 3, &sack(3, 5));
    assert_eq!(psns(&mut requester, &config, 3), [], "3 is under way again");
    requester.on_ack(&config, &mut Nobody, 4, &ack(11));
    assert!(requester.is_finished());
}

#[test]
fn sent_again_and_lost_again_is_found_by_timeout() {
    let config = selective(1);
    let mut requester = posted(&config, 6 * 4096, 1);
    psns(&mut requester, &config, 0);
    for arrived in [2, 3, 5] {
        requester.on_ack(&config, &mut Nobody, 1, &sack(1, arrived));
    }
    assert_eq!(psns(&mut requester, &config, 2), [1, 4]);
    let due = requester.deadline(&config).expect("it asked");
    assert_eq!(due, 1 + config.timeout, "since 0 was acknowledged");
    requester.on_timer(&config, &mut Nobody, due);
    // What has not arrived as far as is known: 1 and 4. The rest is not sent again.
    assert_eq!(psns(&mut requester, &config, due), [1, 4]);
    assert_eq!(requester.deadline(&config), Some(due + config.timeout));
}

#[test]
fn a_lost_tail_is_found_by_timeout() {
    let config = selective(1);
    let mut requester = posted(&config, 6 * 4096, 1);
    psns(&mut requester, &config, 0);
    requester.on_ack(&config, &mut Nobody, 1, &ack(3));
    requester.on_timer(&config, &mut Nobody, 1 + config.timeout);
    assert_eq!(psns(&mut requester, &config, 2 + config.timeout), [4, 5]);
}

#[test]
fn reordering_within_the_tolerance_is_no_loss() {
    let config = selective(3);
    let mut requester = posted(&config, 12 * 4096, 1);
    for _ in 0..8 {
        send(&mut requester, &config, 0);
    }
    // 1 is missing; 3 is two above it.
    requester.on_ack(&config, &mut Nobody, 1, &sack(1, 3));
    assert_eq!(send(&mut requester, &config, 1).psn, 8);
    // 4 is three above 1, and two above 2.
    requester.on_ack(&config, &mut Nobody, 1, &sack(1, 4));
    assert_eq!(send(&mut requester, &config, 1).psn, 1);
    assert_eq!(send(&mut requester, &config, 1).psn, 9);
}

#[test]
fn the_responder_s_window_bounds_selective_repeat() {
    let config = selective(1);
    let mut requester = posted(&config, 100 * 4096, 1);
    assert_eq!(psns(&mut requester, &config, 0), (0..16).collect::<Vec<_>>());
    requester.on_ack(&config, &mut Nobody, 1, &ack(1));
    assert_eq!(psns(&mut requester, &config, 1), [16, 17]);
}

#[test]
fn a_cnp_paces_packets() {
    let config = Config {
        dcqcn: dcqcn::Config::sigcomm15(400_000_000_000),
        ..config()
    };
    let mut requester = posted(&config, 100 * 4096, 1);
    send(&mut requester, &config, 0);
    requester.on_cnp(&config, &mut Nobody, 0, &Packet::default());
    assert_eq!(
        (requester.stats().cnps, requester.rate(&config, 0)),
        (1, 200_000_000_000)
    );
    send(&mut requester, &config, 0);
    // 4,178 B × 8 / 200 Gb/s = 167,120 ps.
    assert_eq!(requester.poll_transmit(&config, 0), Poll::Wait(167_120));
    assert_eq!(send(&mut requester, &config, 167_120).psn, 2);
    // 55 µs later it is at 300 Gb/s.
    assert_eq!(requester.rate(&config, 55_000_000), 300_000_000_000);
}

#[test]
fn a_slow_qp_looks_again_when_its_rate_rises() {
    let config = Config {
        dcqcn: dcqcn::Config {
            min_rate: 1_000_000,
            least_share: 0.0,
            divisor: 1.0,
            ..dcqcn::Config::sigcomm15(400_000_000_000)
        },
        ..config()
    };
    let mut requester = posted(&config, 100 * 4096, 1);
    // α = 1 and no lower bound of a cut: to the lowest rate, 1 Mb/s; the target is line rate.
    requester.on_cnp(&config, &mut Nobody, 0, &Packet::default());
    send(&mut requester, &config, 0);
    // At 1 Mb/s the next one would go after 4,194 × 8 µs = 33.552 ms. After 55 µs the rate is 200.0005 Gb/s.
    assert_eq!(requester.poll_transmit(&config, 0), Poll::Wait(55_000_000));
    // What was left, 33.497 ms, shrinks to 33.497 ms × 1 Mb/s / 200.0005 Gb/s = 167,485 ps.
    let Poll::Wait(at) = requester.poll_transmit(&config, 55_000_000) else {
        panic!("still paced");
    };
    assert_eq!(at, 55_000_000 + 167_485);
}

#[test]
fn cnps_mean_nothing_when_dcqcn_is_off() {
    let config = config();
    let mut requester = posted(&config, 100 * 4096, 1);
    requester.on_cnp(&config, &mut Nobody, 0, &Packet::default());
    assert_eq!((requester.stats().cnps, requester.cc().is_limited()), (0, false));
}

#[test]
fn a_job_that_is_given_up_ends_it() {
    let config = config();
    let mut requester = posted(&config, 100 * 4096, 1);
    requester.abort(&mut Nobody, 0);
    assert_eq!(requester.state(), QpState::Error(QpError::JobAborted));
    assert!(!requester.post(0, 1) && requester.is_finished());
    assert_eq!(requester.completed(), 0);
}

#[test]
fn it_is_small() {
    // With 131,072 QPs and more in a run, state decides what fits. The bitmaps of selective repeat are beside it.
    assert!(size_of::<Requester>() <= 208, "{}", size_of::<Requester>());
    assert!(
        size_of::<crate::Responder>() <= 128,
        "{}",
        size_of::<crate::Responder>()
    );
}
