//! From tokens to a filter.

use super::lex::{Placed, Token, problem, tokens};
use super::{Field, Filter, Flag, HELP, MAX_DEPTH, MAX_SET, Node, Number, Problem, Relation, Test, Word};
use crate::log::{Kind, PacketWord};
use scenario::quantity::{Bytes, Time};
use std::fmt::Display;
use std::str::FromStr;

/// Reads a filter.
pub(super) fn parse(text: &str) -> Result<Filter, Problem> {
    let tokens = tokens(text)?;
    if tokens.is_empty() {
        return Ok(Filter::default());
    }
    let mut parser = Parser {
        text,
        tokens,
        next: 0,
        depth: 0,
    };
    let root = parser.any()?;
    if parser.peek().is_some() {
        return Err(parser.wrong("expected && or || before this, or the end"));
    }
    Ok(Filter { root: Some(root) })
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Placed>,
    next: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|placed| &placed.token)
    }

    /// Goes on if the next token is this one.
    fn take(&mut self, token: &Token) -> bool {
        let is_it = self.peek() == Some(token);
        self.next += usize::from(is_it);
        is_it
    }

    /// Something is wrong with the next token, or with there being none.
    fn wrong(&self, message: impl Into<String>) -> Problem {
        let (from, to) = match self.tokens.get(self.next) {
            Some(placed) => (placed.from, placed.to),
            None => (self.text.len(), self.text.len()),
        };
        problem(self.text, from, to, message)
    }

    /// Something is wrong with the token before the next one.
    fn wrong_before(&self, message: impl Into<String>) -> Problem {
        let placed = &self.tokens[self.next - 1];
        problem(self.text, placed.from, placed.to, message)
    }

    fn any(&mut self) -> Result<Node, Problem> {
        let mut nodes = vec![self.all()?];
        while self.take(&Token::Or) {
            nodes.push(self.all()?);
        }
        Ok(one_or(nodes, Node::Any))
    }

    fn all(&mut self) -> Result<Node, Problem> {
        let mut nodes = vec![self.not()?];
        while self.take(&Token::And) {
            nodes.push(self.not()?);
        }
        Ok(one_or(nodes, Node::All))
    }

    fn not(&mut self) -> Result<Node, Problem> {
        if !self.take(&Token::Not) {
            return self.primary();
        }
        self.deeper()?;
        let node = self.not()?;
        self.depth -= 1;
        Ok(Node::Not(Box::new(node)))
    }

    fn deeper(&mut self) -> Result<(), Problem> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.wrong_before(format!("nested more than {MAX_DEPTH} deep")));
        }
        Ok(())
    }

    fn primary(&mut self) -> Result<Node, Problem> {
        if self.take(&Token::Open) {
            self.deeper()?;
            let node = self.any()?;
            if !self.take(&Token::Close) {
                return Err(self.wrong("expected )"));
            }
            self.depth -= 1;
            return Ok(node);
        }
        let Some(Token::Word(name)) = self.peek().cloned() else {
            return Err(self.wrong("expected a field such as qp, a word such as trim, ! or ("));
        };
        self.next += 1;
        if let Some(field) = Field::named(&name) {
            return Ok(Node::Field(field, self.test(field)?));
        }
        let node = if let Some(flag) = Flag::named(&name) {
            Node::Flag(flag)
        } else if let Some(word) = Word::named(&name) {
            Node::Word(word)
        } else {
            let mut given: String = name.chars().take(40).collect();
            if given.len() < name.len() {
                given.push('…');
            }
            return Err(self.wrong_before(format!("there is no field or word {given:?}{}", nearest(&name))));
        };
        if matches!(
            self.peek(),
            Some(Token::Relation(_) | Token::In | Token::Contains)
        ) {
            return Err(self.wrong(format!("{name} is true or false: it is compared with nothing")));
        }
        Ok(node)
    }

    fn test(&mut self, field: Field) -> Result<Test, Problem> {
        if let Some(&Token::Relation(relation)) = self.peek() {
            self.next += 1;
            let is_ordered = matches!(field, Field::Number(_));
            let same = relation == Relation::Equal;
            if !is_ordered && !same && relation != Relation::NotEqual {
                return Err(self.wrong_before(format!("{} has no order: use == or !=", field.name())));
            }
            return Ok(match field {
                Field::Number(number) => Test::Compare(relation, self.number(number)?),
                Field::Kind | Field::Packet => Test::Kinds(same, vec![self.word(field)?]),
                Field::Link => Test::Links(same, vec![self.name(LINK)?]),
                Field::Switch => Test::Switches(same, vec![self.name(SWITCH)?]),
                Field::Reason | Field::Text => Test::Texts(same, vec![self.string(true)?]),
            });
        }
        if self.take(&Token::Contains) {
            return match field {
                Field::Text | Field::Link | Field::Switch | Field::Reason => {
                    Ok(Test::Contains(self.string(false)?))
                }
                _ => {
                    self.next -= 1;
                    Err(self.wrong(format!("{} is no text: use == or in", field.name())))
                }
            };
        }
        if self.take(&Token::In) {
            return self.set(field);
        }
        Ok(Test::There)
    }

    fn set(&mut self, field: Field) -> Result<Test, Problem> {
        if !self.take(&Token::OpenSet) {
            return Err(self.wrong("expected { and values, such as {1, 2, 5..9}"));
        }
        Ok(match field {
            Field::Number(number) => Test::Within(self.values(|parser| parser.range(number))?),
            Field::Kind | Field::Packet => Test::Kinds(true, self.values(|parser| parser.word(field))?),
            Field::Link => Test::Links(true, self.values(|parser| parser.name(LINK))?),
            Field::Switch => Test::Switches(true, self.values(|parser| parser.name(SWITCH))?),
            Field::Reason | Field::Text => Test::Texts(true, self.values(|parser| parser.string(true))?),
        })
    }

    fn values<T>(
        &mut self,
        mut value: impl FnMut(&mut Self) -> Result<T, Problem>,
    ) -> Result<Vec<T>, Problem> {
        let mut values = Vec::new();
        loop {
            if values.len() == MAX_SET {
                return Err(self.wrong(format!("a set has {MAX_SET} values at most")));
            }
            values.push(value(self)?);
            if self.take(&Token::CloseSet) {
                return Ok(values);
            }
            if !self.take(&Token::Comma) {
                return Err(self.wrong("expected , or }"));
            }
        }
    }

    fn range(&mut self, number: Number) -> Result<(u64, u64), Problem> {
        let from = self.number(number)?;
        if !self.take(&Token::Range) {
            return Ok((from, from));
        }
        let to = self.number(number)?;
        if to < from {
            return Err(self.wrong_before("the end of a range is not before its start"));
        }
        Ok((from, to))
    }

    fn number(&mut self, number: Number) -> Result<u64, Problem> {
        let expected = match number {
            Number::Time => "expected a time with its unit, such as 120us",
            Number::Bytes => "expected bytes, such as 4096 or 4KiB",
            _ => "expected a whole number",
        };
        let Some(Token::Quantity(written)) = self.peek().cloned() else {
            return Err(self.wrong(expected));
        };
        let plain = written.parse::<u64>().ok();
        let value = match number {
            Number::Time => Time::from_str(&written).ok().map(|time| time.0),
            Number::Bytes => plain.or_else(|| Bytes::from_str(&written).ok().map(|bytes| bytes.0)),
            _ => plain,
        };
        let value = value.ok_or_else(|| self.wrong(expected))?;
        self.next += 1;
        Ok(value)
    }

    fn word(&mut self, field: Field) -> Result<Word, Problem> {
        let found = match self.peek() {
            Some(Token::Word(name) | Token::Text(name)) => match field {
                Field::Packet => PacketWord::named(name).map(Word::Packet),
                _ => Word::named(name),
            },
            _ => None,
        };
        let Some(word) = found else {
            return Err(self.wrong(match field {
                Field::Packet => {
                    let packets = PacketWord::ALL.iter().map(|packet| packet.slug());
                    format!("expected one of {}", packets.collect::<Vec<_>>().join(", "))
                }
                _ => {
                    let kinds = Kind::ALL.iter().map(|kind| kind.slug());
                    format!(
                        "expected a packet such as nack, or one of {}",
                        kinds.collect::<Vec<_>>().join(", ")
                    )
                }
            }));
        };
        self.next += 1;
        Ok(word)
    }

    fn name<T: FromStr<Err: Display>>(&mut self, expected: &str) -> Result<T, Problem> {
        let found = match self.peek() {
            Some(Token::Word(name) | Token::Text(name)) => name.parse().ok(),
            _ => None,
        };
        let name = found.ok_or_else(|| self.wrong(expected))?;
        self.next += 1;
        Ok(name)
    }

    /// A text; where that is enough, a word without quotes.
    fn string(&mut self, or_word: bool) -> Result<String, Problem> {
        let found = match self.peek() {
            Some(Token::Text(text)) => Some(text.clone()),
            Some(Token::Word(word)) if or_word => Some(word.clone()),
            _ => None,
        };
        let text = found.ok_or_else(|| self.wrong("expected text in quotes, such as \"T1\""))?;
        self.next += 1;
        Ok(text)
    }
}

