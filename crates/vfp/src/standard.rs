//! The stack of a VM in a virtual network: the standard layers with their real names, in the order that the paper is
//! remembered to give as its example (access control, metering, NAT, encapsulation; facts/accelnet.md, section 1.3).

use crate::names::{
    SLB_DEFAULT_RULE, SLB_GROUP_NAT_IPV4_IN, SLB_NAT_LAYER, VNET_ENCAP_LAYER, VNET_GROUP_ENCAP_IPV4_OUT,
    VNET_MAC_REWRITE_LAYER, VNET_METER_LAYER_OUT, VNET_PA_ROUTE_LAYER,
};
use crate::nsg::{INTERNET, VIRTUAL_NETWORK, standard_tags};
use crate::{
    Action, AddressTerm, Backend, ClassifierChoice, Condition, Distribution, Group, Layer, LayerId,
    MappingSpace, Policy, PoolId, PoolSpec, PortRange, Rule, RuleFlags, SpaceId,
};
use gft::{Address, Direction, EncapKind, Mac, Prefix, Protocol, Transposition};

/// Ids of the standard layers.
pub mod layer {
    use crate::LayerId;

    /// Access control. It comes first: [`crate::nsg::acl_layer`] makes it.
    pub const ACL: LayerId = LayerId(0);
    /// Metering.
    pub const METER: LayerId = LayerId(1);
    /// Load balancing and NAT.
    pub const NAT: LayerId = LayerId(2);
    /// MAC addresses.
    pub const MAC_REWRITE: LayerId = LayerId(3);
    /// Encapsulation.
    pub const ENCAP: LayerId = LayerId(4);
    /// The next hop.
    pub const PA_ROUTE: LayerId = LayerId(5);
}

/// Meter class of what stays in the virtual network (our choice).
pub const METER_VNET: u16 = 1;
/// Meter class of what goes to or comes from the Internet (our choice).
pub const METER_INTERNET: u16 = 2;

/// A load-balanced address that this VM is a backend of: packets for it come here, and its answers leave with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboundNat {
    /// The rule's name.
    pub name: String,
    /// TCP or UDP; `None` for all protocols.
    pub protocol: Option<Protocol>,
    /// The public (or internal load balancer's) address.
    pub vip: Address,
    /// Its port; `None` for all.
    pub vip_port: Option<u16>,
    /// The VM's port; `None` leaves it.
    pub port: Option<u16>,
}

/// A load-balanced address that this VM is a client of: its packets go straight to one of the backends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboundBalance {
    /// The rule's name.
    pub name: String,
    /// TCP or UDP; `None` for all protocols.
    pub protocol: Option<Protocol>,
    /// The load balancer's address.
    pub vip: Address,
    /// Its port; `None` for all.
    pub vip_port: Option<u16>,
    /// The backends.
    pub backends: Vec<Backend>,
    /// Fields that choose.
    pub distribution: Distribution,
    /// The backends' port; `None` leaves it.
    pub port: Option<u16>,
}

/// A VM in a virtual network, as its policy sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vm {
    /// Its address (CA, DIP).
    pub address: Address,
    /// Its MAC address.
    pub mac: Mac,
    /// The virtual network's prefixes.
    pub vnet: Vec<Prefix>,
    /// Tenant network identifier, 24 bits.
    pub tni: u32,
    /// How packets are encapsulated.
    pub encap: EncapKind,
    /// Its host's address (PA).
    pub host: Address,
    /// MAC address of the host's next hop.
    pub next_hop: Mac,
    /// MAC address that the VM sees as the sender of what comes from elsewhere (the virtual router).
    pub router_mac: Mac,
    /// Access control.
    pub acl: Layer,
    /// Load-balanced addresses that it serves.
    pub inbound_nat: Vec<InboundNat>,
    /// Load-balanced addresses that it uses.
    pub outbound_balance: Vec<OutboundBalance>,
    /// Its ports of public addresses for connections to the Internet.
    pub snat: Option<PoolSpec>,
    /// Where the virtual network's addresses live.
    pub mappings: MappingSpace,
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

fn group(name: &str, direction: Direction, rules: Vec<Rule>) -> Group {
    Group {
        name: name.to_owned(),
        direction,
        priority: 0,
        condition: None,
        classifier: ClassifierChoice::Auto,
        rules,
    }
}

fn layer_of(id: LayerId, name: &str, stateful: bool, groups: Vec<Group>) -> Layer {
    Layer {
        id,
        name: name.to_owned(),
        stateful,
        default_allow: true,
        groups,
    }
}

fn to(terms: impl IntoIterator<Item = AddressTerm>) -> Condition {
    Condition {
        dst: terms.into_iter().collect(),
        ..Condition::any()
    }
}

fn from(terms: impl IntoIterator<Item = AddressTerm>) -> Condition {
    Condition {
        src: terms.into_iter().collect(),
        ..Condition::any()
    }
}

