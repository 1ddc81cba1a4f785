//! The inspector's view of frames, whole and broken.

use crate::samples::{full_data, one_of_each, with_list};
use wire::layout::{HeaderView, MALFORMED, MAX_LEN, describe};
use wire::{Header, ethernet};

fn names(views: &[HeaderView]) -> Vec<&'static str> {
    views.iter().map(|view| view.name).collect()
}

fn value<'a>(views: &'a [HeaderView], header: &str, field: &str) -> &'a str {
    let view = views
        .iter()
        .find(|view| view.name == header)
        .unwrap_or_else(|| panic!("no {header}"));
    let field = view
        .fields
        .iter()
        .find(|f| f.name == field)
        .unwrap_or_else(|| panic!("no {header}.{field}"));
    &field.value
}

#[test]
fn headers_of_each_kind() {
    let front = ["Inner IPv6", "UDP", "BTH"];
    let behind: [&[&str]; 15] = [
        &["METH", "TSETH", "RETH", "Payload", "iCRC"],
        &["METH", "RETH", "ImmDt", "Payload", "Padding", "iCRC"],
        &["METH", "TSETH", "RETH, cut by trimming"],
        &["METH", "RETH, cut by trimming"],
        &["AETH", "iCRC"],
        &["SETH", "CC_STATE", "iCRC"],
        &["NETH", "iCRC"],
        &["PETH", "iCRC"],
        &["ERTH", "iCRC"],
        &["EETH", "iCRC"],
        &["AETH", "iCRC"],
        &["ERTH", "iCRC"],
        &["METH", "TSETH", "RETH", "Payload", "iCRC"],
        &["METH", "TSETH", "RETH, cut by trimming"],
        &["SETH", "CC_STATE", "iCRC"],
    ];
    assert_eq!(one_of_each().len(), behind.len());
    for ((name, frame), behind) in one_of_each().into_iter().zip(behind) {
        let outer: &[&str] = if frame.srh.is_some() {
            &["Ethernet", "Outer IPv6", "SRH"]
        } else {
            &["Ethernet", "Outer IPv6"]
        };
        assert_eq!(
            names(&describe(&frame.emit())),
            [outer, &front, behind].concat(),
            "{name}"
        );
    }
}

#[test]
fn every_bit_of_a_frame_belongs_to_one_field() {
    for (name, frame) in one_of_each() {
        let bytes = frame.emit();
        let mut at = 0;
        for field in describe(&bytes).iter().flat_map(|view| &view.fields) {
            assert_eq!(field.bit_offset, at, "{name}: {}", field.name);
            assert!(
                !field.doc.is_empty() && !field.value.is_empty(),
                "{name}: {}",
                field.name
            );
            at += field.bit_len;
        }
        assert_eq!(at, bytes.len() * 8, "{name}");
    }
}

#[test]
fn values_are_those_of_the_frame() {
    let views = describe(&full_data().emit());
    assert_eq!(value(&views, "Ethernet", "dst"), "02:01:00:00:68:00");
    assert_eq!(value(&views, "Outer IPv6", "dscp"), "4 TRIMMABLE");
    assert_eq!(value(&views, "Outer IPv6", "ecn"), "0x02 ECT(0)");
    assert_eq!(value(&views, "Outer IPv6", "next_header"), "41 IPv6");
    assert_eq!(value(&views, "Outer IPv6", "usid_block"), "0xfc000000");
    assert_eq!(value(&views, "Outer IPv6", "usid_2"), "0x7011 p3 t1.17");
    assert_eq!(value(&views, "Outer IPv6", "usid_6"), "0x0000 end");
    assert_eq!(value(&views, "Inner IPv6", "dst"), "fd00:6d72:63::12c");
    assert_eq!(value(&views, "BTH", "opcode"), "0xc7 RDMA_WRITE_MIDDLE");
    assert_eq!(value(&views, "BTH", "psn"), "11259375");
    assert_eq!(value(&views, "TSETH", "tx_timestamp"), "1000 (128000 ns)");
    assert_eq!(value(&views, "RETH", "va"), "0x00007f0000001000");
    assert_eq!(value(&views, "Payload", "data"), "4096 bytes");
    assert!(value(&views, "iCRC", "icrc").ends_with("(correct)"));
    assert_eq!(
        views[1].summary,
        "fd00:6d72:63::5 → fc00:0:6800:7011:6801:782c:: (p3 t0.0, p3 t1.17, p3 t0.1, p3 nic.44)"
    );
    assert_eq!(views[4].summary, "RDMA_WRITE_MIDDLE, QP 0x12345, PSN 11259375");
}

