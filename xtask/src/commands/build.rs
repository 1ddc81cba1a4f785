//! `cargo xtask build`: the release page, as files in `dist/`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::{page, process, root, site::Site};

/// Builds the page, writes it to `dist/` and says how large it is.
pub fn run() -> Result<ExitCode> {
    let site = write()?;
    println!(
        "{} holds {} files, {} kB",
        dist().display(),
        site.len(),
        site.bytes() / 1000
    );
    Ok(ExitCode::SUCCESS)
}

/// Builds the page, replaces `dist/` with it and returns it.
pub fn write() -> Result<Site> {
    let started = Instant::now();
    let site = page::build()?;
    site.write(&dist())
        .with_context(|| format!("writing {}", dist().display()))?;
    process::progress(format_args!(
        "page built in {:.1} s",
        started.elapsed().as_secs_f64()
    ));
    Ok(site)
}

fn dist() -> PathBuf {
    root().join("dist")
}
