//! Host scenarios: form, bounds, presets.

use scenario::host::{Host, HostScenario, PARAMETERS, Vm, host_presets};
use std::collections::BTreeSet;

const LEAST: &str = r#"{ "version": 1, "until": "1ms", "host": {}, "vms": [{}], "traffic": [] }"#;

fn with(fields: &str) -> String {
    LEAST.replacen("\"traffic\": []", fields, 1)
}

fn problems(text: &str) -> Vec<String> {
    let scenario = HostScenario::from_json(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let found = scenario.validate().err().unwrap_or_default();
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn the_least_scenario_has_every_default() {
    let scenario = HostScenario::from_json(LEAST).unwrap();
    assert_eq!(scenario.validate(), Ok(()));
    assert_eq!(
        (&scenario.host, &scenario.vms[0]),
        (&Host::default(), &Vm::default())
    );
    assert_eq!(
        scenario.to_json_compact(),
        r#"{"host":{},"traffic":[],"until":"1ms","version":1,"vms":[{}]}"#
    );
    assert!(HostScenario::is_meant_by(LEAST) && !HostScenario::is_meant_by("{\"fabric\": {}}"));
}

#[test]
fn what_is_written_comes_back() {
    let text = with(
        r#""traffic": [
            { "kind": "ping", "vm": 0, "count": 3 },
            { "kind": "stream", "vm": 0, "from": "peer", "bytes": "1MB" },
            { "kind": "connections", "vm": 0, "per_second": 0.1, "hold": "1ms", "internet": true, "stop": "5ms" },
            { "kind": "syn_flood", "vm": 0, "per_second": 1e5, "sources": 16 },
            { "kind": "flows", "vm": 0, "flows": 10, "per_second": 1000, "skew": 1.1, "warm": true },
            { "kind": "replay", "vm": 0, "flows": [
                { "at": "1us", "from": "vm", "peer": "10.1.128.1", "peer_port": 53, "vm_port": 4000, "packets": 3, "bytes": 90 } ] },
            { "kind": "rdma", "vm": 0, "bytes": "1MiB" },
            { "kind": "attack", "vm": 0, "attempt": "tenant_from_wire", "per_second": 10, "start": "1us", "stop": "2us" } ],
          "events": [
            { "kind": "policy_change", "at": "1us", "vm": 0, "add": [ { "name": "x", "priority": 200, "direction": "inbound", "access": "deny" } ] },
            { "kind": "vf_revoke", "at": "1us", "duration": "1ms" },
            { "kind": "fpga_reconfig", "at": "2us", "duration": "2ms", "wire_outage": "1ms" },
            { "kind": "driver_update", "at": "2us", "duration": "2ms" },
            { "kind": "migrate", "at": "2us", "vm": 0, "carry_state": false },
            { "kind": "vf_storm", "at": "2us", "vm": 0, "count": 3, "period": "3ms", "duration": "2ms" } ]"#,
    )
    .replacen(
        r#""host": {}"#,
        r#""host": { "nic": { "l1_ways": 2, "l1_partitions": 4, "hash_key": "secret" }, "guard": { "tenant": false, "guest_encap": "parse" }, "defences": { "syn_rate_limit": { "per_second": 100, "burst": 10, "per": "source" } } }"#,
        1,
    );
    let scenario = HostScenario::from_json(&text).unwrap();
    assert_eq!(scenario.validate(), Ok(()));
    for text in [scenario.to_json_compact(), scenario.to_json_pretty()] {
        assert_eq!(HostScenario::from_json(&text).as_ref(), Ok(&scenario), "{text}");
    }
    assert_eq!(scenario.host.nic.l1_ways, 2);
}

#[test]
fn every_bound_is_kept_and_named() {
    let cases = [
        (
            r#""traffic": [{ "kind": "ping", "vm": 1, "count": 1 }]"#,
            "traffic[0].vm: is 1; expected 0 to 0",
        ),
        (
            r#""traffic": [{ "kind": "ping", "vm": 0, "count": 0 }]"#,
            "traffic[0].count: is 0; expected 1 to 10000000",
        ),
        (
            r#""traffic": [{ "kind": "connections", "vm": 0, "per_second": 0 }]"#,
            "traffic[0].per_second: is 0; expected a number above 0 and up to 10000000",
        ),
        (
            r#""traffic": [{ "kind": "connections", "vm": 0, "per_second": 1, "response": 5 }]"#,
            "traffic[0].response: is 5, and nothing is asked; expected 0, or a request above 0",
        ),
        (
            r#""traffic": [{ "kind": "flows", "vm": 0, "flows": 1, "per_second": 1, "skew": 4 }]"#,
            "traffic[0].skew: is 4; expected 0 to 3 (the exponent of Zipf's law)",
        ),
        (
            r#""traffic": [{ "kind": "flows", "vm": 0, "flows": 500001, "per_second": 1, "warm": true }]"#,
            "traffic[0].flows: is 500001, and the VM may have 500000 conversations at a time (each has two of its limits.total)",
        ),
        (
            r#""traffic": [{ "kind": "syn_flood", "vm": 0, "per_second": 1, "sources": 1, "start": "2ms", "stop": "1ms" }]"#,
            "traffic[0].stop: is 1 ms; expected 2 ms to 1000 s (not before its start)",
        ),
        (
            r#""traffic": [], "events": [{ "kind": "fpga_reconfig", "at": "1us", "duration": "1ms", "wire_outage": "2ms" }]"#,
            "events[0].wire_outage: is 2 ms; expected 0 ps to 1 ms (a part of the duration)",
        ),
        (
            r#""traffic": [], "events": [{ "kind": "vf_storm", "at": "0", "vm": 0, "count": 1, "period": "1ms", "duration": "2ms" }]"#,
            "events[0].period: is 1 ms; expected 2 ms to 1000 s (not shorter than the duration)",
        ),
    ];
    for (fields, expected) in cases {
        assert_eq!(problems(&with(fields)), [expected]);
    }
    let hosts = [
        (
            r#"{ "nic": { "l1_partitions": 3 } }"#,
            "host.nic.l1_partitions: is 3; expected a power of two up to the number of sets",
        ),
        (
            r#"{ "nic": { "l1_entries": 16, "l1_ways": 4, "l1_partitions": 8 } }"#,
            "host.nic.l1_partitions: is 8; expected a power of two up to the number of sets",
        ),
        (
            r#"{ "nic": { "l1_partitions": 128 } }"#,
            "host.nic.l1_partitions: is 128; expected 1 to 64 (a power of two)",
        ),
        (
            r#"{ "nic": { "l2_entries": 1000 } }"#,
            "host.nic.l2_entries: is 1000, which is no power of two (sets are chosen by bits of the hash)",
        ),
        (
            r#"{ "software": { "cores": 2, "exception_cores": 3 } }"#,
            "host.software.exception_cores: is 3; expected 1 to 2 (at most as many as there are cores)",
        ),
        (
            r#"{ "latency": { "hardware": { "mean": "10us", "p99": "40us", "p999": "50us" } } }"#,
            "host.latency.hardware.p99: is 40 µs; expected 10 µs to 30 µs (of a distribution with these three figures)",
        ),
        (
            r#"{ "sample": "1ns" }"#,
            "host.sample: is 1 ns; expected 100 ns to 1000 s (at most 10000 points in a run)",
        ),
    ];
    for (host, expected) in hosts {
        assert_eq!(problems(&LEAST.replacen("{}", host, 1)), [expected]);
    }
}

#[test]
fn nsg_rules_are_checked() {
    let text = LEAST.replacen(
        "[{}]",
        r#"[{ "policy": { "nsg": [
            { "name": "a", "priority": 100, "direction": "inbound", "access": "allow", "protocol": "sctp" },
            { "name": "b", "priority": 100, "direction": "inbound", "access": "deny", "source": "10.0.0.0/33" },
            { "name": "c", "priority": 99, "direction": "outbound", "access": "deny", "destination_ports": "90-80" } ] } }]"#,
        1,
    );
    assert_eq!(
        problems(&text),
        [
            "vms[0].policy.nsg[0].protocol: is \"sctp\"; expected tcp, udp, icmp or *",
            "vms[0].policy.nsg[1].priority: is 100, as of another rule of this direction (priorities are unique)",
            "vms[0].policy.nsg[1].source: is \"10.0.0.0/33\"; expected a prefix such as 10.0.0.0/8, or *",
            "vms[0].policy.nsg[2].priority: is 99; expected 100 to 64999 (lower comes first)",
            "vms[0].policy.nsg[2].destination_ports: is \"90-80\"; expected 80, 1000-2000 or *",
        ]
    );
}

