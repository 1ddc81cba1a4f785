//! Cluster D: incast with a victim, uplinks removed, and a permutation (Figs 18 to 21).

use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};
use crate::evidence::run::{greatest, least, mean};
use kernel::Time;

/// Why absolute values are 1.2 % lower.
const OUTER_HEADER: &str = "these hosts use no SRv6: without the outer IPv6 header 4,096 of 4,222 wire bytes are payload, \
     388.1 of 400 Gb/s; Flowglass always has it, which leaves 384.4";

pub(super) fn all() -> Vec<Experiment> {
    vec![fig18(), fig19(), fig20()]
}

fn fig18() -> Experiment {
    Experiment {
        id: "fig18",
        title: "Figs 18c and 21a: 7:1 incast and a victim in the same rack, MRC",
        source: "Figs 18 and 21, Cluster D (16 hosts, one 400 Gb/s plane)",
        scaling: "none in size; 200 ms of steady state stand for the paper's samples of a second",
        measured: "message bytes placed from 20 to 220 ms, flow by flow; the victim's also in each 10 ms",
        cases: vec![Case {
            work: Work::Simulate {
                preset: "paper-fig-18",
                changes: Vec::new(),
                measure: Box::new(|run| {
                    let slices = (2..22)
                        .map(|turn| {
                            run.flow_goodputs(Time::from_ms(10 * turn), Time::from_ms(10 * turn + 10))
                        })
                        .collect::<Result<Vec<_>, _>>()?;
                    let over_time = |flow: usize| mean(&slices.iter().map(|s| s[flow]).collect::<Vec<_>>());
                    let incast: Vec<f64> = (0..7).map(over_time).collect();
                    let victim: Vec<f64> = slices.iter().map(|slice| slice[7]).collect();
                    Ok(vec![
                        mean(&victim),
                        least(&victim) / mean(&victim),
                        mean(&incast),
                        least(&incast),
                        greatest(&incast),
                        incast.iter().sum::<f64>() / mean(&victim),
                    ])
                }),
            },
            rows: vec![
                Row::number("victim", "Gb/s", 389.0, Known::Plot)
                    .within(2.0)
                    .because(OUTER_HEADER),
                Row::statement("victim's least 10 ms by its mean", "", "flat", Known::Plot).at_least(0.98),
                Row::number("mean share of the seven", "Gb/s", 56.0, Known::Plot)
                    .within(2.0)
                    .because(OUTER_HEADER),
                Row::number("smallest share", "Gb/s", 56.0, Known::Plot)
                    .within(5.0)
                    .because(super::TRIMS_IN_STEP),
                Row::number("largest share", "Gb/s", 56.0, Known::Plot)
                    .within(5.0)
                    .because(super::TRIMS_IN_STEP),
                Row::number("the seven together by the victim", "", 1.008, Known::Derived).within(2.0),
            ],
            quick: false,
        }],
    }
}

fn fig19() -> Experiment {
    Experiment {
        id: "fig19",
        title: "Fig 19a: three of four T0–T1 links removed",
        source: "Fig 19a, Cluster D (16 hosts, one 400 Gb/s plane)",
        scaling: "none in size; a link goes each millisecond",
        measured: "message bytes placed in the second half of each millisecond, by those before the first link goes",
        cases: vec![Case {
            work: Work::Simulate {
                preset: "paper-fig-19",
                changes: Vec::new(),
                measure: Box::new(|run| {
                    let half = Time::from_us(500);
                    let levels = (1..=4)
                        .map(|ms| run.goodput(Time::from_ms(ms) - half, Time::from_ms(ms)))
                        .collect::<Result<Vec<f64>, _>>()?;
                    Ok(levels[1..].iter().map(|level| level / levels[0]).collect())
                }),
            },
            rows: ["three left", "two left", "one left"]
                .map(|name| {
                    Row::statement(name, "", "no effect until it is the bottleneck", Known::Printed)
                        .at_least(0.98)
                })
                .into(),
            quick: false,
        }],
    }
}

fn fig20() -> Experiment {
    Experiment {
        id: "fig20",
        title: "Fig 20: a permutation of eight flows between racks, MRC",
        source: "Fig 20 and text, Cluster D (16 hosts, one 400 Gb/s plane)",
        scaling: "none in size; 4 ms stand for seconds",
        measured: "message bytes placed from 1 to 5 ms, flow by flow",
        cases: vec![Case {
            work: Work::Simulate {
                preset: "paper-fig-20",
                changes: Vec::new(),
                measure: Box::new(|run| {
                    let flows = run.flow_goodputs(Time::from_ms(1), Time::from_ms(5))?;
                    Ok(vec![mean(&flows), least(&flows), greatest(&flows)])
                }),
            },
            rows: vec![
                Row::number("mean of the flows", "Gb/s", 390.0, Known::Printed)
                    .within(2.0)
                    .because(OUTER_HEADER),
                Row::number("slowest flow", "Gb/s", 390.0, Known::Printed)
                    .within(2.0)
                    .because(OUTER_HEADER),
                Row::number("fastest flow", "Gb/s", 390.0, Known::Printed)
                    .within(2.0)
                    .because(OUTER_HEADER),
            ],
            quick: false,
        }],
    }
}
