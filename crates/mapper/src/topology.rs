//! The fabric as Clustermapper sees it: how many there are of what, and who is cabled to whom.

use crate::Problem;

/// The fabric's dimensions. Switches are numbered within a plane, NICs within the fabric; planes are alike.
///
/// Each T0 has one link to each T1 of its pod. T1 number i of a pod has one link to each of the T2s i·k … i·k+k−1, with k
/// T2s a T1: so each T2 has one link to one T1 of each pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topology {
    /// Parallel planes, 1 to 8. Every NIC has one port in each.
    pub planes: u32,
    /// Pods; 1 where there are no T2s.
    pub pods: u32,
    /// T0s of a plane, in all pods; a multiple of `pods` and of `rails`.
    pub t0s: u32,
    /// T1s of a plane, in all pods; a multiple of `pods`.
    pub t1s: u32,
    /// T2s of a plane: 0 for two tiers, otherwise a multiple of the T1s of a pod.
    pub t2s: u32,
    /// NICs at each T0.
    pub nics_per_t0: u32,
    /// NICs of a node; the k-th is at a T0 of rail k.
    pub rails: u32,
}

impl Topology {
    /// Checks that the numbers fit together.
    ///
    /// # Errors
    /// The first that does not.
    pub fn check(&self) -> Result<(), Problem> {
        let wrong = |what, value, expected| {
            Err(Problem {
                what,
                value: f64::from(value),
                expected,
            })
        };
        if !(1..=8).contains(&self.planes) {
            return wrong("planes", self.planes, "1 to 8");
        }
        if self.pods == 0 || self.t2s == 0 && self.pods != 1 {
            return wrong("pods", self.pods, "at least 1, and 1 without T2s");
        }
        if self.rails == 0 {
            return wrong("rails", self.rails, "at least 1");
        }
        if self.t0s == 0 || !self.t0s.is_multiple_of(self.pods) || !self.t0s.is_multiple_of(self.rails) {
            return wrong("t0s", self.t0s, "a multiple of pods and of rails, at least 1");
        }
        if self.t1s == 0 || !self.t1s.is_multiple_of(self.pods) {
            return wrong("t1s", self.t1s, "a multiple of pods, at least 1");
        }
        if !self.t2s.is_multiple_of(self.t1s_per_pod()) {
            return wrong("t2s", self.t2s, "0 or a multiple of the T1s of a pod");
        }
        if self.nics_per_t0 == 0 {
            return wrong("nics_per_t0", self.nics_per_t0, "at least 1");
        }
        // Link numbers and NIC numbers are 32 bits wide.
        let nics = u64::from(self.t0s) * u64::from(self.nics_per_t0);
        let trunks = u64::from(self.t0s) * u64::from(self.t1s) + u64::from(self.pods) * u64::from(self.t2s);
        if u64::from(self.planes) * (nics + trunks) > u64::from(u32::MAX) {
            return wrong("t0s", self.t0s, "a fabric of fewer than 2^32 cables");
        }
        Ok(())
    }

    /// NICs of the fabric.
    pub const fn nics(&self) -> u32 {
        self.t0s * self.nics_per_t0
    }

    /// Nodes of the fabric.
    pub const fn nodes(&self) -> u32 {
        self.nics() / self.rails
    }

    /// T0s of a plane and pod.
    pub const fn t0s_per_pod(&self) -> u32 {
        self.t0s / self.pods
    }

    /// T1s of a plane and pod.
    pub const fn t1s_per_pod(&self) -> u32 {
        self.t1s / self.pods
    }

    /// T2s that one T1 is cabled to; 0 in two tiers.
    pub const fn t2s_per_t1(&self) -> u32 {
        self.t2s / self.t1s_per_pod()
    }

    /// The T0, of any plane, that a NIC is cabled to.
    pub const fn t0_of(&self, nic: u32) -> u32 {
        nic / self.nics_per_t0
    }

    /// The NIC's place among those of its T0.
    pub const fn place_of(&self, nic: u32) -> u32 {
        nic % self.nics_per_t0
    }

    /// The pod of a T0.
    pub const fn pod_of_t0(&self, t0: u32) -> u32 {
        t0 / self.t0s_per_pod()
    }

    /// The T1 of `pod` that is cabled to a T2.
    pub const fn t1_at(&self, pod: u32, t2: u32) -> u32 {
        pod * self.t1s_per_pod() + t2 / self.t2s_per_t1()
    }

    /// The node of a NIC. Nodes are cabled in groups: as many as a T0 has NICs, to as many T0s as there are rails.
    pub const fn node_of(&self, nic: u32) -> u32 {
        self.t0_of(nic) / self.rails * self.nics_per_t0 + self.place_of(nic)
    }

