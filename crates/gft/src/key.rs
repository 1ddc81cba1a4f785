//! What names a flow.

use crate::Address;
use std::fmt;

/// An IP protocol number (or IPv6 next header).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Protocol(pub u8);

impl Protocol {
    /// ICMP, RFC 792.
    pub const ICMP: Protocol = Protocol(1);
    /// TCP, RFC 9293.
    pub const TCP: Protocol = Protocol(6);
    /// UDP, RFC 768.
    pub const UDP: Protocol = Protocol(17);
    /// ESP, RFC 4303.
    pub const ESP: Protocol = Protocol(50);
    /// AH, RFC 4302.
    pub const AH: Protocol = Protocol(51);
    /// ICMPv6, RFC 4443.
    pub const ICMPV6: Protocol = Protocol(58);
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Protocol::ICMP => f.write_str("ICMP"),
            Protocol::TCP => f.write_str("TCP"),
            Protocol::UDP => f.write_str("UDP"),
            Protocol::ESP => f.write_str("ESP"),
            Protocol::AH => f.write_str("AH"),
            Protocol::ICMPV6 => f.write_str("ICMPv6"),
            Protocol(other) => write!(f, "protocol {other}"),
        }
    }
}

/// Source, destination and what lies above IP. Protocols without ports have zeros there; ICMP echo has its identifier in
/// both (our choice, so that an answer is the reverse of its question).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tuple {
    /// Source address.
    pub src: Address,
    /// Destination address.
    pub dst: Address,
    /// Source port.
    pub src_port: u16,
    /// Destination port.
    pub dst_port: u16,
    /// Protocol.
    pub protocol: Protocol,
}

impl Tuple {
    /// The tuple of the answer.
    pub const fn reversed(self) -> Tuple {
        Tuple {
            src: self.dst,
            dst: self.src,
            src_port: self.dst_port,
            dst_port: self.src_port,
            protocol: self.protocol,
        }
    }
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tuple {
            src,
            dst,
            src_port,
            dst_port,
            protocol,
        } = self;
        write!(f, "{protocol} {src} port {src_port} to {dst} port {dst_port}")
    }
}

/// Seen from the VM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// From the VM to the wire.
    #[default]
    Out,
    /// From the wire to the VM.
    In,
}

impl Direction {
    /// The other one.
    pub const fn reversed(self) -> Direction {
        match self {
            Direction::Out => Direction::In,
            Direction::In => Direction::Out,
        }
    }
}

/// What the table matches exactly (VFP's UFID): the innermost headers as they come in, at one port, in one direction.
///
/// Outbound packets of a VM carry no encapsulation, so `tni` is 0 there. An inbound packet is known by the TNI of its
/// outermost encapsulation and its innermost tuple. (The match profile is our choice: GFT's profiles may name more fields.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowKey {
    /// Innermost addresses, ports and protocol.
    pub tuple: Tuple,
    /// Tenant network identifier (VXLAN VNI or NVGRE VSID, 24 bits) of the outermost encapsulation, 0 without one.
    pub tni: u32,
    /// The virtual port (one per vNIC).
    pub port: u16,
    /// Which way the packet goes.
    pub direction: Direction,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_the_question_reversed() {
        let ask = Tuple {
            src: Address::v4(10, 0, 0, 1),
            dst: Address::v4(10, 0, 0, 2),
            src_port: 50_000,
            dst_port: 443,
            protocol: Protocol::TCP,
        };
        assert_eq!(
            ask.reversed().to_string(),
            "TCP 10.0.0.2 port 443 to 10.0.0.1 port 50000"
        );
        assert_eq!(ask.reversed().reversed(), ask);
        assert_eq!(Direction::In.reversed(), Direction::Out);
    }
}
