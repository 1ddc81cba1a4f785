//! The same policy on host cores, on a multicore SoC, in an ASIC and in an FPGA.

use crate::input::Status;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What has to be carried.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Workload {
    /// Cycles of a core for a packet of a known flow. Derived: a published 5 Gb/s on one core is 406,000 packets/s of 1,538 B on
    /// the wire, at 2.3 GHz (our choice) 5,660 cycles with the copies to and from the guest.
    pub cycles_per_packet: f64,
    /// Cycles of a core for the first packet of a flow. Our choice, from "tens of thousands" of connections a second in software.
    pub cycles_per_connection: f64,
    /// Bytes of a packet on the wire, preamble and gap included.
    pub packet_bytes: f64,
    /// Rate of the line in Gb/s; AccelNet's second generation has 50.
    pub line_gbps: f64,
    /// Cores of the host that set flows up where the card can't do that itself. Our choice.
    pub setup_cores: f64,
}

impl Default for Workload {
    fn default() -> Workload {
        Workload {
            cycles_per_packet: 5_660.0,
            cycles_per_connection: 150_000.0,
            packet_bytes: 1_538.0,
            line_gbps: 50.0,
            setup_cores: 1.0,
        }
    }
}

/// A workload that can't be used.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{field} is {found}; expected a number above 0 and at most 1e12")]
pub struct WorkloadError {
    field: &'static str,
    found: f64,
}

/// What works on packets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Engine {
    /// Cores, of which one serves one flow.
    Cores {
        /// How many.
        count: f64,
        /// Clock in GHz.
        ghz: f64,
        /// Cycles that it needs by those of a host core for the same work.
        slowness: f64,
    },
    /// A pipeline that takes a packet in a fixed number of cycles, whatever its flow.
    Pipeline {
        /// Clock in MHz.
        mhz: f64,
        /// Bytes that it takes in a cycle.
        width: f64,
    },
}

/// How long a change of behaviour takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Software: days.
    Days,
    /// A new FPGA image, tested and rolled out: weeks.
    Weeks,
    /// A new chip: one to two years from specification (AccelNet's hardware choice, facts 4).
    Years,
}

/// One way to carry the policy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Alternative {
    /// Its name.
    pub name: &'static str,
    /// What works on packets of known flows.
    pub packets: Engine,
    /// Who sets flows up; `None` is the host's software, by exception packets.
    pub setup: Option<Engine>,
    /// Mean one-way latency between two VMs in µs.
    pub latency_us: f64,
    /// Where that comes from.
    pub latency_status: Status,
    /// Power in W, host cores that it occupies included.
    pub power: f64,
    /// Where that comes from.
    pub power_status: Status,
    /// How long a change of behaviour takes.
    pub change: Change,
    /// What to know about its parameters.
    pub source: &'static str,
}

/// The four.
pub fn alternatives() -> [Alternative; 4] {
    let host = |count| Engine::Cores {
        count,
        ghz: 2.3,
        slowness: 1.0,
    };
    [
        Alternative {
            name: "host cores",
            packets: host(4.0),
            setup: Some(host(4.0)),
            latency_us: 50.0,
            latency_status: Status::Published,
            power: 20.0,
            power_status: Status::OurChoice,
            change: Change::Days,
            source: "four cores of 5 W (our choice); 50 µs is the paper's mean without AccelNet",
        },
        Alternative {
            name: "multicore SoC",
            packets: Engine::Cores {
                count: 16.0,
                ghz: 2.0,
                slowness: 1.3,
            },
            setup: Some(Engine::Cores {
                count: 16.0,
                ghz: 2.0,
                slowness: 1.3,
            }),
            latency_us: 30.0,
            latency_status: Status::OurChoice,
            power: 35.0,
            power_status: Status::OurChoice,
            change: Change::Days,
            source: "sixteen embedded cores (our choice); the paper finds such cards good at 10G and a single flow poor at 40G and more",
        },
        Alternative {
            name: "ASIC",
            packets: Engine::Pipeline {
                mhz: 1000.0,
                width: 64.0,
            },
            setup: None,
            latency_us: 16.5,
            latency_status: Status::OurChoice,
            power: 10.0,
            power_status: Status::OurChoice,
            change: Change::Years,
            source: "best performance per watt, says the paper, and one to two years from a specification to a chip; the numbers are our choice",
        },
        Alternative {
            name: "FPGA",
            packets: Engine::Pipeline {
                mhz: 200.0,
                width: 32.0,
            },
            setup: None,
            latency_us: 17.0,
            latency_status: Status::Published,
            power: 18.0,
            power_status: Status::Published,
            change: Change::Weeks,
            source: "17 µs and 17 to 19 W are the paper's; clock and width are our choice",
        },
    ]
}

/// What one alternative does with a workload.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Performance {
    /// Packets of known flows, in millions a second; the line allows no more.
    pub packets_mpps: f64,
    /// One flow alone, in Gb/s on the wire.
    pub single_flow_gbps: f64,
    /// Connections a second.
    pub connections_per_s: f64,
    /// W for each Gb/s of the packet rate.
    pub watts_per_gbps: f64,
}

