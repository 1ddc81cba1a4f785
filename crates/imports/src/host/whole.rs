//! Policies and traffic of several inputs as one scenario that can be run.

use super::{nsg_rules, replay};
use crate::azure::balancer::Balancer;
use crate::azure::known_tag;
use crate::azure::nsg::Nsg;
use crate::dash::Dash;
use crate::node::clip;
use crate::place::Place;
use crate::report::Report;
use crate::{Content, Imported, Note, Options, Problem, RecordedFlow, Term, Traffic};
use gft::{Direction, Mac, Prefix, Protocol};
use scenario::host::{FlowLimits, HostScenario, Policy, Snat, Traffic as Played, Vm, limits};
use scenario::{Rate, Time};
use std::collections::BTreeMap;

/// SNAT ports are given out in blocks of so many (documented).
const BLOCK: u16 = 8;
/// The answers of a flow begin so long after it; our choice, so that VFP sees the flow from the side that began it.
const ANSWERS_AFTER: Time = Time::ms(1);
/// What is left of a run after the last packet; our choice.
const TAIL: Time = Time::s(1);

/// Whose flows a VM of the scenario plays.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Player {
    /// The VM's MAC address, where the record tells.
    mac: Option<Mac>,
    /// The protocol that its flows had; none where no policy asks for it.
    protocol: Option<Protocol>,
}

/// One host with what several inputs say; each has a name for notes. A security group applies to every VM, ENIs are VMs of their
/// own, and flows belong to the VM with their MAC address. Where there is a security group each protocol has a VM of its own, since
/// flows are played as UDP and the policy must be asked for the protocol that they had.
///
/// A rule's own side is decided here by the VM's real address: VMs of a scenario have other ones. Where that address is not known,
/// what stands there is taken to mean it. Default rules are written out, so that `VirtualNetwork` has its real meaning.
///
/// # Errors
/// What cannot be made of the inputs.
pub fn scenario(
    inputs: &[(String, Imported)],
    options: &Options,
) -> Result<(HostScenario, Vec<Note>), Vec<Problem>> {
    let mut report = Report::default();
    let mut notes = Vec::new();
    let (mut groups, mut snat, mut enis): (Vec<&Nsg>, _, _) = (Vec::new(), None, BTreeMap::new());
    for (name, imported) in inputs {
        match &imported.content {
            Content::SecurityGroups(own) => groups.extend(own),
            Content::LoadBalancers(balancers) => snat = snat.or(ports(balancers, name, &mut report)),
            Content::Dash(dash) => vms_of(dash, name, &mut enis, &mut report),
            // Tags are for the options with which the others were read.
            Content::ServiceTags(_) | Content::Flows => {}
        }
    }
    let (players, recorded) = by_player(inputs, !groups.is_empty(), &mut report);
    if groups.is_empty() && snat.is_none() && enis.is_empty() && players.is_empty() {
        report.problem(
            &Place::Root,
            "there is nothing in it that a host scenario can have; expected security groups, an outbound rule of a load balancer with its number of ports, ENIs, or flows",
        );
        return Err(report.finish().err().unwrap_or_default());
    }
    let mut traffic = Vec::new();
    for (vm, of_vm) in (0..).zip(&recorded) {
        let (mut flows, more) = replay(of_vm, limits::MAX_TIME);
        add(&mut notes, more);
        // A flow is followed by its answers.
        for i in 1..flows.len() {
            let (before, after) = (&flows[i - 1], &flows[i]);
            let ends = |flow: &scenario::host::ReplayFlow| {
                (flow.at, flow.peer.clone(), flow.peer_port, flow.vm_port)
            };
            if ends(before) == ends(after) && before.from != after.from {
                flows[i].at = Time(flows[i].at.0 + ANSWERS_AFTER.0);
            }
        }
        if !flows.is_empty() {
            traffic.push(Played::Replay { vm, flows });
        }
    }
    let ends = traffic.iter().flat_map(|played| match played {
        Played::Replay { flows, .. } => flows.as_slice(),
        _ => &[],
    });
    let last = ends.map(|flow| flow.at.0.saturating_add(flow.duration.0)).max();
    let until = Time(last.unwrap_or(0).saturating_add(TAIL.0)).min(limits::MAX_TIME);

    let mut vms: Vec<(Vm, Option<Protocol>)> = Vec::new();
    for player in &players {
        let eni = player.mac.and_then(|mac| enis.get(&mac.0).cloned());
        let mut vm: Vm = eni.unwrap_or_else(|| Vm {
            name: player.mac.map_or_else(String::new, |mac| mac.to_string()),
            ..Vm::default()
        });
        if let Some(protocol) = player.protocol.filter(|_| players.len() > 1) {
            vm.name = format!("{} {protocol}", vm.name).trim().to_owned();
        }
        vms.push((vm, player.protocol));
    }
    enis.retain(|&mac, _| !players.iter().any(|player| player.mac == Some(Mac(mac))));
    vms.extend(enis.into_values().map(|vm| (vm, None)));
    if vms.is_empty() {
        vms.push((Vm::default(), None));
    }
    let most = *limits::VMS.end();
    if vms.len() > most {
        report.note(
            "the inputs",
            format!("{} VMs are not used", vms.len() - most),
            format!("a scenario has at most {most}"),
        );
        vms.truncate(most);
    }
    let mut finished: Vec<Vm> = Vec::new();
    for (mut vm, protocol) in vms {
        let asked: Vec<Nsg> = groups
            .iter()
            .map(|group| as_played(group, options, protocol, &mut report))
            .collect();
        let nsg = match asked.is_empty() {
            true => None,
            false => {
                let (rules, more) = nsg_rules(&asked, options)?;
                let told = |note: &Note| {
                    let mut all = inputs.iter().flat_map(|(_, imported)| &imported.notes);
                    all.any(|other| other.what == note.what)
                };
                // Each VM has the same ones.
                add(&mut notes, more.into_iter().filter(|note| !told(note)));
                Some(rules)
            }
        };
        vm.policy = Policy {
            filler_rules: 0,
            nsg,
            snat: snat.map(|ports| Snat { ports }),
            ..Policy::default()
        };
        finished.push(vm);
    }
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
        vms: finished,
        traffic,
        events: Vec::new(),
    };
    if let Err(problems) = scenario.validate() {
        for problem in problems {
            report.problem(&Place::Root, format!("the scenario: {problem}"));
        }
    }
    add(&mut notes, report.finish()?);
    notes.sort_by_key(|note| note.minor);
    Ok((scenario, notes))
}

