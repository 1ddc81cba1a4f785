//! IPv4 and IPv6 addresses and prefixes as one type, so that tables need one path only.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;
use thiserror::Error;

/// An IPv4 or IPv6 address. IPv4 lies at `::ffff:0:0/96` (RFC 4291, section 2.5.5.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u128);

const MAPPED: u128 = 0xffff_0000_0000;

impl Address {
    /// The IPv4 address `a.b.c.d`.
    pub const fn v4(a: u8, b: u8, c: u8, d: u8) -> Address {
        Address(MAPPED | u32::from_be_bytes([a, b, c, d]) as u128)
    }

    /// The IPv4 address with these 32 bits.
    pub const fn from_v4_bits(bits: u32) -> Address {
        Address(MAPPED | bits as u128)
    }

    /// The 32 bits of an IPv4 address.
    pub const fn v4_bits(self) -> Option<u32> {
        if self.0 >> 32 == MAPPED >> 32 {
            Some(self.0 as u32)
        } else {
            None
        }
    }
}

impl From<IpAddr> for Address {
    fn from(address: IpAddr) -> Address {
        match address {
            IpAddr::V4(v4) => Address::from_v4_bits(v4.to_bits()),
            IpAddr::V6(v6) => Address(v6.to_bits()),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.v4_bits() {
            Some(bits) => Ipv4Addr::from_bits(bits).fmt(f),
            None => Ipv6Addr::from_bits(self.0).fmt(f),
        }
    }
}

/// What is no address or prefix.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// Not an address.
    #[error("\"{0}\" is not an IPv4 or IPv6 address such as 10.1.0.4 or fd00::4")]
    Address(String),
    /// The length is no number or too long.
    #[error("\"{0}\" is not a prefix: after the slash stands a length of 0 to {1}")]
    Length(String, u8),
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Address, AddressError> {
        text.parse::<IpAddr>()
            .map(Address::from)
            .map_err(|_| AddressError::Address(text.chars().take(60).collect()))
    }
}

/// An address prefix. The length counts all 128 bits, so 10.0.0.0/8 has 104. Bits after the prefix are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prefix {
    address: Address,
    len: u8,
}

impl Prefix {
    /// The first `len` bits (0 to 128) of `address`; the rest is cleared.
    pub const fn new(address: Address, len: u8) -> Prefix {
        let len = if len > 128 { 128 } else { len };
        Prefix {
            address: Address(address.0 & Prefix::mask(len)),
            len,
        }
    }

    /// All IPv4 addresses.
    pub const ANY_V4: Prefix = Prefix::new(Address::v4(0, 0, 0, 0), 96);
    /// All IPv6 addresses, and with them all of IPv4 (see [`Address`]).
    pub const ANY: Prefix = Prefix::new(Address(0), 0);

    const fn mask(len: u8) -> u128 {
        if len == 0 { 0 } else { u128::MAX << (128 - len) }
    }

    /// Its lowest address.
    pub const fn first(self) -> Address {
        self.address
    }

    /// Its highest address.
    pub const fn last(self) -> Address {
        Address(self.address.0 | !Prefix::mask(self.len))
    }

    /// Its length, of 128 bits.
    pub const fn len(self) -> u8 {
        self.len
    }

    /// True for the prefix of length 0.
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Whether `address` has this prefix.
    pub const fn contains(self, address: Address) -> bool {
        address.0 & Prefix::mask(self.len) == self.address.0
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.address.v4_bits() {
            Some(_) if self.len >= 96 => write!(f, "{}/{}", self.address, self.len - 96),
            _ => write!(f, "{}/{}", self.address, self.len),
        }
    }
}

impl FromStr for Prefix {
    type Err = AddressError;

    /// Reads `10.0.0.0/8`, `fd00::/8`, or an address alone, which is a prefix of full length.
    fn from_str(text: &str) -> Result<Prefix, AddressError> {
        let (address, length) = match text.split_once('/') {
            Some((address, length)) => (address.parse::<Address>()?, Some(length)),
            None => (text.parse::<Address>()?, None),
        };
        let (most, above) = if address.v4_bits().is_some() {
            (32, 96)
        } else {
            (128, 0)
        };
        let len = match length {
            None => most,
            Some(digits) => digits
                .parse::<u8>()
                .ok()
                .filter(|&len| len <= most && digits.bytes().all(|b| b.is_ascii_digit()))
                .ok_or_else(|| AddressError::Length(text.chars().take(60).collect(), most))?,
        };
        Ok(Prefix::new(address, len + above))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefix(text: &str) -> Prefix {
        text.parse().expect(text)
    }

    #[test]
    fn v4_is_mapped_into_v6() {
        assert_eq!(Address::v4(10, 1, 0, 4).0, 0xffff_0a01_0004);
        assert_eq!("10.1.0.4".parse(), Ok(Address::v4(10, 1, 0, 4)));
        assert_eq!("::ffff:10.1.0.4".parse(), Ok(Address::v4(10, 1, 0, 4)));
        assert_eq!(Address::v4(10, 1, 0, 4).to_string(), "10.1.0.4");
        assert_eq!(
            "fd00::4".parse::<Address>().map(|a| a.to_string()),
            Ok("fd00::4".into())
        );
    }

    #[test]
    fn prefixes_contain_what_begins_like_them() {
        let net = prefix("10.1.2.3/16");
        assert_eq!(net.to_string(), "10.1.0.0/16");
        assert!(net.contains(Address::v4(10, 1, 255, 255)) && !net.contains(Address::v4(10, 2, 0, 0)));
        assert_eq!(
            (net.first(), net.last()),
            (Address::v4(10, 1, 0, 0), Address::v4(10, 1, 255, 255))
        );
        assert_eq!(prefix("10.1.0.4").len(), 128);
        assert!(prefix("0.0.0.0/0").contains(Address::v4(1, 2, 3, 4)));
        assert!(!prefix("0.0.0.0/0").contains(Address(1)));
        assert!(Prefix::ANY.contains(Address::v4(1, 2, 3, 4)));
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        for text in [
            "",
            "10.1.0",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0.0/+8",
            "fd00::/129",
            "10.0.0.0/8/8",
            "any",
        ] {
            assert!(text.parse::<Prefix>().is_err(), "{text}");
        }
        assert_eq!(
            "10.0.0.0/33".parse::<Prefix>().unwrap_err().to_string(),
            "\"10.0.0.0/33\" is not a prefix: after the slash stands a length of 0 to 32"
        );
    }
}
