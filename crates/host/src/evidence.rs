//! What was published about AccelNet (facts 4) beside what comes out of a run: a registry of numbers, and what measures all of
//! them with one seed. Statistics over many seeds are for the caller.

use crate::build::BuildError;
use crate::metrics::Counters;
use crate::run::Run;
use crate::study::connection_curve;
use kernel::Time;
use scenario::host::{HostScenario, find_host_preset};

/// What ours rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// A parameter was set so that this number comes out; that it does after all queues and tables is what is shown.
    Calibrated,
    /// It follows from published sizes and rules; no parameter was set for it.
    Follows,
}

/// A published number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// What is measured.
    pub metric: &'static str,
    /// In which unit.
    pub unit: &'static str,
    /// What was published.
    pub value: f64,
    /// How far ours may be off, as a share of it; of numbers that are 0, absolute.
    pub tolerance: f64,
    /// Where the published value comes from, and under which conditions.
    pub source: &'static str,
    /// What ours rests on.
    pub basis: Basis,
    /// Why ours is what it is.
    pub reason: &'static str,
}

use Basis::{Calibrated, Follows};

const PINGS: &str = "AccelNet, 4-byte TCP pings between Windows Server 2016 VMs";
const STREAM: &str = "AccelNet, one CUBIC connection, MTU 1,500, VM with 32 Gb/s";
const MODEL: &str = "S(1 − (1 − 1/S)^N)/N of uniform traffic over a direct-mapped cache of S = 2,048 (a model, not a measurement)";
const IDLE: &str = "the idle path's distribution meets it; NIC, cores and link are simulated on top";

/// The numbers, in the order of what [`measure`] returns.
pub const EVIDENCE: [Published; 17] = [
    latency("one-way latency over the VF, mean", 17.0, 0.02),
    latency("one-way latency over the VF, P99", 25.0, 0.05),
    latency("one-way latency over the VF, P99.9", 80.0, 0.15),
    latency("one-way latency without, mean", 50.0, 0.02),
    latency("one-way latency without, P99", 100.0, 0.05),
    latency("one-way latency without, P99.9", 300.0, 0.15),
    Published {
        metric: "throughput of one connection over the VF",
        unit: "Gb/s",
        value: 31.0,
        tolerance: 0.02,
        source: STREAM,
        basis: Follows,
        reason: "32 Gb/s count IP bytes, and 1,460 of 1,500 are payload: 31.15",
    },
    Published {
        metric: "throughput of one connection without",
        unit: "Gb/s",
        value: 5.0,
        tolerance: 0.05,
        source: STREAM,
        basis: Calibrated,
        reason: "a core's cost of a packet is set for it",
    },
    Published {
        metric: "throughput of eight connections without",
        unit: "Gb/s",
        value: 31.0,
        tolerance: 0.35,
        source: "AccelNet: about eight connections are needed for line rate",
        basis: Follows,
        reason: "a hash spreads eight connections over eight cores: about five cores' worth, as some share one",
    },
    Published {
        metric: "host CPU at that rate over the VF",
        unit: "% of a core",
        value: 0.0,
        tolerance: 1.0,
        source: "AccelNet: 0 %",
        basis: Follows,
        reason: "a core sees the first packet and copies of SYN and FIN",
    },
    Published {
        metric: "packets of a connection that are exceptions",
        unit: "packets",
        value: 1.0,
        tolerance: 0.0,
        source: "AccelNet: only the first packet of a flow goes to software",
        basis: Follows,
        reason: "the pair of entries is active before the answer comes",
    },
    Published {
        metric: "share of an eight-packet connection in hardware",
        unit: "%",
        value: 87.5,
        tolerance: 0.01,
        source: "AccelNet: only the first packet goes to software; short flows have at least 7 to 10",
        basis: Follows,
        reason: "all but the SYN",
    },
    Published {
        metric: "copies of SYN, FIN and RST of a connection",
        unit: "packets",
        value: 3.0,
        tolerance: 0.34,
        source: "counted from the published rule (facts 2.5): SYN-ACK and two FINs",
        basis: Follows,
        reason: "with the acknowledgment after the last FIN four: VFP sees the connection end by it",
    },
    hit_rate("L1 hits with 4,096 flows", 43.2),
    hit_rate("L1 hits with 8,192 flows", 24.5),
    hit_rate("L1 hits with 10,000 flows", 20.3),
    Published {
        metric: "connections per second through one core",
        unit: "1/s",
        value: 15_000.0,
        tolerance: 0.1,
        source: "documented as tens of thousands in software; the value is our reading",
        basis: Calibrated,
        reason: "costs of walk, entries and orders to the NIC are set for it",
    },
];

const fn latency(metric: &'static str, value: f64, tolerance: f64) -> Published {
    Published {
        metric,
        unit: "µs",
        value,
        tolerance,
        source: PINGS,
        basis: Calibrated,
        reason: IDLE,
    }
}

