//! Ctrl-C ends a run cleanly, with what there is so far.

use crate::folder::Folder;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Runs for far longer than the test: 64 NICs send a tebibyte each.
const LONG: &str = r#"{
  "version": 1, "until": "100s",
  "fabric": { "planes": 8, "t0_per_plane": 8, "t1_per_plane": 8, "nics_per_t0": 8, "nic_link_rate": "100Gbps" },
  "traffic": [ { "kind": "permutation", "shift": 9, "bytes": "1TiB" } ]
}"#;

/// Starts the run, interrupts it after `delay`, and waits for its end.
fn interrupt_after(folder: &Folder, delay: Duration) -> Output {
    let child = folder
        .command(&["run", "long.json", "--json", "r.json"])
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

#[test]
fn an_interrupted_run_reports_what_it_has() {
    let folder = Folder::new();
    folder.write("long.json", LONG);
    // On a busy machine the first signal may come before the command is ready for it.
    let output = [1, 4, 16, 64]
        .into_iter()
        .map(|seconds| interrupt_after(&folder, Duration::from_secs(seconds)))
        .find(|output| output.status.code().is_some())
        .expect("the signal was never caught");
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
