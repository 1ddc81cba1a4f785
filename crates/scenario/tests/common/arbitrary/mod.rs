//! Valid scenarios of every kind.

mod fabric;
mod faults;
mod roce;
mod traffic;
mod transport;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use scenario::{
    Clustermapper, Fabric, Fault, FaultKind, Model, Routing, Scenario, Time, Traffic, Transport, limits,
};
use std::ops::RangeInclusive;

fn time(min: u64, max: Time) -> impl Strategy<Value = Time> {
    // Round numbers as people write them, and any others.
    prop_oneof![min..=max.0, (0..=max.0 / 1_000_000).prop_map(|us| us * 1_000_000)]
        .prop_map(move |ps| Time(ps.clamp(min, max.0)))
}

fn time_within(range: RangeInclusive<Time>) -> impl Strategy<Value = Time> {
    time(range.start().0, *range.end())
}

fn factor(max: f64) -> impl Strategy<Value = f64> {
    prop_oneof![
        (f64::MIN_POSITIVE..=max),
        (1u32..=2000).prop_map(move |n| (f64::from(n) / 10.0).min(max))
    ]
}

fn text(max: usize) -> impl Strategy<Value = String> {
    let c = any::<char>().prop_filter("no control characters", |c| !c.is_control());
    vec(c, 0..=max).prop_map(|chars| chars.into_iter().collect())
}

fn clustermapper() -> impl Strategy<Value = Clustermapper> {
    let parts = (
        time_within(limits::MAPPER_INTERVAL),
        option::of(limits::MAPPER_T1_PROBES),
        any::<[bool; 2]>(),
        limits::MAPPER_WINDOW,
        0.0..1.0,
    );
    prop_oneof![
        Just(Clustermapper::default()),
        parts.prop_map(
            |(interval, t1_probes, [denylist, degraded_planes], window, threshold)| Clustermapper {
                interval,
                t1_probes,
                denylist,
                degraded_planes,
                window,
                threshold,
            }
        )
    ]
}

/// Gives every flow that has an id another one.
fn distinct_ids(traffic: &mut [Traffic], first: u64) {
    let mut next = first;
    let mut fresh = || {
        next += 3;
        next
    };
    for item in traffic {
        match item {
            Traffic::Flow { id: Some(id), .. } => *id = fresh(),
            Traffic::Flows { list } => list.iter_mut().for_each(|flow| flow.4 = fresh()),
            _ => {}
        }
    }
}

/// Endpoints, Clustermapper and faults that go together: Clustermapper needs source routing, RoCE other routing, and two
/// faults need MRC.
type Ends = (Transport, Option<Clustermapper>, Vec<Fault>);

fn ends(fabric: &Fabric) -> BoxedStrategy<Ends> {
    let faults = || vec(faults::fault(fabric), 0..6);
    let mrc = || transport::of_mrc(fabric.planes);
    if fabric.routing == Routing::Source {
        return (mrc(), option::of(clustermapper()), faults()).boxed();
    }
    let roce = (transport::of_roce(), faults()).prop_map(|(transport, mut faults)| {
        faults.retain(|fault| {
            !matches!(
                fault.what,
                FaultKind::NicRefuses { .. } | FaultKind::NicPenalty { .. }
            )
        });
        (transport, None, faults)
    });
    let mrc = (mrc(), faults()).prop_map(|(transport, faults)| (transport, None, faults));
    prop_oneof![mrc, roce].boxed()
}

/// Any valid scenario.
pub fn scenario() -> impl Strategy<Value = Scenario> {
    fabric::fabric().prop_flat_map(|f| {
        let head = (text(200), text(300), any::<u64>(), time(1, limits::MAX_TIME));
        let model = prop_oneof![Just(Model::Mrc), Just(Model::Htsim)];
        let nics = f.nics() as u32;
        let sends = (
            traffic::element(nics),
            vec(traffic::element(nics), 0..6),
            0..=u64::MAX / 2,
        )
            .prop_filter(
                "at least one flow",
                |(first, _, _)| !matches!(first, Traffic::Flows { list } if list.is_empty()),
            )
            .prop_map(|(first, mut rest, id)| {
                rest.insert(0, first);
                distinct_ids(&mut rest, id);
                rest
            });
        let ends = ends(&f);
        (head, model, ends, sends, Just(f)).prop_map(
            |((name, about, seed, until), model, (transport, clustermapper, faults), traffic, fabric)| {
                Scenario {
                    version: 1,
                    name,
                    about,
                    seed,
                    until,
                    model,
                    fabric,
                    transport,
                    clustermapper,
                    traffic,
                    faults,
                }
            },
        )
    })
}
