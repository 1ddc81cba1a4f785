//! Switches that go away: Figs 10 and 11.

use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};
use crate::evidence::run::{greatest, least, mean};
use kernel::Time;

pub(super) fn all() -> Vec<Experiment> {
    vec![fig10(), fig11()]
}

fn fig10() -> Experiment {
    Experiment {
        id: "fig10",
        title: "Fig 10: a T0 switch goes down",
        source: "§5.2.2, Fig 10, Cluster B (8 × 100 Gb/s)",
        scaling: "as Fig 9a",
        measured: "message bytes placed in both directions from 1 to 2 ms, and from 4 to 6 ms; the T0 stops at 2 ms",
        cases: vec![Case {
            work: Work::Simulate {
                preset: "paper-fig-10",
                changes: Vec::new(),
                measure: Box::new(|run| {
                    let before = run.goodput(Time::from_ms(1), Time::from_ms(2))?;
                    let after = run.goodput(Time::from_ms(4), Time::from_ms(6))?;
                    Ok(vec![before, after, (before - after) / 2.0])
                }),
            },
            rows: vec![
                Row::number("before", "Gb/s", 1535.0, Known::Plot).within(2.0),
                Row::number("with seven planes of eight", "Gb/s", 1340.0, Known::Plot).within(2.0),
                Row::number("lost in each direction", "Gb/s", 100.0, Known::Printed)
                    .within_absolute(5.0, "the text says \"about\""),
            ],
            quick: false,
        }],
    }
}

fn fig11() -> Experiment {
    Experiment {
        id: "fig11",
        title: "Fig 11: a T1 switch goes down and comes back",
        source: "§5.2.2, Fig 11, Cluster B (8 × 100 Gb/s)",
        scaling: "one second of the paper is 5 ms; samples of 1 ms stand for the paper's of 200 ms. Recovery itself is not \
                  scaled",
        measured: "message bytes placed in both directions in each millisecond from 2 ms on; the T1 stops at 5 ms and is \
                   back at 15 ms",
        cases: vec![Case {
            work: Work::Simulate {
                preset: "paper-fig-11",
                changes: Vec::new(),
                measure: Box::new(|run| {
                    let samples = run.samples(Time::from_ms(2), Time::from_ms(20), Time::from_ms(1))?;
                    Ok(vec![mean(&samples), least(&samples), greatest(&samples)])
                }),
            },
            rows: vec![
                Row::number("mean", "Gb/s", 1533.0, Known::Plot).within(2.0),
                Row::statement("least sample", "Gb/s", "1509 to 1554", Known::Plot).at_least(1509.0 * 0.98),
                Row::statement("greatest sample", "Gb/s", "1509 to 1554", Known::Plot).at_most(1554.0 * 1.02),
            ],
            quick: false,
        }],
    }
}