impl Workload {
    /// Whether it can be computed with.
    ///
    /// # Errors
    /// [`WorkloadError`] naming the first field that is not above zero or beyond all reason.
    pub fn check(&self) -> Result<(), WorkloadError> {
        for (field, found) in [
            ("cycles_per_packet", self.cycles_per_packet),
            ("cycles_per_connection", self.cycles_per_connection),
            ("packet_bytes", self.packet_bytes),
            ("line_gbps", self.line_gbps),
            ("setup_cores", self.setup_cores),
        ] {
            if !(found > 0.0 && found <= 1e12) {
                return Err(WorkloadError { field, found });
            }
        }
        Ok(())
    }

    // Units of work a second, of one flow and of many.
    fn rate(&self, engine: Engine, cycles: f64) -> (f64, f64) {
        match engine {
            Engine::Cores { count, ghz, slowness } => {
                let one = ghz * 1e9 / (cycles * slowness);
                (one, one * count)
            }
            Engine::Pipeline { mhz, width } => {
                let all = mhz * 1e6 / (self.packet_bytes / width).ceil();
                (all, all)
            }
        }
    }
}

impl Alternative {
    /// What it does with `workload`: cores share the packets of many flows evenly, one flow stays on one core; a pipeline takes
    /// ⌈bytes ÷ width⌉ cycles for any packet; both are bounded by the line. Where software on the host sets flows up, connections
    /// are bounded by its cores.
    ///
    /// # Errors
    /// [`WorkloadError`].
    pub fn perform(&self, workload: &Workload) -> Result<Performance, WorkloadError> {
        workload.check()?;
        let bits = workload.packet_bytes * 8.0;
        let line = workload.line_gbps * 1e9 / bits;
        let (one, all) = workload.rate(self.packets, workload.cycles_per_packet);
        let setup = self.setup.unwrap_or(Engine::Cores {
            count: workload.setup_cores,
            ghz: 2.3,
            slowness: 1.0,
        });
        let (_, connections) = workload.rate(setup, workload.cycles_per_connection);
        let packets = all.min(line);
        Ok(Performance {
            packets_mpps: packets / 1e6,
            single_flow_gbps: one.min(line) * bits / 1e9,
            connections_per_s: connections,
            watts_per_gbps: self.power / (packets * bits / 1e9),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Performance {
        let found = alternatives().into_iter().find(|a| a.name == name);
        found.expect(name).perform(&Workload::default()).unwrap()
    }

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 0.005 * expected
    }

    /// 2.3 GHz / 5,660 = 406,360 packets/s of 1,538 B: 5.00 Gb/s for one flow, which is what the cycles are derived from, and
    /// four times that for many. 2.3 GHz × 4 / 150,000 = 61,333 connections/s.
    #[test]
    fn host_cores_by_hand() {
        let host = of("host cores");
        assert!(close(host.single_flow_gbps, 5.0));
        assert!(close(host.packets_mpps, 1.6254));
        assert!(close(host.connections_per_s, 61_333.0));
        assert!(close(host.watts_per_gbps, 1.0));
    }

    /// 1,538 B are 49 cycles of 32 B: 4.08 million packets/s at 200 MHz, 50.2 Gb/s, so the line of 50 Gb/s decides: one flow has
    /// it all. One core of the host sets up 15,333 connections/s, as facts 9 assumes.
    #[test]
    fn the_fpga_by_hand() {
        let fpga = of("FPGA");
        assert!(close(fpga.single_flow_gbps, 50.0));
        assert!(close(fpga.packets_mpps, 4.0637));
        assert!(close(fpga.connections_per_s, 15_333.0));
        assert!(close(fpga.watts_per_gbps, 18.0 / 50.0));
    }

    /// What the paper says of the choice: a single flow on a SoC is poor at 40G, an ASIC has the best performance per watt.
    #[test]
    fn the_order_is_that_of_the_paper() {
        assert!(of("multicore SoC").single_flow_gbps < 0.2 * 40.0);
        let mut by_watt =
            alternatives().map(|a| (a.name, a.perform(&Workload::default()).unwrap().watts_per_gbps));
        by_watt.sort_by(|a, b| a.1.total_cmp(&b.1));
        assert_eq!(by_watt[0].0, "ASIC");
        assert_eq!(by_watt[1].0, "FPGA");
    }

    #[test]
    fn a_workload_of_nothing_is_refused() {
        let nothing = Workload {
            packet_bytes: 0.0,
            ..Workload::default()
        };
        let error = alternatives()[0].perform(&nothing).unwrap_err();
        assert_eq!(
            error.to_string(),
            "packet_bytes is 0; expected a number above 0 and at most 1e12"
        );
        let nan = Workload {
            line_gbps: f64::NAN,
            ..Workload::default()
        };
        assert!(nan.check().is_err());
    }
}
