//! The elements of a scenario's lists as rows of a form.

use super::change::length;
use super::edited::Edited;
use super::fields::{Field, FieldInput, Kind, List};
use crate::{host, words};
use scenario::{Bytes, Time};
use serde_json::Value;

/// An element.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its kind.
    pub kind: &'static Kind,
    /// What it does, in a few words.
    pub title: String,
    /// Its fields.
    pub fields: Vec<FieldView>,
}

/// A field of an element.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldView {
    /// Where it is, such as `traffic[0].bytes`.
    pub path: String,
    /// The name for people.
    pub label: &'static str,
    /// Unit, range, and what it means.
    pub help: &'static str,
    /// How it is filled in.
    pub input: FieldInput,
    /// What it is; empty where nothing is said and nothing stands for that.
    pub value: String,
    /// What it is where nothing is said; none where something has to be.
    pub default: Option<&'static str>,
}

/// The first elements of a list, at most so many, and how many there are.
pub fn entries(scenario: &Edited, list: List, most: usize) -> (Vec<Entry>, usize) {
    let count = length(scenario, list);
    let entries = (0..count.min(most)).filter_map(|index| {
        let (json, title) = match (scenario, list) {
            (Edited::Fabric(scenario), List::Faults) => {
                let fault = &scenario.faults[index];
                let title = format!("{}: {}", fault.at, words::fault(&fault.what));
                (serde_json::to_value(fault), Some(title))
            }
            (Edited::Fabric(scenario), _) => (serde_json::to_value(&scenario.traffic[index]), None),
            (Edited::Host(scenario), List::Vms) => (
                serde_json::to_value(&scenario.vms[index]),
                Some(format!("VM {index}")),
            ),
            (Edited::Host(scenario), List::Events) => {
                let event = &scenario.events[index];
                let title = format!("{}: {}", event.at(), host::servicing::words(event));
                (serde_json::to_value(event), Some(title))
            }
            (Edited::Host(scenario), _) => {
                let traffic = &scenario.traffic[index];
                (
                    serde_json::to_value(traffic),
                    Some(host::traffic::name(index, traffic)),
                )
            }
        };
        entry(list, index, &json.ok()?, title)
    });
    (entries.collect(), count)
}

fn entry(list: List, index: usize, json: &Value, title: Option<String>) -> Option<Entry> {
    let kind = list.kind_of(json)?;
    Some(Entry {
        kind,
        title: title.unwrap_or_else(|| kind.label.into()),
        fields: kind
            .fields
            .iter()
            .map(|field| FieldView {
                path: format!("{}[{index}].{}", list.name(), field.name),
                label: field.label,
                help: field.help,
                input: field.input,
                value: shown(
                    field,
                    field.name.split('.').try_fold(json, |json, name| json.get(name)),
                ),
                default: field.default,
            })
            .collect(),
    })
}

fn shown(field: &Field, value: Option<&Value>) -> String {
    match (value, field.input) {
        (None, _) => field.default.unwrap_or_default().into(),
        (Some(Value::String(text)), FieldInput::Time) => text
            .parse::<Time>()
            .map_or_else(|_| text.clone(), |time| time.to_string()),
        (Some(Value::String(text)), FieldInput::Bytes) => text
            .parse::<Bytes>()
            .map_or_else(|_| text.clone(), |bytes| bytes.to_string()),
        (Some(Value::String(text)), _) => text.clone(),
        (Some(Value::Array(items)), _) => {
            let noun = if matches!(field.name, "policy.nsg" | "add") {
                "rule"
            } else {
                "flow"
            };
            match items.len() {
                1 => format!("1 {noun}, in the text"),
                count => format!("{count} {noun}s, in the text"),
            }
        }
        // As people write them: 500, not 500.0.
        (Some(Value::Number(number)), _) if number.is_f64() => number
            .as_f64()
            .map_or_else(|| number.to_string(), |number| number.to_string()),
        (Some(other), _) => other.to_string(),
    }
}
