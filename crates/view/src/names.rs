//! Cables and the directed links that they are made of.

use crate::inspect::Target;
use fabric::{Clos, LinkKind};
use scenario::LinkName;

/// The cable that a directed link belongs to.
pub fn cable(clos: &Clos, link: u32) -> LinkName {
    let end = clos.describe(link);
    match end.kind {
        LinkKind::NicUp | LinkKind::NicDown => LinkName::Nic {
            plane: end.plane,
            nic: end.lower,
        },
        LinkKind::Up | LinkKind::Down => LinkName::T0T1 {
            plane: end.plane,
            t0: end.lower,
            t1: end.upper,
        },
        LinkKind::CoreUp | LinkKind::CoreDown => LinkName::T1T2 {
            plane: end.plane,
            t1: end.lower,
            t2: end.upper,
        },
    }
}

/// The two directed links of a cable, the upward one first; `None` when the fabric has no such cable.
pub fn directions(clos: &Clos, cable: LinkName) -> Option<[u32; 2]> {
    match cable {
        LinkName::Nic { plane, nic } if plane < clos.planes && nic < clos.nics() => {
            Some([clos.nic_up(plane, nic), clos.nic_down(plane, nic)])
        }
        LinkName::T0T1 { plane, t0, t1 } if plane < clos.planes && clos.has_trunk(t0, t1) => {
            Some([clos.up(plane, t0, t1), clos.down(plane, t1, t0)])
        }
        LinkName::T1T2 { plane, t1, t2 } if plane < clos.planes && clos.has_core_trunk(t1, t2) => {
            Some([clos.core_up(plane, t1, t2), clos.core_down(plane, t2, t1)])
        }
        _ => None,
    }
}

/// What a thing is called that can be found by its name; none for those that have no name.
pub fn of(target: &Target) -> Option<String> {
    match target {
        Target::Link(link) => Some(link.to_string()),
        Target::Switch(switch) => Some(switch.to_string()),
        Target::Nic(nic) => Some(format!("NIC {nic}")),
        Target::Qp(qp) => Some(format!("QP {qp}")),
        Target::Packet(_) | Target::Fault(_) | Target::Bundle { .. } | Target::Group { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_cables_correspond() {
        let two = Clos::two_tiers(2, 3, 4, 5);
        let three = Clos {
            planes: 1,
            t0s: 4,
            t1s: 4,
            nics_per_t0: 1,
            pods: 2,
            t2s: 4,
        };
        for clos in [two, three] {
            for link in 0..clos.links() {
                let both = directions(&clos, cable(&clos, link)).unwrap();
                assert!(both.contains(&link) && both.contains(&clos.reverse(link)));
            }
        }
        let none = |clos: &Clos, stranger: &str| {
            assert_eq!(directions(clos, stranger.parse().unwrap()), None, "{stranger}");
        };
        for stranger in ["p2/n0", "p0/n15", "p0/t0.3-t1.0", "p0/t0.0-t1.4", "p0/t1.0-t2.0"] {
            none(&two, stranger);
        }
        for stranger in ["p0/t0.0-t1.2", "p0/t1.0-t2.2", "p0/t1.0-t2.4", "p1/t1.0-t2.0"] {
            none(&three, stranger);
        }
    }
}
