//! Large fabrics are drawn in groups: neighbouring switches as one, the links between two groups as one bundle. Groups
//! open into smaller ones as the stage is magnified.

mod stretches;

use crate::layout::Row;
use fabric::{Clos, LinkKind};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use stretches::{Stretches, members};

/// Fabrics of more cables than this are drawn in groups (our choice: so many lines can still be told apart on a
/// large screen after zooming in).
pub const MAX_CABLES: u64 = 4096;

/// Groups of T0s in each plane while none is opened.
const T0_GROUPS: u32 = 16;

/// Groups of T1s in each plane while none is opened.
const T1_GROUPS: u32 = 8;

/// Groups of T2s in each plane while none is opened.
const T2_GROUPS: u32 = 8;

/// How often the groups of each row have been halved. A row never has more groups than members, so any number is good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Level {
    /// Groups of T1s.
    pub t1: u8,
    /// Groups of T0s.
    pub t0: u8,
    /// Groups of the NICs of one T0; they open once every T0 stands alone.
    pub nic: u8,
    /// Groups of T2s.
    pub t2: u8,
}

impl Level {
    /// As a number, for frames.
    pub const fn bits(self) -> u32 {
        self.t1 as u32 | (self.t0 as u32) << 8 | (self.nic as u32) << 16 | (self.t2 as u32) << 24
    }

