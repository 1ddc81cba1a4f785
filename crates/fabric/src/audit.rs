//! Conservation: every packet is delivered, dropped with a reason, or in flight.

use crate::common::Common;
use crate::network::Network;
use crate::part::{Parcel, Part};
use crate::port::state;

impl Network {
    /// Counts the packets on all lists and compares with the counters: a packet on no list, or on two, is an error. So is a
    /// place that would be looked at too late. Returns how many packets there are.
    ///
    /// # Errors
    /// Says which count differs. For tests and assertions; walks every link.
    pub fn audit(&self) -> Result<u64, String> {
        let mut listed = 0usize;
        for part in self.parts() {
            for port in &part.ports {
                let queued = part.data.iter(port.data).map(|(_, p)| u32::from(p.size));
                let mut data: u32 = queued.sum();
                let queued = part.control.iter(port.control).map(|(_, p)| u32::from(p.size));
                let mut control: u32 = queued.sum();
                if port.is(state::SERVING_CONTROL) {
                    control += u32::from(port.serving);
                } else if port.is(state::BUSY) {
                    data += u32::from(port.serving);
                }
                if (data, control) != (port.data_bytes, port.control_bytes) {
                    return Err(format!(
                        "a {:?} port counts {} + {} queued bytes, its lists hold {data} + {control}",
                        port.kind, port.data_bytes, port.control_bytes
                    ));
                }
                listed += part.data.iter(port.data).count() + part.control.iter(port.control).count();
                listed += in_order(part.data.iter(port.data_in).map(|(at, _)| at))?;
                listed += in_order(part.control.iter(port.control_in).map(|(at, _)| at))?;
            }
            part.audit_due(self.common())?;
        }
        let in_flight = self.in_flight();
        if listed as u64 != in_flight {
            let counters = self.counters();
            return Err(format!(
                "{} packets created, {} delivered, {} dropped: {in_flight} should be in flight, {listed} are on lists",
                counters.created,
                counters.delivered,
                counters.dropped()
            ));
        }
        Ok(in_flight)
    }
}

/// Counts arrivals, which must be in order of time.
fn in_order(times: impl Iterator<Item = u64>) -> Result<usize, String> {
    let (mut last, mut count) = (0, 0);
    for at in times {
        if at < last {
            return Err(format!("arrivals out of order: {at} ps after {last} ps"));
        }
        (last, count) = (at, count + 1);
    }
    Ok(count)
}

impl Part {
    /// No place may be looked at too late, and nothing may be left on its way to another part.
    fn audit_due(&self, common: &Common) -> Result<(), String> {
        if !self.parcels.iter().chain(&self.received).all(Parcel::is_empty) {
            return Err("packets are still on their way to another part".into());
        }
        let late = |place: u32, earliest: u64| {
            let due = self.due[place as usize];
            if due > earliest {
                return Err(format!(
                    "place {place} is due at {due} ps, and something happens at {earliest} ps"
                ));
            }
            Ok(())
        };
        for nic in self.span.nics() {
            late(self.span.nic_place(nic), self.earliest_at_nic(common, nic))?;
        }
        (0..self.switch_count())
            .try_for_each(|number| late(self.span.first_switch() + number, self.earliest_at_switch(number)))
    }
}
