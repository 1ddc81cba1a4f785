//! What is edited: the scenario of a fabric, or that of a host.

use scenario::host::HostScenario;
use scenario::{LoadError, Problem, Scenario};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// Fields that come first, in this order, where a text is written anew: what a thing is before how it is.
const FIRST: [&str; 12] = [
    "version", "name", "about", "seed", "until", "host", "vms", "traffic", "events", "kind", "at", "vm",
];

/// A value with its fields in an order for people; that of a map is by the alphabet.
struct InOrder<'a>(&'a Value);

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(fields) => {
                let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
                // Those that are not among the first stay by the alphabet.
                fields.sort_by_key(|(name, _)| {
                    FIRST
                        .iter()
                        .position(|first| first == name)
                        .unwrap_or(FIRST.len())
                });
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    map.serialize_entry(name, &InOrder(value))?;
                }
                map.end()
            }
            Value::Array(items) => serializer.collect_seq(items.iter().map(InOrder)),
            other => other.serialize(serializer),
        }
    }
}

/// A scenario of either kind.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "there are two of them, and they are compared and not moved about"
)]
pub enum Edited {
    /// A fabric's.
    Fabric(Scenario),
    /// A host's.
    Host(HostScenario),
}

impl From<Scenario> for Edited {
    fn from(scenario: Scenario) -> Edited {
        Edited::Fabric(scenario)
    }
}

impl From<HostScenario> for Edited {
    fn from(scenario: HostScenario) -> Edited {
        Edited::Host(scenario)
    }
}

impl Edited {
    /// Reads a text as the scenario of a host, or of a fabric.
    ///
    /// # Errors
    /// The first thing that is wrong with its form.
    pub fn read(text: &str, of_host: bool) -> Result<Edited, LoadError> {
        if of_host {
            HostScenario::from_json(text).map(Edited::Host)
        } else {
            Scenario::from_json(text).map(Edited::Fabric)
        }
    }

    /// Whether it is a host's.
    pub const fn is_of_host(&self) -> bool {
        matches!(self, Edited::Host(_))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Edited::Fabric(scenario) => &scenario.name,
            Edited::Host(scenario) => &scenario.name,
        }
    }

    /// Whether its values make sense.
    ///
    /// # Errors
    /// All that is wrong with them.
    pub fn validate(&self) -> Result<(), Vec<Problem>> {
        match self {
            Edited::Fabric(scenario) => scenario.validate(),
            Edited::Host(scenario) => scenario.validate(),
        }
    }

    /// For people, without what has its default.
    pub fn to_json_pretty(&self) -> String {
        match self {
            Edited::Fabric(scenario) => scenario.to_json_pretty(),
            Edited::Host(_) => serde_json::to_string_pretty(&InOrder(&self.value()))
                .expect("a scenario has no value that JSON cannot hold"),
        }
    }

    /// Its fields, without what has its default.
    pub(super) fn value(&self) -> Value {
        let value = match self {
            Edited::Fabric(scenario) => serde_json::to_value(scenario),
            Edited::Host(scenario) => serde_json::from_str(&scenario.to_json_compact()),
        };
        value.expect("a scenario has no value that JSON cannot hold")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::host::host_presets;

    #[test]
    fn a_host_s_text_begins_with_what_it_is_and_says_the_same() {
        for preset in host_presets() {
            let edited = Edited::Host(preset.scenario());
            let text = edited.to_json_pretty();
            assert_eq!(Edited::read(&text, true), Ok(edited), "{text}");
            let places: Vec<usize> = ["version", "name", "until", "host", "vms", "traffic"]
                .iter()
                .map(|name| text.find(&format!("\n  \"{name}\":")).expect(name))
                .collect();
            assert!(places.is_sorted(), "{text}");
            assert!(text.contains("{\n      \"kind\":"), "{text}");
        }
    }
}
