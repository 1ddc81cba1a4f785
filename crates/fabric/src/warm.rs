//! Reading ahead, for fabrics that do not fit the caches.

use crate::clos::LinkKind;
use crate::network::Network;
use crate::packet::NONE;
use crate::usid;

/// How many events [`Network::warm`] looks at.
pub const WARM: usize = 16;

impl Network {
    /// Reads what the events of `links` will need, so that the cache misses of several events overlap instead of
    /// queueing up one behind the other. Changes nothing. `due` gets, for each packet that will be due, its connection
    /// and the NIC whose state is needed, if any.
    pub fn warm(&self, links: &[u32], due: &mut Vec<(u32, Option<u32>)>) {
        // In rounds, since each needs what the one before has read. First the ports, ...
        let links = &links[..links.len().min(WARM)];
        let mut wanted = [[NONE; 3]; WARM];
        for (handles, &link) in wanted.iter_mut().zip(links) {
            *handles = self.ports[link as usize].needs();
        }
        // ... then the packets there: first on the wire, in service, next to be sent; ...
        let mut seen = self.read(&wanted);
        due.clear();
        for (handles, &link) in wanted.iter_mut().zip(links) {
            let [head, ..] = *handles;
            *handles = [NONE; 3];
            if head == NONE {
                continue;
            }
            // ... then the port ahead, ...
            let (packet, port) = (&self.packets[head], &self.ports[link as usize]);
            let nic = match port.kind {
                LinkKind::NicDown => Some(port.to),
                LinkKind::NicUp => Some(link % self.config.clos.links_per_plane()),
                _ => None,
            };
            due.push((packet.conn, nic));
            let out = self
                .config
                .clos
                .route(port.to as u16, usid::active(usid::shift(packet.usids)));
            if let Some(out) = out.filter(|_| port.kind != LinkKind::NicDown) {
                let [_, serving, waiting] = self.ports[out as usize].needs();
                *handles = [packet.next, serving, waiting];
            }
        }
        // ... and the packets there.
        seen ^= self.read(&wanted);
        core::hint::black_box(seen);
    }

    fn read(&self, handles: &[[u32; 3]]) -> u64 {
        handles
            .iter()
            .flatten()
            .filter(|&&h| h != NONE)
            .fold(0, |seen, &h| seen ^ self.packets[h].at)
    }
}
