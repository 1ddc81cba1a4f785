//! SRv6 micro-segment identifiers (uSIDs): the route inside an IPv6 destination address.
//!
//! A container holds a 32-bit locator block and up to six 16-bit uSIDs (RFC 9800, NEXT-CSID flavor with block
//! length 32 and identifier length 16). Each switch compares the first 48 bits with its own, shifts the uSIDs
//! left by one and forwards by its static table. MRC publishes no uSID numbers; the plan of [`Usid`] is ours.

use crate::WireError;
use crate::value::codes;
use std::fmt;
use std::net::Ipv6Addr;

/// The fabric's locator block, `fc00:0::/32` (our choice).
pub const BLOCK: u32 = 0xfc00_0000;

/// uSIDs that fit behind a 32-bit block.
pub const USIDS: usize = 6;

/// A 16-bit uSID: one switch, or one downlink to a NIC.
///
/// Bits 15 to 13 are the plane, 12 to 11 the [`Tier`], 10 to 0 the index; a T2's index is one more there, so that no uSID is
/// zero. Zero ends a container.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Usid(u16);

codes! {
    /// What a [`Usid`] names.
    pub enum Tier(2 bits, expected "0 T2, 1 T0, 2 T1 or 3 NIC downlink") {
        T2 = 0 "t2" "A switch that T1s are attached to.";
        T0 = 1 "t0" "A switch that NICs are attached to.";
        T1 = 2 "t1" "A switch that T0s are attached to.";
        Nic = 3 "nic" "A T0's downlink to a NIC.";
    }
}

impl Usid {
    /// Width in bits.
    pub const BITS: u32 = 16;
    /// Ends the list in a container.
    pub const END: Usid = Usid(0);
    /// The largest plane number.
    pub const MAX_PLANE: u8 = 7;
    /// The largest index; of a T2, one more than the largest.
    pub const MAX_INDEX: u16 = 0x7ff;

    /// The uSID of a switch or downlink.
    ///
    /// # Errors
    /// [`WireError::OutOfRange`] if `plane` is above 7 or `index` above 2047, or 2046 of a T2.
    pub const fn new(plane: u8, tier: Tier, index: u16) -> Result<Usid, WireError> {
        if plane > Self::MAX_PLANE {
            return Err(WireError::OutOfRange {
                what: "uSID plane",
                value: plane as u64,
                expected: "0 to 7",
            });
        }
        let (number, expected) = match tier {
            Tier::T2 => (index.saturating_add(1), "0 to 2046 for a T2"),
            _ => (index, "0 to 2047"),
        };
        if number > Self::MAX_INDEX {
            return Err(WireError::OutOfRange {
                what: "uSID index",
                value: index as u64,
                expected,
            });
        }
        Ok(Usid((plane as u16) << 13 | (tier.code() as u16) << 11 | number))
    }

    /// Any 16 bits as a uSID.
    pub const fn from_raw(raw: u16) -> Usid {
        Usid(raw)
    }

    /// The 16 bits.
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// The plane, 0 to 7.
    pub const fn plane(self) -> u8 {
        (self.0 >> 13) as u8
    }

    /// What it names, or `None` if the fabric's plan has no meaning for it.
    pub fn tier(self) -> Option<Tier> {
        match crate::Value::from_raw((self.0 >> 11 & 0b11).into()) {
            Some(Tier::T2) if self.0 & Self::MAX_INDEX == 0 => None,
            tier => tier,
        }
    }

    /// The index, 0 to 2047.
    pub fn index(self) -> u16 {
        let number = self.0 & Self::MAX_INDEX;
        match self.tier() {
            Some(Tier::T2) => number - 1,
            _ => number,
        }
    }
}

/// Such as `p3 t1.17`; `end` for zero, plain hexadecimal outside the fabric's plan.
impl fmt::Display for Usid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tier() {
            Some(tier) => write!(f, "p{} {tier}.{}", self.plane(), self.index()),
            None if *self == Usid::END => f.write_str("end"),
            None => write!(f, "{:#06x}", self.0),
        }
    }
}

impl fmt::Debug for Usid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An IPv6 address read as a locator block and six uSIDs. Every address can be read so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UsidContainer(Ipv6Addr);

impl UsidContainer {
    /// A block and a path, the rest of the container being [`Usid::END`].
    ///
    /// # Errors
    /// [`WireError::OutOfRange`] if the path has more than six uSIDs or an [`Usid::END`] among them.
    pub fn new(block: u32, path: &[Usid]) -> Result<UsidContainer, WireError> {
        if path.len() > USIDS {
            let value = path.len() as u64;
            return Err(WireError::OutOfRange {
                what: "number of uSIDs",
                value,
                expected: "0 to 6",
            });
        }
        let mut bits = u128::from(block);
        for &usid in path {
            if usid == Usid::END {
                return Err(WireError::OutOfRange {
                    what: "uSID",
                    value: 0,
                    expected: "not 0, which ends the list",
                });
            }
            bits = bits << 16 | u128::from(usid.0);
        }
        Ok(UsidContainer(Ipv6Addr::from_bits(
            bits << (16 * (USIDS - path.len())),
        )))
    }

