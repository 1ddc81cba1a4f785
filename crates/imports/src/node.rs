//! A JSON text as a tree that keeps the fields' order and refuses a field that is there twice: nothing gets lost unseen.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    Whole(i128),
    Fraction(f64),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

/// Longest piece of the input that messages repeat.
const SHOWN: usize = 60;

/// The beginning of a text, for a message.
pub(crate) fn clip(text: &str) -> String {
    let mut clipped: String = text.chars().take(SHOWN).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    clipped
}

impl fmt::Display for Node {
    /// The value as a message shows it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Null => f.write_str("null"),
            Node::Bool(value) => value.fmt(f),
            Node::Whole(value) => value.fmt(f),
            Node::Fraction(value) => value.fmt(f),
            Node::Text(text) => write!(f, "{:?}", clip(text)),
            Node::List(items) => write!(f, "a list of {}", items.len()),
            Node::Object(_) => f.write_str("an object"),
        }
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Whole(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Whole(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Fraction(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Node, E> {
        Ok(Node::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut fields = Vec::new();
        let mut names = BTreeSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if !names.insert(name.clone()) {
                return Err(A::Error::custom(format_args!(
                    "the field {:?} is there twice, expected it once",
                    clip(&name)
                )));
            }
            fields.push((name, map.next_value()?));
        }
        Ok(Node::Object(fields))
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Node, D::Error> {
        json.deserialize_any(AnyValue)
    }
}
