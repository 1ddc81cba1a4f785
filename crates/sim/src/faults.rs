//! Faults: from the scenario at their times, and by hand.

use crate::nic::Turn;
use crate::observer::Observer;
use crate::run::Sim;
use fabric::{Cut, LinkKind, usid};
use kernel::Time;
use scenario::{Direction, Effect, Fault, FaultKind, LinkName, Problem, Scenario, SwitchName};
use std::cmp::Reverse;

impl<O: Observer> Sim<O> {
    pub(crate) fn schedule_faults(&mut self) {
        for index in 0..self.scenario.faults.len() {
            self.schedule_fault(index);
        }
    }

    fn schedule_fault(&mut self, index: usize) {
        for (order, event) in self.scenario.fault_events_of(index).into_iter().enumerate() {
            self.faults.insert((Time(event.at.0), index, order), event.what);
        }
    }

    /// When the next fault takes effect.
    pub(crate) fn next_fault(&self) -> Option<Time> {
        self.faults.keys().next().map(|&(at, ..)| at)
    }

    /// Breaks or heals something now: one picosecond after [`now`](Self::now), so that every event up to now stays as
    /// it was. It is recorded in the scenario, and a run of that scenario repeats it exactly.
    ///
    /// # Errors
    /// When the run is finished, the fabric has no such link or switch, or the value makes no sense.
    pub fn inject(&mut self, what: FaultKind) -> Result<(), String> {
        self.close();
        if self.is_finished() {
            return Err("the run is finished: restart it to inject a fault".into());
        }
        let fault = Fault {
            at: scenario::Time(self.now().0 + 1),
            what,
        };
        self.scenario.faults.push(fault);
        let refused = self
            .scenario
            .validate()
            .err()
            .or_else(|| not_supported_yet(&self.scenario));
        if let Some(problems) = refused {
            self.scenario.faults.pop();
            return Err(problems
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; "));
        }
        self.schedule_fault(self.scenario.faults.len() - 1);
        Ok(())
    }

    /// Lets the next fault take effect.
    pub(crate) fn apply_next_fault(&mut self) {
        let Some(((now, ..), what)) = self.faults.pop_first() else {
            return;
        };
        // Names were validated against the fabric, so nothing here can be refused.
        match what {
            Effect::LinkDown { link, .. } => {
                for link in self.both_directions(link) {
                    let _ = self.network.link_down(&mut self.watcher, link, now);
                    self.after_port_fault(link, now);
                }
            }
            Effect::LinkUp { link, .. } => {
                for link in self.both_directions(link) {
                    let _ = self.network.link_up(link);
                }
            }
            Effect::LinkLoss { link, rate, .. } => {
                for link in self.both_directions(link) {
                    let _ = self.network.link_loss(link, rate);
                }
            }
            Effect::SwitchDown { switch } => {
                if let Some(usid) = switch_usid(switch) {
                    let _ = self.network.switch_down(&mut self.watcher, usid, now);
                }
            }
            Effect::SwitchUp { switch } => {
                if let Some(usid) = switch_usid(switch) {
                    let _ = self.network.switch_up(usid);
                }
            }
            // Refused by `not_supported_yet`.
            Effect::LinkCorrupt { .. }
            | Effect::TierLoss { .. }
            | Effect::SwitchCorrupt { .. }
            | Effect::NicRefuses { .. }
            | Effect::NicPenalty { .. } => {}
        }
        self.network.close_window();
        self.watcher.fault(now, &what.into());
    }

    /// A NIC's port changed under it: the NIC looks again, and goes on sending.
    fn after_port_fault(&mut self, link: u32, now: Time) {
        let end = self.clos().describe(link);
        if end.kind != LinkKind::NicUp {
            return;
        }
        let number = self.part_of_nic(end.lower);
        let (common, parts) = self.network.split();
        let part = &mut parts[number];
        let mut turn = Turn {
            shared: &self.shared,
            common,
            part,
            side: &mut self.sides[number],
            watcher: &mut self.watcher,
            cut: Cut::after(now.0),
        };
        turn.note_port(end.lower, end.plane);
        turn.pull(end.lower, now);
        // What the pull put on the agenda is due now.
        while let Some(Reverse((at, key))) = turn.side.agenda.pop() {
            turn.side.timers.push(Time(at), key as u32);
        }
        turn.part.note_nic(common, end.lower);
    }

    /// The two directed links of a cable, the upward one first.
    fn both_directions(&self, link: LinkName) -> impl Iterator<Item = u32> + use<O> {
        let links = match link {
            LinkName::Nic { plane, nic } => {
                Some([self.clos().nic_up(plane, nic), self.clos().nic_down(plane, nic)])
            }
            LinkName::T0T1 { plane, t0, t1 } => {
                Some([self.clos().up(plane, t0, t1), self.clos().down(plane, t1, t0)])
            }
            // Refused by `not_supported_yet`.
            LinkName::T1T2 { .. } => None,
        };
        links.into_iter().flatten()
    }
}

/// The uSID of a switch; none for a T2, which is refused by [`not_supported_yet`].
pub(crate) fn switch_usid(switch: SwitchName) -> Option<u16> {
    match switch {
        SwitchName::T0 { plane, index } => Some(usid::usid(plane, usid::T0, index)),
        SwitchName::T1 { plane, index } => Some(usid::usid(plane, usid::T1, index)),
        SwitchName::T2 { .. } => None,
    }
}

/// What a valid scenario asks for and the engine cannot do yet.
pub(crate) fn not_supported_yet(scenario: &Scenario) -> Option<Vec<Problem>> {
    let is_effect_missing = scenario.fault_events().iter().any(|event| match event.what {
        Effect::LinkDown { direction, .. }
        | Effect::LinkUp { direction, .. }
        | Effect::LinkLoss { direction, .. } => direction != Direction::Both,
        Effect::SwitchDown { .. } | Effect::SwitchUp { .. } => false,
        _ => true,
    });
    let is_posting_missing = scenario
        .flows()
        .iter()
        .any(|flow| flow.messages > 1 || flow.imm || flow.work.is_some());
    let missing = [
        ("fabric.t2_per_plane", scenario.fabric.tiers() > 2),
        ("clustermapper", scenario.clustermapper.is_some()),
        ("traffic", is_posting_missing),
        ("faults", is_effect_missing),
    ];
    let problems: Vec<Problem> = missing
        .into_iter()
        .filter(|&(_, is_missing)| is_missing)
        .map(|(field, _)| Problem {
            field: field.into(),
            reason: "is not supported by the engine yet".into(),
            hint: String::new(),
        })
        .collect();
    (!problems.is_empty()).then_some(problems)
}