#[test]
fn a_segment_list_is_shown_as_a_route() {
    let views = describe(&with_list(full_data()).emit());
    assert_eq!(value(&views, "Outer IPv6", "next_header"), "43 routing");
    assert_eq!(value(&views, "Outer IPv6", "usid_2"), "0x7011 p3 t1.17");
    assert_eq!(value(&views, "SRH", "next_header"), "41 IPv6");
    assert_eq!(value(&views, "SRH", "segments_left"), "0x00 none");
    assert_eq!(
        views[2].summary,
        "fc00:0:6800:7011:6801:782c:: (p3 t0.0, p3 t1.17, p3 t0.1, p3 nic.44), left: none"
    );
    assert!(value(&views, "iCRC", "icrc").ends_with("(correct)"));
}

/// A routing header of another type or length is not taken for one that there is a table for.
#[test]
fn other_routing_headers_are_data() {
    for (at, value) in [(14 + 40 + 1, 4), (14 + 40 + 2, 3)] {
        let mut bytes = with_list(full_data()).emit();
        bytes[at] = value;
        assert_eq!(names(&describe(&bytes)), ["Ethernet", "IPv6", "Data"]);
    }
    let mut bytes = with_list(full_data()).emit();
    bytes[14 + 40] = 59;
    assert_eq!(
        names(&describe(&bytes)),
        ["Ethernet", "Outer IPv6", "SRH", "Data"]
    );
    let views = describe(&bytes[..14 + 40 + 20]);
    assert_eq!(names(&views), ["Ethernet", "Outer IPv6", "SRH", MALFORMED]);
}

#[test]
fn a_cut_header_shows_what_is_left_of_it() {
    let trimmed = full_data().trim(wire::dscp::TRIMMED).unwrap();
    let views = describe(&trimmed.emit());
    assert_eq!(
        value(&views, "RETH, cut by trimming", "va"),
        "0x7f000000 (first 48 of 64 bits)"
    );
    assert_eq!(value(&views, "Outer IPv6", "dscp"), "12 TRIMMED");
}

#[test]
fn fcs_and_other_trailers() {
    let mut bytes = full_data().emit();
    bytes.extend(ethernet::fcs(&bytes));
    assert_eq!(describe(&bytes).last().unwrap().name, "FCS");
    *bytes.last_mut().unwrap() ^= 1;
    let views = describe(&bytes);
    assert_eq!(
        (views.last().unwrap().name, value(&views, "Trailer", "data")),
        ("Trailer", "4 bytes")
    );

    let mut trimmed = full_data().trim(wire::dscp::TRIMMED).unwrap().emit();
    trimmed.extend(ethernet::fcs(&trimmed));
    assert_eq!(names(&describe(&trimmed))[7..], ["RETH, cut by trimming", "FCS"]);
}

