//! DASH's APP_DB tables as JSON: `{"DASH_ENI_TABLE:…": {…}, "OP": "SET"}` in a list, or one object with many tables
//! (facts/accelnet.md section 6.7; sonic-net/DASH, dash-sonic-hld.md section 3.2).

mod policy;
mod rows;

pub(crate) use policy::policies;

use crate::node::{Node, clip};
use crate::place::{At, Place};
use crate::report::{Report, Reported};
use gft::{Address, Mac, Prefix, Protocol};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Rows of one input at most (our choice).
pub const MAX_ROWS: usize = 500_000;

/// ENIs that policies are made of (our choice, as many as VMs of a host).
pub const MAX_ENIS: usize = 64;

/// Rules and mappings of all ENIs' policies together, from which on no further policies are made (our choice).
pub const MAX_RULES: usize = 500_000;

/// The tables that are used, each by its key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dash {
    /// `DASH_APPLIANCE_TABLE`: the source address of encapsulations.
    pub appliance_ip: Option<Address>,
    /// `DASH_VNET_TABLE`.
    pub vnets: BTreeMap<String, Vnet>,
    /// `DASH_QOS_TABLE`.
    pub qos: BTreeMap<String, Qos>,
    /// `DASH_ENI_TABLE`.
    pub enis: BTreeMap<String, Eni>,
    /// `DASH_PREFIX_TAG_TABLE`.
    pub tags: BTreeMap<String, Vec<Prefix>>,
    /// `DASH_ACL_IN_TABLE` and `DASH_ACL_OUT_TABLE`: by ENI, whether outbound, and stage the groups.
    pub stages: BTreeMap<(String, bool, u8), Vec<String>>,
    /// `DASH_ACL_RULE_TABLE`: by group and rule.
    pub acl_rules: BTreeMap<(String, String), AclRule>,
    /// `DASH_ENI_ROUTE_TABLE`: the route group of an ENI.
    pub route_groups: BTreeMap<String, String>,
    /// `DASH_ROUTE_TABLE`: by group (or ENI, in older tables) and prefix.
    pub routes: BTreeMap<(String, Prefix), Route>,
    /// `DASH_VNET_MAPPING_TABLE`: by virtual network and address.
    pub mappings: BTreeMap<(String, Address), VnetMapping>,
}

/// A virtual network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vnet {
    /// VXLAN network identifier, 24 bits.
    pub vni: u32,
    /// Its address spaces.
    pub address_spaces: Vec<Prefix>,
}

/// What an ENI may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Qos {
    /// Bandwidth in kbit/s.
    pub bw: u64,
    /// New connections per second.
    pub cps: u64,
    /// Flows at a time.
    pub flows: u64,
}

/// An elastic network interface: a VM's NIC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Eni {
    /// Its MAC address.
    pub mac: Mac,
    /// Key of its [`Qos`].
    pub qos: Option<String>,
    /// Its host's address.
    pub underlay_ip: Option<Address>,
    /// Key of its [`Vnet`].
    pub vnet: String,
    /// Whether it takes part.
    pub enabled: bool,
}

/// A rule of an ACL group. Empty lists stand for everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AclRule {
    /// Lower comes first.
    pub priority: u32,
    /// Whether a packet may pass.
    pub allow: bool,
    /// Whether later stages are left out.
    pub terminating: bool,
    /// Protocols.
    pub protocols: Vec<Protocol>,
    /// Sources.
    pub src: Vec<Prefix>,
    /// Destinations.
    pub dst: Vec<Prefix>,
    /// Tags of sources.
    pub src_tags: Vec<String>,
    /// Tags of destinations.
    pub dst_tags: Vec<String>,
    /// Source ports.
    pub src_ports: Vec<RangeInclusive<u16>>,
    /// Destination ports.
    pub dst_ports: Vec<RangeInclusive<u16>>,
}

/// An outbound route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// To a virtual network: by its mappings.
    Vnet(String),
    /// To the mapping of another address.
    VnetDirect(String, Option<Address>),
    /// As it is.
    Direct,
    /// Nowhere.
    Drop,
}

/// Where an address of a virtual network lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VnetMapping {
    /// Its host's address.
    pub underlay_ip: Address,
    /// The VM's MAC address.
    pub mac: Option<Mac>,
    /// Whether packets carry the destination's VNI and not the source's.
    pub use_dst_vni: bool,
}

/// Reads what [`crate::format`] took for DASH tables.
pub(crate) fn read(root: &Node, report: &mut Report) -> Dash {
    let mut dash = Dash::default();
    let mut count = 0;
    let root = At::new(root, &Place::Root);
    let _ = match root.node {
        Node::List(items) => items.iter().enumerate().try_for_each(|(i, node)| {
            let place = Place::Item(root.place, i);
            entry(At::new(node, &place), report, &mut dash, &mut count)
        }),
        _ => entry(root, report, &mut dash, &mut count),
    };
    dash
}

/// An object with one row or many, and what is to be done with them.
fn entry(at: At<'_, '_>, report: &mut Report, dash: &mut Dash, count: &mut usize) -> Result<(), Reported> {
    const EXPECTED: &str = "an object such as {\"DASH_VNET_TABLE:vnet1\": {…}, \"OP\": \"SET\"}";
    let Node::Object(fields) = at.node else {
        // The next one is looked at all the same.
        at.expected(report, EXPECTED);
        return Ok(());
    };
    let operation = fields.iter().find(|(name, _)| name == "OP");
    let delete = match operation {
        None => false,
        Some((_, Node::Text(text))) if text == "SET" => false,
        Some((_, Node::Text(text))) if text == "DEL" => true,
        Some((name, node)) => {
            let place = Place::Field(at.place, name);
            At::new(node, &place).expected(report, "\"SET\" or \"DEL\"");
            return Ok(());
        }
    };
    for (key, node) in fields.iter().filter(|(name, _)| name != "OP") {
        *count += 1;
        let place = Place::Field(at.place, key);
        if *count > MAX_ROWS {
            return Err(report.problem(&place, format!("more than {MAX_ROWS} rows")));
        }
        let row = At::new(node, &place);
        let Some((table, key)) = key.split_once([':', '|']) else {
            row.place_problem(report, key);
            continue;
        };
        let _ = rows::row(table, key, row, delete, report, dash);
    }
    Ok(())
}

impl At<'_, '_> {
    fn place_problem(&self, report: &mut Report, key: &str) {
        let key = clip(key);
        report.problem(
            self.place,
            format!("{key:?}, expected a table and a key with a colon between them"),
        );
    }
}
