//! Network security groups.

use crate::support::{bad, good, good_with, notes, passes, table, with};
use gft::{Address, Direction, Prefix, Protocol};
use imports::azure::nsg::{Level, Nsg};
use imports::{Content, Format, Imported, Options, Term};
use std::collections::BTreeMap;

/// As `az network nsg show` prints one (facts/accelnet.md section 6.1).
pub const FLAT: &str = r#"{ "name": "web-nsg", "location": "westeurope", "type": "Microsoft.Network/networkSecurityGroups",
  "securityRules": [
    { "name": "allow-https", "priority": 200, "direction": "Inbound", "access": "Allow", "protocol": "Tcp",
      "sourceAddressPrefix": "Internet", "sourceAddressPrefixes": [], "sourcePortRange": "*", "sourcePortRanges": [],
      "destinationAddressPrefix": "", "destinationAddressPrefixes": ["10.1.0.4","10.1.0.5"],
      "destinationPortRange": "443", "destinationPortRanges": [], "provisioningState": "Succeeded" } ],
  "defaultSecurityRules": [
    { "name": "AllowVnetInBound", "priority": 65000, "direction": "Inbound", "access": "Allow", "protocol": "*",
      "sourceAddressPrefix": "VirtualNetwork", "destinationAddressPrefix": "VirtualNetwork", "sourcePortRange": "*", "destinationPortRange": "*" },
    { "name": "DenyAllInBound", "priority": 65500, "direction": "Inbound", "access": "Deny", "protocol": "*",
      "sourceAddressPrefix": "*", "destinationAddressPrefix": "*", "sourcePortRange": "*", "destinationPortRange": "*" } ],
  "networkInterfaces": [], "subnets": [] }"#;

fn groups(imported: &Imported) -> &[Nsg] {
    match &imported.content {
        Content::SecurityGroups(groups) => groups,
        other => panic!("{other:?}"),
    }
}

fn prefix(text: &str) -> Term {
    Term::Prefix(text.parse().unwrap())
}

#[test]
fn the_command_lines_form() {
    let imported = good(FLAT);
    assert_eq!(imported.format, Format::SecurityGroups);
    let [group] = groups(&imported) else { panic!() };
    assert_eq!((group.name.as_str(), group.level), ("web-nsg", Level::Interface));
    let rule = &group.rules[0];
    assert_eq!((rule.name.as_str(), rule.priority), ("allow-https", 200));
    assert_eq!((rule.direction, rule.allow), (Direction::In, true));
    assert_eq!(rule.protocol, Some(Protocol::TCP));
    assert_eq!(rule.sources, [Term::Tag("Internet".into())]);
    assert_eq!(rule.destinations, [prefix("10.1.0.4"), prefix("10.1.0.5")]);
    assert_eq!(rule.source_ports, [0..=65_535]);
    assert_eq!(rule.destination_ports, [443..=443]);
    assert_eq!(group.rules.len(), 3);
    assert!(group.rules[2].is_default && !group.rules[2].allow);
}

/// By hand: rule 200 for HTTPS from outside, 65000 within the network, 65500 for the rest; outbound Azure's own.
#[test]
fn what_the_rules_let_through() {
    let policy = &good(FLAT).policies[0].policy;
    let inbound = |text| passes(policy, text, Direction::In);
    assert!(inbound("tcp 8.8.8.8 50000 10.1.0.4 443"));
    assert!(inbound("tcp 8.8.8.8 50000 10.1.0.5 443"));
    assert!(!inbound("tcp 8.8.8.8 50000 10.1.0.6 443"));
    assert!(!inbound("udp 8.8.8.8 50000 10.1.0.4 443"));
    assert!(!inbound("tcp 8.8.8.8 50000 10.1.0.4 22"));
    assert!(inbound("tcp 10.9.0.1 50000 10.1.0.4 22"));
    let outbound = |text| passes(policy, text, Direction::Out);
    assert!(outbound("tcp 10.1.0.4 50000 8.8.8.8 443"));
    assert!(outbound("tcp 10.1.0.4 50000 10.9.0.1 22"));
    assert!(!outbound("tcp 10.1.0.4 50000 100.64.0.1 443"));
}

