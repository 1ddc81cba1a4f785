//! From RoCE to MRC, one part at a time.

use super::quantity;
use super::steps::{mean_of, steps, until_steps};
use crate::evidence::experiment::{Case, Experiment, Measure, Row, Work};
use crate::evidence::run::{Run, Stopped, greatest};
use kernel::Time;
use scenario::{Direction, FaultKind, LinkName};
use serde_json::{Value, json};

/// A step of the ladder: its preset, what tables call it, and what it needs.
struct Rung {
    preset: &'static str,
    system: &'static str,
    nic: &'static str,
    switches: &'static str,
}

const fn rung(preset: &'static str, system: &'static str, nic: &'static str, switches: &'static str) -> Rung {
    Rung {
        preset,
        system,
        nic,
        switches,
    }
}

const RUNGS: [Rung; 11] = [
    rung(
        "ladder-1-roce",
        "1 RoCE, one QP",
        "RDMA over Ethernet, DCQCN",
        "ECMP, ECN, PFC with headroom on every port",
    ),
    rung(
        "ladder-2-qps",
        "2 sixteen QPs",
        "16 times as many QPs; a setting of the collective library",
        "entropy in the hash",
    ),
    rung(
        "ladder-3-selective-repeat",
        "3 selective repeat",
        "selective repeat",
        "nothing",
    ),
    rung(
        "ladder-4-switch-spraying",
        "4 switches spray",
        "out-of-order placement, patience before a packet counts as lost",
        "adaptive routing in each",
    ),
    rung(
        "ladder-5-nscc",
        "5 NSCC, SACK",
        "MRC's or UET's endpoint",
        "nothing",
    ),
    rung(
        "ladder-6-sender-spraying",
        "6 sender sprays",
        "an entropy value for each packet",
        "ECMP with enough entropy; adaptive routing can go",
    ),
    rung(
        "ladder-7-ecn-steering",
        "7 ECN steers",
        "states of entropy values, probes",
        "ECN inside the fabric",
    ),
    rung("ladder-8-pfc-off", "8 PFC off", "nothing", "PFC goes"),
    rung(
        "ladder-9-trimming",
        "9 trimming",
        "NACKs for trimmed packets",
        "trimming, a queue for headers",
    ),
    rung(
        "ladder-10-srv6",
        "10 SRv6",
        "paths written as micro-segments",
        "uN forwarding with static routes; routing protocols go",
    ),
    rung(
        "ladder-11-planes",
        "11 four planes",
        "four ports of a quarter of the rate",
        "four times the ports at a quarter of the rate: a tier less at scale",
    ),
];

/// What each rung needs, as a table.
pub(super) fn needs() -> String {
    let mut table =
        String::from("| Rung | Preset | Needs of the NIC | Needs of the switches |\n|---|---|---|---|\n");
    for rung in &RUNGS {
        table.push_str(&format!(
            "| {} | `{}` | {} | {} |\n",
            rung.system, rung.preset, rung.nic, rung.switches
        ));
    }
    table
}

/// Between two looks at the steps.
const EACH: Time = Time::from_us(5);
/// Bytes that each sender of the incast has.
const INCAST_BYTES: u64 = 4 << 20;
/// NICs of a rack, which all send to one of another but for the victim's.
const SENDERS: u64 = 15;

