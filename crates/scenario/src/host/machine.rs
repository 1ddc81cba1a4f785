//! The machine: NIC, vSwitch cores, latencies, timers, defences.

use crate::quantity::{Bytes, Rate, Time};
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// The host without its VMs. Every field has a default; `{}` is a host as the AccelNet paper describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Host {
    /// Rate of the link between FPGA and rack switch, each direction, 1 Gb/s to 3.2 Tb/s. 40 Gb/s: documented for the first
    /// generation.
    pub link_rate: Rate,
    /// Bytes that wait for the link at most, each direction; more are dropped. Our choice: 512 KiB.
    pub link_buffer: Bytes,
    /// The SmartNIC.
    pub nic: Nic,
    /// The vSwitch: its cores and what each operation costs them.
    pub software: Software,
    /// One-way latencies of the two paths in an idle system.
    pub latency: Latency,
    /// The guests' and peers' TCP.
    pub tcp: Tcp,
    /// VFP's timers.
    pub timers: Timers,
    /// What is done against floods.
    pub defences: Defences,
    /// What a VM is kept from.
    pub guard: Guard,
    /// How long the steps of taking a VF away and giving it back last.
    pub servicing: Servicing,
    /// Time between two points of the time series; a 200th of the run where left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<Time>,
}

/// The SmartNIC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Nic {
    /// Whether flows are offloaded to it. Off: VFs exist, but every packet is an exception.
    pub offload: bool,
    /// Entries of the cache on the chip, a power of two from 1 to 65,536. Published: 2,048.
    pub l1_entries: u32,
    /// Its associativity, a power of two from 1 to 16. Published: direct-mapped.
    pub l1_ways: u32,
    /// Which entry of a full L1 set goes. Our choice; without effect when direct-mapped.
    pub l1_replacement: Replacement,
    /// Parts of that cache: a VM's flows stay in the part that its number chooses. A power of two up to 64 and to the number of
    /// sets. Our choice: 1, all VMs share all of it; as many as there are VMs is a defence against neighbours that time it.
    pub l1_partitions: u32,
    /// The key of the hash that chooses sets. Our choice: the one that everybody knows.
    pub hash_key: HashKey,
    /// Entries of the cache in the card's DRAM, a power of two from 1 to 2^22. Published: 1 M.
    pub l2_entries: u32,
    /// Its associativity, a power of two from 1 to 16. Our choice: 8.
    pub l2_ways: u32,
    /// Which entry of a full L2 set goes. Our choice: least recently used.
    pub l2_replacement: Replacement,
    /// Whether what is in neither cache is found in host memory. Our choice: no, such a packet is an exception.
    pub l3: bool,
    /// Time of one access to the card's DRAM, 0 to 100 µs. Our choice: 200 ns.
    pub l2_access: Time,
    /// Accesses per second that it serves, for each direction, 1,000 to 10^12. Our choice: 50 million.
    pub l2_accesses_per_second: u64,
    /// Time of one access to host memory over PCIe, 0 to 100 µs. Our choice: 1 µs.
    pub l3_access: Time,
    /// From VFP's order to the entry being active, half of it until it is there but deactivated, 0 to 1 s. Our choice: 4 µs.
    pub install_latency: Time,
    /// Time between two reports of the flows' counters to VFP, 1 ms to 1,000 s. VFP learns from them that a connection over the VF
    /// is established (it has no copy of the handshake's last segment): until then it counts as half-open. Our choice: 1 s.
    pub counter_period: Time,
}

/// Whether who sends packets can know which sets of the caches they go to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HashKey {
    /// The key of the public documentation of receive side scaling.
    #[default]
    Public,
    /// One that is drawn from the run's seed.
    Secret,
}

/// Which entry of a full set makes way for a new one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replacement {
    /// The least recently used.
    #[default]
    Lru,
    /// The first that was not used since the hand came by.
    Clock,
    /// Any.
    Random,
    /// The one with the lowest cache hint, of these the least recently used.
    Hint,
}

/// The vSwitch's cores and its cost model: what a packet costs a core is the sum over what VFP had to do for it. All costs are our
/// choice. `packet` and `byte` are set so that one connection gets the published 5 Gb/s through one core; the costs of a
/// walk, of the tables and of offloading so that one core sets up about 15,000 connections per second through the default
/// policy, which is our reading of "tens of thousands" (facts 1.8).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Software {
    /// Cores that run the vSwitch, 1 to 64. A connection's packets are served by one of them, chosen by a hash. Our choice: 8.
    pub cores: u32,
    /// How many of them serve the vPort to which the NIC sends exceptions and copies, 1 to `cores`. Our choice: 1.
    pub exception_cores: u32,
    /// Packets that wait for a core at most, 1 to 65,536; more are dropped. Our choice: 1,024.
    pub queue: u32,
    /// Any packet that passes: receiving, parsing, looking up the flow, sending.
    pub packet: Time,
    /// Each byte of it: copies and checksums.
    pub byte: Time,
    /// A layer that is walked.
    pub layer: Time,
    /// One step of a rule classifier.
    pub rule_step: Time,
    /// A flow table that is touched beyond the first look-up.
    pub table: Time,
    /// A flow entry that is made, removed or brought up to date.
    pub entry: Time,
    /// An order to the NIC: add or remove an entry.
    pub offload: Time,
    /// A copy of a SYN, FIN or RST that is looked at.
    pub copy: Time,
}

/// One-way latency of both paths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Latency {
    /// Over the VF, in hardware. Published: 17, 25 and 80 µs.
    pub hardware: PathLatency,
    /// Over the vSwitch. Published: 50, 100 and 300 µs.
    pub software: PathLatency,
}

