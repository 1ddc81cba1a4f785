//! What one connection carries, and what of it software sees.

use super::{host, share};
use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};
use host::Counters;
use serde_json::json;

pub(super) fn all() -> Vec<Experiment> {
    vec![throughput(), touches()]
}

fn throughput() -> Experiment {
    Experiment {
        id: "throughput",
        title: "Throughput of TCP with CUBIC, MTU 1,500",
        source: "summaries of the paper: single connections of VMs with 32 Gb/s (facts 4)",
        scaling: "60 ms instead of minutes. What a packet costs a vSwitch core is calibrated with the 5 Gb/s of one connection \
                  through one core; the 31 Gb/s follow from the VM's rate: 1,460 of 1,500 bytes of 32 Gb/s are 31.15",
        measured: "payload from the first that arrives to the last",
        cases: vec![
            host(
                "host-throughput",
                Vec::new(),
                false,
                vec![
                    Row::number("one connection over the VF", "Gb/s", 31.0, Known::Summary).within(2.0),
                    Row::number("one connection through the vSwitch (calibrated)", "Gb/s", 5.0, Known::Summary)
                        .within(2.0),
                    Row::statement(
                        "share of its packets in hardware, over the VF",
                        "",
                        "all but the first",
                        Known::Summary,
                    )
                    .at_least(0.999),
                    Row::number("load of the busiest vSwitch core", "%", 100.0, Known::Derived).within(1.0),
                ],
                Box::new(|run| {
                    run.to_end()?;
                    let gbps = |traffic: usize| run.traffic(traffic).goodput().map_or(f64::NAN, |rate| rate / 1e9);
                    let vf = run.traffic(0);
                    let load = run.run().core_load();
                    let most = load.iter().copied().fold(0.0, f64::max);
                    let hardware = share(vf.in_hardware, vf.arrived);
                    Ok(vec![gbps(0), gbps(1), hardware, most * 100.0])
                }),
            ),
            // The other VM's connection begins when the run ends, so that what is left is the accelerated one.
            host(
                "host-throughput",
                vec![("traffic[1].start", json!("60ms"))],
                false,
                vec![
                    Row::statement(
                        "host CPU of the connection over the VF, of one core",
                        "%",
                        "0, or under 1",
                        Known::Summary,
                    )
                    .at_most(1.0),
                ],
                Box::new(|run| {
                    run.to_end()?;
                    Ok(vec![run.run().core_load().iter().sum::<f64>() * 100.0])
                }),
            ),
            host(
                "host-eight-connections",
                Vec::new(),
                false,
                vec![
                    Row::statement("eight connections through the vSwitch", "Gb/s", "line rate", Known::Summary)
                        .because(
                            "a hash gives each connection a core, and connections that share one share its 5 Gb/s; the paper \
                             does not say how it spread them",
                        ),
                    Row::statement("cores that they keep busy", "cores", "several", Known::Summary).at_least(2.0),
                ],
                Box::new(|run| {
                    run.to_end()?;
                    let gbps = run.traffic(0).goodput().map_or(f64::NAN, |rate| rate / 1e9);
                    Ok(vec![gbps, run.run().core_load().iter().sum()])
                }),
            ),
            Case {
                work: Work::Input("the VM's rate, which the scenario puts in"),
                rows: vec![Row::number("headline of the abstract", "Gb/s", 32.0, Known::Printed)],
                quick: true,
            },
            Case {
                work: Work::NotSimulated("other clouds' hosts are not public"),
                rows: vec![Row::statement(
                    "against other clouds",
                    "",
                    "lower latency, higher throughput",
                    Known::Summary,
                )],
                quick: true,
            },
        ],
    }
}

fn touches() -> Experiment {
    Experiment {
        id: "software-touches",
        title: "What software sees of a connection",
        source: "facts 2.5, from the rule that SYN, FIN and RST are copied (summary of the paper)",
        scaling: "5,000 connections per second of six packets and no data, well below the knee",
        measured: "per connection that begins",
        cases: vec![host(
            "host-cps-knee",
            vec![("traffic[0].per_second", json!(5_000))],
            true,
            vec![
                Row::number("exceptions", "", 1.0, Known::Derived).within(1.0),
                Row::number("copies", "", 3.0, Known::Derived).from_to(
                    3.0,
                    4.0,
                    "the last acknowledgment is copied too, so that the end of the connection is seen",
                ),
                Row::number("entries put into the NIC", "", 2.0, Known::Derived).within(1.0),
            ],
            Box::new(|run| {
                run.to_end()?;
                let counters = run.run().counters();
                let begun = counters.connections[Counters::BEGUN];
                let exceptions: u64 = counters.exceptions.iter().sum();
                Ok([exceptions, counters.copies, counters.installed]
                    .map(|n| share(n, begun))
                    .to_vec())
            }),
        )],
    }
}
