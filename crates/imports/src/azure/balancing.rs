//! Load balancers as VFP's NAT layer.

use super::balancer::{self, Balancer, BalancerRule, NatRule, OutboundRule};
use crate::node::clip;
use crate::options::Options;
use crate::report::Report;
use gft::{Address, EncapKind, Mac, Prefix, Protocol};
use std::collections::{BTreeMap, BTreeSet};
use vfp::standard::{InboundNat, OutboundBalance, Vm, layer};
use vfp::{Backend, Frontend, MappingSpace, Policy, PoolSpec, default_ports};

/// Backends of all rules together (our choice; one pool can stand behind many rules).
const MAX_BACKENDS: usize = 1_000_000;

/// Default ports of each VM in the largest pool that is documented (facts/accelnet.md section 6.4).
const LARGEST_POOL_PORTS: u16 = 32;

/// Members of one pool whose addresses are stood in for.
const MAX_STANDS: u32 = 200;

/// The NAT layer of a VM: one of a pool's members if its address is given in the options, else a client.
pub(crate) fn balancing(balancers: &[Balancer], options: &Options, report: &mut Report) -> Policy {
    let mut builder = Builder {
        options,
        vm: options.vm.first().copied(),
        report,
        frontends: 0,
        members: 0,
        backends: 0,
        inbound_nat: Vec::new(),
        outbound_balance: Vec::new(),
        snat: None,
        taken: BTreeSet::new(),
    };
    for balancer in balancers {
        builder.add(balancer);
    }
    builder.finish()
}

struct Builder<'a> {
    options: &'a Options,
    vm: Option<Address>,
    report: &'a mut Report,
    /// Frontends and members whose addresses were stood in for so far.
    frontends: u8,
    members: u8,
    /// Backends of all rules so far.
    backends: usize,
    inbound_nat: Vec<InboundNat>,
    outbound_balance: Vec<OutboundBalance>,
    snat: Option<PoolSpec>,
    /// Frontends that are taken: address, protocol and port.
    taken: BTreeSet<(Address, Option<Protocol>, u16)>,
}

/// A balancer's addresses: of its frontends and of its pools' members, by their names.
struct Addresses<'a> {
    vips: BTreeMap<&'a str, Address>,
    pools: BTreeMap<&'a str, Vec<Address>>,
}

