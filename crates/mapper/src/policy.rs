//! What to do about a verdict. Clustermapper says what QPs shall stop using; the endpoints do it.

use crate::{Change, Element, Topology};
use std::collections::BTreeSet;

/// Which verdicts have consequences for traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Paths over bad T0–T1 links are denied; by our choice those over bad T1s, T2s and T1–T2 links likewise. The paper
    /// found it unnecessary for pretraining, since MRC avoids such paths by itself.
    pub denylist: bool,
    /// The plane of a bad NIC–T0 link is denied for the NIC: MRC cannot tell which end is bad, so it cannot do it by itself
    /// (MRC paper §4). By our choice a bad T0 has the same consequence for all of its NICs.
    pub degraded_planes: bool,
}

/// What QPs shall no longer use, or may use again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Denial {
    /// The element to avoid.
    pub element: Element,
    /// True: from now on. False: no longer.
    pub denied: bool,
}

/// The way of an EV from one NIC to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// Sending NIC.
    pub src: u32,
    /// Receiving NIC.
    pub dst: u32,
    /// Plane.
    pub plane: u32,
    /// The T1 as numbered within a pod; means nothing where both NICs are at one T0.
    pub t1: u32,
    /// The T2; means nothing within a pod.
    pub t2: u32,
}

/// How an EV is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The sender's controller denies it: DENIED.
    Deny,
    /// The receiver's side is degraded: its controller has the NIC ask for the plane to be left out, as SACKs do with
    /// ALWAYS_SKIP.
    AlwaysSkip,
}

impl Policy {
    /// What a change of verdict leads to.
    pub fn act(&self, change: &Change) -> Option<Denial> {
        let acts = match change.element {
            Element::NicT0 { .. } | Element::T0 { .. } => self.degraded_planes,
            Element::T0T1 { .. } | Element::T1 { .. } | Element::T1T2 { .. } | Element::T2 { .. } => {
                self.denylist
            }
        };
        acts.then_some(Denial {
            element: change.element,
            denied: change.bad,
        })
    }
}

impl Route {
    /// What a packet meets on the way, and how an EV of this route is stopped that is to avoid it. A NIC's own port and T0 come
    /// before its peer's.
    pub fn over(&self, topology: &Topology) -> impl Iterator<Item = (Element, Stop)> + use<> {
        let Route {
            src,
            dst,
            plane,
            t1,
            t2,
        } = *self;
        let t0s = [topology.t0_of(src), topology.t0_of(dst)];
        let pods = t0s.map(|t0| topology.pod_of_t0(t0));
        let t1s = pods.map(|pod| pod * topology.t1s_per_pod() + t1);
        let ends = [(src, t0s[0], Stop::Deny), (dst, t0s[1], Stop::AlwaysSkip)];
        let nics = ends.map(|(nic, _, stop)| (Element::NicT0 { plane, nic }, stop));
        let racks = ends.map(|(_, t0, stop)| (Element::T0 { plane, t0 }, stop));
        let halves = [0, 1].map(|end| (t0s[end], t1s[end]));
        let by_t1 = halves.map(|(t0, t1)| [Element::T0T1 { plane, t1, t0 }, Element::T1 { plane, t1 }]);
        let by_t2 = halves.map(|(_, t1)| [Element::T1T2 { plane, t2, t1 }, Element::T2 { plane, t2 }]);
        let above = |is_crossed: bool, elements: [[Element; 2]; 2]| {
            let elements = elements.into_iter().flatten().filter(move |_| is_crossed);
            elements.map(|element| (element, Stop::Deny))
        };
        nics.into_iter()
            .chain(racks)
            .chain(above(t0s[0] != t0s[1], by_t1))
            .chain(above(pods[0] != pods[1], by_t2))
    }
}

impl Denial {
    /// Whether an EV of this route is meant, and how it is stopped.
    pub fn concerns(&self, topology: &Topology, route: &Route) -> Option<Stop> {
        let met = route
            .over(topology)
            .find(|&(element, _)| element == self.element)?;
        Some(met.1)
    }
}

/// Everything that is to be avoided now.
#[derive(Clone, Debug, Default)]
pub struct Denylist(BTreeSet<Element>);

impl Denylist {
    /// Takes a denial, or the end of one.
    pub fn take(&mut self, denial: Denial) {
        if denial.denied {
            self.0.insert(denial.element);
        } else {
            self.0.remove(&denial.element);
        }
    }

