//! The results as JSON: documented field by field, and written whole or not at all.

use crate::folder::{Folder, peer};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// A scenario in which packets are dropped for several reasons.
/// A job that is given up: its third NIC loses all its ports.
const JOB: &str = r#"{
  "version": 1, "until": "1s",
  "fabric": { "planes": 2, "t0_per_plane": 2, "t1_per_plane": 2, "nics_per_t0": 2, "nic_link_rate": "100Gbps" },
  "transport": { "evs": 8, "rto": "20us", "exponential_retries": 2 },
  "traffic": [ { "kind": "job", "collective": "ring_all_reduce", "ranks": 4, "bytes": "100kB", "steps": 1000 } ],
  "faults": [
    { "at": "10us", "kind": "link_corrupt", "link": "p0/t0.1-t1.0", "rate": 0.1 },
    { "at": "10us", "kind": "switch_corrupt", "switch": "p0/t1.1", "rate": 0.1 },
    { "at": "10us", "kind": "nic_refuses", "nic": 3, "rate": 0.1, "reason": "no_pkt_buffer" },
    { "at": "300us", "kind": "nic_flap", "nic": 2, "duration": "1s" }
  ]
}"#;

const FAULTS: &str = r#"{
  "version": 1, "until": "1ms",
  "fabric": {
    "planes": 2, "t0_per_plane": 2, "t1_per_plane": 2, "nics_per_t0": 2, "nic_link_rate": "100Gbps",
    "queue": { "trimming": false, "trim_bdp": 0.2, "trim_last_hop_bdp": 0.2 }
  },
  "transport": { "evs": 8 },
  "traffic": [ { "kind": "incast", "dst": 0, "senders": 3, "bytes": "1MB" } ],
  "faults": [
    { "at": "10us", "kind": "link_loss", "link": "p0/t0.1-t1.0", "rate": 0.2 },
    { "at": "10us", "kind": "switch_down", "switch": "p0/t1.1" },
    { "at": "20us", "kind": "link_down", "link": "p1/t0.1-t1.0" },
    { "at": "60us", "kind": "link_up", "link": "p1/t0.1-t1.0" },
    { "at": "60us", "kind": "switch_up", "switch": "p0/t1.1" }
  ]
}"#;

/// A connection without an id, of which a note tells; a run of it takes a moment.
pub const MATRIX: &str = "Nodes 128\nConnections 1\n1->0 start 0 size 100000\n";

/// Adds the paths of all leaves: `run.seed`, `flows[].id`.
pub fn leaves(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let path = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                leaves(member, &path, found);
            }
        }
        Value::Array(items) => {
            for item in items {
                leaves(item, &format!("{path}[]"), found);
            }
        }
        _ => {
            found.insert(path.to_owned());
        }
    }
}

