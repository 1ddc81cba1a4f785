//! What `flowglass ledger` computes; `docs/results-json.md` says what each field means.

pub mod text;

use ledger::{
    Alternative, COMPONENTS, INPUTS, InputError, Inputs, Performance, Statement, Status, Workload,
    alternatives,
};
use serde::Serialize;
use serde_json::{Map, Value};

/// Version of the form that `--json` writes; it grows when a field changes its meaning or goes away.
const FORMAT: u32 = 1;

/// The whole result.
#[derive(Serialize)]
pub struct Ledger {
    /// Version of this form.
    pub format: u32,
    /// Both sides, for one host and one year.
    pub statement: Statement,
    /// Failures of each part of the card in the fleet and year.
    pub parts: Vec<Part>,
    /// What else could carry the policy.
    pub alternatives: Vec<Carried>,
    /// What the alternatives carry.
    pub workload: Workload,
    /// What the statement follows from.
    pub inputs: Vec<InputValue>,
}

/// A part of the card that fails.
#[derive(Serialize)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// Failures in the fleet and year.
    pub failures: f64,
}

/// One alternative and what it does.
#[derive(Serialize)]
pub struct Carried {
    /// Its parameters.
    #[serde(flatten)]
    pub alternative: Alternative,
    /// What follows from them.
    pub performance: Performance,
}

/// An input with the value in force.
#[derive(Serialize)]
pub struct InputValue {
    /// Its name for `--set`.
    pub key: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// The value in force.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// The value where nothing is set.
    pub default: f64,
    /// The least that is accepted.
    pub min: f64,
    /// The most that is accepted.
    pub max: f64,
    /// How far the default can be trusted.
    pub status: Status,
    /// Where the default comes from.
    pub source: &'static str,
}

impl Ledger {
    /// Computes everything with some inputs, or fields of the workload, set.
    ///
    /// # Errors
    /// Which input is not known or out of range, and what was expected.
    pub fn of(set: &[(String, f64)]) -> Result<Ledger, String> {
        let mut inputs = Inputs::default();
        let mut workload = fields(&Workload::default());
        for (key, value) in set {
            match inputs.set(key, *value) {
                Err(InputError::Unknown(_)) if workload.contains_key(key) => {
                    workload.insert(key.clone(), (*value).into());
                }
                Err(unknown @ InputError::Unknown(_)) => {
                    let more: Vec<&str> = workload.keys().map(String::as_str).collect();
                    return Err(format!("{unknown}; and of the workload {}", more.join(", ")));
                }
                other => other.map_err(|e| e.to_string())?,
            }
        }
        let workload: Workload =
            serde_json::from_value(Value::Object(workload)).map_err(|_| "a value is no finite number")?;
        let statement = Statement::of(&inputs).map_err(|e| e.to_string())?;
        let carried = alternatives().into_iter().map(|alternative| {
            let performance = alternative.perform(&workload).map_err(|e| e.to_string())?;
            Ok(Carried {
                alternative,
                performance,
            })
        });
        Ok(Ledger {
            format: FORMAT,
            parts: COMPONENTS
                .iter()
                .zip(statement.failures.fleet)
                .map(|(part, failures)| Part {
                    name: part.name,
                    failures,
                })
                .collect(),
            alternatives: carried.collect::<Result<_, String>>()?,
            workload,
            inputs: INPUTS
                .into_iter()
                .map(|input| InputValue {
                    key: input.key,
                    label: input.label,
                    value: inputs.get(input.key).unwrap_or(input.default),
                    unit: input.unit,
                    default: input.default,
                    min: input.min,
                    max: input.max,
                    status: input.status,
                    source: input.source,
                })
                .collect(),
            statement,
        })
    }
}

/// The fields of the workload by their names.
pub fn fields(workload: &Workload) -> Map<String, Value> {
    match serde_json::to_value(workload) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(key: &str, value: f64) -> String {
        match Ledger::of(&[(key.into(), value)]) {
            Ok(_) => panic!("{key}={value} was accepted"),
            Err(why) => why,
        }
    }

    #[test]
    fn inputs_and_the_workload_are_set_by_name() {
        let set = [("cores_returned".into(), 0.0), ("line_gbps".into(), 100.0)];
        let ledger = Ledger::of(&set).expect("both are known");
        assert_eq!(ledger.statement.cores, 0.0);
        assert_eq!(ledger.workload.line_gbps, 100.0);
        let cores = &ledger.inputs[0];
        assert_eq!(
            (cores.key, cores.value, cores.default),
            ("cores_returned", 0.0, 4.0)
        );
    }

    #[test]
    fn what_cannot_be_set_is_named() {
        assert!(refusal("cores", 1.0).starts_with("there is no input \"cores\"; there are cores_returned,"));
        assert!(refusal("cores", 1.0).contains("line_gbps"));
        assert_eq!(refusal("pue", 0.5), "pue is 0.5; expected 1 to 3 ratio");
        assert_eq!(
            refusal("line_gbps", -1.0),
            "line_gbps is -1; expected a number above 0 and at most 1e12"
        );
        assert_eq!(refusal("line_gbps", f64::NAN), "a value is no finite number");
        assert!(refusal("card_price_low", 9_000.0).contains("must not be above the high one"));
    }
}
