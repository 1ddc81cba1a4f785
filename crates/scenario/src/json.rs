//! Scenarios as JSON text.

mod blame;
mod culprit;
mod lists;
mod way;

use crate::limits::MAX_TEXT_BYTES;
use crate::schema::{Fault, Scenario, VERSION};
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::ser::{Formatter, PrettyFormatter};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::{fmt, io};
use way::Step;

/// Why a text is no scenario.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The text is larger than [`MAX_TEXT_BYTES`].
    #[error("the scenario has {bytes} bytes; at most {MAX_TEXT_BYTES} are read")]
    TooLarge {
        /// Size of the text.
        bytes: usize,
    },
    /// There is no schema version.
    #[error("the scenario has no \"version\"; expected \"version\": {VERSION}")]
    NoVersion,
    /// The scenario was written for a newer schema.
    #[error(
        "the scenario has version {found}, but this Flowglass reads version {VERSION}: a newer Flowglass is needed"
    )]
    NewerVersion {
        /// The version given.
        found: u64,
    },
    /// No version has this number.
    #[error("the scenario has version {found}; the first version is 1")]
    BadVersion {
        /// The version given.
        found: u64,
    },
    /// The text is no JSON, or a field is unknown, missing or has no valid value.
    #[error("{}line {line}, column {column}: {reason}", path_prefix(.path))]
    Field {
        /// JSON path of the field, such as `traffic[3].bytes`; empty where the text as a whole is meant.
        path: String,
        /// Line, from 1.
        line: usize,
        /// Column in bytes, from 1.
        column: usize,
        /// What was given and what was expected.
        reason: String,
    },
}

fn path_prefix(path: &str) -> String {
    if path.is_empty() {
        String::new()
    } else {
        format!("{path}: ")
    }
}

impl LoadError {
    fn from_json(path: String, error: &serde_json::Error) -> Self {
        let text = error.to_string();
        // The place is reported in fields of its own.
        let reason = text.rfind(" at line ").map_or(text.as_str(), |end| &text[..end]);
        // The end of the path is `?` where the text breaks off before a name, and the whole of it `.` where there is none.
        let path = path.trim_end_matches('?').trim_end_matches('.');
        Self::Field {
            path: clip(path, MAX_PATH_CHARS),
            line: error.line(),
            column: error.column(),
            reason: clip(&in_words(reason), MAX_REASON_CHARS),
        }
    }
}

/// Characters of a path in a message: longer than that of any field there is.
const MAX_PATH_CHARS: usize = 100;
/// Characters of a reason: enough for all names that a message may list.
const MAX_REASON_CHARS: usize = 1_000;

/// At most the first `most` characters: a name in a text may be as long as the text.
fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The same, without the names of types and data structures of ours, which mean nothing to who wrote the text.
fn in_words(reason: &str) -> String {
    let Some((given, expected)) = reason.rsplit_once(", expected ") else {
        return reason.to_owned();
    };
    let expected = match expected {
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" => "a whole number from 0 to 18446744073709551615",
        "f64" => "a number",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        form if form.starts_with("struct ") => "an object",
        form if form.starts_with("internally tagged enum ") => "an object with a \"kind\"",
        other => other,
    };
    let given = match given {
        "invalid type: map" => "invalid type: an object",
        "invalid type: sequence" => "invalid type: a list",
        other => other,
    };
    // Such as 1e3, which is a whole number to who wrote it.
    let exactly = given.starts_with("invalid type: floating point")
        && given.ends_with(".0`")
        && expected.starts_with("a whole number");
    let hint = if exactly {
        ", without a point or an exponent"
    } else {
        ""
    };
    format!("{given}, expected {expected}{hint}")
}

/// Reads the version and nothing else, so that a newer scenario is recognised whatever its other fields are.
struct VersionOnly(Option<u64>);

impl<'de> Deserialize<'de> for VersionOnly {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = VersionOnly;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a scenario, which is a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<VersionOnly, A::Error> {
                let mut version = None;
                while let Some(key) = map.next_key::<Cow<'de, str>>()? {
                    if key == "version" {
                        version = Some(map.next_value()?);
                    } else {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                Ok(VersionOnly(version))
            }
        }
        json.deserialize_map(Fields)
    }
}

/// Reads the whole text as one value.
pub(crate) fn read<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, LoadError> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(&mut json)
        .map_err(|error| LoadError::from_json(way::path(&blame::way(text, &error)), &error))?;
    json.end().map_err(|e| LoadError::from_json(String::new(), &e))?;
    Ok(value)
}

/// Bytes of a text up to which its shape is compared with what was read; our choice. Longer ones are lists of flows that programs
/// have written, and as trees would take more memory than a browser tab has.
const MAX_COMPARED: usize = 4 << 20;

/// The same, with objects as objects only.
pub(crate) fn read_objects<T: Serialize + DeserializeOwned>(text: &str) -> Result<T, LoadError> {
    let value: T = read(text)?;
    if text.len() > MAX_COMPARED {
        return Ok(value);
    }
    let both = (
        serde_json::from_str(text),
        // An empty list is read as an object of defaults, which would not be written otherwise.
        crate::defaults::written(|| serde_json::to_value(&value)),
    );
    let (Ok(given), Ok(own)) = both else {
        return Ok(value);
    };
    match lists::read_as_object(&given, &own) {
        None => Ok(value),
        Some(way) => Err(at_way(text, &way, "invalid type: a list, expected an object")),
    }
}

