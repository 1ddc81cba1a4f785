//! The results of a host's run for people.

use super::results::{OfAttack, OfTraffic, Results, Times};
use crate::output::plain;
use crate::summary::{count, counted};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Marks that are listed one by one.
const MARKS_SHOWN: usize = 8;

/// The whole summary: several lines, each with its end.
pub fn summary(results: &Results) -> String {
    let Results {
        run,
        scenario,
        totals,
        ..
    } = results;
    let mut text = String::new();
    let title = if scenario.name.is_empty() {
        &scenario.source
    } else {
        &scenario.name
    };
    let _ = writeln!(text, "{}", plain(title));
    let mut line = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<15}{value}");
    };
    let figure = |name: &str| results.figures.get(name).copied().flatten();
    line(
        "run",
        format!(
            "seed {}, {} at {:.3} µs of {:.3}",
            run.seed,
            if run.end == "until" {
                "ended"
            } else {
                "interrupted"
            },
            run.sim_us,
            run.until_us
        ),
    );
    line(
        "packets",
        format!(
            "{} handed over; arrived: {}",
            count(totals.created),
            totals
                .delivered
                .iter()
                .map(|(route, packets)| format!("{} {route}", count(*packets)))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    );
    for (route, times) in &results.one_way_us {
        if let Some(times) = times {
            line(&format!("{route} µs"), spread(times));
        }
    }
    if let Some(times) = &totals.exception_wait_us {
        line("waited µs", format!("{} (for a core, exceptions)", spread(times)));
    }
    let connections = |name: &str| totals.connections.get(name).copied().unwrap_or(0);
    if connections("begun") > 0 {
        let failed = ["reset", "no_answer", "timed_out"].map(connections).iter().sum();
        let rate = figure("opened_per_s").map_or_else(String::new, |rate| format!(" ({rate:.0} per s)"));
        line(
            "connections",
            format!(
                "{} begun, {} opened{rate}, {} closed, {} failed",
                count(connections("begun")),
                count(connections("opened")),
                count(connections("closed")),
                count(failed)
            ),
        );
    }
    if totals.connections_not_begun > 0 {
        line(
            "not begun",
            format!(
                "{} connections: {} were open or opening, and the simulator holds no more",
                count(totals.connections_not_begun),
                count(host::MOST_CONNECTIONS as u64)
            ),
        );
    }
    if let Some(goodput) = figure("goodput_gbps") {
        line("goodput", format!("{goodput:.3} Gb/s, both ways"));
    }
    line(
        "exceptions",
        totals
            .exceptions
            .iter()
            .map(|(reason, packets)| format!("{} {reason}", count(*packets)))
            .collect::<Vec<_>>()
            .join(", "),
    );
    let end = |name: &str| results.end.get(name).copied().unwrap_or(0);
    line(
        "flows",
        format!(
            "{} created, {} at the end ({} half-open), {} at most",
            count(totals.flows_created),
            count(end("flows")),
            count(end("half_open")),
            figure("most_flows").map_or_else(String::new, |most| count(most as u64))
        ),
    );
    let nic = |name: &str| results.nic.get(name).copied().unwrap_or(0);
    line(
        "NIC",
        format!(
            "{} look-ups: {} L1, {} L2, {} L3, {} not found; {} copied; {} entries",
            count(nic("Packets")),
            count(nic("L1CacheHits")),
            count(nic("L2CacheHits")),
            count(nic("L3CacheHits")),
            count(nic("miss")),
            count(nic("copied")),
            count(end("entries"))
        ),
    );
    line(
        "cores",
        results
            .cores
            .iter()
            .map(|load| format!("{:.1} %", load * 100.0))
            .collect::<Vec<_>>()
            .join(", "),
    );
    line("dropped", dropped(results));
    if totals.retransmissions > 0 {
        line("retransmitted", count(totals.retransmissions));
    }
    for (i, traffic) in results.traffic.iter().enumerate() {
        line(&format!("traffic {i}"), of_traffic(traffic));
        if let Some(attack) = &traffic.attack {
            line("", of_attack(attack));
        }
    }
    for mark in results.marks.iter().take(MARKS_SHOWN) {
        let whose = mark.vm.map_or_else(String::new, |vm| format!("VM {vm}: "));
        line("event", format!("{:.3} µs: {whose}{}", mark.at_us, mark.what));
    }
    if results.marks.len() > MARKS_SHOWN {
        let more = results.marks.len() - MARKS_SHOWN;
        line("event", format!("and {} more", counted(more as u64, "event")));
    }
    line("events", format!("{} in {:.3} s", count(run.events), run.wall_s));
    line("digest", run.digest.clone());
    text
}

fn spread(times: &Times) -> String {
    let Times {
        mean,
        p50,
        p99,
        p999,
        max,
        ..
    } = times;
    format!("mean {mean:.3}   p50 {p50:.3}   p99 {p99:.3}   p99.9 {p999:.3}   max {max:.3}")
}

fn dropped(results: &Results) -> String {
    by_reason(&results.drops)
}

/// A total, and what it consists of.
fn by_reason(counts: &BTreeMap<&'static str, u64>) -> String {
    let total: u64 = counts.values().sum();
    let reasons: Vec<String> = counts
        .iter()
        .map(|(reason, &n)| format!("{reason} {}", count(n)))
        .collect();
    match reasons.is_empty() {
        true => count(total),
        false => format!("{} ({})", count(total), reasons.join(", ")),
    }
}

fn of_attack(attack: &OfAttack) -> String {
    let mut text = match (attack.accuracy, attack.information_bits) {
        (Some(accuracy), Some(bits)) => format!(
            "{}: {} readings; the spy is right in {:.1} % of the rounds, {bits:.3} bits a round",
            attack.attempt,
            count(attack.attempted),
            100.0 * accuracy
        ),
        _ => format!(
            "{}: {} attempts; stopped: {}; through: {}",
            attack.attempt,
            count(attack.attempted),
            by_reason(&attack.stopped),
            count(attack.through)
        ),
    };
    let decided = attack.through + attack.stopped.values().sum::<u64>();
    if attack.accuracy.is_none() && attack.attempted > decided {
        let _ = write!(text, "; under way: {}", count(attack.attempted - decided));
    }
    if attack.honest > 0 {
        let _ = write!(
            text,
            "; {} of {} allowed packets beside it were lost",
            count(attack.honest_lost),
            count(attack.honest)
        );
    }
    text
}

fn of_traffic(traffic: &OfTraffic) -> String {
    let mut text = format!(
        "{} of VM {}: {} of {} packets arrived, {} in hardware",
        traffic.kind,
        traffic.vm,
        count(traffic.arrived),
        count(traffic.packets),
        count(traffic.in_hardware)
    );
    if let Some(goodput) = traffic.goodput_gbps {
        let _ = write!(text, "; {goodput:.3} Gb/s");
    }
    let connections = |name: &str| traffic.connections.get(name).copied().unwrap_or(0);
    if connections("begun") > 0 {
        let _ = write!(
            text,
            "; {} of {} connections opened",
            count(connections("opened")),
            count(connections("begun"))
        );
    }
    if let Some(times) = &traffic.one_way_us {
        let _ = write!(text, "; one way {:.3} µs mean, {:.3} p99", times.mean, times.p99);
    }
    text
}
