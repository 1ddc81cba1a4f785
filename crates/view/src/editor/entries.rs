//! The elements of a scenario's lists as rows of a form.

use super::fields::{Field, FieldInput, Kind, List};
use crate::words;
use scenario::{Bytes, Scenario, Time};
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
pub fn entries(scenario: &Scenario, list: List, most: usize) -> (Vec<Entry>, usize) {
    let count = match list {
        List::Traffic => scenario.traffic.len(),
        List::Faults => scenario.faults.len(),
    };
    let entries = (0..count.min(most)).filter_map(|index| {
        let (json, title) = match list {
            List::Traffic => (serde_json::to_value(&scenario.traffic[index]), None),
            List::Faults => {
                let fault = &scenario.faults[index];
                let title = format!("{}: {}", fault.at, words::fault(&fault.what));
                (serde_json::to_value(fault), Some(title))
            }
        };
        entry(list, index, &json.ok()?, title)
    });
    (entries.collect(), count)
}

fn entry(list: List, index: usize, json: &Value, title: Option<String>) -> Option<Entry> {
    let kind = list.kind(json.get("kind")?.as_str()?)?;
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
                value: shown(field, json.get(field.name)),
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
        (Some(Value::Array(items)), _) => match items.len() {
            1 => "1 flow, in the text".into(),
            count => format!("{count} flows, in the text"),
        },
        (Some(other), _) => other.to_string(),
    }
}
