//! Lines, tokens and problems of htsim's text files.

use crate::limits::{MAX_PROBLEMS, MAX_TEXT_BYTES};
use crate::quantity::clip;
use std::fmt;

/// One thing that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileProblem {
    /// The file's name as the caller gave it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was given and what was expected.
    pub reason: String,
    /// What to do about it; may be empty.
    pub hint: String,
}

impl fmt::Display for FileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.reason)?;
        if !self.hint.is_empty() {
            write!(f, " ({})", self.hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for FileProblem {}

/// Where a token stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Place {
    /// For what a file lacks altogether.
    pub(super) const START: Self = Self { line: 1, column: 1 };
}

/// Problems of one file as they are found; keeps the first [`MAX_PROBLEMS`] and counts the rest.
pub(super) struct FileProblems {
    file: String,
    listed: Vec<FileProblem>,
    more: usize,
}

impl FileProblems {
    pub(super) fn new(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            listed: Vec::new(),
            more: 0,
        }
    }

    pub(super) fn add(&mut self, at: Place, reason: impl Into<String>, hint: impl Into<String>) {
        if self.listed.len() < MAX_PROBLEMS {
            self.listed.push(FileProblem {
                file: self.file.clone(),
                line: at.line,
                column: at.column,
                reason: reason.into(),
                hint: hint.into(),
            });
        } else {
            self.more += 1;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// The problems by line; at the end how many are not listed.
    pub(super) fn into_sorted(mut self) -> Vec<FileProblem> {
        self.listed.sort_by_key(|p| (p.line, p.column));
        if self.more > 0 {
            let line = self.listed.last().map_or(1, |p| p.line);
            let reason = format!("{} more problems are not listed", self.more);
            self.listed.push(FileProblem {
                file: self.file,
                line,
                column: 1,
                reason,
                hint: String::new(),
            });
        }
        self.listed
    }
}

/// Words of a line that are looked at. No line that is understood has as many: one more word than it can have
/// is refused, and what follows does not matter.
pub(super) const MAX_TOKENS: usize = 64;

/// A word of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) at: Place,
}

impl Token<'_> {
    /// For quoting in a message.
    pub(super) fn quoted(&self) -> String {
        format!("`{}`", clip(self.text))
    }

    pub(super) fn is(&self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword)
    }

    /// The text as a whole number, or why it is none.
    pub(super) fn whole(&self) -> Result<u64, &'static str> {
        let text = self.text;
        if text
            .strip_prefix('-')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        {
            return Err("it is negative");
        }
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err("it is no whole number");
        }
        text.parse().map_err(|_| "it is too large")
    }
}

/// A line that is neither empty nor a comment; never without tokens.
pub(super) struct Line<'a> {
    pub(super) tokens: Vec<Token<'a>>,
}

/// The lines with their tokens. Tokens are separated by any number of spaces and tabs; `#` at the beginning
/// of a token makes the rest of the line a comment; CRLF and a byte order mark are accepted.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().enumerate().filter_map(|(i, line)| {
        let tokens = tokens(line, i + 1);
        (!tokens.is_empty()).then_some(Line { tokens })
    })
}

fn tokens(text: &str, line: usize) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut begin: Option<(usize, usize)> = None;
    for (column, (at, c)) in text.char_indices().enumerate() {
        match (begin, c.is_ascii_whitespace()) {
            (None, false) if c == '#' || tokens.len() == MAX_TOKENS => return tokens,
            (None, false) => begin = Some((at, column + 1)),
            (Some((from, column)), true) => {
                tokens.push(Token {
                    text: &text[from..at],
                    at: Place { line, column },
                });
                begin = None;
            }
            _ => {}
        }
    }
    if let Some((from, column)) = begin {
        tokens.push(Token {
            text: &text[from..],
            at: Place { line, column },
        });
    }
    tokens
}

/// Refuses a text that is too large to be read.
pub(super) fn check_size(text: &str, problems: &mut FileProblems) -> bool {
    let fits = text.len() <= MAX_TEXT_BYTES;
    if !fits {
        let reason = format!(
            "the file has {} bytes; at most {MAX_TEXT_BYTES} are read",
            text.len()
        );
        problems.add(Place::START, reason, "");
    }
    fits
}

/// A note about a text that may have been cut off within its last number, which nothing else would show.
pub(super) fn unfinished(name: &str, text: &str) -> Option<String> {
    let note = "the last line has no line end; if the file was cut off there, its last number is too short";
    (!text.ends_with('\n')).then(|| format!("{name}: {note}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(String, usize, usize)> {
        lines(text)
            .flat_map(|l| {
                l.tokens
                    .into_iter()
                    .map(|t| (t.text.to_owned(), t.at.line, t.at.column))
            })
            .collect()
    }

    #[test]
    fn splits_at_any_space_and_keeps_places() {
        let text = "\u{feff}# head\r\n\r\na  b\tc # tail\r\n\t dé e";
        let expected = [("a", 3, 1), ("b", 3, 4), ("c", 3, 6), ("dé", 4, 3), ("e", 4, 6)];
        assert_eq!(words(text), expected.map(|(t, l, c)| (t.to_owned(), l, c)));
        assert!(words("").is_empty());
    }

    #[test]
    fn whole_numbers() {
        let whole = |text| {
            Token {
                text,
                at: Place::START,
            }
            .whole()
        };
        assert_eq!(whole("3000000000"), Ok(3_000_000_000));
        assert_eq!(whole("-5"), Err("it is negative"));
        for text in ["", "-", "+5", "5.0", "1e6", "x", "5x", "٣"] {
            assert_eq!(whole(text), Err("it is no whole number"), "{text}");
        }
        assert_eq!(whole("99999999999999999999"), Err("it is too large"));
    }

    #[test]
    fn problems_read_like_a_compiler_s_and_are_bounded() {
        let mut problems = FileProblems::new("a.cm");
        for line in (1..=150).rev() {
            problems.add(Place { line, column: 2 }, "r", "h");
        }
        let listed = problems.into_sorted();
        assert_eq!(listed.len(), MAX_PROBLEMS + 1);
        assert_eq!(listed[0].to_string(), "a.cm:51:2: r (h)");
        assert_eq!(listed[MAX_PROBLEMS].reason, "50 more problems are not listed");
    }
}
