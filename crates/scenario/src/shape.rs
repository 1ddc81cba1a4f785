//! What follows from a fabric's counts: tiers, pods, links, and which NIC a rank has.
//!
//! Nothing here fails or overflows, whatever the fields hold; in a fabric that is not valid the results mean nothing.

use crate::place::{LinkName, SwitchName};
use crate::quantity::Rate;
use crate::schema::{Fabric, Tier};

impl Fabric {
    /// NICs in all.
    pub const fn nics(&self) -> u64 {
        self.t0_per_plane as u64 * self.nics_per_t0 as u64
    }

    /// Tiers of switches: 2 or 3.
    pub const fn tiers(&self) -> u32 {
        if self.t2_per_plane > 0 { 3 } else { 2 }
    }

    /// T0s of each pod.
    pub const fn t0_per_pod(&self) -> u32 {
        part(self.t0_per_plane, self.pods)
    }

    /// T1s of each pod.
    pub const fn t1_per_pod(&self) -> u32 {
        part(self.t1_per_plane, self.pods)
    }

    /// T2s that each T1 has links to.
    pub const fn t2_per_t1(&self) -> u32 {
        part(self.t2_per_plane, self.t1_per_pod())
    }

    /// The rate of the T0–T1 links.
    pub fn t1_rate(&self) -> Rate {
        self.t1_link_rate.unwrap_or(self.nic_link_rate)
    }

    /// The rate of the T1–T2 links.
    pub fn t2_rate(&self) -> Rate {
        self.t2_link_rate.unwrap_or(self.t1_rate())
    }

    /// The NIC of a rank. Ranks are counted node by node; a node's rank k has its NIC on a T0 of rail k, and as many nodes
    /// as a T0 has NICs share `rails` T0s in a row. With one rail the rank is the NIC.
    pub const fn nic_of_rank(&self, rank: u32) -> u32 {
        let rails = at_least_one(self.rails);
        let nics_per_t0 = at_least_one(self.nics_per_t0);
        let (node, rail) = (rank as u64 / rails, rank as u64 % rails);
        let t0 = node / nics_per_t0 * rails + rail;
        (t0 * nics_per_t0 + node % nics_per_t0) as u32
    }

    /// The rank of a NIC: the inverse of [`nic_of_rank`](Self::nic_of_rank).
    pub const fn rank_of_nic(&self, nic: u32) -> u32 {
        let rails = at_least_one(self.rails);
        let nics_per_t0 = at_least_one(self.nics_per_t0);
        let (t0, place) = (nic as u64 / nics_per_t0, nic as u64 % nics_per_t0);
        let node = t0 / rails * nics_per_t0 + place;
        (node * rails + t0 % rails) as u32
    }

    /// Links of a tier in each plane, each counted once for both directions.
    pub const fn links_per_plane(&self, tier: Tier) -> u64 {
        match tier {
            Tier::Nic => self.nics(),
            Tier::T0T1 => self.t0_per_plane as u64 * self.t1_per_pod() as u64,
            Tier::T1T2 => self.t1_per_plane as u64 * self.t2_per_t1() as u64,
        }
    }

    /// The `number`-th link of a tier in a plane, by its lower end and then by its upper end.
    pub(crate) const fn link(&self, tier: Tier, plane: u32, number: u64) -> LinkName {
        match tier {
            Tier::Nic => LinkName::Nic {
                plane,
                nic: number as u32,
            },
            Tier::T0T1 => {
                let per_t0 = at_least_one(self.t1_per_pod());
                let t0 = number / per_t0;
                LinkName::T0T1 {
                    plane,
                    t0: t0 as u32,
                    t1: (self.first_t1_above(t0 as u32) as u64 + number % per_t0) as u32,
                }
            }
            Tier::T1T2 => {
                let per_t1 = at_least_one(self.t2_per_t1());
                let t1 = number / per_t1;
                LinkName::T1T2 {
                    plane,
                    t1: t1 as u32,
                    t2: (self.first_t2_above(t1 as u32) as u64 + number % per_t1) as u32,
                }
            }
        }
    }

    /// All links of a switch, those to the tier below first, then by the number of the other end.
    pub(crate) fn links_of(&self, switch: SwitchName) -> Box<dyn Iterator<Item = LinkName>> {
        match switch {
            SwitchName::T0 { plane, index: t0 } => {
                let first_nic = t0.saturating_mul(self.nics_per_t0);
                let nics = first_nic..first_nic.saturating_add(self.nics_per_t0);
                let first_t1 = self.first_t1_above(t0);
                let t1s = first_t1..first_t1.saturating_add(self.t1_per_pod());
                let below = nics.map(move |nic| LinkName::Nic { plane, nic });
                Box::new(below.chain(t1s.map(move |t1| LinkName::T0T1 { plane, t0, t1 })))
            }
            SwitchName::T1 { plane, index: t1 } => {
                let pod = part(t1, self.t1_per_pod());
                let first_t0 = pod.saturating_mul(self.t0_per_pod());
                let t0s = first_t0..first_t0.saturating_add(self.t0_per_pod());
                let first_t2 = self.first_t2_above(t1);
                let t2s = first_t2..first_t2.saturating_add(self.t2_per_t1());
                let below = t0s.map(move |t0| LinkName::T0T1 { plane, t0, t1 });
                Box::new(below.chain(t2s.map(move |t2| LinkName::T1T2 { plane, t1, t2 })))
            }
            SwitchName::T2 { plane, index: t2 } => {
                let (within, per_pod) = (part(t2, self.t2_per_t1()), self.t1_per_pod());
                Box::new((0..self.pods).map(move |pod| LinkName::T1T2 {
                    plane,
                    t1: pod.saturating_mul(per_pod).saturating_add(within),
                    t2,
                }))
            }
        }
    }

    /// The first T1 of a T0's pod.
    pub(crate) const fn first_t1_above(&self, t0: u32) -> u32 {
        part(t0, self.t0_per_pod()).saturating_mul(self.t1_per_pod())
    }

    /// The first T2 that a T1 has a link to.
    pub(crate) const fn first_t2_above(&self, t1: u32) -> u32 {
        let per_pod = self.t1_per_pod();
        if per_pod == 0 {
            return 0;
        }
        (t1 % per_pod).saturating_mul(self.t2_per_t1())
    }
}

/// `whole` / `count`; 0 where there is nothing to divide by.
const fn part(whole: u32, count: u32) -> u32 {
    match whole.checked_div(count) {
        Some(part) => part,
        None => 0,
    }
}

const fn at_least_one(count: u32) -> u64 {
    if count == 0 { 1 } else { count as u64 }
}
