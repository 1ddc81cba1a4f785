//! Links that go away: Figs 9a and 9c.

use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};
use crate::evidence::run::{Run, Stopped, least, mean};
use kernel::Time;

pub(super) fn all() -> Vec<Experiment> {
    vec![fig9a(), fig9c()]
}

/// Fig 9a, read off the plot: both directions together, by links left.
const STAIRCASE: [f64; 8] = [1536.0, 1336.0, 1145.0, 953.0, 766.0, 570.0, 384.0, 190.0];

/// Time from one event to the next in the preset.
const STEP: Time = Time::from_ms(2);

fn fig9a() -> Experiment {
    let down = STAIRCASE.into_iter().zip((1..=8).rev());
    let up = STAIRCASE.into_iter().rev().skip(1).zip(2..=8);
    let rows = down
        .map(|(level, left)| (level, format!("{left} of 8 links left")))
        .chain(up.map(|(level, left)| (level, format!("restored to {left}"))))
        .map(|(level, name)| Row::number(name, "Gb/s", level, Known::Plot).within(2.0))
        .collect();
    Experiment {
        id: "fig9a",
        title: "Fig 9a: NIC–T0 links removed one at a time, and restored",
        source: "§5.2.2, Fig 9a, Cluster B (8 × 100 Gb/s)",
        scaling: "one second of the paper is one millisecond; a step takes 2 ms. Two T0s and 32 T1s a plane (our choice: \
                  the paper does not say how many; two NICs load a few per cent of them)",
        measured: "message bytes placed in both directions in the last millisecond of each step",
        cases: vec![Case {
            work: Work::Simulate {
                preset: "paper-fig-9a",
                changes: Vec::new(),
                measure: Box::new(staircase),
            },
            rows,
            quick: false,
        }],
    }
}

fn staircase(run: &mut Run) -> Result<Vec<f64>, Stopped> {
    (1..=15)
        .map(|step| {
            let end = Time(STEP.0 * step);
            run.goodput(end - Time(STEP.0 / 2), end)
        })
        .collect()
}

fn fig9c() -> Experiment {
    Experiment {
        id: "fig9c",
        title: "Fig 9c: twenty T0–T1 links go down, one after the other",
        source: "§5.2.2, Fig 9c, Cluster B (8 × 100 Gb/s)",
        scaling: "one second of the paper is 5 ms; samples of 1 ms stand for the paper's of 200 ms. 20 of 512 links, chosen by the \
                  seed. Recovery itself is not scaled",
        measured: "message bytes placed in both directions in each millisecond from 2 ms on; a link goes every 5 ms from 5 ms on",
        cases: vec![Case {
            work: Work::Simulate {
                preset: "paper-fig-9c",
                changes: Vec::new(),
                measure: Box::new(|run| {
                    let before = run.goodput(Time::from_ms(2), Time::from_ms(5))?;
                    let samples = run.samples(Time::from_ms(5), Time::from_ms(110), Time::from_ms(1))?;
                    Ok(vec![
                        mean(&samples),
                        mean(&samples) / before,
                        least(&samples) / before,
                    ])
                }),
            },
            rows: vec![
                Row::number("mean while links go", "Gb/s", 1533.0, Known::Plot).within(2.0),
                Row::statement(
                    "mean while links go by that before",
                    "",
                    "no visible effect",
                    Known::Printed,
                )
                .at_least(0.98),
                Row::statement(
                    "least sample by the mean before",
                    "",
                    "no visible effect",
                    Known::Plot,
                )
                .at_least(0.98),
            ],
            quick: false,
        }],
    }
}
