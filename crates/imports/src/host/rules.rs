//! Security rules of a host scenario: one prefix and one range of ports on each side.

use crate::azure::nsg::{Level, Nsg, NsgRule};
use crate::azure::security::KNOWN;
use crate::node::clip;
use crate::report::Report;
use crate::{Options, Term};
use gft::{Address, Direction, Prefix, Protocol};
use scenario::host::{Access, NsgRule as Written, RuleDirection, limits};
use std::ops::RangeInclusive;
use vfp::AddressRange;

/// The group of the network interface, or else of the subnet.
pub(super) fn chosen<'a>(groups: &'a [Nsg], input: &str, report: &mut Report) -> Option<&'a Nsg> {
    let chosen = groups
        .iter()
        .find(|group| group.level == Level::Interface)
        .or_else(|| groups.first())?;
    for other in groups.iter().filter(|&group| !std::ptr::eq(group, chosen)) {
        report.note(
            format!("{input}: group {}", clip(&other.name)),
            "the group is not in the scenario",
            "a host scenario has one security group for each VM; `process-tuples` asks that of the subnet, too",
        );
    }
    Some(chosen)
}

/// All its rules, default rules included, written out in full with priorities from 100 on in each direction. For flows that had
/// the protocol `played` and are sent as UDP: those rules that mean it, for any protocol.
pub(super) fn of_group(
    group: &Nsg,
    options: &Options,
    played: Option<Protocol>,
    report: &mut Report,
) -> Vec<Written> {
    let mut written = Vec::new();
    for direction in [Direction::In, Direction::Out] {
        let mut rules: Vec<&NsgRule> = group
            .rules
            .iter()
            .filter(|rule| rule.direction == direction)
            .collect();
        rules.sort_by_key(|rule| rule.priority);
        let mut priority = *limits::NSG_PRIORITY.start();
        for rule in rules {
            for one in in_full(rule, options, played, report) {
                written.push(Written { priority, ..one });
                priority += 1;
                if written.len() > limits::MAX_NSG_RULES {
                    // The check of the scenario says that there are too many.
                    return written;
                }
            }
        }
    }
    written
}

/// A rule as rules with one prefix and one range on each side; their priority is for the caller to say.
fn in_full(rule: &NsgRule, options: &Options, played: Option<Protocol>, report: &mut Report) -> Vec<Written> {
    let place = || format!("rule {}", clip(&rule.name));
    let protocol = match rule.protocol {
        Some(asked) if played.is_some_and(|played| played != asked) => return Vec::new(),
        _ if played.is_some() => "*",
        None => "*",
        Some(Protocol::TCP) => "tcp",
        Some(Protocol::UDP) => "udp",
        Some(Protocol::ICMP) => "icmp",
        Some(other) => {
            report.note(
                place(),
                format!("rules for {other} are not in the scenario"),
                "a host scenario has TCP, UDP and ICMP",
            );
            return Vec::new();
        }
    };
    let (own, peers) = match rule.direction {
        Direction::In => (&rule.destinations, &rule.sources),
        Direction::Out => (&rule.sources, &rule.destinations),
    };
    if !means_the_vm(own, options) {
        report.note(
            place(),
            "the rule is not in the scenario",
            "on its own side stands another address than the VM's, so it matches none of its packets",
        );
        return Vec::new();
    }
    if options.vm.is_empty() && own.iter().any(|term| !is_everything(term)) {
        report.note(
            place(),
            "the VM's own address is not known",
            "what stands on the rule's own side is taken to mean it",
        );
    }
    let peers: Vec<String> = peers.iter().flat_map(|term| prefixes(term, options)).collect();
    let mut written = Vec::new();
    for peer in &peers {
        for source_ports in &rule.source_ports {
            for destination_ports in &rule.destination_ports {
                let (source, destination) = match rule.direction {
                    Direction::In => (peer.clone(), "*".into()),
                    Direction::Out => ("*".into(), peer.clone()),
                };
                written.push(Written {
                    name: name(&rule.name),
                    priority: 0,
                    direction: match rule.direction {
                        Direction::In => RuleDirection::Inbound,
                        Direction::Out => RuleDirection::Outbound,
                    },
                    access: if rule.allow { Access::Allow } else { Access::Deny },
                    protocol: protocol.into(),
                    source,
                    source_ports: ports(source_ports),
                    destination,
                    destination_ports: ports(destination_ports),
                });
                if written.len() > limits::MAX_NSG_RULES {
                    return written;
                }
            }
        }
    }
    written
}

