//! A recorded run goes on, as in [`Sim`]'s own functions.
//!
//! Generic code is compiled with the optimisation of the crate that uses it, and the page's worker is compiled for size. These
//! are compiled here, for speed.

use super::Recorder;
use crate::run::{Sim, StepEvent};
use kernel::Time;

impl Sim<Recorder> {
    /// See [`Sim::run_events`].
    #[inline(never)]
    pub fn play_events(&mut self, budget: u64, t: Time) -> u64 {
        self.run_events(budget, t)
    }

    /// See [`Sim::run_until`].
    #[inline(never)]
    pub fn play_until(&mut self, t: Time) {
        self.run_until(t);
    }

    /// See [`Sim::step`].
    #[inline(never)]
    pub fn play_step(&mut self) -> Option<StepEvent> {
        self.step()
    }
}
