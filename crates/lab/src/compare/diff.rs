//! What differs between scenarios, field by field.

use scenario::{Protocol, Scenario};
use serde::Serialize;
use serde_json::Value;

/// Differences that are listed, at most; our choice. Lists of flows may have millions.
pub const MAX_DIFFERENCES: usize = 200;

/// Fields that say nothing of the experiment, and the seed, which comparisons choose.
const NOT_COMPARED: [&str; 4] = ["version", "name", "about", "seed"];

/// A field in which scenarios differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Its path in the scenario's JSON, such as `transport.evs` or `traffic[0].bytes`.
    pub path: String,
    /// Its value in each scenario, its default included; null where the scenario or its protocol has none.
    pub values: Vec<Option<Value>>,
}

/// All fields in which scenarios differ.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Differences {
    /// The fields, in the order of their paths; the first [`MAX_DIFFERENCES`].
    pub fields: Vec<Difference>,
    /// How many more there are.
    pub more: u64,
}

/// The fields in which scenarios differ, in names, description and seed excepted.
pub fn differences(scenarios: &[Scenario]) -> Differences {
    let mut all: Vec<Value> = scenarios.iter().map(Scenario::to_json_with_defaults).collect();
    for field in all.iter_mut().filter_map(Value::as_object_mut) {
        field.retain(|name, _| !NOT_COMPARED.contains(&name.as_str()));
    }
    let mut found = Differences::default();
    let values: Vec<Option<&Value>> = all.iter().map(Some).collect();
    found.look("", &values);
    for difference in &mut found.fields {
        let sides = difference.values.iter_mut().zip(scenarios);
        for (value, scenario) in sides {
            if !has(scenario.transport.protocol, &difference.path) {
                *value = None;
            }
        }
    }
    found
}

/// Whether a protocol has the field at a path: the default of a field that only the other one has means nothing.
fn has(protocol: Protocol, path: &str) -> bool {
    let field = path.strip_prefix("transport.");
    field.is_none_or(|field| protocol.has(field.split(['.', '[']).next().unwrap_or(field)))
}

impl Differences {
    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    fn look(&mut self, path: &str, values: &[Option<&Value>]) {
        if values.iter().all(|value| *value == values[0]) {
            return;
        }
        let of_kind = |value: &Value| value.get("kind").cloned();
        let objects: Option<Vec<_>> = values
            .iter()
            .map(|value| value.and_then(Value::as_object))
            .collect();
        let arrays: Option<Vec<&[Value]>> = values.iter().map(|&value| list(value)).collect();
        let kinds: Vec<_> = values.iter().map(|value| value.and_then(of_kind)).collect();
        if let Some(objects) = objects.filter(|_| kinds.iter().all(|kind| *kind == kinds[0])) {
            let mut names: Vec<&String> = objects.iter().flat_map(|fields| fields.keys()).collect();
            names.sort_unstable();
            names.dedup();
            for name in names {
                let dot = if path.is_empty() { "" } else { "." };
                let values: Vec<_> = objects.iter().map(|fields| fields.get(name)).collect();
                self.look(&format!("{path}{dot}{name}"), &values);
            }
        } else if let Some(arrays) = arrays {
            let longest = arrays.iter().map(|items| items.len()).max().unwrap_or(0);
            for index in 0..longest {
                let values: Vec<_> = arrays.iter().map(|items| items.get(index)).collect();
                self.look(&format!("{path}[{index}]"), &values);
            }
        } else if self.fields.len() < MAX_DIFFERENCES {
            self.fields.push(Difference {
                path: path.to_owned(),
                values: values.iter().map(|value| value.cloned()).collect(),
            });
        } else {
            self.more += 1;
        }
    }
}

/// The elements of a list; one that is left out has none.
fn list(value: Option<&Value>) -> Option<&[Value]> {
    match value {
        Some(value) => value.as_array().map(Vec::as_slice),
        None => Some(&[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::scenario;
    use scenario::{Bytes, Traffic};
    use serde_json::json;

    fn found(scenarios: &[Scenario]) -> Vec<(String, Vec<Option<Value>>)> {
        let found = differences(scenarios);
        assert_eq!(found.more, 0);
        let fields = found.fields.into_iter();
        fields.map(|field| (field.path, field.values)).collect()
    }

    #[test]
    fn names_and_seeds_are_no_difference() {
        let mut other = scenario();
        (other.seed, other.name, other.about) = (99, "another".into(), "thing".into());
        assert!(differences(&[scenario(), other]).is_empty());
    }

    #[test]
    fn defaults_are_filled_in() {
        // The plan's scenario has 16 EVs; 128 is the default, as is a PMTU of 4 KiB (docs/scenario.md).
        let mut other = scenario();
        other.transport.evs = 128;
        other.transport.pmtu = Bytes(1024);
        assert_eq!(
            found(&[scenario(), other.clone(), scenario()]),
            [
                (
                    "transport.evs".into(),
                    [json!(16), json!(128), json!(16)].map(Some).into()
                ),
                (
                    "transport.pmtu".into(),
                    [json!("4KiB"), json!("1KiB"), json!("4KiB")].map(Some).into()
                ),
            ]
        );
    }

    #[test]
    fn a_field_of_one_protocol_has_no_value_in_the_other() {
        let mut roce = scenario();
        roce.transport = Default::default();
        roce.transport.protocol = Protocol::Roce;
        roce.transport.qps = 4;
        roce.transport.roce.ack_every = 4;
        let found = found(&[scenario(), roce]);
        let values = |path: &str| {
            let field = found.iter().find(|(found, _)| found == path);
            field.unwrap_or_else(|| panic!("{path}: {found:?}")).1.clone()
        };
        // Both protocols have QPs; acknowledging every fourth packet is RoCE's, the number of EVs MRC's.
        assert_eq!(values("transport.qps")[1], Some(json!(4)));
        assert!(values("transport.qps")[0].is_some());
        assert_eq!(values("transport.roce.ack_every"), [None, Some(json!(4))]);
        assert_eq!(values("transport.evs"), [Some(json!(16)), None]);
    }

    #[test]
    fn what_one_does_not_have_is_whole() {
        let mut other = scenario();
        let Traffic::Permutation { shift, .. } = &mut other.traffic[0] else {
            panic!("{other:?}");
        };
        *shift = 3;
        let fault = serde_json::to_value(other.faults.remove(0)).unwrap();
        let found = found(&[scenario(), other]);
        assert_eq!(found[0].0, "faults[0]");
        let whole = found[0].1[0].clone().unwrap();
        assert_eq!((&whole["link"], &whole["rate"]), (&fault["link"], &fault["rate"]));
        assert_eq!(found[0].1[1], None);
        assert_eq!(
            found[1],
            ("traffic[0].shift".into(), vec![Some(json!(2)), Some(json!(3))])
        );
    }

    #[test]
    fn elements_of_another_kind_are_whole() {
        let mut other = scenario();
        other.faults[0].what = scenario::FaultKind::SwitchDown {
            switch: "p0/t1.0".parse().unwrap(),
        };
        let found = found(&[scenario(), other]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, "faults[0]");
    }

    #[test]
    fn long_lists_are_cut_and_counted() {
        let list = |bytes| {
            let mut scenario = scenario();
            scenario.traffic = vec![Traffic::Flows {
                list: (0..500).map(|id| (0, 1, bytes, 0, id + 1)).collect(),
            }];
            scenario
        };
        let found = differences(&[list(1), list(2)]);
        assert_eq!((found.fields.len(), found.more), (MAX_DIFFERENCES, 300));
        assert_eq!(found.fields[3].path, "traffic[0].list[3][2]");
    }
}
