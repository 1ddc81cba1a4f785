//! What was found on the way: problems, which stop the import, and notes, which do not.

use crate::place::Place;
use std::collections::BTreeMap;
use std::fmt;

/// Notes that are kept; more are counted (our choice).
pub const MAX_NOTES: usize = 1_000;

/// Notes about what says nothing about packets that are kept; more are counted (our choice).
pub const MAX_MINOR_NOTES: usize = 100;

/// Problems that are kept; more are counted (our choice).
pub const MAX_PROBLEMS: usize = 20;

/// Something in the input that is not used, or not as it stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where: a JSON path such as `securityRules[2].protocol`, or `packet 17`. Of several alike, the first.
    pub place: String,
    /// What is there.
    pub what: String,
    /// Why it is not used, or what is taken instead.
    pub why: String,
    /// How many there are like this, 1 or more.
    pub count: u64,
    /// Whether it says nothing about packets, so that nothing is missing without it. Such notes come last.
    pub minor: bool,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place)?;
        if self.count > 1 {
            write!(f, " and {} more", self.count - 1)?;
        }
        write!(f, ": {}: {}", self.what, self.why)
    }
}

/// Something that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where: a JSON path, or empty for the whole input. In the last of a list that was cut after [`MAX_PROBLEMS`] the reason
    /// says how many more there are.
    pub place: String,
    /// What is there and what was expected.
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.reason)
    }
}

/// Says that a problem has been reported and that what it concerns cannot be built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

/// Notes and problems as they are found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    notes: Vec<Note>,
    minor: Vec<Note>,
    /// Where in `notes` or `minor` what and why are.
    alike: BTreeMap<(bool, String, String), usize>,
    unlisted: u64,
    problems: Vec<Problem>,
    more: usize,
}

impl Report {
    /// Adds a note, or counts it with one that says the same of another place.
    pub(crate) fn note(&mut self, place: impl fmt::Display, what: impl Into<String>, why: impl Into<String>) {
        self.add(false, place, what.into(), why.into());
    }

    /// The same about something that says nothing about packets.
    pub(crate) fn minor(
        &mut self,
        place: impl fmt::Display,
        what: impl Into<String>,
        why: impl Into<String>,
    ) {
        self.add(true, place, what.into(), why.into());
    }

    fn add(&mut self, minor: bool, place: impl fmt::Display, what: String, why: String) {
        let (notes, most) = match minor {
            true => (&mut self.minor, MAX_MINOR_NOTES),
            false => (&mut self.notes, MAX_NOTES),
        };
        let key = (minor, what, why);
        if let Some(note) = self.alike.get(&key).and_then(|&at| notes.get_mut(at)) {
            note.count += 1;
        } else if notes.len() < most {
            self.alike.insert(key.clone(), notes.len());
            let place = place.to_string();
            notes.push(Note {
                place: if place.is_empty() {
                    "the input".into()
                } else {
                    place
                },
                what: key.1,
                why: key.2,
                count: 1,
                minor,
            });
        } else {
            self.unlisted += 1;
        }
    }

    /// Adds a problem.
    pub(crate) fn problem(&mut self, place: &Place<'_>, reason: impl Into<String>) -> Reported {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem {
                place: place.to_string(),
                reason: reason.into(),
            });
        } else {
            self.more += 1;
        }
        Reported
    }

    /// Whether there is a problem so far.
    pub(crate) fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    /// The notes, if there is no problem.
    pub(crate) fn finish(mut self) -> Result<Vec<Note>, Vec<Problem>> {
        if self.problems.is_empty() {
            self.notes.append(&mut self.minor);
            if self.unlisted > 0 {
                self.notes.push(Note {
                    place: "the input".into(),
                    what: "more notes".into(),
                    why: format!("only the first {MAX_NOTES} are listed, and {MAX_MINOR_NOTES} that say nothing about packets"),
                    count: self.unlisted,
                    minor: true,
                });
            }
            return Ok(self.notes);
        }
        if self.more > 0 {
            self.problems.push(Problem {
                place: String::new(),
                reason: format!("{} more problems are not listed", self.more),
            });
        }
        Err(self.problems)
    }
}
