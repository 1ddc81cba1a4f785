//! The network: planes, tiers, rails, links and queues.

use super::{Convergence, Pfc, Routing};
use crate::defaults;
use crate::quantity::{Rate, Time};
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// A multi-plane Clos fabric of two or three tiers. Each NIC has one port in every plane.
///
/// Two tiers: each T0 has one link to each T1 of its plane. Three tiers (`t2_per_plane` above 0): each plane is cut
/// into `pods` equal pods. Each T0 has one link to each T1 of its pod, and the i-th T1 of a pod has links to the T2s
/// i·k to i·k + k − 1 with k = `t2_per_plane` / T1s of a pod; so each T2 has one link to one T1 of each pod
/// (arXiv:2605.04333 §2.2: 64 pods of 32 T0s and 32 T1s, 1024 T2s).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields)]
pub struct Fabric {
    /// Parallel planes, 1 to 8. Published: 1, 4 and 8.
    pub planes: u32,
    /// Pods of each plane, 1 to 2048; 1 in a fabric of two tiers. Published: 64.
    #[serde(default = "defaults::one", skip_serializing_if = "defaults::is_one")]
    pub pods: u32,
    /// T0 switches in each plane, all pods together, 1 to 2048; a multiple of `pods` and of `rails`.
    pub t0_per_plane: u32,
    /// T1 switches in each plane, all pods together, 1 to 2048; a multiple of `pods`.
    pub t1_per_plane: u32,
    /// T2 switches in each plane, 0 to 2047; a multiple of the T1s of a pod. 0: two tiers.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub t2_per_plane: u32,
    /// NICs attached to each T0, 1 to 2048.
    pub nics_per_t0: u32,
    /// NICs of each node, 1 to 16: a node's NIC k is attached to a T0 of rail k. T0 t belongs to rail t mod `rails`.
    /// Published: four NICs a node (arXiv:2605.04333 §5); how they share T0s is our choice.
    #[serde(default = "defaults::one", skip_serializing_if = "defaults::is_one")]
    pub rails: u32,
    /// Rate of each NIC–T0 link, each direction.
    pub nic_link_rate: Rate,
    /// Rate of each T0–T1 link; that of a NIC–T0 link where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t1_link_rate: Option<Rate>,
    /// Rate of each T1–T2 link; that of a T0–T1 link where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t2_link_rate: Option<Rate>,
    /// One-way delay of a NIC–T0 link.
    #[serde(
        default = "defaults::link_delay",
        skip_serializing_if = "defaults::is_link_delay"
    )]
    pub nic_link_delay: Time,
    /// One-way delay of a T0–T1 link.
    #[serde(
        default = "defaults::link_delay",
        skip_serializing_if = "defaults::is_link_delay"
    )]
    pub t1_link_delay: Time,
    /// One-way delay of a T1–T2 link.
    #[serde(
        default = "defaults::link_delay",
        skip_serializing_if = "defaults::is_link_delay"
    )]
    pub t2_link_delay: Time,
    /// Time a switch needs from the end of a packet's arrival to its output queue.
    #[serde(
        default = "defaults::switch_latency",
        skip_serializing_if = "defaults::is_switch_latency"
    )]
    pub switch_latency: Time,
    /// Output queues of the switches.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub queue: Queue,
    /// Who chooses a packet's path.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub routing: Routing,
    /// How fast the switches' tables follow failures; of meaning only where switches choose the path.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub convergence: Convergence,
    /// A T1 that has no way down to a T0 sends the packet by another T0 of its pod, which sends it up again: a path with
    /// a valley. It saves packets while tables converge and breaks the order of up and down that keeps PFC from
    /// deadlocking (Hu et al., "Deadlocks in Datacenter Networks", HotNets 2016). Only where switches choose the path.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub local_reroute: bool,
    /// Priority flow control of the data class; none where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pfc: Option<Pfc>,
}

/// Output queue thresholds as multiples of the plane's BDP (link rate × base RTT).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Queue {
    /// ECN marking starts here.
    #[serde(skip_serializing_if = "defaults::is_ecn_min")]
    pub ecn_min_bdp: f64,
    /// ECN marks every packet above this.
    #[serde(skip_serializing_if = "defaults::is_ecn_max")]
    pub ecn_max_bdp: f64,
    /// The probability of a mark where the queue reaches `ecn_max_bdp`, 0 to 1; it grows in a straight line from 0 at
    /// `ecn_min_bdp`. UEC: 1. DCQCN's P_max: 0.01 (Zhu et al., SIGCOMM 2015).
    #[serde(skip_serializing_if = "defaults::is_ecn_pmax")]
    pub ecn_pmax: f64,
    /// ECN on the last hop, to a NIC, too. Left out: off with MRC (published), on in htsim's model and with RoCE.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn_last_hop: Option<bool>,
    /// A data packet that would not fit below this is trimmed (or dropped where trimming is off). With PFC neither
    /// happens.
    #[serde(skip_serializing_if = "defaults::is_trim")]
    pub trim_bdp: f64,
    /// The same on the last hop to a NIC.
    #[serde(skip_serializing_if = "defaults::is_trim_last_hop")]
    pub trim_last_hop_bdp: f64,
    /// Capacity of the control queue (SACK, NACK, probes, trimmed packets); beyond it they are dropped.
    #[serde(skip_serializing_if = "defaults::is_control")]
    pub control_bdp: f64,
    /// Packet trimming; off means tail drop. RoCE's packets are never trimmed, since its receivers would not know what to
    /// do with them; nor are any with PFC, whose queues drop nothing at their end.
    #[serde(skip_serializing_if = "defaults::is_trimming")]
    pub trimming: bool,
    /// The share of the line that the control class gets at most while data waits, above 0 and up to 0.5; left out, it
    /// has strict priority (our choice). Documented elsewhere: UEC v1.0.3 gives trimmed packets 25 % by weighted
    /// round robin, and at most 50 % (pp. 418–419).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_weight: Option<f64>,
}
