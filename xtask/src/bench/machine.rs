//! What the measurements were taken on.

use std::fs;
use std::process::Command;
use std::time::SystemTime;

use anyhow::Result;

use crate::{browser, process, root};

/// The machine, the compilers and the day, as lines of Markdown.
pub fn describe(load_before: Option<f64>) -> Result<String> {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let rustc = process::output(Command::new("rustc").current_dir(root()).arg("--version"))?;
    let chromium = process::output(Command::new(browser::chromium()?).arg("--version"))?;
    Ok(format!(
        "- Machine: {}, {cores} cores, {}; {}; load average {} before and {} after\n\
         - Built by {}, release profile; run in {}\n\
         - {}, commit {}\n",
        field("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
        memory().unwrap_or_else(|| "memory unknown".into()),
        std::env::consts::OS,
        shown(load_before),
        shown(load()),
        rustc.trim(),
        chromium.trim(),
        httpdate::fmt_http_date(SystemTime::now()),
        commit()?,
    ))
}

/// Programs that wanted a core in the last minute, on average, where Linux tells.
pub fn load() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next()?.parse().ok()
}

fn shown(load: Option<f64>) -> String {
    load.map_or_else(|| "unknown".into(), |load| format!("{load:.1}"))
}

fn memory() -> Option<String> {
    let kib: u64 = field("/proc/meminfo", "MemTotal")?
        .strip_suffix("kB")?
        .trim()
        .parse()
        .ok()?;
    Some(format!("{} GiB", (kib + (1 << 19)) >> 20))
}

/// The first value of that name in one of Linux's lists of `name: value`.
fn field(file: &str, name: &str) -> Option<String> {
    first(&fs::read_to_string(file).ok()?, name)
}

fn first(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}

/// The commit that was measured, and whether there were changes on top.
fn commit() -> Result<String> {
    let git = |arguments: &[&str]| process::output(Command::new("git").current_dir(root()).args(arguments));
    let hash = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changes = git(&["status", "--porcelain", "--untracked-files=no", "--", "crates"])?;
    let note = if changes.is_empty() { "" } else { " with changes" };
    Ok(format!("{}{note}", hash.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_field_of_a_name_is_read() {
        let text = "processor\t: 0\nmodel name\t: A: B\nmodel name\t: C\nflags\n";
        assert_eq!(first(text, "model name").as_deref(), Some("A: B"));
        assert_eq!(first(text, "model"), None);
    }

    #[test]
    fn loads_have_one_digit() {
        assert_eq!((shown(Some(0.25)), shown(None)), ("0.2".into(), "unknown".into()));
    }
}
