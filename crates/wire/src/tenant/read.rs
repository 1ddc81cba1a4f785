//! From bytes to value: as captures have them, and strictly.

use super::{Ip, MAX_TUNNELS, NetworkV4, Segment, Tag, TenantFrame, Transport, Tunnel, TunnelFormat};
use crate::ethernet::{ETHERTYPE_IPV4, ETHERTYPE_IPV6};
use crate::frame::Network;
use crate::gre::{PROTOCOL_GRE, PROTOCOL_TYPE_ETHERNET};
use crate::icmp::{PROTOCOL_ICMP, PROTOCOL_ICMPV6};
use crate::ipv4::PROTOCOL_IPV4;
use crate::ipv6::{NEXT_HEADER_IPV6, NEXT_HEADER_UDP};
use crate::layout::describe;
use crate::tcp::PROTOCOL_TCP;
use crate::vlan::{ETHERTYPE_SERVICE_VLAN, ETHERTYPE_VLAN};
use crate::vxlan::VXLAN_PORT;
use crate::{
    Ethernet, Gre, GreChecksum, GreKey, GreSequence, Header, Icmp, Ipv4, Ipv6, Link, NvgreKey, Tcp,
    TcpOptions, Udp, Vlan, Vxlan, WireError,
};

/// Next headers that are extensions of IPv6 and not its content (RFC 8200 section 4): hop-by-hop options, routing,
/// fragment, destination options.
pub(super) const EXTENSION_HEADERS: [u8; 4] = [0, 43, 44, 60];

/// The next header that is a fragment header.
const FRAGMENT: u8 = 44;

impl TenantFrame {
    /// The frame that `bytes` are, from the Ethernet header on and without the FCS.
    ///
    /// It accepts exactly the bytes that [`emit`](Self::emit) makes of some frame, checksums and data included. For what a
    /// capture holds, use [`read`](Self::read).
    ///
    /// # Errors
    /// Those of `read`, and [`WireError::Differs`], [`WireError::Payload`], [`WireError::Length`] or [`WireError::Trailing`]
    /// where the bytes are not what a sender would have written.
    pub fn parse(bytes: &[u8]) -> Result<TenantFrame, WireError> {
        let frame = TenantFrame::read(bytes, bytes.len())?;
        let expected = frame.emit()?;
        match bytes.iter().zip(&expected).position(|(a, b)| a != b) {
            Some(offset) => Err(difference(bytes, &expected, offset)),
            None if bytes.len() > expected.len() => Err(WireError::Trailing {
                after: "the packet",
                len: bytes.len() - expected.len(),
            }),
            None if bytes.len() < expected.len() => Err(WireError::Length {
                header: "frame",
                field: "length",
                claimed: expected.len(),
                actual: bytes.len(),
            }),
            None => Ok(frame),
        }
    }

    /// What a captured frame says, leniently: its headers, and how much data it had. Checksums are not looked at (captures
    /// taken before a NIC fills them in have wrong ones), nor is the data; options, IPv6 extension headers, inner VLAN tags and
    /// optional GRE fields are passed over. `original_len` is the frame's length in bytes before the capture cut it; an IPv4
    /// length of 0 (a packet that the NIC has yet to segment) stands for what that leaves.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if a header up to the transport's is cut off; [`WireError::Field`] for what is not IP, for later
    /// fragments, which have no transport header, and for impossible lengths; [`WireError::OutOfRange`] for more than
    /// [`MAX_TUNNELS`] tunnels.
    pub fn read(bytes: &[u8], original_len: usize) -> Result<TenantFrame, WireError> {
        TenantFrame::read_measured(bytes, original_len).map(|(frame, _)| frame)
    }

