use super::*;
use crate::dcqcn;
use crate::requester::tests::config;

const US: u64 = 1_000_000;

fn selective() -> Config {
    Config {
        recovery: Recovery::SelectiveRepeat {
            reorder: 1,
            window: 8,
        },
        ..config()
    }
}

fn responder(config: &Config) -> Responder {
    // Three messages of four packets, the last of each with 100 B.
    let stream = Stream::new(3 * 4096 + 100, 3, false, 4096).expect("fits");
    Responder::new(config, stream)
}

fn data(psn: u32, bits: u8) -> Packet {
    Packet {
        kind: PacketKind::Data,
        conn: 7,
        psn,
        ev: 0xc001,
        sent: 99,
        size: 4178,
        flags: bits,
        ..Packet::default()
    }
}

/// What a packet is answered with: syndrome, PSN, and what arrived out of order.
fn put(responder: &mut Responder, config: &Config, psn: u32) -> Option<(u8, u32, u64)> {
    let replies = responder.on_data(config, 0, &data(psn, 0));
    assert_eq!(replies.cnp, None);
    replies.ack.map(|ack| (ack.reason, ack.psn, ack.bitmap))
}

#[test]
fn in_order_it_answers_only_when_asked() {
    let config = config();
    let mut responder = responder(&config);
    assert_eq!(put(&mut responder, &config, 0), None);
    let ack = responder.on_data(&config, 0, &data(1, flags::ACK_REQUEST)).ack;
    let expected = Packet {
        kind: PacketKind::Ack,
        conn: 7,
        psn: 1,
        ev: 0xc001,
        sent: 99,
        size: 86,
        reason: 0x1f,
        flags: flags::CONTROL,
        ..Packet::default()
    };
    assert_eq!(ack, Some(expected));
    for psn in 2..12 {
        assert_eq!(responder.delivered(), psn / 4);
        put(&mut responder, &config, psn);
    }
    assert!(responder.is_complete());
    assert_eq!(
        (responder.delivered(), responder.stats().placed_bytes),
        (3, 3 * 12_388)
    );
}

#[test]
fn one_nak_for_a_gap_and_none_until_the_expected_packet_is_there() {
    // IBTA, C9-114.
    let config = config();
    let mut responder = responder(&config);
    put(&mut responder, &config, 0);
    assert_eq!(
        put(&mut responder, &config, 2),
        Some((aeth::NAK_PSN_SEQUENCE, 1, 0))
    );
    assert_eq!(put(&mut responder, &config, 3), None);
    assert_eq!(put(&mut responder, &config, 5), None);
    assert_eq!(put(&mut responder, &config, 1), None);
    assert_eq!(
        put(&mut responder, &config, 3),
        Some((aeth::NAK_PSN_SEQUENCE, 2, 0)),
        "a new gap"
    );
    assert_eq!((responder.cack(), responder.stats().out_of_order), (2, 4));
    assert_eq!(responder.stats().placed, 2, "nothing out of order is placed");
}

#[test]
fn a_gap_at_the_very_start_is_told_too() {
    let config = config();
    let mut responder = responder(&config);
    assert_eq!(
        put(&mut responder, &config, 1),
        Some((aeth::NAK_PSN_SEQUENCE, 0, 0))
    );
}

#[test]
fn duplicates_are_acknowledged_and_not_placed_again() {
    for config in [config(), selective()] {
        let mut responder = responder(&config);
        put(&mut responder, &config, 0);
        put(&mut responder, &config, 1);
        assert_eq!(put(&mut responder, &config, 0), Some((aeth::ACK, 1, 0)));
        assert_eq!((responder.stats().placed, responder.stats().duplicates), (2, 1));
    }
}

#[test]
fn selective_repeat_places_what_is_beyond_a_gap_and_names_it() {
    let config = selective();
    let mut responder = responder(&config);
    put(&mut responder, &config, 0);
    assert_eq!(
        put(&mut responder, &config, 2),
        Some((aeth::NAK_PSN_SEQUENCE, 1, 2))
    );
    assert_eq!(
        put(&mut responder, &config, 4),
        Some((aeth::NAK_PSN_SEQUENCE, 1, 4))
    );
    assert_eq!(responder.stats().placed, 3);
    assert_eq!(
        put(&mut responder, &config, 4),
        Some((aeth::ACK, 0, 0)),
        "a duplicate"
    );
    assert_eq!(put(&mut responder, &config, 1), None, "3 is still missing");
    assert_eq!(
        put(&mut responder, &config, 3),
        Some((aeth::ACK, 4, 0)),
        "the last gap closes"
    );
    assert_eq!((responder.cack(), responder.delivered()), (5, 1));
}

#[test]
fn beyond_the_window_nothing_is_placed() {
    let config = selective();
    let mut responder = responder(&config);
    // Expected is 0, the window 8: 0 to 7.
    assert_eq!(put(&mut responder, &config, 8), None);
    assert_eq!(
        put(&mut responder, &config, 7),
        Some((aeth::NAK_PSN_SEQUENCE, 0, 7))
    );
    assert_eq!((responder.stats().refused, responder.stats().placed), (1, 1));
}

#[test]
fn packets_of_no_use_are_not_answered() {
    for config in [config(), selective()] {
        let mut responder = responder(&config);
        assert_eq!(put(&mut responder, &config, 12), None, "beyond the last message");
        assert_eq!(put(&mut responder, &config, u32::MAX), None);
        let trimmed = data(0, flags::TRIMMED | flags::ECN | flags::CONTROL);
        assert_eq!(responder.on_data(&config, 0, &trimmed), Replies::default());
        assert_eq!((responder.stats().refused, responder.cack()), (3, 0));
    }
}

#[test]
fn marks_are_told_by_cnps_each_qp_for_itself() {
    let config = Config {
        dcqcn: dcqcn::Config::sigcomm15(400_000_000_000),
        ..config()
    };
    let (mut one, mut other) = (responder(&config), responder(&config));
    let marked = |psn| data(psn, flags::ECN);
    let cnp = one.on_data(&config, 0, &marked(0)).cnp.expect("the first mark");
    let expected = (PacketKind::Cnp, 98, 7, 0xc001, flags::CONTROL);
    assert_eq!((cnp.kind, cnp.size, cnp.conn, cnp.ev, cnp.flags), expected);
    // N = 50 µs (SIGCOMM 2015); what is out of order is congestion too.
    assert_eq!(one.on_data(&config, 50 * US - 1, &marked(2)).cnp, None);
    assert!(other.on_data(&config, 50 * US - 1, &marked(0)).cnp.is_some());
    let replies = one.on_data(&config, 50 * US, &marked(1));
    assert!(replies.cnp.is_some());
    assert_eq!(one.stats().cnps, 2);
    assert_eq!(
        one.on_data(&config, 500 * US, &data(2, 0)).cnp,
        None,
        "no mark, no CNP"
    );
}

#[test]
fn both_answers_come_out() {
    let config = Config {
        dcqcn: dcqcn::Config::sigcomm15(400_000_000_000),
        ..config()
    };
    let mut responder = responder(&config);
    let replies = responder.on_data(&config, 0, &data(0, flags::ECN | flags::ACK_REQUEST));
    let kinds: Vec<PacketKind> = replies.into_iter().map(|packet| packet.kind).collect();
    assert_eq!(kinds, [PacketKind::Cnp, PacketKind::Ack]);
}
