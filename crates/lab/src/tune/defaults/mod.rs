//! What is tuned where the user does not say: what operators set on NICs and switches, in ranges that hold the published values
//! and what follows from them for today's rates. `docs/tuning.md` gives the reason for each.

mod mrc;
mod roce;

use super::parameter::Parameter;
use super::space::{Levels, Space, Start};
use scenario::{Protocol, Scenario};
use serde_json::Value;

/// The space of a scenario's protocol.
///
/// # Errors
/// Says what is wrong when a scenario's own values leave nothing to vary.
pub fn default_space(scenario: &Scenario) -> Result<Space, String> {
    match scenario.transport.protocol {
        Protocol::Roce => roce::space(scenario),
        Protocol::Mrc => mrc::space(scenario),
    }
}

/// Own values beside others, and starting points, by path.
struct Builder {
    parameters: Vec<Parameter>,
    starts: Vec<(String, Vec<(&'static str, Value)>)>,
}

impl Builder {
    fn new() -> Builder {
        Builder {
            parameters: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// A list of values.
    fn list(
        &mut self,
        path: &str,
        own: Value,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<&mut Parameter, String> {
        let parameter = Parameter::list(path, values.into_iter().collect(), own)?;
        self.parameters.push(parameter);
        self.last(path)
    }

    /// A range by ratio, and `known` values that stand in the sources.
    fn range(
        &mut self,
        path: &str,
        own: Value,
        ends: [Value; 2],
        known: &[Value],
    ) -> Result<&mut Parameter, String> {
        let [low, high] = ends;
        let range = Parameter::range(path, &low, &high, true, own.clone())?;
        let values = range.levels.into_iter().chain(known.iter().cloned());
        self.list(path, own, values)
    }

    fn last(&mut self, path: &str) -> Result<&mut Parameter, String> {
        self.parameters
            .last_mut()
            .ok_or_else(|| format!("{path}: no parameter"))
    }

    /// A starting point: the scenario's own values but for these.
    fn start(&mut self, name: impl Into<String>, values: Vec<(&'static str, Value)>) {
        self.starts.push((name.into(), values));
    }

    fn space(self) -> Result<Space, String> {
        let own: Levels = self.parameters.iter().map(|parameter| parameter.own).collect();
        let mut starts = Vec::new();
        for (name, values) in self.starts {
            let mut levels = own.clone();
            for (path, value) in values {
                let found = self.parameters.iter().enumerate().find_map(|(at, parameter)| {
                    (parameter.path == path)
                        .then_some(at)
                        .zip(parameter.level_of(&value))
                });
                let (at, level) = found.ok_or_else(|| format!("{name}: {path} has no level {value}"))?;
                levels[at] = level;
            }
            starts.push(Start { name, levels });
        }
        Ok(Space {
            parameters: self.parameters,
            starts,
        })
    }
}

/// A field's value as the scenario's JSON has it; null for one that is left out.
fn json(value: impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}
