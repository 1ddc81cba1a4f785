//! Faults of every kind at places that exist.

use super::{time, time_within};
use proptest::option;
use proptest::prelude::*;
use scenario::{Direction, Fabric, Fault, FaultKind, LinkName, Refusal, SwitchName, Tier, Time, limits};

fn link(f: &Fabric) -> BoxedStrategy<LinkName> {
    let f = f.clone();
    (0..f.planes, any::<[u32; 3]>())
        .prop_map(move |(plane, [kind, lower, upper])| {
            let t1 = lower % f.t1_per_plane;
            match kind % 3 {
                0 => LinkName::Nic {
                    plane,
                    nic: lower % f.nics() as u32,
                },
                1 if f.tiers() == 3 => LinkName::T1T2 {
                    plane,
                    t1,
                    t2: t1 % f.t1_per_pod() * f.t2_per_t1() + upper % f.t2_per_t1(),
                },
                _ => {
                    let t0 = lower % f.t0_per_plane;
                    let first = t0 / f.t0_per_pod() * f.t1_per_pod();
                    LinkName::T0T1 {
                        plane,
                        t0,
                        t1: first + upper % f.t1_per_pod(),
                    }
                }
            }
        })
        .boxed()
}

fn switch(f: &Fabric) -> BoxedStrategy<SwitchName> {
    let (t0s, t1s, t2s) = (f.t0_per_plane, f.t1_per_plane, f.t2_per_plane);
    (0..f.planes, any::<[u32; 2]>())
        .prop_map(move |(plane, [tier, index])| match tier % 3 {
            0 => SwitchName::T0 {
                plane,
                index: index % t0s,
            },
            1 if t2s > 0 => SwitchName::T2 {
                plane,
                index: index % t2s,
            },
            _ => SwitchName::T1 {
                plane,
                index: index % t1s,
            },
        })
        .boxed()
}

fn tier(f: &Fabric) -> BoxedStrategy<Tier> {
    let mut tiers = vec![Tier::Nic, Tier::T0T1];
    if f.tiers() == 3 {
        tiers.push(Tier::T1T2);
    }
    prop::sample::select(tiers).boxed()
}

/// What goes on for a while after `at`.
fn lasting(f: &Fabric, at: Time) -> BoxedStrategy<FaultKind> {
    let left = limits::MAX_TIME.0 - at.0;
    let flap = (
        link(f),
        time_within(limits::FLAP_TIME),
        time_within(limits::FLAP_TIME),
        any::<bool>(),
        any::<u64>(),
    )
        .prop_map(move |(link, down, up, random, length)| {
            // Some thousand changes at most.
            let most = left.min(1000 * (down.0 + up.0));
            FaultKind::LinkFlap {
                link,
                down,
                up,
                random,
                until: Time(at.0 + 1 + length % most),
            }
        });
    let fabric = f.clone();
    let several = (
        tier(f),
        option::of(0..f.planes),
        any::<u32>(),
        any::<u64>(),
        option::of(time_within(limits::FAULT_DURATION)),
    )
        .prop_map(move |(tier, plane, count, spacing, duration)| {
            let count = 1 + count % fabric.links_per_plane(tier).min(1000) as u32;
            FaultKind::LinksDown {
                tier,
                plane,
                count,
                spacing: Time(spacing % (left / u64::from(count) + 1)),
                duration,
            }
        });
    prop_oneof![flap, several].boxed()
}

pub fn fault(f: &Fabric) -> BoxedStrategy<Fault> {
    let (planes, nics) = (f.planes, f.nics() as u32);
    let rate = || 0.0..=1.0;
    let direction = || prop::sample::select(vec![Direction::Both, Direction::Up, Direction::Down]);
    let reason = prop::sample::select(vec![Refusal::NoBitmap, Refusal::NoPktBuffer, Refusal::NoResource]);
    let duration = || time_within(limits::FAULT_DURATION);
    let of_links = prop_oneof![
        (link(f), direction()).prop_map(|(link, direction)| FaultKind::LinkDown { link, direction }),
        (link(f), direction()).prop_map(|(link, direction)| FaultKind::LinkUp { link, direction }),
        (link(f), direction(), rate()).prop_map(|(link, direction, rate)| FaultKind::LinkLoss {
            link,
            direction,
            rate
        }),
        (link(f), direction(), rate()).prop_map(|(link, direction, rate)| FaultKind::LinkCorrupt {
            link,
            direction,
            rate
        }),
        (tier(f), direction(), rate()).prop_map(|(tier, direction, rate)| FaultKind::TierLoss {
            tier,
            direction,
            rate
        }),
    ];
    let of_switches = prop_oneof![
        switch(f).prop_map(|switch| FaultKind::SwitchDown { switch }),
        switch(f).prop_map(|switch| FaultKind::SwitchUp { switch }),
        (switch(f), duration()).prop_map(|(switch, duration)| FaultKind::SwitchReboot { switch, duration }),
        (switch(f), rate()).prop_map(|(switch, rate)| FaultKind::SwitchCorrupt { switch, rate }),
    ];
    let of_nics = prop_oneof![
        (0..nics, 0..planes, option::of(duration()))
            .prop_map(|(nic, plane, duration)| { FaultKind::NicPortDown { nic, plane, duration } }),
        (0..nics, duration()).prop_map(|(nic, duration)| FaultKind::NicFlap { nic, duration }),
        (0..nics, rate(), reason).prop_map(|(nic, rate, reason)| FaultKind::NicRefuses { nic, rate, reason }),
        (0..nics, limits::PENALTY).prop_map(|(nic, penalty)| FaultKind::NicPenalty { nic, penalty }),
    ];
    let what = prop_oneof![of_links, of_switches, of_nics].boxed();
    let f = f.clone();
    // What lasts needs time to do so.
    time(0, Time(limits::MAX_TIME.0 - 1))
        .prop_flat_map(move |at| {
            let what = prop_oneof![3 => what.clone(), 1 => lasting(&f, at)];
            (Just(at), what)
        })
        .prop_map(|(at, what)| Fault { at, what })
        .boxed()
}
