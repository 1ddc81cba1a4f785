//! Load balancers.

use crate::support::{bad, good, good_with, notes, packet, table, walk, with};
use gft::{Address, Direction};
use imports::azure::balancer::Balancer;
use imports::{Content, Format, Imported, Options};
use vfp::Distribution;

/// A public load balancer in ARM's form, with an outbound rule and an inbound NAT rule (facts/accelnet.md section 6.4).
pub const PUBLIC: &str = r#"{ "name": "web-lb", "type": "Microsoft.Network/loadBalancers", "sku": { "name": "Standard" }, "properties": {
  "frontendIPConfigurations": [ { "name": "fe1", "properties": { "publicIPAddress": { "id": "/s/publicIPAddresses/ip1", "properties": { "ipAddress": "20.30.40.50" } } } } ],
  "backendAddressPools": [ { "name": "be1", "properties": { "loadBalancerBackendAddresses": [
     { "name": "a", "properties": { "ipAddress": "10.0.0.4" } }, { "name": "b", "properties": { "ipAddress": "10.0.0.5" } } ] } } ],
  "loadBalancingRules": [ { "name": "lbr-443", "properties": { "protocol": "Tcp", "frontendPort": 443, "backendPort": 8443, "idleTimeoutInMinutes": 4,
     "enableFloatingIP": false, "enableTcpReset": false, "disableOutboundSnat": true, "loadDistribution": "SourceIP",
     "frontendIPConfiguration": {"id": "/s/frontendIPConfigurations/fe1"}, "backendAddressPool": {"id": "/s/backendAddressPools/be1"}, "probe": {"id": "/s/probes/p1"} } } ],
  "inboundNatRules": [ { "name": "ssh", "properties": { "protocol": "Tcp", "frontendPort": 50001, "backendPort": 22,
     "frontendIPConfiguration": {"id": "/s/frontendIPConfigurations/fe1"} } } ],
  "outboundRules": [ { "name": "out", "properties": { "protocol": "All", "allocatedOutboundPorts": 2048,
     "frontendIPConfigurations": [ {"id": "/s/frontendIPConfigurations/fe1"} ], "backendAddressPool": {"id": "/s/backendAddressPools/be1"} } } ],
  "probes": [ { "name": "p1" } ] } }"#;

fn balancers(imported: &Imported) -> &[Balancer] {
    match &imported.content {
        Content::LoadBalancers(balancers) => balancers,
        other => panic!("{other:?}"),
    }
}

fn address(text: &str) -> Address {
    text.parse().unwrap()
}

#[test]
fn arms_form() {
    let imported = good(PUBLIC);
    assert_eq!(imported.format, Format::LoadBalancers);
    let [own] = balancers(&imported) else { panic!() };
    assert_eq!(own.frontends[0].address, Some(address("20.30.40.50")));
    assert_eq!(own.pools[0].addresses, [address("10.0.0.4"), address("10.0.0.5")]);
    let rule = &own.rules[0];
    assert_eq!(
        (rule.frontend.as_str(), rule.pool.as_deref()),
        ("fe1", Some("be1"))
    );
    assert_eq!((rule.frontend_port, rule.backend_port), (443, 8443));
    assert_eq!(rule.distribution, Distribution::SourceIp);
    assert_eq!(
        (rule.idle_minutes, rule.tcp_reset, rule.floating_ip),
        (4, false, false)
    );
    assert_eq!(
        (own.nat_rules[0].frontend_port, own.nat_rules[0].backend_port),
        (50_001, 22)
    );
    assert_eq!(own.outbound_rules[0].ports, Some(2048));
}

/// A client's packet to the address goes to one of the backends, on their port; anything else passes as it is.
#[test]
fn a_client_is_balanced() {
    let imported = good(PUBLIC);
    let policy = &imported.policies[0].policy;
    let to = |text| walk(policy, &packet(text), Direction::Out).after.tuple;
    let balanced = to("tcp 10.0.0.9 50000 20.30.40.50 443");
    assert!([address("10.0.0.4"), address("10.0.0.5")].contains(&balanced.dst));
    assert_eq!(balanced.dst_port, 8443);
    let other = to("tcp 10.0.0.9 50000 20.30.40.50 80");
    assert_eq!((other.dst, other.dst_port), (address("20.30.40.50"), 80));
    let found = notes(&imported);
    for expected in [
        "the load balancer: the VM's address is not given: the VM is taken as a client of the load-balanced addresses, not as one of their backends",
        "NAT rule ssh: the rule is not used: it leads to one VM, whose address is not given (or its frontend is not in this input)",
        "properties.probes: probes are not used: every backend is taken to be up",
    ] {
        assert!(found.contains(&expected.into()), "{expected} not in {found:#?}");
    }
}

