//! From value to bytes, from the inside out.

use super::{Ip, MAX_TUNNELS, Segment, Tag, TenantFrame, Transport, Tunnel, TunnelFormat};
use crate::checksum::internet;
use crate::ethernet::{ETHERTYPE_IPV4, ETHERTYPE_IPV6};
use crate::gre::{PROTOCOL_GRE, PROTOCOL_TYPE_ETHERNET};
use crate::icmp::{PROTOCOL_ICMP, PROTOCOL_ICMPV6};
use crate::ipv4::{self, PROTOCOL_IPV4};
use crate::ipv6::{NEXT_HEADER_IPV6, NEXT_HEADER_UDP};
use crate::tcp::PROTOCOL_TCP;
use crate::vlan::ETHERTYPE_VLAN;
use crate::vxlan::VXLAN_PORT;
use crate::{
    Bits, Ethernet, Gre, GreKey, Header, Icmp, Ipv4, Link, NvgreKey, Payload, Tcp, Udp, Vlan, Vxlan,
    WireError,
};

impl TenantFrame {
    /// The frame's bytes from the Ethernet header to the last of the data, without padding or FCS, as captures have them.
    ///
    /// # Errors
    /// [`WireError::OutOfRange`] if there are more than [`MAX_TUNNELS`] tunnels, an IP packet would be longer than its length
    /// field can say, or [`Transport::Other`] is a protocol that has a form of its own here.
    pub fn emit(&self) -> Result<Vec<u8>, WireError> {
        if self.tunnels.len() > MAX_TUNNELS {
            return Err(WireError::OutOfRange {
                what: "number of tunnels",
                value: self.tunnels.len() as u64,
                expected: "0 to 2",
            });
        }
        if self.payload as usize > ipv4::MAX_LEN {
            return Err(too_long(self.payload as usize));
        }
        let (protocol, segment) = self.transport()?;
        let mut packet = packet(&self.ip, protocol, &segment)?;
        let mut version = &self.ip;
        for tunnel in self.tunnels.iter().rev() {
            packet = wrap(tunnel, version, &packet)?;
            version = &tunnel.ip;
        }
        Ok(frame(self.link, self.vlan, version, &packet))
    }

    /// The protocol number, and header with data.
    fn transport(&self) -> Result<(u8, Vec<u8>), WireError> {
        let payload = self.payload as usize;
        Ok(match self.transport {
            Transport::Tcp(segment) => (PROTOCOL_TCP, self.tcp(&segment, payload)),
            Transport::Udp { src_port, dst_port } => {
                let length = Udp::LEN + payload;
                let mut bytes = header(&Udp {
                    src_port,
                    dst_port,
                    length: u16::try_from(length).map_err(|_| too_long(length))?,
                    checksum: 0,
                });
                fill(&mut bytes, payload);
                let sum = self.ip.addresses().transport(NEXT_HEADER_UDP, &bytes);
                // Zero says that there is no checksum, so a sum of zero is sent as its other form (RFC 768).
                put_sum(&mut bytes, 6, if sum == 0 { 0xffff } else { sum });
                (NEXT_HEADER_UDP, bytes)
            }
            Transport::Icmp {
                icmp_type,
                code,
                rest,
            } => {
                let mut bytes = header(&Icmp {
                    icmp_type,
                    code,
                    checksum: 0,
                });
                bytes.extend(rest);
                fill(&mut bytes, payload);
                let (protocol, sum) = match self.ip {
                    Ip::V4(_) => (PROTOCOL_ICMP, internet(&[&bytes])),
                    Ip::V6(_) => (
                        PROTOCOL_ICMPV6,
                        self.ip.addresses().transport(PROTOCOL_ICMPV6, &bytes),
                    ),
                };
                put_sum(&mut bytes, 2, sum);
                (protocol, bytes)
            }
            Transport::Other(protocol) => {
                if is_known(protocol, &self.ip) {
                    return Err(WireError::OutOfRange {
                        what: "other protocol",
                        value: protocol.into(),
                        expected: "one that has no form of its own here",
                    });
                }
                let mut bytes = Vec::new();
                fill(&mut bytes, payload);
                (protocol, bytes)
            }
        })
    }

    fn tcp(&self, segment: &Segment, payload: usize) -> Vec<u8> {
        let options = segment.options.emit();
        let tcp = Tcp {
            src_port: segment.src_port,
            dst_port: segment.dst_port,
            seq: segment.seq,
            ack_number: segment.ack_number,
            data_offset: Bits::wrapping(((Tcp::LEN + options.len()) / 4) as u64),
            cwr: false,
            ece: false,
            urg: false,
            ack: false,
            psh: false,
            rst: false,
            syn: false,
            fin: false,
            window: segment.window,
            checksum: 0,
            urgent_pointer: 0,
        };
        let mut bytes = header(&tcp.with_flags(segment.flags));
        bytes.extend(options);
        fill(&mut bytes, payload);
        let sum = self.ip.addresses().transport(PROTOCOL_TCP, &bytes);
        put_sum(&mut bytes, 16, sum);
        bytes
    }
}