#[test]
fn what_is_left_open_is_noted() {
    assert_eq!(
        notes(&good(FLAT)),
        [
            "the service tag VirtualNetwork: the virtual network's address spaces are not in this input: \
             10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16 are taken",
            r#"securityRules[0].provisioningState: "provisioningState" is not used: it says nothing about packets"#,
            r#"location: "location" is not used: it says nothing about packets"#,
        ]
    );
    let own = with(FLAT, r#""Internet""#, r#""Storage.WestEurope""#);
    let unknown = r#"inbound rule allow-https of group web-nsg: the addresses of "Storage.WestEurope" are not known: it stands for no address, so it matches nothing"#;
    assert!(notes(&good(&own)).contains(&unknown.into()));
    assert!(!passes(
        &good(&own).policies[0].policy,
        "tcp 20.1.2.3 5 10.1.0.4 443",
        Direction::In
    ));

    let options = Options {
        tags: BTreeMap::from([("Storage.WestEurope".into(), vec!["20.1.0.0/16".parse().unwrap()])]),
        vnet: vec![Prefix::new(Address::v4(10, 0, 0, 0), 96 + 8)],
        ..Options::default()
    };
    let known = good_with(&own, &options);
    assert!(passes(
        &known.policies[0].policy,
        "tcp 20.1.2.3 5 10.1.0.4 443",
        Direction::In
    ));
    assert!(!passes(
        &known.policies[0].policy,
        "tcp 20.2.2.3 5 10.1.0.4 443",
        Direction::In
    ));
    assert_eq!(known.notes.len(), 2);
}

/// ARM's nested form gives the same as the flat one.
#[test]
fn arms_form() {
    let arm = r#"{ "name": "web-nsg", "properties": { "securityRules": [
        { "name": "allow-https", "id": "/subscriptions/x", "etag": "W/1", "properties": {
          "priority": 200, "direction": "inbound", "access": "ALLOW", "protocol": "TCP",
          "sourceAddressPrefix": "Internet", "sourcePortRange": "*",
          "destinationAddressPrefixes": ["10.1.0.4", "10.1.0.5"], "destinationPortRange": "443" } } ],
        "subnets": [ { "id": "/subscriptions/x/subnets/front" } ] } }"#;
    let imported = good(arm);
    let [group] = groups(&imported) else { panic!() };
    let flat = good(FLAT);
    assert_eq!(group.rules[0], groups(&flat)[0].rules[0]);
    assert_eq!(group.level, Level::Subnet);
    assert_eq!(group.rules.len(), 1 + 6, "default rules are added");
    assert!(notes(&imported).contains(
        &"properties: there are no default rules: Azure's are added (priorities 65000, 65001 and 65500 in each direction)"
            .into()
    ));
}

/// PowerShell's names begin with capitals, and its texts are lists.
#[test]
fn powershells_form() {
    let text = r#"{ "Name": "web-nsg", "SecurityRules": [ { "Name": "allow-https", "Priority": 200, "Direction": "Inbound",
        "Access": "Allow", "Protocol": "Tcp", "SourceAddressPrefix": ["Internet"], "SourcePortRange": ["*"],
        "DestinationAddressPrefix": ["10.1.0.4", "10.1.0.5"], "DestinationPortRange": ["443"] } ] }"#;
    let flat = good(FLAT);
    assert_eq!(groups(&good(text))[0].rules[0], groups(&flat)[0].rules[0]);
    // Windows PowerShell writes UTF-16 with a byte-order mark.
    let mut wide = vec![0xff, 0xfe];
    wide.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    let imported = imports::import(&wide, &Options::default()).unwrap();
    assert_eq!(groups(&imported)[0].rules[0], groups(&flat)[0].rules[0]);
    let marked = format!("\u{feff}{text}");
    assert_eq!(groups(&good(&marked))[0].rules[0], groups(&flat)[0].rules[0]);
}

/// Rules beside their group, expressions that only a deployment can work out, and resources of other types.
#[test]
fn templates() {
    let rule = |name: &str, priority: u16, source: &str| {
        format!(
            r#""name": "{name}", "properties": {{ "priority": {priority}, "direction": "Inbound", "access": "Allow", "protocol": "*",
               "sourceAddressPrefix": "{source}", "sourcePortRange": "*", "destinationAddressPrefix": "*", "destinationPortRange": "80-90" }}"#
        )
    };
    let template = format!(
        r#"{{ "$schema": "x", "contentVersion": "1.0.0.0", "parameters": {{ "admin": {{}} }}, "resources": [
          {{ "type": "Microsoft.Network/networkSecurityGroups", "apiVersion": "2023-09-01", "name": "a",
             "properties": {{ "securityRules": [ {{ {} }}, {{ {} }} ] }} }},
          {{ "type": "Microsoft.Network/networkSecurityGroups/securityRules", {} }},
          {{ "type": "Microsoft.Network/networkSecurityGroups/securityRules", {} }},
          {{ "type": "Microsoft.Network/publicIPAddresses", "name": "ip" }} ] }}"#,
        rule("one", 100, "10.0.0.0/8"),
        rule("two", 110, "[parameters('admin')]"),
        rule("a/three", 120, "10.2.0.0/16"),
        rule("b/four", 130, "10.3.0.0/16"),
    );
    let imported = good(&template);
    let [group] = groups(&imported) else { panic!() };
    let names: Vec<&str> = group
        .rules
        .iter()
        .filter(|rule| !rule.is_default)
        .map(|rule| rule.name.as_str())
        .collect();
    assert_eq!(names, ["one", "three"]);
    let found = notes(&imported);
    for expected in [
        r#"resources[0].properties.securityRules[1].properties.sourceAddressPrefix: the rule "two" is not used: the field is an expression of a template, whose value only a deployment knows"#,
        r#"resources[2]: the rule "b/four" is not used: the group before the slash is not among the resources before it"#,
        r#"resources[3]: a resource of type "microsoft.network/publicipaddresses" is not used: network security groups are read from this input"#,
        r#"parameters: "parameters" is not used: this field is not known here, so it has no effect"#,
    ] {
        assert!(found.contains(&expected.into()), "{expected} not in {found:#?}");
    }
}

