//! Packets as policy sees them ([`gft::Headers`]) and as bytes have them ([`wire::TenantFrame`]).

use gft::{Address, Encap, EncapKind, Headers, MAX_ENCAPS, Mac, Protocol, TcpFlags, Tuple};
use std::net::{Ipv4Addr, Ipv6Addr};
use wire::checksum::{Addresses, internet};
use wire::icmp::{ECHO_REPLY, ECHO_REPLY_V6, ECHO_REQUEST, ECHO_REQUEST_V6};
use wire::tenant::{Ip, NetworkV4, Segment, Transport, Tunnel, TunnelFormat};
use wire::{Bits, Ecn, Link, Network, TcpOptions, TenantFrame};

/// What a frame has and headers do not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filling {
    /// Bytes of data.
    pub payload: u32,
    /// TCP sequence number; of an ICMP echo the lower 16 bits.
    pub seq: u32,
    /// TCP acknowledgment number.
    pub ack_number: u32,
    /// TCP window.
    pub window: u16,
    /// TCP options.
    pub options: TcpOptions,
    /// Whether an ICMP echo is a reply.
    pub reply: bool,
    /// IPv4 identification of all IPv4 headers.
    pub identification: u16,
    /// Source MAC address of an encapsulated frame: the host's.
    pub host_mac: Mac,
}

/// Time to live of outer headers (our choice: the default of most systems, as IANA recommends).
const OUTER_TTL: u8 = 64;

/// The headers of a frame, as far as policy reads them. Of an ICMP echo the ports are its identifier, of other ICMP messages 0.
pub fn headers(frame: &TenantFrame) -> Headers {
    let mut encaps = [None; MAX_ENCAPS];
    let mut link = Some(frame.link);
    for (slot, tunnel) in encaps.iter_mut().zip(&frame.tunnels) {
        let (src, dst) = addresses(&tunnel.ip);
        let (kind, tni, inner) = match tunnel.format {
            TunnelFormat::Vxlan { vni, link, .. } => (EncapKind::Vxlan, vni.get(), Some(link)),
            TunnelFormat::Nvgre { vsid, link, .. } => (EncapKind::Nvgre, vsid.get(), Some(link)),
            TunnelFormat::IpInGre { key } => (EncapKind::IpInGre, key.unwrap_or_default(), None),
            TunnelFormat::IpInIp => (EncapKind::IpInIp, 0, None),
        };
        let dst_mac = link.map_or(Mac::default(), |link| mac(link.dst));
        *slot = Some(Encap {
            kind,
            src,
            dst,
            tni,
            dst_mac,
        });
        link = inner;
    }
    let (src, dst) = addresses(&frame.ip);
    let (protocol, src_port, dst_port, flags) = match frame.transport {
        Transport::Tcp(tcp) => (Protocol::TCP, tcp.src_port, tcp.dst_port, tcp.flags),
        Transport::Udp { src_port, dst_port } => (Protocol::UDP, src_port, dst_port, 0),
        Transport::Icmp { icmp_type, rest, .. } => {
            let (protocol, echo) = match frame.ip {
                Ip::V4(_) => (Protocol::ICMP, [ECHO_REQUEST, ECHO_REPLY]),
                Ip::V6(_) => (Protocol::ICMPV6, [ECHO_REQUEST_V6, ECHO_REPLY_V6]),
            };
            let identifier = match echo.contains(&icmp_type) {
                true => u16::from_be_bytes([rest[0], rest[1]]),
                false => 0,
            };
            (protocol, identifier, identifier, 0)
        }
        Transport::Other(protocol) => (Protocol(protocol), 0, 0, 0),
    };
    let (dscp, ttl) = match frame.ip {
        Ip::V4(ip) => (ip.dscp, ip.ttl),
        Ip::V6(ip) => (ip.dscp, ip.hop_limit),
    };
    Headers {
        encaps,
        src_mac: link.map_or(Mac::default(), |link| mac(link.src)),
        dst_mac: link.map_or(Mac::default(), |link| mac(link.dst)),
        tuple: Tuple {
            src,
            dst,
            src_port,
            dst_port,
            protocol,
        },
        // Six bits, so within 8.
        dscp: dscp.get() as u8,
        ttl,
        flags: TcpFlags(flags),
    }
}

