//! Who probes what and when: the same for all, computed and never stored.

use crate::share::{Share, Visit, Visitor};
use crate::{Element, Problem, Topology};

/// Settings of Clustermapper. The interval is the paper's (facts section 6), the rest is our choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// In so many picoseconds every cable is probed once; 1 µs to 1,000 s. Published: 1 ms. A probe that is not back after
    /// as long is lost: the public sources give 2 ms for probes of EVs and nothing for these, and with one interval
    /// everything about a round is known a round later.
    pub interval: u64,
    /// T1 probes of a node in each interval, and as many T2 probes where there are T2s, rounded up to a whole number for
    /// each of its NICs; at most 65,536. Without it as many as cover every T0–T1 cable, and every T1–T2 cable, once.
    pub t1_probes: Option<u32>,
    /// How many of a cable's last probes are looked at; 2 to 64.
    pub window: u32,
    /// A cable is bad when more than this share of them was lost; 0 to 1, 1 excluded.
    pub threshold: f64,
}

/// A cable is bad from so many losses in the window on, and fine up to so few.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub window: u32,
    /// More than the threshold, and at least two: one lost probe is no verdict.
    pub bad: u32,
    /// At most a quarter of the threshold. Between the two nothing changes, so a verdict does not come and go.
    pub fine: u32,
}

/// Where a probe turns round. It is source-routed from a NIC to there and back to the NIC, by the NIC's T0 of its plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The NIC's T0.
    T0,
    /// This T1 of the plane, in the NIC's pod.
    T1(u32),
    /// This T2 of the plane, by way of the T1 of the NIC's pod that is cabled to it.
    T2(u32),
}

/// A probe as the schedule has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errand {
    pub plane: u32,
    pub target: Target,
    /// Its number among the probes of the cable in question, from 0.
    pub pass: u64,
}

/// The schedule of all probes of a fabric.
#[derive(Clone, Debug)]
pub struct Plan {
    topology: Topology,
    config: Config,
    limits: Limits,
    // The T0–T1 cables of one T0 index in all planes, among its NICs. Cable number: T1 of the pod × planes + plane.
    of_rack: Share,
    // The T1–T2 cables of one pod in all planes, among its NICs. Cable number: T2 × planes + plane.
    of_pod: Share,
}

impl Plan {
    /// Makes the schedule.
    ///
    /// # Errors
    /// When the topology's numbers do not fit together, or a setting is out of its range.
    pub fn new(topology: Topology, config: Config) -> Result<Plan, Problem> {
        topology.check()?;
        config.check()?;
        let quota = config.t1_probes.map(|of_node| of_node.div_ceil(topology.rails));
        let links_of_pod = topology.planes * topology.t2s;
        Ok(Plan {
            limits: config.limits(),
            of_rack: Share::new(
                topology.planes * topology.t1s_per_pod(),
                topology.nics_per_t0,
                quota,
            ),
            of_pod: Share::new(links_of_pod, topology.nics() / topology.pods, quota),
            topology,
            config,
        })
    }

    /// The fabric.
    pub const fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The settings.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    pub(crate) const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// When round `round` begins, in ps.
    pub const fn begin(&self, round: u64) -> u64 {
        round.saturating_mul(self.config.interval)
    }

    /// From when on, in ps, it is known of every probe of a round whether it came back.
    pub const fn known_at(&self, round: u64) -> u64 {
        self.begin(round.saturating_add(2))
    }

    /// The longest time, in ps, from a failure that loses every probe to the verdict, where cables are probed once an
    /// interval: the round under way counts only if the probe was still to come, then as many must be lost as make a
    /// cable bad, and the last one's round must be known.
    pub const fn slowest_verdict(&self) -> u64 {
        (self.limits.bad as u64 + 2) * self.config.interval
    }

    /// How many probes a NIC makes in a round.
    pub const fn probes(&self, nic: u32, round: u64) -> u32 {
        let planes = self.topology.planes;
        planes + self.t1_probes(nic, round) + self.t2_probes(nic, round)
    }

    const fn t1_probes(&self, nic: u32, round: u64) -> u32 {
        let t0 = self.topology.t0_of(nic);
        self.of_rack.count(self.topology.place_of(nic), round, t0)
    }

    const fn t2_probes(&self, nic: u32, round: u64) -> u32 {
        let pod = self.topology.pod_of_t0(self.topology.t0_of(nic));
        self.of_pod.count(self.member_of_pod(nic), round, pod)
    }

    /// A NIC's number among those of its pod. Neighbours are in different racks, so that one rack's failure does not hide
    /// a cable for many rounds.
    const fn member_of_pod(&self, nic: u32) -> u32 {
        let t0s = self.topology.t0s_per_pod();
        self.topology.place_of(nic) * t0s + self.topology.t0_of(nic) % t0s
    }

    const fn nic_of_member(&self, pod: u32, member: u32) -> u32 {
        let t0s = self.topology.t0s_per_pod();
        let t0 = pod * t0s + member % t0s;
        t0 * self.topology.nics_per_t0 + member / t0s
    }

