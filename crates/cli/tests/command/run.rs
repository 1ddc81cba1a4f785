//! What runs, runs to its end, and says the same whichever way it was given.

use crate::folder::{Folder, peer};
use serde_json::Value;
use std::fmt::Write;

fn digest(results: &Value) -> &str {
    results["run"]["digest"].as_str().expect("a digest")
}

fn results(folder: &Folder, arguments: &[&str]) -> Value {
    let outcome = folder
        .call(&[arguments, &["--quiet", "--json", "-"]].concat())
        .succeeds();
    assert_eq!(outcome.stderr, "", "quiet");
    serde_json::from_str(&outcome.stdout).expect("JSON and nothing else")
}

#[test]
fn every_preset_finishes_and_prints_a_summary() {
    let folder = Folder::new();
    let list = folder.call(&["presets"]).succeeds().stdout;
    // After an empty line come the paper's experiments, whose flows go on to the end of the run, then RoCE against MRC, and the hosts.
    let lists: Vec<&str> = list.split("\n\n").collect();
    let [stories, experiments, versus, hosts] = lists[..] else {
        panic!("four lists: {list}")
    };
    let is_compared = |line: &str| line.starts_with("ladder-") || line.starts_with("scale-");
    assert!(versus.lines().all(is_compared), "{list}");
    // The first and the last rung: the others, and what is large, take long.
    let ends = [
        versus.lines().next(),
        versus.lines().find(|line| line.starts_with("ladder-11")),
    ];
    assert!(stories.lines().count() >= 7, "{list}");
    assert!(hosts.lines().all(|line| line.starts_with("host-")), "{list}");
    assert!(
        experiments.lines().all(|line| line.starts_with("paper-")),
        "{list}"
    );
    for line in stories.lines().chain(ends.into_iter().flatten()) {
        let (slug, title) = line.split_once(' ').expect("a name and a title");
        let outcome = folder.call(&["run", slug]);
        // The story of the transceiver is that the job fails, that of the deadlock that nothing moves any more.
        let told = match slug {
            "nic-optic" => Some(["16 failed", "retries exceeded"]),
            "pfc-deadlock" => Some(["deadlock       found at", "did not finish"]),
            _ => None,
        };
        if let Some([on_stdout, on_stderr]) = told {
            assert_eq!(outcome.status, 1, "{outcome:?}");
            assert!(
                outcome.stdout.contains(on_stdout) && outcome.stderr.contains(on_stderr),
                "{outcome:?}"
            );
            continue;
        }
        let summary = outcome.succeeds().stdout;
        assert_eq!(summary.lines().next(), Some(title.trim()));
        let says_protocol = ["model", "protocol"].map(|label| summary.contains(&format!("\n  {label}")));
        assert_eq!(
            says_protocol,
            [!summary.contains("RoCE"), summary.contains("RoCE")],
            "{summary}"
        );
        for label in ["fabric", "flows", "completion µs", "goodput", "dropped", "digest"] {
            assert!(summary.contains(&format!("\n  {label}")), "{label}: {summary}");
        }
    }
}

/// The peer's matrices under the peer's model and under ours.
#[test]
fn every_flow_of_the_peers_matrices_finishes() {
    let folder = Folder::new();
    let topology = peer("ls_n128_400g.topo");
    for (matrix, flows) in [
        ("perm_shift64_n128_2000000.cm", 128),
        ("incast_8to1_n128_2000000.cm", 8),
        ("incast_32to1_n128_1000000.cm", 32),
        ("a2a_64_n128_131072.cm", 4032),
    ] {
        for model in ["mrc", "htsim"] {
            for balancer in ["mrc", "oblivious", "reps", "bitmap", "mixed"] {
                let results = results(
                    &folder,
                    &[
                        "run",
                        "--matrix",
                        &peer(matrix),
                        "--topology",
                        &topology,
                        "--model",
                        model,
                        "--balancer",
                        balancer,
                    ],
                );
                assert_eq!(
                    results["summary"]["finished"], flows,
                    "{matrix} {model} {balancer}"
                );
                assert_eq!(results["run"]["model"], model);
                assert_eq!(results["run"]["balancer"], balancer);
            }
        }
    }
}

