//! The command line.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::commands::{bench, build, count, draw, peer, seal, serve, shots, test, vitals};

/// Builds, serves and tests Flowglass.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure speed and memory, natively and in Chromium, and write BENCHMARKS.md
    Bench(bench::Options),
    /// Build the release page into dist/
    Build,
    /// Count the wasm instructions that a packet-hop takes, and compare with those in tests/instructions.json
    Count(count::Options),
    /// Measure how fast the stage is drawn in headless Chromium, and print a table
    Draw,
    /// Build the release page and serve it on 127.0.0.1
    Serve(serve::Options),
    /// Compare with uet-htsim on the matrices of tests/peer and write docs/peer.md
    Peer(peer::Options),
    /// Write the version and the list of files of a page that Trunk has built; Trunk.toml calls it
    Seal(seal::Options),
    /// Take pictures of the page into docs/screenshots/
    Shots,
    /// Run every check: formatting, lints, native tests, wasm tests and end-to-end tests in Chromium and Firefox
    Test(test::Options),
    /// Measure how quickly the page is there, what it transfers and how evenly it draws in headless Chromium, and print tables
    Vitals,
}

/// Parses the process's arguments and runs the command that they name.
///
/// Arguments that are not understood end the process with exit status 2 and a usage message.
pub fn run() -> Result<ExitCode> {
    match Cli::parse().command {
        Command::Bench(options) => bench::run(&options),
        Command::Build => build::run(),
        Command::Draw => draw::run(),
        Command::Count(options) => count::run(&options),
        Command::Serve(options) => serve::run(options),
        Command::Peer(options) => peer::run(&options),
        Command::Seal(options) => seal::run(options),
        Command::Shots => shots::run(),
        Command::Test(options) => test::run(&options),
        Command::Vitals => vitals::run(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::error::ErrorKind;

    fn parse(line: &str) -> Result<Command, clap::Error> {
        Cli::try_parse_from(line.split(' ')).map(|cli| cli.command)
    }

    fn refusal(line: &str) -> clap::Error {
        parse(line).err().expect("should be refused")
    }

    #[test]
    fn serve_has_the_documented_defaults() {
        let Ok(Command::Serve(options)) = parse("xtask serve") else {
            panic!("not serve")
        };
        assert_eq!((options.port, options.no_open), (None, false));
        let Ok(Command::Serve(options)) = parse("xtask serve --port 9000 --no-open") else {
            panic!("not serve")
        };
        assert_eq!((options.port, options.no_open), (Some(9000), true));
    }

    #[test]
    fn test_stages_can_be_named_several_times() {
        use test::Stage;
        let Ok(Command::Test(options)) = parse("xtask test --only wasm --only fmt") else {
            panic!("not test")
        };
        assert_eq!(options.stages(), [Stage::Fmt, Stage::Wasm]);
        let Ok(Command::Test(options)) = parse("xtask test") else {
            panic!("not test")
        };
        assert_eq!(options.stages(), Stage::ALL);
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (line, kind, culprit) in [
            ("xtask serve --prot 80", ErrorKind::UnknownArgument, "--prot"),
            ("xtask serve --port 70000", ErrorKind::ValueValidation, "70000"),
            ("xtask serve --port", ErrorKind::InvalidValue, "--port"),
            ("xtask test --only lint", ErrorKind::InvalidValue, "lint"),
            ("xtask bench --only firefox", ErrorKind::InvalidValue, "firefox"),
            ("xtask bench --runs 0", ErrorKind::ValueValidation, "--runs"),
            ("xtask tset", ErrorKind::InvalidSubcommand, "tset"),
        ] {
            let error = refusal(line);
            assert_eq!(error.kind(), kind, "{line}");
            assert!(error.to_string().contains(culprit), "{line}: {error}");
        }
    }

    #[test]
    fn no_command_prints_the_usage() {
        let error = refusal("xtask");
        assert_eq!(error.kind(), ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand);
        assert!(
            error.to_string().contains("Usage: cargo xtask <COMMAND>"),
            "{error}"
        );
    }
}
