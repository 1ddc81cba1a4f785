//! A field of the scenario that is tuned, and the values that it may take.

use crate::row::plain;
use scenario::{Bytes, Rate, Time};
use serde::Serialize;
use serde_json::Value;

/// Values of a range: our choice. Over three decades they are a factor of 1.5 apart, which is finer than a few seeds can tell.
pub const LEVELS_OF_RANGE: usize = 17;
/// Values of one field at most; our choice.
pub const MAX_LEVELS: usize = 64;

/// A field and its values. The search sees nothing of them but their numbers, from 0, so a step is from one to the next.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// Its path, such as `transport.roce.dcqcn.rate_ai`.
    pub path: String,
    /// Its values as the scenario's JSON has them; numbers, times, rates and sizes in ascending order.
    pub levels: Vec<Value>,
    /// Which of them the scenario has. It is never written, so null stands for a field that is left out.
    pub own: usize,
    /// Whether the values are in an order, so that the next one is near.
    pub ordered: bool,
    /// Whether the sample varies it. A switch that makes other fields meaningless is left to starting points and refinement.
    pub sampled: bool,
}

impl Parameter {
    /// A field with these values beside its `own`; null where the scenario leaves it out.
    ///
    /// # Errors
    /// Says what is wrong when there is no other value, or there are too many.
    pub fn list(path: &str, values: Vec<Value>, own: Value) -> Result<Parameter, String> {
        let mut levels: Vec<Value> = Vec::new();
        for value in values {
            if !levels.iter().any(|known| same(known, &value)) {
                levels.push(value);
            }
        }
        if !levels.iter().any(|known| same(known, &own)) {
            levels.insert(0, own.clone());
        }
        if levels.len() < 2 {
            let only = plain(&own);
            return Err(format!(
                "{path} has no value but {only}, which it has already; expected another one"
            ));
        }
        if levels.len() > MAX_LEVELS {
            let count = levels.len();
            return Err(format!(
                "{path} has {count} values; expected at most {MAX_LEVELS}"
            ));
        }
        let ordered = levels
            .iter()
            .all(|value| value.is_null() || size(value).is_some());
        if ordered {
            // What is left out comes first: where it would belong is not known.
            levels.sort_by(|a, b| {
                let of = |value: &Value| size(value).unwrap_or(f64::NEG_INFINITY);
                of(a).total_cmp(&of(b))
            });
        }
        let own = levels.iter().position(|known| same(known, &own)).unwrap_or(0);
        Ok(Parameter {
            path: path.into(),
            levels,
            own,
            ordered,
            sampled: true,
        })
    }

    /// A field from `low` to `high`, both included, in [`LEVELS_OF_RANGE`] steps of equal difference or (`log`) equal
    /// ratio, rounded to two digits.
    ///
    /// # Errors
    /// Says what is wrong with the ends.
    pub fn range(path: &str, low: &Value, high: &Value, log: bool, own: Value) -> Result<Parameter, String> {
        Parameter::list(
            path,
            spread(low, high, log).map_err(|why| format!("{path}: {why}"))?,
            own,
        )
    }

    /// Leaves it to starting points and refinement.
    #[must_use]
    pub fn unsampled(mut self) -> Parameter {
        self.sampled = false;
        self
    }

    /// Which level a value is; none when it is not among them.
    pub fn level_of(&self, value: &Value) -> Option<usize> {
        self.levels.iter().position(|known| same(known, value))
    }

    /// A level as text; what the scenario leaves out is "left out".
    pub fn text(&self, level: usize) -> String {
        match self.levels.get(level) {
            None | Some(Value::Null) => "left out".into(),
            Some(value) => plain(value),
        }
    }
}

/// How a text counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Whole,
    Number,
    Time,
    Rate,
    Bytes,
}

/// A value as a number of ps, b/s, B or of nothing.
fn kind(value: &Value) -> Option<(Kind, f64)> {
    if let Some(number) = value.as_f64() {
        let kind = if value.is_f64() { Kind::Number } else { Kind::Whole };
        return Some((kind, number));
    }
    let text = value.as_str()?;
    let time = text.parse::<Time>().map(|time| (Kind::Time, time.0 as f64));
    let rate = || text.parse::<Rate>().map(|rate| (Kind::Rate, rate.0 as f64));
    let bytes = || text.parse::<Bytes>().map(|bytes| (Kind::Bytes, bytes.0 as f64));
    time.or_else(|_| rate()).or_else(|_| bytes()).ok()
}

fn size(value: &Value) -> Option<f64> {
    kind(value).map(|(_, size)| size)
}

/// The same value, also when it is written in another way.
fn same(a: &Value, b: &Value) -> bool {
    match (size(a), size(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b).is_eq(),
        _ => a == b,
    }
}

