//! What valid settings of the endpoints are: EVs, retries, ports, messages, NSCC.

mod common;

use common::judge::{ok, one, problems};
use scenario::{Bytes, Nscc, Scenario, Time, Transport};

fn transport(change: impl FnOnce(&mut Transport)) -> impl FnOnce(&mut Scenario) {
    move |s| change(&mut s.transport)
}

fn nscc(change: impl FnOnce(&mut Nscc)) -> impl FnOnce(&mut Scenario) {
    move |s| change(&mut s.transport.nscc)
}

#[test]
fn evs_in_reserve_and_the_floor() {
    let evs =
        |evs, backup, floor| transport(move |t| (t.evs, t.backup_evs, t.ev_floor) = (evs, backup, floor));
    ok(evs(512, Some(512), Some(512)));
    ok(evs(8, Some(0), Some(0)));
    one(
        "transport.backup_evs: is 514; expected 0 to 512 (EVs in use and in reserve)",
        evs(512, Some(514), None),
    );
    one(
        "transport.backup_evs: is 33, which is no multiple of the 2 planes (each plane has the same number of EVs)",
        evs(128, Some(33), None),
    );
    one(
        "transport.ev_floor: is 129; expected 0 to 128 (at most the EVs in use)",
        evs(128, None, Some(129)),
    );
    assert_eq!(
        problems(evs(0, Some(1), Some(9))).len(),
        1,
        "nothing is said about the rest"
    );
}

#[test]
fn the_psn_range_is_a_power_of_two() {
    for mpr in [128, 1024, 16_384] {
        ok(transport(move |t| t.mpr = mpr));
    }
    for bad in [0, 64, 32_768] {
        one(
            &format!("transport.mpr: is {bad}; expected 128 to 16384 (a power of two)"),
            transport(move |t| t.mpr = bad),
        );
    }
    one(
        "transport.mpr: is 384, which is no power of two (packets in flight beyond the cumulative ACK)",
        transport(|t| t.mpr = 384),
    );
}

#[test]
fn retries_probes_and_messages() {
    one(
        "transport.linear_retries: is 8; expected 0 to 7",
        transport(|t| t.linear_retries = 8),
    );
    one(
        "transport.exponential_retries: is 26; expected 0 to 25 (25 means for ever)",
        transport(|t| t.exponential_retries = 26),
    );
    ok(transport(|t| (t.linear_retries, t.exponential_retries) = (0, 0)));
    ok(transport(|t| t.reliability_probe = Some(Time(0))));
    ok(transport(|t| t.reliability_probe = Some(Time::us(1))));
    one(
        "transport.reliability_probe: is 1 ps; expected 1 µs to 100 s (\"0\" turns it off)",
        transport(|t| t.reliability_probe = Some(Time(1))),
    );
    for bad in [0, 1025] {
        one(
            &format!("transport.max_wimm: is {bad}; expected 1 to 1024 (WRITEs with immediate in flight)"),
            transport(move |t| t.max_wimm = bad),
        );
    }
}

#[test]
fn times_of_ports_and_host() {
    ok(transport(|t| {
        (t.port_detect, t.port_remap) = (Time(0), Time::s(100))
    }));
    one(
        "transport.port_detect: is 101 s; expected 0 ps to 100 s",
        transport(|t| t.port_detect = Time::s(101)),
    );
    one(
        "transport.port_remap: is 101 s; expected 0 ps to 100 s",
        transport(|t| t.port_remap = Time::s(101)),
    );
    one(
        "transport.host_latency: is 11 ms; expected 0 ps to 10 ms",
        transport(|t| t.host_latency = Time::ms(11)),
    );
}

#[test]
fn nscc_times_and_sizes() {
    let derived = "(leave it out for a derived one)";
    one(
        &format!("transport.nscc.target_delay: is 0 ps; expected 1 ns to 1 s {derived}"),
        nscc(|n| n.target_delay = Some(Time(0))),
    );
    one(
        &format!("transport.nscc.base_rtt: is 2 s; expected 1 ns to 1 s {derived}"),
        nscc(|n| n.base_rtt = Some(Time::s(2))),
    );
    one(
        &format!("transport.nscc.qa_threshold: is 101 s; expected 1 ns to 100 s {derived}"),
        nscc(|n| n.qa_threshold = Some(Time::s(101))),
    );
    one(
        &format!("transport.nscc.adjust_period_threshold: is 0 ps; expected 1 ns to 1 s {derived}"),
        nscc(|n| n.adjust_period_threshold = Some(Time(0))),
    );
    one(
        &format!("transport.nscc.max_cwnd: is 255 B; expected 256 B to 1 TiB {derived}"),
        nscc(|n| n.max_cwnd = Some(Bytes(255))),
    );
    one(
        &format!("transport.nscc.adjust_bytes_threshold: is 0 B; expected 1 B to 1 TiB {derived}"),
        nscc(|n| n.adjust_bytes_threshold = Some(Bytes(0))),
    );
    ok(nscc(|n| n.idle_delay = Time(0)));
    one(
        "transport.nscc.idle_delay: is 2 s; expected 0 ps to 1 s",
        nscc(|n| n.idle_delay = Time::s(2)),
    );
}

#[test]
fn nscc_numbers() {
    type Field = fn(&mut Nscc) -> &mut Option<f64>;
    let fields: [(&str, Field); 4] = [
        ("fi", |n| &mut n.fi),
        ("fi_scale", |n| &mut n.fi_scale),
        ("eta", |n| &mut n.eta),
        ("alpha", |n| &mut n.alpha),
    ];
    for (name, field) in fields {
        ok(nscc(|n| *field(n) = Some(0.0)));
        ok(nscc(|n| *field(n) = Some(1e12)));
        for bad in [-1.0, 2e12, f64::NAN, f64::INFINITY] {
            one(
                &format!(
                    "transport.nscc.{name}: is {bad}; expected 0 to 1000000000000 (leave it out for a derived one)"
                ),
                nscc(|n| *field(n) = Some(bad)),
            );
        }
    }
    for bad in [-0.1, 1.1, f64::NAN] {
        one(
            &format!("transport.nscc.gamma: is {bad}; expected 0 to 1"),
            nscc(|n| n.gamma = bad),
        );
        one(
            &format!(
                "transport.nscc.max_md_jump: is {bad}; expected 0 to 1 (what one decrease leaves of the window at least)"
            ),
            nscc(|n| n.max_md_jump = bad),
        );
    }
    for bad in [0.0, 1.1, f64::NAN] {
        one(
            &format!(
                "transport.nscc.delay_weight: is {bad}; expected a number above 0 and up to 1 (the weight of a new sample)"
            ),
            nscc(|n| n.delay_weight = bad),
        );
    }
    one(
        "transport.nscc.qa_gate: is 17; expected 0 to 16",
        nscc(|n| n.qa_gate = 17),
    );
}
