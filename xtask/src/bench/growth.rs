//! Time per packet-hop as something grows: tables, and charts in `docs/`.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result};

use super::chart::Chart;
use super::report::{count, peak_mb};
use super::spread::Spread;
use super::{Group, Measured};
use crate::root;

struct Growth {
    group: Group,
    file: &'static str,
    title: &'static str,
    across: &'static str,
    factors: bool,
}

const GROWTHS: [Growth; 3] = [
    Growth {
        group: Group::Hosts,
        file: "growth-hosts.svg",
        title: "Time per packet-hop against the size of the fabric",
        across: "NICs, each with one QP that sends 64 KiB",
        factors: true,
    },
    Growth {
        group: Group::Load,
        file: "growth-load.svg",
        title: "Time per packet-hop against load",
        across: "percent of 1,024 NICs that send 2 MB",
        factors: false,
    },
    Growth {
        group: Group::Depth,
        file: "growth-depth.svg",
        title: "Time per packet-hop against the depth of the queues",
        across: "trimming threshold in BDPs; 64 incasts of 15 on 1,024 NICs",
        factors: true,
    },
];

/// The case that is the last point of the growth by hosts as well.
const LARGEST: &str = "fabric";

const UP: &str = "ns of CPU time, one thread; median and range of the runs";

/// The tables as Markdown, each with its chart. Without runs there is none.
pub fn tables(measured: &[Measured]) -> Result<String> {
    let mut text = String::new();
    for growth in &GROWTHS {
        let points = points(measured, growth.group);
        if points.len() < 2 {
            continue;
        }
        if text.is_empty() {
            text += "\n### Growth\n";
        }
        write!(
            text,
            "\n![{}](docs/{})\n\n| Case | {} | Packet-hops | ns per packet-hop: median (min–max) | Peak MB |\n\
             |---|--:|--:|--:|--:|\n",
            growth.title, growth.file, growth.across
        )?;
        for (one, spread) in points {
            writeln!(
                text,
                "| {} | {} | {} | **{:.0}** ({:.0}–{:.0}) | {} |",
                one.case.name,
                place(one),
                count(one.outcome.packet_hops),
                spread.median,
                spread.min,
                spread.max,
                peak_mb(&one.native).map_or_else(|| "–".into(), |mb| format!("{mb:.0}")),
            )?;
        }
    }
    Ok(text)
}

/// Draws the charts of those tables.
pub fn draw(measured: &[Measured]) -> Result<()> {
    for growth in &GROWTHS {
        let points = points(measured, growth.group);
        if points.len() < 2 {
            continue;
        }
        let chart = Chart {
            title: growth.title,
            across: growth.across,
            up: UP,
            factors: growth.factors,
            points: points
                .into_iter()
                .map(|(one, spread)| (one.case.at, place(one), spread))
                .collect(),
        };
        let path = root().join("docs").join(growth.file);
        fs::write(&path, chart.svg()).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}

fn place(one: &Measured) -> String {
    match one.case.at {
        at if at >= 100.0 => count(at as u64),
        at => at.to_string(),
    }
}

/// The cases of a group that were run natively, and ns per packet-hop.
fn points(measured: &[Measured], group: Group) -> Vec<(&Measured, Spread)> {
    let mut points: Vec<(&Measured, Spread)> = measured
        .iter()
        .filter(|one| one.case.group == group || (group == Group::Hosts && one.case.name == LARGEST))
        .filter_map(|one| {
            let hops = one.outcome.packet_hops.max(1) as f64;
            let ns = one
                .native
                .iter()
                .map(|sample| sample.cpu_s.unwrap_or(sample.run_s) * 1e9 / hops);
            Some((one, Spread::of(ns)?))
        })
        .collect();
    points.sort_by(|a, b| a.0.case.at.total_cmp(&b.0.case.at));
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::tests::{case, sample};

    #[test]
    fn the_whole_fabric_is_the_last_point_of_the_hosts() {
        let one = |name: &str, group, at, cpu_s| Measured {
            case: super::super::Case {
                group,
                at,
                ..case(name, 1)
            },
            outcome: sample(name, 1.0, "d").outcome,
            native: vec![sample(name, cpu_s, "d")],
            chromium: vec![],
            threaded: vec![],
        };
        let measured = [
            one(LARGEST, Group::Scale, 131_072.0, 0.8),
            one("hosts128", Group::Hosts, 128.0, 0.4),
            one("load10", Group::Load, 10.0, 0.4),
        ];
        let text = tables(&measured).unwrap();
        // A sample's CPU time is half of what is given, for 4,000,000 packet-hops.
        let rows = "| hosts128 | 128 | 4,000,000 | **50** (50–50) | 5 |\n\
                    | fabric | 131,072 | 4,000,000 | **100** (100–100) | 5 |\n";
        assert!(text.contains(rows), "{text}");
        assert!(!text.contains("growth-load"), "one point is no growth:\n{text}");
    }
}
