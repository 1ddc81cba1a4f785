//! What an input is, told by what is in it.

use crate::node::Node;
use std::fmt;

/// A format that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Network security groups.
    SecurityGroups,
    /// Effective security rules of a network interface.
    EffectiveRules,
    /// Load balancers.
    LoadBalancers,
    /// Service tags with their addresses.
    ServiceTags,
    /// A VNet or NSG flow log.
    FlowLog,
    /// DASH's tables.
    Dash,
    /// A capture.
    Capture,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 7] = [
        Format::SecurityGroups,
        Format::EffectiveRules,
        Format::LoadBalancers,
        Format::ServiceTags,
        Format::FlowLog,
        Format::Dash,
        Format::Capture,
    ];
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::SecurityGroups => {
                "network security groups (JSON with \"securityRules\", ARM, command line or template)"
            }
            Format::EffectiveRules => "effective security rules (JSON with \"effectiveSecurityRules\")",
            Format::LoadBalancers => "load balancers (JSON with \"frontendIPConfigurations\")",
            Format::ServiceTags => "service tags (JSON with \"values\" that have \"addressPrefixes\")",
            Format::FlowLog => {
                "VNet flow logs (version 4) and NSG flow logs (versions 1 and 2; JSON with \"records\")"
            }
            Format::Dash => "DASH tables (JSON with names such as \"DASH_ENI_TABLE:…\")",
            Format::Capture => "captures (pcap, pcapng)",
        })
    }
}

/// Whether the object, or its properties, have a field of this name.
fn has(node: &Node, name: &str) -> bool {
    let Node::Object(fields) = node else { return false };
    fields.iter().any(|(given, value)| {
        given.eq_ignore_ascii_case(name)
            || given.eq_ignore_ascii_case("properties")
                && matches!(value, Node::Object(inner) if inner.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)))
    })
}

fn field<'a>(node: &'a Node, name: &str) -> Option<&'a Node> {
    let Node::Object(fields) = node else { return None };
    fields
        .iter()
        .find(|(given, _)| given.eq_ignore_ascii_case(name))
        .map(|(_, node)| node)
}

/// The format of a JSON text. Resources of a template or list are looked at in turn; the first that is known decides.
pub(crate) fn of_json(root: &Node) -> Option<Format> {
    if let Some(format) = of_object(root) {
        return Some(format);
    }
    let list = match root {
        Node::List(items) => items,
        _ => match field(root, "resources").or(field(root, "value")) {
            Some(Node::List(items)) => items,
            _ => return None,
        },
    };
    list.iter().find_map(of_object)
}

fn of_object(node: &Node) -> Option<Format> {
    let Node::Object(fields) = node else { return None };
    let is_type = |name: &str| matches!(field(node, "type"), Some(Node::Text(kind)) if kind.to_ascii_lowercase().starts_with(name));
    if fields.iter().any(|(name, _)| name.starts_with("DASH_")) {
        Some(Format::Dash)
    } else if has(node, "effectiveSecurityRules") {
        Some(Format::EffectiveRules)
    } else if has(node, "securityRules")
        || is_type("microsoft.network/networksecuritygroups")
        || has(node, "access") && has(node, "direction")
    {
        Some(Format::SecurityGroups)
    } else if has(node, "frontendIPConfigurations")
        || is_type("microsoft.network/loadbalancers")
        || has(node, "frontendPort")
    {
        Some(Format::LoadBalancers)
    } else if matches!(field(node, "values"), Some(Node::List(tags)) if tags.iter().any(|tag| has(tag, "addressPrefixes")))
    {
        Some(Format::ServiceTags)
    } else if has(node, "records") {
        Some(Format::FlowLog)
    } else {
        None
    }
}

/// Whether the bytes begin like a capture, also a compressed one.
pub(crate) fn is_capture(bytes: &[u8]) -> bool {
    const MAGICS: [&[u8]; 8] = [
        &[0x0a, 0x0d, 0x0d, 0x0a],
        &[0xd4, 0xc3, 0xb2, 0xa1],
        &[0xa1, 0xb2, 0xc3, 0xd4],
        &[0x4d, 0x3c, 0xb2, 0xa1],
        &[0xa1, 0xb2, 0x3c, 0x4d],
        &[0x1f, 0x8b],
        &[0x28, 0xb5, 0x2f, 0xfd],
        b"PK\x03\x04",
    ];
    MAGICS.iter().any(|magic| bytes.starts_with(magic))
}
