//! `flowglass tune`: searching settings.

use crate::folder::{Folder, peer};
#[cfg(unix)]
use crate::interrupt::{LONG, interrupted};
use crate::json_output::{MATRIX, documented, leaves};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// An incast of RoCE whose rates hardly ever rise again once they are cut, and are cut early.
const BADLY_SET: &str = r#"{
  "version": 1, "name": "Badly set", "seed": 5, "until": "20ms",
  "fabric": { "planes": 1, "t0_per_plane": 2, "t1_per_plane": 2, "nics_per_t0": 4, "nic_link_rate": "100Gbps",
              "routing": "ecmp", "pfc": {}, "queue": { "ecn_min_bdp": 0.05, "ecn_max_bdp": 0.2 } },
  "transport": { "protocol": "roce", "roce": { "dcqcn": { "rate_ai": "1Mbps", "rate_hai": "1Mbps", "cnp_interval": "1us" } } },
  "traffic": [ { "kind": "incast", "dst": 0, "senders": 4, "bytes": "200kB" } ]
}"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("s.json", BADLY_SET);
    folder
}

const SEARCH: [&str; 8] = [
    "tune",
    "s.json",
    "--budget",
    "40",
    "--seeds",
    "2",
    "--check-seeds",
    "3",
];

#[test]
fn the_best_setting_is_a_scenario_that_runs_faster() {
    let folder = folder();
    let output = folder
        .call(&[&SEARCH[..], &["--out", "best.json", "--json", "r.json"]].concat())
        .succeeds();
    for expected in [
        "tuned     for the best FCT max µs, in the mean over seeds 5 to 6",
        " of 40 runs in",
        "put back  ",
        "verdict   on seeds 7 to 9, which the search has not seen: the best is better than the default",
        "On seeds 7 to 9, which the search has not seen: every flow finished in 3 of 3 runs of the default, 3 of 3 of the best",
        "again     flowglass tune s.json --budget 40 --seeds 2 --check-seeds 3 --out best.json --json r.json",
        "best      #1.",
    ] {
        assert!(output.stdout.contains(expected), "{expected}: {}", output.stdout);
    }
    let longest = |input: &str| {
        folder
            .call(&["run", input, "-q", "--json", "run.json"])
            .succeeds();
        folder.json("run.json")["summary"]["fct_us"]["max"]
            .as_f64()
            .expect("a number")
    };
    let (default, best) = (longest("s.json"), longest("best.json"));
    assert!(best < 0.8 * default, "{best} against {default}");
    let best_json = folder.json("best.json");
    assert_eq!(best_json["name"], "Badly set (tuned)");
    let about = best_json["about"].as_str().expect("a text");
    assert!(
        about.starts_with("Settings found by flowglass tune for the least FCT max of this workload, in the mean over seeds 5 to 6, with ")
            && about.contains(" What it changes: "),
        "{about}"
    );
    // The link is the same scenario, and the search's own runs are the ones that `run` does.
    let json = folder.json("r.json");
    assert_eq!(longest(json["best"]["link"].as_str().expect("a link")), best);
    let chosen = json["best"]["setting"].as_u64().expect("a number") as usize;
    assert_eq!(json["settings"][chosen]["runs"][0]["value"].as_f64(), Some(best));
    assert_eq!(json["settings"][chosen]["rank"], 1);
    assert_eq!(json["held_out"]["verdict"], "better");
    // What it changes is what the text names.
    let own = |at: usize| json["parameters"][at]["own"].as_u64().expect("a number");
    let levels = json["settings"][chosen]["levels"].as_array().expect("a list");
    for (at, level) in levels.iter().enumerate() {
        let path = json["parameters"][at]["path"].as_str().expect("a path");
        let named = about.contains(&format!(" {path} "));
        assert_eq!(named, level.as_u64() != Some(own(at)), "{path}: {about}");
    }
    assert_eq!(json["settings"][0]["runs"][0]["value"].as_f64(), Some(default));
}

#[test]
fn jobs_do_not_change_the_results() {
    let folder = folder();
    for jobs in ["1", "3"] {
        let (json, csv) = (format!("{jobs}.json"), format!("{jobs}.csv"));
        folder
            .call(
                &[
                    &SEARCH[..],
                    &["--jobs", jobs, "-q", "--json", &json, "--csv", &csv],
                ]
                .concat(),
            )
            .succeeds();
    }
    let results = |name: &str| {
        let mut json = folder.json(name);
        let all = json.as_object_mut().expect("an object");
        assert!(all.remove("machine").is_some());
        // The one has the other's names in it.
        all["tune"].as_object_mut().expect("an object").remove("command");
        json
    };
    assert_eq!(results("1.json"), results("3.json"));
    let csv = |name: &str| fs::read_to_string(folder.path(name)).expect("written");
    assert_eq!(csv("1.csv"), csv("3.csv"));
    let spent = folder.json("1.json")["tune"]["spent"].as_u64().expect("a number");
    assert_eq!(
        csv("1.csv").lines().count() as u64,
        spent + 1,
        "a head and a line for each run"
    );
    assert!(
        csv("1.csv").starts_with("setting,origin,seed,finished,fct_max_us,transport.roce.dcqcn.enabled,")
    );
}

