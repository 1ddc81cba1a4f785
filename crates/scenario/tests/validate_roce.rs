//! What valid settings of routing, PFC, RoCE and DCQCN are, and which of them go together.

mod common;

use common::judge::{ok, one, problems};
use scenario::{
    Bytes, Clustermapper, Convergence, Dcqcn, Fault, FaultKind, Model, Pfc, Protocol, Rate, Recovery,
    Refusal, Roce, Routing, Scenario, Time,
};

/// `small()` with ECMP and a change.
fn ecmp(change: impl FnOnce(&mut Scenario)) -> impl FnOnce(&mut Scenario) {
    move |s| {
        s.fabric.routing = Routing::Ecmp;
        change(s);
    }
}

/// `small()` with RoCE over ECMP and a change.
fn with_roce(change: impl FnOnce(&mut Scenario)) -> impl FnOnce(&mut Scenario) {
    ecmp(|s| {
        s.transport.protocol = Protocol::Roce;
        change(s);
    })
}

fn roce(change: impl FnOnce(&mut Roce)) -> impl FnOnce(&mut Scenario) {
    with_roce(|s| change(&mut s.transport.roce))
}

fn dcqcn(change: impl FnOnce(&mut Dcqcn)) -> impl FnOnce(&mut Scenario) {
    roce(|r| change(&mut r.dcqcn))
}

fn pfc(pfc: Pfc) -> impl FnOnce(&mut Scenario) {
    move |s| s.fabric.pfc = Some(pfc)
}

#[test]
fn switches_converge_and_reroute_where_they_choose_paths() {
    for routing in [Routing::Ecmp, Routing::Spray, Routing::Adaptive] {
        ok(|s| {
            s.fabric.routing = routing;
            s.fabric.local_reroute = true;
            s.fabric.convergence = Convergence {
                detect: Time(0),
                converge: Time::s(100),
            };
        });
    }
    one(
        "fabric.convergence: is given, but fabric.routing is \"source\"; switches choose paths with \"ecmp\", \"spray\" \
         or \"adaptive\" only (with source routing the endpoints react, and no switch)",
        |s| s.fabric.convergence.detect = Time::ms(1),
    );
    one(
        "fabric.local_reroute: is true, but fabric.routing is \"source\"; expected \"ecmp\", \"spray\" or \"adaptive\" \
         for it (with source routing no switch chooses a path)",
        |s| s.fabric.local_reroute = true,
    );
    one(
        "fabric.convergence.detect: is 101 s; expected 0 ps to 100 s",
        ecmp(|s| s.fabric.convergence.detect = Time::s(101)),
    );
    one(
        "fabric.convergence.converge: is 101 s; expected 0 ps to 100 s",
        ecmp(|s| s.fabric.convergence.converge = Time::s(101)),
    );
}

#[test]
fn clustermapper_needs_source_routing() {
    one(
        "clustermapper: is given, but its probes need SRv6 addresses and fabric.routing is \"spray\"; expected \
         \"source\" (leave it out)",
        |s| {
            s.fabric.routing = Routing::Spray;
            s.clustermapper = Some(Clustermapper::default());
        },
    );
}

#[test]
fn thresholds_of_pfc() {
    ok(pfc(Pfc::default()));
    // The PMTU is 4096.
    ok(pfc(Pfc {
        xoff: Bytes(8_192),
        xon: Some(Bytes(8_192)),
        headroom: Some(Bytes(0)),
    }));
    one(
        "fabric.pfc.xoff: is 8.191 kB; expected 8 KiB to 1 GiB (two PMTUs at least)",
        pfc(Pfc {
            xoff: Bytes(8_191),
            ..Pfc::default()
        }),
    );
    one(
        "fabric.pfc.xon: is 1.000001 MB, above xoff (1 MB) (a sender is paused above xoff and goes on from xon down; \
         leave it out for xoff less two PMTUs)",
        pfc(Pfc {
            xon: Some(Bytes(1_000_001)),
            ..Pfc::default()
        }),
    );
    one(
        "fabric.pfc.headroom: is 2 GiB; expected 0 B to 1 GiB (leave it out for a derived one)",
        pfc(Pfc {
            headroom: Some(Bytes(2 << 30)),
            ..Pfc::default()
        }),
    );
}

