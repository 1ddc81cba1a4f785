//! `cargo xtask seal`: the last step of Trunk's build.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use crate::edition;

/// Where Trunk tells its hooks what it has built.
const STAGING: &str = "TRUNK_STAGING_DIR";

/// What `seal` accepts.
#[derive(Args)]
pub struct Options {
    /// The folder that the page lies in [default: the one that Trunk names]
    folder: Option<PathBuf>,
}

/// Writes the script that names the page's version and files.
pub fn run(options: Options) -> Result<ExitCode> {
    let folder = match options.folder {
        Some(folder) => folder,
        None => env::var_os(STAGING)
            .map(PathBuf::from)
            .with_context(|| format!("expected a folder, or Trunk's {STAGING} in the environment"))?,
    };
    edition::seal_folder(&folder)?;
    Ok(ExitCode::SUCCESS)
}
