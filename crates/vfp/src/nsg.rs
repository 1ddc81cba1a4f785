//! Network security groups (NSGs) as groups of the tenant's access control layer.
//!
//! Semantics (facts/accelnet.md, sections 1.4, 6.1): rules of the security administrator come first; inbound the NSG of the
//! subnet is asked before that of the NIC, outbound the other way round, and both must allow. In an NSG the rule with the
//! lowest number that matches decides, and default rules at 65000 and above take the rest. Allowed connections are
//! stateful. What the VM sends to the host's own addresses, [`WIRE_SERVER`] and [`METADATA`], is exempt unless a rule
//! denies it by the tag of the platform's service.

use crate::names::FW_CONTROLLER_LAYER_ID;
use crate::{
    Action, AddressRange, AddressTerm, ClassifierChoice, Condition, Group, Layer, LayerId, PortRange, Rule,
    RuleFlags, TagId,
};
use gft::{Address, Direction, Prefix, Protocol};
use std::collections::BTreeMap;
use thiserror::Error;

/// DNS, DHCP, the agent's server, and the source of the load balancer's probes.
pub const WIRE_SERVER: Address = Address::v4(168, 63, 129, 16);
/// The instance metadata service (IMDS).
pub const METADATA: Address = Address::v4(169, 254, 169, 254);

/// Tag `VirtualNetwork`.
pub const VIRTUAL_NETWORK: TagId = TagId(1);
/// Tag `AzureLoadBalancer`: [`WIRE_SERVER`], where probes come from.
pub const AZURE_LOAD_BALANCER: TagId = TagId(2);
/// Tag `Internet`.
pub const INTERNET: TagId = TagId(3);
/// Tag `AzurePlatformDNS`: port 53 of [`WIRE_SERVER`].
pub const AZURE_PLATFORM_DNS: TagId = TagId(4);
/// Tag `AzurePlatformIMDS`: [`METADATA`].
pub const AZURE_PLATFORM_IMDS: TagId = TagId(5);
/// Tags from here on are free for other services and application security groups.
pub const FIRST_FREE_TAG: u32 = 100;

/// The lowest and highest priority of a rule that a tenant writes.
pub const TENANT_PRIORITIES: (u32, u32) = (100, 4_096);

/// What a rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Through.
    Allow,
    /// Not through.
    Deny,
}

/// What a rule of the security administrator says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdminAccess {
    /// The NSGs decide.
    Allow,
    /// Through; the NSGs are not asked.
    AlwaysAllow,
    /// Not through; the NSGs are not asked.
    Deny,
}

/// One security rule. Empty lists stand for `*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecurityRule<A = Access> {
    /// Its name.
    pub name: String,
    /// Lower numbers first; unique in a direction of a group.
    pub priority: u32,
    /// Seen from the VM.
    pub direction: Direction,
    /// What it says.
    pub access: A,
    /// Protocols.
    pub protocols: Vec<Protocol>,
    /// Source addresses and tags.
    pub src: Vec<AddressTerm>,
    /// Destination addresses and tags.
    pub dst: Vec<AddressTerm>,
    /// Source ports.
    pub src_ports: Vec<PortRange>,
    /// Destination ports.
    pub dst_ports: Vec<PortRange>,
}

/// A network security group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecurityGroup {
    /// Its name.
    pub name: String,
    /// Its rules. Default rules ([`default_rules`]) that are not among them are added when they are used.
    pub rules: Vec<SecurityRule>,
}

/// What is wrong with security rules, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SecurityError {
    /// Two rules have the same number.
    #[error("{group}: {first} and {second} both have priority {priority} {direction}")]
    SamePriority {
        /// The group.
        group: String,
        /// The earlier rule.
        first: String,
        /// The later rule.
        second: String,
        /// Their number.
        priority: u32,
        /// `inbound` or `outbound`.
        direction: &'static str,
    },
}

