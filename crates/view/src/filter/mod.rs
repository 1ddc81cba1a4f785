//! The language of the events list: display filters, such as `qp == 3 && trimmed`.
//!
//! Fields, comparisons and precedence are those that users of packet analysers know: `!` binds closest, then `&&`, then `||`; words
//! (`eq`, `ne`, `gt`, `lt`, `ge`, `le`, `and`, `or`, `not`) mean the same as signs. A comparison of a field that a row does not have
//! is false, whatever the comparison. docs/events.md has the grammar.

mod eval;
mod fields;
mod lex;
mod parse;
mod print;

pub use eval::Event;
pub use fields::{Field, Flag, HELP, Number};

use crate::log::{Kind, PacketWord};
use scenario::{LinkName, SwitchName};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Characters of a filter at most.
pub const MAX_LENGTH: usize = 1_000;
/// How deep parentheses and negations may be nested.
pub const MAX_DEPTH: usize = 32;
/// Values of a set at most.
pub const MAX_SET: usize = 64;

/// Why a text is no filter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Where, in characters from the start, from 0.
    pub column: usize,
    /// How many characters it is about; 0 at the end of the text.
    pub length: usize,
    /// What was expected there, or what is wrong, in words.
    pub message: String,
}

impl Problem {
    /// The text before the place, the place itself and the text after it, where it is in `text`; of a long text what is near it.
    pub fn shown(&self, text: &str) -> [String; 3] {
        const SIDE: usize = 30;
        const PLACE: usize = 40;
        let from = self.column.saturating_sub(SIDE);
        let mut before: String = text.chars().skip(from).take(self.column - from).collect();
        if from > 0 {
            before.insert(0, '…');
        }
        let rest = |skipped: usize, most: usize| {
            let mut part: String = text.chars().skip(skipped).take(most).collect();
            if text.chars().nth(skipped + most).is_some() {
                part.push('…');
            }
            part
        };
        let place = match self.length <= PLACE {
            true => text.chars().skip(self.column).take(self.length).collect(),
            false => rest(self.column, PLACE),
        };
        [before, place, rest(self.column + self.length, SIDE)]
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "column {}: {}", self.column + 1, self.message)
    }
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// What a field is tested for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    /// The row has it.
    There,
    /// A number compares like this.
    Compare(Relation, u64),
    /// A number is within one of these ranges, both ends included.
    Within(Vec<(u64, u64)>),
    /// It is one of these words; or not, as [`Relation::NotEqual`].
    Kinds(bool, Vec<Word>),
    /// It is one of these cables, or not.
    Links(bool, Vec<LinkName>),
    /// One end is one of these switches, or none.
    Switches(bool, Vec<SwitchName>),
    /// Its text is one of these, or not; case does not count.
    Texts(bool, Vec<String>),
    /// Its text contains this; case does not count.
    Contains(String),
}

/// A word for what happened, or for what a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Kind(Kind),
    Packet(PacketWord),
}

/// A filter, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Any(Vec<Node>),
    All(Vec<Node>),
    Not(Box<Node>),
    Word(Word),
    Flag(Flag),
    Field(Field, Test),
}

/// A filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    // None lets everything through.
    root: Option<Node>,
}

impl Filter {
    /// True for the filter that lets everything through.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }
}

impl FromStr for Filter {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Filter, Problem> {
        parse::parse(text)
    }
}

#[cfg(test)]
mod tests;
