//! What the peer simulator answered, what Flowglass answers, and the two side by side.

use std::fmt::Write;

use anyhow::{Context, Result, bail};
use serde_json::Value;

mod text;

/// Statistics of completion times, in µs.
pub const STATISTICS: [&str; 5] = ["min", "p50", "mean", "p99", "max"];

/// From this difference on, in percent, a reason has to be written.
const NEEDS_REASON: f64 = 5.0;

/// One line of the peer's results.
#[derive(Clone)]
pub struct Row {
    /// File name of the connection matrix.
    pub matrix: String,
    /// File name of the topology.
    pub topology: String,
    /// The peer's name of the balancer.
    pub balancer: String,
    /// By [`STATISTICS`].
    times: [f64; 5],
    flows: u64,
    data_packets: u64,
    retransmissions: u64,
    packet_hops: u64,
}

impl Row {
    /// The balancers of Flowglass to compare with: that of the same name, and MRC's own beside the one that is most like it.
    pub fn our_balancers(&self) -> Result<&'static [&'static str]> {
        Ok(match self.balancer.as_str() {
            "bitmap" => &["bitmap", "mrc"],
            "mixed" => &["mixed"],
            "oblivious" => &["oblivious"],
            "reps" => &["reps"],
            other => bail!("the balancer {other} is unknown"),
        })
    }
}

/// Reads the peer's results: comma-separated, with a line of column names.
pub fn rows(csv: &str) -> Result<Vec<Row>> {
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().context("the file is empty")?.split(',').collect();
    lines
        .enumerate()
        .map(|(i, line)| row(&names, line).with_context(|| format!("results.csv, line {}", i + 2)))
        .collect()
}

fn row(names: &[&str], line: &str) -> Result<Row> {
    let values: Vec<&str> = line.split(',').collect();
    if values.len() != names.len() {
        bail!("{} values for {} columns", values.len(), names.len());
    }
    let text = |name: &str| {
        let column = names.iter().position(|&n| n == name);
        column
            .map(|column| values[column])
            .with_context(|| format!("there is no column {name}"))
    };
    let count = |name: &str| -> Result<u64> { text(name)?.parse().with_context(|| format!("column {name}")) };
    let mut times = [0.0; 5];
    for (time, statistic) in times.iter_mut().zip(STATISTICS) {
        let name = format!("fct_{statistic}_us");
        *time = text(&name)?.parse().with_context(|| format!("column {name}"))?;
    }
    Ok(Row {
        matrix: text("matrix")?.into(),
        topology: text("topology")?.into(),
        balancer: text("balancer")?.into(),
        times,
        flows: count("flows")?,
        data_packets: count("data_packets")?,
        retransmissions: count("retransmissions")?,
        packet_hops: count("packet_hops")?,
    })
}

/// What one run of Flowglass answered.
pub struct Run {
    times: [f64; 5],
    flows: u64,
    data_packets: u64,
    retransmissions: u64,
    packet_hops: u64,
}

impl Run {
    /// Reads the results that the command writes.
    pub fn from_json(results: &Value) -> Result<Run> {
        let number = |path: &str| {
            let value = results.pointer(path);
            value.with_context(|| format!("the results have no {path}"))
        };
        let count = |path: &str| {
            number(path)?
                .as_u64()
                .with_context(|| format!("{path} is no count"))
        };
        let mut times = [0.0; 5];
        for (time, statistic) in times.iter_mut().zip(STATISTICS) {
            let path = format!("/summary/fct_us/{statistic}");
            *time = number(&path)?
                .as_f64()
                .with_context(|| format!("{path} is no number"))?;
        }
        Ok(Run {
            times,
            flows: count("/summary/finished")?,
            data_packets: count("/summary/data_packets")?,
            retransmissions: count("/summary/retransmissions")?,
            packet_hops: count("/run/packet_hops")?,
        })
    }
}

