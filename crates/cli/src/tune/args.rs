//! The options of `flowglass tune`.

use crate::args::{Input, SeedRange, jobs, seeds, whole};
use clap::Args;
use lab::Metric;
use lab::tune::{BUDGET, Choice, MAX_SEEDS};
use std::path::PathBuf;

/// Examples under the help.
pub const EXAMPLES: &str = "\
Examples:
  flowglass tune roce-dcqcn-incast --budget 300 --out tuned.json
  flowglass tune my-job.json --metric step_p99_us --seeds 4 --check-seeds 20 --json search.json
  flowglass tune roce-dcqcn-incast --vary transport.qps=1,4,16 --vary 'transport.roce.dcqcn.rate_ai=40Mbps..8Gbps:log'";

/// What `tune` accepts.
#[derive(Args)]
pub struct Tune {
    /// The workload, and the default setting.
    #[command(flatten)]
    pub input: Input,
    /// Runs of the search, 4 to 10000
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = budget, allow_hyphen_values = true)]
    pub budget: usize,
    /// Seeds of the search, N from the scenario's (or --seed's) on, or those from A to B; at most 1000. A setting must have met them
    /// all to be the best
    #[arg(long, value_name = "N|A..B", default_value = "4", value_parser = seeds, allow_hyphen_values = true)]
    pub seeds: SeedRange,
    /// Seeds after those, with which the best setting is compared with the default, 0 to 1000; runs beside the budget
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole(0, MAX_SEEDS), allow_hyphen_values = true)]
    pub check_seeds: u32,
    /// What is to be best in the mean over the seeds: a figure by its name in the results of a sweep
    #[arg(long, value_name = "FIGURE", default_value = Metric::FctMax.field(), value_parser = metric)]
    pub metric: Metric,
    /// A field and its values, instead of what is tuned for the scenario's protocol: a list, or a range LOW..HIGH, evenly divided
    /// or (:log) by equal ratios; can be given again. What is the workload (traffic, faults, until) stays as it is
    #[arg(long, value_name = "PATH=V1,V2,…|PATH=LOW..HIGH[:log]")]
    pub vary: Vec<Choice>,
    /// Runs at a time; one for each core where not given. The result is the same for any number
    #[arg(long, short, alias = "threads", value_name = "J", value_parser = jobs, allow_hyphen_values = true)]
    pub jobs: Option<usize>,
    /// Write the scenario with the best setting to this file; `-` is standard output (the summary then goes to standard error)
    #[arg(long, value_name = "BEST")]
    pub out: Option<PathBuf>,
    /// Write the whole search as JSON to this file; `-` is standard output
    #[arg(long, value_name = "OUT")]
    pub json: Option<PathBuf>,
    /// Write all runs as comma-separated values to this file, one line each; `-` is standard output
    #[arg(long, value_name = "OUT")]
    pub csv: Option<PathBuf>,
    /// Print neither summary, notes nor progress; errors are still printed
    #[arg(long, short)]
    pub quiet: bool,
}

fn budget(text: &str) -> Result<usize, String> {
    let budget = text
        .bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| text.parse().ok());
    budget
        .flatten()
        .filter(|budget| BUDGET.contains(budget))
        .ok_or_else(|| {
            format!(
                "expected a whole number from {} to {}",
                BUDGET.start(),
                BUDGET.end()
            )
        })
}

fn metric(name: &str) -> Result<Metric, String> {
    let known = Metric::ALL.map(Metric::field);
    let at = known.iter().position(|known| *known == name);
    at.map(|at| Metric::ALL[at])
        .ok_or_else(|| format!("unknown figure; known are {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use crate::args::Cli;
    use clap::Parser;

    #[test]
    fn what_is_wrong_is_named() {
        for (options, expected) in [
            (&["--budget", "3"][..], "expected a whole number from 4 to 10000"),
            (&["--budget", "1e3"], "expected a whole number from 4 to 10000"),
            (
                &["--check-seeds", "1001"],
                "expected a whole number from 0 to 1000",
            ),
            (&["--seeds", "0"], "0 seeds; expected 1 to"),
            (
                &["--metric", "speed"],
                "unknown figure; known are fct_p50_us, fct_p99_us, fct_max_us, goodput_gbps",
            ),
            (&["--vary", "transport.qps"], "such as transport.qps=1,4,16"),
            (&["--vary", "a=9us..1us"], "a: 9us..1us is no range"),
            (&["--jobs", "0"], "expected a whole number from 1 to 1024"),
        ] {
            let line = [&["flowglass", "tune", "x"], options].concat();
            let message = match Cli::try_parse_from(&line) {
                Ok(_) => panic!("{options:?} was accepted"),
                Err(error) => error.to_string(),
            };
            assert!(message.contains(expected), "{options:?}: {message}");
        }
    }
}
