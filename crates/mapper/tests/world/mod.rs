//! A fabric of which only one thing is simulated: whether a probe comes back.

#![allow(dead_code, reason = "each test file uses a part of it")]

use kernel::rng::{chance, draw, threshold};
use mapper::{Agent, Change, Collector, Config, Element, Loss, Plan, Probe, Target, Topology};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// A probe is back after 10 µs.
pub const RTT: u64 = 10_000_000;

pub fn config(interval: u64, window: u32, threshold: f64) -> Config {
    Config {
        interval,
        t1_probes: None,
        window,
        threshold,
    }
}

/// Small fabrics of two and three tiers, with one or more of everything.
pub fn topologies() -> impl Strategy<Value = Topology> {
    let tiers = prop_oneof![Just((1, 0)), (1u32..4, 1u32..3)];
    (1u32..4, tiers, 1u32..5, 1u32..4, 1u32..6, 1u32..3).prop_map(
        |(planes, (pods, t2s_per_t1), t0s_per_pod, t1s_per_pod, nics_per_t0, rails)| Topology {
            planes,
            pods,
            t0s: pods * t0s_per_pod * rails,
            t1s: pods * t1s_per_pod,
            t2s: t1s_per_pod * t2s_per_t1,
            nics_per_t0,
            rails,
        },
    )
}

/// What a probe passes on its way up, in order. Worked out from the fabric's description, not from the plan.
pub fn way(topology: &Topology, nic: u32, probe: &Probe) -> Vec<Element> {
    let plane = probe.plane;
    let t0 = nic / topology.nics_per_t0;
    let pod = t0 / (topology.t0s / topology.pods);
    let mut way = vec![Element::NicT0 { plane, nic }, Element::T0 { plane, t0 }];
    let t1 = match probe.target {
        Target::T0 => return way,
        Target::T1(t1) => t1,
        Target::T2(t2) => {
            let t1s_per_pod = topology.t1s / topology.pods;
            pod * t1s_per_pod + t2 / (topology.t2s / t1s_per_pod)
        }
    };
    assert_eq!(t1 / (topology.t1s / topology.pods), pod, "a T1 of the NIC's pod");
    way.extend([Element::T0T1 { plane, t1, t0 }, Element::T1 { plane, t1 }]);
    if let Target::T2(t2) = probe.target {
        way.extend([Element::T1T2 { plane, t2, t1 }, Element::T2 { plane, t2 }]);
    }
    way
}

/// All elements of a fabric.
pub fn elements(topology: &Topology) -> Vec<Element> {
    let mut all = Vec::new();
    let (t0s_per_pod, t1s_per_pod) = (topology.t0s / topology.pods, topology.t1s / topology.pods);
    for plane in 0..topology.planes {
        all.extend((0..topology.nics()).map(|nic| Element::NicT0 { plane, nic }));
        all.extend((0..topology.t0s).map(|t0| Element::T0 { plane, t0 }));
        for t1 in 0..topology.t1s {
            let pod = t1 / t1s_per_pod;
            all.push(Element::T1 { plane, t1 });
            all.extend(
                (pod * t0s_per_pod..(pod + 1) * t0s_per_pod).map(|t0| Element::T0T1 { plane, t1, t0 }),
            );
        }
        for t2 in 0..topology.t2s {
            all.push(Element::T2 { plane, t2 });
            let in_pod = t2 / (topology.t2s / t1s_per_pod);
            let t1s = (0..topology.pods).map(|pod| pod * t1s_per_pod + in_pod);
            all.extend(t1s.map(|t1| Element::T1T2 { plane, t2, t1 }));
        }
    }
    all
}

/// All agents of a fabric and their collector at work.
pub struct World {
    pub plan: Plan,
    agents: Vec<Agent>,
    // When each agent wants to be called.
    timers: BinaryHeap<Reverse<(u64, u32)>>,
    pub collector: Collector,
    /// Share of the probes that an element loses, for each time that a probe passes it on its way up and down.
    pub losing: BTreeMap<Element, f64>,
    /// What lost probes went through since the last change of what is broken, and what probes that came back did.
    pub lost_ways: BTreeSet<Vec<Element>>,
    pub passed: BTreeSet<Element>,
    /// Whether a round's losses are reported all together and the last one first.
    pub shuffle: bool,
    held: Vec<Loss>,
    seed: u64,
    draws: u64,
    now: u64,
}