#[test]
fn every_field_is_documented_and_every_documented_field_exists() {
    let folder = folder();
    folder.write("m.cm", MATRIX);
    // So many bytes are more packets of 256 B than a run can count, which is found when it is built.
    folder.write(
        "huge.json",
        BADLY_SET.replace("200kB", "1TiB").replace("20ms", "5us"),
    );
    let topology = peer("ls_n128_400g.topo");
    let mut found = BTreeSet::new();
    for arguments in [
        &["s.json", "--budget", "40", "--check-seeds", "2"][..],
        &["s.json", "--budget", "40", "--check-seeds", "1"],
        &["huge.json", "--budget", "9", "--vary", "transport.pmtu=256,512"],
        &["--matrix", "m.cm", "--topology", &topology, "--budget", "4"],
    ] {
        let outcome =
            folder.call(&[&["tune"], arguments, &["--seeds", "1", "-q", "--json", "r.json"]].concat());
        assert!(outcome.status <= 1, "{outcome:?}");
        let mut json = folder.json("r.json");
        // Named by the scenario's fields, and in runs as those of a sweep.
        json["best"]["values"] = Value::from(0);
        for rows in ["default", "best"] {
            if json["held_out"].is_object() {
                json["held_out"][rows] = Value::from(0);
            }
        }
        leaves(&json, "", &mut found);
    }
    let documented = documented("Tunings");
    let missing: Vec<_> = found.difference(&documented).collect();
    assert!(missing.is_empty(), "not in docs/results-json.md: {missing:?}");
    let unknown: Vec<_> = documented.difference(&found).collect();
    assert!(unknown.is_empty(), "documented, but never written: {unknown:?}");
}

#[test]
fn settings_that_cannot_be_are_drawn_again_and_said() {
    let folder = folder();
    let output = folder
        .call(&[
            "tune",
            "s.json",
            "--budget",
            "16",
            "--seeds",
            "1",
            "--check-seeds",
            "0",
            "--vary",
            "fabric.queue.ecn_min_bdp=0.1..4:log",
            "--vary",
            "fabric.queue.ecn_max_bdp=0.1..4:log",
        ])
        .succeeds();
    assert!(
        output
            .stdout
            .contains(" that were drawn and cannot be, others in their place"),
        "{output:?}"
    );
    assert!(output.stdout.contains("above ecn_max_bdp"), "{output:?}");
    assert!(
        !output.stdout.contains("which the search has not seen"),
        "none were held out"
    );
}

/// Whatever is changed, nothing gets faster than it is.
#[test]
fn a_best_that_is_no_better_on_other_seeds_is_called_so() {
    let folder = folder();
    let output = folder
        .call(&[
            "tune",
            "s.json",
            "--budget",
            "12",
            "--seeds",
            "1",
            "--check-seeds",
            "4",
            "--metric",
            "drops",
            "--vary",
            "transport.roce.ack_every=1,2",
        ])
        .succeeds();
    // On a lossless fabric nothing is dropped by either.
    for expected in [
        "best      the default: nothing better was found",
        "over seed 5\n",
        " of 1 field,",
    ] {
        assert!(output.stdout.contains(expected), "{expected}: {output:?}");
    }
    assert!(!output.stdout.contains("verdict"), "{output:?}");
}

#[test]
fn standard_output_takes_the_scenario() {
    let folder = folder();
    let output = folder
        .call(&[
            "tune",
            "s.json",
            "--budget",
            "8",
            "--seeds",
            "1",
            "--check-seeds",
            "1",
            "--out",
            "-",
            "-q",
        ])
        .succeeds();
    let best: Value = serde_json::from_str(&output.stdout).expect("a scenario alone");
    assert_eq!(best["version"], 1);
    folder
        .call_with(&["check", "-"], output.stdout.as_bytes())
        .succeeds();
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let folder = folder();
    for (arguments, expected) in [
        (
            &["--budget", "8"][..],
            "s.json: 8 runs do not suffice for 4 seeds; expected at least 16",
        ),
        (
            &["--vary", "transport.rocee.x=1,2"],
            "s.json: transport.rocee.x=1: the setting: transport.rocee: unknown field",
        ),
        (
            &["--vary", "transport.evs=8,16"],
            "s.json: transport.evs=8: transport.evs: is given, but is a setting of MRC",
        ),
        (
            &["--vary", "transport.qps=0,65"],
            "s.json: transport.qps=0: transport.qps: is 0; expected 1 to 64",
        ),
        (
            &["--vary", "transport.qps=2", "--vary", "transport.qps=4"],
            "s.json: transport.qps is varied twice",
        ),
        (
            &["--vary", "transport.qps=1"],
            "s.json: transport.qps has no value but 1",
        ),
        (
            &["--vary", "traffic[0].bytes=1kB,2kB"],
            "s.json: traffic[0].bytes belongs to the workload",
        ),
        (
            &["--metric", "step_p99_us"],
            "s.json: no run of this scenario can have step_p99_us: its traffic has no job; expected one of fct_p50_us,",
        ),
        (&["--seeds", "1..2", "--seed", "5"], "expected one of them"),
        (
            &["--json", "x", "--out", "x"],
            "--json and --out name the same place",
        ),
        (
            &["--out", "s.json"],
            "--out s.json: is the file that the run is read from",
        ),
    ] {
        folder
            .call(&[&["tune", "s.json"], arguments].concat())
            .fails(2, &[expected]);
    }
    folder
        .call(&["tune", "host-latency"])
        .fails(2, &["this is the scenario of a host"]);
    assert_eq!(
        fs::read_to_string(folder.path("s.json")).expect("still there"),
        BADLY_SET
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_reports_what_it_has() {
    let folder = Folder::new();
    folder.write("long.json", LONG);
    let output = interrupted(
        &folder,
        &["tune", "long.json", "--json", "r.json", "--out", "best.json"],
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(
        stderr.contains("error: cancelled after 0 of 200 runs of the search"),
        "{stderr}"
    );
    let json = folder.json("r.json");
    assert_eq!(
        (&json["tune"]["end"], &json["best"]),
        (&"cancelled".into(), &Value::Null)
    );
    assert!(
        !folder.path("best.json").exists(),
        "there is no best setting to write"
    );
}
