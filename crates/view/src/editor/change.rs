//! What a form does to a scenario.

use super::edited::Edited;
use super::fields::{FieldInput, Kind, List, fresh};
use super::host_fields;
use super::path::{Step, steps};
use crate::{host, settings};
use scenario::Time;
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
        let one = |list: &List| list.noun();
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
    fn path(&self, scenario: &Edited) -> String {
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
    pub fn apply(&self, scenario: &Edited) -> Result<Edited, Refused> {
        self.changed(scenario).map_err(|problems| Refused {
            path: self.path(scenario),
            problems,
        })
    }

    fn changed(&self, scenario: &Edited) -> Result<Edited, Vec<String>> {
        let gone = || vec!["it is not there any more".to_owned()];
        if let Change::Set { path, text } = self
            && !path.contains('[')
        {
            return set_whole(scenario, path, text);
        }
        let of_host = scenario.is_of_host();
        let mut json = scenario.value();
        match self {
            Change::Set { path, text } => set(&mut json, of_host, path, text.trim()).ok_or_else(gone)?,
            Change::SetKind(list, index, kind) => {
                let kind = list.kind(kind).ok_or_else(gone)?;
                let element = elements(&mut json, *list)
                    .and_then(|all| all.get_mut(*index))
                    .ok_or_else(gone)?;
                let fresh = with_kind(&Value::Null, kind, scenario);
                let old = std::mem::replace(element, fresh);
                let plain_kind = json.clone();
                if let Some(element) = elements(&mut json, *list).and_then(|all| all.get_mut(*index)) {
                    *element = with_kind(&old, kind, scenario);
                }
                // What both kinds have stays, unless this kind has another range for it.
                return read_valid(&json, of_host).or_else(|_| read_valid(&plain_kind, of_host));
            }
            Change::Add(list, kind) => {
                let kind = list.kind(kind).ok_or_else(gone)?;
                let new = new_element(kind, scenario, &middle(scenario));
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
        read_valid(&json, of_host)
    }
}

fn read_valid(json: &Value, of_host: bool) -> Result<Edited, Vec<String>> {
    valid(Edited::read(&json.to_string(), of_host).map_err(|error| vec![plain(&error)])?)
}

/// A field of the scenario itself becomes what a text says.
fn set_whole(scenario: &Edited, path: &str, text: &str) -> Result<Edited, Vec<String>> {
    let text = text.trim();
    if matches!(path, "name" | "about") {
        let mut changed = scenario.clone();
        let (name, about) = match &mut changed {
            Edited::Fabric(scenario) => (&mut scenario.name, &mut scenario.about),
            Edited::Host(scenario) => (&mut scenario.name, &mut scenario.about),
        };
        text.clone_into(if path == "name" { name } else { about });
        return valid(changed);
    }
    match scenario {
        Edited::Fabric(scenario) => settings::edit(scenario, path, text).map(Edited::from),
        // What says nothing has its default again.
        Edited::Host(_) if text.is_empty() => {
            let mut json = scenario.value();
            let names: Vec<&str> = path.split('.').collect();
            remove(&mut json, &names);
            read_valid(&json, true)
        }
        Edited::Host(_) if path == "seed" => {
            let mut json = scenario.value();
            json["seed"] = value(FieldInput::Number, text);
            read_valid(&json, true)
        }
        Edited::Host(scenario) => host::settings::edit(scenario, path, text).map(Edited::from),
    }
}

/// Takes a field away, and what holds nothing else.
fn remove(json: &mut Value, names: &[&str]) {
    let (Some((first, rest)), Some(fields)) = (names.split_first(), json.as_object_mut()) else {
        return;
    };
    let is_empty = match fields.get_mut(*first) {
        Some(inner) if !rest.is_empty() => {
            remove(inner, rest);
            // An empty host is a host all the same.
            inner.as_object().is_some_and(Map::is_empty) && *first != "host"
        }
        _ => rest.is_empty(),
    };
    if is_empty {
        fields.remove(*first);
    }
}

/// An error without its line and column, which are those of no text that anybody sees.
fn plain(error: &scenario::LoadError) -> String {
    match error {
        scenario::LoadError::Field { reason, .. } => reason.clone(),
        other => other.to_string(),
    }
}

fn valid(scenario: Edited) -> Result<Edited, Vec<String>> {
    match scenario.validate() {
        Ok(()) => Ok(scenario),
        Err(problems) => Err(problems.iter().map(ToString::to_string).collect()),
    }
}

/// How many elements a list has.
pub(super) fn length(scenario: &Edited, list: List) -> usize {
    match (scenario, list) {
        (Edited::Fabric(scenario), List::Traffic) => scenario.traffic.len(),
        (Edited::Fabric(scenario), List::Faults) => scenario.faults.len(),
        (Edited::Host(scenario), List::Vms) => scenario.vms.len(),
        (Edited::Host(scenario), List::HostTraffic) => scenario.traffic.len(),
        (Edited::Host(scenario), List::Events) => scenario.events.len(),
        _ => 0,
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
fn middle(scenario: &Edited) -> String {
    let until = match scenario {
        Edited::Fabric(scenario) => scenario.until,
        Edited::Host(scenario) => scenario.until,
    };
    Time(until.0 / 2).canonical()
}

/// A new element with what its kind needs.
fn new_element(kind: &Kind, scenario: &Edited, at: &str) -> Value {
    match scenario {
        Edited::Fabric(scenario) => fresh(kind, &scenario.fabric, at),
        Edited::Host(_) => host_fields::fresh(kind, at),
    }
}

fn with_kind(element: &Value, kind: &Kind, scenario: &Edited) -> Value {
    let at = element
        .get("at")
        .and_then(Value::as_str)
        .map_or_else(|| middle(scenario), str::to_owned);
    let mut new = new_element(kind, scenario, &at);
    if let Value::Object(fields) = &mut new {
        for field in kind.fields {
            if let Some(value) = element.get(field.name) {
                fields.insert(field.name.into(), value.clone());
            }
        }
    }
    new
}

fn set(json: &mut Value, of_host: bool, path: &str, text: &str) -> Option<()> {
    let steps = steps(path);
    let [Step::Field(list), Step::Item(index), ..] = steps.as_slice() else {
        return None;
    };
    let list = *List::of(of_host).iter().find(|known| known.name() == list)?;
    let element = elements(json, list)?.get_mut(*index)?;
    // A field in a field has a name with a point.
    let (_, name) = path.split_once("].")?;
    let input = list
        .kind_of(element)?
        .fields
        .iter()
        .find(|field| field.name == name)?
        .input;
    let names: Vec<&str> = name.split('.').collect();
    if text.is_empty() {
        remove(element, &names);
        return Some(());
    }
    let (last, parents) = names.split_last()?;
    let mut at = element;
    for parent in parents {
        let fields = at.as_object_mut()?;
        at = fields.entry(*parent).or_insert_with(|| Value::Object(Map::new()));
    }
    at.as_object_mut()?.insert((*last).into(), value(input, text));
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
    use scenario::host::find_host_preset;
    use scenario::{Scenario, Traffic};

    fn edited() -> Edited {
        scenario().into()
    }

    fn fabric(edited: Edited) -> Scenario {
        match edited {
            Edited::Fabric(scenario) => scenario,
            Edited::Host(_) => panic!("a host"),
        }
    }

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
        .apply(&edited())
        .map(fabric)
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
                .apply(&up.into())
                .map(fabric)
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
        let host = find_host_preset("host-vf-revoke").unwrap().scenario();
        for (list, scenario) in [
            (List::Traffic, edited()),
            (List::Faults, edited()),
            (List::Vms, host.clone().into()),
            (List::HostTraffic, host.clone().into()),
            (List::Events, host.into()),
        ] {
            for kind in list.kinds().iter().filter(|kind| kind.can_be_added) {
                let added = Change::Add(list, kind.name.into()).apply(&scenario);
                let added = added.unwrap_or_else(|why| panic!("{}: {why:?}", kind.name));
                assert_eq!(length(&added, list), length(&scenario, list) + 1);
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
                for other in list.kinds().iter().filter(|other| other.can_be_added) {
                    let taken = Change::SetKind(list, 0, other.name.into()).apply(&added);
                    taken.unwrap_or_else(|why| panic!("{} to {}: {why:?}", kind.name, other.name));
                }
            }
        }
    }

    #[test]
    fn what_two_kinds_share_stays() {
        let changed = Change::SetKind(List::Traffic, 1, "incast".into())
            .apply(&edited())
            .map(fabric)
            .unwrap();
        assert!(matches!(changed.traffic[1], Traffic::Incast { bytes, .. } if bytes.0 == 4096));
        let changed = Change::SetKind(List::Faults, 0, "link_loss".into())
            .apply(&edited())
            .map(fabric)
            .unwrap();
        assert_eq!(
            (changed.faults[0].at, changed.faults[0].what.link()),
            (Time::us(10), scenario().faults[0].what.link())
        );
    }

    #[test]
    fn elements_are_duplicated_removed_and_moved() {
        let apply = |change: Change| change.apply(&edited()).map(fabric);
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

    fn host_set(path: &str, text: &str) -> Result<scenario::host::HostScenario, Refused> {
        let scenario = find_host_preset("host-latency").unwrap().scenario();
        let change = Change::Set {
            path: path.into(),
            text: text.into(),
        };
        change.apply(&scenario.into()).map(|changed| match changed {
            Edited::Host(scenario) => scenario,
            Edited::Fabric(_) => panic!("a fabric"),
        })
    }

    #[test]
    fn a_host_s_fields_take_values_in_fields_and_lose_them_again() {
        assert_eq!(
            host_set("host.nic.l1_entries", "4096")
                .unwrap()
                .host
                .nic
                .l1_entries,
            4_096
        );
        assert_eq!(host_set("until", "7 ms").unwrap().until, Time::ms(7));
        assert_eq!(host_set("seed", "77").unwrap().seed, 77);
        assert_eq!(host_set("name", " A host ").unwrap().name, "A host");
        let with = host_set("vms[0].policy.snat.ports", "64").unwrap();
        assert_eq!(with.vms[0].policy.snat.map(|snat| snat.ports), Some(64));
        let without = Change::Set {
            path: "vms[0].policy.snat.ports".into(),
            text: String::new(),
        };
        let plain = find_host_preset("host-latency").unwrap().scenario();
        assert_eq!(without.apply(&with.into()), Ok(plain.clone().into()));
        assert_eq!(
            host_set("host.nic.l1_entries", ""),
            Ok(plain),
            "nothing said is the default"
        );
        for (path, text, reason) in [
            ("host.nic.l1_entries", "many", "a whole number"),
            ("seed", "-1", "a whole number"),
            ("until", "", "until"),
            ("vms[0].rate", "fast", "rate"),
            ("traffic[0].vm", "9", "9"),
            ("events[0].at", "1ms", "not there"),
        ] {
            let refused = host_set(path, text).unwrap_err();
            assert_eq!(refused.path, path);
            assert!(
                refused.problems.join("; ").contains(reason),
                "{path} = {text}: {refused:?}"
            );
        }
    }
}
