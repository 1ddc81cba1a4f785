//! The results of a run for people.

use crate::output::plain;
use crate::results::Results;
use crate::runner::End;
use scenario::{Balancer, Model, Protocol, Recovery, Scenario, Time};
use sim::Summary;
use sim::clustermapper::MapperSummary;
use sim::summary::{FlowResult, JobResult};
use std::fmt::Write;

/// Unfinished flows that are listed one by one.
const UNFINISHED_SHOWN: usize = 5;
/// Verdicts of Clustermapper that are listed one by one.
const VERDICTS_SHOWN: usize = 4;

/// The whole summary: several lines, each with its end.
pub fn summary(results: &Results, scenario: &Scenario) -> String {
    let mut text = String::new();
    let Results { run, summary, .. } = results;
    let title = if scenario.name.is_empty() {
        &results.scenario.source
    } else {
        &scenario.name
    };
    let _ = writeln!(text, "{}", plain(title));
    let mut line = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<15}{value}");
    };
    line(
        if scenario.transport.protocol == Protocol::Roce {
            "protocol"
        } else {
            "model"
        },
        model(scenario),
    );
    line("fabric", fabric(results, scenario));
    line(
        "run",
        format!(
            "seed {}, {} at {} µs of at most {}",
            run.seed,
            match run.end {
                End::Finished => "every flow finished",
                End::Until => "ended",
                End::Failed => "every flow finished or failed",
                End::Interrupted => "interrupted",
            },
            decimals(run.sim_us),
            scenario.until
        ),
    );
    let failed = match summary.failed {
        0 => String::new(),
        failed => format!(", {} failed", count(failed)),
    };
    line(
        "flows",
        format!(
            "{} of {} finished{failed}",
            count(summary.finished),
            count(summary.flows)
        ),
    );
    for job in &results.jobs {
        line("job", steps_of(job));
    }
    if let Some(t) = summary.fct_us {
        let [min, p50, mean, p99, max] = [t.min, t.p50, t.mean, t.p99, t.max].map(decimals);
        line(
            "completion µs",
            format!("min {min}   p50 {p50}   mean {mean}   p99 {p99}   max {max}"),
        );
    }
    line("goodput", rate(summary.goodput_gbps));
    line("data packets", count(summary.data_packets));
    line("retransmitted", retransmitted(summary));
    line(
        "trimmed",
        format!(
            "{} ({} in the fabric, {} on the last hop)",
            count(summary.trims + summary.trims_last_hop),
            count(summary.trims),
            count(summary.trims_last_hop)
        ),
    );
    line("dropped", dropped(summary));
    line("ECN marks", count(summary.ecn_marks));
    if summary.refusals > 0 {
        line("refused", count(summary.refusals));
    }
    if summary.probes + summary.ack_probes + summary.reverse_probes > 0 {
        line(
            "probes",
            format!(
                "{} of EVs, {} for a SACK, {} for ways back",
                count(summary.probes),
                count(summary.ack_probes),
                count(summary.reverse_probes)
            ),
        );
    }
    if let Some(roce) = &summary.roce {
        line(
            "RoCE",
            format!(
                "{} CNPs, {} NAKs, {} timeouts",
                count(roce.cnps),
                count(roce.naks),
                count(roce.timeouts)
            ),
        );
    }
    if let Some(pfc) = &summary.pfc {
        line(
            "PFC",
            format!(
                "{} pauses, links paused for {} µs in all",
                count(pfc.pauses),
                decimals(pfc.paused_us)
            ),
        );
        if let Some(deadlock) = &pfc.deadlock {
            line(
                "deadlock",
                format!(
                    "found at {} µs: {}",
                    decimals(deadlock.at_us),
                    deadlock.links.join(" → ")
                ),
            );
        }
    }
    if let Some(mapper) = &summary.mapper {
        line("Clustermapper", verdicts(mapper, results));
    }
    line(
        "packet-hops",
        format!(
            "{} in {:.3} s: {:.2} million/s, {} events",
            count(run.packet_hops),
            run.wall_s,
            run.packet_hops as f64 / run.wall_s.max(1e-9) / 1e6,
            count(run.events)
        ),
    );
    line("digest", run.digest.clone());
    text
}

