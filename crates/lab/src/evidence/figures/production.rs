//! Production jobs on Cluster A: Figs 4 to 8. Their workloads are not public, so they are repeated in small and judged by shape.

use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};
use crate::evidence::run::{Run, Stopped, least, mean};
use kernel::Time;

pub(super) fn all() -> Vec<Experiment> {
    vec![fig8()]
}

fn fig8() -> Experiment {
    Experiment {
        id: "fig8",
        title: "Fig 8: a T1 stops forwarding in a 75K-GPU job, and is rebooted",
        source: "§5.1, Fig 8, Cluster A (4 × 200 Gb/s)",
        scaling: "64 NICs for 75,000 GPUs; eight T0s for 256, but all 128 T1s of a plane, since they decide how many QPs have a \
                  path over one of them. A minute of the paper is 100 µs",
        measured: "256 QPs between racks send without pause; the T1 stops at 400 µs and is back at 1 ms. Message bytes placed in \
                   each 100 µs; QPs that retransmitted between 400 µs and 1 ms",
        cases: vec![Case {
            work: Work::Simulate {
                preset: "paper-fig-8",
                changes: Vec::new(),
                measure: Box::new(dead_t1),
            },
            rows: vec![
                Row::number("QPs affected", "%", 25.0, Known::Printed)
                    .within_absolute(5.0, "the text says \"about a quarter\""),
                Row::number(
                    "goodput of the first sample by that before",
                    "",
                    0.81,
                    Known::Plot,
                )
                .because(DIP),
                Row::number(
                    "goodput while the T1 is dead by that before",
                    "",
                    0.988,
                    Known::Plot,
                )
                .within(2.0),
                Row::statement(
                    "goodput after it is back by that before",
                    "",
                    "no effect",
                    Known::Plot,
                )
                .at_least(0.98),
                Row::number("packets dropped in the T1, per NIC", "", 7.7, Known::Derived).because(DROPS),
                Row::statement(
                    "retransmissions while dead, after the first 100 µs, by those in them",
                    "",
                    "about 15 times fewer",
                    Known::Plot,
                )
                .at_most(0.067),
            ],
            quick: false,
        }],
    }
}

const DIP: &str = "a minute of a synchronous job, whose compute phases, collectives and restarts are not public; here only \
     the fabric's own dip";
const DROPS: &str =
    "580,000 packets over 75,000 GPUs; how long each QP had sent before it noticed depends on the job";

fn dead_t1(run: &mut Run) -> Result<Vec<f64>, Stopped> {
    let us = Time::from_us;
    let before = mean(&run.samples(us(200), us(400), us(100))?);
    let at_death = run.retransmissions_by_flow();
    let first = run.goodput(us(400), us(500))?;
    let after_first = run.retransmissions_by_flow();
    let dead = run.samples(us(500), us(1_000), us(100))?;
    let at_repair = run.retransmissions_by_flow();
    let dropped = run.sim().network().counters().dropped();
    let healed = run.samples(us(1_000), us(1_500), us(100))?;
    let affected = at_death
        .iter()
        .zip(&at_repair)
        .filter(|(then, now)| now > then)
        .count();
    let sum = |counts: &[u64]| counts.iter().sum::<u64>() as f64;
    let early = sum(&after_first) - sum(&at_death);
    Ok(vec![
        affected as f64 / at_death.len() as f64 * 100.0,
        first / before,
        mean(&dead) / before,
        least(&healed) / before,
        dropped as f64 / 64.0,
        (sum(&at_repair) - sum(&after_first)) / early / 5.0,
    ])
}
