//! From text to tokens.

use super::{MAX_LENGTH, Problem, Relation};
use winnow::combinator::{alt, delimited, opt, preceded, repeat};
use winnow::error::ContextError;
use winnow::prelude::*;
use winnow::stream::{AsChar, LocatingSlice, Location};
use winnow::token::{none_of, one_of, take_while};

type Input<'a> = LocatingSlice<&'a str>;
type Error = winnow::error::ErrMode<ContextError>;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name of a field, a word, or a place such as `p0/t0.3-t1.2`.
    Word(String),
    /// A number with its unit, if it has one.
    Quantity(String),
    /// Text in quotes.
    Text(String),
    /// A comparison.
    Relation(Relation),
    And,
    Or,
    Not,
    In,
    Contains,
    Open,
    Close,
    OpenSet,
    CloseSet,
    Comma,
    Range,
}

/// A token, and where it is: from and to in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub token: Token,
    pub from: usize,
    pub to: usize,
}

/// A place in the text, for people: bytes become characters.
pub(super) fn problem(text: &str, from: usize, to: usize, message: impl Into<String>) -> Problem {
    Problem {
        column: text[..from].chars().count(),
        length: text[from..to].chars().count(),
        message: message.into(),
    }
}

/// All tokens of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, Problem> {
    if text.chars().count() > MAX_LENGTH {
        let from = text.char_indices().nth(MAX_LENGTH).map_or(0, |(at, _)| at);
        let message = format!("a filter has {MAX_LENGTH} characters at most");
        return Err(problem(text, from, text.len(), message));
    }
    let mut input = LocatingSlice::new(text);
    let mut found = Vec::new();
    loop {
        // No white space is white space enough: this cannot fail.
        let _: Result<&str, Error> = take_while(0.., char::is_whitespace).parse_next(&mut input);
        let from = input.current_token_start();
        let Some(first) = text[from..].chars().next() else {
            return Ok(found);
        };
        match token(&mut input) {
            Ok(token) => found.push(Placed {
                token,
                from,
                to: input.previous_token_end(),
            }),
            Err(_) if first == '"' => {
                return Err(problem(
                    text,
                    from,
                    text.len(),
                    "the closing quote (\") is missing",
                ));
            }
            Err(_) => return Err(problem(text, from, from + first.len_utf8(), unknown(first))),
        }
    }
}

fn unknown(sign: char) -> String {
    match sign {
        '=' => "two equal signs compare: ==".into(),
        '&' => "two ampersands join tests: &&".into(),
        '|' => "two bars join tests: ||".into(),
        '\'' => "text stands in double quotes: \"…\"".into(),
        other => format!("{other:?} has no meaning here"),
    }
}

fn token(input: &mut Input<'_>) -> Result<Token, Error> {
    alt((text, sign, quantity, word)).parse_next(input)
}

fn text(input: &mut Input<'_>) -> Result<Token, Error> {
    let escaped = preceded('\\', one_of(['"', '\\']));
    let sign = alt((escaped, none_of(['"', '\\'])));
    delimited('"', repeat(0.., sign), '"')
        .map(Token::Text)
        .parse_next(input)
}

fn sign(input: &mut Input<'_>) -> Result<Token, Error> {
    let compared = alt((
        "==".value(Token::Relation(Relation::Equal)),
        "!=".value(Token::Relation(Relation::NotEqual)),
        "<=".value(Token::Relation(Relation::AtMost)),
        ">=".value(Token::Relation(Relation::AtLeast)),
        "<".value(Token::Relation(Relation::Less)),
        ">".value(Token::Relation(Relation::Greater)),
    ));
    let joined = alt((
        "&&".value(Token::And),
        "||".value(Token::Or),
        "!".value(Token::Not),
        "..".value(Token::Range),
        ",".value(Token::Comma),
    ));
    let brackets = alt((
        "(".value(Token::Open),
        ")".value(Token::Close),
        "{".value(Token::OpenSet),
        "}".value(Token::CloseSet),
    ));
    alt((compared, joined, brackets)).parse_next(input)
}

/// `100`, `1.5ms`, `4KiB`; a range's dots do not belong to its numbers.
fn quantity(input: &mut Input<'_>) -> Result<Token, Error> {
    let digits = || take_while(1.., |sign: char| sign.is_ascii_digit());
    let unit = take_while(0.., |sign: char| sign.is_alphanumeric() || sign == '_');
    (digits(), opt(('.', digits())), unit)
        .take()
        .map(|number: &str| Token::Quantity(number.to_owned()))
        .parse_next(input)
}

fn word(input: &mut Input<'_>) -> Result<Token, Error> {
    let first = one_of(|sign: char| sign.is_alpha() || sign == '_');
    let rest = take_while(0.., |sign: char| {
        sign.is_ascii_alphanumeric() || matches!(sign, '_' | '/' | '.' | '-')
    });
    let word: &str = (first, rest).take().parse_next(input)?;
    // Fields and words are written in any case; places are too.
    let word = word.to_ascii_lowercase();
    Ok(match word.as_str() {
        "eq" => Token::Relation(Relation::Equal),
        "ne" => Token::Relation(Relation::NotEqual),
        "lt" => Token::Relation(Relation::Less),
        "le" => Token::Relation(Relation::AtMost),
        "gt" => Token::Relation(Relation::Greater),
        "ge" => Token::Relation(Relation::AtLeast),
        "and" => Token::And,
        "or" => Token::Or,
        "not" => Token::Not,
        "in" => Token::In,
        "contains" => Token::Contains,
        _ => Token::Word(word),
    })
}
