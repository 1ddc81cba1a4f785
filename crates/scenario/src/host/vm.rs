//! VMs.

use super::policy::Policy;
use crate::quantity::Rate;
use serde::{Deserialize, Serialize};

/// A VM with one vNIC. Every field has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Vm {
    /// For people.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What its vNIC may send, counted in IP bytes, 1 Mb/s to 3.2 Tb/s. Published: 32 Gb/s where left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Packets of its transmit ring, 1 to 65,536: of what comes faster than the rate and does not wait, as UDP, more are lost
    /// (TxRingFull). TCP and RDMA wait instead. Documented (Linux, the send queue of mlx5, the VF's driver): 1,024.
    pub tx_ring: u32,
    /// What it has in the guest.
    pub path: Path,
    /// What VFP does with its packets.
    pub policy: Policy,
    /// Limits on its flows.
    pub limits: FlowLimits,
}

/// The guest's way to the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Path {
    /// NetVSC with a VF below it: accelerated networking.
    #[default]
    Vf,
    /// NetVSC alone: every packet crosses the vSwitch.
    Synthetic,
    /// DPDK's failsafe driver: VF and tap; it looks for a returned VF every 2 s, and loses what comes by the
    /// synthetic path while it has a VF (documented as a bug of the driver).
    DpdkFailsafe,
    /// DPDK's netvsc driver: both paths, as in the kernel.
    DpdkNetvsc,
    /// A DPDK driver bound to the VF alone: what comes by the synthetic path is never seen.
    DpdkVfOnly,
}

/// Limits on flows. A TCP connection or any other conversation counts as two: one each way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FlowLimits {
    /// All, 2 to 4,000,000. Documented (Azure): 1,000,000.
    pub total: u32,
    /// Half-open TCP, 1 to 4,000,000. Our choice: as many as all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_open: Option<u32>,
    /// Exceptions of this VM that the NIC passes on per second, above 0 and up to 10,000,000; more are dropped (StormLimit). Our
    /// choice: no limit. DASH documents quotas of connections per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exceptions_per_second: Option<f64>,
}
