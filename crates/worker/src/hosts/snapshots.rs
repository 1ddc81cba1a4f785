//! Copies of a run along its way: going back means taking the last one before and simulating again.

use host::Run;
use kernel::Time;

/// Copies that are kept at most.
const MOST: usize = 16;
/// Copies are taken after so many parts of the run.
const PARTS: u64 = 16;
/// A run with more flows than this is copied less often: each copy takes as much memory as the run.
const SMALL: usize = 20_000;

/// The copies, in order of time; the first is of time 0.
#[derive(Default)]
pub struct Snapshots {
    copies: Vec<Run>,
    every: u64,
}

impl Snapshots {
    /// Forgets all and begins with a run at time 0.
    pub fn begin(&mut self, run: &Run) {
        self.every = (run.scenario().until.0 / PARTS).max(1);
        self.copies = vec![run.clone()];
    }

    /// When the next copy is to be taken, after `now`; the end of time where there is one already.
    pub fn due(&self, now: Time) -> Time {
        Time(
            (now.ps() / self.every.max(1))
                .saturating_add(1)
                .saturating_mul(self.every.max(1)),
        )
    }

    /// Takes a copy if it is time to.
    pub fn take(&mut self, run: &Run) {
        let now = run.now().ps();
        let last = self.copies.last().map_or(0, |copy| copy.now().ps());
        // A large run leaves room for three copies beside the first.
        let most = if run.nic().tables().len() as usize > SMALL {
            3
        } else {
            MOST
        };
        let every = self.every * (MOST / most) as u64;
        if now >= last.saturating_add(every) && self.copies.len() <= most {
            self.copies.push(run.clone());
        }
    }

    /// The last copy at or before `target`; none where the run, at `now`, gets there sooner by going on.
    pub fn before(&self, target: Time, now: Time) -> Option<&Run> {
        let copy = self.copies.iter().rev().find(|copy| copy.now() <= target)?;
        let helps = now > target || copy.now() > now;
        helps.then_some(copy)
    }
}
