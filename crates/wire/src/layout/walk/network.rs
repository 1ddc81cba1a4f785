//! Ethernet, VLAN tags, IPv4 and IPv6.

use super::{MAX_DEPTH, Walk};
use crate::checksum::{Addresses, internet};
use crate::ethernet::{ETHERTYPE_IPV4, ETHERTYPE_IPV6};
use crate::icmp::{PROTOCOL_ICMP, PROTOCOL_ICMPV6};
use crate::ipv4::PROTOCOL_IPV4;
use crate::ipv6::{NEXT_HEADER_IPV6, NEXT_HEADER_UDP};
use crate::pfc::ETHERTYPE_MAC_CONTROL;
use crate::srh::NEXT_HEADER_ROUTING;
use crate::tcp::PROTOCOL_TCP;
use crate::usid::BLOCK;
use crate::vlan::{ETHERTYPE_SERVICE_VLAN, ETHERTYPE_VLAN};
use crate::{Ethernet, Header, Ipv4, Ipv6, UsidContainer, Vlan, WireError, gre::PROTOCOL_GRE};

/// The IP packet that is being read.
#[derive(Clone, Copy)]
pub(super) struct Packet {
    /// Its first byte.
    pub(super) start: usize,
    /// What checksums above it cover of it.
    pub(super) addresses: Addresses,
    /// Whether the header is followed by what its protocol says: not so in a later fragment.
    pub(super) whole: bool,
}

impl Walk<'_> {
    /// The name of a header that may be inside another packet.
    fn named(&self, outermost: &'static str, inner: &'static str) -> &'static str {
        if self.depth == 0 { outermost } else { inner }
    }

    /// Reads on inside a packet, unless that is too deep.
    pub(super) fn nested(&mut self, read: fn(&mut Self) -> Result<(), WireError>) -> Result<(), WireError> {
        if self.depth == MAX_DEPTH {
            return self.data();
        }
        self.depth += 1;
        read(self)
    }

    pub(super) fn ethernet(&mut self) -> Result<(), WireError> {
        let name = self.named("Ethernet", "Inner Ethernet");
        let ethernet: Ethernet = self.header(name)?;
        self.summary(format!("{} → {}", ethernet.src, ethernet.dst));
        let mut ethertype = ethernet.ethertype;
        while let ETHERTYPE_VLAN | ETHERTYPE_SERVICE_VLAN = ethertype {
            let vlan: Vlan = self.header(Vlan::NAME)?;
            self.summary(format!("VLAN {}", vlan.vid));
            ethertype = vlan.ethertype;
        }
        match ethertype {
            ETHERTYPE_IPV4 => self.ipv4(),
            ETHERTYPE_IPV6 => self.ipv6(),
            ETHERTYPE_MAC_CONTROL => self.mac_control(),
            _ => self.data(),
        }
    }

    pub(super) fn ipv4(&mut self) -> Result<(), WireError> {
        let start = self.at;
        let ip: Ipv4 = self.header(self.named("IPv4", "Inner IPv4"))?;
        self.summary(format!("{} → {}", ip.src, ip.dst));
        let Some(options) = ip.header_len().checked_sub(Ipv4::LEN) else {
            return Err(WireError::Field {
                header: Ipv4::NAME,
                field: "ihl",
                found: ip.ihl.get().into(),
                expected: "5 to 15",
            });
        };
        if usize::from(ip.total_len) < ip.header_len() {
            return Err(WireError::Field {
                header: Ipv4::NAME,
                field: "total_len",
                found: ip.total_len.into(),
                expected: "at least the header's length",
            });
        }
        if let Some(header) = self.bytes[..self.end].get(start..start + ip.header_len()) {
            self.verdict(ip.checksum, internet(&[header]));
        }
        self.narrow("total_len", start, ip.total_len.into());
        let options = options.min(self.end - self.at);
        self.raw("IPv4 options", "options", options, "Options of the IPv4 header.");
        let packet = Packet {
            start,
            addresses: Addresses::V4(ip.src, ip.dst),
            whole: !ip.more_fragments && ip.fragment_offset.get() == 0,
        };
        match ip.protocol {
            _ if ip.fragment_offset.get() > 0 => self.data(),
            PROTOCOL_ICMP => self.icmp(packet),
            protocol => self.protocol(protocol, packet),
        }
    }

    pub(super) fn ipv6(&mut self) -> Result<(), WireError> {
        let start = self.at;
        let ip: Ipv6 = self.header(self.named("IPv6", "Inner IPv6"))?;
        self.summary(format!("{} → {}", ip.src, ip.dst));
        let outermost = self.depth == 0;
        let routed = outermost && ip.next_header == NEXT_HEADER_ROUTING && self.has_srh();
        // Only addresses of the fabric's locator block are lists of uSIDs; other IPv6-in-IPv6 is a tenant's.
        let in_block = UsidContainer::from(ip.dst).block() == BLOCK;
        if routed || outermost && in_block && ip.next_header == NEXT_HEADER_IPV6 {
            self.as_outer_ip(&ip);
        }
        self.narrow("payload_len", self.at, ip.payload_len.into());
        let packet = Packet {
            start,
            addresses: Addresses::V6(ip.src, ip.dst),
            whole: true,
        };
        match ip.next_header {
            NEXT_HEADER_ROUTING if routed => self.srh(),
            PROTOCOL_ICMPV6 => self.icmp(packet),
            protocol => self.protocol(protocol, packet),
        }
    }

    /// What both versions of IP carry.
    fn protocol(&mut self, protocol: u8, packet: Packet) -> Result<(), WireError> {
        match protocol {
            PROTOCOL_IPV4 => self.nested(Self::ipv4),
            NEXT_HEADER_IPV6 => self.nested(Self::ipv6),
            PROTOCOL_TCP => self.tcp(packet),
            NEXT_HEADER_UDP => self.udp(packet),
            PROTOCOL_GRE => self.gre(),
            _ => self.data(),
        }
    }
}
