//! One table per header: from it come the struct, its bytes, its parser and its description.

use crate::{WireError, bits};

/// A packet header as a value that can be written to and read from bytes in network order.
///
/// Bit positions are counted from the header's first byte, most significant bit first, as RFCs draw them.
pub trait Header: Sized {
    /// The header's usual name.
    const NAME: &'static str;
    /// Its length in bytes.
    const LEN: usize;
    /// Its fields in order; they cover every bit exactly once.
    const FIELDS: &'static [Field];

    /// Writes the header into the first [`LEN`](Self::LEN) bytes of `out`.
    ///
    /// # Panics
    /// If `out` is shorter than that.
    fn emit(&self, out: &mut [u8]);

    /// Reads the header from the first [`LEN`](Self::LEN) bytes of `bytes`, whatever its reserved bits hold.
    ///
    /// # Errors
    /// [`WireError::Truncated`], or [`WireError::Field`] for a code without a meaning.
    fn read(bytes: &[u8]) -> Result<Self, WireError>;

    /// Like [`read`](Self::read), but refuses reserved bits that are not zero and fixed fields with another
    /// value, so that an accepted header emits the very same bytes.
    ///
    /// # Errors
    /// [`WireError::Truncated`] or [`WireError::Field`].
    fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        let header = Self::read(bytes)?;
        for field in Self::FIELDS {
            if let Some((value, expected)) = field.fixed {
                let found = field.get(bytes);
                if found != value {
                    return Err(WireError::Field {
                        header: Self::NAME,
                        field: field.name,
                        found,
                        expected,
                    });
                }
            }
        }
        Ok(header)
    }
}

/// One field of a header, for the parser and for the reader.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The field's name.
    pub name: &'static str,
    /// First bit, from the header's start.
    pub lo: u32,
    /// One past the last bit.
    pub hi: u32,
    /// What the field means.
    pub doc: &'static str,
    /// The only value allowed, and its spelling, where there is only one.
    pub(crate) fixed: Option<(u128, &'static str)>,
    /// How its bits are shown.
    pub(crate) show: fn(u128) -> String,
}

impl Field {
    /// The field's bits in `header`, which must hold the whole field.
    pub(crate) fn get(&self, header: &[u8]) -> u128 {
        bits::get(header, self.lo, self.hi)
    }

    /// The bits as text; a fixed field with another value says what it should be.
    pub(crate) fn text(&self, raw: u128) -> String {
        match self.fixed {
            Some((value, expected)) if raw != value => format!("{raw:#x} (expected {expected})"),
            _ => (self.show)(raw),
        }
    }
}

/// Fails to compile if the fields do not cover `len` bytes exactly once, in order.
pub(crate) const fn assert_covers(fields: &[Field], len: usize) {
    let mut at = 0;
    let mut i = 0;
    while i < fields.len() {
        let field = &fields[i];
        assert!(
            field.lo == at && field.lo < field.hi,
            "fields must follow each other without gap or overlap"
        );
        assert!(
            field.hi.div_ceil(8) - field.lo / 8 <= 16,
            "a field may touch 16 bytes at most"
        );
        at = field.hi;
        i += 1;
    }
    assert!(at as usize == len * 8, "fields must fill the header");
}

/// Other ways to show a field's bits than its type's own.
pub(crate) mod show {
    pub(crate) fn hex(raw: u128) -> String {
        format!("{raw:#x}")
    }

    pub(crate) fn hex32(raw: u128) -> String {
        format!("{raw:#010x}")
    }

    pub(crate) fn hex64(raw: u128) -> String {
        format!("{raw:#018x}")
    }

    pub(crate) fn bits32(raw: u128) -> String {
        format!("{raw:032b}")
    }

    pub(crate) fn bits64(raw: u128) -> String {
        format!("{raw:064b}")
    }

    pub(crate) fn dscp(raw: u128) -> String {
        match crate::dscp::name(crate::Dscp::wrapping(raw as u64)) {
            Some(name) => format!("{raw} {name}"),
            None => raw.to_string(),
        }
    }

