//! Faults become single changes at their times.

mod common;

use common::{arbitrary, small, three_tiers};
use proptest::prelude::*;
use scenario::limits::MAX_FAULT_EVENTS;
use scenario::{
    Direction, Effect, Fault, FaultEvent, FaultKind, LinkName, Refusal, Scenario, SwitchName, Tier, Time,
};
use std::collections::{BTreeMap, BTreeSet};

fn with(base: Scenario, faults: Vec<(u64, FaultKind)>) -> Scenario {
    let faults = faults
        .into_iter()
        .map(|(us, what)| Fault {
            at: Time::us(us),
            what,
        })
        .collect();
    let s = Scenario { faults, ..base };
    assert_eq!(s.validate(), Ok(()));
    s
}

/// As "at in µs, cause: what".
fn told(s: &Scenario) -> Vec<String> {
    s.fault_events()
        .iter()
        .map(|e| {
            let what = match &e.what {
                Effect::LinkDown { link, .. } => format!("{link} down"),
                Effect::LinkUp { link, .. } => format!("{link} up"),
                other => format!("{other:?}"),
            };
            format!("{} {}: {what}", e.at.0 / 1_000_000, e.cause)
        })
        .collect()
}

fn link(name: &str) -> LinkName {
    name.parse().unwrap()
}

fn switch(name: &str) -> SwitchName {
    name.parse().unwrap()
}

#[test]
fn what_is_one_change_is_one_event() {
    let (up, link, dead) = (Direction::Up, link("p1/t0.3-t1.1"), switch("p0/t1.1"));
    let (rate, tier, nic) = (0.25, Tier::T0T1, 5);
    let reason = Refusal::NoBitmap;
    let events = [
        Effect::LinkDown { link, direction: up },
        Effect::LinkUp { link, direction: up },
        Effect::LinkLoss {
            link,
            direction: up,
            rate,
        },
        Effect::LinkCorrupt {
            link,
            direction: up,
            rate,
        },
        Effect::TierLoss {
            tier,
            direction: up,
            rate,
        },
        Effect::SwitchDown { switch: dead },
        Effect::SwitchUp { switch: dead },
        Effect::SwitchCorrupt { switch: dead, rate },
        Effect::NicRefuses { nic, rate, reason },
        Effect::NicPenalty { nic, penalty: 9 },
    ];
    let kinds = events.iter().map(|e| (3, FaultKind::from(e.clone()))).collect();
    let expected: Vec<FaultEvent> = (0..)
        .zip(events)
        .map(|(cause, what)| FaultEvent {
            at: Time::us(3),
            cause,
            what,
        })
        .collect();
    let s = with(small(), kinds);
    assert_eq!(s.fault_events(), expected);
    for (index, event) in expected.iter().enumerate() {
        assert_eq!(s.fault_events_of(index), std::slice::from_ref(event));
    }
    assert_eq!(s.fault_events_of(10), []);
}

#[test]
fn events_are_in_order_of_time_and_then_of_the_list() {
    let port = FaultKind::NicPortDown {
        nic: 3,
        plane: 1,
        duration: Some(Time::us(4)),
    };
    let s = with(
        small(),
        vec![
            (9, FaultKind::link_down(link("p0/n1"))),
            (5, port),
            (5, FaultKind::link_down(link("p0/n2"))),
        ],
    );
    assert_eq!(
        told(&s),
        [
            "5 1: p1/n3 down",
            "5 2: p0/n2 down",
            "9 0: p0/n1 down",
            "9 1: p1/n3 up"
        ]
    );
    let own = s.fault_events_of(1);
    assert!(own.len() == 2 && own.iter().all(|e| e.cause == 1));
}

#[test]
fn a_port_may_stay_down() {
    let port = FaultKind::NicPortDown {
        nic: 3,
        plane: 0,
        duration: None,
    };
    assert_eq!(told(&with(small(), vec![(1, port)])), ["1 0: p0/n3 down"]);
}

#[test]
fn a_transceiver_takes_all_ports_of_its_nic() {
    let flap = FaultKind::NicFlap {
        nic: 6,
        duration: Time::us(2),
    };
    assert_eq!(
        told(&with(small(), vec![(1, flap)])),
        [
            "1 0: p0/n6 down",
            "1 0: p1/n6 down",
            "3 0: p0/n6 up",
            "3 0: p1/n6 up"
        ]
    );
}