    /// NIC–T0 cables of the fabric.
    pub const fn nic_links(&self) -> u64 {
        self.planes as u64 * self.nics() as u64
    }

    /// T0–T1 cables of the fabric.
    pub const fn t0_t1_links(&self) -> u64 {
        self.planes as u64 * self.t0s as u64 * self.t1s_per_pod() as u64
    }

    /// T1–T2 cables of the fabric.
    pub const fn t1_t2_links(&self) -> u64 {
        self.planes as u64 * self.pods as u64 * self.t2s as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_TIERS: Topology = Topology {
        planes: 8,
        pods: 1,
        t0s: 512,
        t1s: 256,
        t2s: 0,
        nics_per_t0: 256,
        rails: 1,
    };
    /// The paper's three tiers: 64 pods of 32 T0s, each with 32 NICs and 32 T1s, and 1,024 T2s.
    const THREE_TIERS: Topology = Topology {
        planes: 1,
        pods: 64,
        t0s: 2_048,
        t1s: 2_048,
        t2s: 1_024,
        nics_per_t0: 32,
        rails: 1,
    };

    #[test]
    fn the_papers_fabrics() {
        assert_eq!(TWO_TIERS.check(), Ok(()));
        assert_eq!(TWO_TIERS.nics(), 131_072);
        assert_eq!(TWO_TIERS.t0_t1_links(), 1_048_576, "facts, section 6");
        assert_eq!(THREE_TIERS.check(), Ok(()));
        assert_eq!(THREE_TIERS.nics(), 65_536);
        // Full bisection: as many cables at each tier.
        assert_eq!(THREE_TIERS.t0_t1_links(), 65_536);
        assert_eq!(THREE_TIERS.t1_t2_links(), 65_536);
        assert_eq!(THREE_TIERS.t2s_per_t1(), 32);
        // T2s 0 to 31 are cabled to the first T1 of each pod, T2 1,023 to the last.
        assert_eq!(
            (
                THREE_TIERS.t1_at(0, 31),
                THREE_TIERS.t1_at(0, 32),
                THREE_TIERS.t1_at(63, 1_023)
            ),
            (0, 1, 2_047)
        );
    }

    #[test]
    fn a_nodes_nics_are_one_on_each_rail() {
        let topology = Topology {
            rails: 4,
            t0s: 8,
            nics_per_t0: 2,
            ..TWO_TIERS
        };
        assert_eq!(topology.nodes(), 4);
        // T0s 0 to 3 are the four rails of nodes 0 and 1, T0s 4 to 7 those of nodes 2 and 3.
        let of_node = |node| (0..16).filter(move |&nic| topology.node_of(nic) == node);
        assert_eq!(of_node(0).collect::<Vec<_>>(), [0, 2, 4, 6]);
        assert_eq!(of_node(3).collect::<Vec<_>>(), [9, 11, 13, 15]);
    }

    #[test]
    fn what_does_not_fit_together_is_named() {
        let wrong: [(Topology, &str); 9] = [
            (
                Topology {
                    planes: 9,
                    ..TWO_TIERS
                },
                "planes is 9; expected 1 to 8",
            ),
            (
                Topology { pods: 2, ..TWO_TIERS },
                "pods is 2; expected at least 1, and 1 without T2s",
            ),
            (
                Topology {
                    pods: 0,
                    ..THREE_TIERS
                },
                "pods is 0; expected at least 1, and 1 without T2s",
            ),
            (
                Topology {
                    rails: 0,
                    ..TWO_TIERS
                },
                "rails is 0; expected at least 1",
            ),
            (
                Topology {
                    rails: 3,
                    ..TWO_TIERS
                },
                "t0s is 512; expected a multiple of pods and of rails, at least 1",
            ),
            (
                Topology {
                    t1s: 100,
                    ..THREE_TIERS
                },
                "t1s is 100; expected a multiple of pods, at least 1",
            ),
            (
                Topology {
                    t2s: 100,
                    ..THREE_TIERS
                },
                "t2s is 100; expected 0 or a multiple of the T1s of a pod",
            ),
            (
                Topology {
                    nics_per_t0: 0,
                    ..TWO_TIERS
                },
                "nics_per_t0 is 0; expected at least 1",
            ),
            (
                Topology {
                    t0s: 1 << 20,
                    t1s: 1 << 20,
                    ..TWO_TIERS
                },
                "t0s is 1048576; expected a fabric of fewer than 2^32 cables",
            ),
        ];
        for (topology, message) in wrong {
            assert_eq!(topology.check().unwrap_err().to_string(), message);
        }
    }
}
