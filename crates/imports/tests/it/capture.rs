//! Captures as flows.

use crate::support::notes;
use gft::{Address, Direction, Mac, Protocol};
use imports::{Content, Count, Format, Imported, Options, import};
use std::net::Ipv4Addr;
use wire::icmp::{ECHO_REPLY, ECHO_REQUEST};
use wire::pcapng::{Interface, Packet, Writer};
use wire::tenant::{Ip, NetworkV4, Segment, Transport, Tunnel, TunnelFormat};
use wire::{Bits, Ecn, Link, TenantFrame};

const VM: [u8; 4] = [10, 1, 0, 4];
const PEER: [u8; 4] = [203, 0, 113, 9];

const FIN: u8 = 1;
const SYN: u8 = 2;
const RST: u8 = 4;
const ACK: u8 = 16;

fn mac(last: u8) -> wire::Mac {
    wire::Mac([2, 0, 0, 0, 0, last])
}

fn ip(src: [u8; 4], dst: [u8; 4]) -> Ip {
    Ip::V4(NetworkV4 {
        dscp: Bits::wrapping(0),
        ecn: Ecn::NotEct,
        identification: 0,
        dont_fragment: true,
        ttl: 64,
        src: src.into(),
        dst: dst.into(),
    })
}

/// A frame between the VM (MAC …:04) and its router (…:01).
fn frame(src: [u8; 4], dst: [u8; 4], transport: Transport, payload: u32) -> TenantFrame {
    let out = src == VM;
    let (from, to) = if out { (4, 1) } else { (1, 4) };
    TenantFrame {
        link: Link {
            dst: mac(to),
            src: mac(from),
        },
        vlan: None,
        tunnels: Vec::new(),
        ip: ip(src, dst),
        transport,
        payload,
    }
}

fn tcp(src: [u8; 4], src_port: u16, dst: [u8; 4], dst_port: u16, flags: u8, payload: u32) -> TenantFrame {
    let segment = Segment {
        src_port,
        dst_port,
        flags,
        ..Segment::default()
    };
    frame(src, dst, Transport::Tcp(segment), payload)
}

/// A capture of these frames, each so many nanoseconds after the epoch.
fn capture(frames: &[(u64, TenantFrame)]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), "test").unwrap();
    let interface = writer.interface(&Interface::default()).unwrap();
    for (timestamp, frame) in frames {
        let bytes = frame.emit().unwrap();
        let packet = Packet {
            interface,
            timestamp: *timestamp,
            bytes: &bytes,
            original_len: bytes.len() as u32,
            direction: None,
            comment: None,
        };
        writer.packet(&packet).unwrap();
    }
    writer.into_inner()
}

/// Classic pcap, microseconds, little-endian, of packets with this link type.
fn pcap(link_type: u32, packets: &[&[u8]]) -> Vec<u8> {
    let mut file = Vec::new();
    for word in [0xa1b2_c3d4u32, 4 << 16 | 2, 0, 0, 65_535, link_type] {
        file.extend(word.to_le_bytes());
    }
    for (i, packet) in packets.iter().enumerate() {
        for word in [i as u32, 0, packet.len() as u32, packet.len() as u32] {
            file.extend(word.to_le_bytes());
        }
        file.extend(*packet);
    }
    file
}

fn good(file: &[u8]) -> Imported {
    good_with(file, &Options::default())
}

fn good_with(file: &[u8], options: &Options) -> Imported {
    import(file, options).unwrap_or_else(|error| panic!("{error}"))
}

fn bad(file: &[u8]) -> String {
    import(file, &Options::default()).unwrap_err().to_string()
}

fn vm() -> Options {
    Options {
        vm: vec![Address::v4(10, 1, 0, 4)],
        ..Options::default()
    }
}

/// One connection into the VM: SYN, SYN-ACK, ACK, a request of 100 bytes, an answer of 1,000, FIN both ways. IP and TCP headers
/// are 40 bytes, so forth 4 · 40 + 100 and back 3 · 40 + 1000.
fn connection(port: u16, at: u64) -> Vec<(u64, TenantFrame)> {
    let forth = |flags, payload| tcp(PEER, port, VM, 443, flags, payload);
    let back = |flags, payload| tcp(VM, 443, PEER, port, flags, payload);
    vec![
        (at, forth(SYN, 0)),
        (at + 1000, back(SYN | ACK, 0)),
        (at + 2000, forth(ACK, 0)),
        (at + 3000, forth(ACK, 100)),
        (at + 4000, back(ACK, 1000)),
        (at + 5000, back(FIN | ACK, 0)),
        (at + 6000, forth(FIN | ACK, 0)),
    ]
}

