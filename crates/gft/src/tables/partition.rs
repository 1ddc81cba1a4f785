//! Which part of the cache on the chip a port has.

use super::record::Head;

/// Sets of the first level, split evenly among ports by the lower bits of their numbers. With one part all ports share all sets.
/// Our choice: nothing is published that would part them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partition {
    /// Bits of the hash that choose a set within a part.
    within: u32,
    /// How many those are.
    bits: u32,
    /// Bits of the port's number that choose the part.
    ports: u32,
}

impl Partition {
    /// `parts` of `sets`, both powers of two, `parts` at most `sets`.
    pub fn new(sets: u32, parts: u32) -> Partition {
        let each = sets / parts;
        Partition {
            within: each - 1,
            bits: each.trailing_zeros(),
            ports: parts - 1,
        }
    }

    /// What the first level takes for the hash of an entry: its lower bits are the set.
    #[inline]
    pub fn place(self, head: &Head) -> u32 {
        let port = head.rest >> 16;
        head.hash & self.within | (port & self.ports) << self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::packed::PackedKey;
    use crate::{FlowKey, config::Config};

    fn head(port: u16, hash: u32) -> Head {
        let key = FlowKey {
            port,
            ..FlowKey::default()
        };
        Head::new(&PackedKey::new(&key), hash)
    }

    /// 2,048 sets: the lower 11 bits. Four parts have 512 sets each: the lower 9 bits, and above them the lower two of the port.
    #[test]
    fn sets_by_hand() {
        let sets = Config::default().l1.sets();
        let whole = Partition::new(sets, 1);
        assert_eq!(whole.place(&head(3, 0xffff_f801)), 1);
        let quarters = Partition::new(sets, 4);
        let place = |port| quarters.place(&head(port, 0xffff_fe01));
        assert_eq!(
            [1, 2, 3, 4, 5].map(place),
            [512 + 1, 1_024 + 1, 1_536 + 1, 1, 512 + 1]
        );
        let alone = Partition::new(sets, sets);
        assert_eq!(alone.place(&head(7, u32::MAX)), 7);
    }
}
