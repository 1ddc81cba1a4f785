//! Runs on this machine itself, each in a process of its own.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::{Case, PACKAGE, Sample};
use crate::{cargo, process};

/// The benchmark program.
pub struct Program(PathBuf);

impl Program {
    /// Builds it with the release profile.
    pub fn build() -> Result<Program> {
        let built = cargo::build(&["--release", "--package", PACKAGE])?;
        Ok(Program(cargo::pick(&built, PACKAGE)?.to_owned()))
    }

    /// The cases that it has.
    pub fn cases(&self) -> Result<Vec<Case>> {
        let list = process::output(Command::new(&self.0).arg("list"))?;
        serde_json::from_str(&list).context("reading the list of cases")
    }

    /// Runs each case once.
    pub fn measure(&self, cases: &[Case]) -> Result<Vec<Sample>> {
        let run = |case: &Case| self.run(case).with_context(|| format!("running {}", case.name));
        cases.iter().map(run).collect()
    }

    fn run(&self, case: &Case) -> Result<Sample> {
        process::progress(format_args!("native: {}", case.name));
        let result = process::output(Command::new(&self.0).args(["run", &case.name]))?;
        serde_json::from_str(&result).context("reading the result")
    }
}
