//! A whole RoCEv2 packet of a reliable connection as one value, without its data.

mod aeth;
mod bth;
mod opcode;
mod parse;

pub use aeth::{NakCode, RoceAeth, RoceSyndrome, SackPsn};
pub use bth::RoceBth;
pub use opcode::RoceOpcode;

use crate::checksum::internet;
use crate::ethernet::{ETHERTYPE_IPV4, FCS_LEN};
use crate::ipv6::NEXT_HEADER_UDP;
use crate::sizes::PREAMBLE_AND_GAP;
use crate::udp::ROCE_PORT;
use crate::{
    Bits, Dscp, Ecn, Ethernet, Header, ImmDt, Ipv4, Link, Payload, Psn, Qpn, Reth, Udp, icrc, sizes,
};
use std::net::Ipv4Addr;

/// Reserved bytes of a CNP behind its BTH, all zero (IBTA, annex A17).
pub const CNP_RESERVED: usize = 16;

/// A RoCEv2 packet: Ethernet, IPv4, UDP, BTH and a [`RoceBody`].
///
/// Only what a sender chooses is a field; lengths, checksums, the opcode, BECN, padding and the iCRC follow from it, so
/// `parse(emit(frame)) == frame` always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoceFrame {
    /// Ethernet addresses of the current hop.
    pub link: Link,
    /// The IPv4 header.
    pub ip: RoceNetwork,
    /// UDP source port: what switches take the flow's entropy from.
    pub src_port: u16,
    /// The base transport header.
    pub base: RoceBase,
    /// What the packet is.
    pub body: RoceBody,
}

/// An IPv4 header as far as its sender chooses it. DF is set, and there are no options (IBTA, annex A17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoceNetwork {
    /// Class of service.
    pub dscp: Dscp,
    /// Congestion marking.
    pub ecn: Ecn,
    /// Identification; of no meaning, as DF is set (RFC 6864).
    pub identification: u16,
    /// Hops that are left.
    pub ttl: u8,
    /// Source address.
    pub src: Ipv4Addr,
    /// Destination address.
    pub dst: Ipv4Addr,
}

/// A base transport header as far as its sender chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoceBase {
    /// SE: solicited event.
    pub se: bool,
    /// M: migration state.
    pub m: bool,
    /// Partition key.
    pub p_key: u16,
    /// Queue pair that the packet is for.
    pub dest_qp: Qpn,
    /// A: an acknowledgement is wanted.
    pub a: bool,
    /// Packet sequence number.
    pub psn: Psn,
}

/// What a RoCEv2 packet is, with the headers that its opcode names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoceBody {
    /// Data of an RDMA WRITE.
    Write(RoceSegment, Payload),
    /// ACK or NAK.
    Ack(RoceAeth),
    /// NAK of selective repeat, which names what arrived out of order too.
    SelectiveNak(RoceAeth, Psn),
    /// Congestion notification packet.
    Cnp,
}

/// Which packet of its message a data packet is. Only the first one says where the message goes and how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoceSegment {
    /// The first of several.
    First(Reth),
    /// Neither first nor last.
    Middle,
    /// The last of several, with immediate data or without.
    Last(Option<ImmDt>),
    /// The only one, with immediate data or without.
    Only(Reth, Option<ImmDt>),
}

impl RoceSegment {
    fn opcode(&self) -> RoceOpcode {
        match self {
            RoceSegment::First(_) => RoceOpcode::WriteFirst,
            RoceSegment::Middle => RoceOpcode::WriteMiddle,
            RoceSegment::Last(None) => RoceOpcode::WriteLast,
            RoceSegment::Last(Some(_)) => RoceOpcode::WriteLastWithImmediate,
            RoceSegment::Only(_, None) => RoceOpcode::WriteOnly,
            RoceSegment::Only(_, Some(_)) => RoceOpcode::WriteOnlyWithImmediate,
        }
    }

    fn reth(&self) -> Option<&Reth> {
        match self {
            RoceSegment::First(reth) | RoceSegment::Only(reth, _) => Some(reth),
            RoceSegment::Middle | RoceSegment::Last(_) => None,
        }
    }

    fn immediate(&self) -> Option<&ImmDt> {
        match self {
            RoceSegment::Last(immediate) | RoceSegment::Only(_, immediate) => immediate.as_ref(),
            RoceSegment::First(_) | RoceSegment::Middle => None,
        }
    }
}

impl RoceBody {
    fn opcode(&self) -> RoceOpcode {
        match self {
            RoceBody::Write(segment, _) => segment.opcode(),
            RoceBody::Ack(_) | RoceBody::SelectiveNak(..) => RoceOpcode::Acknowledge,
            RoceBody::Cnp => RoceOpcode::Cnp,
        }
    }

    fn pad(&self) -> Bits<2> {
        match self {
            RoceBody::Write(_, payload) => payload.pad(),
            _ => Bits::default(),
        }
    }

