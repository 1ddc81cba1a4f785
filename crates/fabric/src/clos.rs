//! The multi-plane Clos of two or three tiers: which links there are, their numbers, and the static forwarding tables.
//!
//! Everything is computed from indices; nothing is stored per link. Links are directed here; a cable is two.
//! Numbers run plane by plane, and inside a plane: NIC→T0 by NIC, T0→NIC by NIC, T0→T1 by T0 then T1,
//! T1→T0 by T1 then T0, T1→T2 by T1 then T2, T2→T1 by T2 then T1.
//!
//! # Pods
//!
//! With T2s (MRC paper, the three-tier design that it compares with), T0s and T1s are dealt out to pods in order of their indices,
//! equally many to each. A T0 has one link to each T1 of its pod. T1 number i within its pod has links to the k T2s i·k to
//! i·k + k − 1, where k is the number of T2s by that of T1s in a pod; so each T2 has one link to one T1 of each pod.

use crate::path::hashed::Hashed;
use crate::path::{Top, expand};
use crate::usid;
use core::ops::Range;

/// The fabric's dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clos {
    /// Parallel planes, 1 to 8.
    pub planes: u32,
    /// T0 switches per plane, all pods together, 1 to 2048.
    pub t0s: u32,
    /// T1 switches per plane, all pods together, 1 to 2048; each T0 has one link to each of its pod.
    pub t1s: u32,
    /// NICs per T0, 1 to 2048. Every NIC has one port in each plane.
    pub nics_per_t0: u32,
    /// Pods, at least 1: a divisor of `t0s` and of `t1s`. 1 where there are no T2s.
    pub pods: u32,
    /// T2 switches per plane, 0 to 2047: none, or a multiple of the T1s in a pod.
    pub t2s: u32,
}

/// Which kind of hop a directed link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum LinkKind {
    /// NIC to T0.
    NicUp,
    /// T0 to NIC: the last hop.
    NicDown,
    /// T0 to T1.
    Up,
    /// T1 to T0.
    Down,
    /// T1 to T2.
    CoreUp,
    /// T2 to T1.
    CoreDown,
}

impl LinkKind {
    /// How many kinds there are.
    pub const COUNT: usize = 6;

    /// All kinds, in order.
    pub const ALL: [LinkKind; LinkKind::COUNT] = [
        LinkKind::NicUp,
        LinkKind::NicDown,
        LinkKind::Up,
        LinkKind::Down,
        LinkKind::CoreUp,
        LinkKind::CoreDown,
    ];

    /// True for those that lead away from the NICs.
    pub const fn is_upward(self) -> bool {
        matches!(self, LinkKind::NicUp | LinkKind::Up | LinkKind::CoreUp)
    }

    /// The other direction.
    pub const fn reverse(self) -> LinkKind {
        match self {
            LinkKind::NicUp => LinkKind::NicDown,
            LinkKind::NicDown => LinkKind::NicUp,
            LinkKind::Up => LinkKind::Down,
            LinkKind::Down => LinkKind::Up,
            LinkKind::CoreUp => LinkKind::CoreDown,
            LinkKind::CoreDown => LinkKind::CoreUp,
        }
    }
}

/// What a directed link connects, within its plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkEnd {
    /// Plane.
    pub plane: u32,
    /// Kind of hop.
    pub kind: LinkKind,
    /// The NIC, the T0 or the T1 at the lower end.
    pub lower: u32,
    /// The T0, the T1 or the T2 at the upper end.
    pub upper: u32,
}

impl Clos {
    /// A fabric of two tiers.
    pub const fn two_tiers(planes: u32, t0s: u32, t1s: u32, nics_per_t0: u32) -> Clos {
        Clos {
            planes,
            t0s,
            t1s,
            nics_per_t0,
            pods: 1,
            t2s: 0,
        }
    }

    /// Tiers of switches, 2 or 3.
    pub const fn tiers(&self) -> u32 {
        if self.t2s > 0 { 3 } else { 2 }
    }

    /// NICs in the fabric.
    pub const fn nics(&self) -> u32 {
        self.t0s * self.nics_per_t0
    }

    /// T0s in each pod.
    #[inline]
    pub const fn t0s_per_pod(&self) -> u32 {
        self.t0s / self.pods
    }

