//! Mapping spaces: where (PA) a tenant's address (CA) lives.

use gft::{Address, Mac};
use std::collections::BTreeMap;

/// Where a customer address lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Its host's provider address.
    pub pa: Address,
    /// The MAC address of the VM that has it.
    pub ca_mac: Mac,
    /// The next hop towards the host.
    pub pa_mac: Mac,
    /// Tenant network identifier, 24 bits.
    pub tni: u32,
}

/// What happens to a packet whose destination has no mapping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unmapped {
    /// It waits until the agent has resolved the address.
    #[default]
    Pending,
    /// It is dropped.
    Drop,
}

/// The mappings of one virtual network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MappingSpace {
    /// Its name.
    pub name: String,
    /// What happens without a mapping.
    pub unmapped: Unmapped,
    /// The mappings.
    pub mappings: BTreeMap<Address, Mapping>,
}
