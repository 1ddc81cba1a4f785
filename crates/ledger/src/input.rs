//! The inputs: one table from which the struct, its defaults, its checks and its documentation come.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How far a default can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// In the AccelNet paper, or in a summary of it.
    Published,
    /// In other public documents, or follows from them.
    Documented,
    /// Nobody says; a plausible value to begin with.
    OurChoice,
}

/// One input as the reader sees it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Input {
    /// Its name in files and links.
    pub key: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// The value to begin with.
    pub default: f64,
    /// The least that is accepted.
    pub min: f64,
    /// The most that is accepted.
    pub max: f64,
    /// How far the default can be trusted.
    pub status: Status,
    /// Where it comes from.
    pub source: &'static str,
}

/// An input that can't be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InputError {
    /// Outside what is accepted.
    #[error("{key} is {found}; expected {min} to {max} {unit}")]
    Range {
        /// Which input.
        key: &'static str,
        /// What was given.
        found: f64,
        /// The least that is accepted.
        min: f64,
        /// The most that is accepted.
        max: f64,
        /// Its unit.
        unit: &'static str,
    },
    /// There is no such input.
    #[error("there is no input \"{0}\"; there are {keys}", keys = INPUTS.map(|input| input.key).join(", "))]
    Unknown(String),
    /// The price range stands on its head.
    #[error(
        "card_price_low is {low} and card_price_high {high}; the low price must not be above the high one"
    )]
    Prices {
        /// The low price.
        low: f64,
        /// The high price.
        high: f64,
    },
}

macro_rules! inputs {
    ($($key:ident: $label:literal, $unit:literal, $default:literal in $min:literal..=$max:literal, $status:ident, $source:literal;)*) => {
        /// Everything that the ledger computes with.
        #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Inputs {
            $(#[doc = concat!($label, ", in ", $unit, ". ", $source, ".")] pub $key: f64,)*
        }

        /// What each input is.
        pub const INPUTS: [Input; [$(stringify!($key)),*].len()] = [$(Input {
            key: stringify!($key),
            label: $label,
            unit: $unit,
            default: $default,
            min: $min,
            max: $max,
            status: Status::$status,
            source: $source,
        }),*];

        impl Default for Inputs {
            fn default() -> Inputs {
                Inputs { $($key: $default),* }
            }
        }

        impl Inputs {
            /// The value of an input by its key.
            pub fn get(&self, key: &str) -> Option<f64> {
                match key {
                    $(stringify!($key) => Some(self.$key),)*
                    _ => None,
                }
            }

            /// Gives an input another value.
            ///
            /// # Errors
            /// [`InputError::Unknown`], or [`InputError::Range`]; nothing has changed then.
            pub fn set(&mut self, key: &str, value: f64) -> Result<(), InputError> {
                let Some(input) = INPUTS.iter().find(|input| input.key == key) else {
                    return Err(InputError::Unknown(key.chars().take(60).collect()));
                };
                input.check(value)?;
                match key {
                    $(stringify!($key) => self.$key = value,)*
                    _ => {}
                }
                Ok(())
            }
        }
    };
}