/// The names in the first column of the tables of a part of the page, which has a title of its own.
pub fn documented(title: &str) -> BTreeSet<String> {
    let page = include_str!("../../../../docs/results-json.md");
    let part = page
        .split("\n# ")
        .find(|part| part.trim_start_matches("# ").lines().next() == Some(title))
        .expect("the page has this part");
    part.lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_field_is_documented_and_every_documented_field_exists() {
    let folder = Folder::new();
    folder.write("faults.json", FAULTS);
    folder.write("job.json", JOB);
    folder.write("m.cm", MATRIX);
    let topology = peer("ls_n128_400g.topo");
    let mut found = BTreeSet::new();
    for arguments in [
        &["run", "faults.json"][..],
        &["run", "--matrix", "m.cm", "--topology", &topology],
        &["run", "job.json"],
        &["run", "link-dies"],
        &["run", "clustermapper"],
        &["run", "pfc-deadlock"],
        &["run", "incast"],
        &["run", "incast", "--until", "20us"],
    ] {
        let outcome = folder.call(&[arguments, &["-q", "--json", "r.json"]].concat());
        assert!(outcome.status <= 1, "{outcome:?}");
        leaves(&folder.json("r.json"), "", &mut found);
    }
    let documented = documented("Results as JSON");
    let missing: Vec<_> = found.difference(&documented).collect();
    assert!(missing.is_empty(), "not in docs/results-json.md: {missing:?}");
    // Reasons for drops that cannot be brought about by a valid scenario, or only by a very large one.
    let rare = [
        "summary.drops.control_queue_full",
        "summary.drops.hop_limit",
        "summary.drops.no_route",
        "summary.drops.pfc_headroom",
    ];
    let unknown: Vec<_> = documented
        .difference(&found)
        .filter(|name| !rare.contains(&name.as_str()))
        .collect();
    assert!(unknown.is_empty(), "documented, but never written: {unknown:?}");
}

#[test]
fn the_fields_that_scripts_rely_on_have_their_types() {
    let folder = Folder::new();
    folder
        .call(&["run", "incast", "-q", "--json", "r.json"])
        .succeeds();
    let r = folder.json("r.json");
    let digest = r["run"]["digest"].as_str().expect("text");
    assert!(
        digest.len() == 16 && digest.bytes().all(|b| b.is_ascii_hexdigit()),
        "{digest}"
    );
    assert_eq!(r["run"]["end"], "finished");
    assert_eq!(r["run"]["version"], env!("CARGO_PKG_VERSION"));
    for count in ["seed", "packet_hops", "events"] {
        assert!(r["run"][count].is_u64(), "{count}");
    }
    let wall = r["run"]["wall_s"].as_f64().expect("a number");
    assert!(wall > 0.0 && wall < 600.0, "{wall}");
    let times: Vec<f64> = ["min", "p50", "p99", "max"]
        .iter()
        .map(|name| r["summary"]["fct_us"][name].as_f64().expect("a number"))
        .collect();
    assert!(times.is_sorted() && times[0] > 0.0, "{times:?}");
    let flows = r["flows"].as_array().expect("a list");
    assert_eq!(flows.len(), 8);
    let longest = flows
        .iter()
        .filter_map(|f| f["fct_us"].as_f64())
        .fold(0.0, f64::max);
    assert_eq!(longest, times[3], "the summary is that of the flows");
    let placed: u64 = flows.iter().filter_map(|f| f["placed_bytes"].as_u64()).sum();
    assert_eq!(r["summary"]["placed_bytes"], placed);
}

#[test]
fn an_old_file_is_replaced_as_a_whole_and_keeps_its_permissions() {
    let folder = Folder::new();
    folder.write("r.json", "x".repeat(1_000_000));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let private = fs::Permissions::from_mode(0o640);
        fs::set_permissions(folder.path("r.json"), private).expect("own file");
    }
    folder
        .call(&["run", "incast", "-q", "--json", "r.json"])
        .succeeds();
    assert_eq!(folder.json("r.json")["format"], 1);
    let names: Vec<_> = fs::read_dir(folder.path("")).expect("readable").collect();
    assert_eq!(names.len(), 1, "no temporary file is left: {names:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(folder.path("r.json"))
            .expect("exists")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o640);
    }
}

#[test]
fn the_input_is_never_replaced_by_the_results() {
    let folder = Folder::new();
    let text = scenario::presets()[0].scenario().to_json_pretty();
    folder.write("own.json", &text);
    for out in ["own.json", "./own.json"] {
        folder
            .call(&["run", "own.json", "--json", out])
            .fails(2, &["is the file that the run is read from"]);
    }
    assert_eq!(
        fs::read_to_string(folder.path("own.json")).expect("still there"),
        text
    );
}

#[test]
fn what_cannot_be_written_is_refused_before_the_run() {
    let folder = Folder::new();
    fs::create_dir(folder.path("folder")).expect("a folder");
    folder.write("file", "old");
    for (out, text) in [
        (
            "none/r.json",
            "none/r.json: cannot be written: there is no such folder",
        ),
        (
            "folder",
            "folder: cannot be written: it is a directory; expected a file",
        ),
        ("file/r.json", "file/r.json: cannot be written"),
    ] {
        let outcome = folder.call(&["run", "incast", "--json", out]).fails(3, &[text]);
        assert_eq!(outcome.stdout, "", "nothing was run");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_the_summary_is_not_lost() {
    let folder = Folder::new();
    let outcome = folder.call(&["run", "incast", "--json", "/dev/full"]);
    let outcome = outcome.fails(3, &["/dev/full: cannot be written: No space left on device"]);
    assert!(outcome.stdout.contains("\n  digest "), "{outcome:?}");
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("Linux has it");
    let status = folder
        .command(&["run", "incast", "--json", "r.json"])
        .stdout(full)
        .status();
    assert_eq!(status.expect("it ends").code(), Some(3));
    assert_eq!(
        folder.json("r.json")["run"]["end"],
        "finished",
        "the file is written all the same"
    );
}

#[cfg(unix)]
#[test]
fn devices_are_written_to_and_not_replaced() {
    let folder = Folder::new();
    folder
        .call(&["run", "incast", "-q", "--json", "/dev/null"])
        .succeeds();
    use std::os::unix::fs::FileTypeExt;
    let kind = fs::metadata("/dev/null").expect("exists").file_type();
    assert!(kind.is_char_device());
}
