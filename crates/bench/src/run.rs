//! One run of a case.

use crate::cases::Case;
use kernel::Time;
use serde::Serialize;
use sim::Sim;

/// A run that is built and not yet started.
pub struct Prepared {
    sim: Sim,
}

/// What a run did. The same case gives the same outcome on every machine and in every browser.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// One packet over one link, each.
    pub packet_hops: u64,
    /// Packets handed to the fabric: data, SACK, NACK, probes and their replies.
    pub packets: u64,
    /// Events processed.
    pub events: u64,
    /// Simulated time at the end, in picoseconds.
    pub simulated_ps: u64,
    /// The run digest, 16 hexadecimal digits.
    pub digest: String,
}

impl Prepared {
    /// Builds the run of a case.
    pub fn new(case: &Case) -> Prepared {
        Prepared {
            sim: Sim::new(&case.scenario()).expect("the cases are valid"),
        }
    }

    /// Runs it to its end.
    pub fn run(&mut self) {
        self.sim.run_until(Time::MAX);
    }

    /// What happened.
    ///
    /// # Errors
    /// When not every flow finished: then the run says nothing about speed.
    pub fn outcome(&self) -> Result<Outcome, String> {
        let summary = self.sim.summary();
        if summary.finished < summary.flows {
            return Err(format!(
                "only {} of {} flows finished",
                summary.finished, summary.flows
            ));
        }
        Ok(Outcome {
            packet_hops: self.sim.network().counters().packet_hops,
            packets: summary.packets_created,
            events: self.sim.events(),
            simulated_ps: self.sim.now().0,
            digest: format!("{:016x}", self.sim.digest()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_of_a_whole_run_and_repeats() {
        let case = Case::named("mrc128").unwrap();
        let mut first = Prepared::new(case);
        assert_eq!(first.outcome().unwrap_err(), "only 0 of 128 flows finished");
        first.run();
        let outcome = first.outcome().unwrap();
        // 2 MB are 489 packets of 4,096 B at the most, each of which crosses four links; some SACKs come on top.
        assert!(outcome.packets > 128 * 489, "{outcome:?}");
        assert!(outcome.packet_hops > 128 * 489 * 4, "{outcome:?}");
        let mut second = Prepared::new(case);
        second.run();
        assert_eq!(second.outcome().unwrap(), outcome);
    }
}
