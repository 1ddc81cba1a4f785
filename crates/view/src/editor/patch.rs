//! Changes a JSON text so that it says another scenario, and leaves what is the same as it was written.

use super::edited::Edited;
use super::path::strict;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::{Map, Value};

/// Items of one list that are changed in place; where more change, the list is written anew.
const MAX_ITEMS: usize = 64;

/// The text of `new`, made of a text that says `old`. Where that cannot be done place by place, the text is written anew.
pub fn patch(text: &str, old: &Edited, new: &Edited) -> String {
    changed(text, old, new)
        // Whatever happened on the way: the text has to say what is meant.
        .filter(|text| Edited::read(text, new.is_of_host()).as_ref() == Ok(new))
        .unwrap_or_else(|| new.to_json_pretty())
}

fn changed(text: &str, old: &Edited, new: &Edited) -> Option<String> {
    let root = CstRootNode::parse(text, &strict()).ok()?;
    let (old, new) = (old.value(), new.value());
    change_object(&root.object_value()?, old.as_object()?, new.as_object()?);
    Some(root.to_string())
}

fn change_object(at: &CstObject, old: &Map<String, Value>, new: &Map<String, Value>) {
    for name in old.keys().filter(|name| !new.contains_key(*name)) {
        if let Some(field) = at.get(name) {
            field.remove();
        }
    }
    for (name, to) in new {
        let from = old.get(name);
        if from == Some(to) {
            continue;
        }
        let field = at.get(name);
        let there = field.as_ref().and_then(|field| field.value());
        match (field, there, from, to) {
            (Some(_), Some(CstNode::Container(node)), Some(Value::Object(from)), Value::Object(to))
                if node.is_object() =>
            {
                if let Some(object) = node.as_object() {
                    change_object(&object, from, to);
                }
            }
            (Some(field), Some(CstNode::Container(node)), Some(Value::Array(from)), Value::Array(items)) => {
                match node.as_array() {
                    Some(array) if change_array(&array, from, items) => {}
                    _ => field.set_value(input(to)),
                }
            }
            (Some(field), ..) => field.set_value(input(to)),
            (None, ..) => drop(at.append(name, input(to))),
        }
    }
}