impl World {
    pub fn new(topology: Topology, config: Config, seed: u64) -> World {
        let plan = Plan::new(topology, config).unwrap();
        let agents: Vec<Agent> = (0..topology.nics()).map(|nic| Agent::new(&plan, nic)).collect();
        let timers = agents
            .iter()
            .zip(0..)
            .map(|(agent, nic)| Reverse((agent.deadline(&plan), nic)))
            .collect();
        World {
            agents,
            timers,
            collector: Collector::new(),
            losing: BTreeMap::new(),
            lost_ways: BTreeSet::new(),
            passed: BTreeSet::new(),
            shuffle: false,
            held: Vec::new(),
            seed,
            draws: 0,
            now: 0,
            plan,
        }
    }

    /// From now on an element loses this share of the packets that pass it.
    pub fn lose(&mut self, element: Element, share: f64) {
        self.losing.insert(element, share);
        self.lost_ways.clear();
        self.passed.clear();
    }

    pub fn heal(&mut self, element: Element) {
        self.losing.remove(&element);
        self.lost_ways.clear();
        self.passed.clear();
    }

    /// Goes on until `t`. Returns what changed, with when it was known.
    pub fn run_until(&mut self, t: u64) -> Vec<(u64, Change)> {
        let mut changes = Vec::new();
        loop {
            let timer = self.timers.peek().map_or(u64::MAX, |&Reverse((at, _))| at);
            let due = self.collector.due(&self.plan);
            if timer.min(due) > t {
                self.now = t;
                return changes;
            }
            // A round is closed when everything up to there has happened.
            if timer <= due {
                let Some(Reverse((at, nic))) = self.timers.pop() else {
                    unreachable!("peeked at")
                };
                self.fire(nic, at);
            } else {
                for loss in self.held.drain(..).rev() {
                    self.collector.report(loss);
                }
                let mut new = Vec::new();
                self.collector.close_round(&self.plan, &mut new);
                changes.extend(new.into_iter().map(|change| (due, change)));
            }
        }
    }

    pub fn run_rounds(&mut self, rounds: u64) -> Vec<(u64, Change)> {
        self.run_until(self.now + rounds * self.plan.config().interval)
    }

    pub fn now(&self) -> u64 {
        self.now
    }

    pub fn bad(&self) -> Vec<Element> {
        self.collector.bad().collect()
    }

    /// True when at most half of those who probe a cable get as far as to its lower end.
    pub fn is_dark(&self, cable: Element) -> bool {
        let topology = self.plan.topology();
        let (plane, target) = match cable {
            Element::T0T1 { plane, t1, .. } => (plane, Target::T1(t1)),
            Element::T1T2 { plane, t2, .. } => (plane, Target::T2(t2)),
            _ => return false,
        };
        let probe = Probe {
            number: 0,
            plane,
            target,
        };
        let in_pod = |nic: &u32| {
            let pod = nic / topology.nics_per_t0 / (topology.t0s / topology.pods);
            match cable {
                Element::T0T1 { t0, .. } => nic / topology.nics_per_t0 == t0,
                Element::T1T2 { t1, .. } => pod == t1 / (topology.t1s / topology.pods),
                _ => false,
            }
        };
        let ways: Vec<_> = (0..topology.nics())
            .filter(in_pod)
            .map(|nic| way(topology, nic, &probe))
            .collect();
        let clear = |way: &&Vec<Element>| {
            !way[..way.len() - 2]
                .iter()
                .any(|element| self.losing.contains_key(element))
        };
        2 * ways.iter().filter(clear).count() <= ways.len()
    }

    fn fire(&mut self, nic: u32, now: u64) {
        let (mut probes, mut losses) = (Vec::new(), Vec::new());
        self.agents[nic as usize].on_timer(&self.plan, now, &mut probes, &mut losses);
        for probe in probes {
            if self.comes_back(nic, &probe) {
                let back = self.agents[nic as usize].on_reply(now + RTT, probe.number);
                assert_eq!(back, Some(RTT));
            }
        }
        for loss in losses {
            if self.shuffle {
                self.held.push(loss);
            } else {
                self.collector.report(loss);
            }
        }
        self.timers
            .push(Reverse((self.agents[nic as usize].deadline(&self.plan), nic)));
    }

    fn comes_back(&mut self, nic: u32, probe: &Probe) -> bool {
        let way = way(self.plan.topology(), nic, probe);
        let back = way.iter().all(|element| {
            let share = self.losing.get(element).copied().unwrap_or(0.0);
            let mut survives = || {
                self.draws += 1;
                !chance(draw(self.seed, self.draws), threshold(share))
            };
            // The switch where it turns round is passed once, everything else twice.
            survives() && (Some(element) == way.last() || survives())
        });
        if back {
            self.passed.extend(way);
        } else {
            self.lost_ways.insert(way);
        }
        back
    }
}
