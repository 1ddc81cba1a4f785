//! One-way latency of small TCP messages.

use super::host;
use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};

const RUN: &str = "the tail of so few pings: 36 of 36,000 lie beyond";

pub(super) fn all() -> Vec<Experiment> {
    let rows = ["VF", "vSwitch"]
        .into_iter()
        .zip([[17.0, 25.0, 80.0], [50.0, 100.0, 300.0]])
        .flat_map(|(path, [mean, p99, p999])| {
            let row = |what: &str, value| {
                Row::number(
                    format!("{path}, {what} (calibrated)"),
                    "µs",
                    value,
                    Known::Summary,
                )
            };
            [
                row("mean", mean).within(1.0),
                row("P99", p99).within(3.0),
                row("P99.9", p999).within(10.0).because(RUN),
            ]
        });
    vec![Experiment {
        id: "latency",
        title: "Latency of 4-byte TCP messages, one way",
        source: "summaries of the paper: sequential 4-byte TCP pings between two VMs (facts 4)",
        scaling: "up to 50,000 pings on each path within 1.8 s instead of a million. The idle paths of the model are calibrated \
                  with the six figures: a fixed part and two exponential pieces, our choice. NIC, cores and link add what they \
                  do on top of the rest",
        measured: "times from one application to the other, both ways of a ping counted",
        cases: vec![
            host(
                "host-latency",
                Vec::new(),
                false,
                rows.collect(),
                Box::new(|run| {
                    run.to_end()?;
                    let us = |traffic: usize| {
                        let times = &run.traffic(traffic).one_way;
                        let us = |time: Option<kernel::Time>| time.map_or(f64::NAN, kernel::Time::as_us);
                        [
                            us(times.mean()),
                            us(times.quantile(0.99)),
                            us(times.quantile(0.999)),
                        ]
                    };
                    Ok([us(0), us(1)].concat())
                }),
            ),
            Case {
                work: Work::Input(
                    "the headline of the abstract; its conditions are not given, and the test above has 17 µs",
                ),
                rows: vec![Row::statement("VM to VM, headline", "µs", "< 15", Known::Printed)],
                quick: true,
            },
            Case {
                work: Work::NotSimulated("there is no database here"),
                rows: vec![
                    Row::number("DB query, mean, with AccelNet", "µs", 300.0, Known::Summary),
                    Row::number("DB query, mean, without", "µs", 1_000.0, Known::Summary),
                ],
                quick: true,
            },
        ],
    }]
}