/// 1,000,000 − 2 · 4,096 = 991,808.
#[test]
fn a_sender_goes_on_two_packets_below() {
    let pmtu = Bytes(4_096);
    assert_eq!(Pfc::default().xon_or_default(pmtu), Bytes(991_808));
    let given = Pfc {
        xon: Some(Bytes(5)),
        ..Pfc::default()
    };
    assert_eq!(given.xon_or_default(pmtu), Bytes(5));
    let low = Pfc {
        xoff: Bytes(8_192),
        ..Pfc::default()
    };
    assert_eq!(low.xon_or_default(pmtu), Bytes(0));
}

#[test]
fn the_probability_of_a_mark() {
    ok(|s| s.fabric.queue.ecn_pmax = 0.0);
    ok(|s| s.fabric.queue.ecn_pmax = 0.01);
    for bad in [-0.1, 1.1, f64::NAN] {
        one(
            &format!(
                "fabric.queue.ecn_pmax: is {bad}; expected 0 to 1 (the probability of a mark at ecn_max_bdp)"
            ),
            |s| s.fabric.queue.ecn_pmax = bad,
        );
    }
}

/// Published: no ECN on MRC's last hop. uet-htsim and DCQCN's switches mark there as elsewhere.
#[test]
fn who_trims_and_who_marks_on_the_last_hop() {
    let rules = |change: &dyn Fn(&mut Scenario)| {
        let mut s = common::small();
        change(&mut s);
        (s.trims(), s.marks_last_hop())
    };
    assert_eq!(rules(&|_| {}), (true, false));
    assert_eq!(rules(&|s| s.model = Model::Htsim), (true, true));
    assert_eq!(rules(&|s| s.transport.protocol = Protocol::Roce), (false, true));
    assert_eq!(rules(&|s| s.fabric.pfc = Some(Pfc::default())), (false, false));
    assert_eq!(rules(&|s| s.fabric.queue.trimming = false), (false, false));
    assert_eq!(rules(&|s| s.fabric.queue.ecn_last_hop = Some(true)), (true, true));
    let off = |s: &mut Scenario| {
        s.model = Model::Htsim;
        s.fabric.queue.ecn_last_hop = Some(false);
    };
    assert_eq!(rules(&off), (true, false));
}

#[test]
fn roce_needs_switches_that_choose_paths() {
    for planes in [1, 5] {
        ok(with_roce(move |s| s.fabric.planes = planes));
    }
    one(
        "fabric.routing: is \"source\", but transport.protocol is \"roce\"; expected \"ecmp\", \"spray\" or \
         \"adaptive\" (RoCE's NICs write no SRv6 addresses)",
        |s| s.transport.protocol = Protocol::Roce,
    );
}

#[test]
fn each_protocol_has_its_own_settings() {
    let only_roce = "is given, but transport.protocol is \"mrc\"; expected \"roce\" for it (set protocol, or leave it out)";
    one(&format!("transport.roce.window: {only_roce}"), |s| {
        s.transport.roce.window = Some(Bytes(1 << 20))
    });
    one(&format!("transport.roce.dcqcn.g: {only_roce}"), |s| {
        s.transport.roce.dcqcn.g = 0.5
    });
    let only_mrc = "is given, but is a setting of MRC and transport.protocol is \"roce\" (leave it out)";
    one(
        &format!("transport.evs: {only_mrc}"),
        with_roce(|s| s.transport.evs = 64),
    );
    one(
        &format!("transport.rccc: {only_mrc}"),
        with_roce(|s| s.transport.rccc = true),
    );
    one(
        &format!("transport.nscc.gamma: {only_mrc}"),
        with_roce(|s| s.transport.nscc.gamma = 0.5),
    );
    ok(with_roce(|s| {
        s.transport.qps = 16;
        s.transport.host_latency = Time::us(2);
        s.transport.roce.recovery = Recovery::SelectiveRepeat;
    }));
}

