//! The results of a comparison for people.

use super::results::{Results, Side};
use crate::output::plain;
use crate::summary::{count, seeds};
use crate::sweep::summary::progress;
use lab::compare::{Difference, PairReport, Paired};
use lab::number::{significant, with_interval};
use serde_json::Value;
use std::fmt::Write;

/// Fields in which scenarios differ that are printed; the JSON has more.
const FIELDS: usize = 40;
/// Characters of a value that are printed; the JSON has all.
const VALUE: usize = 48;
/// Digits of a ratio.
const RATIO: usize = 3;

/// The whole summary: several lines, each with its end.
pub fn summary(results: &Results) -> String {
    let mut text = String::new();
    for side in &results.scenarios {
        let _ = writeln!(text, "{}  {}", side.report.letter, title(side));
    }
    let outline = &results.comparison;
    let _ = writeln!(
        text,
        "  compare   {} runs: {} of each",
        count(outline.runs as u64),
        seeds(outline.seeds)
    );
    text += &progress(outline.end, outline.done, outline.runs, &results.machine);
    let finished = results.scenarios.iter().map(|side| {
        let point = &side.report.point;
        format!("{} {} of {}", side.report.letter, point.complete, point.done)
    });
    let finished: Vec<String> = finished.collect();
    let _ = writeln!(text, "  every flow finished: {}", finished.join(", "));
    fields(&mut text, results);
    if !results.warnings.is_empty() {
        text += "\nNot the same on both sides\n";
        for warning in &results.warnings {
            let _ = writeln!(text, "  {}", plain(warning));
        }
    }
    for pair in &results.pairs {
        table(&mut text, pair);
    }
    if let Some(link) = &outline.link {
        let _ = writeln!(text, "\nSide by side on the page: {link}");
    }
    text
}

fn title(side: &Side) -> String {
    match side.about.name.as_str() {
        "" => plain(&side.about.source),
        name => format!("{} ({})", plain(name), plain(&side.about.source)),
    }
}

/// What differs in the scenarios.
fn fields(text: &mut String, results: &Results) {
    if results.differences.is_empty() {
        *text += "\nThe scenarios are the same\n";
        return;
    }
    *text += "\nWhat differs\n";
    let shown = &results.differences[..results.differences.len().min(FIELDS)];
    let mut lines = vec![
        std::iter::once(String::new())
            .chain(
                results
                    .scenarios
                    .iter()
                    .map(|side| side.report.letter.to_string()),
            )
            .collect::<Vec<_>>(),
    ];
    lines.extend(shown.iter().map(line));
    aligned(text, &lines, |_| false);
    let hidden = (results.differences.len() - shown.len()) as u64 + results.comparison.more_differences;
    if hidden > 0 {
        let _ = writeln!(text, "  and {} more fields", count(hidden));
    }
}

fn line(field: &Difference) -> Vec<String> {
    let values = field.values.iter().map(|value| match value {
        None => "–".into(),
        Some(value) => short(value),
    });
    std::iter::once(plain(&field.path)).chain(values).collect()
}

/// A value without the quotes that JSON puts around text, cut where it is long. Of an object that has a kind, such as a fault, that
/// comes first.
fn short(value: &Value) -> String {
    let bare = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let kind = value.get("kind").map(bare);
    let text = match (value.as_object(), kind) {
        (Some(fields), Some(kind)) => {
            let rest = fields.iter().filter(|(name, _)| *name != "kind");
            let rest = rest.map(|(name, value)| format!(", {name} {}", bare(value)));
            kind + &rest.collect::<String>()
        }
        _ => bare(value),
    };
    let mut text = plain(&text);
    if let Some((end, _)) = text.char_indices().nth(VALUE) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// A scenario against the first: figures, and what they say.
fn table(text: &mut String, pair: &PairReport) {
    let [first, other] = pair.letters;
    let _ = writeln!(
        text,
        "\n{other} against {first}, seed by seed; means with 95 % intervals"
    );
    let mut lines = vec![
        [
            String::new(),
            first.to_string(),
            other.to_string(),
            format!("{other} − {first}"),
            format!("{other} ÷ {first}"),
            format!("{other} higher"),
            "lower".into(),
            "sign test p".into(),
            "seeds".into(),
        ]
        .to_vec(),
    ];
    lines.extend(pair.metrics.iter().map(figures));
    aligned(text, &lines, |column| column > 0);
    for remark in &pair.remarks {
        let _ = writeln!(text, "  note: {remark}");
    }
    for sentence in &pair.sentences {
        let _ = writeln!(text, "  {sentence}.");
    }
}

fn figures(paired: &Paired) -> Vec<String> {
    let metric = paired.metric;
    let mean = |stats: &lab::Stats| with_interval(stats.mean, stats.ci95);
    let ratio = paired.ratio.map(|ratio| {
        let mean = significant(ratio.mean, RATIO);
        match ratio.ci95 {
            Some(bounds) => {
                let [low, high] = bounds.map(|bound| significant(bound, RATIO));
                format!("{mean} ({low} to {high})")
            }
            None => mean,
        }
    });
    vec![
        format!("{} {}", metric.name(), metric.unit())
            .trim_end()
            .to_owned(),
        mean(&paired.first),
        mean(&paired.other),
        mean(&paired.difference),
        ratio.unwrap_or_else(|| "–".into()),
        paired.higher.to_string(),
        paired.lower.to_string(),
        paired.sign_p.map_or_else(|| "–".into(), |p| significant(p, 2)),
        paired.n.to_string(),
    ]
}

/// Lines of cells, each column as wide as its widest cell; `right` says which columns end at the same place.
fn aligned(text: &mut String, lines: &[Vec<String>], right: impl Fn(usize) -> bool) {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for line in lines {
        let cells: Vec<String> = line
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, &width))| match right(column) {
                true => format!("{cell:>width$}"),
                false => format!("{cell:width$}"),
            })
            .collect();
        let _ = writeln!(text, "  {}", cells.join("   ").trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_they_need_to_be() {
        let mut text = String::new();
        let lines = [["", "A"], ["µs", "12 ± 3"]].map(|line| line.map(String::from).to_vec());
        aligned(&mut text, &lines, |column| column > 0);
        assert_eq!(text, "            A\n  µs   12 ± 3\n");
    }

    #[test]
    fn long_values_are_cut() {
        assert_eq!(short(&Value::from("100 Gb/s")), "100 Gb/s");
        let fault = serde_json::json!({ "at": "1us", "kind": "switch_down", "switch": "p0/t1.2" });
        assert_eq!(short(&fault), "switch_down, at 1us, switch p0/t1.2");
        let long = short(&Value::from("x".repeat(100)));
        assert_eq!(long.chars().count(), VALUE + 1);
        assert!(long.ends_with('…'));
    }
}