    /// The level of that number.
    pub const fn from_bits(bits: u32) -> Level {
        Level {
            t1: bits as u8,
            t0: (bits >> 8) as u8,
            nic: (bits >> 16) as u8,
            t2: (bits >> 24) as u8,
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
        let shown = drawn(&real, level);
        Grouping { real, shown, level }
    }

    /// True for fabrics that are too large to be drawn link by link.
    pub fn is_needed(real: &Clos) -> bool {
        u64::from(real.planes) * u64::from(real.links_per_plane() / 2) > MAX_CABLES
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
        self.t0_row().group_of(t0)
    }

    /// The drawn T1 that stands for a T1.
    pub const fn t1(&self, t1: u32) -> u32 {
        self.t1_row().group_of(t1)
    }

    /// The drawn T2 that stands for a T2.
    pub const fn t2(&self, t2: u32) -> u32 {
        self.t2_row().group_of(t2)
    }

    /// The drawn NIC that stands for a NIC.
    pub const fn nic(&self, nic: u32) -> u32 {
        let (real, shown) = (&self.real, &self.shown);
        let within = stretches::group(nic % real.nics_per_t0, real.nics_per_t0, shown.nics_per_t0);
        self.t0(real.t0_of(nic)) * shown.nics_per_t0 + within
    }

    /// The drawn node, by its index in the row, that stands for one of the fabric.
    pub const fn node(&self, row: Row, index: u32) -> u32 {
        match row {
            Row::T2 => self.t2(index),
            Row::T1 => self.t1(index),
            Row::T0 => self.t0(index),
            Row::Nic => self.nic(index),
        }
    }

    /// Those of the fabric that a drawn node of a row stands for.
    pub const fn members(&self, row: Row, shown: u32) -> Range<u32> {
        match row {
            Row::T2 => self.t2s(shown),
            Row::T1 => self.t1s(shown),
            Row::T0 => self.t0s(shown),
            Row::Nic => self.nics(shown),
        }
    }

    /// The T0s that a drawn T0 stands for.
    pub const fn t0s(&self, shown: u32) -> Range<u32> {
        self.t0_row().members(shown)
    }

    /// The T1s that a drawn T1 stands for.
    pub const fn t1s(&self, shown: u32) -> Range<u32> {
        self.t1_row().members(shown)
    }

    /// The T2s that a drawn T2 stands for.
    pub const fn t2s(&self, shown: u32) -> Range<u32> {
        self.t2_row().members(shown)
    }

    const fn t0_row(&self) -> Stretches {
        let (real, shown) = (&self.real, &self.shown);
        Stretches::new(real.pods, real.t0s_per_pod(), shown.pods, shown.t0s_per_pod())
    }

    const fn t1_row(&self) -> Stretches {
        let (real, shown) = (&self.real, &self.shown);
        Stretches::new(real.pods, real.t1s_per_pod(), shown.pods, shown.t1s_per_pod())
    }

    /// T2s stand in stretches that one group of the T1s of a pod is linked to.
    const fn t2_row(&self) -> Stretches {
        let (real, shown) = (&self.real, &self.shown);
        Stretches::new(
            real.t1s_per_pod(),
            real.t2s_per_t1(),
            shown.t1s_per_pod(),
            shown.t2s_per_t1(),
        )
    }

    /// The pods that a drawn pod stands for.
    const fn pods(&self, shown: u32) -> Range<u32> {
        members(shown, self.real.pods, self.shown.pods)
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
            LinkKind::CoreUp => (self.shown).core_up(end.plane, self.t1(end.lower), self.t2(end.upper)),
            LinkKind::CoreDown => (self.shown).core_down(end.plane, self.t2(end.upper), self.t1(end.lower)),
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
                    let t1s = common(real.t1s_above(t0), self.t1s(end.upper));
                    t1s.for_each(|t1| visit(real.up(plane, t0, t1)));
                }
            }
            LinkKind::Down => {
                for t1 in self.t1s(end.upper) {
                    let t0s = common(real.t0s_below(t1), self.t0s(end.lower));
                    t0s.for_each(|t0| visit(real.down(plane, t1, t0)));
                }
            }
            LinkKind::CoreUp => {
                for t1 in self.t1s(end.lower) {
                    let t2s = common(real.t2s_above(t1), self.t2s(end.upper));
                    t2s.for_each(|t2| visit(real.core_up(plane, t1, t2)));
                }
            }
            LinkKind::CoreDown => {
                for t2 in self.t2s(end.upper) {
                    let within = t2 / real.t2s_per_t1();
                    let pods = self.pods(self.shown.pod_of_t1(end.lower));
                    let t1s = pods.map(|pod| pod * real.t1s_per_pod() + within);
                    t1s.for_each(|t1| visit(real.core_down(plane, t2, t1)));
                }
            }
        }
    }

    /// How many links an edge stands for.
    pub fn link_count(&self, edge: u32) -> u32 {
        if !self.is_grouped() {
            return 1;
        }
        let end = self.shown.describe(edge);
        let size = |range: Range<u32>| range.end - range.start;
        match end.kind {
            LinkKind::NicUp | LinkKind::NicDown => size(self.nics(end.lower)),
            LinkKind::Up | LinkKind::Down => {
                // Each T0 has a link to the T1s of its own pod alone.
                let pods = size(self.pods(self.shown.pod_of_t1(end.upper)));
                size(self.t0s(end.lower)) * (size(self.t1s(end.upper)) / pods)
            }
            // Each T2 has a link to one T1 of each pod.
            LinkKind::CoreUp | LinkKind::CoreDown => {
                size(self.pods(self.shown.pod_of_t1(end.lower))) * size(self.t2s(end.upper))
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

/// The fabric that is drawn for a large one at a level.
///
/// Pods are kept apart as long as there is a T1 for each; beyond that, the pods of a drawn one share their T1s. So a drawn
/// fabric has the same form as a real one, and every edge stands for some links.
fn drawn(real: &Clos, level: Level) -> Clos {
    let t0s = halved(T0_GROUPS, level.t0, real.t0s);
    let t1s = halved(T1_GROUPS, level.t1, real.t1s);
    let mut shown = Clos {
        t0s,
        t1s,
        nics_per_t0: 1,
        pods: 1,
        ..*real
    };
    if real.t2s > 0 {
        let t2s = halved(T2_GROUPS, level.t2, real.t2s);
        shown.pods = t1s.min(real.pods);
        let t1s_per_pod = (t1s / shown.pods).min(real.t1s_per_pod());
        shown.t1s = shown.pods * t1s_per_pod;
        // No more groups than members, in the smallest stretch too.
        let least = real.pods / shown.pods * real.t0s_per_pod();
        shown.t0s = shown.pods * (t0s / shown.pods).clamp(1, least);
        let least = real.t1s_per_pod() / t1s_per_pod * real.t2s_per_t1();
        shown.t2s = t1s_per_pod * (t2s / t1s_per_pod).clamp(1, least);
    }
    if shown.t0s == real.t0s {
        shown.nics_per_t0 = halved(1, level.nic, real.nics_per_t0);
    }
    shown
}

/// What is in both ranges.
fn common(a: Range<u32>, b: Range<u32>) -> Range<u32> {
    a.start.max(b.start)..a.end.min(b.end)
}

/// The number of groups of a row of `members` after `times` halvings of `groups` groups.
fn halved(groups: u32, times: u8, members: u32) -> u32 {
    // Rows are shorter than 2^20.
    u64::from(members).min(u64::from(groups) << times.min(20)) as u32
}

#[cfg(test)]
mod tests;
