//! Addresses that the configuration needs: locators, and the ends of cables.

use std::net::Ipv6Addr;
use wire::Usid;
use wire::usid::BLOCK;

/// Length of the locator block in bits.
pub(crate) const BLOCK_LEN: u32 = 32;

/// Length of a locator: block and one uSID (RFC 9800, NEXT-CSID flavor).
const LOCATOR_LEN: u32 = BLOCK_LEN + Usid::BITS;

/// First 64 bits of the addresses of cable ends (our choice: beside the NICs' own addresses, [`wire::ipv6::nic_address`]).
const LINK_PREFIX: Ipv6Addr = Ipv6Addr::new(0xfd00, 0x6d72, 0x0063, 1, 0, 0, 0, 0);

/// Length of the prefix that the two ends of a cable share (RFC 6164).
pub(crate) const LINK_LEN: u32 = 127;

/// The address that begins a uSID's locator: the block, the uSID, and nothing after it.
pub(crate) fn locator(usid: Usid) -> Ipv6Addr {
    Ipv6Addr::from_bits(u128::from(BLOCK) << 96 | u128::from(usid.raw()) << 80)
}

/// A uSID's locator as text, such as `fc00:0:801::/48`.
pub fn locator_prefix(usid: Usid) -> String {
    format!("{}/{LOCATOR_LEN}", locator(usid))
}

/// The address that begins the block.
pub(crate) fn block() -> Ipv6Addr {
    Ipv6Addr::from_bits(u128::from(BLOCK) << 96)
}

/// The address of one end of a cable. `cable` is the number of its upward link ([`fabric::Clos`]).
pub(crate) fn link_address(cable: u32, upper: bool) -> Ipv6Addr {
    Ipv6Addr::from_bits(LINK_PREFIX.to_bits() | u128::from(cable) << 1 | u128::from(upper))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::{Tier, UsidContainer};

    #[test]
    fn a_locator_is_a_container_of_one() {
        let usid = Usid::new(3, Tier::T1, 17).unwrap();
        let container = UsidContainer::new(BLOCK, &[usid]).unwrap();
        assert_eq!(locator(usid), container.address());
        assert_eq!(block(), UsidContainer::new(BLOCK, &[]).unwrap().address());
    }

    #[test]
    fn ends_of_a_cable_share_127_bits_with_each_other_only() {
        assert_eq!(link_address(0, false).to_string(), "fd00:6d72:63:1::");
        assert_eq!(
            link_address(u32::MAX, true).to_string(),
            "fd00:6d72:63:1:0:1:ffff:ffff"
        );
        let prefix = |cable, upper| link_address(cable, upper).to_bits() >> (128 - LINK_LEN);
        assert_eq!(prefix(5, false), prefix(5, true));
        assert_ne!(prefix(5, true), prefix(6, false));
    }
}
