//! What can stand in a header field.

use crate::Bits;
use std::net::{Ipv4Addr, Ipv6Addr};

/// A type with a fixed width in bits that can stand in a header field.
pub trait Value: Copy {
    /// Width in bits, 1 to 128.
    const BITS: u32;
    /// What is accepted, for errors.
    const EXPECTED: &'static str;
    /// The field's bits.
    fn to_raw(self) -> u128;
    /// The value of a field's bits, or `None` if they have no meaning.
    fn from_raw(raw: u128) -> Option<Self>;
    /// The field's bits as a reader wants to see them; any bits, also meaningless ones.
    fn show(raw: u128) -> String;
}

macro_rules! unsigned {
    ($($ty:ty)*) => {$(
        impl Value for $ty {
            const BITS: u32 = <$ty>::BITS;
            const EXPECTED: &'static str = "an unsigned integer";
            fn to_raw(self) -> u128 {
                self.into()
            }
            fn from_raw(raw: u128) -> Option<Self> {
                raw.try_into().ok()
            }
            fn show(raw: u128) -> String {
                raw.to_string()
            }
        }
    )*};
}
unsigned!(u8 u16 u32 u64);

impl Value for i16 {
    const BITS: u32 = 16;
    const EXPECTED: &'static str = "a signed 16-bit integer";
    fn to_raw(self) -> u128 {
        (self as u16).into()
    }
    fn from_raw(raw: u128) -> Option<Self> {
        u16::from_raw(raw).map(|bits| bits as i16)
    }
    fn show(raw: u128) -> String {
        format!("{:+}", raw as u16 as i16)
    }
}

impl Value for bool {
    const BITS: u32 = 1;
    const EXPECTED: &'static str = "0 or 1";
    fn to_raw(self) -> u128 {
        self.into()
    }
    fn from_raw(raw: u128) -> Option<Self> {
        (raw <= 1).then_some(raw == 1)
    }
    fn show(raw: u128) -> String {
        raw.to_string()
    }
}

impl<const N: u32> Value for Bits<N> {
    const BITS: u32 = N;
    const EXPECTED: &'static str = "an unsigned integer";
    fn to_raw(self) -> u128 {
        self.get().into()
    }
    fn from_raw(raw: u128) -> Option<Self> {
        raw.try_into().ok().and_then(Bits::new)
    }
    fn show(raw: u128) -> String {
        raw.to_string()
    }
}

impl Value for Ipv4Addr {
    const BITS: u32 = 32;
    const EXPECTED: &'static str = "an IPv4 address";
    fn to_raw(self) -> u128 {
        self.to_bits().into()
    }
    fn from_raw(raw: u128) -> Option<Self> {
        raw.try_into().ok().map(Ipv4Addr::from_bits)
    }
    fn show(raw: u128) -> String {
        Self::from_raw(raw).map_or_else(String::new, |address| address.to_string())
    }
}

impl Value for Ipv6Addr {
    const BITS: u32 = 128;
    const EXPECTED: &'static str = "an IPv6 address";
    fn to_raw(self) -> u128 {
        self.to_bits()
    }
    fn from_raw(raw: u128) -> Option<Self> {
        Some(Ipv6Addr::from_bits(raw))
    }
    fn show(raw: u128) -> String {
        Ipv6Addr::from_bits(raw).to_string()
    }
}

/// Defines a field whose values are named codes, from one table.
macro_rules! codes {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident ($bits:literal bits, expected $expected:literal) {
            $( $Variant:ident = $code:literal $text:literal $doc:literal; )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $Name {
            $( #[doc = $doc] $Variant = $code, )*
        }

        impl $Name {
            /// Every value, by ascending code.
            pub const ALL: &'static [$Name] = &[$( $Name::$Variant ),*];

            /// The number on the wire.
            pub const fn code(self) -> u8 {
                self as u8
            }

            /// The value with this number.
            pub const fn from_code(code: u8) -> Option<$Name> {
                match code {
                    $( $code => Some($Name::$Variant), )*
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $( $Name::$Variant => $text, )* })
            }
        }

        impl $crate::Value for $Name {
            const BITS: u32 = $bits;
            const EXPECTED: &'static str = $expected;
            fn to_raw(self) -> u128 {
                self.code().into()
            }
            fn from_raw(raw: u128) -> Option<Self> {
                u8::try_from(raw).ok().and_then(Self::from_code)
            }
            fn show(raw: u128) -> String {
                match Self::from_raw(raw) {
                    Some(value) => format!("{raw:#04x} {value}"),
                    None => format!("{raw:#04x} unknown"),
                }
            }
        }
    };
}
pub(crate) use codes;
