//! RoCE, the paper's baseline, over ECMP with PFC (Figs 16, 17, 18, 20 and 21).

use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};
use crate::evidence::run::{Run, Stopped, greatest, least, mean};
use kernel::Time;
use serde_json::{Value, json};

const WHY: &str = "RoCE is simulated, and this figure is not measured yet";

const NOT_PUBLISHED: &str = "PFC thresholds, timeout and DCQCN's parameters are not published. DCQCN's are those of SIGCOMM 2015, with ten times \
     the steps up (400 and 500 Mb/s) as the line is ten times as fast; PFC pauses at 1 MB; the timeout is 4.096 µs × 2^12 (all our choice)";

pub(super) fn all() -> Vec<Experiment> {
    let mut all = vec![
        baseline(
            "roce-fig16",
            "Fig 16: ring all-reduce with RoCE",
            "Fig 16, Cluster C (64 GPUs, one 400 Gb/s plane, PFC and DCQCN)",
            vec![
                plot(
                    "1 QP, 2 MB to 16 GB",
                    "23, 43, 69, 102, 145, 178, 126, 158, 170, 200, 213, 221, 224, 223",
                ),
                plot(
                    "16 QPs",
                    "22, 42, 65, 96, 142, 179, 209, 269, 273, 302, 352, 366, 364, 362",
                ),
                plot(
                    "1 QP, 0.1 % loss",
                    "1, 3, 5, 7, 9, 21, 22, 34, 57, 84, 114, 154, 179, 193",
                ),
                plot(
                    "16 QPs, 0.1 % loss",
                    "1, 2, 3, 5, 8, 13, 12, 20, 35, 48, 82, 122, 182, 214",
                ),
                plot("1 QP, 1 % loss", "0, 1, 1, 1, 2, 3, 4, 5, 8, 12, 16, 22, 29, 32"),
                plot("16 QPs, 1 % loss", "0, 1, 1, 1, 1, 2, 2, 4, 5, 8, 12, 18, 24, 29"),
                Row::statement(
                    "1 QP by MRC, large sizes",
                    "",
                    "about half; 0.56 to 0.6",
                    Known::Derived,
                ),
                Row::statement("gain beyond 8 QPs", "", "none", Known::Printed),
            ],
        ),
        baseline(
            "roce-fig17",
            "Fig 17: all-to-all with RoCE",
            "Fig 17, Cluster C (64 GPUs, one 400 Gb/s plane, PFC and DCQCN)",
            vec![
                plot(
                    "1 QP, 2 MB to 16 GB",
                    "149, 214, 264, 304, 317, 331, 330, 354, 336, 328, 328, 329, 329, 327",
                ),
                plot(
                    "16 QPs",
                    "138, 212, 261, 304, 323, 336, 335, 324, 294, 299, 299, 293, 295, 295",
                ),
                Row::statement("effect of more QPs", "", "falls beyond 2", Known::Printed),
            ],
        ),
    ];
    all.extend([fig18(), fig20()]);
    all
}

fn plot(quantity: &str, paper: &str) -> Row {
    Row::statement(quantity, "Gb/s", paper, Known::Plot)
}

fn baseline(id: &'static str, title: &'static str, source: &'static str, rows: Vec<Row>) -> Experiment {
    Experiment {
        id,
        title,
        source,
        scaling: "",
        measured: "",
        cases: vec![Case {
            work: Work::NotSimulated(WHY),
            rows,
            quick: true,
        }],
    }
}

/// The settings of a NIC for `qps` QPs a flow.
fn transport(qps: u32, dcqcn: bool, host_latency: &str) -> Value {
    let congestion = if dcqcn {
        json!({ "rate_ai": "400Mbps", "rate_hai": "500Mbps" })
    } else {
        json!({ "enabled": false })
    };
    json!({
        "protocol": "roce",
        "qps": qps,
        "host_latency": host_latency,
        "roce": { "ack_every": 4, "timeout": 12, "dcqcn": congestion },
    })
}

/// Cluster D: fabric and transport of the preset's hosts.
fn cluster_d(qps: u32, dcqcn: bool, until: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("fabric.routing", json!("ecmp")),
        ("fabric.pfc", json!({})),
        ("transport", transport(qps, dcqcn, "0")),
        ("until", json!(until)),
    ]
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
            preset: "paper-fig-18",
            changes: cluster_d(qps, true, "120ms"),
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
    let case = |qps: u32, dcqcn: bool, from_ms: u64, rows: Vec<Row>| Case {
        work: Work::Simulate {
            preset: "paper-fig-20",
            changes: cluster_d(qps, dcqcn, &format!("{}ms", from_ms + 10)),
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
                1,
                false,
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
                8,
                false,
                1,
                vec![
                    number("PFC, 8 QPs: fastest flow", 390.0).within(2.0),
                    number("PFC, 8 QPs: slowest flow", 263.0)
                        .within(15.0)
                        .because(HASH),
                ],
            ),
            case(
                8,
                true,
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