/// `az network nsg rule list`, and an answer of the REST interface with two groups: of the subnet and of the interface.
#[test]
fn lists() {
    let rule = FLAT
        .split_once("\"securityRules\": [")
        .unwrap()
        .1
        .split_once(" ],\n")
        .unwrap()
        .0;
    let imported = good(&format!("[{rule}]"));
    assert_eq!(groups(&imported)[0].rules.len(), 1 + 6);

    let subnet = with(FLAT, r#""subnets": []"#, r#""subnets": [{"id": "/x/subnets/s"}]"#);
    let subnet = with(&subnet, "web-nsg", "subnet-nsg");
    let other = with(FLAT, "web-nsg", "third-nsg");
    let imported = good(&format!(r#"{{ "value": [{FLAT}, {subnet}, {other}] }}"#));
    let policy = &imported.policies[0].policy;
    let stages: Vec<&str> = policy.layers[0]
        .groups
        .iter()
        .filter(|group| group.direction == Direction::In)
        .map(|group| group.name.as_str())
        .collect();
    assert_eq!(stages, ["subnet-nsg", "web-nsg"]);
    assert!(notes(&imported).contains(
        &"group third-nsg: the group is not used: a VM has one group of its network interface; the first one is taken"
            .into()
    ));
}

#[test]
fn application_security_groups_are_tags() {
    let text = with(
        FLAT,
        r#""sourceAddressPrefix": "Internet", "#,
        r#""sourceApplicationSecurityGroups": [{"id": "/s/applicationSecurityGroups/web"}], "#,
    );
    let imported = good(&text);
    assert_eq!(groups(&imported)[0].rules[0].sources, [Term::Group("web".into())]);
    assert!(notes(&imported).contains(
        &r#"inbound rule allow-https of group web-nsg: the addresses of "web" are not known: it stands for no address, so it matches nothing"#.into()
    ));
}

#[test]
fn bad_groups() {
    let at = "securityRules[0]";
    let terms = "\"*\", an address or prefix such as 10.1.0.0/16, or a service tag such as VirtualNetwork";
    let ports = "\"*\", a port such as 443 or a range such as 1000-2000";
    let rows: [(&str, &str, String); 18] = [
        (
            "\"allow-https\"",
            "7",
            format!("{at}.name: 7, expected the rule's name"),
        ),
        (
            "\"name\": \"allow-https\", ",
            "",
            format!("{at}: there is no \"name\", expected the rule's name"),
        ),
        (
            "200",
            "99",
            format!("{at}.priority: 99, expected a whole number from 100 to 4096"),
        ),
        (
            "200",
            "4097",
            format!("{at}.priority: 4097, expected a whole number from 100 to 4096"),
        ),
        (
            "200",
            "\"high\"",
            format!("{at}.priority: \"high\", expected a whole number from 100 to 4096"),
        ),
        (
            "200",
            "200.5",
            format!("{at}.priority: 200.5, expected a whole number from 100 to 4096"),
        ),
        (
            "\"priority\": 200, ",
            "",
            format!("{at}: there is no \"priority\", expected the rule's priority"),
        ),
        (
            "200, \"direction\": \"Inbound\"",
            "200, \"direction\": \"In\"",
            format!("{at}.direction: \"In\", expected Inbound or Outbound"),
        ),
        (
            "\"access\": \"Allow\", \"protocol\": \"Tcp\"",
            "\"access\": true, \"protocol\": \"Tcp\"",
            format!("{at}.access: true, expected Allow or Deny"),
        ),
        (
            "\"Tcp\"",
            "\"Sctp\"",
            format!("{at}.protocol: \"Sctp\", expected Tcp, Udp, Icmp, Esp, Ah or \"*\""),
        ),
        (
            "\"Internet\"",
            "\"10.0.0.0/33\"",
            format!(
                "{at}.sourceAddressPrefix: \"10.0.0.0/33\" is not a prefix: after the slash stands a length of 0 to 32; expected {terms}"
            ),
        ),
        (
            "\"Internet\"",
            "\"10.0.0.256\"",
            format!("{at}.sourceAddressPrefix: \"10.0.0.256\", expected {terms}"),
        ),
        (
            "\"sourceAddressPrefix\": \"Internet\", ",
            "",
            format!(
                "{at}: there is no \"sourceAddressPrefix\" or \"sourceAddressPrefixes\", expected {terms}"
            ),
        ),
        (
            "\"10.1.0.5\"",
            "5",
            format!("{at}.destinationAddressPrefixes[1]: \"5\", expected {terms}"),
        ),
        (
            "\"10.1.0.5\"",
            "{}",
            format!("{at}.destinationAddressPrefixes[1]: an object, expected {terms}"),
        ),
        (
            "\"443\"",
            "\"70000\"",
            format!("{at}.destinationPortRange: \"70000\", expected {ports}, up to 65535"),
        ),
        (
            "\"443\"",
            "\"90-80\"",
            format!(
                "{at}.destinationPortRange: \"90-80\", expected a range that does not end (80) before it begins (90)"
            ),
        ),
        (
            "\"destinationPortRange\": \"443\", ",
            "",
            format!(
                "{at}: there is no \"destinationPortRange\" or \"destinationPortRanges\", expected {ports}"
            ),
        ),
    ];
    let rows: Vec<(&str, &str, &str)> = rows.iter().map(|(a, b, c)| (*a, *b, c.as_str())).collect();
    table(FLAT, &rows);
}

#[test]
fn bad_structures() {
    let ungrouped = r#"{ "name": "x", "properties": { "securityRules": 5 } }"#;
    assert_eq!(
        bad(ungrouped),
        "properties.securityRules: 5, expected a list of security rules"
    );
    assert_eq!(
        bad(r#"{ "type": "Microsoft.Network/networkSecurityGroups" }"#),
        "there is no \"securityRules\", expected the list of the group's rules"
    );
    assert_eq!(
        bad(r#"{ "securityRules": [ 3 ] }"#),
        "securityRules[0]: 3, expected a security rule"
    );
    assert_eq!(
        bad(r#"{ "securityRules": [ { "name": "a", "properties": [] } ] }"#),
        "securityRules[0].properties: a list of 0, expected the rule's properties"
    );
    let twice = with(
        FLAT,
        "\"securityRules\": [",
        r#""securityRules": [ { "name": "ssh", "priority": 200, "direction": "Inbound", "access": "Deny", "protocol": "*",
           "sourceAddressPrefix": "*", "sourcePortRange": "*", "destinationAddressPrefix": "*", "destinationPortRange": "22" },"#,
    );
    assert_eq!(
        bad(&twice),
        "securityRules[1]: priority 200, expected one that no other inbound rule of the group has (\"ssh\" has it)"
    );
    let many = format!(r#"{{ "securityRules": [{}] }}"#, vec!["1"; 10_001].join(","));
    assert_eq!(bad(&many), "securityRules: 10001 rules, expected at most 10000");
    assert_eq!(
        bad(r#"{ "value": 1, "securityRules": [] }"#),
        "value: 1, expected a list of resources"
    );
    let asg = with(
        FLAT,
        r#""sourceAddressPrefix": "Internet", "#,
        r#""sourceApplicationSecurityGroups": [{"name": "web"}], "#,
    );
    assert_eq!(
        bad(&asg),
        "securityRules[0].sourceApplicationSecurityGroups[0]: there is no \"id\", expected the group's resource ID"
    );
}

/// All that is wrong is said at once, up to a bound.
#[test]
fn several_problems_at_once() {
    let text = with(&with(FLAT, "200", "5"), "\"Tcp\"", "\"Gre\"");
    assert_eq!(
        bad(&text),
        "securityRules[0].priority: 5, expected a whole number from 100 to 4096\n\
         securityRules[0].protocol: \"Gre\", expected Tcp, Udp, Icmp, Esp, Ah or \"*\""
    );
    let many = format!(r#"{{ "securityRules": [{}] }}"#, vec!["1"; 25].join(","));
    let message = bad(&many);
    assert_eq!(message.lines().count(), 21);
    assert_eq!(message.lines().last(), Some("5 more problems are not listed"));
}
