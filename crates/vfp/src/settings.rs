//! What can be set at a port. Each default says where it comes from.

use gft::{Mac, Prefix};
use kernel::Time;

/// How long flows live after their last packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timers {
    /// Flows without TCP state. Default 240 s: `flowTimeoutInMinutes` of 4 (documented).
    pub default_ttl: Time,
    /// Half-open connections: SYN_SENT, SYN_RCVD. Default 5 s (documented for OPTE, chosen against SYN floods).
    pub half_open: Time,
    /// Established connections. Default 240 s: `flowTimeoutInMinutes` of 4, range 4 to 30 (documented).
    pub established: Time,
    /// One side has closed. Default 120 s (documented for OPTE).
    pub fin_wait: Time,
    /// Both sides have closed, the last acknowledgment is missing. Default 5 s (documented for OPTE).
    pub last_ack: Time,
    /// TIME_WAIT. Default 120 s (documented for OPTE).
    pub time_wait: Time,
    /// After a reset (`TcpConnectionsResetHalfTTL`). Default 5 s (documented).
    pub after_reset: Time,
    /// How long an address is resolved before its packets are given up. Default 5 s (our choice).
    pub pending: Time,
}

/// `s` seconds.
const fn seconds(s: u64) -> Time {
    Time::from_ms(s * 1_000)
}

impl Default for Timers {
    fn default() -> Timers {
        Timers {
            default_ttl: seconds(240),
            half_open: seconds(5),
            established: seconds(240),
            fin_wait: seconds(120),
            last_ack: seconds(5),
            time_wait: seconds(120),
            after_reset: seconds(5),
            pending: seconds(5),
        }
    }
}

/// Classes of flows that have limits and counters of their own, with the names of the shipped tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlowClass {
    /// Flows and what waits for a mapping.
    TotalEntry,
    /// Half-open TCP connections.
    HalfOpenFlow,
    /// All flows.
    TotalFlow,
    /// TCP.
    TcpFlow,
    /// UDP.
    UdpFlow,
    /// Neither TCP nor UDP.
    OtherFlow,
}

impl FlowClass {
    /// All, in the order of the shipped tool's numbers.
    pub const ALL: [FlowClass; 6] = [
        FlowClass::TotalEntry,
        FlowClass::HalfOpenFlow,
        FlowClass::TotalFlow,
        FlowClass::TcpFlow,
        FlowClass::UdpFlow,
        FlowClass::OtherFlow,
    ];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            FlowClass::TotalEntry => "TotalEntry",
            FlowClass::HalfOpenFlow => "HalfOpenFlow",
            FlowClass::TotalFlow => "TotalFlow",
            FlowClass::TcpFlow => "TCPFlow",
            FlowClass::UdpFlow => "UDPFlow",
            FlowClass::OtherFlow => "OtherFlow",
        }
    }
}

/// Flow pairs that a port can have whatever its limits say: a handle has 24 bits for them.
pub const MAX_PAIRS: u32 = 1 << 24;

/// Flow limits of one direction, by [`FlowClass`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits(pub [u32; 6]);

impl Limits {
    /// The limit of a class.
    pub const fn of(&self, class: FlowClass) -> u32 {
        self.0[class as usize]
    }

    /// The same with another limit for a class.
    #[must_use]
    pub const fn with(mut self, class: FlowClass, limit: u32) -> Limits {
        self.0[class as usize] = limit;
        self
    }
}

impl Default for Limits {
    /// 500,000 flows a direction, so 500,000 connections (documented). Half-open flows and the other classes have no lower
    /// limit of their own (our choice: what the product sets is not published).
    fn default() -> Limits {
        Limits([500_000; 6])
    }
}

/// When a flow's entries go to the hardware.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OffloadWhen {
    /// Never.
    Never,
    /// With the first packet: what facts/accelnet.md, section 2.5, has.
    #[default]
    FirstPacket,
    /// TCP when its handshake is complete, others with the first packet (our variant, against SYN floods).
    HandshakeComplete,
}

/// What happens to a TCP packet that is no SYN and belongs to no flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MidStream {
    /// It opens an established flow if the policy lets it through. Connections survive the loss of their state.
    #[default]
    PickUp,
    /// It is dropped.
    Drop,
}

/// What the VM may send.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    /// Its MAC address; `None` lets any pass.
    pub mac: Option<Mac>,
    /// Its addresses; none lets any pass.
    pub addresses: Vec<Prefix>,
    /// Tenant network identifiers that may come in; none lets any pass. Where there are some, what the VM sends may carry no
    /// encapsulation: that is put on here (our choice).
    pub tnis: Vec<u32>,
    /// Where no packet of the VM may go: the provider's own addresses (our choice; dropped as `DroppedAcl`).
    pub forbidden: Vec<Prefix>,
}

/// The settings of a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Enabled: else every packet is dropped as `NICDisabled`.
    pub enabled: bool,
    /// Blocked: every packet is dropped as `DropBlocked`.
    pub blocked: bool,
    /// What the VM may send.
    pub guard: Guard,
    /// Times to live.
    pub timers: Timers,
    /// Flow limits, out and in.
    pub limits: [Limits; 2],
    /// Whether TCP is tracked (`disableTcpStateTracking` turns it off). Default true.
    pub tcp_tracking: bool,
    /// TCP without a flow and without SYN.
    pub mid_stream: MidStream,
    /// Whether both ends of an established connection get a reset when it grows too old (`enableTcpReset`). Default false.
    pub inject_resets: bool,
    /// Whether unified flows are used. Without them every packet walks all layers, and nothing is offloaded. Default true.
    pub unified_flows: bool,
    /// When entries go to the hardware.
    pub offload: OffloadWhen,
    /// Addresses that may wait for their mapping at once. Default 1,024 (our choice).
    pub max_pending_entries: u32,
    /// Packets that may wait for a mapping at once. Default 4,096 (our choice).
    pub max_pending_packets: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            enabled: true,
            blocked: false,
            guard: Guard::default(),
            timers: Timers::default(),
            limits: [Limits::default(); 2],
            tcp_tracking: true,
            mid_stream: MidStream::default(),
            inject_resets: false,
            unified_flows: true,
            offload: OffloadWhen::default(),
            max_pending_entries: 1_024,
            max_pending_packets: 4_096,
        }
    }
}
