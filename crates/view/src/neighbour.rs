//! From one thing of the fabric to the next of a kind: the keyboard's way over the stage.

use crate::inspect::Target;
use crate::keys::Kind;
use crate::names::{cable, directions};
use fabric::Clos;
use scenario::{LinkName, SwitchName};

/// The next thing of a kind after what is selected, or the one before; the first is after the last. None where the fabric has none.
///
/// From a thing of another kind the way leads to a neighbour, where it has one of the kind: from a switch or a NIC to its first link
/// (its last one, going back), from a link to its upper switch, or to its NIC. Otherwise it leads to the first (or the last) of all.
pub fn next(kind: Kind, selected: Option<&Target>, clos: &Clos, qps: u32, forwards: bool) -> Option<Target> {
    match kind {
        Kind::Link => link(selected, clos, forwards).map(Target::Link),
        Kind::Switch => switch(selected, clos, forwards),
        Kind::Nic => {
            let current = match selected {
                Some(Target::Link(LinkName::Nic { nic, .. })) => return Some(Target::Nic(*nic)),
                Some(Target::Nic(nic)) => Some(*nic),
                _ => None,
            };
            Some(Target::Nic(beside(current, clos.nics(), forwards)?))
        }
        Kind::Qp => {
            let current = match selected {
                Some(Target::Qp(qp)) => Some(*qp),
                Some(Target::Packet(packet)) if packet.conn < qps => return Some(Target::Qp(packet.conn)),
                _ => None,
            };
            Some(Target::Qp(beside(current, qps, forwards)?))
        }
    }
}

/// The number after `current` of `count`, or the one before; around the end.
fn beside(current: Option<u32>, count: u32, forwards: bool) -> Option<u32> {
    let last = count.checked_sub(1)?;
    Some(match (current.filter(|current| *current <= last), forwards) {
        (None, true) => 0,
        (None, false) => last,
        (Some(current), true) if current == last => 0,
        (Some(current), true) => current + 1,
        (Some(current), false) => current.checked_sub(1).unwrap_or(last),
    })
}

/// Cables in the order of their upward links: plane by plane, those of NICs first.
fn link(selected: Option<&Target>, clos: &Clos, forwards: bool) -> Option<LinkName> {
    let belongs: Box<dyn Fn(LinkName) -> bool> = match selected {
        Some(Target::Switch(switch)) => {
            let switch = *switch;
            Box::new(move |link| ends(link, clos).contains(&Some(switch)))
        }
        Some(Target::Nic(nic)) => {
            let nic = *nic;
            Box::new(move |link| matches!(link, LinkName::Nic { nic: other, .. } if other == nic))
        }
        _ => Box::new(|_| true),
    };
    let current = match selected {
        Some(Target::Link(link)) => directions(clos, *link).map(|[up, _]| up),
        _ => None,
    };
    let count = clos.links();
    let mut at = current;
    for _ in 0..count {
        let next = beside(at, count, forwards)?;
        at = Some(next);
        if clos.describe(next).kind.is_upward() && belongs(cable(clos, next)) {
            return Some(cable(clos, next));
        }
    }
    None
}

/// The switches at the ends of a cable, the lower one first.
fn ends(link: LinkName, clos: &Clos) -> [Option<SwitchName>; 2] {
    match link {
        LinkName::Nic { plane, nic } => {
            let index = clos.t0_of(nic);
            [None, Some(SwitchName::T0 { plane, index })]
        }
        LinkName::T0T1 { plane, t0, t1 } => [
            Some(SwitchName::T0 { plane, index: t0 }),
            Some(SwitchName::T1 { plane, index: t1 }),
        ],
        LinkName::T1T2 { plane, t1, t2 } => [
            Some(SwitchName::T1 { plane, index: t1 }),
            Some(SwitchName::T2 { plane, index: t2 }),
        ],
    }
}

