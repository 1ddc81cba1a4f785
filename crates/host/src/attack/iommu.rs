//! What of the machine's memory a VF may reach.
//!
//! This is a model of the check and of nothing else: no page tables, no translation cache, no time. A descriptor that lies within
//! one window of its VF's passes, any other is refused.

/// Addresses that a VF may reach, as its guest counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first.
    pub first: u64,
    /// How many.
    pub bytes: u64,
}

const GIB: u64 = 1 << 30;

/// A guest with 4 GiB: 3 of them below the hole for devices that ends at 4 GiB, as PCs have it, and one above (our choice).
pub const WINDOWS: [Window; 2] = [
    Window {
        first: 0,
        bytes: 3 * GIB,
    },
    Window {
        first: 4 * GIB,
        bytes: GIB,
    },
];

/// Where an attacker's descriptors lie: half of these addresses are his own.
pub const TRIED: u64 = 8 * GIB;

/// Whether `bytes` bytes from `address` on lie within one of the windows.
pub fn allows(windows: &[Window], address: u64, bytes: u32) -> bool {
    let within = |window: &Window| {
        let after = address.checked_sub(window.first);
        after.is_some_and(|after| {
            window
                .bytes
                .checked_sub(after)
                .is_some_and(|left| left >= bytes.into())
        })
    };
    windows.iter().any(within)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_by_hand() {
        let allowed = |address, bytes| allows(&WINDOWS, address, bytes);
        assert!(allowed(0, 1) && allowed(3 * GIB - 64, 64));
        assert!(!allowed(3 * GIB - 63, 64), "its last byte is in the hole");
        assert!(!allowed(3 * GIB, 1) && !allowed(4 * GIB - 1, 64), "the hole");
        assert!(allowed(4 * GIB, 64) && allowed(5 * GIB - 1, 1));
        assert!(!allowed(5 * GIB, 1) && !allowed(u64::MAX, 64), "beyond");
        let all = Window {
            first: 0,
            bytes: u64::MAX,
        };
        assert!(!allows(&[all], u64::MAX, 64), "nothing wraps round");
        assert!(!allows(&[], 0, 1));
    }
}
