//! What a sweep needs to know of a scenario, whether it is of a fabric or of a host.

use scenario::host::HostScenario;
use scenario::{LoadError, Problem, Scenario};
use serde::Serialize;

/// A scenario that can be swept.
pub trait Subject: Clone + Serialize {
    /// A path in it, for messages.
    const PATH: &'static str;

    /// Reads it from JSON.
    ///
    /// # Errors
    /// The first thing that is wrong with its form.
    fn read(text: &str) -> Result<Self, LoadError>;

    /// Whether its values make sense.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    fn check(&self) -> Result<(), Vec<Problem>>;

    /// Gives it another seed.
    fn set_seed(&mut self, seed: u64);
}

impl Subject for Scenario {
    const PATH: &'static str = "for example transport.evs";

    fn read(text: &str) -> Result<Scenario, LoadError> {
        Scenario::from_json(text)
    }

    fn check(&self) -> Result<(), Vec<Problem>> {
        self.validate()
    }

    fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }
}

impl Subject for HostScenario {
    const PATH: &'static str = "for example host.nic.l1_ways";

    fn read(text: &str) -> Result<HostScenario, LoadError> {
        HostScenario::from_json(text)
    }

    fn check(&self) -> Result<(), Vec<Problem>> {
        self.validate()
    }

    fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }
}
