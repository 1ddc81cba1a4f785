//! Conservation: every packet is delivered, dropped with a reason, or in flight.

use crate::network::Network;
use crate::port::state;

impl Network {
    /// Counts the packets on all lists and compares with the slab: a packet on no list, or on two, is an error.
    ///
    /// # Errors
    /// Says which count differs. For tests and assertions; walks every link.
    pub fn audit(&self) -> Result<(), String> {
        let mut listed = 0usize;
        for port in &self.ports {
            let (mut data, mut control) = (0u32, 0u32);
            let serving = if port.is(state::BUSY) {
                port.wire.tail()
            } else {
                None
            };
            for handle in port
                .data
                .iter(&self.packets)
                .chain(port.control.iter(&self.packets))
                .chain(serving)
            {
                let packet = &self.packets[handle];
                *(if packet.is_control() {
                    &mut control
                } else {
                    &mut data
                }) += u32::from(packet.size);
            }
            if (data, control) != (port.data_bytes, port.control_bytes) {
                return Err(format!(
                    "port to {:#x} counts {} + {} queued bytes, its lists hold {data} + {control}",
                    port.to, port.data_bytes, port.control_bytes
                ));
            }
            listed += [port.data, port.control, port.wire]
                .iter()
                .map(|l| l.iter(&self.packets).count())
                .sum::<usize>();
        }
        let counters = &self.counters;
        let in_flight = self.packets.len();
        if listed != in_flight {
            return Err(format!("{listed} packets on lists, {in_flight} in the slab"));
        }
        let accounted = counters.delivered + counters.dropped() + in_flight as u64;
        if counters.created != accounted {
            return Err(format!(
                "{} packets created, {accounted} accounted for",
                counters.created
            ));
        }
        Ok(())
    }
}
