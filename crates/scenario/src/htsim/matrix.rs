//! Connection matrices (`.cm`, `.tm`).
//!
//! ```text
//! Nodes 32
//! Connections 2
//! 0->8 id 1 start 0 size 2000000
//! 1->8 id 2 start 5 size 1000000
//! ```

use super::text::{FileProblem, FileProblems, Line, Place, check_size, lines, unfinished};
use crate::limits;
use std::collections::BTreeMap;

/// A connection matrix as the file says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The file's name as the caller gave it.
    pub file: String,
    /// Hosts.
    pub nodes: u32,
    /// The flows in the file's order.
    pub connections: Vec<Connection>,
    /// What the reader should know, such as an option without effect.
    pub notes: Vec<String>,
    pub(super) nodes_at: Place,
}

/// One flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Sending host.
    pub src: u32,
    /// Receiving host.
    pub dst: u32,
    /// Message size, 1 B to 1 TiB.
    pub bytes: u64,
    /// When it starts, in a unit that the file does not say.
    pub start: Start,
    /// Its id, above 0; htsim gives one itself where it is left out.
    pub id: Option<u64>,
    /// Line in the file, from 1.
    pub line: u32,
    pub(super) src_column: u32,
    pub(super) dst_column: u32,
    pub(super) start_column: u32,
}

/// A `start` value: a decimal number whose unit depends on which htsim wrote it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Start {
    /// Digits before the point.
    pub whole: u64,
    /// Digits after the point, in millionths.
    pub millionths: u32,
}

/// Reads a connection matrix. `name` is used in messages.
///
/// Spaces, tabs, CRLF, a byte order mark and comments (`#`) are accepted anywhere, keywords in any case.
///
/// # Errors
/// All problems by line, at most [`limits::MAX_PROBLEMS`] one by one. What has no effect here would be lost
/// silently if it were accepted, so triggers, failures and unknown keywords are refused.
pub fn parse_matrix(name: &str, text: &str) -> Result<Matrix, Vec<FileProblem>> {
    let mut problems = FileProblems::new(name);
    if !check_size(text, &mut problems) {
        return Err(problems.into_sorted());
    }
    let mut reader = Reader {
        problems,
        ..Reader::new(name)
    };
    reader.nodes = lines(text).find_map(|line| reader.find_nodes(&line));
    for line in lines(text) {
        reader.line(line);
    }
    reader.finish(text)
}

/// A header key with its value.
#[derive(Clone, Copy)]
pub(super) struct Header {
    pub(super) value: u64,
    pub(super) at: Place,
}

/// Reads a matrix line by line; [`super::connection`] has the connection lines.
pub(super) struct Reader {
    name: String,
    pub(super) problems: FileProblems,
    pub(super) nodes: Option<Header>,
    nodes_lines: usize,
    connections_header: Option<Header>,
    triggers_header: Option<Header>,
    failures_header: Option<Header>,
    pub(super) connections: Vec<Connection>,
    /// Connection lines, also those with problems.
    pub(super) connection_lines: u64,
    /// id → line.
    pub(super) ids: BTreeMap<u64, usize>,
    pub(super) with_prio: usize,
}

