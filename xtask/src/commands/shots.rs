//! `cargo xtask shots`: pictures of the page, for the docs.

use std::process::ExitCode;

use anyhow::Result;

use crate::{e2e, root};

/// Takes the pictures.
pub fn run() -> Result<ExitCode> {
    let into = root().join("docs").join("screenshots");
    e2e::shots(&into)?;
    println!("{} is up to date", into.display());
    Ok(ExitCode::SUCCESS)
}
