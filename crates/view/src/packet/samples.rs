//! Frames for tests: one of each form that the fabric has, with values that are told apart.

use std::net::Ipv4Addr;
use wire::{
    Aeth, Base, Bits, Body, CcState, Ecn, Eeth, EndpointOp, Erth, Ev, Frame, ImmDt, Link, Mac, Mark, Meth,
    NackReason, Neth, Network, Payload, Peth, Reth, RoceAeth, RoceBase, RoceBody, RoceFrame, RoceNetwork,
    RoceSegment, RoceSyndrome, Segment, Seth, Syndrome, Tier, Tseth, Usid, UsidContainer, Write, dscp,
};

const LINK: Link = Link {
    dst: Mac([2, 1, 0, 0, 0x70, 0x11]),
    src: Mac([2, 0, 3, 0, 0, 5]),
};

/// NIC 5 to NIC 9 in plane 3: T0 1, T1 17, T0 2, its NIC 1.
fn frame(body: Body) -> Frame {
    let usid = |tier, index| Usid::new(3, tier, index).unwrap();
    let path = [
        usid(Tier::T0, 1),
        usid(Tier::T1, 17),
        usid(Tier::T0, 2),
        usid(Tier::Nic, 1),
    ];
    let ev = Ev(0x7011_c007);
    let outer = Network {
        dscp: dscp::TRIMMABLE,
        ecn: Ecn::Ce,
        flow_label: ev.flow_label(),
        hop_limit: 64,
        src: wire::ipv6::nic_address(5),
        dst: UsidContainer::new(wire::usid::BLOCK, &path).unwrap().address(),
    };
    Frame {
        link: LINK,
        outer,
        srh: None,
        inner: Network {
            dst: wire::ipv6::nic_address(9),
            ..outer
        },
        src_port: ev.src_port(),
        base: Base {
            se: false,
            m: false,
            p_key: 0xffff,
            dest_qp: Bits::wrapping(0x17),
            a: false,
            rtx: true,
            psn: Bits::wrapping(15),
        },
        body,
    }
}

fn write() -> Frame {
    frame(Body::Write(Write {
        segment: Segment::Only(Some(ImmDt { data: 1 })),
        meth: Meth { rqmsn: 1, msn: 1 },
        tseth: Some(Tseth {
            tx_timestamp: 7,
            tsr: false,
        }),
        reth: Reth {
            va: 0x7f00_0000_0000,
            rkey: 0x0001_0203,
            dma_len: 64,
        },
        payload: Payload::new(64).unwrap(),
    }))
}

/// A data packet, sent again and marked.
pub fn data() -> Vec<u8> {
    write().emit()
}

/// A SACK: cack_psn 10, ack_psn_offset +5, sack_offset +2, bits 1 and 3, mpr 3, rcvd_bytes 4, penalty 32/128.
pub fn sack() -> Vec<u8> {
    frame(Body::Sack(
        Seth {
            m: Mark::SkipOnce,
            pr: false,
            ack_psn_offset: 5,
            entropy: Ev(0x7011_c007),
            spdcid: 0,
            dpdcid: 0,
            cack_psn: Bits::wrapping(10),
            cc_type: Bits::default(),
            cc_flags: Bits::default(),
            mpr: 3,
            sack_offset: 2,
            sack_bitmap: 0b1010,
        },
        CcState {
            tx_timestamp: 7,
            ooo_count: Bits::default(),
            r_c: false,
            rcv_cwnd_pen: Bits::wrapping(32),
            rcvd_bytes: CcState::rcvd_bytes_field(1_024),
        },
    ))
    .emit()
}

/// A NACK for PSN 15, TRIMMED.
pub fn nack() -> Vec<u8> {
    frame(Body::Nack(Neth {
        nack_reason: NackReason::Trimmed,
        vendor: 0,
        entropy: Ev(0x7011_c007),
        spdcid: 0,
        dpdcid: 0,
        nack_psn: Bits::wrapping(15),
        cc_flags: Bits::default(),
        tx_timestamp: 7,
    }))
    .emit()
}

fn roce(body: RoceBody) -> Vec<u8> {
    let ip = RoceNetwork {
        dscp: Bits::wrapping(26),
        ecn: Ecn::Ect0,
        identification: 0,
        ttl: 64,
        src: Ipv4Addr::new(10, 0, 0, 6),
        dst: Ipv4Addr::new(10, 0, 0, 10),
    };
    let base = RoceBase {
        se: false,
        m: false,
        p_key: 0xffff,
        dest_qp: Bits::wrapping(0x17),
        a: true,
        psn: Bits::wrapping(15),
    };
    RoceFrame {
        link: LINK,
        ip,
        src_port: 0xc007,
        base,
        body,
    }
    .emit()
}

/// Frames of all forms, with what they are.
pub fn frames() -> Vec<(&'static str, Vec<u8>)> {
    let reth = Reth {
        va: 0,
        rkey: 1,
        dma_len: 64,
    };
    let aeth = RoceAeth {
        syndrome: RoceSyndrome::ACK,
        msn: Bits::wrapping(1),
    };
    let payload = Payload::new(64).unwrap();
    vec![
        ("data", data()),
        (
            "trimmed data",
            write().trim(dscp::TRIMMED).expect("it has a payload").emit(),
        ),
        ("SACK", sack()),
        ("NACK", nack()),
        (
            "ACK",
            frame(Body::Ack(Aeth {
                syndrome: Syndrome::Ack,
                msn: Bits::wrapping(1),
            }))
            .emit(),
        ),
        (
            "reliability probe",
            frame(Body::ProbeRequest(Peth {
                vendor: 0,
                probe_id: 4,
                spdcid: 0,
                dpdcid: 0,
                tx_timestamp: 7,
                tsr: false,
            }))
            .emit(),
        ),
        (
            "EV probe",
            frame(Body::EndpointRequest(Erth {
                op: EndpointOp::EvProbe,
                vendor: 0,
                port_status_mask: 0,
                tx_timestamp: 7,
                tsr: false,
            }))
            .emit(),
        ),
        (
            "answer to it",
            frame(Body::EndpointResponse(Eeth {
                op: EndpointOp::EvProbe,
                tx_timestamp: 7,
            }))
            .emit(),
        ),
        (
            "RoCE data",
            roce(RoceBody::Write(
                RoceSegment::Only(reth, Some(ImmDt { data: 1 })),
                payload,
            )),
        ),
        ("RoCE ACK", roce(RoceBody::Ack(aeth))),
        ("RoCE NAK", roce(RoceBody::SelectiveNak(aeth, Bits::wrapping(20)))),
        ("CNP", roce(RoceBody::Cnp)),
        (
            "PAUSE",
            wire::PfcFrame {
                src: LINK.src,
                times: [None, None, None, Some(65_535), None, None, None, None],
            }
            .emit(),
        ),
    ]
}
