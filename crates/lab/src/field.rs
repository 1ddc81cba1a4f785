//! Another value for one field of a scenario.

use crate::subject::Subject;
use scenario::{LoadError, Problem};
use serde_json::Value;

/// A step of a path such as `traffic[0].bytes`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

/// The scenario with `value` at `path`. Whatever is wrong is said about `place`.
pub fn with_field<S: Subject>(
    scenario: &S,
    path: &str,
    value: &Value,
    place: &str,
) -> Result<S, Vec<Problem>> {
    let changed = read_with_fields(scenario, [(path, value)], place)?;
    changed.check().map_err(|problems| {
        problems
            .into_iter()
            .map(|found| problem(place, found.to_string(), ""))
            .collect::<Vec<_>>()
    })?;
    Ok(changed)
}

/// The scenario with each value at its path. It has the form of a scenario, but whether its values agree with each other is
/// for the caller to check: of several fields some may be right only together.
pub fn read_with_fields<'a, S: Subject>(
    scenario: &S,
    fields: impl IntoIterator<Item = (&'a str, &'a Value)>,
    place: &str,
) -> Result<S, Vec<Problem>> {
    let mut json = to_json(scenario)?;
    for (path, value) in fields {
        let steps = parse(path).map_err(|reason| vec![problem("vary.path", reason, S::PATH)])?;
        set(&mut json, &steps, value).map_err(|reason| vec![problem("vary.path", reason, "")])?;
    }
    S::read(&json.to_string()).map_err(|error| {
        let reason = match error {
            // Line and column are those of a text that nobody has seen.
            LoadError::Field { path, reason, .. } if path.is_empty() => reason,
            LoadError::Field { path, reason, .. } => format!("{path}: {reason}"),
            other => other.to_string(),
        };
        vec![problem(place, reason, "")]
    })
}

/// The value at `path`; none where the scenario leaves it out. Only searches ask, and the page has none.
#[cfg(not(target_arch = "wasm32"))]
pub fn field_of<S: Subject>(scenario: &S, path: &str) -> Result<Option<Value>, Vec<Problem>> {
    let steps = parse(path).map_err(|reason| vec![problem("vary.path", reason, S::PATH)])?;
    let mut at = &to_json(scenario)?;
    for step in &steps {
        let next = match step {
            Step::Key(key) => at.get(key),
            Step::Index(index) => at.get(index),
        };
        match next {
            Some(next) => at = next,
            None => return Ok(None),
        }
    }
    Ok(Some(at.clone()))
}

fn to_json<S: Subject>(scenario: &S) -> Result<Value, Vec<Problem>> {
    serde_json::to_value(scenario).map_err(|error| vec![problem("scenario", error.to_string(), "")])
}

fn problem(field: &str, reason: String, hint: &str) -> Problem {
    Problem {
        field: field.into(),
        reason,
        hint: hint.into(),
    }
}

fn parse(path: &str) -> Result<Vec<Step>, String> {
    let bad = |why: &str| format!("{path:?} is no path: {why}; expected names and indices");
    let mut steps = Vec::new();
    for (i, part) in path.split('.').enumerate() {
        let (key, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        if key.is_empty() {
            return Err(bad(if i == 0 && path.is_empty() {
                "it is empty"
            } else {
                "a name is missing"
            }));
        }
        steps.push(Step::Key(key.into()));
        while !rest.is_empty() {
            let index = rest
                .strip_prefix('[')
                .and_then(|rest| rest.split_once(']'))
                .and_then(|(index, after)| Some((index.parse().ok()?, after)));
            let Some((index, after)) = index else {
                return Err(bad("an index is a whole number in brackets"));
            };
            steps.push(Step::Index(index));
            rest = after;
        }
    }
    if steps[0] == Step::Key("seed".into()) {
        return Err("seed is what the seeds of a sweep vary; expected another field".into());
    }
    Ok(steps)
}

/// Puts a value in its place. Objects on the way that are left out, because all in them is default, are made.
fn set(json: &mut Value, steps: &[Step], value: &Value) -> Result<(), String> {
    let mut at = json;
    let mut walked = String::new();
    for step in steps {
        let kind = kind(at);
        at = match (step, at) {
            (Step::Key(key), Value::Object(fields)) => {
                let next = fields
                    .entry(key.clone())
                    .or_insert_with(|| Value::Object(Default::default()));
                walked = if walked.is_empty() {
                    key.clone()
                } else {
                    format!("{walked}.{key}")
                };
                next
            }
            (Step::Index(index), Value::Array(items)) => {
                let there = items.len();
                let next = items.get_mut(*index).ok_or_else(|| {
                    format!("{walked}[{index}] does not exist: {walked} has {there} elements, counted from 0")
                })?;
                walked = format!("{walked}[{index}]");
                next
            }
            (Step::Key(key), _) => return Err(format!("{walked} is {kind} and has no field {key:?}")),
            (Step::Index(index), _) => return Err(format!("{walked} is {kind} and has no element {index}")),
        };
    }
    *at = value.clone();
    Ok(())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::scenario;
    use serde_json::json;

    fn refusal(path: &str, value: Value) -> String {
        let problems = with_field(&scenario(), path, &value, "vary.values[0]").unwrap_err();
        problems
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn fields_are_set_where_they_are_and_where_they_were_left_out() {
        let set = |path: &str, value: Value| with_field(&scenario(), path, &value, "x").unwrap();
        assert_eq!(set("transport.evs", json!(8)).transport.evs, 8);
        assert!(!set("fabric.queue.trimming", json!(false)).fabric.queue.trimming);
        let changed = set("traffic[0].bytes", json!("64kB"));
        assert_eq!(changed.flows()[0].bytes, 64_000);
        let changed = set("faults[0].at", json!("3us"));
        assert_eq!(changed.faults[0].at, scenario::Time::us(3));
        // What is none where it is left out is there with its defaults, but for the one field.
        let changed = set("fabric.pfc.xoff", json!("300kB"));
        let pfc = changed.fabric.pfc.expect("an object on the way");
        assert_eq!((pfc.xoff, pfc.xon), (scenario::Bytes(300_000), None));
        assert_eq!(set("fabric.pfc", json!(null)).fabric.pfc, None);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (path, value, expected) in [
            ("", json!(1), "vary.path: \"\" is no path: it is empty"),
            ("fabric..planes", json!(1), "a name is missing"),
            (
                "traffic[x].bytes",
                json!(1),
                "an index is a whole number in brackets",
            ),
            ("traffic[0", json!(1), "an index is a whole number in brackets"),
            ("seed", json!(1), "seed is what the seeds of a sweep vary"),
            (
                "traffic[4].bytes",
                json!(1),
                "traffic[4] does not exist: traffic has 1 elements",
            ),
            ("fabric[0]", json!(1), "fabric is an object and has no element 0"),
            (
                "fabric.planes.x",
                json!(1),
                "fabric.planes is a number and has no field \"x\"",
            ),
            (
                "transport.evz",
                json!(1),
                "vary.values[0]: transport.evz: unknown field",
            ),
            (
                "transport.evs",
                json!("many"),
                "vary.values[0]: transport.evs: invalid type",
            ),
            ("transport.evs", json!(7), "vary.values[0]: transport.evs: "),
            (
                "transport.roce.dcqcn.rate_ai",
                json!("1Gbps"),
                "vary.values[0]: transport.roce.dcqcn.rate_ai: is given, but transport.protocol is \"mrc\"",
            ),
        ] {
            let message = refusal(path, value);
            assert!(message.contains(expected), "{path}: {message}");
        }
    }
}
