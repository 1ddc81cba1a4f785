//! Hosts with VMs in the commands that take fabrics, too.

use crate::folder::Folder;
use crate::json_output::{documented, leaves};
use scenario::host::{HostScenario, PARAMETERS, Status, host_presets};
use serde_json::Value;
use std::collections::BTreeSet;

/// A VM that pings, one that opens connections under a policy, a flood, an attack, a policy change and a VF that goes: every part of the results
/// has something in it.
const BUSY: &str = r#"{
  "version": 1, "seed": 5, "until": "40ms",
  "host": { "servicing": { "takeover": "1ms", "removal": "2ms", "registration": "1ms" }, "software": { "queue": 32 } },
  "vms": [{}, { "policy": { "nsg": [
    { "name": "web", "priority": 100, "direction": "inbound", "access": "allow" } ] } }],
  "traffic": [
    { "kind": "ping", "vm": 0, "count": 1000 },
    { "kind": "connections", "vm": 1, "per_second": 2000, "from": "peer", "internet": true, "request": 100, "response": 500 },
    { "kind": "syn_flood", "vm": 1, "per_second": 100000, "sources": 1000, "start": "10ms" },
    { "kind": "attack", "vm": 0, "attempt": "source_mac", "victim": 1, "per_second": 5000 } ],
  "events": [
    { "kind": "vf_revoke", "at": "10ms", "duration": "10ms" },
    { "kind": "policy_change", "at": "5ms", "vm": 1, "add": [
      { "name": "deny", "priority": 101, "direction": "outbound", "access": "deny" } ] } ]
}"#;

/// Fields whose names depend on what happened are documented once; so are times, and what points share with the end.
fn general(leaf: &str) -> Option<String> {
    for (prefix, name) in [
        ("drops.", "drops.NAME"),
        ("nic.", "nic.NAME"),
        ("ports[].", "ports[].NAME"),
        ("traffic[].attack.stopped.", "traffic[].attack.stopped.REASON"),
    ] {
        if leaf.starts_with(prefix) {
            return Some(name.into());
        }
    }
    let times = [
        "one_way_us.hardware",
        "one_way_us.exception",
        "one_way_us.synthetic",
    ];
    let times = times.into_iter().chain([
        "totals.exception_wait_us",
        "traffic[].one_way_us",
        "traffic[].round_trip_us",
    ]);
    for field in times {
        if let Some(below) = leaf.strip_prefix(field) {
            return (!below.is_empty()).then(|| below.into());
        }
    }
    Some(leaf.into())
}

#[test]
fn every_field_is_documented_and_every_documented_field_exists() {
    let folder = Folder::new();
    folder.write("busy.json", BUSY);
    folder
        .call(&["run", "busy.json", "-q", "--json", "r.json"])
        .succeeds();
    let mut results = folder.json("r.json");
    // What nobody has said yet.
    assert_eq!(results["notes"], Value::Array(Vec::new()));
    results["notes"] = Value::from(vec!["a note"]);
    let mut found = BTreeSet::new();
    leaves(&results, "", &mut found);
    let documented = documented("Hosts");
    let end: BTreeSet<String> = documented
        .iter()
        .filter_map(|name| Some(format!("points[].{}", name.strip_prefix("end.")?)))
        .collect();
    let found: BTreeSet<String> = found
        .iter()
        .filter(|leaf| !end.contains(*leaf))
        .filter_map(|leaf| general(leaf))
        .collect();
    let missing: Vec<_> = found.difference(&documented).collect();
    assert!(missing.is_empty(), "not in docs/results-json.md: {missing:?}");
    // These stand for what is below them.
    let above = [
        "totals.exception_wait_us",
        "traffic[].one_way_us",
        "traffic[].round_trip_us",
    ];
    let unknown: Vec<_> = documented
        .difference(&found)
        .filter(|name| !above.contains(&name.as_str()))
        .collect();
    assert!(unknown.is_empty(), "documented, but never written: {unknown:?}");
}

#[test]
fn a_run_tells_people_and_programs_the_same_and_repeats() {
    let folder = Folder::new();
    let outcome = folder
        .call(&["run", "host-first-packet", "--json", "r.json"])
        .succeeds();
    let results = folder.json("r.json");
    let digest = results["run"]["digest"].as_str().expect("text");
    assert!(
        outcome.stdout.contains(&format!("digest         {digest}")),
        "{outcome:?}"
    );
    // 20 messages of 4 bytes each way, one exception, two entries: tests of `host`.
    assert_eq!(results["traffic"][0]["delivered_bytes"], 160);
    assert_eq!(results["totals"]["exceptions"]["miss"], 1);
    assert_eq!(results["totals"]["installed"], 2);
    for text in [
        "The first packet of a flow",
        "1 begun, 1 opened",
        "0 deactivated, 1 miss, 0 stale",
    ] {
        assert!(outcome.stdout.contains(text), "{text}: {outcome:?}");
    }
    // The same from its JSON on standard input, and with the same seed given.
    let json = folder.call(&["convert", "host-first-packet"]).succeeds().stdout;
    let again = folder
        .call_with(&["run", "-", "--seed", "1", "--json", "-", "-q"], json.as_bytes())
        .succeeds();
    let again: Value = serde_json::from_str(&again.stdout).expect("JSON");
    assert_eq!(again["run"]["digest"], results["run"]["digest"]);
    assert_eq!(again["scenario"]["sha256"], results["scenario"]["sha256"]);
}

