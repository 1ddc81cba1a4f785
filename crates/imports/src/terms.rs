//! Addresses and ports as security rules write them.

use crate::node::clip;
use gft::Prefix;
use std::ops::RangeInclusive;

/// One term of a rule's source or destination.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// `*`: everything.
    Any,
    /// Addresses with a prefix.
    Prefix(Prefix),
    /// A service tag such as `VirtualNetwork`.
    Tag(String),
    /// An application security group, by the last part of its resource ID.
    Group(String),
}

/// What a term can be, for messages.
pub(crate) const TERMS: &str =
    "\"*\", an address or prefix such as 10.1.0.0/16, or a service tag such as VirtualNetwork";

/// What ports can be, for messages.
pub(crate) const PORTS: &str = "\"*\", a port such as 443 or a range such as 1000-2000";

/// Whether a text is an expression of an ARM template, whose value only the deployment knows. `[[` escapes a bracket.
pub(crate) fn is_expression(text: &str) -> bool {
    text.starts_with('[') && !text.starts_with("[[") && text.ends_with(']')
}

/// Reads a term of a source or destination.
pub(crate) fn term(text: &str) -> Result<Term, String> {
    if text == "*" || text.eq_ignore_ascii_case("any") {
        return Ok(Term::Any);
    }
    match text.parse::<Prefix>() {
        Ok(prefix) => Ok(Term::Prefix(prefix)),
        Err(_) if is_tag(text) => Ok(Term::Tag(text.to_owned())),
        Err(error) if text.contains('/') => Err(format!("{error}; expected {TERMS}")),
        Err(_) => Err(format!("{:?}, expected {TERMS}", clip(text))),
    }
}

/// Names of service tags: letters, digits, dots and dashes, a letter first (`Storage.WestEurope`).
fn is_tag(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.len() <= 80
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-' || byte == b'_')
}

/// Reads a port or a range of ports.
pub(crate) fn ports(text: &str) -> Result<RangeInclusive<u16>, String> {
    if text == "*" || text.eq_ignore_ascii_case("any") {
        return Ok(0..=u16::MAX);
    }
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (port(first.trim()), port(last.trim())) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        (Some(first), Some(last)) => Err(format!(
            "{:?}, expected a range that does not end ({last}) before it begins ({first})",
            clip(text)
        )),
        _ => Err(format!("{:?}, expected {PORTS}, up to 65535", clip(text))),
    }
}

fn port(text: &str) -> Option<u16> {
    text.parse()
        .ok()
        .filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The last part of a resource ID.
pub(crate) fn last_part(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gft::Address;

    #[test]
    fn terms_of_all_kinds() {
        assert_eq!(term("*"), Ok(Term::Any));
        let prefix = Prefix::new(Address::v4(10, 1, 0, 0), 96 + 16);
        assert_eq!(term("10.1.0.0/16"), Ok(Term::Prefix(prefix)));
        assert_eq!(
            term("Storage.WestEurope"),
            Ok(Term::Tag("Storage.WestEurope".into()))
        );
        assert_eq!(
            term("10.1.0.0/40"),
            Err(format!(
                "\"10.1.0.0/40\" is not a prefix: after the slash stands a length of 0 to 32; expected {TERMS}"
            ))
        );
        assert_eq!(
            term("10.1.0.4-10.1.0.9"),
            Err(format!("\"10.1.0.4-10.1.0.9\", expected {TERMS}"))
        );
    }

    #[test]
    fn ports_of_all_kinds() {
        assert_eq!(ports("*"), Ok(0..=65_535));
        assert_eq!(ports("443"), Ok(443..=443));
        assert_eq!(ports("1000-2000"), Ok(1000..=2000));
        for text in ["", "65536", "-1", "80-", "http", "+80", "1-2-3"] {
            assert_eq!(
                ports(text),
                Err(format!("{text:?}, expected {PORTS}, up to 65535"))
            );
        }
        assert_eq!(
            ports("90-80"),
            Err("\"90-80\", expected a range that does not end (80) before it begins (90)".into())
        );
    }
}
