//! A packet on its way through the host.

use crate::tcp::Segment;
use gft::{Direction, EncapKind, Headers, Protocol};
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
    /// A message of RDMA: a part of one, or its acknowledgment.
    Rdma {
        /// Index in the scenario's list.
        traffic: u32,
        /// Which QP of the traffic, counted from 0.
        serial: u32,
    },
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
    /// Its TCP header, or the number of a part of an RDMA message in `seq`.
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
    headers.encaps.iter().flatten().map(|encap| size(encap.kind)).sum()
}

impl Packet {
    /// Bytes of its frame, check sequence included.
    pub fn frame_bytes(&self) -> u32 {
        (self.bytes + encapsulation(&self.headers) + ETHERNET).max(64)
    }

    /// Bytes that it takes on a line.
    pub fn line_bytes(&self) -> u32 {
        self.frame_bytes() + GAP
    }

    /// Payload bytes above TCP or UDP.
    pub fn payload(&self) -> u32 {
        match self.headers.tuple.protocol {
            Protocol::TCP => self.segment.len,
            _ => self.bytes.saturating_sub(UDP_HEADERS),
        }
    }
}