    /// A NIC's probe number `index` of a round, in the order in which they are sent.
    pub(crate) const fn errand(&self, nic: u32, round: u64, index: u32) -> Errand {
        let planes = self.topology.planes;
        let t0 = self.topology.t0_of(nic);
        let place = self.topology.place_of(nic);
        let (t1_probes, t2_probes) = (self.t1_probes(nic, round), self.t2_probes(nic, round));
        // NICs side by side do not probe the same thing at the same time.
        let count = (planes + t1_probes + t2_probes) as u64;
        let number = ((index as u64 + place as u64) % count) as u32;
        if number < planes {
            return Errand {
                plane: number,
                target: Target::T0,
                pass: round,
            };
        }
        let number = number - planes;
        if number < t1_probes {
            let Visit { link, pass } = self.of_rack.visit(place, round, t0, number);
            let pod = self.topology.pod_of_t0(t0);
            return Errand {
                plane: link % planes,
                target: Target::T1(pod * self.topology.t1s_per_pod() + link / planes),
                pass,
            };
        }
        let pod = self.topology.pod_of_t0(t0);
        let member = self.member_of_pod(nic);
        let Visit { link, pass } = self.of_pod.visit(member, round, pod, number - t1_probes);
        Errand {
            plane: link % planes,
            target: Target::T2(link / planes),
            pass,
        }
    }

    /// When a NIC's probe number `index` of the `count` of a round is sent, in ps. All probes of a round, of all NICs, are
    /// spread evenly over it (our choice).
    pub(crate) const fn send_time(&self, nic: u32, round: u64, index: u32, count: u32) -> u64 {
        let nics = self.topology.nics() as u128;
        let order = self.topology.place_of(nic) * self.topology.t0s + self.topology.t0_of(nic);
        let part = index as u128 * nics + order as u128;
        let within = self.config.interval as u128 * part / (count as u128 * nics);
        self.begin(round).saturating_add(within as u64)
    }

    /// The cable that a NIC's probe is about: the last one on its way up.
    pub(crate) const fn cable(&self, nic: u32, errand: &Errand) -> Element {
        let t0 = self.topology.t0_of(nic);
        let plane = errand.plane;
        match errand.target {
            Target::T0 => Element::NicT0 { plane, nic },
            Target::T1(t1) => Element::T0T1 { plane, t1, t0 },
            Target::T2(t2) => Element::T1T2 {
                plane,
                t2,
                t1: self.topology.t1_at(self.topology.pod_of_t0(t0), t2),
            },
        }
    }

    /// How often a cable is probed in the first `rounds` rounds; never a switch.
    pub(crate) const fn passes(&self, cable: Element, rounds: u64) -> u64 {
        match cable {
            Element::NicT0 { .. } => rounds,
            Element::T0T1 { plane, t1, .. } => self.of_rack.passes(self.rack_link(plane, t1), rounds),
            Element::T1T2 { plane, t2, .. } => self.of_pod.passes(self.pod_link(plane, t2), rounds),
            Element::T0 { .. } | Element::T1 { .. } | Element::T2 { .. } => 0,
        }
    }

    /// Which NIC makes a probe of a T0–T1 cable.
    pub(crate) const fn nic_at_rack_link(&self, plane: u32, t1: u32, t0: u32, pass: u64) -> u32 {
        let link = self.rack_link(plane, t1);
        let Visitor { member, .. } = self.of_rack.visitor(Visit { link, pass }, t0);
        t0 * self.topology.nics_per_t0 + member
    }

    /// Which NIC makes a probe of the T1–T2 cable between a pod and a T2.
    pub(crate) const fn nic_at_pod_link(&self, plane: u32, t2: u32, pod: u32, pass: u64) -> u32 {
        let link = self.pod_link(plane, t2);
        let Visitor { member, .. } = self.of_pod.visitor(Visit { link, pass }, pod);
        self.nic_of_member(pod, member)
    }

    const fn rack_link(&self, plane: u32, t1: u32) -> u32 {
        t1 % self.topology.t1s_per_pod() * self.topology.planes + plane
    }

    const fn pod_link(&self, plane: u32, t2: u32) -> u32 {
        t2 * self.topology.planes + plane
    }
}

impl Config {
    fn check(&self) -> Result<(), Problem> {
        let wrong = |what, value, expected| {
            Err(Problem {
                what,
                value,
                expected,
            })
        };
        if !(1_000_000..=1_000_000_000_000_000).contains(&self.interval) {
            return wrong("interval", self.interval as f64, "1e6 to 1e15 ps");
        }
        if let Some(probes) = self.t1_probes.filter(|&probes| probes > 65_536) {
            return wrong("t1_probes", f64::from(probes), "at most 65536");
        }
        if !(2..=64).contains(&self.window) {
            return wrong("window", f64::from(self.window), "2 to 64");
        }
        if !(0.0..1.0).contains(&self.threshold) {
            return wrong("threshold", self.threshold, "0 to 1, 1 excluded");
        }
        Ok(())
    }