/// A backend's inbound packets come to it, and what it sends to the Internet leaves by its own ports of the frontend.
#[test]
fn a_backend_is_served() {
    let options = Options {
        vm: vec![address("10.0.0.5")],
        ..Options::default()
    };
    let policy = &good_with(PUBLIC, &options).policies[0].policy;
    let inbound = |text| walk(policy, &packet(text), Direction::In).after.tuple;
    let served = inbound("tcp 9.9.9.9 50000 20.30.40.50 443");
    assert_eq!((served.dst, served.dst_port), (address("10.0.0.5"), 8443));
    let ssh = inbound("tcp 9.9.9.9 50000 20.30.40.50 50001");
    assert_eq!((ssh.dst, ssh.dst_port), (address("10.0.0.5"), 22));
    let out = walk(policy, &packet("tcp 10.0.0.5 50000 9.9.9.9 443"), Direction::Out)
        .after
        .tuple;
    assert_eq!(out.src, address("20.30.40.50"));
    assert!((1024..1024 + 2048).contains(&out.src_port), "{}", out.src_port);
}

/// Azure refuses a second rule with the same frontend, protocol and port; where one is there, the first counts.
#[test]
fn a_doubled_rule_is_noted() {
    let rule = r#"{ "name": "a", "protocol": "Tcp", "frontendPort": 443, "backendPort": 1, "frontendIPConfiguration": { "id": "fe" }, "backendAddressPool": { "id": "be" } }"#;
    let second = rule
        .replace("\"a\"", "\"b\"")
        .replace("\"backendPort\": 1", "\"backendPort\": 2");
    let text = format!(
        r#"{{ "name": "lb", "frontendIPConfigurations": [ {{ "name": "fe", "privateIPAddress": "10.0.0.10" }} ],
            "backendAddressPools": [ {{ "name": "be", "loadBalancerBackendAddresses": [ {{ "name": "m", "ipAddress": "10.0.0.4" }} ] }} ],
            "loadBalancingRules": [ {rule}, {second} ] }}"#
    );
    let imported = good(&text);
    let policy = &imported.policies[0].policy;
    let to = walk(policy, &packet("tcp 10.0.0.9 5 10.0.0.10 443"), Direction::Out);
    assert_eq!(to.after.tuple.dst_port, 1);
    let expected = "rule b: the load-balancing rule is not used: a rule before it has the same frontend, protocol and port";
    assert!(
        notes(&imported).contains(&expected.into()),
        "{:#?}",
        imported.notes
    );
}

/// The command line's flat form; addresses that are resources of their own are stood in for, which is said.
#[test]
fn the_command_lines_form() {
    let flat = r#"[ { "name": "lb", "frontendIPConfigurations": [ { "name": "fe", "publicIPAddress": { "id": "/s/publicIPAddresses/ip" }, "privateIPAllocationMethod": "Dynamic" } ],
       "backendAddressPools": [ { "name": "be", "backendIPConfigurations": [ { "id": "/s/nic1/ip" }, { "id": "/s/nic2/ip" } ], "loadBalancerBackendAddresses": [] } ],
       "loadBalancingRules": [ { "name": "r", "protocol": "All", "frontendPort": 0, "backendPort": 0, "loadDistribution": "Default", "enableTcpReset": true,
         "frontendIPConfiguration": { "id": "/s/frontendIPConfigurations/fe" }, "backendAddressPools": [ { "id": "/s/backendAddressPools/be" } ] } ] } ]"#;
    let imported = good(flat);
    let policy = &imported.policies[0].policy;
    let to = walk(
        policy,
        &packet("udp 10.0.0.9 50000 203.0.113.1 53"),
        Direction::Out,
    )
    .after
    .tuple;
    assert!([address("10.0.0.4"), address("10.0.0.5")].contains(&to.dst));
    assert_eq!(to.dst_port, 53, "port 0 stands for the same port");
    let found = notes(&imported);
    for expected in [
        "frontend fe: its address is a resource of its own, which is not in this input: 203.0.113.1 is taken",
        "backend pool be: the addresses of 2 members are resources of their own, which are not in this input: 2 addresses from 10.0.0.4 on are taken",
        "rule r: idle timeout 4 minutes, TCP reset true: flows end by the port's timers, which are settings and no policy",
    ] {
        assert!(found.contains(&expected.into()), "{expected} not in {found:#?}");
    }
    // The addresses can be given by the resources' names.
    let options = Options {
        tags: [
            ("fe".to_owned(), vec!["8.9.10.11".parse().unwrap()]),
            ("be".to_owned(), vec!["10.7.0.1".parse().unwrap()]),
        ]
        .into(),
        ..Options::default()
    };
    let policy = &good_with(flat, &options).policies[0].policy;
    let to = walk(policy, &packet("udp 10.0.0.9 50000 8.9.10.11 53"), Direction::Out)
        .after
        .tuple;
    assert_eq!(to.dst, address("10.7.0.1"));
}

