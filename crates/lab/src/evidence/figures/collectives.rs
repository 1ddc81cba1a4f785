//! Collectives of 64 GPUs on Cluster C: Figs 16 and 17.

use crate::evidence::experiment::{Case, Experiment, Known, Measure, Row, Work};
use kernel::Time;
use serde_json::{Value, json};

const MIB: u64 = 1 << 20;
const RANKS: u64 = 64;

/// Ring all-reduce with MRC by size, from 2 MB on, each size twice the one before: without loss, with 0.1 % and with 1 %.
const ALL_REDUCE: [[f64; 3]; 14] = [
    [24.0, 8.0, 4.0],
    [43.0, 12.0, 6.0],
    [69.0, 20.0, 10.0],
    [104.0, 32.0, 17.0],
    [150.0, 50.0, 28.0],
    [183.0, 81.0, 46.0],
    [214.0, 87.0, 46.0],
    [272.0, 131.0, 76.0],
    [294.0, 195.0, 93.0],
    [378.0, 220.0, 106.0],
    [380.0, 317.0, 148.0],
    [381.0, 339.0, 146.0],
    [375.0, 351.0, 151.0],
    [375.0, 339.0, 151.0],
];

/// All-to-all with MRC by size.
const ALL_TO_ALL: [f64; 14] = [
    150.0, 224.0, 281.0, 335.0, 362.0, 387.0, 400.0, 378.0, 368.0, 363.0, 361.0, 362.0, 361.0, 361.0,
];

/// From this size on it is the line, and no longer the time between steps, that decides.
const PLATEAU_FROM: usize = 9;
/// Largest size of which all steps are simulated; of larger ones as many as come to the same bytes.
const WHOLE: u64 = 64 * MIB;
/// Largest all-to-all that is simulated.
const LARGEST_ALL_TO_ALL: u64 = 1024 * MIB;

pub(super) fn all() -> Vec<Experiment> {
    vec![all_reduce(), all_to_all()]
}

fn all_reduce() -> Experiment {
    let losses = [(0.0, "without loss"), (0.001, "0.1 % loss"), (0.01, "1 % loss")];
    let cases = (losses.iter().enumerate())
        .flat_map(|(column, &(rate, name))| {
            ALL_REDUCE.iter().enumerate().map(move |(index, row)| {
                let plateau = index >= PLATEAU_FROM;
                let row = Row::number(
                    format!("{}, {name}", size_name(index)),
                    "Gb/s",
                    row[column],
                    Known::Plot,
                );
                let row = match (rate > 0.0, plateau) {
                    (false, true) => row.within(2.0),
                    (false, false) => row.within(10.0).because(BETWEEN_STEPS),
                    (true, _) => row.within(25.0).because(LOSSES),
                };
                Case {
                    work: Work::Simulate {
                        preset: "paper-fig-16",
                        changes: changes(size(index), rate),
                        measure: ring(size(index)),
                    },
                    rows: vec![row],
                    quick: index == 0,
                }
            })
        })
        .collect();
    Experiment {
        id: "fig16",
        title: "Fig 16: ring all-reduce of 64 GPUs, MRC",
        source: "Fig 16, Cluster C (64 GPUs, 4 × 100 Gb/s), one QP over 256 paths. Loss at the ingress of all NICs",
        scaling: "four racks of 16 NICs and 16 T1s a plane, and a ring whose neighbours all sit in different racks (our choices: the \
                  paper does not say). Of sizes above 64 MB not all 126 steps of the ring are run, but as many as come to the \
                  bytes of 64 MB, at least one; a step takes as long as another. The time in host and NIC is calibrated with \
                  the latency within a rack (below \"Latency\") and with nothing here",
        measured: "bus bandwidth as NCCL defines it: S/t × 2(n − 1)/n, which is what each NIC sends",
        cases,
    }
}

const BETWEEN_STEPS: &str = "what passes between two steps of the ring (kernels, chunking, protocol switches of the collective \
     library) is more than the NIC's latency and depends on the size; it is not simulated";
const LOSSES: &str = "";

/// The bus bandwidth of a ring all-reduce of `bytes`.
fn ring(bytes: u64) -> Measure {
    Box::new(move |run| {
        let chunk = bytes / RANKS;
        let steps = (2 * (RANKS - 1) * WHOLE / bytes).clamp(1, 2 * (RANKS - 1));
        // A thousandth of the time that the line alone needs.
        let each = Time(steps * chunk * 8_000 / 400 / 1_000);
        let time = run.until_all_placed(steps * chunk, each)?;
        Ok(vec![time.map_or(f64::NAN, |time| {
            (steps * chunk) as f64 * 8_000.0 / time.0 as f64
        })])
    })
}

fn all_to_all() -> Experiment {
    let cases = (ALL_TO_ALL.iter().enumerate())
        .map(|(index, &paper)| {
            let row = match index {
                6 => Row::statement(
                    format!("{}, without loss", size_name(index)),
                    "Gb/s",
                    "≥ 400 (clipped)",
                    Known::Plot,
                )
                .at_least(400.0),
                _ => Row::number(
                    format!("{}, without loss", size_name(index)),
                    "Gb/s",
                    paper,
                    Known::Plot,
                )
                .within(if index >= PLATEAU_FROM { 2.0 } else { 10.0 }),
            }
            .because(NODES);
            Case {
                work: Work::Simulate {
                    preset: "paper-fig-17",
                    changes: changes(size(index).min(LARGEST_ALL_TO_ALL), 0.0),
                    measure: Box::new(|run| {
                        run.to_end()?;
                        let jobs = run.sim().job_results();
                        let step = jobs.first().and_then(|job| Some((job, *job.step_us.first()?)));
                        Ok(vec![step.map_or(f64::NAN, |(job, us)| job.bus_gbps(us))])
                    }),
                },
                rows: vec![row],
                quick: index == 0,
            }
        })
        .collect();
    Experiment {
        id: "fig17",
        title: "Fig 17: all-to-all of 64 GPUs, MRC",
        source: "Fig 17, Cluster C (64 GPUs, 4 × 100 Gb/s), one QP over 256 paths",
        scaling: "as Fig 16. Sizes above 1 GB stand for themselves with the bandwidth of 1 GB: the line decides there",
        measured: "bus bandwidth as NCCL defines it: S/t × (n − 1)/n, which is what each NIC sends; t ends with the slowest of \
                   4,032 transfers",
        cases,
    }
}

const NODES: &str = "in the paper eight GPUs share a node and 7 of 63 transfers need not go through a NIC, which is how the \
     plot can go above 400; how much of them does is not known. Here each transfer goes through a NIC";

fn size(index: usize) -> u64 {
    (2 * MIB) << index
}

fn size_name(index: usize) -> String {
    match 2u64 << index {
        mb @ ..1024 => format!("{mb} MB"),
        mb => format!("{} GB", mb / 1024),
    }
}

/// The job's size, and loss on the way into every NIC.
fn changes(bytes: u64, rate: f64) -> Vec<(&'static str, Value)> {
    let mut changes = vec![("traffic[0].bytes", json!(bytes))];
    if rate > 0.0 {
        let loss =
            json!([{ "at": "0", "kind": "tier_loss", "tier": "nic", "direction": "down", "rate": rate }]);
        changes.push(("faults", loss));
    }
    changes
}
