//! What is sent.

use crate::quantity::{Bytes, Time};
use serde::{Deserialize, Serialize};

/// One kind of traffic of one VM. `start` and `stop` bound when something new begins; where left out, the whole run.
///
/// Peers outside are ideal responders: they answer at once and lose nothing; what their hosts and the network between add is in
/// [`Latency`](super::Latency).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Traffic {
    /// Small TCP messages to and fro on one connection, each after the answer to the one before.
    Ping {
        /// Which VM.
        vm: u32,
        /// How many, 1 to 10,000,000.
        count: u32,
        /// Payload of each, 1 to 1,460 bytes. Published: 4.
        #[serde(default = "ping_bytes")]
        bytes: u32,
        /// Pause after each answer.
        #[serde(default)]
        pause: Time,
        /// When.
        #[serde(default)]
        start: Time,
    },
    /// Bulk data over TCP.
    Stream {
        /// Which VM.
        vm: u32,
        /// Connections, 1 to 1,000.
        #[serde(default = "one")]
        connections: u32,
        /// Who sends the data.
        #[serde(default)]
        from: From,
        /// Bytes of each connection; without end where left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes: Option<Bytes>,
        /// When.
        #[serde(default)]
        start: Time,
    },
    /// Short TCP connections at a rate, opened at random times (a Poisson process): SYN, SYN-ACK, ACK, the request, the
    /// response, FIN, FIN, ACK.
    Connections {
        /// Which VM.
        vm: u32,
        /// New connections per second, above 0 and up to 10,000,000.
        per_second: f64,
        /// Who opens them.
        #[serde(default)]
        from: From,
        /// Bytes that the client asks with; 0: no data at all, six packets (documented: DASH).
        #[serde(default)]
        request: u32,
        /// Bytes of the answer.
        #[serde(default)]
        response: u32,
        /// How long the client waits before it closes.
        #[serde(default)]
        hold: Time,
        /// Different addresses that the VM's peers have, 1 to 32,768, outside of the VNET to 65,536. Connections take them in turn;
        /// of each the ports 1,024 to 61,023 are used in turn.
        #[serde(default = "one")]
        peers: u32,
        /// Outside of the VNET: source NAT applies.
        #[serde(default)]
        internet: bool,
        /// First one.
        #[serde(default)]
        start: Time,
        /// No new ones from here on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stop: Option<Time>,
    },
    /// SYNs from sources that never answer.
    SynFlood {
        /// Which VM.
        vm: u32,
        /// SYNs per second, above 0 and up to 10,000,000.
        per_second: f64,
        /// Different source addresses, 1 to 16,777,216; ports are random.
        sources: u32,
        /// When.
        #[serde(default)]
        start: Time,
        /// Until when.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stop: Option<Time>,
    },
    /// UDP packets of many flows at a rate in all. Which flow has the next packet is drawn.
    Flows {
        /// Which VM.
        vm: u32,
        /// Flows at a time, 1 to 2,000,000, and 4,000,000 of all traffic together.
        flows: u32,
        /// Packets per second of all together, above 0 and up to 100,000,000; evenly spaced.
        per_second: f64,
        /// IP bytes of a packet, 28 to 9,000.
        #[serde(default = "small_packet")]
        bytes: u32,
        /// Exponent of Zipf's law by which flows are drawn, 0 (all alike) to 3.
        #[serde(default)]
        skew: f64,
        /// Who sends.
        #[serde(default)]
        from: From,
        /// Each flow makes way for a new one after this time on average (churn); never where left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lifetime: Option<Time>,
        /// All flows are known to VFP and the NIC when the run begins.
        #[serde(default)]
        warm: bool,
        /// When.
        #[serde(default)]
        start: Time,
        /// Until when.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stop: Option<Time>,
    },
    /// Flows as they were recorded.
    Replay {
        /// Which VM.
        vm: u32,
        /// At most 100,000.
        flows: Vec<ReplayFlow>,
    },
    /// Messages over RDMA, one after the other, on one QP. When the VF goes, the QP is closed and the application goes on with
    /// TCP (published: there is no transparent path).
    Rdma {
        /// Which VM.
        vm: u32,
        /// Bytes of a message, 1 to 1 GiB.
        bytes: Bytes,
        /// How long the application takes to open a TCP connection instead. Our choice: 1 s.
        #[serde(default = "fallback")]
        fallback: Time,
        /// When.
        #[serde(default)]
        start: Time,
    },
    /// A VM tries what it should not be able to do. What comes of it is counted by what stopped it.
    Attack {
        /// Which VM: the attacker, but for `tenant_from_wire`, where it is the victim.
        vm: u32,
        /// What it tries.
        attempt: Attempt,
        /// Whose address it takes or whom it watches: another VM.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        victim: Option<u32>,
        /// Attempts per second, above 0 and up to 10,000,000; evenly spaced.
        per_second: f64,
        /// When.
        #[serde(default)]
        start: Time,
        /// Until when.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stop: Option<Time>,
    },
}

