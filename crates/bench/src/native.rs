//! The native program: one case, timed, in a process of its own, so that its peak memory is its own too.
#![expect(clippy::print_stdout, reason = "the results go to standard output")]

use bench::{CASES, Case, Prepared};
use serde_json::json;
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "usage: flowglass-bench list | flowglass-bench run CASE";

pub fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let answer = match arguments[..] {
        ["list"] => Ok(json!(CASES)),
        ["run", name] => match Case::named(name) {
            Some(case) => run(case),
            None => Err(format!(
                "there is no case {name}; `flowglass-bench list` names them"
            )),
        },
        _ => Err(USAGE.to_owned()),
    };
    match answer {
        Ok(answer) => {
            println!("{answer}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(case: &Case) -> Result<serde_json::Value, String> {
    let started = Instant::now();
    let mut prepared = Prepared::new(case);
    let build_s = started.elapsed().as_secs_f64();
    let cpu_before = cpu_s();
    let started = Instant::now();
    prepared.run();
    let run_s = started.elapsed().as_secs_f64();
    let cpu_after = cpu_s();
    let outcome = prepared.outcome()?;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    Ok(json!({
        "case": case.name,
        "build_s": build_s,
        "run_s": run_s,
        "cpu_s": cpu_after.zip(cpu_before).map(|(after, before)| after - before),
        "memory_bytes": peak_bytes(&status),
        "outcome": outcome,
    }))
}

/// CPU time of this thread so far, in seconds, where Linux tells it.
fn cpu_s() -> Option<f64> {
    let used = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = used.split(' ').next()?.parse().ok()?;
    Some(nanoseconds as f64 / 1e9)
}

/// The largest resident size so far, from the line `VmHWM:  1234 kB` of Linux's process status.
fn peak_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_in_bytes() {
        assert_eq!(
            peak_bytes("VmPeak:\t 900 kB\nVmHWM:\t 1234 kB\n"),
            Some(1_263_616)
        );
        assert_eq!(peak_bytes("VmHWM:\t lots\n"), None);
        assert_eq!(peak_bytes(""), None);
    }
}
