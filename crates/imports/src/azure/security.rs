//! Security groups as VFP's access control layer.

use super::nsg::{Level, Nsg, NsgRule};
use crate::node::clip;
use crate::options::Options;
use crate::place::Place;
use crate::report::Report;
use crate::terms::Term;
use gft::Direction;
use std::collections::BTreeMap;
use vfp::nsg::{
    AZURE_LOAD_BALANCER, AZURE_PLATFORM_DNS, AZURE_PLATFORM_IMDS, Access, FIRST_FREE_TAG, INTERNET,
    SecurityError, SecurityGroup, SecurityRule, VIRTUAL_NETWORK, acl_layer, standard_tags,
};
use vfp::standard::layer;
use vfp::{AddressRange, AddressTerm, Policy, PortRange, TagId};

/// Service tags that VFP's helper knows, in the spellings that Azure uses or used.
const KNOWN: [(&str, TagId); 7] = [
    ("VirtualNetwork", VIRTUAL_NETWORK),
    ("VIRTUAL_NETWORK", VIRTUAL_NETWORK),
    ("AzureLoadBalancer", AZURE_LOAD_BALANCER),
    ("AZURE_LOADBALANCER", AZURE_LOAD_BALANCER),
    ("Internet", INTERNET),
    ("AzurePlatformDNS", AZURE_PLATFORM_DNS),
    ("AzurePlatformIMDS", AZURE_PLATFORM_IMDS),
];

/// The standard tag of this name.
pub(crate) fn known_tag(name: &str) -> Option<TagId> {
    let known = KNOWN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    known.map(|(_, tag)| *tag)
}

/// Keeps only the groups with the name that the options give, where they give one.
pub(crate) fn choose(groups: &mut Vec<Nsg>, options: &Options, report: &mut Report) {
    let Some(name) = &options.nsg else { return };
    if groups.iter().any(|group| group.name.eq_ignore_ascii_case(name)) {
        groups.retain(|group| group.name.eq_ignore_ascii_case(name));
        return;
    }
    let names: Vec<String> = groups.iter().take(20).map(|group| clip(&group.name)).collect();
    report.problem(
        &Place::Root,
        format!(
            "there is no security group {:?}, expected one of: {}",
            clip(name),
            names.join(", ")
        ),
    );
}

/// Tags by name, and the addresses of those that are no standard ones.
struct Tags<'a> {
    options: &'a Options,
    /// By the number of the group whose own list has the tag, or none, and the tag's name.
    numbers: BTreeMap<(Option<usize>, String), TagId>,
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
        let mut of_level = groups
            .iter()
            .enumerate()
            .filter(|(_, group)| group.level == level);
        let first = of_level.next().map(|(number, group)| SecurityGroup {
            name: group.name.clone(),
            rules: group
                .rules
                .iter()
                .map(|own| rule(own, (number, group), &mut tags, report))
                .collect(),
        });
        for (_, other) in of_level {
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
    if tags.uses_vnet && options.vnet == Options::default().vnet {
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

fn rule(own: &NsgRule, group: (usize, &Nsg), tags: &mut Tags<'_>, report: &mut Report) -> SecurityRule {
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
    fn number(
        &mut self,
        name: &str,
        (number, group): (usize, &Nsg),
        rule: &NsgRule,
        report: &mut Report,
    ) -> TagId {
        let resolved = group.tags.get(name);
        if let Some(tag) = known_tag(name).filter(|_| resolved.is_none()) {
            self.uses_vnet |= tag == VIRTUAL_NETWORK;
            return tag;
        }
        let key = (resolved.map(|_| number), name.to_owned());
        if let Some(&tag) = self.numbers.get(&key) {
            return tag;
        }
        let tag = TagId(FIRST_FREE_TAG + self.numbers.len() as u32);
        let given = resolved.or(self.options.tags.get(name));
        if given.is_none() {
            let direction = match rule.direction {
                Direction::In => "inbound",
                Direction::Out => "outbound",
            };
            report.note(
                format!(
                    "{direction} rule {} of group {}",
                    clip(&rule.name),
                    clip(&group.name)
                ),
                format!("the addresses of {:?} are not known", clip(name)),
                "it stands for no address, so it matches nothing",
            );
        }
        let ranges = given.map(|prefixes| prefixes.iter().map(|&prefix| prefix.into()).collect());
        self.numbers.insert(key, tag);
        self.sets.insert(tag, ranges.unwrap_or_default());
        tag
    }
}
