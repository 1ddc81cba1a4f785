//! A whole MRC packet as one value, without its data.

mod body;
mod emit;
mod parse;

pub use body::{Body, Cut, Segment, Trimmed, Write};

use crate::bth::{Psn, Qpn};
use crate::dscp::Dscp;
use crate::ipv6::Ecn;
use crate::{Bits, Ev, Mac, Opcode, SegmentList, sizes};
use std::net::Ipv6Addr;

/// An MRC packet: outer Ethernet, outer IPv6 with the SRv6 route, an SRH where used, inner IPv6, UDP, BTH and a [`Body`].
///
/// Only what a sender chooses is a field. Lengths, next headers, the opcode, padding, the UDP port and the
/// iCRC follow from it, so no two fields can contradict each other and `parse(emit(frame)) == frame` always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Ethernet addresses of the current hop.
    pub link: Link,
    /// The outer IPv6 header; its destination is a uSID container.
    pub outer: Network,
    /// The Segment Routing Header, where the packet has one.
    pub srh: Option<SegmentList>,
    /// The inner IPv6 header, between the NICs' own addresses.
    pub inner: Network,
    /// UDP source port: the lower half of the EV.
    pub src_port: u16,
    /// The base transport header.
    pub base: Base,
    /// What the packet is.
    pub body: Body,
}

/// Ethernet addresses. What the frame holds gives the ethertype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Next hop.
    pub dst: Mac,
    /// Port that sends the frame.
    pub src: Mac,
}

/// An IPv6 header as far as its sender chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// Traffic class; see [`dscp`](crate::dscp).
    pub dscp: Dscp,
    /// Congestion marking.
    pub ecn: Ecn,
    /// Flow label: its low 16 bits are the upper half of the EV.
    pub flow_label: Bits<20>,
    /// Hops that are left.
    pub hop_limit: u8,
    /// Source address.
    pub src: Ipv6Addr,
    /// Destination address.
    pub dst: Ipv6Addr,
}

/// A base transport header as far as its sender chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base {
    /// SE: solicited event.
    pub se: bool,
    /// M: migration state.
    pub m: bool,
    /// Partition key.
    pub p_key: u16,
    /// Queue pair that the packet is for.
    pub dest_qp: Qpn,
    /// A: a SACK is wanted now.
    pub a: bool,
    /// RTX: a retransmission.
    pub rtx: bool,
    /// Packet sequence number.
    pub psn: Psn,
}

impl Frame {
    /// The BTH opcode.
    pub fn opcode(&self) -> Opcode {
        self.body.opcode()
    }

    /// The entropy value that the packet carries, from the inner flow label and the UDP source port.
    pub fn ev(&self) -> Ev {
        Ev::from_parts(self.inner.flow_label, self.src_port)
    }

    /// Bytes from the outer IPv6 header to the end, iCRC included and FCS not.
    pub fn l3_len(&self) -> usize {
        let srh = if self.srh.is_some() { sizes::SRH } else { 0 };
        srh + self.body.l3_len()
    }

    /// Bytes of link time that the packet takes: frame, FCS, preamble and gap.
    pub fn wire_len(&self) -> usize {
        sizes::wire(self.l3_len())
    }

    /// What a switch makes of a data packet that it trims: the first [`sizes::TRIM_LEN`] bytes
    /// ([`sizes::TRIM_LEN_WITH_SRH`] of a packet with one) with the outer DSCP set to `dscp`, usually
    /// [`TRIMMED`](crate::dscp::TRIMMED) or [`TRIMMED_LAST_HOP`](crate::dscp::TRIMMED_LAST_HOP). `None` if this is no data
    /// packet with its payload.
    ///
    /// Both IPv6 payload lengths and the UDP length are those of the short packet (our choice: a switch need
    /// only rewrite the outer one, but then dissectors call the packet malformed).
    pub fn trim(&self, dscp: Dscp) -> Option<Frame> {
        let Body::Write(write) = &self.body else {
            return None;
        };
        let outer = Network { dscp, ..self.outer };
        Some(Frame {
            outer,
            body: Body::Trimmed(write.trim()),
            ..*self
        })
    }
}
