//! A packet's path: the uSIDs that it has still to visit, in 64 bits.
//!
//! # Plain containers
//!
//! Up to four uSIDs, 16 bits each, the active one in the upper bits, as in the address; 0 ends the list. Shift and forward is a
//! shift by 16 bits. All paths over no more than one T1 are of this form.
//!
//! # Folded containers
//!
//! A path over a T2 has six uSIDs: T0, T1, T2, T1, T0, downlink. They have the plane in common, the tiers follow from how many
//! are left, and each T1 follows from the pod of its T0 and from which T1s of each pod the T2 is linked to. So it fits as well:
//!
//! | Bits | |
//! |---|---|
//! | 63..61 | plane |
//! | 60..59 | 0: no uSID that can be active in a plain container has this tier |
//! | 58..56 | uSIDs left, 6 to 1 |
//! | 54..44 | T0 at the start |
//! | 43..33 | number of both T1s within their pods |
//! | 32..22 | T2 |
//! | 21..11 | T0 at the end |
//! | 10..0 | downlink |
//!
//! Shift and forward is one uSID less that is left. On the wire, and for whoever looks, it is what [`expand`] makes of it. (Our
//! choice; it keeps a data packet at 32 bytes.)
//!
//! # Hashed containers
//!
//! Without source routing a container names no path: see [`hashed`].

use crate::clos::Clos;
use crate::usid;
use hashed::is_hashed;

pub mod hashed;

/// Most uSIDs of a path.
pub const LONGEST: usize = 6;

const LEFT: u32 = 56;
const START: u32 = 44;
const WITHIN: u32 = 33;
const TOP: u32 = 22;
const END: u32 = 11;
const FIELD: u64 = 0x7ff;

/// The plain container that holds up to four uSIDs in order.
#[inline]
pub(crate) const fn pack(usids: [u16; 4]) -> u64 {
    (usids[0] as u64) << 48 | (usids[1] as u64) << 32 | (usids[2] as u64) << 16 | usids[3] as u64
}

/// The active uSID of a plain container.
#[inline]
pub(crate) const fn active(container: u64) -> u16 {
    (container >> 48) as u16
}

/// A plain container without its active uSID.
#[inline]
pub(crate) const fn shift(container: u64) -> u64 {
    container << 16
}

/// A folded container's fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Folded {
    pub plane: u32,
    /// uSIDs left, 1 to 6.
    pub left: u32,
    /// The T0s at the start and at the end.
    pub start: u32,
    pub end: u32,
    /// The T1s, by number within their pods.
    pub within: u32,
    pub t2: u32,
    /// The downlink, by number at its T0.
    pub downlink: u32,
}

impl Folded {
    /// The fields of a folded container; none where it is of another form.
    #[inline]
    pub const fn of(container: u64) -> Option<Folded> {
        if usid::tier(active(container)) != usid::T2 || container == 0 || is_hashed(container) {
            return None;
        }
        Some(Folded {
            plane: usid::plane(active(container)),
            left: (container >> LEFT & 7) as u32,
            start: field(container, START),
            end: field(container, END),
            within: field(container, WITHIN),
            t2: field(container, TOP),
            downlink: field(container, 0),
        })
    }
}

const fn field(container: u64, at: u32) -> u32 {
    (container >> at & FIELD) as u32
}

/// The container after the active uSID was consumed: shift and forward. A hashed one stays as it is.
#[inline]
pub const fn advance(container: u64) -> u64 {
    match Folded::of(container) {
        None if is_hashed(container) => container,
        None => shift(container),
        Some(Folded { left: 0 | 1, .. }) => 0,
        Some(_) => container - (1 << LEFT),
    }
}

/// The T2 that a packet with this container goes over, or went over; none on a path without one, or at the end.
pub fn t2(container: u64) -> Option<u32> {
    Folded::of(container).map(|path| path.t2)
}