pub(super) fn ladder() -> Experiment {
    let cases = RUNGS.iter().flat_map(|&Rung { preset, system, .. }| {
        [
            case(
                preset,
                system,
                vec![("faults", json!([]))],
                &[
                    ("step without failure", "µs"),
                    ("step while a link loses 1 %", "µs"),
                    ("step in which a link dies", "µs"),
                    ("steps after it", "µs"),
                ],
                Box::new(failures),
            ),
            case(
                preset,
                system,
                vec![("faults", json!([])), ("traffic", incast_and_victim())],
                &[
                    ("15:1 incast, time by the line's", ""),
                    ("a victim beside it", "Gb/s"),
                ],
                Box::new(incast),
            ),
        ]
    });
    Experiment {
        id: "ladder",
        title: "The ladder: from RoCE to MRC, one part at a time",
        source: "asked by an operator with an ordinary fabric: which part of MRC buys what, and what does it need?",
        scaling: "64 NICs of 400 Gb/s in four racks with 16 T1s each, none oversubscribed. RoCE has DCQCN as a search found it \
                  (docs/tuning.md#results), timeouts that double from 1 to 67 ms, and routing that converges in 110 ms (10 ms for a switch's own \
                  links)",
        measured: "a job in which each NIC sends 4 MiB to the rack after the next, step after step. Four steps; four with 1 % loss on one \
                   T0–T1 link, of which the mean; two; then half-way through a step another T0–T1 link dies: the longest of two steps, and \
                   the mean of the four after them. Beside it 15 NICs of a rack send 4 MiB each to one NIC of another, while a NIC of a third \
                   rack sends to that NIC's neighbour: the time until the last of the 15 is done by what the line needs, and the neighbour's \
                   rate meanwhile",
        cases: cases.collect(),
    }
}

fn case(
    preset: &'static str,
    system: &str,
    changes: Vec<(&'static str, Value)>,
    figures: &[(&str, &'static str)],
    measure: Measure,
) -> Case {
    Case {
        work: Work::Simulate {
            preset,
            changes,
            measure,
        },
        rows: figures
            .iter()
            .map(|&(figure, unit)| Row::question(quantity(system, figure), unit))
            .collect(),
        quick: false,
    }
}

fn failures(run: &mut Run) -> Result<Vec<f64>, Stopped> {
    let link = |t0, t1| LinkName::T0T1 { plane: 0, t0, t1 };
    let loss = |rate| FaultKind::LinkLoss {
        link: link(0, 3),
        direction: Direction::Both,
        rate,
    };
    until_steps(run, 4, EACH)?;
    run.inject(loss(0.01))?;
    until_steps(run, 8, EACH)?;
    run.inject(loss(0.0))?;
    until_steps(run, 10, EACH)?;
    let before = mean_of(&steps(run), 0..4);
    if !before.is_finite() {
        return Ok(vec![f64::NAN; 4]);
    }
    run.to(run.sim().now() + Time((before * 0.5e6) as u64))?;
    run.inject(FaultKind::LinkDown {
        link: link(1, 5),
        direction: Direction::Both,
    })?;
    until_steps(run, 16, EACH)?;
    let steps = steps(run);
    let hit = steps.get(10..12).map_or(f64::NAN, greatest);
    Ok(vec![before, mean_of(&steps, 4..8), hit, mean_of(&steps, 12..16)])
}

/// NICs 17 to 31 send to NIC 0, and NIC 32 to NIC 1, in NIC 0's rack.
fn incast_and_victim() -> Value {
    let mut flows: Vec<Value> = (17..17 + SENDERS)
        .map(|src| json!({ "kind": "flow", "src": src, "dst": 0, "bytes": INCAST_BYTES }))
        .collect();
    // Enough for the whole incast at line rate, and half of it more.
    let bytes = INCAST_BYTES * SENDERS * 3 / 2;
    flows.push(json!({ "kind": "flow", "src": 32, "dst": 1, "bytes": bytes }));
    Value::Array(flows)
}

fn incast(run: &mut Run) -> Result<Vec<f64>, Stopped> {
    let flows = SENDERS as usize;
    let all = |run: &Run| {
        let placed = run.placed_by_flow();
        (placed[..flows].iter().sum::<u64>(), placed[flows])
    };
    if !run.until(EACH, |run| all(run).0 >= SENDERS * INCAST_BYTES)? {
        return Ok(vec![f64::NAN; 2]);
    }
    let ps = run.sim().now().0 as f64;
    let line = (SENDERS * INCAST_BYTES) as f64 * 8.0 / 400e9 * 1e12;
    Ok(vec![ps / line, all(run).1 as f64 * 8_000.0 / ps])
}
