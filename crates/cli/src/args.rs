//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use scenario::htsim::StartUnit;
use scenario::{Balancer, Model, Rate, Time, limits};
use std::ffi::OsString;
use std::path::PathBuf;

/// Simulates a multi-plane MRC fabric packet by packet.
#[derive(Parser)]
#[command(
    name = "flowglass",
    version,
    after_help = "\
Exit status:
  0    every flow finished
  1    some flow did not finish
  2    the command line or the input is wrong
  3    a file could not be read or written
  130  interrupted (Ctrl-C); the results so far are printed and written

`flowglass COMMAND --help` says more about a command."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Run a scenario, or htsim's files, and print what came out
    #[command(after_help = RUN_EXAMPLES)]
    Run(Run),
    /// List the ready-made scenarios
    Presets,
    /// Say whether a scenario, or htsim's files, can be run
    Check(Input),
    /// Print the share link of a scenario
    Link(Link),
    /// Print a scenario, or htsim's files as a scenario, as JSON
    Convert(Input),
}

const RUN_EXAMPLES: &str = "\
Examples:
  flowglass run link-dies
  flowglass run my-scenario.json --seed 7 --json results.json
  flowglass run 'http://127.0.0.1:8080/#preset/incast&seed=3'
  flowglass run --matrix perm.cm --topology leafspine.topo --model htsim --balancer oblivious";

/// What `run` accepts.
#[derive(Args)]
pub struct Run {
    /// What to run.
    #[command(flatten)]
    pub input: Input,
    /// Write the results as JSON to this file; `-` is standard output (the summary then goes to standard error)
    #[arg(long, value_name = "OUT")]
    pub json: Option<PathBuf>,
    /// Print neither summary, notes nor progress; errors are still printed
    #[arg(long, short)]
    pub quiet: bool,
}

/// What `link` accepts.
#[derive(Args)]
pub struct Link {
    /// Whose link.
    #[command(flatten)]
    pub input: Input,
    /// Address of the page, to be put before the link
    #[arg(long, value_name = "URL")]
    pub page: Option<String>,
}

/// A scenario, or a pair of htsim's files, and what to change in it.
#[derive(Args)]
pub struct Input {
    /// JSON file, `-` (standard input), preset (`link-dies` or `preset:link-dies`), or share link (in quotes)
    #[arg(value_name = "SCENARIO", required_unless_present_any = ["matrix", "topology"])]
    pub scenario: Option<OsString>,
    /// htsim's connection matrix (.cm, .tm)
    #[arg(long, value_name = "FILE", requires = "topology", conflicts_with = "scenario", help_heading = HTSIM)]
    pub matrix: Option<PathBuf>,
    /// htsim's topology of two tiers (.topo)
    #[arg(long, value_name = "FILE", requires = "matrix", conflicts_with = "scenario", help_heading = HTSIM)]
    pub topology: Option<PathBuf>,
    /// Whose rules and parameters the files are run with: Flowglass's own, or uet-htsim's for comparing with it
    #[arg(
        long, value_name = "MODEL", value_enum, default_value_t = ModelName::Mrc,
        conflicts_with = "scenario", help_heading = HTSIM
    )]
    pub model: ModelName,
    /// Unit of `start` in the matrix; `auto` takes ps if any value is 1000000 or more, else µs
    #[arg(
        long, value_name = "UNIT", value_enum, default_value_t = StartUnitName::Auto,
        conflicts_with = "scenario", help_heading = HTSIM
    )]
    pub start_unit: StartUnitName,
    /// Rate of the hosts' links, where it is known apart from the topology, such as 400Gbps; must agree with it
    #[arg(
        long, value_name = "RATE", value_parser = rate, allow_hyphen_values = true,
        conflicts_with = "scenario", help_heading = HTSIM
    )]
    pub link_rate: Option<Rate>,
    /// How senders choose among their EVs: mrc (steering by ECN, trims and losses) or oblivious
    #[arg(long, value_name = "NAME", value_parser = balancer)]
    pub balancer: Option<BalancerName>,
    /// Seed of every random choice, instead of the scenario's
    #[arg(long, value_name = "N", value_parser = seed, allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// Simulated time at which the run ends at the latest, such as 500us, instead of the scenario's
    #[arg(long, value_name = "T", value_parser = until, allow_hyphen_values = true)]
    pub until: Option<Time>,
}

const HTSIM: &str = "htsim's files";

/// Whose rules imported files are run with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelName {
    /// MRC with Flowglass's default parameters
    Mrc,
    /// uet-htsim's parameters
    Htsim,
}

impl From<ModelName> for Model {
    fn from(name: ModelName) -> Model {
        match name {
            ModelName::Mrc => Model::Mrc,
            ModelName::Htsim => Model::Htsim,
        }
    }
}

