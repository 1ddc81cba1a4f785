//! A table of systems by figures, for experiments whose rows ask the same of each system.

use crate::evidence::results::RowResult;
use crate::evidence::versus::parts;
use crate::number::{significant, with_interval};
use std::fmt::Write;

/// The table: systems down and figures across, or the other way round where there are more figures. A cell has the mean over
/// the seeds with its interval, and in brackets the least and the greatest where they differ from it in the digits shown.
pub(super) fn matrix(rows: &[RowResult]) -> String {
    let mut systems: Vec<&str> = Vec::new();
    let mut figures: Vec<(&str, &str)> = Vec::new();
    for row in rows {
        let Some((system, figure)) = parts(&row.quantity) else {
            continue;
        };
        if !systems.contains(&system) {
            systems.push(system);
        }
        if !figures.iter().any(|(found, _)| *found == figure) {
            figures.push((figure, row.unit));
        }
    }
    let named = |(figure, unit): (&str, &str)| match unit {
        "" => figure.to_string(),
        unit => format!("{figure}, {unit}"),
    };
    let cell = |system: &str, figure: &str| {
        rows.iter()
            .find(|row| parts(&row.quantity) == Some((system, figure)))
            .map_or_else(String::new, of)
    };
    let systems_down = systems.len() >= figures.len();
    let (corner, across, down): (&str, Vec<String>, Vec<String>) = if systems_down {
        let across = figures.iter().map(|&figure| named(figure)).collect();
        (
            "System",
            across,
            systems.iter().map(ToString::to_string).collect(),
        )
    } else {
        let down = figures.iter().map(|&figure| named(figure)).collect();
        ("Figure", systems.iter().map(ToString::to_string).collect(), down)
    };
    let mut table = format!(
        "| {corner} | {} |\n|---|{}\n",
        across.join(" | "),
        "--:|".repeat(across.len())
    );
    for (line, name) in down.iter().enumerate() {
        let cells: Vec<String> = (0..across.len())
            .map(|column| {
                let (system, figure) = if systems_down {
                    (line, column)
                } else {
                    (column, line)
                };
                cell(systems[system], figures[figure].0)
            })
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| {name} | {} |", cells.join(" | "));
    }
    table
}

fn of(row: &RowResult) -> String {
    let Some(ours) = row.ours else {
        return "not in every run".into();
    };
    let mean = with_interval(ours.mean, ours.ci95);
    let [least, greatest] = [ours.min, ours.max].map(|value| significant(value, 4));
    if least == greatest || mean.ends_with("± 0") {
        mean
    } else {
        format!("{mean} ({least} to {greatest})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::experiment::Known;
    use crate::evidence::verdict::Verdict;
    use crate::stats::Stats;

    fn row(quantity: &str, unit: &'static str, values: &[f64]) -> RowResult {
        RowResult {
            quantity: quantity.into(),
            unit,
            paper: "–".into(),
            value: None,
            known: Known::Question,
            ours: Stats::of(values),
            ratio: None,
            rule: String::new(),
            verdict: Verdict::NotComparable,
            reason: String::new(),
        }
    }

    #[test]
    fn systems_stand_where_there_are_more_of_them() {
        // t(0.975; 1) = 12.7062, s = √2: 12.7062 · √(2/2) = 12.7.
        let rows = [
            row("A: step", "µs", &[97.0, 99.0]),
            row("B: step", "µs", &[5.0, 5.0]),
            row("C: step", "µs", &[f64::NAN]),
        ];
        assert_eq!(
            matrix(&rows),
            "| System | step, µs |\n|---|--:|\n| A | 98 ± 13 (97.00 to 99.00) |\n| B | 5.000 ± 0 |\n| C | not in every run |\n"
        );
    }

    #[test]
    fn figures_go_down_where_there_are_more_of_them() {
        let rows = [row("A: x", "", &[1.0]), row("A: y", "%", &[2.0])];
        assert_eq!(
            matrix(&rows),
            "| Figure | A |\n|---|--:|\n| x | 1.000 |\n| y, % | 2.000 |\n"
        );
    }
}
