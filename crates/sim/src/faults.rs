//! Faults: from the scenario at their times, and by hand.

use crate::observer::Observer;
use crate::run::Sim;
use fabric::{LinkKind, usid};
use kernel::Time;
use scenario::{Fault, FaultKind, LinkName, SwitchName};

impl<O: Observer> Sim<O> {
    pub(crate) fn schedule_faults(&mut self) {
        for index in 0..self.scenario.faults.len() {
            let at = Time(self.scenario.faults[index].at.0);
            self.queue.push_first(at, self.fault_base() + index as u32);
        }
    }

    /// Breaks or heals something now: one picosecond after [`now`](Self::now), so that every event up to now stays as
    /// it was. It is recorded in the scenario, and a run of that scenario repeats it exactly.
    ///
    /// # Errors
    /// When the run is finished, the fabric has no such link or switch, or the value makes no sense.
    pub fn inject(&mut self, what: FaultKind) -> Result<(), String> {
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
        self.queue
            .push_first(Time(self.now().0 + 1), self.fault_base() + index as u32);
        Ok(())
    }

    pub(crate) fn apply_fault(&mut self, index: usize, now: Time) {
        let what = self.scenario.faults[index].what.clone();
        // Names were validated against the fabric, so nothing here can be refused.
        match &what {
            FaultKind::LinkDown { link } => {
                for link in self.both_directions(*link) {
                    self.settle_upstream(link, now);
                    let _ = self.network.link_down(&mut self.watcher, link, now);
                    self.after_port_fault(link, now);
                }
            }
            FaultKind::LinkUp { link } => {
                for link in self.both_directions(*link) {
                    self.settle_upstream(link, now);
                    let _ = self.network.link_up(link, now);
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
        self.watcher.fault(now, &what);
    }

    fn settle_upstream(&mut self, link: u32, now: Time) {
        let end = self.clos.describe(link);
        if end.kind == LinkKind::NicUp {
            self.settle_nic(end.lower, now);
        }
    }

    /// The two directed links of a cable, the upward one first.
    fn both_directions(&self, link: LinkName) -> [u32; 2] {
        match link {
            LinkName::Nic { plane, nic } => [self.clos.nic_up(plane, nic), self.clos.nic_down(plane, nic)],
            LinkName::T0T1 { plane, t0, t1 } => [self.clos.up(plane, t0, t1), self.clos.down(plane, t1, t0)],
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
