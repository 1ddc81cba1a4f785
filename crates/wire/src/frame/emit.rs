//! From value to bytes.

use super::{Body, Cut, Frame, Network};
use crate::ethernet::ETHERTYPE_IPV6;
use crate::ipv6::{NEXT_HEADER_IPV6, NEXT_HEADER_UDP};
use crate::srh::NEXT_HEADER_ROUTING;
use crate::udp::ROCE_PORT;
use crate::{Bth, Ethernet, Header, Ipv6, Payload, Srh, Udp, icrc};

impl Frame {
    /// The frame's bytes from the Ethernet header to the iCRC (or to the cut of a trimmed packet), without the
    /// FCS, as captures have them. [`ethernet::fcs`](crate::ethernet::fcs) gives the FCS.
    pub fn emit(&self) -> Vec<u8> {
        let l3 = self.l3_len();
        let udp_len = self.body.l3_len() - 2 * Ipv6::LEN;
        let mut out = Vec::with_capacity(Ethernet::LEN + l3);
        push(
            &mut out,
            &Ethernet {
                dst: self.link.dst,
                src: self.link.src,
                ethertype: ETHERTYPE_IPV6,
            },
        );
        let behind_outer = if self.srh.is_some() {
            NEXT_HEADER_ROUTING
        } else {
            NEXT_HEADER_IPV6
        };
        push(&mut out, &self.outer.header(behind_outer, l3 - Ipv6::LEN));
        if let Some(list) = &self.srh {
            push(
                &mut out,
                &Srh {
                    next_header: NEXT_HEADER_IPV6,
                    segments_left: list.left,
                    tag: list.tag,
                    segment: list.segment,
                },
            );
        }
        let inner = out.len();
        push(&mut out, &self.inner.header(NEXT_HEADER_UDP, udp_len));
        let length = udp_len as u16;
        push(
            &mut out,
            &Udp {
                src_port: self.src_port,
                dst_port: ROCE_PORT,
                length,
                checksum: 0,
            },
        );
        push(&mut out, &self.bth());
        self.emit_body(&mut out);
        if !matches!(self.body, Body::Trimmed(_)) {
            let crc = icrc::compute(&out[inner..]).expect("the inner packet is IPv6, UDP, BTH");
            out.extend(crc.to_le_bytes());
        }
        out
    }

    fn bth(&self) -> Bth {
        let base = &self.base;
        Bth {
            opcode: self.opcode(),
            se: base.se,
            m: base.m,
            pad: self.body.pad(),
            p_key: base.p_key,
            dest_qp: base.dest_qp,
            a: base.a,
            rtx: base.rtx,
            ts: self.body.has_timestamp(),
            psn: base.psn,
        }
    }

    fn emit_body(&self, out: &mut Vec<u8>) {
        match &self.body {
            Body::Write(write) => {
                push(out, &write.meth);
                if let Some(tseth) = &write.tseth {
                    push(out, tseth);
                }
                push(out, &write.reth);
                if let Some(immediate) = &write.segment.immediate() {
                    push(out, immediate);
                }
                let start = out.len();
                out.resize(start + write.payload.len(), 0);
                Payload::fill(&mut out[start..]);
                out.resize(out.len() + write.payload.pad().get() as usize, 0);
            }
            Body::Trimmed(trimmed) => {
                push(out, &trimmed.meth);
                match &trimmed.cut {
                    Cut::Timestamped(tseth, reth) => {
                        push(out, tseth);
                        out.extend(reth);
                    }
                    Cut::Plain(reth) => out.extend(reth),
                }
            }
            Body::Ack(aeth) => push(out, aeth),
            Body::Sack(seth, cc_state) => {
                push(out, seth);
                push(out, cc_state);
            }
            Body::Nack(neth) => push(out, neth),
            Body::ProbeRequest(peth) => push(out, peth),
            Body::EndpointRequest(erth) => push(out, erth),
            Body::EndpointResponse(eeth) => push(out, eeth),
        }
    }
}

impl Network {
    /// The whole header. No packet is longer than its length field can say: [`Payload::MAX`] bounds it.
    pub(crate) fn header(&self, next_header: u8, payload_len: usize) -> Ipv6 {
        Ipv6 {
            dscp: self.dscp,
            ecn: self.ecn,
            flow_label: self.flow_label,
            payload_len: payload_len as u16,
            next_header,
            hop_limit: self.hop_limit,
            src: self.src,
            dst: self.dst,
        }
    }
}

fn push<H: Header>(out: &mut Vec<u8>, header: &H) {
    let start = out.len();
    out.resize(start + H::LEN, 0);
    header.emit(&mut out[start..]);
}
