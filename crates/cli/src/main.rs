//! `flowglass`: runs scenarios without a browser, and tells what came out to people and to programs.

mod args;
mod card;
mod commands;
mod compare;
mod export_folder;
mod failure;
mod fault_option;
mod host;
mod input;
mod json;
mod keep_file;
mod ledger;
mod locate;
mod memory;
mod output;
mod progress;
mod results;
mod runner;
mod summary;
mod sweep;
mod tap;
mod text_file;
mod tune;
mod tuple;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(options) => commands::run::run(&options),
        Command::Sweep(options) => commands::sweep::run(&options),
        Command::Compare(options) => commands::compare::run(&options),
        Command::Tune(options) => commands::tune::run(&options),
        Command::Presets => commands::presets::run(),
        Command::Check(input) => commands::check::run(&input),
        Command::Link(options) => commands::link::run(&options),
        Command::Convert(input) => commands::convert::run(&input),
        Command::Card(options) => commands::card::run(&options),
        Command::Export(options) => commands::export::run(&options),
        Command::Capture(options) => commands::capture::run(&options),
        Command::Evidence(options) => commands::evidence::run(&options),
        Command::ProcessTuples(options) => commands::process_tuples::run(&options),
        Command::Import(options) => commands::import::run(&options),
        Command::Ledger(options) => commands::ledger::run(&options),
    };
    outcome.unwrap_or_else(|failure| {
        output::complain(&failure.to_string());
        failure.exit_code()
    })
}
