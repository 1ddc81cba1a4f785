//! Conservation: every packet is delivered, dropped with a reason, or in flight.

use crate::network::Network;
use crate::port::state;

impl Network {
    /// Counts the packets on all lists and compares with the counters: a packet on no list, or on two, is an error.
    ///
    /// # Errors
    /// Says which count differs. For tests and assertions; walks every link.
    pub fn audit(&self) -> Result<(), String> {
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
                for list in [port.data, port.data_in] {
                    listed += part.data.iter(list).count();
                }
                for list in [port.control, port.control_in] {
                    listed += part.control.iter(list).count();
                }
                for list in [port.data_in, port.control_in] {
                    let mut last = 0;
                    let times: Vec<u64> = if list == port.data_in {
                        part.data.iter(list).map(|(at, _)| at).collect()
                    } else {
                        part.control.iter(list).map(|(at, _)| at).collect()
                    };
                    for at in times {
                        if at < last {
                            return Err(format!("arrivals out of order: {at} ps after {last} ps"));
                        }
                        last = at;
                    }
                }
            }
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
        Ok(())
    }
}
