use super::*;
use crate::ethernet::Mac;

fn sample(body: RoceBody) -> RoceFrame {
    RoceFrame {
        link: Link {
            dst: Mac([2, 1, 0, 0, 0x68, 1]),
            src: Mac([2, 0, 0, 0, 0, 5]),
        },
        ip: RoceNetwork {
            dscp: Dscp::wrapping(26),
            ecn: Ecn::Ect0,
            identification: 0,
            ttl: 64,
            src: Ipv4Addr::new(10, 0, 0, 6),
            dst: Ipv4Addr::new(10, 0, 1, 45),
        },
        src_port: 0xc123,
        base: RoceBase {
            se: false,
            m: false,
            p_key: 0xffff,
            dest_qp: Bits::wrapping(0x12),
            a: true,
            psn: Bits::wrapping(0xff_fffe),
        },
        body,
    }
}

fn one_of_each() -> Vec<RoceFrame> {
    let reth = Reth {
        va: 0x7f00_0000_0000,
        rkey: 0x1234,
        dma_len: 1_000_000,
    };
    let immediate = ImmDt { data: 7 };
    let aeth = RoceAeth {
        syndrome: RoceSyndrome::ACK,
        msn: Bits::wrapping(3),
    };
    let nak = RoceAeth {
        syndrome: RoceSyndrome::Nak(NakCode::PsnSequenceError),
        ..aeth
    };
    let payload = |len| Payload::new(len).unwrap();
    [
        RoceBody::Write(RoceSegment::First(reth), payload(4096)),
        RoceBody::Write(RoceSegment::Middle, payload(4096)),
        RoceBody::Write(RoceSegment::Last(None), payload(577)),
        RoceBody::Write(RoceSegment::Last(Some(immediate)), payload(2)),
        RoceBody::Write(RoceSegment::Only(reth, None), payload(0)),
        RoceBody::Write(RoceSegment::Only(reth, Some(immediate)), payload(1023)),
        RoceBody::Ack(aeth),
        RoceBody::Ack(nak),
        RoceBody::SelectiveNak(nak, Bits::wrapping(9)),
        RoceBody::Cnp,
    ]
    .map(sample)
    .to_vec()
}

/// A CNP that a ConnectX-4 Lx sent; the capture is part of Scapy's tests (test/contrib/roce.uts).
#[test]
fn a_cnp_from_hardware_is_read_and_written() {
    let hex = "0201000068010200000000050800 45c2003c718c400040119161 0a001101 0a001201 000012b700280000 8100ffff 40000118
               00000000 00000000000000000000000000000000 82fd002a";
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    let bytes: Vec<u8> = digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect();
    let frame = RoceFrame::parse(&bytes).unwrap();
    let expected = RoceFrame {
        ip: RoceNetwork {
            dscp: Dscp::wrapping(48),
            ecn: Ecn::Ect0,
            identification: 0x718c,
            ttl: 64,
            src: Ipv4Addr::new(10, 0, 17, 1),
            dst: Ipv4Addr::new(10, 0, 18, 1),
        },
        src_port: 0,
        base: RoceBase {
            se: false,
            m: false,
            p_key: 0xffff,
            dest_qp: Bits::wrapping(0x118),
            a: false,
            psn: Bits::wrapping(0),
        },
        ..sample(RoceBody::Cnp)
    };
    assert_eq!(frame, expected);
    assert_eq!(frame.emit(), bytes);
}

#[test]
fn what_is_emitted_is_parsed_and_as_long_as_it_says() {
    for frame in one_of_each() {
        let bytes = frame.emit();
        assert_eq!(RoceFrame::parse(&bytes), Ok(frame));
        assert_eq!(frame.wire_len(), bytes.len() + 24);
    }
}

/// Facts 1.3 and 8.1: Ethernet with preamble and gap 38, IPv4 20, UDP 8, BTH 12, iCRC 4: 82 around data; RETH 16, AETH 4, CNP 16.
#[test]
fn lengths_on_the_wire() {
    let lengths: Vec<usize> = one_of_each().iter().map(RoceFrame::wire_len).collect();
    let data = 82 + 4096;
    let expected = [
        data + 16,
        data,
        82 + 580,
        82 + 4 + 4,
        82 + 16,
        82 + 16 + 4 + 1024,
        86,
        86,
        90,
        98,
    ];
    assert_eq!(lengths, expected);
}