/// Which flows did not finish and why; nothing when all did.
pub fn unfinished(results: &Results, scenario: &Scenario) -> Option<String> {
    let why = match results.run.end {
        End::Finished => return None,
        End::Until => format!("the run ended at {} (until)", scenario.until),
        End::Failed => "their QPs are in ERROR, or their jobs were given up".into(),
        End::Interrupted => format!("the run was interrupted at {} µs", decimals(results.run.sim_us)),
    };
    let missing = results.summary.flows - results.summary.finished;
    let mut text = format!(
        "error: {} of {} flows did not finish: {why}",
        count(missing),
        count(results.summary.flows)
    );
    let unfinished = results.flows.iter().filter(|flow| flow.fct_us.is_none());
    for flow in unfinished.take(UNFINISHED_SHOWN) {
        let _ = write!(text, "\n  {}", progress_of(flow, results.run.sim_us));
    }
    if missing > UNFINISHED_SHOWN as u64 {
        let _ = write!(text, "\n  and {} more", count(missing - UNFINISHED_SHOWN as u64));
    }
    Some(text)
}

fn progress_of(flow: &FlowResult, now_us: f64) -> String {
    let ends = format!("flow {} ({} → {})", flow.id, flow.src, flow.dst);
    if let Some(error) = flow.error {
        return format!("{ends}: {error}");
    }
    if flow.start_us > now_us {
        return format!("{ends} was to start at {} µs", decimals(flow.start_us));
    }
    format!(
        "{ends} had {} of {} B placed",
        count(flow.placed_bytes),
        count(flow.bytes.saturating_mul(flow.messages))
    )
}

/// A job's steps in one line.
fn steps_of(job: &JobResult) -> String {
    let mut text = format!(
        "{} of {} ranks, {} B each: ",
        job.collective.name(),
        job.ranks,
        count(job.bytes)
    );
    let mut steps: Vec<f64> = job.step_us.clone();
    steps.sort_by(f64::total_cmp);
    match (steps.first(), steps.last()) {
        (Some(&fastest), Some(&slowest)) => {
            let median = steps[(steps.len() - 1) / 2];
            let _ = write!(
                text,
                "{} steps, {} µs (fastest {}, slowest {}), {} on the bus",
                count(steps.len() as u64),
                decimals(median),
                decimals(fastest),
                decimals(slowest),
                rate(job.bus_gbps(median))
            );
        }
        _ => text.push_str("no step complete"),
    }
    if let Some(at) = job.failed_us {
        let _ = write!(text, "; given up at {} µs", decimals(at));
    }
    text
}

fn model(scenario: &Scenario) -> String {
    let model = match scenario.model {
        Model::Mrc => "mrc (Flowglass's own: MRC)",
        Model::Htsim => "htsim (uet-htsim's packet sizes and queue rules)",
    };
    if scenario.transport.protocol == Protocol::Roce {
        let sizes = match scenario.model {
            Model::Mrc => String::new(),
            Model::Htsim => format!("; {model}"),
        };
        return format!("RoCEv2, {}{sizes}", roce(scenario));
    }
    let balancer = match scenario.transport.balancer {
        Balancer::Mrc => "mrc (EV steering)",
        Balancer::Oblivious => "oblivious (no EV steering)",
        Balancer::Reps => "reps (recycled entropies)",
        Balancer::Bitmap => "bitmap (a penalty per EV)",
        Balancer::Mixed => "mixed (recycled entropies, then a penalty per EV)",
    };
    format!(
        "{model}; balancer {balancer}; {} EVs per QP",
        scenario.transport.evs
    )
}