/// The links of [`three_tiers`], from its description: T0 1 has NICs 4 to 7 and, in pod 0, T1s 0 and 1; T1 3 is the second
/// one of pod 1 with T0s 2 and 3 below and T2s 2 and 3 above; T2 1 has the first T1 of each pod.
#[test]
fn a_reboot_takes_the_links_of_its_switch_and_no_others() {
    for (name, links) in [
        (
            "p1/t0.1",
            vec!["p1/n4", "p1/n5", "p1/n6", "p1/n7", "p1/t0.1-t1.0", "p1/t0.1-t1.1"],
        ),
        (
            "p0/t1.3",
            vec!["p0/t0.2-t1.3", "p0/t0.3-t1.3", "p0/t1.3-t2.2", "p0/t1.3-t2.3"],
        ),
        ("p0/t2.1", vec!["p0/t1.0-t2.1", "p0/t1.2-t2.1"]),
    ] {
        let reboot = FaultKind::SwitchReboot {
            switch: switch(name),
            duration: Time::us(10),
        };
        let expected: Vec<String> = (links.iter().map(|link| format!("1 0: {link} down")))
            .chain(links.iter().map(|link| format!("11 0: {link} up")))
            .collect();
        assert_eq!(told(&with(three_tiers(), vec![(1, reboot)])), expected, "{name}");
    }
    // In two tiers a T1 has all T0s of the plane.
    let reboot = FaultKind::SwitchReboot {
        switch: switch("p0/t1.1"),
        duration: Time::us(10),
    };
    let downs = &told(&with(small(), vec![(1, reboot)]))[..4];
    assert_eq!(downs, [0, 1, 2, 3].map(|t0| format!("1 0: p0/t0.{t0}-t1.1 down")));
}

fn flap(random: bool, down: u64, up: u64, until: u64) -> FaultKind {
    FaultKind::LinkFlap {
        link: link("p0/n1"),
        down: Time::us(down),
        up: Time::us(up),
        random,
        until: Time::us(until),
    }
}

#[test]
fn an_exact_flap_keeps_its_times_and_ends_with_the_link_up() {
    let changes = |until| -> Vec<u64> {
        let s = with(small(), vec![(1, flap(false, 10, 20, until))]);
        let events = s.fault_events();
        for (n, e) in events.iter().enumerate() {
            assert_eq!(matches!(e.what, Effect::LinkDown { .. }), n % 2 == 0);
        }
        assert_eq!(events.len() % 2, 0, "up in the end");
        events.iter().map(|e| e.at.0 / 1_000_000).collect()
    };
    assert_eq!(changes(70), [1, 11, 31, 41, 61, 70], "cut short while down");
    assert_eq!(changes(71), [1, 11, 31, 41, 61, 71]);
    assert_eq!(changes(91), [1, 11, 31, 41, 61, 71], "no change at the very end");
    assert_eq!(changes(92), [1, 11, 31, 41, 61, 71, 91, 92]);
    assert_eq!(changes(2), [1, 2]);
}

/// Exponential times have the given mean and as much spread: the standard deviation is the mean.
#[test]
fn a_random_flap_has_the_means_that_are_given() {
    let (down, up) = (10.0, 40.0);
    let s = with(small(), vec![(0, flap(true, 10, 40, 1_000_000))]);
    let at: Vec<f64> = s.fault_events().iter().map(|e| e.at.0 as f64 / 1e6).collect();
    let lengths: Vec<f64> = at.windows(2).map(|w| w[1] - w[0]).collect();
    // About 20,000 phases of each kind; the last one is cut off.
    let whole = &lengths[..lengths.len() - 1];
    let of = |first: usize| -> Vec<f64> { whole.iter().skip(first).step_by(2).copied().collect() };
    for (lengths, mean) in [(of(0), down), (of(1), up)] {
        let n = lengths.len() as f64;
        assert!(n > 19_000.0, "{n}");
        let average = lengths.iter().sum::<f64>() / n;
        // The average's standard deviation is mean / √n, below 0.8 %; five of them.
        assert!((average / mean - 1.0).abs() < 0.04, "{average} for {mean}");
        let beyond = |times: f64| lengths.iter().filter(|&&l| l > times * mean).count() as f64 / n;
        // P(length > k · mean) = e^−k; its standard deviation is at most 0.5 / √n, below 0.4 %.
        for (times, expected) in [(0.5, 0.606_5), (1.0, 0.367_9), (2.0, 0.135_3), (4.0, 0.018_3)] {
            assert!(
                (beyond(times) - expected).abs() < 0.02,
                "{times}: {}",
                beyond(times)
            );
        }
    }
}