/// `az network lb rule list` has neither frontends nor pools.
#[test]
fn rules_alone_cannot_be_used() {
    let list = r#"[ { "name": "r", "protocol": "Tcp", "frontendPort": 80, "backendPort": 80,
        "frontendIPConfiguration": { "id": "/s/fe" }, "backendAddressPool": { "id": "/s/be" } } ]"#;
    let imported = good(list);
    assert_eq!(balancers(&imported)[0].rules.len(), 1);
    assert_eq!(
        notes(&imported),
        ["rule r: the load-balancing rule is not used: its frontend is not in this input"]
    );
}

#[test]
fn bad_balancers() {
    let rule = "properties.loadBalancingRules[0].properties";
    let rows: [(&str, &str, String); 16] = [
        ("\"20.30.40.50\"", "\"20.30.40\"", "properties.frontendIPConfigurations[0].properties.publicIPAddress.properties.ipAddress: \"20.30.40\", expected an IPv4 or IPv6 address".into()),
        ("\"10.0.0.5\"", "5", "properties.backendAddressPools[0].properties.loadBalancerBackendAddresses[1].properties.ipAddress: 5, expected an IPv4 or IPv6 address".into()),
        ("\"Tcp\", \"frontendPort\": 443", "\"Sctp\", \"frontendPort\": 443", format!("{rule}.protocol: \"Sctp\", expected Tcp, Udp or All")),
        ("\"protocol\": \"Tcp\", \"frontendPort\": 443", "\"frontendPort\": 443", format!("{rule}: there is no \"protocol\", expected Tcp, Udp or All")),
        ("443, \"backendPort\"", "65535, \"backendPort\"", format!("{rule}.frontendPort: 65535, expected a port from 0 to 65534")),
        ("8443", "65536", format!("{rule}.backendPort: 65536, expected a port from 0 to 65535")),
        ("\"backendPort\": 8443, ", "", format!("{rule}: there is no \"backendPort\", expected a port")),
        ("\"idleTimeoutInMinutes\": 4", "\"idleTimeoutInMinutes\": 3", format!("{rule}.idleTimeoutInMinutes: 3, expected a whole number of minutes from 4 to 120")),
        ("\"enableFloatingIP\": false", "\"enableFloatingIP\": \"no\"", format!("{rule}.enableFloatingIP: \"no\", expected true or false")),
        ("\"SourceIP\"", "\"RoundRobin\"", format!("{rule}.loadDistribution: \"RoundRobin\", expected Default, SourceIP or SourceIPProtocol")),
        ("\"SourceIP\",\n     \"frontendIPConfiguration\": {\"id\": \"/s/frontendIPConfigurations/fe1\"}", "\"SourceIP\",\n     \"frontendIPConfiguration\": {\"name\": \"fe1\"}", format!("{rule}.frontendIPConfiguration: there is no \"id\", expected the resource's ID")),
        ("\"backendAddressPool\": {\"id\": \"/s/backendAddressPools/be1\"}, \"probe\"", "\"backendAddressPool\": \"be1\", \"probe\"", format!("{rule}.backendAddressPool: \"be1\", expected an object with the resource's \"id\"")),
        ("50001", "-1", "properties.inboundNatRules[0].properties.frontendPort: -1, expected a port from 0 to 65534".into()),
        ("2048", "64001", "properties.outboundRules[0].properties.allocatedOutboundPorts: 64001, expected a number of ports from 0 to 64000".into()),
        ("[ {\"id\": \"/s/frontendIPConfigurations/fe1\"} ]", "{}", "properties.outboundRules[0].properties.frontendIPConfigurations: an object, expected a list of references".into()),
        ("\"name\": \"web-lb\"", "\"name\": 5", "name: 5, expected a name".into()),
    ];
    let rows: Vec<(&str, &str, &str)> = rows.iter().map(|(a, b, c)| (*a, *b, c.as_str())).collect();
    table(PUBLIC, &rows);
}

#[test]
fn bad_structures() {
    assert_eq!(
        bad(r#"{ "type": "Microsoft.Network/loadBalancers" }"#),
        "there is no \"frontendIPConfigurations\", expected the list of frontends"
    );
    assert_eq!(
        bad(r#"{ "frontendIPConfigurations": 1 }"#),
        "frontendIPConfigurations: 1, expected a list of frontends"
    );
    assert_eq!(
        bad(r#"{ "frontendIPConfigurations": [], "loadBalancingRules": [ "r" ] }"#),
        "loadBalancingRules[0]: \"r\", expected an object"
    );
    let many = format!(
        r#"{{ "frontendIPConfigurations": [{}] }}"#,
        vec!["{}"; 5_001].join(",")
    );
    assert_eq!(
        bad(&many),
        "frontendIPConfigurations: 5001 entries, expected at most 5000"
    );
    let other = with(
        PUBLIC,
        "\"properties\": {\n  \"frontendIPConfigurations\"",
        "\"properties\": {\n  \"frontends\"",
    );
    assert_eq!(
        bad(&other),
        "properties: there is no \"frontendIPConfigurations\", expected the list of frontends"
    );
}
