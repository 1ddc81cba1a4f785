//! Load balancers as VFP's NAT layer.

use super::balancer::{Balancer, BalancerRule};
use crate::node::clip;
use crate::options::Options;
use crate::report::Report;
use gft::{Address, EncapKind, Mac, Prefix};
use std::collections::BTreeMap;
use vfp::standard::{InboundNat, OutboundBalance, Vm, layer};
use vfp::{Backend, Frontend, MappingSpace, Policy, PoolSpec, default_ports};

/// Backends of all rules together (our choice; one pool can stand behind many rules).
const MAX_BACKENDS: usize = 1_000_000;

/// Addresses that the input lacks, from blocks for documentation and the default network (RFC 5737, RFC 1918).
struct Stand {
    frontends: u8,
    members: u8,
}

/// The NAT layer of a VM: one of a pool's members if its address is given in the options, else a client.
pub(crate) fn balancing(balancers: &[Balancer], options: &Options, report: &mut Report) -> Policy {
    let vm = options.vm.first().copied();
    let mut inbound_nat = Vec::new();
    let mut outbound_balance = Vec::new();
    let mut snat = None;
    let mut backends = 0;
    let mut stand = Stand {
        frontends: 0,
        members: 0,
    };
    for balancer in balancers {
        let vips: BTreeMap<&str, Address> = balancer
            .frontends
            .iter()
            .map(|frontend| {
                let address = frontend.address.or_else(|| given(options, &frontend.name));
                let address = address.unwrap_or_else(|| stand.frontend(&frontend.name, report));
                (frontend.name.as_str(), address)
            })
            .collect();
        let pools: BTreeMap<&str, Vec<Address>> = balancer
            .pools
            .iter()
            .map(|pool| {
                let mut members = pool.addresses.clone();
                if let Some(prefixes) = options.tags.get(&pool.name) {
                    members.extend(prefixes.iter().map(|prefix| prefix.first()));
                } else if pool.unknown > 0 {
                    stand.members(&pool.name, pool.unknown, &mut members, report);
                }
                (pool.name.as_str(), members)
            })
            .collect();
        for rule in &balancer.rules {
            let Some(&vip) = vips.get(rule.frontend.as_str()) else {
                unusable(rule, "its frontend is not in this input", report);
                continue;
            };
            let members = rule.pool.as_deref().and_then(|pool| pools.get(pool));
            let Some(members) = members.filter(|members| !members.is_empty()) else {
                unusable(
                    rule,
                    "its backend pool is not in this input or has no members",
                    report,
                );
                continue;
            };
            let vip_port = (rule.frontend_port != 0).then_some(rule.frontend_port);
            let port = (rule.backend_port != 0).then_some(rule.backend_port);
            if vm.is_some_and(|vm| members.contains(&vm)) {
                if rule.floating_ip {
                    unusable(
                        rule,
                        "with a floating IP the VM has the frontend's address itself",
                        report,
                    );
                    continue;
                }
                inbound_nat.push(InboundNat {
                    name: rule.name.clone(),
                    protocol: rule.protocol,
                    vip,
                    vip_port,
                    port,
                });
            } else {
                backends += members.len();
                if backends > MAX_BACKENDS {
                    unusable(rule, "the rules together have more than 1000000 backends", report);
                    continue;
                }
                outbound_balance.push(OutboundBalance {
                    name: rule.name.clone(),
                    protocol: rule.protocol,
                    vip,
                    vip_port,
                    backends: members.iter().map(|&dip| Backend { dip, up: true }).collect(),
                    distribution: rule.distribution,
                    port,
                });
            }
            if rule.idle_minutes != 4 || rule.tcp_reset {
                report.note(
                    format!("rule {}", clip(&rule.name)),
                    format!(
                        "idle timeout {} minutes, TCP reset {}",
                        rule.idle_minutes, rule.tcp_reset
                    ),
                    "flows end by the port's timers, which are settings and no policy",
                );
            }
        }
        for own in &balancer.nat_rules {
            let Some((&vip, _)) = vips.get(own.frontend.as_str()).zip(vm) else {
                report.note(
                    format!("NAT rule {}", clip(&own.name)),
                    "the rule is not used",
                    "it leads to one VM, whose address is not given (or its frontend is not in this input)",
                );
                continue;
            };
            inbound_nat.push(InboundNat {
                name: own.name.clone(),
                protocol: own.protocol,
                vip,
                vip_port: Some(own.frontend_port),
                port: Some(own.backend_port),
            });
        }
        for own in &balancer.outbound_rules {
            let size = own
                .pool
                .as_deref()
                .and_then(|pool| pools.get(pool))
                .map_or(1, Vec::len);
            let ports = own.ports.or_else(|| default_ports(size as u32)).unwrap_or(32);
            if snat.is_some() {
                report.note(
                    format!("outbound rule {}", clip(&own.name)),
                    "the rule is not used",
                    "a VM has one pool of ports; the first rule's is taken",
                );
                continue;
            }
            let used = |name: &String| {
                let rules = balancer.rules.iter().filter(|rule| rule.frontend == *name);
                let nat = balancer.nat_rules.iter().filter(|rule| rule.frontend == *name);
                let ports = rules.map(|rule| rule.frontend_port);
                ports.chain(nat.map(|rule| rule.frontend_port)).collect()
            };
            let frontends = own.frontends.iter().filter_map(|name| {
                Some(Frontend {
                    address: *vips.get(name.as_str())?,
                    // The first of the pool's VMs has the first ports that are no system ports.
                    first_port: 1024,
                    last_port: 1024 + (ports - 1).min(64_000 - 1),
                    reserved: used(name),
                })
            });
            let frontends: Vec<Frontend> = frontends.collect();
            if frontends.is_empty() {
                report.note(
                    format!("outbound rule {}", clip(&own.name)),
                    "the rule is not used",
                    "none of its frontends is in this input",
                );
                continue;
            }
            snat = Some(PoolSpec {
                name: own.name.clone(),
                frontends,
            });
        }
    }
    if vm.is_none() && !outbound_balance.is_empty() {
        report.note(
            "the load balancer",
            "the VM's address is not given",
            "the VM is taken as a client of the load-balanced addresses, not as one of their backends",
        );
    }
    nat_layer(vm, options, inbound_nat, outbound_balance, snat)
}

