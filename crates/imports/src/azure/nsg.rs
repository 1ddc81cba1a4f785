//! Network security groups: ARM's nested form, the command line's flat one, templates, lists, and lists of rules
//! (facts/accelnet.md section 6.1).

mod rule;

pub(crate) use rule::{DESTINATION, SOURCE, Side, addresses, choice, port_ranges, protocol, texts};

use super::IDLE;
use crate::node::{Node, clip};
use crate::place::{At, Fields, Place, optional, required};
use crate::report::{Report, Reported};
use crate::terms::Term;
use gft::{Direction, Prefix, Protocol};
use rule::rule;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Security groups of one input at most (our choice).
pub const MAX_GROUPS: usize = 1_000;

/// Rules of one security group at most (documented: 1,000; effective rules of a NIC can be more, so our choice).
pub const MAX_RULES: usize = 10_000;

/// Addresses or ports of one side of a rule at most (documented: 4,000 for a group; expanded service tags have more).
pub const MAX_TERMS: usize = 20_000;

/// A network security group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nsg {
    /// Its name.
    pub name: String,
    /// What it is attached to.
    pub level: Level,
    /// Its rules, default rules included, in the input's order.
    pub rules: Vec<NsgRule>,
    /// Service tags as Azure has resolved them for its network interface; effective rules only.
    pub tags: BTreeMap<String, Vec<Prefix>>,
}

/// What a security group is attached to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A subnet: first inbound, last outbound.
    Subnet,
    /// A network interface.
    #[default]
    Interface,
}

/// One security rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NsgRule {
    /// Its name.
    pub name: String,
    /// Lower comes first: 100 to 4,096, default rules from 65,000.
    pub priority: u16,
    /// Which packets.
    pub direction: Direction,
    /// Whether they may pass.
    pub allow: bool,
    /// The protocol; `None` for all.
    pub protocol: Option<Protocol>,
    /// Sources, at least one.
    pub sources: Vec<Term>,
    /// Source ports, at least one range.
    pub source_ports: Vec<RangeInclusive<u16>>,
    /// Destinations, at least one.
    pub destinations: Vec<Term>,
    /// Destination ports, at least one range.
    pub destination_ports: Vec<RangeInclusive<u16>>,
    /// Whether it is one of the default rules.
    pub is_default: bool,
}

/// Priorities of rules that users write (documented).
const PRIORITIES: RangeInclusive<u64> = 100..=4_096;

/// Priorities with the default rules (documented: 65,000 to 65,500).
pub(crate) const ALL_PRIORITIES: RangeInclusive<u64> = 100..=65_500;

/// Reads what [`crate::format`] took for security groups.
pub(crate) fn read(root: &Node, report: &mut Report) -> Vec<Nsg> {
    let mut groups = Vec::new();
    let root = At::new(root, &Place::Root);
    let _ = match root.node {
        Node::List(items) if items.iter().any(is_rule) => {
            rule_list(root, report).map(|group| groups.push(group))
        }
        _ => collect(root, report, &mut groups),
    };
    groups
}

/// Whether it is a security rule and not a group.
fn is_rule(node: &Node) -> bool {
    let has = |fields: &[(String, Node)]| fields.iter().any(|(name, _)| name.eq_ignore_ascii_case("access"));
    let Node::Object(fields) = node else { return false };
    has(fields)
        || fields.iter().any(|(name, node)| {
            name.eq_ignore_ascii_case("properties") && matches!(node, Node::Object(inner) if has(inner))
        })
}

/// The groups of a list, of a template or of an answer of the REST interface, or the one group there is.
fn collect(at: At<'_, '_>, report: &mut Report, groups: &mut Vec<Nsg>) -> Result<(), Reported> {
    if let Node::List(items) = at.node {
        for (i, node) in items.iter().enumerate() {
            let place = Place::Item(at.place, i);
            let _ = resource(At::new(node, &place), report, groups);
        }
        return Ok(());
    }
    let fields = at.object(report, "a network security group")?;
    for holder in ["resources", "value"] {
        let Some((name, node)) = fields.get(holder) else {
            continue;
        };
        let place = Place::Field(at.place, name);
        let list = At::new(node, &place);
        list.list(report, "a list of resources")?;
        collect(list, report, groups)?;
        fields.note_rest(report, IDLE);
        return Ok(());
    }
    group(&fields, report, groups)
}

