//! `flowglass compare`: scenarios with the same seeds, side by side.

use crate::folder::Folder;
use crate::json_output::{documented, leaves};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Finishes within milliseconds, and loses packets, so that seeds differ.
const LOSSY: &str = r#"{
  "version": 1, "name": "lossy", "seed": 40, "until": "5ms",
  "fabric": { "planes": 2, "t0_per_plane": 3, "t1_per_plane": 2, "nics_per_t0": 2, "nic_link_rate": "100Gbps" },
  "transport": { "evs": 16 },
  "traffic": [ { "kind": "permutation", "shift": 2, "bytes": "100kB" } ],
  "faults": [ { "at": "2us", "kind": "link_loss", "link": "p1/t0.1-t1.0", "rate": 0.2 } ]
}"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("lossy.json", LOSSY);
    folder.write("slow.json", LOSSY.replace("100Gbps", "50Gbps"));
    folder.write("short.json", LOSSY.replace("5ms", "5us"));
    // Nothing is lost, so the rate of the links decides how long it takes.
    let (before, _) = LOSSY.split_once(",\n  \"faults\"").expect("it has faults");
    let smooth = format!("{before} }}")
        .replace("\"lossy\"", "\"smooth\"")
        .replace("100kB", "1MB");
    folder.write("half.json", smooth.replace("100Gbps", "50Gbps"));
    folder.write("smooth.json", smooth);
    folder
}

fn pair_of<'a>(json: &'a Value, metric: &str) -> &'a Value {
    let metrics = json["pairs"][0]["metrics"].as_array().expect("a list");
    metrics
        .iter()
        .find(|pair| pair["metric"] == metric)
        .expect("there is one")
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
    let mut found = BTreeSet::new();
    for scenarios in [["lossy.json", "slow.json"], ["lossy.json", "short.json"]] {
        let arguments = [
            &["compare"],
            &scenarios[..],
            &["--seeds", "2", "-q", "--json", "r.json"],
        ]
        .concat();
        let outcome = folder.call(&arguments);
        assert!(outcome.status <= 1, "{outcome:?}");
        leaves(&folder.json("r.json"), "", &mut found);
    }
    // Faults that only one has, and a single seed.
    folder
        .call(&[
            "compare",
            "lossy.json",
            "smooth.json",
            "--seeds",
            "1",
            "-q",
            "--json",
            "r.json",
        ])
        .succeeds();
    leaves(&folder.json("r.json"), "", &mut found);
    let (own, of_sweeps) = (documented("Comparisons"), documented("Sweeps"));
    // Statistics are documented once, and what a field's values look like is its own affair.
    let of = |path: &str| -> String {
        for statistics in [
            "pairs[].metrics[].first.",
            "pairs[].metrics[].other.",
            "pairs[].metrics[].difference.",
        ] {
            if let Some(below) = path.strip_prefix(statistics) {
                return format!(".{below}");
            }
        }
        match path
            .strip_prefix("scenarios[].metrics.")
            .and_then(|rest| rest.split_once('.'))
        {
            Some((_, below)) => format!(".{below}"),
            None if path.starts_with("differences[].values[]") => "differences[].values[]".into(),
            None => path.to_owned(),
        }
    };
    let found: BTreeSet<String> = found.iter().map(|path| of(path)).collect();
    let is_known = |path: &&String| {
        own.contains(*path)
            || path.starts_with("runs[].") && of_sweeps.contains(*path)
            || path.starts_with('.') && of_sweeps.contains(*path)
            || path
                .strip_prefix("scenarios[].metrics.")
                .is_some_and(|metric| of_sweeps.contains(&format!("points[].metrics.{metric}")))
    };
    let missing: Vec<_> = found.iter().filter(|path| !is_known(path)).collect();
    assert!(missing.is_empty(), "not in docs/results-json.md: {missing:?}");
    let unknown: Vec<_> = own.difference(&found).collect();
    assert!(unknown.is_empty(), "documented, but never written: {unknown:?}");
}

#[test]
fn a_scenario_against_itself_shows_no_difference() {
    let folder = folder();
    let output = folder
        .call(&[
            "compare",
            "lossy.json",
            "lossy.json",
            "--seeds",
            "3",
            "--json",
            "r.json",
        ])
        .succeeds();
    let json = folder.json("r.json");
    for pair in json["pairs"][0]["metrics"].as_array().expect("a list") {
        assert_eq!(
            (&pair["verdict"], &pair["equal"]),
            (&json!("same"), &json!(3)),
            "{pair}"
        );
        assert_eq!(pair["difference"]["mean"], 0.0);
    }
    assert_eq!(
        (&json["differences"], &json["warnings"]),
        (&json!([]), &json!([]))
    );
    assert!(output.stdout.contains("The scenarios are the same"), "{output:?}");
    assert!(
        output
            .stdout
            .contains("FCT p99: no difference, both are the same with every seed (3 of 3)."),
        "{output:?}"
    );
}