/// Adds the notes that are not there yet; of notes that differ in how often only, the one that says more.
fn add(notes: &mut Vec<Note>, more: impl IntoIterator<Item = Note>) {
    for note in more {
        let alike =
            |own: &&mut Note| (&own.place, &own.what, &own.why) == (&note.place, &note.what, &note.why);
        match notes.iter_mut().find(alike) {
            Some(own) => own.count = own.count.max(note.count),
            None => notes.push(note),
        }
    }
}

/// The flows of all inputs by who plays them, in one time that begins with the earliest and fits a run.
fn by_player(
    inputs: &[(String, Imported)],
    by_protocol: bool,
    report: &mut Report,
) -> (Vec<Player>, Vec<Traffic>) {
    let with_flows = || {
        inputs
            .iter()
            .filter(|(_, imported)| !imported.traffic.flows.is_empty())
    };
    let origin_ns = with_flows()
        .map(|(_, imported)| imported.traffic.origin_ns)
        .min()
        .unwrap_or(0);
    let mut flows: Vec<RecordedFlow> = Vec::new();
    for (_, imported) in with_flows() {
        let late = imported.traffic.origin_ns.abs_diff(origin_ns);
        flows.extend(imported.traffic.flows.iter().map(|flow| RecordedFlow {
            start_ns: flow.start_ns.saturating_add(late),
            ..*flow
        }));
    }
    let room = (limits::MAX_TIME.0 - TAIL.0 - ANSWERS_AFTER.0) / 1_000;
    let ends = flows
        .iter()
        .map(|flow| flow.start_ns.saturating_add(flow.duration_ns));
    let divisor = ends.max().unwrap_or(0).div_ceil(room).max(1);
    if divisor > 1 {
        report.note(
            "the flows",
            format!(
                "they last longer than {}, the most that a run can",
                limits::MAX_TIME
            ),
            format!("all times are divided by {divisor}"),
        );
    }
    let mut players: Vec<Player> = Vec::new();
    let mut recorded: Vec<Traffic> = Vec::new();
    for flow in &flows {
        let player = Player {
            mac: flow.mac,
            protocol: by_protocol.then_some(flow.tuple.protocol),
        };
        let vm = match players.iter().position(|own| *own == player) {
            Some(vm) => vm,
            None if players.len() < *limits::VMS.end() => {
                players.push(player);
                recorded.push(Traffic {
                    origin_ns,
                    flows: Vec::new(),
                });
                players.len() - 1
            }
            None => {
                report.note(
                    "the flows",
                    "flows of more VMs are not used",
                    format!("a scenario has at most {} VMs", limits::VMS.end()),
                );
                continue;
            }
        };
        recorded[vm].flows.push(RecordedFlow {
            start_ns: flow.start_ns / divisor,
            duration_ns: flow.duration_ns / divisor,
            ..*flow
        });
    }
    if by_protocol && players.len() > 1 {
        report.note(
            "the flows",
            "each protocol has a VM of its own",
            "its rules are those for that protocol, as the flows themselves are played as UDP",
        );
    }
    if !players.is_empty() {
        report.note(
            "the flows",
            "the VM's own address is that of the scenario",
            "VM i has 10.1.0.(4 + i); peers keep theirs",
        );
    }
    (players, recorded)
}

