//! What a form does to a scenario.

use super::fields::{FieldInput, Kind, List, fresh};
use super::path::{Step, steps};
use crate::settings;
use scenario::{Scenario, Time};
use serde_json::{Map, Value};

/// What a form does.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A setting, or a field of an element, becomes what a text says; where that is empty, nothing is said.
    Set {
        /// Such as `transport.rto` or `traffic[0].bytes`.
        path: String,
        /// As it was written.
        text: String,
    },
    /// Another kind of element stands in the place of one; fields that both have stay.
    SetKind(List, usize, String),
    /// An element of a kind is added at the end.
    Add(List, String),
    /// An element is there twice.
    Duplicate(List, usize),
    /// An element goes.
    Remove(List, usize),
    /// An element changes places with the one before it (true) or after it.
    Move(List, usize, bool),
}

/// A change that was not made.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// The field that it was about.
    pub path: String,
    /// Why.
    pub problems: Vec<String>,
}

impl Change {
    /// What it is, for who takes it back.
    pub fn name(&self) -> String {
        let one = |list: &List| match list {
            List::Traffic => "traffic",
            List::Faults => "fault",
        };
        match self {
            Change::Set { path, .. } => path.clone(),
            Change::SetKind(list, ..) => format!("kind of {}", one(list)),
            Change::Add(list, _) => format!("add {}", one(list)),
            Change::Duplicate(list, _) => format!("duplicate {}", one(list)),
            Change::Remove(list, _) => format!("remove {}", one(list)),
            Change::Move(list, ..) => format!("move {}", one(list)),
        }
    }

    /// The path of the field or element that it is about.
    fn path(&self, scenario: &Scenario) -> String {
        match self {
            Change::Set { path, .. } => path.clone(),
            Change::Add(list, _) => format!("{}[{}]", list.name(), length(scenario, *list)),
            Change::SetKind(list, index, _)
            | Change::Duplicate(list, index)
            | Change::Remove(list, index)
            | Change::Move(list, index, _) => format!("{}[{index}]", list.name()),
        }
    }

    /// The scenario with this change.
    ///
    /// # Errors
    /// What is wrong with the value, or what the scenario has against it.
    pub fn apply(&self, scenario: &Scenario) -> Result<Scenario, Refused> {
        self.changed(scenario).map_err(|problems| Refused {
            path: self.path(scenario),
            problems,
        })
    }

    fn changed(&self, scenario: &Scenario) -> Result<Scenario, Vec<String>> {
        let gone = || vec!["it is not there any more".to_owned()];
        if let Change::Set { path, text } = self {
            match path.as_str() {
                "name" | "about" => {
                    let mut changed = scenario.clone();
                    let field = if path == "name" {
                        &mut changed.name
                    } else {
                        &mut changed.about
                    };
                    text.trim().clone_into(field);
                    return valid(changed);
                }
                path if !path.contains('[') => return settings::edit(scenario, path, text),
                _ => {}
            }
        }
        let mut json = serde_json::to_value(scenario).map_err(|error| vec![error.to_string()])?;
        match self {
            Change::Set { path, text } => set(&mut json, path, text.trim()).ok_or_else(gone)?,
            Change::SetKind(list, index, kind) => {
                let kind = list.kind(kind).ok_or_else(gone)?;
                let element = elements(&mut json, *list)
                    .and_then(|all| all.get_mut(*index))
                    .ok_or_else(gone)?;
                *element = with_kind(element, kind, scenario);
            }
            Change::Add(list, kind) => {
                let kind = list.kind(kind).ok_or_else(gone)?;
                let new = fresh(kind, &scenario.fabric, &middle(scenario));
                elements(&mut json, *list).ok_or_else(gone)?.push(new);
            }
            Change::Duplicate(list, index) => {
                let all = elements(&mut json, *list).ok_or_else(gone)?;
                let mut twin = all.get(*index).cloned().ok_or_else(gone)?;
                // Two flows can't have one number.
                if let Some(fields) = twin.as_object_mut() {
                    fields.remove("id");
                }
                all.insert(index + 1, twin);
            }
            Change::Remove(list, index) => {
                let all = elements(&mut json, *list)
                    .filter(|all| *index < all.len())
                    .ok_or_else(gone)?;
                all.remove(*index);
            }
            Change::Move(list, index, before) => {
                let all = elements(&mut json, *list).ok_or_else(gone)?;
                let first = if *before {
                    index.checked_sub(1)
                } else {
                    Some(*index)
                };
                let first = first.filter(|first| first + 1 < all.len()).ok_or_else(gone)?;
                all.swap(first, first + 1);
            }
        }
        valid(Scenario::from_json(&json.to_string()).map_err(|error| vec![plain(&error)])?)
    }
}

