//! `flowglass export`: one device to standard output, all of them to a folder, and what is refused.

use crate::folder::Folder;
use std::collections::BTreeSet;
use std::fs;

/// Two planes of two T0s and one T1, two NICs per T0. NIC 3 has no traffic.
const SMALL: &str = r#"{
  "version": 1, "name": "small", "until": "1ms",
  "fabric": { "planes": 2, "t0_per_plane": 2, "t1_per_plane": 1, "nics_per_t0": 2, "nic_link_rate": "100Gbps" },
  "traffic": [ { "kind": "incast", "dst": 0, "senders": 2, "bytes": "1MB" }, { "kind": "flow", "src": 1, "dst": 0, "bytes": 1 } ]
}"#;

fn small() -> Folder {
    let folder = Folder::new();
    folder.write("small.json", SMALL);
    folder
}

fn files(folder: &Folder, name: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder.path(name)).expect("a folder");
    entries
        .map(|e| e.expect("readable").file_name().to_string_lossy().into_owned())
        .collect()
}

#[test]
fn one_switch_is_printed() {
    let folder = small();
    let call = |format, name| {
        folder
            .call(&["export", "small.json", "--format", format, "--switch", name])
            .succeeds()
            .stdout
    };
    let config: serde_json::Value = serde_json::from_str(&call("sonic", "p1/t0.0")).expect("JSON");
    assert_eq!(
        config["SRV6_MY_LOCATORS"]["mrc"]["prefix"], "fc00:0:2800::",
        "{config}"
    );
    // Two NICs and one T1, and what drops the rest.
    assert_eq!(
        config["STATIC_ROUTE"].as_object().map(|t| t.len()),
        Some(4),
        "{config}"
    );
    let lines = call("linux", "p1/t1.0");
    assert!(
        lines.starts_with("# Switch p1/t1.0, uSID 0x3000. Needs: swp0 to swp1 up;"),
        "{lines}"
    );
}

#[test]
fn a_nic_has_paths_to_those_it_talks_to_in_either_direction() {
    let folder = small();
    let call = |nic| {
        folder
            .call(&["export", "small.json", "--format", "linux", "--nic", nic])
            .succeeds()
            .stdout
    };
    let encapsulated = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.contains(" encap seg6 "));
        lines
            .map(|line| line.split(' ').nth(4).expect("a prefix").to_owned())
            .collect()
    };
    // Senders of the incast: 0 + 1 + ⌊i·3/2⌋, that is NICs 1 and 2; two planes with one T1 are two EVs.
    let to = |nic: u32| format!("fd00:6d72:63::{nic}/128");
    assert_eq!(encapsulated(&call("0")), [to(1), to(1), to(2), to(2)]);
    let to_0 = "fd00:6d72:63::/128";
    assert_eq!(encapsulated(&call("2")), [to_0, to_0]);
    assert!(encapsulated(&call("3")).is_empty());
}

#[test]
fn a_folder_has_a_file_for_each_and_an_index() {
    let folder = small();
    let switches = ["p0-t0.0", "p0-t0.1", "p0-t1.0", "p1-t0.0", "p1-t0.1", "p1-t1.0"];
    let export = |format: &str, out: &str, more: &[&str]| {
        let arguments = [&["export", "small.json", "--format", format, "--out", out], more].concat();
        folder.call(&arguments).succeeds()
    };
    let outcome = export("sonic", "sonic", &[]);
    assert!(
        outcome.stdout.starts_with("sonic: 6 files and an index, "),
        "{outcome:?}"
    );
    let mut expected: BTreeSet<String> = switches.iter().map(|name| format!("{name}.json")).collect();
    expected.insert("index.json".into());
    assert_eq!(files(&folder, "sonic"), expected);

    export("linux", "linux", &["--nics"]);
    let mut expected: BTreeSet<String> = switches.iter().map(|name| format!("{name}.ip")).collect();
    expected.extend(["index.json", "nic-0.ip", "nic-1.ip", "nic-2.ip"].map(String::from));
    assert_eq!(files(&folder, "linux"), expected);

    let index = folder.json("linux/index.json");
    assert_eq!(index["configuration"], "linux");
    assert_eq!(index["scenario"], "small");
    let listed: BTreeSet<&str> = index["files"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|entry| entry["file"].as_str().expect("a name"))
        .collect();
    assert!(
        expected
            .iter()
            .all(|name| name == "index.json" || listed.contains(name.as_str()))
    );
    assert_eq!(
        index["files"][3],
        serde_json::json!({ "file": "p1-t0.0.ip", "switch": "p1/t0.0", "usid": "0x2800",
                            "locator": "fc00:0:2800::/48", "ports": 3 })
    );
    // The files are what is printed for each, and the same every time.
    let printed = folder.call(&["export", "small.json", "--format", "linux", "--nic", "2"]);
    assert_eq!(
        fs::read_to_string(folder.path("linux/nic-2.ip")).expect("written"),
        printed.stdout
    );
    let printed = folder.call(&["export", "small.json", "--format", "sonic", "--switch", "p1/t1.0"]);
    assert_eq!(
        fs::read_to_string(folder.path("sonic/p1-t1.0.json")).expect("written"),
        printed.stdout
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = small();
    folder.write(
        "huge.json",
        SMALL
            .replace(r#""nics_per_t0": 2"#, r#""nics_per_t0": 2048"#)
            .replace(
                r#""t0_per_plane": 2, "t1_per_plane": 1"#,
                r#""t0_per_plane": 128, "t1_per_plane": 2048"#,
            )
            .replace(r#""planes": 2"#, r#""planes": 8"#)
            .replace(r#""senders": 2"#, r#""senders": 200000"#),
    );
    fs::create_dir(folder.path("full")).expect("possible");
    folder.write("full/notes.txt", "mine");
    for (arguments, status, texts) in [
        (
            &["small.json", "--format", "sonic", "--switch", "p0/t0.2"][..],
            2,
            &["small.json: there is no switch p0/t0.2; expected p0 to p1, t0.0 to t0.1, t1.0 to t1.0"][..],
        ),
        (
            &["small.json", "--format", "linux", "--nic", "4"],
            2,
            &["small.json: there is no NIC 4; expected 0 to 3"],
        ),
        (
            &["small.json", "--format", "sonic", "--nic", "0"],
            2,
            &["--nic: a NIC does not run SONiC; expected --format linux"],
        ),
        (
            &["small.json", "--format", "sonic", "--out", "new", "--nics"],
            2,
            &["--nics: a NIC does not run SONiC"],
        ),
        (
            &["huge.json", "--format", "linux", "--nic", "0"],
            2,
            &["huge.json: this would be up to", "the most is 4 GiB"],
        ),
        (
            &["huge.json", "--format", "linux", "--out", "new", "--nics"],
            2,
            &["huge.json: this would be up to", "leave out --nics"],
        ),
        (
            &["small.json", "--format", "linux", "--out", "full"],
            3,
            &["full: cannot be written: the folder is not empty, and nothing is overwritten"],
        ),
        (
            &["small.json", "--format", "linux", "--out", "small.json"],
            3,
            &["small.json: cannot be written: it is a file; expected a folder"],
        ),
        (
            &["none.json", "--format", "linux", "--out", "new"],
            2,
            &["none.json"],
        ),
    ] {
        folder
            .call(&[&["export"], arguments].concat())
            .fails(status, texts);
    }
    assert_eq!(files(&folder, "full").len(), 1);
    assert!(!folder.path("new").exists());
}
