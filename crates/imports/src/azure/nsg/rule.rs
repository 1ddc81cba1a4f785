//! One security rule.

use super::{MAX_TERMS, NsgRule};
use crate::azure::IDLE;
use crate::node::{Node, clip};
use crate::place::{At, Fields, Place, optional, required};
use crate::report::{Report, Reported};
use crate::terms::{PORTS, TERMS, Term, is_expression, last_part, ports, term};
use gft::{Direction, Protocol};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// One rule; nothing if it depends on a template's parameters.
pub(super) fn rule(
    at: At<'_, '_>,
    report: &mut Report,
    priorities: &RangeInclusive<u64>,
    is_default: bool,
) -> Result<Option<NsgRule>, Reported> {
    let outer = at.object(report, "a security rule")?;
    let _ = outer.get("type");
    let name = required!(outer, "name", report, "the rule's name", |at| at
        .text(report, "the rule's name"))?;
    let read = match outer.get("properties") {
        Some((inner, node)) => {
            let place = Place::Field(outer.place(), inner);
            let inner = At::new(node, &place).object(report, "the rule's properties")?;
            if skipped(node, &place, name, report) {
                return Ok(None);
            }
            let read = fields(&inner, report, name, priorities, is_default)?;
            inner.note_rest(report, IDLE);
            read
        }
        None => {
            if skipped(at.node, at.place, name, report) {
                return Ok(None);
            }
            fields(&outer, report, name, priorities, is_default)?
        }
    };
    outer.note_rest(report, IDLE);
    Ok(Some(read))
}

/// Whether the rule has fields whose value only a deployment knows; it is noted then.
fn skipped(node: &Node, place: &Place<'_>, name: &str, report: &mut Report) -> bool {
    let Node::Object(fields) = node else { return false };
    let expression = fields.iter().find(|(field, node)| {
        // Of these the rule does not depend.
        let matters = !IDLE.iter().any(|idle| idle.eq_ignore_ascii_case(field));
        let is_one = |node: &Node| matches!(node, Node::Text(text) if is_expression(text));
        matters
            && match node {
                Node::List(items) => items.iter().any(is_one),
                node => is_one(node),
            }
    });
    let Some((field, _)) = expression else {
        return false;
    };
    report.note(
        Place::Field(place, field),
        format!("the rule {:?} is not used", clip(name)),
        "the field is an expression of a template, whose value only a deployment knows",
    );
    true
}

fn fields(
    fields: &Fields<'_, '_>,
    report: &mut Report,
    name: &str,
    priorities: &RangeInclusive<u64>,
    is_default: bool,
) -> Result<NsgRule, Reported> {
    // Each field is looked at, so that all that is wrong is said at once.
    let priority = required!(fields, "priority", report, "the rule's priority", |at| {
        at.whole(report, priorities.clone(), "a whole number")
    });
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
        "Tcp, Udp, Icmp, Esp, Ah or \"*\"",
        |at| protocol(at, report)
    );
    let sources = addresses(fields, report, &SOURCE);
    let source_ports = port_ranges(fields, report, "sourcePortRange", "sourcePortRanges");
    let destinations = addresses(fields, report, &DESTINATION);
    let destination_ports = port_ranges(fields, report, "destinationPortRange", "destinationPortRanges");
    Ok(NsgRule {
        name: name.to_owned(),
        // Within the range of priorities, so within 16 bits.
        priority: priority? as u16,
        direction: direction?,
        allow: allow?,
        protocol: protocol?,
        sources: sources?,
        source_ports: source_ports?,
        destinations: destinations?,
        destination_ports: destination_ports?,
        is_default,
    })
}

pub(crate) fn choice<T: Copy>(
    at: At<'_, '_>,
    report: &mut Report,
    expected: &str,
    names: &[(&str, T)],
) -> Result<T, Reported> {
    let text = at.text(report, expected)?;
    let found = names.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
    found
        .map(|(_, value)| *value)
        .ok_or_else(|| at.expected(report, expected))
}

/// A protocol by its name (`All` is how effective rules say `*`), or its number.
pub(crate) fn protocol(at: At<'_, '_>, report: &mut Report) -> Result<Option<Protocol>, Reported> {
    const EXPECTED: &str = "Tcp, Udp, Icmp, Esp, Ah or \"*\"";
    let names = [
        ("*", None),
        ("all", None),
        ("any", None),
        ("tcp", Some(Protocol::TCP)),
        ("udp", Some(Protocol::UDP)),
        ("icmp", Some(Protocol::ICMP)),
        ("icmpv6", Some(Protocol::ICMPV6)),
        ("esp", Some(Protocol::ESP)),
        ("ah", Some(Protocol::AH)),
    ];
    if let Node::Text(text) = at.node
        && let Ok(number) = text.parse()
    {
        return Ok(Some(Protocol(number)));
    }
    choice(at, report, EXPECTED, &names)
}

