//! Tenants' frames: golden bytes, and that reading gives back what was written.

use crate::any::{bits, mac, network};
use crate::fuzz::Random;
use proptest::prelude::*;
use std::net::{Ipv4Addr, Ipv6Addr};
use wire::icmp::ECHO_REQUEST;
use wire::layout::describe;
use wire::tcp::Timestamps;
use wire::tenant::{Ip, NetworkV4, Segment, Tag, Transport, Tunnel, TunnelFormat};
use wire::{Bits, Ecn, Link, Mac, Network, TcpOptions, TenantFrame};

fn v4(identification: u16, src: [u8; 4], dst: [u8; 4]) -> Ip {
    Ip::V4(NetworkV4 {
        dscp: Bits::wrapping(0),
        ecn: Ecn::NotEct,
        identification,
        dont_fragment: false,
        ttl: 64,
        src: src.into(),
        dst: dst.into(),
    })
}

fn link(last: u8) -> Link {
    Link {
        dst: Mac([2, 0, 0, 0, 0, last]),
        src: Mac([2, 0, 0, 0, 1, last]),
    }
}

/// A provider's header around: 100.64.0.1 to 100.64.0.2.
fn provider() -> Ip {
    v4(0, [100, 64, 0, 1], [100, 64, 0, 2])
}

/// A SYN of one VM to another in VXLAN.
pub(crate) fn syn_in_vxlan() -> TenantFrame {
    let mut ip = v4(1, [10, 1, 0, 4], [10, 1, 0, 5]);
    if let Ip::V4(ip) = &mut ip {
        ip.dont_fragment = true;
    }
    TenantFrame {
        link: link(1),
        vlan: None,
        tunnels: vec![Tunnel {
            ip: provider(),
            format: TunnelFormat::Vxlan {
                src_port: 0xc000,
                vni: Bits::wrapping(0x01_0203),
                link: link(2),
            },
        }],
        ip,
        transport: Transport::Tcp(Segment {
            src_port: 50_000,
            dst_port: 443,
            seq: 1,
            ack_number: 0,
            flags: 2,
            window: 0xfa00,
            options: TcpOptions::default(),
        }),
        payload: 0,
    }
}

/// A ping of two bytes in NVGRE.
pub(crate) fn ping_in_nvgre() -> TenantFrame {
    TenantFrame {
        link: link(1),
        vlan: None,
        tunnels: vec![Tunnel {
            ip: provider(),
            format: TunnelFormat::Nvgre {
                vsid: Bits::wrapping(0x01_0203),
                flow_id: 0x44,
                link: link(2),
            },
        }],
        ip: v4(0, [10, 0, 0, 1], [10, 0, 0, 2]),
        transport: Transport::Icmp {
            icmp_type: ECHO_REQUEST,
            code: 0,
            rest: [1, 2, 0, 3],
        },
        payload: 2,
    }
}

