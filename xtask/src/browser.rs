//! Chromium, its WebDriver server, and Firefox, for the tests.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;

/// The names under which Chromium and Chrome are installed.
const BROWSERS: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// Where macOS keeps them, which is not on the search path.
const MAC_BROWSERS: [&str; 2] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/// Debian's packages of Chromium and its WebDriver server, and how long they take.
const CHROMIUM_PACKAGES: Packages = Packages {
    names: &["chromium", "chromium-driver"],
    seconds: 70,
};

/// The names under which Firefox is installed.
const FIREFOXES: [&str; 2] = ["firefox", "firefox-esr"];

/// Where macOS keeps it.
const MAC_FIREFOXES: [&str; 1] = ["/Applications/Firefox.app/Contents/MacOS/firefox"];

/// Debian's package of Firefox.
const FIREFOX_PACKAGES: Packages = Packages {
    names: &["firefox-esr"],
    seconds: 40,
};

/// The oldest major version of Firefox that the tests are known to run in. Older ones lack commands of WebDriver BiDi that
/// Playwright sends.
const FIREFOX: u32 = 153;

/// What Debian installs.
struct Packages {
    names: &'static [&'static str],
    /// About how long it takes.
    seconds: u32,
}

/// The browser: `$CHROME`, or else the first found. Installs one where that can be done without asking.
pub fn chromium() -> Result<PathBuf> {
    find_or_install(
        "CHROME",
        &BROWSERS,
        &MAC_BROWSERS,
        "Chromium or Chrome",
        &CHROMIUM_PACKAGES,
    )
}

/// The browser's WebDriver server: `$CHROMEDRIVER`, or else the one on the search path.
pub fn chromedriver() -> Result<PathBuf> {
    find_or_install(
        "CHROMEDRIVER",
        &["chromedriver"],
        &[],
        "ChromeDriver (of the browser's version)",
        &CHROMIUM_PACKAGES,
    )
}

/// Firefox: `$FIREFOX`, or else the first found, installed where that can be done without asking. One that is too old for the
/// tests is an error.
pub fn firefox() -> Result<PathBuf> {
    let path = find_or_install(
        "FIREFOX",
        &FIREFOXES,
        &MAC_FIREFOXES,
        "Firefox",
        &FIREFOX_PACKAGES,
    )?;
    let answer = process::output(Command::new(&path).arg("--version"))?;
    match major(&answer) {
        Some(version) if version >= FIREFOX => Ok(path),
        _ => bail!(
            "Firefox {FIREFOX} or later is needed, and {} is {}",
            path.display(),
            answer.trim()
        ),
    }
}

/// The major version in Firefox's answer to `--version`, for example 153 in `Mozilla Firefox 153.8.0esr`.
fn major(answer: &str) -> Option<u32> {
    answer
        .split_whitespace()
        .find_map(|word| word.split_once('.')?.0.parse().ok())
}

/// Command-line arguments for a browser that nobody watches.
///
/// Nothing of it may look for the network, and the tests may not depend on a graphics card.
pub fn arguments() -> Vec<&'static str> {
    let mut arguments = vec![
        "--headless=new",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-extensions",
    ];
    if is_root() {
        // Chromium refuses to start its sandbox as root, which tests in containers commonly are.
        arguments.push("--no-sandbox");
    }
    arguments
}

fn find_or_install(
    variable: &str,
    names: &[&str],
    paths: &[&str],
    what: &str,
    packages: &Packages,
) -> Result<PathBuf> {
    if let Some(path) = env::var_os(variable)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
    {
        if path.is_file() {
            return Ok(path);
        }
        bail!("{variable} names {}, which is not a file", path.display());
    }
    if let Some(path) = find(names, paths) {
        return Ok(path);
    }
    if Path::new("/etc/debian_version").exists() && is_root() {
        install(packages)?;
        if let Some(path) = find(names, paths) {
            return Ok(path);
        }
    }
    bail!(
        "{what} is needed and was not found: install it (Debian: `apt-get install {}`) \
         or set {variable} to its path",
        packages.names.join(" ")
    )
}

fn find(names: &[&str], paths: &[&str]) -> Option<PathBuf> {
    names
        .iter()
        .find_map(|name| which::which(name).ok())
        .or_else(|| paths.iter().map(PathBuf::from).find(|path| path.is_file()))
}

fn install(packages: &Packages) -> Result<()> {
    process::progress(format_args!(
        "installing Debian's {} (about {} s)",
        packages.names.join(" and "),
        packages.seconds
    ));
    let apt = || {
        let mut apt = Command::new("apt-get");
        apt.arg("--quiet=2").env("DEBIAN_FRONTEND", "noninteractive");
        apt
    };
    process::run(apt().arg("update"))?;
    process::run(
        apt()
            .args(["install", "--yes", "--no-install-recommends"])
            .args(packages.names),
    )
}

/// Whether this process belongs to the superuser. `id` is asked because the standard library cannot tell.
fn is_root() -> bool {
    cfg!(unix) && process::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_of_firefox_is_read() {
        assert_eq!(major("Mozilla Firefox 153.8.0esr\n"), Some(153));
        assert_eq!(major("Mozilla Firefox 160.0"), Some(160));
        assert_eq!(major("Mozilla Firefox"), None);
        assert_eq!(major(""), None);
    }

    #[test]
    fn a_program_is_found_by_its_first_known_name() {
        let found = find(&["no-such-program", "rustc"], &[]).unwrap();
        assert_eq!(found.file_stem().unwrap(), "rustc");
        assert_eq!(find(&["no-such-program"], &["/no/such/path"]), None);
        let here = env::current_exe().unwrap();
        assert_eq!(
            find(&["no-such-program"], &["/no/such/path", here.to_str().unwrap()]),
            Some(here.clone())
        );
    }
}