fn name(given: &str) -> String {
    let plain: String = given.chars().filter(|c| !c.is_control()).take(80).collect();
    match plain.is_empty() {
        true => "rule".into(),
        false => plain,
    }
}

fn ports(range: &RangeInclusive<u16>) -> String {
    match (*range.start(), *range.end()) {
        (0, u16::MAX) => "*".into(),
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    }
}

fn is_everything(term: &Term) -> bool {
    match term {
        Term::Any => true,
        Term::Prefix(prefix) => *prefix == Prefix::ANY || *prefix == Prefix::ANY_V4,
        // The virtual network is where the VM is.
        Term::Tag(name) => name.eq_ignore_ascii_case("VirtualNetwork"),
        Term::Group(_) => false,
    }
}

/// Whether a rule's own side takes the VM in. Where the VM's address is not known, it does.
fn means_the_vm(terms: &[Term], options: &Options) -> bool {
    options.vm.is_empty()
        || terms.iter().any(|term| {
            is_everything(term)
                || ranges(term, options)
                    .iter()
                    .any(|range| options.vm.iter().any(|&vm| range.contains(vm)))
        })
}

/// What a term stands for; nothing where that is not known, which is noted when the policy is made.
fn ranges(term: &Term, options: &Options) -> Vec<AddressRange> {
    match term {
        Term::Any => vec![AddressRange::ALL],
        Term::Prefix(prefix) => vec![(*prefix).into()],
        Term::Tag(name) | Term::Group(name) => {
            let known = KNOWN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            match known {
                Some((_, tag)) => vfp::nsg::standard_tags(&options.vnet)
                    .remove(tag)
                    .unwrap_or_default(),
                None => options
                    .tags
                    .get(name)
                    .into_iter()
                    .flatten()
                    .map(|&prefix| prefix.into())
                    .collect(),
            }
        }
    }
}

/// A term as prefixes of a host scenario, IPv4 alone where it is an address.
fn prefixes(term: &Term, options: &Options) -> Vec<String> {
    if *term == Term::Any {
        return vec!["*".into()];
    }
    ranges(term, options)
        .into_iter()
        .flat_map(of_range)
        .map(|prefix| match prefix == Prefix::ANY_V4 {
            true => "0.0.0.0/0".into(),
            false => prefix.to_string(),
        })
        .collect()
}

/// The fewest prefixes that make up a range.
fn of_range(range: AddressRange) -> Vec<Prefix> {
    let mut prefixes = Vec::new();
    let (mut at, last) = (range.first.0, range.last.0);
    loop {
        // As long a block as the address is aligned to and the range holds.
        let aligned = at.trailing_zeros().min(127);
        let room = (last - at).checked_add(1).map_or(127, |left| left.ilog2());
        let bits = aligned.min(room);
        prefixes.push(Prefix::new(Address(at), (128 - bits) as u8));
        match at.checked_add(1u128 << bits) {
            Some(next) if next <= last => at = next,
            _ => return prefixes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(first: &str, last: &str) -> AddressRange {
        let address = |text: &str| text.parse().expect(text);
        AddressRange {
            first: address(first),
            last: address(last),
        }
    }

    /// By hand: 10.0.0.1 to 10.0.0.6 is 1/32, 2/31, 4/31, 6/32.
    #[test]
    fn ranges_are_cut_into_prefixes() {
        let texts = |range| -> Vec<String> { of_range(range).iter().map(ToString::to_string).collect() };
        assert_eq!(
            texts(range("10.0.0.1", "10.0.0.6")),
            ["10.0.0.1/32", "10.0.0.2/31", "10.0.0.4/31", "10.0.0.6/32"]
        );
        assert_eq!(texts(range("10.0.0.0", "10.255.255.255")), ["10.0.0.0/8"]);
        assert_eq!(
            texts(range("255.255.255.255", "255.255.255.255")),
            ["255.255.255.255/32"]
        );
        assert_eq!(
            of_range(AddressRange::ALL).len(),
            2,
            "two halves: a prefix has at least one bit here"
        );
    }
}
