//! Whole frames: values to bytes and back, trimming, and every refusal by name.

use crate::samples::{full_data, one_of_each, with_list};
use proptest::prelude::*;
use wire::{
    Body, Cut, Ethernet, Frame, Header, Ipv6, Meth, Payload, Reth, Udp, WireError, Write, dscp, icrc, sizes,
};

const OUTER: usize = Ethernet::LEN;
const INNER: usize = OUTER + Ipv6::LEN;
const UDP: usize = INNER + Ipv6::LEN;
const BTH: usize = UDP + Udp::LEN;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parse_undoes_emit(frame in crate::any::frame()) {
        let bytes = frame.emit();
        prop_assert_eq!(bytes.len(), Ethernet::LEN + frame.l3_len());
        prop_assert_eq!(frame.wire_len(), bytes.len() + 4 + 20);
        prop_assert_eq!(Frame::parse(&bytes), Ok(frame));
    }

    /// A frame is never accepted at another length than its own.
    #[test]
    fn no_prefix_and_no_extension_is_accepted(frame in crate::any::frame(), cut in any::<prop::sample::Index>()) {
        let mut bytes = frame.emit();
        prop_assert!(Frame::parse(&bytes[..cut.index(bytes.len())]).is_err());
        bytes.push(0);
        prop_assert!(Frame::parse(&bytes).is_err());
    }
}

#[test]
fn a_full_data_frame_is_4262_bytes_of_the_wire() {
    assert_eq!(full_data().wire_len(), 4262);
    assert_eq!(full_data().emit().len(), 4262 - 20 - 4);
}

#[test]
fn lengths_and_markers_stand_where_other_tools_look_for_them() {
    for (name, frame) in one_of_each().into_iter().filter(|(_, frame)| frame.srh.is_none()) {
        let bytes = frame.emit();
        let number = |at: usize| usize::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]));
        assert_eq!(number(12), 0x86dd, "{name}: ethertype");
        assert_eq!(
            number(OUTER + 4),
            bytes.len() - INNER,
            "{name}: outer payload length"
        );
        assert_eq!(bytes[OUTER + 6], 41, "{name}: outer next header");
        assert_eq!(
            number(INNER + 4),
            bytes.len() - UDP,
            "{name}: inner payload length"
        );
        assert_eq!(bytes[INNER + 6], 17, "{name}: inner next header");
        assert_eq!(number(UDP + 2), 4791, "{name}: port");
        assert_eq!(number(UDP + 4), bytes.len() - UDP, "{name}: UDP length");
        assert_eq!(bytes[BTH], frame.opcode().code(), "{name}: opcode");
    }
}

#[test]
fn a_trimmed_frame_is_the_head_of_the_whole_one() {
    let whole = full_data();
    let trimmed = whole.trim(dscp::TRIMMED).unwrap();
    let (before, after) = (whole.emit(), trimmed.emit());
    assert_eq!(after.len(), sizes::TRIM_LEN);
    let differing: Vec<usize> = (0..after.len()).filter(|&i| before[i] != after[i]).collect();
    let expected = [
        OUTER,
        OUTER + 1,
        OUTER + 4,
        OUTER + 5,
        INNER + 4,
        INNER + 5,
        UDP + 4,
        UDP + 5,
    ];
    assert!(
        differing.iter().all(|i| expected.contains(i)),
        "only DSCP and lengths change: {differing:?}"
    );
    assert_eq!(trimmed.outer.dscp, dscp::TRIMMED);
    assert_eq!(
        (trimmed.inner, trimmed.base, trimmed.ev()),
        (whole.inner, whole.base, whole.ev())
    );
    let Body::Trimmed(body) = trimmed.body else {
        panic!("{trimmed:?}")
    };
    assert!(matches!(body.cut, Cut::Timestamped(_, [0, 0, 0x7f, 0, 0, 0])));
    assert_eq!(
        trimmed.trim(dscp::TRIMMED),
        None,
        "a trimmed packet is not trimmed again"
    );
}

#[test]
fn without_a_timestamp_ten_bytes_of_the_reth_are_left() {
    let (_, frame) = one_of_each().swap_remove(1);
    let Body::Write(write) = frame.body else {
        panic!("{frame:?}")
    };
    let mut reth = [0; Reth::LEN];
    write.reth.emit(&mut reth);
    let Body::Trimmed(body) = frame.trim(dscp::TRIMMED).unwrap().body else {
        panic!()
    };
    assert_eq!(body.cut, Cut::Plain(*reth.first_chunk().unwrap()));
    assert_eq!(body.pad.get(), 3, "the BTH keeps the padding of the 13 bytes");
}

#[test]
fn control_frames_are_not_trimmed() {
    for (name, frame) in one_of_each() {
        let is_data = matches!(frame.body, Body::Write(_));
        assert_eq!(frame.trim(dscp::TRIMMED).is_some(), is_data, "{name}");
    }
}