/// What attacks came to is said to people and programs. 10,000 attempts a second from 0 to 100 ms, both included, are 1,001, and
/// the last is under way when the run ends; the first packet of a MAC attack is in order (facts 7: the VF's own check, VFP's on the synthetic path).
#[test]
fn what_attacks_came_to_is_told() {
    let folder = Folder::new();
    let outcome = folder
        .call(&["run", "host-attack-spoofing", "--json", "r.json"])
        .succeeds();
    let results = folder.json("r.json");
    let attack = |number: usize| &results["traffic"][number]["attack"];
    let by = |number: usize, reason: &str| attack(number)["stopped"][reason].as_u64();
    for (number, attempt, reason, all) in [
        (0, "source_address", "DropIPv4Spoofing", 1_001),
        (1, "source_mac", "VfMacSpoofing", 1_000),
        (2, "source_address", "DropIPv4Spoofing", 1_001),
        (3, "source_mac", "MacSpoofing", 1_000),
    ] {
        assert_eq!(attack(number)["attempt"], attempt);
        assert_eq!(attack(number)["attempted"], all, "{number}");
        assert_eq!(by(number, reason), Some(all - 1), "{number}: {reason}");
        assert_eq!(attack(number)["through"], 0);
        assert_eq!(attack(number)["accuracy"], Value::Null);
    }
    assert_eq!(results["traffic"][4]["attack"], Value::Null);
    for text in [
        "source_mac: 1,000 attempts; stopped: 999 (VfMacSpoofing 999); through: 0; under way: 1; 0 of 1 allowed packets",
        "source_address: 1,001 attempts; stopped: 1,000 (DropIPv4Spoofing 1,000); through: 0; under way: 1",
    ] {
        assert!(outcome.stdout.contains(text), "{text}: {}", outcome.stdout);
    }
}

/// A link holds the whole experiment, so whoever opens it has the same digest.
#[test]
fn a_link_is_the_scenario() {
    let folder = Folder::new();
    let link = folder
        .call(&["link", "host-first-packet", "--seed", "7"])
        .succeeds()
        .stdout;
    let link = link.trim();
    assert!(link.starts_with("#1."), "{link}");
    let digest = |arguments: &[&str]| {
        folder
            .call(&[arguments, &["-q", "--json", "r.json"]].concat())
            .succeeds();
        let results = folder.json("r.json");
        assert_eq!(results["scenario"]["link"], link);
        results["run"]["digest"].clone()
    };
    let by_name = digest(&["run", "#preset/host-first-packet&seed=7"]);
    assert_eq!(digest(&["run", link]), by_name);
}

#[test]
fn check_and_presets_know_hosts() {
    let folder = Folder::new();
    let good = folder.call(&["check", "host-latency"]).succeeds().stdout;
    assert_eq!(
        good,
        "preset:host-latency: good: a host with 2 VMs and 2 kinds of traffic\n"
    );
    let list = folder.call(&["presets"]).succeeds().stdout;
    for preset in host_presets() {
        assert!(list.contains(preset.slug), "{}", preset.slug);
    }
}

#[test]
fn a_sweep_has_values_seeds_and_intervals() {
    let folder = Folder::new();
    let arguments = [
        "--seeds",
        "3",
        "--vary",
        "traffic[0].count=5,10",
        "--json",
        "r.json",
        "--csv",
        "r.csv",
    ];
    let outcome = folder
        .call(&[&["sweep", "host-first-packet"][..], &arguments].concat())
        .succeeds();
    assert!(outcome.stdout.contains("traffic[0].count = 10"), "{outcome:?}");
    let results = folder.json("r.json");
    assert_eq!(results["sweep"]["done"], 6);
    let mean = &results["points"][1]["figures"]["hardware_mean_us"];
    assert!(mean["ci95"].as_f64().is_some_and(|half| half > 0.0), "{mean}");
    assert_eq!(results["points"][0]["figures"]["opened_per_s"]["mean"], 200.0);
    let csv = std::fs::read_to_string(folder.path("r.csv")).expect("written");
    assert_eq!(csv.lines().count(), 7);
    // What --json says of one run is what that run says by itself.
    folder
        .call(&[
            "run",
            "host-first-packet",
            "-q",
            "--seed",
            "2",
            "--json",
            "one.json",
        ])
        .succeeds();
    folder
        .call(&[
            "sweep",
            "host-first-packet",
            "--seeds",
            "2..2",
            "-q",
            "--json",
            "two.json",
        ])
        .succeeds();
    assert_eq!(
        folder.json("two.json")["runs"][0]["digest"],
        folder.json("one.json")["run"]["digest"]
    );
}

