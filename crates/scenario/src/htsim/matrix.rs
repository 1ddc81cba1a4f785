//! Connection matrices (`.cm`, `.tm`).
//!
//! ```text
//! Nodes 32
//! Connections 2
//! 0->8 id 1 start 0 size 2000000
//! 1->8 id 2 start 5 size 1000000
//! ```

use super::text::{FileProblem, FileProblems, Line, Place, Token, check_size, lines};
use crate::decimal::{Decimal, DecimalError};
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
struct Header {
    value: u64,
    at: Place,
}

struct Reader {
    name: String,
    problems: FileProblems,
    nodes: Option<Header>,
    nodes_lines: usize,
    connections_header: Option<Header>,
    triggers_header: Option<Header>,
    failures_header: Option<Header>,
    connections: Vec<Connection>,
    /// Connection lines, also those with problems.
    connection_lines: u64,
    /// id → line.
    ids: BTreeMap<u64, usize>,
    with_prio: usize,
}

/// The options of one connection line, each with its value and the key's place.
#[derive(Default)]
struct Options<'a> {
    id: Option<Token<'a>>,
    start: Option<Token<'a>>,
    size: Option<Token<'a>>,
    prio: Option<Token<'a>>,
    triggered: bool,
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

    fn refuse_trigger(&mut self, at: Token<'_>) {
        let reason = format!("{}: triggers are not supported yet", at.quoted());
        self.problems
            .add(at.at, reason, "give each flow a `start` time instead");
    }

    fn connection(&mut self, line: &Line<'_>) {
        let tokens = split_arrows(&line.tokens);
        if !tokens.iter().take(2).any(|t| t.text == "->") {
            let first = tokens[0];
            let reason = format!("unknown keyword {}", first.quoted());
            let hint =
                "expected Nodes, Connections, or a connection such as `0->8 id 1 start 0 size 2000000`";
            self.problems.add(first.at, reason, hint);
            return;
        }
        self.connection_lines += 1;
        let [src, arrow, dst, options @ ..] = tokens.as_slice() else {
            let reason = if tokens[0].text == "->" {
                "there is no sender before `->`"
            } else {
                "the line is cut off: there is no receiver after `->`"
            };
            self.problems.add(tokens[0].at, reason, "expected src->dst");
            return;
        };
        if arrow.text != "->" {
            self.problems
                .add(src.at, "there is no sender before `->`", "expected src->dst");
            return;
        }
        let ends = (self.host(src, "sender"), self.host(dst, "receiver"));
        let Some(options) = self.options(options) else {
            return;
        };
        let size = self.size(&options, src.at);
        let start = self.start(&options, src.at);
        let id = self.id(&options);
        if options.prio.is_some() {
            self.with_prio += 1;
        }
        let ((Some(src_host), Some(dst_host)), Some(bytes), Some(start), Ok(id)) = (ends, size, start, id)
        else {
            return;
        };
        if src_host == dst_host {
            let reason = format!("host {src_host} sends to itself");
            self.problems
                .add(src.at, reason, "sender and receiver have to differ");
            return;
        }
        if self.connections.len() as u64 == *limits::FLOWS.end() {
            let reason = format!("more than {} connections", limits::FLOWS.end());
            self.problems
                .add(src.at, reason, "at most that many flows are simulated");
            return;
        }
        let column = |at: Place| u32::try_from(at.column).unwrap_or(u32::MAX);
        self.connections.push(Connection {
            src: src_host,
            dst: dst_host,
            bytes,
            start,
            id,
            line: u32::try_from(src.at.line).unwrap_or(u32::MAX),
            src_column: column(src.at),
            dst_column: column(dst.at),
            start_column: options.start.map_or(1, |t| column(t.at)),
        });
    }

    fn host(&mut self, token: &Token<'_>, role: &str) -> Option<u32> {
        let n = match token.whole() {
            Ok(n) => n,
            Err(why) => {
                let reason = format!("the {role} is {}, but {why}", token.quoted());
                self.problems
                    .add(token.at, reason, "expected the number of a host");
                return None;
            }
        };
        let nodes = self.nodes.map_or(*limits::NICS.end(), |h| h.value);
        if n >= nodes {
            let reason = format!(
                "the {role} is host {n}; expected 0 to {}",
                nodes.saturating_sub(1)
            );
            let hint = match self.nodes {
                Some(header) => format!("Nodes in line {} is {nodes}", header.at.line),
                None => String::new(),
            };
            self.problems.add(token.at, reason, hint);
            return None;
        }
        u32::try_from(n).ok()
    }

    /// Sorts the options of a line; `None` if the line cannot be understood.
    fn options<'a>(&mut self, tokens: &[Token<'a>]) -> Option<Options<'a>> {
        let mut options = Options::default();
        let mut rest = tokens.iter();
        while let Some(key) = rest.next() {
            let slot = if key.is("id") {
                &mut options.id
            } else if key.is("start") {
                &mut options.start
            } else if key.is("size") {
                &mut options.size
            } else if key.is("prio") {
                &mut options.prio
            } else if key.is("trigger") || key.is("send_done_trigger") || key.is("recv_done_trigger") {
                self.refuse_trigger(*key);
                options.triggered = true;
                rest.next();
                continue;
            } else if key.is("msg") {
                self.problems.add(
                    key.at,
                    "`msg`: several messages on one connection are not supported yet",
                    "give each message a line and an id of its own",
                );
                return None;
            } else {
                let reason = format!("unknown keyword {}", key.quoted());
                self.problems.add(
                    key.at,
                    reason,
                    "expected id, start, size or prio, each with a number",
                );
                return None;
            };
            let Some(value) = rest.next() else {
                let reason = format!("the line is cut off: there is no value after {}", key.quoted());
                self.problems.add(key.at, reason, "");
                return None;
            };
            if slot.is_some() {
                let reason = format!("a second {} in this line", key.quoted());
                self.problems.add(key.at, reason, "expected one");
                return None;
            }
            *slot = Some(*value);
        }
        Some(options)
    }

    fn size(&mut self, options: &Options<'_>, line: Place) -> Option<u64> {
        let Some(token) = options.size else {
            self.problems.add(
                line,
                "the connection has no size",
                "add `size` and a number of bytes",
            );
            return None;
        };
        let range = limits::FLOW_BYTES;
        match token.whole() {
            Ok(n) if n >= range.start().0 && n <= range.end().0 => Some(n),
            Ok(n) => {
                let reason = format!("the size is {n} B; expected 1 to {} B", range.end().0);
                self.problems.add(token.at, reason, "");
                None
            }
            Err(why) => {
                let reason = format!("the size is {}, but {why}", token.quoted());
                self.problems
                    .add(token.at, reason, "expected a whole number of bytes");
                None
            }
        }
    }

    fn start(&mut self, options: &Options<'_>, line: Place) -> Option<Start> {
        let Some(token) = options.start else {
            if !options.triggered {
                self.problems.add(
                    line,
                    "the connection has no start",
                    "add `start` and a time, such as `start 0`",
                );
            }
            return None;
        };
        match Decimal::parse(token.text).and_then(Decimal::whole_and_millionths) {
            Ok((whole, millionths)) => Some(Start { whole, millionths }),
            Err(e) => {
                let why = match e {
                    DecimalError::Negative => "it is negative",
                    DecimalError::NotWhole => "it has more than six decimals",
                    DecimalError::TooLarge | DecimalError::TooLong => "it is too large",
                    DecimalError::Empty | DecimalError::NotANumber => "it is no number",
                };
                let reason = format!("the start is {}, but {why}", token.quoted());
                self.problems
                    .add(token.at, reason, "expected a time as a plain decimal number");
                None
            }
        }
    }

    /// `Err` if there is an id that cannot be used.
    fn id(&mut self, options: &Options<'_>) -> Result<Option<u64>, ()> {
        let Some(token) = options.id else { return Ok(None) };
        let id = match token.whole() {
            Ok(0) => Err("expected a number above 0"),
            Ok(id) => Ok(id),
            Err(why) => Err(why),
        };
        let id = id.map_err(|why| {
            let reason = format!("the id is {}, but {why}", token.quoted());
            self.problems.add(token.at, reason, "");
        })?;
        match self.ids.insert(id, token.at.line) {
            None => Ok(Some(id)),
            Some(first) => {
                let reason = format!("the id {id} is taken by line {first}");
                self.problems
                    .add(token.at, reason, "each connection has its own id");
                self.ids.insert(id, first);
                Err(())
            }
        }
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
        if !text.ends_with('\n') {
            notes.push(format!(
                "{}: the last line has no line end; if the file was cut off there, its last number is too short",
                self.name
            ));
        }
        notes
    }
}

/// Makes `->` a token of its own: both `0->8` and `0 -> 8` are understood.
fn split_arrows<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut split = Vec::with_capacity(tokens.len() + 2);
    for token in tokens {
        let mut rest = *token;
        while let Some(at) = rest.text.find("->") {
            let (before, after) = (&rest.text[..at], &rest.text[at + 2..]);
            let arrow_column = rest.at.column + before.chars().count();
            if !before.is_empty() {
                split.push(Token {
                    text: before,
                    at: rest.at,
                });
            }
            let place = |column| Place {
                line: rest.at.line,
                column,
            };
            split.push(Token {
                text: "->",
                at: place(arrow_column),
            });
            rest = Token {
                text: after,
                at: place(arrow_column + 2),
            };
        }
        if !rest.text.is_empty() {
            split.push(rest);
        }
    }
    split
}
