//! What breaks, and what the VMs notice.

use crate::input::Inputs;
use serde::Serialize;

/// A part of the card that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Component {
    /// Its name.
    pub name: &'static str,
    /// The input that says how often.
    pub input: &'static str,
}

/// The parts, the most frequent to fail first, as the paper has it.
pub const COMPONENTS: [Component; 4] = [
    Component {
        name: "DRAM",
        input: "afr_dram",
    },
    Component {
        name: "cables and transceivers",
        input: "afr_cable",
    },
    Component {
        name: "FPGA and flash",
        input: "afr_fpga",
    },
    Component {
        name: "power supply",
        input: "afr_power",
    },
];

/// What fails in a year.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Failures {
    /// Failures per card, all parts together: the sum of their rates. Exact for rates, and good for shares as small as these.
    pub per_card: f64,
    /// Failures in the fleet for each of [`COMPONENTS`].
    pub fleet: [f64; COMPONENTS.len()],
    /// Failures in the fleet.
    pub fleet_total: f64,
    /// From one failure in the fleet to the next, in minutes; `None` where nothing fails.
    pub minutes_between: Option<f64>,
    /// Minutes that VMs spend on the synthetic path: failures × VMs of a host × minutes until they are moved.
    pub vm_minutes: f64,
    /// The same as a share of all VM minutes, in millionths.
    pub vm_ppm: f64,
}

impl Failures {
    pub(crate) fn of(inputs: &Inputs) -> Failures {
        let rate = |component: Component| inputs.get(component.input).unwrap_or(0.0) / 100.0;
        let fleet = COMPONENTS.map(|component| rate(component) * inputs.fleet);
        let per_card: f64 = COMPONENTS.iter().map(|&component| rate(component)).sum();
        let fleet_total = per_card * inputs.fleet;
        let minutes = crate::cost::HOURS * 60.0;
        let vm_minutes = fleet_total * inputs.vms * inputs.slow_minutes;
        Failures {
            per_card,
            fleet,
            fleet_total,
            minutes_between: (fleet_total > 0.0).then(|| minutes / fleet_total),
            vm_minutes,
            vm_ppm: vm_minutes / (inputs.fleet * inputs.vms * minutes) * 1e6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.4 + 0.2 + 0.1 + 0.1 = 0.8 % of a million cards are 8,000 a year, one in 65.7 minutes; each puts 10 VMs on the slow path
    /// for an hour: 4.8 million VM minutes, which is 0.008 × 60 / 525,600 of all.
    #[test]
    fn the_defaults_by_hand() {
        let failures = Failures::of(&Inputs::default());
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-6 * expected;
        assert!(close(failures.fleet_total, 8_000.0));
        assert!(close(failures.fleet[0], 4_000.0) && close(failures.fleet[1], 2_000.0));
        assert!(close(failures.minutes_between.unwrap(), 65.7));
        assert!(close(failures.vm_minutes, 4_800_000.0));
        assert!(close(failures.vm_ppm, 0.008 * 60.0 / 525_600.0 * 1e6));
    }

    #[test]
    fn nothing_fails_at_a_rate_of_nothing() {
        let inputs = Inputs {
            afr_dram: 0.0,
            afr_cable: 0.0,
            afr_fpga: 0.0,
            afr_power: 0.0,
            ..Inputs::default()
        };
        let failures = Failures::of(&inputs);
        assert_eq!((failures.minutes_between, failures.vm_minutes), (None, 0.0));
    }
}