/// One entry of a list of resources.
fn resource(at: At<'_, '_>, report: &mut Report, groups: &mut Vec<Nsg>) -> Result<(), Reported> {
    let fields = at.object(report, "a network security group")?;
    let kind = match fields.get("type") {
        Some((_, Node::Text(kind))) => kind.to_ascii_lowercase(),
        _ => String::new(),
    };
    match kind.as_str() {
        "" | "microsoft.network/networksecuritygroups" => group(&fields, report, groups),
        "microsoft.network/networksecuritygroups/securityrules" => child(at, report, groups),
        _ => {
            report.note(
                at.place,
                format!("a resource of type {:?} is not used", clip(&kind)),
                "network security groups are read from this input",
            );
            Ok(())
        }
    }
}

/// A rule that stands beside its group in a template; its name is `group/rule`.
fn child(at: At<'_, '_>, report: &mut Report, groups: &mut [Nsg]) -> Result<(), Reported> {
    let Some(mut read) = rule(at, report, &PRIORITIES, false)? else {
        return Ok(());
    };
    let (owner, name) = match read.name.split_once('/') {
        Some((owner, name)) => (owner.to_owned(), name.to_owned()),
        None => (String::new(), read.name.clone()),
    };
    let Some(group) = groups.iter_mut().find(|group| group.name == owner) else {
        report.note(
            at.place,
            format!("the rule {:?} is not used", clip(&read.name)),
            "the group before the slash is not among the resources before it",
        );
        return Ok(());
    };
    read.name = name;
    unique(&group.rules, &read, at.place, report)?;
    group.rules.push(read);
    Ok(())
}

fn group(fields: &Fields<'_, '_>, report: &mut Report, groups: &mut Vec<Nsg>) -> Result<(), Reported> {
    let _ = fields.get("type");
    if groups.len() == MAX_GROUPS {
        return Err(report.problem(
            fields.place(),
            format!("more than {MAX_GROUPS} network security groups"),
        ));
    }
    let name = optional!(fields, "name", |at| at.text(report, "the group's name")).transpose()?;
    let mut built = Nsg {
        name: name.unwrap_or("network security group").to_owned(),
        level: Level::default(),
        rules: Vec::new(),
        tags: BTreeMap::new(),
    };
    match fields.get("properties") {
        Some((inner, node)) => {
            let place = Place::Field(fields.place(), inner);
            let inner = At::new(node, &place).object(report, "the group's properties")?;
            contents(&inner, report, &mut built)?;
            inner.note_rest(report, IDLE);
        }
        None => contents(fields, report, &mut built)?,
    }
    fields.note_rest(report, IDLE);
    groups.push(built);
    Ok(())
}

fn contents(fields: &Fields<'_, '_>, report: &mut Report, group: &mut Nsg) -> Result<(), Reported> {
    required!(
        fields,
        "securityRules",
        report,
        "the list of the group's rules",
        |at| rules(at, report, &PRIORITIES, false, &mut group.rules)
    )?;
    let defaults = optional!(fields, "defaultSecurityRules", |at| rules(
        at,
        report,
        &ALL_PRIORITIES,
        true,
        &mut group.rules
    ));
    if let Some(defaults) = defaults {
        defaults?;
    }
    if !group.rules.iter().any(|rule| rule.is_default) {
        group.rules.extend(default_rules());
        report.note(
            fields.place(),
            "there are no default rules",
            "Azure's are added (priorities 65000, 65001 and 65500 in each direction)",
        );
    }
    let attached = |name| matches!(fields.get(name), Some((_, Node::List(items))) if !items.is_empty());
    let (subnets, interfaces) = (attached("subnets"), attached("networkInterfaces"));
    if subnets && !interfaces {
        group.level = Level::Subnet;
    }
    if subnets && interfaces {
        report.note(
            fields.place(),
            "the group is attached to subnets and to network interfaces",
            "it is taken as the network interface's",
        );
    }
    let _ = fields.get("flushConnection");
    Ok(())
}

