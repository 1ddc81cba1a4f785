//! Host scenarios as JSON text.

use super::{Host, HostEvent, HostScenario, Traffic, Vm};
use crate::json::{LoadError, Pretty, check_version, read, read_objects, to_the_field, write};
use crate::limits::MAX_TEXT_BYTES;
use serde::Serialize;
use serde_json::Value;

impl HostScenario {
    /// Whether a text means a host rather than a fabric: its top-level object has a field `host`.
    pub fn is_meant_by(text: &str) -> bool {
        text.len() <= MAX_TEXT_BYTES
            && read::<serde_json::Map<String, Value>>(text.trim_start_matches('\u{feff}'))
                .is_ok_and(|fields| fields.contains_key("host"))
    }

    /// Reads a scenario. A byte order mark at the start is skipped. The result has the right form;
    /// [`HostScenario::validate`] says whether its values make sense.
    ///
    /// # Errors
    /// The first thing that is wrong, with its field, line and column. Unknown fields are refused by name.
    pub fn from_json(text: &str) -> Result<HostScenario, LoadError> {
        if text.len() > MAX_TEXT_BYTES {
            return Err(LoadError::TooLarge { bytes: text.len() });
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        check_version(text)?;
        read_objects(text).map_err(|error| {
            let error = to_the_field::<Traffic>(error, text, "traffic");
            to_the_field::<HostEvent>(error, text, "events")
        })
    }

    /// One line without superfluous space. Fields that have their default are left out.
    pub fn to_json_compact(&self) -> String {
        write(&self.short(), serde_json::ser::CompactFormatter)
    }

    /// For people: indented by two spaces. Fields that have their default are left out.
    pub fn to_json_pretty(&self) -> String {
        write(&self.short(), Pretty::default())
    }

    /// The scenario without what has its default.
    fn short(&self) -> Value {
        let mut whole = value(self);
        if let Some(host) = whole.get_mut("host") {
            prune(host, &value(&Host::default()));
        }
        let vm = value(&Vm::default());
        for given in whole
            .get_mut("vms")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            prune(given, &vm);
        }
        whole
    }
}

fn value(of: &impl Serialize) -> Value {
    serde_json::to_value(of).expect("a scenario has no value that JSON cannot hold")
}

/// Takes out of an object, and of the objects in it, each field that is as in `default`.
fn prune(given: &mut Value, default: &Value) {
    let (Value::Object(given), Value::Object(default)) = (given, default) else {
        return;
    };
    given.retain(|name, value| default.get(name) != Some(value));
    for (name, value) in given {
        // What replaces nothing (an option that is none by default) stays whole.
        if let Some(default) = default.get(name) {
            prune(value, default);
        }
    }
}
