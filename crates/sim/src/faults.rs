//! Faults: from the scenario at their times, and by hand.

use crate::nic::Turn;
use crate::observer::Observer;
use crate::run::Sim;
use fabric::{Cut, LinkKind, usid};
use kernel::Time;
use scenario::{Fault, FaultKind, LinkName, SwitchName};
use std::cmp::Reverse;

impl<O: Observer> Sim<O> {
    pub(crate) fn schedule_faults(&mut self) {
        for index in 0..self.scenario.faults.len() {
            let at = Time(self.scenario.faults[index].at.0);
            self.faults.insert((at, index));
        }
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
        if let Err(problems) = self.scenario.validate() {
            self.scenario.faults.pop();
            return Err(problems
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; "));
        }
        let index = self.scenario.faults.len() - 1;
        self.faults.insert((Time(self.now().0 + 1), index));
        Ok(())
    }

    pub(crate) fn apply_fault(&mut self, index: usize, now: Time) {
        let what = self.scenario.faults[index].what.clone();
        // Names were validated against the fabric, so nothing here can be refused.
        match &what {
            FaultKind::LinkDown { link } => {
                for link in self.both_directions(*link) {
                    let _ = self.network.link_down(&mut self.watcher, link, now);
                    self.after_port_fault(link, now);
                }
            }
            FaultKind::LinkUp { link } => {
                for link in self.both_directions(*link) {
                    let _ = self.network.link_up(link);
                }
            }
            FaultKind::LinkLoss { link, rate } => {
                for link in self.both_directions(*link) {
                    let _ = self.network.link_loss(link, *rate);
                }
            }
            FaultKind::SwitchDown { switch } => {
                let _ = self
                    .network
                    .switch_down(&mut self.watcher, switch_usid(*switch), now);
            }
            FaultKind::SwitchUp { switch } => {
                let _ = self.network.switch_up(switch_usid(*switch));
            }
        }
        self.network.close_window();
        self.watcher.fault(now, &what);
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
    fn both_directions(&self, link: LinkName) -> [u32; 2] {
        match link {
            LinkName::Nic { plane, nic } => {
                [self.clos().nic_up(plane, nic), self.clos().nic_down(plane, nic)]
            }
            LinkName::T0T1 { plane, t0, t1 } => {
                [self.clos().up(plane, t0, t1), self.clos().down(plane, t1, t0)]
            }
        }
    }
}

/// The uSID of a switch.
pub(crate) fn switch_usid(switch: SwitchName) -> u16 {
    match switch {
        SwitchName::T0 { plane, index } => usid::usid(plane, usid::T0, index),
        SwitchName::T1 { plane, index } => usid::usid(plane, usid::T1, index),
    }
}
