//! A tenant's packet as one value: what a virtual machine sends or receives, bare or wrapped.

mod emit;
mod read;

use crate::checksum::Addresses;
use crate::{Bits, Dscp, Ecn, Link, TcpOptions, frame::Network};
use std::net::Ipv4Addr;

/// Tunnels that a packet may be in at once (the shipped VFP tool takes up to two).
pub const MAX_TUNNELS: usize = 2;

/// A frame with a tenant's packet in it: Ethernet, up to [`MAX_TUNNELS`] tunnels, IP, and TCP, UDP, ICMP or another protocol.
///
/// Only what a sender chooses is a field. Lengths, ethertypes, next headers, protocol numbers and checksums follow from it, so
/// `parse(emit(frame)) == frame`. The data is a length whose byte i is i modulo 256, as everywhere here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TenantFrame {
    /// The outermost Ethernet addresses.
    pub link: Link,
    /// The outermost VLAN tag.
    pub vlan: Option<Tag>,
    /// What the packet is wrapped in, outermost first.
    pub tunnels: Vec<Tunnel>,
    /// The innermost IP header.
    pub ip: Ip,
    /// What it carries.
    pub transport: Transport,
    /// Bytes of data behind the headers.
    pub payload: u32,
}

/// A customer VLAN tag (IEEE 802.1Q).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Priority code point.
    pub pcp: Bits<3>,
    /// Drop eligible indicator.
    pub dei: bool,
    /// VLAN identifier.
    pub vid: Bits<12>,
}

/// One wrapping of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunnel {
    /// The IP header around.
    pub ip: Ip,
    /// What is between it and the packet.
    pub format: TunnelFormat,
}

/// How a tunnel carries its packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TunnelFormat {
    /// VXLAN (RFC 7348). Its UDP checksum is left out, as the RFC asks for.
    Vxlan {
        /// UDP source port, which spreads flows over equal paths.
        src_port: u16,
        /// VXLAN network identifier.
        vni: Bits<24>,
        /// The tenant's own Ethernet addresses.
        link: Link,
    },
    /// NVGRE (RFC 7637).
    Nvgre {
        /// Virtual subnet identifier.
        vsid: Bits<24>,
        /// FlowID, which spreads flows over equal paths.
        flow_id: u8,
        /// The tenant's own Ethernet addresses.
        link: Link,
    },
    /// IP in GRE (RFC 2784), with a key (RFC 2890) or without.
    IpInGre {
        /// GRE key.
        key: Option<u32>,
    },
    /// IP in IP (RFC 2003, RFC 2473).
    IpInIp,
}

/// An IP header as far as its sender chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ip {
    /// IPv4, without options and not fragmented.
    V4(NetworkV4),
    /// IPv6, without extension headers.
    V6(Network),
}

/// An IPv4 header as far as its sender chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkV4 {
    /// Class of service.
    pub dscp: Dscp,
    /// Congestion marking.
    pub ecn: Ecn,
    /// Names the packet that fragments belong to.
    pub identification: u16,
    /// DF: the packet must not be fragmented.
    pub dont_fragment: bool,
    /// Hops that are left.
    pub ttl: u8,
    /// Source address.
    pub src: Ipv4Addr,
    /// Destination address.
    pub dst: Ipv4Addr,
}

/// What the innermost IP packet carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A TCP segment.
    Tcp(Segment),
    /// A UDP datagram.
    Udp {
        /// Source port.
        src_port: u16,
        /// Destination port. [`VXLAN_PORT`](crate::vxlan::VXLAN_PORT) makes the data be read as a tunnel.
        dst_port: u16,
    },
    /// An ICMP message over IPv4, an ICMPv6 message over IPv6.
    Icmp {
        /// What it is for: see [`icmp`](crate::icmp).
        icmp_type: u8,
        /// Which of the type's cases.
        code: u8,
        /// The four bytes behind the checksum: of an echo, identifier and sequence number.
        rest: [u8; 4],
    },
    /// Another protocol, whose header counts as data. Not one of those above, nor GRE or IP.
    Other(u8),
}

/// A TCP header as far as its sender chooses it; the urgent pointer is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Source port.
    pub src_port: u16,
    /// Destination port.
    pub dst_port: u16,
    /// Sequence number.
    pub seq: u32,
    /// Acknowledgment number.
    pub ack_number: u32,
    /// Flags as in [`Tcp::flags`](crate::Tcp::flags).
    pub flags: u8,
    /// Window, not shifted.
    pub window: u16,
    /// Options.
    pub options: TcpOptions,
}

impl Ip {
    /// What checksums of the packet cover of its header.
    pub fn addresses(&self) -> Addresses {
        match self {
            Ip::V4(ip) => Addresses::V4(ip.src, ip.dst),
            Ip::V6(ip) => Addresses::V6(ip.src, ip.dst),
        }
    }
}
