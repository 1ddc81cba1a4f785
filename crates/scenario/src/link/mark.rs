//! Bookmarks in a link: `&marks=TIME:NAME,TIME:NAME`, as in `&marks=12.5us:first%20drop,40us:repaired`.
//!
//! They are times that somebody marked in the run of a fabric, and no part of the experiment. Of a name all is escaped (RFC 3986
//! §2.1) but what no program has reason to change.

use super::{LinkError, check_length, percent_decoded, read_options, take_apart};
use crate::limits::MAX_TIME;
use crate::quantity::{Time, clip};

/// Bookmarks of a link at most.
pub const MAX_MARKS: usize = 100;
/// Characters of a bookmark's name at most.
pub const MAX_MARK_NAME: usize = 80;

/// A bookmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The time.
    pub at: Time,
    /// Its name: 1 to [`MAX_MARK_NAME`] characters, no control characters or marks of direction, no blanks around it.
    pub name: String,
}

/// A link that has bookmarks; `link` has none. Of those that [`marks`] would not read, none is written.
pub fn with_marks(link: &str, marks: &[Mark]) -> String {
    let fits = |mark: &&Mark| mark.at <= MAX_TIME && is_name(&mark.name);
    let written: Vec<String> = marks
        .iter()
        .filter(fits)
        .take(MAX_MARKS)
        .map(|mark| format!("{}:{}", mark.at.canonical(), escaped(&mark.name)))
        .collect();
    match written.is_empty() {
        true => link.to_owned(),
        false => format!("{link}&marks={}", written.join(",")),
    }
}

/// A link without its bookmarks, else as it is.
pub fn without_marks(link: &str) -> String {
    let parts: Vec<&str> = link
        .split('&')
        .filter(|part| !part.starts_with("marks="))
        .collect();
    parts.join("&")
}

/// The bookmarks of a link of any form; none where it has none.
///
/// # Errors
/// As of [`super::moment`], and [`LinkError::BadMark`], [`LinkError::RepeatedMark`] and [`LinkError::TooManyMarks`].
pub fn marks(link: &str) -> Result<Vec<Mark>, LinkError> {
    check_length(link)?;
    let (_, options) = take_apart(link)?;
    Ok(read_options(options)?.marks.unwrap_or_default())
}

/// Reads what stands after `marks=`, still escaped.
pub(super) fn read(list: &str) -> Result<Vec<Mark>, LinkError> {
    if list.is_empty() {
        return Ok(Vec::new());
    }
    let count = list.split(',').count();
    if count > MAX_MARKS {
        return Err(LinkError::TooManyMarks { count });
    }
    let mut marks: Vec<Mark> = Vec::with_capacity(count);
    for (index, written) in list.split(',').enumerate() {
        let (number, given) = (index + 1, || clip(&percent_decoded(written)));
        let mark = mark(written).ok_or_else(|| LinkError::BadMark {
            number,
            given: given(),
        })?;
        if marks.iter().any(|other| other.at == mark.at) {
            return Err(LinkError::RepeatedMark {
                number,
                given: given(),
            });
        }
        marks.push(mark);
    }
    Ok(marks)
}

fn mark(written: &str) -> Option<Mark> {
    let (at, name) = written.split_once(':')?;
    let at = percent_decoded(at).parse::<Time>().ok()?;
    let name = percent_decoded(name).trim().to_owned();
    (at <= MAX_TIME && is_name(&name)).then_some(Mark { at, name })
}

fn is_name(name: &str) -> bool {
    let length = name.chars().count();
    (1..=MAX_MARK_NAME).contains(&length) && name.trim() == name && !name.contains(is_unseen)
}

/// Control characters, and those that turn the direction of what stands around them (Unicode Bidirectional Algorithm, §2).
fn is_unseen(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// As it stands in a link, in ASCII.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => text.push(char::from(byte)),
            // A full stop as well: at the end of a link, chats take it for that of the sentence.
            other => text += &format!("%{other:02X}"),
        }
    }
    text
}