/// What a link of today gets has to be what it gets for ever, on every machine.
#[test]
fn random_times_never_change() {
    let s = with(
        small(),
        vec![(1, flap(true, 10, 20, 100)), (1, flap(true, 10, 20, 100))],
    );
    let of = |cause| -> Vec<u64> { s.fault_events_of(cause).iter().map(|e| e.at.0).collect() };
    assert_ne!(of(0), of(1), "each fault has its own times");
    let other = Scenario { seed: 8, ..s.clone() };
    assert_ne!(other.fault_events_of(0), s.fault_events_of(0), "each seed too");
    // Of seed 7 and fault 0, by another implementation of the same method and generator.
    let pinned = [
        1_000_000, 11_358_421, 63_368_926, 72_450_545, 91_255_494, 91_339_882, 94_433_627, 95_621_670,
    ];
    assert_eq!(of(0), pinned);
}

fn several(tier: Tier, plane: Option<u32>, count: u32) -> FaultKind {
    FaultKind::LinksDown {
        tier,
        plane,
        count,
        spacing: Time::us(2),
        duration: Some(Time::us(5)),
    }
}

#[test]
fn links_go_down_one_after_the_other_and_each_comes_back() {
    let s = with(small(), vec![(1, several(Tier::T0T1, Some(1), 3))]);
    let mut times = BTreeMap::new();
    for e in s.fault_events() {
        match e.what {
            Effect::LinkDown { link, .. } => assert!(times.insert(link, e.at).is_none(), "{link} twice"),
            Effect::LinkUp { link, .. } => assert_eq!(times[&link].0 + 5_000_000, e.at.0),
            other => panic!("{other:?}"),
        }
    }
    let mut starts: Vec<u64> = times.values().map(|at| at.0 / 1_000_000).collect();
    starts.sort_unstable();
    assert_eq!(starts, [1, 3, 5]);
    for chosen in times.keys() {
        assert!(
            matches!(
                chosen,
                LinkName::T0T1 {
                    plane: 1,
                    t0: 0..=3,
                    t1: 0..=1
                }
            ),
            "{chosen}"
        );
    }
}

/// All links of a tier at once are each link once: 2 planes of 16 NICs, of 4 T0s × 2 T1s, and of 4 T1s × 2 T2s.
#[test]
fn all_links_of_a_tier_can_go_down() {
    for (tier, plane, count) in [
        (Tier::Nic, None, 32),
        (Tier::Nic, Some(0), 16),
        (Tier::T0T1, None, 16),
        (Tier::T1T2, None, 16),
        (Tier::T1T2, Some(1), 8),
    ] {
        let s = with(three_tiers(), vec![(1, several(tier, plane, count))]);
        let downs: BTreeSet<LinkName> = s
            .fault_events()
            .iter()
            .filter_map(|e| match e.what {
                Effect::LinkDown { link, .. } => Some(link),
                _ => None,
            })
            .collect();
        assert_eq!(downs.len() as u32, count, "{tier:?} {plane:?}");
        // Each exists: a fault at it is valid.
        let faults = downs
            .into_iter()
            .map(|link| (1, FaultKind::link_down(link)))
            .collect();
        with(three_tiers(), faults);
        let mut more = s.clone();
        more.faults[0].what = several(tier, plane, count + 1);
        assert!(more.validate().is_err(), "there are no more");
    }
}

/// Every one of the 16 NIC links of a plane is among 4 of them as often as any other: with probability 1/4.
#[test]
fn the_choice_of_links_is_fair_and_follows_the_seed() {
    let mut counts = BTreeMap::new();
    let choice = |seed| -> Vec<LinkName> {
        let mut s = with(small(), vec![(1, several(Tier::Nic, Some(0), 4))]);
        s.seed = seed;
        s.fault_events()
            .iter()
            .filter_map(|e| match e.what {
                Effect::LinkDown { link, .. } => Some(link),
                _ => None,
            })
            .collect()
    };
    for seed in 0..4_000 {
        for link in choice(seed) {
            *counts.entry(link).or_insert(0u32) += 1;
        }
    }
    // Mean 1,000, standard deviation √(4,000 · 1/4 · 3/4) = 27; five of them.
    assert!(
        counts.len() == 16 && counts.values().all(|n| (863..=1_137).contains(n)),
        "{counts:?}"
    );
    assert_eq!(choice(1), choice(1));
}

