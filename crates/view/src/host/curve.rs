//! The curve that answers a scenario's question: many short runs, each with another value of what the question is about.

use lab::Stats;
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

/// What the runs with one value came to, over their seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The value varied.
    pub x: f64,
    /// What came of it.
    pub y: Stats,
    /// Mean load of the exception cores, 0 to 1.
    pub load: f64,
}

impl Summary {
    /// Of the points with one value each, in the order in which the values came first. A point that is no number is left out.
    pub fn of(points: &[CurvePoint]) -> Vec<Summary> {
        let mut values: Vec<f64> = Vec::new();
        for point in points {
            if !values.contains(&point.x) {
                values.push(point.x);
            }
        }
        values
            .into_iter()
            .filter_map(|x| {
                let of: Vec<&CurvePoint> = points.iter().filter(|point| point.x == x).collect();
                let ys: Vec<f64> = of.iter().map(|point| point.y).collect();
                Some(Summary {
                    x,
                    y: Stats::of(&ys)?,
                    load: of.iter().map(|point| point.load).sum::<f64>() / of.len() as f64,
                })
            })
            .collect()
    }

    /// The ends of the 95 % confidence interval of the mean; the mean itself where one run alone gives none.
    pub fn interval(&self) -> [f64; 2] {
        let half = self.y.ci95.unwrap_or(0.0);
        [self.y.mean - half, self.y.mean + half]
    }
}

/// What a curve says, in a sentence with intervals; empty of no point.
pub fn sentence(curve: Curve, summaries: &[Summary]) -> String {
    let (Some(first), Some(last)) = (summaries.first(), summaries.last()) else {
        return String::new();
    };
    let per_second = crate::units::per_second;
    let with = |of: &Summary, text: fn(f64) -> String| match of.y.ci95 {
        Some(half) => format!("{} ± {}", text(of.y.mean), text(half)),
        None => text(of.y.mean),
    };
    match curve {
        Curve::Connections => match summaries.iter().find(|of| of.y.mean < 0.95 * of.x) {
            Some(knee) => format!(
                "Less than 95 % are opened from {} on, of which {} are; of {}, {} are.",
                per_second(knee.x),
                with(knee, per_second),
                per_second(last.x),
                with(last, per_second)
            ),
            None => format!(
                "At least 95 % are opened up to {}, of which {} are.",
                per_second(last.x),
                with(last, per_second)
            ),
        },
        Curve::Flood => format!(
            "Beside {} SYNs {} of the honest connections open, beside {} {}.",
            per_second(first.x),
            with(first, crate::units::percent),
            per_second(last.x),
            with(last, crate::units::percent)
        ),
        Curve::Flows => format!(
            "Of {} flows {} packets arrive, of {} flows {}.",
            crate::units::count(first.x as u64),
            with(first, per_second),
            crate::units::count(last.x as u64),
            with(last, per_second)
        ),
    }
}

/// The values of a sweep, each with `seeds` seeds from the scenario's own on: the values go first, so that a curve of one seed each is
/// there soon.
pub fn jobs(values: &[f64], seed: u64, seeds: u32) -> Vec<(f64, u64)> {
    (0..u64::from(seeds))
        .flat_map(|n| values.iter().map(move |&value| (value, seed.wrapping_add(n))))
        .collect()
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

    /// Of 1 and 3: mean 2, s² = 2, and Student's t(0.975; 1) = 12.7062, so 2 ± 12.7062 · √(2/2).
    #[test]
    fn points_of_one_value_have_a_mean_and_an_interval() {
        let point = |x, y, load| CurvePoint { x, y, load };
        let points = [point(5.0, 1.0, 0.2), point(9.0, 7.0, 1.0), point(5.0, 3.0, 0.4)];
        let found = Summary::of(&points);
        assert_eq!((found.len(), found[0].x, found[1].x), (2, 5.0, 9.0));
        assert_eq!((found[0].y.n, found[0].y.mean), (2, 2.0));
        assert!((found[0].load - 0.3).abs() < 1e-12);
        let [low, high] = found[0].interval();
        assert!((low + 10.7062).abs() < 1e-3 && (high - 14.7062).abs() < 1e-3);
        assert_eq!((found[1].y.ci95, found[1].interval()), (None, [7.0, 7.0]));
        assert!(Summary::of(&[]).is_empty());
    }

    /// The knee is the first value of which less than 95 % come through: 190 of 200 are just 95 %, 240 of 300 are 80 %.
    #[test]
    fn a_curve_is_a_sentence() {
        let of = |points: &[(f64, f64)]| {
            let points: Vec<CurvePoint> = points
                .iter()
                .map(|&(x, y)| CurvePoint { x, y, load: 0.0 })
                .collect();
            Summary::of(&points)
        };
        let knee = of(&[(100.0, 100.0), (200.0, 190.0), (300.0, 240.0), (400.0, 250.0)]);
        assert_eq!(
            sentence(Curve::Connections, &knee),
            "Less than 95 % are opened from 300/s on, of which 240/s are; of 400/s, 250/s are."
        );
        assert_eq!(
            sentence(Curve::Connections, &knee[..2]),
            "At least 95 % are opened up to 200/s, of which 190/s are."
        );
        let flood = of(&[(1_000.0, 1.0), (1_000.0, 1.0), (2_000.0, 0.5), (2_000.0, 0.5)]);
        assert_eq!(
            sentence(Curve::Flood, &flood),
            "Beside 1 k/s SYNs 100 % ± 0 % of the honest connections open, beside 2 k/s 50 % ± 0 %."
        );
        assert_eq!(sentence(Curve::Flows, &[]), "");
    }

    #[test]
    fn each_value_has_its_seeds() {
        assert_eq!(
            jobs(&[1.0, 2.0], u64::MAX, 2),
            [(1.0, u64::MAX), (2.0, u64::MAX), (1.0, 0), (2.0, 0)]
        );
        assert!(jobs(&[], 1, 3).is_empty());
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
