//! Effective security rules of a network interface: `az network nic list-effective-nsg` (facts/accelnet.md section 6.2).

use super::IDLE;
use super::nsg::{
    ALL_PRIORITIES, DESTINATION, Level, MAX_GROUPS, MAX_RULES, Nsg, NsgRule, SOURCE, Side, addresses, choice,
    port_ranges, protocol, texts,
};
use crate::node::Node;
use crate::place::{At, Fields, Place, optional, required};
use crate::report::{Report, Reported};
use crate::terms::{TERMS, Term, last_part, term};
use gft::{Direction, Prefix};
use std::collections::BTreeMap;

/// Reads what [`crate::format`] took for effective rules.
pub(crate) fn read(root: &Node, report: &mut Report) -> Vec<Nsg> {
    let mut groups = Vec::new();
    let root = At::new(root, &Place::Root);
    let _ = match root.node {
        Node::List(_) => list(root, report, &mut groups),
        _ => whole(root, report, &mut groups),
    };
    report.note(
        "the effective rules",
        "security admin rules of a network manager are not among them",
        "Azure evaluates those first: what one denies or always allows does not come to a security group",
    );
    groups
}

fn whole(root: At<'_, '_>, report: &mut Report, groups: &mut Vec<Nsg>) -> Result<(), Reported> {
    let fields = root.object(report, "effective security rules")?;
    let listed = optional!(fields, "value", |at| list(at, report, groups));
    match listed {
        Some(read) => {
            read?;
            fields.note_rest(report, IDLE);
            Ok(())
        }
        None => group(&fields, report, groups),
    }
}

fn list(at: At<'_, '_>, report: &mut Report, groups: &mut Vec<Nsg>) -> Result<(), Reported> {
    let items = at.list(report, "a list of groups with their effective rules")?;
    if items.len() > MAX_GROUPS {
        return Err(report.problem(
            at.place,
            format!("{} groups, expected at most {MAX_GROUPS}", items.len()),
        ));
    }
    for (i, node) in items.iter().enumerate() {
        let place = Place::Item(at.place, i);
        let fields = At::new(node, &place).object(report, "a group with its effective rules")?;
        let _ = group(&fields, report, groups);
    }
    Ok(())
}

fn group(fields: &Fields<'_, '_>, report: &mut Report, groups: &mut Vec<Nsg>) -> Result<(), Reported> {
    let id = optional!(fields, "networkSecurityGroup", |at| {
        let inner = at.object(report, "an object with the group's \"id\"")?;
        required!(inner, "id", report, "the group's resource ID", |at| at
            .text(report, "the group's resource ID")
            .map(str::to_owned))
    });
    let id = id.transpose()?;
    let level = optional!(fields, "association", |at| {
        let inner = at.object(report, "an object with \"subnet\" or \"networkInterface\"")?;
        Ok(match (inner.get("subnet"), inner.get("networkInterface")) {
            (Some(_), None) => Level::Subnet,
            _ => Level::Interface,
        })
    });
    let mut rules = Vec::new();
    required!(
        fields,
        "effectiveSecurityRules",
        report,
        "the list of rules",
        |at| read_rules(at, report, &mut rules)
    )?;
    let tags = optional!(fields, "tagMap", |at| tag_map(at, report));
    fields.note_rest(report, IDLE);
    groups.push(Nsg {
        name: last_part(id.as_deref().unwrap_or("network security group")).to_owned(),
        level: level.transpose()?.unwrap_or_default(),
        rules,
        tags: tags.transpose()?.unwrap_or_default(),
    });
    Ok(())
}

/// What tags stand for, by their names. A rule whose tag is not written out has it from here.
fn tag_map(at: At<'_, '_>, report: &mut Report) -> Result<BTreeMap<String, Vec<Prefix>>, Reported> {
    const EXPECTED: &str = "an object with a list of prefixes for each tag";
    let Node::Object(fields) = at.node else {
        return Err(at.expected(report, EXPECTED));
    };
    let mut tags = BTreeMap::new();
    for (name, node) in fields {
        let place = Place::Field(at.place, name);
        let mut prefixes = Vec::new();
        texts(At::new(node, &place), report, EXPECTED, &mut |text| {
            prefixes.push(text.parse::<Prefix>().map_err(|error| error.to_string())?);
            Ok(())
        })?;
        tags.insert(name.clone(), prefixes);
    }
    Ok(tags)
}

fn read_rules(at: At<'_, '_>, report: &mut Report, rules: &mut Vec<NsgRule>) -> Result<(), Reported> {
    let items = at.list(report, "a list of rules")?;
    if items.len() > MAX_RULES {
        return Err(report.problem(
            at.place,
            format!("{} rules, expected at most {MAX_RULES}", items.len()),
        ));
    }
    for (i, node) in items.iter().enumerate() {
        let place = Place::Item(at.place, i);
        if let Ok(read) = rule(At::new(node, &place), report) {
            rules.push(read);
        }
    }
    Ok(())
}

fn rule(at: At<'_, '_>, report: &mut Report) -> Result<NsgRule, Reported> {
    let fields = at.object(report, "an effective security rule")?;
    let name = required!(fields, "name", report, "the rule's name", |at| at
        .text(report, "the rule's name"));
    let priority = required!(fields, "priority", report, "the rule's priority", |at| at.whole(
        report,
        ALL_PRIORITIES,
        "a whole number"
    ));
    let direction = required!(fields, "direction", report, "Inbound or Outbound", |at| {
        let names = [("inbound", Direction::In), ("outbound", Direction::Out)];
        choice(at, report, "Inbound or Outbound", &names)
    });
    let allow = required!(fields, "access", report, "Allow or Deny", |at| {
        choice(at, report, "Allow or Deny", &[("allow", true), ("deny", false)])
    });
    let protocol = required!(
        fields,
        "protocol",
        report,
        "Tcp, Udp, Icmp, Esp, Ah or All",
        |at| protocol(at, report)
    );
    let sources = side(&fields, report, &SOURCE);
    let source_ports = port_ranges(&fields, report, "sourcePortRange", "sourcePortRanges");
    let destinations = side(&fields, report, &DESTINATION);
    let destination_ports = port_ranges(&fields, report, "destinationPortRange", "destinationPortRanges");
    fields.note_rest(report, IDLE);
    let name = name?;
    Ok(NsgRule {
        name: last_part(name).to_owned(),
        // Within the range of priorities, so within 16 bits.
        priority: priority? as u16,
        direction: direction?,
        allow: allow?,
        protocol: protocol?,
        sources: sources?,
        source_ports: source_ports?,
        destinations: destinations?,
        destination_ports: destination_ports?,
        is_default: name.starts_with("defaultSecurityRules/"),
    })
}

/// The terms of one side: those that Azure has written out, where it has.
fn side(fields: &Fields<'_, '_>, report: &mut Report, side: &Side) -> Result<Vec<Term>, Reported> {
    let written = addresses(fields, report, side)?;
    let mut expanded = Vec::new();
    let read = optional!(fields, side.expanded, |at| texts(
        at,
        report,
        TERMS,
        &mut |text| {
            expanded.push(term(text)?);
            Ok(())
        }
    ));
    read.transpose()?;
    Ok(if expanded.is_empty() { written } else { expanded })
}
