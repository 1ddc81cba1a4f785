//! Conditions in the form in which packets are held against them.

use crate::policy::{AddressRange, AddressTerm, Condition, PortRange, RuleFlags, TagId};
use gft::{Address, Headers, Mac, Protocol, TcpFlags};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is asked of an address: ranges in order that neither overlap nor touch, or nothing.
#[derive(Clone, Debug)]
pub(crate) enum Addresses {
    Any,
    In(Arc<[AddressRange]>),
}

impl Addresses {
    pub(crate) fn contain(&self, address: Address) -> bool {
        match self {
            Addresses::Any => true,
            Addresses::In(ranges) => {
                let after = ranges.partition_point(|range| range.first <= address);
                after > 0 && ranges[after - 1].contains(address)
            }
        }
    }
}

/// Joins ranges that overlap or touch, and puts them in order.
pub(crate) fn merged(mut ranges: Vec<AddressRange>) -> Vec<AddressRange> {
    ranges.sort_unstable();
    let mut out: Vec<AddressRange> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.first.0 <= last.last.0.saturating_add(1) => {
                last.last = last.last.max(range.last);
            }
            _ => out.push(range),
        }
    }
    out
}

fn merged_ports(ports: &[PortRange]) -> Vec<PortRange> {
    let mut ports = ports.to_vec();
    ports.sort_unstable();
    let mut out: Vec<PortRange> = Vec::with_capacity(ports.len());
    for range in ports {
        match out.last_mut() {
            Some(last) if range.first <= last.last.saturating_add(1) => {
                last.last = last.last.max(range.last);
            }
            _ => out.push(range),
        }
    }
    if out == [PortRange::ALL] {
        out.clear();
    }
    out
}

/// Whether a protocol has ports: TCP, UDP, DCCP, SCTP, UDP-Lite (IANA's protocol numbers).
const fn has_ports(protocol: Protocol) -> bool {
    matches!(protocol.0, 6 | 17 | 33 | 132 | 136)
}

/// Expands terms to ranges; lists of terms that come again share theirs, as the lists of service tags are long.
#[derive(Debug)]
pub(crate) struct Expander<'a> {
    tags: &'a BTreeMap<TagId, Vec<AddressRange>>,
    known: BTreeMap<Vec<AddressTerm>, Arc<[AddressRange]>>,
}

impl<'a> Expander<'a> {
    pub(crate) fn new(tags: &'a BTreeMap<TagId, Vec<AddressRange>>) -> Expander<'a> {
        Expander {
            tags,
            known: BTreeMap::new(),
        }
    }

    /// What the terms ask for. Tags must be known; an unknown one is empty.
    fn addresses(&mut self, terms: &[AddressTerm]) -> Addresses {
        if terms.is_empty() {
            return Addresses::Any;
        }
        if let Some(ranges) = self.known.get(terms) {
            return Addresses::In(Arc::clone(ranges));
        }
        let mut ranges = Vec::new();
        for term in terms {
            match term {
                AddressTerm::Prefix(prefix) => ranges.push(AddressRange::from(*prefix)),
                AddressTerm::Range(range) => ranges.push(*range),
                AddressTerm::Tag(tag) => ranges.extend(self.tags.get(tag).into_iter().flatten()),
            }
        }
        let ranges: Arc<[AddressRange]> = merged(ranges).into();
        self.known.insert(terms.to_vec(), Arc::clone(&ranges));
        if *ranges == [AddressRange::ALL] {
            return Addresses::Any;
        }
        Addresses::In(ranges)
    }
}

/// A compiled condition. Ports: empty means any.
#[derive(Clone, Debug)]
pub(crate) struct Matcher {
    protocols: Box<[Protocol]>,
    pub(crate) src: Addresses,
    pub(crate) dst: Addresses,
    pub(crate) src_ports: Box<[PortRange]>,
    pub(crate) dst_ports: Box<[PortRange]>,
    tni: Option<(u32, u32)>,
    src_mac: Option<Mac>,
    dst_mac: Option<Mac>,
    flags: RuleFlags,
}

/// Whether a packet opens a TCP connection: SYN without ACK.
pub(crate) fn is_syn(headers: &Headers) -> bool {
    headers.tuple.protocol == Protocol::TCP
        && headers.flags.has(TcpFlags::SYN)
        && !headers.flags.has(TcpFlags::ACK)
}

impl Matcher {
    pub(crate) fn new(condition: &Condition, flags: RuleFlags, expander: &mut Expander<'_>) -> Matcher {
        Matcher {
            protocols: condition.protocols.clone().into(),
            src: expander.addresses(&condition.src),
            dst: expander.addresses(&condition.dst),
            src_ports: merged_ports(&condition.src_ports).into(),
            dst_ports: merged_ports(&condition.dst_ports).into(),
            tni: condition.tni,
            src_mac: condition.src_mac,
            dst_mac: condition.dst_mac,
            flags,
        }
    }

    pub(crate) fn matches(&self, headers: &Headers) -> bool {
        let tuple = &headers.tuple;
        let ported = has_ports(tuple.protocol);
        let ports = |ranges: &[PortRange], port| {
            ranges.is_empty() || ported && ranges.iter().any(|range| range.contains(port))
        };
        (self.protocols.is_empty() || self.protocols.contains(&tuple.protocol))
            && ports(&self.dst_ports, tuple.dst_port)
            && ports(&self.src_ports, tuple.src_port)
            && self.dst.contain(tuple.dst)
            && self.src.contain(tuple.src)
            && self.tni.is_none_or(|(first, last)| {
                headers.encaps[0].is_some_and(|encap| first <= encap.tni && encap.tni <= last)
            })
            && self.src_mac.is_none_or(|mac| mac == headers.src_mac)
            && self.dst_mac.is_none_or(|mac| mac == headers.dst_mac)
            && (!self.flags.has(RuleFlags::SYN_ONLY) || is_syn(headers))
            && (!self.flags.has(RuleFlags::NON_SYN_ONLY) || !is_syn(headers))
    }
}
