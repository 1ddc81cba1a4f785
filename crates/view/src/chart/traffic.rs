//! The traffic matrix: which NIC sends how much to which, in groups where there are many.

use serde::{Deserialize, Serialize};

/// Neighbouring things as one: how many in each group, and how many groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Groups {
    /// Things in all.
    pub of: u32,
    /// In each group; the last may have fewer.
    pub each: u32,
}

impl Groups {
    /// Number of groups.
    pub fn count(self) -> u32 {
        self.of.div_ceil(self.each.max(1))
    }

    /// The group of a thing.
    pub fn group(self, thing: u32) -> u32 {
        thing / self.each.max(1)
    }

    /// What each group is called: `NIC 3`, `NIC 8–15`.
    pub fn names(self, thing: &str) -> Vec<String> {
        let name = |group: u32| {
            let first = group * self.each.max(1);
            let last = (first + self.each.max(1)).min(self.of) - 1;
            if first == last {
                format!("{thing} {first}")
            } else {
                format!("{thing} {first}–{last}")
            }
        };
        (0..self.count()).map(name).collect()
    }
}

/// So many in a group that there are at most `most` groups: one by one, or by `whole` (the NICs of a T0), or by several of these.
pub fn groups(of: u32, whole: u32, most: u32) -> Groups {
    let most = most.max(1);
    let each = if of <= most {
        1
    } else {
        let whole = whole.max(1);
        of.div_ceil(whole).div_ceil(most) * whole
    };
    Groups { of, each }
}

/// Bytes from groups to groups.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Matrix {
    /// How NICs are put together, as senders and as receivers.
    pub nics: Groups,
    /// NICs that share a T0.
    pub nics_per_t0: u32,
    /// Message bytes placed, sender by sender.
    pub bytes: Vec<u64>,
}

impl Matrix {
    /// An empty one of at most `most` groups a side.
    pub fn new(nics: u32, nics_per_t0: u32, most: u32) -> Matrix {
        let nics = groups(nics, nics_per_t0, most);
        let side = nics.count() as usize;
        Matrix {
            nics,
            nics_per_t0,
            bytes: vec![0; side * side],
        }
    }

    /// Adds what one NIC sent to another.
    pub fn add(&mut self, src: u32, dst: u32, bytes: u64) {
        let side = self.nics.count() as usize;
        let cell = self.nics.group(src) as usize * side + self.nics.group(dst) as usize;
        if let Some(sum) = self.bytes.get_mut(cell) {
            *sum += bytes;
        }
    }

    /// What its groups are called: NICs, or T0s where all of their NICs are in one group.
    pub fn names(&self) -> Vec<String> {
        let per_t0 = self.nics_per_t0.max(1);
        if self.nics.each > 1 && self.nics.each.is_multiple_of(per_t0) {
            let t0s = Groups {
                of: self.nics.of.div_ceil(per_t0),
                each: self.nics.each / per_t0,
            };
            return t0s.names("T0");
        }
        self.nics.names("NIC")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn few_nics_stand_alone_and_many_by_their_t0s() {
        assert_eq!(groups(16, 4, 48).each, 1);
        assert_eq!(groups(64, 8, 48), Groups { of: 64, each: 8 });
        assert_eq!(
            groups(131_072, 256, 48),
            Groups {
                of: 131_072,
                each: 11 * 256
            }
        );
        assert_eq!(Matrix::new(64, 8, 48).names()[7], "T0 7");
        assert_eq!(Matrix::new(131_072, 256, 48).names()[46], "T0 506–511");
        assert_eq!(Matrix::new(3, 2, 48).names(), ["NIC 0", "NIC 1", "NIC 2"]);
        assert_eq!(
            Groups { of: 5, each: 2 }.names("NIC"),
            ["NIC 0–1", "NIC 2–3", "NIC 4"]
        );
    }

    proptest! {
        #[test]
        fn nothing_is_lost_in_groups(nics in 1u32..3000, per_t0 in 1u32..300, most in 1u32..64, sent in prop::collection::vec((0u32..3000, 0u32..3000, 0u64..1 << 40), 0..50)) {
            let mut matrix = Matrix::new(nics, per_t0, most);
            prop_assert!(matrix.nics.count() <= most);
            prop_assert_eq!(matrix.names().len() as u32, matrix.nics.count());
            let mut all = 0;
            for (src, dst, bytes) in sent {
                matrix.add(src % nics, dst % nics, bytes);
                all += bytes;
            }
            prop_assert_eq!(matrix.bytes.iter().sum::<u64>(), all);
        }
    }
}
