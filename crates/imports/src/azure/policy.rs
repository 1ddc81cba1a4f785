//! Security groups and load balancers as VFP's layers.

use super::balancer::{Balancer, BalancerRule};
use super::nsg::{Level, Nsg, NsgRule};
use crate::node::clip;
use crate::options::Options;
use crate::report::Report;
use crate::terms::Term;
use gft::{Address, Direction, EncapKind, Mac, Prefix};
use std::collections::BTreeMap;
use vfp::nsg::{
    AZURE_LOAD_BALANCER, AZURE_PLATFORM_DNS, AZURE_PLATFORM_IMDS, Access, FIRST_FREE_TAG, INTERNET,
    SecurityError, SecurityGroup, SecurityRule, VIRTUAL_NETWORK, acl_layer, standard_tags,
};
use vfp::standard::{InboundNat, OutboundBalance, Vm, layer};
use vfp::{
    AddressRange, AddressTerm, Backend, Frontend, MappingSpace, Policy, PoolSpec, PortRange, TagId,
    default_ports,
};

/// Service tags that VFP's helper knows, in the spellings that Azure uses or used.
const KNOWN: [(&str, TagId); 8] = [
    ("VirtualNetwork", VIRTUAL_NETWORK),
    ("VIRTUAL_NETWORK", VIRTUAL_NETWORK),
    ("AzureLoadBalancer", AZURE_LOAD_BALANCER),
    ("AZURE_LOADBALANCER", AZURE_LOAD_BALANCER),
    ("Internet", INTERNET),
    ("INTERNET", INTERNET),
    ("AzurePlatformDNS", AZURE_PLATFORM_DNS),
    ("AzurePlatformIMDS", AZURE_PLATFORM_IMDS),
];

/// Backends of all rules together (our choice; one pool can stand behind many rules).
const MAX_BACKENDS: usize = 1_000_000;

/// Tags by name, and the addresses of those that are no standard ones.
struct Tags<'a> {
    options: &'a Options,
    numbers: BTreeMap<String, TagId>,
    sets: BTreeMap<TagId, Vec<AddressRange>>,
    uses_vnet: bool,
}

/// The access control layer of a VM with these groups.
///
/// # Errors
/// [`SecurityError`] if two rules of a group and direction have the same priority (in effective rules).
pub(crate) fn security(
    groups: &[Nsg],
    options: &Options,
    report: &mut Report,
) -> Result<Policy, SecurityError> {
    let mut tags = Tags {
        options,
        numbers: BTreeMap::new(),
        sets: standard_tags(&options.vnet),
        uses_vnet: false,
    };
    let mut pick = |level| {
        let mut of_level = groups.iter().filter(|group| group.level == level);
        let first = of_level.next().map(|group| SecurityGroup {
            name: group.name.clone(),
            rules: group
                .rules
                .iter()
                .map(|own| rule(own, &group.name, &mut tags, report))
                .collect(),
        });
        for other in of_level {
            report.note(
                format!("group {}", clip(&other.name)),
                "the group is not used",
                match level {
                    Level::Subnet => "a VM has one group of its subnet; the first one is taken",
                    Level::Interface => "a VM has one group of its network interface; the first one is taken",
                },
            );
        }
        first
    };
    let subnet = pick(Level::Subnet);
    let interface = pick(Level::Interface);
    let acl = acl_layer(layer::ACL, &[], subnet.as_ref(), interface.as_ref())?;
    if tags.uses_vnet && *options == Options::default() {
        report.note(
            "the service tag VirtualNetwork",
            "the virtual network's address spaces are not in this input",
            "10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16 are taken",
        );
    }
    Ok(Policy {
        layers: vec![acl],
        tags: tags.sets,
        ..Policy::default()
    })
}

fn rule(own: &NsgRule, group: &str, tags: &mut Tags<'_>, report: &mut Report) -> SecurityRule {
    let mut terms = |terms: &[Term], report: &mut Report| {
        if terms.contains(&Term::Any) {
            // An empty list stands for everything.
            return Vec::new();
        }
        terms
            .iter()
            .filter_map(|term| match term {
                Term::Any => None,
                Term::Prefix(prefix) => Some((*prefix).into()),
                Term::Tag(name) | Term::Group(name) => {
                    Some(AddressTerm::Tag(tags.number(name, group, own, report)))
                }
            })
            .collect()
    };
    let ports = |ranges: &[std::ops::RangeInclusive<u16>]| {
        if ranges.contains(&(0..=u16::MAX)) {
            return Vec::new();
        }
        ranges
            .iter()
            .map(|range| PortRange {
                first: *range.start(),
                last: *range.end(),
            })
            .collect()
    };
    SecurityRule {
        name: own.name.clone(),
        priority: own.priority.into(),
        direction: own.direction,
        access: if own.allow { Access::Allow } else { Access::Deny },
        protocols: own.protocol.into_iter().collect(),
        src: terms(&own.sources, report),
        dst: terms(&own.destinations, report),
        src_ports: ports(&own.source_ports),
        dst_ports: ports(&own.destination_ports),
    }
}

impl Tags<'_> {
    fn number(&mut self, name: &str, group: &str, rule: &NsgRule, report: &mut Report) -> TagId {
        let known = KNOWN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        if let Some(&(_, tag)) = known {
            self.uses_vnet |= tag == VIRTUAL_NETWORK;
            return tag;
        }
        if let Some(&tag) = self.numbers.get(name) {
            return tag;
        }
        let tag = TagId(FIRST_FREE_TAG + self.numbers.len() as u32);
        let given = self.options.tags.get(name);
        if given.is_none() {
            let direction = match rule.direction {
                Direction::In => "inbound",
                Direction::Out => "outbound",
            };
            report.note(
                format!("{direction} rule {} of group {}", clip(&rule.name), clip(group)),
                format!("the addresses of {:?} are not known", clip(name)),
                "it stands for no address, so it matches nothing",
            );
        }
        let ranges = given.map(|prefixes| prefixes.iter().map(|&prefix| prefix.into()).collect());
        self.numbers.insert(name.to_owned(), tag);
        self.sets.insert(tag, ranges.unwrap_or_default());
        tag
    }
}

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
            snat = Some(PoolSpec {
                name: own.name.clone(),
                frontends: frontends.collect(),
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
