//! The way to a value in a JSON text, and an error at its end that has the value's line and column.

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// One step from a value to one in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Field(String),
    Item(usize),
}

/// A way as a JSON path, such as `traffic[3].bytes`.
pub(crate) fn path(way: &[Step]) -> String {
    let mut path = String::new();
    for step in way {
        match step {
            Step::Field(name) if path.is_empty() => path.push_str(name),
            Step::Field(name) => path.extend([".", name]),
            Step::Item(index) => path.extend(["[", &index.to_string(), "]"]),
        }
    }
    path
}

/// A way as a JSON pointer (RFC 6901).
pub(crate) fn pointer(way: &[Step]) -> String {
    let mut pointer = String::new();
    for step in way {
        match step {
            Step::Field(name) => pointer.extend(["/", &name.replace('~', "~0").replace('/', "~1")]),
            Step::Item(index) => pointer.extend(["/", &index.to_string()]),
        }
    }
    pointer
}

/// The error with this reason that reading the text ends with where the way does; none if the text has no such value.
pub(crate) fn error_at(text: &str, way: &[Step], reason: &str) -> Option<serde_json::Error> {
    let mut json = serde_json::Deserializer::from_str(text);
    Follow { way, reason }.deserialize(&mut json).err()
}

/// Goes on along a way, and refuses what is at its end.
struct Follow<'a> {
    way: &'a [Step],
    reason: &'a str,
}

impl<'de> DeserializeSeed<'de> for Follow<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl Follow<'_> {
    fn end<E: Error>(&self) -> Result<(), E> {
        match self.way {
            [] => Err(E::custom(self.reason)),
            _ => Ok(()),
        }
    }
}

impl<'de> Visitor<'de> for Follow<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.end()
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.end()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.end()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.end()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.end()
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.end()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.end()?;
        if let [Step::Item(index), rest @ ..] = self.way {
            for _ in 0..*index {
                list.next_element::<IgnoredAny>()?;
            }
            let follow = Follow { way: rest, ..self };
            list.next_element_seed(follow)?;
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.end()?;
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            match self.way {
                [Step::Field(next), rest @ ..] if *next == name => {
                    map.next_value_seed(Follow {
                        way: rest,
                        reason: self.reason,
                    })?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}
