//! The fabric's uSID plan: 16 bits, with the plane in every uSID (MRC paper §2.3; the bit split is our choice).
//!
//! Bits 15..13 plane, 12..11 tier (1 = T0, 2 = T1, 3 = downlink to a NIC, 0 = T2), 10..0 index. 0 ends a container, so a T2's
//! index is counted from 1 there.

/// Tier field of a T0 switch.
pub const T0: u16 = 1;
/// Tier field of a T1 switch.
pub const T1: u16 = 2;
/// Tier field of a T2 switch.
pub const T2: u16 = 0;
/// Tier field of a T0's downlink to a NIC.
pub const NIC: u16 = 3;

/// The uSID of `index` (0 to 2047, of a T2 to 2046) at `tier` in `plane`.
#[inline]
pub const fn usid(plane: u32, tier: u16, index: u32) -> u16 {
    (plane as u16) << 13 | tier << 11 | (index as u16 + (tier == T2) as u16)
}

/// Plane, 0 to 7.
#[inline]
pub const fn plane(usid: u16) -> u32 {
    (usid >> 13) as u32
}

/// Tier field.
#[inline]
pub const fn tier(usid: u16) -> u16 {
    (usid >> 11) & 3
}

/// Index field, 0 to 2047: the index, of a T2 one more.
#[inline]
pub(crate) const fn field(usid: u16) -> u32 {
    (usid & 0x7ff) as u32
}

/// Index, 0 to 2047; `u32::MAX` for what is no uSID, such as the end of a container.
#[inline]
pub const fn index(usid: u16) -> u32 {
    field(usid).wrapping_sub((tier(usid) == T2) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_survive_and_no_usid_ends_a_container() {
        for tier in [T0, T1, T2, NIC] {
            for last in [0, 1, 1_000, 2_046] {
                let id = usid(7, tier, last);
                assert_eq!((plane(id), super::tier(id), index(id)), (7, tier, last));
                assert_ne!(usid(0, tier, last), 0);
            }
        }
        assert_eq!(usid(7, NIC, 2_047), 0xffff);
        assert_eq!(usid(5, T2, 2_046), 0b1010_0111_1111_1111);
        assert_eq!(index(0), u32::MAX);
    }
}
