//! Copies of a run along its way: going back means taking the last one before and simulating again.
//!
//! A copy is taken whenever so much wall-clock time went into simulating since the last one that simulating it again would be
//! felt. Where a run was furthest is kept too: the same scenario does the same again, so what is known of later times stays true
//! after going back.

use crate::memory;
use kernel::Time;
use scenario::Scenario;
use sim::{Recorder, Sim};

/// Wall-clock time of simulating between two copies, in ms: a seek takes as long at most, plus a copy and a look.
const EVERY_MS: f64 = 60.0;
/// Taking a copy may cost one part in so many of the simulating.
const WORTH: f64 = 6.0;
/// Copies that are kept at most.
const MOST: usize = 256;
/// Bytes that all copies may take.
const BUDGET: u64 = 384 << 20;
/// A run that takes more than this part of the budget is not copied; going back begins at its start then.
const SHARE: u64 = 3;

/// The run's simulation.
type Kept = Sim<Recorder>;

/// A copy, and what it costs.
struct Copy {
    sim: Kept,
    bytes: u64,
}

/// How a run came nearer to a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// Nothing is nearer than where it is.
    Stayed,
    /// It was put elsewhere.
    Moved,
    /// It has to begin anew: there is no copy that is early enough.
    Anew,
}

/// Plans the faults of `scenario` that `sim` does not know of yet, as they were made after it was copied.
pub fn plan(sim: &mut Kept, scenario: &Scenario) {
    let known = sim.scenario().faults.len();
    let later = scenario.faults.get(known..).unwrap_or_default();
    if !later.is_empty() {
        let planned = sim.replan_faults(known, later);
        debug_assert_eq!(
            planned,
            Ok(()),
            "faults by hand come after the copies before them"
        );
    }
}

/// The copies of one run.
pub struct Snapshots {
    // In order of time.
    copies: Vec<Copy>,
    // Where the run was furthest, while it is before that.
    front: Option<Box<Kept>>,
    // Faults that the scenario had when it was loaded; all others were made by hand.
    given: usize,
    // Wall-clock time simulated since the last copy.
    since_ms: f64,
    every_ms: f64,
    budget: u64,
    // What a copy takes, or would; none while that is not known.
    bytes: Option<u64>,
    wanted: bool,
}

impl Snapshots {
    /// Begins with a run at time 0 that takes about `bytes`; none are ever taken if they are not `wanted`.
    pub fn begin(sim: &Kept, bytes: Option<u64>, wanted: bool) -> Snapshots {
        let mut snapshots = Snapshots {
            copies: Vec::new(),
            front: None,
            given: sim.scenario().faults.len(),
            since_ms: 0.0,
            every_ms: EVERY_MS,
            budget: BUDGET,
            bytes,
            wanted,
        };
        snapshots.take(sim);
        snapshots
    }

    /// The run has simulated for another `ms` of wall-clock time. Takes a copy if it is time to; `clock` tells how long that took.
    pub fn simulated(&mut self, sim: &Kept, ms: f64, clock: impl Fn() -> f64) {
        if let Some(front) = &self.front {
            // What is simulated again has its copies.
            if sim.now() >= front.now() {
                self.front = None;
            }
            return;
        }
        self.since_ms += ms;
        if self.since_ms >= self.every_ms && !sim.is_half_way() {
            let start = clock();
            self.take(sim);
            self.since_ms = 0.0;
            self.every_ms = self.every_ms.max((clock() - start) * WORTH);
        }
    }

    /// Takes a copy, if there is room for one.
    fn take(&mut self, sim: &Kept) {
        if !self.wanted || self.is_too_large() {
            return;
        }
        let before = memory::heap();
        let copy = sim.clone();
        let bytes = memory::heap().saturating_sub(before);
        self.bytes = Some(bytes);
        self.copies.push(Copy { sim: copy, bytes });
        while self.copies.len() > MOST || (self.taken() > self.budget && self.copies.len() > 1) {
            self.thin();
        }
    }

    /// Whether the run is too large to be copied: going back begins anew.
    pub fn is_too_large(&self) -> bool {
        self.bytes.is_some_and(|bytes| bytes > self.budget / SHARE)
    }

    /// Bytes of all copies.
    fn taken(&self) -> u64 {
        self.copies.iter().map(|copy| copy.bytes).sum()
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

    /// Where the run was furthest, if that is later than now.
    pub fn front_mut(&mut self) -> Option<&mut Kept> {
        self.front.as_deref_mut()
    }

    /// Puts `sim` where simulating on gets to `target` soonest: at a copy or where the run was furthest, if one of these is nearer
    /// than it is.
    pub fn approach(&mut self, sim: &mut Kept, target: Time) -> Approach {
        if let Some(front) = self.front.take_if(|front| front.now() <= target) {
            *sim = *front;
            return Approach::Moved;
        }
        let copy = self.copies.iter().rev().find(|copy| copy.sim.now() <= target);
        let is_behind = sim.now() > target;
        match copy {
            None if is_behind => return Approach::Anew,
            None => return Approach::Stayed,
            Some(copy) if !is_behind && copy.sim.now() <= sim.now() => return Approach::Stayed,
            Some(copy) => {
                let mut moved = copy.sim.clone();
                plan(&mut moved, sim.scenario());
                let left = std::mem::replace(sim, moved);
                // A run that is copied is small enough to be kept where it was, too.
                self.front.get_or_insert_with(|| Box::new(left));
            }
        }
        Approach::Moved
    }

    /// The scenario without the faults that were made by hand.
    pub fn given(&self, scenario: &Scenario) -> Scenario {
        let mut given = scenario.clone();
        given.faults.truncate(self.given);
        given
    }

    /// Whether copies are wanted at all.
    pub fn are_wanted(&self) -> bool {
        self.wanted
    }

    /// Makes what comes after now unknown, because something else is to happen: faults by hand that were to come are forgotten.
    /// Returns how many.
    pub fn branch(&mut self, sim: &mut Kept) -> u32 {
        let now = sim.now();
        let faults = &sim.scenario().faults;
        let first = (faults.iter().skip(self.given))
            .position(|fault| fault.at.0 > now.ps())
            .map_or(faults.len(), |place| self.given + place);
        let forgotten = faults.len() - first;
        if forgotten > 0 {
            let planned = sim.replan_faults(first, &[]);
            debug_assert_eq!(planned, Ok(()), "they are still to come");
        }
        self.front = None;
        self.copies.retain(|copy| copy.sim.now() <= now);
        self.since_ms = 0.0;
        forgotten as u32
    }
}

#[cfg(test)]
impl Snapshots {
    /// How many copies there are, and what they take.
    pub fn measure(&self) -> (usize, u64) {
        (self.copies.len(), self.taken())
    }

    /// Allows only so many bytes.
    pub fn set_budget(&mut self, bytes: u64) {
        self.budget = bytes;
    }
}
