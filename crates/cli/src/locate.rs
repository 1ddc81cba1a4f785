//! Where in a JSON text a field stands.

use crate::text_file::place;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Line and column of the value at a path such as `traffic[3].bytes`; where the text has no such value, because a
/// default stands in for it, those of the innermost value around it.
pub fn locate(text: &str, path: &str) -> (usize, usize) {
    let body = text.trim_start_matches('\u{feff}').trim_start();
    let mut at = text.len() - body.len();
    let mut rest = path;
    while let Some((step, after)) = next_step(rest) {
        let Some(inner) = descend(&text[at..], step) else {
            break;
        };
        at += inner;
        rest = after;
    }
    place(&text.as_bytes()[..at])
}

enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// The first step of a path and what follows it.
fn next_step(path: &str) -> Option<(Step<'_>, &str)> {
    let path = path.strip_prefix('.').unwrap_or(path);
    if let Some(index) = path.strip_prefix('[') {
        let (index, after) = index.split_once(']')?;
        return Some((Step::Index(index.parse().ok()?), after));
    }
    let end = path.find(['.', '[']).unwrap_or(path.len());
    let (key, after) = path.split_at(end);
    (!key.is_empty()).then_some((Step::Key(key), after))
}

/// Offset in `text`, which begins with a JSON value, of one of that value's members.
fn descend(text: &str, step: Step<'_>) -> Option<usize> {
    let mut json = serde_json::Deserializer::from_str(text);
    let inner: &RawValue = match step {
        Step::Key(key) => {
            let members: BTreeMap<String, &RawValue> = serde::Deserialize::deserialize(&mut json).ok()?;
            members.get(key)?
        }
        Step::Index(index) => {
            let members: Vec<&RawValue> = serde::Deserialize::deserialize(&mut json).ok()?;
            members.get(index)?
        }
    };
    // A raw value borrows from the text that it was read from.
    Some(inner.get().as_ptr().addr() - text.as_ptr().addr())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\u{feff}\n{ \"version\": 1,\n  \"fabric\": { \"planes\": 0 },\n  \"traffic\": [ {\"a\": [1, [2, 33]]},\n    {\"bytes\": 5} ] }\n";

    #[test]
    fn finds_values_and_else_what_is_around_them() {
        for (path, expected) in [
            ("version", (2, 14)),
            ("fabric.planes", (3, 25)),
            ("traffic[1].bytes", (5, 15)),
            ("traffic[0].a[1][1]", (4, 30)),
            ("traffic[0].b", (4, 16)),
            ("fabric.queue.trim_bdp", (3, 13)),
            ("traffic[7]", (4, 14)),
            ("nothing", (2, 1)),
            ("", (2, 1)),
            ("]]..[x]", (2, 1)),
        ] {
            assert_eq!(locate(TEXT, path), expected, "{path}");
        }
    }

    #[test]
    fn what_is_no_json_has_no_inner_places() {
        assert_eq!(locate("{\"a\": ", "a"), (1, 1));
        assert_eq!(locate("", "a"), (1, 1));
    }
}
