//! A recorded run goes on, as in [`Sim`]'s own functions, and is looked at on its way.
//!
//! Generic code is compiled with the optimisation of the crate that uses it, and the page's worker is compiled for size. These
//! are compiled here, for speed.

use super::Recorder;
use crate::run::{Sim, StepEvent};
use kernel::Time;

impl Sim<Recorder> {
    /// See [`Sim::run_events`]. It comes back after a look as well.
    #[inline(never)]
    pub fn play_events(&mut self, budget: u64, t: Time) -> u64 {
        let done = self.run_events(budget, t.min(self.next_look()));
        self.look_if_due();
        done
    }

    /// See [`Sim::run_until`].
    #[inline(never)]
    pub fn play_until(&mut self, t: Time) {
        loop {
            let look = self.next_look();
            self.run_until(t.min(look));
            self.look_if_due();
            if look >= t || self.is_finished() {
                return;
            }
        }
    }

    /// See [`Sim::step`].
    #[inline(never)]
    pub fn play_step(&mut self) -> Option<StepEvent> {
        loop {
            let look = self.next_look();
            let event = self.step_within(look);
            if event.is_some() || self.is_finished() || self.now < look {
                return event;
            }
            self.look_if_due();
        }
    }
}
