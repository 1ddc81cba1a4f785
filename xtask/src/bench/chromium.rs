//! Runs in headless Chromium, each in a Web Worker of a browser of its own.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use serde::de::DeserializeOwned;

use super::{Case, PACKAGE, Sample, flows};
use crate::{e2e, page, process, root, site::Site};

/// The benchmark's module, served until this process ends, and Node.js ready to run it.
pub struct Module(Command);

impl Module {
    /// Builds it with the release profile.
    pub fn build() -> Result<Module> {
        let mut node = e2e::node_with(site)?;
        node.arg(e2e::folder().join("bench.mjs"));
        Ok(Module(node))
    }

    /// Runs each case once.
    pub fn measure(&mut self, cases: &[Case]) -> Result<Vec<Sample>> {
        self.run(cases.iter().map(|case| case.name.clone()))
    }

    /// Does each operation on flow tables once with each design.
    pub fn operate(&mut self, choice: &flows::Choice) -> Result<Vec<flows::Run>> {
        self.run(
            choice
                .pairs()
                .map(|(operation, design)| format!("flows {operation} {design}")),
        )
    }

    fn run<T: DeserializeOwned>(&mut self, names: impl Iterator<Item = String>) -> Result<Vec<T>> {
        let names: Vec<String> = names.collect();
        process::progress(format_args!("Chromium: {}", names.join(", ")));
        follow(self.0.env("FLOWGLASS_CASES", names.join(",")))
    }
}

/// The wasm module and the page that starts it in a worker.
fn site() -> Result<Site> {
    let mut site = Site::default();
    page::add_folder(&mut site, &root().join("crates").join("bench").join("web"))?;
    page::add_modules(&mut site, &[PACKAGE])?;
    Ok(site)
}

/// Reads a program's lines as they come; its errors go where ours go.
fn follow<T: DeserializeOwned>(command: &mut Command) -> Result<Vec<T>> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start Node.js")?;
    let lines = child.stdout.take().map(BufReader::new);
    let mut samples = Vec::new();
    for line in lines.into_iter().flat_map(BufRead::lines) {
        let line = line.context("reading from bench.mjs")?;
        samples.push(serde_json::from_str(&line).with_context(|| format!("bench.mjs answered {line}"))?);
    }
    let status = child.wait().context("waiting for bench.mjs")?;
    if !status.success() {
        bail!("bench.mjs ended with {status}");
    }
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(script: &str) -> Result<Vec<Sample>> {
        follow(Command::new("node").args(["--eval", script]))
    }

    #[test]
    fn lines_become_samples_and_failures_errors() {
        let line = r#"console.log('{"case":"a","build_s":1,"run_s":2,"cpu_s":null,"memory_bytes":3,"outcome":
            {"packet_hops":1,"packets":1,"events":1,"simulated_ps":1,"digest":"0"}}'.replace(/\n/g, ''));"#
            .replace('\n', "");
        let samples = node(&format!("{line}{line}")).unwrap();
        assert_eq!(
            (samples.len(), samples[1].run_s, samples[0].cpu_s),
            (2, 2.0, None)
        );
        let failed = node(&format!("{line} process.exit(3)")).unwrap_err().to_string();
        assert!(failed.contains("ended with exit status: 3"), "{failed}");
        let garbled = node("console.log('no JSON')").unwrap_err().to_string();
        assert!(garbled.contains("answered no JSON"), "{garbled}");
    }
}
