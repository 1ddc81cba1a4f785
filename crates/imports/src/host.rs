//! Imported policies and traffic as a scenario of one host that can be run.
//!
//! A host scenario has one security group for each VM, with one prefix and one range of ports on each side of a rule; its VMs have
//! the addresses 10.1.0.4 and on. So a rule is written out in full, its own side is decided here by the VM's real address, and
//! what does not fit becomes a note. [`vfp::Policy`] has all that the input says: `process-tuples` asks that one.

mod replay;
mod rules;

use crate::azure::balancer::Balancer;
use crate::dash::Dash;
use crate::place::Place;
use crate::report::Report;
use crate::{Content, Imported, Note, Options, Problem};
use gft::Protocol;
use scenario::Rate;
use scenario::host::{FlowLimits, HostScenario, Snat, Vm, limits};
use std::collections::BTreeMap;

/// SNAT ports are given out in blocks of so many (documented).
const BLOCK: u16 = 8;

/// A host scenario of several inputs, which have names for notes. Policies and VMs are put together with the flows that were
/// recorded: security groups apply to every VM, ENIs are VMs of their own, and flows belong to the VM with their MAC address.
///
/// # Errors
/// What cannot be made of them, each with its place.
pub fn host_scenario(
    inputs: &[(String, Imported)],
    options: &Options,
) -> Result<(HostScenario, Vec<Note>), Vec<Problem>> {
    let mut report = Report::default();
    let mut nsg = None;
    let mut snat = None;
    let mut named = BTreeMap::new();
    for (name, imported) in inputs {
        match &imported.content {
            Content::SecurityGroups(groups) => match rules::chosen(groups, name, &mut report) {
                Some(group) if nsg.is_none() => nsg = Some(group),
                Some(group) => report.note(
                    format!("{name}: group {}", group.name),
                    "a second policy is not used",
                    "a host scenario has one security group for each VM; `process-tuples` takes each file by itself",
                ),
                None => {}
            },
            Content::LoadBalancers(balancers) => snat = snat.or(ports(balancers, name, &mut report)),
            Content::Dash(dash) => enis(dash, name, &mut named, &mut report),
            Content::Flows => {}
        }
    }
    let (traffic, players, until) = replay::traffic(inputs, nsg.is_some(), &mut report);
    let mut vms: Vec<(Vm, Option<Protocol>)> = Vec::new();
    for player in &players {
        let eni = player.mac.and_then(|mac| named.get(&mac.0).cloned());
        let mut vm = eni.unwrap_or_else(|| Vm {
            name: player.mac.map_or_else(String::new, |mac| mac.to_string()),
            ..Vm::default()
        });
        if let Some(protocol) = player.protocol.filter(|_| players.len() > 1) {
            vm.name = format!("{} {protocol}", vm.name).trim().to_owned();
        }
        vms.push((vm, player.protocol));
    }
    let played = |mac: &u64| {
        players
            .iter()
            .any(|player| player.mac.is_some_and(|own| own.0 == *mac))
    };
    vms.extend(
        named
            .iter()
            .filter(|(mac, _)| !played(mac))
            .map(|(_, vm)| (vm.clone(), None)),
    );
    let most = *limits::VMS.end();
    if vms.len() > most {
        report.note(
            "the inputs",
            format!("{} ENIs are not used", vms.len() - most),
            format!("a host scenario has at most {most} VMs"),
        );
        vms.truncate(most);
    }
    if vms.is_empty() {
        vms.push((Vm::default(), None));
    }
    let vms = vms.into_iter().map(|(mut vm, protocol)| {
        vm.policy.filler_rules = 0;
        vm.policy.nsg = nsg.map(|group| rules::of_group(group, options, protocol, &mut report));
        vm.policy.snat = snat.map(|ports| Snat { ports });
        vm
    });
    let vms = vms.collect();
    let names: Vec<&str> = inputs.iter().map(|(name, _)| name.as_str()).collect();
    let scenario = HostScenario {
        version: 1,
        name: format!("Imported: {}", names.join(", "))
            .chars()
            .take(100)
            .collect(),
        about: String::new(),
        seed: 1,
        until,
        host: scenario::host::Host::default(),
        vms,
        traffic,
        events: Vec::new(),
    };
    if let Err(problems) = scenario.validate() {
        for problem in problems {
            report.problem(&Place::Root, format!("the scenario: {problem}"));
        }
    }
    Ok((scenario, report.finish()?))
}

/// The SNAT ports of a VM, as the first outbound rule with a number says. All else of a balancer is only in its policy.
fn ports(balancers: &[Balancer], name: &str, report: &mut Report) -> Option<u16> {
    let mut found = None;
    for balancer in balancers {
        for rule in &balancer.rules {
            report.note(
                format!("{name}: rule {}", rule.name),
                "load-balancing rules are not in the scenario",
                "a host scenario has no balancer; `process-tuples` has",
            );
        }
        for rule in &balancer.nat_rules {
            report.note(
                format!("{name}: rule {}", rule.name),
                "inbound NAT rules are not in the scenario",
                "a host scenario has no balancer; `process-tuples` has",
            );
        }
        for rule in &balancer.outbound_rules {
            let given = rule.ports.filter(|ports| *ports >= BLOCK);
            match (found, given) {
                (None, Some(ports)) => found = Some(ports - ports % BLOCK),
                (_, given) => report.note(
                    format!("{name}: outbound rule {}", rule.name),
                    "the rule is not in the scenario",
                    match given {
                        None => "it gives no number of ports",
                        Some(_) => "the first outbound rule with a number of ports is taken",
                    },
                ),
            }
        }
    }
    found.map(|ports: u16| ports.clamp(*limits::SNAT_PORTS.start(), *limits::SNAT_PORTS.end()))
}

/// ENIs as VMs, by MAC address: their bandwidth and their limit on flows. ACLs, routes and mappings are only in their policies.
fn enis(dash: &Dash, name: &str, vms: &mut BTreeMap<u64, Vm>, report: &mut Report) {
    for (key, eni) in &dash.enis {
        report.note(
            format!("{name}: ENI {key}"),
            "its ACL stages, routes and mappings are not in the scenario",
            "a host scenario has one security group for each VM and one virtual network; `process-tuples` has them",
        );
        let mut vm = Vm {
            name: key.chars().take(60).collect(),
            ..Vm::default()
        };
        if let Some(qos) = eni.qos.as_ref().and_then(|key| dash.qos.get(key)) {
            let rate = Rate(qos.bw.saturating_mul(1_000));
            vm.rate = Some(rate.clamp(*limits::RATE.start(), *limits::RATE.end()));
            // A connection is two flows.
            let flows = qos
                .flows
                .saturating_mul(2)
                .clamp(2, u64::from(*limits::FLOW_LIMIT.end()));
            vm.limits = FlowLimits {
                total: flows as u32,
                half_open: None,
            };
            report.note(
                format!("{name}: ENI {key}"),
                format!(
                    "its limit of {} connections per second is not in the scenario",
                    qos.cps
                ),
                "what limits connections there is the time of the vSwitch's cores",
            );
        }
        vms.insert(eni.mac.0, vm);
    }
}
