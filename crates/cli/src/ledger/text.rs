//! The ledger for people.

use super::{Ledger, fields};
use ledger::{Change, Status};
use std::fmt::Write;

/// The whole text.
pub fn text(ledger: &Ledger) -> String {
    let mut text = String::new();
    statement(&mut text, ledger);
    break_even(&mut text, ledger);
    failures(&mut text, ledger);
    alternatives(&mut text, ledger);
    inputs(&mut text, ledger);
    text
}

fn statement(text: &mut String, ledger: &Ledger) {
    let s = &ledger.statement;
    let _ = writeln!(text, "One host, one year, in $");
    let range = |low: f64, high: f64| format!("{} to {}", money(low), money(high));
    for (label, value) in [
        ("cores returned", money(s.cores)),
        ("card", format!("−({})", range(s.card_low, s.card_high))),
        ("repairs", format!("−({})", range(s.repairs_low, s.repairs_high))),
        (
            "energy",
            format!("−{} ({} kWh)", money(s.energy), money(s.energy_kwh)),
        ),
        ("people", format!("−{}", money(s.people))),
        ("left", range(s.net_low, s.net_high)),
    ] {
        let _ = writeln!(text, "  {label:<24}{value}");
    }
    let _ = writeln!(text, "  {:<24}{} MW", "power of the fleet", money(s.fleet_mw));
}

fn break_even(text: &mut String, ledger: &Ledger) {
    let b = &ledger.statement.break_even;
    let _ = writeln!(
        text,
        "\nNothing is left (all else as it is, the card at its high price) at"
    );
    for (label, value, unit) in [
        ("cores returned", b.cores, "cores per host"),
        ("price of a core", b.core_price, "$/h"),
        ("utilisation", b.utilisation, "of 1"),
        ("price of the card", b.card_price, "$"),
        ("price of energy", b.kwh_price, "$/kWh"),
        ("fleet", b.fleet, "hosts"),
    ] {
        let value = value.map_or_else(
            || "no value above 0".into(),
            |value| format!("{} {unit}", short(value)),
        );
        let _ = writeln!(text, "  {label:<24}{value}");
    }
}

fn failures(text: &mut String, ledger: &Ledger) {
    let f = &ledger.statement.failures;
    let _ = writeln!(text, "\nFailures in the fleet, a year");
    for part in &ledger.parts {
        let _ = writeln!(text, "  {:<24}{}", part.name, short(part.failures));
    }
    let between = f.minutes_between.map_or_else(
        || "nothing fails".into(),
        |minutes| format!("one every {} min", short(minutes)),
    );
    let _ = writeln!(text, "  {:<24}{}, {between}", "all", short(f.fleet_total));
    let _ = writeln!(
        text,
        "  {:<24}{} VM minutes, {} of a million",
        "on the synthetic path",
        short(f.vm_minutes),
        short(f.vm_ppm)
    );
}

fn alternatives(text: &mut String, ledger: &Ledger) {
    let _ = writeln!(text, "\nWhat else could carry the policy");
    let _ = writeln!(
        text,
        "  {:<15}{:>10}{:>15}{:>15}{:>12}{:>8}{:>9}  change",
        "", "Mpackets/s", "one flow Gb/s", "connections/s", "latency µs", "W", "W/(Gb/s)"
    );
    for carried in &ledger.alternatives {
        let (a, p) = (&carried.alternative, &carried.performance);
        let _ = writeln!(
            text,
            "  {:<15}{:>10}{:>15}{:>15}{:>12}{:>8}{:>9}  {}",
            a.name,
            short(p.packets_mpps),
            short(p.single_flow_gbps),
            short(p.connections_per_s),
            marked(a.latency_us, a.latency_status),
            marked(a.power, a.power_status),
            short(p.watts_per_gbps),
            match a.change {
                Change::Days => "days",
                Change::Weeks => "weeks",
                Change::Years => "years",
            }
        );
    }
    let _ = writeln!(
        text,
        "  * published; the other latencies and powers are our choice"
    );
    for carried in &ledger.alternatives {
        let _ = writeln!(
            text,
            "  {}: {}",
            carried.alternative.name, carried.alternative.source
        );
    }
}

fn inputs(text: &mut String, ledger: &Ledger) {
    let _ = writeln!(text, "\nInputs (--set INPUT=VALUE)");
    for input in &ledger.inputs {
        let changed = if input.value == input.default {
            ""
        } else {
            " (changed)"
        };
        let _ = writeln!(
            text,
            "  {:<18}{:>9} {}{changed}\n  {:<18}{}; {}: {}",
            input.key,
            input.value.to_string(),
            input.unit,
            "",
            input.label,
            status(input.status),
            input.source
        );
    }
    let _ = writeln!(
        text,
        "\nWorkload of the alternatives, all our choice or derived (--set)"
    );
    for (key, value) in fields(&ledger.workload) {
        let _ = writeln!(text, "  {key:<24}{value}");
    }
}

fn marked(value: f64, status: Status) -> String {
    let mark = if status == Status::Published { "*" } else { "" };
    format!("{value}{mark}")
}

/// The word for a status.
fn status(status: Status) -> &'static str {
    match status {
        Status::Published => "published",
        Status::Documented => "documented",
        Status::OurChoice => "our choice",
    }
}

/// With two decimals and the digits before the point in groups.
fn money(value: f64) -> String {
    let text = format!("{:.2}", value.abs());
    let (whole, cents) = text.split_once('.').unwrap_or((&text, "00"));
    let sign = if value < 0.0 { "−" } else { "" };
    match whole.parse() {
        Ok(whole) => format!("{sign}{}.{cents}", crate::summary::count(whole)),
        Err(_) => format!("{sign}{text}"),
    }
}

/// Four significant digits; all digits before the point.
fn short(value: f64) -> String {
    if value.abs() >= 1_000.0 {
        return money(value.round()).trim_end_matches(".00").into();
    }
    let before = if value == 0.0 {
        0
    } else {
        value.abs().log10().floor() as i32
    };
    let decimals = (3 - before).clamp(0, 9) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').into(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(money(2575.44), "2,575.44");
        assert_eq!(money(-0.5), "−0.50");
        assert_eq!(short(0.442_22), "0.4422");
        assert_eq!(short(8_000.4), "8,000");
        assert_eq!(short(65.7), "65.7");
        assert_eq!((short(0.0), short(12.0)), ("0".into(), "12".into()));
    }

    /// The defaults by hand: see the tests of the ledger.
    #[test]
    fn the_text_has_statement_break_even_failures_alternatives_and_inputs() {
        let text = text(&Ledger::of(&[]).expect("the defaults can be used"));
        for line in [
            "  cores returned          2,575.44\n",
            "  card                    −(80.00 to 240.00)\n",
            "  energy                  −18.92 (189.22 kWh)\n",
            "  left                    2,290.72 to 2,457.12\n",
            "  DRAM                    4,000\n",
            "  all                     8,000, one every 65.7 min\n",
            "  core_price            0.105 $/h\n",
            "Price of a physical core; published: AccelNet (NSDI'18)",
            "  FPGA  ",
        ] {
            assert!(text.contains(line), "{line:?} is not in\n{text}");
        }
    }
}
