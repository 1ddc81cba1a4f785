//! A VM's policy in VFP's words: the standard layers with their real names (facts 1.2).

use crate::addresses as at;
use gft::{Address, EncapKind, Headers, Prefix, Protocol};
use scenario::host::{Access, Classifier, NsgRule, Policy, RuleDirection};
use std::collections::BTreeMap;
use vfp::{
    Action, AddressTerm, ClassifierChoice, ClassifierKind, CompiledPolicy, Condition, Frontend, Group, Layer,
    LayerId, Mapping, MappingSpace, PolicyError, PoolId, PoolSpec, PortRange, Rule, RuleFlags, SpaceId,
    Unmapped, names,
};

/// The layer of the tenant's ACLs; a policy change replaces it.
pub const ACL: LayerId = LayerId(1);
/// The shared address of source NAT.
pub const SNAT_ADDRESS: Address = Address::v4(20, 0, 1, 1);
/// The first port that source NAT gives out.
const SNAT_FIRST: u16 = 1_024;
/// Filler rules come before a tenant's own, whose priorities end at 4,096.
const FILLER_PRIORITY: u32 = 0;
const OWN_PRIORITY: u32 = 20_000;

/// What stays the same in every group.
#[derive(Clone, Copy)]
struct Maker {
    classifier: ClassifierChoice,
}

fn rule(name: &str, priority: u32, condition: Condition, flags: RuleFlags, action: Action) -> Rule {
    Rule {
        name: name.to_owned(),
        priority,
        condition,
        flags,
        action,
    }
}

impl Maker {
    fn group(self, name: &str, direction: gft::Direction, rules: Vec<Rule>) -> Group {
        Group {
            name: name.to_owned(),
            direction,
            priority: 100,
            condition: None,
            classifier: self.classifier,
            rules,
        }
    }

    fn layer(self, id: LayerId, name: &str, stateful: bool, groups: Vec<Group>) -> Layer {
        Layer {
            id,
            name: name.to_owned(),
            stateful,
            default_allow: true,
            groups,
        }
    }
}

fn to(prefix: Prefix) -> Condition {
    Condition {
        dst: vec![AddressTerm::Prefix(prefix)],
        ..Condition::any()
    }
}

fn one(address: Address) -> Prefix {
    Prefix::new(address, 128)
}

/// The policy of VM `vm` on a host with the provider address `pa`. `added` are rules that came later; `peers` is how many peers
/// in the VNET have a mapping.
///
/// # Errors
/// [`PolicyError`], should the scenario ask for what VFP can't have.
pub fn compile(
    policy: &Policy,
    vm: u32,
    pa: Address,
    peers: u32,
    added: &[NsgRule],
) -> Result<CompiledPolicy, PolicyError> {
    let make = maker(policy);
    let mut layers = vec![
        make.layer(
            LayerId(0),
            names::FW_ADMIN_LAYER_ID,
            false,
            vec![
                make.group("ADMIN_OUT", gft::Direction::Out, vec![allow_all()]),
                make.group("ADMIN_IN", gft::Direction::In, vec![allow_all()]),
            ],
        ),
        acl_layer(policy, added),
    ];
    if policy.meter {
        let meter = rule(
            "METER_ALL",
            100,
            Condition::any(),
            RuleFlags::NONE,
            Action::Meter { class: 1 },
        );
        layers.push(make.layer(
            LayerId(2),
            names::VNET_METER_LAYER_OUT,
            false,
            vec![make.group("METER_OUT", gft::Direction::Out, vec![meter])],
        ));
    }
    layers.push(nat_layer(make, policy, vm));
    if policy.vnet {
        let encap = rule(
            "MAP_VNET",
            100,
            to(at::vnet()),
            RuleFlags::NONE,
            Action::MapEncap {
                space: SpaceId(0),
                kind: EncapKind::Vxlan,
                src: pa,
            },
        );
        let tenant = Condition {
            tni: Some((at::TNI, at::TNI)),
            ..Condition::any()
        };
        let decap = rule("DECAP_VNET", 100, tenant, RuleFlags::NONE, Action::Decap);
        layers.push(make.layer(
            LayerId(4),
            names::VNET_ENCAP_LAYER,
            false,
            vec![
                make.group(names::VNET_GROUP_ENCAP_IPV4_OUT, gft::Direction::Out, vec![encap]),
                make.group("VNET_GROUP_DECAP_IPV4_IN", gft::Direction::In, vec![decap]),
            ],
        ));
        let next_hop = rule(
            "PA_ROUTE_ALL",
            100,
            Condition {
                tni: Some((at::TNI, at::TNI)),
                ..Condition::any()
            },
            RuleFlags::NONE,
            Action::PaRoute {
                next_hop: at::ROUTER_MAC,
            },
        );
        layers.push(make.layer(
            LayerId(5),
            names::VNET_PA_ROUTE_LAYER,
            false,
            vec![make.group("PA_ROUTE_OUT", gft::Direction::Out, vec![next_hop])],
        ));
    }
    let pools = policy.snat.map(|snat| PoolSpec {
        frontends: vec![Frontend {
            address: SNAT_ADDRESS,
            first_port: SNAT_FIRST,
            last_port: SNAT_FIRST + (snat.ports - 1),
            reserved: Vec::new(),
        }],
        ..PoolSpec::default()
    });
    CompiledPolicy::new(vfp::Policy {
        layers,
        tags: BTreeMap::new(),
        spaces: vec![mappings(peers)],
        pools: pools.into_iter().collect(),
    })
}

