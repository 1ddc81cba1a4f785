//! Objects that are written as lists. Serde would take their values for the fields by position, which is no form of a scenario:
//! a field that is added later would change what such a text means.

use super::way::Step;
use serde_json::Value;

/// The way to the first list in `given` that was read as an object, `read` being what came of it, written out.
pub(super) fn read_as_object(given: &Value, read: &Value) -> Option<Vec<Step>> {
    let mut way = Vec::new();
    find(given, read, &mut way).then_some(way)
}

fn find(given: &Value, read: &Value, way: &mut Vec<Step>) -> bool {
    let mut deeper = |step, given: &Value, read: Option<&Value>| {
        way.push(step);
        let found = read.is_some_and(|read| find(given, read, way));
        if !found {
            way.pop();
        }
        found
    };
    match (given, read) {
        (Value::Array(_), Value::Object(_)) => true,
        (Value::Array(given), Value::Array(read)) => given
            .iter()
            .zip(read)
            .enumerate()
            .any(|(index, (given, read))| deeper(Step::Item(index), given, Some(read))),
        (Value::Object(given), Value::Object(read)) => given
            .iter()
            .any(|(name, given)| deeper(Step::Field(name.clone()), given, read.get(name))),
        _ => false,
    }
}
