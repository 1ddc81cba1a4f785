//! What VFP does with a VM's packets.

use serde::{Deserialize, Serialize};

/// A policy of the standard layers. Every field has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// Rules in each direction of the VM's ACL layer that match nothing that is sent, 0 to 10,000, before those of `nsg`. Our
    /// choice: 100.
    pub filler_rules: u32,
    /// How rules are looked for. Our choice: chosen by what a group's conditions are.
    pub classifier: Classifier,
    /// Whether there is a metering layer. Published as a layer.
    pub meter: bool,
    /// Whether packets to other VMs are encapsulated (VXLAN) by the VNET layers. Published as layers.
    pub vnet: bool,
    /// Source NAT for what leaves the VNET.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snat: Option<Snat>,
    /// NSG rules of the VM's NIC, at most 1,000 (documented). Azure's default rules follow them. None: all is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nsg: Option<Vec<NsgRule>>,
}

/// Data structures that find the rule of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Classifier {
    /// Chosen for each group.
    #[default]
    Auto,
    /// One rule after the other.
    List,
}

/// Source NAT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snat {
    /// Ports that the VM has on the shared address, 8 to 64,000, in blocks of 8. Documented: 1,024 in a pool of up to 50 VMs.
    pub ports: u16,
}

/// A rule of a network security group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NsgRule {
    /// Its name.
    pub name: String,
    /// 100 to 64,999; lower comes first. (An NSG's own end at 4,096; more is for rules that an import has written out.)
    pub priority: u16,
    /// Which packets.
    pub direction: RuleDirection,
    /// What becomes of them.
    pub access: Access,
    /// `tcp`, `udp`, `icmp` or `*`.
    #[serde(default = "any")]
    pub protocol: String,
    /// Source prefix such as `10.0.0.0/8`, or `*`.
    #[serde(default = "any")]
    pub source: String,
    /// Source ports such as `80` or `1000-2000`, or `*`.
    #[serde(default = "any")]
    pub source_ports: String,
    /// Destination prefix, or `*`.
    #[serde(default = "any")]
    pub destination: String,
    /// Destination ports, or `*`.
    #[serde(default = "any")]
    pub destination_ports: String,
}

fn any() -> String {
    "*".into()
}

/// Which way a rule's packets go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleDirection {
    /// To the VM.
    Inbound,
    /// From the VM.
    Outbound,
}

/// What a rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// The packet may pass.
    Allow,
    /// It may not.
    Deny,
}

/// The ports that a text such as `80`, `1000-2000` or `*` means, first and last.
pub(super) fn ports(text: &str) -> Option<(u16, u16)> {
    if text == "*" {
        return Some((0, u16::MAX));
    }
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().filter(|_| digits)
    };
    let (first, last) = match text.split_once('-') {
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(text)?, number(text)?),
    };
    (first <= last).then_some((first, last))
}

impl NsgRule {
    /// Source ports, first and last; all where the text means none (see [`validate`](super::HostScenario::validate)).
    pub fn source_port_range(&self) -> (u16, u16) {
        ports(&self.source_ports).unwrap_or((0, u16::MAX))
    }

    /// Destination ports, first and last; all where the text means none.
    pub fn destination_port_range(&self) -> (u16, u16) {
        ports(&self.destination_ports).unwrap_or((0, u16::MAX))
    }
}
