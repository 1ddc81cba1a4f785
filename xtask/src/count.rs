//! How many wasm instructions the simulator executes for a packet-hop.
//!
//! A figure that no other work on the machine changes: a test can hold it to a bound, where a time would fail on a busy
//! day. The bundler makes the benchmark's module count (`xtask/bundle/src/count.rs`), Node.js runs it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::bench::{PACKAGE, report};
use crate::{cargo, e2e, page, process};

pub mod bounds;

/// What one case took.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Count {
    /// The case's name.
    pub case: String,
    /// Instructions from the scenario to a run that can start.
    pub build_instructions: u64,
    /// Instructions of the run.
    pub run_instructions: u64,
    /// Packets over links in the run.
    pub packet_hops: u64,
}

impl Count {
    /// Instructions of the run for each packet-hop.
    pub fn per_packet_hop(&self) -> f64 {
        self.run_instructions as f64 / self.packet_hops.max(1) as f64
    }
}

/// A table as Markdown; none for no counts.
pub fn table(counts: &[Count]) -> String {
    if counts.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n### Instructions\n\n| Case | wasm instructions per packet-hop | Instructions to build the run |\n|---|--:|--:|\n",
    );
    for count in counts {
        text += &format!(
            "| {} | {:.1} | {} |\n",
            count.case,
            count.per_packet_hop(),
            report::count(count.build_instructions)
        );
    }
    text
}

/// The benchmark's module, made to count.
pub struct Counter(PathBuf);

impl Counter {
    /// Builds it with the release profile.
    pub fn build() -> Result<Counter> {
        e2e::require_node()?;
        let (bundler, modules) = page::compile(&[PACKAGE])?;
        let module = cargo::pick(&modules, PACKAGE)?;
        let folder = module.with_file_name("bundle").join(format!("{PACKAGE}-counts"));
        process::run(
            Command::new(cargo::pick(&bundler, page::BUNDLER)?)
                .arg("--count")
                .arg(module)
                .arg(&folder),
        )?;
        // By its name Node.js knows an ES module.
        let script = folder.join(format!("{PACKAGE}.js"));
        fs::rename(&script, script.with_extension("mjs"))
            .with_context(|| format!("renaming {}", script.display()))?;
        Ok(Counter(folder))
    }

    /// Runs each case once.
    pub fn count<'a>(&self, cases: impl IntoIterator<Item = &'a str>) -> Result<Vec<Count>> {
        let mut node = Command::new("node");
        node.arg(e2e::folder().join("count.mjs"))
            .arg(self.0.join(format!("{PACKAGE}.mjs")))
            .args(cases);
        let answer = process::output(&mut node)?;
        let read = |line| serde_json::from_str(line).with_context(|| format!("count.mjs answered {line}"));
        answer.lines().map(read).collect()
    }
}