/// The largest of the peer's cases by its formula: s sends to (s + 4096) mod 8192.
#[test]
fn eight_thousand_hosts_are_read_and_start() {
    let folder = Folder::new();
    let mut matrix = String::from("Nodes 8192\nConnections 8192\n");
    for s in 0..8192 {
        let _ = writeln!(
            matrix,
            "{s}->{} id {} start 0 size 2000000",
            (s + 4096) % 8192,
            s + 1
        );
    }
    folder.write("m.cm", matrix);
    folder.write(
        "t.topo",
        "Nodes 8192\nTiers 2\nPodsize 8192\n\nTier 0\nDownlink_speed_Gbps 400\nRadix_Down 64\nRadix_Up 64\n\
         Oversubscribed 1\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 0\n\nTier 1\nDownlink_speed_Gbps 400\n\
         Radix_Down 128\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 0\n",
    );
    let outcome = folder
        .call(&["check", "--matrix", "m.cm", "--topology", "t.topo"])
        .succeeds();
    assert_eq!(
        outcome.stdout,
        "m.cm on t.topo: good: 8,192 flows among 8,192 NICs\n"
    );
    let outcome = folder.call(&[
        "run",
        "--matrix",
        "m.cm",
        "--topology",
        "t.topo",
        "--until",
        "2us",
    ]);
    outcome.fails(1, &["8,192 of 8,192 flows did not finish"]);
}

#[test]
fn the_link_of_several_scenarios_compares_them() {
    let folder = Folder::new();
    let printed = folder
        .call(&["link", "incast", "link-dies", "--seed", "7"])
        .succeeds()
        .stdout;
    let compared = scenario::link::decode_compare(printed.trim()).expect("a comparison");
    let expected: Vec<scenario::Scenario> = ["incast", "link-dies"]
        .iter()
        .map(|slug| scenario::Scenario {
            seed: 7,
            ..scenario::find_preset(slug).expect("a preset").scenario()
        })
        .collect();
    assert_eq!(compared, expected);
    for (given, reason) in [
        (vec!["incast", "host-latency"], "the command takes a fabric's"),
        (vec!["incast", "nope"], "no file and no preset \"nope\""),
        (vec!["incast"; 5], "5 scenarios; expected 1 to 4"),
        (vec!["-", "-"], "`-` is given twice"),
    ] {
        folder.call(&[&["link"], &*given].concat()).fails(2, &[reason]);
    }
    folder
        .call(&["run", printed.trim()])
        .fails(2, &["the link compares several scenarios"]);
}

#[test]
fn a_scenario_is_the_same_run_as_file_link_preset_and_standard_input() {
    let folder = Folder::new();
    let expected = results(&folder, &["run", "preset:incast"]);
    let json = folder.call(&["convert", "incast"]).succeeds().stdout;
    folder.write("s.json", &json);
    let link = folder.call(&["link", "s.json"]).succeeds().stdout;
    let link = link.trim();
    assert!(link.starts_with("#1."), "{link}");
    let page = folder
        .call(&["link", "incast", "--page", "https://example.org/x/#old"])
        .succeeds()
        .stdout;
    assert_eq!(page.trim(), format!("https://example.org/x/{link}"));
    for given in [
        "incast",
        "s.json",
        link,
        &link[1..],
        page.trim(),
        "#preset/incast",
    ] {
        let found = results(&folder, &["run", given]);
        assert_eq!(digest(&found), digest(&expected), "{given}");
        assert_eq!(
            found["scenario"]["sha256"], expected["scenario"]["sha256"],
            "{given}"
        );
        assert_eq!(found["scenario"]["link"], link, "{given}");
    }
    let piped = folder
        .call_with(&["run", "-", "-q", "--json", "-"], json.as_bytes())
        .succeeds();
    let piped: Value = serde_json::from_str(&piped.stdout).expect("JSON");
    assert_eq!(digest(&piped), digest(&expected));
}

#[test]
fn converted_files_run_as_the_files_do() {
    let folder = Folder::new();
    let (matrix, topology) = (peer("incast_8to1_n128_2000000.cm"), peer("ls_n128_400g.topo"));
    let files = [
        "--matrix",
        &matrix,
        "--topology",
        &topology,
        "--model",
        "htsim",
        "--seed",
        "5",
    ];
    let json = folder
        .call(&[&["convert"], &files[..]].concat())
        .succeeds()
        .stdout;
    folder.write("s.json", json);
    let direct = results(&folder, &[&["run"], &files[..]].concat());
    assert_eq!(digest(&results(&folder, &["run", "s.json"])), digest(&direct));
    assert_eq!(direct["run"]["seed"], 5);
}

