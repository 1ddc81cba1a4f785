//! TCP, UDP and ICMP.

use super::Walk;
use super::network::Packet;
use crate::checksum::{Addresses, internet};
use crate::icmp::{self, PROTOCOL_ICMPV6};
use crate::ipv6::NEXT_HEADER_UDP;
use crate::layout::{FieldView, HeaderView};
use crate::tcp::{FLAG_NAMES, PROTOCOL_TCP, list};
use crate::udp::ROCE_PORT;
use crate::vxlan::VXLAN_PORT;
use crate::{Header, Icmp, IcmpEcho, Tcp, Udp, WireError};

impl Walk<'_> {
    /// What the packet carries, from `start` on, if all of it is there to be summed up.
    fn covered(&self, packet: Packet, start: usize) -> Option<&[u8]> {
        (packet.whole && self.cut.is_none()).then(|| &self.bytes[start..self.end])
    }

    pub(super) fn udp(&mut self, packet: Packet) -> Result<(), WireError> {
        let start = self.at;
        let udp: Udp = self.header("UDP")?;
        self.summary(format!("{} → {}", udp.src_port, udp.dst_port));
        if usize::from(udp.length) < Udp::LEN {
            return Err(WireError::Field {
                header: Udp::NAME,
                field: "length",
                found: udp.length.into(),
                expected: "at least 8",
            });
        }
        if packet.whole {
            self.narrow("length", start, udp.length.into());
        }
        if udp.checksum != 0
            && let Some(datagram) = self.covered(packet, start)
        {
            let sum = packet.addresses.transport(NEXT_HEADER_UDP, datagram);
            self.verdict(udp.checksum, sum);
        }
        match udp.dst_port {
            ROCE_PORT if self.is_roce() => self.roce_bth(packet.start),
            ROCE_PORT => self.bth(packet.start),
            VXLAN_PORT => self.vxlan(),
            _ => self.data(),
        }
    }

    pub(super) fn tcp(&mut self, packet: Packet) -> Result<(), WireError> {
        let start = self.at;
        let tcp: Tcp = self.header(Tcp::NAME)?;
        let flags = tcp.flags();
        let names: Vec<&str> = FLAG_NAMES
            .iter()
            .filter(|(bit, _)| flags & bit != 0)
            .map(|(_, name)| *name)
            .collect();
        self.summary(format!(
            "{} → {} [{}]",
            tcp.src_port,
            tcp.dst_port,
            names.join(" ")
        ));
        let Some(options) = tcp.header_len().checked_sub(Tcp::LEN) else {
            return Err(WireError::Field {
                header: Tcp::NAME,
                field: "data_offset",
                found: tcp.data_offset.get().into(),
                expected: "5 to 15",
            });
        };
        if let Some(segment) = self.covered(packet, start) {
            let sum = packet.addresses.transport(PROTOCOL_TCP, segment);
            self.verdict(tcp.checksum, sum);
        }
        let left = self.end - self.at;
        if options > left {
            self.raw("TCP options", "options", left, "Options of the TCP header.");
            return Err(WireError::Truncated {
                header: "TCP options",
                need: options,
                have: left,
            });
        }
        self.tcp_options(options);
        self.data()
    }

    /// One field for each option, and for what cannot be read of them.
    fn tcp_options(&mut self, len: usize) {
        if len == 0 {
            return;
        }
        let bytes = &self.bytes[self.at..self.at + len];
        let mut fields = Vec::new();
        let mut read = 0;
        let field = |name, value, at: usize, len: usize, doc| FieldView {
            name,
            value,
            bit_offset: (self.at + at) * 8,
            bit_len: len * 8,
            doc,
        };
        for option in list(bytes) {
            match option {
                Ok(option) => {
                    let (name, value, doc) = option.describe(bytes);
                    fields.push(field(name, value, option.at, option.len, doc));
                    read = option.at + option.len;
                }
                Err(error) => {
                    let doc = "Options that cannot be read.";
                    fields.push(field("options", error.to_string(), read, len - read, doc));
                }
            }
        }
        self.views.push(HeaderView {
            name: "TCP options",
            offset: self.at,
            len,
            summary: String::new(),
            fields,
        });
        self.at += len;
    }

    pub(super) fn icmp(&mut self, packet: Packet) -> Result<(), WireError> {
        let start = self.at;
        let v6 = matches!(packet.addresses, Addresses::V6(..));
        let icmp: Icmp = self.header(if v6 { "ICMPv6" } else { Icmp::NAME })?;
        let name = icmp::name(v6, icmp.icmp_type);
        self.summary(match name {
            Some(name) => name.into(),
            None => format!("type {}, code {}", icmp.icmp_type, icmp.code),
        });
        if let Some(message) = self.covered(packet, start) {
            let sum = if v6 {
                packet.addresses.transport(PROTOCOL_ICMPV6, message)
            } else {
                internet(&[message])
            };
            self.verdict(icmp.checksum, sum);
        }
        if let Some(name) = name {
            self.set("icmp_type", format!("{} {name}", icmp.icmp_type));
        }
        if let Some("echo request" | "echo reply") = name {
            let echo: IcmpEcho = self.header(IcmpEcho::NAME)?;
            self.summary(format!("id {}, sequence {}", echo.identifier, echo.sequence));
        } else {
            let len = (self.end - self.at).min(4);
            self.raw(
                "ICMP rest of header",
                "rest",
                len,
                "What it means depends on the type.",
            );
        }
        self.data()
    }
}
