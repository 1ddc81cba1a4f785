//! The collector: hears of lost probes, keeps each cable's last ones, and lets the judge decide once a round.

use crate::judge::Judge;
use crate::{Element, Loss, Plan};
use std::collections::{BTreeMap, BTreeSet};

/// An element became bad, or is in order again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which.
    pub element: Element,
    /// What it is now.
    pub bad: bool,
    /// The round whose probes settled it.
    pub round: u64,
}

/// A cable's last probes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct History {
    /// Bit i: the last probe but i was lost. Probes from before the run count as back.
    pub lost: u64,
    /// Probes so far, the last one of which bit 0 is.
    pub passes: u64,
}

/// What all agents' losses say, after each round. Agents report in any order: what comes out is the same.
///
/// It keeps cables of which a probe in the window was lost, so its size follows what is broken and never exceeds the number
/// of cables.
#[derive(Clone, Debug, Default)]
pub struct Collector {
    // The round that is closed next.
    round: u64,
    // Losses of rounds that are not closed.
    pending: Vec<Loss>,
    histories: BTreeMap<Element, History>,
    bad: BTreeSet<Element>,
}

impl Collector {
    /// A collector that has heard nothing: all is in order.
    pub fn new() -> Collector {
        Collector::default()
    }

    /// Takes a loss that an agent reports. One of a round that is closed already says nothing any more.
    pub fn report(&mut self, loss: Loss) {
        if loss.round >= self.round {
            self.pending.push(loss);
        }
    }

    /// From when on the next round can be closed, in ps: every agent has been served up to there.
    pub fn due(&self, plan: &Plan) -> u64 {
        plan.known_at(self.round)
    }

    /// Closes the next round and appends what changed by it, in the elements' order. Every loss of this round must have been
    /// reported.
    pub fn close_round(&mut self, plan: &Plan, changes: &mut Vec<Change>) {
        let round = self.round;
        self.round += 1;
        self.move_on(plan);
        Judge::new(plan, &self.histories, &mut self.bad, round, changes).all();
    }

    /// Brings the histories to the end of the round that was just closed.
    fn move_on(&mut self, plan: &Plan) {
        let window = u64::MAX >> (64 - plan.limits().window);
        let rounds = self.round;
        let forward = |cable: Element, history: &mut History| {
            let passes = plan.passes(cable, rounds);
            let by = passes - history.passes;
            history.passes = passes;
            let by = u32::try_from(by).unwrap_or(u32::MAX);
            history.lost = history.lost.checked_shl(by).unwrap_or(0);
        };
        for (&cable, history) in &mut self.histories {
            forward(cable, history);
        }
        for loss in self.pending.extract_if(.., |loss| loss.round < rounds) {
            let history = self.histories.entry(loss.cable).or_default();
            forward(loss.cable, history);
            let age = history.passes.checked_sub(loss.pass + 1);
            if let Some(age) = age.filter(|&age| age < 64) {
                history.lost |= 1 << age;
            }
        }
        self.histories.retain(|_, history| {
            history.lost &= window;
            history.lost != 0
        });
    }

    /// How many rounds are closed.
    pub fn rounds(&self) -> u64 {
        self.round
    }

    /// What is bad now, in the elements' order.
    pub fn bad(&self) -> impl Iterator<Item = Element> + '_ {
        self.bad.iter().copied()
    }

    /// Whether an element is bad now.
    pub fn is_bad(&self, element: Element) -> bool {
        self.bad.contains(&element)
    }

    /// How many probes of a cable in the window were lost, by the last closed round.
    pub fn losses(&self, cable: Element) -> u32 {
        self.histories
            .get(&cable)
            .map_or(0, |history| history.lost.count_ones())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Topology};

    const CABLE: Element = Element::T0T1 {
        plane: 0,
        t1: 0,
        t0: 1,
    };

    /// Two racks of two NICs, one T1, one plane. With one probe a NIC and round the rack's single T0–T1 cable is probed twice
    /// a round.
    fn plan() -> Plan {
        let topology = Topology {
            planes: 1,
            pods: 1,
            t0s: 2,
            t1s: 1,
            t2s: 0,
            nics_per_t0: 2,
            rails: 1,
        };
        let config = Config {
            interval: 1_000_000_000,
            t1_probes: Some(1),
            window: 4,
            threshold: 0.5,
        };
        Plan::new(topology, config).unwrap()
    }

    fn loss(pass: u64) -> Loss {
        Loss {
            round: pass / 2,
            cable: CABLE,
            pass,
        }
    }

    #[test]
    fn a_window_by_hand() {
        let plan = plan();
        let mut collector = Collector::new();
        let mut changes = Vec::new();
        assert_eq!(collector.due(&plan), 2_000_000_000);
        // Of the passes 0 and 1 one is lost, then 2 and 3 are: three of four, more than half.
        for pass in [1, 3, 2] {
            collector.report(loss(pass));
        }
        collector.close_round(&plan, &mut changes);
        assert_eq!(collector.losses(CABLE), 1, "round 1 is not closed");
        collector.close_round(&plan, &mut changes);
        assert_eq!(collector.losses(CABLE), 3);
        let bad = |bad, round| Change {
            element: CABLE,
            bad,
            round,
        };
        assert_eq!(changes, [bad(true, 1)]);
        // Passes 4 and 5 come back: two of the last four are lost. More than none is not fine yet.
        collector.close_round(&plan, &mut changes);
        assert_eq!((collector.losses(CABLE), collector.is_bad(CABLE)), (2, true));
        collector.close_round(&plan, &mut changes);
        assert_eq!(collector.losses(CABLE), 0);
        assert_eq!(changes, [bad(true, 1), bad(false, 3)]);
        assert!(collector.histories.is_empty(), "nothing is kept of what works");
    }

    #[test]
    fn a_loss_of_a_closed_round_says_nothing() {
        let plan = plan();
        let mut collector = Collector::new();
        let mut changes = Vec::new();
        collector.close_round(&plan, &mut changes);
        for pass in 0..2 {
            collector.report(loss(pass));
        }
        assert!(collector.pending.is_empty());
        collector.close_round(&plan, &mut changes);
        assert_eq!((collector.losses(CABLE), collector.rounds()), (0, 2));
    }
}