    /// Like [`read`](Self::read), with the innermost IP packet's length in bytes, options and extension headers included.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn read_measured(bytes: &[u8], original_len: usize) -> Result<(TenantFrame, u32), WireError> {
        let mut reader = Reader {
            bytes,
            at: 0,
            end: original_len.max(bytes.len()),
        };
        let (link, vlan, mut ethertype) = reader.ethernet()?;
        let mut tunnels = Vec::new();
        loop {
            let start = reader.at;
            let (ip, protocol) = reader.ip(ethertype)?;
            match reader.tunnel(ip, protocol)? {
                Some((tunnel, next)) if tunnels.len() < MAX_TUNNELS => {
                    tunnels.push(tunnel);
                    ethertype = next;
                }
                Some(_) => {
                    return Err(WireError::OutOfRange {
                        what: "number of tunnels",
                        value: MAX_TUNNELS as u64 + 1,
                        expected: "0 to 2",
                    });
                }
                None => {
                    let packet_len = reader.from(start);
                    let transport = reader.transport(&ip, protocol)?;
                    let frame = TenantFrame {
                        link,
                        vlan,
                        tunnels,
                        ip,
                        transport,
                        payload: reader.from(reader.at),
                    };
                    return Ok((frame, packet_len));
                }
            }
        }
    }
}

/// Names the place of the first byte that is not as it should be.
fn difference(bytes: &[u8], expected: &[u8], offset: usize) -> WireError {
    let views = describe(bytes);
    let view = views
        .iter()
        .find(|view| (view.offset..view.offset + view.len).contains(&offset));
    let (found, wanted) = (bytes[offset], expected[offset]);
    match view {
        Some(view) if view.name == "Data" => WireError::Payload {
            offset: offset - view.offset,
            found,
            expected: wanted,
        },
        _ => {
            // The first bit that differs: a byte can belong to several fields.
            let bit = offset * 8 + (found ^ wanted).leading_zeros() as usize;
            let field = view.and_then(|view| {
                let mut fields = view.fields.iter();
                fields.find(|field| (field.bit_offset..field.bit_offset + field.bit_len).contains(&bit))
            });
            WireError::Differs {
                header: view.map_or("frame", |view| view.name),
                field: field.map_or("byte", |field| field.name),
                offset,
                found,
                expected: wanted,
            }
        }
    }
}

