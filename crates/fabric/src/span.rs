//! Which switches and NICs belong to which part of the fabric, and where their ports are.
//!
//! A rack, here, is the NICs of one T0 index together with the T0s of that index in all planes: what has the most to say to
//! each other stays together. T1s and T2s are dealt out separately; in the same proportions, so that a part has the T0s and
//! T1s of the same pods, or nearly so.

use crate::clos::Clos;
use crate::usid;
use core::ops::Range;

/// A part of the fabric: some racks, some T1 and some T2 indices, of every plane. Ports are numbered inside a part like links in
/// [`Clos`], by the link that leaves them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its racks.
    pub racks: Range<u32>,
    /// Its T1s, by index within a plane.
    pub t1s: Range<u32>,
    /// Its T2s, likewise.
    pub t2s: Range<u32>,
    clos: Clos,
    // What the numbers below are made of, worked out once.
    first_nic: u32,
    nic_count: u32,
    rack_count: u32,
    t1_count: u32,
    t2_count: u32,
    ports_per_plane: u32,
    // Of the fabric: T0s and T1s of a pod, T2s of a T1, directed links of a plane, NICs.
    pod_t0s: u32,
    pod_t1s: u32,
    t1_t2s: u32,
    links_per_plane: u32,
    all_nics: u32,
    // 2^40 / NICs of a rack, rounded up: a division by multiplication, exact for any NIC (at most 2^22).
    racks_per_nic_q40: u64,
}

/// A switch or NIC by its number inside its part: NICs, then T0s plane by plane, then T1s, then T2s.
pub type Place = u32;

impl Span {
    /// Cuts a fabric into at most `parts` parts of like size, at least one and never more than there are racks, T1s or, with three tiers,
    /// T2s.
    pub fn cut(clos: Clos, parts: u32) -> Vec<Span> {
        let fewest = clos.t0s.min(clos.t1s);
        let fewest = if clos.tiers() > 2 {
            fewest.min(clos.t2s)
        } else {
            fewest
        };
        let parts = parts.clamp(1, fewest);
        let share = |of: u32, i: u32| (u64::from(of) * u64::from(i) / u64::from(parts)) as u32;
        (0..parts)
            .map(|i| {
                let racks = share(clos.t0s, i)..share(clos.t0s, i + 1);
                let t1s = share(clos.t1s, i)..share(clos.t1s, i + 1);
                let t2s = share(clos.t2s, i)..share(clos.t2s, i + 1);
                let (rack_count, t1_count) = (racks.end - racks.start, t1s.end - t1s.start);
                let t2_count = t2s.end - t2s.start;
                let nic_count = rack_count * clos.nics_per_t0;
                Span {
                    first_nic: racks.start * clos.nics_per_t0,
                    nic_count,
                    rack_count,
                    t1_count,
                    t2_count,
                    ports_per_plane: 2 * nic_count
                        + rack_count * clos.t1s_per_pod()
                        + t1_count * (clos.t0s_per_pod() + clos.t2s_per_t1())
                        + t2_count * clos.pods,
                    pod_t0s: clos.t0s_per_pod(),
                    pod_t1s: clos.t1s_per_pod(),
                    t1_t2s: clos.t2s_per_t1(),
                    links_per_plane: clos.links_per_plane(),
                    all_nics: clos.nics(),
                    racks_per_nic_q40: (1u64 << 40).div_ceil(u64::from(clos.nics_per_t0)),
                    racks,
                    t1s,
                    t2s,
                    clos,
                }
            })
            .collect()
    }

    /// The fabric's dimensions.
    pub(crate) const fn clos(&self) -> &Clos {
        &self.clos
    }

    /// Its NICs.
    pub fn nics(&self) -> Range<u32> {
        self.first_nic..self.first_nic + self.nic_count
    }

    /// The rack of a NIC; like [`Clos::t0_of`].
    #[inline]
    pub const fn rack_of(&self, nic: u32) -> u32 {
        ((nic as u64 * self.racks_per_nic_q40) >> 40) as u32
    }

    /// How many ports it has.
    pub fn ports(&self) -> u32 {
        self.clos.planes * self.ports_per_plane
    }

    /// How many places it has.
    pub fn places(&self) -> u32 {
        self.nic_count + self.switches()
    }

