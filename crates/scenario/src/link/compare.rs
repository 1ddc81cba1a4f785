//! The link of a comparison: two to four fabrics that run side by side.
//!
//! Two forms, as for a single scenario, and readable for as long:
//!
//! - `c=1.` and then the packing of form 1, of the scenarios' compact JSON one after the other, a line each. They are packed
//!   together, so what they have in common takes next to no room a second time.
//! - `c=preset/NAME,NAME`: presets as they are today.
//!
//! Either may be followed by `&seed=N`, which is the seed of all, and by `&at=TIME`, as of a single scenario.
//!
//! What is too large for a link fits into a file: a JSON array of the scenarios.

use super::{
    Content, LinkError, by_name, check_length, pack, read_options, take_apart, unknown_form, unpack_json,
};
use crate::host::{HostScenario, find_host_preset};
use crate::schema::Scenario;

/// Scenarios of a comparison at least.
pub const MIN_COMPARED: usize = 2;
/// Scenarios of a comparison at most: as many as have room on a page and workers of their own.
pub const MAX_COMPARED: usize = 4;

/// What the link of a comparison begins with.
const MARK: &str = "c=";
/// The packed form, after that.
const FORM: &str = "1.";

/// True when a link, with or without `#` before it, is one of a comparison, be it in order or not.
pub fn is_comparison(link: &str) -> bool {
    let link = link.trim_start();
    link.strip_prefix('#').unwrap_or(link).starts_with(MARK)
}

/// The link of a comparison, without `#`.
///
/// # Errors
/// [`LinkError::BadCount`] unless there are [`MIN_COMPARED`] to [`MAX_COMPARED`] scenarios, and
/// [`LinkError::ScenarioTooLarge`] if it would not be read back.
pub fn encode_compare(scenarios: &[Scenario]) -> Result<String, LinkError> {
    check_count(scenarios.len())?;
    // Compact JSON has no line break of its own: in a text it is written as an escape.
    let lines: Vec<String> = scenarios.iter().map(Scenario::to_json_compact).collect();
    pack(&format!("{MARK}{FORM}"), &lines.join("\n"))
}

/// The link of a comparison of presets as they are today, without `#`. The names are not checked.
pub fn compare_presets(slugs: &[&str]) -> String {
    format!("{MARK}preset/{}", slugs.join(","))
}

/// Reads the link of a comparison, with or without `#` before it, and validates its scenarios.
///
/// # Errors
/// Whatever is wrong, see [`LinkError`]; with the number of the scenario, where it is one of them.
pub fn decode_compare(link: &str) -> Result<Vec<Scenario>, LinkError> {
    check_length(link)?;
    let (body, options) = take_apart(link)?;
    let body = body.strip_prefix(MARK).ok_or(LinkError::NotAComparison)?;
    let options = read_options(options)?;
    options.check_no_marks()?;
    let seed = options.seed;
    let content = match body.strip_prefix("preset/") {
        Some(names) => Content::Preset(names),
        None => {
            let payload = body.strip_prefix(FORM).ok_or_else(|| unknown_form(body))?;
            Content::Json(unpack_json(payload, MARK.len() + FORM.len())?)
        }
    };
    let read: Vec<Result<Scenario, LinkError>> = match &content {
        Content::Preset(names) => {
            let read: Vec<_> = names.split(',').take(MAX_COMPARED + 1).map(preset).collect();
            // A name that is none says more than the number of names.
            if read.iter().all(Result::is_ok) {
                check_count(names.split(',').count())?;
            }
            read
        }
        Content::Json(json) => {
            check_count(json.split('\n').count())?;
            json.split('\n').map(scenario).collect()
        }
    };
    checked(read, seed)
}

/// The file of a comparison: a JSON array of its scenarios.
pub fn comparison_file(scenarios: &[Scenario]) -> String {
    let texts: Vec<String> = scenarios.iter().map(Scenario::to_json_pretty).collect();
    format!("[\n{}\n]\n", texts.join(",\n"))
}

/// The scenarios in the file of a comparison; none where the text is none, as it does not begin with `[`.
///
/// # Errors
/// What is wrong with it, as of a link.
pub fn read_comparison_file(text: &str) -> Option<Result<Vec<Scenario>, LinkError>> {
    if !text.trim_start().starts_with('[') {
        return None;
    }
    let values: Vec<serde_json::Value> = serde_json::from_str(text).ok()?;
    if let Err(error) = check_count(values.len()) {
        return Some(Err(error));
    }
    let read = values.iter().map(|value| scenario(&value.to_string())).collect();
    Some(checked(read, None))
}

/// The scenarios, of which the first bad one says what is wrong.
fn checked(read: Vec<Result<Scenario, LinkError>>, seed: Option<u64>) -> Result<Vec<Scenario>, LinkError> {
    read.into_iter()
        .enumerate()
        .map(|(index, scenario)| {
            let scenario = scenario.and_then(|mut scenario| {
                scenario.seed = seed.unwrap_or(scenario.seed);
                scenario.validate().map_err(LinkError::Invalid)?;
                Ok(scenario)
            });
            scenario.map_err(|error| LinkError::Compared {
                number: index + 1,
                error: Box::new(error),
            })
        })
        .collect()
}

fn check_count(count: usize) -> Result<(), LinkError> {
    if (MIN_COMPARED..=MAX_COMPARED).contains(&count) {
        Ok(())
    } else {
        Err(LinkError::BadCount { count })
    }
}

fn preset(name: &str) -> Result<Scenario, LinkError> {
    if find_host_preset(name).is_some() {
        return Err(LinkError::HostInComparison);
    }
    by_name(name, false)
}

fn scenario(json: &str) -> Result<Scenario, LinkError> {
    if HostScenario::is_meant_by(json) {
        return Err(LinkError::HostInComparison);
    }
    Scenario::from_json(json).map_err(LinkError::NotAScenario)
}