/// Position in a frame. `at` never exceeds `bytes.len()`; `end` is where the innermost length ends the packet, which a cut
/// capture does not reach.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    /// The bytes that are there of what is left.
    fn rest(&self) -> &'a [u8] {
        let end = self.end.min(self.bytes.len());
        self.bytes.get(self.at..end).unwrap_or_default()
    }

    /// Bytes of the packet from `start` on, cut off or not.
    fn from(&self, start: usize) -> u32 {
        u32::try_from(self.end.saturating_sub(start)).unwrap_or(u32::MAX)
    }

    /// A header, whatever its reserved bits hold.
    fn take<H: Header>(&mut self) -> Result<H, WireError> {
        let header = H::read(self.rest())?;
        self.at += H::LEN;
        Ok(header)
    }

    /// Passes over `len` bytes of `header`.
    fn skip(&mut self, header: &'static str, len: usize) -> Result<(), WireError> {
        let have = self.rest().len();
        if have < len {
            return Err(WireError::Truncated {
                header,
                need: len,
                have,
            });
        }
        self.at += len;
        Ok(())
    }

    /// Follows a length field that counts from `start`.
    fn narrow(
        &mut self,
        header: &'static str,
        field: &'static str,
        start: usize,
        len: usize,
    ) -> Result<(), WireError> {
        let end = start + len;
        if end < self.at || end > self.end {
            return Err(WireError::Length {
                header,
                field,
                claimed: len,
                actual: self.end - start,
            });
        }
        self.end = end;
        Ok(())
    }

    /// Ethernet addresses, the outermost VLAN tag and the ethertype behind all tags.
    fn ethernet(&mut self) -> Result<(Link, Option<Tag>, u16), WireError> {
        let ethernet: Ethernet = self.take()?;
        let link = Link {
            dst: ethernet.dst,
            src: ethernet.src,
        };
        let (mut ethertype, mut tag) = (ethernet.ethertype, None);
        while let ETHERTYPE_VLAN | ETHERTYPE_SERVICE_VLAN = ethertype {
            let Vlan {
                pcp,
                dei,
                vid,
                ethertype: next,
            } = self.take()?;
            tag = tag.or(Some(Tag { pcp, dei, vid }));
            ethertype = next;
        }
        Ok((link, tag, ethertype))
    }

    /// An IP header, and the protocol that it carries.
    fn ip(&mut self, ethertype: u16) -> Result<(Ip, u8), WireError> {
        match ethertype {
            ETHERTYPE_IPV4 => self.ipv4(),
            ETHERTYPE_IPV6 => self.ipv6(),
            _ => Err(WireError::Field {
                header: Ethernet::NAME,
                field: "ethertype",
                found: ethertype.into(),
                expected: "0x800 (IPv4) or 0x86dd (IPv6)",
            }),
        }
    }

    fn ipv4(&mut self) -> Result<(Ip, u8), WireError> {
        let start = self.at;
        let ip: Ipv4 = self.take()?;
        is_version(Ipv4::NAME, self.bytes[start], 4)?;
        let Some(options) = ip.header_len().checked_sub(Ipv4::LEN) else {
            return Err(WireError::Field {
                header: Ipv4::NAME,
                field: "ihl",
                found: ip.ihl.get().into(),
                expected: "5 to 15",
            });
        };
        self.skip("IPv4 options", options)?;
        if ip.total_len != 0 {
            self.narrow(Ipv4::NAME, "total_len", start, ip.total_len.into())?;
        }
        is_first(Ipv4::NAME, ip.fragment_offset.get())?;
        let network = NetworkV4 {
            dscp: ip.dscp,
            ecn: ip.ecn,
            identification: ip.identification,
            dont_fragment: ip.dont_fragment,
            ttl: ip.ttl,
            src: ip.src,
            dst: ip.dst,
        };
        Ok((Ip::V4(network), ip.protocol))
    }

    fn ipv6(&mut self) -> Result<(Ip, u8), WireError> {
        let start = self.at;
        let ip: Ipv6 = self.take()?;
        is_version(Ipv6::NAME, self.bytes[start], 6)?;
        if ip.payload_len != 0 {
            self.narrow(Ipv6::NAME, "payload_len", self.at, ip.payload_len.into())?;
        }
        let mut next = ip.next_header;
        while EXTENSION_HEADERS.contains(&next) {
            const NAME: &str = "IPv6 extension header";
            let rest = self.rest();
            let Some(&[follows, len, a, b]) = rest.first_chunk() else {
                return Err(WireError::Truncated {
                    header: NAME,
                    need: 8,
                    have: rest.len(),
                });
            };
            let len = if next == FRAGMENT {
                is_first(NAME, u32::from(u16::from_be_bytes([a, b]) >> 3))?;
                8
            } else {
                8 * (usize::from(len) + 1)
            };
            self.skip(NAME, len)?;
            next = follows;
        }
        let network = Network {
            dscp: ip.dscp,
            ecn: ip.ecn,
            flow_label: ip.flow_label,
            hop_limit: ip.hop_limit,
            src: ip.src,
            dst: ip.dst,
        };
        Ok((Ip::V6(network), next))
    }

    /// The tunnel that begins behind `ip`, and the ethertype of what it carries; nothing if it is none.
    fn tunnel(&mut self, ip: Ip, protocol: u8) -> Result<Option<(Tunnel, u16)>, WireError> {
        let (format, next) = match protocol {
            PROTOCOL_IPV4 => (TunnelFormat::IpInIp, ETHERTYPE_IPV4),
            NEXT_HEADER_IPV6 => (TunnelFormat::IpInIp, ETHERTYPE_IPV6),
            PROTOCOL_GRE => self.gre()?,
            NEXT_HEADER_UDP => match self.vxlan()? {
                Some(vxlan) => vxlan,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(Some((Tunnel { ip, format }, next)))
    }

    /// What a UDP datagram to VXLAN's port carries, if it is one of VXLAN's.
    fn vxlan(&mut self) -> Result<Option<(TunnelFormat, u16)>, WireError> {
        let rest = self.rest();
        let Ok(udp) = Udp::read(rest) else { return Ok(None) };
        if udp.dst_port != VXLAN_PORT || Vxlan::parse(&rest[Udp::LEN..]).is_err() {
            return Ok(None);
        }
        let start = self.at;
        self.at += Udp::LEN;
        self.narrow(Udp::NAME, "length", start, udp.length.into())?;
        let Vxlan { vni } = self.take()?;
        let (link, _, ethertype) = self.ethernet()?;
        let src_port = udp.src_port;
        Ok(Some((TunnelFormat::Vxlan { src_port, vni, link }, ethertype)))
    }

    fn gre(&mut self) -> Result<(TunnelFormat, u16), WireError> {
        let gre: Gre = self.take()?;
        if gre.checksum_present {
            self.take::<GreChecksum>()?;
        }
        let ethernet = gre.protocol_type == PROTOCOL_TYPE_ETHERNET;
        if ethernet && !gre.key_present {
            return Err(WireError::Field {
                header: Gre::NAME,
                field: "key_present",
                found: 0,
                expected: "1 for NVGRE",
            });
        }
        if ethernet {
            let NvgreKey { vsid, flow_id } = self.take()?;
            if gre.sequence_present {
                self.take::<GreSequence>()?;
            }
            let (link, _, ethertype) = self.ethernet()?;
            return Ok((TunnelFormat::Nvgre { vsid, flow_id, link }, ethertype));
        }
        let key = if gre.key_present {
            Some(self.take::<GreKey>()?.key)
        } else {
            None
        };
        if gre.sequence_present {
            self.take::<GreSequence>()?;
        }
        match gre.protocol_type {
            ETHERTYPE_IPV4 | ETHERTYPE_IPV6 => Ok((TunnelFormat::IpInGre { key }, gre.protocol_type)),
            other => Err(WireError::Field {
                header: Gre::NAME,
                field: "protocol_type",
                found: other.into(),
                expected: "0x800 (IPv4), 0x86dd (IPv6) or 0x6558 (Ethernet)",
            }),
        }
    }

    fn transport(&mut self, ip: &Ip, protocol: u8) -> Result<Transport, WireError> {
        match (protocol, ip) {
            (PROTOCOL_TCP, _) => self.tcp(),
            (NEXT_HEADER_UDP, _) => {
                let start = self.at;
                let udp: Udp = self.take()?;
                // As with IP, 0 leaves the length open; and the first fragment's datagram is longer than its packet.
                if start + usize::from(udp.length) <= self.end && udp.length != 0 {
                    self.narrow(Udp::NAME, "length", start, udp.length.into())?;
                }
                Ok(Transport::Udp {
                    src_port: udp.src_port,
                    dst_port: udp.dst_port,
                })
            }
            (PROTOCOL_ICMP, Ip::V4(_)) | (PROTOCOL_ICMPV6, Ip::V6(_)) => {
                let icmp: Icmp = self.take()?;
                let found = self.rest();
                let Some(&rest) = found.first_chunk() else {
                    return Err(WireError::Truncated {
                        header: Icmp::NAME,
                        need: 4,
                        have: found.len(),
                    });
                };
                self.at += 4;
                Ok(Transport::Icmp {
                    icmp_type: icmp.icmp_type,
                    code: icmp.code,
                    rest,
                })
            }
            (other, _) => Ok(Transport::Other(other)),
        }
    }

    fn tcp(&mut self) -> Result<Transport, WireError> {
        let tcp: Tcp = self.take()?;
        let Some(options) = tcp.header_len().checked_sub(Tcp::LEN) else {
            return Err(WireError::Field {
                header: Tcp::NAME,
                field: "data_offset",
                found: tcp.data_offset.get().into(),
                expected: "5 to 15",
            });
        };
        let rest = self.rest();
        self.skip("TCP options", options)?;
        Ok(Transport::Tcp(Segment {
            src_port: tcp.src_port,
            dst_port: tcp.dst_port,
            seq: tcp.seq,
            ack_number: tcp.ack_number,
            flags: tcp.flags(),
            window: tcp.window,
            // Options that cannot be read do not make the segment unusable.
            options: TcpOptions::read(&rest[..options]).unwrap_or_default(),
        }))
    }
}

fn is_version(header: &'static str, first: u8, version: u8) -> Result<(), WireError> {
    if first >> 4 == version {
        return Ok(());
    }
    Err(WireError::Field {
        header,
        field: "version",
        found: (first >> 4).into(),
        expected: if version == 4 { "4" } else { "6" },
    })
}

/// Later fragments have no transport header.
fn is_first(header: &'static str, offset: u32) -> Result<(), WireError> {
    if offset == 0 {
        return Ok(());
    }
    Err(WireError::Field {
        header,
        field: "fragment_offset",
        found: offset.into(),
        expected: "0, since later fragments have no ports",
    })
}
