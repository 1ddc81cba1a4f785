//! Cluster D: incast with a victim, uplinks removed, and a permutation (Figs 18 to 21).

use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};
use crate::evidence::run::{greatest, least, mean};
use kernel::Time;

pub(super) fn all() -> Vec<Experiment> {
    vec![fig18(), fig19(), fig20()]
}

fn fig18() -> Experiment {
    Experiment {
        id: "fig18",
        title: "Figs 18c and 21a: 7:1 incast and a victim in the same rack, MRC",
        source: "Figs 18 and 21, Cluster D (16 hosts, one 400 Gb/s plane)",
        scaling: "none in size; half a second stands for the paper's samples of a second. The seven senders fill racks 1 and 2, the \
                  victim's sender is in rack 3 (our choice: the paper does not say)",
        measured: "message bytes placed from 20 to 520 ms, flow by flow; the victim's also in each 20 ms",
        cases: vec![Case {
            work: Work::Simulate {
                preset: "paper-fig-18",
                changes: Vec::new(),
                measure: Box::new(|run| {
                    let slices = (1..26)
                        .map(|turn| {
                            run.flow_goodputs(Time::from_ms(20 * turn), Time::from_ms(20 * turn + 20))
                        })
                        .collect::<Result<Vec<_>, _>>()?;
                    let over_time = |flow: usize| mean(&slices.iter().map(|s| s[flow]).collect::<Vec<_>>());
                    let incast: Vec<f64> = (0..7).map(over_time).collect();
                    let victim: Vec<f64> = slices.iter().map(|slice| slice[7]).collect();
                    Ok(vec![
                        mean(&victim),
                        least(&victim) / mean(&victim),
                        mean(&incast),
                        incast.iter().sum::<f64>() / mean(&victim),
                        least(&incast) / mean(&incast),
                        greatest(&incast) / mean(&incast),
                    ])
                }),
            },
            rows: vec![
                Row::number("victim", "Gb/s", 389.0, Known::Plot).within(2.0),
                Row::statement("victim's least 20 ms by its mean", "", "flat", Known::Plot).at_least(0.98),
                Row::number("mean share of the seven", "Gb/s", 56.0, Known::Plot)
                    .within(2.0)
                    .because(SHARE),
                Row::number("the seven together by the victim", "", 1.008, Known::Derived)
                    .within_absolute(0.029, "2 %, and 0.9 % because 56 is a whole number"),
                Row::statement("smallest share by the mean", "", "all 56", Known::Plot).at_least(0.95),
                Row::statement("largest share by the mean", "", "all 56", Known::Plot).at_most(1.05),
            ],
            quick: false,
        }],
    }
}

/// Why the seven get less than the paper's.
const SHARE: &str = "1.2 % is the outer IPv6 header, which these hosts do not have; 1.5 % are the headers of trimmed packets on the last \
     hop: without ECN there, trims are what slows the senders down";

fn fig19() -> Experiment {
    Experiment {
        id: "fig19",
        title: "Fig 19a: three of four T0–T1 links removed",
        source: "Fig 19a, Cluster D (16 hosts, one 400 Gb/s plane)",
        scaling: "none in size; a link goes each millisecond. These hosts use no SRv6 (388.1 of 400 Gb/s are payload then); here the outer IPv6 \
                  header is always there, which leaves 384.4",
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
        scaling: "none in size; 4 ms stand for seconds. The outer IPv6 header as for Fig 19a",
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
                Row::number("mean of the flows", "Gb/s", 390.0, Known::Printed).within(2.0),
                Row::number("slowest flow", "Gb/s", 390.0, Known::Printed).within(2.0),
                Row::number("fastest flow", "Gb/s", 390.0, Known::Printed).within(2.0),
            ],
            quick: false,
        }],
    }
}