const fn hit_rate(metric: &'static str, value: f64) -> Published {
    Published {
        metric,
        unit: "%",
        value,
        tolerance: 0.03,
        source: MODEL,
        basis: Follows,
        reason: "every packet is looked up in the caches",
    }
}

/// Whether ours lies within the tolerance.
pub fn agrees(published: &Published, ours: f64) -> bool {
    let scale = if published.value == 0.0 {
        1.0
    } else {
        published.value
    };
    (ours - published.value).abs() <= published.tolerance * scale + 1e-9
}

/// Measures all numbers of [`EVIDENCE`] with one seed; some seconds natively.
///
/// # Errors
/// [`BuildError`] if a scenario can't be run, which the tests rule out.
pub fn measure(seed: u64) -> Result<Vec<f64>, BuildError> {
    let mut numbers = Vec::with_capacity(EVIDENCE.len());
    let run = finish(preset("host-latency", seed))?;
    for traffic in &run.metrics().traffic {
        let times = &traffic.one_way;
        let figures = [times.mean(), times.quantile(0.99), times.quantile(0.999)];
        numbers.extend(figures.map(|time| time.map_or(f64::NAN, Time::as_us)));
    }
    let run = finish(preset("host-throughput", seed))?;
    let gbps = |run: &Run, i: usize| {
        run.metrics().traffic[i]
            .goodput()
            .map_or(f64::NAN, |rate| rate / 1e9)
    };
    numbers.extend([gbps(&run, 0), gbps(&run, 1)]);
    numbers.push(gbps(&finish(preset("host-eight-connections", seed))?, 0));
    numbers.push(cpu_over_vf(seed)?);
    numbers.extend(connection(seed)?);
    for flows in [4_096, 8_192, 10_000] {
        numbers.push(l1_hits(flows, seed)?);
    }
    // Twice what can be served is offered.
    let curve = connection_curve(&preset("host-cps-knee", seed), &[30_000.0])?;
    numbers.extend(curve.iter().map(|point| point.y));
    Ok(numbers)
}

/// What all cores together work while the accelerated connection of the preset runs alone, in percent of one.
fn cpu_over_vf(seed: u64) -> Result<f64, BuildError> {
    let mut scenario = preset("host-throughput", seed);
    scenario.traffic.truncate(1);
    let run = finish(scenario)?;
    Ok(100.0 * run.counters().busy as f64 / run.now().0.max(1) as f64)
}

fn preset(slug: &str, seed: u64) -> HostScenario {
    let mut scenario = find_host_preset(slug).expect("a preset of this name").scenario();
    scenario.seed = seed;
    scenario
}

fn finish(scenario: HostScenario) -> Result<Run, BuildError> {
    let mut run = Run::new(&scenario)?;
    run.run_until(Time::MAX);
    Ok(run)
}

fn spelled(seed: u64, fields: &str) -> HostScenario {
    let text = format!("{{ \"version\": 1, \"seed\": {seed}, {fields} }}");
    HostScenario::from_json(&text).expect("a scenario of this module")
}

/// Exceptions, share in hardware and copies of a connection with one request of one packet.
fn connection(seed: u64) -> Result<[f64; 3], BuildError> {
    let run = finish(spelled(
        seed,
        r#""until": "200ms", "host": {}, "vms": [{}],
           "traffic": [{ "kind": "connections", "vm": 0, "per_second": 1000, "request": 100, "response": 100, "stop": "150ms" }]"#,
    ))?;
    let traffic = &run.metrics().traffic[0];
    let closed = traffic.connections[Counters::CLOSED] as f64;
    let counters = run.counters();
    Ok([
        counters.exceptions.iter().sum::<u64>() as f64 / closed,
        100.0 * traffic.in_hardware as f64 / traffic.arrived as f64,
        counters.copies as f64 / closed,
    ])
}

/// Hits in L1 in the second half of a run, when the cache is full.
fn l1_hits(flows: u32, seed: u64) -> Result<f64, BuildError> {
    let scenario = spelled(
        seed,
        &format!(
            r#""until": "80ms", "host": {{}}, "vms": [{{ "policy": {{ "filler_rules": 0 }} }}],
               "traffic": [{{ "kind": "flows", "vm": 0, "flows": {flows}, "per_second": 2000000, "warm": true }}]"#
        ),
    );
    let mut run = Run::new(&scenario)?;
    run.run_until(Time::from_ms(40));
    let before = *run.nic().tables().statistics();
    run.run_until(Time::MAX);
    let after = run.nic().tables().statistics();
    let (hits, packets) = (
        after.l1_cache_hits - before.l1_cache_hits,
        after.packets - before.packets,
    );
    Ok(100.0 * hits as f64 / packets as f64)
}