/// What a VM with a VF can try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attempt {
    /// Packets with the victim's address as their source.
    SourceAddress,
    /// Packets of a flow of its own, whose first packet was in order, with the victim's MAC address as their source.
    SourceMac,
    /// VXLAN packets that it has made itself, with another tenant's TNI: in turn from its own address to a provider address, from
    /// its host's provider address to another, and from its own address to a VM of its own network (which is no attack: an
    /// overlay would do so).
    Encapsulation,
    /// Packets that come from the wire for the VM with another tenant's TNI: somebody has got that far.
    TenantFromWire,
    /// Descriptors for packets at addresses within and beyond the VM's memory, as likely. Over the VF alone.
    Dma,
    /// Prime and probe on the NIC's cache on the chip: the VM keeps a flow of its own in the set of one of the victim's flows and
    /// times it. The victim sends a packet between or not, as likely.
    CacheTiming,
}

impl Attempt {
    /// Whether there has to be a victim.
    pub const fn has_victim(self) -> bool {
        matches!(
            self,
            Attempt::SourceAddress | Attempt::SourceMac | Attempt::CacheTiming
        )
    }

    /// Its name as JSON spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Attempt::SourceAddress => "source_address",
            Attempt::SourceMac => "source_mac",
            Attempt::Encapsulation => "encapsulation",
            Attempt::TenantFromWire => "tenant_from_wire",
            Attempt::Dma => "dma",
            Attempt::CacheTiming => "cache_timing",
        }
    }
}

/// Who begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum From {
    /// The VM.
    #[default]
    Vm,
    /// A peer outside.
    Peer,
}

/// A recorded flow, played as UDP packets at an even pace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayFlow {
    /// When it began.
    pub at: Time,
    /// From its first packet to its last.
    #[serde(default)]
    pub duration: Time,
    /// Who sent.
    pub from: From,
    /// The other side's address.
    pub peer: String,
    /// The other side's port.
    pub peer_port: u16,
    /// The VM's port.
    pub vm_port: u16,
    /// Packets, 1 to 1,000,000.
    pub packets: u32,
    /// IP bytes of each, 28 to 9,000.
    pub bytes: u32,
}

fn one() -> u32 {
    1
}
fn ping_bytes() -> u32 {
    4
}
fn small_packet() -> u32 {
    64
}
fn fallback() -> Time {
    Time::s(1)
}

impl Traffic {
    /// Which VM it belongs to.
    pub fn vm(&self) -> u32 {
        match *self {
            Traffic::Ping { vm, .. }
            | Traffic::Stream { vm, .. }
            | Traffic::Connections { vm, .. }
            | Traffic::SynFlood { vm, .. }
            | Traffic::Flows { vm, .. }
            | Traffic::Replay { vm, .. }
            | Traffic::Rdma { vm, .. }
            | Traffic::Attack { vm, .. } => vm,
        }
    }
}
