//! The settings that decide a run: what they are, where they come from, and how one of them is changed.

mod edit;
mod list;
mod rivals;
mod rows;

pub use edit::edit;
pub use list::settings;

use crate::message::Facts;
use scenario::Scenario;

/// What a setting is where the scenario says nothing; none where it has to say something.
pub fn default_of(scenario: &Scenario, facts: &Facts, path: &str) -> Option<String> {
    let without = edit(scenario, path, "").ok()?;
    let groups = settings(&without, facts);
    let mut all = groups.into_iter().flat_map(|group| group.settings);
    let value = all.find(|setting| setting.path == Some(path))?.value;
    Some(if value.is_empty() { "off".into() } else { value })
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_is_what_is_so_where_nothing_is_said() {
        let scenario = scenario::presets()[0].scenario();
        let facts = Facts::default();
        let seeded = edit(&scenario, "transport.nscc.gamma", "0.25").unwrap();
        // UET: 0.8.
        assert_eq!(
            default_of(&seeded, &facts, "transport.nscc.gamma").as_deref(),
            Some("0.8")
        );
        assert_eq!(
            default_of(&scenario, &facts, "clustermapper").as_deref(),
            Some("off")
        );
        assert_eq!(default_of(&scenario, &facts, "fabric.planes"), None);
    }
}
