//! What valid faults are, of each kind.

mod common;

use common::judge::{ok, one};
use common::three_tiers;
use scenario::{Direction, Fault, FaultKind, LinkName, Refusal, Scenario, SwitchName, Tier, Time};

fn fault(what: FaultKind) -> impl FnOnce(&mut Scenario) {
    move |s| {
        s.faults = vec![Fault {
            at: Time::us(1),
            what,
        }]
    }
}

/// The same in three tiers, see [`three_tiers`].
fn in_three(what: FaultKind) -> impl FnOnce(&mut Scenario) {
    move |s| {
        s.fabric = three_tiers().fabric;
        fault(what)(s);
    }
}

fn down(name: &str) -> FaultKind {
    FaultKind::link_down(name.parse().unwrap())
}

fn dead(name: &str) -> FaultKind {
    FaultKind::SwitchDown {
        switch: name.parse().unwrap(),
    }
}

const NIC_0: LinkName = LinkName::Nic { plane: 0, nic: 0 };

#[test]
fn links_of_three_tiers_join_what_is_joined() {
    for name in ["p1/t0.0-t1.1", "p0/t0.3-t1.2", "p0/t1.0-t2.1", "p1/t1.3-t2.2"] {
        ok(in_three(down(name)));
    }
    one(
        "faults[0].link: is p0/t0.1-t1.2, but T0 1 has links to the T1s 0 to 1 of the plane",
        in_three(down("p0/t0.1-t1.2")),
    );
    one(
        "faults[0].link: is p0/t0.2-t1.1, but T0 2 has links to the T1s 2 to 3 of the plane",
        in_three(down("p0/t0.2-t1.1")),
    );
    one(
        "faults[0].link: is p0/t1.2-t2.2, but T1 2 has links to the T2s 0 to 1 of the plane",
        in_three(down("p0/t1.2-t2.2")),
    );
    one(
        "faults[0].link: is p0/t1.4-t2.0, but there is no T1 4; expected 0 to 3",
        in_three(down("p0/t1.4-t2.0")),
    );
    one(
        "faults[0].link: is p2/t1.0-t2.0, but there is no plane 2; expected 0 to 1",
        in_three(down("p2/t1.0-t2.0")),
    );
    one(
        "faults[0].link: is p0/t1.0-t2.0, but the fabric has two tiers and no T2s",
        fault(down("p0/t1.0-t2.0")),
    );
}

#[test]
fn switches_of_the_third_tier() {
    ok(in_three(dead("p1/t2.3")));
    one(
        "faults[0].switch: is p0/t2.4, but there is no T2 4; expected 0 to 3",
        in_three(dead("p0/t2.4")),
    );
    one(
        "faults[0].switch: is p0/t2.0, but the fabric has two tiers and no T2s",
        fault(dead("p0/t2.0")),
    );
    one(
        "faults[0].switch: is p3/t2.0, but there is no plane 3; expected 0 to 1",
        in_three(dead("p3/t2.0")),
    );
}

/// Each kind with a rate, the hint for it.
#[test]
fn rates_are_probabilities() {
    let direction = Direction::Both;
    let switch = SwitchName::T0 { plane: 0, index: 0 };
    type Kind = fn(f64) -> FaultKind;
    let kinds: [(Kind, &str); 5] = [
        (|rate| FaultKind::link_loss(NIC_0, rate), "a packet is lost"),
        (
            |rate| FaultKind::LinkCorrupt {
                link: NIC_0,
                direction: Direction::Up,
                rate,
            },
            "a packet is damaged",
        ),
        (
            |rate| FaultKind::TierLoss {
                tier: Tier::Nic,
                direction: Direction::Down,
                rate,
            },
            "a packet is lost",
        ),
        (
            |rate| FaultKind::SwitchCorrupt {
                switch: SwitchName::T0 { plane: 0, index: 0 },
                rate,
            },
            "a payload is damaged",
        ),
        (
            |rate| FaultKind::NicRefuses {
                nic: 15,
                rate,
                reason: Refusal::NoResource,
            },
            "a packet is refused",
        ),
    ];
    for (kind, what) in kinds {
        ok(fault(kind(0.0)));
        ok(fault(kind(1.0)));
        for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            one(
                &format!("faults[0].rate: is {bad}; expected 0 to 1 (the probability that {what})"),
                fault(kind(bad)),
            );
        }
    }
    one(
        "faults[0].link: is p0/n16, but there is no NIC 16; expected 0 to 15",
        fault(FaultKind::LinkCorrupt {
            link: LinkName::Nic { plane: 0, nic: 16 },
            direction,
            rate: 0.5,
        }),
    );
    one(
        "faults[0].tier: is t1_t2, but the fabric has two tiers and no T2s",
        fault(FaultKind::TierLoss {
            tier: Tier::T1T2,
            direction,
            rate: 0.5,
        }),
    );
    ok(in_three(FaultKind::SwitchCorrupt { switch, rate: 0.5 }));
}

