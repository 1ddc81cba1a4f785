//! What holds for every format: telling them apart, sizes, encodings.

use crate::support::{bad, is_too_large};
use imports::{ImportError, MAX_FLOWS, MAX_JSON_BYTES, MAX_NOTES, Options, import};

const FORMATS: &str = "network security groups (JSON with \"securityRules\", ARM, command line or template); \
    effective security rules (JSON with \"effectiveSecurityRules\"); load balancers (JSON with \"frontendIPConfigurations\"); \
    service tags (JSON with \"values\" that have \"addressPrefixes\"); \
    VNet flow logs (version 4) and NSG flow logs (versions 1 and 2; JSON with \"records\"); \
    DASH tables (JSON with names such as \"DASH_ENI_TABLE:…\"); captures (pcap, pcapng)";

#[test]
fn what_is_no_known_format_is_told_all_of_them() {
    for (text, outline) in [
        ("{}", "an object without fields"),
        (
            r#"{ "version": 1, "fabric": {} }"#,
            "an object with \"version\", \"fabric\"",
        ),
        ("[]", "a list of 0"),
        ("[ 1, {} ]", "a list of 2"),
        ("3.5", "3.5"),
        (
            r#"{ "resources": [ { "type": "Microsoft.Compute/virtualMachines" } ] }"#,
            "an object with \"resources\"",
        ),
    ] {
        assert_eq!(
            bad(text),
            format!("the JSON ({outline}) is in none of the accepted formats: {FORMATS}")
        );
    }
}

#[test]
fn what_is_no_json_is_told_where() {
    for (text, message) in [
        ("Nodes 32\nConnections 4", "line 1, column 1: expected value"),
        ("{ \"a\": 1,\n  \"b\" }", "line 2, column 7: expected `:`"),
        ("{ \"a\": 1", "line 1, column 8: EOF while parsing an object"),
        ("{} {}", "line 1, column 4: trailing characters"),
        (
            "{ \"records\": [], \"records\": [] }",
            "line 1, column 26: the field \"records\" is there twice, expected it once",
        ),
    ] {
        assert_eq!(
            bad(text),
            format!("{message} (read as JSON; accepted are: {FORMATS})")
        );
    }
    let deep = "[".repeat(100_000);
    assert_eq!(
        bad(&deep),
        format!("line 1, column 128: recursion limit exceeded (read as JSON; accepted are: {FORMATS})")
    );
}

#[test]
fn nothing_and_no_text() {
    for text in ["", "  \n", "\u{feff}"] {
        assert_eq!(
            bad(text),
            format!("the input is empty, expected one of: {FORMATS}")
        );
    }
    let error = import(b"{ \"name\": \"\xff\" }", &Options::default()).unwrap_err();
    assert_eq!(error, ImportError::Encoding { offset: 11 });
    assert_eq!(
        error.to_string(),
        "byte 11 of the input is no UTF-8, expected JSON or a capture (pcap, pcapng)"
    );
}

#[test]
fn sizes_are_bounded() {
    let large = vec![b' '; MAX_JSON_BYTES + 1];
    let error = import(&large, &Options::default()).unwrap_err();
    assert!(is_too_large(&error));
    assert_eq!(
        error.to_string(),
        "the input has 67108865 bytes; at most 67108864 of JSON are read"
    );
}

/// Notes that say the same are counted together, and of different ones the first thousand are kept.
#[test]
fn notes_are_bounded() {
    let rows: Vec<String> = (0..1_500).map(|i| format!("\"T{i}_TABLE:x\": {{}}")).collect();
    let text = format!("{{ \"DASH_ROUTE_GROUP_TABLE:g\": {{}}, {} }}", rows.join(", "));
    let imported = import(text.as_bytes(), &Options::default()).unwrap();
    // The thousand, the row of the group table, which says nothing about packets, and the count of the others.
    assert_eq!(imported.notes.len(), MAX_NOTES + 2);
    let last = imported.notes.last().unwrap();
    assert_eq!(
        last.to_string(),
        "the input and 499 more: more notes: only the first 1000 are listed, and 100 that say nothing about packets"
    );
}

/// Of more flows than are kept the first ones are, and the others are counted.
#[test]
fn flows_are_bounded() {
    let tuple = |i: usize| {
        let [_, a, b, c] = (i as u32).to_be_bytes();
        format!("\"1772359512345,10.{a}.{b}.{c},10.1.0.4,51000,443,6,I,B,NX,0,0,0,0\"")
    };
    let tuples: Vec<String> = (0..MAX_FLOWS + 7).map(tuple).collect();
    let text = format!(
        r#"{{ "records": [ {{ "flowRecords": {{ "flows": [ {{ "flowGroups": [ {{ "flowTuples": [{}] }} ] }} ] }} }} ] }}"#,
        tuples.join(",")
    );
    let imported = import(text.as_bytes(), &Options::default()).unwrap();
    assert_eq!(imported.traffic.flows.len(), MAX_FLOWS);
    assert_eq!(imported.notes.len(), 1);
    assert_eq!(
        imported.notes[0].to_string(),
        "records[0].flowRecords.flows[0].flowGroups[0].flowTuples[100000] and 6 more: a flow is not used: at most 100000 flows are kept"
    );
}
