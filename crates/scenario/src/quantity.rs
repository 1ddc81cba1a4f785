//! Quantities that carry their unit: in JSON they are strings such as `"12us"`, `"100Gbps"`, `"4KiB"`.
//!
//! Reading accepts the spellings that people use and is exact: no floating point, no rounding.
//! Emission is canonical: the largest unit that holds the value as a whole number (`"1500us"`).
//! `Display` is for people: the largest unit not above the value, with decimals, also exact (`1.5 ms`);
//! what it prints can be read back.

use crate::decimal::{Decimal, DecimalError};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// A point or span of simulated time in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub u64);

/// A rate in bits per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(pub u64);

/// A number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

impl Time {
    /// `n` nanoseconds; saturates.
    pub const fn ns(n: u64) -> Self {
        Self(n.saturating_mul(1_000))
    }
    /// `n` microseconds; saturates.
    pub const fn us(n: u64) -> Self {
        Self(n.saturating_mul(1_000_000))
    }
    /// `n` milliseconds; saturates.
    pub const fn ms(n: u64) -> Self {
        Self(n.saturating_mul(1_000_000_000))
    }
    /// `n` seconds; saturates.
    pub const fn s(n: u64) -> Self {
        Self(n.saturating_mul(1_000_000_000_000))
    }
}

impl Rate {
    /// `n` gigabits per second; saturates.
    pub const fn gbps(n: u64) -> Self {
        Self(n.saturating_mul(1_000_000_000))
    }
}

/// Why a text is no time, rate or number of bytes. The message says what was given and what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is no {noun}: {reason}; expected {expected}")]
pub struct QuantityError {
    given: String,
    noun: &'static str,
    reason: String,
    expected: &'static str,
}

/// A unit as it is written out.
struct Unit {
    /// In canonical form, straight after the number.
    compact: &'static str,
    /// For people, after a space.
    human: &'static str,
    size: u64,
}

const fn unit(compact: &'static str, human: &'static str, size: u64) -> Unit {
    Unit { compact, human, size }
}

/// What the three quantities differ in.
trait Quantity: Copy {
    const NOUN: &'static str;
    const EXPECTED: &'static str;
    /// A JSON integer without a unit has one meaning.
    const PLAIN_INTEGERS: bool = false;
    /// Ascending by size.
    const UNITS: &'static [Unit];
    /// The size of the unit that a person wrote, or the reason why it is none. Empty: no unit was written.
    fn unit_size(written: &str) -> Result<u64, String>;
    fn value(self) -> u64;
    fn from_value(value: u64) -> Self;
}

fn unknown_unit(written: &str) -> String {
    format!("unknown unit {:?}", clip(written))
}

impl Quantity for Time {
    const NOUN: &'static str = "time";
    const EXPECTED: &'static str =
        "a number with a unit (ps, ns, us or µs, ms, s), such as \"12us\" or \"1.5 ms\"";
    const UNITS: &'static [Unit] = &[
        unit("ps", "ps", 1),
        unit("ns", "ns", 1_000),
        unit("us", "µs", 1_000_000),
        unit("ms", "ms", 1_000_000_000),
        unit("s", "s", 1_000_000_000_000),
    ];
    fn unit_size(written: &str) -> Result<u64, String> {
        Ok(match written {
            "ps" | "psec" => 1,
            "ns" | "nsec" => 1_000,
            // The micro sign (U+00B5) and the Greek letter (U+03BC) look the same.
            "us" | "usec" | "\u{b5}s" | "\u{3bc}s" => 1_000_000,
            "ms" | "msec" => 1_000_000_000,
            "s" | "sec" => 1_000_000_000_000,
            "" => return Err("the unit is missing".into()),
            other => return Err(unknown_unit(other)),
        })
    }
    fn value(self) -> u64 {
        self.0
    }
    fn from_value(value: u64) -> Self {
        Self(value)
    }
}

