//! The headers of a packet as values, as far as policy and flow table read or change them.

use crate::key::Direction;
use crate::{Address, FlowKey, Tuple};
use std::fmt;

/// A MAC address, in the lower 48 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mac(pub u64);

impl fmt::Display for Mac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [_, _, a, b, c, d, e, g] = self.0.to_be_bytes();
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}

/// The flags of a TCP header, RFC 9293 section 3.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TcpFlags(pub u8);

impl TcpFlags {
    /// No more data from the sender.
    pub const FIN: TcpFlags = TcpFlags(0x01);
    /// Synchronise sequence numbers.
    pub const SYN: TcpFlags = TcpFlags(0x02);
    /// Reset the connection.
    pub const RST: TcpFlags = TcpFlags(0x04);
    /// Push.
    pub const PSH: TcpFlags = TcpFlags(0x08);
    /// The acknowledgment number is meant.
    pub const ACK: TcpFlags = TcpFlags(0x10);

    /// Both sets together.
    pub const fn with(self, other: TcpFlags) -> TcpFlags {
        TcpFlags(self.0 | other.0)
    }

    /// Whether all of `other` are set.
    pub const fn has(self, other: TcpFlags) -> bool {
        self.0 & other.0 == other.0
    }
}

/// How a tenant's packet is wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EncapKind {
    /// VXLAN, RFC 7348.
    Vxlan,
    /// NVGRE (MAC in GRE), RFC 7637.
    Nvgre,
    /// IP in GRE, RFC 2784 and 2890.
    IpInGre,
    /// IP in IP, RFC 2003.
    IpInIp,
}

/// One encapsulation: outer addresses and what names the tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Encap {
    /// The format.
    pub kind: EncapKind,
    /// Outer source, a provider address (PA).
    pub src: Address,
    /// Outer destination, a provider address (PA).
    pub dst: Address,
    /// Tenant network identifier, 24 bits (GRE key for IP in GRE; 0 for IP in IP).
    pub tni: u32,
    /// Outer destination MAC address: the next hop.
    pub dst_mac: Mac,
}

/// Encapsulations that a packet may have at once (the shipped tool takes up to two).
pub const MAX_ENCAPS: usize = 2;

/// A packet's headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    /// Encapsulations, outermost first; `None` after the last.
    pub encaps: [Option<Encap>; MAX_ENCAPS],
    /// Inner source MAC address.
    pub src_mac: Mac,
    /// Inner destination MAC address.
    pub dst_mac: Mac,
    /// Innermost addresses, protocol and ports.
    pub tuple: Tuple,
    /// Differentiated services code point, 6 bits, of the innermost IP header.
    pub dscp: u8,
    /// Time to live (hop limit) of the innermost IP header.
    pub ttl: u8,
    /// TCP flags; zero for other protocols.
    pub flags: TcpFlags,
}

impl Headers {
    /// What the flow table looks up for this packet at `port`.
    pub fn key(&self, port: u16, direction: Direction) -> FlowKey {
        FlowKey {
            tuple: self.tuple,
            tni: self.encaps[0].map_or(0, |encap| encap.tni),
            port,
            direction,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_has_the_outermost_tenant() {
        let encap = |tni| Encap {
            kind: EncapKind::Vxlan,
            src: Address::v4(100, 64, 0, 1),
            dst: Address::v4(100, 64, 0, 2),
            tni,
            dst_mac: Mac(1),
        };
        let mut headers = Headers::default();
        assert_eq!(headers.key(3, Direction::Out).tni, 0);
        headers.encaps = [Some(encap(7)), Some(encap(9))];
        let key = headers.key(3, Direction::In);
        assert_eq!((key.tni, key.port, key.direction), (7, 3, Direction::In));
    }

    #[test]
    fn macs_and_flags_read_as_usual() {
        assert_eq!(Mac(0x6045_bd11_2233).to_string(), "60:45:bd:11:22:33");
        let syn_ack = TcpFlags::SYN.with(TcpFlags::ACK);
        assert_eq!(syn_ack.0, 0x12);
        assert!(syn_ack.has(TcpFlags::SYN) && !syn_ack.has(TcpFlags::RST));
    }
}