impl Builder<'_> {
    fn add(&mut self, balancer: &Balancer) {
        let addresses = Addresses {
            vips: balancer
                .frontends
                .iter()
                .map(|own| (own.name.as_str(), self.vip(own)))
                .collect(),
            pools: balancer
                .pools
                .iter()
                .map(|own| (own.name.as_str(), self.members(own)))
                .collect(),
        };
        for rule in &balancer.rules {
            if let Err(why) = self.rule(rule, &addresses) {
                self.report.note(
                    format_args!("rule {}", clip(&rule.name)),
                    "the load-balancing rule is not used",
                    why,
                );
            }
        }
        for rule in &balancer.nat_rules {
            self.nat_rule(rule, &addresses);
        }
        for rule in &balancer.outbound_rules {
            if let Err(why) = self.outbound_rule(rule, balancer, &addresses) {
                self.report.note(
                    format_args!("outbound rule {}", clip(&rule.name)),
                    "the rule is not used",
                    why,
                );
            }
        }
    }

    /// A frontend's address: its own, the one given under its name, or one for documentation (RFC 5737).
    fn vip(&mut self, own: &balancer::Frontend) -> Address {
        let given = self.options.tags.get(&own.name);
        let given = given.and_then(|prefixes| prefixes.first().copied());
        if let Some(address) = own.address.or(given.map(Prefix::first)) {
            return address;
        }
        self.frontends = self.frontends.saturating_add(1);
        let address = Address::v4(203, 0, 113, self.frontends);
        self.report.note(
            format_args!("frontend {}", clip(&own.name)),
            "its address is a resource of its own, which is not in this input",
            format!("{address} is taken"),
        );
        address
    }

    /// The addresses of a pool's members: its own, those given under its name, or some of the default network (RFC 1918).
    fn members(&mut self, pool: &balancer::Pool) -> Vec<Address> {
        let mut members = pool.addresses.clone();
        if let Some(prefixes) = self.options.tags.get(&pool.name) {
            members.extend(prefixes.iter().map(|prefix| prefix.first()));
        } else if pool.unknown > 0 {
            // Azure gives out addresses of a subnet from the fourth on.
            let first = Address::v4(10, 0, 0, 4 + self.members);
            let taken = pool.unknown.min(MAX_STANDS);
            for _ in 0..taken {
                members.push(Address::v4(10, 0, 0, 4 + self.members));
                self.members = (self.members + 1) % MAX_STANDS as u8;
            }
            self.report.note(
                format_args!("backend pool {}", clip(&pool.name)),
                format!(
                    "the addresses of {} members are resources of their own, which are not in this input",
                    pool.unknown
                ),
                format!("{taken} addresses from {first} on are taken"),
            );
        }
        members
    }

    /// A load-balancing rule, or why it is not used.
    fn rule(&mut self, rule: &BalancerRule, addresses: &Addresses<'_>) -> Result<(), &'static str> {
        let vip = addresses.vips.get(rule.frontend.as_str());
        let &vip = vip.ok_or("its frontend is not in this input")?;
        if !self.taken.insert((vip, rule.protocol, rule.frontend_port)) {
            return Err("a rule before it has the same frontend, protocol and port");
        }
        let members = rule.pool.as_deref().and_then(|pool| addresses.pools.get(pool));
        let members = members
            .filter(|members| !members.is_empty())
            .ok_or("its backend pool is not in this input or has no members")?;
        let vip_port = (rule.frontend_port != 0).then_some(rule.frontend_port);
        let port = (rule.backend_port != 0).then_some(rule.backend_port);
        if self.vm.is_some_and(|vm| members.contains(&vm)) {
            if rule.floating_ip {
                return Err("with a floating IP the VM has the frontend's address itself");
            }
            self.inbound_nat.push(InboundNat {
                name: rule.name.clone(),
                protocol: rule.protocol,
                vip,
                vip_port,
                port,
            });
        } else {
            self.backends += members.len();
            if self.backends > MAX_BACKENDS {
                return Err("the rules together have more than 1000000 backends");
            }
            self.outbound_balance.push(OutboundBalance {
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
            self.report.note(
                format_args!("rule {}", clip(&rule.name)),
                format!(
                    "idle timeout {} minutes, TCP reset {}",
                    rule.idle_minutes, rule.tcp_reset
                ),
                "flows end by the port's timers, which are settings and no policy",
            );
        }
        Ok(())
    }

    fn nat_rule(&mut self, rule: &NatRule, addresses: &Addresses<'_>) {
        let vip = addresses.vips.get(rule.frontend.as_str());
        match vip.filter(|_| self.vm.is_some()) {
            Some(&vip) if !self.taken.insert((vip, rule.protocol, rule.frontend_port)) => self.report.note(
                format_args!("NAT rule {}", clip(&rule.name)),
                "the rule is not used",
                "a rule before it has the same frontend, protocol and port",
            ),
            Some(&vip) => self.inbound_nat.push(InboundNat {
                name: rule.name.clone(),
                protocol: rule.protocol,
                vip,
                vip_port: Some(rule.frontend_port),
                port: Some(rule.backend_port),
            }),
            None => self.report.note(
                format_args!("NAT rule {}", clip(&rule.name)),
                "the rule is not used",
                "it leads to one VM, whose address is not given (or its frontend is not in this input)",
            ),
        }
    }

    /// An outbound rule, or why it is not used.
    fn outbound_rule(
        &mut self,
        rule: &OutboundRule,
        balancer: &Balancer,
        addresses: &Addresses<'_>,
    ) -> Result<(), &'static str> {
        if self.snat.is_some() {
            return Err("a VM has one pool of ports; the first rule's is taken");
        }
        let pool = rule.pool.as_deref().and_then(|pool| addresses.pools.get(pool));
        let vms = pool.map_or(1, Vec::len) as u32;
        let ports = rule.ports.or(default_ports(vms)).unwrap_or_else(|| {
            self.report.note(
                format_args!("outbound rule {}", clip(&rule.name)),
                format!("its pool has {vms} VMs, more than Azure documents default ports for"),
                format!("each has {LARGEST_POOL_PORTS}, as in the largest pool that is documented"),
            );
            LARGEST_POOL_PORTS
        });
        let reserved = |name: &str| {
            let rules = balancer.rules.iter().filter(|rule| rule.frontend == name);
            let nat_rules = balancer.nat_rules.iter().filter(|rule| rule.frontend == name);
            rules
                .map(|rule| rule.frontend_port)
                .chain(nat_rules.map(|rule| rule.frontend_port))
                .collect()
        };
        let frontends = rule.frontends.iter().filter_map(|name| {
            Some(Frontend {
                address: *addresses.vips.get(name.as_str())?,
                // The first of the pool's VMs has the first ports that are no system ports.
                first_port: 1024,
                last_port: 1024 + (ports - 1).min(64_000 - 1),
                reserved: reserved(name),
            })
        });
        let frontends: Vec<Frontend> = frontends.collect();
        if frontends.is_empty() {
            return Err("none of its frontends is in this input");
        }
        self.snat = Some(PoolSpec {
            name: rule.name.clone(),
            frontends,
        });
        Ok(())
    }

    fn finish(self) -> Policy {
        if self.vm.is_none() && !self.outbound_balance.is_empty() {
            self.report.note(
                "the load balancer",
                "the VM's address is not given",
                "the VM is taken as a client of the load-balanced addresses, not as one of their backends",
            );
        }
        nat_layer(
            self.vm,
            self.options,
            self.inbound_nat,
            self.outbound_balance,
            self.snat,
        )
    }
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
