//! Security rules as a scenario's.

use crate::azure::known_tag;
use crate::azure::nsg::{Level, Nsg, NsgRule};
use crate::node::clip;
use crate::options::Options;
use crate::place::Place;
use crate::report::{Note, Problem, Report};
use crate::terms::Term;
use gft::{Address, Direction, Prefix, Protocol};
use scenario::host::{self, Access, RuleDirection, limits};
use std::ops::RangeInclusive;
use vfp::AddressRange;
use vfp::nsg::standard_tags;

/// The rules of a VM's groups as a scenario has them: one prefix and one range of ports on each side.
///
/// A rule with several is written out as several, tags as their addresses; so priorities are given anew, in the same order. Of a
/// group of the subnet and one of the network interface, both of which must allow, one list is made ([`both`]). Default rules are
/// left out, because the scenario adds them. Every change is noted.
///
/// # Errors
/// If the rules are too many for a scenario, or some are allowed while a rule before them that denies would be lost.
pub fn nsg_rules(groups: &[Nsg], options: &Options) -> Result<(Vec<host::NsgRule>, Vec<Note>), Vec<Problem>> {
    let mut report = Report::default();
    let mut pick = |level| {
        let mut of_level = groups.iter().filter(|group| group.level == level);
        let own = of_level.next();
        for other in of_level {
            report.note(
                format_args!("group {}", clip(&other.name)),
                "the group is not used",
                "a VM has one group of its subnet and one of its network interface; the first one is taken",
            );
        }
        own
    };
    let (subnet, interface) = (pick(Level::Subnet), pick(Level::Interface));
    let mut rules = Vec::new();
    for direction in [Direction::In, Direction::Out] {
        let mut flat = |group: &Nsg| write_out(group, direction, options, &mut report);
        let of_direction = match (subnet, interface) {
            (Some(subnet), Some(interface)) => {
                let (subnet, interface) = (flat(subnet), flat(interface));
                both(&subnet, &interface, &mut report)
            }
            (Some(own), None) | (None, Some(own)) => flat(own),
            (None, None) => Vec::new(),
        };
        for (own, priority) in of_direction.iter().zip(*limits::NSG_PRIORITY.start()..) {
            rules.push(own.rule(priority, direction));
        }
    }
    if subnet.is_some() && interface.is_some() {
        report.note(
            "the groups of the subnet and of the network interface",
            "both must allow",
            "one list of rules is made of them, in which each rule that allows is narrowed to what both allow",
        );
    }
    if rules.len() > limits::MAX_NSG_RULES {
        report.problem(
            &Place::Root,
            format!(
                "written out with one prefix and one range of ports on each side the rules are {}; a scenario's VM has at most {} (process-tuples takes the groups as they are)",
                rules.len(),
                limits::MAX_NSG_RULES
            ),
        );
    }
    Ok((rules, report.finish()?))
}

/// A rule with one prefix and one range of ports on each side.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Flat {
    name: String,
    allow: bool,
    /// None for all.
    protocol: Option<Protocol>,
    source: Prefix,
    source_ports: RangeInclusive<u16>,
    destination: Prefix,
    destination_ports: RangeInclusive<u16>,
}

impl Flat {
    /// What both match, with the other's name and access.
    fn and(&self, other: &Flat) -> Option<Flat> {
        let protocol = match (self.protocol, other.protocol) {
            (Some(own), Some(others)) if own != others => return None,
            (own, others) => own.or(others),
        };
        let prefix = |own: Prefix, other: Prefix| match own.len() >= other.len() {
            true => other.contains(own.first()).then_some(own),
            false => own.contains(other.first()).then_some(other),
        };
        let ports = |own: &RangeInclusive<u16>, other: &RangeInclusive<u16>| {
            let both = *own.start().max(other.start())..=*own.end().min(other.end());
            (!both.is_empty()).then_some(both)
        };
        Some(Flat {
            protocol,
            source: prefix(self.source, other.source)?,
            source_ports: ports(&self.source_ports, &other.source_ports)?,
            destination: prefix(self.destination, other.destination)?,
            destination_ports: ports(&self.destination_ports, &other.destination_ports)?,
            ..other.clone()
        })
    }

