//! Strategies for any frame.

use proptest::prelude::*;
use std::net::Ipv6Addr;
use wire::*;

/// Any value of a field that holds `N` bits.
pub(crate) fn bits<const N: u32>() -> impl Strategy<Value = Bits<N>> {
    (0..=Bits::<N>::MAX.get()).prop_map(|value| Bits::wrapping(value.into()))
}

pub(crate) fn mac() -> impl Strategy<Value = Mac> {
    any::<[u8; 6]>().prop_map(Mac)
}

pub(crate) fn network() -> impl Strategy<Value = Network> {
    let ecn = prop::sample::select(Ecn::ALL);
    (bits(), ecn, bits(), any::<u8>(), any::<u128>(), any::<u128>()).prop_map(
        |(dscp, ecn, flow_label, hop_limit, src, dst)| Network {
            dscp,
            ecn,
            flow_label,
            hop_limit,
            src: Ipv6Addr::from_bits(src),
            dst: Ipv6Addr::from_bits(dst),
        },
    )
}

fn srh() -> impl Strategy<Value = Option<SegmentList>> {
    let left = prop::sample::select(SegmentsLeft::ALL);
    let list = (left, any::<u16>(), any::<u128>()).prop_map(|(left, tag, segment)| SegmentList {
        left,
        tag,
        segment: Ipv6Addr::from_bits(segment),
    });
    prop::option::of(list)
}

fn base() -> impl Strategy<Value = Base> {
    (any::<[bool; 4]>(), any::<u16>(), bits(), bits()).prop_map(|([se, m, a, rtx], p_key, dest_qp, psn)| {
        Base {
            se,
            m,
            p_key,
            dest_qp,
            a,
            rtx,
            psn,
        }
    })
}

fn tseth() -> impl Strategy<Value = Tseth> {
    (any::<u16>(), any::<bool>()).prop_map(|(tx_timestamp, tsr)| Tseth { tx_timestamp, tsr })
}

fn meth() -> impl Strategy<Value = Meth> {
    (any::<u16>(), any::<u16>()).prop_map(|(rqmsn, msn)| Meth { rqmsn, msn })
}

fn segment() -> impl Strategy<Value = Segment> {
    let immediate = || prop::option::of(any::<u32>().prop_map(|data| ImmDt { data }));
    prop_oneof![
        Just(Segment::First),
        Just(Segment::Middle),
        immediate().prop_map(Segment::Last),
        immediate().prop_map(Segment::Only),
    ]
}

prop_compose! {
    fn write()(
        segment in segment(),
        meth in meth(),
        tseth in prop::option::of(tseth()),
        (va, rkey, dma_len) in any::<(u64, u32, u32)>(),
        len in prop_oneof![0usize..64, 0..=Payload::MAX],
    ) -> Write {
        let payload = Payload::new(len).unwrap();
        Write { segment, meth, tseth, reth: Reth { va, rkey, dma_len }, payload }
    }
}

prop_compose! {
    fn seth()(
        m in prop::sample::select(Mark::ALL),
        pr: bool,
        (ack_psn_offset, sack_offset) in any::<(i16, i16)>(),
        entropy in any::<u32>().prop_map(Ev),
        (spdcid, dpdcid) in any::<(u16, u16)>(),
        cack_psn in bits(),
        (cc_type, cc_flags) in (bits(), bits()),
        mpr: u8,
        sack_bitmap: u64,
    ) -> Seth {
        Seth {
            m, pr, ack_psn_offset, entropy, spdcid, dpdcid, cack_psn, cc_type, cc_flags, mpr, sack_offset,
            sack_bitmap,
        }
    }
}

prop_compose! {
    fn cc_state()(
        tx_timestamp: u16, ooo_count in bits(), r_c: bool, rcv_cwnd_pen in bits(), rcvd_bytes in bits(),
    ) -> CcState {
        CcState { tx_timestamp, ooo_count, r_c, rcv_cwnd_pen, rcvd_bytes }
    }
}

prop_compose! {
    fn neth()(
        nack_reason in prop::sample::select(NackReason::ALL),
        vendor: u8,
        entropy in any::<u32>().prop_map(Ev),
        (spdcid, dpdcid, tx_timestamp) in any::<(u16, u16, u16)>(),
        nack_psn in bits(),
        cc_flags in bits(),
    ) -> Neth {
        Neth { nack_reason, vendor, entropy, spdcid, dpdcid, nack_psn, cc_flags, tx_timestamp }
    }
}

prop_compose! {
    fn peth()(
        vendor: u8, (probe_id, spdcid, dpdcid, tx_timestamp) in any::<(u16, u16, u16, u16)>(), tsr: bool,
    ) -> Peth {
        Peth { vendor, probe_id, spdcid, dpdcid, tx_timestamp, tsr }
    }
}

prop_compose! {
    fn erth()(
        op in prop::sample::select(EndpointOp::ALL),
        vendor: u8, port_status_mask: u32, tx_timestamp: u16, tsr: bool,
    ) -> Erth {
        Erth { op, vendor, port_status_mask, tx_timestamp, tsr }
    }
}

fn control() -> impl Strategy<Value = Body> {
    let aeth =
        (prop::sample::select(Syndrome::ALL), bits()).prop_map(|(syndrome, msn)| Aeth { syndrome, msn });
    let eeth = (prop::sample::select(EndpointOp::ALL), any::<u16>())
        .prop_map(|(op, tx_timestamp)| Eeth { op, tx_timestamp });
    prop_oneof![
        aeth.prop_map(Body::Ack),
        (seth(), cc_state()).prop_map(|(seth, cc_state)| Body::Sack(seth, cc_state)),
        neth().prop_map(Body::Nack),
        peth().prop_map(Body::ProbeRequest),
        erth().prop_map(Body::EndpointRequest),
        eeth.prop_map(Body::EndpointResponse),
    ]
}

/// Any frame.
pub(crate) fn frame() -> impl Strategy<Value = Frame> {
    let body = prop_oneof![write().prop_map(Body::Write), control()];
    (
        mac(),
        mac(),
        network(),
        srh(),
        network(),
        any::<u16>(),
        base(),
        body,
        prop::option::of(bits()),
    )
        .prop_map(|(dst, src, outer, srh, inner, src_port, base, body, trim)| {
            let frame = Frame {
                link: Link { dst, src },
                outer,
                srh,
                inner,
                src_port,
                base,
                body,
            };
            trim.and_then(|dscp| frame.trim(dscp)).unwrap_or(frame)
        })
}
