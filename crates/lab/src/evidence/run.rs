//! One run of an experiment: goes as far as a measurement wants, and reads counters between.

use crate::advance::advance;
use crate::evidence::watch::Watch;
use kernel::Time;
use scenario::{FaultKind, Scenario};
use sim::{BuildError, Sim, Summary};
use std::fmt;
use std::ops::ControlFlow;

/// Why a measurement ended early.
#[derive(Debug)]
pub enum Stopped {
    /// The user stopped it.
    Cancelled,
    /// It cannot be done with this scenario; says why.
    Failed(String),
}

impl From<BuildError> for Stopped {
    fn from(error: BuildError) -> Stopped {
        Stopped::Failed(error.to_string())
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Cancelled => f.write_str("cancelled"),
            Stopped::Failed(why) => f.write_str(why),
        }
    }
}

/// A run that is measured.
pub struct Run<'a> {
    sim: Sim<Watch>,
    cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Run<'a> {
    /// Builds it. `cancelled` is asked every few milliseconds.
    ///
    /// # Errors
    /// When the scenario cannot be run.
    pub fn new(scenario: &Scenario, cancelled: &'a (dyn Fn() -> bool + Sync)) -> Result<Run<'a>, Stopped> {
        Ok(Run {
            sim: Sim::with_observer(scenario, Watch::default())?,
            cancelled,
        })
    }

    /// The simulation, as of the last time gone to.
    pub fn sim(&self) -> &Sim<Watch> {
        &self.sim
    }

    /// Goes on to a time, or to the end of the run.
    ///
    /// # Errors
    /// When the user cancels.
    pub fn to(&mut self, t: Time) -> Result<(), Stopped> {
        let cancelled = self.cancelled;
        let gone = advance(&mut self.sim, t, |_| match cancelled() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        if gone.is_break() {
            return Err(Stopped::Cancelled);
        }
        self.sim.settle();
        Ok(())
    }

    /// Goes on to the end of the run.
    ///
    /// # Errors
    /// When the user cancels.
    pub fn to_end(&mut self) -> Result<(), Stopped> {
        self.to(Time::MAX)
    }

    /// Goes to `from` and then to `to`. Gb/s of message bytes placed between the two, all flows together.
    ///
    /// # Errors
    /// When the user cancels.
    pub fn goodput(&mut self, from: Time, to: Time) -> Result<f64, Stopped> {
        self.to(from)?;
        let before = self.sim.placed_bytes();
        self.to(to)?;
        Ok(gbps(self.sim.placed_bytes() - before, to - from))
    }

    /// The same for each flow.
    ///
    /// # Errors
    /// When the user cancels.
    pub fn flow_goodputs(&mut self, from: Time, to: Time) -> Result<Vec<f64>, Stopped> {
        self.to(from)?;
        let before = self.placed_by_flow();
        self.to(to)?;
        let after = self.placed_by_flow();
        Ok(before
            .iter()
            .zip(&after)
            .map(|(before, after)| gbps(after - before, to - from))
            .collect())
    }

    /// Goodput of all flows together in each of the slices of length `each` between two times.
    ///
    /// # Errors
    /// When the user cancels.
    pub fn samples(&mut self, from: Time, to: Time, each: Time) -> Result<Vec<f64>, Stopped> {
        let mut samples = Vec::new();
        let mut at = from;
        while at + each <= to {
            samples.push(self.goodput(at, at + each)?);
            at += each;
        }
        Ok(samples)
    }

    /// Goes on until something is reached, looking at times `each` apart. False when the run ends before.
    ///
    /// # Errors
    /// When the user cancels.
    pub fn until(&mut self, each: Time, reached: impl Fn(&Run) -> bool) -> Result<bool, Stopped> {
        while !reached(self) {
            if self.sim.is_finished() {
                return Ok(false);
            }
            self.to(self.sim.now() + each)?;
        }
        Ok(true)
    }

    /// Goes on until every flow has placed so many bytes, looking at times `each` apart. None when the run ends before.
    ///
    /// # Errors
    /// When the user cancels.
    pub fn until_all_placed(&mut self, bytes: u64, each: Time) -> Result<Option<Time>, Stopped> {
        let all_there = |run: &Run| run.placed_by_flow().iter().all(|&placed| placed >= bytes);
        Ok(self.until(each, all_there)?.then(|| self.sim.now()))
    }

    /// Breaks or heals something now.
    ///
    /// # Errors
    /// When the run is over or the fabric has no such part.
    pub fn inject(&mut self, what: FaultKind) -> Result<(), Stopped> {
        self.sim.inject(what).map_err(Stopped::Failed)
    }

    /// Totals so far.
    pub fn summary(&self) -> Summary {
        self.sim.summary()
    }

    /// Data packets sent again so far, by flow.
    pub fn retransmissions_by_flow(&self) -> Vec<u64> {
        self.sim
            .flow_results()
            .iter()
            .map(|flow| flow.retransmissions)
            .collect()
    }

    /// Message bytes placed so far, by flow.
    pub fn placed_by_flow(&self) -> Vec<u64> {
        self.sim
            .flow_results()
            .iter()
            .map(|flow| flow.placed_bytes)
            .collect()
    }
}

/// Bytes in a span of time as Gb/s.
fn gbps(bytes: u64, span: Time) -> f64 {
    bytes as f64 * 8_000.0 / span.0 as f64
}

/// The least of a list of samples.
pub fn least(samples: &[f64]) -> f64 {
    samples.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The greatest of a list of samples.
pub fn greatest(samples: &[f64]) -> f64 {
    samples.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The mean of a list of samples.
pub fn mean(samples: &[f64]) -> f64 {
    samples.iter().sum::<f64>() / samples.len() as f64
}