/// An error without its line and column, which are those of no text that anybody sees.
fn plain(error: &scenario::LoadError) -> String {
    match error {
        scenario::LoadError::Field { reason, .. } => reason.clone(),
        other => other.to_string(),
    }
}

fn valid(scenario: Scenario) -> Result<Scenario, Vec<String>> {
    match scenario.validate() {
        Ok(()) => Ok(scenario),
        Err(problems) => Err(problems.iter().map(ToString::to_string).collect()),
    }
}

fn length(scenario: &Scenario, list: List) -> usize {
    match list {
        List::Traffic => scenario.traffic.len(),
        List::Faults => scenario.faults.len(),
    }
}

fn elements(json: &mut Value, list: List) -> Option<&mut Vec<Value>> {
    let fields = json.as_object_mut()?;
    fields
        .entry(list.name())
        .or_insert_with(|| Value::Array(Vec::new()))
        .as_array_mut()
}

/// The middle of the run, when something may well break.
fn middle(scenario: &Scenario) -> String {
    Time(scenario.until.0 / 2).canonical()
}

fn with_kind(element: &Value, kind: &Kind, scenario: &Scenario) -> Value {
    let at = element
        .get("at")
        .and_then(Value::as_str)
        .map_or_else(|| middle(scenario), str::to_owned);
    let mut new = fresh(kind, &scenario.fabric, &at);
    if let Value::Object(fields) = &mut new {
        for field in kind.fields {
            if let Some(value) = element.get(field.name) {
                fields.insert(field.name.into(), value.clone());
            }
        }
    }
    new
}

fn set(json: &mut Value, path: &str, text: &str) -> Option<()> {
    let steps = steps(path);
    let [Step::Field(list), Step::Item(index), Step::Field(name)] = steps.as_slice() else {
        return None;
    };
    let list = [List::Traffic, List::Faults]
        .into_iter()
        .find(|known| known.name() == list)?;
    let element: &mut Map<String, Value> = elements(json, list)?.get_mut(*index)?.as_object_mut()?;
    let kind = list.kind(element.get("kind")?.as_str()?)?;
    let input = kind.fields.iter().find(|field| field.name == name)?.input;
    if text.is_empty() {
        element.remove(name);
    } else {
        element.insert(name.clone(), value(input, text));
    }
    Some(())
}

