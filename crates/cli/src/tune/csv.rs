//! All runs of a search as a table.

use lab::tune::{Origin, Tune, Tuned};
use std::fmt::Write;

/// One line a run: which setting with which seed, what came out, and the setting's values.
pub fn csv(tune: &Tune, tuned: &Tuned) -> String {
    let parameters = &tune.space.parameters;
    let mut text = format!("setting,origin,seed,finished,{}", tune.metric.field());
    for parameter in parameters {
        let _ = write!(text, ",{}", quoted(&parameter.path));
    }
    text.push('\n');
    for (at, candidate) in tuned.found.candidates.iter().enumerate() {
        for (run, seed) in candidate.runs.iter().zip(tune.seeds.first..) {
            let value = run.value.map(|value| value.to_string()).unwrap_or_default();
            let origin = quoted(&origin(&candidate.origin));
            let _ = write!(text, "{at},{origin},{seed},{},{value}", run.finished);
            for (parameter, level) in parameters.iter().zip(&candidate.levels) {
                let _ = write!(text, ",{}", quoted(&parameter.text(*level)));
            }
            text.push('\n');
        }
    }
    text
}

/// Where a setting comes from.
pub fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Default => "default".into(),
        Origin::Start(name) => name.clone(),
        Origin::Sample => "sample".into(),
        Origin::Step => "step".into(),
        Origin::PutBack => "put back".into(),
    }
}

/// A field in quotes where it needs them (RFC 4180).
fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}