fn maker(policy: &Policy) -> Maker {
    Maker {
        classifier: match policy.classifier {
            Classifier::Auto => ClassifierChoice::Auto,
            Classifier::List => ClassifierChoice::Fixed(ClassifierKind::List),
        },
    }
}

fn allow_all() -> Rule {
    rule(
        "ALLOW_ALL",
        65_000,
        Condition::any(),
        RuleFlags::NONE,
        Action::Allow,
    )
}

fn mappings(peers: u32) -> MappingSpace {
    let one = |i| {
        let mapping = Mapping {
            pa: at::peer_pa(i),
            ca_mac: at::peer_mac(i),
            pa_mac: at::ROUTER_MAC,
            tni: at::TNI,
        };
        (at::peer(i), mapping)
    };
    MappingSpace {
        name: "VNET".to_owned(),
        unmapped: Unmapped::Drop,
        mappings: (0..peers.min(at::PEERS)).map(one).collect(),
    }
}

/// The tenant's ACLs, both directions, stateful: answers need no rule.
pub fn acl_layer(policy: &Policy, added: &[NsgRule]) -> Layer {
    let make = maker(policy);
    let group = |name: &str, direction, ours: RuleDirection| {
        let mut rules: Vec<Rule> = (0..policy.filler_rules).map(filler).collect();
        let own = policy.nsg.iter().flatten().chain(added);
        rules.extend(own.filter(|rule| rule.direction == ours).map(nsg_rule));
        rules.extend(defaults(ours, policy.nsg.is_some()));
        make.group(name, direction, rules)
    };
    make.layer(
        ACL,
        names::FW_CONTROLLER_LAYER_ID,
        true,
        vec![
            group("ACL_OUT", gft::Direction::Out, RuleDirection::Outbound),
            group("ACL_IN", gft::Direction::In, RuleDirection::Inbound),
        ],
    )
}

/// A rule about addresses that nobody here has: 172.16.0.0/12, each another host and port.
fn filler(i: u32) -> Rule {
    let condition = Condition {
        protocols: vec![Protocol::TCP],
        src: vec![AddressTerm::Prefix(one(Address::from_v4_bits(0xac10_0000 + i)))],
        dst_ports: vec![PortRange::one((i % 60_000) as u16 + 1)],
        ..Condition::any()
    };
    let flags = RuleFlags::STATEFUL;
    rule(
        &format!("OTHER_{i}"),
        FILLER_PRIORITY + i,
        condition,
        flags,
        Action::Allow,
    )
}

