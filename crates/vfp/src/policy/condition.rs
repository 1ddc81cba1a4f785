//! What a rule or a group asks of a packet, as the controller writes it.

use gft::{Address, Mac, Prefix, Protocol};
use std::fmt;

/// Names a set of addresses (a service tag, an application security group).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagId(pub u32);

/// Addresses from `first` to `last`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AddressRange {
    /// The lowest.
    pub first: Address,
    /// The highest.
    pub last: Address,
}

impl AddressRange {
    /// Every address.
    pub const ALL: AddressRange = AddressRange {
        first: Address(0),
        last: Address(u128::MAX),
    };

    /// Whether `address` lies in it.
    pub const fn contains(self, address: Address) -> bool {
        self.first.0 <= address.0 && address.0 <= self.last.0
    }
}

impl From<Prefix> for AddressRange {
    fn from(prefix: Prefix) -> AddressRange {
        AddressRange {
            first: prefix.first(),
            last: prefix.last(),
        }
    }
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.first, self.last)
    }
}

/// One term of an address condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressTerm {
    /// All addresses with this prefix.
    Prefix(Prefix),
    /// All addresses of this range.
    Range(AddressRange),
    /// All addresses of this tag.
    Tag(TagId),
}

impl From<Prefix> for AddressTerm {
    fn from(prefix: Prefix) -> AddressTerm {
        AddressTerm::Prefix(prefix)
    }
}

/// Ports from `first` to `last`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortRange {
    /// The lowest.
    pub first: u16,
    /// The highest.
    pub last: u16,
}

impl PortRange {
    /// Every port.
    pub const ALL: PortRange = PortRange {
        first: 0,
        last: u16::MAX,
    };

    /// One port.
    pub const fn one(port: u16) -> PortRange {
        PortRange {
            first: port,
            last: port,
        }
    }

    /// Whether `port` lies in it.
    pub const fn contains(self, port: u16) -> bool {
        self.first <= port && port <= self.last
    }
}

impl fmt::Display for PortRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            write!(f, "{}", self.first)
        } else {
            write!(f, "{}-{}", self.first, self.last)
        }
    }
}

/// Fields are joined by *and*, the terms of one field by *or*. A field without terms asks for nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// Protocols.
    pub protocols: Vec<Protocol>,
    /// Innermost source addresses.
    pub src: Vec<AddressTerm>,
    /// Innermost destination addresses.
    pub dst: Vec<AddressTerm>,
    /// Source ports. A packet of a protocol without ports meets no range but that of all ports.
    pub src_ports: Vec<PortRange>,
    /// Destination ports, likewise.
    pub dst_ports: Vec<PortRange>,
    /// Tenant network identifiers of the outermost encapsulation, first to last; a packet without encapsulation has none
    /// and does not match.
    pub tni: Option<(u32, u32)>,
    /// Inner source MAC address.
    pub src_mac: Option<Mac>,
    /// Inner destination MAC address.
    pub dst_mac: Option<Mac>,
}

impl Condition {
    /// Asks for nothing: every packet matches.
    pub const fn any() -> Condition {
        Condition {
            protocols: Vec::new(),
            src: Vec::new(),
            dst: Vec::new(),
            src_ports: Vec::new(),
            dst_ports: Vec::new(),
            tni: None,
            src_mac: None,
            dst_mac: None,
        }
    }
}
