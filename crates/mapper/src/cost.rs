//! What probing costs, as arithmetic.

use crate::Plan;

/// The mean load of all probes, from the schedule alone: nothing is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// T0 probes of a node, per second.
    pub t0_probes: f64,
    /// T1 probes of a node, per second.
    pub t1_probes: f64,
    /// T2 probes of a node, per second.
    pub t2_probes: f64,
    /// Nodes of the fabric.
    pub nodes: f64,
    // Ports of a node's NICs together.
    ports: f64,
}

impl Load {
    /// The load of a plan.
    pub fn of(plan: &Plan) -> Load {
        let topology = plan.topology();
        let nodes = f64::from(topology.nodes());
        let rounds = 1e12 / plan.config().interval as f64;
        let rails = f64::from(topology.rails);
        let shared = |links: u64| match plan.config().t1_probes {
            Some(_) if links == 0 => 0.0,
            Some(of_node) => f64::from(of_node.div_ceil(topology.rails)) * rails,
            None => links as f64 / nodes,
        };
        Load {
            t0_probes: rails * f64::from(topology.planes) * rounds,
            t1_probes: shared(topology.t0_t1_links()) * rounds,
            t2_probes: shared(topology.t1_t2_links()) * rounds,
            nodes,
            ports: rails * f64::from(topology.planes),
        }
    }

    /// Probes of a node, per second.
    pub fn of_node(&self) -> f64 {
        self.t0_probes + self.t1_probes + self.t2_probes
    }

    /// Probes in the whole fabric, per second.
    pub fn of_fabric(&self) -> f64 {
        self.of_node() * self.nodes
    }

    /// Bits per second that a node sends, and receives, for probes of `frame` bytes.
    pub fn bits_of_node(&self, frame: u32) -> f64 {
        self.of_node() * f64::from(frame) * 8.0
    }

    /// The share of a NIC's ports that probes of `frame` bytes take in each direction, at `port_rate` bits per second a port.
    pub fn share_of_ports(&self, frame: u32, port_rate: f64) -> f64 {
        self.bits_of_node(frame) / (self.ports * port_rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Topology};

    fn load(topology: Topology, t1_probes: Option<u32>) -> Load {
        let config = Config {
            interval: 1_000_000_000,
            t1_probes,
            window: 16,
            threshold: 0.25,
        };
        Load::of(&Plan::new(topology, config).unwrap())
    }

    /// Nodes of four 800 Gb/s NICs with eight ports each, as in the paper's tray.
    const TRAYS: Topology = Topology {
        planes: 8,
        pods: 1,
        t0s: 512,
        t1s: 256,
        t2s: 0,
        nics_per_t0: 256,
        rails: 4,
    };

    /// Facts, section 6: 32 T0 probes per ms and node are 32k packets/s; at 128 B 33 Mb/s, 0.001 % of 3.2 Tb/s; with 18,750
    /// nodes 600 M probes/s.
    #[test]
    fn the_facts_t0_probes() {
        // 300 T0s of 250 NICs hold 18,750 nodes of four.
        let load = load(
            Topology {
                t0s: 300,
                nics_per_t0: 250,
                ..TRAYS
            },
            Some(0),
        );
        assert_eq!(load.nodes, 18_750.0);
        assert_eq!(load.of_node(), 32_000.0);
        assert_eq!(load.of_fabric(), 600e6);
        assert_eq!(load.bits_of_node(128), 32.768e6);
        let share = load.share_of_ports(128, 100e9);
        assert_eq!(format!("{:.5} %", share * 100.0), "0.00102 %");
    }

    /// Facts, section 6: 1,048,576 links in 1 ms with 32,768 nodes are 32 T1 probes per ms and node.
    #[test]
    fn the_facts_t1_probes() {
        assert_eq!(TRAYS.t0_t1_links(), 1_048_576);
        let load = load(TRAYS, None);
        assert_eq!(load.nodes, 32_768.0);
        assert_eq!(
            (load.t0_probes, load.t1_probes, load.t2_probes),
            (32_000.0, 32_000.0, 0.0)
        );
    }

    /// The paper's three tiers have as many NICs as cables at each tier: one probe of each kind a NIC and interval.
    #[test]
    fn three_tiers() {
        let topology = Topology {
            planes: 1,
            pods: 64,
            t0s: 2_048,
            t1s: 2_048,
            t2s: 1_024,
            nics_per_t0: 32,
            rails: 1,
        };
        let each = load(topology, None);
        assert_eq!((each.t0_probes, each.t1_probes, each.t2_probes), (1e3, 1e3, 1e3));
        assert_eq!(load(topology, Some(5)).of_node(), 11e3);
    }

    /// What is computed is what the agents do.
    #[test]
    fn load_is_what_the_schedule_has() {
        for (topology, t1_probes) in [
            (TRAYS, None),
            (
                Topology {
                    t0s: 8,
                    nics_per_t0: 3,
                    ..TRAYS
                },
                Some(7),
            ),
        ] {
            let config = Config {
                interval: 1_000_000_000,
                t1_probes,
                window: 16,
                threshold: 0.25,
            };
            let plan = Plan::new(topology, config).unwrap();
            let probes: u64 = (0..topology.nics())
                .map(|nic| u64::from(plan.probes(nic, 3)))
                .sum();
            assert_eq!(Load::of(&plan).of_fabric(), probes as f64 * 1e3);
        }
    }
}
