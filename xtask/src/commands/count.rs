//! `cargo xtask count`: wasm instructions per packet-hop, held to what is recorded.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::count::{Counter, bounds};
use crate::process;

/// The cases with a bound, in the order of their names. Together they take two seconds.
pub const GUARDED: [&str; 3] = ["mrc128", "perm1024", "perm128"];

/// What `count` accepts.
#[derive(Args)]
pub struct Options {
    /// Make these counts the recorded ones, in tests/instructions.json
    #[arg(long)]
    record: bool,
}

/// Counts, and compares with the recorded counts or records.
pub fn run(options: &Options) -> Result<ExitCode> {
    if !options.record {
        guard()?;
        return Ok(ExitCode::SUCCESS);
    }
    let counts = Counter::build()?.count(GUARDED)?;
    bounds::write(&counts)?;
    print!("{}", bounds::check(&counts, &bounds::read()?)?);
    process::progress(format_args!("tests/instructions.json is up to date"));
    Ok(ExitCode::SUCCESS)
}

/// Fails when a count is not near the recorded one.
pub fn guard() -> Result<()> {
    let counts = Counter::build()?.count(GUARDED)?;
    print!("{}", bounds::check(&counts, &bounds::read()?)?);
    Ok(())
}