/// The six rules that every NSG has: 65000 within the virtual network, 65001 from the load balancer or to the Internet, 65500
/// deny the rest.
pub fn default_rules() -> Vec<SecurityRule> {
    use Access::{Allow, Deny};
    use Direction::{In, Out};
    let tag = |tag: Option<TagId>| tag.map(AddressTerm::Tag).into_iter().collect::<Vec<_>>();
    let rule = |name: &str, (priority, direction, access), src, dst| SecurityRule {
        name: name.to_owned(),
        priority,
        direction,
        access,
        protocols: Vec::new(),
        src: tag(src),
        dst: tag(dst),
        src_ports: Vec::new(),
        dst_ports: Vec::new(),
    };
    let vnet = Some(VIRTUAL_NETWORK);
    vec![
        rule("AllowVnetInBound", (65_000, In, Allow), vnet, vnet),
        rule(
            "AllowAzureLoadBalancerInBound",
            (65_001, In, Allow),
            Some(AZURE_LOAD_BALANCER),
            None,
        ),
        rule("DenyAllInBound", (65_500, In, Deny), None, None),
        rule("AllowVnetOutBound", (65_000, Out, Allow), vnet, vnet),
        rule(
            "AllowInternetOutBound",
            (65_001, Out, Allow),
            None,
            Some(INTERNET),
        ),
        rule("DenyAllOutBound", (65_500, Out, Deny), None, None),
    ]
}

/// Addresses that the public Internet does not reach: RFC 1122 (this network, loopback), 1918 (private), 3927 (link local),
/// 5771 and 1112 (multicast, reserved), 6598 (shared).
const NOT_INTERNET: [Prefix; 10] = [
    Prefix::new(Address::v4(0, 0, 0, 0), 96 + 8),
    Prefix::new(Address::v4(10, 0, 0, 0), 96 + 8),
    Prefix::new(Address::v4(100, 64, 0, 0), 96 + 10),
    Prefix::new(Address::v4(127, 0, 0, 0), 96 + 8),
    Prefix::new(Address::v4(169, 254, 0, 0), 96 + 16),
    Prefix::new(Address::v4(172, 16, 0, 0), 96 + 12),
    Prefix::new(Address::v4(192, 168, 0, 0), 96 + 16),
    Prefix::new(Address::v4(224, 0, 0, 0), 96 + 4),
    Prefix::new(Address::v4(240, 0, 0, 0), 96 + 4),
    Prefix::new(WIRE_SERVER, 128),
];

/// Global unicast of IPv6, RFC 4291 section 2.4 as IANA gives it out.
const GLOBAL_V6: Prefix = Prefix::new(Address(0x2000 << 112), 3);

/// What is left of `whole` without `holes`, in order.
fn without(whole: AddressRange, holes: &[AddressRange]) -> Vec<AddressRange> {
    let mut holes = holes.to_vec();
    holes.sort_unstable();
    let mut left = Vec::new();
    let mut from = Some(whole.first.0);
    for hole in holes {
        let Some(start) = from.filter(|&start| start <= whole.last.0) else {
            break;
        };
        if hole.first.0 > start {
            let last = (hole.first.0 - 1).min(whole.last.0);
            left.push(AddressRange {
                first: Address(start),
                last: Address(last),
            });
        }
        if hole.last.0 >= start {
            from = hole.last.0.checked_add(1);
        }
    }
    if let Some(start) = from.filter(|&start| start <= whole.last.0) {
        left.push(AddressRange {
            first: Address(start),
            last: whole.last,
        });
    }
    left
}

/// The tags of this module for a virtual network with these prefixes (its own address space and what is connected to it).
///
/// `Internet` is what lies outside the virtual network and is reachable by the public Internet, the cloud's own public
/// addresses included. Which private and reserved ranges that leaves out is our choice.
pub fn standard_tags(vnet: &[Prefix]) -> BTreeMap<TagId, Vec<AddressRange>> {
    let one = |address| vec![AddressRange::from(Prefix::new(address, 128))];
    let vnet: Vec<AddressRange> = vnet.iter().copied().map(AddressRange::from).collect();
    let mut holes: Vec<AddressRange> = NOT_INTERNET.into_iter().map(AddressRange::from).collect();
    holes.extend_from_slice(&vnet);
    let mut internet = without(Prefix::ANY_V4.into(), &holes);
    internet.extend(without(GLOBAL_V6.into(), &holes));
    BTreeMap::from([
        (VIRTUAL_NETWORK, vnet),
        (AZURE_LOAD_BALANCER, one(WIRE_SERVER)),
        (INTERNET, internet),
        (AZURE_PLATFORM_DNS, one(WIRE_SERVER)),
        (AZURE_PLATFORM_IMDS, one(METADATA)),
    ])
}

fn rule<A>(rule: &SecurityRule<A>, flags: RuleFlags, action: Action) -> Rule {
    Rule {
        name: rule.name.clone(),
        priority: rule.priority,
        condition: Condition {
            protocols: rule.protocols.clone(),
            src: rule.src.clone(),
            dst: rule.dst.clone(),
            src_ports: rule.src_ports.clone(),
            dst_ports: rule.dst_ports.clone(),
            ..Condition::any()
        },
        flags,
        action,
    }
}