/// A list of rules without their group: `az network nsg rule list`.
fn rule_list(at: At<'_, '_>, report: &mut Report) -> Result<Nsg, Reported> {
    let mut group = Nsg {
        name: "network security group".into(),
        level: Level::default(),
        rules: Vec::new(),
        tags: BTreeMap::new(),
    };
    rules(at, report, &ALL_PRIORITIES, false, &mut group.rules)?;
    for rule in &mut group.rules {
        rule.is_default = u64::from(rule.priority) > *PRIORITIES.end();
    }
    if !group.rules.iter().any(|rule| rule.is_default) {
        group.rules.extend(default_rules());
        report.note(
            "the list",
            "there are no default rules",
            "Azure's are added (priorities 65000, 65001 and 65500 in each direction)",
        );
    }
    Ok(group)
}

fn rules(
    at: At<'_, '_>,
    report: &mut Report,
    priorities: &RangeInclusive<u64>,
    is_default: bool,
    into: &mut Vec<NsgRule>,
) -> Result<(), Reported> {
    let items = at.list(report, "a list of security rules")?;
    if items.len() > MAX_RULES {
        return Err(report.problem(
            at.place,
            format!("{} rules, expected at most {MAX_RULES}", items.len()),
        ));
    }
    let first = into.len();
    for (i, node) in items.iter().enumerate() {
        let place = Place::Item(at.place, i);
        let Ok(Some(read)) = rule(At::new(node, &place), report, priorities, is_default) else {
            continue;
        };
        let others = into.get(first..).unwrap_or_default();
        if unique(others, &read, &place, report).is_ok() {
            into.push(read);
        }
    }
    Ok(())
}

/// Priorities are unique in each direction (documented).
fn unique(
    others: &[NsgRule],
    rule: &NsgRule,
    place: &Place<'_>,
    report: &mut Report,
) -> Result<(), Reported> {
    let same = |other: &&NsgRule| other.direction == rule.direction && other.priority == rule.priority;
    let Some(other) = others.iter().find(same) else {
        return Ok(());
    };
    let direction = match rule.direction {
        Direction::In => "inbound",
        Direction::Out => "outbound",
    };
    Err(report.problem(
        place,
        format!(
            "priority {}, expected one that no other {direction} rule of the group has ({:?} has it)",
            rule.priority,
            clip(&other.name)
        ),
    ))
}

/// The rules that every group has (documented, facts/accelnet.md section 6.1).
pub fn default_rules() -> Vec<NsgRule> {
    let tag = |name: &str| Term::Tag(name.into());
    let vnet = || tag("VirtualNetwork");
    let rows = [
        ("AllowVnetInBound", 65_000, Direction::In, true, vnet(), vnet()),
        (
            "AllowAzureLoadBalancerInBound",
            65_001,
            Direction::In,
            true,
            tag("AzureLoadBalancer"),
            Term::Any,
        ),
        (
            "DenyAllInBound",
            65_500,
            Direction::In,
            false,
            Term::Any,
            Term::Any,
        ),
        ("AllowVnetOutBound", 65_000, Direction::Out, true, vnet(), vnet()),
        (
            "AllowInternetOutBound",
            65_001,
            Direction::Out,
            true,
            Term::Any,
            tag("Internet"),
        ),
        (
            "DenyAllOutBound",
            65_500,
            Direction::Out,
            false,
            Term::Any,
            Term::Any,
        ),
    ];
    rows.into_iter()
        .map(
            |(name, priority, direction, allow, source, destination)| NsgRule {
                name: name.into(),
                priority,
                direction,
                allow,
                protocol: None,
                sources: vec![source],
                source_ports: vec![0..=u16::MAX],
                destinations: vec![destination],
                destination_ports: vec![0..=u16::MAX],
                is_default: true,
            },
        )
        .collect()
}