#[test]
fn flaps() {
    let flap = |down, up, until| FaultKind::LinkFlap {
        link: NIC_0,
        down,
        up,
        random: true,
        until,
    };
    ok(fault(flap(Time::us(1), Time::s(100), Time::s(100))));
    one(
        "faults[0].down: is 999.999 ns; expected 1 µs to 100 s",
        fault(flap(Time(999_999), Time::us(1), Time::us(2))),
    );
    one(
        "faults[0].up: is 101 s; expected 1 µs to 100 s",
        fault(flap(Time::us(1), Time::s(101), Time::us(2))),
    );
    one(
        "faults[0].until: is 1 µs, not after at (1 µs) (when the flapping ends)",
        fault(flap(Time::us(1), Time::us(1), Time::us(1))),
    );
    one(
        "faults[0].until: is 101 s; expected 0 ps to 100 s",
        fault(flap(Time::ms(1), Time::ms(1), Time::s(101))),
    );
}

fn several(tier: Tier, plane: Option<u32>, count: u32) -> FaultKind {
    FaultKind::LinksDown {
        tier,
        plane,
        count,
        spacing: Time(0),
        duration: None,
    }
}

/// `small()` has 2 planes of 16 NICs and of 4 T0s × 2 T1s.
#[test]
fn no_more_links_go_down_than_there_are() {
    for (tier, plane, most) in [
        (Tier::Nic, None, 32),
        (Tier::Nic, Some(1), 16),
        (Tier::T0T1, None, 16),
        (Tier::T0T1, Some(0), 8),
    ] {
        ok(fault(several(tier, plane, 1)));
        ok(fault(several(tier, plane, most)));
        for bad in [0, most + 1] {
            one(
                &format!("faults[0].count: is {bad}; expected 1 to {most} (links of the tier)"),
                fault(several(tier, plane, bad)),
            );
        }
    }
    one(
        "faults[0].plane: is 2, but there is no plane 2; expected 0 to 1",
        fault(several(Tier::Nic, Some(2), 1)),
    );
    one(
        "faults[0].tier: is t1_t2, but the fabric has two tiers and no T2s",
        fault(several(Tier::T1T2, None, 1)),
    );
    ok(in_three(several(Tier::T1T2, Some(0), 8)));
}

#[test]
fn the_last_link_goes_down_within_a_scenario_s_time() {
    let spaced = |count, spacing, duration| FaultKind::LinksDown {
        tier: Tier::Nic,
        plane: None,
        count,
        spacing,
        duration,
    };
    // From 1 µs on: 9 steps to 100 s.
    let most = Time((Time::s(100).0 - Time::us(1).0) / 9);
    ok(fault(spaced(10, most, None)));
    one(
        "faults[0].spacing: is 12 s, so that the last link goes down at 108.000001 s; expected 100 s at most",
        fault(spaced(10, Time::s(12), None)),
    );
    ok(fault(spaced(2, Time(0), Some(Time(1)))));
    for bad in [Time(0), Time::s(101)] {
        one(
            &format!("faults[0].duration: is {bad}; expected 1 ps to 100 s (how long it lasts)"),
            fault(spaced(2, Time(0), Some(bad))),
        );
    }
}

