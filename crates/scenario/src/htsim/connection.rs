//! The connection lines of a matrix: `0->8 id 1 start 0 size 2000000`.

use super::matrix::{Connection, Reader, Start};
use super::text::{Line, MAX_TOKENS, Place, Token};
use crate::decimal::{Decimal, DecimalError};
use crate::limits;

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
    pub(super) fn refuse_trigger(&mut self, at: Token<'_>) {
        let reason = format!("{}: triggers are not supported yet", at.quoted());
        self.problems
            .add(at.at, reason, "give each flow a `start` time instead");
    }

    pub(super) fn connection(&mut self, line: &Line<'_>) {
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
}

/// Makes `->` a token of its own: both `0->8` and `0 -> 8` are understood.
fn split_arrows<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut split = Vec::with_capacity(tokens.len() + 2);
    for token in tokens {
        let mut rest = *token;
        while split.len() < MAX_TOKENS
            && let Some(at) = rest.text.find("->")
        {
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