#[test]
fn unknown_fields_are_refused_by_name() {
    for (text, name) in [
        (LEAST.replacen("{}", r#"{ "fpga": 1 }"#, 1), "fpga"),
        (
            with(r#""traffic": [{ "kind": "ping", "vm": 0, "count": 1, "size": 3 }]"#),
            "size",
        ),
        (with(r#""traffic": [], "fabric": {}"#), "fabric"),
        (
            with(r#""traffic": [], "events": [{ "kind": "vf_flap", "at": "0" }]"#),
            "vf_flap",
        ),
    ] {
        let message = HostScenario::from_json(&text).unwrap_err().to_string();
        assert!(message.contains(name) && message.contains("line 1"), "{message}");
    }
    assert!(
        HostScenario::from_json(&LEAST.replacen('1', "2", 1))
            .unwrap_err()
            .to_string()
            .contains("version 2")
    );
}

#[test]
fn presets_are_valid_and_explained() {
    let mut slugs = BTreeSet::new();
    for preset in host_presets() {
        let scenario =
            HostScenario::from_json(preset.json).unwrap_or_else(|e| panic!("{}: {e}", preset.slug));
        assert_eq!(scenario.validate(), Ok(()), "{}", preset.slug);
        assert!(
            !scenario.name.is_empty() && scenario.about.len() > 100,
            "{}",
            preset.slug
        );
        assert!(slugs.insert(preset.slug));
    }
}

/// Each path of the table names a field, and each field of the host with a number is in the table.
#[test]
fn parameters_are_the_fields() {
    fn paths(at: &str, value: &serde_json::Value, out: &mut BTreeSet<String>) {
        match value {
            serde_json::Value::Object(fields) => fields
                .iter()
                .for_each(|(name, value)| paths(&format!("{at}.{name}"), value, out)),
            _ => {
                out.insert(at.to_owned());
            }
        }
    }
    let mut fields = BTreeSet::new();
    paths(
        "host",
        &serde_json::to_value(Host::default()).unwrap(),
        &mut fields,
    );
    let listed: BTreeSet<String> = PARAMETERS.iter().map(|p| p.path.to_owned()).collect();
    assert_eq!(listed.len(), PARAMETERS.len());
    let of_host: BTreeSet<String> = listed
        .iter()
        .filter(|p| p.starts_with("host."))
        .cloned()
        .collect();
    assert_eq!(of_host, fields);
    let mut fields = BTreeSet::new();
    paths("vm", &serde_json::to_value(Vm::default()).unwrap(), &mut fields);
    assert!(
        listed
            .iter()
            .filter(|p| p.starts_with("vm."))
            .all(|p| fields.contains(p))
    );
}

/// A link holds a host or a fabric, and says which.
#[test]
fn links_hold_hosts_too() {
    use scenario::link::{Linked, decode, decode_any, encode, encode_host, preset};
    for given in host_presets() {
        let link = encode_host(&given.scenario()).unwrap();
        assert!(link.len() < 2_000, "{} has {} characters", given.slug, link.len());
        assert_eq!(
            decode_any(&format!("#{link}")),
            Ok(Linked::Host(given.scenario())),
            "{}",
            given.slug
        );
        assert!(decode(&link).is_err(), "no fabric");
        let Ok(Linked::Host(seeded)) = decode_any(&preset(given.slug, Some(7))) else {
            panic!("{}", given.slug)
        };
        assert_eq!(seeded.seed, 7);
    }
    let fabric = scenario::presets()[0].scenario();
    let link = encode(&fabric).unwrap();
    assert_eq!(decode_any(&link), Ok(Linked::Fabric(fabric.clone())));
    assert_eq!(decode_any(&preset("link-dies", None)), Ok(Linked::Fabric(fabric)));
    let mut bad = host_presets()[0].scenario();
    bad.vms.clear();
    let message = decode_any(&encode_host(&bad).unwrap()).unwrap_err().to_string();
    assert!(
        message.contains("vms: has 0 entries; expected 1 to 64"),
        "{message}"
    );
    assert!(decode_any("preset/host-nothing").is_err());
    assert!(decode_any("preset/host-latency&seed=x").is_err());
}

const PAGE: &str = include_str!("../../../docs/host.md");

/// docs/host.md has a row for each preset, and no other.
#[test]
fn the_page_lists_the_presets() {
    for preset in host_presets() {
        assert!(
            PAGE.contains(&format!("| `{}` |", preset.slug)),
            "{}",
            preset.slug
        );
    }
    assert_eq!(
        PAGE.lines().filter(|line| line.starts_with("| `host-")).count(),
        host_presets().len()
    );
}

/// The text of a scenario with this in `traffic` and `events`.
fn with_lists(traffic: &str, events: &str) -> String {
    format!(
        "{{ \"version\": 1, \"until\": \"1s\", \"host\": {{}}, \"vms\": [{{}}],\n \"traffic\": [\n  {traffic}\n ], \"events\": [\n  {events}\n ] }}"
    )
}

/// Objects that say their kind are read as a whole; what is wrong in them is named all the same. Lines and columns by hand.
#[test]
fn errors_in_traffic_and_events_name_the_field() {
    let ping = r#"{ "kind": "ping", "vm": 0, "count": 1 }"#;
    for (traffic, events, expected) in [
        (
            r#"{ "kind": "ping", "vm": 0, "count": "many" }"#,
            "",
            "traffic[0].count: line 3, column 44: invalid type: string \"many\", expected a whole number from 0 to 4294967295",
        ),
        (
            r#"{ "kind": "ping", "vm": 0, "count": 1, "colour": 2 }"#,
            "",
            "traffic[0].colour: line 3, column 52: unknown field `colour`, expected one of",
        ),
        (
            r#"{ "kind": "pong", "vm": 0 }"#,
            "",
            "traffic[0].kind: line 3, column 18: unknown variant `pong`",
        ),
        (
            r#"{ "kind": "ping", "count": 1 }"#,
            "",
            "traffic[0]: line 3, column ",
        ),
        (
            r#"{ "kind": "replay", "vm": 0, "flows": [
   { "at": "0", "duration": "0", "from": "vm", "peer": "10.1.128.0", "peer_port": 1, "vm_port": 2, "packets": 1, "bytes": 100 },
   { "at": "0", "duration": "0", "from": "vm", "peer": "10.1.128.0", "peer_port": 70000, "vm_port": 2, "packets": 1, "bytes": 100 } ] }"#,
            "",
            "traffic[0].flows[1].peer_port: line 5, column 87: invalid value: integer `70000`, expected a whole number from 0 to 65535",
        ),
        (
            r#"{ "kind": "ping", "vm": 0, "count": 1e3 }"#,
            "",
            "traffic[0].count: line 3, column 41: invalid type: floating point `1000.0`, expected a whole number from 0 to 4294967295, without a point or an exponent",
        ),
        (
            "5",
            "",
            "traffic[0]: line 3, column 3: invalid type: integer `5`, expected an object with a \"kind\"",
        ),
        (
            ping,
            r#"{ "kind": "vf_revoke", "at": "1ms", "vm": "x" }"#,
            "events[0].vm: line 5, column 47: invalid type: string \"x\"",
        ),
    ] {
        let text = with_lists(traffic, events);
        let error = HostScenario::from_json(&text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
}

/// Fields have names: a list of their values is no object, wherever it stands.
#[test]
fn lists_are_no_objects() {
    let text = |host: &str, vm: &str, flow: &str| {
        format!(
            r#"{{ "version": 1, "until": "1s", "host": {host}, "vms": [{vm}],
 "traffic": [ {{ "kind": "replay", "vm": 0, "flows": [ {flow} ] }} ] }}"#
        )
    };
    let flow = r#"{ "at": "0", "duration": "0", "from": "vm", "peer": "10.1.128.0", "peer_port": 1, "vm_port": 2, "packets": 1, "bytes": 100 }"#;
    HostScenario::from_json(&text("{}", "{}", flow)).unwrap();
    let listed = r#"["0", "0", "vm", "10.1.128.0", 1, 2, 1, 100]"#;
    for (text, path) in [
        (text("[]", "{}", flow), "host: line 1, column "),
        (text("{}", "[]", flow), "vms[0]: line 1, column "),
        (text("{}", "{}", listed), "traffic[0].flows[0]: line 2, column "),
    ] {
        let error = HostScenario::from_json(&text).unwrap_err().to_string();
        assert!(error.starts_with(path), "{error}");
        assert!(error.ends_with("a list, expected an object"), "{error}");
    }
}
