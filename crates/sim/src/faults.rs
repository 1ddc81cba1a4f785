//! Faults: from the scenario at their times, and by hand.

use crate::nic::Refuses;
use crate::observer::Observer;
use crate::run::{Change, Sim};
use fabric::{LinkKind, Scope, usid};
use kernel::Time;
use kernel::rng::threshold;
use mrc::NackReason;
use scenario::{Direction, Effect, Fault, FaultKind, LinkName, Refusal, SwitchName, Tier};

impl<O: Observer> Sim<O> {
    pub(crate) fn schedule_faults(&mut self) {
        self.schedule_from(0);
    }

    fn schedule_from(&mut self, first: usize) {
        let events = (0..).zip(&self.fault_events).skip(first);
        let changes = events.map(|(number, event)| (Time(event.at.0), Change::Fault(number)));
        self.faults.extend(changes);
    }

    /// Breaks or heals something now: one picosecond after [`now`](Self::now), so that every event up to now stays as
    /// it was. It is recorded in the scenario, and a run of that scenario repeats it exactly.
    ///
    /// # Errors
    /// When the run is finished, the fabric has no such place, or the value makes no sense.
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
        if let Err(problems) = self.scenario.validate() {
            self.scenario.faults.pop();
            return Err(problems
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; "));
        }
        let first = self.fault_events.len();
        let new = self.scenario.fault_events_of(self.scenario.faults.len() - 1);
        self.fault_events.extend(new);
        self.schedule_from(first);
        Ok(())
    }

    /// Puts `faults` in the place of the scenario's faults from number `first` on: a copy of a run learns of what was injected
    /// after it was taken, or a run forgets what was to come. Nothing changes up to now, and what follows is what a run of the
    /// changed scenario does.
    ///
    /// # Errors
    /// When the run is finished, one of the faults, old or new, is not later than now, the old ones are not the last that were
    /// added, or the changed scenario is not valid. Nothing has changed then.
    pub fn replan_faults(&mut self, first: usize, faults: &[Fault]) -> Result<(), String> {
        self.close();
        if self.is_finished() {
            return Err("the run is finished: nothing of it is to come".into());
        }
        let kept = (self.fault_events.iter())
            .position(|event| event.cause >= first)
            .unwrap_or(self.fault_events.len());
        let old = self.scenario.faults.get(first..).unwrap_or_default();
        let is_last = self.fault_events[kept..].iter().all(|event| event.cause >= first);
        if !is_last || first > self.scenario.faults.len() {
            return Err(format!("fault {first} is not the first of those that were added"));
        }
        if let Some(begun) = old.iter().chain(faults).find(|fault| fault.at.0 <= self.now.0) {
            return Err(format!("a fault at {} ps is not to come", begun.at.0));
        }
        let mut changed = self.scenario.clone();
        changed.faults.truncate(first);
        changed.faults.extend_from_slice(faults);
        if let Err(problems) = changed.validate() {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            return Err(problems.join("; "));
        }
        self.scenario = changed;
        self.fault_events.truncate(kept);
        (self.faults)
            .retain(|(_, change)| !matches!(change, Change::Fault(number) if *number as usize >= kept));
        for index in first..self.scenario.faults.len() {
            self.fault_events.extend(self.scenario.fault_events_of(index));
        }
        self.schedule_from(kept);
        Ok(())
    }

    /// The scenario's fault that a change belongs to.
    pub(crate) fn cause_of(&self, change: Change) -> Option<usize> {
        match change {
            Change::Fault(number) => Some(self.fault_events[number as usize].cause),
            Change::Port { .. }
            | Change::Abort(_)
            | Change::Round
            | Change::Detect { .. }
            | Change::Converge { .. }
            | Change::Look => None,
        }
    }

    pub(crate) fn apply(&mut self, change: Change, now: Time) {
        match change {
            Change::Fault(number) => {
                self.faults_applied += 1;
                let event = &self.fault_events[number as usize];
                let (cause, effect) = (event.cause, event.what.clone());
                let links = self.concerned(&effect);
                // First, so that what is lost at once is put down to it.
                self.watcher
                    .fault(now, cause, &FaultKind::from(effect.clone()), &links);
                self.take_effect(&effect, now);
                self.look_at_nics(&links, now);
                self.note_cables(&links, now);
            }
            Change::Port { nic, plane, since } => self.notice_port(nic, plane, since, now),
            Change::Abort(job) => self.abort(job, now),
            Change::Round => self.close_round(now),
            Change::Detect { link, since } => self.detect(link, since, now),
            Change::Look => self.look_for_deadlock(now),
            Change::Converge { link, up } => self.believe(link, up, Scope::Everywhere),
        }
        self.network.close_window();
    }

    /// The directed links that a change concerns, a switch's in both directions; none for a whole tier or a NIC.
    fn concerned(&self, effect: &Effect) -> Vec<u32> {
        match *effect {
            Effect::LinkDown { link, direction }
            | Effect::LinkUp { link, direction }
            | Effect::LinkLoss { link, direction, .. }
            | Effect::LinkCorrupt { link, direction, .. } => self.directed(link, direction).collect(),
            Effect::SwitchDown { switch }
            | Effect::SwitchUp { switch }
            | Effect::SwitchCorrupt { switch, .. } => {
                let out = self.network.links_of(switch_usid(switch)).unwrap_or_default();
                out.iter()
                    .flat_map(|&link| [link, self.clos().reverse(link)])
                    .collect()
            }
            Effect::TierLoss { .. } | Effect::NicRefuses { .. } | Effect::NicPenalty { .. } => Vec::new(),
        }
    }