impl Quantity for Rate {
    const NOUN: &'static str = "rate";
    const EXPECTED: &'static str = "a number with a unit (M, G or T, with or without bps or b/s), such as \"100G\", \"100Gbps\" or \"400 Gb/s\"";
    const UNITS: &'static [Unit] = &[
        unit("bps", "b/s", 1),
        unit("kbps", "kb/s", 1_000),
        unit("Mbps", "Mb/s", 1_000_000),
        unit("Gbps", "Gb/s", 1_000_000_000),
        unit("Tbps", "Tb/s", 1_000_000_000_000),
    ];
    fn unit_size(written: &str) -> Result<u64, String> {
        let mut rest = written.chars();
        let size = match rest.clone().next() {
            None => return Err("the unit is missing".into()),
            Some('k' | 'K') => 1_000,
            Some('m' | 'M') => 1_000_000,
            Some('g' | 'G') => 1_000_000_000,
            Some('t' | 'T') => 1_000_000_000_000,
            Some(_) => 1,
        };
        if size > 1 {
            rest.next();
        }
        match rest.as_str() {
            "" if size > 1 => Ok(size),
            "b/s" | "bps" | "bit/s" | "bits/s" | "bit" | "b" => Ok(size),
            "B/s" | "Bps" | "B" | "byte/s" | "bytes/s" => {
                Err("a rate counts bits, not bytes (small b; a byte is eight bits)".into())
            }
            _ => Err(unknown_unit(written)),
        }
    }
    fn value(self) -> u64 {
        self.0
    }
    fn from_value(value: u64) -> Self {
        Self(value)
    }
}

impl Quantity for Bytes {
    const NOUN: &'static str = "number of bytes";
    const EXPECTED: &'static str =
        "a whole number of bytes, such as \"4096\", \"1.5MB\" (1000s), \"4KiB\" or \"4K\" (both 1024s)";
    const PLAIN_INTEGERS: bool = true;
    const UNITS: &'static [Unit] = &[
        unit("B", "B", 1),
        unit("kB", "kB", 1_000),
        unit("KiB", "KiB", 1 << 10),
        unit("MB", "MB", 1_000_000),
        unit("MiB", "MiB", 1 << 20),
        unit("GB", "GB", 1_000_000_000),
        unit("GiB", "GiB", 1 << 30),
        unit("TB", "TB", 1_000_000_000_000),
        unit("TiB", "TiB", 1 << 40),
    ];
    /// A letter alone counts in 1024s, as sizes of messages are written for perftest, NCCL's tests and `dd` (our choice);
    /// with a B it counts in 1000s (SI), with iB in 1024s (IEC 80000-13).
    fn unit_size(written: &str) -> Result<u64, String> {
        Ok(match written {
            "" | "B" | "byte" | "bytes" => 1,
            "kB" | "KB" => 1_000,
            "KiB" | "kiB" | "Ki" | "K" | "k" => 1 << 10,
            "MB" => 1_000_000,
            "MiB" | "Mi" | "M" => 1 << 20,
            "GB" => 1_000_000_000,
            "GiB" | "Gi" | "G" => 1 << 30,
            "TB" => 1_000_000_000_000,
            "TiB" | "Ti" | "T" => 1 << 40,
            "b" | "kb" | "Kb" | "Mb" | "mb" | "Gb" | "gb" | "Tb" | "tb" => {
                return Err(format!("{written:?} means bits; bytes have a capital B"));
            }
            other => return Err(unknown_unit(other)),
        })
    }
    fn value(self) -> u64 {
        self.0
    }
    fn from_value(value: u64) -> Self {
        Self(value)
    }
}

/// At most the first 40 characters, for quoting in a message. What could not be seen there is named, as `<U+200D>`.
pub(crate) fn clip(text: &str) -> String {
    let mut clipped = String::new();
    for (place, character) in text.chars().enumerate() {
        if place == 40 {
            clipped.push('…');
            break;
        }
        match is_invisible(character) {
            true => clipped += &format!("<U+{:04X}>", u32::from(character)),
            false => clipped.push(character),
        }
    }
    clipped
}

