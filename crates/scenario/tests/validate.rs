//! What a valid scenario is, bound by bound.

mod common;

use common::judge::{ok, one, problems};
use common::small;
use scenario::limits::MAX_PROBLEMS;
use scenario::{Bytes, Fault, FaultKind, LinkName, Rate, Scenario, SwitchName, Time, Traffic};

fn flow(src: u32, dst: u32) -> Traffic {
    Traffic::Flow {
        src,
        dst,
        bytes: Bytes(1),
        messages: 1,
        imm: false,
        start: Time(0),
        id: None,
    }
}

fn fault(what: FaultKind) -> Vec<Fault> {
    vec![Fault { at: Time(0), what }]
}

#[test]
fn the_small_scenario_is_valid() {
    ok(|_| {});
}

#[test]
fn counts_of_the_fabric() {
    one("fabric.planes: is 0; expected 1 to 8", |s| s.fabric.planes = 0);
    one("fabric.planes: is 9; expected 1 to 8", |s| s.fabric.planes = 9);
    one("fabric.t0_per_plane: is 0; expected 1 to 2048", |s| {
        s.fabric.t0_per_plane = 0
    });
    one("fabric.t0_per_plane: is 2049; expected 1 to 2048", |s| {
        s.fabric.t0_per_plane = 2049
    });
    one("fabric.t1_per_plane: is 0; expected 1 to 2048", |s| {
        s.fabric.t1_per_plane = 0
    });
    one("fabric.nics_per_t0: is 1000000000; expected 1 to 2048", |s| {
        s.fabric.nics_per_t0 = 1_000_000_000
    });
    one("fabric.nics_per_t0: is 4294967295; expected 1 to 2048", |s| {
        s.fabric.nics_per_t0 = u32::MAX
    });
    one(
        "fabric.nics_per_t0: makes 1 NICs (1 T0 × 1 NICs); expected 2 to 262144 (change t0_per_plane or nics_per_t0)",
        |s| (s.fabric.t0_per_plane, s.fabric.nics_per_t0) = (1, 1),
    );
    one(
        "fabric.nics_per_t0: makes 262656 NICs (513 T0 × 512 NICs); expected 2 to 262144 (change t0_per_plane or nics_per_t0)",
        |s| (s.fabric.t0_per_plane, s.fabric.nics_per_t0) = (513, 512),
    );
    ok(|s| (s.fabric.t0_per_plane, s.fabric.nics_per_t0) = (512, 512));
    // 2 · 8 · (2048·2 + 2048·2048) = 67,174,400.
    one(
        "fabric: makes 67174400 directed links in all; expected at most 20000000 (use fewer planes, T0s or T1s)",
        |s| {
            (
                s.fabric.planes,
                s.fabric.t0_per_plane,
                s.fabric.t1_per_plane,
                s.fabric.nics_per_t0,
            ) = (8, 2048, 2048, 2);
        },
    );
}

#[test]
fn rates_and_delays() {
    one(
        "fabric.nic_link_rate: is 999.999 kb/s; expected 1 Mb/s to 3.2 Tb/s",
        |s| {
            s.fabric.nic_link_rate = Rate(999_999);
        },
    );
    one(
        "fabric.t1_link_rate: is 3.200000000001 Tb/s; expected 1 Mb/s to 3.2 Tb/s",
        |s| {
            s.fabric.t1_link_rate = Some(Rate(3_200_000_000_001));
        },
    );
    ok(|s| {
        (s.fabric.nic_link_rate, s.fabric.t1_link_rate) = (Rate(1_000_000), Some(Rate(3_200_000_000_000)))
    });
    one("fabric.nic_link_delay: is 0 ps; expected 1 ns to 10 ms", |s| {
        s.fabric.nic_link_delay = Time(0)
    });
    one(
        "fabric.t1_link_delay: is 10.000000001 ms; expected 1 ns to 10 ms",
        |s| {
            s.fabric.t1_link_delay = Time(10_000_000_001);
        },
    );
    one("fabric.switch_latency: is 11 ms; expected 0 ps to 10 ms", |s| {
        s.fabric.switch_latency = Time::ms(11)
    });
    ok(|s| s.fabric.switch_latency = Time(0));
}

