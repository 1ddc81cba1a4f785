//! The names of places, as scenarios spell them.

use fabric::{Clos, LinkKind, usid};
use scenario::SwitchName;

/// The uSID of a switch; `None` when the fabric has no such switch.
pub fn switch_usid(clos: &Clos, switch: SwitchName) -> Option<u16> {
    match switch {
        SwitchName::T0 { plane, index } if plane < clos.planes && index < clos.t0s => {
            Some(usid::usid(plane, usid::T0, index))
        }
        SwitchName::T1 { plane, index } if plane < clos.planes && index < clos.t1s => {
            Some(usid::usid(plane, usid::T1, index))
        }
        SwitchName::T2 { plane, index } if plane < clos.planes && index < clos.t2s => {
            Some(usid::usid(plane, usid::T2, index))
        }
        _ => None,
    }
}

/// The nodes that a directed link comes from and leads to.
pub fn ends(clos: &Clos, link: u32) -> (String, String) {
    let end = clos.describe(link);
    let plane = end.plane;
    let nic = |nic| format!("NIC {nic}");
    let t0 = |index| SwitchName::T0 { plane, index }.to_string();
    let t1 = |index| SwitchName::T1 { plane, index }.to_string();
    let t2 = |index| SwitchName::T2 { plane, index }.to_string();
    match end.kind {
        LinkKind::NicUp => (nic(end.lower), t0(end.upper)),
        LinkKind::NicDown => (t0(end.upper), nic(end.lower)),
        LinkKind::Up => (t0(end.lower), t1(end.upper)),
        LinkKind::Down => (t1(end.upper), t0(end.lower)),
        LinkKind::CoreUp => (t1(end.lower), t2(end.upper)),
        LinkKind::CoreDown => (t2(end.upper), t1(end.lower)),
    }
}

/// Links that wait for each other in a circle, as the nodes along it: the last one is the first again.
pub fn circle(clos: &Clos, links: &[u32]) -> String {
    let mut nodes: Vec<String> = links.iter().map(|&link| ends(clos, link).0).collect();
    nodes.extend(links.last().map(|&link| ends(clos, link).1));
    nodes.join(" → ")
}

/// What a uSID names: a switch, or a T0's port to a NIC.
pub fn of_usid(usid: u16) -> String {
    let (plane, index) = (usid::plane(usid), usid::index(usid));
    match usid::tier(usid) {
        usid::T0 => SwitchName::T0 { plane, index }.to_string(),
        usid::T1 => SwitchName::T1 { plane, index }.to_string(),
        usid::NIC => format!("port to NIC {index} of the T0"),
        _ if usid == 0 => "end".into(),
        _ => SwitchName::T2 { plane, index }.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_the_names_of_scenarios() {
        let clos = Clos {
            planes: 2,
            t0s: 3,
            t1s: 4,
            nics_per_t0: 5,
            pods: 1,
            t2s: 0,
        };
        for stranger in ["p2/t0.0", "p0/t0.3", "p0/t1.4"] {
            assert_eq!(switch_usid(&clos, stranger.parse().unwrap()), None, "{stranger}");
        }
        let last = usid::usid(1, usid::T1, 3);
        assert_eq!(switch_usid(&clos, "p1/t1.3".parse().unwrap()), Some(last));
        assert_eq!(of_usid(last), "p1/t1.3");
        assert_eq!(
            ends(&clos, clos.up(1, 2, 3)),
            ("p1/t0.2".into(), "p1/t1.3".into())
        );
        assert_eq!(
            ends(&clos, clos.nic_down(0, 7)),
            ("p0/t0.1".into(), "NIC 7".into())
        );
    }
}
