//! `--fault`: a failure from the command line.

use scenario::{Fault, LoadError, Scenario};
use serde_json::{Map, Value};

/// Reads `KIND@TIME,field=value,…` as the fault that has these fields in a scenario.
///
/// # Errors
/// Says which part makes no sense, and what was expected.
pub fn parse(text: &str) -> Result<Fault, String> {
    let (head, fields) = text
        .split_once(',')
        .map_or((text, ""), |(head, rest)| (head, rest));
    let (kind, at) = head
        .split_once('@')
        .filter(|(kind, at)| !kind.is_empty() && !at.is_empty())
        .ok_or("expected KIND@TIME,field=value,… such as link_down@100us,link=p1/t0.0-t1.2")?;
    let mut object = Map::new();
    object.insert("at".into(), at.into());
    object.insert("kind".into(), kind.into());
    for field in fields.split(',').filter(|field| !field.is_empty()) {
        let (name, value) = field
            .split_once('=')
            .ok_or_else(|| format!("{field:?} has no value; expected field=value"))?;
        // Numbers and truth values as they are; everything else is a text, as in the scenario.
        let value = serde_json::from_str::<Value>(value)
            .ok()
            .filter(|value| value.is_number() || value.is_boolean())
            .unwrap_or_else(|| value.into());
        if object.insert(name.into(), value).is_some() {
            return Err(format!("{name:?} is given twice"));
        }
    }
    let json = Value::Object(object).to_string();
    Fault::from_json(&json).map_err(|error| match error {
        // Line and column are those of a text that nobody has seen.
        LoadError::Field { path, reason, .. } if path.is_empty() => reason,
        LoadError::Field { path, reason, .. } => format!("{path}: {reason}"),
        other => other.to_string(),
    })
}

/// Adds the faults to a valid scenario.
///
/// # Errors
/// What is wrong with them there, one line each.
pub fn add(scenario: &mut Scenario, faults: &[Fault]) -> Result<(), Vec<String>> {
    let first = scenario.faults.len();
    scenario.faults.extend(faults.iter().cloned());
    scenario.validate().map_err(|problems| {
        let name = |field: &str| {
            let (index, rest) = field.strip_prefix("faults[")?.split_once(']')?;
            let number = index.parse::<usize>().ok()?.checked_sub(first)? + 1;
            Some(format!(
                "--fault number {number}: {}",
                rest.trim_start_matches('.')
            ))
        };
        let line = |problem: &scenario::Problem| {
            let field = name(&problem.field).unwrap_or_else(|| problem.field.clone());
            let hint = match problem.hint.as_str() {
                "" => String::new(),
                hint => format!(" ({hint})"),
            };
            format!("{field} {}{hint}", problem.reason)
        };
        problems.iter().map(line).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::{FaultKind, Time};

    #[test]
    fn a_fault_is_read_as_in_a_scenario() {
        let fault = parse("nic_flap@1ms,nic=3,duration=200us").expect("good");
        assert_eq!(fault.at, Time::ms(1));
        let expected = FaultKind::NicFlap {
            nic: 3,
            duration: Time::us(200),
        };
        assert_eq!(fault.what, expected);
        let fault = parse("link_loss@5us,link=p1/t0.0-t1.2,rate=0.01,direction=up").expect("good");
        assert!(matches!(fault.what, FaultKind::LinkLoss { rate: 0.01, .. }));
        let fault = parse("link_flap@0,link=p0/n1,down=5us,up=9us,random=false,until=1ms").expect("good");
        assert!(matches!(fault.what, FaultKind::LinkFlap { random: false, .. }));
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for (text, expected) in [
            ("", "expected KIND@TIME"),
            ("link_down", "expected KIND@TIME"),
            ("@5us", "expected KIND@TIME"),
            ("explode@5us", "explode"),
            ("link_down@5us", "link"),
            ("link_down@5us,link", "\"link\" has no value"),
            ("link_down@5us,link=p0", "names no link"),
            ("link_down@5us,link=p0/n1,link=p0/n2", "\"link\" is given twice"),
            ("link_down@5us,link=p0/n1,rate=3", "rate"),
            ("link_down@soon,link=p0/n1", "soon"),
            (
                "nic_flap@1ms,nic=-1,duration=1us",
                "nic: invalid value: integer `-1`, expected a whole number",
            ),
            (
                "link_loss@5us,link=p0/n1,rate=NaN",
                "rate: invalid type: string \"NaN\", expected a number",
            ),
            ("link_down@5us,link=p0/n1,at=7us", "\"at\" is given twice"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
