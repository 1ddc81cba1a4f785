//! A packet on its way through the host.

use crate::attack::Role;
use crate::tcp::Segment;
use gft::{Direction, EncapKind, ExceptionReason, Headers, Protocol, TcpFlags};
use kernel::Time;

/// Ethernet header and frame check sequence.
const ETHERNET: u32 = 18;
/// Preamble, start delimiter and gap between frames (IEEE 802.3).
const GAP: u32 = 20;
/// Bytes of an IPv4 and a TCP header without options.
pub const TCP_HEADERS: u32 = 40;
/// Bytes of an IPv4 and a UDP header.
pub const UDP_HEADERS: u32 = 28;

/// Which way a packet took through the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Route {
    /// Over the VF, matched by the NIC.
    Hardware,
    /// Over the VF to the NIC, from there to the vSwitch as an exception.
    Exception,
    /// Over the synthetic path: through the vSwitch.
    Synthetic,
}

impl Route {
    /// All three.
    pub const ALL: [Route; 3] = [Route::Hardware, Route::Exception, Route::Synthetic];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Route::Hardware => "hardware",
            Route::Exception => "exception",
            Route::Synthetic => "synthetic",
        }
    }
}

/// Whose packet it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A TCP connection: its number, and how often the number had been used before.
    Conn {
        /// Number.
        conn: u32,
        /// Use of the number.
        serial: u32,
    },
    /// UDP of this traffic.
    Datagram {
        /// Index in the scenario's list.
        traffic: u32,
    },
    /// A SYN of a flood, or the answer to one.
    Flood {
        /// Index in the scenario's list.
        traffic: u32,
    },
    /// A packet of an attack.
    Attack {
        /// Index in the scenario's list.
        traffic: u32,
        /// What it is for.
        role: Role,
    },
    /// A message of RDMA: a part of one, or its acknowledgment.
    Rdma {
        /// Index in the scenario's list.
        traffic: u32,
        /// Which QP of the traffic, counted from 0.
        serial: u32,
    },
}

/// Where a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Between the guest and the SmartNIC, over the VF.
    GuestToNic,
    /// Between the guest and the vSwitch.
    GuestToSwitch,
    /// In the SmartNIC's pipeline.
    Pipeline,
    /// Waiting for a core of the vSwitch.
    CoreQueue(u32),
    /// Served by a core.
    Core(u32),
    /// On the link and in the network, outbound.
    ToNetwork,
    /// In the network, inbound.
    FromNetwork,
    /// On the last link, inbound.
    Link,
    /// On its way to the guest.
    ToGuest,
}

/// A packet.
#[derive(Clone, Debug)]
pub struct Packet {
    /// Whose it is.
    pub owner: Owner,
    /// Which VM it comes from or goes to.
    pub vm: u32,
    /// Seen from the VM.
    pub direction: Direction,
    /// Its headers as they are now.
    pub headers: Headers,
    /// Its TCP header, or in `seq` the number of a part of an RDMA message, or what an attack notes.
    pub segment: Segment,
    /// Bytes of the innermost IP packet.
    pub bytes: u32,
    /// When its sender handed it over.
    pub sent: Time,
    /// Which way it took, as far as that is known yet.
    pub route: Route,
    /// Random bits of its latency.
    pub bits: u64,
    /// What of its latency lies behind it.
    pub spent: Time,
    /// A SYN whose sender has returned a cookie.
    pub verified: bool,
    /// The SYN-ACK by which the NIC asks for that.
    pub challenge: bool,
    /// A copy for VFP; the packet itself goes its way.
    pub copy: bool,
    /// Why the NIC sent it to the vSwitch.
    pub exception: Option<ExceptionReason>,
    /// Where it is.
    pub place: Place,
    /// Since when.
    pub since: Time,
    /// Until when, as far as is known.
    pub until: Time,
}

/// Bytes that the encapsulations take.
fn encapsulation(headers: &Headers) -> u32 {
    let size = |kind| match kind {
        // Outer Ethernet, IPv4 and UDP header, VXLAN header.
        EncapKind::Vxlan => 14 + 20 + 8 + 8,
        // Outer Ethernet and IPv4 header, GRE with key.
        EncapKind::Nvgre => 14 + 20 + 8,
        EncapKind::IpInGre => 20 + 8,
        EncapKind::IpInIp => 20,
    };
    headers
        .encaps
        .iter()
        .flatten()
        .map(|encap| size(encap.kind))
        .sum()
}

impl Packet {
    /// A packet that is handed over at `now`.
    pub(crate) fn new(
        owner: Owner,
        vm: u32,
        direction: Direction,
        headers: Headers,
        bytes: u32,
        now: Time,
    ) -> Packet {
        Packet {
            owner,
            vm,
            direction,
            headers,
            segment: Segment::default(),
            bytes,
            sent: now,
            route: Route::Hardware,
            bits: 0,
            spent: Time::ZERO,
            verified: false,
            challenge: false,
            copy: false,
            exception: None,
            place: Place::GuestToNic,
            since: now,
            until: now,
        }
    }

    /// Bytes of its frame, check sequence included.
    pub fn frame_bytes(&self) -> u32 {
        (self.bytes + encapsulation(&self.headers) + ETHERNET).max(64)
    }

    /// Bytes that it takes on a line.
    pub fn line_bytes(&self) -> u32 {
        self.frame_bytes() + GAP
    }

    /// A TCP SYN without ACK.
    pub fn is_syn(&self) -> bool {
        let flags = self.headers.flags;
        self.headers.tuple.protocol == Protocol::TCP && flags.has(TcpFlags::SYN) && !flags.has(TcpFlags::ACK)
    }

    /// Payload bytes above TCP or UDP.
    pub fn payload(&self) -> u32 {
        match self.headers.tuple.protocol {
            Protocol::TCP => self.segment.len,
            _ => self.bytes.saturating_sub(UDP_HEADERS),
        }
    }
}
