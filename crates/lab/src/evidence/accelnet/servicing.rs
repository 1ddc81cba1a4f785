//! What survives when the hardware is serviced.

use super::host;
use crate::evidence::experiment::{Experiment, Known, Row};
use crate::evidence::host_run::HostRun;
use crate::evidence::run::Stopped;
use host::{Counters, Histogram, Loss};
use kernel::Time;

pub(super) fn all() -> Vec<Experiment> {
    vec![Experiment {
        id: "servicing",
        title: "Servicing under load",
        source: "summaries of the paper: TCP flows and vNICs survive; RDMA has no transparent path (facts 3.1); DPDK on the VF \
                 alone misses first packets (facts 7, issues 3 and 4)",
        scaling: "all times are scaled down fifty times, so that seconds of servicing are milliseconds",
        measured: "over the whole run. TCP's byte stream is in order and complete by construction of its receiver; what was lost \
                   below was sent again",
        cases: vec![
            host(
                "host-vf-revoke",
                Vec::new(),
                false,
                vec![
                    failed("FPGA reconfigured: TCP connections that fail"),
                    Row::number(
                        "mean latency of pings before (calibrated)",
                        "µs",
                        17.0,
                        Known::Summary,
                    )
                    .within(5.0),
                    Row::number(
                        "mean latency of pings while the VF is away (calibrated)",
                        "µs",
                        50.0,
                        Known::Summary,
                    )
                    .within(5.0),
                    Row::number(
                        "mean latency of pings afterwards (calibrated)",
                        "µs",
                        17.0,
                        Known::Summary,
                    )
                    .within(5.0),
                ],
                Box::new(|run| {
                    // The VF goes at 100 ms; it is back before 450 ms. Around that is time to settle.
                    let mut mean = |from: u64, to: u64| {
                        run.to(Time::from_ms(from))?;
                        let before = run.traffic(0).one_way.clone();
                        run.to(Time::from_ms(to))?;
                        Ok::<f64, Stopped>(mean_since(&before, &run.traffic(0).one_way))
                    };
                    let means = [mean(0, 100)?, mean(110, 390)?, mean(450, 600)?];
                    run.to_end()?;
                    Ok([&[failures(run)][..], &means].concat())
                }),
            ),
            host(
                "host-vf-storm",
                Vec::new(),
                false,
                vec![failed(
                    "ten VF removals in half a second: TCP connections that fail",
                )],
                Box::new(|run| {
                    run.to_end()?;
                    Ok(vec![failures(run)])
                }),
            ),
            host(
                "host-migration",
                Vec::new(),
                false,
                vec![failed(
                    "live migration with flow state: TCP connections that fail",
                )],
                Box::new(|run| {
                    run.to_end()?;
                    Ok(vec![failures(run)])
                }),
            ),
            host(
                "host-migration",
                vec![("events[0].carry_state", false.into())],
                false,
                vec![
                    Row::statement(
                        "live migration without flow state: payload in the last half second",
                        "bytes",
                        "none",
                        Known::Derived,
                    )
                    .at_most(0.0),
                ],
                Box::new(|run| {
                    run.to(Time::from_ms(500))?;
                    let before: u64 = run.run().counters().payload.iter().flatten().sum();
                    run.to_end()?;
                    let after: u64 = run.run().counters().payload.iter().flatten().sum();
                    Ok(vec![(after - before) as f64])
                }),
            ),
            host(
                "host-rdma-fallback",
                Vec::new(),
                false,
                vec![
                    Row::number(
                        "RDMA QPs that are closed when the VF goes",
                        "",
                        1.0,
                        Known::Summary,
                    )
                    .exactly(),
                    failed("TCP connections that fail beside it"),
                ],
                Box::new(|run| {
                    run.to_end()?;
                    let marks = run.run().metrics().marks.iter();
                    let closed = marks
                        .filter(|mark| mark.what == host::MarkKind::Qp(false))
                        .count();
                    Ok(vec![closed as f64, failures(run)])
                }),
            ),
            host(
                "host-dpdk-vf-only",
                Vec::new(),
                false,
                vec![
                    Row::number(
                        "packets that the kernel's NetVSC never sees",
                        "",
                        0.0,
                        Known::Documented,
                    )
                    .exactly(),
                    Row::statement(
                        "packets that drivers on the VF alone never see",
                        "",
                        "the first of each flow",
                        Known::Documented,
                    )
                    .at_least(1.0),
                ],
                Box::new(|run| {
                    run.to_end()?;
                    let unseen = run.run().counters().lost[Loss::UnseenByDriver.number()];
                    let kernel = run.traffic(0);
                    let missing = kernel.packets - kernel.arrived;
                    // What is under way at the end is missing, too, but neither lost nor unseen.
                    Ok(vec![kernel.lost.min(missing) as f64, unseen as f64])
                }),
            ),
        ],
    }]
}

fn failed(what: &str) -> Row {
    Row::number(what, "", 0.0, Known::Summary).exactly()
}

fn failures(run: &HostRun) -> f64 {
    let connections = &run.run().counters().connections;
    // Failures, by reason, follow.
    connections[Counters::CLOSED + 1..].iter().sum::<u64>() as f64
}

/// The mean of what was timed since a histogram was as `before`, µs.
fn mean_since(before: &Histogram, now: &Histogram) -> f64 {
    let sum = |times: &Histogram| times.count() as f64 * times.mean().map_or(0.0, Time::as_us);
    (sum(now) - sum(before)) / (now.count() - before.count()) as f64
}
