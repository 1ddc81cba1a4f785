//! Tests of the served page in headless Chromium, the core of them in Firefox too, by Node's test runner and Playwright.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, thread};

use anyhow::{Context, Result, bail};

use crate::{browser, compress, http, page, process, root, site::Site, version};

/// The oldest major version of Node.js that the tests run on: Playwright asks for it.
const NODE: u32 = 20;

/// The time that one test has, and all of a file, in milliseconds: enough on a machine that does other things too.
const TIMEOUT_MS: u32 = 600_000;

/// Builds the page, serves it on a free port and runs `tests/e2e/*.test.mjs` against it.
///
/// Those for Firefox are left out where there is none and none can be installed, and it is said.
pub fn run() -> Result<()> {
    let folder = folder();
    let tests = find(&folder).with_context(|| format!("looking for tests in {}", folder.display()))?;
    let firefox = browser::firefox();
    let mut node = node_with(page::build)?;
    match firefox {
        Ok(path) => {
            node.env("FLOWGLASS_FIREFOX", path);
        }
        Err(why) => process::progress(format_args!("not run in Firefox: {why:#}")),
    }
    // One after the other: browsers side by side would disturb each other's timing on a small machine.
    node.args([
        "--test",
        "--test-concurrency=1",
        "--test-reporter=spec",
        &format!("--test-timeout={TIMEOUT_MS}"),
    ])
    .args(&tests);
    process::run(&mut node)
}

/// Builds the page, serves it on a free port, and has `tests/e2e/shots.mjs` take pictures of it into `into`.
pub fn shots(into: &Path) -> Result<()> {
    let mut node = node_with(page::build)?;
    process::run(node.arg(folder().join("shots.mjs")).arg(into))
}

/// Builds the page, serves it on a free port, and has `tests/e2e/draw.mjs` measure how fast it draws.
pub fn draw() -> Result<()> {
    let mut node = node_with(page::build)?;
    process::run(node.arg(folder().join("draw.mjs")))
}

/// Builds the page, serves it compressed on a free port, and has `tests/e2e/vitals.mjs` measure how quickly it is there, how evenly it
/// draws, and how long seeking takes.
pub fn vitals() -> Result<()> {
    let compressed = || {
        let site = page::build()?;
        process::progress(format_args!(
            "compressing the page (half a minute the first time)"
        ));
        compress::all(&site);
        Ok(site)
    };
    let mut node = node_with(compressed)?;
    process::run(node.arg(folder().join("vitals.mjs")))
}

/// Where the scripts are.
pub fn folder() -> PathBuf {
    root().join("tests").join("e2e")
}

/// Node.js with everything that the scripts in `tests/e2e` need, and a site served until this process ends. The site
/// is built last: what is missing shows at once.
pub fn node_with(site: impl FnOnce() -> Result<Site>) -> Result<Command> {
    require_node()?;
    install_packages(&folder())?;
    let chromium = browser::chromium()?;
    let site = site()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let url = format!("http://{}/", listener.local_addr()?);
    thread::spawn(move || {
        if let Err(error) = http::serve(listener, site.into()) {
            eprintln!("error in the server under test: {error:#}");
        }
    });
    let mut node = Command::new("node");
    node.env("FLOWGLASS_URL", url)
        .env("FLOWGLASS_CHROMIUM", chromium)
        .env("FLOWGLASS_CHROMIUM_ARGS", browser::arguments().join(" "));
    Ok(node)
}

/// The test files, in the order of their names. That there is none is an error.
fn find(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut tests = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            tests.push(path);
        }
    }
    if tests.is_empty() {
        bail!("no *.test.mjs");
    }
    tests.sort();
    Ok(tests)
}

/// Fails unless a Node.js that is new enough is there.
pub fn require_node() -> Result<()> {
    let answer = process::output(Command::new("node").arg("--version"))
        .with_context(|| format!("Node.js {NODE} or later is needed for the end-to-end tests, with npm"))?;
    match version::parse(&answer) {
        Some((major, ..)) if major >= NODE => Ok(()),
        _ => bail!(
            "Node.js {NODE} or later is needed for the end-to-end tests, found {}",
            answer.trim()
        ),
    }
}

/// Installs the tests' packages unless those there are what package-lock.json asks for.
fn install_packages(folder: &Path) -> Result<()> {
    let modified = |file: &str| fs::metadata(folder.join(file)).and_then(|data| data.modified());
    let wanted = modified("package-lock.json").context("looking at package-lock.json")?;
    // npm writes this file last.
    if modified("node_modules/.package-lock.json").is_ok_and(|installed| installed >= wanted) {
        return Ok(());
    }
    process::progress(format_args!(
        "installing the end-to-end tests' packages (a few seconds)"
    ));
    process::run(
        Command::new("npm")
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
            .current_dir(folder),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found_in_the_order_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(find(folder.path()).unwrap_err().to_string(), "no *.test.mjs");
        for name in ["b.test.mjs", "a.test.mjs", "browser.mjs"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let expected = ["a.test.mjs", "b.test.mjs"].map(|name| folder.path().join(name));
        assert_eq!(find(folder.path()).unwrap(), expected);
    }
}