fn frontend(protocol: Option<Protocol>, vip: Address, port: Option<u16>) -> Condition {
    Condition {
        protocols: protocol.into_iter().collect(),
        dst: vec![Prefix::new(vip, 128).into()],
        dst_ports: port.map(PortRange::one).into_iter().collect(),
        ..Condition::any()
    }
}

impl Vm {
    /// Its policy.
    pub fn policy(&self) -> Policy {
        Policy {
            layers: vec![
                self.acl.clone(),
                Vm::meter(),
                self.nat(),
                self.mac_rewrite(),
                self.encapsulation(),
                self.route(),
            ],
            tags: standard_tags(&self.vnet),
            spaces: vec![self.mappings.clone()],
            pools: self.snat.iter().cloned().collect(),
        }
    }

    fn meter() -> Layer {
        let meter = |class| Action::Meter { class };
        let vnet = || [AddressTerm::Tag(VIRTUAL_NETWORK)];
        let rules = |near: Condition| {
            vec![
                rule("virtual network", 1, near, RuleFlags::NONE, meter(METER_VNET)),
                rule(
                    "Internet",
                    2,
                    Condition::any(),
                    RuleFlags::NONE,
                    meter(METER_INTERNET),
                ),
            ]
        };
        let groups = vec![
            group("meter out", Direction::Out, rules(to(vnet()))),
            group("meter in", Direction::In, rules(from(vnet()))),
        ];
        layer_of(layer::METER, VNET_METER_LAYER_OUT, false, groups)
    }

    fn nat(&self) -> Layer {
        let mut inbound = Vec::new();
        for (nat, priority) in self.inbound_nat.iter().zip(1..) {
            let action = Action::Nat {
                src: None,
                dst: Some(self.address),
                src_port: None,
                dst_port: nat.port,
            };
            let condition = frontend(nat.protocol, nat.vip, nat.vip_port);
            inbound.push(rule(&nat.name, priority, condition, RuleFlags::STATEFUL, action));
        }
        let mut outbound = Vec::new();
        for (balance, priority) in self.outbound_balance.iter().zip(1..) {
            let action = Action::LbNat {
                backends: balance.backends.clone(),
                distribution: balance.distribution,
                port: balance.port,
            };
            let condition = frontend(balance.protocol, balance.vip, balance.vip_port);
            outbound.push(rule(
                &balance.name,
                priority,
                condition,
                RuleFlags::STATEFUL,
                action,
            ));
        }
        if self.snat.is_some() {
            let condition = to([AddressTerm::Tag(INTERNET)]);
            let action = Action::DynNat { pool: PoolId(0) };
            outbound.push(rule(
                SLB_DEFAULT_RULE,
                u32::MAX,
                condition,
                RuleFlags::STATEFUL,
                action,
            ));
        }
        let groups = vec![
            group("SLB_GROUP_NAT_OUT", Direction::Out, outbound),
            group(SLB_GROUP_NAT_IPV4_IN, Direction::In, inbound),
        ];
        layer_of(layer::NAT, SLB_NAT_LAYER, true, groups)
    }

    fn mac_rewrite(&self) -> Layer {
        let action = Action::Transpose(Transposition {
            src_mac: Some(self.router_mac),
            dst_mac: Some(self.mac),
            ..Transposition::default()
        });
        let rules = vec![rule("to the VM", 1, Condition::any(), RuleFlags::NONE, action)];
        let groups = vec![group("MAC rewrite in", Direction::In, rules)];
        layer_of(layer::MAC_REWRITE, VNET_MAC_REWRITE_LAYER, false, groups)
    }

    fn encapsulation(&self) -> Layer {
        let encap = Action::MapEncap {
            space: SpaceId(0),
            kind: self.encap,
            src: self.host,
        };
        let vnet = to([AddressTerm::Tag(VIRTUAL_NETWORK)]);
        let own = Condition {
            tni: Some((self.tni, self.tni)),
            ..Condition::any()
        };
        let out = vec![rule("virtual network", 1, vnet, RuleFlags::NONE, encap)];
        let back = vec![rule("own TNI", 1, own, RuleFlags::NONE, Action::Decap)];
        let groups = vec![
            group(VNET_GROUP_ENCAP_IPV4_OUT, Direction::Out, out),
            group("VNET_GROUP_DECAP_IN", Direction::In, back),
        ];
        layer_of(layer::ENCAP, VNET_ENCAP_LAYER, false, groups)
    }

    fn route(&self) -> Layer {
        let action = Action::PaRoute {
            next_hop: self.next_hop,
        };
        let rules = vec![rule("next hop", 1, Condition::any(), RuleFlags::NONE, action)];
        let groups = vec![group("PA route out", Direction::Out, rules)];
        layer_of(layer::PA_ROUTE, VNET_PA_ROUTE_LAYER, false, groups)
    }
}