/// RoCE's settings in short.
fn roce(scenario: &Scenario) -> String {
    let transport = &scenario.transport;
    let recovery = match transport.roce.recovery {
        Recovery::GoBackN => "go-back-N",
        Recovery::SelectiveRepeat => "selective repeat",
    };
    let dcqcn = if transport.roce.dcqcn.enabled {
        "DCQCN"
    } else {
        "no DCQCN"
    };
    let pfc = if scenario.fabric.pfc.is_some() {
        "PFC"
    } else {
        "no PFC"
    };
    format!(
        "{recovery}, {dcqcn}, {pfc}; {} {} per flow over {}",
        transport.qps,
        if transport.qps == 1 { "QP" } else { "QPs" },
        scenario.fabric.routing.name()
    )
}

fn fabric(results: &Results, scenario: &Scenario) -> String {
    let f = &scenario.fabric;
    let planes = if f.planes == 1 {
        "1 plane".into()
    } else {
        format!("{} planes", f.planes)
    };
    let trunks = match f.t1_link_rate {
        Some(rate) => format!(", T0–T1 links of {rate}"),
        None => String::new(),
    };
    format!(
        "{planes} of {} T0 and {} T1; {} NICs of {} × {}{trunks}; base RTT {}",
        count(f.t0_per_plane.into()),
        count(f.t1_per_plane.into()),
        count(f.nics()),
        f.planes,
        f.nic_link_rate,
        Time((results.derived.base_rtt_us * 1e6).round() as u64)
    )
}

fn retransmitted(summary: &Summary) -> String {
    let Summary {
        retransmissions,
        nacks,
        losses_by_order,
        losses_by_timeout,
        duplicates,
        ..
    } = *summary;
    let mut text = count(retransmissions);
    if summary.roce.is_some() {
        let _ = write!(text, "; {} arrived twice", count(duplicates));
        return text;
    }
    if retransmissions + nacks + losses_by_order + losses_by_timeout > 0 {
        let _ = write!(
            text,
            " (causes: {} trimmed and NACKed, {} overtaken, {} timed out); {} arrived twice",
            count(nacks),
            count(losses_by_order),
            count(losses_by_timeout),
            count(duplicates)
        );
    }
    text
}

fn verdicts(mapper: &MapperSummary, results: &Results) -> String {
    let mut text = format!(
        "{} probes, {} not back; verdicts: {}",
        count(mapper.probes),
        count(mapper.lost),
        count(mapper.verdicts)
    );
    for verdict in results.verdicts.iter().take(VERDICTS_SHOWN) {
        let what = if verdict.bad { "bad" } else { "in order again" };
        let _ = write!(
            text,
            ", {} {what} at {} µs",
            verdict.place,
            decimals(verdict.at_us)
        );
    }
    if mapper.verdicts > VERDICTS_SHOWN as u64 {
        let _ = write!(text, ", and more");
    }
    text
}

fn dropped(summary: &Summary) -> String {
    let total: u64 = summary.drops.values().sum();
    let reasons: Vec<String> = summary
        .drops
        .iter()
        .map(|(reason, &n)| format!("{reason} {}", count(n)))
        .collect();
    if reasons.is_empty() {
        count(total)
    } else {
        format!("{} ({})", count(total), reasons.join(", "))
    }
}

/// A goodput in the unit that suits it.
fn rate(gbps: f64) -> String {
    if gbps >= 1000.0 {
        format!("{:.3} Tb/s", gbps / 1000.0)
    } else {
        format!("{gbps:.3} Gb/s")
    }
}

/// Microseconds with three decimals.
fn decimals(us: f64) -> String {
    format!("{us:.3}")
}

/// Such as `1 link`, `2,000 links`.
pub fn counted(n: u64, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(n))
}

/// Seeds in words: `seed 5`, `seeds 5 to 8`.
pub fn seeds(seeds: lab::Seeds) -> String {
    match seeds.count {
        1 => format!("seed {}", seeds.first),
        _ => format!("seeds {} to {}", seeds.first, seeds.last()),
    }
}

/// A count with its digits in groups of three.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
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

    #[test]
    fn counts_are_grouped() {
        for (n, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(count(n), text);
        }
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn rates_take_the_unit_that_suits() {
        assert_eq!(rate(999.9994), "999.999 Gb/s");
        assert_eq!(rate(12_400.0), "12.400 Tb/s");
        assert_eq!(rate(0.0), "0.000 Gb/s");
    }
}
