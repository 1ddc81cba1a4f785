//! Fabrics of two and three tiers.

use super::{factor, time, time_within};
use proptest::option;
use proptest::prelude::*;
use scenario::{Bytes, Convergence, Fabric, Pfc, Queue, Rate, Routing, limits};

fn queue() -> impl Strategy<Value = Queue> {
    let f = || factor(limits::MAX_QUEUE_BDP);
    let weight = option::of(factor(limits::MAX_CONTROL_WEIGHT));
    prop_oneof![
        Just(Queue::default()),
        (
            (f(), f(), 0.0..=1.0, option::of(any::<bool>())),
            (f(), f(), f(), any::<bool>(), weight)
        )
            .prop_map(
                |((a, b, ecn_pmax, ecn_last_hop), (trim, last, control, trimming, control_weight))| Queue {
                    ecn_min_bdp: a.min(b),
                    ecn_max_bdp: a.max(b),
                    ecn_pmax,
                    ecn_last_hop,
                    trim_bdp: trim,
                    trim_last_hop_bdp: last,
                    control_bdp: control,
                    trimming,
                    control_weight,
                }
            )
    ]
}

/// Of any size of packets: its least threshold is two of the largest.
fn pfc() -> impl Strategy<Value = Pfc> {
    let least = 2 * limits::PMTU.end().0;
    let xoff = least..=limits::MAX_PFC.0;
    let headroom = option::of((0..=limits::MAX_PFC.0).prop_map(Bytes));
    prop_oneof![
        Just(Pfc::default()),
        (xoff, option::of(0.0..=1.0), headroom).prop_map(|(xoff, xon, headroom)| Pfc {
            xoff: Bytes(xoff),
            xon: xon.map(|share: f64| Bytes((xoff as f64 * share) as u64)),
            headroom,
        })
    ]
}

/// Who chooses paths, how fast tables follow, and whether T1s reroute.
fn routing() -> impl Strategy<Value = (Routing, Convergence, bool)> {
    let times = (
        time_within(limits::CONVERGENCE_TIME),
        time_within(limits::CONVERGENCE_TIME),
    );
    let convergence = times.prop_map(|(detect, converge)| Convergence { detect, converge });
    let by_switches = prop_oneof![Just(Routing::Ecmp), Just(Routing::Spray), Just(Routing::Adaptive)];
    prop_oneof![
        Just((Routing::Source, Convergence::default(), false)),
        (by_switches, convergence, any::<bool>())
    ]
}

/// `[pods, T0s, T1s, T2s, NICs per T0, rails]`.
fn shape() -> impl Strategy<Value = [u32; 6]> {
    let rails = || prop_oneof![Just(1u32), Just(2), Just(4)];
    let two = (1u32..=16, 1u32..=64, 2u32..=64, rails())
        .prop_map(|(t0, t1, nics, rails)| [1, t0 * rails, t1, 0, nics, rails]);
    let three = (1u32..=4, 1u32..=8, 1u32..=8, 1u32..=4, 2u32..=16, rails()).prop_map(
        |(pods, t0, t1, t2_per_t1, nics, rails)| {
            [pods, t0 * rails * pods, t1 * pods, t1 * t2_per_t1, nics, rails]
        },
    );
    prop_oneof![two, three]
}

pub fn fabric() -> impl Strategy<Value = Fabric> {
    let rate = || (limits::RATE.start().0..=limits::RATE.end().0).prop_map(Rate);
    let delay = || time_within(limits::LINK_DELAY);
    let rates = (rate(), option::of(rate()), option::of(rate()));
    let delays = (delay(), delay(), delay(), time(0, *limits::SWITCH_LATENCY.end()));
    let control = (queue(), routing(), option::of(pfc()));
    (limits::PLANES, shape(), rates, delays, control).prop_map(
        |(planes, shape, (nic_rate, t1_rate, t2_rate), (d0, d1, d2, latency), (queue, routing, pfc))| {
            let (routing, convergence, local_reroute) = routing;
            let [pods, t0_per_plane, t1_per_plane, t2_per_plane, nics_per_t0, rails] = shape;
            Fabric {
                planes,
                pods,
                t0_per_plane,
                t1_per_plane,
                t2_per_plane,
                nics_per_t0,
                rails,
                nic_link_rate: nic_rate,
                t1_link_rate: t1_rate,
                t2_link_rate: t2_rate,
                nic_link_delay: d0,
                t1_link_delay: d1,
                t2_link_delay: d2,
                switch_latency: latency,
                queue,
                routing,
                convergence,
                local_reroute,
                pfc,
            }
        },
    )
}
