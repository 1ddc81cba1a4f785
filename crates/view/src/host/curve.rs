//! The curve that answers a scenario's question: many short runs, each with another value of what the question is about.

use scenario::host::{HostScenario, Traffic};
use serde::{Deserialize, Serialize};

/// What is varied, and what is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Curve {
    /// Connections opened against connections asked for, both per second.
    #[default]
    Connections,
    /// The share of the honest connections that open against the SYNs per second beside them.
    Flood,
    /// Packets that arrive per second against flows.
    Flows,
}

impl Curve {
    /// The question of a scenario, by its traffic: a flood beside connections, connections, many flows.
    pub fn of(scenario: &HostScenario) -> Option<Curve> {
        let has = |kind: fn(&Traffic) -> bool| scenario.traffic.iter().any(kind);
        if has(|traffic| matches!(traffic, Traffic::Connections { .. })) {
            let flood = has(|traffic| matches!(traffic, Traffic::SynFlood { .. }));
            return Some(if flood { Curve::Flood } else { Curve::Connections });
        }
        has(|traffic| matches!(traffic, Traffic::Flows { .. })).then_some(Curve::Flows)
    }

    /// The values to run with, from the least to the greatest: multiples of the scenario's own, those left out with which it
    /// could not be run.
    pub fn values(self, scenario: &HostScenario) -> Vec<f64> {
        let factors: [f64; 9] = match self {
            Curve::Connections => [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0],
            Curve::Flood => [0.01, 0.03, 0.05, 0.1, 0.15, 0.2, 0.5, 1.0, 2.0],
            Curve::Flows => [
                1.0 / 64.0,
                1.0 / 32.0,
                1.0 / 16.0,
                1.0 / 8.0,
                1.0 / 4.0,
                0.5,
                1.0,
                2.0,
                4.0,
            ],
        };
        let Some(own) = self.value(scenario) else {
            return Vec::new();
        };
        let runs = |&value: &f64| {
            let mut changed = scenario.clone();
            self.set(&mut changed, value) && changed.validate().is_ok()
        };
        let mut values: Vec<f64> = factors
            .iter()
            .map(|factor| self.rounded(factor * own))
            .filter(runs)
            .collect();
        values.dedup();
        values
    }

    fn rounded(self, value: f64) -> f64 {
        match self {
            Curve::Flows => value.round().max(1.0),
            Curve::Connections | Curve::Flood => value,
        }
    }

    fn value(self, scenario: &HostScenario) -> Option<f64> {
        scenario.traffic.iter().find_map(|traffic| match (self, traffic) {
            (Curve::Connections, Traffic::Connections { per_second, .. })
            | (Curve::Flood, Traffic::SynFlood { per_second, .. }) => Some(*per_second),
            (Curve::Flows, Traffic::Flows { flows, .. }) => Some(f64::from(*flows)),
            _ => None,
        })
    }

    /// Changes the scenario to run with `value`; false where there is nothing to be changed. A flood begins with the run then, so
    /// that all connections have it beside them.
    pub fn set(self, scenario: &mut HostScenario, value: f64) -> bool {
        for traffic in &mut scenario.traffic {
            match (self, traffic) {
                (Curve::Connections, Traffic::Connections { per_second, .. }) => *per_second = value,
                (
                    Curve::Flood,
                    Traffic::SynFlood {
                        per_second, start, ..
                    },
                ) => {
                    *per_second = value;
                    start.0 = 0;
                }
                (Curve::Flows, Traffic::Flows { flows, .. }) => *flows = value as u32,
                _ => continue,
            }
            return true;
        }
        false
    }

    /// The chart's title.
    pub fn title(self) -> &'static str {
        match self {
            Curve::Connections => "Connections opened against asked for",
            Curve::Flood => "Honest connections that open beside a flood",
            Curve::Flows => "Packets that arrive against flows",
        }
    }
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// The value varied: connections or SYNs per second, or flows.
    pub x: f64,
    /// What came of it: connections opened per second, a share of 1, or packets per second.
    pub y: f64,
    /// Load of the exception cores, 0 to 1.
    pub load: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::host::find_host_preset;

    fn preset(name: &str) -> HostScenario {
        find_host_preset(name).expect(name).scenario()
    }

    #[test]
    fn each_question_is_known_by_its_traffic() {
        for (name, curve) in [
            ("host-cps-knee", Some(Curve::Connections)),
            ("host-syn-flood", Some(Curve::Flood)),
            ("host-syn-flood-hardened", Some(Curve::Flood)),
            ("host-cache-cliff-l1", Some(Curve::Flows)),
            ("host-cache-cliff-l2", Some(Curve::Flows)),
            ("host-latency", None),
        ] {
            assert_eq!(Curve::of(&preset(name)), curve, "{name}");
        }
    }

    #[test]
    fn values_are_multiples_of_the_scenarios_own() {
        let cliff = preset("host-cache-cliff-l1");
        // 65,536 flows: a 64th is 1,024; what the VM's limit does not allow is left out.
        let values = Curve::Flows.values(&cliff);
        assert_eq!(
            values[..7],
            [1024.0, 2048.0, 4096.0, 8192.0, 16384.0, 32768.0, 65536.0]
        );
        assert_eq!(
            Curve::Flood.values(&preset("host-syn-flood"))[..2],
            [1_000.0, 3_000.0]
        );
        assert!(Curve::Flood.values(&cliff).is_empty());
        let mut one = cliff.clone();
        assert!(Curve::Flows.set(&mut one, 2.0));
        assert_eq!(Curve::Flows.values(&one), [1.0, 2.0, 4.0, 8.0]);
    }

    #[test]
    fn a_flood_begins_with_the_run() {
        let mut flood = preset("host-syn-flood");
        assert!(Curve::Flood.set(&mut flood, 5_000.0));
        let Traffic::SynFlood {
            per_second, start, ..
        } = &flood.traffic[1]
        else {
            panic!("{:?}", flood.traffic);
        };
        assert_eq!((*per_second, start.0), (5_000.0, 0));
        assert!(!Curve::Flows.set(&mut flood, 1.0));
    }
}
