//! Cargo-installed tools, kept per user and version so that a fresh clone finds them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{cargo, process, version};

/// A program from the Rust package registry.
pub struct Tool {
    package: &'static str,
    /// The one of its programs whose `--version` is asked.
    program: &'static str,
    /// The exact version used.
    version: &'static str,
    /// How long its installation takes on two cores, for the progress line.
    takes: &'static str,
    /// How far to optimise it: enough to be quick in use, no more than that.
    opt_level: &'static str,
}

/// Runs wasm tests in a browser.
pub const WASM_PACK: Tool = Tool {
    package: "wasm-pack",
    program: "wasm-pack",
    version: "0.15.1",
    takes: "1 to 3 min",
    opt_level: "0",
};

/// Brings wasm-pack's test runner. Its version must be that of the `wasm-bindgen` in Cargo.lock.
pub const WASM_BINDGEN: Tool = Tool {
    package: "wasm-bindgen-cli",
    program: "wasm-bindgen",
    version: "0.2.126",
    takes: "2 to 3 min",
    opt_level: "1",
};

impl Tool {
    /// The folder that holds the tool's programs; installs them when there are none of the right version.
    pub fn folder(&self) -> Result<PathBuf> {
        if let Ok(path) = which::which(self.program)
            && self.suits(&path)
        {
            return Ok(path.parent().context("a program lies in a folder")?.to_owned());
        }
        let root = cache()?.join(format!("{}-{}", self.package, self.version));
        let folder = root.join("bin");
        if !self.suits(&folder.join(self.program)) {
            self.install(&root)?;
        }
        Ok(folder)
    }

    fn suits(&self, program: &Path) -> bool {
        let answer = process::output(Command::new(program).arg("--version"));
        answer.is_ok_and(|answer| version::parse(&answer) == version::parse(self.version))
    }

    fn install(&self, root: &Path) -> Result<()> {
        let Self {
            package,
            version,
            takes,
            opt_level,
            ..
        } = self;
        process::progress(format_args!(
            "installing {package} {version} into {} ({takes})",
            root.display()
        ));
        process::run(
            cargo::command()
                .args([
                    "install",
                    "--quiet",
                    "--locked",
                    "--force",
                    "--version",
                    version,
                    "--root",
                ])
                .arg(root)
                .arg(package)
                .env_remove("CARGO_TARGET_DIR")
                .env("CARGO_PROFILE_RELEASE_LTO", "off")
                .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "256")
                .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", opt_level),
        )
        .with_context(|| format!("installing {package} {version}"))
    }
}

/// The user's folder for this project's tools: `$FLOWGLASS_TOOLS`, or else `flowglass` in the user's cache folder.
fn cache() -> Result<PathBuf> {
    let variable = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    if let Some(folder) = variable("FLOWGLASS_TOOLS") {
        return Ok(folder);
    }
    if let Some(folder) = variable("XDG_CACHE_HOME") {
        return Ok(folder.join("flowglass"));
    }
    match env::home_dir() {
        Some(home) => Ok(home.join(".cache").join("flowglass")),
        None => bail!("no home folder to keep tools in: set FLOWGLASS_TOOLS to a folder"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_runner_has_the_version_of_the_library() {
        let lock = std::fs::read_to_string(crate::root().join("Cargo.lock")).unwrap();
        let library = format!(
            "name = \"wasm-bindgen\"\nversion = \"{}\"\n",
            WASM_BINDGEN.version
        );
        assert!(
            lock.contains(&library),
            "WASM_BINDGEN.version differs from wasm-bindgen in Cargo.lock"
        );
    }

    #[test]
    fn a_program_of_another_version_does_not_suit() {
        let tool = |version| Tool {
            package: "rustc",
            program: "rustc",
            version,
            takes: "",
            opt_level: "0",
        };
        let rustc = Path::new("rustc");
        let answer = process::output(Command::new(rustc).arg("--version")).unwrap();
        let (major, minor, patch) = version::parse(&answer).unwrap();
        assert!(tool(format!("{major}.{minor}.{patch}").leak()).suits(rustc));
        assert!(!tool("0.0.1").suits(rustc));
        assert!(!tool("0.0.1").suits(Path::new("/no/such/program")));
    }
}
