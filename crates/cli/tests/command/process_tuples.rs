//! `flowglass process-tuples`: what would become of packets.

use crate::folder::Folder;
use crate::json_output::{documented, leaves};
use serde_json::Value;
use std::collections::BTreeSet;

/// Facts 6.1: one rule for HTTPS from the internet, before Azure's default rules.
const NSG: &str = r#"{ "name": "web-nsg", "securityRules": [
    { "name": "allow-https", "priority": 200, "direction": "Inbound", "access": "Allow", "protocol": "Tcp",
      "sourceAddressPrefix": "Internet", "sourcePortRange": "*",
      "destinationAddressPrefix": "10.1.0.4", "destinationPortRange": "443" } ] }"#;

const OUT: &str = "tcp 10.1.0.4 50000 10.1.128.0 443 out";

#[test]
fn each_layer_says_what_it_does_and_the_entries_are_a_pair() {
    let folder = Folder::new();
    let text = folder
        .call(&["process-tuples", "host-first-packet", OUT])
        .succeeds()
        .stdout;
    for line in [
        "VM 0 out: TCP 10.1.0.4 port 50000 to 10.1.128.0 port 443\n",
        "  FW_CONTROLLER_LAYER_ID  AllowAll (priority 85000): allow\n",
        "  VNET_ENCAP_LAYER        MAP_VNET (priority 100): mapencap\n",
        "Push VXLAN 100.64.0.10 to 100.64.1.0, TNI 5001\n",
        "  entry in, TNI 5001: TCP 10.1.128.0 port 443 to 10.1.0.4 port 50000\n    Pop 1 encapsulation\n",
    ] {
        assert!(text.contains(line), "{line:?} is not in\n{text}");
    }
    // What the VM's peer sends comes in the VNET's encapsulation.
    let inbound = "tcp 10.1.128.0 50000 10.1.0.4 443 in";
    let text = folder
        .call(&["process-tuples", "host-first-packet", inbound])
        .succeeds()
        .stdout;
    assert!(
        text.contains("  in VXLAN 100.64.1.0 to 100.64.0.10, TNI 5001\n"),
        "{text}"
    );
}

/// Default rules and one's own, from a file that clouds export.
#[test]
fn an_imported_policy_answers() {
    let folder = Folder::new();
    folder.write("nsg.json", NSG);
    let verdict = |tuple: &str| {
        let outcome = folder
            .call(&["process-tuples", "nsg.json", tuple, "--json", "-"])
            .succeeds();
        let json: Value = serde_json::from_str(&outcome.stdout).expect("JSON alone");
        let packet = &json["packets"][0];
        let last = packet["layers"]
            .as_array()
            .and_then(|layers| layers.last())
            .cloned();
        let rule = last.map_or(Value::Null, |layer| layer["rule"].clone());
        (packet["verdict"].clone(), rule)
    };
    let is = |verdict: &str, rule: &str| (Value::from(verdict), Value::from(rule));
    assert_eq!(
        verdict("tcp 203.0.113.9 51000 10.1.0.4 443 in"),
        is("forward", "allow-https")
    );
    assert_eq!(
        verdict("tcp 203.0.113.9 51000 10.1.0.4 80 in"),
        is("drop", "DenyAllInBound")
    );
    assert_eq!(
        verdict("udp 203.0.113.9 51000 10.1.0.4 443 in"),
        is("drop", "DenyAllInBound")
    );
    assert_eq!(
        verdict("tcp 10.9.0.9 51000 10.1.0.4 80 in"),
        is("forward", "AllowVnetInBound")
    );
    assert_eq!(
        verdict("tcp 10.1.0.4 51000 203.0.113.9 80 out"),
        is("forward", "AllowInternetOutBound")
    );
}