/// An allowed connection goes on to the next stage; what is denied ends here.
fn tenant_rule(own: &SecurityRule) -> Rule {
    match own.access {
        Access::Allow => rule(own, RuleFlags::STATEFUL, Action::Allow),
        Access::Deny => rule(own, RuleFlags::TERMINATING, Action::Block),
    }
}

fn admin_rule(own: &SecurityRule<AdminAccess>) -> Rule {
    let always = RuleFlags::TERMINATING.with(RuleFlags::STATEFUL);
    match own.access {
        AdminAccess::Allow => rule(own, RuleFlags::STATEFUL, Action::Allow),
        AdminAccess::AlwaysAllow => rule(own, always, Action::Allow),
        AdminAccess::Deny => rule(own, RuleFlags::TERMINATING, Action::Block),
    }
}

fn group(name: &str, direction: Direction, priority: u32, rules: Vec<Rule>) -> Group {
    Group {
        name: name.to_owned(),
        direction,
        priority,
        condition: None,
        classifier: ClassifierChoice::Auto,
        rules,
    }
}

/// Without a security group everything passes that the administrator does not deny.
fn open() -> Rule {
    Rule {
        name: "allow all".to_owned(),
        priority: 0,
        condition: Condition::any(),
        flags: RuleFlags::STATEFUL,
        action: Action::Allow,
    }
}

fn unique<A>(group: &str, rules: &[SecurityRule<A>]) -> Result<(), SecurityError> {
    let mut seen: BTreeMap<(Direction, u32), &str> = BTreeMap::new();
    for rule in rules {
        if let Some(first) = seen.insert((rule.direction, rule.priority), &rule.name) {
            return Err(SecurityError::SamePriority {
                group: group.to_owned(),
                first: first.to_owned(),
                second: rule.name.clone(),
                priority: rule.priority,
                direction: match rule.direction {
                    Direction::In => "inbound",
                    Direction::Out => "outbound",
                },
            });
        }
    }
    Ok(())
}

impl SecurityGroup {
    /// Its rules and the default rules that it does not spell out.
    pub fn all_rules(&self) -> Vec<SecurityRule> {
        let mut rules = self.rules.clone();
        for default in default_rules() {
            let same = |rule: &SecurityRule| {
                rule.priority == default.priority && rule.direction == default.direction
            };
            if !self.rules.iter().any(same) {
                rules.push(default);
            }
        }
        rules
    }

    fn group(&self, direction: Direction, priority: u32) -> Group {
        let rules = self.all_rules();
        let own = rules.iter().filter(|rule| rule.direction == direction);
        group(&self.name, direction, priority, own.map(tenant_rule).collect())
    }

    /// Outbound rules that deny the platform's own services by their tags: the only ones that reach them.
    fn platform_denials(&self) -> Vec<Rule> {
        let denials = self
            .rules
            .iter()
            .filter(|rule| rule.direction == Direction::Out && rule.access == Access::Deny);
        let mut out = Vec::new();
        for own in denials {
            for (tag, ports) in [(AZURE_PLATFORM_DNS, Some(53)), (AZURE_PLATFORM_IMDS, None)] {
                if !own.dst.contains(&AddressTerm::Tag(tag)) {
                    continue;
                }
                let asked = |port| own.dst_ports.is_empty() || own.dst_ports.iter().any(|r| r.contains(port));
                let dst_ports = match ports {
                    Some(port) if asked(port) => vec![PortRange::one(port)],
                    Some(_) => continue,
                    None => own.dst_ports.clone(),
                };
                let narrowed = SecurityRule {
                    dst: vec![AddressTerm::Tag(tag)],
                    dst_ports,
                    ..own.clone()
                };
                out.push(rule(&narrowed, RuleFlags::TERMINATING, Action::Block));
            }
        }
        out
    }
}

