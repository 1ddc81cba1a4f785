//! What the tests share.

use gft::{Direction, Headers, Protocol, TcpFlags, Tuple};
use imports::{ImportError, Imported, Options, import};
use vfp::{CompiledPolicy, Policy, Port, Settings, Walk};

/// The import of a text that must be good.
pub fn good(text: &str) -> Imported {
    good_with(text, &Options::default())
}

pub fn good_with(text: &str, options: &Options) -> Imported {
    let imported = import(text.as_bytes(), options).unwrap_or_else(|error| panic!("{error}"));
    for named in &imported.policies {
        CompiledPolicy::new(named.policy.clone()).unwrap_or_else(|error| panic!("{error}"));
    }
    imported
}

/// The message that a bad text gets.
pub fn bad(text: &str) -> String {
    match import(text.as_bytes(), &Options::default()) {
        Err(error) => error.to_string(),
        Ok(imported) => panic!("accepted: {imported:?}"),
    }
}

/// The text with one piece of it replaced by another.
pub fn with(text: &str, piece: &str, other: &str) -> String {
    assert_eq!(text.matches(piece).count(), 1, "{piece} in {text}");
    text.replacen(piece, other, 1)
}

/// Each line: a piece of the good text, what stands there instead, and the message.
pub fn table(text: &str, rows: &[(&str, &str, &str)]) {
    good(text);
    for (piece, other, message) in rows {
        assert_eq!(bad(&with(text, piece, other)), *message, "{piece} -> {other}");
    }
}

/// The notes as lines.
pub fn notes(imported: &Imported) -> Vec<String> {
    imported.notes.iter().map(ToString::to_string).collect()
}

/// A packet such as `tcp 10.0.0.4 50000 10.0.0.5 443`; TCP is a SYN.
pub fn packet(text: &str) -> Headers {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [kind, src, src_port, dst, dst_port] = words[..] else {
        panic!("packet {text}");
    };
    let protocol = match kind {
        "tcp" => Protocol::TCP,
        "udp" => Protocol::UDP,
        "icmp" => Protocol::ICMP,
        other => panic!("protocol {other}"),
    };
    Headers {
        tuple: Tuple {
            src: src.parse().unwrap(),
            dst: dst.parse().unwrap(),
            src_port: src_port.parse().unwrap(),
            dst_port: dst_port.parse().unwrap(),
            protocol,
        },
        ttl: 64,
        flags: if protocol == Protocol::TCP {
            TcpFlags::SYN
        } else {
            TcpFlags::default()
        },
        ..Headers::default()
    }
}

/// How a packet goes through a policy.
pub fn walk(policy: &Policy, headers: &Headers, direction: Direction) -> Walk {
    let compiled = CompiledPolicy::new(policy.clone()).unwrap();
    let port = Port::new(1, 1, Settings::default(), compiled);
    port.process_tuple(headers, direction).walk
}

/// Whether a packet passes.
pub fn passes(policy: &Policy, text: &str, direction: Direction) -> bool {
    matches!(walk(policy, &packet(text), direction).end, vfp::End::Forward)
}

pub fn is_too_large(error: &ImportError) -> bool {
    matches!(error, ImportError::TooLarge { .. })
}