/// A group as it applies to flows that had this protocol and are played as UDP, at a VM whose own address is another one.
fn as_played(group: &Nsg, options: &Options, played: Option<Protocol>, report: &mut Report) -> Nsg {
    let mut asked = group.clone();
    asked.rules.retain_mut(|rule| {
        if played.is_some_and(|played| rule.protocol.is_some_and(|asked| asked != played)) {
            return false;
        }
        if played.is_some() {
            rule.protocol = None;
        }
        rule.is_default = false;
        let own = match rule.direction {
            Direction::In => &mut rule.destinations,
            Direction::Out => &mut rule.sources,
        };
        if options.vm.is_empty() && !own.iter().any(is_everywhere) {
            report.note(
                format!("rule {}", rule.name),
                "the VM's own address is not known",
                "what stands on the rule's own side is taken to mean it",
            );
        }
        let meant = options.vm.is_empty() || own.iter().any(|term| takes_in_the_vm(term, options));
        if !meant {
            report.note(
                format!("rule {}", rule.name),
                "the rule is not used",
                "on its own side stands another address than the VM's",
            );
        }
        *own = vec![Term::Any];
        meant
    });
    asked
}

fn is_everywhere(term: &Term) -> bool {
    match term {
        Term::Any => true,
        Term::Prefix(prefix) => *prefix == Prefix::ANY || *prefix == Prefix::ANY_V4,
        // The virtual network is where the VM is.
        Term::Tag(name) => known_tag(name) == Some(vfp::nsg::VIRTUAL_NETWORK),
        Term::Group(_) => false,
    }
}

fn takes_in_the_vm(term: &Term, options: &Options) -> bool {
    let any = |prefixes: &[Prefix]| {
        prefixes
            .iter()
            .any(|prefix| options.vm.iter().any(|&vm| prefix.contains(vm)))
    };
    is_everywhere(term)
        || match term {
            Term::Any => true,
            Term::Prefix(prefix) => any(&[*prefix]),
            Term::Tag(name) | Term::Group(name) => options.tags.get(name).is_some_and(|own| any(own)),
        }
}

/// The SNAT ports of a VM, as the first outbound rule with a number says. All else of a balancer is only in its policy.
fn ports(balancers: &[Balancer], name: &str, report: &mut Report) -> Option<u16> {
    let mut found = None;
    for balancer in balancers {
        let rules = balancer.rules.iter().map(|rule| &rule.name);
        for rule in rules.chain(balancer.nat_rules.iter().map(|rule| &rule.name)) {
            report.note(
                format!("{name}: rule {rule}"),
                "load balancing and inbound NAT are not in the scenario",
                "its host has no balancer; process-tuples has",
            );
        }
        for rule in &balancer.outbound_rules {
            let place = format!("{name}: outbound rule {}", clip(&rule.name));
            match (found, rule.ports) {
                (None, Some(given)) => {
                    let ports = given - given % BLOCK;
                    let ports = ports.clamp(*limits::SNAT_PORTS.start(), *limits::SNAT_PORTS.end());
                    if ports != given {
                        let why = format!(
                            "ports come in blocks of {BLOCK}, {} at most: {ports} are taken",
                            limits::SNAT_PORTS.end()
                        );
                        report.note(&place, format!("it gives a VM {given} ports"), why);
                    }
                    found = Some(ports);
                }
                (_, given) => report.note(
                    place,
                    "the rule is not in the scenario",
                    match given {
                        None => "it gives no number of ports",
                        Some(_) => "the first outbound rule with a number of ports is taken",
                    },
                ),
            }
        }
    }
    found
}

/// ENIs as VMs, by MAC address: their bandwidth and their limit on flows. ACLs, routes and mappings are only in their policies.
fn vms_of(dash: &Dash, name: &str, vms: &mut BTreeMap<u64, Vm>, report: &mut Report) {
    for (key, eni) in &dash.enis {
        report.note(
            format!("{name}: ENI {key}"),
            "its ACL stages, routes and mappings are not in the scenario",
            "a VM has one security group and one virtual network there; process-tuples has them",
        );
        let mut vm = Vm {
            name: key.chars().take(60).collect(),
            ..Vm::default()
        };
        if let Some(qos) = eni.qos.as_ref().and_then(|key| dash.qos.get(key)) {
            let given = Rate(qos.bw.saturating_mul(1_000));
            let rate = given.clamp(*limits::RATE.start(), *limits::RATE.end());
            if rate != given {
                report.note(
                    format!("{name}: ENI {key}"),
                    format!(
                        "its bandwidth of {} kbit/s is none that a scenario's VM can have",
                        qos.bw
                    ),
                    format!("{rate} is taken"),
                );
            }
            vm.rate = Some(rate);
            // A connection is two flows.
            let given = qos.flows.saturating_mul(2);
            let total = given.clamp(2, u64::from(*limits::FLOW_LIMIT.end()));
            if total != given {
                report.note(
                    format!("{name}: ENI {key}"),
                    format!(
                        "its limit of {} connections is none that a scenario's VM can have",
                        qos.flows
                    ),
                    format!("{} are taken", total / 2),
                );
            }
            vm.limits = FlowLimits {
                total: total as u32,
                ..FlowLimits::default()
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
