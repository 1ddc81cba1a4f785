//! DASH tables.

use crate::support::{bad, good, notes, packet, passes, table, walk, with};
use gft::{Address, Direction, Encap, EncapKind, Mac};
use imports::dash::{Dash, Qos};
use imports::{Content, Format, Imported};

/// Two virtual networks, one of them peered; ACL stages; routes of all kinds (sonic-net/DASH, dash-sonic-hld.md section 3.2).
pub const TABLES: &str = r#"[
  {"DASH_APPLIANCE_TABLE:1": {"sip": "100.64.9.9", "vm_vni": "4321"}, "OP": "SET"},
  {"DASH_QOS_TABLE:qos1": {"qos_id": "qos1", "bw": "25000000", "cps": "62500", "flows": "500000"}, "OP": "SET"},
  {"DASH_VNET_TABLE:vn1": {"vni": "1001", "guid": "11111111-2222", "address_spaces": ["10.1.0.0/16"]}, "OP": "SET"},
  {"DASH_VNET_TABLE:vn2": {"vni": "2002", "guid": "11111111-3333"}, "OP": "SET"},
  {"DASH_ENI_TABLE:F4939FEFC47E": {"eni_id": "eni1", "mac_address": "F4:93:9F:EF:C4:7E", "qos": "qos1", "underlay_ip": "100.64.0.10", "admin_state": "enabled", "vnet": "vn1"}, "OP": "SET"},
  {"DASH_PREFIX_TAG_TABLE:web": {"ip_version": "ipv4", "prefix_list": "10.1.5.0/24,10.1.6.0/24"}, "OP": "SET"},
  {"DASH_ACL_GROUP_TABLE:g1": {"ip_version": "ipv4", "guid": "a"}, "OP": "SET"},
  {"DASH_ACL_IN_TABLE:F4939FEFC47E:1": {"v4_acl_group_id": "g1"}, "OP": "SET"},
  {"DASH_ACL_IN_TABLE:F4939FEFC47E:2": {"v4_acl_group_id": "g2"}, "OP": "SET"},
  {"DASH_ACL_RULE_TABLE:g1:1": {"priority": "10", "action": "allow", "terminating": "true", "protocol": "6,17", "src_addr": "0.0.0.0/0", "dst_port": "443,8000-8010"}, "OP": "SET"},
  {"DASH_ACL_RULE_TABLE:g1:2": {"priority": "20", "action": "deny", "terminating": "false", "src_tag": "web"}, "OP": "SET"},
  {"DASH_ACL_RULE_TABLE:g1:3": {"priority": "30", "action": "deny", "terminating": "true", "src_addr": "192.0.2.0/24"}, "OP": "SET"},
  {"DASH_ACL_RULE_TABLE:g2:1": {"priority": "1", "action": "allow", "terminating": "false", "src_addr": "10.1.5.0/24"}, "OP": "SET"},
  {"DASH_ENI_ROUTE_TABLE:F4939FEFC47E": {"group_id": "r1"}, "OP": "SET"},
  {"DASH_ROUTE_TABLE:r1:10.1.0.0/16": {"routing_type": "vnet", "vnet": "vn1"}, "OP": "SET"},
  {"DASH_ROUTE_TABLE:r1:10.2.0.0/16": {"action_type": "vnet", "vnet": "vn2"}, "OP": "SET"},
  {"DASH_ROUTE_TABLE:r1:10.2.9.0/24": {"routing_type": "drop"}, "OP": "SET"},
  {"DASH_ROUTE_TABLE:r1:8.0.0.0/8": {"routing_type": "direct"}, "OP": "SET"},
  {"DASH_VNET_MAPPING_TABLE:vn1:10.1.0.7": {"routing_type": "vnet_encap", "underlay_ip": "100.64.0.20", "mac_address": "00:0D:3A:00:00:07"}, "OP": "SET"},
  {"DASH_VNET_MAPPING_TABLE:vn2:10.2.0.8": {"routing_type": "vnet_encap", "underlay_ip": "100.64.0.30", "mac_address": "00:0D:3A:00:00:08", "use_dst_vni": "true"}, "OP": "SET"}
]"#;

fn tables(imported: &Imported) -> &Dash {
    match &imported.content {
        Content::Dash(dash) => dash,
        other => panic!("{other:?}"),
    }
}