    /// T1s in each pod: the uplinks of a T0.
    #[inline]
    pub const fn t1s_per_pod(&self) -> u32 {
        self.t1s / self.pods
    }

    /// T2s that each T1 is linked to: its uplinks.
    #[inline]
    pub const fn t2s_per_t1(&self) -> u32 {
        self.t2s / self.t1s_per_pod()
    }

    /// The pod of a T0.
    #[inline]
    pub const fn pod_of_t0(&self, t0: u32) -> u32 {
        t0 / self.t0s_per_pod()
    }

    /// The pod of a T1.
    #[inline]
    pub const fn pod_of_t1(&self, t1: u32) -> u32 {
        t1 / self.t1s_per_pod()
    }

    /// The T1s that a T0 is linked to.
    pub const fn t1s_above(&self, t0: u32) -> Range<u32> {
        let first = self.pod_of_t0(t0) * self.t1s_per_pod();
        first..first + self.t1s_per_pod()
    }

    /// The T0s that a T1 is linked to.
    pub const fn t0s_below(&self, t1: u32) -> Range<u32> {
        let first = self.pod_of_t1(t1) * self.t0s_per_pod();
        first..first + self.t0s_per_pod()
    }

    /// The T2s that a T1 is linked to.
    pub const fn t2s_above(&self, t1: u32) -> Range<u32> {
        let first = t1 % self.t1s_per_pod() * self.t2s_per_t1();
        first..first + self.t2s_per_t1()
    }

    /// The T1s that a T2 is linked to, one of each pod.
    pub fn t1s_below(&self, t2: u32) -> impl Iterator<Item = u32> + use<> {
        let (within, step) = (t2 / self.t2s_per_t1(), self.t1s_per_pod());
        (0..self.pods).map(move |pod| pod * step + within)
    }

    // T0–T1 cables of a plane.
    const fn trunks(&self) -> u32 {
        self.t0s * self.t1s / self.pods
    }

    // T1–T2 cables of a plane.
    const fn core_trunks(&self) -> u32 {
        self.t2s * self.pods
    }

    /// Directed links in one plane.
    pub const fn links_per_plane(&self) -> u32 {
        2 * (self.nics() + self.trunks() + self.core_trunks())
    }

    /// Directed links in the fabric.
    pub const fn links(&self) -> u32 {
        self.planes * self.links_per_plane()
    }

    /// The T0 (index within a plane, the same in each) of a NIC.
    #[inline]
    pub const fn t0_of(&self, nic: u32) -> u32 {
        nic / self.nics_per_t0
    }

    /// How far up a packet has to go from one NIC to another.
    pub const fn top(&self, src: u32, dst: u32) -> Top {
        let (from, to) = (self.t0_of(src), self.t0_of(dst));
        if from == to {
            Top::T0
        } else if self.pod_of_t0(from) == self.pod_of_t0(to) {
            Top::T1
        } else {
            Top::T2
        }
    }

    /// How many paths there are in each plane from one NIC to another: 1 between NICs of one T0, otherwise one for each T1 of
    /// their pod, or one for each T2 between pods. [`Way::usids`](crate::Way::usids) takes a path's number.
    pub const fn paths(&self, src: u32, dst: u32) -> u32 {
        match self.top(src, dst) {
            Top::T0 => 1,
            Top::T1 => self.t1s_per_pod(),
            Top::T2 => self.t2s,
        }
    }

    /// The uSID of the switch where path number `path` from `src` to `dst` turns round, in `plane`.
    pub const fn turn(&self, src: u32, dst: u32, plane: u32, path: u32) -> u16 {
        let t0 = self.t0_of(src);
        match self.top(src, dst) {
            Top::T0 => usid::usid(plane, usid::T0, t0),
            Top::T1 => usid::usid(plane, usid::T1, self.t1s_above(t0).start + path),
            Top::T2 => usid::usid(plane, usid::T2, path),
        }
    }

    /// The number of a plane's first directed link of a kind.
    #[inline]
    const fn first(&self, plane: u32, kind: LinkKind) -> u32 {
        let (nics, trunks) = (self.nics(), self.trunks());
        let before = match kind {
            LinkKind::NicUp => 0,
            LinkKind::NicDown => nics,
            LinkKind::Up => 2 * nics,
            LinkKind::Down => 2 * nics + trunks,
            LinkKind::CoreUp => 2 * (nics + trunks),
            LinkKind::CoreDown => 2 * (nics + trunks) + self.core_trunks(),
        };
        plane * self.links_per_plane() + before
    }

