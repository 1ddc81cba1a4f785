//! `flowglass link`.

use crate::args::Link;
use crate::failure::Failure;
use crate::input::Given;
use crate::output::{note, plain, print};
use scenario::link;
use std::process::ExitCode;

/// Prints the share link: `#` and what follows, after the page's address if one is given.
///
/// # Errors
/// When the input is no scenario, or is too large for a link.
pub fn run(options: &Link) -> Result<ExitCode, Failure> {
    let (link, source, notes) = match options.input.load_any()? {
        Given::Fabric(loaded) => (link::encode(&loaded.scenario), loaded.source, loaded.notes),
        Given::Host(loaded) => (link::encode_host(&loaded.scenario), loaded.source, loaded.notes),
    };
    let link = link.map_err(|e| Failure::Input(format!("{}: {e}", plain(&source))))?;
    let page = options.page.as_deref().unwrap_or_default();
    let page = page.split('#').next().unwrap_or_default();
    print(&format!("{page}#{link}\n"))?;
    note(&notes);
    Ok(ExitCode::SUCCESS)
}
