//! Large fabrics are drawn in groups: neighbouring switches as one, the links between two groups as one bundle.

use fabric::{Clos, LinkKind};
use std::ops::Range;

/// Fabrics of more cables than this are drawn in groups (our choice: so many lines can still be told apart on a
/// large screen after zooming in, and still be redrawn several times a second without a graphics processor).
pub const MAX_CABLES: u64 = 4096;

/// Groups of T0s drawn at most in each plane.
const MAX_T0_GROUPS: u32 = 16;

/// Groups of T1s drawn at most in each plane.
const MAX_T1_GROUPS: u32 = 8;

/// Which elements of the fabric share one drawn element. The drawn fabric is a Clos of its own, smaller or equal;
/// its directed links are called edges here and are numbered as [`Clos`] numbers links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grouping {
    real: Clos,
    shown: Clos,
}

impl Grouping {
    /// How the fabric `real` is drawn.
    pub fn new(real: Clos) -> Grouping {
        let cables = u64::from(real.planes)
            * (u64::from(real.t0s) * u64::from(real.nics_per_t0) + u64::from(real.t0s) * u64::from(real.t1s));
        let shown = if cables <= MAX_CABLES {
            real
        } else {
            Clos {
                planes: real.planes,
                t0s: real.t0s.min(MAX_T0_GROUPS),
                t1s: real.t1s.min(MAX_T1_GROUPS),
                nics_per_t0: 1,
            }
        };
        Grouping { real, shown }
    }

    /// The fabric itself.
    pub const fn real(&self) -> &Clos {
        &self.real
    }

    /// The fabric as drawn.
    pub const fn shown(&self) -> &Clos {
        &self.shown
    }

    /// True when one drawn element may stand for several.
    pub fn is_grouped(&self) -> bool {
        self.real != self.shown
    }

    /// The drawn T0 that stands for a T0.
    pub const fn t0(&self, t0: u32) -> u32 {
        group(t0, self.real.t0s, self.shown.t0s)
    }

    /// The drawn T1 that stands for a T1.
    pub const fn t1(&self, t1: u32) -> u32 {
        group(t1, self.real.t1s, self.shown.t1s)
    }

    /// The drawn NIC that stands for a NIC.
    pub const fn nic(&self, nic: u32) -> u32 {
        if self.shown.nics() == self.real.nics() {
            nic
        } else {
            self.t0(self.real.t0_of(nic))
        }
    }

    /// The T0s that a drawn T0 stands for.
    pub const fn t0s(&self, shown: u32) -> Range<u32> {
        members(shown, self.real.t0s, self.shown.t0s)
    }

    /// The T1s that a drawn T1 stands for.
    pub const fn t1s(&self, shown: u32) -> Range<u32> {
        members(shown, self.real.t1s, self.shown.t1s)
    }

    /// The NICs that a drawn NIC stands for.
    pub const fn nics(&self, shown: u32) -> Range<u32> {
        if self.shown.nics() == self.real.nics() {
            return shown..shown + 1;
        }
        let t0s = self.t0s(shown);
        t0s.start * self.real.nics_per_t0..t0s.end * self.real.nics_per_t0
    }

    /// The edge that a link is drawn as.
    pub const fn edge(&self, link: u32) -> u32 {
        let end = self.real.describe(link);
        match end.kind {
            LinkKind::NicUp => self.shown.nic_up(end.plane, self.nic(end.lower)),
            LinkKind::NicDown => self.shown.nic_down(end.plane, self.nic(end.lower)),
            LinkKind::Up => self.shown.up(end.plane, self.t0(end.lower), self.t1(end.upper)),
            LinkKind::Down => self.shown.down(end.plane, self.t1(end.upper), self.t0(end.lower)),
        }
    }

    /// Visits the links that an edge stands for.
    pub fn each_link(&self, edge: u32, mut visit: impl FnMut(u32)) {
        if !self.is_grouped() {
            return visit(edge);
        }
        let end = self.shown.describe(edge);
        let (real, plane) = (&self.real, end.plane);
        match end.kind {
            LinkKind::NicUp => self
                .nics(end.lower)
                .for_each(|nic| visit(real.nic_up(plane, nic))),
            LinkKind::NicDown => self
                .nics(end.lower)
                .for_each(|nic| visit(real.nic_down(plane, nic))),
            LinkKind::Up => {
                for t0 in self.t0s(end.lower) {
                    self.t1s(end.upper).for_each(|t1| visit(real.up(plane, t0, t1)));
                }
            }
            LinkKind::Down => {
                for t1 in self.t1s(end.upper) {
                    self.t0s(end.lower).for_each(|t0| visit(real.down(plane, t1, t0)));
                }
            }
        }
    }

    /// The links that an edge stands for.
    pub fn links(&self, edge: u32) -> Vec<u32> {
        let mut links = Vec::new();
        self.each_link(edge, |link| links.push(link));
        links
    }
}

/// The group of member `i` when `n` members share `groups` groups as evenly as can be.
const fn group(i: u32, n: u32, groups: u32) -> u32 {
    (i as u64 * groups as u64 / n as u64) as u32
}

/// The members of a group.
const fn members(group: u32, n: u32, groups: u32) -> Range<u32> {
    first_of(group, n, groups)..first_of(group + 1, n, groups)
}

/// The first member of a group.
const fn first_of(group: u32, n: u32, groups: u32) -> u32 {
    (group as u64 * n as u64).div_ceil(groups as u64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clos(planes: u32, t0s: u32, t1s: u32, nics_per_t0: u32) -> Clos {
        Clos {
            planes,
            t0s,
            t1s,
            nics_per_t0,
        }
    }

    #[test]
    fn small_fabrics_are_drawn_as_they_are() {
        let grouping = Grouping::new(clos(8, 8, 8, 16));
        assert!(!grouping.is_grouped());
        for link in 0..grouping.real().links() {
            assert_eq!(grouping.edge(link), link);
            assert_eq!(grouping.links(link), [link]);
        }
    }

    #[test]
    fn each_link_of_a_large_fabric_is_in_exactly_one_bundle() {
        for real in [
            clos(2, 37, 11, 64),
            clos(8, 32, 32, 32),
            clos(1, 3, 2048, 5),
            clos(1, 2, 2, 2048),
        ] {
            let grouping = Grouping::new(real);
            assert!(grouping.is_grouped());
            let mut seen = vec![0u32; real.links() as usize];
            for edge in 0..grouping.shown().links() {
                let links = grouping.links(edge);
                assert!(!links.is_empty(), "{real:?}: edge {edge} stands for nothing");
                for link in links {
                    assert_eq!(grouping.edge(link), edge);
                    seen[link as usize] += 1;
                }
            }
            assert!(seen.iter().all(|&n| n == 1));
        }
    }

    #[test]
    fn the_largest_fabric_does_not_overflow() {
        let grouping = Grouping::new(clos(8, 2048, 2048, 2048));
        assert!(grouping.is_grouped());
        assert_eq!(grouping.shown().nics(), 16);
    }

    #[test]
    fn groups_differ_by_one_at_most() {
        let grouping = Grouping::new(clos(8, 37, 300, 64));
        let sizes: Vec<usize> = (0..16).map(|g| grouping.t0s(g).len()).collect();
        assert_eq!(sizes.iter().sum::<usize>(), 37);
        assert!(sizes.iter().all(|&s| s == 2 || s == 3));
    }
}
