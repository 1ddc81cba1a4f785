//! Tuned RoCE and MRC under the same failure, at three sizes.

use super::quantity;
use super::steps::{mean_of, steps, until_placed, until_steps};
use crate::evidence::experiment::{Case, Experiment, Row, Work};
use crate::evidence::run::{Run, Stopped};
use kernel::Time;
use scenario::{FaultKind, SwitchName, Tier};
use serde_json::{Value, json};

/// Bytes that each NIC sends in a step.
const STEP_BYTES: u64 = 2 << 20;
/// Steps before the failure.
const BEFORE: usize = 2;
/// Between two looks.
const EACH: Time = Time::from_us(1);

/// What breaks.
#[derive(Clone, Copy)]
enum Failure {
    /// A T0–T1 link goes down.
    Link,
    /// All links of a T1 go down.
    T1,
}

/// A size: NICs, the fabric of one plane (of two tiers or three), and that of eight planes.
struct Size {
    nics: u32,
    id: &'static str,
    title: &'static str,
    one_plane: [u32; 4],
    eight_planes: u32,
    failures: &'static [Failure],
    /// Systems that are not run at this size: their runs take too long for what they would add.
    without: &'static [&'static str],
    /// Steps after the one that the failure hits.
    after: usize,
}

/// Pods, T0s, T1s, T2s of one plane with 32 NICs at each T0; T0s of each of eight planes with 256.
const SIZES: [Size; 3] = [
    Size {
        nics: 1_024,
        id: "scale-1024",
        title: "RoCE and MRC lose a link, or a T1: 1,024 NICs",
        one_plane: [1, 32, 32, 0],
        eight_planes: 4,
        failures: &[Failure::Link, Failure::T1],
        without: &[],
        after: 2,
    },
    Size {
        nics: 8_192,
        id: "scale-8192",
        title: "RoCE and MRC lose a link, or a T1: 8,192 NICs",
        one_plane: [8, 256, 256, 1_024],
        eight_planes: 32,
        failures: &[Failure::Link, Failure::T1],
        without: &[],
        after: 2,
    },
    Size {
        nics: 32_768,
        id: "scale-32768",
        title: "RoCE and MRC lose a link: 32,768 NICs",
        one_plane: [32, 1_024, 1_024, 1_024],
        eight_planes: 128,
        failures: &[Failure::Link],
        without: &["RoCE, defaults", "RoCE, tuned, fast routing"],
        after: 1,
    },
];

