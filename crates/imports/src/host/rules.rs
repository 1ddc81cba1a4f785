//! Security rules as a scenario's.

use super::notes;
use crate::azure::known_tag;
use crate::azure::nsg::{Level, Nsg, NsgRule};
use crate::node::clip;
use crate::options::Options;
use crate::report::{Note, Report};
use crate::terms::Term;
use gft::{Address, Direction, Prefix, Protocol};
use scenario::host::{self, Access, RuleDirection, limits};
use std::ops::RangeInclusive;
use vfp::AddressRange;
use vfp::nsg::standard_tags;

/// The rules of a network interface's group as a scenario has them: one prefix and one range of ports on each side.
///
/// A rule with several is written out as several, tags as their addresses; so priorities are given anew, in the same order.
/// Default rules are left out, because the scenario adds them. Every change is noted.
pub fn nsg_rules(groups: &[Nsg], options: &Options) -> (Vec<host::NsgRule>, Vec<Note>) {
    let mut report = Report::default();
    let own = groups.iter().find(|group| group.level == Level::Interface);
    let own = own.or(groups.first());
    for other in groups.iter().filter(|group| own.is_some_and(|own| *group != own)) {
        report.note(
            format_args!("group {}", clip(&other.name)),
            "the group is not used",
            "a scenario's VM has one group, that of its network interface",
        );
    }
    let mut rules = Vec::new();
    for direction in [Direction::In, Direction::Out] {
        let mut of_direction: Vec<&NsgRule> = own
            .iter()
            .flat_map(|group| &group.rules)
            .filter(|rule| rule.direction == direction && !rule.is_default)
            .collect();
        of_direction.sort_by_key(|rule| rule.priority);
        let mut priority = *limits::NSG_PRIORITY.start();
        for rule in of_direction {
            write_out(rule, options, &mut priority, &mut rules, &mut report);
        }
    }
    (rules, notes(report))
}

/// Writes a rule out, from this priority on.
fn write_out(
    rule: &NsgRule,
    options: &Options,
    priority: &mut u16,
    rules: &mut Vec<host::NsgRule>,
    report: &mut Report,
) {
    let place = format!("rule {}", clip(&rule.name));
    let protocol = match rule.protocol {
        None => "*",
        Some(Protocol::TCP) => "tcp",
        Some(Protocol::UDP) => "udp",
        Some(Protocol::ICMP) => "icmp",
        Some(other) => {
            let why = "a scenario's rules are about TCP, UDP, ICMP or everything";
            report.note(&place, format!("the rule is not used: {other}"), why);
            return;
        }
    };
    let sources = prefixes(&rule.sources, &place, options, report);
    let destinations = prefixes(&rule.destinations, &place, options, report);
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
        return;
    }
    if rules.len().saturating_add(count) > limits::MAX_NSG_RULES {
        report.note(
            &place,
            format!("the rule is not used: written out it is {count} rules"),
            format!("a scenario's VM has at most {}", limits::MAX_NSG_RULES),
        );
        return;
    }
    if count > 1 || rule.priority != *priority {
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
                    rules.push(host::NsgRule {
                        name: name(&rule.name),
                        priority: *priority,
                        direction: match rule.direction {
                            Direction::In => RuleDirection::Inbound,
                            Direction::Out => RuleDirection::Outbound,
                        },
                        access: if rule.allow { Access::Allow } else { Access::Deny },
                        protocol: protocol.into(),
                        source: source.clone(),
                        source_ports: ports(source_ports),
                        destination: destination.clone(),
                        destination_ports: ports(destination_ports),
                    });
                    // At most a thousand rules from 100 on, so below the highest priority.
                    *priority += 1;
                }
            }
        }
    }
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

/// The prefixes of one side.
fn prefixes(terms: &[Term], place: &str, options: &Options, report: &mut Report) -> Vec<String> {
    let standard = standard_tags(&options.vnet);
    let mut all = Vec::new();
    for term in terms {
        match term {
            Term::Any => return vec!["*".into()],
            Term::Prefix(prefix) => all.push(prefix.to_string()),
            Term::Tag(name) | Term::Group(name) => {
                let known = known_tag(name).and_then(|tag| standard.get(&tag));
                if let Some(ranges) = known {
                    // The scenario's addresses are all IPv4.
                    let v4 = ranges.iter().filter(|range| range.first.v4_bits().is_some());
                    all.extend(
                        v4.flat_map(|range| split(*range))
                            .map(|prefix| prefix.to_string()),
                    );
                } else if let Some(given) = options.tags.get(name) {
                    all.extend(given.iter().map(Prefix::to_string));
                } else {
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