/// With a Segment Routing Header a frame is the same but for it, the outer length and next header; 24 bytes longer.
#[test]
fn a_segment_list_stands_between_the_ip_headers() {
    for (name, plain) in one_of_each().into_iter().filter(|(_, frame)| frame.srh.is_none()) {
        let routed = with_list(plain);
        let (before, after) = (plain.emit(), routed.emit());
        assert_eq!(routed.wire_len(), plain.wire_len() + 24, "{name}");
        assert_eq!(after.len(), before.len() + 24, "{name}");
        assert_eq!(after[..OUTER + 4], before[..OUTER + 4], "{name}");
        let length = usize::from(u16::from_be_bytes([after[OUTER + 4], after[OUTER + 5]]));
        assert_eq!(length, after.len() - INNER, "{name}: outer payload length");
        assert_eq!(after[OUTER + 6], 43, "{name}: outer next header");
        assert_eq!(after[OUTER + 7..INNER], before[OUTER + 7..INNER], "{name}");
        assert_eq!(after[INNER..INNER + 8], [41, 2, 4, 0, 0, 0, 0, 0], "{name}");
        assert_eq!(
            after[INNER + 8..INNER + 24],
            before[OUTER + 24..OUTER + 40],
            "{name}"
        );
        assert_eq!(
            after[INNER + 24..],
            before[INNER..],
            "{name}: the inner packet is the same"
        );
        let trimmed = |frame: &Frame| frame.trim(dscp::TRIMMED).map(|frame| frame.emit().len());
        assert_eq!(trimmed(&routed), trimmed(&plain).map(|len| len + 24), "{name}");
    }
}

/// Sets a byte of a frame, corrects the iCRC, and tells why the result is refused.
fn refusal(frame: &Frame, at: usize, value: u8) -> String {
    let mut bytes = frame.emit();
    bytes[at] = value;
    let end = bytes.len() - icrc::LEN;
    let srh = if frame.srh.is_some() { sizes::SRH } else { 0 };
    let crc = icrc::compute(&bytes[INNER + srh..end]);
    if let Ok(crc) = crc {
        bytes[end..].copy_from_slice(&crc.to_le_bytes());
    }
    Frame::parse(&bytes).unwrap_err().to_string()
}

#[test]
fn every_refusal_names_its_place() {
    let frames = one_of_each();
    let data = &frames[0].1;
    let last = &frames[1].1;
    let sack = &frames[5].1;
    let routed = &with_list(*data);
    let Body::Write(write) = data.body else {
        panic!("{data:?}")
    };
    // Its METH begins like an acknowledgement.
    let write = Write {
        meth: Meth {
            rqmsn: 0x1f00,
            msn: 7,
        },
        tseth: None,
        payload: Payload::new(4).unwrap(),
        ..write
    };
    let short = &Frame {
        body: Body::Write(write),
        ..*data
    };
    let payload = BTH + 12 + 4 + 4 + 16;
    #[rustfmt::skip]
    let cases = [
        (data, 12, 0x08, "Ethernet: ethertype is 0x8dd, expected 0x86dd (IPv6)"),
        (data, OUTER, 0x40, "outer IPv6: version is 0x4, expected 6"),
        (data, OUTER + 6, 17, "outer IPv6: next_header is 0x11, expected 41 (IPv6) or 43 (routing)"),
        (data, OUTER + 6, 43, "SRH: segments_left is 0x3, expected 0 or 1, since the list has one segment"),
        (routed, OUTER + 6, 41, "inner IPv6: version is 0x2, expected 6"),
        (routed, INNER, 17, "SRH: next_header is 0x11, expected 41 (IPv6)"),
        (routed, INNER + 1, 4, "SRH: hdr_ext_len is 0x4, expected 2"),
        (routed, INNER + 2, 3, "SRH: routing_type is 0x3, expected 4"),
        (routed, INNER + 5, 8, "SRH: flags is 0x8, expected 0"),
        (routed, INNER + 24 + 6, 6, "inner IPv6: next_header is 0x6, expected 17 (UDP)"),
        (data, OUTER + 4, 0, "outer IPv6: payload_len says 88 bytes, but there are 4184"),
        (data, INNER + 6, 6, "inner IPv6: next_header is 0x6, expected 17 (UDP)"),
        (data, INNER + 5, 0x31, "inner IPv6: payload_len says 4145 bytes, but there are 4144"),
        (data, UDP + 3, 0, "UDP: dst_port is 0x1200, expected 4791 (RoCEv2)"),
        (data, UDP + 4, 0, "UDP: length says 48 bytes, but there are 4144"),
        (data, UDP + 7, 1, "UDP: checksum is 0x1, expected 0 (left out)"),
        (data, BTH, 0x0a, "BTH: opcode is 0xa, expected an MRC opcode: 0xc6 to 0xcb, 0xd1, 0xd8, 0xd9 or 0xdc to 0xde"),
        (data, BTH + 1, 1, "BTH: tver is 0x1, expected 0"),
        (data, BTH + 19, 2, "TSETH: ftype is 0x2, expected 1"),
        (data, payload + 2, 9, "payload byte 2 is 0x09, expected 0x02 (only pattern payloads are carried)"),
        (data, BTH + 1, 0x10, "payload: padding is 0xff, expected 0"),
        (last, BTH + 1, 0, "payload byte 13 is 0x00, expected 0x0d (only pattern payloads are carried)"),
        (sack, BTH + 1, 0x10, "BTH: pad is 0x1, expected 0 in a packet without data"),
        (sack, BTH + 8, 0x90, "BTH: ts is 0x1, expected 0 in a packet without data"),
        (sack, BTH, 0xdd, "NETH: nack_reason is 0x0, expected a NACK reason: 0x01, 0x02, 0x06, 0x07, 0x0a, 0x0b or 0x19"),
        (sack, BTH, 0xd1, "32 bytes too many after AETH"),
        (short, BTH, 0xd1, "20 bytes too many after AETH"),
        (sack, BTH + 12, 1, "SETH: reserved is 0x2, expected 0"),
    ];
    for (frame, at, value, text) in cases {
        assert_eq!(refusal(frame, at, value), text);
    }
}

#[test]
fn a_changed_bit_under_the_icrc_is_noticed() {
    let (_, sack) = one_of_each().swap_remove(5);
    let mut bytes = sack.emit();
    *bytes.last_mut().unwrap() ^= 1;
    assert!(matches!(Frame::parse(&bytes), Err(WireError::Icrc { .. })));
}
