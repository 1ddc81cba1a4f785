//! The run digest: one number that two runs share only if they did the same.

use crate::observer::Observer;
use crate::run::Sim;
use fabric::DropReason;
use kernel::rng::mix;

impl<O: Observer> Sim<O> {
    /// A number that depends on every link crossing (with its mark), trim, drop, completion and placed byte so far. It is
    /// the same natively and in WebAssembly, whoever watches, however the run was sliced, and whether or not it was
    /// [settled](Self::settle): nothing that is replayed lazily goes into it before it has had an effect.
    pub fn digest(&self) -> u64 {
        let counters = self.network.counters();
        let mut digest = self.network.digest();
        let totals = [counters.delivered, counters.trims, counters.trims_last_hop];
        // Reasons that came later count where they occur only, so that runs without them keep their digests.
        let (first, later) = counters.drops.split_at(DropReason::FrameCheck as usize);
        for value in totals.iter().chain(first) {
            digest = mix(digest ^ value);
        }
        for (i, value) in (0..).zip(later).filter(|&(_, &value)| value > 0) {
            digest = mix(mix(digest ^ i) ^ value);
        }
        for conn in 0..self.qp_count() {
            let finished = self.sender(conn).finished_at.map_or(u64::MAX, |t| t.0);
            digest = mix(digest ^ finished).wrapping_add(self.receiver(conn).placed_bytes());
        }
        digest
    }
}