/// Control and format characters, which `{:?}` would write as escapes of Rust, and few people could read.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn parse<Q: Quantity>(text: &str) -> Result<Q, QuantityError> {
    let refuse = |reason: String| QuantityError {
        given: clip(text),
        noun: Q::NOUN,
        reason,
        expected: Q::EXPECTED,
    };
    let trimmed = text.trim();
    let number_end = trimmed
        .char_indices()
        .find(|&(i, c)| !(c.is_ascii_digit() || c == '.' || (i == 0 && (c == '-' || c == '−'))))
        .map_or(trimmed.len(), |(i, _)| i);
    let (number, written_unit) = trimmed.split_at(number_end);
    let decimal = Decimal::parse(number).map_err(|e| {
        refuse(match e {
            DecimalError::Empty if trimmed.is_empty() => "it is empty".into(),
            DecimalError::Negative => "it is negative".into(),
            DecimalError::TooLong => "it has too many digits".into(),
            _ => "it does not begin with a number".into(),
        })
    })?;
    if number == "0" && written_unit.is_empty() {
        return Ok(Q::from_value(0));
    }
    let size = Q::unit_size(written_unit.trim_start()).map_err(refuse)?;
    let value = decimal.times(size).map_err(|e| {
        refuse(match e {
            DecimalError::NotWhole => format!("it is not a whole number of {}", Q::UNITS[0].human),
            _ => "it is too large".into(),
        })
    })?;
    Ok(Q::from_value(value))
}

/// The largest unit that holds the value as a whole number.
fn whole_unit<Q: Quantity>(value: u64) -> &'static Unit {
    let units = Q::UNITS;
    units
        .iter()
        .rev()
        .find(|u| value.is_multiple_of(u.size))
        .unwrap_or(&units[0])
}

fn canonical<Q: Quantity>(quantity: Q) -> String {
    let value = quantity.value();
    if value == 0 {
        return "0".into();
    }
    let unit = whole_unit::<Q>(value);
    format!("{}{}", value / unit.size, unit.compact)
}

/// Writes `value` in the largest unit not above it, which must be a power of ten, with the decimals it needs.
fn decimal_with_unit(f: &mut fmt::Formatter<'_>, value: u64, units: &[&Unit]) -> fmt::Result {
    let Some(unit) = units.iter().rev().find(|u| u.size <= value).or(units.first()) else {
        return write!(f, "{value}");
    };
    let (whole, rest) = (value / unit.size, value % unit.size);
    let fraction = if rest == 0 {
        String::new()
    } else {
        let width = unit.size.ilog10() as usize;
        format!(".{}", format!("{rest:0width$}").trim_end_matches('0'))
    };
    f.pad(&format!("{whole}{fraction} {}", unit.human))
}

fn power_of_ten(unit: &&Unit) -> bool {
    unit.size == 10u64.pow(unit.size.ilog10())
}

fn human<Q: Quantity>(quantity: Q, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let value = quantity.value();
    let whole = whole_unit::<Q>(value);
    if value > 0 && !power_of_ten(&whole) {
        return f.pad(&format!("{} {}", value / whole.size, whole.human));
    }
    let units: Vec<&Unit> = Q::UNITS.iter().filter(power_of_ten).collect();
    decimal_with_unit(f, value, &units)
}

/// Reads a quantity from a JSON string, or from a JSON integer where that has one meaning.
struct QuantityVisitor<Q>(PhantomData<Q>);

impl<Q: Quantity> de::Visitor<'_> for QuantityVisitor<Q> {
    type Value = Q;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Q::EXPECTED)
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<Q, E> {
        parse(text).map_err(E::custom)
    }
    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Q, E> {
        if Q::PLAIN_INTEGERS || value == 0 {
            Ok(Q::from_value(value))
        } else {
            Err(E::invalid_type(de::Unexpected::Unsigned(value), &self))
        }
    }
}

macro_rules! quantity {
    ($($name:ident)*) => {$(
        impl $name {
            /// The canonical text: the largest unit that holds the value as a whole number, `"0"` for zero.
            pub fn canonical(self) -> String {
                canonical(self)
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                human(*self, f)
            }
        }
        impl FromStr for $name {
            type Err = QuantityError;
            fn from_str(text: &str) -> Result<Self, QuantityError> {
                parse(text)
            }
        }
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(&self.canonical())
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                d.deserialize_any(QuantityVisitor(PhantomData))
            }
        }
    )*};
}

