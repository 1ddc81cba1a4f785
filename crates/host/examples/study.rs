//! Knee, flood and caches over some seeds: `cargo run --release -p flowglass-host --example study -- 10`.

#![expect(clippy::print_stdout, reason = "it is a command")]

use host::study::{cache_curve, connection_curve, flood_survival, knee};
use scenario::host::{HostScenario, find_host_preset};

fn preset(slug: &str, seed: u64) -> HostScenario {
    let mut scenario = find_host_preset(slug).expect("a preset of this name").scenario();
    scenario.seed = seed;
    scenario
}

/// Mean and range.
fn say(what: &str, values: &[f64]) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let (least, most) = values
        .iter()
        .fold((f64::MAX, f64::MIN), |(a, b), &x| (a.min(x), b.max(x)));
    println!("{what}: {mean:.3} ({least:.3} to {most:.3})");
}

fn main() {
    let seeds: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(3);
    let offered: Vec<f64> = (5..=24).map(|n| f64::from(n) * 1_000.0).collect();
    let curves: Vec<_> = (1..=seeds)
        .map(|seed| connection_curve(&preset("host-cps-knee", seed), &offered).expect("it runs"))
        .collect();
    for (i, offered) in offered.iter().enumerate() {
        let served: Vec<f64> = curves.iter().map(|curve| curve[i].y).collect();
        say(&format!("closed/s of {offered} offered/s"), &served);
    }
    let knees: Vec<f64> = curves.iter().filter_map(|curve| knee(curve)).collect();
    say("knee", &knees);
    for slug in [
        "host-syn-flood",
        "host-syn-flood-limited",
        "host-syn-flood-hardened",
    ] {
        let shares: Vec<f64> = (1..=seeds)
            .map(|seed| flood_survival(&preset(slug, seed)).expect("it runs"))
            .collect();
        say(&format!("honest connections opened, {slug}"), &shares);
    }
    for (slug, flows) in [
        ("host-cache-cliff-l1", [1_024, 2_048, 4_096, 8_192, 65_536]),
        ("host-cache-cliff-l2", [4_096, 8_192, 10_240, 12_288, 24_576]),
    ] {
        let curves: Vec<_> = (1..=seeds)
            .map(|seed| cache_curve(&preset(slug, seed), &flows).expect("it runs"))
            .collect();
        for (i, flows) in flows.iter().enumerate() {
            let rates: Vec<f64> = curves.iter().map(|curve| curve[i].y / 1e6).collect();
            say(&format!("{slug}, Mpps with {flows} flows"), &rates);
        }
    }
}
