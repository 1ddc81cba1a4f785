//! The scenario: everything that decides a run, as one versioned value.
//!
//! Version 1. A field that is left out has its default, so that short scenarios stay short and old links
//! keep their meaning: a default never changes within a version.

use crate::defaults;
use crate::json_form::{FaultForm, TrafficForm};
use crate::place::{LinkName, SwitchName};
use crate::quantity::{Bytes, Rate, Time};
use serde::{Deserialize, Serialize};

/// The schema version that this build writes and reads.
pub const VERSION: u32 = 1;

/// One experiment: a fabric, endpoints, traffic and faults. Same scenario, same seed: same run, bit for bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Schema version; 1.
    pub version: u32,
    /// A short title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What to look for, in plain words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Seed of every random choice in the run.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub seed: u64,
    /// The run ends here at the latest; it ends earlier when every flow is complete.
    pub until: Time,
    /// Whose rules the endpoints and queues follow.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub model: Model,
    /// The network.
    pub fabric: Fabric,
    /// The endpoints.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub transport: Transport,
    /// What is sent.
    pub traffic: Vec<Traffic>,
    /// What breaks and heals, and when. Order in the list breaks ties at the same time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
}

/// Whose rules the endpoints and queues follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// MRC: SRv6 frames, EVs that name their path, no ECN on the last hop.
    #[default]
    Mrc,
    /// uet-htsim's model settings, for comparing models and not parameters: 4,150 B packets with 64 B of
    /// header, 64 B control packets, hashed entropies, ECN on the last hop too, a coin for which packet is trimmed.
    Htsim,
}

/// A two-tier multi-plane Clos fabric. Each NIC has one port in every plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fabric {
    /// Parallel planes, 1 to 8.
    pub planes: u32,
    /// T0 switches in each plane, 1 to 2048.
    pub t0_per_plane: u32,
    /// T1 switches in each plane, 1 to 2048. Each T0 has one link to each T1 of its plane.
    pub t1_per_plane: u32,
    /// NICs attached to each T0, 1 to 2048.
    pub nics_per_t0: u32,
    /// Rate of each NIC–T0 link, each direction.
    pub nic_link_rate: Rate,
    /// Rate of each T0–T1 link; that of a NIC–T0 link where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t1_link_rate: Option<Rate>,
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
    /// Time a switch needs from the end of a packet's arrival to its output queue.
    #[serde(
        default = "defaults::switch_latency",
        skip_serializing_if = "defaults::is_switch_latency"
    )]
    pub switch_latency: Time,
    /// Output queues of the switches.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub queue: Queue,
}

impl Fabric {
    /// NICs in all; no overflow whatever the fields hold.
    pub const fn nics(&self) -> u64 {
        self.t0_per_plane as u64 * self.nics_per_t0 as u64
    }

    /// The rate of the T0–T1 links.
    pub fn t1_rate(&self) -> Rate {
        self.t1_link_rate.unwrap_or(self.nic_link_rate)
    }
}

/// Output queue thresholds as multiples of the plane's BDP (link rate × base RTT).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Queue {
    /// ECN marking starts here.
    #[serde(skip_serializing_if = "defaults::is_ecn_min")]
    pub ecn_min_bdp: f64,
    /// ECN marks every packet from here.
    #[serde(skip_serializing_if = "defaults::is_ecn_max")]
    pub ecn_max_bdp: f64,
    /// A data packet that would not fit below this is trimmed (or dropped where trimming is off).
    #[serde(skip_serializing_if = "defaults::is_trim")]
    pub trim_bdp: f64,
    /// The same on the last hop to a NIC.
    #[serde(skip_serializing_if = "defaults::is_trim_last_hop")]
    pub trim_last_hop_bdp: f64,
    /// Capacity of the control queue (SACK, NACK, probes, trimmed packets); beyond it they are dropped.
    #[serde(skip_serializing_if = "defaults::is_control")]
    pub control_bdp: f64,
    /// Packet trimming; off means tail drop.
    #[serde(skip_serializing_if = "defaults::is_trimming")]
    pub trimming: bool,
}

