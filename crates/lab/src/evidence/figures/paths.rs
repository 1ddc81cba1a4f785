//! Single paths that go bad or busy: Figs 12 to 14.

use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};
use crate::evidence::run::{Run, Stopped, least};
use kernel::Time;
use mrc::EvState;
use scenario::{Direction, FaultKind, LinkName};
use serde_json::json;

pub(super) fn all() -> Vec<Experiment> {
    vec![fig12(), fig14()]
}

fn fig12() -> Experiment {
    Experiment {
        id: "fig12",
        title: "Figs 12 and 13: a path loses 20 % of its packets",
        source: "Figs 12 and 13, Cluster B (8 × 100 Gb/s), 16 EVs, two in each plane",
        scaling: "as Fig 9a; eight T1s a plane (our choice)",
        measured: "the loss begins at 2 ms on the uplink of the QP's first EV in plane 0 (in the preset: of the seed's). Message \
                   bytes placed from 1 to 2 ms and in each 0.2 ms from then to 4 ms",
        cases: vec![Case {
            work: Work::Simulate {
                preset: "paper-fig-12",
                changes: vec![("faults", json!([]))],
                measure: Box::new(lossy_path),
            },
            rows: vec![
                Row::statement(
                    "from the onset to EV-A out of use",
                    "µs",
                    "at once",
                    Known::Printed,
                )
                .at_most(100.0),
                Row::number("EVs in use afterwards", "", 16.0, Known::Printed)
                    .within_absolute(0.0, "EV-B has taken its place"),
                Row::statement(
                    "least goodput afterwards by that before",
                    "",
                    "flat",
                    Known::Printed,
                )
                .at_least(0.98),
            ],
            quick: true,
        }],
    }
}

fn lossy_path(run: &mut Run) -> Result<Vec<f64>, Stopped> {
    let onset = Time::from_ms(2);
    let before = run.goodput(Time::from_ms(1), onset)?;
    let a = run
        .sim()
        .evs(0)
        .find(|ev| ev.plane == 0 && ev.active && ev.state == EvState::Good)
        .ok_or_else(|| Stopped::Failed("no EV of plane 0 is in use".into()))?;
    run.inject(FaultKind::LinkLoss {
        link: LinkName::T0T1 {
            plane: 0,
            t0: 0,
            t1: a.t1,
        },
        direction: Direction::Up,
        rate: 0.2,
    })?;
    let after = run.samples(onset, Time::from_ms(4), Time::from_us(200))?;
    let out = run
        .sim()
        .observer()
        .changes()
        .iter()
        .find(|change| change.ev == a.ev && change.state == EvState::AssumedBad)
        .map_or(f64::INFINITY, |change| (change.at - onset).as_us());
    let in_use = run
        .sim()
        .evs(0)
        .filter(|ev| ev.active && matches!(ev.state, EvState::Good | EvState::Skip))
        .count();
    Ok(vec![out, in_use as f64, least(&after) / before])
}

fn fig14() -> Experiment {
    Experiment {
        id: "fig14",
        title: "Fig 14: a second flow on the same path",
        source: "Fig 14, Cluster B (8 × 100 Gb/s), 16 EVs, two in each plane",
        scaling: "as Fig 9a. Here no QP can be told its EVs: the second flow comes from a third rack to which all paths but \
                  one are closed, and two T1s a plane make sure that the first flow uses that one, too",
        measured: "the second flow starts at 2 ms. Message bytes of the first from 1 to 2 ms and in each 0.2 ms from 2 to \
                   6 ms",
        cases: vec![Case {
            work: Work::Simulate {
                preset: "paper-fig-14",
                changes: Vec::new(),
                measure: Box::new(|run| {
                    let start = Time::from_ms(2);
                    let before = run.flow_goodputs(Time::from_ms(1), start)?[0];
                    let each = Time::from_us(200);
                    let mut samples = Vec::new();
                    let mut at = start;
                    while at < Time::from_ms(6) {
                        samples.push(run.flow_goodputs(at, at + each)?[0]);
                        at += each;
                    }
                    let skips = |plane: u32, t1: u32| {
                        let evs: Vec<u16> = run
                            .sim()
                            .evs(0)
                            .filter(|ev| (ev.plane, ev.t1) == (plane, t1))
                            .map(|ev| ev.ev)
                            .collect();
                        run.sim()
                            .observer()
                            .changes()
                            .iter()
                            .filter(|change| {
                                change.conn == 0 && change.state == EvState::Skip && evs.contains(&change.ev)
                            })
                            .count() as f64
                    };
                    let (shared, other) = (skips(0, 0), skips(0, 1));
                    Ok(vec![shared / (shared + other), least(&samples) / before])
                }),
            },
            rows: vec![
                Row::statement(
                    "share of the plane's ECN skips that fall on EV-A",
                    "",
                    "EV-A is left",
                    Known::Printed,
                )
                .at_least(0.9),
                Row::statement(
                    "least goodput afterwards by that before",
                    "",
                    "no loss of throughput",
                    Known::Printed,
                )
                .at_least(0.98),
            ],
            quick: true,
        }],
    }
}
