//! Effective security rules.

use crate::support::{bad, good, notes, passes, table, with};
use gft::{Direction, Protocol};
use imports::azure::nsg::Level;
use imports::{Content, Format, Term};

/// As `az network nic list-effective-nsg` prints it (facts/accelnet.md section 6.2).
const EFFECTIVE: &str = r#"{ "value": [ { "association": { "networkInterface": { "id": "/subscriptions/x/networkInterfaces/vm1-nic" } },
    "networkSecurityGroup": { "id": "/subscriptions/x/networkSecurityGroups/web-nsg" }, "tagMap": null,
    "effectiveSecurityRules": [ { "name": "securityRules/allow-https", "access": "Allow", "direction": "Inbound", "priority": 200,
      "protocol": "Tcp", "sourceAddressPrefix": "Internet", "sourceAddressPrefixes": ["Internet"], "sourcePortRange": "0-65535",
      "destinationAddressPrefix": "10.1.0.4/32", "destinationPortRange": "443-443", "expandedSourceAddressPrefix": ["1.0.0.0/8"],
      "expandedDestinationAddressPrefix": null },
      { "name": "defaultSecurityRules/DenyAllInBound", "access": "Deny", "direction": "Inbound", "priority": 65500,
      "protocol": "All", "sourceAddressPrefix": "0.0.0.0/0", "sourcePortRange": "0-65535",
      "destinationAddressPrefix": "0.0.0.0/0", "destinationPortRange": "0-65535" } ] } ] }"#;

#[test]
fn written_out_addresses_come_before_tags() {
    let imported = good(EFFECTIVE);
    assert_eq!(imported.format, Format::EffectiveRules);
    let Content::SecurityGroups(groups) = &imported.content else {
        panic!()
    };
    assert_eq!(
        (groups[0].name.as_str(), groups[0].level),
        ("web-nsg", Level::Interface)
    );
    let rule = &groups[0].rules[0];
    assert_eq!(rule.name, "allow-https");
    assert_eq!(rule.sources, [Term::Prefix("1.0.0.0/8".parse().unwrap())]);
    assert_eq!(
        (rule.protocol, rule.destination_ports[0].clone()),
        (Some(Protocol::TCP), 443..=443)
    );
    assert!(!rule.is_default && groups[0].rules[1].is_default);
    let policy = &imported.policies[0].policy;
    assert!(passes(policy, "tcp 1.2.3.4 9 10.1.0.4 443", Direction::In));
    assert!(!passes(policy, "tcp 2.2.3.4 9 10.1.0.4 443", Direction::In));
    assert_eq!(
        notes(&imported),
        [
            "the effective rules: security admin rules of a network manager are not among them: Azure evaluates those first: what one denies or always allows does not come to a security group"
        ]
    );
}

/// A tag that a rule does not write out stands for what the list says that Azure has resolved it to, `Internet` too.
#[test]
fn the_tag_map_resolves_what_rules_do_not() {
    let text = with(
        &with(EFFECTIVE, "[\"1.0.0.0/8\"]", "null"),
        "\"tagMap\": null",
        "\"tagMap\": { \"Internet\": [\"5.0.0.0/8\", \"6.0.0.0/8\"] }",
    );
    let imported = good(&text);
    let policy = &imported.policies[0].policy;
    assert!(passes(policy, "tcp 6.2.3.4 9 10.1.0.4 443", Direction::In));
    assert!(!passes(policy, "tcp 8.8.8.8 9 10.1.0.4 443", Direction::In));
    let Content::SecurityGroups(groups) = &imported.content else {
        panic!()
    };
    let (rules, _) = imports::host::nsg_rules(groups, &imports::Options::default()).unwrap();
    assert_eq!((rules.len(), rules[1].source.as_str()), (2, "6.0.0.0/8"));
    assert_eq!(
        bad(&with(EFFECTIVE, "\"tagMap\": null", "\"tagMap\": [5]")),
        "value[0].tagMap: a list of 1, expected an object with a list of prefixes for each tag"
    );
}