    fn rule(&self, priority: u16, direction: Direction) -> host::NsgRule {
        let prefix = |prefix: Prefix| match prefix {
            Prefix::ANY => "*".to_owned(),
            prefix => prefix.to_string(),
        };
        host::NsgRule {
            name: name(&self.name),
            priority,
            direction: match direction {
                Direction::In => RuleDirection::Inbound,
                Direction::Out => RuleDirection::Outbound,
            },
            access: if self.allow { Access::Allow } else { Access::Deny },
            protocol: match self.protocol {
                Some(Protocol::TCP) => "tcp",
                Some(Protocol::UDP) => "udp",
                Some(Protocol::ICMP) => "icmp",
                _ => "*",
            }
            .into(),
            source: prefix(self.source),
            source_ports: ports(&self.source_ports),
            destination: prefix(self.destination),
            destination_ports: ports(&self.destination_ports),
        }
    }
}

/// One list of rules in whose order a packet passes if it passes both: where a rule of the first denies, so does the list; where
/// one allows, the second's rules decide within it, and what none of them matches is denied.
fn both(first: &[Flat], second: &[Flat], report: &mut Report) -> Vec<Flat> {
    let mut all = Vec::new();
    for own in first {
        if !own.allow {
            all.push(own.clone());
            continue;
        }
        for both in second.iter().filter_map(|other| own.and(other)) {
            let last = Flat {
                name: own.name.clone(),
                allow: own.allow,
                ..both.clone()
            } == *own;
            all.push(both);
            // It matches all that is left, so none after it is reached.
            if last {
                break;
            }
        }
        if all.last().is_none_or(|last| last.and(own).as_ref() != Some(own)) {
            all.push(Flat {
                allow: false,
                ..own.clone()
            });
        }
        if all.len() > limits::MAX_NSG_RULES {
            too_many(&own.name, report);
            break;
        }
    }
    all
}

fn too_many(rule: &str, report: &mut Report) {
    report.problem(
        &Place::Field(&Place::Root, &format!("rule {}", clip(rule))),
        format!(
            "with it the rules, written out with one prefix and one range of ports on each side, are more than {}, the most that a scenario's VM has (process-tuples takes the groups as they are)",
            limits::MAX_NSG_RULES
        ),
    );
}

/// A group's rules of one direction, in the order of their priorities, each written out.
fn write_out(group: &Nsg, direction: Direction, options: &Options, report: &mut Report) -> Vec<Flat> {
    let mut of_direction: Vec<&NsgRule> = group
        .rules
        .iter()
        .filter(|rule| rule.direction == direction && !rule.is_default)
        .collect();
    of_direction.sort_by_key(|rule| rule.priority);
    let mut all = Vec::new();
    // A rule that denies and whose addresses are not all known.
    let mut lost: Option<(&NsgRule, String)> = None;
    for rule in of_direction {
        let place = format!("rule {}", clip(&rule.name));
        let known = [
            None,
            Some(Protocol::TCP),
            Some(Protocol::UDP),
            Some(Protocol::ICMP),
        ];
        if let Some(other) = rule.protocol.filter(|_| !known.contains(&rule.protocol)) {
            let why = "a scenario's packets are TCP, UDP and ICMP, which the rule does not match";
            report.note(&place, format!("the rule is not used: {other}"), why);
            continue;
        }
        let mut unknown = None;
        let mut side = |terms| prefixes(terms, &place, group, options, &mut unknown, report);
        let sources = side(&rule.sources);
        let destinations = side(&rule.destinations);
        if let Some(tag) = unknown.filter(|_| !rule.allow && lost.is_none()) {
            lost = Some((rule, tag));
        }
        let count = [
            sources.len(),
            destinations.len(),
            rule.source_ports.len(),
            rule.destination_ports.len(),
        ]
        .into_iter()
        .fold(1usize, usize::saturating_mul);
        if count == 0 {
            report.note(
                &place,
                "the rule is not used",
                "none of its tags stands for an address, so it matches nothing",
            );
            continue;
        }
        if let Some((denies, tag)) = lost.as_ref().filter(|_| rule.allow) {
            report.problem(
                &Place::Field(&Place::Root, &format!("rule {}", clip(&denies.name))),
                format!(
                    "it denies, and the addresses of {:?} are not known, so that {:?} behind it would let through what it denies; expected the tag's addresses, given or in a list of service tags",
                    clip(tag),
                    clip(&rule.name)
                ),
            );
            return all;
        }
        if all.len().saturating_add(count) > limits::MAX_NSG_RULES {
            too_many(&rule.name, report);
            return all;
        }
        let next = usize::from(*limits::NSG_PRIORITY.start()) + all.len();
        if count > 1 || usize::from(rule.priority) != next {
            report.note(
                &place,
                "rules are written out with one prefix and one range of ports on each side",
                "priorities are given anew, in the same order",
            );
        }
        for source in &sources {
            for destination in &destinations {
                for source_ports in &rule.source_ports {
                    for destination_ports in &rule.destination_ports {
                        all.push(Flat {
                            name: rule.name.clone(),
                            allow: rule.allow,
                            protocol: rule.protocol,
                            source: *source,
                            source_ports: source_ports.clone(),
                            destination: *destination,
                            destination_ports: destination_ports.clone(),
                        });
                    }
                }
            }
        }
    }
    all
}