impl Reader {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            problems: FileProblems::new(name),
            nodes: None,
            nodes_lines: 0,
            connections_header: None,
            triggers_header: None,
            failures_header: None,
            connections: Vec::new(),
            connection_lines: 0,
            ids: BTreeMap::new(),
            with_prio: 0,
        }
    }

    /// The number of hosts is needed before the connections can be judged, wherever it stands.
    fn find_nodes(&mut self, line: &Line<'_>) -> Option<Header> {
        let key = line.tokens[0];
        if !key.is("Nodes") {
            return None;
        }
        let value = self.header_value(line)?;
        let range = limits::NICS;
        if !range.contains(&value) {
            let reason = format!("Nodes is {value}; expected {} to {}", range.start(), range.end());
            self.problems.add(line.tokens[1].at, reason, "");
        }
        Some(Header {
            value,
            at: line.tokens[1].at,
        })
    }

    /// The only value of a header line.
    fn header_value(&mut self, line: &Line<'_>) -> Option<u64> {
        let key = line.tokens[0];
        let Some(value) = line.tokens.get(1) else {
            let reason = format!("the line is cut off: there is no number after {}", key.quoted());
            self.problems.add(key.at, reason, "");
            return None;
        };
        if let Some(extra) = line.tokens.get(2) {
            let reason = format!("{} after the number of {}", extra.quoted(), key.quoted());
            self.problems
                .add(extra.at, reason, "expected the end of the line");
            return None;
        }
        match value.whole() {
            Ok(n) => Some(n),
            Err(why) => {
                let reason = format!("{} is {}, but {why}", key.quoted(), value.quoted());
                self.problems.add(value.at, reason, "expected a count");
                None
            }
        }
    }

    fn line(&mut self, line: Line<'_>) {
        let key = line.tokens[0];
        if key.is("Nodes") {
            self.nodes_lines += 1;
            if self.nodes_lines > 1 {
                self.problems.add(key.at, "a second `Nodes` line", "expected one");
            }
        } else if key.is("Connections") {
            if let Some(header) = self.header(&line, self.connections_header) {
                self.connections_header = Some(header);
            }
        } else if key.is("Triggers") {
            if let Some(header) = self.header(&line, self.triggers_header) {
                self.triggers_header = Some(header);
            }
        } else if key.is("Failures") {
            if let Some(header) = self.header(&line, self.failures_header) {
                self.failures_header = Some(header);
            }
        } else if key.is("trigger") {
            self.refuse_trigger(key);
        } else if key.is("failure") {
            self.problems.add(
                key.at,
                "failures in a matrix are not supported: htsim fails a link between an AGG and a CORE switch, \
                 which only a three-tier topology has",
                "remove it, and add a link_down fault such as p0/t0.3-t1.2 to the scenario",
            );
        } else {
            self.connection(&line);
        }
    }

    fn header(&mut self, line: &Line<'_>, before: Option<Header>) -> Option<Header> {
        let key = line.tokens[0];
        if let Some(before) = before {
            let reason = format!(
                "a second {} line; the first is line {}",
                key.quoted(),
                before.at.line
            );
            self.problems.add(key.at, reason, "expected one");
            return None;
        }
        Some(Header {
            value: self.header_value(line)?,
            at: line.tokens[1].at,
        })
    }

    fn finish(mut self, text: &str) -> Result<Matrix, Vec<FileProblem>> {
        if self.nodes_lines == 0 {
            self.problems.add(
                Place::START,
                "there is no `Nodes` line",
                "is this a connection matrix?",
            );
        }
        self.check_counts();
        let (true, Some(nodes)) = (self.problems.is_empty(), self.nodes) else {
            return Err(self.problems.into_sorted());
        };
        let notes = self.notes(text);
        Ok(Matrix {
            file: self.name,
            nodes: u32::try_from(nodes.value).unwrap_or(u32::MAX),
            connections: self.connections,
            notes,
            nodes_at: nodes.at,
        })
    }

    fn check_counts(&mut self) {
        let found = self.connection_lines;
        match self.connections_header {
            None => {
                let reason = format!("there is no `Connections` line; the file has {found} connections");
                self.problems
                    .add(Place::START, reason, format!("add `Connections {found}`"));
            }
            Some(Header { value, at }) if value != found => {
                let reason = format!("Connections is {value}, but the file has {found}");
                let hint = if found < value {
                    "is the end of the file missing?"
                } else {
                    "correct the number"
                };
                self.problems.add(at, reason, hint);
            }
            Some(Header { value: 0, at }) => {
                self.problems
                    .add(at, "the matrix has no connections", "add at least one");
            }
            Some(_) => {}
        }
        for (header, what) in [
            (self.triggers_header, "Triggers"),
            (self.failures_header, "Failures"),
        ] {
            if let Some(Header { value: 1.., at }) = header {
                let reason = format!("`{what}` are not supported");
                self.problems
                    .add(at, reason, format!("expected {what} 0 or no such line"));
            }
        }
    }

    fn notes(&self, text: &str) -> Vec<String> {
        let mut notes = Vec::new();
        if self.with_prio > 0 {
            notes.push(format!(
                "{}: `prio` in {} lines has no effect: all messages have the same priority",
                self.name, self.with_prio
            ));
        }
        notes.extend(unfinished(&self.name, text));
        notes
    }
}