    /// The locator block.
    pub fn block(self) -> u32 {
        (self.0.to_bits() >> 96) as u32
    }

    /// The uSID that the next node compares with its own, or `None` at the end of the list.
    pub fn active(self) -> Option<Usid> {
        self.usids().next()
    }

    /// The container after a node has consumed the active uSID: block kept, uSIDs one place to the left.
    #[must_use]
    pub fn shift(self) -> UsidContainer {
        let bits = self.0.to_bits();
        let block = bits >> 96 << 96;
        UsidContainer(Ipv6Addr::from_bits(block | bits << 48 >> 32))
    }

    /// The uSIDs up to the end of the list.
    pub fn usids(self) -> impl Iterator<Item = Usid> {
        self.slots().into_iter().take_while(|&usid| usid != Usid::END)
    }

    /// All six places, also those after the end of the list.
    pub fn slots(self) -> [Usid; USIDS] {
        let segments = self.0.segments();
        std::array::from_fn(|i| Usid(segments[2 + i]))
    }

    /// The IPv6 address.
    pub const fn address(self) -> Ipv6Addr {
        self.0
    }

    /// The uSIDs as text, such as `p3 t0.1, p3 t1.17, p3 t0.9, p3 nic.4`.
    pub fn list(self) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            if self.active().is_none() {
                return f.write_str("end");
            }
            for (i, usid) in self.usids().enumerate() {
                let comma = if i == 0 { "" } else { ", " };
                write!(f, "{comma}{usid}")?;
            }
            Ok(())
        })
    }
}

impl From<Ipv6Addr> for UsidContainer {
    fn from(address: Ipv6Addr) -> Self {
        UsidContainer(address)
    }
}

/// As IPv6 text.
impl fmt::Display for UsidContainer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> Vec<Usid> {
        [(Tier::T0, 1), (Tier::T1, 17), (Tier::T0, 2047), (Tier::Nic, 4)]
            .map(|(tier, index)| Usid::new(3, tier, index).unwrap())
            .to_vec()
    }

    #[test]
    fn both_texts() {
        let container = UsidContainer::new(BLOCK, &path()).unwrap();
        assert_eq!(container.to_string(), "fc00:0:6801:7011:6fff:7804::");
        assert_eq!(
            container.list().to_string(),
            "p3 t0.1, p3 t1.17, p3 t0.2047, p3 nic.4"
        );
        assert_eq!(Usid::from_raw(0x0005).to_string(), "p0 t2.4");
        assert_eq!(Usid::from_raw(0xe000).to_string(), "0xe000");
    }

    #[test]
    fn each_hop_consumes_one() {
        let mut container = UsidContainer::new(BLOCK, &path()).unwrap();
        for usid in path() {
            assert_eq!(container.active(), Some(usid));
            assert_eq!((usid.plane(), container.block()), (3, BLOCK));
            container = container.shift();
        }
        assert_eq!(container.active(), None);
        assert_eq!(container.list().to_string(), "end");
        assert_eq!(
            container.address(),
            UsidContainer::new(BLOCK, &[]).unwrap().address()
        );
    }

    #[test]
    fn a_full_container_shifts_in_an_end() {
        let full = UsidContainer::new(u32::MAX, &[Usid::from_raw(0xffff); USIDS]).unwrap();
        assert_eq!(full.usids().count(), USIDS);
        assert_eq!(full.shift().slots()[USIDS - 1], Usid::END);
        assert_eq!(full.shift().usids().count(), USIDS - 1);
    }

    #[test]
    fn parts_come_back_from_every_usid_of_the_plan() {
        for raw in 0..=u16::MAX {
            let usid = Usid::from_raw(raw);
            if let Some(tier) = usid.tier() {
                assert_eq!(Usid::new(usid.plane(), tier, usid.index()), Ok(usid));
            } else {
                assert_eq!(raw & 0x1fff, 0);
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(
            Usid::new(8, Tier::T0, 0).unwrap_err().to_string(),
            "uSID plane is 8, expected 0 to 7"
        );
        assert_eq!(
            Usid::new(0, Tier::T0, 2048).unwrap_err().to_string(),
            "uSID index is 2048, expected 0 to 2047"
        );
        assert_eq!(
            Usid::new(0, Tier::T2, 2047).unwrap_err().to_string(),
            "uSID index is 2047, expected 0 to 2046 for a T2"
        );
        assert_eq!(Usid::new(0, Tier::T2, 0).unwrap().raw(), 1);
        let seven = [Usid::from_raw(1); 7];
        assert_eq!(
            UsidContainer::new(BLOCK, &seven).unwrap_err().to_string(),
            "number of uSIDs is 7, expected 0 to 6"
        );
        assert!(UsidContainer::new(BLOCK, &[Usid::END]).is_err());
    }
}