#[test]
fn without_the_wrapper_and_for_a_subnet() {
    let inner = EFFECTIVE
        .strip_prefix(r#"{ "value": [ "#)
        .unwrap()
        .strip_suffix(" ] }")
        .unwrap();
    let subnet = with(inner, "networkInterface\":", "subnet\":");
    let imported = good(&subnet);
    let Content::SecurityGroups(groups) = &imported.content else {
        panic!()
    };
    assert_eq!(groups[0].level, Level::Subnet);
    good(&format!("[{inner}]"));
}

#[test]
fn bad_rules() {
    let at = "value[0].effectiveSecurityRules[0]";
    let terms = "\"*\", an address or prefix such as 10.1.0.0/16, or a service tag such as VirtualNetwork";
    let ports = "\"*\", a port such as 443 or a range such as 1000-2000";
    let rows: [(&str, &str, String); 12] = [
        (
            "\"securityRules/allow-https\"",
            "null",
            format!("{at}: there is no \"name\", expected the rule's name"),
        ),
        (
            "200",
            "65501",
            format!("{at}.priority: 65501, expected a whole number from 100 to 65500"),
        ),
        (
            "200",
            "-1",
            format!("{at}.priority: -1, expected a whole number from 100 to 65500"),
        ),
        (
            "\"Allow\"",
            "\"Permit\"",
            format!("{at}.access: \"Permit\", expected Allow or Deny"),
        ),
        (
            "\"Inbound\", \"priority\": 200",
            "\"Both\", \"priority\": 200",
            format!("{at}.direction: \"Both\", expected Inbound or Outbound"),
        ),
        (
            "\"Tcp\"",
            "6.5",
            format!("{at}.protocol: 6.5, expected Tcp, Udp, Icmp, Esp, Ah or \"*\""),
        ),
        (
            "\"1.0.0.0/8\"",
            "\"1.0.0.0/x\"",
            format!(
                "{at}.expandedSourceAddressPrefix[0]: \"1.0.0.0/x\" is not a prefix: after the slash stands a length of 0 to 32; expected {terms}"
            ),
        ),
        (
            "\"10.1.0.4/32\"",
            "\"10.1.0/24\"",
            format!(
                "{at}.destinationAddressPrefix: \"10.1.0\" is not an IPv4 or IPv6 address such as 10.1.0.4 or fd00::4; expected {terms}"
            ),
        ),
        (
            "\"10.1.0.4/32\"",
            "[[]]",
            format!("{at}.destinationAddressPrefix[0]: a list of 0, expected {terms}"),
        ),
        (
            "\"443-443\"",
            "\"443-\"",
            format!("{at}.destinationPortRange: \"443-\", expected {ports}, up to 65535"),
        ),
        (
            "\"destinationPortRange\": \"443-443\", ",
            "",
            format!(
                "{at}: there is no \"destinationPortRange\" or \"destinationPortRanges\", expected {ports}"
            ),
        ),
        (
            "{ \"id\": \"/subscriptions/x/networkSecurityGroups/web-nsg\" }",
            "\"web\"",
            "value[0].networkSecurityGroup: \"web\", expected an object with the group's \"id\"".into(),
        ),
    ];
    let rows: Vec<(&str, &str, &str)> = rows.iter().map(|(a, b, c)| (*a, *b, c.as_str())).collect();
    table(EFFECTIVE, &rows);
}

#[test]
fn bad_structures() {
    assert_eq!(
        bad(r#"{ "effectiveSecurityRules": {} }"#),
        "effectiveSecurityRules: an object, expected a list of rules"
    );
    assert_eq!(
        bad(r#"[ { "effectiveSecurityRules": [] }, 5 ]"#),
        "[1]: 5, expected a group with its effective rules"
    );
    assert_eq!(
        bad(r#"{ "value": [ { "effectiveSecurityRules": [] }, { "association": {} } ] }"#),
        "value[1]: there is no \"effectiveSecurityRules\", expected the list of rules"
    );
    let twice = with(EFFECTIVE, "65500", "200");
    assert_eq!(
        bad(&twice),
        "web-nsg: allow-https and DenyAllInBound both have priority 200 inbound"
    );
}
