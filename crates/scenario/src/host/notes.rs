//! What a valid scenario may not mean.

use super::limits::CLIENT_PORTS;
use super::tables::connections_per_second;
use super::traffic::Traffic;
use super::{HostScenario, Path};
use crate::quantity::Time;

/// Notes that are given at most.
const MOST: usize = 20;

impl HostScenario {
    /// What is valid and may surprise: values that take effect otherwise than it seems, or not at all. Each names its place. The
    /// scenario has to be [valid](HostScenario::validate).
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        self.half_open_notes(&mut notes);
        for (i, traffic) in self.traffic.iter().enumerate() {
            if let Some(note) = never_begins(traffic, self.until) {
                notes.push(format!("traffic[{i}].{note}"));
            }
            if let Some(note) = ports_come_round(traffic, self.until) {
                notes.push(format!("traffic[{i}].{note}"));
            }
        }
        for (i, event) in self.events.iter().enumerate() {
            if event.at() > self.until {
                notes.push(format!(
                    "events[{i}].at: is {}, after the run's end at {}: it does not happen",
                    event.at(),
                    self.until
                ));
            }
        }
        let more = notes.len().saturating_sub(MOST);
        if more > 0 {
            notes.truncate(MOST);
            notes.push(format!("and {more} more of the kind"));
        }
        notes
    }

    /// Over the VF VFP learns from the next report of the counters that a connection is established.
    fn half_open_notes(&self, notes: &mut Vec<String>) {
        let period = self.host.nic.counter_period;
        let over_vf = |vm: usize| {
            self.host.nic.offload && self.vms.get(vm).is_some_and(|vm| vm.path != Path::Synthetic)
        };
        if self.host.timers.half_open < period && (0..self.vms.len()).any(over_vf) {
            notes.push(format!(
                "host.timers.half_open: is {}, below host.nic.counter_period ({period}): VFP learns from the NIC's counters that a \
                 connection over the VF is established, and may give it up before",
                self.host.timers.half_open
            ));
        }
        for (i, vm) in self.vms.iter().enumerate().filter(|&(i, _)| over_vf(i)) {
            let Some(limit) = vm.limits.half_open else {
                continue;
            };
            let rate: f64 = self
                .traffic
                .iter()
                .filter(|traffic| traffic.vm() as usize == i)
                .map(connections_per_second)
                .sum();
            let seconds = period.min(self.until).0 as f64 / 1e12;
            let unseen = rate * seconds;
            if unseen > f64::from(limit) {
                notes.push(format!(
                    "vms[{i}].limits.half_open: is {limit}, and {unseen:.0} connections begin in one host.nic.counter_period \
                     ({period}): over the VF each counts as half-open until the next report of the counters"
                ));
            }
        }
    }
}

fn never_begins(traffic: &Traffic, until: Time) -> Option<String> {
    let (field, begins) = match traffic {
        Traffic::Ping { start, .. }
        | Traffic::Stream { start, .. }
        | Traffic::Connections { start, .. }
        | Traffic::SynFlood { start, .. }
        | Traffic::Flows { start, .. }
        | Traffic::Rdma { start, .. }
        | Traffic::Attack { start, .. } => ("start", *start),
        Traffic::Replay { flows, .. } => ("flows", flows.iter().map(|flow| flow.at).min()?),
    };
    (begins > until).then(|| match field {
        "start" => format!("start: is {begins}, after the run's end at {until}: nothing of it is sent"),
        _ => format!(
            "flows: the first begins at {begins}, after the run's end at {until}: nothing of it is sent"
        ),
    })
}

/// More connections at a time than different ones.
fn ports_come_round(traffic: &Traffic, until: Time) -> Option<String> {
    let Traffic::Connections {
        per_second,
        hold,
        peers,
        start,
        stop,
        ..
    } = traffic
    else {
        return None;
    };
    let end = stop.map_or(until, |stop| stop.min(until));
    let span = hold.min(&Time(end.0.saturating_sub(start.0))).0 as f64 / 1e12;
    let open = per_second * span;
    let different = f64::from(CLIENT_PORTS) * f64::from(*peers);
    (open > different).then(|| {
        format!(
            "peers: is {peers}, and {open:.0} connections are held at a time: after {different:.0} ({CLIENT_PORTS} ports for each) \
             they have the addresses and ports of others"
        )
    })
}
