//! A packet in the fabric as the frame that would be on the wire there. Made on demand, for looking at.

mod roce;

use crate::observer::Observer;
use crate::run::Sim;
use fabric::packet::{Packet, PacketKind, flags};
use fabric::{Clos, LinkKind, Top, path, usid};
use scenario::Model;
use std::net::Ipv6Addr;
use wire::{
    Aeth, Base, Bits, Body, CcState, Ecn, Eeth, EndpointOp, Erth, Ev, Frame, ImmDt, Link, Mac, Mark, Meth,
    NackReason, Neth, Network, Payload, Peth, Psn, Qpn, Reth, Segment, Seth, Syndrome, Tseth, Write, dscp,
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
    /// The frame of a packet as it is on (or waits for) directed link `link`; none under a model or routing whose packets are not
    /// MRC's with SRv6, and none of a PAUSE frame, which has nothing above Ethernet.
    pub fn frame(&self, link: u32, packet: &Packet) -> Option<Frame> {
        if self.scenario.model != Model::Mrc || self.shared.is_hashed || packet.kind == PacketKind::Pause {
            return None;
        }
        let hops = self.hops_before(link, packet);
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
        let towards_responder = packet.is_to_responder();
        let qpn = match packet.kind {
            PacketKind::Probe
            | PacketKind::ProbeReply
            | PacketKind::PortStatus
            | PacketKind::PortStatusReply
            | PacketKind::MapperProbe => wire::ENDPOINT_QPN,
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
            link: self.addresses(link),
            outer,
            srh: None,
            inner,
            src_port: ev.src_port(),
            base,
            body: self.body(packet, ev)?,
        };
        if packet.has(flags::TRIMMED) && packet.kind == PacketKind::Data {
            return frame.trim(class);
        }
        Some(frame)
    }

    /// The Ethernet addresses of a directed link's two ends.
    fn addresses(&self, link: u32) -> Link {
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
        Link { dst, src }
    }

    /// How many links a packet on `link` has crossed before.
    fn hops_before(&self, link: u32, packet: &Packet) -> u8 {
        let path = self.path_of(link, packet);
        path.iter().position(|&l| l == link).unwrap_or(0) as u8
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
    /// lower. Between NICs of one T0, which need neither, it is a T1's as well. Of Clustermapper's probes it is the uSID of the
    /// switch where they turn round, and 0.
    fn ev_on_wire(&self, packet: &Packet) -> Ev {
        let clos = self.clos();
        if packet.agent().is_some() {
            let out = path::expand(clos, packet.bitmap);
            let switches = out.iter().filter(|&&id| id != 0 && usid::tier(id) != usid::NIC);
            let turn = out[switches.count() / 2];
            return Ev(u32::from(turn) << 16 | u32::from(PORT_BASE));
        }
        let conn = self.conn(packet.conn);
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

    /// What follows the BTH; none for a kind that has no form in MRC.
    fn body(&self, packet: &Packet, ev: Ev) -> Option<Body> {
        let tx_timestamp = (packet.sent / (u64::from(wire::TIMESTAMP_TICK_NS) * 1_000)) as u16;
        Some(match packet.kind {
            PacketKind::Data => {
                let stream = self.receiver(packet.conn).stream();
                let (message, within) = (stream.message(packet.psn), stream.within(packet.psn));
                let immediate = stream.immediate.then_some(ImmDt { data: message });
                let segment = match (within == 0, within + 1 == stream.per_message()) {
                    (true, true) => Segment::Only(immediate),
                    (true, false) => Segment::First,
                    (false, true) => Segment::Last(immediate),
                    (false, false) => Segment::Middle,
                };
                let offset =
                    u64::from(message) * stream.bytes + u64::from(within) * u64::from(self.shared.mrc.pmtu);
                // Message numbers begin at 1; RQMSN counts those that use up a receive (facts 1.4).
                let msn = (message + 1) as u16;
                Body::Write(Write {
                    segment,
                    meth: Meth {
                        rqmsn: if stream.immediate { msn } else { 0 },
                        msn,
                    },
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
                        m: if packet.has(flags::ALWAYS_SKIP) {
                            Mark::AlwaysSkip
                        } else if packet.has(flags::ECN) {
                            Mark::SkipOnce
                        } else {
                            Mark::None
                        },
                        pr: packet.has(flags::PROBE_RESPONSE),
                        // A probe has no PSN of its own.
                        ack_psn_offset: if packet.has(flags::PROBE_RESPONSE) {
                            0
                        } else {
                            packet.psn.wrapping_sub(cack) as i16
                        },
                        entropy: ev,
                        spdcid: 0,
                        dpdcid: 0,
                        cack_psn: Psn::wrapping(u64::from(cack)),
                        cc_type: Bits::default(),
                        cc_flags: Bits::default(),
                        mpr: packet.mpr,
                        sack_offset: packet.sack_offset as i16 + 1,
                        sack_bitmap: packet.bitmap,
                    },
                    CcState {
                        tx_timestamp,
                        ooo_count: Bits::default(),
                        r_c: packet.has(flags::RESTORE_CWND),
                        rcv_cwnd_pen: Bits::wrapping(u64::from(packet.penalty)),
                        rcvd_bytes: CcState::rcvd_bytes_field(u64::from(packet.rcvd_bytes)),
                    },
                )
            }
            PacketKind::Nack => Body::Nack(Neth {
                nack_reason: NackReason::from_code(packet.reason).unwrap_or(NackReason::Trimmed),
                vendor: 0,
                entropy: ev,
                spdcid: 0,
                dpdcid: 0,
                nack_psn: Psn::wrapping(u64::from(packet.psn)),
                cc_flags: Bits::default(),
                tx_timestamp,
            }),
            // The form of Clustermapper's probes is not public; ours is that of an EV probe to oneself. PAUSE frames do not come here.
            PacketKind::Probe | PacketKind::MapperProbe | PacketKind::Pause => Body::EndpointRequest(Erth {
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
            PacketKind::PortStatus => Body::EndpointRequest(Erth {
                op: EndpointOp::PortStatusUpdate,
                vendor: 0,
                // Ports count from 1 (companion API).
                port_status_mask: (packet.bitmap << 1) as u32,
                tx_timestamp,
                tsr: false,
            }),
            PacketKind::PortStatusReply => Body::EndpointResponse(Eeth {
                op: EndpointOp::PortStatusUpdate,
                tx_timestamp,
            }),
            PacketKind::Ack => Body::Ack(Aeth {
                syndrome: Syndrome::from_code(packet.reason).unwrap_or(Syndrome::Ack),
                msn: Bits::wrapping(u64::from(packet.psn) + 1),
            }),
            PacketKind::AckProbe => Body::ProbeRequest(Peth {
                vendor: 0,
                probe_id: packet.psn as u16,
                spdcid: 0,
                dpdcid: 0,
                tx_timestamp,
                tsr: false,
            }),
            PacketKind::Cnp | PacketKind::Credit => return None,
        })
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
