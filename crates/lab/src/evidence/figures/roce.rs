//! RoCE, the paper's baseline, over ECMP with PFC (Figs 16, 17, 18, 20 and 21).

use super::collectives::{
    self, LARGEST_ALL_TO_ALL, LARGEST_RING, MIB, bus_bandwidth, ring, size, size_name, stands_for,
};
use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};
use crate::evidence::run::{Run, Stopped, greatest, least, mean};
use kernel::Time;
use serde_json::{Value, json};

/// Ring all-reduce by size: 1 QP and 16 QPs, each without loss, with 0.1 % and with 1 %.
const ALL_REDUCE: [[f64; 6]; 14] = [
    [23.0, 1.0, 0.0, 22.0, 1.0, 0.0],
    [43.0, 3.0, 1.0, 42.0, 2.0, 1.0],
    [69.0, 5.0, 1.0, 65.0, 3.0, 1.0],
    [102.0, 7.0, 1.0, 96.0, 5.0, 1.0],
    [145.0, 9.0, 2.0, 142.0, 8.0, 1.0],
    [178.0, 21.0, 3.0, 179.0, 13.0, 2.0],
    [126.0, 22.0, 4.0, 209.0, 12.0, 2.0],
    [158.0, 34.0, 5.0, 269.0, 20.0, 4.0],
    [170.0, 57.0, 8.0, 273.0, 35.0, 5.0],
    [200.0, 84.0, 12.0, 302.0, 48.0, 8.0],
    [213.0, 114.0, 16.0, 352.0, 82.0, 12.0],
    [221.0, 154.0, 22.0, 366.0, 122.0, 18.0],
    [224.0, 179.0, 29.0, 364.0, 182.0, 24.0],
    [223.0, 193.0, 32.0, 362.0, 214.0, 29.0],
];

/// All-to-all by size: 1 QP and 16 QPs.
const ALL_TO_ALL: [[f64; 2]; 14] = [
    [149.0, 138.0],
    [214.0, 212.0],
    [264.0, 261.0],
    [304.0, 304.0],
    [317.0, 323.0],
    [331.0, 336.0],
    [330.0, 335.0],
    [354.0, 324.0],
    [336.0, 294.0],
    [328.0, 299.0],
    [328.0, 299.0],
    [329.0, 293.0],
    [329.0, 295.0],
    [327.0, 295.0],
];

/// QPs, and how a row says so.
const QPS: [(u32, &str); 2] = [(1, "1 QP"), (16, "16 QPs")];
/// Bytes that each NIC sends of a ring, at most: without loss and with it.
const RING_LIMITS: [u64; 2] = [64 * MIB, 8 * MIB];

const NOT_PUBLISHED: &str = "PFC thresholds, timeout and DCQCN's parameters are not published. DCQCN's are those of SIGCOMM 2015, with ten times \
     the steps up (400 and 500 Mb/s) as the line is ten times as fast; PFC pauses at 1 MB; the timeout is 4.096 µs × 2^12 (all our choice)";

pub(super) fn all() -> Vec<Experiment> {
    vec![fig16(), fig17(), fig18(), fig20()]
}

/// Cluster C with one plane, as the preset has it: so many QPs for each flow.
fn cluster_c(qps: u32, bytes: u64, rate: f64) -> Vec<(&'static str, Value)> {
    let mut changes = collectives::changes(bytes, rate);
    changes.push(("transport.qps", json!(qps)));
    changes
}

