//! Runs a host preset or scenario file and says what came of it: `cargo run --release -p flowglass-host --example host -- host-latency`.

#![expect(clippy::print_stdout, reason = "it is a command")]

use host::{Loss, Route, Run};
use kernel::Time;
use scenario::host::{HostScenario, find_host_preset};
use std::time::Instant;

fn main() {
    let name = std::env::args().nth(1).expect("a preset's name or a file");
    let seed = std::env::args().nth(2).and_then(|seed| seed.parse().ok());
    let mut scenario = match find_host_preset(&name) {
        Some(preset) => preset.scenario(),
        None => {
            let text = std::fs::read_to_string(&name).expect("a preset's name or a file");
            HostScenario::from_json(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
        }
    };
    if let Some(seed) = seed {
        scenario.seed = seed;
    }
    let began = Instant::now();
    let mut run = Run::new(&scenario).unwrap_or_else(|e| panic!("{name}: {e}"));
    let built = began.elapsed();
    run.run_until(Time::MAX);
    let metrics = run.metrics();
    let counters = run.counters();
    println!("{}", scenario.name);
    println!(
        "digest {:016x}, {} events in {:.2} s after {:.2} s of building, balanced: {}",
        run.digest(),
        run.events(),
        (began.elapsed() - built).as_secs_f64(),
        built.as_secs_f64(),
        run.packets_balance()
    );
    for (route, times) in Route::ALL.into_iter().zip(&metrics.one_way) {
        println!(
            "{:10} {:9} packets, mean {:?} p50 {:?} p99 {:?} p99.9 {:?} µs",
            route.name(),
            times.count(),
            times.mean().map(Time::as_us),
            times.quantile(0.5).map(Time::as_us),
            times.quantile(0.99).map(Time::as_us),
            times.quantile(0.999).map(Time::as_us)
        );
    }
    for loss in Loss::all().filter(|loss| counters.lost[loss.number()] > 0) {
        println!("lost {loss}: {}", counters.lost[loss.number()]);
    }
    println!("{counters:?}");
    println!("{:?}", run.gauges());
    println!("core load {:?}", run.core_load());
    println!("NIC {:?}", run.nic().tables().statistics());
    for (i, traffic) in metrics.traffic.iter().enumerate() {
        println!(
            "traffic {i}: packets {} arrived {} in hardware {} lost {}, payload {} B, goodput {:?} Gb/s, connections {:?}",
            traffic.packets,
            traffic.arrived,
            traffic.in_hardware,
            traffic.lost,
            traffic.delivered,
            traffic.goodput().map(|rate| rate / 1e9),
            traffic.connections
        );
        for (what, times) in [("one way", &traffic.one_way), ("round trip", &traffic.round_trip)] {
            println!(
                "  {what}: {} mean {:?} p99 {:?} p99.9 {:?} max {:?} µs",
                times.count(),
                times.mean().map(Time::as_us),
                times.quantile(0.99).map(Time::as_us),
                times.quantile(0.999).map(Time::as_us),
                times.most().map(Time::as_us)
            );
        }
    }
    for mark in metrics.marks.iter().take(40) {
        println!("{} VM {:?} {:?}", mark.at, mark.vm, mark.what);
    }
}
