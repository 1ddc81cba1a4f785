//! Names of links and switches: `p0/t0.3`, `p0/t1.2`, `p0/t2.5`, `p0/n17` (NIC 17's link to its T0 in plane 0),
//! `p0/t0.3-t1.2`, `p0/t1.2-t2.5`. Switches of a tier are numbered through a plane, all pods together.

use crate::quantity::clip;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// A switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SwitchName {
    /// `p{plane}/t0.{index}`
    T0 {
        /// Plane.
        plane: u32,
        /// Index within the plane.
        index: u32,
    },
    /// `p{plane}/t1.{index}`
    T1 {
        /// Plane.
        plane: u32,
        /// Index within the plane.
        index: u32,
    },
    /// `p{plane}/t2.{index}`
    T2 {
        /// Plane.
        plane: u32,
        /// Index within the plane.
        index: u32,
    },
}

/// A full-duplex link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkName {
    /// `p{plane}/n{nic}`: the NIC's link to its T0.
    Nic {
        /// Plane.
        plane: u32,
        /// NIC.
        nic: u32,
    },
    /// `p{plane}/t0.{t0}-t1.{t1}`
    T0T1 {
        /// Plane.
        plane: u32,
        /// T0 index within the plane.
        t0: u32,
        /// T1 index within the plane.
        t1: u32,
    },
    /// `p{plane}/t1.{t1}-t2.{t2}`
    T1T2 {
        /// Plane.
        plane: u32,
        /// T1 index within the plane.
        t1: u32,
        /// T2 index within the plane.
        t2: u32,
    },
}

/// Why a text names no link or switch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} names no {noun}; expected {expected}")]
pub struct NameError {
    given: String,
    noun: &'static str,
    expected: &'static str,
}

impl fmt::Display for SwitchName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::T0 { plane, index } => write!(f, "p{plane}/t0.{index}"),
            Self::T1 { plane, index } => write!(f, "p{plane}/t1.{index}"),
            Self::T2 { plane, index } => write!(f, "p{plane}/t2.{index}"),
        }
    }
}

impl fmt::Display for LinkName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nic { plane, nic } => write!(f, "p{plane}/n{nic}"),
            Self::T0T1 { plane, t0, t1 } => write!(f, "p{plane}/t0.{t0}-t1.{t1}"),
            Self::T1T2 { plane, t1, t2 } => write!(f, "p{plane}/t1.{t1}-t2.{t2}"),
        }
    }
}

/// A decimal number without sign or superfluous zeros, so that each place has one name only.
fn index(text: &str) -> Option<u32> {
    let canonical = text == "0" || (!text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit()));
    if canonical { text.parse().ok() } else { None }
}

/// Splits `p{plane}/{rest}`.
fn in_plane(text: &str) -> Option<(u32, &str)> {
    let (plane, rest) = text.strip_prefix('p')?.split_once('/')?;
    Some((index(plane)?, rest))
}

fn switch(text: &str) -> Option<SwitchName> {
    let (plane, rest) = in_plane(text)?;
    let (tier, number) = rest.split_once('.')?;
    let index = index(number)?;
    match tier {
        "t0" => Some(SwitchName::T0 { plane, index }),
        "t1" => Some(SwitchName::T1 { plane, index }),
        "t2" => Some(SwitchName::T2 { plane, index }),
        _ => None,
    }
}

fn link(text: &str) -> Option<LinkName> {
    let (plane, rest) = in_plane(text)?;
    if let Some(nic) = rest.strip_prefix('n') {
        let nic = index(nic)?;
        return Some(LinkName::Nic { plane, nic });
    }
    if let Some(trunk) = rest.strip_prefix("t0.") {
        let (t0, t1) = trunk.split_once("-t1.")?;
        let (t0, t1) = (index(t0)?, index(t1)?);
        return Some(LinkName::T0T1 { plane, t0, t1 });
    }
    let (t1, t2) = rest.strip_prefix("t1.")?.split_once("-t2.")?;
    let (t1, t2) = (index(t1)?, index(t2)?);
    Some(LinkName::T1T2 { plane, t1, t2 })
}

impl FromStr for SwitchName {
    type Err = NameError;
    fn from_str(text: &str) -> Result<Self, NameError> {
        switch(text).ok_or_else(|| NameError {
            given: clip(text),
            noun: "switch",
            expected: "a name such as \"p0/t0.3\" (plane 0, T0 3), \"p0/t1.2\" (plane 0, T1 2) or \"p0/t2.5\" (plane 0, T2 5)",
        })
    }
}