/// A frame with these headers. Addresses of two families make it IPv6, with IPv4 in its mapped form (RFC 4291 section
/// 2.5.5.2). A TNI is cut to its 24 bits and a DSCP to its 6.
///
/// VXLAN's source port and NVGRE's FlowID come from the innermost addresses and ports (our choice: their internet checksum, in
/// the ports from 49152 on that RFC 7348 recommends).
pub fn frame(headers: &Headers, filling: &Filling) -> TenantFrame {
    let encaps: Vec<Encap> = headers.encaps.iter().flatten().copied().collect();
    let inner = Link {
        dst: octets(headers.dst_mac),
        src: octets(headers.src_mac),
    };
    // The Ethernet header in front of each encapsulation, and last the tenant's own.
    let mut links: Vec<Link> = encaps
        .iter()
        .map(|encap| Link {
            dst: octets(encap.dst_mac),
            src: octets(filling.host_mac),
        })
        .collect();
    links.push(inner);
    let spread = spread(&headers.tuple);
    let tunnels = encaps
        .iter()
        .zip(links.iter().skip(1))
        .map(|(encap, &link)| Tunnel {
            ip: ip(encap.src, encap.dst, 0, OUTER_TTL, filling),
            format: match encap.kind {
                EncapKind::Vxlan => TunnelFormat::Vxlan {
                    src_port: 0xc000 | spread,
                    vni: Bits::wrapping(encap.tni.into()),
                    link,
                },
                EncapKind::Nvgre => TunnelFormat::Nvgre {
                    vsid: Bits::wrapping(encap.tni.into()),
                    flow_id: spread as u8,
                    link,
                },
                EncapKind::IpInGre => TunnelFormat::IpInGre { key: Some(encap.tni) },
                EncapKind::IpInIp => TunnelFormat::IpInIp,
            },
        });
    let Tuple {
        src,
        dst,
        src_port,
        dst_port,
        protocol,
    } = headers.tuple;
    let ip = ip(src, dst, headers.dscp, headers.ttl, filling);
    let echo = |request, reply| {
        let [a, b] = src_port.to_be_bytes();
        let [c, d] = (filling.seq as u16).to_be_bytes();
        Transport::Icmp {
            icmp_type: if filling.reply { reply } else { request },
            code: 0,
            rest: [a, b, c, d],
        }
    };
    let transport = match (protocol, &ip) {
        (Protocol::TCP, _) => Transport::Tcp(Segment {
            src_port,
            dst_port,
            seq: filling.seq,
            ack_number: filling.ack_number,
            flags: headers.flags.0,
            window: filling.window,
            options: filling.options,
        }),
        (Protocol::UDP, _) => Transport::Udp { src_port, dst_port },
        (Protocol::ICMP, Ip::V4(_)) => echo(ECHO_REQUEST, ECHO_REPLY),
        (Protocol::ICMPV6, Ip::V6(_)) => echo(ECHO_REQUEST_V6, ECHO_REPLY_V6),
        (Protocol(other), _) => Transport::Other(other),
    };
    TenantFrame {
        link: links.first().copied().unwrap_or(inner),
        vlan: None,
        tunnels: tunnels.collect(),
        ip,
        transport,
        payload: filling.payload,
    }
}

fn addresses(ip: &Ip) -> (Address, Address) {
    let v6 = |address: Ipv6Addr| Address(address.to_bits());
    match ip.addresses() {
        Addresses::V4(src, dst) => (
            Address::from_v4_bits(src.to_bits()),
            Address::from_v4_bits(dst.to_bits()),
        ),
        Addresses::V6(src, dst) => (v6(src), v6(dst)),
    }
}

fn ip(src: Address, dst: Address, dscp: u8, ttl: u8, filling: &Filling) -> Ip {
    let dscp = Bits::wrapping(dscp.into());
    match (src.v4_bits(), dst.v4_bits()) {
        (Some(src), Some(dst)) => Ip::V4(NetworkV4 {
            dscp,
            ecn: Ecn::NotEct,
            identification: filling.identification,
            dont_fragment: true,
            ttl,
            src: Ipv4Addr::from_bits(src),
            dst: Ipv4Addr::from_bits(dst),
        }),
        _ => Ip::V6(Network {
            dscp,
            ecn: Ecn::NotEct,
            flow_label: Bits::wrapping(0),
            hop_limit: ttl,
            src: Ipv6Addr::from_bits(src.0),
            dst: Ipv6Addr::from_bits(dst.0),
        }),
    }
}

fn spread(tuple: &Tuple) -> u16 {
    internet(&[
        &tuple.src.0.to_be_bytes(),
        &tuple.dst.0.to_be_bytes(),
        &tuple.src_port.to_be_bytes(),
        &tuple.dst_port.to_be_bytes(),
    ])
}

fn mac(mac: wire::Mac) -> Mac {
    Mac(mac.0.iter().fold(0, |acc, &byte| acc << 8 | u64::from(byte)))
}

