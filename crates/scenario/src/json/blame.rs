//! The way to the value that an error of reading blames, found by the error's line and column.
//!
//! serde_json knows where it was in the text, but not in which field. Readers that keep track of the field
//! (`serde_path_to_error`, with which the tests compare) make every type's code three times as large, and each visitor of the
//! page loads it.

use super::way::Step;
use serde_json::error::Category;

/// The way to what `error` is about. The text may be no JSON behind the place of the error.
pub(super) fn way(text: &str, error: &serde_json::Error) -> Vec<Step> {
    let read = offset(text, error);
    // What is no JSON has been looked at, but not read.
    let looked_at = usize::from(error.classify() == Category::Syntax);
    let mut walk = Walk::default();
    walk.over(&text.as_bytes()[..read.saturating_sub(looked_at)]);
    let reason = error.to_string();
    match error.classify() {
        Category::Data => walk.blamed(&reason, text.as_bytes().get(read)),
        _ => walk.broken_off(&reason),
    }
}

/// How many bytes had been read.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let line = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    (line + error.column()).min(text.len())
}

/// An object or a list that is not closed yet.
enum Open {
    /// With the name that was read last, if a value is awaited, being read or just over.
    Object(Option<String>),
    /// With the place of the element that is awaited, being read or just over.
    List(usize),
}

/// What was read last.
#[derive(Clone, Copy, Default, PartialEq)]
enum Last {
    /// A colon, or nothing.
    #[default]
    Before,
    /// How an object or a list begins.
    Begin,
    /// The name of a field.
    Name,
    /// A whole value.
    Value,
    /// A comma of a list.
    Comma,
}

#[derive(Default)]
struct Walk {
    open: Vec<Open>,
    // What the last value was, if it is an object or list with something in it.
    closed: Option<Open>,
    last: Last,
}

impl Walk {
    fn over(&mut self, text: &[u8]) {
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            let end = match byte {
                b'"' => string_end(text, at),
                _ if is_word(byte) => at + text[at..].iter().take_while(|&&byte| is_word(byte)).count(),
                _ => at + 1,
            };
            self.token(&text[at..end.min(text.len())]);
            at = end;
        }
    }

    fn token(&mut self, token: &[u8]) {
        match token[0] {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'{' => self.begin(Open::Object(None)),
            b'[' => self.begin(Open::List(0)),
            b'}' | b']' => {
                self.closed = self.open.pop().filter(|_| self.last != Last::Begin);
                self.last = Last::Value;
            }
            b':' => self.last = Last::Before,
            b',' => match self.open.last_mut() {
                Some(Open::Object(name)) => {
                    *name = None;
                    self.last = Last::Before;
                }
                Some(Open::List(index)) => {
                    *index += 1;
                    self.last = Last::Comma;
                }
                None => {}
            },
            _ => match self.open.last_mut() {
                Some(Open::Object(name @ None)) => {
                    *name = serde_json::from_slice(token).ok();
                    self.last = Last::Name;
                }
                _ => {
                    self.closed = None;
                    self.last = Last::Value;
                }
            },
        }
    }

    fn begin(&mut self, open: Open) {
        self.open.push(open);
        self.last = Last::Begin;
    }

    /// The way to what is being read; an object's where a name is awaited.
    fn at_hand(self) -> Vec<Step> {
        self.open
            .into_iter()
            .filter_map(|open| match open {
                Open::Object(name) => name.map(Step::Field),
                Open::List(index) => Some(Step::Item(index)),
            })
            .collect()
    }

    /// The way to where the text is no JSON any more.
    fn broken_off(mut self, reason: &str) -> Vec<Step> {
        let is_one_of = |reasons: &[&str]| reasons.iter().any(|known| reason.starts_with(known));
        match self.open.last_mut() {
            // Something else stands behind a value or a name, or nothing.
            Some(Open::Object(name))
                if is_one_of(&["expected `,`", "expected `:`", "EOF while parsing an object"]) =>
            {
                *name = None;
            }
            Some(Open::List(_))
                if is_one_of(&["expected `,`", "trailing c", "EOF while parsing a list"])
                    || self.last == Last::Comma && is_one_of(&["EOF while parsing a value"]) =>
            {
                self.open.pop();
            }
            _ => {}
        }
        self.at_hand()
    }

    /// The way to what cannot be used, though it is JSON: the value or name that was read last.
    ///
    /// `next` is the byte behind that.
    fn blamed(mut self, reason: &str, next: Option<&u8>) -> Vec<Step> {
        // Whether it is how a value begins: an object or a list stands where neither may. What is wrong in an object that is read
        // as a whole sounds alike; a list of objects has an object again.
        let begins = match &self.closed {
            Some(Open::Object(_)) => reason.starts_with("invalid type: sequence, expected internally tagged"),
            _ => ["map", "sequence"].iter().any(|what| {
                reason
                    .strip_prefix("invalid type: ")
                    .is_some_and(|rest| rest.starts_with(what))
            }),
        };
        // A number or a text was expected, and it is known that this is none once it has begun, or just before.
        let begun = match self.open.last() {
            Some(Open::Object(_)) => reason.starts_with("invalid type: map") && next != Some(&b'{'),
            Some(Open::List(_)) => reason.starts_with("invalid type: sequence") && next != Some(&b'['),
            None => false,
        };
        if self.last == Last::Begin && begun {
            self.open.pop();
        }
        // What is wrong with the last element of a list as a whole is said behind the list; likewise with a name that no value
        // follows.
        let was_within = match &self.closed {
            Some(Open::List(_)) => !reason.starts_with("invalid length"),
            Some(Open::Object(name)) => name
                .as_ref()
                .is_some_and(|name| reason.starts_with(&format!("unknown field `{name}`"))),
            None => false,
        };
        if self.last == Last::Value && was_within {
            self.open.extend(self.closed.take());
        }
        match (self.last, self.open.last_mut()) {
            // And with another element, behind the comma, unless it is how the next one begins.
            (Last::Comma, Some(Open::List(index))) if !begins => *index -= 1,
            // It is the object that has the same field twice, or stands for a word.
            (Last::Name, Some(Open::Object(name)))
                if ["duplicate field", "unknown variant"]
                    .iter()
                    .any(|what| reason.starts_with(what)) =>
            {
                *name = None;
            }
            _ => {}
        }
        self.at_hand()
    }
}

