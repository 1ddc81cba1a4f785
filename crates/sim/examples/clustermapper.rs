//! The tables of `docs/clustermapper.md`: `cargo run --release -p flowglass-sim --example clustermapper`.
#![expect(clippy::print_stdout, reason = "it prints tables")]

use kernel::Time;
use mapper::{Config, Load, Plan, Topology};
use scenario::Scenario;
use sim::{BuildError, Sim};

const SEEDS: u64 = 20;
/// What a probe takes of a line (measured in `tests/mapper.rs`).
const PROBE_BYTES: u32 = 158;

fn main() -> Result<(), BuildError> {
    detection()?;
    cost()?;
    degraded_planes()
}

fn build(body: &str) -> Result<Sim, BuildError> {
    let json = format!("{{\"version\": 1, {body}}}");
    Sim::new(&Scenario::from_json(&json).unwrap_or_else(|error| panic!("{error}: {json}")))
}

fn fabric(planes: u32) -> String {
    format!(
        r#""fabric": {{"planes": {planes}, "t0_per_plane": 4, "t1_per_plane": 4, "nics_per_t0": 4, "nic_link_rate": "100Gbps"}}"#
    )
}

/// Time from the fault to the verdict with the published interval of 1 ms, by what a T0–T1 link loses each way.
fn detection() -> Result<(), BuildError> {
    println!("### Detection\n");
    println!(
        "| Lost each way | Lost there and back | window 16, threshold 0.25 | window 64, threshold 0.05 |"
    );
    println!("|---|---|---|---|");
    for rate in [1.0, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01] {
        let both = 1.0 - (1.0 - rate) * (1.0 - rate);
        let [usual, careful] =
            [(16, 0.25), (64, 0.05)].map(|(window, threshold)| delays(rate, window, threshold));
        println!(
            "| {} | {} | {} | {} |",
            percent(rate),
            percent(both),
            usual?,
            careful?
        );
    }
    println!();
    Ok(())
}

/// Median, smallest and largest of the delays in ms, and in how many runs there was a verdict at all within a second.
fn delays(rate: f64, window: u32, threshold: f64) -> Result<String, BuildError> {
    let mut delays = Vec::new();
    let mut others = 0;
    for seed in 0..SEEDS {
        let mut sim = build(&format!(
            r#""seed": {seed}, "until": "1101ms", {}, "transport": {{"evs": 32}},
            "clustermapper": {{"window": {window}, "threshold": {threshold}}},
            "traffic": [{{"kind": "flow", "src": 0, "dst": 5, "bytes": 1, "start": "1100ms"}}],
            "faults": [{{"at": "{}us", "kind": "link_loss", "link": "p1/t0.0-t1.2", "rate": {rate}}}]"#,
            fabric(2),
            // At any time of an interval.
            100_000 + seed * 1_000 / SEEDS
        ))?;
        let at = sim.scenario().faults[0].at.0;
        sim.run_until(Time(at + Time::from_ms(1_000).0));
        let mine = |verdict: &&sim::Verdict| verdict.place.to_string() == "p1/t0.0-t1.2";
        others += sim.verdicts().iter().filter(|verdict| !mine(verdict)).count();
        delays.extend(
            sim.verdicts()
                .iter()
                .find(mine)
                .map(|verdict| (verdict.at_ps - at) as f64 / 1e9),
        );
    }
    assert_eq!(others, 0, "nothing else may be accused");
    delays.sort_by(f64::total_cmp);
    let found = delays.len();
    Ok(match delays.as_slice() {
        [] => "not within 1 s".into(),
        [first, .., last] if found as u64 == SEEDS => {
            format!("{:.1} ms ({first:.1}–{last:.1})", delays[found / 2])
        }
        _ => format!("{found} of {SEEDS} runs within 1 s"),
    })
}

