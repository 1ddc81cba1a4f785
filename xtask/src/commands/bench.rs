//! `cargo xtask bench`: packet-hops per second and peak memory, natively and in Chromium.

use std::process::ExitCode;
use std::{env, fs};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::bench::{self, chromium, file, machine, native, report};
use crate::{process, root};

/// From so many runs of everything on, the results are kept in BENCHMARKS.md.
const RUNS_TO_KEEP: u32 = 5;

/// What `bench` accepts.
#[derive(Args)]
pub struct Options {
    /// Run only here [default: in both]
    #[arg(long, value_name = "WHERE")]
    only: Option<Place>,
    /// Runs of each case
    #[arg(long, value_name = "N", default_value_t = RUNS_TO_KEEP, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    /// Only these cases, by name or by number of NICs [default: all]
    #[arg(long, value_name = "CASE,…", value_delimiter = ',')]
    cases: Vec<String>,
}

/// Where a case runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Place {
    /// On this machine itself
    Native,
    /// In a Web Worker in headless Chromium
    Chromium,
}

impl Options {
    fn runs_in(&self, place: Place) -> bool {
        self.only.is_none_or(|only| only == place)
    }

    /// Whether the results are whole enough to be kept.
    fn keep(&self) -> bool {
        self.only.is_none() && self.cases.is_empty() && self.runs >= RUNS_TO_KEEP
    }
}

/// Measures, prints the tables, and keeps them if they are whole. Fails when two runs of a case did not do the same.
pub fn run(options: &Options) -> Result<ExitCode> {
    let program = native::Program::build()?;
    let cases = bench::select(program.cases()?, &options.cases)?;
    // Both are built before either runs: they are of the same sources, and no compiler disturbs a measurement.
    let mut module = match options.runs_in(Place::Chromium) {
        true => Some(chromium::Module::build(&cases)?),
        false => None,
    };
    let load = machine::load();
    let (mut native, mut chromium) = (Vec::new(), Vec::new());
    // In rounds: a busy minute of the machine does not hit one case or one place alone.
    for round in 1..=options.runs {
        process::progress(format_args!("round {round} of {}", options.runs));
        if options.runs_in(Place::Native) {
            native.extend(program.measure(&cases)?);
        }
        if let Some(module) = &mut module {
            chromium.extend(module.measure()?);
        }
    }
    let measured = bench::gather(cases, native, chromium)?;
    let results = root().join("tests").join("peer").join("results.csv");
    let csv = fs::read_to_string(&results).with_context(|| format!("reading {}", results.display()))?;
    let text = format!(
        "{}- Command: `{}`\n\n{}",
        machine::describe(load)?,
        command(),
        report::tables(&measured, &csv)?
    );
    println!("{text}");
    if options.keep() {
        file::write(&text)?;
        process::progress(format_args!("BENCHMARKS.md is up to date"));
    } else {
        process::progress(format_args!(
            "BENCHMARKS.md is unchanged: it holds {RUNS_TO_KEEP} or more runs of every case in both places"
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// The command that was called.
fn command() -> String {
    let arguments = env::args().skip(1).map(|argument| format!(" {argument}"));
    format!("cargo xtask{}", arguments.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_results_are_kept() {
        let options = |only, runs, cases: &[&str]| Options {
            only,
            runs,
            cases: cases.iter().map(ToString::to_string).collect(),
        };
        assert!(options(None, 5, &[]).keep());
        assert!(!options(None, 4, &[]).keep());
        assert!(!options(Some(Place::Native), 5, &[]).keep());
        assert!(!options(None, 5, &["perm128"]).keep());
        let native = options(Some(Place::Native), 1, &[]);
        assert!(native.runs_in(Place::Native) && !native.runs_in(Place::Chromium));
    }
}