#[test]
fn runs_are_paired_by_seed_and_are_those_of_sweeps() {
    let folder = folder();
    let output = folder
        .call(&[
            "compare",
            "smooth.json",
            "half.json",
            "--seeds",
            "4",
            "--json",
            "r.json",
            "--csv",
            "r.csv",
        ])
        .succeeds();
    let json = folder.json("r.json");
    let runs = json["runs"].as_array().expect("a list");
    let order: Vec<(&Value, u64)> = runs
        .iter()
        .map(|run| (&run["value"], run["seed"].as_u64().expect("a number")))
        .collect();
    // The seeds begin with that of the first scenario.
    let [a, b] = [json!("A"), json!("B")];
    assert_eq!(order[..4], [(&a, 40), (&b, 40), (&a, 41), (&b, 41)]);
    folder
        .call(&["sweep", "half.json", "--seeds", "40..43", "--json", "s.json"])
        .succeeds();
    for (index, alone) in folder.json("s.json")["runs"]
        .as_array()
        .expect("a list")
        .iter()
        .enumerate()
    {
        assert_eq!(runs[2 * index + 1]["digest"], alone["digest"]);
    }
    // At half the rate everything takes longer, with each seed.
    let pair = pair_of(&json, "fct_p50_us");
    assert_eq!((&pair["verdict"], &pair["higher"]), (&json!("higher"), &json!(4)));
    assert!(pair["ratio"]["mean"].as_f64().expect("a number") > 1.5, "{pair}");
    // 2 · (1/2)⁴.
    let p = pair["sign_p"].as_f64().expect("a number");
    assert!((p - 0.125).abs() < 1e-9, "{p}");
    for expected in [
        "A  smooth (smooth.json)",
        "every flow finished: A 4 of 4, B 4 of 4",
        "fabric.nic_link_rate",
        "other rates of all NICs together: 1.2 Tb/s in A, 0.6 Tb/s in B",
        "B against A, seed by seed",
        "times A's, higher with 4 of 4 seeds.",
        "Side by side on the page: #c=1.",
    ] {
        assert!(output.stdout.contains(expected), "{expected}: {output:?}");
    }
    let csv = std::fs::read_to_string(folder.path("r.csv")).expect("written");
    assert_eq!(csv.lines().count(), 9);
    assert!(
        csv.lines()
            .nth(2)
            .is_some_and(|line| line.starts_with("1,B,40,finished,")),
        "{csv}"
    );

    // The other way round the ratio is the reciprocal one.
    folder
        .call(&[
            "compare",
            "half.json",
            "smooth.json",
            "--seeds",
            "4",
            "-q",
            "--json",
            "t.json",
        ])
        .succeeds();
    let turned = folder.json("t.json");
    let turned = pair_of(&turned, "fct_p50_us");
    let mean = |pair: &Value| pair["ratio"]["mean"].as_f64().expect("a number");
    assert!((mean(pair) * mean(turned) - 1.0).abs() < 1e-12);
    assert_eq!(turned["verdict"], "lower");
}

#[test]
fn jobs_do_not_change_the_results() {
    let folder = folder();
    for jobs in ["1", "3"] {
        let name = format!("{jobs}.json");
        let options = ["--seeds", "7..9", "--threads", jobs, "-q", "--json", &name];
        folder
            .call(&[&["compare", "lossy.json", "slow.json"][..], &options].concat())
            .succeeds();
    }
    assert_eq!(results(&folder, "1.json"), results(&folder, "3.json"));
}

#[test]
fn figures_can_be_chosen_and_more_than_two_compared() {
    let folder = folder();
    let output = folder
        .call(&[
            "compare",
            "lossy.json",
            "slow.json",
            "lossy.json",
            "--seeds",
            "2",
            "--first-seed",
            "5",
            "--metric",
            "goodput_gbps",
            "--metric",
            "drops",
            "--json",
            "r.json",
        ])
        .succeeds();
    let json = folder.json("r.json");
    assert_eq!(json["pairs"][1]["letters"], json!(["A", "C"]));
    let metrics: Vec<&Value> = json["pairs"][1]["metrics"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|m| &m["metric"])
        .collect();
    assert_eq!(metrics, [&json!("goodput_gbps"), &json!("drops")]);
    assert_eq!(json["comparison"]["seeds"]["first"], 5);
    assert!(output.stdout.contains("C against A"), "{output:?}");
    assert!(!output.stdout.contains("FCT"), "{output:?}");
}

#[test]
fn the_link_of_a_comparison_stands_for_its_scenarios() {
    let folder = folder();
    folder
        .call(&[
            "compare",
            "lossy.json",
            "slow.json",
            "--seeds",
            "2",
            "-q",
            "--json",
            "r.json",
        ])
        .succeeds();
    let first = folder.json("r.json");
    let link = first["comparison"]["link"].as_str().expect("there is one");
    let page = format!("http://127.0.0.1:8080/{link}");
    folder
        .call(&["compare", &page, "--seeds", "2", "-q", "--json", "again.json"])
        .succeeds();
    let again = folder.json("again.json");
    assert_eq!(again["pairs"], first["pairs"]);
    assert_eq!(again["scenarios"][1]["source"], "link, scenario 2");
    // Presets are named.
    let output = folder
        .call(&[
            "compare",
            "preset:incast",
            "incast",
            "--seeds",
            "1",
            "--metric",
            "drops",
        ])
        .succeeds();
    assert!(
        output.stdout.contains("page: #c=preset/incast,incast&seed=2\n"),
        "{output:?}"
    );
}