/// An error at the end of this way through the text.
fn at_way(text: &str, way: &[Step], reason: &str) -> LoadError {
    let path = way::path(way);
    match way::error_at(text, way, reason) {
        Some(error) => LoadError::from_json(path, &error),
        None => LoadError::Field {
            path: clip(&path, MAX_PATH_CHARS),
            line: 1,
            column: 1,
            reason: clip(reason, MAX_REASON_CHARS),
        },
    }
}

/// The error with the way to the field that is to blame, if it is about an element of `list`, which is a `T`.
pub(crate) fn to_the_field<T: DeserializeOwned>(error: LoadError, text: &str, list: &str) -> LoadError {
    let LoadError::Field { path, reason, .. } = &error else {
        return error;
    };
    let index = path
        .strip_prefix(list)
        .and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']')?.parse().ok());
    let (Some(index), Ok(whole)) = (index, serde_json::from_str::<Value>(text)) else {
        return error;
    };
    let Some(element) = whole.get(list).and_then(|items| items.get::<usize>(index)) else {
        return error;
    };
    let mut way = vec![Step::Field(list.to_owned()), Step::Item(index)];
    way.extend(culprit::culprit::<T>(element));
    at_way(text, &way, reason)
}

pub(crate) fn check_version(text: &str) -> Result<(), LoadError> {
    let VersionOnly(version) = read(text)?;
    let found = version.ok_or(LoadError::NoVersion)?;
    match found.cmp(&u64::from(VERSION)) {
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(LoadError::NewerVersion { found }),
        Ordering::Less => Err(LoadError::BadVersion { found }),
    }
}

impl Scenario {
    /// Reads a scenario. A byte order mark at the start is skipped.
    ///
    /// The result has the right form; [`Scenario::validate`] says whether its values make sense.
    ///
    /// # Errors
    /// The first thing that is wrong, with its field, line and column. Unknown fields are refused by name.
    pub fn from_json(text: &str) -> Result<Self, LoadError> {
        if text.len() > MAX_TEXT_BYTES {
            return Err(LoadError::TooLarge { bytes: text.len() });
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        check_version(text)?;
        read_objects(text)
    }

    /// One line without superfluous space. Fields that have their default are left out.
    pub fn to_json_compact(&self) -> String {
        write(self, serde_json::ser::CompactFormatter)
    }

    /// As a value, in which fields stand that have their default, too, so that scenarios can be compared field by field. What is
    /// optional and not there is left out.
    pub fn to_json_with_defaults(&self) -> Value {
        // No map in a scenario has keys that are no text, so this never is null.
        crate::defaults::written(|| serde_json::to_value(self)).unwrap_or(Value::Null)
    }

    /// For people: indented by two spaces, with each flow of a list on one line.
    pub fn to_json_pretty(&self) -> String {
        write(self, Pretty::default())
    }
}

impl Fault {
    /// Reads one element of a scenario's `faults`.
    ///
    /// # Errors
    /// The first thing that is wrong, with its field, line and column.
    pub fn from_json(text: &str) -> Result<Self, LoadError> {
        read(text)
    }
}

pub(crate) fn write(scenario: &impl Serialize, formatter: impl Formatter) -> String {
    let mut bytes = Vec::new();
    let mut json = serde_json::Serializer::with_formatter(&mut bytes, formatter);
    scenario
        .serialize(&mut json)
        .expect("a scenario has no value that JSON cannot hold, and a Vec takes all");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// Pretty, but an array inside an array stays on one line.
#[derive(Default)]
pub(crate) struct Pretty {
    inner: PrettyFormatter<'static>,
    /// For each open container: is it an array?
    open: Vec<bool>,
    /// How many containers were open when the one-line array began.
    one_line_from: Option<usize>,
}

impl Pretty {
    fn one_line(&self) -> bool {
        self.one_line_from.is_some()
    }
}

impl Formatter for Pretty {
    fn begin_array<W: ?Sized + io::Write>(&mut self, w: &mut W) -> io::Result<()> {
        if !self.one_line() && self.open.last() == Some(&true) {
            self.one_line_from = Some(self.open.len());
        }
        self.open.push(true);
        if self.one_line() {
            w.write_all(b"[")
        } else {
            self.inner.begin_array(w)
        }
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.open.pop();
        if self.one_line() {
            if self.one_line_from == Some(self.open.len()) {
                self.one_line_from = None;
            }
            return w.write_all(b"]");
        }
        self.inner.end_array(w)
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        if self.one_line() {
            return if first { Ok(()) } else { w.write_all(b", ") };
        }
        self.inner.begin_array_value(w, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, w: &mut W) -> io::Result<()> {
        if self.one_line() {
            Ok(())
        } else {
            self.inner.end_array_value(w)
        }
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.open.push(false);
        self.inner.begin_object(w)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.open.pop();
        self.inner.end_object(w)
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        self.inner.begin_object_key(w, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.inner.begin_object_value(w)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.inner.end_object_value(w)
    }
}