fn count(packets: u64, bytes: u64) -> Count {
    Count { packets, bytes }
}

#[test]
fn a_connection_is_one_flow() {
    let imported = good_with(&capture(&connection(50_000, 7_000_000_000)), &vm());
    assert_eq!(
        (imported.format, &imported.content),
        (Format::Capture, &Content::Flows)
    );
    assert_eq!(imported.traffic.origin_ns, 7_000_000_000);
    let [flow] = imported.traffic.flows[..] else {
        panic!()
    };
    assert_eq!(
        flow.tuple.to_string(),
        "TCP 203.0.113.9 port 50000 to 10.1.0.4 port 443"
    );
    assert_eq!(
        (flow.direction, flow.mac),
        (Direction::In, Some(Mac(0x0200_0000_0004)))
    );
    assert_eq!((flow.start_ns, flow.duration_ns), (0, 6000));
    assert_eq!((flow.forward, flow.backward), (count(4, 260), count(3, 1120)));
    assert!(imported.notes.is_empty(), "{:?}", imported.notes);
}

#[test]
fn the_busiest_address_is_the_vms() {
    let mut frames = connection(50_000, 0);
    frames.push((
        9_000,
        frame(
            VM,
            [10, 1, 0, 9],
            Transport::Udp {
                src_port: 5,
                dst_port: 53,
            },
            30,
        ),
    ));
    let imported = good(&capture(&frames));
    assert_eq!(
        notes(&imported),
        [
            "the capture: 10.1.0.4 is taken as the VM's address: 8 of 8 packets have it, and no address of the virtual network is in more"
        ]
    );
    let dns = imported.traffic.flows[1];
    assert_eq!(
        (dns.direction, dns.tuple.protocol),
        (Direction::Out, Protocol::UDP)
    );
    assert_eq!(dns.forward, count(1, 20 + 8 + 30));
}

/// Of one conversation's ends, which have as many packets, the one of the virtual network is the VM, whoever began and whichever
/// is lower; and a server outside that is in more packets is none.
#[test]
fn the_vm_is_inside_the_virtual_network() {
    let outside = [5, 6, 7, 8];
    let asked = |src, dst| {
        let transport = Transport::Udp {
            src_port: 5,
            dst_port: 53,
        };
        frame(src, dst, transport, 30)
    };
    let conversation = capture(&[(0, asked(outside, VM)), (10, asked(VM, outside))]);
    let imported = good(&conversation);
    assert_eq!(imported.traffic.flows[0].direction, Direction::In);
    assert_eq!(
        notes(&imported),
        [
            "the capture: 10.1.0.4 is taken as the VM's address: 2 of 2 packets have it, and no address of the virtual network is in more"
        ]
    );
    let server = capture(&[
        (0, asked(VM, outside)),
        (10, asked(VM, outside)),
        (20, asked([10, 1, 0, 9], outside)),
    ]);
    assert!(
        notes(&good(&server))[0].starts_with("the capture: 10.1.0.4 is taken as the VM's address: 2 of 3")
    );
    // Where the virtual network is another, so is the VM.
    let options = Options {
        vnet: vec!["5.6.0.0/16".parse().unwrap()],
        ..Options::default()
    };
    let imported = good_with(&conversation, &options);
    assert_eq!(imported.traffic.flows[0].direction, Direction::Out);
}