/// One line of the peer's with our runs of the same.
pub struct Case {
    /// The peer's.
    pub row: Row,
    /// Our balancer.
    pub balancer: &'static str,
    /// Ours, by seed.
    pub runs: Vec<Run>,
}

/// The median of our runs and their range.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spread {
    median: f64,
    min: f64,
    max: f64,
}

impl Spread {
    /// Of at least one value.
    fn of(values: impl Iterator<Item = f64>) -> Spread {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        let median = if values.len().is_multiple_of(2) {
            f64::midpoint(values[middle - 1], values[middle])
        } else {
            values[middle]
        };
        Spread {
            median,
            min: values[0],
            max: values[values.len() - 1],
        }
    }

    fn percent_above(self, peer: f64) -> f64 {
        (self.median - peer) / peer * 100.0
    }

    /// The median, and the range where there is one.
    fn show(self, decimals: usize) -> String {
        let [median, min, max] = [self.median, self.min, self.max].map(|v| format!("{v:.decimals$}"));
        if min == max {
            median
        } else {
            format!("{median} ({min} to {max})")
        }
    }
}

impl Case {
    fn spread(&self, value: impl Fn(&Run) -> f64) -> Spread {
        Spread::of(self.runs.iter().map(value))
    }

    fn time(&self, statistic: usize) -> Spread {
        self.spread(|run| run.times[statistic])
    }

    /// How far our median is above the peer's figure, in percent.
    fn difference(&self, statistic: usize) -> f64 {
        self.time(statistic).percent_above(self.row.times[statistic])
    }

    /// What both sides have to agree on: all flows finish, and their packets are as many.
    fn check(&self) -> Result<()> {
        for run in &self.runs {
            if (run.flows, run.data_packets) != (self.row.flows, self.row.data_packets) {
                bail!(
                    "{} with {}: {} flows and {} data packets, but the peer has {} and {}",
                    self.row.matrix,
                    self.balancer,
                    run.flows,
                    run.data_packets,
                    self.row.flows,
                    self.row.data_packets
                );
            }
        }
        Ok(())
    }
}

/// The whole page. Fails when a difference over 5 % has no written reason, or a reason has no difference left.
pub fn report(cases: &[Case], seeds: u64) -> Result<String> {
    for case in cases {
        case.check()?;
    }
    let mut page = text::HEAD.replace("{seeds}", &seeds.to_string());
    page += &at_a_glance(cases);
    page += "\n## Case by case\n";
    let mut matrices: Vec<&str> = cases.iter().map(|case| case.row.matrix.as_str()).collect();
    matrices.dedup();
    for matrix in matrices {
        let of_matrix: Vec<&Case> = cases.iter().filter(|case| case.row.matrix == matrix).collect();
        page += &table(matrix, &of_matrix);
        page += &reasons(matrix, &of_matrix)?;
    }
    page += text::TAIL;
    Ok(page)
}

/// The largest difference of the statistics that are compared by rule: p50, p99, max.
fn at_a_glance(cases: &[Case]) -> String {
    let mut text = String::from(
        "\n| Matrix | Balancer: ours, peer's | p50 µs: ours, peer's | p99 µs | max µs | largest difference |\n\
         |---|---|---|---|---|---|\n",
    );
    for case in cases {
        let _ = write!(
            text,
            "| `{}` | {}, {} |",
            case.row.matrix, case.balancer, case.row.balancer
        );
        let mut largest = 0.0f64;
        for statistic in [1, 3, 4] {
            let (ours, peer) = (case.time(statistic), case.row.times[statistic]);
            let percent = case.difference(statistic);
            if percent.abs() > largest.abs() {
                largest = percent;
            }
            let _ = write!(text, " {:.2}, {peer:.2} |", ours.median);
        }
        let _ = writeln!(text, " {largest:+.1} % |");
    }
    text
}