/// The uSIDs that a container stands for, the active one first; 0 after the last. A hashed one stands for none.
pub fn expand(clos: &Clos, container: u64) -> [u16; LONGEST] {
    let mut usids = [0; LONGEST];
    if is_hashed(container) {
        return usids;
    }
    let Some(path) = Folded::of(container) else {
        for (i, usid) in usids.iter_mut().take(4).enumerate() {
            *usid = active(container << (16 * i));
        }
        return usids;
    };
    let t1 = |t0: u32| clos.t1s_above(t0).start + path.within;
    let all = [
        (usid::T0, path.start),
        (usid::T1, t1(path.start)),
        (usid::T2, path.t2),
        (usid::T1, t1(path.end)),
        (usid::T0, path.end),
        (usid::NIC, path.downlink),
    ];
    let left = &all[LONGEST.saturating_sub(path.left as usize)..];
    for (usid, &(tier, index)) in usids.iter_mut().zip(left) {
        *usid = usid::usid(path.plane, tier, index);
    }
    usids
}

/// From one NIC to another: what their containers have in common. A path's number is that of the T1 within its pod, or of the
/// T2 if the path goes over one: see [`Clos::paths`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way {
    // The container in plane 0 by path 0.
    base: u64,
    // What a plane adds.
    planes: u64,
    // Where the path's number goes, and which of its bits.
    path_shift: u8,
    path_mask: u16,
    // T2s that each T1 is linked to, if the path goes over one; otherwise 0.
    t2s_per_t1: u16,
}

/// How far up a path goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Top {
    /// The T0 that both NICs are attached to.
    T0,
    /// A T1 of the pod that both are in.
    T1,
    /// A T2.
    T2,
}

impl Way {
    /// The way from `src` to `dst`, no further up than need be.
    pub const fn between(clos: &Clos, src: u32, dst: u32) -> Way {
        Way::over(clos, clos.top(src, dst), src, dst)
    }

    /// The way from a NIC up to a T0, T1 or T2 and back to itself, for probing. `top` must be a tier that the fabric has.
    pub const fn round_trip(clos: &Clos, nic: u32, top: Top) -> Way {
        Way::over(clos, top, nic, nic)
    }

    const fn over(clos: &Clos, top: Top, src: u32, dst: u32) -> Way {
        let (from, to) = (clos.t0_of(src), clos.t0_of(dst));
        let downlink = dst % clos.nics_per_t0;
        let (first, last) = (usid::usid(0, usid::T0, from), usid::usid(0, usid::NIC, downlink));
        let plane = usid::usid(1, usid::T0, 0) - usid::usid(0, usid::T0, 0);
        match top {
            Top::T0 => Way {
                base: pack([first, last, 0, 0]),
                planes: pack([plane, plane, 0, 0]),
                path_shift: 0,
                path_mask: 0,
                t2s_per_t1: 0,
            },
            Top::T1 => {
                let t1 = usid::usid(0, usid::T1, clos.t1s_above(from).start);
                Way {
                    base: pack([first, t1, usid::usid(0, usid::T0, to), last]),
                    planes: pack([plane; 4]),
                    path_shift: 32,
                    path_mask: u16::MAX,
                    t2s_per_t1: 0,
                }
            }
            Top::T2 => Way {
                base: (LONGEST as u64) << LEFT
                    | (from as u64) << START
                    | (to as u64) << END
                    | downlink as u64,
                planes: pack([plane, 0, 0, 0]),
                path_shift: TOP as u8,
                path_mask: u16::MAX,
                t2s_per_t1: clos.t2s_per_t1() as u16,
            },
        }
    }

    /// The container in `plane` by path number `path`.
    #[inline]
    pub const fn usids(&self, plane: u32, path: u32) -> u64 {
        let path_bits = ((path & self.path_mask as u32) as u64) << self.path_shift;
        let container = self.base + self.planes * plane as u64 + path_bits;
        if self.t2s_per_t1 == 0 {
            return container;
        }
        container | ((path / self.t2s_per_t1 as u32) as u64) << WITHIN
    }
}

#[cfg(test)]
mod tests;
