//! What an input leaves open and its user may know.

use gft::{Address, Prefix};
use std::collections::BTreeMap;

/// Answers to what the formats do not say. The default is our choice and is named in a note where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The VM's own addresses. Empty: of a capture the address that most packets have.
    pub vm: Vec<Address>,
    /// The virtual network's address spaces: what the service tag `VirtualNetwork` stands for, and what `Internet` does not.
    pub vnet: Vec<Prefix>,
    /// Other service tags and application security groups by name, and the addresses they stand for.
    pub tags: BTreeMap<String, Vec<Prefix>>,
    /// The security group that is meant where there are several; its name without regard to case, as Azure takes it.
    pub nsg: Option<String>,
}

/// The private address spaces of RFC 1918.
const PRIVATE: [(Address, u8); 3] = [
    (Address::v4(10, 0, 0, 0), 96 + 8),
    (Address::v4(172, 16, 0, 0), 96 + 12),
    (Address::v4(192, 168, 0, 0), 96 + 16),
];

impl Default for Options {
    fn default() -> Options {
        Options {
            vm: Vec::new(),
            vnet: PRIVATE.map(|(address, len)| Prefix::new(address, len)).to_vec(),
            tags: BTreeMap::new(),
            nsg: None,
        }
    }
}

/// Reads a tag and what it stands for, such as `Storage=20.38.98.0/24,20.38.99.0/24`.
///
/// # Errors
/// What was expected, where there is no name, no `=`, or something that is no prefix.
pub fn tag(text: &str) -> Result<(String, Vec<Prefix>), String> {
    let (name, prefixes) = text
        .split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or("expected a tag and its prefixes, such as Storage=20.38.98.0/24,20.38.99.0/24")?;
    let prefix = |text: &str| text.parse().map_err(|why| format!("{why}"));
    let prefixes = prefixes.split(',').map(prefix).collect::<Result<_, String>>()?;
    Ok((name.into(), prefixes))
}