/// What probes cost, by arithmetic from the schedule.
fn cost() -> Result<(), BuildError> {
    println!("### Cost\n");
    println!(
        "| Fabric | Probes/s of a node | Mb/s of a node each way | Share of its ports | Million probes/s in all |"
    );
    println!("|---|---|---|---|---|");
    let paper = Topology {
        planes: 8,
        pods: 1,
        t0s: 512,
        t1s: 256,
        t2s: 0,
        nics_per_t0: 256,
        rails: 4,
    };
    let three_tiers = Topology {
        planes: 1,
        pods: 64,
        t0s: 2_048,
        t1s: 2_048,
        t2s: 1_024,
        nics_per_t0: 32,
        rails: 4,
    };
    let preset = Topology {
        planes: 2,
        pods: 1,
        t0s: 4,
        t1s: 4,
        t2s: 0,
        nics_per_t0: 4,
        rails: 1,
    };
    for (name, topology, rate, interval) in [
        (
            "8 × 100 Gb/s, two tiers, 32,768 nodes of 4 NICs",
            paper,
            100e9,
            1_000_000_000,
        ),
        (
            "1 × 800 Gb/s, three tiers, 16,384 nodes of 4 NICs",
            three_tiers,
            800e9,
            1_000_000_000,
        ),
        (
            "preset `clustermapper`: 16 nodes, every 50 µs",
            preset,
            100e9,
            50_000_000,
        ),
    ] {
        let config = Config {
            interval,
            t1_probes: None,
            window: 16,
            threshold: 0.25,
        };
        let load = Load::of(&Plan::new(topology, config).unwrap_or_else(|problem| panic!("{problem}")));
        println!(
            "| {name} | {:.0} | {:.1} | {:.4} % | {:.1} |",
            load.of_node(),
            load.bits_of_node(PROBE_BYTES) / 1e6,
            load.share_of_ports(PROBE_BYTES, rate) * 100.0,
            load.of_fabric() / 1e6
        );
    }
    println!();
    Ok(())
}

/// A NIC's port that loses packets, with the plane left to MRC and given up: goodput of one flow, and steps of 1 MB one after
/// the other.
fn degraded_planes() -> Result<(), BuildError> {
    println!("### A lossy NIC port\n");
    println!("| Lost each way | Goodput, policy off | on | Steps of 1 MB: p50 and p99, policy off | on |");
    println!("|---|---|---|---|---|");
    for rate in [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5] {
        let mut cells = [goodput(rate, false)?, goodput(rate, true)?]
            .map(|gbps| format!("{gbps:.1} Gb/s"))
            .to_vec();
        cells.extend([steps(rate, false)?, steps(rate, true)?]);
        println!("| {} | {} |", percent(rate), cells.join(" | "));
    }
    Ok(())
}

fn lossy_port(rate: f64, degraded_planes: bool, until: &str, traffic: &str) -> Result<Sim, BuildError> {
    build(&format!(
        r#""until": "{until}", {}, "transport": {{"evs": 128}},
        "clustermapper": {{"interval": "20us", "degraded_planes": {degraded_planes}, "window": 64, "threshold": 0.05}},
        "traffic": [{traffic}],
        "faults": [{{"at": "100us", "kind": "link_loss", "link": "p1/n0", "rate": {rate}}}]"#,
        fabric(8)
    ))
}

/// From 4 ms to 8 ms, Gb/s.
fn goodput(rate: f64, policy: bool) -> Result<f64, BuildError> {
    let mut sim = lossy_port(
        rate,
        policy,
        "8ms",
        r#"{"kind": "flow", "src": 0, "dst": 5, "bytes": "1GB"}"#,
    )?;
    sim.run_until(Time::from_ms(4));
    let before = sim.placed_bytes();
    sim.run_until(Time::MAX);
    Ok((sim.placed_bytes() - before) as f64 * 8.0 / 4e6)
}

/// Of those that begin after 10 ms, µs.
fn steps(rate: f64, policy: bool) -> Result<String, BuildError> {
    let job = r#"{"kind": "job", "collective": "send_receive", "ranks": 2, "stride": 5, "bytes": "1MB", "steps": 4000}"#;
    let mut sim = lossy_port(rate, policy, "1s", job)?;
    sim.run_until(Time::MAX);
    let (_, steps) = sim
        .job_steps()
        .next()
        .unwrap_or_else(|| panic!("there is one job"));
    let late = steps.iter().filter(|step| step.began_ps > 10_000_000_000);
    let mut times: Vec<f64> = late
        .map(|step| (step.ended_ps - step.posted_ps) as f64 / 1e6)
        .collect();
    times.sort_by(f64::total_cmp);
    let rank = |share: f64| times[((times.len() as f64 * share).ceil() as usize).max(1) - 1];
    Ok(format!("{:.1} and {:.1} µs", rank(0.5), rank(0.99)))
}

fn percent(share: f64) -> String {
    format!("{} %", (share * 10_000.0).round() / 100.0)
}
