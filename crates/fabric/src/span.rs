//! Which switches and NICs belong to which part of the fabric, and where their ports are.
//!
//! A rack, here, is the NICs of one T0 index together with the T0s of that index in all planes: what has the most to say to
//! each other stays together. T1s are dealt out separately.

use crate::clos::Clos;
use crate::usid;
use core::ops::Range;

/// A part of the fabric: some racks and some T1 indices, of every plane. Ports are numbered inside a part like links in
/// [`Clos`], by the link that leaves them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its racks.
    pub racks: Range<u32>,
    /// Its T1s, by index within a plane.
    pub t1s: Range<u32>,
    clos: Clos,
    // What the numbers below are made of, worked out once.
    first_nic: u32,
    nic_count: u32,
    rack_count: u32,
    t1_count: u32,
    ports_per_plane: u32,
    // 2^40 / NICs of a rack, rounded up: a division by multiplication, exact for any NIC (at most 2^22).
    racks_per_nic_q40: u64,
}

/// A switch or NIC by its number inside its part: NICs, then T0s plane by plane, then T1s plane by plane.
pub type Place = u32;

impl Span {
    /// Cuts a fabric into at most `parts` parts of like size, at least one and never more than racks or T1s.
    pub fn cut(clos: Clos, parts: u32) -> Vec<Span> {
        let parts = parts.clamp(1, clos.t0s.min(clos.t1s));
        let share = |of: u32, i: u32| (u64::from(of) * u64::from(i) / u64::from(parts)) as u32;
        (0..parts)
            .map(|i| {
                let racks = share(clos.t0s, i)..share(clos.t0s, i + 1);
                let t1s = share(clos.t1s, i)..share(clos.t1s, i + 1);
                let (rack_count, t1_count) = (racks.end - racks.start, t1s.end - t1s.start);
                let nic_count = rack_count * clos.nics_per_t0;
                Span {
                    first_nic: racks.start * clos.nics_per_t0,
                    nic_count,
                    rack_count,
                    t1_count,
                    ports_per_plane: 2 * nic_count + rack_count * clos.t1s + t1_count * clos.t0s,
                    racks_per_nic_q40: (1u64 << 40).div_ceil(u64::from(clos.nics_per_t0)),
                    racks,
                    t1s,
                    clos,
                }
            })
            .collect()
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
        self.nic_count + self.clos.planes * (self.rack_count + self.t1_count)
    }

    /// How many switches it has.
    pub fn switches(&self) -> u32 {
        self.clos.planes * (self.rack_count + self.t1_count)
    }

    /// The place of the first switch; the others follow.
    pub fn first_switch(&self) -> Place {
        self.nic_count
    }

    /// Plane, tier (see [`usid`](crate::usid)) and index of a switch, by its number here.
    pub fn switch(&self, number: u32) -> (u32, u16, u32) {
        let t0s = self.clos.planes * self.rack_count;
        if number < t0s {
            (
                number / self.rack_count,
                usid::T0,
                self.racks.start + number % self.rack_count,
            )
        } else {
            let number = number - t0s;
            (
                number / self.t1_count,
                usid::T1,
                self.t1s.start + number % self.t1_count,
            )
        }
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

    /// The port of a T0 to a T1.
    #[inline]
    pub fn up(&self, plane: u32, t0: u32, t1: u32) -> u32 {
        plane * self.ports_per_plane + 2 * self.nic_count + (t0 - self.racks.start) * self.clos.t1s + t1
    }

    /// The port of a T1 to a T0.
    #[inline]
    pub fn down(&self, plane: u32, t1: u32, t0: u32) -> u32 {
        plane * self.ports_per_plane
            + 2 * self.nic_count
            + self.rack_count * self.clos.t1s
            + (t1 - self.t1s.start) * self.clos.t0s
            + t0
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
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOS: Clos = Clos {
        planes: 2,
        t0s: 5,
        t1s: 3,
        nics_per_t0: 4,
    };

    #[test]
    fn one_part_has_the_links_own_numbers() {
        let spans = Span::cut(CLOS, 1);
        assert_eq!(spans.len(), 1);
        let span = &spans[0];
        assert_eq!(span.ports(), CLOS.links());
        assert_eq!(span.nic_up(1, 7), CLOS.nic_up(1, 7));
        assert_eq!(span.nic_down(1, 7), CLOS.nic_down(1, 7));
        assert_eq!(span.up(1, 4, 2), CLOS.up(1, 4, 2));
        assert_eq!(span.down(1, 2, 4), CLOS.down(1, 2, 4));
    }

    #[test]
    fn racks_are_those_of_the_fabric() {
        for nics_per_t0 in (1..=2_048).step_by(23) {
            let clos = Clos {
                t0s: 2_048,
                nics_per_t0,
                ..CLOS
            };
            let span = &Span::cut(clos, 1)[0];
            let around = (0..2_048u32).map(|rack| rack * nics_per_t0);
            for nic in around.flat_map(|first| [first, first + nics_per_t0 - 1]) {
                assert_eq!(span.rack_of(nic), clos.t0_of(nic), "{nic} at {nics_per_t0}");
            }
        }
    }

    #[test]
    fn parts_hold_everything_once_and_their_numbers_are_dense() {
        for parts in 1..5 {
            let spans = Span::cut(CLOS, parts);
            assert_eq!(spans.len(), parts.min(3) as usize, "there are three T1s");
            assert_eq!(spans.iter().map(Span::ports).sum::<u32>(), CLOS.links());
            for span in &spans {
                let (mut ports, mut places) =
                    (vec![0; span.ports() as usize], vec![0; span.places() as usize]);
                for plane in 0..CLOS.planes {
                    for nic in span.nics() {
                        ports[span.nic_up(plane, nic) as usize] += 1;
                        ports[span.nic_down(plane, nic) as usize] += 1;
                        places[span.nic_place(nic) as usize] = 1;
                    }
                    for t0 in span.racks.clone() {
                        places[span.t0_place(plane, t0) as usize] += 1;
                        for t1 in 0..CLOS.t1s {
                            ports[span.up(plane, t0, t1) as usize] += 1;
                        }
                    }
                    for t1 in span.t1s.clone() {
                        places[span.t1_place(plane, t1) as usize] += 1;
                        for t0 in 0..CLOS.t0s {
                            ports[span.down(plane, t1, t0) as usize] += 1;
                        }
                    }
                }
                assert!(
                    ports.iter().chain(&places).all(|&n| n == 1),
                    "{ports:?} {places:?}"
                );
            }
        }
    }
}
