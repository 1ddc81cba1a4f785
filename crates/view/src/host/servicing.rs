//! What can be done to a host by hand, and how it becomes an event of the scenario.

use scenario::Time;
use scenario::host::{Access, HostEvent, HostScenario, NsgRule, RuleDirection};

/// What can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Take one VM's VF away for a while.
    Revoke,
    /// Load the FPGA anew.
    Reconfigure,
    /// Replace the host's NIC driver.
    Driver,
    /// Move the VM to another host.
    Migrate,
    /// Move the VM to another host, and leave its flow state behind.
    MigrateBare,
    /// Replace a VM's ACL layer by an equal one: the generation goes up.
    Policy,
    /// Add a rule that denies the VM new flows to port 443 of anybody.
    Deny,
}

impl Act {
    /// All.
    pub const ALL: [Act; 7] = [
        Act::Revoke,
        Act::Reconfigure,
        Act::Driver,
        Act::Migrate,
        Act::MigrateBare,
        Act::Policy,
        Act::Deny,
    ];

    /// For tests.
    pub const fn slug(self) -> &'static str {
        match self {
            Act::Revoke => "vf-revoke",
            Act::Reconfigure => "fpga-reconfig",
            Act::Driver => "driver-update",
            Act::Migrate => "migrate",
            Act::MigrateBare => "migrate-bare",
            Act::Policy => "policy-change",
            Act::Deny => "deny",
        }
    }

    /// On its button.
    pub const fn name(self) -> &'static str {
        match self {
            Act::Revoke => "Revoke the VF",
            Act::Reconfigure => "Load the FPGA",
            Act::Driver => "Update the driver",
            Act::Migrate => "Migrate the VM",
            Act::MigrateBare => "Migrate, state lost",
            Act::Policy => "Change the policy",
            Act::Deny => "Deny new to 443",
        }
    }

    /// What it does, in a sentence.
    pub const fn doc(self) -> &'static str {
        match self {
            Act::Revoke => "The VM's VF is taken away and given back; TCP goes on over the synthetic path",
            Act::Reconfigure => "All VFs go, the FPGA is loaded anew with empty tables, all VFs come back",
            Act::Driver => "All VFs go, the host's NIC driver is replaced, all VFs come back",
            Act::Migrate => {
                "The VM stands still for a moment and goes on, on another host, with its flow state"
            }
            Act::Policy => {
                "The ACL layer is replaced by an equal one: every flow is stale until its next packet"
            }
            Act::MigrateBare => {
                "The VM goes on on another host without its flow state: established flows are unknown there and cut"
            }
            Act::Deny => {
                "A rule that denies new flows to port 443. The ACL is stateful, as a cloud's security groups are: flows that it let \
                 through are reconciled and go on, later ones are dropped. To cut those too, migrate the VM without its flow state"
            }
        }
    }

    /// True where it is done to the host as a whole.
    pub const fn is_of_host(self) -> bool {
        matches!(self, Act::Reconfigure | Act::Driver)
    }

    /// The event, at `at` and for a fitting while: a fifth of what is left of the run, but at least a millisecond and not more
    /// than the documented 30 s.
    pub fn event(self, scenario: &HostScenario, vm: u32, at: Time) -> HostEvent {
        let left = scenario.until.0.saturating_sub(at.0);
        let duration = Time((left / 5).clamp(Time::ms(1).0, Time::s(30).0));
        match self {
            Act::Revoke => HostEvent::VfRevoke {
                at,
                vm: Some(vm),
                duration,
            },
            Act::Reconfigure => HostEvent::FpgaReconfig {
                at,
                duration,
                wire_outage: Time(0),
            },
            Act::Driver => HostEvent::DriverUpdate { at, duration },
            Act::Migrate | Act::MigrateBare => HostEvent::Migrate {
                at,
                vm,
                blackout: Time((left / 20).clamp(Time::ms(1).0, Time::ms(200).0)),
                carry_state: self == Act::Migrate,
            },
            Act::Policy => HostEvent::PolicyChange {
                at,
                vm,
                add: Vec::new(),
            },
            Act::Deny => HostEvent::PolicyChange {
                at,
                vm,
                add: vec![NsgRule {
                    name: "deny-443".into(),
                    priority: 100,
                    direction: RuleDirection::Outbound,
                    access: Access::Deny,
                    protocol: "tcp".into(),
                    source: "*".into(),
                    source_ports: "*".into(),
                    destination: "*".into(),
                    destination_ports: "443".into(),
                }],
            },
        }
    }
}