fn nsg_rule(from: &NsgRule) -> Rule {
    let protocols = match from.protocol.to_ascii_lowercase().as_str() {
        "tcp" => vec![Protocol::TCP],
        "udp" => vec![Protocol::UDP],
        "icmp" => vec![Protocol::ICMP],
        _ => Vec::new(),
    };
    // A text that is no prefix, which validation refuses, would ask for nothing.
    let prefix = |text: &str| {
        text.parse::<Prefix>()
            .ok()
            .map(AddressTerm::Prefix)
            .into_iter()
            .collect()
    };
    let ports = |(first, last)| {
        if (first, last) == (0, u16::MAX) {
            Vec::new()
        } else {
            vec![PortRange { first, last }]
        }
    };
    let condition = Condition {
        protocols,
        src: prefix(&from.source),
        dst: prefix(&from.destination),
        src_ports: ports(from.source_port_range()),
        dst_ports: ports(from.destination_port_range()),
        ..Condition::any()
    };
    let action = match from.access {
        Access::Allow => Action::Allow,
        Access::Deny => Action::Block,
    };
    let flags = match from.access {
        Access::Allow => RuleFlags::STATEFUL,
        Access::Deny => RuleFlags::TERMINATING,
    };
    rule(
        &from.name,
        OWN_PRIORITY + u32::from(from.priority),
        condition,
        flags,
        action,
    )
}

/// Azure's default rules (facts 6.1); without an NSG everything is allowed.
fn defaults(direction: RuleDirection, nsg: bool) -> Vec<Rule> {
    let (allow, deny) = (RuleFlags::STATEFUL, RuleFlags::TERMINATING);
    let number = |priority: u32| OWN_PRIORITY + priority;
    if !nsg {
        return vec![rule(
            "AllowAll",
            number(65_000),
            Condition::any(),
            allow,
            Action::Allow,
        )];
    }
    let vnet = Condition {
        src: vec![AddressTerm::Prefix(at::vnet())],
        dst: vec![AddressTerm::Prefix(at::vnet())],
        ..Condition::any()
    };
    match direction {
        RuleDirection::Inbound => vec![
            rule("AllowVnetInBound", number(65_000), vnet, allow, Action::Allow),
            rule(
                "DenyAllInBound",
                number(65_500),
                Condition::any(),
                deny,
                Action::Block,
            ),
        ],
        RuleDirection::Outbound => vec![
            rule("AllowVnetOutBound", number(65_000), vnet, allow, Action::Allow),
            rule(
                "AllowInternetOutBound",
                number(65_001),
                Condition::any(),
                allow,
                Action::Allow,
            ),
            rule(
                "DenyAllOutBound",
                number(65_500),
                Condition::any(),
                deny,
                Action::Block,
            ),
        ],
    }
}

/// Between the VM's address and its public one, or the shared one's ports.
fn nat_layer(make: Maker, policy: &Policy, vm: u32) -> Layer {
    let stateful = RuleFlags::STATEFUL;
    let keep = rule(
        names::SLB_DEFAULT_RULE,
        100,
        to(at::vnet()),
        RuleFlags::NONE,
        Action::Allow,
    );
    let out = match policy.snat {
        Some(_) => Action::DynNat { pool: PoolId(0) },
        None => Action::Nat {
            src: Some(at::public(vm)),
            dst: None,
            src_port: None,
            dst_port: None,
        },
    };
    let out = rule("NAT_OUT", 200, Condition::any(), stateful, out);
    let own = Action::Nat {
        src: None,
        dst: Some(at::vm(vm)),
        src_port: None,
        dst_port: None,
    };
    let inbound = rule("NAT_IN", 100, to(one(at::public(vm))), stateful, own);
    make.layer(
        LayerId(3),
        names::SLB_NAT_LAYER,
        true,
        vec![
            make.group("SLB_GROUP_NAT_IPv4_OUT", gft::Direction::Out, vec![keep, out]),
            make.group(names::SLB_GROUP_NAT_IPV4_IN, gft::Direction::In, vec![inbound]),
        ],
    )
}

/// The headers with which a peer's packet for VM `vm` comes in, `tuple` being as the peer's host sends it.
pub fn from_peer(tuple: gft::Tuple, vm: u32, peer: Option<u32>, vnet: bool, pa: Address) -> Headers {
    let encap = gft::Encap {
        kind: EncapKind::Vxlan,
        src: peer.map_or(Address::default(), at::peer_pa),
        dst: pa,
        tni: at::TNI,
        dst_mac: at::ROUTER_MAC,
    };
    Headers {
        encaps: [peer.filter(|_| vnet).map(|_| encap), None],
        src_mac: peer.map_or(at::ROUTER_MAC, at::peer_mac),
        dst_mac: at::vm_mac(vm),
        tuple,
        ttl: 64,
        ..Headers::default()
    }
}
