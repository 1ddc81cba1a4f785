//! docs/scenario.md says what the schema says: the same fields, kinds and defaults.
//!
//! What fields there are is asked of the reader itself, which names them when it meets one that it does not know.

use scenario::{LoadError, Scenario};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const PAGE: &str = include_str!("../../../docs/scenario.md");

/// The least that is a scenario.
fn base() -> Value {
    json!({
        "version": 1, "until": "1ms",
        "fabric": {
            "planes": 1, "t0_per_plane": 1, "t1_per_plane": 1, "nics_per_t0": 2, "nic_link_rate": "100Gbps"
        },
        "traffic": [{ "kind": "flow", "src": 0, "dst": 1, "bytes": 1 }]
    })
}

fn refusal(json: &Value) -> String {
    match Scenario::from_json(&json.to_string()) {
        Err(LoadError::Field { reason, .. }) => reason,
        other => panic!("{json}: {other:?}"),
    }
}

/// What stands in backticks.
fn code_spans(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The rows of the first table under a heading whose first column is named `first`, as cells.
fn rows(heading: &str, first: &str) -> Vec<Vec<&'static str>> {
    let (_, section) = PAGE.split_once(&format!("\n{heading}\n")).expect(heading);
    let (_, table) = section.split_once(&format!("\n| {first} |")).expect(first);
    let line = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect();
    table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(line)
        .collect()
}

/// `json` with `value` at a path such as `/fabric/queue`.
fn with(mut json: Value, place: &str, field: &str, value: Value) -> Value {
    let mut at = &mut json;
    for name in place.split('/').filter(|name| !name.is_empty()) {
        at = &mut at[name];
        if at.is_null() {
            *at = json!({});
        }
    }
    at[field] = value;
    json
}

#[test]
fn each_object_has_the_fields_of_the_schema_with_their_defaults() {
    for (heading, place) in [
        ("## Top level", ""),
        ("## `fabric`", "/fabric"),
        ("### `fabric.queue`", "/fabric/queue"),
        ("### `fabric.convergence`", "/fabric/convergence"),
        ("### `fabric.pfc`", "/fabric/pfc"),
        ("## `transport`", "/transport"),
        ("### `transport.nscc`", "/transport/nscc"),
        ("### `transport.roce`", "/transport/roce"),
        ("### `transport.roce.dcqcn`", "/transport/roce/dcqcn"),
        ("## `clustermapper`", "/clustermapper"),
    ] {
        let table = rows(heading, "Field");
        let said: Vec<String> = table.iter().flat_map(|row| code_spans(row[0])).collect();
        let unknown = refusal(&with(base(), place, "no such field", json!(1)));
        // "unknown field `…`, expected one of `a`, `b`"
        assert_eq!(said, code_spans(&unknown)[1..], "{heading}");

        let whole = |json: &Value| Scenario::from_json(&json.to_string()).expect("a scenario");
        // The object is there, and has nothing but what it needs.
        let least = whole(&with(
            base(),
            place,
            said[0].as_str(),
            base_value(place, &said[0], &table),
        ));
        for row in &table {
            let (field, default) = (&code_spans(row[0])[0], row[1]);
            let literal = default.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
            let given = literal.and_then(|text| serde_json::from_str::<Value>(text).ok());
            if let Some(value) = given {
                let spelled = whole(&with(base(), place, field, value));
                assert_eq!(
                    spelled, least,
                    "{heading}: {field} is not {default} where it is left out"
                );
            }
            let mut without = base();
            let needed = match place {
                "" => Some(&mut without),
                place => without.pointer_mut(place),
            }
            .and_then(Value::as_object_mut)
            .is_some_and(|object| object.remove(field).is_some())
                && Scenario::from_json(&without.to_string()).is_err();
            assert_eq!(needed, default == "needed", "{heading}: {field}");
            assert!(
                ["P", "D", "O", "–"].contains(&row[2]),
                "{heading}: {field}: {}",
                row[2]
            );
        }
    }
}

/// The value of a table's first field: what the least scenario has there, or its default.
fn base_value(place: &str, field: &str, table: &[Vec<&str>]) -> Value {
    base()
        .pointer(&format!("{place}/{field}"))
        .cloned()
        .unwrap_or_else(|| serde_json::from_str(table[0][1].trim_matches('`')).expect("a default"))
}

/// The kinds of a list with the fields of each, as the reader names them.
fn kinds(list: &str, element: impl Fn(&str) -> Value) -> BTreeMap<String, Vec<String>> {
    let of = |kind: &str| refusal(&with(base(), "", list, json!([element(kind)])));
    // "unknown variant `…`, expected one of `a`, `b`"
    code_spans(&of("no such kind"))
        .into_iter()
        .skip(1)
        .map(|kind| {
            let reason = of(&kind);
            // "field `x` does not belong to "kind", which has a, b"
            let (_, fields) = reason.split_once(", which has ").expect("fields");
            (kind, fields.split(", ").map(str::to_owned).collect())
        })
        .collect()
}

fn said_kinds(heading: &str) -> BTreeMap<String, Vec<String>> {
    rows(heading, "Kind")
        .iter()
        .map(|row| (code_spans(row[0])[0].clone(), code_spans(row[1])))
        .collect()
}

#[test]
fn traffic_and_faults_have_the_kinds_of_the_schema_with_their_fields() {
    // No kind has both of two fields of which each belongs to one other kind.
    let traffic = kinds(
        "traffic",
        |kind| json!({ "kind": kind, "shift": 1, "senders": 1, "list": [] }),
    );
    assert_eq!(said_kinds("## `traffic`"), traffic);
    let faults = kinds(
        "faults",
        |kind| json!({ "at": "0", "kind": kind, "penalty": 1, "count": 1, "random": true }),
    );
    assert_eq!(said_kinds("## `faults`"), faults);
}

#[test]
fn the_collectives_are_those_of_the_schema() {
    let job = json!([{ "kind": "job", "collective": "no such", "ranks": 2, "bytes": 1 }]);
    let known = code_spans(&refusal(&with(base(), "", "traffic", job)));
    let said: Vec<String> = rows("## `traffic`", "Collective")
        .iter()
        .flat_map(|row| code_spans(row[0]))
        .collect();
    assert_eq!(said, known[1..]);
}

#[test]
fn its_example_is_a_valid_scenario() {
    let (_, rest) = PAGE.split_once("```json\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("its end");
    Scenario::from_json(example)
        .expect("it can be read")
        .validate()
        .expect("it is valid");
}
