//! Flow logs.

use crate::support::{bad, good, notes, table, with};
use gft::{Direction, Mac, Protocol};
use imports::{Count, Format};

/// A VNet flow log (facts/accelnet.md section 6.5) with a flow that goes on once and one that is refused.
pub const VNET: &str = r#"{ "records": [ { "time": "2026-03-01T10:05:12.1Z", "flowLogVersion": 4, "flowLogGUID": "66a1", "macAddress": "6045BD112233",
  "category": "FlowLogFlowEvent", "flowLogResourceID": "/x/flowLogs/fl1", "targetResourceID": "/x/virtualNetworks/vn1", "operationName": "FlowLogFlowEvent",
  "flowRecords": { "flows": [ { "aclID": "5c11", "flowGroups": [ { "rule": "allow-https",
    "flowTuples": [ "1772359512345,203.0.113.9,10.1.0.4,51000,443,6,I,B,NX,0,0,0,0", "1772359600000,10.1.0.4,198.51.100.7,40000,22,6,O,D,NX,0,0,0,0",
      "1772359752345,203.0.113.9,10.1.0.4,51000,443,6,I,C,NX,10,3000,8,7000", "1772359812345,203.0.113.9,10.1.0.4,51000,443,6,I,E,NX,2,400,1,800" ] } ] } ] } } ] }"#;

/// An NSG flow log of version 2.
const NSG: &str = r#"{ "records": [ { "time": "2026-03-01T10:03:35Z", "systemId": "s1", "macAddress": "6045BD112233", "category": "NetworkSecurityGroupFlowEvent",
  "resourceId": "/X/WEB-NSG", "operationName": "NetworkSecurityGroupFlowEvents", "properties": { "Version": 2, "flows": [
    { "rule": "DefaultRule_Deny", "flows": [ { "mac": "6045BD112233", "flowTuples": [
        "1772359402,198.51.100.9,10.1.0.4,40001,443,U,I,D,B,,,," ] } ] },
    { "rule": "UserRule_web", "flows": [ { "mac": "6045BD112233", "flowTuples": [
        "1772359424,192.0.2.77,10.1.0.4,40002,80,T,I,A,B,,,,",
        "1772359432,192.0.2.77,10.1.0.4,40002,80,T,I,A,E,1,66,2,132" ] } ] } ] } } ] }"#;

#[test]
fn entries_add_up_to_flows() {
    let imported = good(VNET);
    assert_eq!(imported.format, Format::FlowLog);
    let traffic = &imported.traffic;
    // 1772359512345 ms.
    assert_eq!(traffic.origin_ns, 1_772_359_512_345_000_000);
    let [web, refused] = traffic.flows[..] else {
        panic!()
    };
    assert_eq!(
        web.tuple.to_string(),
        "TCP 203.0.113.9 port 51000 to 10.1.0.4 port 443"
    );
    assert_eq!(
        (web.direction, web.mac),
        (Direction::In, Some(Mac(0x6045_bd11_2233)))
    );
    // From the begin to the end: 300 s. 10 + 2 packets forth, 8 + 1 back.
    assert_eq!((web.start_ns, web.duration_ns), (0, 300_000_000_000));
    let count = |packets, bytes| Count { packets, bytes };
    assert_eq!((web.forward, web.backward), (count(12, 3400), count(9, 7800)));
    assert!(web.allowed && !refused.allowed);
    // 1772359600000 − 1772359512345 ms.
    assert_eq!(refused.start_ns, 87_655_000_000);
    assert_eq!(
        (refused.direction, refused.forward),
        (Direction::Out, Count::default())
    );
    assert!(imported.notes.is_empty() || notes(&imported).iter().all(|note| note.contains("says nothing")));
}

#[test]
fn version_2_leaves_counts_out() {
    let traffic = good(NSG).traffic;
    let [refused, web] = traffic.flows[..] else {
        panic!()
    };
    assert!(!refused.allowed && web.allowed);
    assert_eq!(refused.tuple.protocol, Protocol::UDP);
    assert_eq!((web.start_ns, web.duration_ns), (22_000_000_000, 8_000_000_000));
    assert_eq!((web.forward.packets, web.backward.bytes), (1, 132));
}