    fn limits(&self) -> Limits {
        let losses = self.threshold * f64::from(self.window);
        Limits {
            window: self.window,
            bad: (losses.floor() as u32 + 1).max(2),
            fine: (losses / 4.0).floor() as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const CONFIG: Config = Config {
        interval: 1_000_000_000,
        t1_probes: None,
        window: 16,
        threshold: 0.25,
    };
    const SMALL: Topology = Topology {
        planes: 2,
        pods: 1,
        t0s: 2,
        t1s: 2,
        t2s: 0,
        nics_per_t0: 4,
        rails: 1,
    };

    #[test]
    fn limits_by_hand() {
        let limits = |window, threshold| {
            let Limits { bad, fine, .. } = Config {
                window,
                threshold,
                ..CONFIG
            }
            .limits();
            (bad, fine)
        };
        // More than a quarter of 16 is 5; a quarter of a quarter is 1.
        assert_eq!(limits(16, 0.25), (5, 1));
        assert_eq!(limits(64, 0.25), (17, 4));
        assert_eq!(limits(10, 0.5), (6, 1));
        // Never one loss alone.
        assert_eq!(limits(2, 0.25), (2, 0));
        assert_eq!(limits(16, 0.0), (2, 0));
        assert_eq!(limits(4, 0.99), (4, 0));
    }

    #[test]
    fn a_round_by_hand() {
        let plan = Plan::new(SMALL, CONFIG).unwrap();
        // Two T1s in two planes are four cables for four NICs: one each, beside a T0 probe in each plane.
        assert!((0..8).all(|nic| plan.probes(nic, 0) == 3));
        let errands = |nic, round| {
            [0, 1, 2].map(|index| {
                let Errand { plane, target, .. } = plan.errand(nic, round, index);
                (plane, target)
            })
        };
        assert_eq!(
            errands(0, 0),
            [(0, Target::T0), (1, Target::T0), (0, Target::T1(0))]
        );
        // NIC 1 starts one further on, and has the next cable: T1 0 in plane 1.
        assert_eq!(
            errands(1, 0),
            [(1, Target::T0), (1, Target::T1(0)), (0, Target::T0)]
        );
        // NIC 5 is in place 1 at T0 1: offset 1 more gives it T1 1 in plane 0.
        assert_eq!(
            errands(5, 0),
            [(1, Target::T0), (0, Target::T1(1)), (0, Target::T0)]
        );
        // A round later NIC 0 has what NIC 1 had.
        assert_eq!(errands(0, 1)[2], (1, Target::T1(0)));
    }

    #[test]
    fn a_quota_is_of_a_node() {
        let rails = Topology { rails: 2, ..SMALL };
        let probes = |t1_probes| {
            Plan::new(rails, Config { t1_probes, ..CONFIG })
                .unwrap()
                .probes(0, 0)
        };
        // Two T0 probes, and of 3 T1 probes for two NICs two each.
        assert_eq!(probes(Some(3)), 4);
        assert_eq!(probes(Some(0)), 2);
    }

    #[test]
    fn probes_are_spread_evenly() {
        let plan = Plan::new(SMALL, CONFIG).unwrap();
        let mut times: Vec<u64> = (0..8)
            .flat_map(|nic| (0..3).map(move |index| (nic, index)))
            .map(|(nic, index)| plan.send_time(nic, 5, index, 3))
            .collect();
        times.sort_unstable();
        // 24 probes in 1 ms, one each 41.67 µs, from 5 ms on; rounded down to whole picoseconds.
        let even: Vec<u64> = (0..24).map(|i| 5_000_000_000 + i * 1_000_000_000 / 24).collect();
        assert_eq!(times, even);
        assert!(times.iter().all(|&at| at < plan.begin(6)));
    }

    #[test]
    fn known_and_slowest() {
        let plan = Plan::new(SMALL, CONFIG).unwrap();
        assert_eq!(plan.known_at(3), 5_000_000_000);
        // Five losses, the round under way, and the one that it takes to know.
        assert_eq!(plan.slowest_verdict(), 7_000_000_000);
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let wrong = [
            (
                Config {
                    interval: 999_999,
                    ..CONFIG
                },
                "interval is 999999; expected 1e6 to 1e15 ps",
            ),
            (
                Config {
                    t1_probes: Some(65_537),
                    ..CONFIG
                },
                "t1_probes is 65537; expected at most 65536",
            ),
            (Config { window: 1, ..CONFIG }, "window is 1; expected 2 to 64"),
            (Config { window: 65, ..CONFIG }, "window is 65; expected 2 to 64"),
            (
                Config {
                    threshold: 1.0,
                    ..CONFIG
                },
                "threshold is 1; expected 0 to 1, 1 excluded",
            ),
            (
                Config {
                    threshold: f64::NAN,
                    ..CONFIG
                },
                "threshold is NaN; expected 0 to 1, 1 excluded",
            ),
        ];
        for (config, message) in wrong {
            assert_eq!(Plan::new(SMALL, config).unwrap_err().to_string(), message);
        }
    }
}
