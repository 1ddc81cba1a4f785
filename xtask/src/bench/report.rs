//! The tables.

use std::fmt::Write;

use anyhow::{Context, Result};

use super::rival::{self, Peer};
use super::spread::Spread;
use super::{Measured, Sample};

const MILLION: f64 = 1e6;

/// All tables as Markdown. `csv` holds the peer's results.
pub fn tables(measured: &[Measured], csv: &str) -> Result<String> {
    let mut text = what(measured)? + "\n" + &speed(measured)? + &cores(measured)?;
    let mut peers = Vec::new();
    for one in measured {
        if let Some(matrix) = &one.case.peer_matrix {
            let peer = rival::find(csv, matrix).context("in the peer's results")?;
            peers.extend(peer.map(|peer| (one, peer)));
        }
    }
    if !peers.is_empty() {
        text += "\n";
        text += &beside(&peers)?;
    }
    Ok(text)
}

/// What each case did.
fn what(measured: &[Measured]) -> Result<String> {
    let mut text = String::from(
        "### What was run\n\n| Case | NICs | Fabric | Packets | Packet-hops | Events | Simulated µs | Digest |\n\
         |---|--:|---|--:|--:|--:|--:|---|\n",
    );
    for Measured { case, outcome, .. } in measured {
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {:.1} | `{}` |",
            case.name,
            count(u64::from(case.nics)),
            case.fabric,
            count(outcome.packets),
            count(outcome.packet_hops),
            count(outcome.events),
            outcome.simulated_ps as f64 / MILLION,
            outcome.digest
        )?;
    }
    Ok(text)
}

/// By one thread and by several.
fn cores(measured: &[Measured]) -> Result<String> {
    let mut text = String::new();
    for one in measured {
        let (Some(alone), Some(together)) = (wall(&one.native), wall(&one.threaded)) else {
            continue;
        };
        if text.is_empty() {
            text += "\n### Cores\n\n| Case | Threads | Runs | Wall s: median (min–max) | Peak MB | Times as fast as one |\n\
                     |---|--:|--:|--:|--:|--:|\n";
        }
        for (samples, spread) in [(&one.native, alone), (&one.threaded, together)] {
            writeln!(
                text,
                "| {} | {} | {} | {} | {} | {:.2} |",
                one.case.name,
                samples[0].threads,
                samples.len(),
                range(Some(spread)),
                peak_mb(samples).map_or_else(|| "–".into(), |mb| format!("{mb:.1}")),
                alone.median / spread.median,
            )?;
        }
    }
    Ok(text)
}

/// How fast, and in how much memory.
fn speed(measured: &[Measured]) -> Result<String> {
    let mut text = String::from(
        "### Speed and memory\n\n| Case | Where | Runs | Build ms | Wall s: median (min–max) | CPU s: median (min–max) \
         | M packet-hops per wall s | M packet-hops per CPU s | of native, by CPU s | Peak MB |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for one in measured.iter().filter(|one| one.case.group.in_browser()) {
        let native_cpu = cpu(&one.native);
        for (place, samples) in [("native", &one.native), ("Chromium", &one.chromium)] {
            let Some(run) = wall(samples) else { continue };
            let cpu = cpu(samples);
            let hops = one.outcome.packet_hops as f64 / MILLION;
            let share = match (place, native_cpu, cpu) {
                ("Chromium", Some(native), Some(cpu)) => {
                    format!("{:.0} %", 100.0 * native.median / cpu.median)
                }
                _ => String::new(),
            };
            let build = Spread::of(samples.iter().map(|sample| sample.build_s * 1e3));
            writeln!(
                text,
                "| {} | {place} | {} | {} | {} | {} | {:.1} | {} | {share} | {} |",
                one.case.name,
                samples.len(),
                build.map_or_else(String::new, |build| format!("{:.1}", build.median)),
                range(Some(run)),
                range(cpu),
                hops / run.median,
                cpu.map_or_else(|| "–".into(), |cpu| format!("**{:.1}**", hops / cpu.median)),
                peak_mb(samples).map_or_else(|| "–".into(), |mb| format!("{mb:.1}")),
            )?;
        }
    }
    Ok(text)
}