#[test]
fn queue_factors() {
    let hint = "expected a number above 0 and up to 1000 (a multiple of the BDP)";
    for bad in [0.0, -1.0, 1000.5, f64::NAN, f64::INFINITY] {
        one(&format!("fabric.queue.trim_bdp: is {bad}; {hint}"), |s| {
            s.fabric.queue.trim_bdp = bad
        });
        one(
            &format!("fabric.queue.trim_last_hop_bdp: is {bad}; {hint}"),
            |s| s.fabric.queue.trim_last_hop_bdp = bad,
        );
        one(&format!("fabric.queue.control_bdp: is {bad}; {hint}"), |s| {
            s.fabric.queue.control_bdp = bad
        });
        one(&format!("fabric.queue.ecn_min_bdp: is {bad}; {hint}"), |s| {
            s.fabric.queue.ecn_min_bdp = bad
        });
        one(&format!("fabric.queue.ecn_max_bdp: is {bad}; {hint}"), |s| {
            s.fabric.queue.ecn_max_bdp = bad
        });
    }
    one(
        "fabric.queue.ecn_min_bdp: is 0.9, above ecn_max_bdp (0.8) (marking starts at ecn_min_bdp and is certain above ecn_max_bdp)",
        |s| s.fabric.queue.ecn_min_bdp = 0.9,
    );
    ok(|s| (s.fabric.queue.ecn_min_bdp, s.fabric.queue.ecn_max_bdp) = (1000.0, 1000.0));
}

#[test]
fn transport() {
    let pmtu = "expected 256 B to 9 KiB (payload bytes of a full packet)";
    one(&format!("transport.pmtu: is 255 B; {pmtu}"), |s| {
        s.transport.pmtu = Bytes(255)
    });
    one(&format!("transport.pmtu: is 9.217 kB; {pmtu}"), |s| {
        s.transport.pmtu = Bytes(9217)
    });
    ok(|s| s.transport.pmtu = Bytes(9216));
    one("transport.evs: is 0; expected 1 to 512", |s| s.transport.evs = 0);
    one("transport.evs: is 513; expected 1 to 512", |s| {
        s.transport.evs = 513
    });
    one(
        "transport.evs: is 127, which is no multiple of the 2 planes (each plane has the same number of EVs)",
        |s| {
            s.transport.evs = 127;
        },
    );
    one("transport.sack_every: is 0 B; expected 1 B to 16 MiB", |s| {
        s.transport.sack_every = Bytes(0)
    });
    one(
        "transport.rto: is 0 ps; expected 1 µs to 17.179869184 s (leave it out for a derived one)",
        |s| {
            s.transport.rto = Some(Time(0));
        },
    );
    ok(|s| s.transport.reorder_window = Some(Time(0)));
    one(
        "transport.reorder_window: is 101 s; expected 0 ps to 100 s (\"0\" turns it off)",
        |s| {
            s.transport.reorder_window = Some(Time::s(101));
        },
    );
    one(
        "transport.probe_interval: is 1 ns; expected 1 µs to 100 s",
        |s| s.transport.probe_interval = Time::ns(1),
    );
    one("transport.probes_to_revive: is 17; expected 1 to 16", |s| {
        s.transport.probes_to_revive = 17
    });
    one(
        "transport.max_window_bdp: is NaN; expected a number above 0 and up to 100 (a multiple of the BDP)",
        |s| {
            s.transport.max_window_bdp = f64::NAN;
        },
    );
}

#[test]
fn head() {
    one("version: is 2; expected 1", |s| s.version = 2);
    one(
        "until: is 0 ps; expected 1 ps to 100 s (the run ends here at the latest)",
        |s| s.until = Time(0),
    );
    ok(|s| s.until = Time(1));
    ok(|s| s.until = Time::s(100));
    one(
        "until: is 100.000000000001 s; expected 1 ps to 100 s (the run ends here at the latest)",
        |s| {
            s.until = Time(100_000_000_000_001);
        },
    );
    ok(|s| s.name = "ü".repeat(200));
    one("name: has 201 characters; expected at most 200", |s| {
        s.name = "ü".repeat(201)
    });
    one("about: has 4001 characters; expected at most 4000", |s| {
        s.about = "x".repeat(4001)
    });
    one(
        "name: has nothing but blanks (write something, or leave it empty)",
        |s| s.name = " \u{a0} ".into(),
    );
    ok(|s| s.name = String::new());
    ok(|s| s.about = "two\nlines\tand a tab".into());
    one(
        "name: contains the control character U+000A (use plain text)",
        |s| s.name = "a\nb".into(),
    );
    one(
        "about: contains the control character U+001B (use plain text)",
        |s| s.about = "\u{1b}[2J".into(),
    );
}