fn fig16() -> Experiment {
    let losses = [(0.0, "without loss"), (0.001, "0.1 % loss"), (0.01, "1 % loss")];
    let row = |index: usize, qps: usize, loss: usize| {
        let name = format!("{}, {}, {}", size_name(index), QPS[qps].1, losses[loss].1);
        let row = Row::number(name, "Gb/s", ALL_REDUCE[index][3 * qps + loss], Known::Plot);
        match (loss, qps) {
            (0, 0) => row.within(25.0).because(COLLISIONS),
            (0, _) => row.within(10.0).because(QPS_DIFFER),
            _ => row.within(50.0).because(LOSSES),
        }
    };
    let columns = (0..QPS.len()).flat_map(|qps| (0..losses.len()).map(move |loss| (qps, loss)));
    let mut cases: Vec<Case> = columns
        .flat_map(|column| (0..=LARGEST_RING).map(move |index| (column, index)))
        .map(|((qps, loss), index)| {
            let stands_for = stands_for(index, LARGEST_RING, ALL_REDUCE.len());
            let limit = RING_LIMITS[usize::from(loss > 0)];
            Case {
                work: Work::Simulate {
                    preset: "paper-fig-16-roce",
                    changes: cluster_c(QPS[qps].0, size(index), losses[loss].0),
                    measure: ring(size(index), limit, stands_for.len()),
                },
                rows: stands_for.map(|index| row(index, qps, loss)).collect(),
                quick: index == 0 && loss == 0,
            }
        })
        .collect();
    cases.push(statements(vec![
        Row::statement(
            "1 QP by MRC, large sizes",
            "",
            "about half; 0.56 to 0.6",
            Known::Derived,
        ),
        Row::statement("gain beyond 8 QPs", "", "none", Known::Printed),
    ]));
    Experiment {
        id: "roce-fig16",
        title: "Fig 16: ring all-reduce with RoCE",
        source: "Fig 16, Cluster C (64 GPUs, one 400 Gb/s plane, PFC and DCQCN). Loss at the ingress of all NICs",
        scaling: "four racks of 16 NICs and 64 T1s (our choice, as for MRC), ECMP. As for MRC a ring is run until each NIC has sent 64 MB, with \
                  loss 8 MB; the bandwidth of 4 GB stands for that of the larger sizes, too. PFC thresholds, DCQCN's steps and the timeout are \
                  our choice: 1 MB, 400 and 500 Mb/s, 4.096 µs × 2^12",
        measured: "bus bandwidth as NCCL defines it, as for MRC",
        cases,
    }
}

const COLLISIONS: &str = "which flows share a link is a matter of the hash: a ring is as slow as the slowest, which has a half in most seeds and a \
     third in some. What passes between two steps in host and library is not simulated, nor how the paper's NICs were set";
const QPS_DIFFER: &str = "what passes between two steps in host and library is more than the NIC's latency and is not simulated; with the \
     largest sizes 16 QPs share the links more evenly here than in the paper, whose DCQCN is not published";
const LOSSES: &str = "each loss costs the paper's NICs some 0.3 ms (from 0.1 % at 2 MB and at 1 GB alike), whatever its cause; here a NAK brings a packet \
     again within a round trip, and only what no later packet follows waits for the timeout, which is not published";

fn fig17() -> Experiment {
    let row = |index: usize, qps: usize| {
        let name = format!("{}, {}", size_name(index), QPS[qps].1);
        Row::number(name, "Gb/s", ALL_TO_ALL[index][qps], Known::Plot)
            .within(15.0)
            .because(NODES)
    };
    let mut cases: Vec<Case> = (0..QPS.len())
        .flat_map(|qps| (0..=LARGEST_ALL_TO_ALL).map(move |index| (qps, index)))
        .map(|(qps, index)| {
            let stands_for = stands_for(index, LARGEST_ALL_TO_ALL, ALL_TO_ALL.len());
            Case {
                work: Work::Simulate {
                    preset: "paper-fig-17-roce",
                    changes: cluster_c(QPS[qps].0, size(index), 0.0),
                    measure: bus_bandwidth(stands_for.len()),
                },
                rows: stands_for.map(|index| row(index, qps)).collect(),
                quick: index == 0 && qps == 0,
            }
        })
        .collect();
    cases.push(statements(vec![Row::statement(
        "effect of more QPs",
        "",
        "falls beyond 2",
        Known::Printed,
    )]));
    Experiment {
        id: "roce-fig17",
        title: "Fig 17: all-to-all with RoCE",
        source: "Fig 17, Cluster C (64 GPUs, one 400 Gb/s plane, PFC and DCQCN)",
        scaling: "as Fig 16 with RoCE. The bandwidth of 512 MB stands for that of the larger sizes, too",
        measured: "bus bandwidth as NCCL defines it, as for MRC",
        cases,
    }
}

