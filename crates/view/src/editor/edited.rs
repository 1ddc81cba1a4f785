//! What is edited: the scenario of a fabric, or that of a host.

use scenario::host::HostScenario;
use scenario::{LoadError, Problem, Scenario};
use serde_json::Value;

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
            Edited::Host(scenario) => scenario.to_json_pretty(),
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