#[test]
fn flows() {
    let traffic = |t: Traffic| move |s: &mut Scenario| s.traffic = vec![t];
    ok(traffic(flow(0, 15)));
    one(
        "traffic[0].dst: is 16; expected 0 to 15 (a NIC)",
        traffic(flow(0, 16)),
    );
    one(
        "traffic[0].src: is 4294967295; expected 0 to 15 (a NIC)",
        traffic(flow(u32::MAX, 0)),
    );
    one(
        "traffic[0].dst: is 3, the same as src (a NIC does not send to itself)",
        traffic(flow(3, 3)),
    );
    let sized = |n| Traffic::Flow {
        src: 0,
        dst: 1,
        bytes: Bytes(n),
        messages: 1,
        imm: false,
        start: Time(0),
        id: None,
    };
    one(
        "traffic[0].bytes: is 0 B; expected 1 B to 1 TiB (the size of one message)",
        traffic(sized(0)),
    );
    ok(traffic(sized(1 << 40)));
    one(
        "traffic[0].bytes: is 1.099511627777 TB; expected 1 B to 1 TiB (the size of one message)",
        traffic(sized((1 << 40) + 1)),
    );
    let late = Traffic::Flow {
        src: 0,
        dst: 1,
        bytes: Bytes(1),
        messages: 1,
        imm: false,
        start: Time::s(101),
        id: None,
    };
    one(
        "traffic[0].start: is 101 s; expected 0 ps to 100 s",
        traffic(late),
    );
    one("traffic: makes 0 flows in all; expected 1 to 1000000", |s| {
        s.traffic.clear()
    });
}

#[test]
fn patterns() {
    let permutation = |shift| {
        move |s: &mut Scenario| {
            s.traffic = vec![
                flow(0, 1),
                Traffic::Permutation {
                    shift,
                    bytes: Bytes(1),
                    messages: 1,
                    imm: false,
                    start: Time(0),
                },
            ];
        }
    };
    ok(permutation(1));
    ok(permutation(15));
    for shift in [0, 16] {
        one(
            &format!(
                "traffic[1].shift: is {shift}; expected 1 to 15 (the distance between sender and receiver)"
            ),
            permutation(shift),
        );
    }
    let incast = |dst, senders| {
        move |s: &mut Scenario| {
            s.traffic = vec![Traffic::Incast {
                dst,
                senders,
                bytes: Bytes(1),
                messages: 1,
                imm: false,
                start: Time(0),
            }];
        }
    };
    ok(incast(15, 15));
    one(
        "traffic[0].senders: is 16; expected 1 to 15 (NICs other than the receiver)",
        incast(0, 16),
    );
    assert_eq!(problems(incast(0, 0)).len(), 2, "no senders: no flows either");
    one("traffic[0].dst: is 16; expected 0 to 15 (a NIC)", incast(16, 1));
    let all = |nics| {
        move |s: &mut Scenario| {
            s.traffic = vec![Traffic::AllToAll {
                nics,
                bytes: Bytes(1),
                messages: 1,
                imm: false,
                start: Time(0),
            }];
        }
    };
    ok(all(2));
    ok(all(16));
    one(
        "traffic[0].nics: is 17; expected 2 to 16 (NICs that take part)",
        all(17),
    );
}

#[test]
fn the_number_of_flows_is_bounded_before_any_is_made() {
    let all = |nics| {
        move |s: &mut Scenario| {
            (s.fabric.t0_per_plane, s.fabric.nics_per_t0) = (512, 512);
            s.traffic = vec![Traffic::AllToAll {
                nics,
                bytes: Bytes(1),
                messages: 1,
                imm: false,
                start: Time(0),
            }];
        }
    };
    ok(all(1000)); // 999,000 flows
    one(
        "traffic: makes 1001000 flows in all; expected 1 to 1000000",
        all(1001),
    );
    one(
        "traffic: makes 68719214592 flows in all; expected 1 to 1000000",
        all(262_144),
    );
}

#[test]
fn listed_flows_and_ids() {
    let list = |list: Vec<_>| move |s: &mut Scenario| s.traffic = vec![flow(0, 1), Traffic::Flows { list }];
    ok(list(vec![(0, 1, 1, 0, 1), (0, 1, 1, 0, 2)]));
    one(
        "traffic[1].list[1][1]: is 16; expected 0 to 15 (a NIC)",
        list(vec![(0, 1, 1, 0, 1), (0, 16, 1, 0, 2)]),
    );
    one(
        "traffic[1].list[0][0]: is 16; expected 0 to 15 (a NIC)",
        list(vec![(16, 1, 1, 0, 1)]),
    );
    one(
        "traffic[1].list[0][2]: is 0 B; expected 1 B to 1 TiB (the size of one message)",
        list(vec![(0, 1, 0, 0, 1)]),
    );
    one(
        "traffic[1].list[0][3]: is 101 s; expected 0 ps to 100 s",
        list(vec![(0, 1, 1, 101_000_000_000_000, 1)]),
    );
    one(
        "traffic[1].list[0][4]: is 0; expected a number above 0 (flow ids begin at 1)",
        list(vec![(0, 1, 1, 0, 0)]),
    );
    one(
        "traffic[1].list[2][4]: is 5, which traffic[1].list[0][4] has already (each flow has its own id)",
        list(vec![(0, 1, 1, 0, 5), (0, 1, 1, 0, 6), (0, 1, 1, 0, 5)]),
    );
    let with_id = |id| Traffic::Flow {
        src: 0,
        dst: 1,
        bytes: Bytes(1),
        messages: 1,
        imm: false,
        start: Time(0),
        id: Some(id),
    };
    one(
        "traffic[1].id: is 7, which traffic[0].id has already (each flow has its own id)",
        |s| {
            s.traffic = vec![with_id(7), with_id(7)];
        },
    );
    one(
        "traffic[0].id: is 0; expected a number above 0 (flow ids begin at 1)",
        |s| s.traffic = vec![with_id(0)],
    );
}