/// Whether a byte belongs to a number, `true`, `false` or `null`, or what somebody wrote instead.
fn is_word(byte: u8) -> bool {
    !matches!(
        byte,
        b' ' | b'\t' | b'\n' | b'\r' | b'{' | b'}' | b'[' | b']' | b':' | b',' | b'"'
    )
}

/// The end of the string that begins at `at`, or of the text.
fn string_end(text: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(&byte) = text.get(end) {
        match byte {
            b'"' => return end + 1,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{HostScenario, host_presets};
    use crate::json::way::path;
    use crate::{Scenario, presets};
    use proptest::prelude::*;
    use serde::Deserialize;

    /// The way by line and column beside the one that is kept track of.
    fn ways<'de, T: Deserialize<'de>>(text: &'de str) -> Option<(String, String, String)> {
        let mut json = serde_json::Deserializer::from_str(text);
        let error = serde_path_to_error::deserialize::<_, T>(&mut json).err()?;
        let tidy = |path: String| path.trim_end_matches('?').trim_end_matches('.').to_owned();
        Some((
            tidy(path(&way(text, error.inner()))),
            tidy(error.path().to_string()),
            error.inner().to_string(),
        ))
    }

    fn check(text: &str, is_host: bool) {
        let both = if is_host {
            ways::<HostScenario>(text)
        } else {
            ways::<Scenario>(text)
        };
        if let Some((found, tracked, error)) = both {
            assert_eq!(found, tracked, "{error}\n{text}");
        }
    }

    const VALUES: [&str; 14] = [
        "null",
        "true",
        "-1",
        "1e3",
        "1.5",
        "99999999999",
        "\"\"",
        "\"12us\"",
        "\"nope\"",
        "[]",
        "[ 1 , 2 ]",
        "{}",
        "{ \"a\": 1 }",
        "[{\"kind\": \"x\"}]",
    ];
    const PIECES: [&str; 9] = ["{", "}", "[", "]", ",", ":", "\"", "x", " "];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3_000) })]
        /// A preset with one value replaced, a piece put in, a stretch cut out or the end cut off.
        #[test]
        fn the_place_tells_the_field(
            which in any::<prop::sample::Index>(),
            at in any::<prop::sample::Index>(),
            change in 0..5,
            with in any::<prop::sample::Index>(),
            compact: bool,
        ) {
            let fabric: Vec<_> = presets().iter().map(|preset| (preset.json, false)).collect();
            let hosts = host_presets().iter().map(|preset| (preset.json, true));
            let all: Vec<_> = fabric.into_iter().chain(hosts).filter(|(text, _)| text.len() < 20_000).collect();
            let (text, is_host) = *which.get(&all);
            let mut text = match (compact, is_host) {
                (false, _) => text.to_owned(),
                (true, false) => Scenario::from_json(text).unwrap().to_json_compact(),
                (true, true) => HostScenario::from_json(text).unwrap().to_json_compact(),
            };
            // Each character as one byte, so that any place will do.
            text.retain(|character| character.is_ascii());
            let place = at.index(text.len());
            match change {
                0 => text.insert_str(place, with.get::<&str>(&PIECES)),
                1 => text.truncate(place),
                2 => {
                    let end = (place + 1 + with.index(12)).min(text.len());
                    text.replace_range(place..end, "");
                }
                3 => {
                    // A field more.
                    let Some(name) = text[place..].find(['{', ',']) else { return Ok(()) };
                    text.insert_str(place + name + 1, "\"more\": 1,");
                }
                _ => {
                    let Some(start) = text[place..].find([':', '[']) else { return Ok(()) };
                    let start = place + start + 1;
                    let length = text[start..].find([',', '}', ']', '\n']).unwrap_or(0);
                    text.replace_range(start..start + length, with.get::<&str>(&VALUES));
                }
            }
            check(&text, is_host);
        }
    }
}
