//! Valid scenarios of every kind.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use scenario::{
    Balancer, Bytes, Fabric, Fault, FaultKind, LinkName, Model, Queue, Rate, Scenario, SwitchName, Time,
    Traffic, Transport, limits,
};

fn time(min: u64, max: Time) -> impl Strategy<Value = Time> {
    // Round numbers as people write them, and any others.
    prop_oneof![min..=max.0, (0..=max.0 / 1_000_000).prop_map(|us| us * 1_000_000)]
        .prop_map(move |ps| Time(ps.clamp(min, max.0)))
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

fn queue() -> impl Strategy<Value = Queue> {
    let f = || factor(limits::MAX_QUEUE_BDP);
    prop_oneof![
        Just(Queue::default()),
        (f(), f(), f(), f(), f(), any::<bool>()).prop_map(|(a, b, trim, last, control, trimming)| Queue {
            ecn_min_bdp: a.min(b),
            ecn_max_bdp: a.max(b),
            trim_bdp: trim,
            trim_last_hop_bdp: last,
            control_bdp: control,
            trimming,
        })
    ]
}

fn fabric() -> impl Strategy<Value = Fabric> {
    let rate = || (limits::RATE.start().0..=limits::RATE.end().0).prop_map(Rate);
    let delay = || time(1_000, *limits::LINK_DELAY.end());
    let shape = (limits::PLANES, 1u32..=64, 1u32..=64, 2u32..=64);
    let links = (
        rate(),
        option::of(rate()),
        delay(),
        delay(),
        time(0, *limits::SWITCH_LATENCY.end()),
    );
    (shape, links, queue()).prop_map(
        |((planes, t0, t1, nics), (nic_rate, t1_rate, d0, d1, s), queue)| Fabric {
            planes,
            t0_per_plane: t0,
            t1_per_plane: t1,
            nics_per_t0: nics,
            nic_link_rate: nic_rate,
            t1_link_rate: t1_rate,
            nic_link_delay: d0,
            t1_link_delay: d1,
            switch_latency: s,
            queue,
        },
    )
}

fn transport(planes: u32) -> impl Strategy<Value = Transport> {
    let balancer = prop_oneof![Just(Balancer::Mrc), Just(Balancer::Oblivious)];
    let sizes = (256u64..=9216, 1u32..=512 / planes, 1u64..=16 << 20);
    let times = (
        option::of(time(1_000_000, *limits::RTO.end())),
        option::of(time(0, limits::MAX_TIME)),
        time(1_000_000, limits::MAX_TIME),
    );
    let rest = (1u32..=16, factor(limits::MAX_WINDOW_BDP));
    prop_oneof![
        Just(Transport {
            evs: 64 * planes,
            ..Transport::default()
        }),
        (balancer, sizes, times, rest).prop_map(
            move |(balancer, (pmtu, per_plane, sack), (rto, window, probe), (revive, max_window))| {
                Transport {
                    pmtu: Bytes(pmtu),
                    evs: per_plane * planes,
                    balancer,
                    sack_every: Bytes(sack),
                    rto,
                    reorder_window: window,
                    probe_interval: probe,
                    probes_to_revive: revive,
                    max_window_bdp: max_window,
                }
            }
        )
    ]
}

/// One element; ids are filled in by [`scenario`].
fn traffic(nics: u32) -> impl Strategy<Value = Traffic> {
    let bytes = || prop_oneof![1u64..=1 << 40, (1u64..=64).prop_map(|n| n << 20)];
    let start = || time(0, limits::MAX_TIME);
    let pair = move || {
        (0..nics, 1..nics)
            .prop_map(move |(src, d)| (src, ((u64::from(src) + u64::from(d)) % u64::from(nics)) as u32))
    };
    prop_oneof![
        (pair(), bytes(), start(), option::of(Just(1))).prop_map(|((src, dst), b, start, id)| {
            Traffic::Flow {
                src,
                dst,
                bytes: Bytes(b),
                start,
                id,
            }
        }),
        (1..nics, bytes(), start()).prop_map(|(shift, b, start)| Traffic::Permutation {
            shift,
            bytes: Bytes(b),
            start
        }),
        (0..nics, 1..nics, bytes(), start()).prop_map(|(dst, senders, b, start)| Traffic::Incast {
            dst,
            senders,
            bytes: Bytes(b),
            start,
        }),
        (2..=nics.min(64), bytes(), start()).prop_map(|(n, b, start)| Traffic::AllToAll {
            nics: n,
            bytes: Bytes(b),
            start,
        }),
        vec((pair(), bytes(), start()), 0..20).prop_map(|list| Traffic::Flows {
            list: list
                .into_iter()
                .map(|((src, dst), b, start)| (src, dst, b, start.0, 1))
                .collect(),
        }),
    ]
}

fn fault(f: &Fabric) -> impl Strategy<Value = Fault> + use<> {
    let (planes, t0, t1, nics) = (f.planes, f.t0_per_plane, f.t1_per_plane, f.nics() as u32);
    let link = move || {
        prop_oneof![
            (0..planes, 0..nics).prop_map(|(plane, nic)| LinkName::Nic { plane, nic }),
            (0..planes, 0..t0, 0..t1).prop_map(|(plane, t0, t1)| LinkName::T0T1 { plane, t0, t1 }),
        ]
    };
    let switch = move || {
        prop_oneof![
            (0..planes, 0..t0).prop_map(|(plane, index)| SwitchName::T0 { plane, index }),
            (0..planes, 0..t1).prop_map(|(plane, index)| SwitchName::T1 { plane, index }),
        ]
    };
    let what = prop_oneof![
        link().prop_map(|link| FaultKind::LinkDown { link }),
        link().prop_map(|link| FaultKind::LinkUp { link }),
        (link(), 0.0..=1.0).prop_map(|(link, rate)| FaultKind::LinkLoss { link, rate }),
        switch().prop_map(|switch| FaultKind::SwitchDown { switch }),
        switch().prop_map(|switch| FaultKind::SwitchUp { switch }),
    ];
    (time(0, limits::MAX_TIME), what).prop_map(|(at, what)| Fault { at, what })
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

/// Any valid scenario.
pub fn scenario() -> impl Strategy<Value = Scenario> {
    fabric().prop_flat_map(|f| {
        let head = (text(200), text(300), any::<u64>(), time(1, limits::MAX_TIME));
        let model = prop_oneof![Just(Model::Mrc), Just(Model::Htsim)];
        let nics = f.nics() as u32;
        let sends = (traffic(nics), vec(traffic(nics), 0..6), 0..=u64::MAX / 2)
            .prop_filter(
                "at least one flow",
                |(first, _, _)| !matches!(first, Traffic::Flows { list } if list.is_empty()),
            )
            .prop_map(|(first, mut rest, id)| {
                rest.insert(0, first);
                distinct_ids(&mut rest, id);
                rest
            });
        let faults = vec(fault(&f), 0..6);
        (head, model, transport(f.planes), sends, faults, Just(f)).prop_map(
            |((name, about, seed, until), model, transport, traffic, faults, fabric)| Scenario {
                version: 1,
                name,
                about,
                seed,
                until,
                model,
                fabric,
                transport,
                traffic,
                faults,
            },
        )
    })
}