    pub(crate) fn protocol(raw: u128) -> String {
        match raw {
            1 => "1 ICMP".into(),
            4 => "4 IPv4".into(),
            6 => "6 TCP".into(),
            17 => "17 UDP".into(),
            41 => "41 IPv6".into(),
            43 => "43 routing".into(),
            47 => "47 GRE".into(),
            58 => "58 ICMPv6".into(),
            _ => raw.to_string(),
        }
    }

    pub(crate) fn ethertype(raw: u128) -> String {
        match raw {
            0x0800 => "0x0800 IPv4".into(),
            0x6558 => "0x6558 Ethernet".into(),
            0x8100 => "0x8100 VLAN".into(),
            0x86dd => "0x86dd IPv6".into(),
            0x8808 => "0x8808 MAC control".into(),
            0x88a8 => "0x88a8 VLAN, service".into(),
            _ => format!("{raw:#06x}"),
        }
    }

    /// An offset in units of 8 bytes.
    pub(crate) fn eights(raw: u128) -> String {
        format!("{raw} ({} bytes)", raw * 8)
    }

    /// A length in units of 4 bytes.
    pub(crate) fn words(raw: u128) -> String {
        format!("{raw} ({} bytes)", raw * 4)
    }

    pub(crate) fn ticks(raw: u128) -> String {
        format!("{raw} ({} ns)", raw * u128::from(crate::TIMESTAMP_TICK_NS))
    }
}

/// Defines a header from its table. Rows: `[bits] name: Type as show, "meaning";` for a field, where `as show`
/// (a function of [`show`]) is optional, and `[bits] "name" = value, "meaning";` for bits that never vary.
macro_rules! header {
    (
        $(#[$meta:meta])*
        pub struct $Name:ident ($label:literal, $len:literal bytes) {
            $(
                [$lo:literal .. $hi:literal]
                $( $fixed:literal = $value:literal )?
                $( $field:ident : $ty:ty $( as $show:ident )? )?
                , $doc:literal ;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $Name {
            $( $(
                #[doc = concat!("Bits ", $lo, " to ", $hi, " (exclusive). ", $doc)]
                pub $field: $ty,
            )? )*
        }

        const _: () = $crate::header::assert_covers(<$Name as $crate::Header>::FIELDS, $len);
        $( $( const _: () = assert!(<$ty as $crate::Value>::BITS == $hi - $lo); )? )*

        impl $crate::Header for $Name {
            const NAME: &'static str = $label;
            const LEN: usize = $len;
            const FIELDS: &'static [$crate::Field] = &[$(
                $( $crate::Field {
                    name: stringify!($field),
                    lo: $lo,
                    hi: $hi,
                    doc: $doc,
                    fixed: None,
                    show: $crate::header::header!(@show $ty $(, $show)?),
                }, )?
                $( $crate::Field {
                    name: $fixed,
                    lo: $lo,
                    hi: $hi,
                    doc: $doc,
                    fixed: Some(($value, stringify!($value))),
                    show: $crate::header::show::hex,
                }, )?
            )*];

            fn emit(&self, out: &mut [u8]) {
                let out = &mut out[..$len];
                $(
                    $( $crate::bits::put(out, $lo, $hi, $crate::Value::to_raw(self.$field)); )?
                    $( $crate::bits::put(out, $lo, $hi, $value); )?
                )*
            }

            fn read(bytes: &[u8]) -> Result<Self, $crate::WireError> {
                let have = bytes.len();
                if have < $len {
                    return Err($crate::WireError::Truncated { header: $label, need: $len, have });
                }
                Ok($Name { $( $(
                    $field: {
                        let found = $crate::bits::get(bytes, $lo, $hi);
                        <$ty as $crate::Value>::from_raw(found).ok_or($crate::WireError::Field {
                            header: $label,
                            field: stringify!($field),
                            found,
                            expected: <$ty as $crate::Value>::EXPECTED,
                        })?
                    },
                )? )* })
            }
        }
    };
    (@show $ty:ty) => { <$ty as $crate::Value>::show };
    (@show $ty:ty, $show:ident) => { $crate::header::show::$show };
}
pub(crate) use header;