/// One-way latency from application to application, peer's host and the network between included, in an idle system. The form of
/// the distribution is our choice: a fixed part and two exponential pieces that meet the three figures. Where one is given, all
/// three are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields)]
pub struct PathLatency {
    /// Mean, 1 µs to 10 ms.
    pub mean: Time,
    /// 99th percentile, above the mean and at most three times it.
    pub p99: Time,
    /// 99.9th percentile, at least the 99th and at most 100 times it.
    pub p999: Time,
}

/// TCP of guests and peers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Tcp {
    /// Payload bytes of a full segment, 536 to 8,960. Published conditions: MTU 1,500, so 1,460.
    pub mss: u32,
    /// Receive window, 4 KiB to 1 GiB. Our choice: 4 MiB.
    pub window: Bytes,
    /// Initial window in segments, 1 to 100. Documented (RFC 6928): 10.
    pub initial_window: u32,
    /// Least retransmission timeout, 1 ms to 10 s. Documented (Linux): 200 ms.
    pub min_rto: Time,
    /// Longest wait of an acknowledgment, 0 to 500 ms. Documented (Linux): 40 ms.
    pub delayed_ack: Time,
    /// How often a SYN or SYN-ACK is sent again, 0 to 16. Documented (Linux): 6.
    pub syn_retries: u32,
    /// How often in a row other segments are sent again, 1 to 30. Documented (Linux): 15.
    pub retries: u32,
    /// Half-open connections that a guest's listener holds, 1 to 1,000,000. Our choice: 1,024.
    pub backlog: u32,
    /// How long it holds one without an answer, 1 ms to 1,000 s. Documented (Linux, 5 SYN-ACK retries): 63 s.
    pub backlog_timeout: Time,
}

/// VFP's timers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Timers {
    /// A half-open TCP flow. Documented (OPTE): 5 s. An unhardened host would use `established`.
    pub half_open: Time,
    /// An idle established flow, and any other protocol's. Documented (Azure): 240 s.
    pub established: Time,
    /// TIME_WAIT. Documented (OPTE): 120 s.
    pub time_wait: Time,
    /// After a RST. Documented (DASH): 5 s.
    pub reset: Time,
}

/// What is done against floods.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Defences {
    /// The SmartNIC answers inbound SYNs itself with a SYN cookie and keeps no state (RFC 4987, section 3.6); a client that
    /// returns the cookie has its SYN passed on. Our choice: off; GFT is not known to have it.
    pub nic_syn_cookies: bool,
    /// The guests' listeners use SYN cookies when their backlog is full. Our choice: off.
    pub guest_syn_cookies: bool,
    /// The SmartNIC polices inbound SYNs that are exceptions. Our choice: off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syn_rate_limit: Option<RateLimit>,
}

/// What a VM is kept from. All of it is on by default; each can be turned off, to see what it stops.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Guard {
    /// VFP drops what a VM sends with an address or a MAC address that is not its own (DropIPv4Spoofing, MacSpoofing). Documented:
    /// guard flags of a port.
    pub spoofing: bool,
    /// The NIC drops frames from a VF with another source MAC address, before the flow table. The flow key has no MAC address, so
    /// nothing else looks at it where an entry is hit. Documented as a function of SR-IOV NICs (VF spoof check).
    pub vf_mac: bool,
    /// A port takes its own tenant's encapsulation from the wire and none from its VM (VirtualSubnetID). Documented: a port's list of
    /// allowed TNIs.
    pub tenant: bool,
    /// No VM reaches the provider's addresses (DroppedAcl). Our choice: they would take off an encapsulation that a VM has made.
    pub provider: bool,
    /// What the parser makes of an encapsulation that a VM has written itself.
    pub guest_encap: GuestEncap,
    /// The IOMMU lets a VF reach its own VM's memory alone. Documented for SR-IOV.
    pub iommu: bool,
}

/// What an encapsulation is that a VM has written itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GuestEncap {
    /// Payload: the packet is a UDP packet of the VM's, and its outer addresses are what counts. Our choice: Azure lets VMs run
    /// overlays of their own over VXLAN.
    #[default]
    Payload,
    /// An encapsulation like the host's: what is inside counts. For showing what that would let through.
    Parse,
}

/// A token bucket.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateLimit {
    /// SYNs per second, above 0.
    pub per_second: f64,
    /// SYNs at once, 1 to 1,000,000.
    pub burst: u32,
    /// What has a bucket of its own.
    #[serde(default)]
    pub per: RateLimitPer,
}

/// What has a bucket of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RateLimitPer {
    /// Each VM.
    #[default]
    Vm,
    /// Each source address. Sources beyond 65,536 share buckets.
    Source,
}

/// Steps of taking a VF away and giving it back. A scenario may shorten all of them alike to show in milliseconds what takes
/// seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Servicing {
    /// From the host's signal until the data path is switched, and from the VF's registration until it is switched back, 0 to
    /// 100 s. Documented (Linux, `VF_TAKEOVER_INT`): 100 ms.
    pub takeover: Time,
    /// From the switched data path to the removal of the VF, 0 to 100 s. Documented (a log in Azure's documentation): 1.11 s.
    pub removal: Time,
    /// From the return of the VF's slot to its registration, 0 to 100 s. Documented (the same log): 460 ms.
    pub registration: Time,
    /// Time between two looks of DPDK's failsafe driver for a returned VF, 1 µs to 100 s. Documented: 2 s.
    pub failsafe_poll: Time,
}
