//! What differs between scenarios, field by field, and what makes comparing them unfair.

use scenario::Scenario;
use serde_json::Value;
use std::collections::BTreeMap;

/// Differences that are listed at most; of lists of flows there may be very many.
const MOST: usize = 60;
/// Characters of a value that are shown.
const MOST_CHARS: usize = 80;

/// A field that is not the same in all scenarios.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its path, such as `transport.protocol` or `faults[0].at`.
    pub path: String,
    /// What each says; none where it says nothing, so that the default holds.
    pub values: Vec<Option<String>>,
}

/// What differs between scenarios.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// The fields, in order of their paths.
    pub fields: Vec<Difference>,
    /// How many more there are.
    pub more: usize,
    /// What makes the comparison unfair, in words.
    pub warnings: Vec<String>,
}

/// What differs between scenarios. Names and descriptions do not count.
pub fn differences(scenarios: &[&Scenario]) -> Differences {
    let said: Vec<BTreeMap<String, String>> = scenarios.iter().map(|scenario| fields(scenario)).collect();
    let mut paths: Vec<&String> = said.iter().flat_map(BTreeMap::keys).collect();
    paths.sort_unstable();
    paths.dedup();
    let mut different = paths
        .into_iter()
        .map(|path| Difference {
            path: path.clone(),
            values: said.iter().map(|fields| fields.get(path).cloned()).collect(),
        })
        .filter(|difference| difference.values.windows(2).any(|two| two[0] != two[1]));
    Differences {
        fields: different.by_ref().take(MOST).collect(),
        more: different.count(),
        warnings: warnings(scenarios),
    }
}

/// What a scenario says, by path.
fn fields(scenario: &Scenario) -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    if let Ok(Value::Object(mut json)) = serde_json::to_value(scenario) {
        for name in ["version", "name", "about"] {
            json.remove(name);
        }
        flatten(String::new(), &Value::Object(json), &mut fields);
    }
    fields
}

fn flatten(path: String, value: &Value, fields: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(object) if !object.is_empty() => {
            for (name, value) in object {
                let dot = if path.is_empty() { "" } else { "." };
                flatten(format!("{path}{dot}{name}"), value, fields);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            for (number, value) in list.iter().enumerate() {
                flatten(format!("{path}[{number}]"), value, fields);
            }
        }
        Value::String(text) => drop(fields.insert(path, clipped(text.clone()))),
        other => drop(fields.insert(path, clipped(other.to_string()))),
    }
}

fn clipped(text: String) -> String {
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// What should be the same when transports or fabrics are compared.
fn warnings(scenarios: &[&Scenario]) -> Vec<String> {
    let differ =
        |same: &dyn Fn(&Scenario, &Scenario) -> bool| scenarios.windows(2).any(|two| !same(two[0], two[1]));
    let rate = |s: &Scenario| u128::from(s.fabric.nic_link_rate.0) * u128::from(s.fabric.planes);
    let mut all = Vec::new();
    let mut warn = |is_so: bool, text: &str| {
        if is_so {
            all.push(text.to_owned());
        }
    };
    warn(differ(&|a, b| a.seed == b.seed), "Their seeds differ");
    warn(differ(&|a, b| a.traffic == b.traffic), "Their traffic differs");
    warn(differ(&|a, b| a.faults == b.faults), "Their faults differ");
    warn(differ(&|a, b| a.until == b.until), "They end at different times");
    warn(
        differ(&|a, b| a.fabric.nics() == b.fabric.nics()),
        "They have different numbers of NICs",
    );
    warn(
        differ(&|a, b| rate(a) == rate(b)),
        "Their NICs have different rates over all planes",
    );
    warn(
        differ(&|a, b| a.transport.host_latency == b.transport.host_latency),
        "Their hosts have different latencies",
    );
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::find_preset;

    fn of(slug: &str) -> Scenario {
        find_preset(slug).unwrap().scenario()
    }

    #[test]
    fn a_scenario_does_not_differ_from_itself_by_another_name() {
        let mut other = of("link-dies");
        other.name = "Another".into();
        other.about = "Another".into();
        assert_eq!(differences(&[&of("link-dies"), &other]), Differences::default());
    }

    #[test]
    fn fields_are_named_and_missing_ones_are_none() {
        let first = of("t1-dies");
        let mut other = first.clone();
        other.transport.evs = 64;
        other.seed = 9;
        other.faults.pop();
        let found = differences(&[&first, &other]);
        let value = |path: &str| {
            let difference = found.fields.iter().find(|difference| difference.path == path);
            difference
                .unwrap_or_else(|| panic!("{path}: {found:?}"))
                .values
                .clone()
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(value("transport.evs"), [None, some("64")]);
        assert_eq!(value("seed"), [some("1"), some("9")]);
        assert_eq!(value("faults[1].kind"), [some("switch_up"), None]);
        assert_eq!(found.warnings, ["Their seeds differ", "Their faults differ"]);
        assert_eq!(found.more, 0);
    }

    #[test]
    fn not_every_flow_of_a_list_is_listed() {
        let list = |bytes: u64| {
            let list = (1..=100).map(|id| (0, 1, bytes, 0, id)).collect();
            Scenario {
                traffic: vec![scenario::Traffic::Flows { list }],
                ..of("link-dies")
            }
        };
        let found = differences(&[&list(1), &list(2)]);
        assert_eq!((found.fields.len(), found.more), (60, 40));
        assert_eq!(found.warnings, ["Their traffic differs"]);
    }

    #[test]
    fn fabrics_of_other_rates_are_not_alike() {
        let first = of("link-dies");
        let mut other = first.clone();
        other.fabric.nic_link_rate = scenario::Rate::gbps(10);
        let found = differences(&[&first, &first, &other]);
        assert_eq!(
            found.warnings,
            ["Their NICs have different rates over all planes"]
        );
        assert_eq!(found.fields[0].values.len(), 3);
    }
}
