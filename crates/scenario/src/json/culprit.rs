//! The field that an error is about, in a value whose reader does not tell.
//!
//! An object that says by its `kind` what it is gets buffered as a whole, so errors in it carry the place of the whole. What is
//! wrong is found by leaving parts out: where the error goes away with a part, that part is to blame.

use super::way::{Step, pointer};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Fields of one object that are tried: more than any object of a scenario has.
const MAX_FIELDS: usize = 64;

/// The way from this value to what keeps it from being read as a `T`; empty where that is the value itself.
pub(super) fn culprit<T: DeserializeOwned>(value: &Value) -> Vec<Step> {
    let fails = |value: &Value| {
        let error = serde_json::from_value::<T>(value.clone()).err()?;
        Some(error.to_string())
    };
    let mut way = Vec::new();
    let Some(error) = fails(value) else { return way };
    // What is not there has no place.
    if error.starts_with("missing field") {
        return way;
    }
    let same = |value: &Value| fails(value).as_ref() == Some(&error);
    let mut rest = value.clone();
    while let Some(step) = next(&mut rest, &pointer(&way), &same) {
        way.push(step);
    }
    way
}

/// The part of what the pointer leads to without which the error is not the same; of a list only that part and what is before
/// it is left.
fn next(whole: &mut Value, at: &str, same: &dyn Fn(&Value) -> bool) -> Option<Step> {
    match whole.pointer(at)? {
        Value::Object(fields) => {
            let mut names: Vec<String> = fields.keys().take(MAX_FIELDS).cloned().collect();
            // Without its kind nothing about an object can be read, so that would always be another error.
            names.sort_by_key(|name| name == "kind");
            names.into_iter().find_map(|name| {
                let mut without = whole.clone();
                without.pointer_mut(at)?.as_object_mut()?.remove(&name);
                (!same(&without)).then_some(Step::Field(name))
            })
        }
        Value::Array(items) => {
            let items = items.clone();
            let first = |count: usize, whole: &mut Value| {
                let list = whole.pointer_mut(at)?;
                *list = Value::Array(items.get(..count)?.to_vec());
                Some(())
            };
            // The fewest items that give the error, by halves.
            let (mut without, mut with) = (0, items.len());
            first(0, whole)?;
            if items.is_empty() || same(whole) {
                // It is about the list as such.
                first(items.len(), whole)?;
                return None;
            }
            while with - without > 1 {
                let middle = without.midpoint(with);
                first(middle, whole)?;
                if same(whole) {
                    with = middle;
                } else {
                    without = middle;
                }
            }
            first(with, whole)?;
            same(whole).then_some(Step::Item(with - 1))
        }
        _ => None,
    }
}
