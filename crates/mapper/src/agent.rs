//! An agent: it sends a NIC's probes, and notices which do not come back.
//!
//! There is one agent for each node (MRC paper; facts section 6). The probes of a node's NICs share nothing but the schedule, so here
//! it is one state machine for each NIC, which can live where its NIC lives.

use crate::plan::Errand;
use crate::{Element, Plan, Target};
use std::collections::VecDeque;

/// A probe to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Its number: what comes back must carry it.
    pub number: u32,
    /// The plane, hence the port it leaves by.
    pub plane: u32,
    /// Where it turns round.
    pub target: Target,
}

/// A probe that did not come back in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loss {
    /// The round it belongs to.
    pub round: u64,
    /// The cable it was about.
    pub cable: Element,
    /// Its number among the probes of this cable, from 0.
    pub pass: u64,
}

/// How many probes there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgentStats {
    /// Sent.
    pub sent: u64,
    /// Not back in time.
    pub lost: u64,
}

/// The agent of one NIC.
#[derive(Clone, Debug)]
pub struct Agent {
    nic: u32,
    // The next probe: its round, its number in it, how many the round has, and when it is sent.
    round: u64,
    index: u32,
    count: u32,
    next_at: u64,
    // The number of the next probe.
    number: u32,
    // Probes under way, the oldest in front.
    open: VecDeque<Open>,
    stats: AgentStats,
}

/// A probe under way.
#[derive(Clone, Copy, Debug)]
struct Open {
    sent: u64,
    round: u64,
    index: u32,
    number: u32,
}

impl Agent {
    /// The agent of `nic`. It begins with round 0.
    pub fn new(plan: &Plan, nic: u32) -> Agent {
        let count = plan.probes(nic, 0);
        Agent {
            nic,
            round: 0,
            index: 0,
            count,
            next_at: plan.send_time(nic, 0, 0, count),
            number: 0,
            open: VecDeque::new(),
            stats: AgentStats::default(),
        }
    }

    /// When [`on_timer`](Self::on_timer) wants to be called next, in ps.
    pub fn deadline(&self, plan: &Plan) -> u64 {
        let timeout = self.open.front().map_or(u64::MAX, |open| overdue_at(plan, open));
        self.next_at.min(timeout)
    }

    /// Sends the probes that are due by `now` and gives up those that are overdue, in order of time. Called late it catches
    /// up.
    pub fn on_timer(&mut self, plan: &Plan, now: u64, probes: &mut Vec<Probe>, losses: &mut Vec<Loss>) {
        loop {
            let timeout = self.open.front().map_or(u64::MAX, |open| overdue_at(plan, open));
            if timeout.min(self.next_at) > now {
                return;
            }
            if timeout <= self.next_at {
                if let Some(open) = self.open.pop_front() {
                    self.stats.lost += 1;
                    losses.push(self.loss(plan, &open));
                }
            } else {
                probes.push(self.send(plan));
            }
        }
    }

    /// A probe came back, at `now` ps. Returns how long it was under way; nothing when it was not awaited, any more or at
    /// all.
    pub fn on_reply(&mut self, now: u64, number: u32) -> Option<u64> {
        let at = self.open.iter().position(|open| open.number == number)?;
        let open = self.open.remove(at)?;
        Some(now.saturating_sub(open.sent))
    }

    /// How many probes there were.
    pub fn stats(&self) -> AgentStats {
        self.stats
    }

    /// Probes under way: not back and not overdue.
    pub fn under_way(&self) -> usize {
        self.open.len()
    }

    fn send(&mut self, plan: &Plan) -> Probe {
        let Errand { plane, target, .. } = plan.errand(self.nic, self.round, self.index);
        let number = self.number;
        self.open.push_back(Open {
            sent: self.next_at,
            round: self.round,
            index: self.index,
            number,
        });
        self.stats.sent += 1;
        self.number = number.wrapping_add(1);
        self.index += 1;
        if self.index == self.count {
            self.index = 0;
            self.round += 1;
            self.count = plan.probes(self.nic, self.round);
        }
        self.next_at = plan.send_time(self.nic, self.round, self.index, self.count);
        Probe {
            number,
            plane,
            target,
        }
    }

    fn loss(&self, plan: &Plan, open: &Open) -> Loss {
        let errand = plan.errand(self.nic, open.round, open.index);
        Loss {
            round: open.round,
            cable: plan.cable(self.nic, &errand),
            pass: errand.pass,
        }
    }
}

