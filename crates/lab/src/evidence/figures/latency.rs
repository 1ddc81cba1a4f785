//! Latency of a 2 B write.

use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};

pub(super) fn all() -> Vec<Experiment> {
    vec![Experiment {
        id: "latency",
        title: "Latency of a 2 B write",
        source: "§5.2.1, Cluster B (8 × 100 Gb/s)",
        scaling: "none in size. Two parameters are calibrated here: `host_latency` (3.86 µs at each end) with the first row, and \
                  the delay of a hop (0.7 µs, the default of a link and a switch) with the third. The second row follows. The \
                  same `host_latency` is used for Figs 16 and 17",
        measured: "half of the time from posting to completion, as in the paper; nothing else is sent",
        cases: vec![Case {
            work: Work::Simulate {
                preset: "paper-latency",
                changes: Vec::new(),
                measure: Box::new(|run| {
                    run.to_end()?;
                    let half: Vec<f64> = run
                        .sim()
                        .flow_results()
                        .iter()
                        .map(|flow| flow.fct_us.map_or(f64::NAN, |us| us / 2.0))
                        .collect();
                    Ok(vec![half[0], half[1], half[1] - half[0]])
                }),
            },
            rows: vec![
                Row::number("within a rack (calibrated)", "µs", 5.09, Known::Printed).within(2.0),
                Row::number("across a T1", "µs", 6.54, Known::Printed).within(2.0),
                Row::number(
                    "two more switches and fibres (calibrated)",
                    "µs",
                    1.45,
                    Known::Derived,
                )
                .within(2.0),
            ],
            quick: true,
        }],
    }]
}