    /// Number of the link from `nic` to its T0.
    #[inline]
    pub const fn nic_up(&self, plane: u32, nic: u32) -> u32 {
        plane * self.links_per_plane() + nic
    }

    /// Number of the link from its T0 to `nic`.
    #[inline]
    pub const fn nic_down(&self, plane: u32, nic: u32) -> u32 {
        plane * self.links_per_plane() + self.nics() + nic
    }

    /// Number of the link from a T0 to a T1 of the same pod.
    #[inline]
    pub const fn up(&self, plane: u32, t0: u32, t1: u32) -> u32 {
        self.first(plane, LinkKind::Up) + t0 * self.t1s_per_pod() + t1 % self.t1s_per_pod()
    }

    /// Number of the link from a T1 to a T0 of the same pod.
    #[inline]
    pub const fn down(&self, plane: u32, t1: u32, t0: u32) -> u32 {
        self.first(plane, LinkKind::Down) + t1 * self.t0s_per_pod() + t0 % self.t0s_per_pod()
    }

    /// Number of the link from a T1 to a T2 that it is linked to.
    pub const fn core_up(&self, plane: u32, t1: u32, t2: u32) -> u32 {
        self.first(plane, LinkKind::CoreUp) + t1 * self.t2s_per_t1() + t2 % self.t2s_per_t1()
    }

    /// Number of the link from a T2 to a T1 that it is linked to.
    pub const fn core_down(&self, plane: u32, t2: u32, t1: u32) -> u32 {
        self.first(plane, LinkKind::CoreDown) + t2 * self.pods + self.pod_of_t1(t1)
    }

    /// True when a T0 and a T1 are linked: they are there, and in the same pod.
    pub const fn has_trunk(&self, t0: u32, t1: u32) -> bool {
        t0 < self.t0s && t1 < self.t1s && self.pod_of_t0(t0) == self.pod_of_t1(t1)
    }

    /// True when a T1 and a T2 are linked.
    pub const fn has_core_trunk(&self, t1: u32, t2: u32) -> bool {
        t1 < self.t1s && t2 < self.t2s && t1 % self.t1s_per_pod() == t2 / self.t2s_per_t1()
    }

    /// All directed links of a kind, in order of their numbers.
    pub fn links_of_kind(&self, kind: LinkKind) -> impl Iterator<Item = u32> + use<> {
        let count = match kind {
            LinkKind::NicUp | LinkKind::NicDown => self.nics(),
            LinkKind::Up | LinkKind::Down => self.trunks(),
            LinkKind::CoreUp | LinkKind::CoreDown => self.core_trunks(),
        };
        let clos = *self;
        (0..clos.planes).flat_map(move |plane| {
            let first = clos.first(plane, kind);
            first..first + count
        })
    }

    /// What link number `link` (below [`links`](Self::links)) connects.
    pub const fn describe(&self, link: u32) -> LinkEnd {
        let plane = link / self.links_per_plane();
        let rest = link % self.links_per_plane();
        let nics = self.nics();
        let (kind, lower, upper) = if rest < nics {
            (LinkKind::NicUp, rest, self.t0_of(rest))
        } else if rest < 2 * nics {
            (LinkKind::NicDown, rest - nics, self.t0_of(rest - nics))
        } else {
            self.describe_trunk(rest - 2 * nics)
        };
        LinkEnd {
            plane,
            kind,
            lower,
            upper,
        }
    }

    /// Kind, lower and upper end of a link between switches, counted from the first one of its plane.
    const fn describe_trunk(&self, i: u32) -> (LinkKind, u32, u32) {
        let (trunks, core_trunks) = (self.trunks(), self.core_trunks());
        if i < trunks {
            let (t0, within) = (i / self.t1s_per_pod(), i % self.t1s_per_pod());
            let t1 = self.t1s_above(t0).start + within;
            return (LinkKind::Up, t0, t1);
        }
        let i = i - trunks;
        if i < trunks {
            let (t1, within) = (i / self.t0s_per_pod(), i % self.t0s_per_pod());
            let t0 = self.t0s_below(t1).start + within;
            return (LinkKind::Down, t0, t1);
        }
        let i = i - trunks;
        if i < core_trunks {
            let (t1, within) = (i / self.t2s_per_t1(), i % self.t2s_per_t1());
            let t2 = self.t2s_above(t1).start + within;
            return (LinkKind::CoreUp, t1, t2);
        }
        let i = i - core_trunks;
        let (t2, pod) = (i / self.pods, i % self.pods);
        let t1 = pod * self.t1s_per_pod() + t2 / self.t2s_per_t1();
        (LinkKind::CoreDown, t1, t2)
    }

