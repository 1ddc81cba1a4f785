//! `cargo xtask peer`: Flowglass beside uet-htsim on the same matrices, as `docs/peer.md`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;

use crate::peer::{self, Case, Run};
use crate::{cargo, process, root};

/// What `peer` accepts.
#[derive(Args)]
pub struct Options {
    /// Runs of each case, with the seeds 1 to N
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// Write nothing; fail if docs/peer.md is not what would be written
    #[arg(long)]
    check: bool,
}

/// Runs every matrix of `tests/peer` with every balancer and writes the comparison.
pub fn run(options: &Options) -> Result<ExitCode> {
    let built = cargo::build(&["--release", "--package", "flowglass-cli"])?;
    let flowglass = cargo::pick(&built, "flowglass")?;
    let csv = fs::read_to_string(folder().join("results.csv")).context("reading tests/peer/results.csv")?;
    let mut cases = Vec::new();
    for row in peer::rows(&csv)? {
        for &balancer in row.our_balancers()? {
            process::progress(format_args!(
                "{} with {balancer}, {} runs",
                row.matrix, options.seeds
            ));
            let runs: Result<Vec<Run>> = (1..=options.seeds)
                .map(|seed| one(flowglass, &row.matrix, &row.topology, balancer, seed))
                .collect();
            cases.push(Case {
                row: row.clone(),
                balancer,
                runs: runs?,
            });
        }
    }
    let text = peer::report(&cases, options.seeds)?;
    let path = root().join("docs").join("peer.md");
    if options.check {
        let old = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        if old != text {
            bail!("docs/peer.md is out of date: run `cargo xtask peer`");
        }
        return Ok(ExitCode::SUCCESS);
    }
    fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
    println!("{} cases written to {}", cases.len(), path.display());
    Ok(ExitCode::SUCCESS)
}

fn folder() -> PathBuf {
    root().join("tests").join("peer")
}

/// One run of the command, which fails unless every flow finishes.
fn one(flowglass: &Path, matrix: &str, topology: &str, balancer: &str, seed: u64) -> Result<Run> {
    let output = process::output(
        Command::new(flowglass)
            .arg("run")
            .arg("--matrix")
            .arg(folder().join(matrix))
            .arg("--topology")
            .arg(folder().join(topology))
            .args(["--model", "htsim", "--balancer", balancer])
            .args(["--seed", &seed.to_string(), "--quiet", "--json", "-"]),
    )
    .with_context(|| format!("{matrix} with {balancer}, seed {seed}"))?;
    let results: Value = serde_json::from_str(&output).context("reading the command's results")?;
    Run::from_json(&results)
}
