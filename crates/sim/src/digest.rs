//! The run digest: one number that two runs share only if they did the same.

use crate::observer::Observer;
use crate::run::Sim;
use kernel::rng::mix;

impl<O: Observer> Sim<O> {
    /// A number that depends on every link crossing, drop, mark, completion and placed byte so far. It is the same
    /// natively and in WebAssembly, whoever watches and however the run was sliced.
    pub fn digest(&self) -> u64 {
        let counters = self.network.counters();
        let mut digest = self.network.digest();
        let totals = [
            counters.created,
            counters.delivered,
            counters.trims,
            counters.trims_last_hop,
            counters.ecn_marks,
        ];
        for value in totals.into_iter().chain(counters.drops) {
            digest = mix(digest ^ value);
        }
        for conn in &self.conns {
            let finished = conn.finished_at.map_or(u64::MAX, |t| t.0);
            digest = mix(digest ^ finished).wrapping_add(conn.responder.stats().placed_bytes);
        }
        digest
    }
}
