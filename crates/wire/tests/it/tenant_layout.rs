//! The inspector's view of tenants' frames.

use crate::tenant::{ping_in_nvgre, syn_in_vxlan, udp_in_ip};
use wire::layout::{HeaderView, MALFORMED, describe};
use wire::tcp::Timestamps;
use wire::tenant::{Segment, Transport};
use wire::{TcpOptions, TenantFrame};

fn names(views: &[HeaderView]) -> Vec<&'static str> {
    views.iter().map(|view| view.name).collect()
}

fn value<'a>(views: &'a [HeaderView], header: &str, field: &str) -> &'a str {
    let view = views.iter().find(|view| view.name == header).unwrap();
    let field = view.fields.iter().find(|f| f.name == field).unwrap();
    &field.value
}

#[test]
fn headers_of_each_kind() {
    let views = describe(&syn_in_vxlan().emit().unwrap());
    let expected = [
        "Ethernet",
        "IPv4",
        "UDP",
        "VXLAN",
        "Inner Ethernet",
        "Inner IPv4",
        "TCP",
    ];
    assert_eq!(names(&views), expected);
    assert_eq!(value(&views, "Ethernet", "ethertype"), "0x0800 IPv4");
    assert_eq!(value(&views, "IPv4", "ihl"), "5 (20 bytes)");
    assert_eq!(value(&views, "IPv4", "dscp"), "0");
    assert_eq!(value(&views, "IPv4", "checksum"), "0xb210 (correct)");
    assert_eq!(value(&views, "UDP", "checksum"), "0x0");
    assert_eq!(value(&views, "VXLAN", "vni"), "66051");
    assert_eq!(value(&views, "Inner IPv4", "dst"), "10.1.0.5");
    assert_eq!(value(&views, "TCP", "checksum"), "0xdcca (correct)");
    assert_eq!(views[3].summary, "VNI 66051");
    assert_eq!(views[6].summary, "50000 → 443 [SYN]");

    let views = describe(&ping_in_nvgre().emit().unwrap());
    let expected = [
        "Ethernet",
        "IPv4",
        "GRE",
        "NVGRE",
        "Inner Ethernet",
        "Inner IPv4",
        "ICMP",
        "ICMP echo",
        "Data",
    ];
    assert_eq!(names(&views), expected);
    assert_eq!(value(&views, "ICMP", "icmp_type"), "8 echo request");
    assert_eq!(value(&views, "ICMP", "checksum"), "0xf6f9 (correct)");
    assert_eq!(views[7].summary, "id 258, sequence 3");

    let views = describe(&udp_in_ip().emit().unwrap());
    let expected = ["Ethernet", "VLAN", "IPv4", "Inner IPv6", "UDP", "Data"];
    assert_eq!(names(&views), expected);
    assert_eq!(value(&views, "VLAN", "vid"), "100");
    assert_eq!(value(&views, "Inner IPv6", "dscp"), "0");
    assert_eq!(value(&views, "UDP", "checksum"), "0xeb6b (correct)");
}

/// Only a destination in the fabric's block is a list of uSIDs.
#[test]
fn ipv6_in_ipv6_of_a_tenant_is_no_route() {
    let mut frame = udp_in_ip();
    frame.vlan = None;
    frame.tunnels[0].ip = frame.ip;
    let views = describe(&frame.emit().unwrap());
    assert_eq!(names(&views), ["Ethernet", "IPv6", "Inner IPv6", "UDP", "Data"]);
    assert_eq!(value(&views, "IPv6", "dst"), "::2");
    assert_eq!(value(&views, "IPv6", "dscp"), "0");
}

#[test]
fn every_bit_belongs_to_one_field() {
    for frame in [syn_in_vxlan(), ping_in_nvgre(), udp_in_ip()] {
        let bytes = frame.emit().unwrap();
        let mut at = 0;
        for field in describe(&bytes).iter().flat_map(|view| &view.fields) {
            assert_eq!(field.bit_offset, at, "{}", field.name);
            assert!(!field.doc.is_empty() && !field.value.is_empty(), "{}", field.name);
            at += field.bit_len;
        }
        assert_eq!(at, bytes.len() * 8);
    }
}

