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
fn requester(config: &Config, bytes: u64, messages: u32) -> Requester {
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
    let mut requester = requester(&config, 10_000, 2);
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
    let mut requester = requester(&config, 10_000, 2);
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
    let mut requester = requester(&config, 10_000, 2);
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