const NODES: &str = "here all transfers are posted at once, so that collisions even out over them; collective libraries go round by round, each as slow as \
     its slowest pair, and spend time between rounds, which decides the small sizes. In the paper 7 of 63 transfers stay within a node; why more \
     QPs make it slower there is not said (here they do so, too: from 390 to 355)";

/// What the paper says in words of what the rows before show.
fn statements(rows: Vec<Row>) -> Case {
    Case {
        work: Work::NotSimulated("see the rows above"),
        rows,
        quick: false,
    }
}

/// Goodputs of the flows in slices of 20 ms from 20 to 120 ms.
fn slices(run: &mut Run) -> Result<Vec<Vec<f64>>, Stopped> {
    (1..6)
        .map(|turn| run.flow_goodputs(Time::from_ms(20 * turn), Time::from_ms(20 * turn + 20)))
        .collect()
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn fig18() -> Experiment {
    let measure = |run: &mut Run| {
        let slices = slices(run)?;
        let over_time = |flow: usize| mean(&slices.iter().map(|s| s[flow]).collect::<Vec<_>>());
        let incast: Vec<f64> = (0..7).map(over_time).collect();
        let victim: Vec<f64> = slices.iter().map(|slice| slice[7]).collect();
        Ok(vec![
            median(&victim),
            mean(&incast),
            least(&incast),
            greatest(&incast),
        ])
    };
    let case = |qps: u32, rows| Case {
        work: Work::Simulate {
            preset: "paper-fig-18-roce",
            changes: vec![("transport.qps", json!(qps))],
            measure: Box::new(measure),
        },
        rows,
        quick: false,
    };
    let share = |name: &str, value: f64| Row::number(name, "Gb/s", value, Known::Plot);
    Experiment {
        id: "roce-fig18",
        title: "Figs 18a, 18b and 21: 7:1 incast and a victim with RoCE",
        source: "Figs 18 and 21, Cluster D (16 hosts, one 400 Gb/s plane)",
        scaling: "none in size; a tenth of a second stands for the paper's seconds. PFC (at 1 MB) and DCQCN with steps of 400 and 500 Mb/s are our \
                  choice, eight QPs are the paper's text (the caption says ten)",
        measured: "message bytes placed from 20 to 120 ms, flow by flow; the victim's in each 20 ms, of which the median",
        cases: vec![
            case(
                1,
                vec![
                    Row::number("DCQCN, 1 QP: victim", "Gb/s", 322.0, Known::Plot)
                        .within(25.0)
                        .because(VICTIM),
                    share("DCQCN, 1 QP: mean incast share", 57.0)
                        .within(10.0)
                        .because(NOT_PUBLISHED),
                    share("DCQCN, 1 QP: least incast share", 57.0)
                        .within(20.0)
                        .because(NOT_PUBLISHED),
                    share("DCQCN, 1 QP: greatest incast share", 57.0)
                        .within(20.0)
                        .because(NOT_PUBLISHED),
                ],
            ),
            case(
                8,
                vec![
                    Row::number("DCQCN, 8 QPs: victim", "Gb/s", 384.0, Known::Plot)
                        .within(10.0)
                        .because(NOT_PUBLISHED),
                    share("DCQCN, 8 QPs: mean incast share", 57.0)
                        .within(10.0)
                        .because(NOT_PUBLISHED),
                    share("DCQCN, 8 QPs: least incast share", 38.0)
                        .within(20.0)
                        .because(EVEN),
                    share("DCQCN, 8 QPs: greatest incast share", 78.0)
                        .within(20.0)
                        .because(EVEN),
                ],
            ),
        ],
    }
}

const VICTIM: &str = "the victim shares its last link from a T1 with one or more of the seven, or with none, by the hash: 392, 335 or 278 Gb/s and \
     less are left for it";
const EVEN: &str = "a flow's eight QPs each have a share of their own, and the shares even out; what made them uneven in the paper is not \
     said (dips of the victim to 100 Gb/s for a second are not seen here either)";

fn fig20() -> Experiment {
    // Fastest and slowest flow, and which share of the flows is on a level: as many of these as there are rows.
    let case = |changes: Vec<(&'static str, Value)>, from_ms: u64, rows: Vec<Row>| Case {
        work: Work::Simulate {
            preset: "paper-fig-20-roce",
            changes,
            measure: Box::new({
                let count = rows.len();
                move |run| {
                    let (from, to) = (Time::from_ms(from_ms), Time::from_ms(from_ms + 10));
                    let flows = run.flow_goodputs(from, to)?;
                    let is_level = |rate: f64| {
                        let levels = [1.0, 0.5, 1.0 / 3.0].map(|share| 392.15 * share);
                        levels.iter().any(|level| (rate / level - 1.0).abs() < 0.02)
                    };
                    let on_level = flows.iter().filter(|&&rate| is_level(rate)).count();
                    let all = [
                        greatest(&flows),
                        least(&flows),
                        on_level as f64 / flows.len() as f64,
                    ];
                    Ok(all[..count].to_vec())
                }
            }),
        },
        rows,
        quick: false,
    };
    let number = |name: &str, value: f64| Row::number(name, "Gb/s", value, Known::Plot);
    Experiment {
        id: "roce-fig20",
        title: "Fig 20: a permutation of eight flows between racks with RoCE",
        source: "Fig 20, Cluster D (16 hosts, one 400 Gb/s plane)",
        scaling: "none in size; 10 ms stand for seconds, after 1 ms with PFC and after 60 ms with DCQCN, which needs as long to find its rates",
        measured: "message bytes placed in 10 ms, flow by flow; share of the flows whose rate is within 2 % of 392.15 Gb/s, a half or a third of it",
        cases: vec![
            case(
                vec![],
                1,
                vec![
                    number("PFC, 1 QP: fastest flow", 391.0).within(2.0).because(HASH),
                    number("PFC, 1 QP: slowest flow", 130.0)
                        .within(25.0)
                        .because(HASH),
                    Row::statement(
                        "PFC, 1 QP: flows at full, half or third",
                        "",
                        "all (391, 196 or 130)",
                        Known::Plot,
                    )
                    .at_least(0.9)
                    .because(HASH),
                ],
            ),
            case(
                vec![("transport.qps", json!(8))],
                1,
                vec![
                    number("PFC, 8 QPs: fastest flow", 390.0).within(2.0),
                    number("PFC, 8 QPs: slowest flow", 263.0)
                        .within(15.0)
                        .because(HASH),
                ],
            ),
            case(
                vec![
                    ("transport.qps", json!(8)),
                    (
                        "transport.roce.dcqcn",
                        json!({ "rate_ai": "400Mbps", "rate_hai": "500Mbps" }),
                    ),
                    ("until", json!("70ms")),
                ],
                60,
                vec![
                    number("DCQCN, 8 QPs: fastest flow", 392.0)
                        .within(2.0)
                        .because(NOT_PUBLISHED),
                    number("DCQCN, 8 QPs: slowest flow", 392.0)
                        .within(25.0)
                        .because(NOT_PUBLISHED),
                ],
            ),
        ],
    }
}

const HASH: &str = "how many flows share a link is a matter of the hash; the paper shows one outcome";