/// When a probe counts as lost: an interval after it was sent, so before the next round ends.
fn overdue_at(plan: &Plan, open: &Open) -> u64 {
    open.sent.saturating_add(plan.config().interval)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Topology};

    const MS: u64 = 1_000_000_000;

    /// One NIC, one T0, one T1, one plane: a T0 probe at the beginning of each ms and a T1 probe in its middle.
    fn plan() -> Plan {
        let topology = Topology {
            planes: 1,
            pods: 1,
            t0s: 1,
            t1s: 1,
            t2s: 0,
            nics_per_t0: 1,
            rails: 1,
        };
        let config = Config {
            interval: MS,
            t1_probes: None,
            window: 16,
            threshold: 0.25,
        };
        Plan::new(topology, config).unwrap()
    }

    fn fire(agent: &mut Agent, plan: &Plan, now: u64) -> (Vec<Probe>, Vec<Loss>) {
        let (mut probes, mut losses) = (Vec::new(), Vec::new());
        agent.on_timer(plan, now, &mut probes, &mut losses);
        (probes, losses)
    }

    #[test]
    fn two_rounds_by_hand() {
        let plan = plan();
        let mut agent = Agent::new(&plan, 0);
        let probe = |number, target| Probe {
            number,
            plane: 0,
            target,
        };
        assert_eq!(agent.deadline(&plan), 0);
        assert_eq!(fire(&mut agent, &plan, 0), (vec![probe(0, Target::T0)], vec![]));
        assert_eq!(agent.on_reply(7_000_000, 0), Some(7_000_000), "7 µs under way");
        assert_eq!(agent.deadline(&plan), MS / 2);
        assert_eq!(fire(&mut agent, &plan, MS / 2 - 1), (vec![], vec![]), "too early");
        assert_eq!(
            fire(&mut agent, &plan, MS / 2),
            (vec![probe(1, Target::T1(0))], vec![])
        );
        assert_eq!(fire(&mut agent, &plan, MS), (vec![probe(2, Target::T0)], vec![]));
        assert_eq!(agent.under_way(), 2);
        // The first T1 probe is an interval old when the second one is sent.
        assert_eq!(agent.deadline(&plan), 3 * MS / 2);
        let cable = Element::T0T1 {
            plane: 0,
            t1: 0,
            t0: 0,
        };
        let loss = Loss {
            round: 0,
            cable,
            pass: 0,
        };
        assert_eq!(
            fire(&mut agent, &plan, 3 * MS / 2),
            (vec![probe(3, Target::T1(0))], vec![loss])
        );
        assert_eq!(agent.stats(), AgentStats { sent: 4, lost: 1 });
    }

    #[test]
    fn what_comes_late_twice_or_from_nowhere_changes_nothing() {
        let plan = plan();
        let mut agent = Agent::new(&plan, 0);
        fire(&mut agent, &plan, 0);
        assert_eq!(agent.on_reply(5, 1), None, "not sent yet");
        assert_eq!(agent.on_reply(5, 0), Some(5));
        assert_eq!(agent.on_reply(6, 0), None, "twice");
        fire(&mut agent, &plan, MS / 2);
        let (_, losses) = fire(&mut agent, &plan, 3 * MS / 2);
        assert_eq!(losses.len(), 1);
        assert_eq!(agent.on_reply(3 * MS / 2 + 1, 1), None, "late");
        assert_eq!(agent.stats().lost, 1);
    }

    #[test]
    fn an_agent_that_is_called_late_catches_up_in_order() {
        let plan = plan();
        let mut agent = Agent::new(&plan, 0);
        let (probes, losses) = fire(&mut agent, &plan, 3 * MS);
        assert_eq!(
            probes.iter().map(|probe| probe.number).collect::<Vec<_>>(),
            [0, 1, 2, 3, 4, 5, 6]
        );
        assert_eq!(
            losses.iter().map(|loss| loss.round).collect::<Vec<_>>(),
            [0, 0, 1, 1, 2]
        );
        assert_eq!(agent.under_way(), 2, "an interval's probes");
    }

    #[test]
    fn agents_of_the_whole_fabric_fit() {
        // 131,072 of them are 10 MB, and 23 with the list that holds an open probe or four.
        assert_eq!((size_of::<Agent>(), size_of::<Open>()), (80, 24));
        let plan = Plan::new(
            Topology {
                planes: 8,
                pods: 1,
                t0s: 512,
                t1s: 256,
                t2s: 0,
                nics_per_t0: 256,
                rails: 1,
            },
            *plan().config(),
        )
        .unwrap();
        let mut agent = Agent::new(&plan, 77);
        for round in 0..10 {
            fire(&mut agent, &plan, plan.begin(round));
            assert!(agent.under_way() <= 16, "8 T0 probes and 8 T1 probes an interval");
        }
    }
}
