//! The cheapest observer from which a run's progress can be told.

use kernel::Time;

/// Counts what arrives while a run is on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Message bytes placed.
    pub placed_bytes: u64,
    /// Flows finished.
    pub finished: u64,
}

impl fabric::network::Observer for Tally {}
impl mrc::Observer for Tally {}
impl sim::Observer for Tally {
    fn placed(&mut self, _now: Time, _conn: u32, _plane: u32, bytes: u32) {
        self.placed_bytes += u64::from(bytes);
    }

    fn finished(&mut self, _now: Time, _conn: u32) {
        self.finished += 1;
    }
}