#[test]
fn faults() {
    let down = |link| move |s: &mut Scenario| s.faults = fault(FaultKind::link_down(link));
    ok(down(LinkName::Nic { plane: 1, nic: 15 }));
    ok(down(LinkName::T0T1 {
        plane: 1,
        t0: 3,
        t1: 1,
    }));
    one(
        "faults[0].link: is p2/n0, but there is no plane 2; expected 0 to 1",
        down(LinkName::Nic { plane: 2, nic: 0 }),
    );
    one(
        "faults[0].link: is p0/n16, but there is no NIC 16; expected 0 to 15",
        down(LinkName::Nic { plane: 0, nic: 16 }),
    );
    one(
        "faults[0].link: is p0/t0.4-t1.0, but there is no T0 4; expected 0 to 3",
        down(LinkName::T0T1 {
            plane: 0,
            t0: 4,
            t1: 0,
        }),
    );
    one(
        "faults[0].link: is p0/t0.0-t1.2, but there is no T1 2; expected 0 to 1",
        down(LinkName::T0T1 {
            plane: 0,
            t0: 0,
            t1: 2,
        }),
    );
    one(
        "faults[0].switch: is p0/t1.2, but there is no T1 2; expected 0 to 1",
        |s| {
            s.faults = fault(FaultKind::SwitchDown {
                switch: SwitchName::T1 { plane: 0, index: 2 },
            });
        },
    );
    one(
        "faults[0].switch: is p0/t0.4, but there is no T0 4; expected 0 to 3",
        |s| {
            s.faults = fault(FaultKind::SwitchUp {
                switch: SwitchName::T0 { plane: 0, index: 4 },
            });
        },
    );
    let loss = |rate| {
        move |s: &mut Scenario| {
            s.faults = fault(FaultKind::link_loss(LinkName::Nic { plane: 0, nic: 0 }, rate));
        }
    };
    ok(loss(0.0));
    ok(loss(1.0));
    for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        one(
            &format!("faults[0].rate: is {bad}; expected 0 to 1 (the probability that a packet is lost)"),
            loss(bad),
        );
    }
    one("faults[0].at: is 101 s; expected 0 ps to 100 s", |s| {
        down(LinkName::Nic { plane: 0, nic: 0 })(s);
        s.faults[0].at = Time::s(101);
    });
    let up = Fault {
        at: Time(0),
        what: FaultKind::link_up(LinkName::Nic { plane: 0, nic: 0 }),
    };
    ok(|s| s.faults = vec![up.clone(); 10_000]);
    one("faults: has 10001 elements; expected at most 10000", |s| {
        s.faults = vec![up.clone(); 10_001]
    });
}

#[test]
fn all_problems_come_at_once_in_the_order_of_the_fields() {
    let all = problems(|s| {
        s.until = Time(0);
        s.fabric.planes = 0;
        s.transport.evs = 0;
        s.traffic.push(flow(1, 1));
        s.traffic.push(flow(0, 9999));
    });
    let fields: Vec<&str> = all.iter().map(|p| p.split(':').next().unwrap()).collect();
    // Whether NIC 9999 exists cannot be said of a fabric that does not.
    assert_eq!(
        fields,
        ["until", "fabric.planes", "transport.evs", "traffic[1].dst"]
    );
}

#[test]
fn a_long_list_of_problems_is_cut_and_counted() {
    let mut s = small();
    s.traffic = vec![Traffic::Flows {
        list: vec![(0, 0, 1, 0, 1); 1000],
    }];
    let problems = s.validate().unwrap_err();
    assert_eq!(problems.len(), MAX_PROBLEMS + 1);
    // 1000 flows to itself and 999 ids that are taken.
    assert_eq!(
        problems[MAX_PROBLEMS].to_string(),
        "1899 more problems are not listed"
    );
    assert!(problems[MAX_PROBLEMS].field.is_empty());
}