    fn take_effect(&mut self, effect: &Effect, now: Time) {
        // Names were validated against the fabric, so nothing here can be refused.
        match *effect {
            Effect::LinkDown { link, direction } => {
                for link in self.directed(link, direction) {
                    let _ = self.network.link_down(&mut self.watcher, link, now);
                    self.note_link(link, true, now);
                }
            }
            Effect::LinkUp { link, direction } => {
                for link in self.directed(link, direction) {
                    let _ = self.network.link_up(link);
                    self.note_link(link, false, now);
                }
            }
            Effect::LinkLoss {
                link,
                direction,
                rate,
            } => {
                for link in self.directed(link, direction) {
                    let _ = self.network.link_loss(link, rate);
                }
            }
            Effect::LinkCorrupt {
                link,
                direction,
                rate,
            } => {
                for link in self.directed(link, direction) {
                    let _ = self.network.link_corrupt(link, rate);
                }
            }
            Effect::TierLoss {
                tier,
                direction,
                rate,
            } => {
                for kind in kinds(tier, direction) {
                    self.network.kind_loss(kind, rate);
                }
            }
            Effect::SwitchDown { switch } => {
                let switch = switch_usid(switch);
                let _ = self.network.switch_down(&mut self.watcher, switch, now);
            }
            Effect::SwitchUp { switch } => {
                let _ = self.network.switch_up(switch_usid(switch));
            }
            Effect::SwitchCorrupt { switch, rate } => {
                let _ = self.network.switch_corrupt(switch_usid(switch), rate);
            }
            Effect::NicRefuses { nic, rate, reason } => {
                let reason = match reason {
                    Refusal::NoBitmap => NackReason::NoBitmap,
                    Refusal::NoPktBuffer => NackReason::NoPacketBuffer,
                    Refusal::NoResource => NackReason::NoResource,
                };
                self.at_nic(nic, now, |turn| {
                    let first = turn.side.first_nic;
                    turn.side.nics[(nic - first) as usize].refuses = (rate > 0.0).then(|| Refuses {
                        threshold: threshold(rate),
                        reason,
                    });
                });
            }
            Effect::NicPenalty { nic, penalty } => {
                let receivers: Vec<usize> = (self.shared.conns.iter())
                    .filter(|ends| ends.dst == nic)
                    .map(|ends| ends.receiver as usize)
                    .collect();
                self.at_nic(nic, now, |turn| {
                    for receiver in receivers {
                        if let Some(responder) = turn.side.receivers[receiver].responder.mrc_mut() {
                            responder.set_penalty(penalty as u8);
                        }
                    }
                });
            }
        }
    }

    /// A job is given up: its flows stop.
    fn abort(&mut self, job: u32, now: Time) {
        let job = self.jobs[job as usize].job;
        for conn in job.first_flow..job.first_flow + job.flows {
            let ends = *self.conn(conn);
            self.at_nic(ends.src, now, |turn| turn.give_up(conn, now));
        }
        let unfinished: usize = self.sides.iter().map(|side| side.unfinished).sum();
        self.finished |= unfinished == 0;
    }

    /// The directed links of a cable, the upward one first.
    fn directed(&self, link: LinkName, direction: Direction) -> impl Iterator<Item = u32> + use<O> {
        let clos = self.clos();
        let (up, down) = match link {
            LinkName::Nic { plane, nic } => (clos.nic_up(plane, nic), clos.nic_down(plane, nic)),
            LinkName::T0T1 { plane, t0, t1 } => (clos.up(plane, t0, t1), clos.down(plane, t1, t0)),
            LinkName::T1T2 { plane, t1, t2 } => (clos.core_up(plane, t1, t2), clos.core_down(plane, t2, t1)),
        };
        let up = (direction != Direction::Down).then_some(up);
        let down = (direction != Direction::Up).then_some(down);
        up.into_iter().chain(down)
    }
}

/// The kinds of directed links that a tier and direction mean.
fn kinds(tier: Tier, direction: Direction) -> impl Iterator<Item = LinkKind> {
    let (up, down) = match tier {
        Tier::Nic => (LinkKind::NicUp, LinkKind::NicDown),
        Tier::T0T1 => (LinkKind::Up, LinkKind::Down),
        Tier::T1T2 => (LinkKind::CoreUp, LinkKind::CoreDown),
    };
    let up = (direction != Direction::Down).then_some(up);
    let down = (direction != Direction::Up).then_some(down);
    up.into_iter().chain(down)
}

/// The uSID of a switch.
pub(crate) fn switch_usid(switch: SwitchName) -> u16 {
    match switch {
        SwitchName::T0 { plane, index } => usid::usid(plane, usid::T0, index),
        SwitchName::T1 { plane, index } => usid::usid(plane, usid::T1, index),
        SwitchName::T2 { plane, index } => usid::usid(plane, usid::T2, index),
    }
}