#[test]
fn broken_frames_end_with_the_reason() {
    let whole = full_data().emit();
    let changed = |at: usize, value: u8| {
        let mut bytes = whole.clone();
        bytes[at] = value;
        bytes
    };
    for (bytes, before, reason) in [
        (vec![], vec![], "Ethernet needs 14 bytes, but 0 are left"),
        (
            whole[..20].to_vec(),
            vec!["Ethernet", "IPv6"],
            "IPv6 needs 40 bytes, but 6 are left",
        ),
        (
            whole[..110].to_vec(),
            vec!["Ethernet", "Outer IPv6", "Inner IPv6", "UDP", "BTH"],
            "Outer IPv6: payload_len says 4184 bytes, but there are 56",
        ),
        (
            changed(94 + 5, 7),
            vec!["Ethernet", "Outer IPv6", "Inner IPv6", "UDP"],
            "UDP: length is 0x7, expected at least 8",
        ),
        (
            changed(102, 0x0c),
            vec!["Ethernet", "Outer IPv6", "Inner IPv6", "UDP", "BTH"],
            "BTH: opcode is 0xc, expected an MRC opcode: 0xc6 to 0xcb, 0xd1, 0xd8, 0xd9 or 0xdc to 0xde",
        ),
    ] {
        let bytes = if reason.starts_with("UDP: length") {
            with_udp_length(bytes, 7)
        } else {
            bytes
        };
        let views = describe(&bytes);
        let (last, rest) = views.split_last().unwrap();
        assert_eq!((last.name, last.summary.as_str()), (MALFORMED, reason));
        assert_eq!(names(rest)[..before.len()], before, "{reason}");
    }
}

fn with_udp_length(mut bytes: Vec<u8>, length: u16) -> Vec<u8> {
    bytes[98..100].copy_from_slice(&length.to_be_bytes());
    bytes
}

#[test]
fn a_capture_cut_short_still_shows_its_headers() {
    let bytes = &full_data().emit()[..200];
    let views = describe(bytes);
    let behind_bth = ["METH", "TSETH", "RETH", "Payload", MALFORMED];
    assert_eq!(names(&views)[5..], behind_bth);
    assert_eq!(
        views.last().unwrap().summary,
        "Outer IPv6: payload_len says 4184 bytes, but there are 146"
    );
    assert_eq!(value(&views, "Payload", "data"), "62 bytes");
}

#[test]
fn reserved_bits_and_a_wrong_icrc_are_pointed_out() {
    let mut bytes = full_data().emit();
    bytes[102 + 4] = 5;
    *bytes.last_mut().unwrap() ^= 0xff;
    let views = describe(&bytes);
    assert_eq!(value(&views, "BTH", "reserved"), "0x5 (expected 0)");
    assert!(value(&views, "iCRC", "icrc").contains("wrong, the packet's is 0x"));
}

#[test]
fn other_protocols_are_data() {
    let mut bytes = full_data().emit();
    bytes[12..14].copy_from_slice(&[0x08, 0x06]);
    assert_eq!(names(&describe(&bytes)), ["Ethernet", "Data"]);
    let mut bytes = full_data().emit();
    bytes[14 + 6] = 59;
    assert_eq!(names(&describe(&bytes)), ["Ethernet", "IPv6", "Data"]);
    let mut bytes = full_data().emit();
    bytes[94 + 3] = 53;
    assert_eq!(names(&describe(&bytes))[3..], ["UDP", "Data"]);
}

/// RoCEv2's plain form, without the outer header.
#[test]
fn one_ip_header_will_do() {
    let bytes = full_data().emit();
    let plain = [&bytes[..14], &bytes[54..]].concat();
    let views = describe(&plain);
    assert_eq!(names(&views)[..4], ["Ethernet", "IPv6", "UDP", "BTH"]);
    assert!(value(&views, "iCRC", "icrc").ends_with("(correct)"));
}

#[test]
fn oversized_input_is_bounded_and_said() {
    let views = describe(&vec![0; MAX_LEN + 100]);
    let last = views.last().unwrap();
    assert_eq!(
        last.summary,
        "100 bytes too many after the longest frame that is described"
    );
    assert_eq!(last.offset + last.len, MAX_LEN + 100);
    assert_eq!(describe(&vec![0; MAX_LEN]).last().unwrap().name, "Data");
}

#[test]
fn tables_describe_every_field() {
    let fields = [
        wire::Bth::FIELDS,
        wire::Seth::FIELDS,
        wire::Neth::FIELDS,
        wire::Ipv6::FIELDS,
    ]
    .concat();
    assert!(
        fields
            .iter()
            .all(|field| field.doc.ends_with('.') && field.lo < field.hi)
    );
}
