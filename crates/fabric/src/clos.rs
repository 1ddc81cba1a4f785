//! The two-tier multi-plane Clos: which links there are, their numbers, and the static forwarding tables.
//!
//! Everything is computed from indices; nothing is stored per link. Links are directed here; a cable is two.
//! Numbers run plane by plane, and inside a plane: NIC→T0 by NIC, T0→NIC by NIC, T0→T1 by T0 then T1,
//! T1→T0 by T1 then T0.

use crate::usid;

/// The fabric's dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clos {
    /// Parallel planes, 1 to 8.
    pub planes: u32,
    /// T0 switches per plane, 1 to 2048.
    pub t0s: u32,
    /// T1 switches per plane, 1 to 2048; each T0 has one link to each.
    pub t1s: u32,
    /// NICs per T0, 1 to 2048. Every NIC has one port in each plane.
    pub nics_per_t0: u32,
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
}

impl LinkKind {
    /// How many kinds there are.
    pub const COUNT: usize = 4;
}

/// What a directed link connects, within its plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkEnd {
    /// Plane.
    pub plane: u32,
    /// Kind of hop.
    pub kind: LinkKind,
    /// The NIC (for NIC links) or the T0.
    pub lower: u32,
    /// The T0 (for NIC links) or the T1.
    pub upper: u32,
}

impl Clos {
    /// NICs in the fabric.
    pub const fn nics(&self) -> u32 {
        self.t0s * self.nics_per_t0
    }

    /// Directed links in one plane.
    pub const fn links_per_plane(&self) -> u32 {
        2 * self.nics() + 2 * self.t0s * self.t1s
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

    /// Number of the link from a T0 to a T1.
    #[inline]
    pub const fn up(&self, plane: u32, t0: u32, t1: u32) -> u32 {
        plane * self.links_per_plane() + 2 * self.nics() + t0 * self.t1s + t1
    }

    /// Number of the link from a T1 to a T0.
    #[inline]
    pub const fn down(&self, plane: u32, t1: u32, t0: u32) -> u32 {
        plane * self.links_per_plane() + 2 * self.nics() + self.t0s * self.t1s + t1 * self.t0s + t0
    }

    /// All directed links of a kind, in order of their numbers.
    pub fn links_of(&self, kind: LinkKind) -> impl Iterator<Item = u32> + use<> {
        let (nics, trunks) = (self.nics(), self.t0s * self.t1s);
        let (first, count) = match kind {
            LinkKind::NicUp => (0, nics),
            LinkKind::NicDown => (nics, nics),
            LinkKind::Up => (2 * nics, trunks),
            LinkKind::Down => (2 * nics + trunks, trunks),
        };
        let step = self.links_per_plane();
        (0..self.planes).flat_map(move |plane| (0..count).map(move |i| plane * step + first + i))
    }

    /// What link number `link` (below [`links`](Self::links)) connects.
    pub const fn describe(&self, link: u32) -> LinkEnd {
        let plane = link / self.links_per_plane();
        let rest = link % self.links_per_plane();
        let nics = self.nics();
        let trunks = self.t0s * self.t1s;
        let (kind, lower, upper) = if rest < nics {
            (LinkKind::NicUp, rest, self.t0_of(rest))
        } else if rest < 2 * nics {
            (LinkKind::NicDown, rest - nics, self.t0_of(rest - nics))
        } else if rest < 2 * nics + trunks {
            let i = rest - 2 * nics;
            (LinkKind::Up, i / self.t1s, i % self.t1s)
        } else {
            let i = rest - 2 * nics - trunks;
            (LinkKind::Down, i % self.t0s, i / self.t0s)
        };
        LinkEnd {
            plane,
            kind,
            lower,
            upper,
        }
    }

    /// The other direction of the same cable.
    pub const fn reverse(&self, link: u32) -> u32 {
        let end = self.describe(link);
        match end.kind {
            LinkKind::NicUp => self.nic_down(end.plane, end.lower),
            LinkKind::NicDown => self.nic_up(end.plane, end.lower),
            LinkKind::Up => self.down(end.plane, end.upper, end.lower),
            LinkKind::Down => self.up(end.plane, end.lower, end.upper),
        }
    }

    /// The static forwarding table of the switch with uSID `own`: the link towards uSID `next`, or none where
    /// the switch has no such neighbour.
    #[inline]
    pub const fn route(&self, own: u16, next: u16) -> Option<u32> {
        let plane = usid::plane(own);
        if usid::plane(next) != plane {
            return None;
        }
        let (here, there) = (usid::index(own), usid::index(next));
        match (usid::tier(own), usid::tier(next)) {
            (usid::T0, usid::T1) if there < self.t1s => Some(self.up(plane, here, there)),
            (usid::T0, usid::NIC) if there < self.nics_per_t0 => {
                Some(self.nic_down(plane, here * self.nics_per_t0 + there))
            }
            (usid::T1, usid::T0) if there < self.t0s => Some(self.down(plane, here, there)),
            _ => None,
        }
    }
}

/// From one NIC to another: what their uSID containers have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way {
    // The container in plane 0 by way of T1 0.
    base: u64,
    // Where the plane has to be added, once in each uSID.
    planes: u64,
    crosses_t1: bool,
}

