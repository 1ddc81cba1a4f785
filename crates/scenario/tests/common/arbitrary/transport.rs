//! Endpoint settings.

use super::roce::roce;
use super::{factor, time, time_within};
use proptest::option;
use proptest::prelude::*;
use scenario::{Balancer, Bytes, Nscc, PortStatus, Protocol, Time, Transport, limits};

fn bytes_within(range: std::ops::RangeInclusive<Bytes>) -> impl Strategy<Value = Bytes> {
    (range.start().0..=range.end().0).prop_map(Bytes)
}

fn nscc() -> impl Strategy<Value = Nscc> {
    let times = (
        option::of(time_within(limits::NSCC_TIME)),
        option::of(time_within(limits::NSCC_TIME)),
        option::of(time_within(limits::NSCC_QA_THRESHOLD)),
        option::of(time_within(limits::NSCC_TIME)),
        time_within(limits::NSCC_IDLE_DELAY),
    );
    let sizes = (
        option::of(bytes_within(limits::NSCC_MAX_CWND)),
        option::of(bytes_within(limits::NSCC_ADJUST_BYTES)),
    );
    let increase = || option::of(0.0..=limits::MAX_NSCC_INCREASE);
    let increases = (increase(), increase(), increase(), increase());
    let rest = (
        0.0..=1.0,
        0.0..=1.0,
        limits::NSCC_QA_GATE,
        factor(1.0),
        any::<[bool; 2]>(),
    );
    (times, sizes, increases, rest).prop_map(
        |(
            (target_delay, base_rtt, qa_threshold, adjust_period_threshold, idle_delay),
            (max_cwnd, adjust_bytes_threshold),
            (fi, fi_scale, eta, alpha),
            (gamma, max_md_jump, qa_gate, delay_weight, [enabled, disable_qa]),
        )| Nscc {
            enabled,
            disable_qa,
            target_delay,
            base_rtt,
            max_cwnd,
            gamma,
            max_md_jump,
            fi,
            fi_scale,
            eta,
            alpha,
            qa_gate,
            qa_threshold,
            adjust_bytes_threshold,
            adjust_period_threshold,
            delay_weight,
            idle_delay,
        },
    )
}

/// EVs in use, in reserve, and the floor.
fn evs(planes: u32) -> impl Strategy<Value = (u32, Option<u32>, Option<u32>)> {
    (1..=512 / planes).prop_flat_map(move |per_plane| {
        let evs = per_plane * planes;
        let backup = (0..=(limits::MAX_ALL_EVS - evs) / planes).prop_map(move |n| n * planes);
        (Just(evs), option::of(backup), option::of(0..=evs))
    })
}

/// QPs of a flow: few, so that there are not too many flows.
fn qps() -> impl Strategy<Value = u32> {
    prop_oneof![Just(1), 1u32..=8]
}

/// RoCE's endpoints, with one of its path MTUs.
pub fn of_roce() -> impl Strategy<Value = Transport> {
    let pmtu = (8u32..=12).prop_map(|bits| Bytes(1 << bits));
    (qps(), pmtu, time_within(limits::HOST_LATENCY), roce()).prop_map(|(qps, pmtu, host_latency, roce)| {
        Transport {
            protocol: Protocol::Roce,
            qps,
            pmtu,
            host_latency,
            roce: Box::new(roce),
            ..Transport::default()
        }
    })
}

/// MRC's endpoints.
pub fn of_mrc(planes: u32) -> impl Strategy<Value = Transport> {
    let balancer = prop::sample::select(&Balancer::ALL[..]);
    let port_status = prop_oneof![Just(PortStatus::Update), Just(PortStatus::Off)];
    let choices = (balancer, port_status, qps(), any::<[bool; 3]>());
    let sizes = (
        bytes_within(limits::PMTU),
        bytes_within(limits::SACK_EVERY),
        (7u32..=14).prop_map(|bits| 1 << bits),
        limits::MAX_WIMM,
        factor(limits::MAX_WINDOW_BDP),
    );
    let probe = prop_oneof![Just(Time(0)), time_within(limits::RELIABILITY_PROBE)];
    let recovery = (
        option::of(time_within(limits::RTO)),
        limits::LINEAR_RETRIES,
        limits::EXPONENTIAL_RETRIES,
        option::of(time(0, limits::MAX_TIME)),
        option::of(probe),
        time_within(limits::PROBE_INTERVAL),
        limits::PROBES_TO_REVIVE,
    );
    let ports = (
        time_within(limits::PORT_TIME),
        time_within(limits::PORT_TIME),
        time_within(limits::HOST_LATENCY),
    );
    prop_oneof![
        Just(Transport {
            evs: 64 * planes,
            ..Transport::default()
        }),
        (choices, evs(planes), sizes, recovery, ports, nscc()).prop_map(
            |(
                (balancer, port_status, qps, [reverse_evs, message_acks, rccc]),
                (evs, backup_evs, ev_floor),
                (pmtu, sack_every, mpr, max_wimm, max_window_bdp),
                (rto, linear, exponential, window, probe, probe_interval, probes_to_revive),
                (port_detect, port_remap, host_latency),
                nscc,
            )| Transport {
                protocol: Protocol::Mrc,
                qps,
                pmtu,
                evs,
                backup_evs,
                ev_floor,
                balancer,
                reverse_evs,
                sack_every,
                message_acks,
                mpr,
                max_wimm,
                rto,
                linear_retries: linear,
                exponential_retries: exponential,
                reorder_window: window,
                reliability_probe: probe,
                probe_interval,
                probes_to_revive,
                port_detect,
                port_remap,
                port_status,
                host_latency,
                max_window_bdp,
                nscc,
                rccc,
                roce: Box::default(),
            }
        )
    ]
}