#[test]
fn rows_become_tables() {
    let imported = good(TABLES);
    assert_eq!(imported.format, Format::Dash);
    let dash = tables(&imported);
    let qos = Qos {
        bw: 25_000_000,
        cps: 62_500,
        flows: 500_000,
    };
    assert_eq!(dash.qos["qos1"], qos);
    let eni = &dash.enis["F4939FEFC47E"];
    assert_eq!((eni.mac, eni.enabled), (Mac(0xf493_9fef_c47e), true));
    assert_eq!(dash.vnets["vn1"].vni, 1001);
    let rule = &dash.acl_rules[&("g1".into(), "1".into())];
    assert_eq!((rule.priority, rule.allow, rule.terminating), (10, true, true));
    assert_eq!(rule.dst_ports, [443..=443, 8000..=8010]);
    assert_eq!(dash.tags["web"].len(), 2);
    assert_eq!(imported.policies[0].name, "F4939FEFC47E");
}

/// By hand after the semantics of facts/accelnet.md section 1.4: an allow that terminates skips stage 2; a soft deny is
/// overridden there; what no stage matches is denied.
#[test]
fn acl_stages() {
    let policy = &good(TABLES).policies[0].policy;
    let inbound = |text| passes(policy, text, Direction::In);
    assert!(inbound("tcp 9.9.9.9 50000 10.1.0.4 443"), "rule g1:1 terminates");
    assert!(inbound("udp 9.9.9.9 50000 10.1.0.4 8005"));
    assert!(
        !inbound("tcp 9.9.9.9 50000 10.1.0.4 8011"),
        "no match in either stage"
    );
    assert!(
        inbound("tcp 10.1.5.9 50000 10.1.0.4 22"),
        "soft deny, then allowed in stage 2"
    );
    assert!(
        !inbound("tcp 10.1.6.9 50000 10.1.0.4 22"),
        "soft deny, and nothing after it"
    );
    assert!(!inbound("tcp 192.0.2.1 50000 10.1.0.4 22"), "hard deny");
}

/// What a stage in use does not match it denies for good, whatever the stage before it said: the default action of each stage in
/// the reference pipeline (sonic-net/DASH, dash_acl.p4), and "no match at all = deny" (facts/accelnet.md section 1.4).
#[test]
fn no_match_in_a_stage_is_a_deny() {
    let softly = with(
        TABLES,
        "\"terminating\": \"true\", \"protocol\": \"6,17\"",
        "\"terminating\": \"false\", \"protocol\": \"6,17\"",
    );
    let policy = &good(&softly).policies[0].policy;
    // Stage 1 lets port 443 on to stage 2, which knows 10.1.5.0/24 only.
    assert!(!passes(policy, "tcp 9.9.9.9 50000 10.1.0.4 443", Direction::In));
    assert!(passes(policy, "tcp 10.1.5.9 50000 10.1.0.4 443", Direction::In));
    // 10.1.5.9 is softly denied in stage 1 and allowed in stage 2; a source that stage 1 does not match never gets there.
    let first = walk(policy, &packet("icmp 10.1.7.9 0 10.1.0.4 0"), Direction::In);
    let groups = &first.layers.last().unwrap().groups;
    assert!(
        matches!(&groups[0].outcome, vfp::GroupOutcome::Matched { name, .. } if name == "no match"),
        "{groups:?}"
    );
    assert_eq!(groups[1].outcome, vfp::GroupOutcome::NotReached);
}

/// Rows that nothing leads to, and a profile that is not there.
#[test]
fn rows_that_nothing_leads_to_are_noted() {
    let more = r#",
      {"DASH_ACL_OUT_TABLE:AAAAAAAAAAAA:1": {"v4_acl_group_id": "g1"}, "OP": "SET"},
      {"DASH_ACL_RULE_TABLE:g9:1": {"priority": "1", "action": "deny"}, "OP": "SET"},
      {"DASH_ENI_ROUTE_TABLE:BBBBBBBBBBBB": {"group_id": "r1"}, "OP": "SET"},
      {"DASH_ROUTE_TABLE:r9:9.0.0.0/8": {"routing_type": "direct"}, "OP": "SET"} ]"#;
    let text = with(
        &with(TABLES, "\n]", more),
        "\"qos\": \"qos1\"",
        "\"qos\": \"gold\"",
    );
    let found = notes(&good(&text));
    for expected in [
        "outbound ACL stage 1 of AAAAAAAAAAAA: the stage is not used: its ENI is in no row of DASH_ENI_TABLE",
        "ACL group g9: its rule 1 is not used: no stage has the group",
        "routes of BBBBBBBBBBBB: the binding to a route group is not used: its ENI is in no row of DASH_ENI_TABLE",
        "route group r9: its route 9.0.0.0/8 is not used: no ENI is bound to the group",
        "ENI F4939FEFC47E: its QoS profile \"gold\" is in no row of DASH_QOS_TABLE: it has no limits",
    ] {
        assert!(found.contains(&expected.into()), "{expected} not in {found:#?}");
    }
}