impl Way {
    /// The way from `src` to `dst`; NICs of one T0 skip the T1.
    pub const fn between(clos: &Clos, src: u32, dst: u32) -> Way {
        let (from, to) = (clos.t0_of(src), clos.t0_of(dst));
        let first = usid::usid(0, usid::T0, from);
        let last = usid::usid(0, usid::NIC, dst % clos.nics_per_t0);
        let plane = usid::usid(1, 0, 0);
        if from == to {
            Way {
                base: usid::pack([first, last, 0, 0]),
                planes: usid::pack([plane, plane, 0, 0]),
                crosses_t1: false,
            }
        } else {
            let (t1, t0) = (usid::usid(0, usid::T1, 0), usid::usid(0, usid::T0, to));
            Way {
                base: usid::pack([first, t1, t0, last]),
                planes: usid::pack([plane; 4]),
                crosses_t1: true,
            }
        }
    }

    /// The uSID container in `plane` by way of `t1`.
    #[inline]
    pub const fn usids(&self, plane: u32, t1: u32) -> u64 {
        let t1 = if self.crosses_t1 { (t1 as u64) << 32 } else { 0 };
        self.base + self.planes * plane as u64 + t1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOS: Clos = Clos {
        planes: 3,
        t0s: 4,
        t1s: 5,
        nics_per_t0: 6,
    };

    #[test]
    fn numbers_are_dense_and_invertible() {
        for link in 0..CLOS.links() {
            let end = CLOS.describe(link);
            let number = match end.kind {
                LinkKind::NicUp => CLOS.nic_up(end.plane, end.lower),
                LinkKind::NicDown => CLOS.nic_down(end.plane, end.lower),
                LinkKind::Up => CLOS.up(end.plane, end.lower, end.upper),
                LinkKind::Down => CLOS.down(end.plane, end.upper, end.lower),
            };
            assert_eq!(number, link);
            assert_eq!(CLOS.reverse(CLOS.reverse(link)), link);
            assert_ne!(CLOS.reverse(link), link);
        }
    }

    #[test]
    fn paper_dimensions() {
        // MRC paper, table of section 5: 8 planes of 512 T0 (256 NICs each) and 256 T1 carry 131,072 NICs.
        let clos = Clos {
            planes: 8,
            t0s: 512,
            t1s: 256,
            nics_per_t0: 256,
        };
        assert_eq!(clos.nics(), 131_072);
        assert_eq!(clos.links() / 2, 8 * (131_072 + 512 * 256));
    }

    #[test]
    fn every_path_reaches_its_destination() {
        for (src, dst) in [(0, 23), (5, 0), (1, 2), (7, 6)] {
            for plane in 0..CLOS.planes {
                for t1 in 0..CLOS.t1s {
                    let mut container = Way::between(&CLOS, src, dst).usids(plane, t1);
                    let mut hops = 1;
                    loop {
                        let own = usid::active(container);
                        container = usid::shift(container);
                        let link = CLOS.route(own, usid::active(container)).expect("a route");
                        hops += 1;
                        let end = CLOS.describe(link);
                        assert_eq!(end.plane, plane);
                        if end.kind == LinkKind::NicDown {
                            assert_eq!(end.lower, dst);
                            break;
                        }
                    }
                    assert_eq!(hops, if CLOS.t0_of(src) == CLOS.t0_of(dst) { 2 } else { 4 });
                }
            }
        }
    }

    #[test]
    fn no_route_to_strangers() {
        let t0 = usid::usid(0, usid::T0, 1);
        assert_eq!(CLOS.route(t0, usid::usid(1, usid::T1, 0)), None, "another plane");
        assert_eq!(CLOS.route(t0, usid::usid(0, usid::T1, 5)), None, "no such T1");
        assert_eq!(
            CLOS.route(t0, usid::usid(0, usid::T0, 2)),
            None,
            "T0s are not neighbours"
        );
        assert_eq!(CLOS.route(t0, 0), None, "end of the container");
    }
}
