//! Large fabrics are drawn in groups: neighbouring switches as one, the links between two groups as one bundle. Groups
//! open into smaller ones as the stage is magnified.

use fabric::{Clos, LinkKind};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Fabrics of more cables than this are drawn in groups (our choice: so many lines can still be told apart on a
/// large screen after zooming in).
pub const MAX_CABLES: u64 = 4096;

/// Groups of T0s in each plane while none is opened.
const T0_GROUPS: u32 = 16;

/// Groups of T1s in each plane while none is opened.
const T1_GROUPS: u32 = 8;

/// How often the groups of each row have been halved. A row never has more groups than members, so any number is good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Level {
    /// Groups of T1s.
    pub t1: u8,
    /// Groups of T0s.
    pub t0: u8,
    /// Groups of the NICs of one T0; they open once every T0 stands alone.
    pub nic: u8,
}

impl Level {
    /// As a number, for frames.
    pub const fn bits(self) -> u32 {
        self.t1 as u32 | (self.t0 as u32) << 8 | (self.nic as u32) << 16
    }

    /// The level of that number.
    pub const fn from_bits(bits: u32) -> Level {
        Level {
            t1: bits as u8,
            t0: (bits >> 8) as u8,
            nic: (bits >> 16) as u8,
        }
    }
}

/// Which elements of the fabric share one drawn element. The drawn fabric is a Clos of its own, smaller or equal;
/// its directed links are called edges here and are numbered as [`Clos`] numbers links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grouping {
    real: Clos,
    shown: Clos,
    level: Level,
}

impl Grouping {
    /// How the fabric `real` is drawn as a whole.
    pub fn new(real: Clos) -> Grouping {
        Grouping::at(real, Level::default())
    }

    /// How the fabric `real` is drawn at a level. Small fabrics have one level only.
    pub fn at(real: Clos, level: Level) -> Grouping {
        if !Grouping::is_needed(&real) {
            return Grouping {
                real,
                shown: real,
                level: Level::default(),
            };
        }
        let t0s = halved(T0_GROUPS, level.t0, real.t0s);
        let t1s = halved(T1_GROUPS, level.t1, real.t1s);
        let shown = Clos {
            planes: real.planes,
            t0s,
            t1s,
            nics_per_t0: if t0s == real.t0s {
                halved(1, level.nic, real.nics_per_t0)
            } else {
                1
            },
            pods: 1,
            // T2s are not drawn; the links to them are, one edge for each drawn T1.
            t2s: if real.t2s > 0 { t1s } else { 0 },
        };
        Grouping { real, shown, level }
    }

    /// True for fabrics that are too large to be drawn link by link.
    pub fn is_needed(real: &Clos) -> bool {
        let trunks = u64::from(real.t0s) * u64::from(real.t1s);
        let ports = u64::from(real.t0s) * u64::from(real.nics_per_t0);
        u64::from(real.planes) * (trunks + ports) > MAX_CABLES
    }

    /// The fabric itself.
    pub const fn real(&self) -> &Clos {
        &self.real
    }

    /// The fabric as drawn.
    pub const fn shown(&self) -> &Clos {
        &self.shown
    }

    /// How far groups are opened.
    pub const fn level(&self) -> Level {
        self.level
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
        let (real, shown) = (&self.real, &self.shown);
        let within = group(nic % real.nics_per_t0, real.nics_per_t0, shown.nics_per_t0);
        self.t0(real.t0_of(nic)) * shown.nics_per_t0 + within
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
        let (real, drawn) = (&self.real, &self.shown);
        let t0s = self.t0s(drawn.t0_of(shown));
        if drawn.nics_per_t0 == 1 {
            return t0s.start * real.nics_per_t0..t0s.end * real.nics_per_t0;
        }
        // More than one group a T0: each T0 stands alone.
        let within = members(shown % drawn.nics_per_t0, real.nics_per_t0, drawn.nics_per_t0);
        let first = t0s.start * real.nics_per_t0;
        first + within.start..first + within.end
    }

