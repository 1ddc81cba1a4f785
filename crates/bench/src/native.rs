//! The native program: one case, measured, in a process of its own, so that its memory is its own too.
#![expect(clippy::print_stdout, reason = "the results go to standard output")]

use crate::queues;
use bench::{Case, Prepared, cases, flows};
use serde_json::{Value, json};
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "usage: flowglass-bench list | run CASE THREADS | memory CASE | queues [STREAM DESIGN] \
                     | flows [OPERATION DESIGN]";

pub fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match answer(&arguments) {
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

fn answer(arguments: &[&str]) -> Result<Value, String> {
    let named = |name: &str| {
        Case::named(name).ok_or_else(|| format!("there is no case {name}; `flowglass-bench list` names them"))
    };
    match *arguments {
        ["list"] => Ok(json!(cases())),
        ["run", name, threads] => {
            let threads = threads.parse().ok().filter(|threads| (1..=64).contains(threads));
            let threads = threads.ok_or("THREADS is a number from 1 to 64")?;
            run(&named(name)?, threads)
        }
        ["memory", name] => memory(&named(name)?),
        ["queues"] => Ok(json!({"streams": queues::STREAMS, "designs": queues::DESIGNS})),
        ["queues", stream, design] => queues::run(stream, design),
        ["flows"] => Ok(json!({"operations": flows::OPERATIONS, "designs": flows::DESIGNS})),
        ["flows", operation, design] => operate(operation, design),
        _ => Err(USAGE.to_owned()),
    }
}

fn run(case: &Case, threads: u32) -> Result<Value, String> {
    let (mut build_s, mut run_s, mut cpu, mut outcome) = (0.0, 0.0, Some(0.0), None);
    for _ in 0..case.repeats {
        let started = Instant::now();
        let mut prepared = Prepared::new(case, threads);
        build_s += started.elapsed().as_secs_f64();
        let cpu_before = cpu_s();
        let started = Instant::now();
        prepared.run();
        run_s += started.elapsed().as_secs_f64();
        // Other threads' time is not in this thread's.
        let used = cpu_s().zip(cpu_before).filter(|_| threads == 1);
        cpu = cpu.zip(used).map(|(sum, (after, before))| sum + after - before);
        outcome = Some(prepared.outcome()?);
    }
    let repeats = f64::from(case.repeats);
    Ok(json!({
        "case": case.name,
        "threads": threads,
        "build_s": build_s / repeats,
        "run_s": run_s / repeats,
        "cpu_s": cpu.map(|cpu| cpu / repeats),
        "memory_bytes": status("VmHWM"),
        "outcome": outcome,
    }))
}

fn operate(operation: &str, design: &str) -> Result<Value, String> {
    let mut operation = flows::Operation::new(operation, design)?;
    let started = Instant::now();
    operation.run();
    Ok(operation.outcome(started.elapsed().as_secs_f64()))
}

/// Resident sizes: of the program, with the fabric and one QP, with all QPs, and at the most.
fn memory(case: &Case) -> Result<Value, String> {
    let size = || status("VmRSS").ok_or("this system does not tell a process's resident size");
    let program = size()?;
    let fabric = Prepared::nearly_empty(case);
    let with_fabric = size()?;
    drop(fabric);
    let mut prepared = Prepared::new(case, 1);
    let built = size()?;
    let (links, qps) = prepared.size();
    let in_flight = prepared.most_in_flight();
    Ok(json!({
        "case": case.name,
        "program_bytes": program,
        "fabric_bytes": with_fabric,
        "built_bytes": built,
        "peak_bytes": status("VmHWM"),
        "links": links,
        "qps": qps,
        "in_flight": in_flight,
        "packet_bytes": size_of::<fabric::Packet>(),
    }))
}

/// CPU time of this thread so far, in seconds, where Linux tells it.
fn cpu_s() -> Option<f64> {
    let used = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = used.split(' ').next()?.parse().ok()?;
    Some(nanoseconds as f64 / 1e9)
}

/// A size of this process in bytes, from Linux: `VmRSS` now, `VmHWM` at the most.
fn status(name: &str) -> Option<u64> {
    field(&std::fs::read_to_string("/proc/self/status").ok()?, name)
}

/// Reads a line `NAME:  1234 kB`.
fn field(status: &str, name: &str) -> Option<u64> {
    let value = |line: &str| {
        line.strip_prefix(name)?
            .strip_prefix(':')?
            .trim()
            .strip_suffix("kB")?
            .trim()
            .parse()
            .ok()
    };
    let kib: u64 = status.lines().find_map(value)?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_bytes() {
        let text = "VmPeak:\t 900 kB\nVmHWM:\t 1234 kB\nVmRSS:\t lots\n";
        assert_eq!(field(text, "VmHWM"), Some(1_263_616));
        assert_eq!(field(text, "VmRSS"), None);
        assert_eq!(field("", "VmHWM"), None);
    }

    #[test]
    fn what_is_not_understood_is_explained() {
        let error = |arguments: &[&str]| answer(arguments).unwrap_err();
        assert!(error(&["run", "perm", "1"]).contains("no case perm"));
        assert!(error(&["run", "perm128", "0"]).contains("1 to 64"));
        assert_eq!(error(&["run", "perm128"]), USAGE);
    }
}
