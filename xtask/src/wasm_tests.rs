//! Tests of the wasm build, in headless Chromium by wasm-pack.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};
use serde_json::json;
use tempfile::NamedTempFile;

use crate::tools::{WASM_BINDGEN, WASM_PACK};
use crate::{browser, cargo, process, root};

/// The time that a crate's tests have in the browser, in seconds.
const TIMEOUT_S: &str = "300";

/// Runs `tests/web*.rs` of every crate that has such files.
pub fn run() -> Result<()> {
    let crates = root().join("crates");
    let suites = find(&crates).with_context(|| format!("looking for tests in {}", crates.display()))?;
    if suites.is_empty() {
        bail!("no crate has a tests/web*.rs");
    }
    cargo::require_wasm_target()?;
    let driver = browser::chromedriver()?;
    let capabilities = capabilities()?;
    let wasm_pack = WASM_PACK.folder()?.join("wasm-pack");
    let path = path_starting_with(WASM_BINDGEN.folder()?)?;
    for (package, tests) in suites {
        process::progress(format_args!("testing {} in Chromium", package.display()));
        process::run(
            Command::new(&wasm_pack)
                .args([
                    "test",
                    "--headless",
                    "--chrome",
                    "--mode",
                    "no-install",
                    "--chromedriver",
                ])
                .arg(&driver)
                .arg(&package)
                .args(tests.iter().flat_map(|test| ["--test", test]))
                .env("PATH", &path)
                .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities.path())
                .env("WASM_BINDGEN_TEST_TIMEOUT", TIMEOUT_S),
        )
        .with_context(|| format!("testing {}", package.display()))?;
    }
    Ok(())
}

/// The names of the tests to run in a browser, by the folders of their packages.
fn find(crates: &Path) -> Result<BTreeMap<PathBuf, Vec<String>>> {
    let mut found: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    for package in fs::read_dir(crates)? {
        let package = package?.path();
        let Ok(tests) = fs::read_dir(package.join("tests")) else {
            continue;
        };
        for test in tests {
            let test = test?.path();
            let Some(name) = test.file_stem().and_then(|name| name.to_str()) else {
                continue;
            };
            if name.starts_with("web") && test.extension().is_some_and(|extension| extension == "rs") {
                found.entry(package.clone()).or_default().push(name.to_owned());
            }
        }
    }
    found.values_mut().for_each(|tests| tests.sort());
    Ok(found)
}

/// The search path on which wasm-pack finds its test runner.
fn path_starting_with(folder: PathBuf) -> Result<OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::join_paths([folder].into_iter().chain(env::split_paths(&path)))
        .context("the tools' folder cannot be put on the search path")
}

/// Which browser the test runner starts, and how: a file that lasts as long as its handle.
fn capabilities() -> Result<NamedTempFile> {
    let capabilities = json!({
        "goog:chromeOptions": { "binary": browser::chromium()?, "args": browser::arguments() }
    });
    let mut file = NamedTempFile::new()?;
    file.write_all(capabilities.to_string().as_bytes())?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browser_tests_are_found_by_their_names() {
        let crates = tempfile::tempdir().unwrap();
        for file in [
            "sim/tests/web.rs",
            "sim/tests/web_digest.rs",
            "sim/tests/runs.rs",
            "web/tests/webs.txt",
            "wire/src/web.rs",
        ] {
            let path = crates.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = find(crates.path()).unwrap();
        assert_eq!(
            found,
            BTreeMap::from([(crates.path().join("sim"), vec!["web".into(), "web_digest".into()])])
        );
    }
}
