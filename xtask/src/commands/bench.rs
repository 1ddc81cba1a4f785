//! `cargo xtask bench`: packet-hops per second and peak memory, natively and in Chromium.

use std::process::ExitCode;
use std::{env, fs};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::bench::{
    self, Case, Group, chromium, file, flows, growth, machine, memory, native, queues, report,
};
use crate::count::{self, Counter};
use crate::{process, root};

/// From so many runs of everything on, the results are kept in BENCHMARKS.md.
const RUNS_TO_KEEP: u32 = 5;

/// The cases that more threads than one run as well.
const THREADED: [&str; 2] = ["perm8192", "fabric"];

/// The cases of a quick look.
const QUICK: [&str; 4] = ["perm128", "mrc128", "hosts128", "hosts1024"];

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
    /// Run the largest cases by so many threads too; 1 for not
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// One run of the smallest cases, to see that everything works
    #[arg(long, conflicts_with_all = ["runs", "cases"])]
    quick: bool,
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
        self.only.is_none() && self.cases.is_empty() && !self.quick && self.runs >= RUNS_TO_KEEP
    }

    fn runs(&self) -> u32 {
        if self.quick { 1 } else { self.runs }
    }

    /// The cases that were asked for, as far as they run where they were asked for.
    fn select(&self, cases: Vec<Case>) -> Result<Vec<Case>> {
        let words = match self.quick {
            true => QUICK.map(str::to_owned).to_vec(),
            false => self.cases.clone(),
        };
        let mut cases = bench::select(cases, &words)?;
        if !self.runs_in(Place::Native) {
            cases.retain(|case| case.group.in_browser());
        }
        if cases.is_empty() {
            bail!(
                "--cases: none of these runs in Chromium, where only rates and the whole fabric are measured"
            );
        }
        Ok(cases)
    }
}

/// Measures, prints the tables, and keeps them if they are whole. Fails when two runs of a case did not do the same.
pub fn run(options: &Options) -> Result<ExitCode> {
    let program = native::Program::build()?;
    let cases = options.select(program.cases()?)?;
    let in_browser: Vec<Case> = cases
        .iter()
        .filter(|case| case.group.in_browser())
        .cloned()
        .collect();
    let threaded: Vec<Case> = cases
        .iter()
        .filter(|case| options.threads > 1 && THREADED.contains(&case.name.as_str()))
        .cloned()
        .collect();
    // Both are built before either runs: they are of the same sources, and no compiler disturbs a measurement.
    let mut module = match options.runs_in(Place::Chromium) {
        true if !in_browser.is_empty() => Some(chromium::Module::build()?),
        _ => None,
    };
    let counter = Counter::build()?;
    let load = machine::load();
    let choice = program.queues()?;
    let tables = program.flows()?;
    let (mut native, mut chromium) = (Vec::new(), Vec::new());
    let (mut holds, mut operated, mut operated_there) = (Vec::new(), Vec::new(), Vec::new());
    // In rounds: a busy minute of the machine does not hit one case or one place alone.
    for round in 1..=options.runs() {
        process::progress(format_args!("round {round} of {}", options.runs()));
        if options.runs_in(Place::Native) {
            native.extend(program.measure(&cases, 1)?);
            native.extend(program.measure(&threaded, options.threads)?);
            if options.cases.is_empty() {
                holds.extend(program.hold(&choice)?);
                operated.extend(program.operate(&tables)?);
            }
        }
        if let Some(module) = &mut module {
            chromium.extend(module.measure(&in_browser)?);
            if options.cases.is_empty() {
                operated_there.extend(module.operate(&tables)?);
            }
        }
    }
    let sizes = match options.runs_in(Place::Native) && cases.iter().any(|case| case.name == memory::CASE) {
        true => Some(program.memory()?),
        false => None,
    };
    let counted = cases
        .iter()
        .filter(|case| matches!(case.group, Group::Rate | Group::Hosts));
    let counts = counter.count(counted.map(|case| case.name.as_str()))?;
    let measured = bench::gather(cases, native, chromium)?;
    let results = root().join("tests").join("peer").join("results.csv");
    let csv = fs::read_to_string(&results).with_context(|| format!("reading {}", results.display()))?;
    let text = format!(
        "{}- Command: `{}`\n\n{}{}{}{}{}{}",
        machine::describe(load)?,
        command(),
        report::tables(&measured, &csv)?,
        sizes.map_or_else(String::new, |sizes| sizes.table()),
        growth::tables(&measured)?,
        queues::table(&choice, &holds)?,
        flows::table(&tables, &operated, &operated_there)?,
        count::table(&counts),
    );
    println!("{text}");
    if options.keep() {
        growth::draw(&measured)?;
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
            threads: 2,
            quick: false,
        };
        assert!(options(None, 5, &[]).keep());
        assert!(!options(None, 4, &[]).keep());
        assert!(!options(Some(Place::Native), 5, &[]).keep());
        assert!(!options(None, 5, &["perm128"]).keep());
        let native = options(Some(Place::Native), 1, &[]);
        assert!(native.runs_in(Place::Native) && !native.runs_in(Place::Chromium));
    }
}