/// Values from `low` to `high`.
fn spread(low: &Value, high: &Value, log: bool) -> Result<Vec<Value>, String> {
    let shown = format!("{}..{}", plain(low), plain(high));
    let expected = "expected two numbers, times, rates or sizes, the smaller one first, such as 1us..100us";
    let (Some((low_kind, from)), Some((high_kind, to))) = (kind(low), kind(high)) else {
        return Err(format!("{shown} is no range: {expected}"));
    };
    let of = match (low_kind, high_kind) {
        (Kind::Whole, Kind::Number) | (Kind::Number, Kind::Whole) => Kind::Number,
        // A size may be written without a unit, and nothing at all for every kind.
        (Kind::Whole, Kind::Bytes) => Kind::Bytes,
        (low, high) if low == high => high,
        (_, high) if from <= 0.0 && high != Kind::Whole => high,
        _ => return Err(format!("{shown} is no range: {expected}")),
    };
    if from >= to {
        return Err(format!("{shown} is no range: {expected}"));
    }
    if log && from <= 0.0 {
        return Err(format!(
            "{shown} has no logarithms; expected a range that begins above 0"
        ));
    }
    let last = (LEVELS_OF_RANGE - 1) as f64;
    let inner = (1..LEVELS_OF_RANGE - 1).map(|i| {
        let share = i as f64 / last;
        let exact = match log {
            true => from * libm::exp(libm::log(to / from) * share),
            false => from + (to - from) * share,
        };
        value_of(of, two_digits(exact))
    });
    Ok([low.clone()]
        .into_iter()
        .chain(inner)
        .chain([high.clone()])
        .collect())
}

/// Rounded to two decimal digits that count.
fn two_digits(exact: f64) -> f64 {
    format!("{exact:.1e}").parse().unwrap_or(exact)
}

fn value_of(kind: Kind, size: f64) -> Value {
    let whole = size.round() as u64;
    match kind {
        Kind::Number => size.into(),
        Kind::Whole => whole.into(),
        Kind::Time => Time(whole).canonical().into(),
        Kind::Rate => Rate(whole).canonical().into(),
        Kind::Bytes => Bytes(whole).canonical().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_range_by_ratio_has_its_ends_and_its_geometric_mean() {
        let range = |low: Value, high: Value| {
            Parameter::range("x", &low, &high, true, Value::Null).map(|parameter| parameter.levels)
        };
        // √(1 · 100) = 10 is in the middle; 100^(1/16) = 1.33 comes first, 100^(15/16) = 74.99 last.
        let times = range(json!("1us"), json!("100us")).unwrap();
        assert_eq!(times.len(), 18, "and what the scenario leaves out");
        assert_eq!(
            (&times[0], &times[1], &times[2]),
            (&Value::Null, &json!("1us"), &json!("1300ns"))
        );
        assert_eq!(
            (&times[9], &times[16], &times[17]),
            (&json!("10us"), &json!("75us"), &json!("100us"))
        );
        assert_eq!(
            range(json!("40Mbps"), json!("40Gbps")).unwrap()[2],
            json!("62Mbps")
        );
        assert_eq!(range(json!("64KiB"), json!("1MB")).unwrap()[1], json!("64KiB"));
        // Whole numbers stay whole, so small ones coincide: 1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 13, 17, 23, 29, 38, 49, 64.
        let whole: Vec<u64> = range(json!(1), json!(64))
            .unwrap()
            .iter()
            .filter_map(Value::as_u64)
            .collect();
        assert_eq!(whole, [1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 23, 29, 38, 49, 64]);
        assert_eq!(range(json!(0.01), json!(1)).unwrap()[9], json!(0.1));
    }

    #[test]
    fn a_range_by_difference_is_even() {
        let parameter = Parameter::range("x", &json!("0"), &json!("16us"), false, json!("3us")).unwrap();
        assert_eq!(parameter.levels.len(), 17);
        assert_eq!(
            (parameter.own, parameter.text(3), parameter.text(4)),
            (3, "3us".into(), "4us".into())
        );
    }

    #[test]
    fn the_scenario_s_own_value_is_among_them_in_its_place() {
        let list = |values: &[Value], own: Value| Parameter::list("x", values.to_vec(), own).unwrap();
        let rates = list(&[json!("100Gbps"), json!("5Mbps")], json!("40Mbps"));
        assert_eq!(rates.levels, [json!("5Mbps"), json!("40Mbps"), json!("100Gbps")]);
        assert_eq!((rates.own, rates.ordered), (1, true));
        let known = list(&[json!("55us"), json!("1us")], json!("0.055ms"));
        assert_eq!((known.levels.len(), known.own), (2, 1));
        assert_eq!(known.level_of(&json!("1000ns")), Some(0));
        let rules = list(&[json!("vendor")], json!("paper"));
        assert_eq!(
            (rules.own, rules.ordered, rules.text(1)),
            (0, false, "vendor".into())
        );
        let left_out = list(&[json!(8), json!(2)], Value::Null);
        assert_eq!(
            (left_out.own, left_out.text(0), left_out.text(1)),
            (0, "left out".into(), "2".into())
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        let range =
            |low: Value, high: Value, log| Parameter::range("x", &low, &high, log, json!(1)).unwrap_err();
        for (message, expected) in [
            (
                range(json!("1us"), json!("1Gbps"), false),
                "x: 1us..1Gbps is no range",
            ),
            (range(json!(5), json!(5), false), "x: 5..5 is no range"),
            (
                range(json!("slow"), json!("fast"), false),
                "the smaller one first",
            ),
            (
                range(json!(0), json!(5), true),
                "expected a range that begins above 0",
            ),
            (
                Parameter::list("x", vec![json!("40Mbps")], json!("0.04Gbps")).unwrap_err(),
                "x has no value but 0.04Gbps, which it has already",
            ),
            (
                Parameter::list("x", (0..65).map(Value::from).collect(), json!(0)).unwrap_err(),
                "x has 65 values; expected at most 64",
            ),
        ] {
            assert!(message.contains(expected), "{message}");
        }
    }
}
