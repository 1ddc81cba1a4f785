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
        "\n  FORWARD\n  the answer to it\n",
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
    assert!(text.contains("\n  FORWARD\n  the answer to it\n"), "{text}");
}

/// The guard of the port drops what does not have the VM's own address; nothing comes after that.
#[test]
fn a_packet_that_the_port_refuses_has_no_answer_and_no_entries() {
    let folder = Folder::new();
    let spoofed = "tcp 10.1.0.5 50000 10.1.128.0 443 out";
    let outcome = folder
        .call(&["process-tuples", "host-first-packet", spoofed, "--json", "-"])
        .succeeds();
    let json: Value = serde_json::from_str(&outcome.stdout).expect("JSON alone");
    let packet = &json["packets"][0];
    assert_eq!(packet["verdict"], "drop");
    assert_eq!(packet["reason"], "DropIPv4Spoofing: the port does not look at it");
    assert_eq!(packet["reply"], Value::Null);
    for empty in ["entries", "layers", "transposition"] {
        assert_eq!(packet[empty], Value::Array(Vec::new()), "{empty}");
    }
}

/// Lists of service tags, options and the choice of a group, as `import` has them.
#[test]
fn several_files_and_options_make_the_policy() {
    let folder = Folder::new();
    let nsg = |name: &str, tag: &str| {
        NSG.replace("web-nsg", name)
            .replace("\"Internet\"", &format!("\"{tag}\""))
    };
    folder.write("nsg.json", nsg("web-nsg", "Storage"));
    folder.write(
        "tags.json",
        r#"{ "values": [ { "name": "Storage", "properties": { "addressPrefixes": ["203.0.113.0/24"] } } ] }"#,
    );
    let tuple = "tcp 203.0.113.9 51000 10.1.0.4 443 in";
    let verdict = |arguments: &[&str]| {
        let outcome = folder
            .call(&[&["process-tuples"], arguments, &["--json", "-"]].concat())
            .succeeds();
        let json: Value = serde_json::from_str(&outcome.stdout).expect("JSON alone");
        json["packets"][0]["verdict"].as_str().map(str::to_owned)
    };
    assert_eq!(verdict(&["nsg.json", tuple]).as_deref(), Some("drop"));
    assert_eq!(
        verdict(&["nsg.json", "tags.json", tuple]).as_deref(),
        Some("forward")
    );
    let tag = ["nsg.json", tuple, "--tag", "Storage=203.0.113.0/24"];
    assert_eq!(verdict(&tag).as_deref(), Some("forward"));
    // A virtual network of one's own.
    let near = "tcp 203.0.113.9 51000 10.1.0.4 80 in";
    assert_eq!(verdict(&["nsg.json", near]).as_deref(), Some("drop"));
    let vnet = [
        "nsg.json",
        near,
        "--vnet",
        "203.0.113.0/24",
        "--vnet",
        "10.1.0.0/16",
    ];
    assert_eq!(verdict(&vnet).as_deref(), Some("forward"));
    // The second of two groups.
    let closed = nsg("closed", "8.8.8.8");
    folder.write(
        "two.json",
        format!("[ {closed}, {} ]", nsg("open", "203.0.113.9")),
    );
    assert_eq!(verdict(&["two.json", tuple]).as_deref(), Some("drop"));
    assert_eq!(
        verdict(&["two.json", tuple, "--nsg", "open"]).as_deref(),
        Some("forward")
    );
    folder
        .call(&["process-tuples", "two.json", tuple, "--nsg", "other"])
        .fails(
            2,
            &["there is no security group \"other\", expected one of: closed, open"],
        );
    folder
        .call(&["process-tuples", "nsg.json", "tags.json"])
        .fails(2, &["there is no packet; expected one such as"]);
    folder
        .call(&[
            "process-tuples",
            "host-first-packet",
            OUT,
            "--vm-address",
            "10.1.0.4",
        ])
        .fails(
            2,
            &["host-first-packet: is a scenario, which says itself what there is"],
        );
}

/// Why the answer to a packet that gets in does not get out is told: here no route leads back.
#[test]
fn an_answer_that_is_dropped_says_why() {
    let folder = Folder::new();
    folder.write(
        "dash.json",
        r#"{ "DASH_VNET_TABLE:v": {"vni": 7}, "DASH_ENI_TABLE:e": {"mac_address": "00-0d-3a-00-00-01", "vnet": "v", "underlay_ip": "100.64.0.1"},
            "DASH_ROUTE_TABLE:e:10.0.0.0/8": {"routing_type": "vnet", "vnet": "v"},
            "DASH_VNET_MAPPING_TABLE:v:10.0.0.9": {"underlay_ip": "100.64.0.9"} }"#,
    );
    let reply = |tuple: &str| {
        let outcome = folder
            .call(&["process-tuples", "dash.json", tuple, "--json", "-"])
            .succeeds();
        let json: Value = serde_json::from_str(&outcome.stdout).expect("JSON alone");
        let packet = &json["packets"][0];
        assert_eq!(packet["verdict"], "forward");
        (
            packet["reply"].clone(),
            packet["entries"].as_array().map_or(0, Vec::len),
        )
    };
    let (answer, entries) = reply("tcp 10.0.0.9 50000 10.0.0.4 443 in");
    assert_eq!((&answer["verdict"], entries), (&"forward".into(), 2));
    let (answer, entries) = reply("tcp 8.8.8.8 50000 10.0.0.4 443 in");
    assert_eq!((&answer["verdict"], entries), (&"drop".into(), 1));
    assert_eq!(answer["reason"], "DroppedNoRuleMatch in VNET_ENCAP_LAYER");
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
