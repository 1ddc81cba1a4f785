//! The fabric's uSID plan: 16 bits, with the plane in every uSID (MRC paper §2.3; the bit split is our choice).
//!
//! Bits 15..13 plane, 12..11 tier (1 = T0, 2 = T1, 3 = downlink to a NIC), 10..0 index. 0 ends the container.

/// Tier field of a T0 switch.
pub const T0: u16 = 1;
/// Tier field of a T1 switch.
pub const T1: u16 = 2;
/// Tier field of a T0's downlink to a NIC.
pub const NIC: u16 = 3;

/// The uSID of `index` at `tier` in `plane`.
#[inline]
pub const fn usid(plane: u32, tier: u16, index: u32) -> u16 {
    (plane as u16) << 13 | tier << 11 | index as u16
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

/// Index, 0 to 2047.
#[inline]
pub const fn index(usid: u16) -> u32 {
    (usid & 0x7ff) as u32
}

/// The container that holds up to four uSIDs in order, the first in the upper 16 bits.
#[inline]
pub const fn pack(usids: [u16; 4]) -> u64 {
    (usids[0] as u64) << 48 | (usids[1] as u64) << 32 | (usids[2] as u64) << 16 | usids[3] as u64
}

/// The active uSID.
#[inline]
pub const fn active(container: u64) -> u16 {
    (container >> 48) as u16
}

/// Shift and forward: the active uSID leaves, the next one becomes active.
#[inline]
pub const fn shift(container: u64) -> u64 {
    container << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_survive() {
        let id = usid(7, T1, 2047);
        assert_eq!((plane(id), tier(id), index(id)), (7, T1, 2047));
        assert_ne!(
            usid(0, T0, 0),
            0,
            "no uSID may look like the end of the container"
        );
    }

    #[test]
    fn shift_visits_in_order() {
        let mut container = pack([0x0801, 0x1002, 0x0803, 0x1804]);
        for expected in [0x0801, 0x1002, 0x0803, 0x1804, 0] {
            assert_eq!(active(container), expected);
            container = shift(container);
        }
    }
}