    /// What is to be avoided, in the elements' order.
    pub fn elements(&self) -> impl Iterator<Item = Element> + '_ {
        self.0.iter().copied()
    }

    /// Whether EVs of this route are to be stopped in this way.
    pub fn stops(&self, topology: &Topology, route: &Route, how: Stop) -> bool {
        let is_listed = |(element, stop)| stop == how && self.0.contains(&element);
        !self.0.is_empty() && route.over(topology).any(is_listed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NIC: Element = Element::NicT0 { plane: 1, nic: 4 };
    const T0: Element = Element::T0 { plane: 1, t0: 2 };
    const T0T1: Element = Element::T0T1 {
        plane: 1,
        t1: 1,
        t0: 2,
    };
    const T1: Element = Element::T1 { plane: 1, t1: 1 };
    const T1T2: Element = Element::T1T2 {
        plane: 1,
        t2: 3,
        t1: 1,
    };
    const T2: Element = Element::T2 { plane: 1, t2: 3 };
    const ALL: [Element; 6] = [NIC, T0, T0T1, T1, T1T2, T2];

    /// Two pods of four T0s with two NICs each, two T1s each, four T2s: T2 3 is cabled to the T1s 1 and 3.
    const TOPOLOGY: Topology = Topology {
        planes: 2,
        pods: 2,
        t0s: 8,
        t1s: 4,
        t2s: 4,
        nics_per_t0: 2,
        rails: 1,
    };

    #[test]
    fn each_policy_acts_on_its_own() {
        let acts = |denylist, degraded_planes, bad| {
            let policy = Policy {
                denylist,
                degraded_planes,
            };
            ALL.map(|element| {
                policy
                    .act(&Change {
                        element,
                        bad,
                        round: 0,
                    })
                    .map(|denial| denial.denied)
            })
        };
        assert_eq!(acts(false, false, true), [None; 6]);
        assert_eq!(
            acts(false, true, true),
            [Some(true), Some(true), None, None, None, None]
        );
        assert_eq!(
            acts(true, false, false),
            [None, None, Some(false), Some(false), Some(false), Some(false)]
        );
    }

    #[test]
    fn routes_by_hand() {
        let concerned = |src, dst, plane, t1, t2| {
            let route = Route {
                src,
                dst,
                plane,
                t1,
                t2,
            };
            ALL.map(|element| {
                Denial {
                    element,
                    denied: true,
                }
                .concerns(&TOPOLOGY, &route)
            })
        };
        let (deny, skip) = (Some(Stop::Deny), Some(Stop::AlwaysSkip));
        // NICs 4 and 5 are at T0 2 of pod 0. To NIC 15 of pod 1 by T1 1 of the pod and T2 3: everything.
        assert_eq!(concerned(4, 15, 1, 1, 3), [deny; 6]);
        assert_eq!(concerned(4, 15, 0, 1, 3), [None; 6], "another plane");
        assert_eq!(
            concerned(4, 15, 1, 1, 2),
            [deny, deny, deny, deny, None, None],
            "another T2"
        );
        assert_eq!(
            concerned(4, 15, 1, 0, 1),
            [deny, deny, None, None, None, None],
            "another T1"
        );
        // The other way round the sender has nothing wrong at its own end.
        assert_eq!(concerned(15, 4, 1, 1, 3), [skip, skip, deny, deny, deny, deny]);
        assert_eq!(
            concerned(15, 5, 1, 1, 3),
            [None, skip, deny, deny, deny, deny],
            "its neighbour"
        );
        // Within the pod no T2, at one T0 no T1.
        assert_eq!(concerned(4, 0, 1, 1, 3), [deny, deny, deny, deny, None, None]);
        assert_eq!(concerned(5, 4, 1, 1, 3), [skip, deny, None, None, None, None]);
        // T1 1 is not on a way within pod 1 by the pod's own T1 1, which is T1 3.
        assert_eq!(concerned(8, 15, 1, 1, 3), [None; 6]);
    }

    #[test]
    fn an_ev_is_stopped_as_long_as_anything_on_its_way_is_listed() {
        let route = Route {
            src: 4,
            dst: 0,
            plane: 1,
            t1: 1,
            t2: 0,
        };
        let mut list = Denylist::default();
        let stops =
            |list: &Denylist| [Stop::Deny, Stop::AlwaysSkip].map(|how| list.stops(&TOPOLOGY, &route, how));
        let mut change = |element, denied| {
            list.take(Denial { element, denied });
            stops(&list)
        };
        assert_eq!(change(T0T1, true), [true, false]);
        assert_eq!(change(T1, true), [true, false]);
        assert_eq!(change(T0T1, false), [true, false], "the T1 is still listed");
        let (plane, nic) = (1, 0);
        assert_eq!(change(Element::NicT0 { plane, nic }, true), [true, true]);
        assert_eq!(change(T1, false), [false, true]);
        assert_eq!(change(T2, true), [false, true], "not on the way");
        assert_eq!(list.elements().count(), 2);
    }
}
