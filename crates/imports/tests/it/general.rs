//! What holds for every format: telling them apart, sizes, encodings.

use crate::support::{bad, is_too_large};
use imports::{ImportError, MAX_JSON_BYTES, Options, import};

const FORMATS: &str = "network security groups (JSON with \"securityRules\", ARM, command line or template); \
    effective security rules (JSON with \"effectiveSecurityRules\"); load balancers (JSON with \"frontendIPConfigurations\"); \
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
