//! How large the files will be, before any is written.

use crate::{Plan, Switch};

/// Most bytes that one export may have (our choice). The MRC paper's fabric of 131,072 NICs is within it.
pub const MAX_BYTES: u64 = 4 << 30;

// Upper bounds for what the writers write; `tests/size.rs` holds them against the largest fabrics.
const HEAD: u64 = 1_024;
const SONIC_PORT: u64 = 384;
const LINUX_PORT: u64 = 160;
const NIC_PORT: u64 = 288;
const EV_RULE: u64 = 64;
const EV_ROUTE: u64 = 160;

/// At most so many bytes for a switch in SONiC's form.
pub fn sonic_switch(plan: &Plan, switch: Switch) -> u64 {
    HEAD + SONIC_PORT * plan.ports(switch).count() as u64
}

/// At most so many bytes for a switch in Linux's form.
pub fn linux_switch(plan: &Plan, switch: Switch) -> u64 {
    HEAD + LINUX_PORT * plan.ports(switch).count() as u64
}

/// At most so many bytes for a NIC with so many peers in Linux's form.
pub fn linux_nic(plan: &Plan, peers: usize) -> u64 {
    let clos = plan.clos();
    let (planes, t1s, t2s) = (clos.planes, clos.t1s_per_pod(), clos.t2s);
    let (rules, routes) = (planes * (t1s + t2s), u64::from(planes * t1s.max(t2s)));
    HEAD + NIC_PORT * u64::from(planes) + EV_RULE * u64::from(rules) + EV_ROUTE * routes * peers as u64
}