    /// Bytes between the BTH and the iCRC.
    fn len(&self) -> usize {
        match self {
            RoceBody::Write(segment, payload) => {
                segment.reth().map_or(0, |_| Reth::LEN)
                    + segment.immediate().map_or(0, |_| ImmDt::LEN)
                    + payload.len()
                    + payload.pad().get() as usize
            }
            RoceBody::Ack(_) => RoceAeth::LEN,
            RoceBody::SelectiveNak(..) => RoceAeth::LEN + SackPsn::LEN,
            RoceBody::Cnp => CNP_RESERVED,
        }
    }

    fn emit(&self, out: &mut Vec<u8>) {
        match self {
            RoceBody::Write(segment, payload) => {
                if let Some(reth) = segment.reth() {
                    push(out, reth);
                }
                if let Some(immediate) = segment.immediate() {
                    push(out, immediate);
                }
                let start = out.len();
                out.resize(start + payload.len(), 0);
                Payload::fill(&mut out[start..]);
                out.resize(out.len() + payload.pad().get() as usize, 0);
            }
            RoceBody::Ack(aeth) => push(out, aeth),
            RoceBody::SelectiveNak(aeth, psn) => {
                push(out, aeth);
                push(out, &SackPsn { psn: *psn });
            }
            RoceBody::Cnp => out.resize(out.len() + CNP_RESERVED, 0),
        }
    }
}

impl RoceFrame {
    /// The BTH opcode.
    pub fn opcode(&self) -> RoceOpcode {
        self.body.opcode()
    }

    /// Bytes of link time that the packet takes: frame, FCS, preamble and gap.
    pub fn wire_len(&self) -> usize {
        let l3 = Ipv4::LEN + Udp::LEN + RoceBth::LEN + self.body.len() + icrc::LEN;
        Ethernet::LEN + l3 + FCS_LEN + PREAMBLE_AND_GAP
    }

    /// The frame's bytes from the Ethernet header to the iCRC, without the FCS, as captures have them.
    pub fn emit(&self) -> Vec<u8> {
        let udp_len = Udp::LEN + RoceBth::LEN + self.body.len() + icrc::LEN;
        let mut out = Vec::with_capacity(self.wire_len());
        push(
            &mut out,
            &Ethernet {
                dst: self.link.dst,
                src: self.link.src,
                ethertype: ETHERTYPE_IPV4,
            },
        );
        self.ip.emit(udp_len, &mut out);
        push(
            &mut out,
            &Udp {
                src_port: self.src_port,
                dst_port: ROCE_PORT,
                // No packet is longer than the field can say: `Payload::MAX` bounds it.
                length: udp_len as u16,
                checksum: 0,
            },
        );
        push(&mut out, &self.bth());
        self.body.emit(&mut out);
        let crc = icrc::compute(&out[Ethernet::LEN..]).expect("the packet is IPv4, UDP, BTH");
        out.extend(crc.to_le_bytes());
        out
    }

    /// What a switch that trims leaves of the packet: its first [`sizes::TRIM_LEN`] bytes, with another DSCP, and lengths and checksum
    /// that fit; a shorter packet stays whole. RoCE knows no such packet, and its receiver throws it away.
    pub fn trimmed(&self, dscp: Dscp) -> Vec<u8> {
        let ip = RoceNetwork { dscp, ..self.ip };
        let mut bytes = self.emit();
        bytes.truncate(sizes::TRIM_LEN);
        let udp_len = bytes.len() - Ethernet::LEN - Ipv4::LEN;
        let mut head = Vec::with_capacity(Ipv4::LEN);
        ip.emit(udp_len, &mut head);
        bytes[Ethernet::LEN..Ethernet::LEN + Ipv4::LEN].copy_from_slice(&head);
        let length = Ethernet::LEN + Ipv4::LEN + 4;
        bytes[length..length + 2].copy_from_slice(&(udp_len as u16).to_be_bytes());
        bytes
    }

    fn bth(&self) -> RoceBth {
        RoceBth {
            opcode: self.opcode(),
            se: self.base.se,
            m: self.base.m,
            pad: self.body.pad(),
            p_key: self.base.p_key,
            fecn: false,
            becn: self.body == RoceBody::Cnp,
            dest_qp: self.base.dest_qp,
            a: self.base.a,
            psn: self.base.psn,
        }
    }
}

impl RoceNetwork {
    fn emit(&self, payload_len: usize, out: &mut Vec<u8>) {
        let mut ip = Ipv4 {
            ihl: Bits::wrapping(5),
            dscp: self.dscp,
            ecn: self.ecn,
            total_len: (Ipv4::LEN + payload_len) as u16,
            identification: self.identification,
            dont_fragment: true,
            more_fragments: false,
            fragment_offset: Bits::default(),
            ttl: self.ttl,
            protocol: NEXT_HEADER_UDP,
            checksum: 0,
            src: self.src,
            dst: self.dst,
        };
        let mut bytes = [0; Ipv4::LEN];
        ip.emit(&mut bytes);
        ip.checksum = internet(&[&bytes]);
        push(out, &ip);
    }
}

fn push<H: Header>(out: &mut Vec<u8>, header: &H) {
    let start = out.len();
    out.resize(start + H::LEN, 0);
    header.emit(&mut out[start..]);
}

#[cfg(test)]
mod tests;