/// A system: its name, its preset, and what differs from that.
struct System {
    name: &'static str,
    preset: &'static str,
    changes: fn() -> Vec<(&'static str, Value)>,
}

const SYSTEMS: [System; 5] = [
    System {
        name: "RoCE, defaults",
        preset: "scale-roce",
        changes: || {
            vec![
                ("fabric.queue", json!({})),
                ("fabric.pfc", json!({})),
                ("transport", json!({ "protocol": "roce" })),
            ]
        },
    },
    System {
        name: "RoCE, tuned",
        preset: "scale-roce",
        changes: Vec::new,
    },
    System {
        name: "RoCE, tuned, fast routing",
        preset: "scale-roce",
        changes: || {
            vec![(
                "fabric.convergence",
                json!({ "detect": "1ms", "converge": "9ms" }),
            )]
        },
    },
    System {
        name: "MRC, one plane",
        preset: "scale-mrc",
        changes: Vec::new,
    },
    System {
        name: "MRC, eight planes",
        preset: "scale-mrc-planes",
        changes: Vec::new,
    },
];

pub(super) fn all() -> Vec<Experiment> {
    SIZES.iter().map(experiment).collect()
}

fn experiment(size: &Size) -> Experiment {
    let here = |system: &&System| !size.without.contains(&system.name);
    let cases = SYSTEMS.iter().filter(here).flat_map(|system| {
        size.failures
            .iter()
            .map(move |&failure| case(size, system, failure))
    });
    Experiment {
        id: size.id,
        title: size.title,
        source: "which distribution of step times does a failure leave, with RoCE tuned and with MRC? No such experiment is published",
        scaling: "each NIC has 800 Gb/s. One plane is built of switches with 64 ports of 800 Gb/s, as the paper's three tiers are, eight \
                  planes of switches with 512 ports of 100 Gb/s; none is oversubscribed. RoCE, tuned: 16 QPs a flow, and DCQCN, ECN and PFC \
                  as a search on 256 NICs without failures found them (docs/tuning.md#results); timeouts that double from 1 to 67 ms, the \
                  shortest that do not give up before routing has converged in 110 ms (10 ms for a switch's own links), or where it is \
                  fast in 10 ms (1 ms). A step that waits for RoCE ends with the first retry after that: timeouts of 1, 2, 4, … 64 ms are \
                  over after 133 ms, of 1, 2, 4 and 8 after 15.7. Defaults: one QP, DCQCN of SIGCOMM 2015 with MRC's ECN thresholds, a timeout of \
                  67 ms. MRC has its defaults, with a SACK for every 16 KiB",
        measured: "a job in which each NIC sends 2 MiB to the NIC half-way round, step after step. When half of the third step has arrived, \
                   a T0–T1 link, which one the seed decides, goes down for good, or all links of a T1. Steps before are the mean of two, and \
                   so are those after (with 32,768 NICs one step is looked at), in which MRC still takes paths out of use. The dip's depth is the share of the \
                   step's throughput that is missing (1 − steps before / that step). What is missing is the share of the third step's bytes that \
                   had not arrived when as much time had passed since the end of the second step as that had taken: how broad the dip is",
        cases: cases.collect(),
    }
}

fn case(size: &Size, system: &System, failure: Failure) -> Case {
    // Each change is checked by itself: the fabric grows before its traffic.
    let mut changes = vec![("faults", json!([]))];
    if system.preset == "scale-mrc-planes" {
        changes.push(("fabric.t0_per_plane", json!(size.eight_planes)));
    } else {
        let [pods, t0, t1, t2] = size.one_plane;
        changes.push(("fabric.t0_per_plane", json!(t0)));
        changes.push(("fabric.t1_per_plane", json!(t1)));
        changes.push(("fabric.t2_per_plane", json!(t2)));
        changes.push(("fabric.pods", json!(pods)));
    }
    changes.push(("traffic[0].ranks", json!(size.nics)));
    changes.extend((system.changes)());
    let (nics, after) = (u64::from(size.nics), size.after);
    let what = match failure {
        Failure::Link => "a link dies",
        Failure::T1 => "a T1 dies",
    };
    let row = |figure: String, unit| Row::question(quantity(system.name, &figure), unit);
    Case {
        work: Work::Simulate {
            preset: system.preset,
            changes,
            measure: Box::new(move |run| measure(run, nics, after, failure)),
        },
        rows: vec![
            row(format!("{what}: steps before"), "µs"),
            row(format!("{what}: that step"), "µs"),
            row(format!("{what}: depth of the dip"), "%"),
            row(format!("{what}: missing when it should have ended"), "%"),
            row(format!("{what}: steps after"), "µs"),
            row(format!("{what}: QPs in ERROR"), ""),
        ],
        quick: false,
    }
}

fn measure(run: &mut Run, nics: u64, after: usize, failure: Failure) -> Result<Vec<f64>, Stopped> {
    let step = nics * STEP_BYTES;
    let begun = BEFORE as u64 * step;
    let reached = until_steps(run, BEFORE - 1, EACH)?;
    let before = run.sim().now();
    let reached = reached && until_steps(run, BEFORE, EACH)?;
    let start = run.sim().now();
    if !reached || !until_placed(run, begun + step / 2, EACH)? {
        return Ok(vec![f64::NAN; 6]);
    }
    run.inject(match failure {
        Failure::Link => FaultKind::LinksDown {
            tier: Tier::T0T1,
            plane: None,
            count: 1,
            spacing: scenario::Time(0),
            duration: None,
        },
        Failure::T1 => FaultKind::SwitchReboot {
            switch: SwitchName::T1 { plane: 0, index: 0 },
            duration: scenario::Time::ms(90_000),
        },
    })?;
    // From the end of a step to the end of the next.
    run.to(start + (start - before))?;
    let missing = 1.0 - (run.sim().placed_bytes() - begun) as f64 / step as f64;
    until_steps(run, BEFORE + 1 + after, EACH)?;
    let steps = steps(run);
    let usual = mean_of(&steps, 0..BEFORE);
    let hit = steps.get(BEFORE).copied().unwrap_or(f64::NAN);
    Ok(vec![
        usual,
        hit,
        100.0 * (1.0 - usual / hit),
        100.0 * missing.max(0.0),
        mean_of(&steps, BEFORE + 1..BEFORE + 1 + after),
        run.summary().failed as f64,
    ])
}
