//! `flowglass sweep`: many runs at once.

use crate::folder::{Folder, peer};
use crate::json_output::{MATRIX, documented, leaves};
use serde_json::Value;
use std::collections::BTreeSet;

/// Finishes within milliseconds, and loses packets, so that seeds differ.
const SMALL: &str = r#"{
  "version": 1, "seed": 40, "until": "5ms",
  "fabric": { "planes": 2, "t0_per_plane": 3, "t1_per_plane": 2, "nics_per_t0": 2, "nic_link_rate": "100Gbps" },
  "transport": { "evs": 16 },
  "traffic": [ { "kind": "permutation", "shift": 2, "bytes": "100kB" } ],
  "faults": [ { "at": "2us", "kind": "link_loss", "link": "p1/t0.1-t1.0", "rate": 0.2 } ]
}"#;

/// Two steps of a job, and a fault in the second.
const STEPS: &str = r#"{
  "version": 1, "seed": 40, "until": "5ms",
  "fabric": { "planes": 1, "t0_per_plane": 3, "t1_per_plane": 2, "nics_per_t0": 2, "nic_link_rate": "100Gbps" },
  "transport": { "evs": 16 },
  "traffic": [ { "kind": "job", "collective": "permutation", "ranks": 6, "bytes": "500kB", "steps": 2 } ],
  "faults": [ { "at": "90us", "kind": "link_loss", "link": "p0/t0.1-t1.0", "rate": 0.2 } ]
}"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("s.json", SMALL);
    folder.write("j.json", STEPS);
    folder
}

/// The results without what depends on the machine.
fn results(folder: &Folder, name: &str) -> Value {
    let mut json = folder.json(name);
    let machine = json.as_object_mut().and_then(|all| all.remove("machine"));
    assert!(machine.is_some_and(|machine| machine["wall_s"].is_f64()));
    json
}

#[test]
fn every_field_is_documented_and_every_documented_field_exists() {
    let folder = folder();
    // So many bytes are more packets of 256 B than a run can count, which is found when it is built.
    folder.write("t.json", SMALL.replace("100kB", "1TiB"));
    folder.write("m.cm", MATRIX);
    let topology = peer("ls_n128_400g.topo");
    let mut found = BTreeSet::new();
    for arguments in [
        &["sweep", "s.json", "--vary", "transport.evs=4,16"][..],
        &["sweep", "--matrix", "m.cm", "--topology", &topology],
        &["sweep", "s.json", "--until", "5us"],
        &["sweep", "j.json"],
        // Bins around a fault; PAUSE frames and congestion notifications.
        &["sweep", "t1-dies", "--until", "160us"],
        &["sweep", "roce-dcqcn-incast", "--until", "60us"],
        &[
            "sweep",
            "t.json",
            "--until",
            "5us",
            "--vary",
            "transport.pmtu=9216,256",
        ],
    ] {
        let outcome = folder.call(&[arguments, &["--seeds", "2", "-q", "--json", "r.json"]].concat());
        assert!(outcome.status <= 1, "{outcome:?}");
        leaves(&folder.json("r.json"), "", &mut found);
    }
    let documented = documented("Sweeps");
    // What is below a figure is documented once for all figures.
    let of_figure = |path: &str| {
        let (_, below) = path.strip_prefix("points[].metrics.")?.split_once('.')?;
        Some(format!(".{below}"))
    };
    let found: BTreeSet<String> = found
        .iter()
        .map(|path| of_figure(path).unwrap_or_else(|| path.clone()))
        .collect();
    let missing: Vec<_> = found.difference(&documented).collect();
    assert!(missing.is_empty(), "not in docs/results-json.md: {missing:?}");
    // Objects are documented, too, where they may be null; figures of these runs all have values in one of them.
    let unknown: Vec<_> = documented
        .difference(&found)
        .filter(|name| !name.starts_with("points[].metrics."))
        .collect();
    assert!(unknown.is_empty(), "documented, but never written: {unknown:?}");
}

#[test]
fn jobs_do_not_change_the_results() {
    let folder = folder();
    for jobs in ["1", "4"] {
        let (json, csv) = (format!("{jobs}.json"), format!("{jobs}.csv"));
        folder
            .call(&[
                "sweep",
                "s.json",
                "--seeds",
                "6",
                "--vary",
                "transport.evs=4,16",
                "--jobs",
                jobs,
                "--json",
                &json,
                "--csv",
                &csv,
            ])
            .succeeds();
    }
    assert_eq!(results(&folder, "1.json"), results(&folder, "4.json"));
    let csv = |name: &str| std::fs::read_to_string(folder.path(name)).expect("written");
    assert_eq!(csv("1.csv"), csv("4.csv"));
    assert_eq!(csv("1.csv").lines().count(), 13);

    let json = results(&folder, "4.json");
    assert_eq!(json["sweep"]["end"], "finished");
    assert_eq!(
        (&json["sweep"]["runs"], &json["sweep"]["complete"]),
        (&12.into(), &12.into())
    );
    assert_eq!(json["points"].as_array().map(Vec::len), Some(2));
    assert_eq!(json["points"][1]["value"], 16);
    let runs = json["runs"].as_array().expect("a list");
    let seeds: Vec<u64> = runs.iter().filter_map(|run| run["seed"].as_u64()).collect();
    assert_eq!(seeds, [40, 41, 42, 43, 44, 45, 40, 41, 42, 43, 44, 45]);
}