#[test]
fn two_faults_act_by_mrcs_packets() {
    let faults = |s: &mut Scenario| {
        let what = [
            FaultKind::NicRefuses {
                nic: 1,
                rate: 0.5,
                reason: Refusal::NoBitmap,
            },
            FaultKind::NicPenalty { nic: 1, penalty: 5 },
            FaultKind::NicFlap {
                nic: 1,
                duration: Time::us(1),
            },
        ];
        s.faults = what.map(|what| Fault { at: Time(1), what }).into();
    };
    ok(faults);
    assert_eq!(
        problems(with_roce(faults)),
        [
            "faults[0].kind: is \"nic_refuses\", which acts by MRC's NACKs, but transport.protocol is \"roce\" (leave it out)",
            "faults[1].kind: is \"nic_penalty\", which acts by MRC's SACKs, but transport.protocol is \"roce\" (leave it out)",
        ]
    );
}

/// IBTA: path MTUs of 256 B × 2^n up to 4096 B.
#[test]
fn roces_packets_have_sizes_of_ibta() {
    for pmtu in [256, 512, 1024, 2048, 4096] {
        ok(with_roce(move |s| s.transport.pmtu = Bytes(pmtu)));
    }
    one(
        "transport.pmtu: is 4.086 kB; expected 256, 512, 1024, 2048 or 4096 B with RoCE (the path MTUs of IBTA)",
        with_roce(|s| s.transport.pmtu = Bytes(4_086)),
    );
    ok(with_roce(|s| {
        s.model = Model::Htsim;
        s.transport.pmtu = Bytes(4_086);
    }));
    one(
        "transport.pmtu: is 9.217 kB; expected 256 B to 9 KiB (payload bytes of a full packet)",
        with_roce(|s| s.transport.pmtu = Bytes(9_217)),
    );
}

#[test]
fn bounds_of_roce() {
    ok(roce(|r| {
        (r.window, r.ack_every, r.timeout, r.retry_count) = (Some(Bytes(256)), 1024, 31, 0)
    }));
    one(
        "transport.roce.window: is 255 B; expected 256 B to 1 TiB (leave it out for none)",
        roce(|r| r.window = Some(Bytes(255))),
    );
    for bad in [0, 1025] {
        one(
            &format!("transport.roce.ack_every: is {bad}; expected 1 to 1024 (packets)"),
            roce(move |r| r.ack_every = bad),
        );
    }
    one(
        "transport.roce.timeout: is 32; expected 0 to 31 (t of 4.096 µs × 2^t; 0 means never)",
        roce(|r| r.timeout = 32),
    );
    ok(roce(|r| (r.timeout, r.longest_timeout) = (14, Some(14))));
    one(
        "transport.roce.longest_timeout: is 13; expected 14 to 31 (timeout at least; leave it out for no other)",
        roce(|r| r.longest_timeout = Some(13)),
    );
    for bad in [0, 1025] {
        one(
            &format!("transport.roce.reorder: is {bad}; expected 1 to 1024 (PSNs)"),
            roce(move |r| r.reorder = bad),
        );
    }
    one(
        "transport.roce.tracked: is 65537; expected 1 to 65536 (packets)",
        roce(|r| r.tracked = 65_537),
    );
    one(
        "transport.roce.retry_count: is 8; expected 0 to 7",
        roce(|r| r.retry_count = 8),
    );
}

/// IBTA: 4.096 µs × 2^t. 4.096 µs · 16384 = 67,108.864 µs.
#[test]
fn the_timeout_is_a_power_of_two() {
    let after = |timeout| {
        let roce = Roce {
            timeout,
            ..Roce::default()
        };
        roce.timeout_time()
    };
    assert_eq!(after(0), None);
    assert_eq!(after(1), Some(Time::ns(8_192)));
    assert_eq!(Roce::default().timeout_time(), Some(Time(67_108_864_000)));
    assert!(after(31) > after(30) && after(u32::MAX) >= after(31));
    let longest = |longest_timeout| {
        let roce = Roce {
            longest_timeout,
            ..Roce::default()
        };
        roce.longest_timeout_time()
    };
    assert_eq!(longest(None), after(14));
    assert_eq!(longest(Some(16)), after(16));
}