fn octets(mac: Mac) -> wire::Mac {
    let [_, _, a, b, c, d, e, f] = mac.0.to_be_bytes();
    wire::Mac([a, b, c, d, e, f])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By hand: the VM's frame of a SYN, in VXLAN towards the host 100.64.0.2 behind the next hop …:0a.
    #[test]
    fn an_encapsulated_syn() {
        let encap = Encap {
            kind: EncapKind::Vxlan,
            src: Address::v4(100, 64, 0, 1),
            dst: Address::v4(100, 64, 0, 2),
            tni: 7,
            dst_mac: Mac(0x0200_0000_000a),
        };
        let syn = Headers {
            encaps: [Some(encap), None],
            src_mac: Mac(0x0200_0000_0004),
            dst_mac: Mac(0x0200_0000_0001),
            tuple: Tuple {
                src: Address::v4(10, 1, 0, 4),
                dst: Address::v4(10, 1, 0, 5),
                src_port: 50_000,
                dst_port: 443,
                protocol: Protocol::TCP,
            },
            dscp: 10,
            ttl: 63,
            flags: TcpFlags::SYN,
        };
        let filling = Filling {
            host_mac: Mac(0x0200_0000_000b),
            ..Filling::default()
        };
        let bytes = frame(&syn, &filling).emit().unwrap();
        assert_eq!(bytes[..12], [2, 0, 0, 0, 0, 0x0a, 2, 0, 0, 0, 0, 0x0b]);
        assert_eq!(bytes[26..34], [100, 64, 0, 1, 100, 64, 0, 2]);
        // UDP from a high port to 4789, then the VNI and the tenant's Ethernet header.
        assert!(bytes[34] >= 0xc0);
        assert_eq!(bytes[36..38], 4789u16.to_be_bytes());
        assert_eq!(bytes[46..49], [0, 0, 7]);
        assert_eq!(bytes[50..62], [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 4]);
        // DSCP 10 is 0x28 with the ECN bits; then the TTL.
        assert_eq!((bytes[65], bytes[72]), (0x28, 63));
        assert_eq!(bytes.len(), 14 + 20 + 8 + 8 + 14 + 20 + 20);
        assert_eq!(headers(&TenantFrame::parse(&bytes).unwrap()), syn);
    }

    fn address() -> impl Strategy<Value = (Address, Address)> {
        let v4 = any::<(u32, u32)>().prop_map(|(a, b)| (Address::from_v4_bits(a), Address::from_v4_bits(b)));
        // Outside of the block that IPv4 is mapped to.
        let v6 = any::<(u64, u64)>().prop_map(|(a, b)| {
            let v6 = |bits| Address(0xfd << 120 | u128::from(bits));
            (v6(a), v6(b))
        });
        prop_oneof![v4, v6]
    }

    fn mac48() -> impl Strategy<Value = Mac> {
        (0u64..1 << 48).prop_map(Mac)
    }

    fn encap() -> impl Strategy<Value = Encap> {
        let kind = prop::sample::select(
            &[
                EncapKind::Vxlan,
                EncapKind::Nvgre,
                EncapKind::IpInGre,
                EncapKind::IpInIp,
            ][..],
        );
        (kind, address(), 0u32..1 << 24, mac48()).prop_map(|(kind, (src, dst), tni, dst_mac)| Encap {
            kind,
            src,
            dst,
            tni: if kind == EncapKind::IpInIp { 0 } else { tni },
            dst_mac,
        })
    }

    /// Whether a packet in it has an Ethernet header.
    fn has_link(encap: &Option<Encap>) -> bool {
        encap.is_none_or(|encap| matches!(encap.kind, EncapKind::Vxlan | EncapKind::Nvgre))
    }

    prop_compose! {
        fn any_headers()(
            outer in prop::option::of(encap()),
            inner in prop::option::of(encap()),
            (src_mac, dst_mac) in (mac48(), mac48()),
            (src, dst) in address(),
            (src_port, dst_port, flags) in any::<(u16, u16, u8)>(),
            kind in 0usize..4,
            (dscp, ttl) in (0u8..64, any::<u8>()),
        ) -> Headers {
            let v4 = src.v4_bits().is_some();
            let icmp = if v4 { Protocol::ICMP } else { Protocol::ICMPV6 };
            let protocol = [Protocol::TCP, Protocol::UDP, icmp, Protocol(132)][kind];
            let (src_port, dst_port) = match kind {
                // What is behind RoCEv2's and VXLAN's ports is another matter.
                0 | 1 => (src_port, if matches!(dst_port, 4789 | 4791) { 1 } else { dst_port }),
                2 => (src_port, src_port),
                _ => (0, 0),
            };
            let inner = inner.filter(|_| outer.is_some()).map(|inner| Encap {
                dst_mac: if has_link(&outer) { inner.dst_mac } else { Mac(0) },
                ..inner
            });
            let linked = has_link(if inner.is_some() { &inner } else { &outer });
            Headers {
                encaps: [outer, inner],
                src_mac: if linked { src_mac } else { Mac(0) },
                dst_mac: if linked { dst_mac } else { Mac(0) },
                tuple: Tuple { src, dst, src_port, dst_port, protocol },
                dscp,
                ttl,
                flags: TcpFlags(if kind == 0 { flags } else { 0 }),
            }
        }
    }

    proptest! {
        #[test]
        fn headers_come_back_from_the_bytes(own in any_headers(), payload in 0u32..200) {
            let built = frame(&own, &Filling { payload, ..Filling::default() });
            let bytes = built.emit().unwrap();
            prop_assert_eq!(headers(&TenantFrame::parse(&bytes).unwrap()), own);
        }
    }
}