/// The MRC endpoints' settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Transport {
    /// Payload bytes of a full packet (PMTU), 256 to 9216.
    #[serde(skip_serializing_if = "defaults::is_pmtu")]
    pub pmtu: Bytes,
    /// Entropy values per QP, 1 to 512; a multiple of the number of planes.
    #[serde(skip_serializing_if = "defaults::is_evs")]
    pub evs: u32,
    /// How the sender chooses among its EVs.
    #[serde(skip_serializing_if = "defaults::is_default")]
    pub balancer: Balancer,
    /// A SACK is sent at the latest when this many bytes have arrived since the last one.
    #[serde(skip_serializing_if = "defaults::is_sack_every")]
    pub sack_every: Bytes,
    /// Retransmission timeout; derived from the base RTT where left out (our choice).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rto: Option<Time>,
    /// Loss is also inferred when a packet sent this long after another has been acknowledged first.
    /// Derived from the base RTT where left out (our choice); "0" turns it off and leaves the timeout alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reorder_window: Option<Time>,
    /// Time between two probes of an EV that is ASSUMED_BAD.
    #[serde(skip_serializing_if = "defaults::is_probe_interval")]
    pub probe_interval: Time,
    /// Successful probes in a row that bring an EV back to GOOD, 1 to 16.
    #[serde(skip_serializing_if = "defaults::is_probes_to_revive")]
    pub probes_to_revive: u32,
    /// Initial and largest congestion window, as a multiple of the NIC's BDP.
    #[serde(skip_serializing_if = "defaults::is_max_window")]
    pub max_window_bdp: f64,
}

/// How the sender chooses among its EVs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Balancer {
    /// MRC: rotation over GOOD EVs; ECN and trims skip one turn, losses take the EV out until probes succeed.
    #[default]
    Mrc,
    /// Rotation over all EVs whatever happens to them.
    Oblivious,
}

/// `[src, dst, bytes, start in ps, id]` of one flow.
pub type FlowTuple = (u32, u32, u64, u64, u64);

/// One element of the traffic: a single flow or a pattern of many. Each flow is one QP with one RDMA WRITE.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", try_from = "TrafficForm")]
pub enum Traffic {
    /// One flow.
    Flow {
        /// Sending NIC.
        src: u32,
        /// Receiving NIC.
        dst: u32,
        /// Message size.
        bytes: Bytes,
        /// When it is posted.
        #[serde(skip_serializing_if = "defaults::is_default")]
        start: Time,
        /// The flow's number in results; counted from 1 in order where left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
    },
    /// Each NIC s sends to NIC (s + shift) mod N.
    Permutation {
        /// Distance between sender and receiver, 1 to N − 1.
        shift: u32,
        /// Message size of each flow.
        bytes: Bytes,
        /// When they are posted.
        #[serde(skip_serializing_if = "defaults::is_default")]
        start: Time,
    },
    /// `senders` NICs, spread evenly, send to one.
    Incast {
        /// Receiving NIC.
        dst: u32,
        /// How many senders.
        senders: u32,
        /// Message size of each flow.
        bytes: Bytes,
        /// When they are posted.
        #[serde(skip_serializing_if = "defaults::is_default")]
        start: Time,
    },
    /// Every ordered pair among NICs 0 to n − 1.
    AllToAll {
        /// How many NICs take part.
        nics: u32,
        /// Message size of each flow.
        bytes: Bytes,
        /// When they are posted.
        #[serde(skip_serializing_if = "defaults::is_default")]
        start: Time,
    },
    /// Many explicit flows in compact form (imported connection matrices).
    Flows {
        /// `[src, dst, bytes, start in ps, id]` each.
        list: Vec<FlowTuple>,
    },
}

/// A change of the fabric's health at a given time, applied before any packet event of that time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "FaultForm")]
pub struct Fault {
    /// When.
    pub at: Time,
    /// What.
    #[serde(flatten)]
    pub what: FaultKind,
}

/// What breaks or heals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum FaultKind {
    /// Both directions of a link stop; what is queued for it or on it is lost.
    LinkDown {
        /// Which link.
        link: LinkName,
    },
    /// Both directions work again.
    LinkUp {
        /// Which link.
        link: LinkName,
    },
    /// Each packet crossing the link (either direction) is lost with this probability, 0 to 1; 0 ends it.
    LinkLoss {
        /// Which link.
        link: LinkName,
        /// Probability per packet.
        rate: f64,
    },
    /// A switch stops forwarding; its links stay up in the eyes of its neighbours.
    SwitchDown {
        /// Which switch.
        switch: SwitchName,
    },
    /// The switch forwards again.
    SwitchUp {
        /// Which switch.
        switch: SwitchName,
    },
}