/// The access control layer ([`FW_CONTROLLER_LAYER_ID`]) of a VM with these rules. It has one stage for each source of
/// rules, as groups of one layer, because a rule of the administrator can end the stages behind it. Without a security group
/// everything passes that the administrator does not deny.
///
/// # Errors
/// [`SecurityError`] when two rules of a group and direction have the same priority.
pub fn acl_layer(
    id: LayerId,
    admin: &[SecurityRule<AdminAccess>],
    subnet: Option<&SecurityGroup>,
    nic: Option<&SecurityGroup>,
) -> Result<Layer, SecurityError> {
    unique("security admin rules", admin)?;
    for own in subnet.iter().chain(&nic) {
        unique(&own.name, &own.rules)?;
    }
    let mut platform: Vec<Rule> = subnet
        .iter()
        .chain(&nic)
        .flat_map(|own| own.platform_denials())
        .collect();
    platform.push(Rule {
        name: "host services".to_owned(),
        priority: u32::MAX,
        condition: Condition {
            dst: [WIRE_SERVER, METADATA]
                .map(|a| Prefix::new(a, 128).into())
                .to_vec(),
            ..Condition::any()
        },
        flags: RuleFlags::TERMINATING.with(RuleFlags::STATEFUL),
        action: Action::Allow,
    });
    let mut groups = vec![group("platform", Direction::Out, 0, platform)];
    for direction in [Direction::Out, Direction::In] {
        let own: Vec<Rule> = admin
            .iter()
            .filter(|r| r.direction == direction)
            .map(admin_rule)
            .collect();
        if !own.is_empty() {
            groups.push(group("security admin rules", direction, 1, own));
        }
        let stages = match direction {
            Direction::In => [subnet, nic],
            Direction::Out => [nic, subnet],
        };
        for (stage, own) in stages.into_iter().flatten().enumerate() {
            groups.push(own.group(direction, 2 + stage as u32));
        }
        // A rule and not the layer's default, so that answers need none of the administrator's rules either.
        if subnet.is_none() && nic.is_none() {
            groups.push(group("no security group", direction, 2, vec![open()]));
        }
    }
    Ok(Layer {
        id,
        name: FW_CONTROLLER_LAYER_ID.to_owned(),
        stateful: true,
        default_allow: false,
        groups,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(first: u128, last: u128) -> AddressRange {
        AddressRange {
            first: Address(first),
            last: Address(last),
        }
    }

    /// By hand: holes in the middle, over the ends, touching, and none.
    #[test]
    fn holes_are_cut_out() {
        let whole = range(10, 20);
        let cut = |holes: &[(u128, u128)]| {
            let holes: Vec<_> = holes.iter().map(|&(a, b)| range(a, b)).collect();
            without(whole, &holes)
        };
        assert_eq!(cut(&[]), [whole]);
        assert_eq!(
            cut(&[(15, 15), (12, 13)]),
            [range(10, 11), range(14, 14), range(16, 20)]
        );
        assert_eq!(cut(&[(0, 12), (19, 99)]), [range(13, 18)]);
        assert_eq!(cut(&[(12, 18), (13, 14)]), [range(10, 11), range(19, 20)]);
        assert_eq!(cut(&[(0, u128::MAX)]), []);
        assert_eq!(cut(&[(30, 40)]), [whole]);
    }

    /// 8.8.8.8 is the Internet; the virtual network, private and reserved addresses, and the wire server are not.
    #[test]
    fn the_internet_is_what_is_public_and_not_the_virtual_network() {
        let vnet: Vec<Prefix> = ["20.30.0.0/16", "fd00::/8"].map(|p| p.parse().unwrap()).to_vec();
        let tags = standard_tags(&vnet);
        let is = |address: &str| {
            let address: Address = address.parse().unwrap();
            tags[&INTERNET].iter().any(|range| range.contains(address))
        };
        for public in [
            "8.8.8.8",
            "1.0.0.0",
            "20.29.255.255",
            "20.31.0.0",
            "223.255.255.255",
            "2603:1030::1",
        ] {
            assert!(is(public), "{public}");
        }
        for other in [
            "20.30.0.1",
            "10.0.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "100.64.0.1",
            "127.0.0.1",
            "168.63.129.16",
            "169.254.169.254",
            "224.0.0.1",
            "255.255.255.255",
            "fd00::1",
            "fe80::1",
        ] {
            assert!(!is(other), "{other}");
        }
    }

    #[test]
    fn a_priority_stands_once_in_a_direction() {
        let mut group = SecurityGroup {
            name: "web".into(),
            rules: default_rules()[..2].to_vec(),
        };
        group.rules[1].priority = 65_000;
        let error = acl_layer(LayerId(1), &[], Some(&group), None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "web: AllowVnetInBound and AllowAzureLoadBalancerInBound both have priority 65000 inbound"
        );
        group.rules[1].direction = Direction::Out;
        assert!(acl_layer(LayerId(1), &[], Some(&group), None).is_ok());
    }
}