#[test]
fn version_1_has_eight_fields() {
    let text = with(NSG, "\"Version\": 2", "\"Version\": 1");
    let text = text
        .replace(",U,I,D,B,,,,", ",U,I,D")
        .replace(",T,I,A,B,,,,", ",T,I,A")
        .replace(",T,I,A,E,1,66,2,132", ",T,I,A");
    let traffic = good(&text).traffic;
    assert_eq!(traffic.flows.len(), 3, "each entry is a flow");
    assert!(traffic.flows.iter().all(|flow| flow.forward == Count::default()));
}

#[test]
fn a_flow_from_before_the_log_is_noted() {
    let text = with(VNET, "51000,443,6,I,B,NX,0,0,0,0", "51001,443,6,I,B,NX,0,0,0,0");
    let imported = good(&text);
    assert_eq!(imported.traffic.flows.len(), 3);
    assert!(notes(&imported).contains(
        &"records[0].flowRecords.flows[0].flowGroups[0].flowTuples[2]: a flow goes on that did not begin in this log: \
          it is taken to begin with the first entry that tells of it"
            .into()
    ));
    let text = with(VNET, "I,B,NX", "I,B,NY");
    assert!(notes(&good(&text)).contains(
        &"records[0].flowRecords.flows[0].flowGroups[0].flowTuples[0]: the encryption \"NY\" is not known: encryption does not change the replay".into()
    ));
}

#[test]
fn bad_vnet_logs() {
    let at = "records[0].flowRecords.flows[0].flowGroups[0].flowTuples[0]";
    let time = "milliseconds since 1970, up to the year 2200";
    let begin = "1772359512345,203.0.113.9,10.1.0.4,51000,443,6,I,B,NX,0,0,0,0";
    let rows: [(&str, &str, String); 16] = [
        (begin, "1772359512345,203.0.113.9", format!("{at}: 2 fields in \"1772359512345,203.0.113.9\", expected 13 (VNet flow log version 4)")),
        (begin, "x,203.0.113.9,10.1.0.4,51000,443,6,I,B,NX,0,0,0,0", format!("{at}: field 1 (time) is \"x\", expected {time}")),
        (begin, "7258118400001,203.0.113.9,10.1.0.4,51000,443,6,I,B,NX,0,0,0,0", format!("{at}: field 1 (time) is \"7258118400001\", expected {time}")),
        (begin, "1,203.0.113,10.1.0.4,51000,443,6,I,B,NX,0,0,0,0", format!("{at}: field 2 (source) is \"203.0.113\", expected an IPv4 or IPv6 address")),
        (begin, "1,203.0.113.9,,51000,443,6,I,B,NX,0,0,0,0", format!("{at}: field 3 (destination) is \"\", expected an IPv4 or IPv6 address")),
        (begin, "1,203.0.113.9,10.1.0.4,65536,443,6,I,B,NX,0,0,0,0", format!("{at}: field 4 (source port) is \"65536\", expected 0 to 65535")),
        (begin, "1,203.0.113.9,10.1.0.4,51000,https,6,I,B,NX,0,0,0,0", format!("{at}: field 5 (destination port) is \"https\", expected 0 to 65535")),
        (begin, "1,203.0.113.9,10.1.0.4,51000,443,T,I,B,NX,0,0,0,0", format!("{at}: field 6 (protocol) is \"T\", expected an IP protocol number, 0 to 255")),
        (begin, "1,203.0.113.9,10.1.0.4,51000,443,6,X,B,NX,0,0,0,0", format!("{at}: field 7 (direction) is \"X\", expected I or O")),
        (begin, "1,203.0.113.9,10.1.0.4,51000,443,6,I,A,NX,0,0,0,0", format!("{at}: field 8 (state) is \"A\", expected B, C, E or D")),
        (begin, "1,203.0.113.9,10.1.0.4,51000,443,6,I,B,NX,,0,0,0", format!("{at}: field 10 (packets forth) is \"\", expected a whole number")),
        (begin, "1,203.0.113.9,10.1.0.4,51000,443,6,I,B,NX,0,0,0,-4", format!("{at}: field 13 (bytes back) is \"-4\", expected a whole number")),
        ("\"6045BD112233\"", "\"6045BD11223\"", "records[0].macAddress: \"6045BD11223\", expected a MAC address of 12 hexadecimal digits such as 6045BD112233".into()),
        ("\"flowLogVersion\": 4", "\"flowLogVersion\": 5", "records[0].flowLogVersion: 5, expected the version 4".into()),
        ("\"flowGroups\": [", "\"groups\": [", "records[0].flowRecords.flows[0]: there is no \"flowGroups\", expected the list of groups".into()),
        ("\"flowRecords\": {", "\"flowrecord\": {", "records[0]: there is no \"properties\", expected \"flowRecords\" (VNet flow log) or \"properties\" (NSG flow log)".into()),
    ];
    let rows: Vec<(&str, &str, &str)> = rows.iter().map(|(a, b, c)| (*a, *b, c.as_str())).collect();
    table(VNET, &rows);
}