inputs! {
    cores_returned: "Cores returned by the card", "cores per host", 4.0 in 0.0..=128.0, OurChoice,
        "Facts 4: \"several\" cores without the card, none with it; how many is not published";
    core_price: "Price of a physical core", "$/h", 0.105 in 0.0..=10.0, Published,
        "AccelNet (NSDI'18): 0.10 to 0.11 $/h, about 900 $ a year; one core is two hyperthreads";
    utilisation: "Share of the hours in which a core is sold", "of 1", 0.7 in 0.0..=1.0, OurChoice,
        "Not published";
    card_price_low: "Price of the card, low", "$", 400.0 in 0.0..=100000.0, OurChoice,
        "Not published; a range keeps that visible";
    card_price_high: "Price of the card, high", "$", 1200.0 in 0.0..=100000.0, OurChoice,
        "Not published; a range keeps that visible";
    card_power: "Power of the card", "W", 18.0 in 0.0..=500.0, Published,
        "AccelNet (NSDI'18): 17 to 19 W by load, below the slot's 25 W";
    kwh_price: "Price of energy", "$/kWh", 0.1 in 0.0..=5.0, OurChoice,
        "Differs by place and contract";
    pue: "Energy of the building by that of its machines (PUE)", "ratio", 1.2 in 1.0..=3.0, OurChoice,
        "Large operators report 1.1 to 1.3";
    life: "Life of a host", "years", 5.0 in 0.5..=15.0, Published,
        "Follows from AccelNet's 900 $ a year and 4\u{202f}500 $ in a core's life";
    engineers: "People who build and keep it", "people", 50.0 in 0.0..=10000.0, OurChoice,
        "Not published; a handful wrote the first FPGA image";
    engineer_cost: "Cost of one of them", "$/year", 300000.0 in 0.0..=2000000.0, OurChoice,
        "Not published";
    fleet: "Hosts with the card", "hosts", 1000000.0 in 1.0..=100000000.0, Published,
        "AccelNet (NSDI'18): more than a million hosts";
    vms: "VMs on a host", "VMs", 10.0 in 1.0..=1000.0, OurChoice,
        "Depends on the sizes sold";
    afr_dram: "Failures of the card's DRAM", "% of cards a year", 0.4 in 0.0..=100.0, OurChoice,
        "The paper calls DRAM the most frequent and gives no number";
    afr_fpga: "Failures of the FPGA and its flash", "% of cards a year", 0.1 in 0.0..=100.0, OurChoice,
        "Not published";
    afr_power: "Failures of the card's power supply", "% of cards a year", 0.1 in 0.0..=100.0, OurChoice,
        "Not published";
    afr_cable: "Failures of cables and transceivers", "% of cards a year", 0.2 in 0.0..=100.0, OurChoice,
        "Not published";
    repair_cost: "Work of one repair", "$", 150.0 in 0.0..=100000.0, OurChoice,
        "Not published";
    slow_minutes: "Minutes on the synthetic path until VMs are moved away", "min", 60.0 in 0.0..=100000.0, OurChoice,
        "Not published; servicing itself is documented with about half a minute";
}

impl Input {
    fn check(&self, value: f64) -> Result<(), InputError> {
        // Refuses NaN, too.
        if (self.min..=self.max).contains(&value) {
            return Ok(());
        }
        Err(InputError::Range {
            key: self.key,
            found: value,
            min: self.min,
            max: self.max,
            unit: self.unit,
        })
    }
}

impl Inputs {
    /// Whether all can be used.
    ///
    /// # Errors
    /// The first [`InputError`] in the order of [`INPUTS`].
    pub fn check(&self) -> Result<(), InputError> {
        for input in &INPUTS {
            input.check(self.get(input.key).unwrap_or(f64::NAN))?;
        }
        if self.card_price_low > self.card_price_high {
            return Err(InputError::Prices {
                low: self.card_price_low,
                high: self.card_price_high,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_accepted_and_what_is_published_is_marked() {
        assert_eq!(Inputs::default().check(), Ok(()));
        let published: Vec<&str> = INPUTS
            .iter()
            .filter(|input| input.status == Status::Published)
            .map(|input| input.key)
            .collect();
        assert_eq!(published, ["core_price", "card_power", "life", "fleet"]);
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        let mut inputs = Inputs::default();
        let message = |result: Result<(), InputError>| result.unwrap_err().to_string();
        assert_eq!(
            message(inputs.set("pue", 0.9)),
            "pue is 0.9; expected 1 to 3 ratio"
        );
        assert_eq!(
            message(inputs.set("fleet", f64::NAN)),
            "fleet is NaN; expected 1 to 100000000 hosts"
        );
        assert_eq!(
            message(inputs.set("card_power", -1.0)),
            "card_power is -1; expected 0 to 500 W"
        );
        assert!(
            message(inputs.set("cores", 1.0))
                .starts_with("there is no input \"cores\"; there are cores_returned, core_price,")
        );
        assert_eq!(inputs, Inputs::default());
        assert_eq!(inputs.set("card_price_low", 5000.0), Ok(()));
        assert_eq!(
            message(inputs.check()),
            "card_price_low is 5000 and card_price_high 1200; the low price must not be above the high one"
        );
    }

    #[test]
    fn each_key_can_be_set_and_read() {
        for input in INPUTS {
            let mut inputs = Inputs::default();
            assert_eq!(inputs.set(input.key, input.max), Ok(()));
            assert_eq!(inputs.get(input.key), Some(input.max), "{}", input.key);
        }
    }
}