/// By hand: the longest prefix decides; the encapsulation has the source's VNI unless the mapping says otherwise.
#[test]
fn routes() {
    let policy = &good(TABLES).policies[0].policy;
    let out = |text| walk(policy, &packet(text), Direction::Out);
    let encap = |dst: [u8; 4], tni| {
        Some(Encap {
            kind: EncapKind::Vxlan,
            src: Address::v4(100, 64, 0, 10),
            dst: Address::v4(dst[0], dst[1], dst[2], dst[3]),
            tni,
            dst_mac: Mac(0),
        })
    };
    let near = out("tcp 10.1.0.4 50000 10.1.0.7 80");
    assert_eq!(near.after.encaps[0], encap([100, 64, 0, 20], 1001));
    assert_eq!(near.after.dst_mac, Mac(0x000d_3a00_0007));
    let peered = out("tcp 10.1.0.4 50000 10.2.0.8 80");
    assert_eq!(peered.after.encaps[0], encap([100, 64, 0, 30], 2002));
    assert!(
        !passes(policy, "tcp 10.1.0.4 50000 10.1.0.99 80", Direction::Out),
        "no mapping"
    );
    assert!(
        !passes(policy, "tcp 10.1.0.4 50000 10.2.9.1 80", Direction::Out),
        "dropped by the longer prefix"
    );
    assert!(
        !passes(policy, "tcp 10.1.0.4 50000 172.16.0.1 80", Direction::Out),
        "no route"
    );
    let direct = out("tcp 10.1.0.4 50000 8.8.8.8 80");
    assert_eq!((direct.end, direct.after.encaps[0]), (vfp::End::Forward, None));
}

/// One object with many tables, numbers and names as protobuf's JSON form has them, and keys that begin with the ENI.
#[test]
fn other_forms() {
    let text = r#"{ "DASH_VNET_TABLE:vn1": {"vni": 7, "address_space": "10.0.0.0/8"},
        "DASH_ENI_TABLE|e": {"mac_address": "00-0d-3a-00-00-01", "vnet": "vn1", "admin_state": "STATE_ENABLED"},
        "DASH_ACL_OUT_TABLE:e:1": {"acl_group_id": "g"},
        "DASH_ACL_RULE_TABLE:g:rule1": {"priority": 0, "action": "ACTION_PERMIT", "terminating": true},
        "DASH_ROUTE_TABLE:e:10.0.0.0/8": {"routing_type": "ROUTING_TYPE_VNET", "vnet": "vn1"},
        "DASH_ROUTE_TABLE:e:fd00::/8": {"routing_type": "direct"},
        "DASH_VNET_MAPPING_TABLE:vn1:10.0.0.9": {"underlay_ip": "100.64.0.9"} }"#;
    let imported = good(text);
    let policy = &imported.policies[0].policy;
    assert!(passes(policy, "tcp 10.0.0.4 5 10.0.0.9 80", Direction::Out));
    assert!(passes(policy, "tcp fd00::1 5 fd00::2 80", Direction::Out));
    assert!(
        passes(policy, "tcp 10.0.0.9 5 10.0.0.4 80", Direction::In),
        "no inbound stage, no ACL"
    );
    assert_eq!(
        notes(&imported),
        [
            "ENI e: neither it nor the appliance has an underlay address: 100.64.0.1 is taken as the source of encapsulations"
        ]
    );
}

#[test]
fn deleted_rows_are_gone() {
    let text = with(
        TABLES,
        "\n]",
        ",\n {\"DASH_ROUTE_TABLE:r1:8.0.0.0/8\": {}, \"OP\": \"DEL\"}, {\"DASH_ACL_RULE_TABLE:g1:3\": {}, \"OP\": \"DEL\"} ]",
    );
    let imported = good(&text);
    assert!(!passes(
        &imported.policies[0].policy,
        "tcp 10.1.0.4 5 8.8.8.8 80",
        Direction::Out
    ));
    assert_eq!(tables(&imported).acl_rules.len(), 3);
}