#[test]
fn options_are_listed_one_by_one() {
    let frame = TenantFrame {
        tunnels: vec![],
        transport: Transport::Tcp(Segment {
            flags: 0x12,
            options: TcpOptions {
                mss: Some(1460),
                window_scale: Some(7),
                sack_permitted: true,
                timestamps: Some(Timestamps { value: 9, echo: 8 }),
            },
            ..Segment::default()
        }),
        ..syn_in_vxlan()
    };
    let mut bytes = frame.emit().unwrap();
    let views = describe(&bytes);
    assert_eq!(names(&views), ["Ethernet", "IPv4", "TCP", "TCP options"]);
    let shown: Vec<(&str, &str)> = views[3]
        .fields
        .iter()
        .map(|field| (field.name, field.value.as_str()))
        .collect();
    let expected = [
        ("mss", "1460"),
        ("sack_permitted", "yes"),
        ("timestamps", "value 9, echo 8"),
        ("no_operation", "0x01"),
        ("window_scale", "7"),
    ];
    assert_eq!(shown, expected);

    // An option of length 0 ends the reading, and its bytes are shown with the reason.
    bytes[14 + 20 + 20 + 1] = 0;
    let views = describe(&bytes);
    let broken = &views[3].fields[0];
    assert_eq!(
        (broken.value.as_str(), broken.bit_len),
        ("TCP option: length is 0x0, expected 4 for MSS", 160)
    );
}

#[test]
fn wrong_checksums_are_pointed_out() {
    let mut bytes = syn_in_vxlan().emit().unwrap();
    bytes[14 + 11] ^= 1;
    let tcp = bytes.len() - 20;
    bytes[tcp + 16..tcp + 18].fill(0);
    let views = describe(&bytes);
    assert_eq!(
        value(&views, "IPv4", "checksum"),
        "0xb211 (wrong, the packet's is 0xb210)"
    );
    assert_eq!(
        value(&views, "TCP", "checksum"),
        "0x0000 (wrong, the packet's is 0xdcca)"
    );
    // What was cut off is not judged.
    let frame = TenantFrame {
        payload: 10,
        ..syn_in_vxlan()
    };
    let bytes = frame.emit().unwrap();
    let views = describe(&bytes[..bytes.len() - 1]);
    assert!(!value(&views, "TCP", "checksum").contains('('));
    assert_eq!(
        views.last().unwrap().summary,
        "IPv4: total_len says 100 bytes, but there are 99"
    );
}

#[test]
fn broken_headers_end_with_the_reason() {
    let whole = syn_in_vxlan().emit().unwrap();
    let tcp = whole.len() - 20;
    for (at, byte, reason) in [
        (14, 0x44, "IPv4: ihl is 0x4, expected 5 to 15"),
        (
            17,
            19,
            "IPv4: total_len is 0x13, expected at least the header's length",
        ),
        (39, 7, "UDP: length is 0x7, expected at least 8"),
        (tcp + 12, 0x40, "TCP: data_offset is 0x4, expected 5 to 15"),
        (tcp + 12, 0x60, "TCP options needs 4 bytes, but 0 are left"),
    ] {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        if at == 39 {
            bytes[38] = 0;
        }
        let views = describe(&bytes);
        let last = views.last().unwrap();
        assert_eq!((last.name, last.summary.as_str()), (MALFORMED, reason));
    }
}

/// Fragments but the first have no transport header, and deep nesting ends as data.
#[test]
fn fragments_and_deep_nesting_are_data() {
    let mut bytes = ping_in_nvgre().emit().unwrap();
    bytes[14 + 7] = 1;
    assert_eq!(names(&describe(&bytes)), ["Ethernet", "IPv4", "Data"]);

    let mut bytes = vec![0; 12];
    bytes.extend([0x08, 0x00]);
    for left in (1..=6u8).rev() {
        let mut header = [0; 20];
        header[0] = 0x45;
        header[3] = 20 * left;
        header[9] = 4;
        bytes.extend(header);
    }
    let inner = "Inner IPv4";
    assert_eq!(
        names(&describe(&bytes)),
        ["Ethernet", "IPv4", inner, inner, inner, "Data"]
    );
}
