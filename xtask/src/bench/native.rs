//! Runs on this machine itself, each in a process of its own.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::flows;
use super::memory::{self, Memory};
use super::queues::{Choice, Hold};
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

    /// Runs each case once, by so many threads.
    pub fn measure<'a>(
        &self,
        cases: impl IntoIterator<Item = &'a Case>,
        threads: u32,
    ) -> Result<Vec<Sample>> {
        let run = |case: &Case| {
            self.run(case, threads)
                .with_context(|| format!("running {}", case.name))
        };
        cases.into_iter().map(run).collect()
    }

    /// What a link, a QP and a packet cost.
    pub fn memory(&self) -> Result<Memory> {
        process::progress(format_args!("native: memory of {}", memory::CASE));
        let result = process::output(Command::new(&self.0).args(["memory", memory::CASE]))?;
        serde_json::from_str(&result).context("reading the sizes")
    }

    /// The queues that can be compared, and on what.
    pub fn queues(&self) -> Result<Choice> {
        let list = process::output(Command::new(&self.0).arg("queues"))?;
        serde_json::from_str(&list).context("reading the list of queues")
    }

    /// Runs each design once on each stream.
    pub fn hold(&self, choice: &Choice) -> Result<Vec<Hold>> {
        process::progress(format_args!("native: event queues"));
        let mut holds = Vec::new();
        for stream in &choice.streams {
            for design in &choice.designs {
                let result = process::output(Command::new(&self.0).args(["queues", stream, design]))?;
                holds.push(serde_json::from_str(&result).context("reading the result")?);
            }
        }
        Ok(holds)
    }

    /// The flow tables that can be compared, and in what.
    pub fn flows(&self) -> Result<flows::Choice> {
        let list = process::output(Command::new(&self.0).arg("flows"))?;
        serde_json::from_str(&list).context("reading the list of flow tables")
    }

    /// Does each operation once with each design.
    pub fn operate(&self, choice: &flows::Choice) -> Result<Vec<flows::Run>> {
        process::progress(format_args!("native: flow tables"));
        let run = |(operation, design): (&str, &str)| {
            let result = process::output(Command::new(&self.0).args(["flows", operation, design]))?;
            serde_json::from_str(&result).context("reading the result")
        };
        choice.pairs().map(run).collect()
    }

    fn run(&self, case: &Case, threads: u32) -> Result<Sample> {
        process::progress(format_args!("native: {}, {threads} threads", case.name));
        let result = process::output(Command::new(&self.0).args(["run", &case.name, &threads.to_string()]))?;
        serde_json::from_str(&result).context("reading the result")
    }
}
