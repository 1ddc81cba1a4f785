//! `flowglass card`.

use crate::args::Card;
use crate::card::{Cards, table};
use crate::failure::Failure;
use crate::input::named_all;
use crate::json::Sink;
use crate::output::{plain, print};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// Columns at most; our choice.
const MOST: usize = 16;

/// Prints the cards of the scenarios' fabrics. Nothing is built for it, however large they are.
///
/// # Errors
/// When a scenario cannot be run, or the cards cannot be written.
pub fn run(options: &Card) -> Result<ExitCode, Failure> {
    let given = &options.scenarios;
    if given.len() > MOST {
        return Err(Failure::Input(format!(
            "error: {} scenarios; expected 1 to {MOST}",
            given.len()
        )));
    }
    if options.json.is_some() && options.json == options.markdown {
        return Err(Failure::Input(
            "error: --json and --markdown name the same place; expected two".into(),
        ));
    }
    let loaded = named_all(given)?;
    let sink = |option, out: &Option<_>| -> Result<Option<Sink>, Failure> {
        let Some(out) = out.as_deref() else {
            return Ok(None);
        };
        refuse_own_input(given, option, out)?;
        Sink::check(out).map(Some)
    };
    let json = sink("--json", &options.json)?;
    let markdown = sink("--markdown", &options.markdown)?;

    let cards = Cards::of(loaded);
    let mut outcome = match (&json, &markdown) {
        (Some(Sink::Stdout), _) | (_, Some(Sink::Stdout)) => Ok(()),
        _ => print(&table::text(&cards)),
    };
    // What could not be written in one place is no reason to lose the others.
    if let Some(sink) = json {
        outcome = sink.write_with(|out| cards.write(out)).and(outcome);
    }
    if let Some(sink) = markdown {
        let written = sink.write_with(|out| out.write_all(table::markdown(&cards).as_bytes()));
        outcome = written.and(outcome);
    }
    outcome.map(|()| ExitCode::SUCCESS)
}

/// Refuses to write over a file that a scenario was read from.
///
/// # Errors
/// When `out` is one.
pub fn refuse_own_input(given: &[OsString], option: &str, out: &Path) -> Result<(), Failure> {
    let Ok(target) = fs::canonicalize(out) else {
        return Ok(());
    };
    let own = |scenario| fs::canonicalize(scenario).is_ok_and(|read| read == target);
    if given.iter().any(own) {
        return Err(Failure::Input(format!(
            "{option} {}: is the file that a scenario is read from; expected another one",
            plain(&out.to_string_lossy())
        )));
    }
    Ok(())
}
