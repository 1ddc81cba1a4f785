//! `cargo xtask draw`: how fast the stage is drawn in headless Chromium.

use std::process::ExitCode;

use anyhow::Result;

use crate::e2e;

/// Measures and prints a table.
pub fn run() -> Result<ExitCode> {
    e2e::draw()?;
    Ok(ExitCode::SUCCESS)
}