#[test]
fn the_number_of_events_is_bounded() {
    // 100 s of 1 µs down and 1 µs up are 10^8 changes.
    for random in [false, true] {
        let mut s = small();
        s.faults = vec![Fault {
            at: Time(0),
            what: flap(random, 1, 1, 100_000_000),
        }];
        let problems = s.validate().unwrap_err();
        assert_eq!(
            problems[0].to_string(),
            "faults: make more than 1000000 events in all (flaps, reboots and links_down make many; use fewer, or longer \
             times)"
        );
        assert_eq!(s.fault_events().len(), MAX_FAULT_EVENTS);
        assert_eq!(s.fault_events_of(0).len(), MAX_FAULT_EVENTS);
    }
    // Exactly as many as there may be: 1 µs and 1 µs for 1 s.
    let s = with(small(), vec![(0, flap(false, 1, 1, 1_000_000))]);
    assert_eq!(s.fault_events().len(), 1_000_000);
}

#[test]
fn senseless_faults_do_no_harm() {
    let huge = u32::MAX;
    let (duration, until) = (Time(u64::MAX), Time(u64::MAX));
    let nowhere = LinkName::T1T2 {
        plane: huge,
        t1: huge,
        t2: huge,
    };
    let kinds = [
        FaultKind::LinkFlap {
            link: nowhere,
            down: Time(0),
            up: Time(0),
            random: true,
            until,
        },
        FaultKind::LinksDown {
            tier: Tier::T0T1,
            plane: Some(huge),
            count: huge,
            spacing: Time(u64::MAX),
            duration: Some(duration),
        },
        FaultKind::LinksDown {
            tier: Tier::T1T2,
            plane: None,
            count: huge,
            spacing: Time(0),
            duration: None,
        },
        FaultKind::SwitchReboot {
            switch: SwitchName::T0 {
                plane: huge,
                index: huge,
            },
            duration,
        },
        FaultKind::SwitchReboot {
            switch: SwitchName::T1 {
                plane: huge,
                index: huge,
            },
            duration,
        },
        FaultKind::SwitchReboot {
            switch: SwitchName::T2 {
                plane: huge,
                index: huge,
            },
            duration,
        },
        FaultKind::NicFlap { nic: huge, duration },
    ];
    for value in [0, 1, huge] {
        for what in &kinds {
            let mut s = three_tiers();
            s.fabric.planes = value;
            s.fabric.pods = value;
            s.fabric.t0_per_plane = value;
            s.fabric.t1_per_plane = value;
            s.fabric.t2_per_plane = value;
            s.fabric.nics_per_t0 = value;
            s.faults = vec![Fault {
                at: Time(u64::MAX - 1),
                what: what.clone(),
            }];
            assert!(s.validate().is_err());
            assert!(s.fault_events().len() <= MAX_FAULT_EVENTS);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn events_of_a_valid_scenario_are_sound(s in arbitrary::scenario()) {
        let events = s.fault_events();
        prop_assert!(events.is_sorted_by_key(|e| (e.at, e.cause)));
        let causes: BTreeSet<usize> = events.iter().map(|e| e.cause).collect();
        prop_assert_eq!(causes.len(), s.faults.len(), "each fault does something");
        let mut one_by_one = Vec::new();
        for index in 0..s.faults.len() {
            let own = s.fault_events_of(index);
            prop_assert_eq!(own[0].at, s.faults[index].at, "and begins at its time");
            one_by_one.extend(own);
        }
        one_by_one.sort_by_key(|e| (e.at, e.cause));
        prop_assert_eq!(&one_by_one, &events);
        // Each event on its own is a valid fault: what it names exists.
        let at = Time(0);
        let faults: Vec<Fault> = events.iter().take(5_000).map(|e| Fault { at, what: e.what.clone().into() }).collect();
        prop_assert_eq!(Scenario { faults, ..s }.validate(), Ok(()));
    }
}