const LINK: &str = "expected a link, such as p0/t0.3-t1.2 or p0/n17";
const SWITCH: &str = "expected a switch, such as p0/t1.2";

impl Word {
    fn named(name: &str) -> Option<Word> {
        Kind::named(name)
            // As the kind was called before MRC's timeouts had rows: filters that are kept still say so.
            .or((name == "rto").then_some(Kind::Timeout))
            .map(Word::Kind)
            .or_else(|| PacketWord::named(name).map(Word::Packet))
    }
}

fn one_or(mut nodes: Vec<Node>, many: impl Fn(Vec<Node>) -> Node) -> Node {
    if nodes.len() == 1 {
        return nodes.remove(0);
    }
    many(nodes)
}

/// Every word that may stand at the start of a test.
pub(super) fn all_words() -> impl Iterator<Item = &'static str> {
    let kinds = Kind::ALL.iter().map(|kind| kind.slug());
    let packets = PacketWord::ALL.iter().map(|packet| packet.slug());
    HELP.iter().map(|help| help.0).chain(kinds).chain(packets)
}

/// What was probably meant: a word that begins alike.
fn nearest(name: &str) -> String {
    let common = |word: &str| word.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
    let best = all_words().max_by_key(|word| (common(word), std::cmp::Reverse(word.len())));
    match best {
        Some(word) if common(word) >= 2 => format!("; did you mean {word}?"),
        _ => String::new(),
    }
}
