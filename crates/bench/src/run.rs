//! One run of a case.

use crate::cases::Case;
use kernel::Time;
use scenario::{Bytes, Scenario, Traffic};
use serde::Serialize;
use sim::Sim;
use sim::observer::Nobody;

/// How often [`Prepared::most_in_flight`] looks.
const LOOKS_PER_RTT: u64 = 64;

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
    /// Builds the run of a case, to use so many processor cores.
    pub fn new(case: &Case, threads: u32) -> Prepared {
        Prepared::of(&case.scenario(), threads)
    }

    /// Builds the run of the case's fabric with its first flow alone.
    pub fn nearly_empty(case: &Case) -> Prepared {
        let mut scenario = case.scenario();
        let flow = scenario.flows()[0];
        scenario.traffic = vec![Traffic::Flow {
            src: flow.src,
            dst: flow.dst,
            bytes: Bytes(flow.bytes),
            messages: flow.messages,
            imm: flow.imm,
            start: scenario::Time(0),
            id: None,
        }];
        Prepared::of(&scenario, 1)
    }

    fn of(scenario: &Scenario, threads: u32) -> Prepared {
        Prepared {
            sim: Sim::in_parts(scenario, Nobody, threads).expect("the cases are valid"),
        }
    }

    /// Directed links, and QPs.
    pub fn size(&self) -> (u32, u32) {
        (self.sim.network().config().clos.links(), self.sim.qp_count())
    }

    /// Runs it to its end and returns the most packets that were in flight, looking often.
    pub fn most_in_flight(&mut self) -> u64 {
        let step = Time(self.sim.derived().base_rtt.0 / LOOKS_PER_RTT);
        let mut most = 0;
        while !self.sim.is_finished() {
            self.sim.run_until(self.sim.now() + step);
            most = most.max(self.sim.network().in_flight());
        }
        most
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
        let case = &Case::named("mrc128").unwrap();
        let mut first = Prepared::new(case, 1);
        assert_eq!(first.outcome().unwrap_err(), "only 0 of 128 flows finished");
        first.run();
        let outcome = first.outcome().unwrap();
        // 2 MB are 489 packets of 4,096 B at the most, each of which crosses four links; some SACKs come on top.
        assert!(outcome.packets > 128 * 489, "{outcome:?}");
        assert!(outcome.packet_hops > 128 * 489 * 4, "{outcome:?}");
        let mut second = Prepared::new(case, 1);
        second.run();
        assert_eq!(second.outcome().unwrap(), outcome);
    }
}
