//! What `compare` accepts.

use crate::args::{SeedRange, jobs, seed, seeds};
use clap::Args;
use lab::Metric;
use std::ffi::OsString;
use std::path::PathBuf;

/// Examples under the help.
pub const EXAMPLES: &str = "\
Examples:
  flowglass compare roce-pfc-incast incast --seeds 10
  flowglass compare before.json after.json --seeds 32 --metric fct_p99_us --metric goodput_gbps
  flowglass compare default.json tuned.json mrc.json --seeds 1..20 --json comparison.json --csv runs.csv";

/// What `compare` accepts.
#[derive(Args)]
pub struct Compare {
    /// JSON files, `-` (standard input), presets or share links (in quotes), 2 to 8: each is compared with the first one. The
    /// link of a comparison stands for all of its scenarios
    #[arg(value_name = "SCENARIO", required = true)]
    pub scenarios: Vec<OsString>,
    /// Seeds of each scenario: N from the first scenario's (or --first-seed) on, or those from A to B, both included
    #[arg(long, value_name = "N|A..B", default_value = "10", value_parser = seeds, allow_hyphen_values = true)]
    pub seeds: SeedRange,
    /// The first seed
    #[arg(long, value_name = "S", value_parser = seed, allow_hyphen_values = true)]
    pub first_seed: Option<u64>,
    /// Compare this figure only, by its name in the results; can be given again
    #[arg(long = "metric", value_name = "FIGURE")]
    pub metrics: Vec<Metric>,
    /// Runs at a time; one for each core where not given, and fewer where memory does not suffice. The result is the same for any
    /// number
    #[arg(long, short, alias = "threads", value_name = "J", value_parser = jobs, allow_hyphen_values = true)]
    pub jobs: Option<usize>,
    /// Write the comparison and all runs as JSON to this file; `-` is standard output (the summary then goes to standard error)
    #[arg(long, value_name = "OUT")]
    pub json: Option<PathBuf>,
    /// Write all runs as comma-separated values to this file, one line each; `-` is standard output
    #[arg(long, value_name = "OUT")]
    pub csv: Option<PathBuf>,
    /// Print neither summary, notes nor progress; errors are still printed
    #[arg(long, short)]
    pub quiet: bool,
}