/// False where it is easier to write the list anew.
fn change_array(at: &CstArray, old: &[Value], new: &[Value]) -> bool {
    let same_start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[same_start..], &new[same_start..]);
    let same_end = old_rest
        .iter()
        .rev()
        .zip(new_rest.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let old_middle = &old_rest[..old_rest.len() - same_end];
    let new_middle = &new_rest[..new_rest.len() - same_end];
    let items = at.elements();
    if items.len() != old.len()
        || old_middle.len().max(new_middle.len()) > MAX_ITEMS
        || new.is_empty()
        || old.is_empty()
    {
        return false;
    }
    let pairs = old_middle.len().min(new_middle.len());
    for (index, (from, to)) in old_middle.iter().zip(new_middle).enumerate() {
        let item = items[same_start + index].clone();
        match (item.as_object(), from, to) {
            // Two of one kind: one was changed. Otherwise another one stands there now.
            (Some(object), Value::Object(from), Value::Object(to)) if from.get("kind") == to.get("kind") => {
                change_object(&object, from, to);
            }
            _ => {
                at.insert(same_start + index, input(to));
                item.remove();
            }
        }
    }
    for item in &items[same_start + pairs..same_start + old_middle.len()] {
        item.clone().remove();
    }
    for (index, to) in new_middle.iter().enumerate().skip(pairs) {
        at.insert(same_start + index, input(to));
    }
    true
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(on) => CstInputValue::Bool(*on),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => CstInputValue::Object(
            fields
                .iter()
                .map(|(name, value)| (name.clone(), input(value)))
                .collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use scenario::host::{HostScenario, find_host_preset, host_presets};
    use scenario::{Fault, FaultKind, Scenario, Time, presets};

    const TEXT: &str = r#"{
    "version": 1,   "until": "1.0 ms",
    "fabric": { "planes": 2, "t0_per_plane": 2, "t1_per_plane": 2, "nics_per_t0": 2, "nic_link_rate": "100 Gb/s" },
    "traffic": [
        { "kind": "flow", "src": 0, "dst": 3, "bytes": "1M" },
        { "kind": "permutation", "shift": 2,   "bytes": 4096 }
    ]
}
"#;

    fn scenario() -> Scenario {
        Scenario::from_json(TEXT).unwrap()
    }

    fn patch(text: &str, old: &Scenario, new: &Scenario) -> String {
        super::patch(text, &old.clone().into(), &new.clone().into())
    }

    fn patch_host(text: &str, old: &HostScenario, new: &HostScenario) -> String {
        super::patch(text, &old.clone().into(), &new.clone().into())
    }

    #[test]
    fn a_host_s_text_gets_what_was_changed_and_no_defaults() {
        let old = find_host_preset("host-latency").unwrap().scenario();
        let text = old.to_json_pretty();
        let mut new = old.clone();
        new.host.nic.l1_entries = 4_096;
        new.vms[0].policy.filler_rules = 7;
        let patched = patch_host(&text, &old, &new);
        assert_eq!(HostScenario::from_json(&patched).as_ref(), Ok(&new), "{patched}");
        assert!(
            patched.contains("\"l1_entries\": 4096") && !patched.contains("l2_entries"),
            "{patched}"
        );
        let back = patch_host(&patched, &new, &old);
        assert!(
            !back.contains("l1_entries") && !back.contains("filler_rules"),
            "{back}"
        );
    }

    fn patched(change: impl FnOnce(&mut Scenario)) -> String {
        let mut new = scenario();
        change(&mut new);
        let text = patch(TEXT, &scenario(), &new);
        assert_eq!(Scenario::from_json(&text).as_ref(), Ok(&new), "{text}");
        text
    }

    #[test]
    fn a_value_changes_and_nothing_else() {
        let text = patched(|scenario| scenario.fabric.planes = 4);
        assert_eq!(text, TEXT.replace("\"planes\": 2", "\"planes\": 4"));
        assert_eq!(patched(|_| ()), TEXT, "nothing changed, nor does the text");
        let text = patched(|scenario| {
            if let scenario::Traffic::Permutation { shift, .. } = &mut scenario.traffic[1] {
                *shift = 3;
            }
        });
        assert_eq!(text, TEXT.replace("\"shift\": 2", "\"shift\": 3"));
    }

    #[test]
    fn what_is_new_is_added_and_what_has_its_default_goes() {
        let with = patched(|scenario| scenario.seed = 7);
        assert!(
            with.contains("\"seed\": 7") && with.contains("\"until\": \"1.0 ms\""),
            "{with}"
        );
        let seeded = Scenario::from_json(&with).unwrap();
        assert_eq!(
            Scenario::from_json(&patch(&with, &seeded, &scenario())),
            Ok(scenario())
        );
        assert!(!patch(&with, &seeded, &scenario()).contains("seed"));
    }

    #[test]
    fn items_are_added_taken_out_and_moved() {
        let first = "{ \"kind\": \"flow\", \"src\": 0, \"dst\": 3, \"bytes\": \"1M\" }";
        assert!(!patched(|scenario| drop(scenario.traffic.remove(0))).contains(first));
        assert!(patched(|scenario| drop(scenario.traffic.remove(1))).contains(first));
        let twice = patched(|scenario| scenario.traffic.insert(1, scenario.traffic[0].clone()));
        assert!(twice.contains(first));
        patched(|scenario| scenario.traffic.swap(0, 1));
        patched(|scenario| {
            let link = "p0/t0.0-t1.0".parse().unwrap();
            let what = FaultKind::link_down(link);
            scenario.faults = vec![
                Fault {
                    at: Time::us(5),
                    what
                };
                2
            ];
        });
    }

    proptest! {
        /// From any preset to any other, however little they have in common.
        #[test]
        fn a_patched_text_says_what_is_meant(from in 0usize..1000, to in 0usize..1000, spaces in 0usize..3) {
            let all = presets();
            let (from, to) = (all[from % all.len()].scenario(), all[to % all.len()].scenario());
            let text = match spaces { 0 => from.to_json_compact(), _ => from.to_json_pretty() };
            prop_assert_eq!(Scenario::from_json(&patch(&text, &from, &to)), Ok(to));
        }

        #[test]
        fn so_does_one_of_hosts(from in 0usize..1000, to in 0usize..1000) {
            let all = host_presets();
            let (from, to) = (all[from % all.len()].scenario(), all[to % all.len()].scenario());
            let text = from.to_json_pretty();
            prop_assert_eq!(HostScenario::from_json(&patch_host(&text, &from, &to)), Ok(to));
        }
    }
}