/// A count: its label, ours and the peer's.
type Count = (&'static str, fn(&Run) -> u64, fn(&Row) -> u64);

const COUNTS: [Count; 2] = [
    (
        "retransmissions",
        |run| run.retransmissions,
        |row| row.retransmissions,
    ),
    (
        "packet-hops (see below)",
        |run| run.packet_hops,
        |row| row.packet_hops,
    ),
];

fn table(matrix: &str, cases: &[&Case]) -> String {
    let mut text = format!("\n### `{matrix}`\n\n");
    let row = &cases[0].row;
    let _ = write!(
        text,
        "{} flows, {} data packets on `{}`.\n\n|  |",
        row.flows, row.data_packets, row.topology
    );
    for statistic in STATISTICS {
        let _ = write!(text, " {statistic}, µs |");
    }
    for (label, ..) in COUNTS {
        let _ = write!(text, " {label} |");
    }
    let _ = writeln!(text, "\n|---|{}", "---|".repeat(STATISTICS.len() + COUNTS.len()));
    for case in cases {
        let _ = write!(text, "| **{}**, ours |", case.balancer);
        for i in 0..STATISTICS.len() {
            let _ = write!(text, " {} |", case.time(i).show(2));
        }
        for (_, ours, _) in COUNTS {
            let spread = case.spread(|run| ours(run) as f64);
            let _ = write!(text, " {} |", spread.show(0));
        }
        let _ = write!(text, "\n| {}, the peer's |", case.row.balancer);
        for time in case.row.times {
            let _ = write!(text, " {time:.2} |");
        }
        for (_, _, peers) in COUNTS {
            let _ = write!(text, " {} |", peers(&case.row));
        }
        text.push_str("\n| difference |");
        for i in 0..STATISTICS.len() {
            let _ = write!(text, " {:+.1} % |", case.difference(i));
        }
        let _ = writeln!(text, "{}", "  |".repeat(COUNTS.len()));
    }
    text
}

/// The reasons for the differences of one matrix, each of which has to be written.
fn reasons(matrix: &str, cases: &[&Case]) -> Result<String> {
    let mut text = String::new();
    for (i, statistic) in STATISTICS.iter().enumerate() {
        let differs: Vec<String> = cases
            .iter()
            .map(|case| (case, case.difference(i)))
            .filter(|(_, percent)| percent.abs() > NEEDS_REASON)
            .map(|(case, percent)| format!("{percent:+.1} % with {}", case.balancer))
            .collect();
        let reason = text::REASONS
            .iter()
            .find(|reason| reason.matrix == matrix && reason.statistic == *statistic);
        match (differs.is_empty(), reason) {
            (true, None) => {}
            (false, Some(reason)) => {
                let _ = write!(
                    text,
                    "\nWhy {statistic} differs ({}): {}\n",
                    differs.join(", "),
                    reason.why
                );
            }
            (false, None) => bail!(
                "{matrix}: {statistic} differs ({}) and xtask/src/peer/text.rs has no reason for it",
                differs.join(", ")
            ),
            (true, Some(_)) => bail!(
                "{matrix}: {statistic} differs by no more than {NEEDS_REASON} %, but xtask/src/peer/text.rs has a reason for it"
            ),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: &str = "\
matrix,topology,balancer,flows,fct_min_us,fct_p50_us,fct_mean_us,fct_p99_us,fct_max_us,data_packets,retransmissions,packet_hops
a.cm,t.topo,bitmap,2,10,20,20.5,30,31,100,4,700
a.cm,t.topo,reps,2,10,20,20.5,30,31,100,4,700";

    fn run(times: [f64; 5]) -> Run {
        Run {
            times,
            flows: 2,
            data_packets: 100,
            retransmissions: 5,
            packet_hops: 400,
        }
    }

    fn case(times: [[f64; 5]; 3]) -> Case {
        Case {
            row: rows(CSV).expect("well-formed").swap_remove(1),
            balancer: "reps",
            runs: times.into_iter().map(run).collect(),
        }
    }

    #[test]
    fn the_peers_results_are_read_by_column_name() {
        let rows = rows(CSV).expect("well-formed");
        assert_eq!(rows[0].times, [10.0, 20.0, 20.5, 30.0, 31.0]);
        let ours = rows[..2].iter().map(|row| row.our_balancers().expect("known"));
        assert_eq!(ours.collect::<Vec<_>>(), [&["bitmap", "mrc"][..], &["reps"]]);
        let other = Row {
            balancer: "ecmp".into(),
            ..rows[0].clone()
        };
        assert!(other.our_balancers().is_err());
        let error = |csv: &str| format!("{:#}", super::rows(csv).err().expect("refused"));
        assert_eq!(error("a,b\n1"), "results.csv, line 2: 1 values for 2 columns");
        assert!(error(&CSV.replace(",31,", ",x,")).contains("line 2: column fct_max_us"));
        assert!(error(&CSV.replace("flows", "streams")).contains("there is no column flows"));
    }

    #[test]
    fn the_median_and_the_range_are_shown() {
        assert_eq!(
            Spread::of([3.0, 1.0, 2.0].into_iter()).show(1),
            "2.0 (1.0 to 3.0)"
        );
        assert_eq!(Spread::of([4.0, 1.0].into_iter()).median, 2.5);
        assert_eq!(Spread::of([5.0, 5.0].into_iter()).show(0), "5");
        assert!((Spread::of([21.0].into_iter()).percent_above(20.0) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn a_close_case_is_reported_without_reasons() {
        let times = [10.1, 20.2, 20.5, 30.0, 31.0];
        let page = report(&[case([times, times, times])], 3).expect("no reason is needed");
        assert!(page.contains("seeds 1 to 3"), "{page}");
        assert!(
            page.contains("| `a.cm` | reps, reps | 20.20, 20.00 | 30.00, 30.00 | 31.00, 31.00 | +1.0 % |"),
            "{page}"
        );
        let lines = "\
| **reps**, ours | 10.10 | 20.20 | 20.50 | 30.00 | 31.00 | 5 | 400 |
| reps, the peer's | 10.00 | 20.00 | 20.50 | 30.00 | 31.00 | 4 | 700 |
| difference | +1.0 % | +1.0 % | +0.0 % | +0.0 % | +0.0 % |  |  |
";
        assert!(page.contains(lines), "{page}");
    }

    #[test]
    fn a_run_that_is_not_the_same_work_is_refused() {
        let times = [10.0, 20.0, 20.5, 30.0, 31.0];
        let mut case = case([times, times, times]);
        case.runs[1].flows = 1;
        let error = report(&[case], 3).expect_err("a flow is missing").to_string();
        assert!(
            error.contains("a.cm with reps: 1 flows and 100 data packets, but the peer has 2 and 100"),
            "{error}"
        );
    }

    #[test]
    fn a_difference_without_a_reason_is_refused() {
        let times = [10.0, 21.1, 20.5, 30.0, 31.0];
        let error = report(&[case([times, times, times])], 3).expect_err("p50 is 5.5 % off");
        assert!(
            error.to_string().contains("a.cm: p50 differs (+5.5 % with reps)"),
            "{error}"
        );
    }

    #[test]
    fn the_peer_counts_seven_hops_for_a_packet_in_two_tiers() {
        let csv = include_str!("../../tests/peer/results.csv");
        let permutation = csv
            .lines()
            .find(|l| l.starts_with("perm_shift64") && l.contains("bitmap"));
        let values: Vec<u64> = permutation
            .expect("it is there")
            .split(',')
            .filter_map(|v| v.parse().ok())
            .collect();
        // link_gbps, flows, data packets, retransmissions, ACKs, NACKs, events, packet-hops.
        let [_, _, data, retransmissions, acks, nacks, _, hops, ..] = values[..] else {
            panic!("too few whole numbers: {values:?}");
        };
        assert_eq!(hops, 7 * (data + retransmissions + acks + nacks));
    }
}
