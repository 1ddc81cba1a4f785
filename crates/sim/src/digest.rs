//! The run digest: one number that two runs share only if they did the same.

use crate::observer::Observer;
use crate::run::Sim;
use kernel::rng::mix;

impl<O: Observer> Sim<O> {
    /// A number that depends on every link crossing (with its mark), trim, drop, completion and placed byte so far. It is
    /// the same natively and in WebAssembly, whoever watches, however the run was sliced, and whether or not it was
    /// [settled](Self::settle): nothing that is replayed lazily goes into it before it has had an effect.
    pub fn digest(&self) -> u64 {
        let counters = self.network.counters();
        let mut digest = self.network.digest();
        let totals = [counters.delivered, counters.trims, counters.trims_last_hop];
        for value in totals.into_iter().chain(counters.drops) {
            digest = mix(digest ^ value);
        }
        for conn in 0..self.qp_count() {
            let finished = self.sender(conn).finished_at.map_or(u64::MAX, |t| t.0);
            digest = mix(digest ^ finished).wrapping_add(self.receiver(conn).stats().placed_bytes);
        }
        digest
    }
}
