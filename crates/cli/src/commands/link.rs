//! `flowglass link`.

use crate::args::{Input, Link};
use crate::failure::Failure;
use crate::input::{Given, compared, is_comparison};
use crate::output::{note, plain, print};
use scenario::link::{self, MAX_COMPARED};
use std::ffi::OsString;
use std::process::ExitCode;

/// Prints the share link: `#` and what follows, after the page's address if one is given.
///
/// # Errors
/// When the input is no scenario, or is too large for a link; of several, when one is no fabric, or when there are too many.
pub fn run(options: &Link) -> Result<ExitCode, Failure> {
    let of_several = options.input.scenario.as_deref().is_some_and(is_comparison);
    let (link, notes) = if options.others.is_empty() && !of_several {
        one(&options.input)?
    } else {
        comparison(options)?
    };
    let page = options.page.as_deref().unwrap_or_default();
    let page = page.split('#').next().unwrap_or_default();
    print(&format!("{page}#{link}\n"))?;
    note(&notes);
    Ok(ExitCode::SUCCESS)
}

/// The link of one scenario, and how it was understood.
fn one(input: &Input) -> Result<(String, Vec<String>), Failure> {
    let (link, source, notes) = match input.load_any()? {
        Given::Fabric(loaded) => (link::encode(&loaded.scenario), loaded.source, loaded.notes),
        Given::Host(loaded) => (link::encode_host(&loaded.scenario), loaded.source, loaded.notes),
    };
    let link = link.map_err(|e| Failure::Input(format!("{}: {e}", plain(&source))))?;
    Ok((link, notes))
}

/// The link of all scenarios side by side, and how they were understood.
fn comparison(options: &Link) -> Result<(String, Vec<String>), Failure> {
    let given: Vec<OsString> = options
        .input
        .scenario
        .iter()
        .chain(&options.others)
        .cloned()
        .collect();
    let all = compared(&given)?;
    let count = all.len();
    if count > MAX_COMPARED {
        return Err(Failure::Input(format!(
            "error: {count} scenarios; expected 1 to {MAX_COMPARED}"
        )));
    }
    let (mut scenarios, mut notes) = (Vec::new(), Vec::new());
    for loaded in all {
        let loaded = options.input.change(loaded)?;
        scenarios.push(loaded.scenario);
        notes.extend(loaded.notes);
    }
    let link = link::encode_compare(&scenarios).map_err(|e| Failure::Input(format!("error: {e}")))?;
    Ok((link, notes))
}
