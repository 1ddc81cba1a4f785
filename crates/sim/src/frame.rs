//! A packet in the fabric as the frame that would be on the wire there. Made on demand, for looking at.

use crate::observer::Observer;
use crate::run::Sim;
use fabric::packet::{Packet, PacketKind, flags};
use fabric::{Clos, LinkKind, Top, path, usid};
use scenario::Model;
use std::net::Ipv6Addr;
use wire::{
    Base, Bits, Body, CcState, Ecn, Eeth, EndpointOp, Erth, Ev, Frame, Link, Mac, Mark, Meth, NackReason,
    Neth, Network, Payload, Psn, Qpn, Reth, Segment, Seth, Tseth, Write, dscp,
};

// Our choice: where the writes go and with which key; the simulator moves no data.
const BASE_ADDRESS: u64 = 0x7f00_0000_0000;
const RKEY: u32 = 0x0001_0203;
const P_KEY: u16 = 0xffff;
// Our choice: the first queue pair number; each connection takes two.
const FIRST_QPN: u32 = 0x10;
// Our choice: hop limit at the sender. Each switch takes one off the outer header (RFC 8986 §4.1).
const HOP_LIMIT: u8 = 64;
// EVs in the source port: the dynamic port range (RFC 6335), low bits the EV's index.
const PORT_BASE: u16 = 0xc000;

impl<O: Observer> Sim<O> {
    /// The frame of a packet as it is on (or waits for) directed link `link`; none under a model whose packets are not
    /// MRC frames.
    pub fn frame(&self, link: u32, packet: &Packet) -> Option<Frame> {
        if self.scenario.model != Model::Mrc {
            return None;
        }
        let end = self.clos().describe(link);
        let plane = end.plane as u8;
        let nic = || Mac::nic(plane, Bits::wrapping(u64::from(end.lower)));
        let switch = |tier, index| Mac::switch(wire::Usid::from_raw(usid::usid(end.plane, tier, index)));
        let t0 = |index| switch(usid::T0, index);
        let t1 = |index| switch(usid::T1, index);
        let t2 = |index| switch(usid::T2, index);
        let (src, dst) = match end.kind {
            LinkKind::NicUp => (nic(), t0(end.upper)),
            LinkKind::NicDown => (t0(end.upper), nic()),
            LinkKind::Up => (t0(end.lower), t1(end.upper)),
            LinkKind::Down => (t1(end.upper), t0(end.lower)),
            LinkKind::CoreUp => (t1(end.lower), t2(end.upper)),
            LinkKind::CoreDown => (t2(end.upper), t1(end.lower)),
        };
        let hops = self.path_of(packet).iter().position(|&l| l == link).unwrap_or(0) as u8;
        let (from, to) = self.endpoints(packet);
        let ecn = if packet.has(flags::ECN) && packet.kind == PacketKind::Data {
            Ecn::Ce
        } else {
            Ecn::Ect0
        };
        let class = self.traffic_class(packet);
        let ev = self.ev_on_wire(packet);
        let outer = Network {
            dscp: class,
            ecn,
            flow_label: ev.flow_label(),
            hop_limit: HOP_LIMIT - hops,
            src: wire::ipv6::nic_address(from),
            dst: remaining_path(self.clos(), packet.usids),
        };
        // A trim rewrites the outer class only (facts 1.8): inside it is still what the sender chose.
        let sent = Packet {
            flags: packet.flags & !(flags::TRIMMED | flags::TRIMMED_LAST_HOP),
            ..*packet
        };
        let inner = Network {
            dscp: self.traffic_class(&sent),
            ecn: Ecn::Ect0,
            hop_limit: HOP_LIMIT,
            dst: wire::ipv6::nic_address(to),
            ..outer
        };
        let towards_responder = matches!(packet.kind, PacketKind::Data | PacketKind::Probe);
        let qpn = match packet.kind {
            PacketKind::Probe | PacketKind::ProbeReply => wire::ENDPOINT_QPN,
            _ => Qpn::wrapping(u64::from(
                FIRST_QPN + 2 * packet.conn + u32::from(towards_responder),
            )),
        };
        let base = Base {
            se: false,
            m: false,
            p_key: P_KEY,
            dest_qp: qpn,
            a: packet.has(flags::ACK_REQUEST),
            rtx: packet.has(flags::RTX),
            psn: Psn::wrapping(u64::from(packet.psn)),
        };
        let frame = Frame {
            link: Link { dst, src },
            outer,
            inner,
            src_port: ev.src_port(),
            base,
            body: self.body(packet, ev),
        };
        if packet.has(flags::TRIMMED) && packet.kind == PacketKind::Data {
            return frame.trim(class);
        }
        Some(frame)
    }

