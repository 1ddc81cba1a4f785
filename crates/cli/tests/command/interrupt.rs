//! Ctrl-C ends a run cleanly, with what there is so far.

use crate::capture;
use crate::folder::Folder;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Runs for far longer than the test: 64 NICs send a tebibyte each.
pub const LONG: &str = r#"{
  "version": 1, "until": "100s",
  "fabric": { "planes": 8, "t0_per_plane": 8, "t1_per_plane": 8, "nics_per_t0": 8, "nic_link_rate": "100Gbps" },
  "traffic": [ { "kind": "permutation", "shift": 9, "bytes": "1TiB" } ]
}"#;

/// Starts the command, interrupts it after `delay`, and waits for its end.
fn interrupt_after(folder: &Folder, arguments: &[&str], delay: Duration) -> Output {
    let child = folder
        .command(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    std::thread::sleep(delay);
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill exists").success());
    child.wait_with_output().expect("it ends")
}

/// Interrupts the command as soon as it is ready for that: on a busy machine the first signal may come before.
pub fn interrupted(folder: &Folder, arguments: &[&str]) -> Output {
    [1, 4, 16, 64]
        .into_iter()
        .map(|seconds| interrupt_after(folder, arguments, Duration::from_secs(seconds)))
        .find(|output| output.status.code().is_some())
        .expect("the signal was never caught")
}

#[test]
fn an_interrupted_run_reports_what_it_has() {
    let folder = Folder::new();
    folder.write("long.json", LONG);
    let output = interrupted(&folder, &["run", "long.json", "--json", "r.json"]);
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(130), "{stdout}{stderr}");
    assert!(stdout.contains(", interrupted at "), "{stdout}");
    assert!(
        stderr.contains("64 of 64 flows did not finish: the run was interrupted at"),
        "{stderr}"
    );
    let results = folder.json("r.json");
    assert_eq!(results["run"]["end"], "interrupted");
    assert!(
        results["summary"]["placed_bytes"].as_u64().is_some_and(|n| n > 0),
        "{}",
        results["summary"]
    );
}

/// When the run is over there is nothing left to be ended cleanly: one signal is enough, though the results wait for a reader.
#[cfg(unix)]
#[test]
fn results_that_nobody_reads_do_not_outlive_a_signal() {
    let folder = Folder::new();
    let pipe = Command::new("mkfifo").arg(folder.path("pipe")).status();
    assert!(pipe.expect("mkfifo exists").success());
    let mut child = folder
        .command(&["run", "incast", "--json", "pipe"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // The summary is printed before the results are written, and ends with the digest.
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let digest = lines.map_while(Result::ok).find(|line| line.contains("digest"));
    assert!(digest.is_some());
    let kill = Command::new("kill").arg(child.id().to_string()).status();
    assert!(kill.expect("kill exists").success());
    // Without the rule it would wait for ever.
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

#[test]
fn a_cancelled_sweep_keeps_the_runs_that_are_over() {
    let folder = Folder::new();
    folder.write("long.json", LONG);
    // Runs of a microsecond come first and are over at once; those after them outlast the test.
    let vary = "until=1us,100s";
    let output = interrupted(
        &folder,
        &[
            "sweep",
            "long.json",
            "--seeds",
            "3",
            "--vary",
            vary,
            "--jobs",
            "2",
            "--json",
            "r.json",
            "--csv",
            "r.csv",
        ],
    );
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(130), "{stdout}{stderr}");
    assert!(stdout.contains("CANCELLED 3 of 6 runs"), "{stdout}");
    assert!(stderr.contains("error: cancelled after 3 of 6 runs"), "{stderr}");
    let results = folder.json("r.json");
    assert_eq!(results["sweep"]["end"], "cancelled");
    assert_eq!(results["runs"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        (&results["points"][0]["done"], &results["points"][1]["done"]),
        (&3.into(), &0.into())
    );
    let csv = std::fs::read_to_string(folder.path("r.csv")).expect("written");
    assert_eq!(csv.lines().count(), 4);
}

#[test]
fn a_cancelled_comparison_keeps_the_runs_that_are_over() {
    let folder = Folder::new();
    folder.write("long.json", LONG);
    folder.write("short.json", LONG.replace("\"100s\"", "\"1us\""));
    let output = interrupted(
        &folder,
        &[
            "compare",
            "short.json",
            "long.json",
            "--seeds",
            "2",
            "--jobs",
            "2",
            "--json",
            "r.json",
        ],
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    // The second scenario's first run outlasts the test; the first one's are over at once.
    assert!(stderr.contains("error: cancelled after 2 of 4 runs"), "{stderr}");
    let results = folder.json("r.json");
    assert_eq!(results["comparison"]["end"], "cancelled");
    assert_eq!(results["pairs"][0]["metrics"], serde_json::json!([]));
}

#[test]
fn an_interrupted_capture_is_whole() {
    let folder = Folder::new();
    folder.write("long.json", LONG);
    let options = ["--nic", "0", "--snap", "128", "--packets", "10000000"];
    let output = interrupted(
        &folder,
        &[&["capture", "long.json", "--out", "c.pcapng"], &options[..]].concat(),
    );
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(
        stdout.contains(" packets on 8 links, interrupted at "),
        "{stdout}"
    );
    let packets = capture::read(&folder, "c.pcapng").packets;
    assert!(packets.len() > 100, "{}", packets.len());
    assert!(packets.iter().all(|packet| packet.bytes.len() == 128));
}

/// Flows that are known from the start: the tables of four million take seconds.
const WARM: &str = r#"{
  "version": 1, "until": "1ms", "host": {}, "vms": [ { "limits": { "total": 4000000 } }, { "limits": { "total": 4000000 } } ],
  "traffic": [ { "kind": "flows", "vm": 0, "flows": 2000000, "per_second": 1, "warm": true },
               { "kind": "flows", "vm": 1, "flows": 2000000, "per_second": 1, "warm": true } ]
}"#;

/// A host that is being built has nothing to show; the command says so and ends.
#[test]
fn a_host_that_is_being_built_ends_with_a_message() {
    let folder = Folder::new();
    folder.write("warm.json", WARM);
    for command in ["run", "check"] {
        // Later and later until the handler is there; a second is long enough for that on most machines.
        let output = [200, 400, 800, 1_600]
            .into_iter()
            .map(|ms| interrupt_after(&folder, &[command, "warm.json"], Duration::from_millis(ms)))
            .find(|output| output.status.code().is_some())
            .expect("the signal was never caught");
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        assert_eq!(
            String::from_utf8_lossy(&output.stderr).trim_end(),
            "warm.json: stopped before the run was ready"
        );
        assert!(output.stdout.is_empty(), "{output:?}");
    }
}