/// The standard stack's NAT layer, with the tags and pools that it needs.
fn nat_layer(
    vm: Option<Address>,
    options: &Options,
    inbound_nat: Vec<InboundNat>,
    outbound_balance: Vec<OutboundBalance>,
    snat: Option<PoolSpec>,
) -> Policy {
    let vm = Vm {
        address: vm.unwrap_or(Address::v4(10, 0, 0, 4)),
        mac: Mac::default(),
        vnet: options.vnet.clone(),
        tni: 0,
        encap: EncapKind::Vxlan,
        host: Address::v4(100, 64, 0, 1),
        next_hop: Mac::default(),
        router_mac: Mac::default(),
        acl: vfp::Layer {
            id: layer::ACL,
            name: String::new(),
            stateful: false,
            default_allow: true,
            groups: Vec::new(),
        },
        inbound_nat,
        outbound_balance,
        snat,
        mappings: MappingSpace::default(),
    };
    let mut policy = vm.policy();
    policy.layers.retain(|own| own.id == layer::NAT);
    policy.spaces.clear();
    policy
}

fn given(options: &Options, name: &str) -> Option<Address> {
    options
        .tags
        .get(name)
        .and_then(|prefixes| prefixes.first().copied())
        .map(Prefix::first)
}

fn unusable(rule: &BalancerRule, why: &str, report: &mut Report) {
    report.note(
        format!("rule {}", clip(&rule.name)),
        "the load-balancing rule is not used",
        why,
    );
}

impl Stand {
    fn frontend(&mut self, name: &str, report: &mut Report) -> Address {
        self.frontends = self.frontends.saturating_add(1);
        let address = Address::v4(203, 0, 113, self.frontends);
        report.note(
            format!("frontend {}", clip(name)),
            "its address is a resource of its own, which is not in this input",
            format!("{address} is taken"),
        );
        address
    }

    fn members(&mut self, pool: &str, unknown: u32, members: &mut Vec<Address>, report: &mut Report) {
        // Azure gives out addresses of a subnet from the fourth on.
        let first = self.members;
        for _ in 0..unknown.min(200) {
            members.push(Address::v4(10, 0, 0, 4 + self.members));
            self.members = (self.members + 1) % 200;
        }
        report.note(
            format!("backend pool {}", clip(pool)),
            format!(
                "the addresses of {unknown} members are resources of their own, which are not in this input"
            ),
            format!("addresses from {} on are taken", Address::v4(10, 0, 0, 4 + first)),
        );
    }
}