/// Names of the fields of one side of a rule.
pub(crate) struct Side {
    one: &'static str,
    many: &'static str,
    groups: &'static str,
    pub(crate) expanded: &'static str,
}

pub(crate) const SOURCE: Side = Side {
    one: "sourceAddressPrefix",
    many: "sourceAddressPrefixes",
    groups: "sourceApplicationSecurityGroups",
    expanded: "expandedSourceAddressPrefix",
};

pub(crate) const DESTINATION: Side = Side {
    one: "destinationAddressPrefix",
    many: "destinationAddressPrefixes",
    groups: "destinationApplicationSecurityGroups",
    expanded: "expandedDestinationAddressPrefix",
};

/// The terms of one side, from all the fields that can have them.
pub(crate) fn addresses(
    fields: &Fields<'_, '_>,
    report: &mut Report,
    side: &Side,
) -> Result<Vec<Term>, Reported> {
    let mut terms = Vec::new();
    for name in [side.one, side.many] {
        let read = optional!(fields, name, |at| texts(at, report, TERMS, &mut |text| {
            terms.push(term(text)?);
            Ok(())
        }));
        read.transpose()?;
    }
    let groups = optional!(fields, side.groups, |at| group_names(at, report, &mut terms));
    groups.transpose()?;
    if terms.is_empty() {
        return Err(report.problem(
            fields.place(),
            format!("there is no {:?} or {:?}, expected {TERMS}", side.one, side.many),
        ));
    }
    dedup(&mut terms);
    Ok(terms)
}

fn dedup<T: Ord + Clone>(terms: &mut Vec<T>) {
    let mut seen = BTreeSet::new();
    terms.retain(|term| seen.insert(term.clone()));
}

fn group_names(at: At<'_, '_>, report: &mut Report, terms: &mut Vec<Term>) -> Result<(), Reported> {
    let items = at.list(report, "a list of application security groups")?;
    for (i, node) in items.iter().enumerate() {
        let place = Place::Item(at.place, i);
        let fields = At::new(node, &place).object(report, "an object with the group's \"id\"")?;
        let id = required!(fields, "id", report, "the group's resource ID", |at| at
            .text(report, "the group's resource ID"))?;
        terms.push(Term::Group(last_part(id).to_owned()));
    }
    Ok(())
}

pub(crate) fn port_ranges(
    fields: &Fields<'_, '_>,
    report: &mut Report,
    one: &str,
    many: &str,
) -> Result<Vec<RangeInclusive<u16>>, Reported> {
    let mut ranges = Vec::new();
    for name in [one, many] {
        let read = optional!(fields, name, |at| texts(at, report, PORTS, &mut |text| {
            ranges.push(ports(text)?);
            Ok(())
        }));
        read.transpose()?;
    }
    if ranges.is_empty() {
        return Err(report.problem(
            fields.place(),
            format!("there is no {one:?} or {many:?}, expected {PORTS}"),
        ));
    }
    let mut seen = BTreeSet::new();
    ranges.retain(|range| seen.insert((*range.start(), *range.end())));
    Ok(ranges)
}

/// Hands the text or texts of a field on; an empty one says nothing.
pub(crate) fn texts(
    at: At<'_, '_>,
    report: &mut Report,
    expected: &str,
    read: &mut dyn FnMut(&str) -> Result<(), String>,
) -> Result<(), Reported> {
    let mut one = |at: At<'_, '_>, report: &mut Report| match at.node {
        Node::Text(text) if text.is_empty() => Ok(()),
        Node::Text(text) => read(text.trim()).map_err(|reason| report.problem(at.place, reason)),
        Node::Whole(number) => read(&number.to_string()).map_err(|reason| report.problem(at.place, reason)),
        _ => Err(at.expected(report, expected)),
    };
    let Node::List(items) = at.node else {
        return one(at, report);
    };
    if items.len() > MAX_TERMS {
        return Err(report.problem(
            at.place,
            format!("{} entries, expected at most {MAX_TERMS}", items.len()),
        ));
    }
    for (i, node) in items.iter().enumerate() {
        let place = Place::Item(at.place, i);
        one(At::new(node, &place), report)?;
    }
    Ok(())
}