/// Beside the peer.
fn beside(peers: &[(&Measured, Peer)]) -> Result<String> {
    let mut text = String::from(
        "### Beside uet-htsim\n\n| Case | Who | Wall s, build and run | Packets | M packets/s | M packet-hops/s | Peak MB | Times as fast |\n\
         |---|---|--:|--:|--:|--:|--:|--:|\n",
    );
    for (one, peer) in peers {
        let peers_rate = peer.packet_hops() as f64 / peer.seconds;
        let mut row = |who: &str, seconds: f64, packets: u64, hops: u64, mb: Option<f64>| {
            writeln!(
                text,
                "| {} | {who} | {seconds:.2} | {} | {:.2} | {:.2} | {} | {:.1} |",
                one.case.name,
                count(packets),
                packets as f64 / MILLION / seconds,
                hops as f64 / MILLION / seconds,
                mb.map_or_else(|| "–".into(), |mb| format!("{mb:.1}")),
                hops as f64 / seconds / peers_rate,
            )
        };
        row(
            "uet-htsim",
            peer.seconds,
            peer.packets,
            peer.packet_hops(),
            Some(peer.peak_mb),
        )?;
        for (who, samples) in [
            ("Flowglass, native", &one.native),
            ("Flowglass, Chromium", &one.chromium),
        ] {
            if let Some(whole) = Spread::of(samples.iter().map(|sample| sample.build_s + sample.run_s)) {
                let outcome = &one.outcome;
                row(
                    who,
                    whole.median,
                    outcome.packets,
                    outcome.packet_hops,
                    peak_mb(samples),
                )?;
            }
        }
    }
    Ok(text)
}

fn wall(samples: &[Sample]) -> Option<Spread> {
    Spread::of(samples.iter().map(|sample| sample.run_s))
}

/// None when some run has no figure.
fn cpu(samples: &[Sample]) -> Option<Spread> {
    let seconds: Option<Vec<f64>> = samples.iter().map(|sample| sample.cpu_s).collect();
    Spread::of(seconds?)
}

/// The largest of the runs, in MB of 10^6 bytes.
pub fn peak_mb(samples: &[Sample]) -> Option<f64> {
    let bytes: Option<Vec<u64>> = samples.iter().map(|sample| sample.memory_bytes).collect();
    bytes?.into_iter().max().map(|bytes| bytes as f64 / MILLION)
}

fn range(spread: Option<Spread>) -> String {
    spread.map_or_else(
        || "–".into(),
        |Spread { median, min, max }| format!("{median:.3} ({min:.3}–{max:.3})"),
    )
}

/// A count with its thousands apart.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::tests::{case, sample};

    #[test]
    fn rates_follow_from_medians_and_ratios_from_cpu_time() {
        let measured = Measured {
            case: super::super::Case {
                peer_matrix: Some("a.cm".into()),
                ..case("a", 1024)
            },
            outcome: sample("a", 1.0, "d").outcome,
            native: vec![
                sample("a", 0.4, "d"),
                sample("a", 0.9, "d"),
                sample("a", 0.5, "d"),
            ],
            chromium: vec![sample("a", 1.0, "d")],
            threaded: vec![Sample {
                threads: 2,
                ..sample("a", 0.25, "d")
            }],
        };
        let csv = "matrix,balancer,data_packets,retransmissions,acks,nacks,packet_hops,seconds,peak_mb\n\
            a.cm,bitmap,900000,0,100000,0,7000000,10,100.0\n";
        let text = tables(&[measured], csv).unwrap();
        for line in [
            "| a | 1,024 | a fabric | 1,000,000 | 4,000,000 | 4,000,123 | 53.6 | `d` |",
            "| a | native | 3 | 1.0 | 0.500 (0.400–0.900) | 0.250 (0.200–0.450) | 8.0 | **16.0** |  | 5.2 |",
            "| a | Chromium | 1 | 1.0 | 1.000 (1.000–1.000) | 0.500 (0.500–0.500) | 4.0 | **8.0** | 50 % | 5.2 |",
            "| a | 2 | 1 | 0.250 (0.250–0.250) | 5.2 | 2.00 |",
            "| a | uet-htsim | 10.00 | 1,000,000 | 0.10 | 0.40 | 100.0 | 1.0 |",
            "| a | Flowglass, native | 0.50 | 1,000,000 | 2.00 | 7.98 | 5.2 | 20.0 |",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }

    #[test]
    fn a_figure_that_is_missing_in_a_run_is_missing() {
        let mut samples = [sample("a", 1.0, "d"), sample("a", 2.0, "d")];
        assert_eq!(peak_mb(&samples), Some(5.25));
        samples[1].cpu_s = None;
        samples[0].memory_bytes = None;
        assert_eq!((cpu(&samples), peak_mb(&samples)), (None, None));
        assert_eq!(range(None), "–");
    }

    #[test]
    fn thousands_are_apart() {
        assert_eq!(
            [0, 999, 1_000, 20_692_100].map(count),
            ["0", "999", "1,000", "20,692,100"]
        );
    }
}
