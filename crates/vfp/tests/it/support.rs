//! What the tests share: packets and rules from short texts, ports, and layers.

use gft::{Address, Direction, Headers, Mac, Prefix, Protocol, TcpFlags, Tuple};
use kernel::Time;
use vfp::{
    Action, AddressRange, AddressTerm, Answer, ClassifierChoice, CompiledPolicy, Condition, Group, Layer,
    LayerId, Offload, Policy, Port, Rule, RuleFlags, Settings,
};

pub const SYN: TcpFlags = TcpFlags::SYN;
pub const ACK: TcpFlags = TcpFlags::ACK;
pub const RST: TcpFlags = TcpFlags::RST;
pub const SYN_ACK: TcpFlags = TcpFlags::SYN.with(TcpFlags::ACK);
pub const FIN_ACK: TcpFlags = TcpFlags::FIN.with(TcpFlags::ACK);

pub fn seconds(s: u64) -> Time {
    Time::from_ms(s * 1_000)
}

pub fn address(text: &str) -> Address {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

pub fn protocol(text: &str) -> Protocol {
    match text {
        "tcp" => Protocol::TCP,
        "udp" => Protocol::UDP,
        "icmp" => Protocol::ICMP,
        "esp" => Protocol::ESP,
        "ah" => Protocol::AH,
        other => panic!("protocol {other}"),
    }
}

/// A packet such as `tcp 10.0.0.4 50000 10.0.0.5 443`: protocol, source, port, destination, port. TCP is a SYN.
pub fn packet(text: &str) -> Headers {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [kind, src, src_port, dst, dst_port] = words[..] else {
        panic!("packet {text}");
    };
    let protocol = protocol(kind);
    Headers {
        src_mac: Mac(0xa),
        dst_mac: Mac(0xb),
        tuple: Tuple {
            src: address(src),
            dst: address(dst),
            src_port: src_port.parse().expect(text),
            dst_port: dst_port.parse().expect(text),
            protocol,
        },
        ttl: 64,
        flags: if protocol == Protocol::TCP {
            SYN
        } else {
            TcpFlags::default()
        },
        ..Headers::default()
    }
}

/// The same with other flags.
pub fn with(headers: Headers, flags: TcpFlags) -> Headers {
    Headers { flags, ..headers }
}

/// The packet that answers one that leaves (or arrives) with these headers.
pub fn reply(headers: Headers, flags: TcpFlags) -> Headers {
    let encaps = headers.encaps.map(|encap| {
        encap.map(|encap| gft::Encap {
            src: encap.dst,
            dst: encap.src,
            ..encap
        })
    });
    Headers {
        encaps,
        src_mac: headers.dst_mac,
        dst_mac: headers.src_mac,
        tuple: headers.tuple.reversed(),
        flags,
        ..headers
    }
}

/// An address term: prefix, address, or `first-last`.
pub fn term(text: &str) -> AddressTerm {
    match text.split_once('-') {
        Some((first, last)) => AddressTerm::Range(AddressRange {
            first: address(first),
            last: address(last),
        }),
        None => AddressTerm::Prefix(text.parse::<Prefix>().unwrap_or_else(|error| panic!("{error}"))),
    }
}

pub fn rule(name: &str, priority: u32, condition: Condition, flags: u32, action: Action) -> Rule {
    Rule {
        name: name.into(),
        priority,
        condition,
        flags: RuleFlags(flags),
        action,
    }
}

/// A condition on the destination port.
pub fn dst_port(port: u16) -> Condition {
    Condition {
        dst_ports: vec![vfp::PortRange::one(port)],
        ..Condition::any()
    }
}

pub fn group(name: &str, direction: Direction, priority: u32, rules: Vec<Rule>) -> Group {
    Group {
        name: name.into(),
        direction,
        priority,
        condition: None,
        classifier: ClassifierChoice::Auto,
        rules,
    }
}

pub fn layer(id: u8, stateful: bool, default_allow: bool, groups: Vec<Group>) -> Layer {
    Layer {
        id: LayerId(id),
        name: format!("layer {id}"),
        stateful,
        default_allow,
        groups,
    }
}

/// A port with this policy and the default settings.
pub fn port(policy: Policy) -> Port {
    port_with(policy, Settings::default())
}

pub fn port_with(policy: Policy, settings: Settings) -> Port {
    let policy = CompiledPolicy::new(policy).unwrap_or_else(|error| panic!("{error}"));
    Port::new(1, 7, settings, policy)
}

pub fn port_of(layers: Vec<Layer>) -> Port {
    port(Policy {
        layers,
        ..Policy::default()
    })
}

/// One packet of 100 bytes; commands to the hardware are thrown away.
pub fn send(port: &mut Port, now: Time, headers: &Headers, direction: Direction) -> Answer {
    port.process(now, headers, direction, 100, &mut Vec::new())
}

/// The headers with which it goes on.
pub fn forwarded(answer: &Answer) -> Headers {
    match answer.verdict {
        vfp::Verdict::Forward(headers) => headers,
        other => panic!("not forwarded: {other:?}"),
    }
}

/// One packet and its commands to the hardware.
pub fn send_noting(
    port: &mut Port,
    now: Time,
    headers: &Headers,
    direction: Direction,
) -> (Answer, Vec<Offload>) {
    let mut offloads = Vec::new();
    let answer = port.process(now, headers, direction, 100, &mut offloads);
    (answer, offloads)
}
