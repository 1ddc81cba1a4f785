//! Containers without a path: the destination and a hash, for switches that find the way themselves.
//!
//! A packet without source routing has its destination's address, and header fields that switches hash to spread flows over equal
//! ways: addresses, UDP source port, flow label. The fabric needs no more of them than this, which takes the place of a folded
//! container with seven uSIDs left, of which there are none:
//!
//! | Bits | |
//! |---|---|
//! | 63..61 | plane: the sender's choice |
//! | 60..59 | 0: see [`crate::path`] |
//! | 58..56 | 7 |
//! | 55..34 | destination NIC |
//! | 33..32 | bounces: how often a T1 has sent it down again to go up by another one |
//! | 31..0 | entropy: hash of the header fields |
//!
//! Switches leave it as it is, except that one which sends the packet on a detour counts the bounce. (Our choice, like all
//! containers.)

use super::LEFT;
use crate::usid;

/// How often a packet may bounce; the switch that would have it bounce once more drops it. The bound stands for the hop limit
/// (our choice: a packet with four detours has found no network to speak of).
pub const MOST_BOUNCES: u32 = 3;

/// uSIDs left, by the field of a folded container: one more than any has.
pub(super) const MARK: u64 = 7;

const DST: u32 = 34;
const DST_FIELD: u64 = 0x3f_ffff;
const BOUNCES: u32 = 32;

/// The fields of a hashed container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hashed {
    /// Plane, 0 to 7.
    pub plane: u32,
    /// The NIC where it ends.
    pub dst: u32,
    /// Bounces so far, 0 to [`MOST_BOUNCES`].
    pub bounces: u32,
    /// What switches hash.
    pub entropy: u32,
}

impl Hashed {
    /// The container of a packet to NIC `dst` (below 2^22) in `plane` (0 to 7). Packets of one flow, and none but they, should
    /// have the same entropy.
    #[inline]
    pub const fn to(plane: u32, dst: u32, entropy: u32) -> u64 {
        (plane as u64) << 61 | MARK << LEFT | (dst as u64) << DST | entropy as u64
    }

    /// The fields of a hashed container; none where the container names a path.
    #[inline]
    pub const fn of(container: u64) -> Option<Hashed> {
        if !is_hashed(container) {
            return None;
        }
        Some(Hashed {
            plane: (container >> 61) as u32,
            dst: (container >> DST & DST_FIELD) as u32,
            bounces: (container >> BOUNCES) as u32 & MOST_BOUNCES,
            entropy: container as u32,
        })
    }
}

/// True for a container of this form.
#[inline]
pub(crate) const fn is_hashed(container: u64) -> bool {
    usid::tier(super::active(container)) == usid::T2 && container >> LEFT & 7 == MARK
}

/// What switches hash: all of a container but its bounces. As it was when the packet set out.
#[inline]
pub(crate) const fn flow(container: u64) -> u64 {
    container & !((MOST_BOUNCES as u64) << BOUNCES)
}

/// The container with one more bounce; none where it has had as many as it may.
pub(crate) const fn bounced(container: u64) -> Option<u64> {
    if container >> BOUNCES & MOST_BOUNCES as u64 == MOST_BOUNCES as u64 {
        return None;
    }
    Some(container + (1 << BOUNCES))
}

#[cfg(test)]
mod tests {
    use super::super::{Folded, LONGEST, Way, advance, expand, t2};
    use super::*;
    use crate::Clos;

    #[test]
    fn fields_survive() {
        // The largest fabric has 2,048 T0s of 2,048 NICs.
        for (plane, dst, entropy) in [
            (0, 0, 0),
            (7, (1 << 22) - 1, u32::MAX),
            (5, 1_234_567, 0x89ab_cdef),
        ] {
            let container = Hashed::to(plane, dst, entropy);
            let fields = Hashed {
                plane,
                dst,
                bounces: 0,
                entropy,
            };
            assert_eq!(Hashed::of(container), Some(fields));
        }
        // Plane 5 is 0xa in the upper four bits, then 0 and the mark: 0xa7; NIC 1 is bit 34.
        assert_eq!(Hashed::to(5, 1, 0x1234), 0xa700_0004_0000_1234);
    }

    #[test]
    fn bounces_are_counted_up_to_the_limit() {
        let start = Hashed::to(3, 9, u32::MAX);
        let mut container = start;
        for bounces in 1..=MOST_BOUNCES {
            container = bounced(container).expect("no more than it may");
            let fields = Hashed::of(container).expect("still hashed");
            assert_eq!(
                (fields.bounces, fields.dst, fields.entropy),
                (bounces, 9, u32::MAX)
            );
        }
        assert_eq!(bounced(container), None);
    }

    #[test]
    fn no_path_is_mistaken_for_one_nor_one_for_a_path() {
        let clos = Clos {
            planes: 8,
            t0s: 2_048,
            t1s: 178,
            nics_per_t0: 2_048,
            pods: 2,
            t2s: 2_047,
        };
        let last = clos.nics() - 1;
        for plane in 0..8 {
            for (src, dst) in [(0, last), (last, 0), (0, 1), (0, 2_048)] {
                let mut container = Way::between(&clos, src, dst).usids(plane, clos.paths(src, dst) - 1);
                while container != 0 {
                    assert_eq!(Hashed::of(container), None);
                    container = advance(container);
                }
            }
            for dst in [0, 1, last] {
                let container = Hashed::to(plane, dst, u32::MAX);
                assert_eq!(Folded::of(container), None);
                assert_eq!(expand(&clos, container), [0; LONGEST]);
                assert_eq!((advance(container), t2(container)), (container, None));
                assert_eq!(clos.links_along(3, container), [clos.nic_up(plane, 3)]);
            }
        }
        assert_eq!(Hashed::of(0), None);
    }
}
