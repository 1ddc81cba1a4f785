//! One run of a host in an experiment: goes as far as a measurement wants.

use crate::evidence::run::Stopped;
use host::{BuildError, Run, TrafficResult};
use kernel::Time;
use scenario::host::HostScenario;

/// Events between two looks at Cancel: some milliseconds.
const SLICE: u64 = 16_384;

/// A run that is measured.
pub struct HostRun<'a> {
    run: Run,
    cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> HostRun<'a> {
    /// Builds it. `cancelled` is asked every few milliseconds.
    ///
    /// # Errors
    /// When the scenario cannot be run, and when the user cancels.
    pub fn new(
        scenario: &HostScenario,
        cancelled: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<HostRun<'a>, Stopped> {
        Ok(HostRun {
            run: Run::new_unless(scenario, &mut || cancelled()).map_err(|e| match e {
                BuildError::Stopped => Stopped::Cancelled,
                _ => Stopped::Failed(e.to_string()),
            })?,
            cancelled,
        })
    }

    /// The run, as of the last time gone to.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// What came of a traffic so far.
    pub fn traffic(&self, number: usize) -> &TrafficResult {
        &self.run.metrics().traffic[number]
    }

    /// Goes on to a time, or to the end of the run.
    ///
    /// # Errors
    /// When the user cancels.
    pub fn to(&mut self, t: Time) -> Result<(), Stopped> {
        while !self.run.is_finished() {
            if (self.cancelled)() {
                return Err(Stopped::Cancelled);
            }
            if self.run.run_events(SLICE, t) == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Goes on to the end of the run.
    ///
    /// # Errors
    /// When the user cancels.
    pub fn to_end(&mut self) -> Result<(), Stopped> {
        self.to(Time::MAX)
    }
}