/// What the page opens as a comparison, `link` takes, too.
#[test]
fn the_link_of_a_comparison_is_an_input_of_link() {
    let folder = folder();
    let link = folder
        .call(&["link", "#c=preset/incast,eight-planes&seed=7"])
        .succeeds()
        .stdout;
    assert!(link.starts_with("#c=1."), "{link}");
    assert_eq!(
        folder.call(&["link", link.trim()]).succeeds().stdout,
        link,
        "the same scenarios"
    );
    let both = folder
        .call(&["link", "incast", "eight-planes", "--seed", "7"])
        .succeeds();
    assert_eq!(both.stdout, link);
    let three = folder
        .call(&["link", "#c=preset/incast,eight-planes", "link-dies"])
        .succeeds();
    assert!(three.stdout.starts_with("#c=1."), "{three:?}");
    for command in ["link", "compare"] {
        folder
            .call(&[command, "#c=preset/nope"])
            .fails(2, &["there is no preset \"nope\"; the nearest of "]);
        folder
            .call(&[command, "#c=preset/incast"])
            .fails(2, &["expected 2 to 4"]);
    }
}

#[test]
fn a_sweep_counts_deadlocks() {
    let folder = Folder::new();
    let output = folder.call(&["sweep", "pfc-deadlock", "--seeds", "2"]);
    assert!(
        output
            .stdout
            .contains("  2 of 2 runs came to a deadlock of paused links\n"),
        "{output:?}"
    );
    let one = folder.call(&["sweep", "pfc-deadlock", "--seeds", "1", "--json", "s.json"]);
    assert!(one.stdout.contains("  sweep     1 run: seed 1\n"), "{one:?}");
    assert_eq!(folder.json("s.json")["points"][0]["deadlocks"], 1);
}

#[test]
fn runs_that_do_not_finish_are_said() {
    let folder = folder();
    let output = folder
        .call(&["compare", "lossy.json", "short.json", "--seeds", "2"])
        .fails(
            1,
            &[
                "2 of 4 runs did not finish every flow",
                "run 1, seed 40 with \"B\": 6 of 6 flows did not finish",
            ],
        );
    for expected in [
        "B finished every flow with no seed",
        "other latest ends: 5 ms in A, 5 µs in B",
    ] {
        assert!(output.stdout.contains(expected), "{expected}: {output:?}");
    }
    // Of completion times there are no pairs.
    assert!(!output.stdout.contains("FCT p50:"), "{output:?}");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let folder = folder();
    folder.write("bad.json", LOSSY.replace("\"evs\": 16", "\"evs\": 0"));
    // So many bytes are more packets of 256 B than a run can count, which is found when it is built.
    let huge = LOSSY
        .replace("100kB", "1TiB")
        .replace("\"evs\": 16", "\"evs\": 16, \"pmtu\": 256");
    folder.write("huge.json", huge);
    for (arguments, expected) in [
        (&["lossy.json"][..], "scenarios: 1 scenarios; expected 2 to 8"),
        (&["lossy.json"; 9], "scenarios: 9 scenarios; expected 2 to 8"),
        (
            &["lossy.json", "none.json"],
            "there is no file and no preset \"none.json\"",
        ),
        (&["lossy.json", "bad.json"], "bad.json:4:"),
        (&["lossy.json", "huge.json"], "huge.json: flow 1: "),
        (&["lossy.json", "host-latency"], "this is the scenario of a host"),
        (&["-", "-"], "standard input can be read only once"),
        (&["#c=1.xyz"], "error: "),
        (
            &["lossy.json", "lossy.json", "--seeds", "6000"],
            "12000 runs; expected at most 10000",
        ),
        (
            &["lossy.json", "lossy.json", "--seeds", "0"],
            "0 seeds; expected 1 to",
        ),
        (
            &["lossy.json", "lossy.json", "--seeds", "1..2", "--first-seed", "5"],
            "expected one of them",
        ),
        (
            &["lossy.json", "lossy.json", "--metric", "speed"],
            "unknown figure; known are fct_p50_us",
        ),
        (
            &["lossy.json", "lossy.json", "--metric", "step_max_us"],
            "--metric step_max_us: A and another scenario must have it, and of A its traffic has no job, of B its traffic has no job; \
             expected one of fct_p50_us,",
        ),
        (
            &["lossy.json", "lossy.json", "--json", "x", "--csv", "x"],
            "--json and --csv name the same place",
        ),
        (
            &["lossy.json", "slow.json", "--csv", "slow.json"],
            "--csv slow.json: is the file that a scenario is read from",
        ),
    ] {
        folder
            .call(&[&["compare"], arguments].concat())
            .fails(2, &[expected]);
    }
}
