//! Cards side by side, for terminals and as Markdown.

use super::Cards;
use crate::output::plain;
use crate::results::About;
use crate::summary::count;
use std::fmt::Write;
use view::card::{Figure, sections};

/// What stands where there is nothing to say.
const NOTHING: &str = "–";
/// Names that are longer are cut; our choice.
const NAME: usize = 100;

/// The columns' letters.
fn letters() -> impl Iterator<Item = char> {
    'A'..='Z'
}

/// A column's fabric: its scenario's name, and where that came from.
fn title(about: &About) -> String {
    let name: String = plain(&about.name).chars().take(NAME).collect();
    let source: String = plain(&about.source).chars().take(NAME).collect();
    match name.as_str() {
        "" => source,
        name => format!("{name} ({source})"),
    }
}

/// A table's rows as texts: sections, and in each the label, the figures, and of two the ratio.
fn rows(cards: &Cards) -> Vec<(&'static str, Vec<Vec<String>>)> {
    let cards: Vec<_> = cards.0.iter().map(|(_, card)| sections(card)).collect();
    let Some(first) = cards.first() else {
        return Vec::new();
    };
    let of_section = |(number, section): (usize, &view::card::Section)| {
        let lines = (0..section.rows.len()).map(|row| {
            let figures: Vec<Figure> = cards.iter().map(|card| card[number].rows[row].figure).collect();
            let mut texts = vec![section.rows[row].label.to_owned()];
            texts.extend(figures.iter().map(|&figure| text_of(figure)));
            if let [a, b] = figures[..] {
                texts.push(b.by(a).unwrap_or_else(|| NOTHING.into()));
            }
            texts
        });
        (section.title, lines.collect())
    };
    first.iter().enumerate().map(of_section).collect()
}

/// As the page has it, but counts as in all that this command prints.
fn text_of(figure: Figure) -> String {
    match figure {
        Figure::Count(n) => count(n),
        other => other.text(),
    }
}

/// The head of the columns with figures.
fn heads(cards: &Cards) -> Vec<String> {
    let mut heads: Vec<String> = letters().take(cards.0.len()).map(String::from).collect();
    if heads.len() == 2 {
        heads.push("B ÷ A".into());
    }
    heads
}

/// For a terminal: first what the columns are, then the table.
pub fn text(cards: &Cards) -> String {
    let mut text = String::new();
    for (letter, (about, _)) in letters().zip(&cards.0) {
        let _ = writeln!(text, "{letter}  {}", title(about));
    }
    let heads = heads(cards);
    let mut lines: Vec<Vec<String>> = Vec::new();
    for (title, rows) in rows(cards) {
        let mut line = vec![title.to_owned()];
        if lines.is_empty() {
            line.extend_from_slice(&heads);
        }
        lines.push(line);
        for mut row in rows {
            row[0].insert_str(0, "  ");
            lines.push(row);
        }
    }
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..=heads.len()).map(width).collect();
    for line in &lines {
        for (column, cell) in line.iter().enumerate() {
            let _ = match column {
                0 if line.len() == 1 => write!(text, "{cell}"),
                0 => write!(text, "{cell:0$}", widths[0]),
                _ => write!(text, "  {cell:>0$}", widths[column]),
            };
        }
        text.push('\n');
    }
    text
}

/// As Markdown: the list of columns, and a table.
pub fn markdown(cards: &Cards) -> String {
    let mut text = String::new();
    for (letter, (about, _)) in letters().zip(&cards.0) {
        let _ = writeln!(text, "- **{letter}**: {}", escape(&title(about)));
    }
    let heads = heads(cards);
    let _ = writeln!(text, "\n| | {} |", heads.join(" | "));
    let _ = writeln!(text, "|---|{}", "--:|".repeat(heads.len()));
    for (title, lines) in rows(cards) {
        let _ = writeln!(text, "| **{title}** |{}", " |".repeat(heads.len()));
        for cells in lines {
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
    }
    text
}

/// A name with what Markdown would act on made plain.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() && !"(),.-/:".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
