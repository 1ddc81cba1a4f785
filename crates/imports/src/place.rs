//! A value and where it stands, with the readers that say what they expected.

use crate::node::Node;
use crate::report::{Report, Reported};
use std::cell::RefCell;
use std::fmt;
use std::ops::RangeInclusive;

/// The way from the root to a value; written as a JSON path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'a> {
    Root,
    Field(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Place::Root => Ok(()),
            Place::Field(Place::Root, name) => f.write_str(&crate::node::clip(name)),
            Place::Field(parent, name) => write!(f, "{parent}.{}", crate::node::clip(name)),
            Place::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// A value at its place.
#[derive(Clone, Copy)]
pub(crate) struct At<'a, 'p> {
    pub(crate) node: &'a Node,
    pub(crate) place: &'p Place<'p>,
}

impl<'a, 'p> At<'a, 'p> {
    pub(crate) fn new(node: &'a Node, place: &'p Place<'p>) -> At<'a, 'p> {
        At { node, place }
    }

    /// Reports that the value is not what was expected.
    pub(crate) fn expected(&self, report: &mut Report, expected: impl fmt::Display) -> Reported {
        report.problem(self.place, format!("{}, expected {expected}", self.node))
    }

    pub(crate) fn object(&self, report: &mut Report, expected: &str) -> Result<Fields<'a, 'p>, Reported> {
        match self.node {
            Node::Object(fields) => Ok(Fields::new(fields, self.place)),
            _ => Err(self.expected(report, expected)),
        }
    }

    pub(crate) fn list(&self, report: &mut Report, expected: &str) -> Result<&'a [Node], Reported> {
        match self.node {
            Node::List(items) => Ok(items),
            _ => Err(self.expected(report, expected)),
        }
    }

    pub(crate) fn text(&self, report: &mut Report, expected: &str) -> Result<&'a str, Reported> {
        match self.node {
            Node::Text(text) => Ok(text),
            _ => Err(self.expected(report, expected)),
        }
    }

    /// A whole number, as such or as a text of digits (Azure's and DASH's tools write both).
    pub(crate) fn whole(
        &self,
        report: &mut Report,
        range: RangeInclusive<u64>,
        what: &str,
    ) -> Result<u64, Reported> {
        let number = match self.node {
            Node::Whole(number) => u64::try_from(*number).ok(),
            Node::Text(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
            _ => None,
        };
        let number = number.filter(|number| range.contains(number));
        number.ok_or_else(|| match (range.start(), range.end()) {
            (only, last) if only == last => self.expected(report, format_args!("{what} {only}")),
            (first, last) => self.expected(report, format_args!("{what} from {first} to {last}")),
        })
    }

    /// True or false, as such or as a text (DASH's tables have texts only).
    pub(crate) fn yes(&self, report: &mut Report) -> Result<bool, Reported> {
        match self.node {
            Node::Bool(value) => Ok(*value),
            Node::Text(text) if text.eq_ignore_ascii_case("true") => Ok(true),
            Node::Text(text) if text.eq_ignore_ascii_case("false") => Ok(false),
            _ => Err(self.expected(report, "true or false")),
        }
    }
}

/// An object whose fields are asked for one by one; what was not asked for is noted in the end.
///
/// Names are compared without regard to case: Azure's tools disagree about it (`securityRules`, `SecurityRules`).
pub(crate) struct Fields<'a, 'p> {
    fields: &'a [(String, Node)],
    place: &'p Place<'p>,
    asked: RefCell<Vec<bool>>,
}

impl<'a, 'p> Fields<'a, 'p> {
    fn new(fields: &'a [(String, Node)], place: &'p Place<'p>) -> Fields<'a, 'p> {
        let asked = RefCell::new(vec![false; fields.len()]);
        Fields { fields, place, asked }
    }

    pub(crate) fn place(&self) -> &'p Place<'p> {
        self.place
    }

    /// A field that is there and not null.
    pub(crate) fn get(&self, name: &str) -> Option<(&'a str, &'a Node)> {
        let at = self
            .fields
            .iter()
            .position(|(given, _)| given.eq_ignore_ascii_case(name))?;
        if let Some(asked) = self.asked.borrow_mut().get_mut(at) {
            *asked = true;
        }
        let (given, node) = self.fields.get(at)?;
        (*node != Node::Null).then_some((given, node))
    }

    /// Notes every field that nobody asked for and that is not empty. `idle` says nothing about packets.
    pub(crate) fn note_rest(&self, report: &mut Report, idle: &[&str]) {
        for ((name, node), asked) in self.fields.iter().zip(self.asked.borrow().iter()) {
            let empty = match node {
                Node::Null => true,
                Node::Text(text) => text.is_empty(),
                Node::List(items) => items.is_empty(),
                Node::Object(fields) => fields.is_empty(),
                _ => false,
            };
            if *asked || empty {
                continue;
            }
            let place = Place::Field(self.place, name);
            let what = format!("{:?} is not used", crate::node::clip(name));
            if idle.iter().any(|idle| idle.eq_ignore_ascii_case(name)) {
                report.minor(place, what, "it says nothing about packets");
            } else {
                report.note(place, what, "this field is not known here, so it has no effect");
            }
        }
    }
}

/// Reads a field that must be there: `field!(fields, "name", report, expected, |at| reading)`.
macro_rules! required {
    ($fields:expr, $name:literal, $report:expr, $expected:expr, |$at:ident| $read:expr) => {
        match $fields.get($name) {
            Some((name, node)) => {
                let place = $crate::place::Place::Field($fields.place(), name);
                let $at = $crate::place::At::new(node, &place);
                $read
            }
            None => Err($report.problem(
                $fields.place(),
                format!(concat!("there is no \"", $name, "\", expected {}"), $expected),
            )),
        }
    };
}

/// Reads a field that may be missing; `None` then.
macro_rules! optional {
    ($fields:expr, $name:expr, |$at:ident| $read:expr) => {
        match $fields.get($name) {
            Some((name, node)) => {
                let place = $crate::place::Place::Field($fields.place(), name);
                let $at = $crate::place::At::new(node, &place);
                Some($read)
            }
            None => None,
        }
    };
}

pub(crate) use {optional, required};
