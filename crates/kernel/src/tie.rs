//! Which of two events of the same picosecond comes first.

use crate::rng::mix;
use crate::time::Time;

/// The rule for ties: a hash of seed, time and object decides, then the object's number. It is fair: which of two packets
/// that arrive at the same picosecond is served first varies from time to time and from seed to seed, and never favours
/// the lower-numbered port (our choice).
#[derive(Clone, Copy, Debug)]
pub struct TieRule {
    seed: u64,
}

impl TieRule {
    /// The rule under a run's seed.
    pub const fn new(seed: u64) -> TieRule {
        TieRule {
            seed: mix(seed ^ 0x7469_6573),
        }
    }

    /// Among events of one time the one with the lower key comes first. No two objects have the same key: the hash is in
    /// the upper half, the object in the lower.
    #[inline]
    pub const fn key(self, time: Time, object: u32) -> u64 {
        let hash = mix(self.seed ^ time.0 ^ ((object as u64) << 40)) >> 32;
        hash << 32 | object as u64
    }
}
