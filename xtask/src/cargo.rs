//! Calls of cargo and what they print.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{process, root};

/// The target that browsers run.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// The cargo that runs this program, to be started in the workspace's top folder.
pub fn command() -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.current_dir(root());
    command
}

/// Makes sure that the wasm target's standard library is there, and asks rustup for it if not.
pub fn require_wasm_target() -> Result<()> {
    let mut rustc = Command::new("rustc");
    rustc
        .current_dir(root())
        .args(["--print", "target-libdir", "--target", WASM_TARGET]);
    let libraries = process::output(&mut rustc)?;
    if Path::new(libraries.trim()).is_dir() {
        return Ok(());
    }
    process::progress(format_args!(
        "installing the Rust target {WASM_TARGET} (about 5 s)"
    ));
    let mut rustup = Command::new("rustup");
    rustup.current_dir(root()).args(["target", "add", WASM_TARGET]);
    process::run(&mut rustup).with_context(|| {
        format!(
            "the Rust target {WASM_TARGET} is missing and rustup could not add it; \
             without rustup, install your distribution's package of the Rust standard library for that target"
        )
    })
}

/// Runs `cargo build` with the arguments given and returns the programs that it built or found up to date.
pub fn build(arguments: &[&str]) -> Result<Vec<PathBuf>> {
    let mut cargo = command();
    cargo
        .args(["build", "--message-format", "json-render-diagnostics"])
        .args(arguments)
        .stderr(Stdio::inherit());
    executables(&process::output(&mut cargo)?)
}

/// Reads the programs' paths from cargo's messages, one JSON object a line.
fn executables(messages: &str) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Value = serde_json::from_str(line).context("reading cargo's messages")?;
        if let Some(path) = message["executable"].as_str() {
            paths.push(PathBuf::from(path));
        }
    }
    Ok(paths)
}

/// Picks the program of that name (without extension) from those that [`build`] returned.
pub fn pick<'a>(executables: &'a [PathBuf], name: &str) -> Result<&'a Path> {
    match executables
        .iter()
        .find(|path| path.file_stem().is_some_and(|stem| stem == name))
    {
        Some(path) => Ok(path),
        None => bail!(
            "package {name} has no program of that name: expected a src/main.rs and no other [[bin]] name"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_read_from_cargos_messages() {
        let messages = r#"{"reason":"compiler-artifact","executable":null}
not json
{"reason":"compiler-artifact","executable":"/t/release/flowglass-web.wasm"}
{"reason":"build-finished","success":true}"#;
        let found = executables(messages).unwrap();
        assert_eq!(found, [PathBuf::from("/t/release/flowglass-web.wasm")]);
        assert_eq!(
            pick(&found, "flowglass-web").unwrap(),
            Path::new("/t/release/flowglass-web.wasm")
        );
        assert!(pick(&found, "flowglass-worker").is_err());
    }

    #[test]
    fn a_broken_message_is_an_error() {
        assert!(executables("{\"executable\":").is_err());
    }
}