    fn traffic_class(&self, packet: &Packet) -> wire::Dscp {
        match packet.kind {
            PacketKind::Data if packet.has(flags::TRIMMED_LAST_HOP) => dscp::TRIMMED_LAST_HOP,
            PacketKind::Data if packet.has(flags::TRIMMED) => dscp::TRIMMED,
            PacketKind::Data if packet.has(flags::RTX) => dscp::TRIMMABLE_RETX,
            PacketKind::Data => dscp::TRIMMABLE,
            _ => dscp::CONTROL,
        }
    }

    /// The EV as 32 bits (our choice): the uSID of the T1, or between pods of the T2, in the upper half, the EV's index in the
    /// lower. Between NICs of one T0, which need neither, it is a T1's as well.
    fn ev_on_wire(&self, packet: &Packet) -> Ev {
        let (clos, conn) = (self.clos(), self.conn(packet.conn));
        let number = self.t1_of(packet.conn, packet.ev);
        let (tier, index) = match clos.top(conn.src, conn.dst) {
            Top::T2 => (usid::T2, number),
            Top::T0 | Top::T1 => {
                let t1s = clos.t1s_above(clos.t0_of(conn.src));
                (usid::T1, t1s.start + number)
            }
        };
        let path = usid::usid(self.shared.plane(packet.ev), tier, index);
        Ev(u32::from(path) << 16 | u32::from(PORT_BASE | packet.ev))
    }

    fn body(&self, packet: &Packet, ev: Ev) -> Body {
        let tx_timestamp = (packet.sent / (u64::from(wire::TIMESTAMP_TICK_NS) * 1_000)) as u16;
        match packet.kind {
            PacketKind::Data => {
                let requester = &self.sender(packet.conn).requester;
                let last = packet.psn + 1 == requester.packets();
                let segment = match (packet.psn == 0, last) {
                    (true, true) => Segment::Only(None),
                    (true, false) => Segment::First,
                    (false, true) => Segment::Last(None),
                    (false, false) => Segment::Middle,
                };
                let offset = u64::from(packet.psn) * u64::from(self.shared.mrc.pmtu);
                Body::Write(Write {
                    segment,
                    meth: Meth { rqmsn: 0, msn: 1 },
                    tseth: Some(Tseth {
                        tx_timestamp,
                        tsr: false,
                    }),
                    reth: Reth {
                        va: BASE_ADDRESS + offset,
                        rkey: RKEY,
                        dma_len: u32::from(packet.payload),
                    },
                    payload: Payload::new(usize::from(packet.payload)).unwrap_or_default(),
                })
            }
            PacketKind::Sack => {
                // On the wire the cumulative PSN is the last one received, here it is the next one expected.
                let cack = packet.cack.wrapping_sub(1);
                Body::Sack(
                    Seth {
                        m: if packet.has(flags::ECN) {
                            Mark::SkipOnce
                        } else {
                            Mark::None
                        },
                        pr: false,
                        ack_psn_offset: packet.psn.wrapping_sub(cack) as i16,
                        entropy: ev,
                        spdcid: 0,
                        dpdcid: 0,
                        cack_psn: Psn::wrapping(u64::from(cack)),
                        cc_type: Bits::default(),
                        cc_flags: Bits::default(),
                        mpr: (self.shared.mrc.mpr / wire::seth::MPR_UNIT) as u8,
                        sack_offset: packet.sack_offset as i16 + 1,
                        sack_bitmap: packet.bitmap,
                    },
                    CcState {
                        tx_timestamp,
                        ooo_count: Bits::default(),
                        r_c: false,
                        rcv_cwnd_pen: Bits::default(),
                        rcvd_bytes: CcState::rcvd_bytes_field(u64::from(packet.rcvd_bytes)),
                    },
                )
            }
            PacketKind::Nack => Body::Nack(Neth {
                nack_reason: if packet.has(flags::TRIMMED_LAST_HOP) {
                    NackReason::TrimmedLastHop
                } else {
                    NackReason::Trimmed
                },
                vendor: 0,
                entropy: ev,
                spdcid: 0,
                dpdcid: 0,
                nack_psn: Psn::wrapping(u64::from(packet.psn)),
                cc_flags: Bits::default(),
                tx_timestamp,
            }),
            PacketKind::Probe => Body::EndpointRequest(Erth {
                op: EndpointOp::EvProbe,
                vendor: 0,
                port_status_mask: 0,
                tx_timestamp,
                tsr: false,
            }),
            PacketKind::ProbeReply => Body::EndpointResponse(Eeth {
                op: EndpointOp::EvProbe,
                tx_timestamp,
            }),
        }
    }
}

/// The outer destination: locator block and the uSIDs that are left.
fn remaining_path(clos: &Clos, container: u64) -> Ipv6Addr {
    let usids = path::expand(clos, container);
    let bits = usids.iter().fold(u128::from(wire::usid::BLOCK), |bits, &usid| {
        bits << 16 | u128::from(usid)
    });
    Ipv6Addr::from_bits(bits)
}
