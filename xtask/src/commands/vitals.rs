//! `cargo xtask vitals`: how quickly the page is there, what it transfers, and how evenly it draws, in headless Chromium.

use std::process::ExitCode;

use anyhow::Result;

use crate::e2e;

/// Measures and prints tables.
pub fn run() -> Result<ExitCode> {
    e2e::vitals()?;
    Ok(ExitCode::SUCCESS)
}