#[test]
fn bounds_of_dcqcn() {
    let number = "expected a number above 0 and up to 1";
    for bad in [0.0, 1.1, f64::NAN] {
        one(
            &format!("transport.roce.dcqcn.g: is {bad}; {number}"),
            dcqcn(|d| d.g = bad),
        );
        one(
            &format!("transport.roce.dcqcn.initial_alpha: is {bad}; {number}"),
            dcqcn(|d| d.initial_alpha = bad),
        );
    }
    for bad in [-0.1, 1.1, f64::NAN] {
        one(
            &format!(
                "transport.roce.dcqcn.min_decrease_factor: is {bad}; expected 0 to 1 (what one cut leaves of the rate \
                 at least)"
            ),
            dcqcn(|d| d.min_decrease_factor = bad),
        );
    }
    for bad in [0.5, 33.0, f64::NAN] {
        one(
            &format!("transport.roce.dcqcn.divisor: is {bad}; expected 1 to 32 (what alpha is divided by)"),
            dcqcn(|d| d.divisor = bad),
        );
    }
    type Timer = fn(&mut Dcqcn) -> &mut Time;
    let timers: [(&str, Timer, &str, Time); 4] = [
        ("alpha_timer", |d| &mut d.alpha_timer, "1 µs", Time::us(1)),
        ("increase_timer", |d| &mut d.increase_timer, "1 µs", Time::us(1)),
        (
            "rate_decrease_interval",
            |d| &mut d.rate_decrease_interval,
            "0 ps",
            Time(0),
        ),
        ("cnp_interval", |d| &mut d.cnp_interval, "0 ps", Time(0)),
    ];
    for (name, field, least, lowest) in timers {
        ok(dcqcn(|d| *field(d) = lowest));
        one(
            &format!("transport.roce.dcqcn.{name}: is 2 s; expected {least} to 1 s"),
            dcqcn(|d| *field(d) = Time::s(2)),
        );
    }
    one(
        "transport.roce.dcqcn.alpha_timer: is 999 ns; expected 1 µs to 1 s",
        dcqcn(|d| d.alpha_timer = Time::ns(999)),
    );
    type Speed = fn(&mut Dcqcn, Rate);
    let rates: [(&str, Speed); 4] = [
        ("rate_on_first_cnp", |d, rate| d.rate_on_first_cnp = Some(rate)),
        ("min_rate", |d, rate| d.min_rate = rate),
        ("rate_ai", |d, rate| d.rate_ai = rate),
        ("rate_hai", |d, rate| d.rate_hai = rate),
    ];
    for (name, set) in rates {
        ok(dcqcn(|d| set(d, Rate(1_000_000))));
        one(
            &format!("transport.roce.dcqcn.{name}: is 999.999 kb/s; expected 1 Mb/s to 3.2 Tb/s"),
            dcqcn(|d| set(d, Rate(999_999))),
        );
    }
    ok(dcqcn(|d| d.byte_counter = Bytes(0)));
    one(
        "transport.roce.dcqcn.byte_counter: is 1.023 kB; expected 1 KiB to 1 TiB (0 turns it off)",
        dcqcn(|d| d.byte_counter = Bytes(1_023)),
    );
    for bad in [0, 32] {
        one(
            &format!("transport.roce.dcqcn.fast_recovery_steps: is {bad}; expected 1 to 31"),
            dcqcn(move |d| d.fast_recovery_steps = bad),
        );
    }
}

/// 16 NICs make a permutation of 16 flows.
#[test]
fn qps_count() {
    for bad in [0, 65] {
        one(
            &format!("transport.qps: is {bad}; expected 1 to 64 (QPs of each flow)"),
            move |s| s.transport.qps = bad,
        );
    }
    // 131,072 NICs, 8 QPs each.
    one(
        "traffic: makes 1048576 QPs in all; expected 1 to 1000000 (transport.qps of each flow)",
        |s| {
            (s.fabric.t0_per_plane, s.fabric.nics_per_t0) = (2048, 64);
            s.transport.qps = 8;
        },
    );
}
