//! The project's own commands, called as `cargo xtask COMMAND`.
#![expect(clippy::print_stdout, reason = "a command reports on standard output")]

mod bench;
mod browser;
mod cargo;
mod cli;
mod commands;
mod compress;
mod count;
mod e2e;
mod edition;
mod http;
mod page;
mod peer;
mod process;
mod site;
mod tools;
mod version;
mod wasm_tests;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The top folder of the checkout that this program was built from.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the workspace's top folder")
}