impl FromStr for LinkName {
    type Err = NameError;
    fn from_str(text: &str) -> Result<Self, NameError> {
        link(text).ok_or_else(|| NameError {
            given: clip(text),
            noun: "link",
            expected: "a name such as \"p0/t0.3-t1.2\" (plane 0, T0 3 to T1 2), \"p0/t1.2-t2.5\" (plane 0, T1 2 to T2 5) or \"p0/n17\" (plane 0, NIC 17 to its T0)",
        })
    }
}

macro_rules! serde_as_text {
    ($($name:ident: $expecting:literal)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                struct Visitor;
                impl de::Visitor<'_> for Visitor {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expecting)
                    }
                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                d.deserialize_str(Visitor)
            }
        }
    )*};
}

serde_as_text! {
    SwitchName: "a switch's name as a string"
    LinkName: "a link's name as a string"
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_and_values_correspond() {
        for (text, value) in [
            ("p0/t0.3", SwitchName::T0 { plane: 0, index: 3 }),
            (
                "p7/t1.2047",
                SwitchName::T1 {
                    plane: 7,
                    index: 2047,
                },
            ),
            ("p0/t2.5", SwitchName::T2 { plane: 0, index: 5 }),
        ] {
            assert_eq!(text.parse(), Ok(value));
            assert_eq!(value.to_string(), text);
        }
        for (text, value) in [
            ("p0/n17", LinkName::Nic { plane: 0, nic: 17 }),
            (
                "p1/t0.0-t1.2",
                LinkName::T0T1 {
                    plane: 1,
                    t0: 0,
                    t1: 2,
                },
            ),
            (
                "p0/t1.3-t2.5",
                LinkName::T1T2 {
                    plane: 0,
                    t1: 3,
                    t2: 5,
                },
            ),
        ] {
            assert_eq!(text.parse(), Ok(value));
            assert_eq!(value.to_string(), text);
            assert_eq!(serde_json::to_string(&value).unwrap(), format!("{text:?}"));
            assert_eq!(
                serde_json::from_str::<LinkName>(&format!("{text:?}")).unwrap(),
                value
            );
        }
    }

    #[test]
    fn other_texts_are_refused_with_the_form_expected() {
        let wrong = [
            "",
            "p",
            "p0",
            "p0/",
            "p0/t",
            "p0/t0",
            "p0/t0.",
            "p0/t3.1",
            "p0/t2.1-t1.2",
            "p0/t0.1-t2.2",
            "p0/t1.1-t2.",
            "p0/t2.01",
            "p0/t0.1-",
            "p0/t0.1-t0.2",
            "p0/n",
            "p0/n-1",
            "p0/n+1",
            "p0/n01",
            "p00/n1",
            "p0/n1 ",
            " p0/n1",
            "P0/n1",
            "p0/n4294967296",
            "p0/t1.1-t0.2",
            "p0/n1/n1",
            "p/n1",
            "p0/nº1",
        ];
        for text in wrong {
            assert!(text.parse::<LinkName>().is_err(), "{text}");
            assert!(text.parse::<SwitchName>().is_err(), "{text}");
        }
        assert!("p0/t0.1".parse::<LinkName>().is_err());
        assert!("p0/t0.1-t1.0".parse::<SwitchName>().is_err());
        let e = "p0/t1.1-t0.2".parse::<LinkName>().unwrap_err().to_string();
        assert!(
            e.starts_with("\"p0/t1.1-t0.2\" names no link; expected a name such as \"p0/t0.3-t1.2\""),
            "{e}"
        );
        let e = serde_json::from_str::<SwitchName>("3").unwrap_err().to_string();
        assert!(e.contains("a switch's name as a string"), "{e}");
    }

    proptest! {
        #[test]
        fn every_name_reads_back(plane: u32, a: u32, b: u32) {
            for s in [
                SwitchName::T0 { plane, index: a },
                SwitchName::T1 { plane, index: a },
                SwitchName::T2 { plane, index: a },
            ] {
                prop_assert_eq!(s.to_string().parse(), Ok(s));
            }
            for l in [
                LinkName::Nic { plane, nic: a },
                LinkName::T0T1 { plane, t0: a, t1: b },
                LinkName::T1T2 { plane, t1: a, t2: b },
            ] {
                prop_assert_eq!(l.to_string().parse(), Ok(l));
            }
        }
    }
}
