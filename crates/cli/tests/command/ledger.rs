//! `flowglass ledger`: both sides, with every input.

use crate::folder::Folder;
use crate::json_output::{documented, leaves};
use std::collections::BTreeSet;

#[test]
fn every_field_is_documented_and_every_documented_field_exists() {
    let folder = Folder::new();
    folder.call(&["ledger", "--json", "l.json"]).succeeds();
    let mut found = BTreeSet::new();
    leaves(&folder.json("l.json"), "", &mut found);
    let general = |leaf: &String| -> Option<String> {
        if leaf.starts_with("workload.") {
            return Some("workload.NAME".into());
        }
        // How an engine is described depends on the engine.
        for engine in ["alternatives[].packets", "alternatives[].setup"] {
            if leaf.starts_with(engine) {
                return Some(engine.into());
            }
        }
        Some(leaf.clone())
    };
    let found: BTreeSet<String> = found.iter().filter_map(general).collect();
    assert_eq!(found, documented("The ledger"));
}

#[test]
fn inputs_are_changed_and_kept() {
    let folder = Folder::new();
    let outcome = folder
        .call(&[
            "ledger",
            "--set",
            "core_price=0.2",
            "--set",
            "line_gbps=100",
            "--json",
            "-",
        ])
        .succeeds();
    let json: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("JSON alone");
    // 4 cores × 0.2 $/h × 8,760 h × 0.7.
    let cores = json["statement"]["cores"].as_f64().expect("a number");
    assert!((cores - 4_905.6).abs() < 1e-9, "{cores}");
    assert_eq!(json["workload"]["line_gbps"], 100.0);
    let text = folder
        .call(&["ledger", "--set", "core_price=0.2"])
        .succeeds()
        .stdout;
    assert!(text.contains("cores returned          4,905.60"), "{text}");
    assert!(text.contains("0.2 $/h (changed)"), "{text}");
}

#[test]
fn what_is_wrong_is_named() {
    let folder = Folder::new();
    for (arguments, texts) in [
        (
            &["ledger", "--set", "pue"][..],
            &["expected an input and its value, such as cores_returned=2"][..],
        ),
        (&["ledger", "--set", "=2"], &["expected an input and its value"]),
        (
            &["ledger", "--set", "pue=high"],
            &["the value of pue is no number"],
        ),
        (
            &["ledger", "--set", "pue=0.5"],
            &["--set: pue is 0.5; expected 1 to 3"],
        ),
        (
            &["ledger", "--set", "pue=nan"],
            &["--set: pue is NaN; expected 1 to 3"],
        ),
        (
            &["ledger", "--set", "fleet=-1"],
            &["--set: fleet is -1; expected 1 to"],
        ),
        (
            &["ledger", "--set", "cores=2"],
            &[
                "there is no input \"cores\"; there are cores_returned",
                "line_gbps",
            ],
        ),
        (
            &["ledger", "--set", "line_gbps=0"],
            &["line_gbps is 0; expected a number above 0"],
        ),
        (
            &["ledger", "--set", "card_price_low=5000"],
            &["the low price must not be above the high one"],
        ),
        (&["ledger", "--set", "life=inf"], &["life is inf"]),
    ] {
        folder.call(arguments).fails(2, texts);
    }
    folder
        .call(&["ledger", "--json", "none/l.json"])
        .fails(3, &["there is no such folder"]);
}