#[test]
fn every_changed_bit_is_found_or_is_a_field() {
    for frame in one_of_each() {
        let bytes = frame.emit();
        // The headers and what follows them; of the payload's pattern one byte is as good as another.
        for bit in (0..bytes.len().min(100) * 8).chain((bytes.len() - 4) * 8..bytes.len() * 8) {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 0x80 >> (bit % 8);
            if let Ok(back) = RoceFrame::parse(&changed) {
                assert_ne!(back, frame, "bit {bit}");
                assert_eq!(back.emit(), changed, "bit {bit}");
            }
        }
        for len in 0..bytes.len().min(100) {
            assert!(RoceFrame::parse(&bytes[..len]).is_err(), "{len}");
        }
    }
}

#[test]
fn errors_name_the_place() {
    let mut bytes = sample(RoceBody::Cnp).emit();
    let text = |bytes: &[u8]| RoceFrame::parse(bytes).unwrap_err().to_string();
    bytes[17] += 1;
    assert!(text(&bytes).starts_with("IPv4: "), "{}", text(&bytes));
    bytes[17] -= 1;
    bytes[60] = 1;
    assert!(text(&bytes).starts_with("body: "), "{}", text(&bytes));
    bytes[60] = 0;
    bytes[42] = 0x04;
    assert_eq!(
        text(&bytes),
        "BTH: opcode is 0x4, expected an RC opcode of RDMA WRITE, 0x06 to 0x0b, 0x11 ACKNOWLEDGE or 0x81 CNP"
    );
}

/// 128 bytes, of which 114 are IPv4's and 94 UDP's; the class and the header's checksum are new.
#[test]
fn a_trimmed_packet_is_its_head_with_lengths_that_fit() {
    let frame = one_of_each()[0];
    let (whole, trimmed) = (frame.emit(), frame.trimmed(crate::dscp::TRIMMED));
    assert_eq!(trimmed.len(), 128);
    assert_eq!(trimmed[16..18], [0, 114]);
    assert_eq!(trimmed[38..40], [0, 94]);
    assert_eq!(trimmed[15] >> 2, 12);
    assert_eq!(internet(&[&trimmed[14..34]]), 0);
    assert_eq!(trimmed[42..], whole[42..128]);
    let short = sample(RoceBody::Cnp);
    assert_eq!(short.trimmed(short.ip.dscp), short.emit());
}

fn names(bytes: &[u8]) -> Vec<&'static str> {
    crate::layout::describe(bytes)
        .iter()
        .map(|view| view.name)
        .collect()
}

#[test]
fn each_frame_has_its_header_tree() {
    let behind: [&[&str]; 10] = [
        &["RETH", "Payload"],
        &["Payload"],
        &["Payload", "Padding"],
        &["ImmDt", "Payload", "Padding"],
        &["RETH"],
        &["RETH", "ImmDt", "Payload", "Padding"],
        &["AETH"],
        &["AETH"],
        &["AETH", "SACK"],
        &["CNP"],
    ];
    for (frame, behind) in one_of_each().iter().zip(behind) {
        let expected = [&["Ethernet", "IPv4", "UDP", "BTH"], behind, &["iCRC"]].concat();
        assert_eq!(names(&frame.emit()), expected);
        let views = crate::layout::describe(&frame.emit());
        let last = views.last().unwrap().fields.last().unwrap();
        assert!(last.value.ends_with("(correct)"), "{}", last.value);
    }
    let times = [None, None, None, Some(0), None, None, None, Some(9)];
    let pfc = crate::PfcFrame {
        src: Mac([2, 0, 0, 0, 0, 5]),
        times,
    };
    let views = crate::layout::describe(&pfc.emit());
    assert_eq!(names(&pfc.emit()), ["Ethernet", "PFC", "Padding"]);
    assert_eq!(views[1].summary, "class 3 goes on, class 7 pauses for 9 quanta");
}

/// Cut anywhere and with any bit of the headers changed, the views cover each byte once.
#[test]
fn broken_frames_are_described_to_their_end() {
    let covers = |bytes: &[u8]| {
        let mut at = 0;
        for view in crate::layout::describe(bytes) {
            assert_eq!(view.offset, at, "{} of {bytes:02x?}", view.name);
            at += view.len;
        }
        assert_eq!(at, bytes.len());
    };
    for frame in one_of_each() {
        let bytes = frame.emit();
        (0..bytes.len().min(130)).for_each(|len| covers(&bytes[..len]));
        for bit in 0..bytes.len().min(80) * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 0x80 >> (bit % 8);
            covers(&changed);
        }
    }
}
