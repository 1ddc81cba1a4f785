//! Clustermapper in a run: agents at the NICs, whose probes are packets like all others, and a collector that judges once an
//! interval. What a verdict leads to is in [`crate::denylist`].
//!
//! Agents belong to the sides their NICs are in. The collector works between two windows, before every packet event of its
//! time, and what follows from it takes effect at that time. A run does not wait for Clustermapper: it ends when its flows are
//! complete, or at its `until`.

use crate::build::BuildError;
use crate::nic::Turn;
use crate::observer::Observer;
use crate::run::{Change, Sim};
use crate::side::Shared;
use fabric::packet::{AGENT, flags};
use fabric::{Clos, Packet, PacketKind, Top, Way};
use kernel::Time;
use mapper::{Collector, Config, Denylist, Element, Plan, Policy, Probe, Target, Topology};
use scenario::{LinkName, Problem, Scenario, SwitchName};
use serde::{Serialize, Serializer};
use std::fmt;

/// Verdicts kept; later ones are only counted.
pub const MAX_VERDICTS: usize = 10_000;

/// An element of the fabric became bad, or is in order again, as far as probes can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// When, ps.
    pub at_ps: u64,
    /// Which.
    pub place: Place,
    /// What it is from then on.
    pub bad: bool,
}

/// A cable or a switch by the scenario's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A cable, of which probes cannot tell the directions apart.
    Link(LinkName),
    /// A switch.
    Switch(SwitchName),
}

impl From<Element> for Place {
    fn from(element: Element) -> Place {
        match element {
            Element::NicT0 { plane, nic } => Place::Link(LinkName::Nic { plane, nic }),
            Element::T0T1 { plane, t1, t0 } => Place::Link(LinkName::T0T1 { plane, t0, t1 }),
            Element::T1T2 { plane, t2, t1 } => Place::Link(LinkName::T1T2 { plane, t1, t2 }),
            Element::T0 { plane, t0: index } => Place::Switch(SwitchName::T0 { plane, index }),
            Element::T1 { plane, t1: index } => Place::Switch(SwitchName::T1 { plane, index }),
            Element::T2 { plane, t2: index } => Place::Switch(SwitchName::T2 { plane, index }),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Link(link) => link.fmt(f),
            Place::Switch(switch) => switch.fmt(f),
        }
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// What Clustermapper has done in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MapperSummary {
    /// Probes sent.
    pub probes: u64,
    /// Probes that were not back within an interval.
    pub lost: u64,
    /// Size of a probe on the wire, preamble and gap included, in bytes.
    pub probe_bytes: u16,
    /// How often an element became bad, or was in order again.
    pub verdicts: u64,
    /// Elements that are bad now.
    pub bad: u64,
}

/// What knows of all agents.
#[derive(Clone, Debug)]
pub(crate) struct Clustermapper {
    collector: Collector,
    policy: Policy,
    pub denylist: Denylist,
    verdicts: Vec<Verdict>,
    // All there were, those that are not kept included.
    count: u64,
}

impl Clustermapper {
    /// One that has heard nothing; none where the scenario has none.
    pub fn new(scenario: &Scenario) -> Option<Clustermapper> {
        let settings = scenario.clustermapper.as_ref()?;
        Some(Clustermapper {
            collector: Collector::new(),
            policy: Policy {
                denylist: settings.denylist,
                degraded_planes: settings.degraded_planes,
            },
            denylist: Denylist::default(),
            verdicts: Vec::new(),
            count: 0,
        })
    }
}

/// The schedule of all probes; none where the scenario has no Clustermapper. `rtt` is that of a full packet and its SACK by way of
/// the highest tier: more than a probe takes, even behind a full packet at each hop.
pub(crate) fn plan(scenario: &Scenario, rtt: Time) -> Result<Option<Plan>, BuildError> {
    let Some(settings) = &scenario.clustermapper else {
        return Ok(None);
    };
    let wrong = |field: &str, reason: String, hint: &str| {
        BuildError::Invalid(vec![Problem {
            field: format!("clustermapper.{field}"),
            reason,
            hint: hint.into(),
        }])
    };
    let shortest = scenario::Time(2 * rtt.0);
    if settings.interval < shortest {
        return Err(wrong(
            "interval",
            format!(
                "is {}; expected at least twice the RTT by way of the highest tier, {shortest}",
                settings.interval
            ),
            "a probe that is not back within an interval counts as lost",
        ));
    }
    let fabric = &scenario.fabric;
    let topology = Topology {
        planes: fabric.planes,
        pods: fabric.pods,
        t0s: fabric.t0_per_plane,
        t1s: fabric.t1_per_plane,
        t2s: fabric.t2_per_plane,
        nics_per_t0: fabric.nics_per_t0,
        rails: fabric.rails,
    };
    let config = Config {
        interval: settings.interval.0,
        t1_probes: settings.t1_probes,
        window: settings.window,
        threshold: settings.threshold,
    };
    let plan = Plan::new(topology, config)
        .map_err(|problem| wrong(problem.what, problem.to_string(), "the fabric has to fit, too"))?;
    Ok(Some(plan))
}

/// The uSIDs of a probe.
fn usids(clos: &Clos, nic: u32, probe: &Probe) -> u64 {
    let (top, path) = match probe.target {
        Target::T0 => (Top::T0, 0),
        Target::T1(t1) => (Top::T1, t1 % clos.t1s_per_pod()),
        Target::T2(t2) => (Top::T2, t2),
    };
    Way::round_trip(clos, nic, top).usids(probe.plane, path)
}

/// The packet that is a probe.
fn packet(shared: &Shared, clos: &Clos, nic: u32, probe: &Probe, now: Time) -> Packet {
    let usids = usids(clos, nic, probe);
    Packet {
        kind: PacketKind::MapperProbe,
        flags: flags::CONTROL,
        conn: AGENT | nic,
        psn: probe.number,
        size: shared.mrc.probe_size,
        sent: now.0,
        bitmap: usids,
        usids,
        ..Packet::default()
    }
}

impl<O: Observer> Turn<'_, O> {
    /// A NIC's agent sends the probes that are due and gives up those that are overdue.
    #[cold]
    pub fn probe(&mut self, nic: u32, now: Time) {
        let Some(plan) = &self.shared.plan else { return };
        let agent = &mut self.side.agents[(nic - self.side.first_nic) as usize];
        let mut probes = core::mem::take(&mut self.side.probes);
        agent.on_timer(plan, now.0, &mut probes, &mut self.side.lost_probes);
        let due = Time(agent.deadline(plan));
        for probe in probes.drain(..) {
            let packet = packet(self.shared, &self.common.config.clos, nic, &probe, now);
            self.part
                .send_control(self.common, self.watcher, probe.plane, nic, &packet, now);
            self.note_port(nic, probe.plane);
        }
        self.side.probes = probes;
        self.set_timer(due, self.shared.agent_object(nic));
    }