/// The unit of `start` in a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StartUnitName {
    /// Decide by the values
    Auto,
    /// Microseconds, as uet-htsim
    Us,
    /// Picoseconds, as csg-htsim
    Ps,
}

impl From<StartUnitName> for StartUnit {
    fn from(name: StartUnitName) -> StartUnit {
        match name {
            StartUnitName::Auto => StartUnit::Auto,
            StartUnitName::Us => StartUnit::Us,
            StartUnitName::Ps => StartUnit::Ps,
        }
    }
}

/// A balancer as it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BalancerName {
    /// Its own name.
    Own(Balancer),
    /// htsim's `bitmap`, for which MRC's EV steering stands in.
    Bitmap,
}

impl BalancerName {
    /// The balancer that runs.
    pub fn balancer(self) -> Balancer {
        match self {
            BalancerName::Own(balancer) => balancer,
            BalancerName::Bitmap => Balancer::Mrc,
        }
    }
}

fn balancer(name: &str) -> Result<BalancerName, String> {
    const KNOWN: &str =
        "known are mrc, oblivious, and bitmap (htsim's nearest relative of mrc, which then runs)";
    match name {
        "mrc" => Ok(BalancerName::Own(Balancer::Mrc)),
        "oblivious" => Ok(BalancerName::Own(Balancer::Oblivious)),
        "bitmap" => Ok(BalancerName::Bitmap),
        "reps" | "mixed" => Err(format!(
            "this balancer of htsim's does not exist in Flowglass; {KNOWN}"
        )),
        _ => Err(format!("unknown balancer; {KNOWN}")),
    }
}

fn seed(text: &str) -> Result<u64, String> {
    // Only digits: Rust would also read "+5".
    let seed = if text.bytes().all(|b| b.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    };
    seed.ok_or_else(|| format!("expected a whole number from 0 to {}", u64::MAX))
}

fn until(text: &str) -> Result<Time, String> {
    let until: Time = text.parse().map_err(|e| format!("{e}"))?;
    if until < Time(1) || until > limits::MAX_TIME {
        return Err(format!("expected {} to {}", Time(1), limits::MAX_TIME));
    }
    Ok(until)
}

fn rate(text: &str) -> Result<Rate, String> {
    text.parse().map_err(|e| format!("{e}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn refusal(line: &[&str]) -> String {
        match Cli::try_parse_from([&["flowglass"], line].concat()) {
            Ok(_) => panic!("{line:?} was accepted"),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, expected) in [
            (&["run"][..], "<SCENARIO>"),
            (
                &["run", "x", "--matrix", "m", "--topology", "t"],
                "cannot be used with",
            ),
            (&["run", "--matrix", "m"], "--topology"),
            (&["run", "--topology", "t"], "--matrix"),
            (&["run", "x", "--model", "htsim"], "cannot be used with"),
            (
                &["run", "x", "--seed", "-1"],
                "'-1' for '--seed <N>': expected a whole number from 0 to 18446744073709551615",
            ),
            (
                &["run", "x", "--seed", "18446744073709551616"],
                "expected a whole number",
            ),
            (&["run", "x", "--seed", "1e3"], "expected a whole number"),
            (&["run", "x", "--seed", ""], "expected a whole number"),
            (&["run", "x", "--until", "-5us"], "negative"),
            (&["run", "x", "--until", "0"], "expected 1 ps to 100 s"),
            (&["run", "x", "--until", "101s"], "expected 1 ps to 100 s"),
            (&["run", "x", "--until", "99999999999999999999s"], "too large"),
            (&["run", "x", "--until", "12"], "the unit is missing"),
            (
                &["run", "x", "--balancer", "reps"],
                "known are mrc, oblivious, and bitmap",
            ),
            (
                &["run", "x", "--balancer", "mixed"],
                "does not exist in Flowglass",
            ),
            (&["run", "x", "--balancer", "MRC"], "unknown balancer"),
            (
                &["run", "--matrix", "m", "--topology", "t", "--start-unit", "ns"],
                "[possible values: auto, us, ps]",
            ),
            (
                &[
                    "run",
                    "--matrix",
                    "m",
                    "--topology",
                    "t",
                    "--link-rate",
                    "-400Gbps",
                ],
                "negative",
            ),
            (&["rnu", "x"], "unrecognized subcommand"),
        ] {
            let message = refusal(line);
            assert!(message.contains(expected), "{line:?}: {message}");
        }
    }

    #[test]
    fn the_defaults_are_the_product_s() {
        let cli = Cli::try_parse_from(["flowglass", "run", "--matrix", "m", "--topology", "t"]).unwrap();
        let Command::Run(Run { input, json, quiet }) = cli.command else {
            panic!("not run");
        };
        assert_eq!(input.model, ModelName::Mrc);
        assert_eq!(input.start_unit, StartUnitName::Auto);
        assert_eq!((input.balancer, input.seed, input.until), (None, None, None));
        assert_eq!((json, quiet), (None, false));
    }
}