    /// How many switches it has.
    pub fn switches(&self) -> u32 {
        self.clos.planes * (self.rack_count + self.t1_count + self.t2_count)
    }

    /// The place of the first switch; the others follow.
    pub fn first_switch(&self) -> Place {
        self.nic_count
    }

    /// Plane, tier (see [`usid`](crate::usid)) and index of a switch, by its number here.
    pub fn switch(&self, number: u32) -> (u32, u16, u32) {
        let planes = self.clos.planes;
        let (t0s, t1s) = (planes * self.rack_count, planes * self.t1_count);
        let (tier, number, count, first) = if number < t0s {
            (usid::T0, number, self.rack_count, self.racks.start)
        } else if number < t0s + t1s {
            (usid::T1, number - t0s, self.t1_count, self.t1s.start)
        } else {
            (usid::T2, number - t0s - t1s, self.t2_count, self.t2s.start)
        };
        (number / count, tier, first + number % count)
    }

    /// The number in the fabric of the link from `nic` to its T0; like [`Clos::nic_up`].
    #[inline]
    pub(crate) const fn nic_up_link(&self, plane: u32, nic: u32) -> u32 {
        plane * self.links_per_plane + nic
    }

    /// The number in the fabric of the link from its T0 to `nic`; like [`Clos::nic_down`].
    #[inline]
    pub(crate) const fn nic_down_link(&self, plane: u32, nic: u32) -> u32 {
        plane * self.links_per_plane + self.all_nics + nic
    }

    /// The port of `nic` to its T0.
    #[inline]
    pub fn nic_up(&self, plane: u32, nic: u32) -> u32 {
        plane * self.ports_per_plane + nic - self.first_nic
    }

    /// The port of a T0 to `nic`.
    #[inline]
    pub fn nic_down(&self, plane: u32, nic: u32) -> u32 {
        plane * self.ports_per_plane + self.nic_count + nic - self.first_nic
    }

    /// The port of a T0 to the T1 with number `t1` within their pod.
    #[inline]
    pub fn up(&self, plane: u32, t0: u32, t1: u32) -> u32 {
        plane * self.ports_per_plane + 2 * self.nic_count + (t0 - self.racks.start) * self.pod_t1s + t1
    }

    /// The port of a T1 to the T0 with number `t0` within their pod.
    #[inline]
    pub fn down(&self, plane: u32, t1: u32, t0: u32) -> u32 {
        plane * self.ports_per_plane
            + 2 * self.nic_count
            + self.rack_count * self.pod_t1s
            + (t1 - self.t1s.start) * self.pod_t0s
            + t0
    }

    /// The port of a T1 to the T2 with number `t2` among those that it is linked to.
    #[inline]
    pub fn core_up(&self, plane: u32, t1: u32, t2: u32) -> u32 {
        plane * self.ports_per_plane
            + 2 * self.nic_count
            + self.rack_count * self.pod_t1s
            + self.t1_count * self.pod_t0s
            + (t1 - self.t1s.start) * self.t1_t2s
            + t2
    }

    /// The port of a T2 to the T1 in a pod.
    #[inline]
    pub fn core_down(&self, plane: u32, t2: u32, pod: u32) -> u32 {
        plane * self.ports_per_plane
            + 2 * self.nic_count
            + self.rack_count * self.pod_t1s
            + self.t1_count * (self.pod_t0s + self.t1_t2s)
            + (t2 - self.t2s.start) * self.clos.pods
            + pod
    }

    /// The place of a NIC.
    #[inline]
    pub fn nic_place(&self, nic: u32) -> Place {
        nic - self.first_nic
    }

    /// The place of a T0.
    #[inline]
    pub fn t0_place(&self, plane: u32, t0: u32) -> Place {
        self.nic_count + plane * self.rack_count + t0 - self.racks.start
    }

    /// The place of a T1.
    #[inline]
    pub fn t1_place(&self, plane: u32, t1: u32) -> Place {
        self.nic_count + self.clos.planes * self.rack_count + plane * self.t1_count + t1 - self.t1s.start
    }

    /// The place of a T2.
    #[inline]
    pub fn t2_place(&self, plane: u32, t2: u32) -> Place {
        let before = self.nic_count + self.clos.planes * (self.rack_count + self.t1_count);
        before + plane * self.t2_count + t2 - self.t2s.start
    }
}

#[cfg(test)]
mod tests;
