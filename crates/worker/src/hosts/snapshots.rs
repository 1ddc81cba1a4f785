//! Copies of a run along its way: going back means taking the last one before and simulating again.
//!
//! As with fabrics ([`crate::snapshots`]) a copy is taken whenever so much wall-clock time went into simulating since the last one
//! that simulating it again would be felt. What is done to a host by hand becomes an event of its scenario, so there is nothing to
//! plan into a copy.

use crate::memory;
use host::Run;
use kernel::Time;

/// Wall-clock time of simulating between two copies, in ms: a seek takes as long at most, plus a copy and a look.
const EVERY_MS: f64 = 60.0;
/// Taking a copy may cost one part in so many of the simulating.
const WORTH: f64 = 6.0;
/// Copies that are kept at most.
const MOST: usize = 128;
/// Bytes that all copies but the first may take.
const BUDGET: u64 = 384 << 20;

/// A copy, and what it takes.
struct Copy {
    run: Run,
    bytes: u64,
}

/// The copies, in order of time; the first is of time 0.
pub struct Snapshots {
    copies: Vec<Copy>,
    // Where the run was furthest, while it is before that.
    front: Option<Box<Run>>,
    // Wall-clock time simulated since the last copy.
    since_ms: f64,
    every_ms: f64,
    budget: u64,
}

impl Default for Snapshots {
    fn default() -> Snapshots {
        Snapshots {
            copies: Vec::new(),
            front: None,
            since_ms: 0.0,
            every_ms: EVERY_MS,
            budget: BUDGET,
        }
    }
}

impl Snapshots {
    /// Forgets all and begins with a run at time 0.
    pub fn begin(&mut self, run: &Run) {
        *self = Snapshots::default();
        self.take(run);
    }

    /// The run has simulated for another `ms` of wall-clock time. Takes a copy if it is time to; `clock` tells how long that took.
    pub fn simulated(&mut self, run: &Run, ms: f64, clock: impl Fn() -> f64) {
        if let Some(front) = &self.front {
            // What is simulated again has its copies.
            if run.now() >= front.now() {
                self.front = None;
            }
            return;
        }
        self.since_ms += ms;
        if self.since_ms < self.every_ms {
            return;
        }
        self.since_ms = 0.0;
        // A run is never smaller than when it began: what has no room now will have none later.
        let bytes = self.copies.last().map_or(0, |copy| copy.bytes);
        if bytes <= self.budget {
            let start = clock();
            self.take(run);
            self.every_ms = self.every_ms.max((clock() - start) * WORTH);
        }
    }

    fn take(&mut self, run: &Run) {
        let before = memory::heap();
        let run = run.clone();
        let bytes = memory::heap().saturating_sub(before);
        self.copies.push(Copy { run, bytes });
        while self.copies.len() > 1 && (self.copies.len() > MOST || self.taken() > self.budget) {
            self.thin();
        }
    }

    /// Bytes of all copies but the first, which is needed whatever it takes.
    fn taken(&self) -> u64 {
        self.copies.iter().skip(1).map(|copy| copy.bytes).sum()
    }

    /// Leaves every other copy out, the first excepted; the next ones are as far apart.
    fn thin(&mut self) {
        let mut number = 0;
        self.copies.retain(|_| {
            number += 1;
            number % 2 == 1
        });
        self.every_ms *= 2.0;
    }

    /// Puts `run` at time 0, before anything has happened.
    pub fn restart(&self, run: &mut Run) {
        if let Some(first) = self.copies.first() {
            *run = first.run.clone();
        }
    }

    /// Puts `run` where simulating on gets to `target` soonest: at a copy or where the run was furthest, if one of these is nearer
    /// than it is. True when it was put elsewhere.
    pub fn approach(&mut self, run: &mut Option<Run>, target: Time) -> bool {
        let Some(now) = run.as_ref().map(Run::now) else {
            return false;
        };
        if let Some(front) = self.front.take_if(|front| front.now() <= target) {
            *run = Some(*front);
            return true;
        }
        let copy = self.copies.iter().rev().find(|copy| copy.run.now() <= target);
        let Some(copy) = copy.filter(|copy| now > target || copy.run.now() > now) else {
            return false;
        };
        let left = run.take();
        if self.front.is_none() && copy.bytes <= self.budget / 3 {
            self.front = left.map(Box::new);
        } else {
            // Its memory is used again: taking more from the browser is slow.
            drop(left);
        }
        *run = Some(copy.run.clone());
        true
    }
}

#[cfg(test)]
impl Snapshots {
    /// How many copies there are, and what all but the first take.
    pub fn measure(&self) -> (usize, u64) {
        (self.copies.len(), self.taken())
    }

    /// Allows only so many bytes.
    pub fn set_budget(&mut self, bytes: u64) {
        self.budget = bytes;
    }
}