/// A UDP datagram of three bytes over IPv6 in IPv4, with a VLAN tag.
pub(crate) fn udp_in_ip() -> TenantFrame {
    TenantFrame {
        link: link(1),
        vlan: Some(Tag {
            pcp: Bits::wrapping(3),
            dei: false,
            vid: Bits::wrapping(100),
        }),
        tunnels: vec![Tunnel {
            ip: provider(),
            format: TunnelFormat::IpInIp,
        }],
        ip: Ip::V6(Network {
            dscp: Bits::wrapping(0),
            ecn: Ecn::NotEct,
            flow_label: Bits::wrapping(0),
            hop_limit: 64,
            src: Ipv6Addr::from_bits(1),
            dst: Ipv6Addr::from_bits(2),
        }),
        transport: Transport::Udp {
            src_port: 0x1234,
            dst_port: 53,
        },
        payload: 3,
    }
}

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// Lengths: TCP 20, IP 40 (0x28), frame 54, VXLAN 62, UDP 70 (0x46), outer IP 90 (0x5a). Sums by hand: inner IP
/// 4500+0028+0001+4000+4006+0a01+0004+0a01+0005 = d93a, complement 26c5; outer IP 4500+005a+4011+6440+0001+6440+0002 = 14dee,
/// folded 4def, complement b210; TCP c350+01bb+0001+5002+fa00 = 20f0e with the pseudo header 0a01+0004+0a01+0005+0006+0014 =
/// 1425 is 22333, folded 2335, complement dcca. The outer UDP checksum is left out (RFC 7348 section 5).
#[test]
fn bytes_of_a_syn_in_vxlan() {
    let bytes = hex("
        020000000001 020000000101 0800
        45 00 005a 0000 0000 40 11 b210 64400001 64400002
        c000 12b5 0046 0000
        08 000000 010203 00
        020000000002 020000000102 0800
        45 00 0028 0001 4000 40 06 26c5 0a010004 0a010005
        c350 01bb 00000001 00000000 50 02 fa00 dcca 0000");
    assert_eq!(syn_in_vxlan().emit(), Ok(bytes.clone()));
    assert_eq!(TenantFrame::parse(&bytes), Ok(syn_in_vxlan()));
}

/// ICMP 0800+0102+0003+0001 (the data 00 01) = 0906, complement f6f9; inner IP of 30 bytes
/// 4500+001e+4001+0a00+0001+0a00+0002 = 9922, complement 66dd; outer of 72 4500+0048+402f+6440+0001+6440+0002 = 14dfa, folded
/// 4dfb, complement b204.
#[test]
fn bytes_of_a_ping_in_nvgre() {
    let bytes = hex("
        020000000001 020000000101 0800
        45 00 0048 0000 0000 40 2f b204 64400001 64400002
        2000 6558 010203 44
        020000000002 020000000102 0800
        45 00 001e 0000 0000 40 01 66dd 0a000001 0a000002
        08 00 f6f9 0102 0003 0001");
    assert_eq!(ping_in_nvgre().emit(), Ok(bytes.clone()));
    assert_eq!(TenantFrame::parse(&bytes), Ok(ping_in_nvgre()));
}

/// UDP 1234+0035+000b+0001+0200 (the data 00 01 02) = 1475 with the pseudo header 1+2+000b+0011 = 1f is 1494, complement
/// eb6b; outer IP of 71 bytes 4500+0047+4029+6440+0001+6440+0002 = 14df3, folded 4df4, complement b20b. The tag is 011 0 and
/// 0x064.
#[test]
fn bytes_of_udp_over_ipv6_in_ipv4_with_a_vlan() {
    let bytes = hex("
        020000000001 020000000101 8100 6064 0800
        45 00 0047 0000 0000 40 29 b20b 64400001 64400002
        60000000 000b 11 40 00000000000000000000000000000001 00000000000000000000000000000002
        1234 0035 000b eb6b 000102");
    assert_eq!(udp_in_ip().emit(), Ok(bytes.clone()));
    assert_eq!(TenantFrame::parse(&bytes), Ok(udp_in_ip()));
}

/// What is wrong with the bytes is named with the place.
#[test]
fn bytes_that_no_sender_writes_are_refused() {
    let whole = udp_in_ip().emit().unwrap();
    let changed = |at: usize, value: u8| {
        let mut bytes = whole.clone();
        bytes[at] = value;
        TenantFrame::parse(&bytes).unwrap_err().to_string()
    };
    let outer = 18;
    let inner = outer + 20;
    let udp = inner + 40;
    assert_eq!(
        changed(outer + 11, 0),
        "IPv4: checksum: byte 29 is 0x00, expected 0x0b"
    );
    assert_eq!(
        changed(udp + 7, 0),
        "UDP: checksum: byte 85 is 0x00, expected 0x6b"
    );
    // A changed address makes the checksum wrong, which is the first thing that differs behind it.
    assert_eq!(
        changed(inner + 23, 2),
        "UDP: checksum: byte 85 is 0x6b, expected 0x6a"
    );
    assert_eq!(
        changed(udp + 10, 9),
        "payload byte 2 is 0x09, expected 0x02 (only pattern payloads are carried)"
    );
    assert_eq!(changed(outer, 0x44), "IPv4: ihl is 0x4, expected 5 to 15");
    assert_eq!(changed(outer, 0x65), "IPv4: version is 0x6, expected 4");
    assert_eq!(
        changed(outer + 7, 8),
        "IPv4: fragment_offset is 0x8, expected 0, since later fragments have no ports"
    );
    assert_eq!(
        changed(outer + 3, 0x48),
        "IPv4: total_len says 72 bytes, but there are 71"
    );
    assert_eq!(changed(inner, 0x40), "IPv6: version is 0x4, expected 6");
    assert_eq!(
        changed(16, 0x09),
        "Ethernet: ethertype is 0x900, expected 0x800 (IPv4) or 0x86dd (IPv6)"
    );
    let longer = [&whole[..], &[0]].concat();
    assert_eq!(
        TenantFrame::parse(&longer).unwrap_err().to_string(),
        "1 bytes too many after the packet"
    );
    assert_eq!(
        TenantFrame::parse(&whole[..udp + 4]).unwrap_err().to_string(),
        "IPv4: total_len says 71 bytes, but there are 64"
    );
    let mut bytes = whole.clone();
    bytes[udp + 6..].fill(0);
    bytes[udp + 4..udp + 6].copy_from_slice(&11u16.to_be_bytes());
    assert_eq!(
        TenantFrame::read(&bytes, bytes.len()),
        Ok(udp_in_ip()),
        "reading looks at neither checksum nor data"
    );
}

#[test]
fn what_cannot_be_written_is_refused() {
    let refused = |change: fn(&mut TenantFrame)| {
        let mut frame = syn_in_vxlan();
        change(&mut frame);
        frame.emit().unwrap_err().to_string()
    };
    assert_eq!(
        refused(|frame| frame.tunnels = vec![frame.tunnels[0]; 3]),
        "number of tunnels is 3, expected 0 to 2"
    );
    // 65535 bytes at most: the outer IP, UDP, VXLAN and Ethernet headers take 50, inner IP and TCP 40.
    let mut frame = syn_in_vxlan();
    frame.payload = 65_535 - 50 - 40;
    assert!(frame.emit().is_ok());
    assert_eq!(
        refused(|frame| frame.payload = 65_535 - 50 - 40 + 1),
        "length of the packet is 65536, expected at most 65535 bytes, as length fields can say"
    );
    assert_eq!(
        refused(|frame| frame.payload = u32::MAX),
        "length of the packet is 4294967295, expected at most 65535 bytes, as length fields can say"
    );
    assert_eq!(
        refused(|frame| frame.transport = Transport::Other(47)),
        "other protocol is 47, expected one that has no form of its own here"
    );
}

/// What captures hold and no simulated sender writes: options, extension headers, padding, packets still to be segmented.
#[test]
fn captures_are_read_leniently() {
    let plain = TenantFrame {
        tunnels: vec![],
        ..syn_in_vxlan()
    };
    let bytes = plain.emit().unwrap();

    // Padded to Ethernet's smallest frame.
    let padded = [&bytes[..], &[0; 6]].concat();
    assert_eq!(TenantFrame::read(&padded, 60), Ok(plain.clone()));

    // Router alert (RFC 2113), so that the IP header has 24 bytes.
    let mut options = bytes.clone();
    options[14] = 0x46;
    options[17] += 4;
    options.splice(34..34, [0x94, 4, 0, 0]);
    let measured = TenantFrame::read_measured(&options, options.len());
    assert_eq!(measured, Ok((plain.clone(), 24 + 20)));
    assert_eq!(
        TenantFrame::parse(&options).unwrap_err().to_string(),
        "IPv4: ihl: byte 14 is 0x46, expected 0x45"
    );

    // A send of 4,000 bytes that the NIC is to segment, captured before: the length is 0 and the rest is cut off.
    let mut large = bytes.clone();
    large[16..18].fill(0);
    let read = TenantFrame::read(&large, 54 + 4000).unwrap();
    assert_eq!((read.payload, read.transport), (4000, plain.transport));

    // Hop-by-hop and destination options (RFC 8200 section 4), 8 and 16 bytes.
    let v6 = TenantFrame {
        tunnels: vec![],
        vlan: None,
        ..udp_in_ip()
    };
    let mut extended = v6.emit().unwrap();
    extended[14 + 5] += 24;
    extended[14 + 6] = 0;
    let mut headers = vec![60, 0, 1, 4, 0, 0, 0, 0];
    headers.extend([17, 1, 1, 12]);
    headers.resize(24, 0);
    extended.splice(54..54, headers);
    assert_eq!(TenantFrame::read(&extended, extended.len()), Ok(v6.clone()));
    let mut later = extended.clone();
    later[14 + 6] = 44;
    later[54..58].copy_from_slice(&[17, 0, 0, 8]);
    assert_eq!(
        TenantFrame::read(&later, later.len()).unwrap_err().to_string(),
        "IPv6 extension header: fragment_offset is 0x1, expected 0, since later fragments have no ports"
    );

    // GRE with checksum, key and sequence number around IPv4.
    let gre = TenantFrame {
        tunnels: vec![Tunnel {
            ip: provider(),
            format: TunnelFormat::IpInGre { key: Some(7) },
        }],
        ..syn_in_vxlan()
    };
    let mut full = gre.emit().unwrap();
    full[14 + 3] += 8;
    full[34] |= 0x90;
    full.splice(42..42, [0, 0, 0, 9]);
    full.splice(38..38, [0xab, 0xcd, 0, 0]);
    assert_eq!(TenantFrame::read(&full, full.len()), Ok(gre));

    // UDP to VXLAN's port that is not VXLAN is UDP.
    let other = TenantFrame {
        tunnels: vec![],
        transport: Transport::Udp {
            src_port: 5,
            dst_port: 4789,
        },
        payload: 20,
        ..syn_in_vxlan()
    };
    assert_eq!(TenantFrame::parse(&other.emit().unwrap()), Ok(other));
}

fn ip() -> impl Strategy<Value = Ip> {
    let ecn = prop::sample::select(Ecn::ALL);
    let v4 = (bits(), ecn, any::<(u16, bool, u8, u32, u32)>()).prop_map(
        |(dscp, ecn, (identification, dont_fragment, ttl, src, dst))| {
            Ip::V4(NetworkV4 {
                dscp,
                ecn,
                identification,
                dont_fragment,
                ttl,
                src: Ipv4Addr::from_bits(src),
                dst: Ipv4Addr::from_bits(dst),
            })
        },
    );
    prop_oneof![v4, network().prop_map(Ip::V6)]
}

fn any_link() -> impl Strategy<Value = Link> {
    (mac(), mac()).prop_map(|(dst, src)| Link { dst, src })
}

fn tunnel() -> impl Strategy<Value = Tunnel> {
    let format = prop_oneof![
        (any::<u16>(), bits(), any_link()).prop_map(|(src_port, vni, link)| TunnelFormat::Vxlan {
            src_port,
            vni,
            link
        }),
        (bits(), any::<u8>(), any_link()).prop_map(|(vsid, flow_id, link)| TunnelFormat::Nvgre {
            vsid,
            flow_id,
            link
        }),
        any::<Option<u32>>().prop_map(|key| TunnelFormat::IpInGre { key }),
        Just(TunnelFormat::IpInIp),
    ];
    (ip(), format).prop_map(|(ip, format)| Tunnel { ip, format })
}

fn transport() -> impl Strategy<Value = Transport> {
    let options = (
        any::<(Option<u16>, Option<u8>, bool)>(),
        any::<Option<(u32, u32)>>(),
    )
        .prop_map(|((mss, window_scale, sack_permitted), timestamps)| TcpOptions {
            mss,
            window_scale,
            sack_permitted,
            timestamps: timestamps.map(|(value, echo)| Timestamps { value, echo }),
        });
    let tcp = (any::<(u16, u16, u32, u32, u8, u16)>(), options).prop_map(
        |((src_port, dst_port, seq, ack_number, flags, window), options)| {
            Transport::Tcp(Segment {
                src_port,
                dst_port,
                seq,
                ack_number,
                flags,
                window,
                options,
            })
        },
    );
    // RoCEv2's port is left out: what is behind it is another frame's matter.
    let udp = any::<(u16, u16)>().prop_map(|(src_port, dst_port)| Transport::Udp {
        src_port,
        dst_port: if dst_port == 4791 { 4790 } else { dst_port },
    });
    let icmp = any::<(u8, u8, [u8; 4])>().prop_map(|(icmp_type, code, rest)| Transport::Icmp {
        icmp_type,
        code,
        rest,
    });
    // Experimental, SCTP, ESP and AH.
    let other = prop::sample::select(&[132u8, 50, 51, 253][..]).prop_map(Transport::Other);
    prop_oneof![tcp, udp, icmp, other]
}

prop_compose! {
    fn frame()(
        link in any_link(),
        vlan in prop::option::of((bits(), any::<bool>(), bits()).prop_map(|(pcp, dei, vid)| Tag { pcp, dei, vid })),
        tunnels in prop::collection::vec(tunnel(), 0..=2),
        ip in ip(),
        transport in transport(),
        payload in 0u32..1500,
    ) -> TenantFrame {
        TenantFrame { link, vlan, tunnels, ip, transport, payload }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(frame in frame()) {
        let bytes = frame.emit().unwrap();
        prop_assert_eq!(TenantFrame::parse(&bytes), Ok(frame.clone()));
        prop_assert_eq!(TenantFrame::read(&bytes, bytes.len()), Ok(frame.clone()));
        // Cut in its data, a capture still gives the same.
        let cut = bytes.len() - frame.payload as usize / 2;
        prop_assert_eq!(TenantFrame::read(&bytes[..cut], bytes.len()), Ok(frame));
    }

    #[test]
    fn the_inspector_finds_every_checksum_right(frame in frame()) {
        for view in describe(&frame.emit().unwrap()) {
            for field in view.fields {
                prop_assert!(!field.value.contains("wrong"), "{}: {} {}", view.name, field.name, field.value);
            }
        }
    }
}

/// Mutants of frames: nothing panics, and what is accepted emits the same bytes.
#[test]
fn mutated_frames() {
    let frames = [syn_in_vxlan(), ping_in_nvgre(), udp_in_ip()].map(|frame| frame.emit().unwrap());
    let mut random = Random(5);
    let mut accepted = 0;
    for _ in 0..60_000 {
        let mut bytes = frames[random.below(frames.len())].clone();
        for _ in 0..random.below(4) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes.insert(at, random.next() as u8),
                _ => bytes[at] ^= 1 << random.below(8),
            }
        }
        if let Ok(frame) = TenantFrame::parse(&bytes) {
            assert_eq!(frame.emit(), Ok(bytes.clone()));
            accepted += 1;
        }
        let _ = TenantFrame::read(&bytes, random.below(100_000));
        let mut at = 0;
        for view in describe(&bytes) {
            assert_eq!(view.offset, at);
            at += view.len;
        }
        assert_eq!(at, bytes.len());
    }
    assert!((10_000..55_000).contains(&accepted), "{accepted}");
}
