//! Reading the documentation's page. It is written by a program, so every line has a form that is known, and a line of
//! another form is an error: the page has changed, and this reader must follow.

use super::{Experiment, Known, Page, Row, Verdict};
use std::fmt;

/// Why a text is not that page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Line, from 1; past the last where something is missing at the end.
    pub line: usize,
    /// What should be there.
    pub expected: &'static str,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}", self.line, self.expected)
    }
}

impl std::error::Error for Malformed {}

const HEADER: &str = "| Quantity | Paper | Known | Ours | Ours / paper | Rule | Verdict | Reason |";
const RULER: &str = "|---|--:|---|--:|--:|---|---|---|";

/// Reads the page that `flowglass evidence` writes.
///
/// # Errors
/// The first line that has another form than that command gives it.
pub fn parse(text: &str) -> Result<Page, Malformed> {
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|line| line.starts_with("## "));
    let (head, sections) = lines.split_at(first.unwrap_or(lines.len()));
    let mut page = Page {
        seeds: find(
            head,
            "the seeds, as `- **Ours** is the mean over the seeds 1 to 10 with …`",
            seeds,
        )?,
        counts: find(head, "the rows by verdict, as `154 rows: 90 match, …`", counts)?,
        experiments: Vec::new(),
    };
    let mut reader = Reader {
        lines: sections,
        next: 0,
        before: head.len(),
    };
    while reader.next < reader.lines.len() {
        page.experiments.push(section(&mut reader)?);
    }
    Ok(page)
}

/// What the first line of the head that has it says.
fn find<T>(head: &[&str], expected: &'static str, read: impl Fn(&str) -> Option<T>) -> Result<T, Malformed> {
    let line = head.len() + 1;
    let mut lines = head.iter();
    lines
        .find_map(|line| read(line))
        .ok_or(Malformed { line, expected })
}

fn seeds(line: &str) -> Option<(u64, u64)> {
    let rest = line.strip_prefix("- **Ours** is the mean over the seeds ")?;
    let (first, rest) = rest.split_once(" to ")?;
    let (last, _) = rest.split_once(' ')?;
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last && last < u64::MAX).then_some((first, last))
}

fn counts(line: &str) -> Option<Vec<(Verdict, usize)>> {
    let (rows, rest) = line.strip_suffix('.')?.split_once(" rows: ")?;
    let of_verdict = |part: &str| {
        let (count, words) = part.split_once(' ')?;
        Some((Verdict::named(words)?, count.parse().ok()?))
    };
    let counts: Vec<(Verdict, usize)> = rest.split(", ").map(of_verdict).collect::<Option<_>>()?;
    let sum: usize = counts.iter().map(|(_, count)| count).sum();
    (rows.parse() == Ok(sum)).then_some(counts)
}

/// The lines after the head, one after the other.
struct Reader<'a> {
    lines: &'a [&'a str],
    next: usize,
    /// Lines of the head.
    before: usize,
}

impl<'a> Reader<'a> {
    /// The next line as `read` sees it.
    fn take<T>(
        &mut self,
        expected: &'static str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, Malformed> {
        let found = self.lines.get(self.next).and_then(|line| read(line));
        let line = self.before + self.next + 1;
        self.next += 1;
        found.ok_or(Malformed { line, expected })
    }

    /// The next line, if `read` accepts it.
    fn take_if<T>(&mut self, read: impl FnOnce(&'a str) -> Option<T>) -> Option<T> {
        let found = read(self.lines.get(self.next)?)?;
        self.next += 1;
        Some(found)
    }

    fn exactly(&mut self, expected: &'static str) -> Result<(), Malformed> {
        self.take(expected, |line| (line == expected).then_some(()))
    }

    fn blank(&mut self) -> Result<(), Malformed> {
        self.take("an empty line", |line| line.is_empty().then_some(()))
    }
}

fn section(reader: &mut Reader<'_>) -> Result<Experiment, Malformed> {
    let title = reader.take("a heading, `## …`", |line| line.strip_prefix("## "))?;
    reader.blank()?;
    let mut experiment = Experiment {
        title: title.to_owned(),
        source: reader
            .take("`- **Source**: …`", |line| fact(line, "Source"))?
            .to_owned(),
        ..Experiment::default()
    };
    let mut optional = |name| reader.take_if(|line| fact(line, name)).unwrap_or_default();
    experiment.scaling = optional("Scaling").to_owned();
    experiment.measured = optional("Measured").to_owned();
    let presets = optional("Preset").split(", ");
    experiment.presets = presets
        .filter(|slug| !slug.is_empty())
        .map(|slug| slug.trim_matches('`').to_owned())
        .collect();
    let again = reader.take(
        "`- **Again**: …`, or another fact that has its place before it",
        |line| fact(line, "Again"),
    )?;
    experiment.again = again.to_owned();
    reader.blank()?;
    reader.exactly(HEADER)?;
    reader.exactly(RULER)?;
    while reader.next < reader.lines.len() {
        if reader.take_if(|line| line.is_empty().then_some(())).is_some() {
            break;
        }
        experiment
            .rows
            .push(reader.take("a row of eight cells with a known verdict", row)?);
    }
    Ok(experiment)
}

fn fact<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.strip_prefix("- **")?.strip_prefix(name)?;
    rest.strip_prefix("**: ")
}

