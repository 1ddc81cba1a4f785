//! Payload efficiency.

use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};
use kernel::Time;

pub(super) fn all() -> Vec<Experiment> {
    vec![efficiency()]
}

fn efficiency() -> Experiment {
    Experiment {
        id: "efficiency",
        title: "Payload efficiency",
        source: "§5.2.1, Cluster B (8 × 100 Gb/s)",
        scaling: "none; the PMTU of 4,096 B is inferred: with IPv6-in-IPv6 no other common one gives 96 %",
        measured: "payload over wire bytes of a full packet; message bytes placed between 1 and 3 ms by a QP that \
                   writes 32 KiB after 32 KiB",
        cases: vec![
            Case {
                work: Work::Compute(|| vec![arithmetic()]),
                rows: vec![
                    Row::number(
                        "payload of a full packet by its bytes on the wire",
                        "%",
                        96.1,
                        Known::Derived,
                    )
                    .within_absolute(0.05, "rounding"),
                ],
                quick: true,
            },
            Case {
                work: Work::Simulate {
                    preset: "paper-bandwidth",
                    changes: Vec::new(),
                    measure: Box::new(|run| {
                        let flows = run.flow_goodputs(Time::from_ms(1), Time::from_ms(3))?;
                        Ok(vec![flows[0], flows[1], flows[1] / 8.0])
                    }),
                },
                rows: vec![
                    Row::number("32 KB writes within a rack", "Gb/s", 770.0, Known::Printed).within(2.0),
                    Row::number("32 KB writes across a T1", "Gb/s", 770.0, Known::Printed).within(2.0),
                    Row::number("the same by the NIC's 800 Gb/s", "%", 96.0, Known::Printed).within(2.0),
                ],
                quick: true,
            },
        ],
    }
}

/// In percent.
fn arithmetic() -> f64 {
    let payload = wire::Payload::new(4096).unwrap_or_default();
    let bytes = wire::sizes::wire(wire::sizes::data_l3(payload, true, false));
    payload.len() as f64 / bytes as f64 * 100.0
}