#[test]
fn what_is_not_simulated_is_noted() {
    let more = r#",
      {"DASH_METER_RULE:m:1": {"priority": 1}, "OP": "SET"}, {"DASH_METER_RULE:m:2": {"priority": 2}, "OP": "SET"},
      {"DASH_ROUTE_TABLE:r1:20.0.0.0/8": {"routing_type": "servicetunnel"}, "OP": "SET"},
      {"DASH_ROUTE_TABLE:r1:21.0.0.0/8": {"routing_type": "vnet", "vnet": "vn9"}, "OP": "SET"},
      {"DASH_ACL_RULE_TABLE:g2:2": {"priority": 2, "action": 1, "dst_tag": "none", "colour": "red"}, "OP": "SET"},
      {"PORT_TABLE:Ethernet0": {"mtu": 9100}} ]"#;
    let found = notes(&good(&with(TABLES, "\n]", more)));
    for expected in [
        "[20].DASH_METER_RULE:m:1: a row of DASH_METER_RULE is not used: this table is not simulated",
        "[22].DASH_ROUTE_TABLE:r1:20.0.0.0/8: a route of type servicetunnel is not used: this routing type is not simulated; packets go by the next shorter prefix",
        "virtual network vn9: a route leads to it, but it is in no row of DASH_VNET_TABLE: the ENI's own VNI is taken",
        "virtual network vn9: a route leads to it, but it has no mappings: packets to it are dropped",
        "rule 2 of group g2: the tag \"none\" is in no row of DASH_PREFIX_TAG_TABLE: it stands for no address",
        "[24].DASH_ACL_RULE_TABLE:g2:2.colour: \"colour\" is not used: this field is not known here, so it has no effect",
        "[25].PORT_TABLE:Ethernet0: a row of PORT_TABLE is not used: this table is not one of DASH's",
    ] {
        let alike = |note: &String| note.replace(" and 1 more", "") == expected;
        assert!(found.iter().any(alike), "{expected} not in {found:#?}");
    }
}

