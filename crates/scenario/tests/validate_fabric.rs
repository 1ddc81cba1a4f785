//! What a valid fabric of three tiers, with rails, is; and Clustermapper's settings.

mod common;

use common::judge::{ok, one};
use scenario::{Clustermapper, Fabric, Rate, Scenario, Time};

/// `small()` with other counts: planes 2, NICs per T0 4.
fn shape(pods: u32, t0: u32, t1: u32, t2: u32, rails: u32) -> impl FnOnce(&mut Scenario) {
    move |s| {
        s.fabric = Fabric {
            pods,
            t0_per_plane: t0,
            t1_per_plane: t1,
            t2_per_plane: t2,
            rails,
            ..s.fabric.clone()
        }
    }
}

#[test]
fn pods_and_tiers_come_out_even() {
    ok(shape(2, 4, 4, 4, 1));
    ok(shape(1, 4, 4, 8, 1));
    ok(shape(4, 4, 8, 2, 1));
    one("fabric.pods: is 0; expected 1 to 2048", shape(0, 4, 4, 4, 1));
    one(
        "fabric.pods: is 2049; expected 1 to 2048",
        shape(2049, 4, 4, 4, 1),
    );
    one(
        "fabric.t2_per_plane: is 2048; expected 0 to 2047",
        shape(1, 4, 4, 2048, 1),
    );
    one(
        "fabric.pods: is 2, but there are no T2s to join pods; expected 1 (set t2_per_plane)",
        shape(2, 4, 4, 0, 1),
    );
    one(
        "fabric.t0_per_plane: is 5, which is no multiple of the 2 pods",
        shape(2, 5, 4, 4, 1),
    );
    one(
        "fabric.t1_per_plane: is 5, which is no multiple of the 2 pods",
        shape(2, 4, 5, 4, 1),
    );
    one(
        "fabric.t2_per_plane: is 3, which is no multiple of the 2 T1s of a pod",
        shape(2, 4, 4, 3, 1),
    );
    one(
        "fabric.t2_per_plane: is 2, which is no multiple of the 4 T1s of a pod",
        shape(1, 4, 4, 2, 1),
    );
}

#[test]
fn rails_divide_the_t0s() {
    ok(shape(1, 4, 2, 0, 4));
    ok(shape(2, 4, 2, 1, 2));
    one("fabric.rails: is 0; expected 1 to 16", shape(1, 4, 2, 0, 0));
    one("fabric.rails: is 17; expected 1 to 16", shape(1, 4, 2, 0, 17));
    one(
        "fabric.t0_per_plane: is 4, which is no multiple of the 3 rails",
        shape(1, 4, 2, 0, 3),
    );
}

/// A T0 has links to the T1s of its pod only: 64 pods of 32 × 32 links and 2048 × 32 to T2s make, with 65,536 NICs,
/// 2 · 3 · 65,536 directed links a plane. One pod of 2048 × 2047 has 4,192,256 T0–T1 links, and 2047 T1s with one T2
/// each, and 65,536 NICs: 2 · 4,259,839 a plane.
#[test]
fn the_number_of_links_counts_all_tiers() {
    ok(shape(64, 2048, 2048, 1024, 1));
    one(
        "fabric: makes 34078712 directed links in all; expected at most 20000000 (use fewer planes, T0s, T1s or T2s)",
        |s| {
            shape(1, 2048, 2047, 2047, 1)(s);
            (s.fabric.planes, s.fabric.nics_per_t0) = (4, 32);
        },
    );
}

#[test]
fn rates_delays_and_the_control_weight() {
    one(
        "fabric.t2_link_rate: is 1 b/s; expected 1 Mb/s to 3.2 Tb/s",
        |s| s.fabric.t2_link_rate = Some(Rate(1)),
    );
    one("fabric.t2_link_delay: is 0 ps; expected 1 ns to 10 ms", |s| {
        s.fabric.t2_link_delay = Time(0)
    });
    ok(|s| s.fabric.queue.control_weight = Some(0.5));
    ok(|s| s.fabric.queue.control_weight = Some(f64::MIN_POSITIVE));
    for bad in [0.0, -0.25, 0.500_1, f64::NAN, f64::INFINITY] {
        one(
            &format!(
                "fabric.queue.control_weight: is {bad}; expected a number above 0 and up to 0.5 (a share of the line; \
                 leave it out for strict priority)"
            ),
            |s| s.fabric.queue.control_weight = Some(bad),
        );
    }
}

fn mapper(change: impl FnOnce(&mut Clustermapper)) -> impl FnOnce(&mut Scenario) {
    move |s| {
        let mut mapper = Clustermapper::default();
        change(&mut mapper);
        s.clustermapper = Some(mapper);
    }
}

#[test]
fn clustermapper() {
    ok(mapper(|_| {}));
    one(
        "clustermapper.interval: is 9.999 µs; expected 10 µs to 100 s",
        mapper(|m| m.interval = Time::ns(9_999)),
    );
    ok(mapper(|m| m.t1_probes = Some(0)));
    one(
        "clustermapper.t1_probes: is 16385; expected 0 to 16384 (leave it out to cover all links)",
        mapper(|m| m.t1_probes = Some(16_385)),
    );
    for bad in [1, 65] {
        one(
            &format!("clustermapper.window: is {bad}; expected 2 to 64 (probes)"),
            mapper(|m| m.window = bad),
        );
    }
    ok(mapper(|m| m.threshold = 0.0));
    for bad in [1.0, -0.1, f64::NAN] {
        one(
            &format!(
                "clustermapper.threshold: is {bad}; expected 0 to below 1 (a link is bad when more than this share of \
                 its probes is lost)"
            ),
            mapper(|m| m.threshold = bad),
        );
    }
}