/// A name as a scenario takes it: 1 to 80 characters of plain text.
fn name(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_control()).take(80).collect();
    if plain.is_empty() { "rule".into() } else { plain }
}

fn ports(range: &RangeInclusive<u16>) -> String {
    match (*range.start(), *range.end()) {
        (0, u16::MAX) => "*".into(),
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    }
}

/// The prefixes of one side; `unknown` gets the first tag whose addresses are not known.
fn prefixes(
    terms: &[Term],
    place: &str,
    group: &Nsg,
    options: &Options,
    unknown: &mut Option<String>,
    report: &mut Report,
) -> Vec<Prefix> {
    let standard = standard_tags(&options.vnet);
    let mut all = Vec::new();
    for term in terms {
        match term {
            Term::Any => return vec![Prefix::ANY],
            Term::Prefix(prefix) => all.push(*prefix),
            Term::Tag(name) | Term::Group(name) => {
                let known = known_tag(name).and_then(|tag| standard.get(&tag));
                if let Some(resolved) = group.tags.get(name) {
                    all.extend(resolved);
                } else if let Some(ranges) = known {
                    // The scenario's addresses are all IPv4.
                    let v4 = ranges.iter().filter(|range| range.first.v4_bits().is_some());
                    all.extend(v4.flat_map(|range| split(*range)));
                } else if let Some(given) = options.tags.get(name) {
                    all.extend(given);
                } else {
                    unknown.get_or_insert_with(|| name.clone());
                    report.note(
                        place,
                        format!("the addresses of {:?} are not known", clip(name)),
                        "it stands for no address",
                    );
                }
            }
        }
    }
    all
}

/// The fewest prefixes that a range consists of.
fn split(range: AddressRange) -> Vec<Prefix> {
    let mut prefixes = Vec::new();
    let mut from = range.first.0;
    loop {
        // As many low bits as are zero in the beginning and do not lead beyond the end.
        let mut bits = from.trailing_zeros().min(127);
        while bits > 0 && from | ((1 << bits) - 1) > range.last.0 {
            bits -= 1;
        }
        prefixes.push(Prefix::new(Address(from), 128 - bits as u8));
        let last = from | ((1 << bits) - 1);
        if last >= range.last.0 {
            return prefixes;
        }
        from = last + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 10.0.0.5 to 10.0.0.18 is .5, .6/31, .8/29, .16/31, .18.
    #[test]
    fn a_range_is_its_fewest_prefixes() {
        let range = |first: u8, last: u8| AddressRange {
            first: Address::v4(10, 0, 0, first),
            last: Address::v4(10, 0, 0, last),
        };
        let text = |range| {
            split(range)
                .iter()
                .map(Prefix::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(
            text(range(5, 18)),
            "10.0.0.5/32 10.0.0.6/31 10.0.0.8/29 10.0.0.16/31 10.0.0.18/32"
        );
        assert_eq!(text(range(0, 255)), "10.0.0.0/24");
        assert_eq!(text(range(7, 7)), "10.0.0.7/32");
        assert_eq!(text(Prefix::ANY_V4.into()), "0.0.0.0/0");
        assert_eq!(
            split(AddressRange::ALL).len(),
            2,
            "two halves, since a count of 128 bits would not fit"
        );
    }
}