    /// The other direction of the same cable.
    pub const fn reverse(&self, link: u32) -> u32 {
        let end = self.describe(link);
        match end.kind {
            LinkKind::NicUp => self.nic_down(end.plane, end.lower),
            LinkKind::NicDown => self.nic_up(end.plane, end.lower),
            LinkKind::Up => self.down(end.plane, end.upper, end.lower),
            LinkKind::Down => self.up(end.plane, end.lower, end.upper),
            LinkKind::CoreUp => self.core_down(end.plane, end.upper, end.lower),
            LinkKind::CoreDown => self.core_up(end.plane, end.lower, end.upper),
        }
    }

    /// The static forwarding table of the switch with uSID `own`: the link towards uSID `next`, or none where
    /// the switch has no such neighbour.
    pub const fn route(&self, own: u16, next: u16) -> Option<u32> {
        let plane = usid::plane(own);
        if usid::plane(next) != plane {
            return None;
        }
        let (here, there) = (usid::index(own), usid::index(next));
        match (usid::tier(own), usid::tier(next)) {
            (usid::T0, usid::T1) if self.has_trunk(here, there) => Some(self.up(plane, here, there)),
            (usid::T0, usid::NIC) if there < self.nics_per_t0 => {
                Some(self.nic_down(plane, here * self.nics_per_t0 + there))
            }
            (usid::T1, usid::T0) if self.has_trunk(there, here) => Some(self.down(plane, here, there)),
            (usid::T1, usid::T2) if self.has_core_trunk(here, there) => {
                Some(self.core_up(plane, here, there))
            }
            (usid::T2, usid::T1) if self.has_core_trunk(there, here) => {
                Some(self.core_down(plane, here, there))
            }
            _ => None,
        }
    }

    /// The directed links that a packet crosses which `nic` sends with this container: up to its end, or to a switch that has no
    /// route. Of a hashed one that is the first link alone; [`Network::links_along`](crate::Network::links_along) knows the others.
    pub fn links_along(&self, nic: u32, container: u64) -> Vec<u32> {
        if let Some(hashed) = Hashed::of(container) {
            return vec![self.nic_up(hashed.plane, nic)];
        }
        let usids = expand(self, container);
        let mut links = vec![self.nic_up(usid::plane(usids[0]), nic)];
        links.extend(usids.windows(2).map_while(|pair| self.route(pair[0], pair[1])));
        links
    }

    /// The directed links that leave a switch: uplinks, then downlinks; none where the fabric has no such switch.
    pub fn links_from(&self, switch: u16) -> Option<Vec<u32>> {
        let (clos, plane, index) = (*self, usid::plane(switch), usid::index(switch));
        if plane >= clos.planes {
            return None;
        }
        let links = match usid::tier(switch) {
            usid::T0 if index < clos.t0s => {
                let ups = clos.t1s_above(index).map(|t1| clos.up(plane, index, t1));
                let first = index * clos.nics_per_t0;
                let nics = first..first + clos.nics_per_t0;
                let downs = nics.map(|nic| clos.nic_down(plane, nic));
                ups.chain(downs).collect()
            }
            usid::T1 if index < clos.t1s => {
                let ups = clos.t2s_above(index).map(|t2| clos.core_up(plane, index, t2));
                let downs = clos.t0s_below(index).map(|t0| clos.down(plane, index, t0));
                ups.chain(downs).collect()
            }
            usid::T2 if index < clos.t2s => {
                let downs = clos.t1s_below(index).map(|t1| clos.core_down(plane, index, t1));
                downs.collect()
            }
            _ => return None,
        };
        Some(links)
    }
}

#[cfg(test)]
mod tests;