/// An event in words.
pub fn words(event: &HostEvent) -> String {
    let span = |time: &Time| crate::units::span(time.0 as f64);
    let vm = |vm: &u32| format!("VM {vm}");
    match event {
        HostEvent::PolicyChange { vm: of, add, .. } if add.is_empty() => {
            format!("Policy of {} changed", vm(of))
        }
        HostEvent::PolicyChange { vm: of, add, .. } => {
            let names: Vec<&str> = add.iter().map(|rule| rule.name.as_str()).take(3).collect();
            format!("Policy of {}: {} added", vm(of), names.join(", "))
        }
        HostEvent::VfRevoke { vm: of, duration, .. } => format!(
            "VF of {} away for {}",
            of.as_ref().map_or_else(|| "every VM".into(), vm),
            span(duration)
        ),
        HostEvent::FpgaReconfig {
            duration,
            wire_outage,
            ..
        } if wire_outage.0 > 0 => {
            format!(
                "FPGA loaded, {}; wire dead for {}",
                span(duration),
                span(wire_outage)
            )
        }
        HostEvent::FpgaReconfig { duration, .. } => format!("FPGA loaded, {}", span(duration)),
        HostEvent::DriverUpdate { duration, .. } => format!("NIC driver replaced, {}", span(duration)),
        HostEvent::Migrate {
            vm: of,
            blackout,
            carry_state,
            ..
        } => format!(
            "{} migrates{}, {} still",
            vm(of),
            if *carry_state {
                ""
            } else {
                " without its flow state"
            },
            span(blackout)
        ),
        HostEvent::VfStorm {
            vm: of,
            count,
            period,
            ..
        } => format!("VF of {} goes {count} times, every {}", vm(of), span(period)),
    }
}

/// The scenario without one of its events, and how many of those that are left it had when it was opened: `first` before.
pub fn without_event(scenario: &HostScenario, first: usize, index: usize) -> Option<(HostScenario, usize)> {
    let mut changed = scenario.clone();
    (index < changed.events.len()).then(|| changed.events.remove(index))?;
    Some((changed, first - usize::from(index < first)))
}

/// The scenario with an event that takes effect a picosecond after `now_ps`.
///
/// # Errors
/// What is wrong with that, one line each.
pub fn with_event(
    scenario: &HostScenario,
    act: Act,
    vm: u32,
    now_ps: u64,
) -> Result<HostScenario, Vec<String>> {
    let mut changed = scenario.clone();
    let at = Time(now_ps + 1);
    let event = act.event(scenario, vm, at);
    changed.events.push(event);
    match changed.validate() {
        Ok(()) => Ok(changed),
        Err(problems) => Err(problems.iter().map(ToString::to_string).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::host::find_host_preset;

    #[test]
    fn each_act_is_a_valid_event_a_picosecond_later() {
        let scenario = find_host_preset("host-latency").unwrap().scenario();
        for act in Act::ALL {
            let changed = with_event(&scenario, act, 0, 5_000).unwrap();
            let event = changed.events.last().unwrap();
            assert_eq!(event.at(), Time(5_001), "{act:?}");
            assert!(!words(event).is_empty());
        }
    }

    /// What was there at first and what was done by hand stay apart, whichever is taken out.
    #[test]
    fn events_by_hand_stay_so_when_another_is_removed() {
        let opened = find_host_preset("host-vf-revoke").unwrap().scenario();
        assert_eq!(opened.events.len(), 1);
        let by_hand = with_event(&opened, Act::Policy, 0, 5_000).unwrap();
        let (without_own, first) = without_event(&by_hand, 1, 0).unwrap();
        assert_eq!((first, &without_own.events[..]), (0, &by_hand.events[1..]));
        let (without_hand, first) = without_event(&by_hand, 1, 1).unwrap();
        assert_eq!((first, &without_hand.events), (1, &opened.events));
        assert_eq!(without_event(&by_hand, 1, 2), None);
    }

    #[test]
    fn a_vm_that_is_not_there_is_refused() {
        let scenario = find_host_preset("host-latency").unwrap().scenario();
        let problems = with_event(&scenario, Act::Migrate, 60, 0).unwrap_err();
        assert!(problems[0].contains("vm"), "{problems:?}");
    }
}
