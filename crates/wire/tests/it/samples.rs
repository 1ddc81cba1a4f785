//! Frames to test with: one of each kind.

use wire::usid::BLOCK;
use wire::*;

/// A frame of a real path with this body: NIC 5 to NIC 300 by plane 3, T0 0, T1 17, T0 1, downlink 44.
pub(crate) fn sample(body: Body) -> Frame {
    let hops = [(Tier::T0, 0), (Tier::T1, 17), (Tier::T0, 1), (Tier::Nic, 44)];
    let path = hops.map(|(tier, index)| Usid::new(3, tier, index).unwrap());
    let ev = Ev(0x0003_0011);
    let (src, dst) = (ipv6::nic_address(5), ipv6::nic_address(300));
    let inner = Network {
        dscp: dscp::TRIMMABLE,
        ecn: Ecn::Ect0,
        flow_label: ev.flow_label(),
        hop_limit: 64,
        src,
        dst,
    };
    let route = UsidContainer::new(BLOCK, &path).unwrap().address();
    Frame {
        link: Link {
            dst: Mac::switch(path[0]),
            src: Mac::nic(3, Bits::wrapping(5)),
        },
        outer: Network { dst: route, ..inner },
        srh: None,
        inner,
        src_port: ev.src_port(),
        base: Base {
            se: false,
            m: false,
            p_key: 0xffff,
            dest_qp: Bits::wrapping(0x01_2345),
            a: true,
            rtx: false,
            psn: Bits::wrapping(0xab_cdef),
        },
        body,
    }
}

/// A full data packet with a timestamp.
pub(crate) fn full_data() -> Frame {
    sample(Body::Write(Write {
        segment: Segment::Middle,
        meth: Meth { rqmsn: 0, msn: 7 },
        tseth: Some(Tseth {
            tx_timestamp: 1000,
            tsr: false,
        }),
        reth: Reth {
            va: 0x7f00_0000_1000,
            rkey: 0x1234,
            dma_len: 4096,
        },
        payload: Payload::new(4096).unwrap(),
    }))
}

/// The frame with a Segment Routing Header that repeats its destination.
pub(crate) fn with_list(frame: Frame) -> Frame {
    let path: Vec<Usid> = UsidContainer::from(frame.outer.dst).usids().collect();
    let route = Route::new(BLOCK, &path, true).unwrap();
    Frame {
        srh: route.list,
        ..frame
    }
}

/// The frame on a way of eight switches and the NIC, which the destination alone cannot hold.
fn over_eight_switches(frame: Frame) -> Frame {
    let path: Vec<Usid> = (0..9)
        .map(|i| Usid::new(3, if i == 8 { Tier::Nic } else { Tier::T1 }, 40 + i).unwrap())
        .collect();
    let route = Route::new(BLOCK, &path, false).unwrap();
    Frame {
        outer: Network {
            dst: route.dst.address(),
            ..frame.outer
        },
        srh: route.list,
        ..frame
    }
}

/// One frame of each kind, with its name.
pub(crate) fn one_of_each() -> Vec<(&'static str, Frame)> {
    let data = full_data();
    let Body::Write(write) = data.body else {
        unreachable!()
    };
    let last = Write {
        segment: Segment::Last(Some(ImmDt { data: 0xdead_beef })),
        tseth: None,
        payload: Payload::new(13).unwrap(),
        ..write
    };
    let last = sample(Body::Write(last));
    let seth = Seth {
        m: Mark::SkipOnce,
        pr: false,
        ack_psn_offset: 3,
        entropy: data.ev(),
        spdcid: 1,
        dpdcid: 2,
        cack_psn: Bits::wrapping(100),
        cc_type: Bits::wrapping(0),
        cc_flags: Bits::wrapping(0),
        mpr: 32,
        sack_offset: 1,
        sack_bitmap: 0b110,
    };
    let cc_state = CcState {
        tx_timestamp: 1000,
        ooo_count: Bits::wrapping(2),
        r_c: false,
        rcv_cwnd_pen: Bits::wrapping(0),
        rcvd_bytes: CcState::rcvd_bytes_field(1 << 20),
    };
    let neth = Neth {
        nack_reason: NackReason::Trimmed,
        vendor: 0,
        entropy: data.ev(),
        spdcid: 1,
        dpdcid: 2,
        nack_psn: Bits::wrapping(104),
        cc_flags: Bits::wrapping(0),
        tx_timestamp: 1000,
    };
    let peth = Peth {
        vendor: 0,
        probe_id: 9,
        spdcid: 1,
        dpdcid: 2,
        tx_timestamp: 1000,
        tsr: false,
    };
    let erth = Erth {
        op: EndpointOp::EvProbe,
        vendor: 0,
        port_status_mask: 0xff,
        tx_timestamp: 1000,
        tsr: false,
    };
    let eeth = Eeth {
        op: EndpointOp::EvProbe,
        tx_timestamp: 1000,
    };
    vec![
        ("data", data),
        ("last with immediate", last),
        ("trimmed", data.trim(dscp::TRIMMED).unwrap()),
        (
            "trimmed at the last hop",
            last.trim(dscp::TRIMMED_LAST_HOP).unwrap(),
        ),
        (
            "ack",
            sample(Body::Ack(Aeth {
                syndrome: Syndrome::Ack,
                msn: Bits::wrapping(7),
            })),
        ),
        ("sack", sample(Body::Sack(seth, cc_state))),
        ("nack", sample(Body::Nack(neth))),
        ("probe request", sample(Body::ProbeRequest(peth))),
        ("endpoint request", sample(Body::EndpointRequest(erth))),
        ("endpoint response", sample(Body::EndpointResponse(eeth))),
        (
            "nak",
            sample(Body::Ack(Aeth {
                syndrome: Syndrome::TooManyImmediates,
                msn: Bits::wrapping(0x01_0203),
            })),
        ),
        (
            "port status update",
            sample(Body::EndpointRequest(Erth {
                op: EndpointOp::PortStatusUpdate,
                ..erth
            })),
        ),
        ("data with a segment list", with_list(data)),
        (
            "trimmed with a segment list",
            with_list(data).trim(dscp::TRIMMED).unwrap(),
        ),
        (
            "sack over eight switches",
            over_eight_switches(sample(Body::Sack(seth, cc_state))),
        ),
    ]
}
