//! `cargo xtask test`: every check, in stages.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::commands::count;
use crate::{cargo, e2e, page, process, wasm_tests};

/// What `test` accepts.
#[derive(Args)]
pub struct Options {
    /// Run only this stage; may be given several times [default: all, in this order]
    #[arg(long, value_name = "STAGE")]
    only: Vec<Stage>,
}

/// A group of checks that passes or fails as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// Formatting, by rustfmt
    Fmt,
    /// Lints, by clippy, for the native and the wasm targets
    Clippy,
    /// Unit and integration tests on this machine
    Native,
    /// Wasm instructions per packet-hop, held to what is recorded
    Count,
    /// Tests of the wasm build in headless Chromium, by wasm-pack
    Wasm,
    /// Tests of the served page in headless Chromium, the core of them in Firefox too
    E2e,
}

impl Options {
    /// The stages to run, in their fixed order whatever the order of the arguments.
    pub fn stages(&self) -> Vec<Stage> {
        Stage::ALL
            .into_iter()
            .filter(|stage| self.only.is_empty() || self.only.contains(stage))
            .collect()
    }
}

impl Stage {
    /// Every stage, the quickest to fail first.
    pub const ALL: [Self; 6] = [
        Self::Fmt,
        Self::Clippy,
        Self::Native,
        Self::Count,
        Self::Wasm,
        Self::E2e,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Fmt => "fmt",
            Self::Clippy => "clippy",
            Self::Native => "native",
            Self::Count => "count",
            Self::Wasm => "wasm",
            Self::E2e => "e2e",
        }
    }

    fn run(self) -> Result<()> {
        match self {
            Self::Fmt => process::run(cargo::command().args(["fmt", "--all", "--check"])),
            Self::Clippy => {
                cargo::require_wasm_target()?;
                process::run(
                    cargo::command()
                        .args(["clippy", "--all-targets", "--workspace"])
                        .args(page::MODULES.iter().flat_map(|module| ["--exclude", module]))
                        .args(["--", "--deny", "warnings"]),
                )?;
                process::run(
                    cargo::command()
                        .args(["clippy", "--all-targets", "--target", cargo::WASM_TARGET])
                        .args(page::MODULES.iter().flat_map(|module| ["--package", module]))
                        .args(["--", "--deny", "warnings"]),
                )
            }
            // The page and its worker too: what of them does not touch the browser is tested natively.
            // The bindings generator is slow to build: the next stage, which needs it, tests it.
            Self::Native => {
                process::run(cargo::command().args(["test", "--workspace", "--exclude", page::BUNDLER]))
            }
            Self::Count => {
                process::run(cargo::command().args(["test", "--package", page::BUNDLER]))?;
                count::guard()
            }
            Self::Wasm => wasm_tests::run(),
            Self::E2e => e2e::run(),
        }
    }
}

/// The outcome of one stage.
struct Report {
    stage: Stage,
    passed: bool,
    took: Duration,
}

/// Runs the stages, also those after one that failed, and closes with a summary.
pub fn run(options: &Options) -> Result<ExitCode> {
    let reports: Vec<Report> = options
        .stages()
        .into_iter()
        .map(|stage| {
            println!("==> {}", stage.name());
            let started = Instant::now();
            let result = stage.run();
            if let Err(error) = &result {
                eprintln!("error in {}: {error:#}", stage.name());
            }
            Report {
                stage,
                passed: result.is_ok(),
                took: started.elapsed(),
            }
        })
        .collect();
    print!("{}", summary(&reports));
    let passed = reports.iter().all(|report| report.passed);
    Ok(if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn summary(reports: &[Report]) -> String {
    let mut text = String::from("\n");
    for report in reports {
        let verdict = if report.passed { "passed" } else { "FAILED" };
        text += &format!(
            "{:8}{verdict}  {:7.1} s\n",
            report.stage.name(),
            report.took.as_secs_f64()
        );
    }
    let passed = reports.iter().filter(|report| report.passed).count();
    text + &format!("{passed} passed, {} failed\n", reports.len() - passed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_counts_and_names_each_stage() {
        let report = |stage, passed, ms| Report {
            stage,
            passed,
            took: Duration::from_millis(ms),
        };
        let text = summary(&[
            report(Stage::Fmt, true, 1234),
            report(Stage::Native, false, 61_000),
        ]);
        assert_eq!(
            text,
            "\nfmt     passed      1.2 s\nnative  FAILED     61.0 s\n1 passed, 1 failed\n"
        );
    }
}