/// Whether the protocol is read as something else than [`Transport::Other`] behind this header.
pub(super) fn is_known(protocol: u8, ip: &Ip) -> bool {
    let icmp = match ip {
        Ip::V4(_) => PROTOCOL_ICMP,
        Ip::V6(_) => PROTOCOL_ICMPV6,
    };
    let known = [
        PROTOCOL_IPV4,
        PROTOCOL_TCP,
        NEXT_HEADER_UDP,
        NEXT_HEADER_IPV6,
        PROTOCOL_GRE,
        icmp,
    ];
    known.contains(&protocol) || matches!(ip, Ip::V6(_)) && super::read::EXTENSION_HEADERS.contains(&protocol)
}

fn too_long(len: usize) -> WireError {
    WireError::OutOfRange {
        what: "length of the packet",
        value: len as u64,
        expected: "at most 65535 bytes, as length fields can say",
    }
}

fn header<H: Header>(header: &H) -> Vec<u8> {
    let mut bytes = vec![0; H::LEN];
    header.emit(&mut bytes);
    bytes
}

fn fill(out: &mut Vec<u8>, payload: usize) {
    let start = out.len();
    out.resize(start + payload, 0);
    Payload::fill(&mut out[start..]);
}

fn put_sum(bytes: &mut [u8], at: usize, sum: u16) {
    bytes[at..at + 2].copy_from_slice(&sum.to_be_bytes());
}

/// An IP packet.
fn packet(ip: &Ip, protocol: u8, data: &[u8]) -> Result<Vec<u8>, WireError> {
    let length = |len: usize| u16::try_from(len).map_err(|_| too_long(len));
    let mut bytes = match ip {
        Ip::V4(ip) => {
            let mut bytes = header(&Ipv4 {
                ihl: Bits::wrapping(Ipv4::LEN as u64 / 4),
                dscp: ip.dscp,
                ecn: ip.ecn,
                total_len: length(Ipv4::LEN + data.len())?,
                identification: ip.identification,
                dont_fragment: ip.dont_fragment,
                more_fragments: false,
                fragment_offset: Bits::wrapping(0),
                ttl: ip.ttl,
                protocol,
                checksum: 0,
                src: ip.src,
                dst: ip.dst,
            });
            let sum = internet(&[&bytes]);
            put_sum(&mut bytes, 10, sum);
            bytes
        }
        Ip::V6(ip) => {
            length(data.len())?;
            header(&ip.header(protocol, data.len()))
        }
    };
    bytes.extend(data);
    Ok(bytes)
}

/// The packet `inner`, whose IP header is `version`, in a tunnel.
fn wrap(tunnel: &Tunnel, version: &Ip, inner: &[u8]) -> Result<Vec<u8>, WireError> {
    let (protocol, bytes) = match tunnel.format {
        TunnelFormat::Vxlan { src_port, vni, link } => {
            let inner = frame(link, None, version, inner);
            let length = Udp::LEN + Vxlan::LEN + inner.len();
            let mut bytes = header(&Udp {
                src_port,
                dst_port: VXLAN_PORT,
                length: u16::try_from(length).map_err(|_| too_long(length))?,
                checksum: 0,
            });
            bytes.extend(header(&Vxlan { vni }));
            bytes.extend(inner);
            (NEXT_HEADER_UDP, bytes)
        }
        TunnelFormat::Nvgre { vsid, flow_id, link } => {
            let mut bytes = header(&gre(true, PROTOCOL_TYPE_ETHERNET));
            bytes.extend(header(&NvgreKey { vsid, flow_id }));
            bytes.extend(frame(link, None, version, inner));
            (PROTOCOL_GRE, bytes)
        }
        TunnelFormat::IpInGre { key } => {
            let mut bytes = header(&gre(key.is_some(), ethertype(version)));
            bytes.extend(key.map(|key| header(&GreKey { key })).unwrap_or_default());
            bytes.extend(inner);
            (PROTOCOL_GRE, bytes)
        }
        TunnelFormat::IpInIp => {
            let protocol = match version {
                Ip::V4(_) => PROTOCOL_IPV4,
                Ip::V6(_) => NEXT_HEADER_IPV6,
            };
            (protocol, inner.to_vec())
        }
    };
    packet(&tunnel.ip, protocol, &bytes)
}

fn gre(key_present: bool, protocol_type: u16) -> Gre {
    Gre {
        checksum_present: false,
        key_present,
        sequence_present: false,
        protocol_type,
    }
}

fn ethertype(ip: &Ip) -> u16 {
    match ip {
        Ip::V4(_) => ETHERTYPE_IPV4,
        Ip::V6(_) => ETHERTYPE_IPV6,
    }
}

/// An Ethernet frame with an IP packet.
fn frame(link: Link, vlan: Option<Tag>, version: &Ip, packet: &[u8]) -> Vec<u8> {
    let ethertype = ethertype(version);
    let mut bytes = header(&Ethernet {
        dst: link.dst,
        src: link.src,
        ethertype: if vlan.is_some() { ETHERTYPE_VLAN } else { ethertype },
    });
    if let Some(Tag { pcp, dei, vid }) = vlan {
        bytes.extend(header(&Vlan {
            pcp,
            dei,
            vid,
            ethertype,
        }));
    }
    bytes.extend(packet);
    bytes
}