    /// A probe is back.
    #[cold]
    pub fn probe_is_back(&mut self, nic: u32, packet: &Packet, now: Time) {
        let number = (nic - self.side.first_nic) as usize;
        if let Some(agent) = self.side.agents.get_mut(number) {
            agent.on_reply(now.0, packet.psn);
        }
    }
}

impl<O: Observer> Sim<O> {
    /// Verdicts so far in order of time; at most [`MAX_VERDICTS`].
    pub fn verdicts(&self) -> &[Verdict] {
        self.mapper.as_ref().map_or(&[], |mapper| &mapper.verdicts)
    }

    /// What Clustermapper has done so far; none where the scenario has none.
    pub fn mapper_summary(&self) -> Option<MapperSummary> {
        let mapper = self.mapper.as_ref()?;
        let agents = self.sides.iter().flat_map(|side| &side.agents);
        let (probes, lost) = agents.fold((0, 0), |(probes, lost), agent| {
            let stats = agent.stats();
            (probes + stats.sent, lost + stats.lost)
        });
        Some(MapperSummary {
            probes,
            lost,
            probe_bytes: self.shared.mrc.probe_size,
            verdicts: mapper.count,
            bad: mapper.collector.bad().count() as u64,
        })
    }

    /// Has the next round judged when it is over.
    pub(crate) fn schedule_round(&mut self) {
        if let (Some(mapper), Some(plan)) = (&self.mapper, &self.shared.plan) {
            let due = Time(mapper.collector.due(plan));
            self.faults.insert((due, Change::Round));
        }
    }

    /// The next round is over: judges it. Every timer and every packet before `now` has been served.
    pub(crate) fn close_round(&mut self, now: Time) {
        let (Some(mapper), Some(plan)) = (&mut self.mapper, &self.shared.plan) else {
            return;
        };
        for loss in self.sides.iter_mut().flat_map(|side| side.lost_probes.drain(..)) {
            mapper.collector.report(loss);
        }
        let mut changes = Vec::new();
        mapper.collector.close_round(plan, &mut changes);
        // Bit p: what is to be avoided in plane p has changed.
        let mut planes = 0u8;
        for change in &changes {
            let verdict = Verdict {
                at_ps: now.0,
                place: change.element.into(),
                bad: change.bad,
            };
            mapper.count += 1;
            if mapper.verdicts.len() < MAX_VERDICTS {
                mapper.verdicts.push(verdict);
            }
            self.watcher.verdict(now, verdict.place, verdict.bad);
            if let Some(denial) = mapper.policy.act(change) {
                mapper.denylist.take(denial);
                planes |= 1 << change.element.plane();
            }
        }
        if planes != 0 {
            self.enforce(planes, now);
        }
        self.schedule_round();
    }
}
