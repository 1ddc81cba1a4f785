//! A device as its configuration describes it.

use std::collections::BTreeMap;
use std::net::Ipv6Addr;

/// What happens to a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// uN: the first `node` bits after the block leave, and the address is looked up again.
    Shift {
        /// Bits of the block.
        block: u32,
        /// Bits of a uSID.
        node: u32,
    },
    /// It goes to this address out of this port.
    Via {
        /// The neighbour's address.
        next_hop: Ipv6Addr,
        /// The port.
        port: String,
    },
    /// It is put into another packet with this destination.
    Encap(Ipv6Addr),
    /// It is taken out of the packet that it came in.
    Decap,
    /// It is dropped.
    Drop,
}

/// A device.
#[derive(Debug, Default)]
pub struct Device {
    /// Port or `lo`, address, length of its prefix.
    pub addresses: Vec<(String, Ipv6Addr, u32)>,
    /// By table (none for `main`), length of the prefix, and prefix.
    pub routes: BTreeMap<(Option<u32>, u32, Ipv6Addr), Action>,
    /// Priority, mark (none: every packet), table.
    pub rules: Vec<(u32, Option<u32>, u32)>,
}

/// The first `length` bits of an address, with zeros after them.
fn first_bits(address: Ipv6Addr, length: u32) -> Ipv6Addr {
    let mask = u128::MAX.checked_shl(128 - length).unwrap_or(0);
    Ipv6Addr::from_bits(address.to_bits() & mask)
}

impl Device {
    /// What happens to a packet with this mark and destination: table by table in the order of the rules, and in a table
    /// by the longest prefix.
    pub fn look_up(&self, mark: u32, address: Ipv6Addr) -> Option<&Action> {
        const MAIN: u32 = 32_766;
        let mut tables: Vec<(u32, Option<u32>)> = self
            .rules
            .iter()
            .filter(|(_, only, _)| only.is_none_or(|only| only == mark))
            .map(|&(priority, _, table)| (priority, Some(table)))
            .collect();
        tables.push((MAIN, None));
        tables.sort();
        tables.iter().find_map(|&(_, table)| {
            (0..=128).rev().find_map(|length| {
                let prefix = first_bits(address, length);
                self.routes.get(&(table, length, prefix))
            })
        })
    }

    /// Adds a route; there must be none to the same prefix.
    pub fn add(&mut self, table: Option<u32>, (prefix, length): (Ipv6Addr, u32), action: Action) {
        assert_eq!(prefix, first_bits(prefix, length), "bits after the prefix");
        let before = self.routes.insert((table, length, prefix), action);
        assert_eq!(before, None, "a second route to {prefix}/{length}");
    }

    /// Whether the address is one of its own.
    pub fn has_address(&self, address: Ipv6Addr) -> bool {
        self.addresses.iter().any(|(_, own, _)| *own == address)
    }

    /// Whether the address is the other one on the cable at `port`.
    pub fn shares_a_cable(&self, port: &str, address: Ipv6Addr) -> bool {
        self.addresses.iter().any(|(name, own, length)| {
            let same_cable = first_bits(*own, *length) == first_bits(address, *length);
            name == port && *own != address && same_cable
        })
    }
}

/// RFC 9800, NEXT-CSID: the bits after the first uSID move to its place, zeros come in at the end.
pub fn shift(address: Ipv6Addr, block: u32, node: u32) -> Ipv6Addr {
    let bits = address.to_bits();
    let rest = u128::MAX >> block;
    Ipv6Addr::from_bits(bits & !rest | (bits << node) & rest)
}
