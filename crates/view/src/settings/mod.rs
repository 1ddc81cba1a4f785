//! The settings that decide a run: what they are, where they come from, and how one of them is changed.

mod edit;
mod list;
mod rivals;
mod rows;

pub use edit::edit;
pub use list::settings;

/// Settings that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What they are about.
    pub name: &'static str,
    /// The settings.
    pub settings: Vec<Setting>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Where it is in a scenario, such as `transport.rto`; none for what only follows from others.
    pub path: Option<&'static str>,
    /// The name for people.
    pub name: &'static str,
    /// What it is.
    pub value: String,
    /// True when the scenario says so; otherwise it is as it is where nothing is said.
    pub is_given: bool,
    /// Where the value comes from that it has when nothing is said.
    pub origin: Origin,
    /// How it is changed.
    pub input: Input,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// There is none: the scenario has to say it.
    Required,
    /// A source outside of this project.
    Published(&'static str),
    /// Nobody says; this is our choice.
    Chosen(&'static str),
    /// It follows from others.
    Derived(&'static str),
}

/// How a setting is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// It is not: it follows from others.
    Fixed,
    /// As a text.
    Text,
    /// One of several: value in the scenario, name.
    Choice(&'static [(&'static str, &'static str)]),
}