#[test]
fn bad_rows() {
    let ports = "\"*\", a port such as 443 or a range such as 1000-2000";
    let rows: [(&str, &str, String); 22] = [
        ("\"1001\"", "\"16777216\"", "[2].DASH_VNET_TABLE:vn1.vni: \"16777216\", expected a VNI from 0 to 16777215".into()),
        ("\"vni\": \"1001\", ", "", "[2].DASH_VNET_TABLE:vn1: there is no \"vni\", expected the network identifier".into()),
        ("[\"10.1.0.0/16\"]", "[\"10.1.0.0/99\"]", "[2].DASH_VNET_TABLE:vn1.address_spaces: \"10.1.0.0/99\" is not a prefix: after the slash stands a length of 0 to 32".into()),
        ("[\"10.1.0.0/16\"]", "[{}]", "[2].DASH_VNET_TABLE:vn1.address_spaces: an object in the list, expected a prefix such as 10.1.0.0/16".into()),
        ("\"62500\"", "\"many\"", "[1].DASH_QOS_TABLE:qos1.cps: \"many\", expected connections per second from 0 to 1000000000".into()),
        ("\"F4:93:9F:EF:C4:7E\"", "\"F4:93:9F:EF:C4\"", "[4].DASH_ENI_TABLE:F4939FEFC47E.mac_address: \"F4:93:9F:EF:C4\", expected a MAC address such as F4:93:9F:EF:C4:7E".into()),
        ("\"enabled\"", "\"up\"", "[4].DASH_ENI_TABLE:F4939FEFC47E.admin_state: \"up\", expected enabled or disabled".into()),
        ("\"100.64.0.10\"", "\"host\"", "[4].DASH_ENI_TABLE:F4939FEFC47E.underlay_ip: \"host\", expected an IPv4 or IPv6 address".into()),
        (", \"vnet\": \"vn1\"}, \"OP\": \"SET\"},\n  {\"DASH_PREFIX", "}, \"OP\": \"SET\"},\n  {\"DASH_PREFIX", "[4].DASH_ENI_TABLE:F4939FEFC47E: there is no \"vnet\", expected the virtual network's name".into()),
        ("DASH_ACL_IN_TABLE:F4939FEFC47E:2", "DASH_ACL_IN_TABLE:F4939FEFC47E:6", "[8].DASH_ACL_IN_TABLE:F4939FEFC47E:6: the key \"F4939FEFC47E:6\", expected an ENI and a stage from 1 to 5 with a colon between them".into()),
        ("DASH_ACL_IN_TABLE:F4939FEFC47E:2", "DASH_ACL_IN_TABLE:F4939FEFC47E", "[8].DASH_ACL_IN_TABLE:F4939FEFC47E: the key \"F4939FEFC47E\", expected an ENI and a stage from 1 to 5 with a colon between them".into()),
        ("{\"v4_acl_group_id\": \"g2\"}", "{}", "[8].DASH_ACL_IN_TABLE:F4939FEFC47E:2: there is no \"v4_acl_group_id\" or \"v6_acl_group_id\", expected a group's name".into()),
        ("\"priority\": \"10\"", "\"priority\": \"-1\"", "[9].DASH_ACL_RULE_TABLE:g1:1.priority: \"-1\", expected a whole number from 0 to 4294967295".into()),
        ("\"allow\", \"terminating\": \"true\"", "\"accept\", \"terminating\": \"true\"", "[9].DASH_ACL_RULE_TABLE:g1:1.action: \"accept\", expected allow or deny".into()),
        ("\"6,17\"", "\"6,tcp\"", "[9].DASH_ACL_RULE_TABLE:g1:1.protocol: \"tcp\", expected a protocol number from 0 to 255".into()),
        ("\"443,8000-8010\"", "\"443,8010-8000\"", "[9].DASH_ACL_RULE_TABLE:g1:1.dst_port: \"8010-8000\", expected a range that does not end (8000) before it begins (8010)".into()),
        ("\"443,8000-8010\"", "\"443;80\"", format!("[9].DASH_ACL_RULE_TABLE:g1:1.dst_port: \"443;80\", expected {ports}, up to 65535")),
        ("DASH_ACL_RULE_TABLE:g2:1", "DASH_ACL_RULE_TABLE:g2", "[12].DASH_ACL_RULE_TABLE:g2: the key \"g2\", expected a group and a rule with a colon between them".into()),
        ("DASH_ROUTE_TABLE:r1:10.2.9.0/24", "DASH_ROUTE_TABLE:r1:10.2.9.0/40", "[16].DASH_ROUTE_TABLE:r1:10.2.9.0/40: the key's prefix: \"10.2.9.0/40\" is not a prefix: after the slash stands a length of 0 to 32".into()),
        ("\"drop\"", "\"blackhole\"", "[16].DASH_ROUTE_TABLE:r1:10.2.9.0/24.routing_type: \"blackhole\", expected a routing type: vnet, vnet_direct, direct, drop or another of DASH's".into()),
        ("DASH_VNET_MAPPING_TABLE:vn1:10.1.0.7", "DASH_VNET_MAPPING_TABLE:vn1:10.1.0", "[18].DASH_VNET_MAPPING_TABLE:vn1:10.1.0: the key's address: \"10.1.0\" is not an IPv4 or IPv6 address such as 10.1.0.4 or fd00::4".into()),
        ("\"use_dst_vni\": \"true\"", "\"use_dst_vni\": \"1\"", "[19].DASH_VNET_MAPPING_TABLE:vn2:10.2.0.8.use_dst_vni: \"1\", expected true or false".into()),
    ];
    let rows: Vec<(&str, &str, &str)> = rows.iter().map(|(a, b, c)| (*a, *b, c.as_str())).collect();
    table(TABLES, &rows);
}

#[test]
fn bad_structures() {
    assert_eq!(
        bad(r#"[ {"DASH_VNET_TABLE:a": {"vni": 1}}, 5 ]"#),
        "[1]: 5, expected an object such as {\"DASH_VNET_TABLE:vnet1\": {…}, \"OP\": \"SET\"}"
    );
    assert_eq!(
        bad(r#"[ {"DASH_VNET_TABLE:a": {"vni": 1}, "OP": "PUT"} ]"#),
        "[0].OP: \"PUT\", expected \"SET\" or \"DEL\""
    );
    assert_eq!(
        bad(r#"{ "DASH_VNET_TABLE": {"vni": 1} }"#),
        "DASH_VNET_TABLE: \"DASH_VNET_TABLE\", expected a table and a key with a colon between them"
    );
    assert_eq!(
        bad(r#"{ "DASH_VNET_TABLE:a": 7 }"#),
        "DASH_VNET_TABLE:a: 7, expected an object with the row's fields"
    );
}
