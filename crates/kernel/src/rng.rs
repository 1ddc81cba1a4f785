//! Seeded randomness as a pure function: no stream is shared, so a draw depends only on its own key and
//! counter, never on what happened elsewhere in the simulation.

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection on 64 bits that avalanches well.
#[inline]
pub const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The 64 random bits that belong to `(key, counter)`.
#[inline]
pub const fn draw(key: u64, counter: u64) -> u64 {
    mix(key ^ mix(counter.wrapping_add(0x9e37_79b9_7f4a_7c15)))
}

/// A key for one purpose (`domain`) of one entity under a run's seed.
pub const fn key(seed: u64, domain: u64, entity: u64) -> u64 {
    mix(mix(mix(seed).wrapping_add(domain)).wrapping_add(entity))
}

/// A number below `bound` (at least 1), by multiplication; the bias is below `bound` / 2^64.
#[inline]
pub const fn below(bits: u64, bound: u64) -> u64 {
    ((bits as u128 * bound as u128) >> 64) as u64
}

/// True with probability `threshold` / 2^32.
#[inline]
pub const fn chance(bits: u64, threshold: u64) -> bool {
    (bits >> 32) < threshold
}

/// The threshold for [`chance`] that gives probability `p` (0 to 1).
pub fn threshold(p: f64) -> u64 {
    (p.clamp(0.0, 1.0) * 4_294_967_296.0) as u64
}

/// A sequence of draws from one key, for set-up work such as shuffling.
#[derive(Clone, Debug)]
pub struct Sequence {
    key: u64,
    next: u64,
}

impl Sequence {
    /// Starts the sequence that belongs to `key`.
    pub const fn new(key: u64) -> Sequence {
        Sequence { key, next: 0 }
    }

    /// A number below `bound` (at least 1).
    pub fn below(&mut self, bound: u64) -> u64 {
        let bits = draw(self.key, self.next);
        self.next += 1;
        below(bits, bound)
    }

    /// Picks `count` items, or all if there are fewer, in random order and none twice: as many steps of Fisher–Yates. The
    /// slice is left in another order.
    pub fn pick<'a, T>(&mut self, items: &'a mut [T], count: usize) -> &'a [T] {
        let count = count.min(items.len());
        for i in 0..count {
            let rest = (items.len() - i) as u64;
            items.swap(i, i + self.below(rest) as usize);
        }
        &items[..count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pinned_values_never_change() {
        // SplitMix64 with seed 0 yields this first output (reference implementation by Vigna).
        assert_eq!(mix(0x9e37_79b9_7f4a_7c15), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn chance_is_unbiased_and_keys_differ() {
        let hits = (0..100_000)
            .filter(|&i| chance(draw(7, i), threshold(0.25)))
            .count();
        // 100,000 draws at p = 0.25: sigma is 137, so 700 is five of them.
        assert!((24_300..25_700).contains(&hits), "{hits}");
        assert_ne!(key(1, 0, 0), key(0, 1, 0));
        assert_eq!(threshold(1.0), 1 << 32);
        assert!(chance(u64::MAX, threshold(1.0)));
        assert!(!chance(0, threshold(0.0)));
    }

    #[test]
    fn a_pick_of_all_is_a_permutation() {
        let mut items: Vec<u32> = (0..100).collect();
        Sequence::new(3).pick(&mut items, 100);
        let mut sorted = items.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
        assert_ne!(items, sorted);
        assert_eq!(
            Sequence::new(3).pick(&mut [7, 8], 5).len(),
            2,
            "no more than there are"
        );
    }

    #[test]
    fn picks_are_fair() {
        let mut counts = [0u32; 10];
        for key in 0..10_000 {
            let mut items: Vec<usize> = (0..10).collect();
            for &item in Sequence::new(mix(key)).pick(&mut items, 3) {
                counts[item] += 1;
            }
        }
        // Each is among 3 of 10 with p = 0.3; 10,000 times: sigma is 46, so 230 is five of them.
        assert!(counts.iter().all(|&n| (2_770..3_230).contains(&n)), "{counts:?}");
    }
}
