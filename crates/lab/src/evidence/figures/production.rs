//! Production jobs on Cluster A: Figs 4 to 8. Their workloads are not public, so they are repeated in small and judged by shape.

use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};
use crate::evidence::run::{Run, Stopped, least, mean};
use kernel::Time;

pub(super) fn all() -> Vec<Experiment> {
    vec![fig4(), fig5(), fig6(), fig8()]
}

fn fig4() -> Experiment {
    Experiment {
        id: "fig4",
        title: "Fig 4: losses at the start of a 75K-GPU job without a denylist",
        source: "§5.1, Fig 4, Cluster A (4 × 200 Gb/s); one of four NICs of each node",
        scaling: "as Fig 8. How many links were dead is not public: here one in a hundred T0–T1 links. A minute of the paper is 100 µs",
        measured: "256 QPs between racks begin to send at once. Data packets lost, as far as they were sent again",
        cases: vec![
            Case {
                work: Work::Compute(|| vec![75_000.0 / 4.0, 800e9 / 8.0 / 4_096.0 / 1e6]),
                rows: vec![
                    Row::number(
                        "one loss a second and NIC, in all",
                        "1/s",
                        18_750.0,
                        Known::Printed,
                    )
                    .within(0.0),
                    Row::number("packets that a NIC can send", "million/s", 25.0, Known::Printed)
                        .within_absolute(1.0, "the paper gives two digits"),
                ],
                quick: true,
            },
            Case {
                work: Work::Simulate {
                    preset: "paper-fig-4",
                    changes: Vec::new(),
                    measure: Box::new(|run| {
                        let us = Time::from_us;
                        run.to(us(100))?;
                        let first = run.retransmissions_by_flow();
                        run.to(us(1_500))?;
                        let all = run.retransmissions_by_flow();
                        let sum = |counts: &[u64]| counts.iter().sum::<u64>() as f64;
                        Ok(vec![
                            sum(&first) / first.len() as f64,
                            (sum(&all) - sum(&first)) / 14.0 / sum(&first),
                        ])
                    }),
                },
                rows: vec![
                    Row::statement("losses per QP in the first minute", "", "below 5", Known::Printed)
                        .at_most(5.0),
                    Row::statement(
                        "losses per minute later by those in the first",
                        "",
                        "0.93 M/s and 0.62 M/s at first, 15 k/s a minute later, then 1 to 2 k/s",
                        Known::Plot,
                    )
                    .at_most(0.02),
                ],
                quick: false,
            },
        ],
    }
}

fn fig5() -> Experiment {
    Experiment {
        id: "fig5",
        title: "Fig 5: flaps of T0–T1 links in a production fabric",
        source: "§5.1, Fig 5, Cluster A",
        scaling: "",
        measured: "",
        cases: vec![Case {
            work: Work::Input(
                "how often links flap was seen, and is nothing that a simulation can find; `link_flap` takes it as input",
            ),
            rows: vec![
                Row::statement(
                    "flaps",
                    "1/min",
                    "mean about 4.2, from 1 to 13; about 6,000 a day",
                    Known::Plot,
                ),
                Row::statement(
                    "switch failures due to software",
                    "%",
                    "17 (cited)",
                    Known::Printed,
                ),
                Row::statement("T1 reboots during one job", "", "4", Known::Printed),
            ],
            quick: true,
        }],
    }
}

fn fig6() -> Experiment {
    Experiment {
        id: "fig6",
        title: "Figs 6 and 7: a T0 transceiver has a glitch in a 50K-GPU job",
        source: "§5.1, Figs 6 and 7, Cluster A (4 × 200 Gb/s); four NIC–T0 links flap for 40 s, three of their nodes are in the job",
        scaling: "31 NICs of four racks for 50,000 GPUs, one ring all-reduce after another without a compute phase. One second of the \
                  paper is 100 µs, detection of a dead port included (200 µs for about 2 s)",
        measured: "message bytes placed in each millisecond; the links flap from 2 to 6 ms, four fifths of the time down",
        cases: vec![Case {
            work: Work::Simulate {
                preset: "paper-fig-6",
                changes: Vec::new(),
                measure: Box::new(glitch),
            },
            rows: vec![
                Row::number("goodput during the glitch by that before", "", 0.74, Known::Plot)
                    .within_absolute(0.1, "the job and the times of the flaps are not public"),
                Row::number("goodput afterwards by that before", "", 0.993, Known::Plot).within(2.0),
                Row::number("QPs that failed", "", 0.0, Known::Printed).within_absolute(0.0, "none"),
                Row::statement(
                    "share of the losses at QPs of the flapping NICs",
                    "",
                    "senders and flapped nodes, up to 7,000 packets/s each",
                    Known::Plot,
                )
                .at_least(0.95),
            ],
            quick: false,
        }],
    }
}

/// NICs of the preset whose links flap.
const FLAPPING: std::ops::Range<u32> = 0..4;

fn glitch(run: &mut Run) -> Result<Vec<f64>, Stopped> {
    let ms = Time::from_ms;
    let before = run.goodput(ms(1), ms(2))?;
    let losses_before = run.retransmissions_by_flow();
    let during = run.goodput(ms(2), ms(6))?;
    let losses = run.retransmissions_by_flow();
    let after = run.goodput(ms(7), ms(9))?;
    let flows = run.sim().flow_results();
    let (mut near, mut all) = (0, 0);
    for ((flow, then), now) in flows.iter().zip(&losses_before).zip(&losses) {
        all += now - then;
        if FLAPPING.contains(&flow.src) || FLAPPING.contains(&flow.dst) {
            near += now - then;
        }
    }
    Ok(vec![
        during / before,
        after / before,
        run.summary().failed as f64,
        near as f64 / all as f64,
    ])
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