#[test]
fn every_field_is_documented_and_every_documented_field_exists() {
    let folder = Folder::new();
    folder.write("nsg.json", NSG);
    let mut found = BTreeSet::new();
    for arguments in [
        &[
            "process-tuples",
            "host-first-packet",
            "--at",
            "5ms",
            OUT,
            "tcp 10.1.0.4 1024 10.1.128.0 443 out 0",
        ][..],
        &[
            "process-tuples",
            "nsg.json",
            "tcp 203.0.113.9 51000 10.1.0.4 80 in",
            OUT,
        ],
        &[
            "process-tuples",
            "host-first-packet",
            "tcp 10.1.128.0 50000 10.1.0.4 443 in",
        ],
    ] {
        folder
            .call(&[arguments, &["--json", "a.json"]].concat())
            .succeeds();
        leaves(&folder.json("a.json"), "", &mut found);
    }
    // The answer's way has the fields of the packet's own.
    let found: BTreeSet<String> = found
        .into_iter()
        .map(|leaf| match leaf.strip_prefix("packets[].reply.") {
            Some(below) => format!("packets[].{below}"),
            None => leaf,
        })
        .collect();
    let found_flow = found.contains("packets[].flow.handle");
    assert!(found_flow, "the ping's flow is in the table");
    let documented = documented("Answers about packets");
    let missing: Vec<_> = found.difference(&documented).collect();
    let unknown: Vec<_> = documented.difference(&found).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "{missing:?} {unknown:?}"
    );
}

#[test]
fn what_is_wrong_is_named() {
    let folder = Folder::new();
    folder.write("nsg.json", NSG);
    folder.write("text.json", "no JSON");
    folder.write("log.json", r#"{ "records": [] }"#);
    let tuples = |tuple: &'static str| ["process-tuples", "host-first-packet", tuple];
    for (tuple, text) in [
        (
            "tcp 10.1.0.4",
            "tuple \"tcp 10.1.0.4\": 2 fields; expected 6 or 7",
        ),
        (
            "sctp 10.1.0.4 1 10.1.128.0 443 out",
            "the protocol is \"sctp\"; expected tcp, udp, icmp or a number",
        ),
        (
            "tcp 10.1.0 1 10.1.128.0 443 out",
            "the source address is \"10.1.0\"",
        ),
        (
            "tcp 10.1.0.4 99999 10.1.128.0 443 out",
            "the source port is \"99999\"; expected a number from 0 to 65535",
        ),
        (
            "tcp 10.1.0.4 1 host 443 out",
            "the destination address is \"host\"",
        ),
        (
            "tcp 10.1.0.4 1 10.1.128.0 https out",
            "the destination port is \"https\"",
        ),
        (
            "tcp 10.1.0.4 1 10.1.128.0 443 sideways",
            "the direction is \"sideways\"; expected in or out",
        ),
        (
            "tcp 10.1.0.4 1 10.1.128.0 443 out syn",
            "the flag is \"syn\"; expected 1 for a TCP SYN, or 0",
        ),
    ] {
        folder.call(&tuples(tuple)).fails(2, &[text]);
    }
    // All that are wrong are named.
    folder
        .call(&["process-tuples", "host-first-packet", "x", OUT, "y z"])
        .fails(2, &["tuple \"x\"", "tuple \"y z\""]);
    for (arguments, texts) in [
        (&["process-tuples", "host-first-packet"][..], &["<TUPLE>"][..]),
        (
            &["process-tuples", "host-first-packet", OUT, "--vm", "1"],
            &["--vm 1", "expected 0 to 0"],
        ),
        (
            &["process-tuples", "nsg.json", OUT, "--vm", "1"],
            &["--vm 1: nsg.json has 1; expected 0 to 0"],
        ),
        (
            &["process-tuples", "nsg.json", OUT, "--at", "1ms"],
            &["--at is for a host's scenario"],
        ),
        (
            &["process-tuples", "link-dies", OUT],
            &["this is the scenario of a fabric, which has no policy"],
        ),
        (
            &["process-tuples", "none.json", OUT],
            &["there is no file and no preset \"none.json\""],
        ),
        (
            &["process-tuples", "text.json", OUT],
            &["text.json: line 1, column"],
        ),
        (
            &["process-tuples", "log.json", OUT],
            &["log.json: there is no policy in it"],
        ),
    ] {
        folder.call(arguments).fails(2, texts);
    }
}