fn row(line: &str) -> Option<Row> {
    let [quantity, paper, known, ours, ratio, rule, words, reason] = cells(line)?.try_into().ok()?;
    Some(Row {
        quantity,
        paper,
        known: Known::named(&known)?,
        ours,
        ratio,
        rule,
        verdict: Verdict::named(&words)?,
        reason,
    })
}

/// The cells of a line of a table. `\|` is a bar that ends no cell.
fn cells(line: &str) -> Option<Vec<String>> {
    let inner = line.strip_prefix("| ")?.strip_suffix(" |")?;
    let mut cells = vec![String::new()];
    let mut characters = inner.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if characters.peek() == Some(&'|') => {
                characters.next();
                cells.last_mut()?.push('|');
            }
            '|' => cells.push(String::new()),
            other => cells.last_mut()?.push(other),
        }
    }
    Some(cells.into_iter().map(|cell| cell.trim().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::evidence::{self, Evidence, ExperimentResult, RowResult, markdown};

    fn result(reason: &str, verdict: evidence::Verdict) -> RowResult {
        RowResult {
            quantity: "goodput".into(),
            unit: "Gb/s",
            paper: "100".into(),
            value: Some(100.0),
            known: evidence::Known::Plot,
            ours: None,
            ratio: Some(0.98),
            rule: "± 2 %".into(),
            verdict,
            reason: reason.into(),
        }
    }

    /// A page as the command writes it, of two experiments.
    fn written() -> String {
        let experiment = |id, presets, rows| ExperimentResult {
            id,
            title: "Fig 0: a test",
            source: "Fig 0",
            scaling: "",
            measured: "by hand",
            presets,
            answer: None,
            rows,
        };
        markdown(&Evidence {
            paper: evidence::Paper::Mrc,
            first_seed: 3,
            seeds: 4,
            experiments: vec![
                experiment(
                    "fig0",
                    vec!["paper-a", "paper-b"],
                    vec![result("", evidence::Verdict::Match)],
                ),
                experiment(
                    "fig1",
                    vec![],
                    vec![
                        result("a | b", evidence::Verdict::Differs),
                        result("c", evidence::Verdict::Failed),
                    ],
                ),
            ],
        })
    }

    #[test]
    fn what_the_command_writes_is_read_back() {
        let page = parse(&written()).unwrap();
        // Four seeds from 3 on.
        assert_eq!((page.seeds, page.seed_count()), ((3, 6), 4));
        assert_eq!(
            page.counts,
            [(Verdict::Match, 1), (Verdict::Differs, 1), (Verdict::Failed, 1)]
        );
        let [first, second] = page.experiments.as_slice() else {
            panic!("two experiments: {page:?}");
        };
        assert_eq!(first.title, "Fig 0: a test");
        assert_eq!((first.scaling.as_str(), first.measured.as_str()), ("", "by hand"));
        assert_eq!(first.presets, ["paper-a", "paper-b"]);
        assert_eq!(first.again, "`flowglass evidence --only fig0`");
        assert_eq!(first.rows.len(), 1);
        assert!(second.presets.is_empty());
        let row = &second.rows[0];
        assert_eq!(row.quantity, "goodput, Gb/s");
        assert_eq!(
            (row.paper.as_str(), row.ours.as_str(), row.ratio.as_str()),
            ("100", "", "0.980")
        );
        assert_eq!((row.verdict, row.reason.as_str()), (Verdict::Differs, "a | b"));
    }

    /// The line of the page that is not read after `from` was replaced by `to`.
    fn refused(from: &str, to: &str) -> usize {
        let text = written();
        assert!(text.contains(from), "{from}");
        parse(&text.replacen(from, to, 1)).unwrap_err().line
    }

    #[test]
    fn a_page_of_another_form_is_refused_where_it_changes() {
        let text = written();
        let line = |of: &str| 1 + text.lines().position(|line| line.starts_with(of)).unwrap();
        assert_eq!(refused("Known | Ours", "Ours | Known"), line("| Quantity"));
        assert_eq!(refused("- **Measured**", "- **Method**"), line("- **Measured**"));
        assert_eq!(refused("| match |", "| same |"), line("| goodput"));
        assert_eq!(refused("| plot |", "| guessed |"), line("| goodput"));
        assert_eq!(refused("| ± 2 % |", "| ± 2 % | new |"), line("| goodput"));
        // Of the head it is only known that something is missing there.
        assert_eq!(refused("the seeds 3 to 6", "four seeds"), line("## "));
        assert_eq!(refused("3 rows: ", "4 rows: "), line("## "));
        assert_eq!(
            parse("").unwrap_err().to_string(),
            "line 1: expected the seeds, as `- **Ours** is the mean over the seeds 1 to 10 with …`"
        );
        let cut = &text[..text.find("| Quantity").unwrap()];
        assert_eq!(parse(cut).unwrap_err().line, line("| Quantity"));
    }
}
