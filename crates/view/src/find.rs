//! Finds a thing by the name that somebody types.

use crate::inspect::Target;
use crate::layout::numbers;
use crate::names::directions;
use fabric::Clos;
use scenario::{LinkName, SwitchName};

/// The thing that `text` names in a fabric with `qps` QPs.
///
/// Links and switches are named as in scenarios; NICs and QPs as `NIC 5`, `n5`, `QP 3`, `q3`.
///
/// # Errors
/// What is expected instead, or what the fabric has.
pub fn find(text: &str, clos: &Clos, qps: u32) -> Result<Target, String> {
    let text = text.trim().to_lowercase();
    if let Some(nic) = numbered(&text, &["nic", "n"]) {
        return within(nic, clos.nics(), "NIC").map(Target::Nic);
    }
    if let Some(qp) = numbered(&text, &["qp", "q"]) {
        return within(qp, qps, "QP").map(Target::Qp);
    }
    if let Ok(link) = text.parse::<LinkName>() {
        let (plane, rest) = match link {
            LinkName::Nic { plane, nic } => (plane, within(nic, clos.nics(), "NIC").map(drop)),
            LinkName::T0T1 { plane, t0, t1 } => (
                plane,
                within(t0, clos.t0s, "T0")
                    .and_then(|_| within(t1, clos.t1s, "T1"))
                    .map(drop),
            ),
            LinkName::T1T2 { plane, t1, t2 } => (
                plane,
                within(t1, clos.t1s, "T1")
                    .and_then(|_| within(t2, clos.t2s, "T2"))
                    .map(drop),
            ),
        };
        return within(plane, clos.planes, "plane")
            .and(rest)
            .and_then(|()| linked(clos, link))
            .map(|()| Target::Link(link));
    }
    if let Ok(switch) = text.parse::<SwitchName>() {
        let (plane, index, count, noun) = match switch {
            SwitchName::T0 { plane, index } => (plane, index, clos.t0s, "T0"),
            SwitchName::T1 { plane, index } => (plane, index, clos.t1s, "T1"),
            SwitchName::T2 { plane, index } => (plane, index, clos.t2s, "T2"),
        };
        return within(plane, clos.planes, "plane")
            .and(within(index, count, noun))
            .map(|_| Target::Switch(switch));
    }
    Err("expected a link (p0/t0.3-t1.2, p0/n17), a switch (p0/t0.3, p0/t1.2), NIC 5 or QP 3".into())
}

/// Whether two switches that are there have a link; with pods, not all have.
fn linked(clos: &Clos, link: LinkName) -> Result<(), String> {
    if directions(clos, link).is_some() {
        return Ok(());
    }
    let (lower, upper, above) = match link {
        LinkName::Nic { nic, .. } => return Err(format!("NIC {nic} is not there")),
        LinkName::T0T1 { t0, .. } => (format!("T0 {t0}"), "T1", clos.t1s_above(t0)),
        LinkName::T1T2 { t1, .. } => (format!("T1 {t1}"), "T2", clos.t2s_above(t1)),
    };
    Err(format!("{lower} has links to {upper} {} alone", numbers(&above)))
}

/// The number after one of the words, with or without a space between.
fn numbered(text: &str, words: &[&str]) -> Option<u32> {
    words
        .iter()
        .find_map(|word| text.strip_prefix(word)?.trim_start().parse().ok())
}

fn within(index: u32, count: u32, noun: &str) -> Result<u32, String> {
    match count {
        0 => Err(format!("there is no {noun}")),
        _ if index < count => Ok(index),
        1 => Err(format!("there is only {noun} 0")),
        _ => Err(format!(
            "{noun} {index} is not there: they are numbered 0 to {}",
            count - 1
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOS: Clos = Clos {
        planes: 2,
        t0s: 3,
        t1s: 4,
        nics_per_t0: 5,
        pods: 1,
        t2s: 0,
    };

    #[test]
    fn what_has_a_name_is_found_by_it() {
        for text in ["p1/t0.2-t1.3", "p0/n14", "p1/t1.3", "NIC 4", "QP 7"] {
            let target = find(text, &CLOS, 8).unwrap();
            assert_eq!(crate::names::of(&target).as_deref(), Some(text));
        }
    }

    #[test]
    fn names_are_found_as_people_type_them() {
        for text in ["NIC 14", "nic14", "n14", " Nic  14 "] {
            assert_eq!(find(text, &CLOS, 8), Ok(Target::Nic(14)), "{text}");
        }
        for text in ["QP 3", "qp3", "q3"] {
            assert_eq!(find(text, &CLOS, 8), Ok(Target::Qp(3)), "{text}");
        }
        let link = Target::Link("p1/t0.2-t1.3".parse().unwrap());
        assert_eq!(find("P1/T0.2-T1.3", &CLOS, 8), Ok(link));
        assert_eq!(
            find("p0/n14", &CLOS, 8),
            Ok(Target::Link("p0/n14".parse().unwrap()))
        );
        assert_eq!(
            find("p1/t1.3", &CLOS, 8),
            Ok(Target::Switch("p1/t1.3".parse().unwrap()))
        );
    }

    #[test]
    fn strangers_are_refused_with_what_there_is() {
        for (text, reason) in [
            ("NIC 15", "NIC 15 is not there: they are numbered 0 to 14"),
            ("qp8", "0 to 7"),
            ("p2/n0", "plane 2 is not there"),
            ("p0/n15", "NIC 15"),
            ("p0/t0.3-t1.0", "T0 3"),
            ("p0/t0.0-t1.4", "T1 4"),
            ("p0/t1.4", "T1 4"),
            ("", "expected a link"),
            ("nic", "expected a link"),
            ("n-1", "expected a link"),
        ] {
            let error = find(text, &CLOS, 8).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
        assert_eq!(find("p0/t2.0", &CLOS, 8), Err("there is no T2".into()));
        assert_eq!(find("p0/t1.0-t2.0", &CLOS, 8), Err("there is no T2".into()));
        assert_eq!(find("q0", &CLOS, 0), Err("there is no QP".into()));
        assert_eq!(find("q1", &CLOS, 1), Err("there is only QP 0".into()));
    }

    #[test]
    fn in_three_tiers_t2s_are_found_and_switches_that_are_not_linked_are_told_apart() {
        // Two pods of two T0s and two T1s; each T1 has two T2s.
        let clos = Clos {
            planes: 1,
            t0s: 4,
            t1s: 4,
            nics_per_t0: 1,
            pods: 2,
            t2s: 4,
        };
        for name in ["p0/t2.3", "p0/t1.3-t2.2", "p0/t0.2-t1.3"] {
            let found = find(name, &clos, 1).unwrap();
            let is_same = match found {
                Target::Link(link) => link.to_string() == name,
                Target::Switch(switch) => switch.to_string() == name,
                _ => false,
            };
            assert!(is_same, "{name}: {found:?}");
        }
        for (text, reason) in [
            ("p0/t2.4", "T2 4 is not there: they are numbered 0 to 3"),
            ("p0/t1.0-t2.4", "T2 4 is not there"),
            ("p0/t1.2-t2.2", "T1 2 has links to T2 0–1 alone"),
            ("p0/t0.1-t1.2", "T0 1 has links to T1 0–1 alone"),
        ] {
            let error = find(text, &clos, 1).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