#[test]
fn bad_nsg_logs() {
    let at = "records[0].properties.flows[1].flows[0].flowTuples[0]";
    let time = "seconds since 1970, up to the year 2200";
    let begin = "1772359424,192.0.2.77,10.1.0.4,40002,80,T,I,A,B,,,,";
    let rows: [(&str, &str, String); 14] = [
        (
            begin,
            "1772359424,192.0.2.77,10.1.0.4,40002,80,T,I,A",
            format!(
                "{at}: 8 fields in \"1772359424,192.0.2.77,10.1.0.4,40002,80,T,I,A\", expected 13 (NSG flow log version 2)"
            ),
        ),
        (
            begin,
            "1772359424000,192.0.2.77,10.1.0.4,40002,80,T,I,A,B,,,,",
            format!("{at}: field 1 (time) is \"1772359424000\", expected {time}"),
        ),
        (
            begin,
            "1,a,10.1.0.4,40002,80,T,I,A,B,,,,",
            format!("{at}: field 2 (source) is \"a\", expected an IPv4 or IPv6 address"),
        ),
        (
            begin,
            "1,192.0.2.77,10.1.0,40002,80,T,I,A,B,,,,",
            format!("{at}: field 3 (destination) is \"10.1.0\", expected an IPv4 or IPv6 address"),
        ),
        (
            begin,
            "1,192.0.2.77,10.1.0.4,,80,T,I,A,B,,,,",
            format!("{at}: field 4 (source port) is \"\", expected 0 to 65535"),
        ),
        (
            begin,
            "1,192.0.2.77,10.1.0.4,5,+80,T,I,A,B,,,,",
            format!("{at}: field 5 (destination port) is \"+80\", expected 0 to 65535"),
        ),
        (
            begin,
            "1,192.0.2.77,10.1.0.4,5,80,6,I,A,B,,,,",
            format!("{at}: field 6 (protocol) is \"6\", expected T or U"),
        ),
        (
            begin,
            "1,192.0.2.77,10.1.0.4,5,80,T,in,A,B,,,,",
            format!("{at}: field 7 (direction) is \"in\", expected I or O"),
        ),
        (
            begin,
            "1,192.0.2.77,10.1.0.4,5,80,T,I,B,B,,,,",
            format!("{at}: field 8 (decision) is \"B\", expected A or D"),
        ),
        (
            begin,
            "1,192.0.2.77,10.1.0.4,5,80,T,I,A,D,,,,",
            format!("{at}: field 9 (state) is \"D\", expected B, C or E"),
        ),
        (
            begin,
            "1,192.0.2.77,10.1.0.4,5,80,T,I,A,B,1,x,,",
            format!("{at}: field 11 (bytes forth) is \"x\", expected a whole number"),
        ),
        (
            "\"Version\": 2",
            "\"Version\": 3",
            "records[0].properties.Version: 3, expected the version from 1 to 2".into(),
        ),
        (
            "\"Version\": 2, ",
            "",
            "records[0].properties: there is no \"Version\", expected 1 or 2".into(),
        ),
        (
            "\"flowTuples\": [\n        \"1772359424",
            "\"flowTuples\": [ 7, \"1772359424",
            format!("{at}: 7, expected a tuple as a text"),
        ),
    ];
    let rows: Vec<(&str, &str, &str)> = rows.iter().map(|(a, b, c)| (*a, *b, c.as_str())).collect();
    table(NSG, &rows);
}

#[test]
fn bad_structures() {
    assert_eq!(
        bad(r#"{ "records": 1 }"#),
        "records: 1, expected a list of records"
    );
    assert_eq!(
        bad(r#"{ "records": [ null ] }"#),
        "records[0]: null, expected an object"
    );
    assert_eq!(
        bad(r#"{ "records": [ { "properties": { "Version": 1, "flows": [ { "rule": "a" } ] } } ] }"#),
        "records[0].properties.flows[0]: there is no \"flows\", expected the list of flows"
    );
    assert_eq!(
        bad(r#"{ "records": [ { "flowRecords": [] } ] }"#),
        "records[0].flowRecords: a list of 0, expected an object with \"flows\""
    );
}