#[test]
fn what_is_wrong_is_named() {
    let folder = Folder::new();
    folder.write("bad.json", BUSY.replace("\"queue\": 32", "\"queue\": 0"));
    folder.write("field.json", BUSY.replace("\"queue\"", "\"cue\""));
    folder.write("seed.json", BUSY);
    for (arguments, texts) in [
        (
            &["run", "bad.json"][..],
            &["bad.json:3:", "host.software.queue", "is 0"][..],
        ),
        (
            &["check", "field.json"],
            &["field.json:3:", "unknown field `cue`"],
        ),
        (
            &["run", "host-none"],
            &["there is no file and no preset \"host-none\"", "host-latency"],
        ),
        (
            &["run", "host-latency", "--balancer", "mrc"],
            &["--balancer is for fabrics", "preset:host-latency is a host"],
        ),
        (
            &[
                "run",
                "host-latency",
                "--fault",
                "nic_flap@1ms,nic=3,duration=200us",
            ],
            &["--fault is for fabrics"],
        ),
        (
            &["run", "host-latency", "--threads", "2"],
            &["--threads", "a host's run has one thread"],
        ),
        (
            &["run", "seed.json", "--json", "seed.json"],
            &["is the file that the run is read from"],
        ),
        (
            &["card", "host-latency"],
            &["preset:host-latency: this is the scenario of a host"],
        ),
        (
            &["export", "host-latency", "--format", "sonic", "--out", "x"],
            &["this is the scenario of a host"],
        ),
        (
            &["capture", "host-latency", "--out", "x"],
            &["this is the scenario of a host"],
        ),
        (
            &[
                "sweep",
                "host-latency",
                "--seeds",
                "2",
                "--vary",
                "host.nic.l1_ways=17",
            ],
            &["--vary host.nic.l1_ways=17: host.nic.l1_ways"],
        ),
        (
            &["sweep", "host-latency", "--seeds", "2", "--vary", "seed=17"],
            &["--vary: seed is what"],
        ),
    ] {
        folder.call(arguments).fails(2, texts);
    }
}

/// A host's run may last ten times as long as a fabric's.
#[test]
fn the_end_may_be_as_late_as_documented() {
    let folder = Folder::new();
    folder
        .call(&["check", "host-first-packet", "--until", "1000s"])
        .succeeds();
    folder.call(&["check", "incast", "--until", "100s"]).succeeds();
    let refused = folder.call(&["check", "incast", "--until", "101s"]);
    assert_eq!(refused.status, 2);
    assert_eq!(
        refused.stderr.trim_end(),
        "error: --until: is 101 s; expected 1 ps to 100 s for a fabric"
    );
}

/// What is valid and does not mean what it seems is noted, whatever command reads it.
#[test]
fn surprises_are_noted() {
    let folder = Folder::new();
    folder.write(
        "late.json",
        r#"{ "version": 1, "until": "1ms", "host": {}, "vms": [{}], "traffic": [{ "kind": "ping", "vm": 0, "count": 1, "start": "2ms" }] }"#,
    );
    let note = "traffic[0].start: is 2 ms, after the run's end at 1 ms: nothing of it is sent";
    for command in ["check", "run"] {
        let outcome = folder.call(&[command, "late.json"]).succeeds();
        assert!(outcome.stderr.contains(note), "{}", outcome.stderr);
    }
    let tuple = "tcp 10.1.0.4 50000 10.1.128.0 443 out";
    let outcome = folder
        .call(&["process-tuples", "late.json", tuple, "--at", "1000s"])
        .succeeds();
    let note = "--at: is 1000 s; the run ends at 1 ms, and that is where the packets meet it";
    assert!(outcome.stderr.contains(note), "{}", outcome.stderr);
}

/// Each parameter with its default and where that comes from, as `docs/host-scenario.md` has it.
#[test]
fn the_page_lists_every_parameter_with_its_status() {
    let page = include_str!("../../../../docs/host-scenario.md");
    let json = r#"{ "version": 1, "until": "1ms", "host": {}, "vms": [{}], "traffic": [] }"#;
    let defaults = HostScenario::from_json(json).expect("the least that a host is");
    let defaults = serde_json::to_value(defaults).expect("a value");
    let line = |parameter: &scenario::host::Parameter| {
        let path = parameter.path.replacen("vm.", "vms.0.", 1).replace('.', "/");
        let default = match defaults.pointer(&format!("/{path}")) {
            None | Some(Value::Null) => "–".into(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        let status = match parameter.status {
            Status::Published => "published",
            Status::Documented => "documented",
            Status::OurChoice => "our choice",
        };
        let unit = if parameter.unit.is_empty() {
            "–"
        } else {
            parameter.unit
        };
        format!(
            "| `{}` | {default} | {unit} | {status} | {} |",
            parameter.path, parameter.source
        )
    };
    let lines = PARAMETERS.iter().map(line);
    let missing: Vec<String> = lines.filter(|line| !page.contains(line)).collect();
    assert!(
        missing.is_empty(),
        "docs/host-scenario.md lacks\n{}",
        missing.join("\n")
    );
}