/// Switches plane by plane: T0s, T1s, T2s.
fn switch(selected: Option<&Target>, clos: &Clos, forwards: bool) -> Option<Target> {
    let per_plane = clos.t0s + clos.t1s + clos.t2s;
    let current = match selected {
        Some(Target::Link(link)) if directions(clos, *link).is_some() => {
            return ends(*link, clos)[1].map(Target::Switch);
        }
        Some(Target::Switch(SwitchName::T0 { plane, index })) => Some(plane * per_plane + index),
        Some(Target::Switch(SwitchName::T1 { plane, index })) => Some(plane * per_plane + clos.t0s + index),
        Some(Target::Switch(SwitchName::T2 { plane, index })) => {
            Some(plane * per_plane + clos.t0s + clos.t1s + index)
        }
        _ => None,
    };
    let next = beside(current, clos.planes * per_plane, forwards)?;
    let (plane, at) = (next / per_plane, next % per_plane);
    Some(Target::Switch(if at < clos.t0s {
        SwitchName::T0 { plane, index: at }
    } else if at < clos.t0s + clos.t1s {
        SwitchName::T1 {
            plane,
            index: at - clos.t0s,
        }
    } else {
        SwitchName::T2 {
            plane,
            index: at - clos.t0s - clos.t1s,
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Two planes of 3 T0s, 4 T1s and 2 NICs a T0.
    const TWO: Clos = Clos::two_tiers(2, 3, 4, 2);

    /// Everything that is reached from one to the next until the first is there again.
    fn round(kind: Kind, clos: &Clos, forwards: bool) -> Vec<Target> {
        let mut all = Vec::new();
        let mut at = next(kind, None, clos, 5, forwards).unwrap();
        while !all.contains(&at) {
            all.push(at.clone());
            at = next(kind, Some(&at), clos, 5, forwards).unwrap();
        }
        assert_eq!(all[0], at, "the first is after the last");
        all
    }

    #[test]
    fn a_round_passes_everything_once_and_back_the_other_way() {
        let three = Clos {
            pods: 2,
            t0s: 4,
            t2s: 4,
            ..TWO
        };
        for clos in [TWO, three] {
            let cables = (0..clos.links())
                .map(|link| cable(&clos, link))
                .collect::<HashSet<_>>();
            let counts = [
                (Kind::Link, cables.len()),
                (
                    Kind::Switch,
                    (clos.planes * (clos.t0s + clos.t1s + clos.t2s)) as usize,
                ),
                (Kind::Nic, clos.nics() as usize),
                (Kind::Qp, 5),
            ];
            for (kind, count) in counts {
                let mut there = round(kind, &clos, true);
                assert_eq!(there.len(), count, "{kind:?}");
                there.reverse();
                assert_eq!(round(kind, &clos, false), there, "{kind:?}");
            }
        }
    }

    #[test]
    fn from_a_thing_to_what_it_is_connected_with() {
        let go = |kind, from| next(kind, Some(&from), &TWO, 5, true).unwrap();
        let t1 = SwitchName::T1 { plane: 1, index: 2 };
        // T0 0 has the first link to it.
        assert_eq!(
            go(Kind::Link, Target::Switch(t1)),
            Target::Link(LinkName::T0T1 {
                plane: 1,
                t0: 0,
                t1: 2
            })
        );
        assert_eq!(
            next(Kind::Link, Some(&Target::Switch(t1)), &TWO, 5, false),
            Some(Target::Link(LinkName::T0T1 {
                plane: 1,
                t0: 2,
                t1: 2
            }))
        );
        let nic = LinkName::Nic { plane: 0, nic: 3 };
        assert_eq!(go(Kind::Link, Target::Nic(3)), Target::Link(nic));
        // NICs 2 and 3 are T0 1's.
        assert_eq!(
            go(Kind::Switch, Target::Link(nic)),
            Target::Switch(SwitchName::T0 { plane: 0, index: 1 })
        );
        assert_eq!(go(Kind::Nic, Target::Link(nic)), Target::Nic(3));
    }

    #[test]
    fn what_is_not_there_leads_to_the_first() {
        assert_eq!(next(Kind::Qp, None, &TWO, 0, true), None);
        assert_eq!(
            next(Kind::Qp, Some(&Target::Qp(7)), &TWO, 5, true),
            Some(Target::Qp(0))
        );
        let gone = Target::Link(LinkName::Nic { plane: 7, nic: 0 });
        assert_eq!(
            next(Kind::Link, Some(&gone), &TWO, 5, true),
            Some(Target::Link(LinkName::Nic { plane: 0, nic: 0 }))
        );
    }
}