fn value(input: FieldInput, text: &str) -> Value {
    let plain = match input {
        FieldInput::Number | FieldInput::Bytes => serde_json::from_str(text).ok().filter(Value::is_number),
        FieldInput::Choice(_) => serde_json::from_str(text).ok().filter(Value::is_boolean),
        FieldInput::Time | FieldInput::Name | FieldInput::InText => None,
    };
    plain.unwrap_or_else(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::super::entries;
    use super::*;
    use scenario::Traffic;

    fn scenario() -> Scenario {
        Scenario::from_json(
            r#"{ "version": 1, "until": "1ms",
                 "fabric": { "planes": 2, "t0_per_plane": 4, "t1_per_plane": 4, "nics_per_t0": 4, "nic_link_rate": "100G" },
                 "traffic": [ { "kind": "flow", "src": 0, "dst": 3, "bytes": "1MB", "id": 9 },
                              { "kind": "permutation", "shift": 2, "bytes": "4K" } ],
                 "faults": [ { "at": "10us", "kind": "link_down", "link": "p0/n1" } ] }"#,
        )
        .unwrap()
    }

    fn set(path: &str, text: &str) -> Result<Scenario, Refused> {
        Change::Set {
            path: path.into(),
            text: text.into(),
        }
        .apply(&scenario())
    }

    #[test]
    fn a_field_takes_values_as_people_write_them() {
        let changed = set("traffic[0].bytes", " 4K ").unwrap();
        assert!(matches!(changed.traffic[0], Traffic::Flow { bytes, .. } if bytes.0 == 4096));
        let changed = set("faults[0].at", "12 µs").unwrap();
        assert_eq!(changed.faults[0].at, Time::us(12));
        let changed = set("traffic[0].imm", "true").unwrap();
        assert!(matches!(changed.traffic[0], Traffic::Flow { imm: true, .. }));
        assert_eq!(set("name", " 42 ").unwrap().name, "42");
        assert_eq!(set("fabric.planes", "4").unwrap().fabric.planes, 4);
        assert_eq!(
            set("faults[0].direction", "up").and_then(|up| {
                Change::Set {
                    path: "faults[0].direction".into(),
                    text: String::new(),
                }
                .apply(&up)
            }),
            Ok(scenario()),
            "an empty field says nothing"
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused_at_its_field() {
        for (path, text, reason) in [
            ("traffic[0].dst", "99", "99"),
            ("traffic[0].dst", "far", "a whole number"),
            ("traffic[0].bytes", "4 parsecs", "unknown unit"),
            ("traffic[1].shift", "", "shift"),
            ("faults[0].link", "p0", "p0/t0.3-t1.2"),
            ("traffic[7].dst", "1", "not there"),
        ] {
            let refused = set(path, text).unwrap_err();
            assert_eq!(refused.path, path);
            assert!(
                refused.problems.join("; ").contains(reason),
                "{path} = {text}: {refused:?}"
            );
        }
    }

    /// Whatever kind is added or taken on, the scenario stays one that can be run.
    #[test]
    fn every_kind_can_be_added_and_taken_on() {
        for list in [List::Traffic, List::Faults] {
            for kind in list.kinds() {
                let added = Change::Add(list, kind.name.into()).apply(&scenario());
                let added = added.unwrap_or_else(|why| panic!("{}: {why:?}", kind.name));
                assert_eq!(length(&added, list), length(&scenario(), list) + 1);
                let (rows, count) = entries(&added, list, 100);
                let last = rows.last().unwrap();
                assert_eq!((last.kind.name, rows.len()), (kind.name, count));
                // Every field can be set to what it is.
                for field in last
                    .fields
                    .iter()
                    .filter(|field| field.input != FieldInput::InText)
                {
                    let same = Change::Set {
                        path: field.path.clone(),
                        text: field.value.clone(),
                    }
                    .apply(&added);
                    assert_eq!(same.as_ref(), Ok(&added), "{}", field.path);
                }
                for other in list.kinds().iter().filter(|other| other.name != "flows") {
                    let taken = Change::SetKind(list, 0, other.name.into()).apply(&added);
                    taken.unwrap_or_else(|why| panic!("{} to {}: {why:?}", kind.name, other.name));
                }
            }
        }
    }

    #[test]
    fn what_two_kinds_share_stays() {
        let changed = Change::SetKind(List::Traffic, 1, "incast".into())
            .apply(&scenario())
            .unwrap();
        assert!(matches!(changed.traffic[1], Traffic::Incast { bytes, .. } if bytes.0 == 4096));
        let changed = Change::SetKind(List::Faults, 0, "link_loss".into())
            .apply(&scenario())
            .unwrap();
        assert_eq!(
            (changed.faults[0].at, changed.faults[0].what.link()),
            (Time::us(10), scenario().faults[0].what.link())
        );
    }

    #[test]
    fn elements_are_duplicated_removed_and_moved() {
        let apply = |change: Change| change.apply(&scenario());
        let twice = apply(Change::Duplicate(List::Traffic, 0)).unwrap();
        assert_eq!(twice.traffic.len(), 3);
        assert!(matches!(twice.traffic[1], Traffic::Flow { id: None, .. }));
        let swapped = apply(Change::Move(List::Traffic, 0, false)).unwrap();
        assert_eq!(apply(Change::Move(List::Traffic, 1, true)).as_ref(), Ok(&swapped));
        assert!(matches!(swapped.traffic[0], Traffic::Permutation { .. }));
        assert!(apply(Change::Move(List::Traffic, 0, true)).is_err());
        assert!(apply(Change::Move(List::Traffic, 1, false)).is_err());
        assert!(apply(Change::Remove(List::Faults, 0)).unwrap().faults.is_empty());
        assert!(apply(Change::Remove(List::Faults, 1)).is_err());
    }
}
