//! `flowglass import`: what people have, as a host scenario.

use crate::folder::Folder;
use serde_json::Value;

const NSG: &str = r#"{ "name": "web-nsg", "securityRules": [
    { "name": "allow-https", "priority": 200, "direction": "Inbound", "access": "Allow", "protocol": "Tcp",
      "sourceAddressPrefix": "203.0.113.0/24", "sourcePortRange": "*",
      "destinationAddressPrefixes": ["10.9.0.4", "10.9.0.5"], "destinationPortRanges": ["443", "8443"] },
    { "name": "other-vm", "priority": 300, "direction": "Inbound", "access": "Allow", "protocol": "*",
      "sourceAddressPrefix": "*", "sourcePortRange": "*",
      "destinationAddressPrefix": "10.9.0.99", "destinationPortRange": "*" } ] }"#;

/// A connection to HTTPS that the rule allows, and a query by UDP that no rule does, each 12 and 1 packets.
const LOG: &str = r#"{ "records": [ { "time": "2026-03-01T10:05:12.1Z", "flowLogVersion": 4, "macAddress": "6045BD112233",
  "flowRecords": { "flows": [ { "aclID": "x", "flowGroups": [ { "rule": "r", "flowTuples": [
    "1772359512345,203.0.113.9,10.9.0.4,51000,443,6,I,B,NX,0,0,0,0",
    "1772359522345,203.0.113.9,10.9.0.4,51000,443,6,I,E,NX,12,3600,9,7800",
    "1772359513345,203.0.113.9,10.9.0.4,51000,53,17,I,B,NX,0,0,0,0" ] } ] } ] } } ] }"#;

#[test]
fn policy_and_flows_become_a_scenario_that_runs() {
    let folder = Folder::new();
    folder.write("nsg.json", NSG);
    folder.write("log.json", LOG);
    let arguments = [
        "import",
        "nsg.json",
        "log.json",
        "--vm-address",
        "10.9.0.4",
        "--out",
        "s.json",
    ];
    let notes = folder.call(&arguments).succeeds().stderr;
    for note in [
        "note: nsg.json: the input: there are no default rules",
        "rule other-vm and 1 more: the rule is not used: on its own side stands another address than the VM's",
        "each protocol has a VM of its own",
        "VM i has 10.1.0.(4 + i)",
    ] {
        assert!(notes.contains(note), "{note:?} is not in\n{notes}");
    }
    let scenario = folder.json("s.json");
    // 443 and 8443: one rule each, the VM's own side being anything.
    let rules = scenario["vms"][0]["policy"]["nsg"].as_array().expect("rules");
    let https: Vec<&Value> = rules
        .iter()
        .filter(|rule| rule["name"] == "allow-https")
        .collect();
    assert_eq!(https.len(), 2);
    assert_eq!(
        (&https[0]["source"], &https[0]["destination"]),
        (&"203.0.113.0/24".into(), &"*".into())
    );
    folder
        .call(&["run", "s.json", "-q", "--json", "r.json"])
        .succeeds();
    let results = folder.json("r.json");
    let traffic = &results["traffic"];
    assert_eq!(
        (&traffic[0]["packets"], &traffic[0]["lost"]),
        (&21.into(), &0.into())
    );
    assert_eq!(
        (&traffic[1]["packets"], &traffic[1]["lost"]),
        (&1.into(), &1.into())
    );
    assert_eq!(results["drops"]["DroppedAcl"], 1);
}

#[test]
fn the_scenario_goes_to_standard_output_and_into_a_run() {
    let folder = Folder::new();
    folder.write("log.json", LOG);
    let outcome = folder.call(&["import", "log.json"]).succeeds();
    let run = folder
        .call_with(&["run", "-"], outcome.stdout.as_bytes())
        .succeeds();
    assert!(run.stdout.contains("Imported: log.json"), "{run:?}");
}

/// `-` is standard input, beside files.
#[test]
fn standard_input_is_a_file() {
    let folder = Folder::new();
    folder.write("nsg.json", NSG);
    let outcome = folder
        .call_with(&["import", "nsg.json", "-"], LOG.as_bytes())
        .succeeds();
    let scenario: Value = serde_json::from_str(&outcome.stdout).expect("a scenario");
    assert_eq!(scenario["name"], "Imported: nsg.json, <stdin>");
    assert_eq!(scenario["traffic"].as_array().map(Vec::len), Some(2));
    folder
        .call_with(&["import", "-", "-"], LOG.as_bytes())
        .fails(2, &["standard input can be read once"]);
}

#[test]
fn what_is_wrong_is_named() {
    let folder = Folder::new();
    folder.write("nsg.json", NSG);
    folder.write("bad.json", NSG.replace("\"priority\": 200", "\"priority\": 20"));
    folder.write("empty.json", "");
    folder.write("other.json", "{}");
    folder.write("log.json", r#"{ "records": [] }"#);
    folder.write("binary", [0xff, 0x00, 0x80]);
    for (arguments, status, texts) in [
        (&["import"][..], 2, &["<FILE>"][..]),
        (
            &["import", "none.json"],
            3,
            &["none.json: cannot be read: there is no such file"],
        ),
        (&["import", "."], 3, &[".: is a directory; expected a file"]),
        (
            &["import", "bad.json"],
            2,
            &["bad.json: securityRules[0].priority"],
        ),
        (
            &["import", "empty.json"],
            2,
            &["empty.json: the input is empty, expected one of"],
        ),
        (
            &["import", "other.json"],
            2,
            &["other.json: the JSON (an object without fields) is in none"],
        ),
        (
            &["import", "log.json"],
            2,
            &["there is nothing in it that a host scenario can have; expected security groups"],
        ),
        (
            &["import", "nsg.json", "--nsg", "other"],
            2,
            &["there is no security group \"other\", expected one of: web-nsg"],
        ),
        (
            &["import", "binary"],
            2,
            &["binary: byte 0 of the input is no UTF-8"],
        ),
        (
            &["import", "nsg.json", "--vm-address", "ten"],
            2,
            &["'ten' for '--vm-address <IP>'"],
        ),
        (
            &["import", "nsg.json", "--vnet", "10.0.0.0/40"],
            2,
            &["'10.0.0.0/40' for '--vnet <PREFIX>'"],
        ),
        (
            &["import", "nsg.json", "--tag", "Storage"],
            2,
            &["expected a tag and its prefixes, such as Storage="],
        ),
        (
            &["import", "nsg.json", "--tag", "Storage=x"],
            2,
            &["'Storage=x' for '--tag"],
        ),
        (
            &["import", "nsg.json", "--out", "nsg.json"],
            2,
            &["--out nsg.json: is a file that is imported"],
        ),
        (
            &["import", "nsg.json", "--out", "none/s.json"],
            3,
            &["there is no such folder"],
        ),
    ] {
        folder.call(arguments).fails(status, texts);
    }
}
