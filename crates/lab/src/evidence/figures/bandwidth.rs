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
        measured: "payload over wire bytes of a full packet; message bytes placed between 0.5 and 1.5 ms by \
                   each of two QPs that send against each other through T1s",
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
                    preset: "paper-fig-9a",
                    changes: Vec::new(),
                    measure: Box::new(|run| {
                        let flows = run.flow_goodputs(Time::from_us(500), Time::from_us(1_500))?;
                        Ok(vec![flows[0], flows[0] / 8.0])
                    }),
                },
                rows: vec![
                    Row::number("large writes through a T1", "Gb/s", 770.0, Known::Printed)
                        .within(2.0)
                        .because(super::PLANES_WAIT),
                    Row::number("the same by the NIC's 800 Gb/s", "%", 96.0, Known::Printed)
                        .within(2.0)
                        .because(super::PLANES_WAIT),
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
