//! What a user asks to have tuned, as text.

use super::parameter::Parameter;
use crate::field::field_of;
use scenario::Scenario;
use serde_json::Value;
use std::str::FromStr;

/// A field and the values asked for: `PATH=V1,V2,…`, `PATH=LOW..HIGH`, or `PATH=LOW..HIGH:log`.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The field's path.
    pub path: String,
    values: Values,
}

#[derive(Clone, Debug, PartialEq)]
enum Values {
    List(Vec<Value>),
    Range { low: Value, high: Value, log: bool },
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        let expected = "expected a field and its values, such as transport.qps=1,4,16 or \
                        transport.roce.dcqcn.rate_ai=40Mbps..8Gbps:log";
        let (path, values) = text
            .split_once('=')
            .filter(|(path, values)| !path.is_empty() && !values.is_empty())
            .ok_or(expected)?;
        let values = match values.split_once("..") {
            Some((low, high)) => {
                let (high, log) = high
                    .strip_suffix(":log")
                    .map_or((high, false), |high| (high, true));
                Values::Range {
                    low: value(low),
                    high: value(high),
                    log,
                }
            }
            None => Values::List(values.split(',').map(value).collect()),
        };
        if matches!(&values, Values::List(list) if list.iter().any(|value| value == "")) {
            return Err(format!(
                "a value of {path} is empty; expected values with commas between them"
            ));
        }
        let choice = Choice {
            path: path.into(),
            values,
        };
        // Whatever the scenario's own value is, a range must be one.
        match &choice.values {
            Values::Range { .. } => choice.with(Value::Null).map(|_| choice),
            Values::List(_) => Ok(choice),
        }
    }
}

impl Choice {
    /// The parameter for a scenario, whose own value is among the levels. `known` are fields whose values are known though the
    /// scenario leaves them out.
    ///
    /// # Errors
    /// Says what is wrong with path or values.
    pub fn parameter(&self, scenario: &Scenario, known: &[Parameter]) -> Result<Parameter, String> {
        let said = |problems: Vec<scenario::Problem>| {
            let texts = problems.iter().map(ToString::to_string);
            texts.collect::<Vec<_>>().join("; ")
        };
        let own = match known.iter().find(|parameter| parameter.path == self.path) {
            Some(parameter) => parameter.levels[parameter.own].clone(),
            None => field_of(scenario, &self.path)
                .map_err(said)?
                .unwrap_or(Value::Null),
        };
        self.with(own)
    }

    fn with(&self, own: Value) -> Result<Parameter, String> {
        match &self.values {
            Values::List(values) => Parameter::list(&self.path, values.clone(), own),
            Values::Range { low, high, log } => Parameter::range(&self.path, low, high, *log, own),
        }
    }
}

/// A number, `true` or `false`, or else a text such as `100Gbps`.
fn value(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::scenario;
    use serde_json::json;

    #[test]
    fn lists_and_ranges_are_read() {
        let read = |text: &str| {
            let choice: Choice = text.parse().unwrap();
            choice.parameter(&scenario(), &[]).unwrap()
        };
        let list = read("transport.balancer=mrc,reps");
        assert_eq!(list.levels, [Value::Null, json!("mrc"), json!("reps")]);
        let range = read("traffic[0].bytes=1kB..1MB:log");
        assert_eq!((range.text(0), range.ordered), ("1kB".into(), true));
        let own = field_of(&scenario(), "traffic[0].bytes").unwrap().unwrap();
        assert_eq!(
            range.level_of(&own),
            Some(range.own),
            "the scenario's own is among them"
        );
        // 1 + (5 − 1) · 1/16 = 1.25, rounded to the even 1.2.
        assert_eq!(read("fabric.queue.ecn_max_bdp=1.0..5").levels[2], json!(1.2));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("transport.evs", "such as transport.qps=1,4,16"),
            ("=1,2", "expected a field and its values"),
            ("a=", "expected a field and its values"),
            ("a=1,,2", "a value of a is empty"),
            ("a=5us..1us", "a: 5us..1us is no range"),
            ("a=0..1:log", "begins above 0"),
            ("a=1..", "a: 1.. is no range"),
        ] {
            let message = text.parse::<Choice>().unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
        }
        let choice: Choice = "traffic[x].bytes=1".parse().unwrap();
        let message = choice.parameter(&scenario(), &[]).unwrap_err();
        assert!(
            message.contains("an index is a whole number in brackets"),
            "{message}"
        );
    }
}
