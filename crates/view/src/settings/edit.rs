//! Changes one setting of a scenario.

use scenario::Scenario;
use serde_json::{Map, Value};

/// The scenario with another value at a path such as `transport.rto`; with an empty text, with none there, so that it is as
/// it is where nothing is said.
///
/// # Errors
/// What is wrong with the value, or what the scenario has against it.
pub fn edit(scenario: &Scenario, path: &str, text: &str) -> Result<Scenario, Vec<String>> {
    let one = |why: String| vec![why];
    let mut json = serde_json::to_value(scenario).map_err(|error| one(error.to_string()))?;
    let mut at = &mut json;
    let (parents, name) = path.rsplit_once('.').unwrap_or(("", path));
    for parent in parents.split('.').filter(|parent| !parent.is_empty()) {
        at = object(at)
            .ok_or_else(|| one(format!("{path} is no setting")))?
            .entry(parent)
            .or_insert_with(|| Value::Object(Map::new()));
    }
    let fields = object(at).ok_or_else(|| one(format!("{path} is no setting")))?;
    match text.trim() {
        "" => drop(fields.remove(name)),
        text => drop(fields.insert(name.into(), value(text))),
    }
    if path == "transport.protocol" {
        follow_protocol(&mut json, text.trim());
    }
    let changed = Scenario::from_json(&json.to_string()).map_err(|error| one(error.to_string()))?;
    let problems = changed.validate().err().unwrap_or_default();
    if problems.is_empty() {
        Ok(changed)
    } else {
        Err(problems.iter().map(ToString::to_string).collect())
    }
}

/// What a change of the protocol takes with it: what the other one alone has goes, and RoCE needs switches that choose paths.
fn follow_protocol(json: &mut Value, protocol: &str) {
    const SHARED: [&str; 4] = ["protocol", "qps", "pmtu", "host_latency"];
    let is_roce = protocol == "roce";
    if let Some(transport) = json.get_mut("transport").and_then(Value::as_object_mut) {
        transport.retain(|name, _| match name.as_str() {
            "roce" => is_roce,
            name => !is_roce || SHARED.contains(&name),
        });
    }
    if !is_roce {
        return;
    }
    if let Some(scenario) = json.as_object_mut() {
        scenario.remove("clustermapper");
    }
    if let Some(fabric) = json.get_mut("fabric").and_then(Value::as_object_mut) {
        fabric.entry("routing").or_insert_with(|| "ecmp".into());
    }
}

fn object(value: &mut Value) -> Option<&mut Map<String, Value>> {
    if value.is_null() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut()
}

/// Numbers, truth values and objects as such; everything else, quantities with their units among it, is a string.
fn value(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ (Value::Number(_) | Value::Bool(_) | Value::Object(_))) => value,
        _ => Value::String(text.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario() -> Scenario {
        Scenario::from_json(
            r#"{ "version": 1, "until": "1ms",
                 "fabric": { "planes": 2, "t0_per_plane": 2, "t1_per_plane": 2, "nics_per_t0": 2, "nic_link_rate": "100Gbps" },
                 "transport": { "evs": 64 },
                 "traffic": [ { "kind": "permutation", "shift": 2, "bytes": "1MB" } ] }"#,
        )
        .unwrap()
    }

    #[test]
    fn values_are_written_as_people_write_them_and_empty_ones_go() {
        let changed = edit(&scenario(), "transport.rto", " 300 µs ").unwrap();
        assert_eq!(changed.transport.rto, Some(scenario::Time::us(300)));
        assert_eq!(changed.transport.evs, 64, "the rest stays");
        assert_eq!(edit(&changed, "transport.rto", "").unwrap(), scenario());
        let changed = edit(&scenario(), "transport.nscc.gamma", "0.5").unwrap();
        assert_eq!(changed.transport.nscc.gamma, 0.5, "what was not there is made");
        let changed = edit(&scenario(), "clustermapper", "{}").unwrap();
        assert_eq!(changed.clustermapper, Some(scenario::Clustermapper::default()));
        let changed = edit(&changed, "clustermapper.denylist", "true").unwrap();
        assert!(changed.clustermapper.is_some_and(|mapper| mapper.denylist));
        assert_eq!(edit(&scenario(), "seed", "7").unwrap().seed, 7);
    }

    #[test]
    fn a_change_of_protocol_takes_with_it_what_has_no_meaning_then() {
        let roce = edit(&scenario(), "transport.protocol", "roce").unwrap();
        assert_eq!(roce.fabric.routing, scenario::Routing::Ecmp);
        assert_eq!(roce.transport.evs, scenario::Transport::default().evs);
        let tuned = edit(&roce, "transport.roce.timeout", "10").unwrap();
        let back = edit(&tuned, "transport.protocol", "mrc").unwrap();
        assert_eq!(back.transport, scenario::Transport::default());
        assert_eq!(
            back.fabric.routing,
            scenario::Routing::Ecmp,
            "MRC can do with either"
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_its_reason() {
        for (path, text, reason) in [
            ("transport.evs", "63", "planes"),
            ("transport.evs", "many", "evs"),
            ("transport.rto", "soon", "\"soon\" is no time"),
            ("fabric.t0_per_plane", "1", "traffic[0].shift"),
            ("fabric.planes", "", "planes"),
            ("transport.evs.deep", "1", "no setting"),
        ] {
            let problems = edit(&scenario(), path, text).unwrap_err().join("; ");
            assert!(problems.contains(reason), "{path} = {text}: {problems}");
        }
    }
}
