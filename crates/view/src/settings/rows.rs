//! How rows of the list are made.

use super::{Input, Origin, Setting};
use serde_json::Value;

const ON_OFF: Input = Input::Choice(&[("true", "on"), ("false", "off")]);

/// Makes settings of a scenario, of which it has the JSON: only what the scenario says is in it, beside what it has to say.
pub(super) struct Rows(pub Value);

impl Rows {
    pub fn set(
        &self,
        path: &'static str,
        name: &'static str,
        value: String,
        origin: Origin,
        input: Input,
    ) -> Setting {
        Setting {
            is_given: self.is_given(path),
            path: Some(path),
            name,
            value,
            origin,
            input,
        }
    }

    pub fn text(
        &self,
        path: &'static str,
        name: &'static str,
        value: impl ToString,
        origin: Origin,
    ) -> Setting {
        self.set(path, name, value.to_string(), origin, Input::Text)
    }

    pub fn flag(&self, path: &'static str, name: &'static str, on: bool, origin: Origin) -> Setting {
        self.set(path, name, on.to_string(), origin, ON_OFF)
    }

    fn is_given(&self, path: &str) -> bool {
        let mut at = Some(&self.0);
        for name in path.split('.') {
            at = at.and_then(|at| at.get(name));
        }
        at.is_some()
    }
}
