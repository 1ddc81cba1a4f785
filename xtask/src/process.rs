//! Starting other programs.

use std::fmt::Arguments;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Prints one line about what happens next, apart from the output of the programs called.
pub fn progress(message: Arguments<'_>) {
    eprintln!("xtask: {message}");
}

/// Runs a program to its end. An exit status other than 0 is an error that names the program.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", name(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", name(command));
    }
    Ok(())
}

/// Runs a program to its end and returns what it printed on standard output.
///
/// What it printed on standard error becomes part of the error if its exit status is not 0.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot start {}", name(command)))?;
    if !output.status.success() {
        bail!(
            "{} ended with {}\n{}",
            name(command),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim_end()
        );
    }
    String::from_utf8(output.stdout).with_context(|| format!("{} did not print UTF-8", name(command)))
}

/// The program and its first argument: enough to know which call it was.
fn name(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let program = program
        .rsplit(std::path::MAIN_SEPARATOR)
        .next()
        .unwrap_or_default();
    match command.get_args().next() {
        Some(first) => format!("`{program} {}`", first.to_string_lossy()),
        None => format!("`{program}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_program_and_what_it_said() {
        let error = output(Command::new("rustc").arg("--no-such-option"))
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("`rustc --no-such-option` ended with"),
            "{error}"
        );
        assert!(error.contains("no-such-option'"), "{error}");
        let error = run(&mut Command::new("/nowhere/no-such-program"))
            .unwrap_err()
            .to_string();
        assert_eq!(error, "cannot start `no-such-program`");
    }
}