#[test]
fn reboots_last() {
    let reboot = |index, duration| FaultKind::SwitchReboot {
        switch: SwitchName::T1 { plane: 0, index },
        duration,
    };
    ok(fault(reboot(1, Time::s(100))));
    one(
        "faults[0].switch: is p0/t1.2, but there is no T1 2; expected 0 to 1",
        fault(reboot(2, Time::us(1))),
    );
    one(
        "faults[0].duration: is 0 ps; expected 1 ps to 100 s (how long it lasts)",
        fault(reboot(1, Time(0))),
    );
}

#[test]
fn nics() {
    let port = |nic, plane, duration| FaultKind::NicPortDown { nic, plane, duration };
    ok(fault(port(15, 1, None)));
    one(
        "faults[0].nic: is 16, but there is no NIC 16; expected 0 to 15",
        fault(port(16, 0, None)),
    );
    one(
        "faults[0].plane: is 2, but there is no plane 2; expected 0 to 1",
        fault(port(0, 2, Some(Time::us(1)))),
    );
    one(
        "faults[0].duration: is 0 ps; expected 1 ps to 100 s (how long it lasts)",
        fault(port(0, 0, Some(Time(0)))),
    );
    let flap = |nic, duration| FaultKind::NicFlap { nic, duration };
    one(
        "faults[0].nic: is 16, but there is no NIC 16; expected 0 to 15",
        fault(flap(16, Time::us(1))),
    );
    one(
        "faults[0].duration: is 101 s; expected 1 ps to 100 s (how long it lasts)",
        fault(flap(0, Time::s(101))),
    );
    let refuses = FaultKind::NicRefuses {
        nic: 99,
        rate: 0.5,
        reason: Refusal::NoBitmap,
    };
    one(
        "faults[0].nic: is 99, but there is no NIC 99; expected 0 to 15",
        fault(refuses),
    );
    let penalty = |nic, penalty| FaultKind::NicPenalty { nic, penalty };
    ok(fault(penalty(0, 127)));
    one(
        "faults[0].penalty: is 128; expected 0 to 127 (0 ends it)",
        fault(penalty(0, 128)),
    );
    one(
        "faults[0].nic: is 16, but there is no NIC 16; expected 0 to 15",
        fault(penalty(16, 0)),
    );
}

/// A fault after the end is pointless, and legal.
#[test]
fn faults_may_come_after_the_end() {
    ok(|s| {
        s.until = Time::us(10);
        s.faults = vec![Fault {
            at: Time::us(11),
            what: FaultKind::link_down(NIC_0),
        }];
    });
}

/// What a fault is about, for whoever shows it.
#[test]
fn a_fault_knows_its_place_and_whether_it_heals() {
    let place = |what: &FaultKind| (what.link(), what.switch(), what.nic());
    let switch = SwitchName::T1 { plane: 1, index: 0 };
    let port = FaultKind::NicPortDown {
        nic: 3,
        plane: 1,
        duration: None,
    };
    let reboot = FaultKind::SwitchReboot {
        switch,
        duration: Time(1),
    };
    let tier = |rate| FaultKind::TierLoss {
        tier: Tier::Nic,
        direction: Direction::Both,
        rate,
    };
    assert_eq!(
        place(&port),
        (Some(LinkName::Nic { plane: 1, nic: 3 }), None, Some(3))
    );
    assert_eq!(place(&reboot), (None, Some(switch), None));
    assert_eq!(
        place(&FaultKind::link_loss(NIC_0, 0.1)),
        (Some(NIC_0), None, None)
    );
    assert_eq!(place(&tier(0.5)), (None, None, None));
    let heals = [
        FaultKind::link_up(NIC_0),
        FaultKind::link_loss(NIC_0, 0.0),
        FaultKind::SwitchUp { switch },
        FaultKind::SwitchCorrupt { switch, rate: 0.0 },
        FaultKind::NicPenalty { nic: 0, penalty: 0 },
        tier(0.0),
    ];
    assert!(heals.iter().all(FaultKind::is_repair));
    let breaks = [
        FaultKind::link_down(NIC_0),
        FaultKind::link_loss(NIC_0, 0.1),
        FaultKind::NicPenalty { nic: 0, penalty: 1 },
        tier(0.1),
        port,
        reboot,
    ];
    assert!(!breaks.iter().any(FaultKind::is_repair));
}
