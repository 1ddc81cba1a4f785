//! What a text says, or what is wrong with it and where.

use super::edited::Edited;
use super::path::locate;
use scenario::LoadError;
use std::ops::Range;

/// One thing that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The JSON path of the field, such as `traffic[3].dst`; may be empty.
    pub path: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Its bytes in the text: of a field with its name; empty where only a point is known.
    pub span: Range<usize>,
    /// What was given, what was expected, and what to do about it.
    pub reason: String,
}

/// The scenario that a text says, of a host or of a fabric, if it can be run.
///
/// # Errors
/// All that is wrong with it, at least one; where the text is no scenario at all, the first thing.
pub fn check(text: &str, of_host: bool) -> Result<Edited, Vec<Problem>> {
    let scenario = Edited::read(text, of_host).map_err(|error| {
        // A text of the other kind can be opened, but the run in sight cannot become it while it is typed.
        match Edited::read(text, !of_host) {
            Ok(_) => vec![at_path(
                text,
                other_field(of_host).into(),
                other_kind(of_host).into(),
            )],
            Err(_) => vec![of_error(text, &error)],
        }
    })?;
    match scenario.validate() {
        Ok(()) => Ok(scenario),
        Err(problems) => Err(problems
            .into_iter()
            .map(|problem| {
                let reason = match problem.hint.as_str() {
                    "" => problem.reason,
                    hint => format!("{} ({hint})", problem.reason),
                };
                at_path(text, problem.field, reason)
            })
            .collect()),
    }
}

/// The field that only scenarios of the other kind have.
const fn other_field(of_host: bool) -> &'static str {
    if of_host { "fabric" } else { "host" }
}

const fn other_kind(of_host: bool) -> &'static str {
    if of_host {
        "this is the scenario of a fabric, and a host is open; save the text as a file and open that"
    } else {
        "this is the scenario of a host, and a fabric is open; save the text as a file and open that"
    }
}

fn of_error(text: &str, error: &LoadError) -> Problem {
    match error {
        LoadError::Field {
            path,
            line,
            column,
            reason,
        } => {
            // A field that is missing has no place, and a text that is no JSON has no fields.
            if path.is_empty() || reason.starts_with("missing field") || locate(text, "").is_none() {
                let at = offset(text, *line, *column);
                at_span(text, path.clone(), at..at, reason.clone())
            } else {
                at_path(text, path.clone(), reason.clone())
            }
        }
        LoadError::NoVersion | LoadError::TooLarge { .. } => {
            at_span(text, String::new(), 0..0, error.to_string())
        }
        LoadError::NewerVersion { .. } | LoadError::BadVersion { .. } => {
            at_path(text, "version".into(), error.to_string())
        }
    }
}

fn at_path(text: &str, path: String, reason: String) -> Problem {
    let span = locate(text, &path).unwrap_or(0..0);
    at_span(text, path, span, reason)
}

fn at_span(text: &str, path: String, span: Range<usize>, reason: String) -> Problem {
    let before = text.get(..span.start).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    Problem {
        path,
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        span,
        reason,
    }
}

/// The byte at a line and a column in bytes, both from 1 (a column of 0 is the end of the line before); at most the end.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    let mut at = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GOOD: &str = r#"{
  "version": 1,
  "name": "µ – a test",
  "until": "1ms",
  "fabric": { "planes": 2, "t0_per_plane": 2, "t1_per_plane": 2, "nics_per_t0": 2, "nic_link_rate": "100G" },
  "traffic": [
    { "kind": "flow", "src": 0, "dst": 3, "bytes": "4K" }
  ]
}"#;

    fn place(text: &str) -> (String, usize, usize, String) {
        let problem = check(text, false).unwrap_err().remove(0);
        (problem.path, problem.line, problem.column, problem.reason)
    }

    #[test]
    fn a_good_text_is_a_scenario() {
        assert!(matches!(check(GOOD, false), Ok(Edited::Fabric(scenario)) if scenario.fabric.planes == 2));
    }

    #[test]
    fn a_value_that_makes_no_sense_has_its_line_column_and_path() {
        let (path, line, column, reason) = place(&GOOD.replace("\"dst\": 3", "\"dst\": 33"));
        assert_eq!((path.as_str(), line, column), ("traffic[0].dst", 7, 33));
        assert!(reason.contains("33"), "{reason}");
        let (path, line, column, reason) = place(&GOOD.replace("\"1ms\"", "\"soon\""));
        assert_eq!((path.as_str(), line, column), ("until", 4, 3));
        assert!(reason.contains("such as \"12us\""), "{reason}");
    }

    #[test]
    fn no_json_has_the_place_where_it_stops_being_so() {
        let (path, line, _, reason) = place(&GOOD.replace("\"1ms\",", "\"1ms\""));
        assert_eq!((path.as_str(), line), ("", 5), "{reason}");
        let (_, line, _, _) = place("");
        assert_eq!(line, 1);
        let (_, line, _, reason) = place("{\n\n}");
        assert!(line == 1 && reason.contains("version"), "{reason}");
        let (path, line, _, _) = place(&GOOD.replace("\"version\": 1", "\"version\": 2"));
        assert_eq!((path.as_str(), line), ("version", 2));
    }

    #[test]
    fn a_host_s_text_has_places_too_and_is_told_from_a_fabric_s() {
        let host = r#"{
  "version": 1, "until": "1ms", "host": { "nic": { "l1_entries": 3 } },
  "vms": [{}],
  "traffic": [
    { "kind": "ping", "vm": 4, "count": 20 }
  ]
}"#;
        let problems = check(host, true).unwrap_err();
        let places: Vec<(&str, usize)> = problems
            .iter()
            .map(|problem| (problem.path.as_str(), problem.line))
            .collect();
        assert_eq!(places, [("host.nic.l1_entries", 2), ("traffic[0].vm", 5)]);
        let fine = host.replace('3', "2048").replace("\"vm\": 4", "\"vm\": 0");
        assert!(matches!(check(&fine, true), Ok(Edited::Host(_))));
        for (text, of_host, at) in [(fine.as_str(), false, "host"), (GOOD, true, "fabric")] {
            let problem = check(text, of_host).unwrap_err().remove(0);
            assert_eq!(problem.path, at);
            assert!(problem.reason.contains("open that"), "{}", problem.reason);
        }
    }

    #[test]
    fn all_that_is_wrong_is_named_in_one_go() {
        let text = GOOD.replace("\"dst\": 3", "\"dst\": 33").replace("\"4K\"", "0");
        let problems = check(&text, false).unwrap_err();
        let places: Vec<(&str, usize)> = problems
            .iter()
            .map(|problem| (problem.path.as_str(), problem.line))
            .collect();
        assert_eq!(places, [("traffic[0].dst", 7), ("traffic[0].bytes", 7)]);
    }

    proptest! {
        /// Whatever is typed, each problem is at a place of the text.
        #[test]
        fn places_are_in_the_text(at in 0usize..400, cut in 0usize..40, more in "[ -~µ\\n]{0,12}") {
            let mut chars: Vec<char> = GOOD.chars().collect();
            let at = at.min(chars.len());
            let end = (at + cut).min(chars.len());
            chars.splice(at..end, more.chars());
            let text: String = chars.into_iter().collect();
            if let Err(problems) = check(&text, false) {
                prop_assert!(!problems.is_empty());
                for problem in problems {
                    prop_assert!(text.get(problem.span.clone()).is_some(), "{:?}", problem);
                    prop_assert!((1..=text.lines().count().max(1) + 1).contains(&problem.line), "{:?}", problem);
                }
            }
        }
    }
}
