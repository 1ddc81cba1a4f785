//! Policies that are wrong, each with the message it gives.

use crate::support::{dst_port, group, layer, rule};
use gft::{Address, Direction, Encap, EncapKind, Mac, Transposition};
use std::collections::BTreeMap;
use vfp::{
    Action, AddressRange, AddressTerm, Backend, CompiledPolicy, Condition, Distribution, Frontend, Layer,
    Policy, PoolId, PoolSpec, PortRange, SpaceId, TagId,
};

fn message(policy: Policy) -> String {
    match CompiledPolicy::new(policy) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn of_layers(layers: Vec<Layer>) -> String {
    message(Policy {
        layers,
        ..Policy::default()
    })
}

fn of_rule(stateful: bool, condition: Condition, flags: u32, action: Action) -> String {
    let rules = vec![rule("r", 1, condition, flags, action)];
    of_layers(vec![layer(
        3,
        stateful,
        true,
        vec![group("g", Direction::Out, 1, rules)],
    )])
}

fn backwards() -> AddressRange {
    AddressRange {
        first: Address::v4(10, 0, 0, 9),
        last: Address::v4(10, 0, 0, 1),
    }
}

#[test]
fn tables_and_layers() {
    let many = (0..33).map(|id| layer(id, false, true, Vec::new())).collect();
    assert_eq!(of_layers(many), "policy: 33 layers; at most 32 are possible");
    let far = vec![layer(32, false, true, Vec::new())];
    assert_eq!(
        of_layers(far),
        "layer layer 32: its id is 32; ids go from 0 to 31"
    );
    let twice = vec![
        layer(1, false, true, Vec::new()),
        layer(1, false, true, Vec::new()),
    ];
    assert_eq!(of_layers(twice), "layer layer 1: another layer has id 1 too");
    let groups = (0..1_025)
        .map(|_| group("g", Direction::In, 1, Vec::new()))
        .collect();
    assert_eq!(
        of_layers(vec![layer(0, false, true, groups)]),
        "layer layer 0: 1025 groups; at most 1024 are possible"
    );
    let tags = BTreeMap::from([(TagId(4), vec![backwards()])]);
    let policy = Policy {
        tags,
        ..Policy::default()
    };
    assert_eq!(
        message(policy),
        "tag 4: range 10.0.0.9-10.0.0.1 ends before it begins"
    );
    let pool = |frontends| Policy {
        pools: vec![PoolSpec {
            name: "p".into(),
            frontends,
        }],
        ..Policy::default()
    };
    assert_eq!(
        message(pool(Vec::new())),
        "SNAT pool p: it has no frontend address"
    );
    let ports = |first_port, last_port| {
        vec![Frontend {
            address: Address::v4(20, 0, 0, 1),
            first_port,
            last_port,
            reserved: Vec::new(),
        }]
    };
    let wrong = "SNAT pool p: ports 9 to 8 of 20.0.0.1; expected 1 to 65535, lower first";
    assert_eq!(message(pool(ports(9, 8))), wrong);
    let zero = "SNAT pool p: ports 0 to 8 of 20.0.0.1; expected 1 to 65535, lower first";
    assert_eq!(message(pool(ports(0, 8))), zero);
}

#[test]
fn conditions() {
    let of = |condition| of_rule(false, condition, 0, Action::Allow);
    let place = "layer layer 3, group g, rule r: ";
    let ports = Condition {
        src_ports: vec![PortRange { first: 9, last: 8 }],
        ..Condition::any()
    };
    assert_eq!(of(ports), format!("{place}port range 9-8 ends before it begins"));
    let range = Condition {
        dst: vec![AddressTerm::Range(backwards())],
        ..Condition::any()
    };
    assert_eq!(
        of(range),
        format!("{place}address range 10.0.0.9-10.0.0.1 ends before it begins")
    );
    let tag = Condition {
        src: vec![AddressTerm::Tag(TagId(7))],
        ..Condition::any()
    };
    assert_eq!(of(tag), format!("{place}tag 7 is not defined"));
    for (first, last) in [(9, 8), (0, 1 << 24)] {
        let tni = Condition {
            tni: Some((first, last)),
            ..Condition::any()
        };
        let expected = format!("{place}TNI {first} to {last}; expected 24-bit numbers, lower first");
        assert_eq!(of(tni.clone()), expected);
        let mut own = group("g", Direction::Out, 1, Vec::new());
        own.condition = Some(tni);
        let expected = expected.replace(", rule r", "");
        assert_eq!(of_layers(vec![layer(3, false, true, vec![own])]), expected);
    }
}

#[test]
fn rules() {
    let of = |flags, action| of_rule(true, Condition::any(), flags, action);
    let place = "layer layer 3, group g, rule r: ";
    let stateful = of_rule(false, dst_port(1), 2, Action::Allow);
    assert_eq!(stateful, format!("{place}a stateful rule needs a stateful layer"));
    let never = format!("{place}it is for SYN only and for all but SYN: it could never match");
    assert_eq!(of(20, Action::Allow), never);
    let kept = |name| format!("{place}{name} keeps a choice for each flow: flag the rule stateful");
    assert_eq!(of(0, Action::DynNat { pool: PoolId(0) }), kept("dynnat"));
    let balance = Action::LbNat {
        backends: vec![Backend {
            dip: Address::v4(10, 0, 0, 1),
            up: true,
        }],
        distribution: Distribution::Default,
        port: None,
    };
    assert_eq!(of(0, balance.clone()), kept("lbnat"));
    assert_eq!(of(2, balance), "no error");
    assert_eq!(
        of(2, Action::DynNat { pool: PoolId(5) }),
        format!("{place}there is no SNAT pool 5")
    );
    let encap = Action::MapEncap {
        space: SpaceId(2),
        kind: EncapKind::Vxlan,
        src: Address::v4(100, 64, 0, 1),
    };
    assert_eq!(of(0, encap), format!("{place}there is no mapping space 2"));
    let wide = Encap {
        kind: EncapKind::Vxlan,
        src: Address::v4(100, 64, 0, 1),
        dst: Address::v4(100, 64, 0, 2),
        tni: 1 << 24,
        dst_mac: Mac(1),
    };
    assert_eq!(
        of(0, Action::RouteEncap(wide)),
        format!("{place}TNI 16777216 has more than 24 bits")
    );
    assert_eq!(
        of(0, Action::Mark { dscp: 64 }),
        format!("{place}DSCP 64; expected 0 to 63")
    );
    let transpose = Action::Transpose(Transposition {
        dscp: Some(64),
        ..Transposition::default()
    });
    assert_eq!(
        of(0, transpose),
        format!("{place}a DSCP has 6 bits: expected 0 to 63")
    );
    assert_eq!(
        of(0, Action::Meter { class: 0 }),
        format!("{place}meter classes go from 1 to 65535")
    );
}