#[test]
fn a_run_of_a_sweep_is_the_run_that_run_does() {
    let folder = folder();
    folder
        .call(&["sweep", "s.json", "--seeds", "7..9", "--json", "all.json"])
        .succeeds();
    folder
        .call(&["run", "s.json", "--seed", "8", "--json", "one.json"])
        .succeeds();
    let (all, one) = (folder.json("all.json"), folder.json("one.json"));
    let run = &all["runs"][1];
    assert_eq!(run["digest"], one["run"]["digest"]);
    assert_eq!(run["packet_hops"], one["run"]["packet_hops"]);
    assert_eq!(run["fct_us"]["p99"], one["summary"]["fct_us"]["p99"]);
    assert_eq!(run["goodput_gbps"], one["summary"]["goodput_gbps"]);
    assert_ne!(run["digest"], all["runs"][0]["digest"]);
}

#[test]
fn the_summary_says_what_the_json_says() {
    let folder = folder();
    let output = folder
        .call(&["sweep", "s.json", "--seeds", "5", "--json", "r.json"])
        .succeeds();
    let json = folder.json("r.json");
    let p99 = &json["points"][0]["metrics"]["fct_p99_us"];
    let line = output
        .stdout
        .lines()
        .find(|line| line.contains("FCT p99 µs"))
        .expect("a line");
    for field in ["median", "min", "max", "mean", "ci95"] {
        let figure = format!("{:.3}", p99[field].as_f64().expect("a number"));
        assert!(line.contains(&figure), "{field} {figure} is not in {line}");
    }
    assert!(output.stdout.contains("5 runs: seeds 40 to 44"), "{output:?}");
    assert_eq!(output.stderr, "");
}

#[test]
fn a_fault_s_dip_is_read_from_the_steps_of_a_job() {
    let folder = folder();
    let output = folder
        .call(&["sweep", "j.json", "--seeds", "2", "--json", "r.json"])
        .succeeds();
    let json = folder.json("r.json");
    folder.call(&["run", "j.json", "--json", "one.json"]).succeeds();
    let steps = &folder.json("one.json")["jobs"][0]["step_us"];
    let [first, second] = [0, 1].map(|step| steps[step].as_f64().expect("a number"));
    let run = &json["runs"][0];
    assert_eq!(run["step_us"]["max"].as_f64(), Some(first.max(second)));
    assert_eq!(run["dip"]["step_us"].as_f64(), Some(first));
    let depth = run["dip"]["depth_percent"].as_f64().expect("a number");
    assert!(second > first, "{steps}");
    assert!((depth - (1.0 - first / second) * 100.0).abs() < 1e-9, "{run}");
    assert!(output.stdout.contains("Dip depth %"), "{output:?}");
    assert!(!output.stdout.contains("CNPs"), "{output:?}");
}

#[test]
fn standard_output_takes_one_of_them() {
    let folder = folder();
    let output = folder
        .call(&["sweep", "s.json", "--seeds", "2", "--csv", "-"])
        .succeeds();
    assert!(
        output.stdout.starts_with("run,value,seed,end,digest,"),
        "{output:?}"
    );
    assert_eq!(output.stdout.lines().count(), 3);
    assert!(output.stderr.contains("2 of 2 runs"), "{output:?}");
    let quiet = folder
        .call(&["sweep", "s.json", "--seeds", "2", "--json", "-", "-q"])
        .succeeds();
    assert!(serde_json::from_str::<Value>(&quiet.stdout).is_ok(), "{quiet:?}");
    assert_eq!(quiet.stderr, "");
}

#[test]
fn runs_that_do_not_finish_are_named() {
    let folder = folder();
    let output = folder
        .call(&[
            "sweep", "s.json", "--seeds", "2", "--until", "5us", "--json", "r.json",
        ])
        .fails(
            1,
            &[
                "2 of 2 runs did not finish every flow",
                "run 1, seed 41: 6 of 6 flows did not finish",
            ],
        );
    assert!(
        output.stdout.contains("every flow finished in 0 of 2 runs"),
        "{output:?}"
    );
    let json = folder.json("r.json");
    assert_eq!(json["runs"][0]["end"], "until");
    assert!(json["points"][0]["metrics"]["fct_p50_us"].is_null());
    assert_eq!(json["points"][0]["metrics"]["goodput_gbps"]["n"], 2);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let folder = folder();
    for (arguments, expected) in [
        (
            &["--seeds", "2", "--vary", "transport.evz=4"][..],
            "--vary transport.evz=4: transport.evz: unknown field",
        ),
        (
            &["--seeds", "2", "--vary", "transport.evs=4,5"],
            "--vary transport.evs=5: transport.evs: ",
        ),
        (
            &["--seeds", "2", "--vary", "traffic[3].bytes=1"],
            "--vary: traffic[3] does not exist",
        ),
        (
            &["--seeds", "2", "--vary", "seed=1,2"],
            "seed is what the seeds of a sweep vary",
        ),
        (
            &["--seeds", "6000", "--vary", "transport.evs=4,8"],
            "12000 runs; expected at most 10000",
        ),
        (&["--seeds", "1..2", "--seed", "5"], "expected one of them"),
        (
            &["--seeds", "2", "--json", "x", "--csv", "x"],
            "--json and --csv name the same place",
        ),
        (
            &["--seeds", "2", "--csv", "s.json"],
            "--csv s.json: is the file that the run is read from",
        ),
    ] {
        let all = [&["sweep", "s.json"], arguments].concat();
        folder.call(&all).fails(2, &[expected]);
    }
    folder
        .call(&["sweep", "s.json", "--seeds", "2", "--csv", "none/x.csv"])
        .fails(3, &["there is no such folder"]);
    assert_eq!(
        std::fs::read_to_string(folder.path("s.json")).expect("still there"),
        SMALL
    );
}