/// A SYN after FIN or RST begins another flow; so does anything after 4 minutes of silence. A SYN that is sent again does not.
#[test]
fn flows_end_and_begin_anew() {
    let mut frames = connection(50_000, 0);
    frames.push((10_000, tcp(PEER, 50_000, VM, 443, SYN, 0)));
    frames.push((11_000, tcp(PEER, 50_000, VM, 443, SYN, 0)));
    frames.push((12_000, tcp(VM, 443, PEER, 50_000, RST | ACK, 0)));
    frames.push((13_000, tcp(PEER, 50_000, VM, 443, SYN, 0)));
    let late = 13_000 + 240_000_000_001;
    frames.push((late, tcp(VM, 443, PEER, 50_000, ACK, 0)));
    let flows = good_with(&capture(&frames), &vm()).traffic.flows;
    let seen: Vec<(u64, u64, u64, Direction)> = flows
        .iter()
        .map(|flow| {
            (
                flow.start_ns,
                flow.forward.packets,
                flow.backward.packets,
                flow.direction,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (0, 4, 3, Direction::In),
            (10_000, 2, 1, Direction::In),
            (13_000, 1, 0, Direction::In),
            (late, 1, 0, Direction::Out),
        ]
    );
}

#[test]
fn the_answer_to_a_syn_tells_who_began() {
    let frames = connection(50_000, 0)[1..].to_vec();
    let flow = good_with(&capture(&frames), &vm()).traffic.flows[0];
    assert_eq!((flow.direction, flow.tuple.dst_port), (Direction::In, 443));
    assert_eq!((flow.forward.packets, flow.backward.packets), (3, 3));
}

#[test]
fn pings_are_flows_and_other_icmp_is_noted() {
    let ping = |icmp_type, rest| Transport::Icmp {
        icmp_type,
        code: 0,
        rest,
    };
    let frames = [
        (0, frame(VM, PEER, ping(ECHO_REQUEST, [0, 7, 0, 1]), 56)),
        (10, frame(PEER, VM, ping(ECHO_REPLY, [0, 7, 0, 1]), 56)),
        (20, frame(VM, PEER, ping(ECHO_REQUEST, [0, 8, 0, 1]), 56)),
        (30, frame(PEER, VM, ping(3, [0; 4]), 28)),
        (40, frame([10, 9, 9, 9], PEER, Transport::Other(132), 10)),
    ];
    let imported = good_with(&capture(&frames), &vm());
    let [first, second] = imported.traffic.flows[..] else {
        panic!()
    };
    assert_eq!((first.tuple.src_port, first.tuple.protocol), (7, Protocol::ICMP));
    assert_eq!((first.forward, first.backward), (count(1, 84), count(1, 84)));
    assert_eq!((second.tuple.src_port, second.backward.packets), (8, 0));
    assert_eq!(
        notes(&imported),
        [
            "packet 4: the packet is not used: ICMP of type 3 belongs to no flow of its own",
            "packet 5: the packet is not used: neither of its addresses is the VM's",
        ]
    );
}

#[test]
fn tunnels_are_looked_into() {
    let inner = connection(50_000, 0);
    let wrapped: Vec<(u64, TenantFrame)> = inner
        .into_iter()
        .map(|(at, frame)| {
            let tunnel = Tunnel {
                ip: ip([100, 64, 0, 1], [100, 64, 0, 2]),
                format: TunnelFormat::Vxlan {
                    src_port: 0xc000,
                    vni: Bits::wrapping(7),
                    link: frame.link,
                },
            };
            let link = Link {
                dst: mac(0x22),
                src: mac(0x11),
            };
            let tunnels = vec![tunnel];
            (
                at,
                TenantFrame {
                    link,
                    tunnels,
                    ..frame
                },
            )
        })
        .collect();
    let imported = good_with(&capture(&wrapped), &vm());
    let plain = good_with(&capture(&connection(50_000, 0)), &vm());
    assert_eq!(imported.traffic, plain.traffic);
    assert_eq!(
        notes(&imported),
        ["the capture: 7 packets are in tunnels: the innermost packets make the flows"]
    );
}

/// Raw IP and both Linux "cooked" forms (draft-ietf-opsawg-pcaplinktype; ethertype at byte 14 of 16, or at 0 of 20).
#[test]
fn link_types() {
    let bytes = tcp(PEER, 50_000, VM, 443, SYN, 0).emit().unwrap();
    let packet = &bytes[14..];
    let sll = [
        &[0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0, 0x08, 0x00][..],
        packet,
    ]
    .concat();
    let mut head = vec![0x08, 0x00];
    head.resize(20, 0);
    let sll2 = [&head[..], packet].concat();
    for (link_type, bytes) in [(101, packet), (113, &sll[..]), (276, &sll2[..])] {
        let imported = good_with(&pcap(link_type, &[bytes]), &vm());
        let flow = imported.traffic.flows[0];
        assert_eq!((flow.tuple.src_port, flow.mac), (50_000, None), "{link_type}");
        assert_eq!(flow.forward, count(1, 40));
    }
    let other = good(&pcap(105, &[&bytes]));
    assert!(other.traffic.flows.is_empty());
    assert_eq!(
        notes(&other),
        [
            "packet 1: the packet is not used: link type 105, expected Ethernet (1), raw IP (101) or Linux cooked (113, 276)"
        ]
    );
}

/// What cannot be a flow is noted with its packet's number, and the rest is used.
#[test]
fn packets_that_are_not_used() {
    let good_packet = tcp(PEER, 50_000, VM, 443, SYN, 0).emit().unwrap();
    let mut arp = good_packet.clone();
    arp[12..14].copy_from_slice(&[0x08, 0x06]);
    let mut fragment = good_packet.clone();
    fragment[14 + 7] = 1;
    let mut length = good_packet.clone();
    length[14 + 3] = 200;
    let mut offset = good_packet.clone();
    offset[14 + 20 + 12] = 0x40;
    let packets = [
        &good_packet[..],
        &arp,
        &arp,
        &fragment,
        &length,
        &offset,
        &good_packet[..40],
        &good_packet[..9],
    ];
    let imported = good_with(&pcap(1, &packets), &vm());
    assert_eq!(imported.traffic.flows.len(), 1);
    assert_eq!(
        notes(&imported),
        [
            "packet 2 and 1 more: the packet is not used: Ethernet: ethertype is 0x806, expected 0x800 (IPv4) or 0x86dd (IPv6)",
            "packet 4: the packet is not used: IPv4: fragment_offset is 0x1, expected 0, since later fragments have no ports",
            "packet 5: the packet is not used: IPv4: total_len says 200 bytes, but there are 40",
            "packet 6: the packet is not used: TCP: data_offset is 0x4, expected 5 to 15",
            "packet 7: the packet is not used: IPv4: total_len says 40 bytes, but there are 26",
            "packet 8: the packet is not used: Ethernet needs 14 bytes, but 9 are left",
        ]
    );
}

#[test]
fn a_capture_that_breaks_off_gives_what_came_before() {
    let mut file = capture(&connection(50_000, 0));
    file.truncate(file.len() - 10);
    let imported = good_with(&file, &vm());
    assert_eq!(imported.traffic.flows[0].forward.packets, 3);
    let [note] = &notes(&imported)[..] else { panic!() };
    assert!(
        note.starts_with("packet 7: the capture breaks off at byte ")
            && note.ends_with(": the packets before it are used"),
        "{note}"
    );
}

/// The messages of the captures' reader, as the user gets them; it has more of its own tests in `wire`.
#[test]
fn bad_captures() {
    let pcap = pcap(1, &[&[1, 2, 3]]);
    let ng = capture(&[]);
    let one = capture(&connection(1, 0)[..1]);
    let changed = |file: &[u8], at: usize, value: u8| {
        let mut file = file.to_vec();
        file[at] = value;
        bad(&file)
    };
    let start = "packet 1, at byte 0 of the capture:";
    assert_eq!(
        bad(&pcap[..20]),
        format!("{start} the pcap header needs 24 bytes, but 20 are left")
    );
    assert_eq!(
        changed(&pcap, 4, 9),
        format!("{start} pcap version 9.4, expected 2.4")
    );
    assert_eq!(
        bad(&pcap[..30]),
        "packet 1, at byte 24 of the capture: the record's header needs 16 bytes, but 6 are left"
    );
    assert_eq!(
        bad(&pcap[..42]),
        "packet 1, at byte 24 of the capture: the packet needs 3 bytes, but 2 are left"
    );
    assert_eq!(
        changed(&pcap, 32, 0xff),
        "packet 1, at byte 24 of the capture: the packet needs 255 bytes, but 3 are left"
    );
    for (bytes, name) in [
        (&[0x1f, 0x8b, 8, 0][..], "gzip"),
        (&[0x28, 0xb5, 0x2f, 0xfd], "zstd"),
        (b"PK\x03\x04", "zip"),
    ] {
        assert_eq!(
            bad(bytes),
            format!("{start} the file is compressed ({name}), expected it to be unpacked")
        );
    }
    assert_eq!(
        changed(&ng, 8, 0),
        format!("{start} byte-order magic 0x1a2b3c00, expected 0x1a2b3c4d in either order")
    );
    assert_eq!(
        changed(&ng, 12, 7),
        format!("{start} pcapng version 7.0, expected 1.0")
    );
    assert_eq!(
        changed(&ng, 4, 13),
        format!("{start} block of type 0xa0d0d0a with length 13, expected a multiple of 4 and at least 28")
    );
    assert_eq!(
        bad(&ng[..10]),
        format!("{start} the block needs 28 bytes, but 10 are left")
    );
    let packet = ng.len();
    assert_eq!(
        changed(&one, packet + 8, 3),
        format!(
            "packet 1, at byte {packet} of the capture: interface 3, but the section has described 1 so far"
        )
    );
    assert_eq!(
        changed(&one, packet + 20, 200),
        format!("packet 1, at byte {packet} of the capture: 200 captured bytes in a block with room for 56")
    );
    let last = one.len() - 4;
    assert_eq!(
        changed(&one, last, 4),
        format!(
            "packet 1, at byte {packet} of the capture: block of type 0x6 with length 88 before and 4 behind it, expected the same"
        )
    );
}

#[test]
fn an_empty_capture_has_no_flows() {
    let imported = good(&capture(&[]));
    assert!(imported.traffic.flows.is_empty() && imported.notes.is_empty());
    assert_eq!(Ipv4Addr::from(VM).to_string(), "10.1.0.4");
}
