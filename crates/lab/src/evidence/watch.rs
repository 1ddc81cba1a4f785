//! The observer of an experiment: which EVs went out of use and came back, and when.

use kernel::Time;
use mrc::EvState;
use sim::Observer;

/// Changes that are kept, at most; our choice. Later ones are not needed by any experiment.
const MAX_CHANGES: usize = 100_000;

/// An EV that went out of use or came back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvChange {
    /// When.
    pub at: Time,
    /// Whose.
    pub conn: u32,
    /// Index in the QP's set.
    pub ev: u16,
    /// What it is since.
    pub state: EvState,
}

/// Keeps what an experiment asks for and the run's own counters do not say.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    changes: Vec<EvChange>,
}

impl Watch {
    /// The changes so far; those of one window of the run are in no order.
    pub fn changes(&self) -> &[EvChange] {
        &self.changes
    }
}

impl fabric::network::Observer for Watch {}

impl mrc::Observer for Watch {
    fn ev_changed(&mut self, now: u64, conn: u32, ev: u16, _: EvState, state: EvState) {
        if self.changes.len() < MAX_CHANGES {
            self.changes.push(EvChange {
                at: Time(now),
                conn,
                ev,
                state,
            });
        }
    }
}

impl roce::Observer for Watch {}

impl Observer for Watch {}
