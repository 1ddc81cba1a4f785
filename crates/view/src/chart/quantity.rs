//! What an axis measures: units that fit, values in words, and units in files.

use crate::units;
use serde::{Deserialize, Serialize};

/// A kind of quantity. Values are in its base unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// A number of things.
    #[default]
    Count,
    /// A time in ps.
    Time,
    /// A rate in bit/s.
    Rate,
    /// A number of bytes.
    Bytes,
    /// Things per second.
    PerSecond,
    /// A share of one.
    Share,
    /// US dollars.
    Dollars,
}

impl Quantity {
    /// Units with their sizes in the base unit, the smallest first.
    const fn units(self) -> &'static [(&'static str, f64)] {
        match self {
            Quantity::Count => &[("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12)],
            Quantity::Time => &[("ps", 1.0), ("ns", 1e3), ("µs", 1e6), ("ms", 1e9), ("s", 1e12)],
            Quantity::Rate => &[
                ("b/s", 1.0),
                ("kb/s", 1e3),
                ("Mb/s", 1e6),
                ("Gb/s", 1e9),
                ("Tb/s", 1e12),
                ("Pb/s", 1e15),
            ],
            Quantity::Bytes => &[("B", 1.0), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)],
            Quantity::PerSecond => &[("/s", 1.0), ("k/s", 1e3), ("M/s", 1e6), ("G/s", 1e9)],
            Quantity::Share => &[("%", 0.01)],
            Quantity::Dollars => &[("$", 1.0)],
        }
    }

    /// The unit in which an axis up to `most` is easily read, and its size in the base unit.
    pub fn unit(self, most: f64) -> (&'static str, f64) {
        let units = self.units();
        // Counts below ten thousand are easily read as they are.
        let least = if self == Quantity::Count { 10.0 } else { 1.0 };
        let fits = |&&(_, size): &&(&str, f64)| most >= size * least;
        *units.iter().rev().find(fits).unwrap_or(&units[0])
    }

    /// A value with its unit: `8.337 µs`.
    pub fn words(self, value: f64) -> String {
        if !value.is_finite() {
            return "none".into();
        }
        if value == 0.0 {
            return "0".into();
        }
        match self {
            Quantity::Count if value.fract() == 0.0 && value > 0.0 => units::count(value as u64),
            Quantity::Count => units::figures(value, 4),
            Quantity::Time => units::span(value),
            Quantity::Rate => units::rate(value),
            Quantity::Bytes => units::bytes(value),
            Quantity::PerSecond => units::per_second(value),
            Quantity::Share => units::percent(value),
            Quantity::Dollars => format!("$ {}", units::figures(value, 4)),
        }
    }

    /// A round value as at a mark of an axis, in a unit of `size`, without it.
    pub fn mark(value: f64, size: f64) -> String {
        // What rounding leaves of a mark at zero is no number to be read.
        let value = value / size;
        let text = units::figures((value * 1e9).round() / 1e9, 4);
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        }
    }

    /// A round value with its own unit, as at a mark of a logarithmic axis.
    pub fn round(self, value: f64) -> String {
        let (unit, size) = match self {
            // Ten thousand and a hundred thousand would be odd without a unit beside a million with one.
            Quantity::Count if value >= 1e3 => *self
                .units()
                .iter()
                .rev()
                .find(|(_, size)| value >= *size)
                .unwrap_or(&("", 1.0)),
            _ => self.unit(value * (1.0 + 1e-9)),
        };
        let number = Quantity::mark(value, size);
        match unit {
            "" => number,
            unit if unit.starts_with('/') => format!("{number}{unit}"),
            unit => format!("{number} {unit}"),
        }
    }

    /// What a file's column says behind its name, and the size of that unit in the base unit.
    pub const fn column(self) -> (&'static str, f64) {
        match self {
            Quantity::Count => ("", 1.0),
            Quantity::Time => ("_us", 1e6),
            Quantity::Rate => ("_gbps", 1e9),
            Quantity::Bytes => ("_bytes", 1.0),
            Quantity::PerSecond => ("_per_s", 1.0),
            Quantity::Share => ("_percent", 0.01),
            Quantity::Dollars => ("_usd", 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_fits_the_axis() {
        assert_eq!(Quantity::Time.unit(2.5e9).0, "ms");
        assert_eq!(Quantity::Time.unit(0.0).0, "ps");
        assert_eq!(Quantity::Rate.unit(400e9), ("Gb/s", 1e9));
        assert_eq!(Quantity::Count.unit(5_000.0).0, "");
        assert_eq!(Quantity::Count.unit(50_000.0).0, "k");
        assert_eq!(Quantity::Share.unit(1.0), ("%", 0.01));
    }

    #[test]
    fn marks_are_short() {
        assert_eq!(Quantity::mark(0.3, 0.01), "30");
        assert_eq!(Quantity::mark(1.5e9, 1e9), "1.5");
        assert_eq!(Quantity::mark(0.1 + 0.2 - 0.3, 1.0), "0");
        assert_eq!(Quantity::Time.round(1e7), "10 µs");
        assert_eq!(Quantity::Share.round(0.001), "0.1 %");
        assert_eq!(Quantity::Count.round(1e4), "10 k");
        assert_eq!(Quantity::PerSecond.round(1e3), "1 k/s");
    }

    #[test]
    fn values_have_their_units() {
        assert_eq!(Quantity::Rate.words(372.44e9), "372.4 Gb/s");
        assert_eq!(Quantity::Count.words(0.0), "0");
        assert_eq!(Quantity::Count.words(2.5), "2.500");
        assert_eq!(Quantity::Time.words(f64::NAN), "none");
    }
}