    /// The edge that a link is drawn as.
    pub fn edge(&self, link: u32) -> u32 {
        let end = self.real.describe(link);
        match end.kind {
            LinkKind::NicUp => self.shown.nic_up(end.plane, self.nic(end.lower)),
            LinkKind::NicDown => self.shown.nic_down(end.plane, self.nic(end.lower)),
            LinkKind::Up => self.shown.up(end.plane, self.t0(end.lower), self.t1(end.upper)),
            LinkKind::Down => self.shown.down(end.plane, self.t1(end.upper), self.t0(end.lower)),
            LinkKind::CoreUp | LinkKind::CoreDown if !self.is_grouped() => link,
            LinkKind::CoreUp => self
                .shown
                .core_up(end.plane, self.t1(end.lower), self.t1(end.lower)),
            LinkKind::CoreDown => self
                .shown
                .core_down(end.plane, self.t1(end.lower), self.t1(end.lower)),
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
                    let t1s = self.t1s(end.upper).filter(|&t1| real.has_trunk(t0, t1));
                    t1s.for_each(|t1| visit(real.up(plane, t0, t1)));
                }
            }
            LinkKind::Down => {
                for t1 in self.t1s(end.upper) {
                    let t0s = self.t0s(end.lower).filter(|&t0| real.has_trunk(t0, t1));
                    t0s.for_each(|t0| visit(real.down(plane, t1, t0)));
                }
            }
            LinkKind::CoreUp | LinkKind::CoreDown => {
                for t1 in self.t1s(end.lower) {
                    real.t2s_above(t1).for_each(|t2| {
                        visit(if end.kind == LinkKind::CoreUp {
                            real.core_up(plane, t1, t2)
                        } else {
                            real.core_down(plane, t2, t1)
                        });
                    });
                }
            }
        }
    }

    /// How many links an edge stands for; 0 for an edge between groups of different pods.
    pub fn link_count(&self, edge: u32) -> u32 {
        if !self.is_grouped() {
            return 1;
        }
        let end = self.shown.describe(edge);
        let size = |range: Range<u32>| range.end - range.start;
        match end.kind {
            LinkKind::NicUp | LinkKind::NicDown => size(self.nics(end.lower)),
            LinkKind::Up | LinkKind::Down if self.real.pods == 1 => {
                size(self.t0s(end.lower)) * size(self.t1s(end.upper))
            }
            LinkKind::Up | LinkKind::Down => {
                let in_pod = |t0: u32| {
                    let (pod, t1s) = (self.real.t1s_above(t0), self.t1s(end.upper));
                    pod.end.min(t1s.end).saturating_sub(pod.start.max(t1s.start))
                };
                self.t0s(end.lower).map(in_pod).sum()
            }
            LinkKind::CoreUp | LinkKind::CoreDown => size(self.t1s(end.lower)) * self.real.t2s_per_t1(),
        }
    }

    /// The links that an edge stands for.
    pub fn links(&self, edge: u32) -> Vec<u32> {
        let mut links = Vec::new();
        self.each_link(edge, |link| links.push(link));
        links
    }
}

/// The number of groups of a row of `members` after `times` halvings of `groups` groups.
fn halved(groups: u32, times: u8, members: u32) -> u32 {
    // Rows are shorter than 2^20.
    u64::from(members).min(u64::from(groups) << times.min(20)) as u32
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
            pods: 1,
            t2s: 0,
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
            for level in [(0, 0, 0), (1, 0, 0), (2, 3, 1), (1, 9, 4), (255, 255, 255)] {
                let (t1, t0, nic) = level;
                let grouping = Grouping::at(real, Level { t1, t0, nic });
                let mut seen = vec![0u32; real.links() as usize];
                for edge in 0..grouping.shown().links() {
                    let links = grouping.links(edge);
                    assert!(!links.is_empty(), "{real:?}: edge {edge} stands for nothing");
                    assert_eq!(links.len() as u32, grouping.link_count(edge));
                    for link in links {
                        assert_eq!(grouping.edge(link), edge);
                        seen[link as usize] += 1;
                    }
                }
                assert!(seen.iter().all(|&n| n == 1), "{real:?} {level:?}");
            }
        }
    }

    #[test]
    fn pods_share_their_edges_and_links_to_t2s_have_one_at_each_t1() {
        // 8 pods of 32 T0s and 16 T1s; each T1 is linked to four T2s.
        let large = Clos {
            planes: 2,
            t0s: 256,
            t1s: 128,
            nics_per_t0: 16,
            pods: 8,
            t2s: 64,
        };
        let small = Clos {
            planes: 1,
            t0s: 8,
            t1s: 4,
            nics_per_t0: 4,
            pods: 2,
            t2s: 4,
        };
        for real in [small, large] {
            for (t1, t0, nic) in [(0, 0, 0), (1, 2, 0), (255, 255, 255)] {
                let grouping = Grouping::at(real, Level { t1, t0, nic });
                let mut seen = vec![0u32; real.links() as usize];
                for edge in 0..grouping.shown().links() {
                    let links = grouping.links(edge);
                    assert_eq!(links.len() as u32, grouping.link_count(edge));
                    for link in links {
                        assert_eq!(grouping.edge(link), edge);
                        seen[link as usize] += 1;
                    }
                }
                assert!(seen.iter().all(|&n| n == 1), "{real:?} {t1} {t0} {nic}");
            }
        }
    }

    #[test]
    fn opening_splits_groups_and_mixes_none() {
        let real = clos(2, 37, 300, 64);
        let coarse = Grouping::new(real);
        let open = |t1, t0, nic| Grouping::at(real, Level { t1, t0, nic });
        let finer = open(1, 1, 0);
        assert_eq!((finer.shown().t0s, finer.shown().t1s), (32, 16));
        for t0 in 1..37 {
            assert!(coarse.t0(t0 - 1) == coarse.t0(t0) || finer.t0(t0 - 1) != finer.t0(t0));
        }
        assert!(coarse.is_grouped() && finer.is_grouped());
        assert_eq!(finer.shown().nics_per_t0, 1, "NICs open after the T0s");
        assert_eq!(open(9, 9, 2).shown().nics_per_t0, 4);
        assert!(!open(9, 9, 9).is_grouped());
        let level = Level { t1: 3, t0: 2, nic: 1 };
        assert_eq!(Level::from_bits(level.bits()), level);
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