#[test]
fn the_same_seed_repeats_and_another_does_not() {
    let folder = Folder::new();
    let one = results(&folder, &["run", "incast", "--seed", "1"]);
    let again = results(&folder, &["run", "incast", "--seed", "1"]);
    let other = results(&folder, &["run", "incast", "--seed", "18446744073709551615"]);
    assert_eq!(digest(&one), digest(&again));
    assert_eq!(one["flows"], again["flows"]);
    assert_ne!(digest(&one), digest(&other));
    assert_eq!(other["run"]["seed"], u64::MAX);
}

#[test]
fn a_balancer_can_be_set_for_any_scenario() {
    let folder = Folder::new();
    let steered = results(&folder, &["run", "link-dies"]);
    let mut digests = vec![digest(&steered).to_owned()];
    for balancer in ["oblivious", "reps", "bitmap", "mixed"] {
        let run = results(&folder, &["run", "link-dies", "--balancer", balancer]);
        assert_eq!(run["run"]["balancer"], balancer);
        assert!(!digests.iter().any(|other| other == digest(&run)), "{balancer}");
        digests.push(digest(&run).to_owned());
    }
}

#[test]
fn an_unfinished_run_says_which_flows_and_why() {
    let folder = Folder::new();
    let outcome = folder.call(&["run", "incast", "--until", "20us", "--json", "r.json"]);
    let outcome = outcome.fails(
        1,
        &[
            "error: 8 of 8 flows did not finish: the run ended at 20 µs (until)",
            "\n  flow 1 (1 → 0) had ",
            " of 2,000,000 B placed",
            "\n  and 3 more",
        ],
    );
    assert!(
        outcome.stdout.contains("ended at 20.000 µs of at most 20 µs"),
        "{outcome:?}"
    );
    let results = folder.json("r.json");
    assert_eq!(results["run"]["end"], "until");
    assert_eq!(results["summary"]["fct_us"], Value::Null);
    assert_eq!(results["flows"][0]["fct_us"], Value::Null);
}

#[test]
fn what_was_not_yet_posted_is_said_to_start_later() {
    let folder = Folder::new();
    folder.write(
        "t.topo",
        std::fs::read(peer("ls_n128_400g.topo")).expect("readable"),
    );
    folder.write(
        "m.cm",
        "Nodes 128\nConnections 2\n0->64 id 7 start 0 size 1000\n1->65 id 8 start 50 size 1000\n",
    );
    let files = ["run", "--matrix", "m.cm", "--topology", "t.topo"];
    let outcome = folder.call(&[&files[..], &["--until", "20us"]].concat());
    outcome.fails(
        1,
        &[
            "1 of 2 flows did not finish",
            "flow 8 (1 → 65) was to start at 50.000 µs",
            "note: m.cm: `start` is read in microseconds",
        ],
    );
    // In ps the second flow starts at once.
    let outcome = folder.call(&[&files[..], &["--until", "20us", "--start-unit", "ps"]].concat());
    let outcome = outcome.succeeds();
    assert!(
        outcome
            .stderr
            .contains("`start` is read in picoseconds, as stated"),
        "{outcome:?}"
    );
}

#[test]
fn the_summary_moves_aside_for_json_on_standard_output() {
    let folder = Folder::new();
    let outcome = folder.call(&["run", "incast", "--json", "-"]).succeeds();
    serde_json::from_str::<Value>(&outcome.stdout).expect("JSON and nothing else");
    assert!(outcome.stderr.contains("\n  digest "), "{outcome:?}");
}

#[test]
fn help_and_version_are_there() {
    let folder = Folder::new();
    let help = folder.call(&["--help"]).succeeds().stdout;
    for command in ["run", "presets", "check", "link", "convert", "Exit status:"] {
        assert!(help.contains(command), "{command}: {help}");
    }
    let version = folder.call(&["--version"]).succeeds().stdout;
    assert_eq!(version.trim(), format!("flowglass {}", env!("CARGO_PKG_VERSION")));
    let help = folder.call(&["run", "--help"]).succeeds().stdout;
    assert!(help.contains("--start-unit"), "{help}");
}