quantity! { Time Rate Bytes }

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn time(text: &str) -> u64 {
        text.parse::<Time>().unwrap().0
    }
    fn rate(text: &str) -> u64 {
        text.parse::<Rate>().unwrap().0
    }
    fn bytes(text: &str) -> u64 {
        text.parse::<Bytes>().unwrap().0
    }

    #[test]
    fn times_as_people_write_them() {
        for text in [
            "12us",
            "12 us",
            "12µs",
            "12 μs",
            "12.0us",
            "0.012ms",
            "12usec",
            "0.012 msec",
            " 12us ",
            "12000000 ps",
        ] {
            assert_eq!(time(text), 12_000_000, "{text}");
        }
        assert_eq!(time("1.5ms"), 1_500_000_000);
        assert_eq!(time("0.000000000001s"), 1);
        assert_eq!(time("0"), 0);
        assert_eq!(time("0s"), 0);
    }

    #[test]
    fn rates_as_people_write_them() {
        for text in [
            "100G",
            "100Gbps",
            "100 Gb/s",
            "100gbps",
            "0.1T",
            "100000M",
            "100Gbit/s",
            "100Gbit",
        ] {
            assert_eq!(rate(text), 100_000_000_000, "{text}");
        }
        assert_eq!(rate("400 Gb/s"), 400_000_000_000);
        assert_eq!(rate("3.2Tbps"), 3_200_000_000_000);
        assert_eq!(rate("9600bps"), 9_600);
        assert_eq!(rate("10kb/s"), 10_000);
    }

    #[test]
    fn bytes_as_people_write_them() {
        assert_eq!(bytes("4KiB"), 4_096);
        assert_eq!(bytes("2MB"), 2_000_000);
        assert_eq!(bytes("4096"), 4_096);
        assert_eq!(bytes("1 B"), 1);
        assert_eq!(bytes("0.5KiB"), 512);
        assert_eq!(bytes("1TiB"), 1_099_511_627_776);
        assert_eq!(bytes("64kB"), 64_000);
        assert_eq!(bytes("64KB"), 64_000);
        assert_eq!(bytes("1.5MB"), 1_500_000);
        for text in ["4K", "4k", "4 K", "4Ki", "4KiB", "4 kiB", "4096 bytes"] {
            assert_eq!(bytes(text), 4_096, "{text}");
        }
        assert_eq!(bytes("1.5M"), 3 << 19);
        assert_eq!(bytes("2G"), 2 << 30);
        assert_eq!(bytes("1Ti"), 1 << 40);
    }

    #[test]
    fn refusals_say_what_was_given_and_what_is_expected() {
        let message = |e: QuantityError| e.to_string();
        assert_eq!(
            message("12".parse::<Time>().unwrap_err()),
            "\"12\" is no time: the unit is missing; expected a number with a unit (ps, ns, us or µs, ms, s), such as \"12us\" or \"1.5 ms\""
        );
        for (text, reason) in [
            ("", "it is empty"),
            ("  ", "it is empty"),
            ("us", "does not begin with a number"),
            ("-3us", "negative"),
            ("−3us", "negative"),
            ("12 parsecs", "unknown unit \"parsecs\""),
            ("1e6us", "unknown unit \"e6us\""),
            ("1..5us", "does not begin with a number"),
            ("0.1ps", "not a whole number of ps"),
            ("18446745s", "too large"),
            ("99999999999999999999999999us", "too many digits"),
        ] {
            let e = message(text.parse::<Time>().unwrap_err());
            assert!(e.contains(reason), "{text}: {e}");
        }
        let e = message("12GB/s".parse::<Rate>().unwrap_err());
        assert!(e.contains("counts bits, not bytes"), "{e}");
        assert!(message("100".parse::<Rate>().unwrap_err()).contains("unit is missing"));
        assert!(message("100Xbps".parse::<Rate>().unwrap_err()).contains("unknown unit"));
        assert!(message("4Ko".parse::<Bytes>().unwrap_err()).contains("\"4K\" (both 1024s)"));
        assert!(message("4Mb".parse::<Bytes>().unwrap_err()).contains("means bits"));
        assert!(message("1.5".parse::<Bytes>().unwrap_err()).contains("not a whole number of B"));
        assert!(message("17000000TiB".parse::<Bytes>().unwrap_err()).contains("too large"));
        let long = "9".repeat(1_000_000);
        assert!(message(long.parse::<Bytes>().unwrap_err()).len() < 300);
    }

    #[test]
    fn canonical_is_the_largest_unit_with_a_whole_number() {
        assert_eq!(Time(1_500_000_000).canonical(), "1500us");
        assert_eq!(Time::us(12).canonical(), "12us");
        assert_eq!(Time::s(100).canonical(), "100s");
        assert_eq!(Time(0).canonical(), "0");
        assert_eq!(Time(65_298_000).canonical(), "65298ns");
        assert_eq!(Rate::gbps(100).canonical(), "100Gbps");
        assert_eq!(Rate(3_200_000_000_000).canonical(), "3200Gbps");
        assert_eq!(Bytes(4_096).canonical(), "4KiB");
        assert_eq!(Bytes(2_000_000).canonical(), "2MB");
        assert_eq!(Bytes(4_086).canonical(), "4086B");
        assert_eq!(Bytes(131_072).canonical(), "128KiB");
        assert_eq!(Bytes(1 << 40).canonical(), "1TiB");
    }

    #[test]
    fn display_is_for_people() {
        assert_eq!(Time(1_500_000_000).to_string(), "1.5 ms");
        assert_eq!(Time(65_298_000).to_string(), "65.298 µs");
        assert_eq!(Time(1).to_string(), "1 ps");
        assert_eq!(Time(0).to_string(), "0 ps");
        assert_eq!(Rate::gbps(100).to_string(), "100 Gb/s");
        assert_eq!(Rate(3_200_000_000_000).to_string(), "3.2 Tb/s");
        assert_eq!(Bytes(4_096).to_string(), "4 KiB");
        assert_eq!(Bytes(1_234_567).to_string(), "1.234567 MB");
        assert_eq!(Bytes(900).to_string(), "900 B");
        assert_eq!(
            format!("{:>8}|{:<8}|", Time::us(5), Rate::gbps(1)),
            "    5 µs|1 Gb/s  |"
        );
    }

    #[test]
    fn json_takes_strings_and_where_it_is_clear_integers() {
        let t: Time = serde_json::from_str("\"12us\"").unwrap();
        assert_eq!(t, Time::us(12));
        assert_eq!(serde_json::from_str::<Bytes>("4096").unwrap(), Bytes(4096));
        assert_eq!(serde_json::from_str::<Time>("0").unwrap(), Time(0));
        assert_eq!(serde_json::to_string(&Bytes(4096)).unwrap(), "\"4KiB\"");
        let e = serde_json::from_str::<Time>("12").unwrap_err().to_string();
        assert!(
            e.contains("integer `12`") && e.contains("such as \"12us\""),
            "{e}"
        );
        for wrong in ["-4096", "4096.5", "null", "[1]", "true"] {
            let e = serde_json::from_str::<Bytes>(wrong).unwrap_err().to_string();
            assert!(e.contains("expected a whole number of bytes"), "{wrong}: {e}");
        }
    }

    proptest! {
        #[test]
        fn both_texts_read_back_as_the_same_value(v in any::<u64>(), shift in 0u32..64) {
            let v = v >> shift;
            prop_assert_eq!(time(&Time(v).canonical()), v);
            prop_assert_eq!(rate(&Rate(v).canonical()), v);
            prop_assert_eq!(bytes(&Bytes(v).canonical()), v);
            prop_assert_eq!(time(&Time(v).to_string()), v);
            prop_assert_eq!(rate(&Rate(v).to_string()), v);
            prop_assert_eq!(bytes(&Bytes(v).to_string()), v);
        }

        /// Blanks around and between, and the short forms of a unit, change nothing.
        #[test]
        fn spellings_of_one_unit_mean_the_same(n in 0u64..1 << 20, blank in " {0,3}", which in 0usize..4) {
            let spelt = |unit: &str| format!("{blank}{n}{blank}{unit}{blank}");
            let size = 1u64 << (10 * (which + 1));
            let letter = ["K", "M", "G", "T"][which];
            for unit in [letter.to_owned(), format!("{letter}i"), format!("{letter}iB")] {
                prop_assert_eq!(bytes(&spelt(&unit)), n * size, "{}", unit);
            }
            prop_assert_eq!(bytes(&spelt(&format!("{letter}B"))), n * 1_000u64.pow(which as u32 + 1));
            for end in ["", "b/s", "bps", "bit/s", "bit"] {
                prop_assert_eq!(rate(&spelt(&format!("{letter}{end}"))), n * 1_000u64.pow(which as u32 + 1), "{}", end);
            }
            for unit in ["us", "µs", "μs", "usec"] {
                prop_assert_eq!(time(&spelt(unit)), n * 1_000_000, "{}", unit);
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,60}") {
            let _ = text.parse::<Time>();
            let _ = text.parse::<Rate>();
            let _ = text.parse::<Bytes>();
        }
    }
}
